//! A visitor and the place for its value: what a parser sees of a type that asks for a map, a list or an option.

use super::narrow::Narrow;
use super::{Erased, Read};
use erased_serde::Error;
use serde::de::{DeserializeSeed, Deserializer, Error as _, Expected, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(super) struct Slot<'de, V: Visitor<'de>> {
    visitor: Option<V>,
    value: Option<V::Value>,
}

impl<'de, V: Visitor<'de>> Slot<'de, V> {
    pub(super) fn new(visitor: V) -> Self {
        Self { visitor: Some(visitor), value: None }
    }

    pub(super) fn value(self) -> Result<V::Value, Error> {
        self.value.ok_or_else(nothing)
    }

    fn fill(&mut self, visit: impl FnOnce(V) -> Result<V::Value, Error>) -> Result<(), Error> {
        let visitor = self.visitor.take().ok_or_else(nothing)?;
        self.value = Some(visit(visitor)?);
        Ok(())
    }
}

/// Parsers that do their work never see it: each asks a visitor once, and a seed once for an entry.
fn nothing() -> Error {
    Error::custom("there is nothing to read")
}

impl<'de, V: Visitor<'de>> Expected for Slot<'de, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.as_ref().map_or(Ok(()), |visitor| visitor.expecting(f))
    }
}

trait TakeMap<'de>: Expected {
    fn take(&mut self, entries: &mut dyn Entries<'de>) -> Result<(), Error>;
}

impl<'de, V: Visitor<'de>> TakeMap<'de> for Slot<'de, V> {
    fn take(&mut self, entries: &mut dyn Entries<'de>) -> Result<(), Error> {
        self.fill(|visitor| visitor.visit_map(Map { entries }))
    }
}

trait TakeSeq<'de>: Expected {
    fn take(&mut self, items: &mut dyn Items<'de>) -> Result<(), Error>;
}

impl<'de, V: Visitor<'de>> TakeSeq<'de> for Slot<'de, V> {
    fn take(&mut self, items: &mut dyn Items<'de>) -> Result<(), Error> {
        self.fill(|visitor| visitor.visit_seq(Seq { items }))
    }
}

trait TakeOption<'de>: Expected {
    fn none(&mut self) -> Result<(), Error>;
    fn some(&mut self, value: &mut dyn erased_serde::Deserializer<'de>) -> Result<(), Error>;
}

impl<'de, V: Visitor<'de>> TakeOption<'de> for Slot<'de, V> {
    fn none(&mut self) -> Result<(), Error> {
        self.fill(V::visit_none)
    }

    fn some(&mut self, value: &mut dyn erased_serde::Deserializer<'de>) -> Result<(), Error> {
        self.fill(|visitor| visitor.visit_some(Narrow::new(value)))
    }
}

/// Takes a map for a slot.
pub(super) struct MapVisitor<'s, 'de> {
    slot: &'s mut (dyn TakeMap<'de> + 's),
}

/// Takes a list for a slot.
pub(super) struct SeqVisitor<'s, 'de> {
    slot: &'s mut (dyn TakeSeq<'de> + 's),
}

/// Takes an option for a slot.
pub(super) struct OptionVisitor<'s, 'de> {
    slot: &'s mut (dyn TakeOption<'de> + 's),
}

macro_rules! made_of_slots {
    ($($taker:ident),+) => {$(
        impl<'s, 'de> $taker<'s, 'de> {
            pub(super) fn new<V: Visitor<'de>>(slot: &'s mut Slot<'de, V>) -> Self {
                Self { slot }
            }
        }
    )+};
}

made_of_slots!(MapVisitor, SeqVisitor, OptionVisitor);

impl<'de> Visitor<'de> for MapVisitor<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.slot.fmt(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.slot.take(&mut entries).map_err(A::Error::custom)
    }
}

impl<'de> Visitor<'de> for SeqVisitor<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.slot.fmt(f)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.slot.take(&mut items).map_err(A::Error::custom)
    }
}

impl<'de> Visitor<'de> for OptionVisitor<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.slot.fmt(f)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<(), E> {
        self.slot.none().map_err(E::custom)
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.slot.none().map_err(E::custom)
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let mut value = <dyn erased_serde::Deserializer<'de>>::erase(value);
        self.slot.some(&mut value).map_err(D::Error::custom)
    }
}

/// The entries of a map, behind a pointer.
trait Entries<'de> {
    fn key(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error>;
    fn value(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error>;
}

impl<'de, A: MapAccess<'de>> Entries<'de> for A {
    fn key(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error> {
        self.next_key_seed(Erased::new(read)).map(drop).map_err(Error::custom)
    }

    fn value(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error> {
        self.next_value_seed(Erased::new(read)).map_err(Error::custom)
    }
}

/// The items of a list, behind a pointer.
trait Items<'de> {
    fn item(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error>;
}

impl<'de, A: SeqAccess<'de>> Items<'de> for A {
    fn item(&mut self, read: &mut Read<'_, 'de>) -> Result<(), Error> {
        self.next_element_seed(Erased::new(read)).map(drop).map_err(Error::custom)
    }
}

/// Has `ask` read with a seed: `None` if there was nothing to read.
fn through<'de, S: DeserializeSeed<'de>>(
    seed: S,
    ask: &mut dyn FnMut(&mut Read<'_, 'de>) -> Result<(), Error>,
) -> Result<Option<S::Value>, Error> {
    let mut seed = Some(seed);
    let mut value = None;
    ask(&mut |deserializer| {
        if let Some(seed) = seed.take() {
            value = Some(seed.deserialize(Narrow::new(deserializer))?);
        }
        Ok(())
    })?;
    Ok(value)
}

/// What the visitor of a type sees of a map.
struct Map<'m, 'de> {
    entries: &'m mut (dyn Entries<'de> + 'm),
}

impl<'de> MapAccess<'de> for Map<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        through(seed, &mut |read| self.entries.key(read))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        through(seed, &mut |read| self.entries.value(read))?.ok_or_else(nothing)
    }
}

/// What the visitor of a type sees of a list.
struct Seq<'s, 'de> {
    items: &'s mut (dyn Items<'de> + 's),
}

impl<'de> SeqAccess<'de> for Seq<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        through(seed, &mut |read| self.items.item(read))
    }
}
