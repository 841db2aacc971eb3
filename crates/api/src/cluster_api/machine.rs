//! `Machine` (cluster.x-k8s.io): the version it is to have, and the one that its node runs.

use jiff::Timestamp;
use serde::Deserialize;

use super::{Metadata, NewerConditions, NodeRef, condition};
use crate::meta::{Condition, null_as_default, tight_list, time};

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
    /// `status.phase`, a summary for people.
    #[serde(deserialize_with = "null_as_default")]
    pub phase: String,
    /// `status.nodeRef`: its node; absent until there is one.
    pub node_ref: Option<NodeRef>,
    /// `status.nodeInfo`.
    #[serde(deserialize_with = "null_as_default")]
    pub node_info: NodeInfo,
    /// `status.deletion`.
    #[serde(deserialize_with = "null_as_default")]
    pub deletion: Deletion,
    /// `status.certificatesExpiryDate`: until when the certificates of a machine of a control plane hold.
    #[serde(deserialize_with = "time")]
    pub certificates_expiry_date: Option<Timestamp>,
    /// `status.failureMessage` (v1beta1): why it can never become ready.
    #[serde(deserialize_with = "null_as_default")]
    pub failure_message: String,
    /// `status.conditions`.
    #[serde(deserialize_with = "tight_list")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
}

/// `status.deletion` of a Machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Deletion {
    /// When its node began to be emptied of pods.
    #[serde(deserialize_with = "time")]
    pub node_drain_start_time: Option<Timestamp>,
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
