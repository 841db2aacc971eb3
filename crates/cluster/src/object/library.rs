//! The library parser, for what the fast reader is not certain about.

use super::fast::Root;
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Error, NonFiniteFloatPolicy, Options};
use std::fmt;

/// Nesting that is still read. The fast reader gives up a little earlier.
const DEEPEST: usize = 66;

/// Reads `text` with `seed`.
///
/// # Errors
/// When the text is malformed, or does not fit.
pub(super) fn read<'de, S: DeserializeSeed<'de>>(text: &'de str, root: Root, seed: S) -> Result<S::Value, Error> {
    let options = options(text.len());
    serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| match root {
        Root::Document => seed.deserialize(deserializer),
        Root::Item => deserializer.deserialize_seq(OnlyItem { seed }),
    })
}

/// Reads all documents of a text. A tree has no place for a field that comes twice, so that is an
/// error here.
pub(super) fn documents(text: &str) -> Result<Vec<serde_json::Value>, Error> {
    let mut options = options(text.len());
    options.duplicate_keys = DuplicateKeyPolicy::Error;
    serde_saphyr::from_multiple_with_options(text, options)
}

fn options(bytes: usize) -> Options {
    // Without aliases a text has no more events than bytes. What aliases add is counted apart, and
    // bound by the size of the text too: the library's own bound lets a text of 2 KB work for
    // seconds.
    let events = bytes.saturating_add(1_000_000);
    let replayed = bytes.saturating_mul(4).saturating_add(50_000).min(1_000_000);
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: events,
            max_nodes: events,
            max_total_scalar_bytes: bytes.saturating_add(64 << 20),
            max_depth: DEEPEST,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: replayed,
        },
        // What to do about a repeated field is decided by the reading type, in all three formats.
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        // A line that is not deeper than its parent never belongs to it: see `Reader::skip`.
        strict_indentation: true,
        // A hash such as `1e30755` is a number to YAML. Where nobody asks for it, it must not fail the
        // object; where its text is asked for, the text is what counts.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    }
}

/// Reads a list that has exactly one item.
struct OnlyItem<S> {
    seed: S,
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for OnlyItem<S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of one item")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<S::Value, A::Error> {
        match items.next_element_seed(self.seed)? {
            Some(value) => Ok(value),
            None => Err(A::Error::invalid_length(0, &"one item")),
        }
    }
}

/// What the library said, without its position.
pub(super) fn message(error: &Error) -> String {
    let message = error.without_snippet().to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    message.lines().next().unwrap_or_default().to_owned()
}

/// The line that the library complains about, from 0.
pub(super) fn line(error: &Error) -> Option<usize> {
    let line = usize::try_from(error.location()?.line()).ok()?;
    line.checked_sub(1)
}
