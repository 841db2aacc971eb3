//! What is told of a single node, be it as an insight of its own or as a row of its pool's details.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::limit;
use super::reference::ResourceRef;
use super::rule;
use super::word::{Phase, Scope, Word};

/// The progress of a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeInsight {
    /// `Updating` (reasons Draining, Updating, Rebooting, Provisioning, Deleting, Paused, Pending, Completed, Unknown),
    /// `Available` and `Degraded`. A node that is out of service for the update counts as available.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The name.
    ///
    /// Copied: metadata.name of the resource.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// The Node or Machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
    /// Its pool.
    #[schemars(extend("x-kubernetes-validations" = rule::of_pool()))]
    pub pool_resource: ResourceRef,
    /// Whether it belongs to the control plane or to the workers.
    ///
    /// Derived: its pool.
    pub scope_type: Word<Scope>,
    /// How it is doing, for people: Degraded, Unavailable, Progressing, Excluded, Outdated, Completed.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::ASSESSMENT))]
    pub assessment: Option<String>,
    /// Where it is on the way.
    ///
    /// Derived: the annotations of the machine config daemon, or the MachineConfigNode; the conditions of the Machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Word<Phase>>,
    /// Since when it is in its phase, where a source says so.
    ///
    /// Copied: the lastTransitionTime of the condition of the MachineConfigNode or Machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase_started_at: Option<Timestamp>,
    /// The version it runs; absent when it cannot be told.
    ///
    /// Derived: the release-image-version of the MachineConfig that it has; of a Machine, its node's kubelet.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION), regex(pattern = limit::VERSION_PATTERN))]
    pub version: Option<String>,
    /// When it should be done.
    ///
    /// Derived: how long the phase takes as a rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_completed_at: Option<Timestamp>,
    /// Of the proposal; never written. A duration would have to be rewritten all the time.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub estimated_to_complete: Option<String>,
    /// What there is to say of it.
    ///
    /// Copied: the reason that the machine config daemon gives, or the message of the Machine's condition; derived where
    /// the node is out of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NODE_MESSAGE))]
    pub message: Option<String>,
    /// The node of a Machine, where it has one of another name.
    ///
    /// Copied: Machine status.nodeRef.name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::NAME))]
    pub node: Option<String>,
    /// Its machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<ResourceRef>,
    /// Objects that say more, such as its MachineConfigNode and what holds up its drain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RESOURCES), extend("x-kubernetes-list-type" = "atomic"))]
    pub details: Vec<ResourceRef>,
}

/// A node in the details of its pool. What is as it should be is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeRow {
    /// The name, without the suffix that all names of the object share.
    ///
    /// Copied: Node metadata.name.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
    /// Where it is on the way.
    ///
    /// Derived: the annotations of the machine config daemon, or the MachineConfigNode.
    pub phase: Word<Phase>,
    /// Since when it is in its phase, where a source says so.
    ///
    /// Copied: the lastTransitionTime of the MachineConfigNode's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When it was first seen in its phase; absent where that is `since`.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_seen: Option<Timestamp>,
    /// The version it runs; absent when it cannot be told.
    ///
    /// Derived: the release-image-version of the MachineConfig that it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub version: Option<String>,
    /// How many minutes its phase takes as a rule. Absent: nothing is left for nodes that are completed or paused, and
    /// for others it cannot be told.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 255))]
    pub minutes: Option<u8>,
    /// It is out of service for no reason of the update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<Trouble>,
    /// It cannot be given its configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<Trouble>,
    /// It takes no pods, whatever the reason.
    ///
    /// Derived: the Node's conditions and spec.unschedulable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub out_of_service: bool,
    /// What there is to say of it.
    ///
    /// Copied: the reason that the machine config daemon gives; derived where the node is out of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::ROW_MESSAGE))]
    pub message: Option<String>,
    /// The configuration it has. Absent: the pool's. Empty: it is not known.
    ///
    /// Copied: the node's annotation machineconfiguration.openshift.io/currentConfig.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub current_config: Option<String>,
    /// The configuration it should get. Absent: the one it has. Empty: it is not known.
    ///
    /// Copied: the node's annotation machineconfiguration.openshift.io/desiredConfig.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub desired_config: Option<String>,
    /// Pods that hold up its drain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::BLOCKERS), extend("x-kubernetes-list-type" = "atomic"))]
    pub blocked_by: Vec<Blocker>,
}

/// What is wrong with a node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trouble {
    /// Why, in one word.
    ///
    /// Derived: the Node's conditions, or the state that the machine config daemon gives.
    #[schemars(length(max = 64))]
    pub reason: String,
    /// Since when, where a source says so.
    ///
    /// Copied: the earliest lastTransitionTime of the conditions that say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When it was first seen; absent where that is `since`.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_seen: Option<Timestamp>,
}

/// A pod that cannot be evicted, and the budget that forbids it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Blocker {
    /// The namespace of both.
    ///
    /// Copied: Pod metadata.namespace.
    #[schemars(length(max = limit::NAME))]
    pub namespace: String,
    /// The pod.
    ///
    /// Copied: Pod metadata.name.
    #[schemars(length(max = limit::NAME))]
    pub pod: String,
    /// The PodDisruptionBudget.
    ///
    /// Copied: PodDisruptionBudget metadata.name.
    #[schemars(length(max = limit::NAME))]
    pub budget: String,
}
