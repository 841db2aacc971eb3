//! Where insights stand: the control plane, and each pool of workers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::group::NodeGroup;
use super::insight::{ControlPlaneInsight, Informer, Insight, PoolInsight};
use super::limit;
use super::reference::ResourceRef;
use super::rule;

/// What is told of the control plane and its nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlane {
    /// `Updating` (reasons ClusterVersionProgressing, ClusterVersionNotProgressing, CannotDetermineUpdating, those of
    /// its pool, or those of other forms) and `Healthy`.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// What the control plane is: its ClusterVersion, HostedCluster or Cluster.
    #[schemars(extend("x-kubernetes-validations" = rule::of_cluster()))]
    pub resource: ResourceRef,
    /// The pool of its nodes, where it has nodes of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-kubernetes-validations" = rule::of_pool()))]
    pub pool_resource: Option<ResourceRef>,
    /// How many operators are in which state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operators: Option<OperatorCounts>,
    /// Insights, by who found them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::CONTROL_PLANE_INFORMERS),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub informers: Vec<Informer<ControlPlaneInsight>>,
    /// Its nodes, in groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::CONTROL_PLANE_GROUPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub node_groups: Vec<NodeGroup>,
}

impl ControlPlane {
    /// The insights of all informers, as they stand.
    pub fn insights(&self) -> impl Iterator<Item = &Insight<ControlPlaneInsight>> {
        self.informers.iter().flat_map(|informer| &informer.insights)
    }
}

/// How many operators of the release are in which state; of a hosted cluster its components as well. An operator at its version is updated whatever else it says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorCounts {
    /// Operators that belong to the release.
    ///
    /// Derived: the annotations of the ClusterOperators.
    pub total: u32,
    /// At the target version.
    ///
    /// Derived: ClusterOperator status.versions.
    pub updated: u32,
    /// On the way.
    ///
    /// Derived: ClusterOperator condition Progressing.
    pub updating: u32,
    /// Waiting for their turn.
    ///
    /// Derived: ClusterOperator condition Progressing.
    pub pending: u32,
    /// Not at the version, and not saying whether they are on the way.
    ///
    /// Derived: ClusterOperator condition Progressing.
    pub unknown: u32,
    /// Unavailable or degraded.
    ///
    /// Derived: ClusterOperator conditions Available and Degraded.
    pub unhealthy: u32,
    /// Not available.
    ///
    /// Derived: ClusterOperator condition Available.
    pub unavailable: u32,
    /// Available, but degraded.
    ///
    /// Derived: ClusterOperator condition Degraded.
    pub degraded: u32,
}

/// What is told of a pool of workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rule::named_pool()))]
pub struct WorkerPool {
    /// The name.
    ///
    /// Copied: metadata.name of the resource.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// The pool.
    #[schemars(extend("x-kubernetes-validations" = rule::of_pool()))]
    pub resource: ResourceRef,
    /// `Updating` and `Healthy`, as the insight on the pool has them.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Insights, by who found them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::POOL_INFORMERS),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub informers: Vec<Informer<PoolInsight>>,
    /// Its nodes, in groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GROUPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub node_groups: Vec<NodeGroup>,
}

impl WorkerPool {
    /// The insights of all informers, as they stand.
    pub fn insights(&self) -> impl Iterator<Item = &Insight<PoolInsight>> {
        self.informers.iter().flat_map(|informer| &informer.insights)
    }
}

/// Nodes that no pool selects: what they should run cannot be told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnpooledNodes {
    /// How many there are.
    ///
    /// Derived: the labels of the Nodes and the selectors of the MachineConfigPools.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub count: u32,
    /// In groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GROUPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub node_groups: Vec<NodeGroup>,
}
