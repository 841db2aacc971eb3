//! The fields of a message, read one by one and named when they do not fit.
//!
//! By hand and not by derive: letter case does not count, null is as good as absent, and an error names the message
//! and the path of the field, whoever wrote it.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use super::{API_VERSION, Hook, Kind, MAX_BODY_BYTES, Object, PatchError, Side};
use crate::quoted::Quoted;

/// Why a message cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It belongs to the topology family, whose messages are not ours to speak.
    #[error("{kind} is not spoken here")]
    NotSpoken {
        /// What was expected.
        kind: Kind,
    },
    /// It is larger than either side takes.
    #[error("{kind} is {bytes} bytes long, more than {MAX_BODY_BYTES}")]
    TooLarge {
        /// What was expected.
        kind: Kind,
        /// How long it is.
        bytes: usize,
    },
    /// There is nothing.
    #[error("{kind} is empty")]
    Empty {
        /// What was expected.
        kind: Kind,
    },
    /// It is something else, such as a page of HTML.
    #[error("{kind} is not JSON; it begins with {}", Quoted(start))]
    NotJson {
        /// What was expected.
        kind: Kind,
        /// How it begins.
        start: String,
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
    /// It is JSON, and no object.
    #[error("{kind} is {is}, not an object")]
    NotAnObject {
        /// What was expected.
        kind: Kind,
        /// What it is.
        is: JsonType,
    },
    /// It speaks another version of the protocol, or another one.
    #[error("{kind}: apiVersion is {}, not {API_VERSION}", Quoted(value))]
    OtherVersion {
        /// What was expected.
        kind: Kind,
        /// What it says.
        value: String,
    },
    /// It is the message of another hook, or of the other side.
    #[error("{kind}: kind is {}", Quoted(value))]
    OtherKind {
        /// What was expected.
        kind: Kind,
        /// What it says.
        value: String,
    },
    /// A field that must be there is not, or says nothing.
    #[error("{kind}: {field} is missing")]
    Missing {
        /// The message.
        kind: Kind,
        /// The path of the field.
        field: String,
    },
    /// A field is of a wrong type.
    #[error("{kind}: {field} is {is}, not {wants}")]
    WrongType {
        /// The message.
        kind: Kind,
        /// The path of the field.
        field: String,
        /// What it should be.
        wants: JsonType,
        /// What it is.
        is: JsonType,
    },
    /// A number is not one of 32 bits.
    #[error("{kind}: {field} is {value}, not a whole number of 32 bits")]
    NotInt32 {
        /// The message.
        kind: Kind,
        /// The path of the field.
        field: String,
        /// What it says.
        value: String,
    },
    /// The status is a word that the protocol does not know.
    #[error("{kind}: status is {}, neither Success nor Failure", Quoted(value))]
    UnknownStatus {
        /// The message.
        kind: Kind,
        /// What it says.
        value: String,
    },
    /// A patch is none.
    #[error("{kind}: {field} is not a patch")]
    Patch {
        /// The message.
        kind: Kind,
        /// The path of the field.
        field: String,
        /// What is wrong with it.
        #[source]
        cause: PatchError,
    },
}

/// What a piece of JSON is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonType {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
    /// An array.
    List,
    /// An object.
    Object,
}

impl ReadError {
    /// Which message it was to be.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::NotSpoken { kind }
            | Self::TooLarge { kind, .. }
            | Self::Empty { kind }
            | Self::NotJson { kind, .. }
            | Self::NotAnObject { kind, .. }
            | Self::OtherVersion { kind, .. }
            | Self::OtherKind { kind, .. }
            | Self::Missing { kind, .. }
            | Self::WrongType { kind, .. }
            | Self::NotInt32 { kind, .. }
            | Self::UnknownStatus { kind, .. }
            | Self::Patch { kind, .. } => *kind,
        }
    }

    /// The path of the field that does not fit; `None` when it is the message as a whole.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::NotSpoken { .. }
            | Self::TooLarge { .. }
            | Self::Empty { .. }
            | Self::NotJson { .. }
            | Self::NotAnObject { .. } => None,
            Self::OtherVersion { .. } => Some("apiVersion"),
            Self::OtherKind { .. } => Some("kind"),
            Self::UnknownStatus { .. } => Some("status"),
            Self::Missing { field, .. }
            | Self::WrongType { field, .. }
            | Self::NotInt32 { field, .. }
            | Self::Patch { field, .. } => Some(field),
        }
    }

    /// Whether `failurePolicy: Ignore` may pass over it, as over a connection that was refused. Not over an
    /// answer that leaves out what it must say or says something else than Success, nor over the message of another
    /// hook: that is a wrong address and no outage.
    #[must_use]
    pub fn is_ignorable(&self) -> bool {
        match self {
            Self::Missing { .. }
            | Self::UnknownStatus { .. }
            | Self::OtherVersion { .. }
            | Self::OtherKind { .. }
            | Self::NotSpoken { .. } => false,
            Self::TooLarge { .. }
            | Self::Empty { .. }
            | Self::NotJson { .. }
            | Self::NotAnObject { .. }
            | Self::WrongType { .. }
            | Self::NotInt32 { .. }
            | Self::Patch { .. } => true,
        }
    }
}

impl JsonType {
    /// What `value` is.
    #[must_use]
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }
}

/// With its article, to stand in a sentence.
impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        })
    }
}

/// The fields that are still to be read. Each is taken out, so that large objects are moved and not copied.
pub(super) struct Fields {
    kind: Kind,
    /// The path of the object they belong to, with a dot at its end; empty for the message itself.
    at: String,
    map: Map<String, Value>,
}

impl Fields {
    /// Begins to read a request.
    pub(super) fn of_request(hook: Hook, body: &[u8]) -> Result<Self, ReadError> {
        Self::of_body(Kind { hook, side: Side::Request }, body)
    }

    /// Reads a body, whose kind and version are checked where it has them.
    pub(super) fn of_body(kind: Kind, body: &[u8]) -> Result<Self, ReadError> {
        if body.len() > MAX_BODY_BYTES {
            return Err(ReadError::TooLarge { kind, bytes: body.len() });
        }
        if body.trim_ascii().is_empty() {
            return Err(ReadError::Empty { kind });
        }
        let map = match serde_json::from_slice(body) {
            Ok(Value::Object(map)) => map,
            Ok(other) => return Err(ReadError::NotAnObject { kind, is: JsonType::of(&other) }),
            Err(cause) => return Err(ReadError::NotJson { kind, start: start(body), cause }),
        };
        let mut fields = Self { kind, at: String::new(), map };
        if let Some(value) = fields.text("apiVersion")?.filter(|value| value != API_VERSION) {
            return Err(ReadError::OtherVersion { kind, value });
        }
        if let Some(value) = fields.text("kind")?.filter(|value| *value != kind.to_string()) {
            return Err(ReadError::OtherKind { kind, value });
        }
        Ok(fields)
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// A text; an empty one says nothing.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        Ok(self.raw_text(name)?.filter(|text| !text.is_empty()))
    }

    pub(super) fn required_text(&mut self, name: &str) -> Result<String, ReadError> {
        self.text(name)?.ok_or_else(|| self.missing(name))
    }

    /// A text as it is, so that one that is empty is written again.
    pub(super) fn raw_text(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, JsonType::Text, &other)),
        }
    }

    pub(super) fn int32(&mut self, name: &str) -> Result<Option<i32>, ReadError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Number(number)) => match number.as_i64().and_then(|it| i32::try_from(it).ok()) {
                Some(number) => Ok(Some(number)),
                None => Err(ReadError::NotInt32 { kind: self.kind, field: self.path(name), value: number.to_string() }),
            },
            Some(other) => Err(self.wrong(name, JsonType::Number, &other)),
        }
    }

    pub(super) fn boolean(&mut self, name: &str) -> Result<Option<bool>, ReadError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(value)),
            Some(other) => Err(self.wrong(name, JsonType::Boolean, &other)),
        }
    }

    /// A map of texts; absent is empty.
    pub(super) fn texts(&mut self, name: &str) -> Result<BTreeMap<String, String>, ReadError> {
        let Some(map) = self.map(name)? else { return Ok(BTreeMap::new()) };
        map.into_iter()
            .map(|(key, value)| match value {
                Value::String(text) => Ok((key, text)),
                Value::Null => Ok((key, String::new())),
                other => Err(self.wrong(&format!("{name}[{}]", Quoted(&key)), JsonType::Text, &other)),
            })
            .collect()
    }

    /// An object whose fields are read too.
    pub(super) fn fields(&mut self, name: &str) -> Result<Option<Self>, ReadError> {
        let Some(map) = self.map(name)? else { return Ok(None) };
        Ok(Some(Self { kind: self.kind, at: format!("{}.", self.path(name)), map }))
    }

    pub(super) fn required_fields(&mut self, name: &str) -> Result<Self, ReadError> {
        self.fields(name)?.ok_or_else(|| self.missing(name))
    }

    /// An object that is kept as it is.
    pub(super) fn object(&mut self, name: &str) -> Result<Option<Object>, ReadError> {
        Ok(self.map(name)?.map(Object::new))
    }

    pub(super) fn required_object(&mut self, name: &str) -> Result<Object, ReadError> {
        self.object(name)?.ok_or_else(|| self.missing(name))
    }

    /// A list of objects, each of which `read` reads.
    pub(super) fn list<T>(
        &mut self,
        name: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Option<Vec<T>>, ReadError> {
        let values = match self.take(name) {
            None => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(other) => return Err(self.wrong(name, JsonType::List, &other)),
        };
        let entries = values.into_iter().enumerate().map(|(index, value)| {
            let entry = format!("{name}[{index}]");
            match value {
                Value::Object(map) => read(&mut Self { kind: self.kind, at: format!("{}.", self.path(&entry)), map }),
                other => Err(self.wrong(&entry, JsonType::Object, &other)),
            }
        });
        entries.collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn missing(&self, name: &str) -> ReadError {
        ReadError::Missing { kind: self.kind, field: self.path(name) }
    }

    /// The path of one of the fields.
    pub(super) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.at)
    }

    fn map(&mut self, name: &str) -> Result<Option<Map<String, Value>>, ReadError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map)),
            Some(other) => Err(self.wrong(name, JsonType::Object, &other)),
        }
    }

    /// The field of that name, else one whose name differs in letter case only; null is as good as absent.
    fn take(&mut self, name: &str) -> Option<Value> {
        let value = self.map.remove(name).or_else(|| {
            let key = self.map.keys().find(|key| key.eq_ignore_ascii_case(name))?.clone();
            self.map.remove(&key)
        });
        value.filter(|value| !value.is_null())
    }

    fn wrong(&self, name: &str, wants: JsonType, is: &Value) -> ReadError {
        ReadError::WrongType { kind: self.kind, field: self.path(name), wants, is: JsonType::of(is) }
    }
}

/// How a body begins: enough to tell a page of HTML, and to be cut when it is quoted.
fn start(body: &[u8]) -> String {
    const BYTES: usize = 400;
    String::from_utf8_lossy(body.get(..BYTES).unwrap_or(body)).trim_start().to_owned()
}
