//! Reading behind a pointer, so that a parser is compiled once and not once for every type.
//!
//! The way that every object takes is compiled for its type. The ways of the few, through the library or around a
//! field that does not fit, are not worth that: they made this crate take minutes to compile.

use serde::de::{DeserializeSeed, Deserializer, Error};

/// A seed that does its reading behind a pointer.
pub(super) struct Erased<'a, 'de> {
    read: &'a mut Read<'a, 'de>,
}

/// What a seed does with the parser it is handed.
type Read<'a, 'de> = dyn FnMut(&mut dyn erased_serde::Deserializer<'de>) -> Result<(), erased_serde::Error> + 'a;

impl<'de> DeserializeSeed<'de> for Erased<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let mut erased = <dyn erased_serde::Deserializer<'de>>::erase(deserializer);
        (self.read)(&mut erased).map_err(D::Error::custom)
    }
}

/// Hands a parser a seed behind a pointer: `parse` is compiled for no type but that.
///
/// # Errors
/// Those of the parser; its own also when it does not ask the seed at all.
pub(super) fn through<'de, S: DeserializeSeed<'de>, E: Error>(
    seed: S,
    parse: impl FnOnce(Erased<'_, 'de>) -> Result<(), E>,
) -> Result<S::Value, E> {
    let mut seed = Some(seed);
    let mut value = None;
    let mut read = |deserializer: &mut dyn erased_serde::Deserializer<'de>| {
        if let Some(seed) = seed.take() {
            value = Some(seed.deserialize(deserializer)?);
        }
        Ok(())
    };
    parse(Erased { read: &mut read })?;
    value.ok_or_else(|| E::custom("there is nothing to read"))
}
