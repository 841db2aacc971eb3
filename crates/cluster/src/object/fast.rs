//! The fast reader: a serde deserializer over the block style that Kubernetes tools write.
//!
//! It borrows from the text, and skips what nobody asked for by indentation alone. Whatever it is
//! not certain about it refuses with [`Cause::Outside`]; the caller then asks the library.

mod block;
mod fault;
mod lines;
mod node;
mod plain;
mod quoted;
mod typing;

pub(super) use fault::{Cause, Fault};
use lines::Reader;
use node::{Node, Place};
use serde::de::DeserializeSeed;

/// Where the wanted node stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// The text is the node.
    Document,
    /// The text is a list of one item, as it was cut out of a longer list.
    Item,
}

/// Reads `text` with `seed`.
///
/// # Errors
/// What `seed` says, or [`Cause::Outside`] when the text is not in the dialect.
pub(super) fn read<'de, S: DeserializeSeed<'de>>(text: &'de str, root: Root, seed: S) -> Result<S::Value, Fault> {
    let mut reader = Reader::new(text)?;
    let place = enter(&mut reader, root)?;
    let at = reader.pos;
    let value = seed.deserialize(Node::new(&mut reader, place)).map_err(|fault| reader.first_fault(fault, at))?;
    match reader.next_content()? {
        None => Ok(value),
        Some(_) => Err(reader.outside("text after the object")),
    }
}

/// Moves to the first byte of the wanted node.
fn enter(reader: &mut Reader<'_>, root: Root) -> Result<Place, Fault> {
    let Some(indent) = reader.next_content()? else {
        return Err(reader.outside("no content"));
    };
    reader.advance(indent);
    match root {
        Root::Document => Ok(Place::document(indent)),
        Root::Item => {
            if !reader.at_dash() {
                return Err(reader.outside("not a list item"));
            }
            let column = reader.pass_dash(indent)?;
            Ok(Place::item(indent, column))
        }
    }
}
