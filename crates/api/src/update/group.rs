//! Groups of nodes that are in one and the same state, so that 5,000 nodes are a handful of lines.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::reference::ResourceRef;
use super::word::{Phase, Truth, UnitKind, Word};

/// Nodes of one pool in one state. Every node is in exactly one group, so the counts add up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeGroup {
    /// The identity of the group within its pool, made of the state and not of its members.
    ///
    /// Net new.
    #[schemars(length(min = 1, max = limit::UID))]
    pub key: String,
    /// The pool, where one list has groups of several.
    ///
    /// Copied: metadata.name of the pool's object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub pool: Option<String>,
    /// What they are; absent: Nodes.
    ///
    /// Derived: which objects were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Word<UnitKind>>,
    /// How many nodes there are, named or not.
    ///
    /// Derived.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub count: u32,
    /// Where they are on the way.
    ///
    /// Derived: the annotations of the machine config daemon, or the MachineConfigNodes; the conditions of Machines.
    pub phase: Word<Phase>,
    /// Whether they are being changed.
    ///
    /// Derived: the phase.
    pub updating: Word<Truth>,
    /// Whether they are in service, or out of it only for the update; Unknown where the nodes differ.
    ///
    /// Derived: the conditions of the Nodes or Machines.
    pub available: Word<Truth>,
    /// Whether they cannot be given their configuration; Unknown where the nodes differ.
    ///
    /// Derived: the state that the machine config daemon gives, or the conditions of Machines.
    pub degraded: Word<Truth>,
    /// The version they run; absent when it cannot be told, or where the nodes differ.
    ///
    /// Derived: the release-image-version of the MachineConfigs that they have; of Machines, their nodes' kubelets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub version: Option<String>,
    /// Why they are unavailable or degraded, in one CamelCase word; AsExpected where they are not, and Other in a group
    /// that was put together because there were too many.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::ASSESSMENT))]
    pub reason: String,
    /// What there is to say of them, in the words of the node whose name comes first.
    ///
    /// Copied: the reason that the machine config daemon gives, or the message of the Machine's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NODE_MESSAGE))]
    pub message: Option<String>,
    /// When the group was first seen.
    ///
    /// Net new.
    pub first_seen: Timestamp,
    /// When a node last joined or left.
    ///
    /// Net new.
    pub last_transition_time: Timestamp,
    /// What all names end in; left out of them to save space.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub name_suffix: Option<String>,
    /// The names, in their natural order.
    ///
    /// Copied: metadata.name of the Nodes or Machines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::GROUP_NAMES),
        inner(length(max = limit::NAME)),
        extend("x-kubernetes-list-type" = "atomic")
    )]
    pub node_names: Vec<String>,
    /// How many names were left out to keep the object small.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub node_names_omitted: Option<u32>,
    /// Objects that say more, such as the details of the pool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RESOURCES), extend("x-kubernetes-list-type" = "atomic"))]
    pub details: Vec<ResourceRef>,
}
