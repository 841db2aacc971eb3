//! What is told of a pool of nodes: how far it is, and how many of its nodes are in which state.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::limit;
use super::reference::ResourceRef;
use super::word::{CountOf, Scope, Word};

/// The progress of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MachineConfigPoolInsight {
    /// `Updating` (reasons such as Updated, Pending, Paused, Progressing, CannotDetermine) and `Healthy`.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The name.
    ///
    /// Copied: metadata.name of the resource.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// The MachineConfigPool, NodePool, MachineDeployment, MachinePool or control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
    /// Whether its nodes are the control plane or workers.
    ///
    /// Derived: the pool's name and the roles of its nodes.
    pub scope_type: Word<Scope>,
    /// How its update goes, for people: Empty, Completed, Pending, Degraded, Excluded,
    /// Progressing, Unknown.
    ///
    /// Derived: the phases of its nodes.
    #[schemars(length(min = 1, max = limit::ASSESSMENT))]
    pub assessment: String,
    /// Nodes at the target, in percent; 100 for a pool without nodes.
    ///
    /// Derived: the phases of its nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub completion: Option<u8>,
    /// The same as `completion`, under the name that the split kinds of the proposal have.
    ///
    /// Derived: the phases of its nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub completion_percent: Option<u8>,
    /// How many nodes are in which state; a node may be counted in several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 16),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"])
    )]
    pub summaries: Vec<NodeCount>,
    /// Whether changes to it are stopped.
    ///
    /// Copied: spec.paused of the resource; elsewhere by its conditions and annotations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// The configuration that its nodes should have; where there are machines, the version.
    ///
    /// Copied: MachineConfigPool spec.configuration.name; elsewhere derived from the versions of the resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub configuration: Option<String>,
}

/// How many nodes of a pool are in a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeCount {
    /// Which state.
    ///
    /// Net new.
    #[serde(rename = "type")]
    pub kind: Word<CountOf>,
    /// How many.
    ///
    /// Derived: the phases of its nodes.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub count: u32,
}
