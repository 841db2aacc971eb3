//! Documents that cannot be split by their lines: the library reads them as a whole.

use super::Header;
use crate::object::json::is_list;
use crate::object::problem::{Format, Problem};
use crate::object::{Parser, RawObject, Source, library};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::VecDeque;

type Found = VecDeque<Result<RawObject<'static>, Problem>>;

/// Reads documents that could not be split, through the library.
pub(super) fn read(text: &[u8], line: usize, parser: Parser) -> Result<Found, Problem> {
    let text = String::from_utf8_lossy(text);
    let documents = library::documents(&text).map_err(|error| Problem::Malformed {
        line: line + library::line(&error).unwrap_or_default(),
        format: Format::Yaml,
        reason: library::message(&error),
    })?;
    let mut found = VecDeque::new();
    for document in documents {
        take_apart(document, line, parser, &mut found);
    }
    Ok(found)
}

/// Adds the objects of a document that is a tree already.
fn take_apart(document: Value, line: usize, parser: Parser, found: &mut Found) {
    let (items, list) = match document {
        Value::Array(items) => (items, Header::default()),
        Value::Object(mut fields) => {
            let is_list = is_list(fields.get("kind").and_then(Value::as_str));
            let items = match fields.get_mut("items") {
                Some(items @ (Value::Array(_) | Value::Null)) if is_list => items.take(),
                Some(_) | None => {
                    found.push_back(object(Value::Object(fields), line, None, parser));
                    return;
                }
            };
            let list = header(&Value::Object(fields));
            match items {
                Value::Array(items) => (items, list),
                _ => return,
            }
        }
        other => {
            found.push_back(object(other, line, None, parser));
            return;
        }
    };
    for (index, item) in items.into_iter().enumerate() {
        found.push_back(object(item, line, Some(index), parser).map(|mut object| {
            let mut own = Header { api_version: object.api_version.take(), kind: object.kind.take() };
            own.inherit(&list);
            object.api_version = own.api_version;
            object.kind = own.kind;
            object
        }));
    }
}

fn object(value: Value, line: usize, index: Option<usize>, parser: Parser) -> Result<RawObject<'static>, Problem> {
    let found = match &value {
        Value::Object(_) => {
            let header = header(&value);
            return Ok(RawObject {
                api_version: header.api_version,
                kind: header.kind,
                line,
                index,
                parser,
                source: Source::Tree(value),
            });
        }
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
    };
    Err(Problem::NotAnObject { line, found })
}

fn header(value: &Value) -> Header<'static> {
    let text = |field| {
        let text = value.get(field)?.as_str()?;
        Some(Cow::Owned(text.to_owned()))
    };
    Header { api_version: text("apiVersion"), kind: text("kind") }
}
