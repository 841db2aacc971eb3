//! What is told of a cluster operator, or of another component of a control plane: whether it is at the target, on its
//! way or waiting, and whether it is well.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::limit;
use super::reference::ResourceRef;

/// The progress of a cluster operator, or of another component of a control plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterOperatorInsight {
    /// `Updating` (reasons Updated, Pending, Progressing, CannotDetermine) and `Healthy` (reasons AsExpected,
    /// Unavailable, Degraded, CannotDetermine).
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The name.
    ///
    /// Copied: metadata.name of the ClusterOperator or ControlPlaneComponent; else what the component is called.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// The ClusterOperator or ControlPlaneComponent; absent for a component that is no object of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
    /// The version that it reports for itself.
    ///
    /// Copied: ClusterOperator status.versions, the entry `operator`; ControlPlaneComponent status.version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub version: Option<String>,
    /// Since when it is on its way or waiting, where it says so.
    ///
    /// Copied: the lastTransitionTime of its condition Progressing or RolloutComplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Its own word for why it is on its way or not.
    ///
    /// Copied: the reason of its condition Progressing or RolloutComplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub progressing_reason: Option<String>,
}
