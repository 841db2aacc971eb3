//! `Machine` (cluster.x-k8s.io): the version it is to have, and the one that its node runs.

use serde::Deserialize;

use super::{Metadata, NewerConditions, condition};
use crate::meta::{Condition, null_as_default};

/// `Machine`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: MachineStatus,
}

/// The part of a Machine's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineSpec {
    /// `spec.clusterName`.
    #[serde(deserialize_with = "null_as_default")]
    pub cluster_name: String,
    /// `spec.version`: the version that it is to have.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
}

/// The part of a Machine's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineStatus {
    /// `status.nodeInfo`.
    #[serde(deserialize_with = "null_as_default")]
    pub node_info: NodeInfo,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
}

/// What a Machine knows of its node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NodeInfo {
    /// The version that runs; empty until there is a node.
    #[serde(deserialize_with = "null_as_default")]
    pub kubelet_version: String,
}

impl MachineStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}
