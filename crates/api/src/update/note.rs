//! What is told beside progress and trouble: where to look first, remarks, and what was not observed.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::word::{GapKind, InsightType, Level, Word};

/// Where to look first: an insight of this object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    /// The insight's identity.
    ///
    /// Net new.
    #[schemars(length(min = 1, max = limit::UID))]
    pub uid: String,
    /// The insight's type.
    ///
    /// Net new.
    #[serde(rename = "type")]
    pub kind: Word<InsightType>,
    /// The pool below which it stands; absent below the control plane.
    ///
    /// Copied: metadata.name of the pool's object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub pool: Option<String>,
    /// How bad it is.
    ///
    /// Derived.
    pub level: Word<Level>,
    /// The insight's one line.
    ///
    /// Derived.
    #[schemars(length(max = limit::SUMMARY))]
    pub summary: String,
}

/// Something that the update waits on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingOn {
    /// What, within a sentence, such as `hook BeforeClusterUpgrade`.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::WAIT))]
    pub what: String,
    /// The whole of it, on one line.
    ///
    /// Derived; quotes the source's message where there is one.
    #[schemars(length(max = limit::NOTE))]
    pub message: String,
    /// Since when, where a source says so.
    ///
    /// Copied: the lastTransitionTime of the source's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// Something that was looked for and not seen, or not seen whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// What kind of gap it is.
    ///
    /// Net new.
    pub kind: Word<GapKind>,
    /// The file or other place; absent when the gap is of the whole cluster.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub place: Option<String>,
    /// The object as `Kind/name` or `Kind/namespace/name`; absent when it is not known.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub object: Option<String>,
    /// The field as a path; absent when the gap is the whole object.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub field: Option<String>,
    /// What is wrong, in one line.
    ///
    /// Net new.
    #[schemars(length(max = limit::NOTE))]
    pub message: String,
}

/// Whether alerts were seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Alerts {
    /// Whether the cluster's monitoring answered.
    ///
    /// Net new.
    pub available: bool,
    /// Why not.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub message: Option<String>,
}
