//! Headers of objects, told from single lines.

use super::Header;
use crate::object::fast::Root;
use crate::object::{Parser, library, reading};
use memchr::memchr;
use serde::Deserialize;
use std::borrow::Cow;
use std::marker::PhantomData;

/// A header as far as it can be told from single lines.
#[derive(Default)]
pub(super) struct Glimpse<'a> {
    header: Header<'a>,
    /// A field is there but is not written as Kubernetes tools write it.
    unusual: bool,
    /// The last key was one of the two, so that its value may go on.
    open: bool,
}

impl<'a> Glimpse<'a> {
    /// Whether nothing that follows can add to it.
    pub(super) fn is_settled(&self) -> bool {
        self.header.kind.is_some() && self.header.api_version.is_some() && !self.open
    }

    /// Another key follows, so the last value is over.
    pub(super) fn close(&mut self) {
        self.open = false;
    }

    pub(super) fn line(&mut self, line: &'a [u8]) {
        if !is_empty(line) {
            self.close();
        }
        if let Some(b'k' | b'a' | b'"' | b'\'') = line.first()
            && let Some((key, value)) = key_and_value(line)
        {
            self.unusual |= is_disguised(key);
            self.field(key, value);
        }
    }

    /// A line that is deeper than the keys.
    pub(super) fn deeper_line(&mut self, content: &[u8]) {
        if self.open && !is_empty(content) {
            self.unusual = true;
        }
    }

    pub(super) fn field(&mut self, key: &[u8], value: &'a [u8]) {
        self.open = matches!(key, b"kind" | b"apiVersion");
        let field = match key {
            b"kind" => &mut self.header.kind,
            b"apiVersion" => &mut self.header.api_version,
            _ => return,
        };
        match simple_text(value) {
            Some(text) if field.is_none() => *field = Some(text),
            Some(_) | None => self.unusual = true,
        }
    }

    /// Reads the header from the whole object, if that is necessary.
    pub(super) fn resolve(self, text: &[u8], root: Root, parser: Parser) -> Header<'a> {
        if !self.unusual {
            return self.header;
        }
        let fields: Fields = reading::yaml(text, root, parser, 1).value.unwrap_or_default();
        Header { api_version: fields.api_version.map(Cow::Owned), kind: fields.kind.map(Cow::Owned) }
    }
}

/// The header as an object of its own.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Fields {
    kind: Option<String>,
    api_version: Option<String>,
}

/// Whether a line without its indentation has no content.
fn is_empty(content: &[u8]) -> bool {
    matches!(content.first(), None | Some(b'#' | b'\r' | b'\n'))
}

/// The line from `at` on, without its end.
pub(super) fn line_at(text: &[u8], at: usize) -> &[u8] {
    let line = &text[at..];
    let end = memchr(b'\n', line).unwrap_or(line.len());
    line[..end].trim_ascii_end()
}

/// Whether a key is one of those that count, with letters written as numbers.
pub(super) fn is_disguised(key: &[u8]) -> bool {
    if !key.contains(&b'\\') {
        return false;
    }
    let quoted = format!("\"{}\"", String::from_utf8_lossy(key));
    let key = library::read(&quoted, Root::Document, PhantomData::<String>);
    key.is_ok_and(|key| matches!(key.as_str(), "items" | "kind" | "apiVersion"))
}

/// Where the quoted text at the start of a line ends.
fn quoted_end(quote: u8, line: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match *line.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && line.get(at + 1) == Some(&b'\'') => at += 2,
            byte if byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}

/// Splits `key: value`. The value has no comment after it and no spaces around.
pub(super) fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (key, rest) = match line.first()? {
        quote @ (b'"' | b'\'') => {
            let end = quoted_end(*quote, line)?;
            (&line[1..end], line[end + 1..].trim_ascii_start().strip_prefix(b":")?)
        }
        b'&' | b'*' | b'!' | b'?' | b'{' | b'[' | b'|' | b'>' | b'%' | b'@' | b'`' => return None,
        _ => {
            let colon = line
                .windows(2)
                .position(|pair| pair == b": ")
                .or_else(|| line.ends_with(b":").then(|| line.len() - 1))?;
            (line[..colon].trim_ascii_end(), &line[colon + 1..])
        }
    };
    let value = rest.trim_ascii_start();
    if !value.is_empty() && value.len() == rest.len() {
        return None;
    }
    if value.first() == Some(&b'#') {
        return Some((key, b""));
    }
    let comment = value.windows(2).position(|pair| pair == b" #");
    Some((key, comment.map_or(value, |at| value[..at].trim_ascii_end())))
}

/// The text of a value that needs no parser.
fn simple_text(value: &[u8]) -> Option<Cow<'_, str>> {
    let bare = match value {
        [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
        _ => value,
    };
    let simple = !bare.is_empty()
        && bare.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'-' | b'_'));
    if !simple {
        return None;
    }
    std::str::from_utf8(bare).ok().map(Cow::Borrowed)
}
