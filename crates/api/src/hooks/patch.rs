//! A patch within the answer of an in-place hook: which differences the extension will make itself.
//!
//! Applying one is left to whoever plans updates in place.

use std::fmt;

use k8s_openapi::ByteString;
use serde::Serialize;
use serde_json::Value;

use super::fields::{Fields, JsonType, ReadError};

/// A patch of one object. On the wire its document is text in base64, not JSON within JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Patch {
    patch_type: PatchType,
    /// The text of the document, so that it is written as it came.
    patch: ByteString,
    #[serde(skip)]
    document: Value,
}

/// How the document of a patch is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum PatchType {
    /// RFC 6902: a list of operations.
    #[serde(rename = "JSONPatch")]
    Json,
    /// RFC 7386: an object that is laid over another.
    #[serde(rename = "JSONMergePatch")]
    Merge,
}

/// What is wrong with a patch.
#[derive(Debug, thiserror::Error)]
pub enum PatchError {
    /// It has a document and no type.
    #[error("patchType is missing")]
    NoType,
    /// Its type is neither of the two.
    #[error("patchType is neither JSONPatch nor JSONMergePatch")]
    UnknownType,
    /// It has a type and no document.
    #[error("patch is missing")]
    NoDocument,
    /// The document is not base64.
    #[error("patch is not text in base64")]
    NotBase64 {
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
    /// The document, out of its base64, is not JSON.
    #[error("what patch holds in base64 is not JSON")]
    NotJson {
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
    /// The document is JSON of another shape than its type has.
    #[error("a {patch_type} is {}, and this one is {is}", patch_type.shape())]
    Shape {
        /// Its type.
        patch_type: PatchType,
        /// What it is.
        is: JsonType,
    },
}

impl Patch {
    /// A patch of this document.
    ///
    /// # Errors
    ///
    /// When the document is not of the shape of its type.
    pub fn new(patch_type: PatchType, document: Value) -> Result<Self, PatchError> {
        patch_type.check(&document)?;
        Ok(Self { patch_type, patch: ByteString(document.to_string().into_bytes()), document })
    }

    /// How the document is meant.
    #[must_use]
    pub fn patch_type(&self) -> PatchType {
        self.patch_type
    }

    /// The document: a list of operations or an object.
    #[must_use]
    pub fn document(&self) -> &Value {
        &self.document
    }

    /// Reads the patch in a field. One of which nothing is said is as good as absent; one that changes nothing is not.
    pub(super) fn read(fields: &mut Fields, name: &str) -> Result<Option<Self>, ReadError> {
        let Some(mut inner) = fields.fields(name)? else { return Ok(None) };
        let (patch_type, text) = (inner.text("patchType")?, inner.text("patch")?);
        let made = match (patch_type.as_deref(), text) {
            (None, None) => return Ok(None),
            (None, Some(_)) => Err(PatchError::NoType),
            (Some("JSONPatch"), text) => Self::decode(PatchType::Json, text),
            (Some("JSONMergePatch"), text) => Self::decode(PatchType::Merge, text),
            (Some(_), _) => Err(PatchError::UnknownType),
        };
        made.map(Some).map_err(|cause| ReadError::Patch { kind: fields.kind(), field: fields.path(name), cause })
    }

    fn decode(patch_type: PatchType, text: Option<String>) -> Result<Self, PatchError> {
        let text = text.ok_or(PatchError::NoDocument)?;
        let patch: ByteString =
            serde_json::from_value(Value::String(text)).map_err(|cause| PatchError::NotBase64 { cause })?;
        let document: Value = serde_json::from_slice(&patch.0).map_err(|cause| PatchError::NotJson { cause })?;
        patch_type.check(&document)?;
        Ok(Self { patch_type, patch, document })
    }
}

impl PatchType {
    fn check(self, document: &Value) -> Result<(), PatchError> {
        let is = JsonType::of(document);
        if is == self.shape() { Ok(()) } else { Err(PatchError::Shape { patch_type: self, is }) }
    }

    fn shape(self) -> JsonType {
        match self {
            Self::Json => JsonType::List,
            Self::Merge => JsonType::Object,
        }
    }
}

impl fmt::Display for PatchType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Json => "JSONPatch",
            Self::Merge => "JSONMergePatch",
        })
    }
}
