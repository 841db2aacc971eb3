//! What can be wrong with a text, an object or a field, in words for people.

use std::fmt;

/// A part of a text that gives no object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A document, or the rest of it, is neither YAML nor JSON.
    #[error("line {line}: cannot be read as {format}: {reason}")]
    Malformed {
        /// The line where reading stopped, from 1.
        line: usize,
        /// What it was read as.
        format: Format,
        /// What the parser said.
        reason: String,
    },
    /// There is something, but it has no fields.
    #[error("line {line}: {found} where an object was expected")]
    NotAnObject {
        /// The line where it starts, from 1.
        line: usize,
        /// What is there.
        found: &'static str,
    },
}

/// The two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// YAML, any version.
    Yaml,
    /// JSON.
    Json,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Yaml => "YAML",
            Format::Json => "JSON",
        })
    }
}

/// A part of an object that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProblem {
    /// The field, as in `status.conditions[3].status`; empty for the object itself.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
    /// The line of the text, from 1, when it is known.
    pub line: Option<usize>,
}

impl fmt::Display for FieldProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, message, line } = self;
        if let Some(line) = line {
            write!(f, "line {line}: ")?;
        }
        if path.is_empty() { f.write_str(message) } else { write!(f, "{path}: {message}") }
    }
}

/// Says what a deserializer said in plain words, without its position.
pub(super) fn plain_words(message: &str) -> String {
    let message = message.split(" at line ").next().unwrap_or(message);
    for (start, is) in [("invalid type: ", "is"), ("invalid value: ", "is")] {
        if let Some((found, expected)) = message.strip_prefix(start).and_then(|rest| rest.split_once(", expected ")) {
            return format!("should be {}, {is} {}", term(expected), term(found));
        }
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("the field {field} is missing");
    }
    message.to_owned()
}

/// serde's terms for the parts of a document, in the words of its reader.
fn term(text: &str) -> String {
    match text {
        "unit value" | "null" => "null".to_owned(),
        "sequence" | "a sequence" => "a list".to_owned(),
        "map" => "a map".to_owned(),
        _ if text.starts_with("struct ") => "a map".to_owned(),
        _ => text.to_owned(),
    }
}
