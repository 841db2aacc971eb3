//! Every node of one pool with its times, a thousand to an object.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::limit;
use super::node::NodeRow;
use super::summary::Observed;
use super::word::{Scope, Word};

/// One shard of the nodes of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PoolNodes {
    /// The generation of this object that the status belongs to; -1 until it is first written.
    ///
    /// Copied: metadata.generation.
    #[serde(default = "super::status::not_observed")]
    pub observed_generation: i64,
    /// `Truncated`: texts were cut to keep the object small.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// When and by whom this was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
    /// The pool; absent for the nodes that no pool selects.
    ///
    /// Copied: MachineConfigPool metadata.name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::NAME))]
    pub pool: Option<String>,
    /// Whether the pool is the control plane or workers.
    ///
    /// Derived: the pool's name and the roles of its nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_type: Option<Word<Scope>>,
    /// Which shard of the pool this is, the first being 0.
    ///
    /// Net new.
    pub shard: u32,
    /// How many shards the pool has.
    ///
    /// Net new.
    #[schemars(range(min = 1))]
    pub shards: u32,
    /// How many nodes the pool has, in all shards.
    ///
    /// Derived.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub total: u32,
    /// The configuration that the nodes should have.
    ///
    /// Copied: MachineConfigPool spec.configuration.name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub configuration: Option<String>,
    /// What all names of this shard end in; left out of them to save space.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub name_suffix: Option<String>,
    /// The nodes, in the natural order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::SHARD_NODES), extend("x-kubernetes-list-type" = "atomic"))]
    pub nodes: Vec<NodeRow>,
}
