//! How far an upgrade is, and what is remembered of it.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::spec::GroupRef;
use crate::update::condition::Conditions;
use crate::update::word::{Word, words};

/// How far it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ClusterUpgradeStatus {
    /// The generation of the spec that this speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
    /// Who writes the versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Word<Mode>>,
    /// The control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<ControlPlaneStatus>,
    /// The groups of workers, in the order in which they move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GROUPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub groups: Vec<GroupStatus>,
    /// What is left of the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanStatus>,
    /// The step that is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepStatus>,
    /// Since when everything has stood still after a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub still_since: Option<Timestamp>,
    /// The hooks that are still to be asked. They are recorded before the write that makes them due, and whoever takes
    /// over reads them here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::INTENTS), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["hook"]))]
    pub intents: Vec<IntentStatus>,
    /// What is waited for, the first of it first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::WAITS), extend("x-kubernetes-list-type" = "atomic"))]
    pub waiting_on: Vec<WaitStatus>,
    /// The upgrades that were, the last one first; the one that is under way is the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::HISTORY), extend("x-kubernetes-list-type" = "atomic"))]
    pub history: Vec<Passed>,
    /// Accepted says whether it can be walked, Ready whether it was, Reconciling whether it is being walked, Stalled
    /// whether somebody has to look.
    #[serde(skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
}

/// The control plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ControlPlaneStatus {
    /// Its kind and name, such as `KubeadmControlPlane/c1-cp`.
    #[schemars(length(max = 512))]
    pub name: String,
    /// Its `spec.version`.
    #[schemars(length(max = limit::VERSION))]
    pub version: String,
    /// Whether it runs that.
    pub state: Word<State>,
}

/// A group of workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupStatus {
    /// Which.
    #[serde(flatten)]
    pub group: GroupRef,
    /// The version that its machines are to have.
    #[schemars(length(max = limit::VERSION))]
    pub version: String,
    /// Whether they do.
    pub state: Word<State>,
    /// The versions that it has yet to take, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), inner(length(max = limit::VERSION)), extend("x-kubernetes-list-type" = "atomic"))]
    pub moves: Vec<String>,
}

/// What is left of the way. It is kept when whoever names the versions is down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStatus {
    /// Who named the versions: `OneMinor`, `VersionList`, `ClusterClass NAME` or `Extension NAME`.
    #[schemars(length(max = 600))]
    pub source: String,
    /// How many versions the control plane has yet to take.
    #[schemars(range(min = 0))]
    pub left: u32,
    /// The versions that the control plane has yet to take, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), inner(length(max = limit::VERSION)), extend("x-kubernetes-list-type" = "atomic"))]
    pub control_plane: Vec<String>,
    /// The versions that workers have yet to take, as extensions are told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), inner(length(max = limit::VERSION)), extend("x-kubernetes-list-type" = "atomic"))]
    pub workers: Vec<String>,
}

/// A step that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StepStatus {
    /// As people name it: `control-plane/v1.31.0`, `workers/v1.31.0`.
    #[schemars(length(min = 1, max = limit::STEP))]
    pub name: String,
    /// When it began.
    pub started_at: Timestamp,
}

/// A hook that is still to be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IntentStatus {
    /// The hook, such as `AfterControlPlaneUpgrade`.
    #[schemars(length(min = 1, max = limit::REASON))]
    pub hook: String,
    /// The version of the control plane at which it is asked; of the upgrade as a whole, the target.
    #[schemars(length(min = 1, max = limit::VERSION))]
    pub version: String,
    /// Where the control plane was when the upgrade was announced, as long as nothing has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub from: Option<String>,
    /// The groups that move in a step of the workers, as they were when it began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GROUPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub groups: Vec<GroupRef>,
}

/// Something that is waited for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitStatus {
    /// In one word.
    #[schemars(length(min = 1, max = limit::REASON))]
    pub reason: String,
    /// In a sentence.
    #[schemars(length(max = limit::MESSAGE))]
    pub message: String,
    /// What would open it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::MESSAGE))]
    pub opens: String,
    /// Of an approval: what is to be approved.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::STEP))]
    pub step: String,
    /// Since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// When it is over or looked at again, where a time says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// An upgrade that was, or is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Passed {
    /// Where the control plane was.
    #[schemars(length(max = limit::VERSION))]
    pub from: String,
    /// What was asked for last.
    #[schemars(length(max = limit::VERSION))]
    pub to: String,
    /// When its first step began.
    pub started_at: Timestamp,
    /// When everything was there; absent as long as it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// Its steps that are over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::STEPS), extend("x-kubernetes-list-type" = "atomic"))]
    pub steps: Vec<PassedStep>,
}

/// A step that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PassedStep {
    /// As people name it.
    #[schemars(length(min = 1, max = limit::STEP))]
    pub name: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was seen to be over.
    pub completed_at: Timestamp,
}

/// The types of conditions that only this kind has.
pub mod condition {
    /// Whether what is asked for can be walked: there is such a cluster, nobody else drives it, and versions are some.
    pub const ACCEPTED: &str = "Accepted";
}

words! {
    /// Who writes the versions.
    Mode {
        /// We write those of the control plane and of the groups of workers.
        Direct = "Direct",
        /// We do, from `Cluster.spec.topology.version`.
        Topology = "Topology",
        /// Cluster API does; we raise its target and answer its hooks.
        Beside = "Beside",
    }
}

words! {
    /// Whether something runs what it is to run.
    State {
        /// It does.
        Settled = "Settled",
        /// It is on its way.
        Rolling = "Rolling",
        /// It could not be seen.
        Unknown = "Unknown",
    }
}
