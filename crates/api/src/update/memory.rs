//! What cannot be observed again: kept in the object so that counters go on after a restart of the writer.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Condition;
use super::limit;
use super::reference::ResourceRef;

/// What the writer remembers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// Health insights that went away less than half an hour ago: should they come back, they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RESOLVED), extend("x-kubernetes-list-type" = "atomic"))]
    pub resolved: Vec<Resolved>,
    /// Conditions of other objects that changed more than once of late.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::TRANSITIONS), extend("x-kubernetes-list-type" = "atomic"))]
    pub transitions: Vec<Transitions>,
    /// The last progress of the control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Since when the ClusterVersion contradicts itself.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradiction_since: Option<Timestamp>,
    /// Whether the control plane was updating before the contradiction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updating_before: Option<Condition>,
}

/// How far the control plane was when it last moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The version that it goes to.
    ///
    /// Copied: ClusterVersion status.history\[0\].version.
    #[schemars(length(max = limit::VERSION))]
    pub target: String,
    /// How many operators were updated.
    ///
    /// Derived: ClusterOperator status.versions.
    pub updated: u32,
    /// When the last of them was seen to become so; absent while none was.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// A health insight that went away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Resolved {
    /// The insight's identity.
    ///
    /// Net new.
    #[schemars(length(min = 1, max = limit::UID))]
    pub uid: String,
    /// When it went away.
    ///
    /// Net new.
    pub resolved_at: Timestamp,
    /// When it was first observed.
    ///
    /// Net new.
    pub first_observed_at: Timestamp,
    /// Since when it held, where a source said so.
    ///
    /// Copied: the lastTransitionTime of the source's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// How often it had come.
    ///
    /// Net new.
    #[schemars(range(min = 0))]
    pub occurrences: u32,
}

/// The late changes of a condition of another object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transitions {
    /// The object.
    pub resource: ResourceRef,
    /// The type of the condition; absent for all that tell whether a node is well.
    ///
    /// Copied: the type of the condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 316))]
    pub condition: Option<String>,
    /// When it changed, the earliest first.
    ///
    /// Net new.
    #[schemars(length(max = limit::TIMES), extend("x-kubernetes-list-type" = "atomic"))]
    pub times: Vec<Timestamp>,
}
