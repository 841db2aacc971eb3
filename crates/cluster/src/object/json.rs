//! Splitting JSON: the objects are found by one pass that keeps none of their content.

use super::problem::{Format, Problem, plain_words};
use super::split::{Header, Lines};
use super::{Parser, RawObject, Source};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

/// The JSON documents of a text, one after another.
#[derive(Debug, Clone)]
pub(super) struct Documents<'a> {
    text: &'a str,
    lines: Lines,
    parser: Parser,
}

/// How a document ended.
pub(super) enum End {
    /// More may follow.
    Document,
    /// The text is over.
    Text,
    /// The rest cannot be read.
    Broken(serde_json::Error),
}

impl<'a> Documents<'a> {
    pub(super) fn new(text: &'a str, parser: Parser) -> Self {
        Self { text, lines: Lines::default(), parser }
    }

    /// The whole text, as long as no document was taken from it.
    pub(super) fn untouched(&self) -> Option<(&'a str, Parser)> {
        (self.lines.at() == 0).then_some((self.text, self.parser))
    }

    /// Adds the objects of the next document to `found`.
    pub(super) fn next(&mut self, found: &mut VecDeque<Result<RawObject<'a>, Problem>>) -> End {
        let start = self.lines.at();
        let rest = self.text.get(start..).unwrap_or_default();
        let blank = rest.len() - rest.trim_ascii_start().len();
        let rest = &rest[blank..];
        if rest.is_empty() {
            return End::Text;
        }
        let start = start + blank;
        let line = self.lines.advance(self.text.as_bytes(), start);
        let mut document = Document::default();
        let mut deserializer = serde_json::Deserializer::from_str(rest);
        let read = Seed(&mut document).deserialize(&mut deserializer);
        let end = start + deserializer.into_iter::<IgnoredAny>().byte_offset();
        if document.is_list(read.is_err()) {
            self.items(document, found);
        } else if read.is_ok() {
            found.push_back(self.object(document, start, end, line));
        }
        self.lines.advance(self.text.as_bytes(), end);
        match read {
            Ok(()) => End::Document,
            Err(error) => {
                found.push_back(Err(Problem::Malformed {
                    line: line + error.line().saturating_sub(1),
                    format: Format::Json,
                    reason: plain_words(&error.to_string()),
                }));
                End::Broken(error)
            }
        }
    }

    fn object(&self, document: Document<'a>, start: usize, end: usize, line: usize) -> Result<RawObject<'a>, Problem> {
        let Document { header, found, .. } = document;
        if let Some(found) = found {
            return Err(Problem::NotAnObject { line, found });
        }
        Ok(RawObject {
            api_version: header.api_version,
            kind: header.kind,
            line,
            index: None,
            parser: self.parser,
            source: Source::Json(Cow::Borrowed(self.text.get(start..end).unwrap_or_default())),
        })
    }

    fn items(&mut self, document: Document<'a>, found: &mut VecDeque<Result<RawObject<'a>, Problem>>) {
        let list = document.header;
        for (index, item) in document.items.unwrap_or_default().into_iter().enumerate() {
            let text = item.get();
            // Both are slices of one text, so the distance of their addresses is an offset.
            let offset = (text.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
            let line = self.lines.advance(self.text.as_bytes(), offset);
            if !text.starts_with('{') {
                let found_here = describe(text);
                found.push_back(Err(Problem::NotAnObject { line, found: found_here }));
                continue;
            }
            let mut header = header(text);
            header.inherit(&list);
            found.push_back(Ok(RawObject {
                api_version: header.api_version,
                kind: header.kind,
                line,
                index: Some(index),
                parser: self.parser,
                source: Source::Json(Cow::Borrowed(text)),
            }));
        }
    }
}

fn describe(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'[') => "a list",
        Some(b'"') => "a text",
        Some(b'n') => "null",
        Some(b't' | b'f') => "true or false",
        Some(_) | None => "a number",
    }
}

/// Reads `apiVersion` and `kind` of an object, and no further than it has to.
fn header(text: &str) -> Header<'_> {
    let mut document = Document { hurry: true, ..Document::default() };
    // The visitor leaves in the middle of the object, which the parser takes for an error.
    let _ = Seed(&mut document).deserialize(&mut serde_json::Deserializer::from_str(text));
    document.header
}

/// What the top level of a document says.
#[derive(Default)]
struct Document<'a> {
    header: Header<'a>,
    items: Option<Vec<&'a RawValue>>,
    /// A document that is no object.
    found: Option<&'static str>,
    /// A bare list, without a kind.
    bare: bool,
    /// Leave as soon as the header is known.
    hurry: bool,
}

impl Document<'_> {
    fn is_list(&self, broken: bool) -> bool {
        let kind = self.header.kind.as_deref();
        self.bare || (self.items.is_some() && (broken && kind.is_none() || is_list(kind)))
    }
}

/// Whether an object that has `items` is a list of objects.
pub(super) fn is_list(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| kind.ends_with("List"))
}

struct Seed<'s, 'a>(&'s mut Document<'a>);

impl<'a> DeserializeSeed<'a> for Seed<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! no_object {
    ($($method:ident($kind:ty) $found:literal),+ $(,)?) => {$(
        fn $method<E: serde::de::Error>(self, _: $kind) -> Result<(), E> {
            self.0.found = Some($found);
            Ok(())
        }
    )+};
}

impl<'a> Visitor<'a> for Seed<'_, 'a> {
    type Value = ();

    no_object! {
        visit_bool(bool) "true or false", visit_i64(i64) "a number", visit_u64(u64) "a number",
        visit_f64(f64) "a number", visit_str(&str) "a text",
    }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.0.found = Some("null");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, items: A) -> Result<(), A::Error> {
        self.0.bare = true;
        collect(self.0.items.insert(Vec::new()), items)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut fields: A) -> Result<(), A::Error> {
        let document = self.0;
        while let Some(key) = fields.next_key::<Cow<'a, str>>()? {
            match key.as_ref() {
                "apiVersion" => document.header.api_version = text(fields.next_value()?),
                "kind" => document.header.kind = text(fields.next_value()?),
                "items" if !document.hurry => {
                    fields.next_value_seed(Items(&mut document.items))?;
                }
                _ => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
            let header = &document.header;
            if document.hurry && header.api_version.is_some() && header.kind.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    if !raw.get().starts_with('"') {
        return None;
    }
    match serde_json::from_str::<&str>(raw.get()) {
        Ok(text) => Some(Cow::Borrowed(text)),
        // It has escape sequences.
        Err(_) => serde_json::from_str::<String>(raw.get()).ok().map(Cow::Owned),
    }
}

fn collect<'a, A: SeqAccess<'a>>(found: &mut Vec<&'a RawValue>, mut items: A) -> Result<(), A::Error> {
    while let Some(item) = items.next_element()? {
        found.push(item);
    }
    Ok(())
}

struct Items<'s, 'a>(&'s mut Option<Vec<&'a RawValue>>);

impl<'a> DeserializeSeed<'a> for Items<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! ignored {
    ($($method:ident($kind:ty)),+ $(,)?) => {$(
        fn $method<E: serde::de::Error>(self, _: $kind) -> Result<(), E> {
            Ok(())
        }
    )+};
}

impl<'a> Visitor<'a> for Items<'_, 'a> {
    type Value = ();

    ignored! { visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str) }

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.0.get_or_insert_with(Vec::new);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, items: A) -> Result<(), A::Error> {
        // A list that stands there twice is two lists: nothing of either is lost.
        collect(self.0.get_or_insert_with(Vec::new), items)
    }

    fn visit_map<A: MapAccess<'a>>(self, mut fields: A) -> Result<(), A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}
