//! The status of an update: one schema for every container, whatever the form of the cluster.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::container::{ControlPlane, UnpooledNodes, WorkerPool};
use super::health::HealthInsight;
use super::limit;
use super::memory::Memory;
use super::note::{Alerts, Attention, Gap, WaitingOn};
use super::summary::{Observed, Summary};

/// What is told of an update: a summary, the control plane, and the pools of workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The generation of this object that the status belongs to; -1 until it is first written.
    ///
    /// Copied: metadata.generation.
    #[serde(default = "not_observed")]
    pub observed_generation: i64,
    /// What clients wait for. `Updating`: the cluster is being updated, workers included. `Healthy`: nothing needs
    /// attention. `Available`: the writer is alive and sees the cluster. `Degraded`: something that is watched cannot
    /// be seen. `Truncated`: parts were left out to keep the object small. `Ready`: it is where it is to be, and well.
    /// `Reconciling`: it is on its way (reasons Accepted, Progressing) or held by somebody (reason Held). `Stalled`: the
    /// update is stalled or failing.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// When and by whom this was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    /// The whole answer in a few flat fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// Where to look first: the worst insights of this object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::ATTENTION), extend("x-kubernetes-list-type" = "atomic"))]
    pub attention: Vec<Attention>,
    /// On what the update waits, the gravest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::WAITS), extend("x-kubernetes-list-type" = "atomic"))]
    pub waiting_on: Vec<WaitingOn>,
    /// The control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<ControlPlane>,
    /// The pools of workers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::POOLS),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"])
    )]
    pub worker_pools: Vec<WorkerPool>,
    /// How many further pools of workers there are.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker_pools_omitted: Option<u32>,
    /// Nodes that no pool selects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpooled_nodes: Option<UnpooledNodes>,
    /// Remarks that are neither progress nor trouble.
    ///
    /// Derived.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::HINTS),
        inner(length(max = limit::NOTE)),
        extend("x-kubernetes-list-type" = "atomic")
    )]
    pub hints: Vec<String>,
    /// What was not observed: never a reason to take an update for done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GAPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub gaps: Vec<Gap>,
    /// How many further things were not observed.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gaps_omitted: Option<u32>,
    /// Whether alerts were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alerts: Option<Alerts>,
    /// What the writer has to remember and could not observe again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
}

impl Status {
    /// The findings about health with their identities: those of the control plane, then pool by pool.
    pub fn findings(&self) -> impl Iterator<Item = (&str, &HealthInsight)> {
        let own = self.control_plane.iter().flat_map(ControlPlane::insights);
        let own = own.filter_map(|one| Some((one.uid.as_str(), one.insight.health.as_deref()?)));
        let workers = self.worker_pools.iter().flat_map(WorkerPool::insights);
        own.chain(workers.filter_map(|one| Some((one.uid.as_str(), one.insight.health.as_deref()?))))
    }
}

/// The generation of a status that nobody has written yet.
pub(super) fn not_observed() -> i64 {
    -1
}
