//! Control planes (controlplane.cluster.x-k8s.io): KubeadmControlPlane, and others that keep to the same contract.

use serde::Deserialize;

use super::{Metadata, NewerConditions, StatusVersion, condition};
use crate::meta::{Condition, null_as_default};

/// A control plane.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ControlPlane {
    /// Its kind, such as `KubeadmControlPlane`.
    #[serde(deserialize_with = "null_as_default")]
    pub kind: String,
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ControlPlaneSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ControlPlaneStatus,
}

/// The part of a control plane's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ControlPlaneSpec {
    /// `spec.replicas`; absent for one that somebody else's machines hold.
    pub replicas: Option<u64>,
    /// `spec.version`: where it is to be.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
}

/// The part of a control plane's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ControlPlaneStatus {
    /// `status.version`: the lowest version that runs.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// `status.versions`: those that run, since version 1.14.
    #[serde(deserialize_with = "null_as_default")]
    pub versions: Vec<StatusVersion>,
    /// `status.replicas`.
    pub replicas: Option<u64>,
    /// `status.readyReplicas`.
    pub ready_replicas: Option<u64>,
    /// `status.upToDateReplicas` (v1beta2).
    up_to_date_replicas: Option<u64>,
    /// `status.updatedReplicas` (v1beta1).
    updated_replicas: Option<u64>,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
}

impl ControlPlaneStatus {
    /// How many machines are as the spec wants them.
    #[must_use]
    pub fn up_to_date(&self) -> Option<u64> {
        self.up_to_date_replicas.or(self.v1beta2.up_to_date_replicas).or(self.updated_replicas)
    }

    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}
