//! A deserializer for types in front of one behind a pointer.
//!
//! `erased_serde` makes a table of all thirty methods for each visitor. A type asks for a map, a list, an option, a
//! text or a number, and only the one method that answers is compiled here for its visitor.

use super::slot::{MapVisitor, OptionVisitor, SeqVisitor, Slot};
use erased_serde::Error;
use serde::de::{Deserializer, Error as _, Expected, IgnoredAny, Visitor};
use std::fmt;

/// Something to read, behind a pointer.
pub(in crate::object) struct Narrow<'a, 'de> {
    inner: &'a mut (dyn erased_serde::Deserializer<'de> + 'a),
}

impl<'a, 'de> Narrow<'a, 'de> {
    pub(in crate::object) fn new(inner: &'a mut (dyn erased_serde::Deserializer<'de> + 'a)) -> Self {
        Self { inner }
    }
}

/// What types may ask for that needs no entries.
enum Scalar {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
}

/// Takes a scalar in the name of a visitor.
struct ScalarVisitor<'e> {
    expected: &'e dyn Expected,
}

macro_rules! take_scalar {
    ($($method:ident($kind:ty) $scalar:ident),+ $(,)?) => {$(
        fn $method<E: serde::de::Error>(self, value: $kind) -> Result<Scalar, E> {
            Ok(Scalar::$scalar(value.into()))
        }
    )+};
}

impl Visitor<'_> for ScalarVisitor<'_> {
    type Value = Scalar;

    take_scalar! {
        visit_bool(bool) Bool, visit_i64(i64) Signed, visit_u64(u64) Unsigned, visit_f64(f64) Float,
        visit_str(&str) Text, visit_string(String) Text,
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }
}

impl Scalar {
    fn is_not(&self, expected: &dyn Expected) -> Error {
        use serde::de::Unexpected;
        let found = match self {
            Scalar::Bool(value) => Unexpected::Bool(*value),
            Scalar::Signed(value) => Unexpected::Signed(*value),
            Scalar::Unsigned(value) => Unexpected::Unsigned(*value),
            Scalar::Float(value) => Unexpected::Float(*value),
            Scalar::Text(text) => Unexpected::Str(text),
        };
        Error::invalid_type(found, expected)
    }
}

macro_rules! texts {
    ($($method:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.inner.$method(ScalarVisitor { expected: &visitor })? {
                Scalar::Text(text) => visitor.visit_str(&text),
                other => Err(other.is_not(&visitor)),
            }
        }
    )+};
}

macro_rules! numbers {
    ($($method:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.inner.$method(ScalarVisitor { expected: &visitor })? {
                Scalar::Signed(value) => visitor.visit_i64(value),
                Scalar::Unsigned(value) => visitor.visit_u64(value),
                Scalar::Float(value) => visitor.visit_f64(value),
                other => Err(other.is_not(&visitor)),
            }
        }
    )+};
}

/// What the types hardly ever ask for.
macro_rules! rare {
    ($($method:ident($($name:ident: $kind:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, Error> {
            self.inner.$method($($name,)* visitor)
        }
    )+};
}

macro_rules! collections {
    ($($method:ident($($name:ident: $kind:ty),*) $taker:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, Error> {
            let mut slot = Slot::new(visitor);
            self.inner.$method($($name,)* $taker::new(&mut slot))?;
            slot.value()
        }
    )+};
}

impl<'de> Deserializer<'de> for Narrow<'_, 'de> {
    type Error = Error;

    texts! { deserialize_str, deserialize_string, deserialize_identifier, deserialize_char }

    numbers! {
        deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64, deserialize_u8, deserialize_u16,
        deserialize_u32, deserialize_u64, deserialize_f32, deserialize_f64,
    }

    collections! {
        deserialize_map() MapVisitor,
        deserialize_struct(name: &'static str, fields: &'static [&'static str]) MapVisitor,
        deserialize_seq() SeqVisitor,
        deserialize_tuple(len: usize) SeqVisitor,
        deserialize_tuple_struct(name: &'static str, len: usize) SeqVisitor,
        deserialize_option() OptionVisitor,
    }

    rare! {
        deserialize_any(), deserialize_i128(), deserialize_u128(), deserialize_bytes(), deserialize_byte_buf(),
        deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.inner.deserialize_bool(ScalarVisitor { expected: &visitor })? {
            Scalar::Bool(value) => visitor.visit_bool(value),
            other => Err(other.is_not(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.inner.deserialize_ignored_any(IgnoredAny)?;
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}
