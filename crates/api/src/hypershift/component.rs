//! `ControlPlaneComponent`: one part of a hosted control plane, as ClusterOperators are of a standalone one.

use serde::Deserialize;

use crate::cluster_api::Metadata;
use crate::meta::{Condition, null_as_default};

/// `ControlPlaneComponent`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ControlPlaneComponent {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ControlPlaneComponentStatus,
}

/// The part of a component's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ControlPlaneComponentStatus {
    /// `status.version`: the release that is rolled out; the one before until the new one is.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

impl ControlPlaneComponentStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }
}
