//! Objects out of text: YAML and JSON, single, in lists, in documents one after another.
//!
//! [`split`] cuts a text into its objects and finds out their kinds, and no more than that:
//! an object that nobody wants costs next to nothing. [`RawObject::read`] reads one object into a
//! type that holds the wanted fields. Each object stands for itself: a broken one does not touch
//! the others, and a broken field does not touch its neighbours.
//!
//! Which files there are, and what to do with the objects, is left to the caller.

#[doc(hidden)]
pub mod differential;
mod erased;
mod fast;
mod json;
mod library;
mod problem;
mod prune;
mod reading;
mod split;
#[cfg(test)]
mod tests;

pub use problem::{FieldProblem, Problem};
pub use reading::{Reading, Route, Stats};
pub use split::Split;

use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// Which parser reads YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parser {
    /// Our own reader for the block style, and the library for what is outside of its dialect.
    #[default]
    Fast,
    /// The library for everything. It is slow: this is for tests and benchmarks.
    Library,
}

/// Splits `text` into its objects.
///
/// The text is one file or archive entry: YAML or JSON, one document or several, each a single
/// object, a `List`, a typed list such as `NodeList`, or a bare list of objects.
pub fn split(text: &[u8], parser: Parser) -> Split<'_> {
    Split::new(text, parser)
}

/// One object that was found, not read yet.
#[derive(Debug, Clone)]
pub struct RawObject<'a> {
    /// The object's own `apiVersion`, or that of the typed list it stands in.
    pub api_version: Option<Cow<'a, str>>,
    /// The object's own kind, or the one that its typed list names.
    pub kind: Option<Cow<'a, str>>,
    /// The line of the text where the object starts, from 1.
    pub line: usize,
    /// The position in its list, from 0.
    pub index: Option<usize>,
    parser: Parser,
    source: Source<'a>,
}

/// Where an object's content is.
#[derive(Debug, Clone)]
enum Source<'a> {
    /// The YAML text of the object.
    Yaml { text: &'a [u8], root: fast::Root },
    /// The JSON text of the object.
    Json(Cow<'a, str>),
    /// The object itself, from a document that could only be understood as a whole.
    Tree(serde_json::Value),
}

impl RawObject<'_> {
    /// Reads the object into a slice.
    ///
    /// # Guarantees
    /// A field that does not fit its type, or that stands there twice, is left out and named; the
    /// rest of the object is kept. Plain scalars of YAML give their text where a string is wanted.
    ///
    /// # Caveats
    /// What the slice does not ask for is not checked. A key that comes twice in a map, rather
    /// than in a struct, is not named: its last value counts.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self) -> Reading<T> {
        match &self.source {
            Source::Yaml { text, root } => reading::yaml(text, *root, self.parser, self.line),
            Source::Json(text) => reading::json(text, self.line),
            Source::Tree(value) => reading::tree(value, self.line),
        }
    }
}
