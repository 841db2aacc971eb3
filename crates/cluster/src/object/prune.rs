//! Reading around what does not fit: a deserializer that leaves named paths out.
//!
//! The text is read again from the start for each field that does not fit, so the three formats
//! need no tree of their own and plain scalars keep their text.

use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

/// One step down into an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Segment {
    Key(String),
    Index(usize),
}

/// What is left out, and where the reading stopped.
#[derive(Debug, Default)]
pub(super) struct Trail {
    excluded: BTreeSet<Vec<Segment>>,
    walk: RefCell<Walk>,
}

#[derive(Debug, Default)]
struct Walk {
    path: Vec<Segment>,
    /// The innermost value that was being read when the first error came up.
    failed: Option<Vec<Segment>>,
    /// Fields that stand in their struct a second time.
    repeated: BTreeSet<Vec<Segment>>,
}

impl Trail {
    pub(super) fn exclude(&mut self, path: Vec<Segment>) {
        self.excluded.insert(path);
    }

    /// Takes where the last reading stopped, and makes ready for the next.
    pub(super) fn take_failed(&mut self) -> Vec<Segment> {
        let walk = self.walk.get_mut();
        walk.path.clear();
        walk.failed.take().unwrap_or_default()
    }

    /// The repeated fields that were left out.
    pub(super) fn repeated(&self) -> Vec<String> {
        let walk = self.walk.borrow();
        walk.repeated.iter().map(|path| render(path)).collect()
    }

    fn enter(&self, segment: Segment) {
        self.walk.borrow_mut().path.push(segment);
    }

    fn leave<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        let mut walk = self.walk.borrow_mut();
        if result.is_err() && walk.failed.is_none() {
            walk.failed = Some(walk.path.clone());
        }
        walk.path.pop();
        result
    }

    fn is_excluded(&self, segment: Segment) -> bool {
        if self.excluded.is_empty() {
            return false;
        }
        let mut walk = self.walk.borrow_mut();
        walk.path.push(segment);
        let excluded = self.excluded.contains(&walk.path);
        walk.path.pop();
        excluded
    }

    fn repeat(&self, key: &str) {
        let mut walk = self.walk.borrow_mut();
        let mut path = walk.path.clone();
        path.push(Segment::Key(key.to_owned()));
        walk.repeated.insert(path);
    }
}

/// Writes a path as people write it: `status.conditions[3].status`.
pub(super) fn render(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
            Segment::Key(key) if key.contains(['.', '/', ' ', '[']) || key.is_empty() => {
                text.push_str(&format!("[{key:?}]"));
            }
            Segment::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
        }
    }
    text
}

/// Reads with a seed, leaving out what the trail says.
pub(super) struct Pruned<'t, S> {
    trail: &'t Trail,
    seed: S,
}

impl<'t, S> Pruned<'t, S> {
    pub(super) fn new(trail: &'t Trail, seed: S) -> Self {
        Self { trail, seed }
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Pruned<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(Prune::new(inner, self.trail))
    }
}

/// Whether the same key may come twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// The fields of a struct: the first counts.
    Fields,
    /// The entries of a map: the visitor decides.
    Entries,
}

/// Wraps a deserializer, a visitor, a seed or an access.
struct Prune<'t, X> {
    inner: X,
    trail: &'t Trail,
    keys: Keys,
}

impl<'t, X> Prune<'t, X> {
    fn new(inner: X, trail: &'t Trail) -> Self {
        Self { inner, trail, keys: Keys::Entries }
    }

    fn wrap<Y>(&self, inner: Y) -> Prune<'t, Y> {
        Prune::new(inner, self.trail)
    }
}

macro_rules! forward {
    ($($method:ident($($name:ident: $kind:ty),*)),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.wrap(visitor);
            self.inner.$method($($name,)* visitor)
        }
    )+};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Prune<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(),
        deserialize_i32(), deserialize_i64(), deserialize_i128(), deserialize_u8(),
        deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(),
        deserialize_string(), deserialize_bytes(), deserialize_byte_buf(), deserialize_option(),
        deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str), deserialize_seq(),
        deserialize_tuple(len: usize), deserialize_tuple_struct(name: &'static str, len: usize),
        deserialize_map(), deserialize_identifier(), deserialize_ignored_any(),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let mut visitor = self.wrap(visitor);
        visitor.keys = Keys::Fields;
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($kind:ty)),+ $(,)?) => {$(
        fn $method<E: serde::de::Error>(self, value: $kind) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )+};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Prune<'_, V> {
    type Value = V::Value;

    visit! {
        visit_bool(bool), visit_i8(i8), visit_i16(i16), visit_i32(i32), visit_i64(i64),
        visit_i128(i128), visit_u8(u8), visit_u16(u16), visit_u32(u32), visit_u64(u64),
        visit_u128(u128), visit_f32(f32), visit_f64(f64), visit_char(char), visit_str(&str),
        visit_borrowed_str(&'de str), visit_string(String), visit_bytes(&[u8]),
        visit_borrowed_bytes(&'de [u8]), visit_byte_buf(Vec<u8>),
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.wrap(inner);
        self.inner.visit_some(inner)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let inner = self.wrap(inner);
        self.inner.visit_newtype_struct(inner)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        let items = Items { inner: items, trail: self.trail, index: 0 };
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        let entries =
            Entries { inner: entries, trail: self.trail, keys: self.keys, seen: BTreeSet::new(), key: String::new() };
        self.inner.visit_map(entries)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.wrap(variant);
        self.inner.visit_enum(variant)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Prune<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let inner = self.wrap(inner);
        self.inner.deserialize(inner)
    }
}

struct Items<'t, A> {
    inner: A,
    trail: &'t Trail,
    index: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        while self.trail.is_excluded(Segment::Index(self.index)) {
            self.index += 1;
            if self.inner.next_element::<IgnoredAny>()?.is_none() {
                return Ok(None);
            }
        }
        self.trail.enter(Segment::Index(self.index));
        self.index += 1;
        let seed = Prune::new(seed, self.trail);
        self.trail.leave(self.inner.next_element_seed(seed))
    }
}

struct Entries<'t, A> {
    inner: A,
    trail: &'t Trail,
    keys: Keys,
    seen: BTreeSet<String>,
    key: String,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            let Some(key) = self.inner.next_key::<String>()? else {
                return Ok(None);
            };
            let repeated = self.keys == Keys::Fields && !self.seen.insert(key.clone());
            if repeated {
                self.trail.repeat(&key);
            }
            if repeated || self.trail.is_excluded(Segment::Key(key.clone())) {
                self.inner.next_value::<IgnoredAny>()?;
                continue;
            }
            self.key.clone_from(&key);
            let key: StringDeserializer<A::Error> = key.into_deserializer();
            return seed.deserialize(key).map(Some);
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.trail.enter(Segment::Key(std::mem::take(&mut self.key)));
        let seed = Prune::new(seed, self.trail);
        self.trail.leave(self.inner.next_value_seed(seed))
    }
}

impl<'de, 't, A: EnumAccess<'de>> EnumAccess<'de> for Prune<'t, A> {
    type Error = A::Error;
    type Variant = Prune<'t, A::Variant>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant), A::Error> {
        let trail = self.trail;
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Prune::new(variant, trail)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Prune<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.wrap(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.tuple_variant(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.wrap(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
