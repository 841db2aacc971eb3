//! `MachineDeployment` and `MachinePool` (cluster.x-k8s.io): groups of workers. What is read of the two is the same.

use serde::Deserialize;

use super::{Metadata, NewerConditions, StatusVersion, condition};
use crate::meta::{Condition, null_as_default, tight_list};

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
    /// `spec.paused` of a MachineDeployment.
    #[serde(deserialize_with = "null_as_default")]
    pub paused: bool,
    /// `spec.template`.
    #[serde(deserialize_with = "null_as_default")]
    pub template: MachineTemplate,
}

/// The part of the status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WorkersStatus {
    /// `status.replicas`.
    pub replicas: Option<u64>,
    /// `status.upToDateReplicas` (v1beta2).
    up_to_date_replicas: Option<u64>,
    /// `status.updatedReplicas` (v1beta1).
    updated_replicas: Option<u64>,
    /// `status.availableReplicas`.
    available_replicas: Option<u64>,
    /// `status.versions`: those that its machines are to have, since version 1.14.
    #[serde(deserialize_with = "null_as_default")]
    pub versions: Vec<StatusVersion>,
    /// `status.nodeRefs` of a MachinePool: its nodes.
    #[serde(deserialize_with = "null_as_default")]
    pub node_refs: Vec<NodeRef>,
    /// `status.conditions`.
    #[serde(deserialize_with = "tight_list")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
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

impl WorkersStatus {
    /// How many machines are as the spec wants them.
    #[must_use]
    pub fn up_to_date(&self) -> Option<u64> {
        self.up_to_date_replicas.or(self.v1beta2.up_to_date_replicas).or(self.updated_replicas)
    }

    /// How many machines are in service.
    #[must_use]
    pub fn available(&self) -> Option<u64> {
        self.v1beta2.available_replicas.or(self.available_replicas)
    }

    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}

impl Workers {
    /// The version that its machines are to have; absent where none is given.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        Some(self.spec.template.spec.version.as_str()).filter(|version| !version.is_empty())
    }
}
