//! Reading behind a pointer, so that a type is compiled for one parser more, and not for each of them.
//!
//! The way that every object takes is compiled for its type. The ways of the few, through the library or around a
//! field that does not fit, are not worth that: they made this crate take minutes to compile.

mod narrow;
mod slot;

pub(super) use narrow::Narrow;
use serde::de::{DeserializeSeed, Deserializer, Error};

/// Reads a value, and keeps it where only its maker knows.
pub(super) type Read<'a, 'de> =
    dyn FnMut(&mut dyn erased_serde::Deserializer<'de>) -> Result<(), erased_serde::Error> + 'a;

/// A seed that does its reading behind a pointer. Of an error it keeps the words alone.
pub(super) struct Erased<'s, 'a, 'de> {
    read: &'s mut Read<'a, 'de>,
}

impl<'s, 'a, 'de> Erased<'s, 'a, 'de> {
    pub(super) fn new(read: &'s mut Read<'a, 'de>) -> Self {
        Self { read }
    }
}

impl<'de> DeserializeSeed<'de> for Erased<'_, '_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'de>>::erase(deserializer);
        (self.read)(&mut erased).map_err(D::Error::custom)
    }
}
