//! `NodePool`: nodes of a hosted cluster, what they are to run and how they get there.

use serde::Deserialize;

use super::ReleaseImage;
use crate::apps::IntOrString;
use crate::cluster_api::Metadata;
use crate::meta::{Condition, null_as_default};

/// `NodePool`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodePool {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: NodePoolSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: NodePoolStatus,
}

/// The part of a NodePool's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NodePoolSpec {
    /// `spec.clusterName`: the HostedCluster, in the same namespace.
    #[serde(deserialize_with = "null_as_default")]
    pub cluster_name: String,
    /// `spec.release`: what the nodes are to run.
    #[serde(deserialize_with = "null_as_default")]
    pub release: ReleaseImage,
    /// `spec.replicas`; absent where the pool scales by itself.
    pub replicas: Option<u64>,
    /// `spec.nodeCount` (v1alpha1).
    node_count: Option<u64>,
    /// `spec.autoScaling`.
    pub auto_scaling: Option<AutoScaling>,
    /// `spec.management`.
    #[serde(deserialize_with = "null_as_default")]
    pub management: Management,
    /// `spec.pausedUntil`: `true`, or until when nothing is changed.
    #[serde(deserialize_with = "null_as_default")]
    pub paused_until: String,
}

impl NodePoolSpec {
    /// How many nodes there are to be; absent where that is left to their load.
    #[must_use]
    pub fn desired(&self) -> Option<u64> {
        self.replicas.or(self.node_count)
    }

    /// Whether nodes are changed where they stand, rather than replaced.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        self.management.upgrade_type == "InPlace"
    }

    /// Whether nodes are replaced only when somebody deletes their machines.
    #[must_use]
    pub fn is_on_delete(&self) -> bool {
        let strategy = self.management.replace.as_ref().map(|replace| replace.strategy.as_str());
        !self.is_in_place() && strategy == Some("OnDelete")
    }
}

/// `spec.autoScaling`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AutoScaling {
    /// The fewest nodes.
    pub min: Option<u64>,
    /// The most nodes.
    pub max: Option<u64>,
}

/// `spec.management`: how nodes get another release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Management {
    /// `Replace` or `InPlace`.
    #[serde(deserialize_with = "null_as_default")]
    pub upgrade_type: String,
    /// How they are replaced.
    pub replace: Option<Replace>,
    /// How they are changed in place.
    pub in_place: Option<InPlace>,
}

/// `spec.management.replace`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Replace {
    /// `RollingUpdate` or `OnDelete`.
    #[serde(deserialize_with = "null_as_default")]
    pub strategy: String,
    /// How many at a time.
    pub rolling_update: Option<RollingUpdate>,
}

/// `spec.management.replace.rollingUpdate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RollingUpdate {
    /// How many may be out of service.
    pub max_unavailable: Option<IntOrString>,
    /// How many more than wanted there may be.
    pub max_surge: Option<IntOrString>,
}

/// `spec.management.inPlace`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct InPlace {
    /// How many may be changed at a time.
    pub max_unavailable: Option<IntOrString>,
}

/// The part of a NodePool's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NodePoolStatus {
    /// `status.replicas`: how many nodes are ready.
    pub replicas: Option<u64>,
    /// `status.version`: the release that the pool was brought to last; the one before until all nodes are at the new one.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// `status.nodesInfo`. Since March 2026.
    #[serde(deserialize_with = "null_as_default")]
    pub nodes_info: NodesInfo,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

impl NodePoolStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }
}

/// `status.nodesInfo`: which versions the nodes run, so that nobody need ask the guest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NodesInfo {
    /// One entry for each version.
    #[serde(deserialize_with = "null_as_default")]
    pub node_versions: Vec<NodeVersion>,
}

/// Nodes of one version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NodeVersion {
    /// The release; empty where it is not known.
    #[serde(deserialize_with = "null_as_default")]
    pub ocp_version: String,
    /// The kubelet's version.
    #[serde(deserialize_with = "null_as_default")]
    pub kubelet_version: String,
    /// How many are ready.
    #[serde(deserialize_with = "null_as_default")]
    pub ready_node_count: u64,
    /// How many are not.
    #[serde(deserialize_with = "null_as_default")]
    pub unready_node_count: u64,
}

impl NodeVersion {
    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.ready_node_count.saturating_add(self.unready_node_count)
    }
}
