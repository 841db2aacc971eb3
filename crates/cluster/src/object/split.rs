//! Splitting a text into objects.
//!
//! YAML is split by looking at the indentation of its lines and at its outermost keys, nothing
//! else. A document of any other form goes through the library as a whole.

mod document;
mod glimpse;
mod tree;

use super::json::{Documents, End};
use super::problem::Problem;
use super::{Parser, RawObject, Source};
use document::Yaml;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The objects of a text, in their order.
#[derive(Debug, Clone)]
pub struct Split<'a> {
    ready: VecDeque<Result<RawObject<'a>, Problem>>,
    rest: Rest<'a>,
}

/// What was not looked at yet.
#[derive(Debug, Clone)]
enum Rest<'a> {
    Yaml(Yaml<'a>),
    Json(Documents<'a>),
    Nothing,
}

impl<'a> Split<'a> {
    pub(super) fn new(text: &'a [u8], parser: Parser) -> Self {
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let mut ready = VecDeque::new();
        let first = text.trim_ascii_start().first();
        let rest = if !matches!(first, Some(b'{' | b'[')) {
            Rest::Yaml(Yaml::new(text, parser))
        } else if let Ok(text) = std::str::from_utf8(text) {
            Rest::Json(Documents::new(text, parser))
        } else {
            // The parser wants UTF-8 throughout, so the objects hold their own corrected text.
            let text = String::from_utf8_lossy(text);
            let mut documents = Documents::new(&text, parser);
            let mut found = VecDeque::new();
            while let End::Document = documents.next(&mut found) {}
            ready.extend(found.into_iter().map(|object| object.map(RawObject::into_owned)));
            Rest::Nothing
        };
        Self { ready, rest }
    }

    fn refill(&mut self) {
        match &mut self.rest {
            Rest::Nothing => {}
            Rest::Yaml(yaml) => {
                if !yaml.next(&mut self.ready) {
                    self.rest = Rest::Nothing;
                }
            }
            Rest::Json(documents) => {
                let flow = documents.untouched();
                match documents.next(&mut self.ready) {
                    End::Document => {}
                    End::Text => self.rest = Rest::Nothing,
                    End::Broken(error) => {
                        // `{a: b}` is YAML, though it starts like JSON.
                        if let Some((text, parser)) = flow
                            && error.is_syntax()
                            && let Some(objects) = tree::read(text.as_bytes(), 1, parser).ok()
                        {
                            self.ready = objects;
                        }
                        self.rest = Rest::Nothing;
                    }
                }
            }
        }
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = Result<RawObject<'a>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(object) = self.ready.pop_front() {
                return Some(object);
            }
            if let Rest::Nothing = self.rest {
                return None;
            }
            self.refill();
        }
    }
}

impl RawObject<'_> {
    /// Copies what is borrowed from the text.
    pub(super) fn into_owned(self) -> RawObject<'static> {
        let own = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        RawObject {
            api_version: own(self.api_version),
            kind: own(self.kind),
            line: self.line,
            index: self.index,
            parser: self.parser,
            source: match self.source {
                Source::Json(text) => Source::Json(Cow::Owned(text.into_owned())),
                Source::Tree(tree) => Source::Tree(tree),
                // Only JSON is copied: YAML is corrected when it is read.
                Source::Yaml { .. } => Source::Tree(serde_json::Value::Null),
            },
        }
    }
}

/// Which kind of object it is.
#[derive(Debug, Clone, Default)]
pub(super) struct Header<'a> {
    pub(super) api_version: Option<Cow<'a, str>>,
    pub(super) kind: Option<Cow<'a, str>>,
}

impl<'a> Header<'a> {
    /// Takes from a typed list what its items do not say themselves.
    pub(super) fn inherit(&mut self, list: &Header<'a>) {
        let Some(kind) = &list.kind else { return };
        let Some(kind) = kind.strip_suffix("List").filter(|kind| !kind.is_empty()) else {
            return;
        };
        if self.kind.is_none() {
            self.kind = Some(match &list.kind {
                Some(Cow::Borrowed(text)) => Cow::Borrowed(&text[..kind.len()]),
                Some(Cow::Owned(_)) | None => Cow::Owned(kind.to_owned()),
            });
            if self.api_version.is_none() {
                self.api_version.clone_from(&list.api_version);
            }
        }
    }
}

/// Counts lines as a position moves forward.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    at: usize,
    before: usize,
}

impl Lines {
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to `to`, unless that is behind; gives the number of the line there, from 1.
    pub(super) fn advance(&mut self, text: &[u8], to: usize) -> usize {
        if let Some(passed) = text.get(self.at..to) {
            self.before += memchr::memchr_iter(b'\n', passed).count();
            self.at = to;
        }
        self.before + 1
    }
}
