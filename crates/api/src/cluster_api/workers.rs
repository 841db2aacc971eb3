//! `MachineDeployment` and `MachinePool` (cluster.x-k8s.io): groups of workers. What is read of the two is the same.

use serde::Deserialize;

use super::Metadata;
use crate::meta::null_as_default;

/// A `MachineDeployment` or `MachinePool`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Workers {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: WorkersSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: WorkersStatus,
}

/// The part of the spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WorkersSpec {
    /// `spec.clusterName`.
    #[serde(deserialize_with = "null_as_default")]
    pub cluster_name: String,
    /// `spec.replicas`.
    pub replicas: Option<u64>,
    /// `spec.template`.
    #[serde(deserialize_with = "null_as_default")]
    pub template: MachineTemplate,
}

/// The part of the status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WorkersStatus {
    /// `status.nodeRefs` of a MachinePool: its nodes.
    #[serde(deserialize_with = "null_as_default")]
    pub node_refs: Vec<NodeRef>,
}

/// A reference to a node of the workload cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodeRef {
    /// Its name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
}

/// `spec.template`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineTemplate {
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineTemplateSpec,
}

/// `spec.template.spec`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineTemplateSpec {
    /// The version that its machines are to have.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
}

impl Workers {
    /// The version that its machines are to have; absent where none is given.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        Some(self.spec.template.spec.version.as_str()).filter(|version| !version.is_empty())
    }
}
