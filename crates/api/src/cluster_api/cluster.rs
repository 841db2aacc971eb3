//! `Cluster` (cluster.x-k8s.io): its topology, and what its conditions say.

use serde::Deserialize;

use super::{Metadata, NewerConditions, StatusVersion, condition, group_of};
use crate::meta::{Condition, Labels, null_as_default};

/// `Cluster`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Cluster {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ClusterSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ClusterStatus,
}

/// The part of a Cluster's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterSpec {
    /// `spec.paused`.
    #[serde(deserialize_with = "null_as_default")]
    pub paused: bool,
    /// `spec.controlPlaneRef`; absent until there is a control plane.
    pub control_plane_ref: Option<ControlPlaneRef>,
    /// `spec.topology`; absent for clusters whose objects somebody else keeps.
    pub topology: Option<Topology>,
}

/// Which object is the control plane.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ControlPlaneRef {
    /// `apiGroup` (v1beta2).
    #[serde(deserialize_with = "null_as_default")]
    api_group: String,
    /// `apiVersion` (v1beta1).
    #[serde(deserialize_with = "null_as_default")]
    api_version: String,
    /// Its kind.
    #[serde(deserialize_with = "null_as_default")]
    pub kind: String,
    /// Its name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Its namespace (v1beta1); empty for the cluster's own.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
}

/// `spec.topology`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Topology {
    /// `classRef` (v1beta2).
    pub class_ref: Option<ClassRef>,
    /// `class` (v1beta1).
    #[serde(deserialize_with = "null_as_default")]
    class: String,
    /// `classNamespace` (v1beta1).
    #[serde(deserialize_with = "null_as_default")]
    class_namespace: String,
    /// `version`: where the cluster is to be.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// `workers`.
    #[serde(deserialize_with = "null_as_default")]
    pub workers: TopologyWorkers,
}

/// Which ClusterClass a topology is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClassRef {
    /// Its name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Its namespace; empty for the cluster's own.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
}

/// The entries of a topology for workers. Their order is that of the rollout.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TopologyWorkers {
    /// `machineDeployments`.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_deployments: Vec<TopologyGroup>,
    /// `machinePools`.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_pools: Vec<TopologyGroup>,
}

/// One entry of a topology for workers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct TopologyGroup {
    /// Its name, which the label of its object repeats.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// The class of workers that it is made of.
    #[serde(deserialize_with = "null_as_default")]
    pub class: String,
    /// The version that it is pinned to.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: TopologyMetadata,
}

/// The metadata of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct TopologyMetadata {
    /// Annotations, such as those that defer an upgrade.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: Labels,
}

/// The part of a Cluster's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterStatus {
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of version v1beta1.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
    /// `status.controlPlane`.
    #[serde(deserialize_with = "null_as_default")]
    pub control_plane: PlanStatus,
    /// `status.workers`.
    #[serde(deserialize_with = "null_as_default")]
    pub workers: PlanStatus,
}

/// The plan that Cluster API made last, since its version 1.14.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PlanStatus {
    /// The versions ahead, in order. It may still hold the one whose step has begun.
    #[serde(deserialize_with = "null_as_default")]
    pub upgrade_plan: Vec<StatusVersion>,
}

impl ControlPlaneRef {
    /// The group of its kind; empty where none is given.
    #[must_use]
    pub fn group(&self) -> &str {
        if self.api_group.is_empty() { group_of(&self.api_version) } else { &self.api_group }
    }
}

impl Topology {
    /// The name of the class; empty where none is given.
    #[must_use]
    pub fn class_name(&self) -> &str {
        self.class_ref.as_ref().map_or(&self.class, |class| &class.name)
    }

    /// The namespace of the class of a cluster in a namespace.
    #[must_use]
    pub fn class_namespace<'a>(&'a self, own: &'a str) -> &'a str {
        let named = self.class_ref.as_ref().map_or(&self.class_namespace, |class| &class.namespace);
        if named.is_empty() { own } else { named }
    }
}

impl ClusterStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}
