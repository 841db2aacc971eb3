//! `MachineHealthCheck` (cluster.x-k8s.io): whether machines that are not well may be replaced.

use serde::Deserialize;

use super::{Metadata, NewerConditions, condition};
use crate::meta::{Condition, null_as_default};

/// `MachineHealthCheck`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineHealthCheck {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineHealthCheckSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: MachineHealthCheckStatus,
}

/// The part of a MachineHealthCheck's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineHealthCheckSpec {
    /// `spec.clusterName`.
    #[serde(deserialize_with = "null_as_default")]
    pub cluster_name: String,
}

/// The part of a MachineHealthCheck's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineHealthCheckStatus {
    /// `status.expectedMachines`: how many it looks after.
    pub expected_machines: Option<u64>,
    /// `status.currentHealthy`: how many of them are well.
    pub current_healthy: Option<u64>,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    v1beta2: NewerConditions,
}

impl MachineHealthCheckStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}
