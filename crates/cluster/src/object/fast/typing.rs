//! Scalars: what their text means to the type that is asked for.
//!
//! The rules are those of the library, so that both readers give the same value.

use super::fault::{Cause, Fault};
use serde::de::value::CowStrDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer, Unexpected, Visitor};
use std::borrow::Cow;

/// The text of a scalar or a key.
#[derive(Debug)]
pub(super) struct Scalar<'de> {
    pub(super) text: Cow<'de, str>,
    pub(super) style: Style,
}

/// Whether the text may mean something else than itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Quoted,
}

/// What a plain scalar means where no type is asked for.
#[derive(Debug, PartialEq)]
enum Meaning {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text,
}

impl<'de> Scalar<'de> {
    pub(super) fn is_null(&self) -> bool {
        self.style == Style::Plain && is_null(&self.text)
    }

    fn meaning(&self) -> Result<Meaning, Fault> {
        match self.style {
            Style::Plain => meaning(&self.text),
            Style::Quoted => Ok(Meaning::Text),
        }
    }

    fn give_text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn unfit<V: Visitor<'de>>(&self, visitor: &V) -> Fault {
        let found = match self.meaning() {
            Ok(Meaning::Null) => Unexpected::Unit,
            Ok(Meaning::Bool(value)) => Unexpected::Bool(value),
            Ok(Meaning::Signed(value)) => Unexpected::Signed(value),
            Ok(Meaning::Unsigned(value)) => Unexpected::Unsigned(value),
            Ok(Meaning::Float(value)) => Unexpected::Float(value),
            Ok(Meaning::Text) | Err(_) => Unexpected::Str(&self.text),
        };
        Fault::invalid_type(found, visitor)
    }

    fn signed(&self) -> Option<i64> {
        signed(trim(&self.text))
    }

    fn unsigned(&self) -> Option<u64> {
        unsigned(trim(&self.text))
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\n'])
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn boolean(text: &str) -> Option<bool> {
    // No spelling is longer than `false`: most texts are told apart by their length.
    if text.len() > 5 {
        return None;
    }
    let is_one_of = |spellings: &[&str]| spellings.iter().any(|s| text.eq_ignore_ascii_case(s));
    if is_one_of(&["true", "yes", "y", "on"]) {
        Some(true)
    } else if is_one_of(&["false", "no", "n", "off"]) {
        Some(false)
    } else {
        None
    }
}

fn meaning(text: &str) -> Result<Meaning, Fault> {
    if is_null(text) {
        return Ok(Meaning::Null);
    }
    if let Some(value) = boolean(text) {
        return Ok(Meaning::Bool(value));
    }
    if !matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.')) {
        return Ok(Meaning::Text);
    }
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(bare.as_bytes(), [b'0', b'X' | b'O' | b'B', ..]) {
        return Ok(Meaning::Text);
    }
    if text.starts_with('-') {
        if let Some(value) = signed(text) {
            return Ok(Meaning::Signed(value));
        }
    } else if let Some(value) = unsigned(text) {
        return Ok(Meaning::Unsigned(value));
    }
    if matches!(bare, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN") {
        return Err(Fault::outside("a number that is not finite", usize::MAX));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Meaning::Float(value)),
        Ok(_) if bare.starts_with(|c: char| c.is_ascii_digit()) => {
            Err(Fault::outside("a number too large", usize::MAX))
        }
        Ok(_) | Err(_) => Ok(Meaning::Text),
    }
}

fn signed(text: &str) -> Option<i64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = i128::try_from(magnitude(rest)?).ok()?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

fn unsigned(text: &str) -> Option<u64> {
    let rest = text.strip_prefix('+').unwrap_or(text);
    u64::try_from(magnitude(rest)?).ok()
}

/// A number without its sign: decimal without leading zeros, hexadecimal, octal or binary, with
/// single underscores between digits.
fn magnitude(text: &str) -> Option<u128> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, &text[2..]),
        [b'0', b'o' | b'O', ..] => (8, &text[2..]),
        [b'0', b'b' | b'B', ..] => (2, &text[2..]),
        [b'0', _, ..] => return None,
        _ => (10, text),
    };
    let mut value: u128 = 0;
    let mut after_digit = false;
    for c in digits.chars() {
        if c == '_' {
            if !after_digit {
                return None;
            }
            after_digit = false;
        } else {
            let digit = u128::from(c.to_digit(radix)?);
            value = value.checked_mul(u128::from(radix))?.checked_add(digit)?;
            after_digit = true;
        }
    }
    after_digit.then_some(value)
}

macro_rules! integers {
    ($($method:ident $visit:ident $read:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.$read() {
                Some(value) => visitor.$visit(value),
                None => Err(self.unfit(&visitor)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Scalar<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.meaning()? {
            Meaning::Null => visitor.visit_unit(),
            Meaning::Bool(value) => visitor.visit_bool(value),
            Meaning::Signed(value) => visitor.visit_i64(value),
            Meaning::Unsigned(value) => visitor.visit_u64(value),
            Meaning::Float(value) => visitor.visit_f64(value),
            Meaning::Text => self.give_text(visitor),
        }
    }

    integers! {
        deserialize_i8 visit_i64 signed,
        deserialize_i16 visit_i64 signed,
        deserialize_i32 visit_i64 signed,
        deserialize_i64 visit_i64 signed,
        deserialize_u8 visit_u64 unsigned,
        deserialize_u16 visit_u64 unsigned,
        deserialize_u32 visit_u64 unsigned,
        deserialize_u64 visit_u64 unsigned,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match boolean(trim(&self.text)) {
            Some(value) => visitor.visit_bool(value),
            None => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match trim(&self.text).parse::<f64>() {
            Ok(value) if value.is_finite() => visitor.visit_f64(value),
            Ok(_) => Err(Fault::outside("a number that is not finite", usize::MAX)),
            Err(_) if trim(&self.text).contains(".n") || self.text.contains(".N") => {
                Err(Fault::outside("perhaps not a number", usize::MAX))
            }
            Err(_) => match meaning(trim(&self.text)) {
                Err(fault) => Err(fault),
                Ok(_) => Err(self.unfit(&visitor)),
            },
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.is_null() {
            return Err(Fault::invalid_type(Unexpected::Unit, &visitor));
        }
        self.give_text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(Fault::outside("bytes are asked for", usize::MAX))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(Fault::outside("bytes are asked for", usize::MAX))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.is_null() { visitor.visit_unit() } else { Err(self.unfit(&visitor)) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        Err(self.unfit(&visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        Err(self.unfit(&visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        Err(self.unfit(&visitor))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        Err(self.unfit(&visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        Err(self.unfit(&visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let text: CowStrDeserializer<'de, Fault> = self.text.into_deserializer();
        visitor.visit_enum(text)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

impl Fault {
    pub(in crate::object) fn is_outside(&self) -> bool {
        matches!(self.cause(), Cause::Outside(_))
    }
}
