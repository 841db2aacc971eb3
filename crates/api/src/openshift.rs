//! Slices of OpenShift's `config.openshift.io` kinds: ClusterVersion and ClusterOperator.

use jiff::Timestamp;
use serde::Deserialize;

use crate::meta::{Condition, PlatformMark, null_as_default, time};

/// `ClusterVersion` (config.openshift.io/v1): what the cluster should run, and how it got where it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterVersion {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: ClusterVersionMeta,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ClusterVersionSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ClusterVersionStatus,
}

/// The part of a ClusterVersion's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterVersionMeta {
    /// `metadata.name`, `version` in every cluster.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.generation`, compared with `status.observedGeneration`.
    pub generation: Option<i64>,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: ClusterVersionAnnotations,
}

/// The annotations of a ClusterVersion that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterVersionAnnotations {
    /// [`crate::FORCE_INSIGHT_ANNOTATION`].
    #[serde(rename = "headway.dev/force-health-insight")]
    pub force_insight: Option<String>,
}

/// The part of a ClusterVersion's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterVersionSpec {
    /// `spec.clusterID`, by which a cluster is told from all others.
    #[serde(rename = "clusterID", deserialize_with = "null_as_default")]
    pub cluster_id: String,
    /// `spec.desiredUpdate`: what was asked for and may not have been accepted yet.
    pub desired_update: Option<DesiredUpdate>,
}

/// `spec.desiredUpdate` of a ClusterVersion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct DesiredUpdate {
    /// The version asked for; may be empty when only an image is given.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// The image asked for; may be empty.
    #[serde(deserialize_with = "null_as_default")]
    pub image: String,
    /// `Multi` when the multi-architecture payload is asked for.
    #[serde(deserialize_with = "null_as_default")]
    pub architecture: String,
}

/// The part of a ClusterVersion's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterVersionStatus {
    /// `status.desired`: the release the cluster is reconciling towards.
    #[serde(deserialize_with = "null_as_default")]
    pub desired: Release,
    /// `status.history`, newest first.
    #[serde(deserialize_with = "null_as_default")]
    pub history: Vec<History>,
    /// `status.conditions`; the first of a type counts.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.observedGeneration`.
    pub observed_generation: Option<i64>,
}

/// `status.desired` of a ClusterVersion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Release {
    /// The release's version, an opaque text.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// The release's image.
    #[serde(deserialize_with = "null_as_default")]
    pub image: String,
    /// `Multi` for the multi-architecture payload; empty for a single architecture and in old clusters.
    #[serde(deserialize_with = "null_as_default")]
    pub architecture: String,
}

/// An entry of `status.history` of a ClusterVersion.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct History {
    /// `Completed` or `Partial`.
    #[serde(deserialize_with = "null_as_default")]
    pub state: String,
    /// The version of the entry.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// The image of the entry.
    #[serde(deserialize_with = "null_as_default")]
    pub image: String,
    /// When the update began.
    #[serde(deserialize_with = "time")]
    pub started_time: Option<Timestamp>,
    /// When it was complete or given up for another.
    #[serde(deserialize_with = "time")]
    pub completion_time: Option<Timestamp>,
}

impl History {
    /// Whether the entry ended with every operator at its version.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        self.state == "Completed"
    }

    /// Whether the entry was left, or is being left, half way.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.state == "Partial"
    }
}

/// `ClusterOperator` (config.openshift.io/v1): one component of the control plane and the platform.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterOperator {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: ClusterOperatorMeta,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ClusterOperatorStatus,
}

/// The part of a ClusterOperator's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterOperatorMeta {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Whether an annotation says that the object belongs to a release payload.
    #[serde(rename = "annotations", deserialize_with = "null_as_default")]
    pub platform: PlatformMark,
}

/// The part of a ClusterOperator's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterOperatorStatus {
    /// `status.conditions`; the last of a type counts.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.versions`.
    #[serde(deserialize_with = "null_as_default")]
    pub versions: Vec<OperandVersion>,
}

/// An entry of `status.versions` of a ClusterOperator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct OperandVersion {
    /// `operator`, `operator-image` or the name of an operand.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// The version, or for `operator-image` the image.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
}
