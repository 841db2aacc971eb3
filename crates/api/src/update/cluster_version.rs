//! What is told of the control plane as a whole, be it a ClusterVersion, a HostedCluster or a Cluster: from where to
//! where, how far, and until when.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::condition::Conditions;
use super::limit;
use super::reference::ResourceRef;
use super::rule;
use super::word::{Change, Counted, EstimateState, VersionKey, Word};

/// The progress of the control plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClusterVersionInsight {
    /// `Updating` and `Healthy`.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The name of the ClusterVersion, HostedCluster or Cluster.
    ///
    /// Copied: metadata.name of the resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: Option<String>,
    /// The ClusterVersion, HostedCluster or Cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
    /// How the update goes, for people: Unknown, Progressing, Progressing - Slow, Stalled, Degraded, Completed, Pending,
    /// Paused.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::ASSESSMENT))]
    pub assessment: String,
    /// From where to where; absent when the history does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// Operators at the target version, in percent, or what `tally` counts; 100 only when the update is over. Absent
    /// without operators.
    ///
    /// Derived: ClusterOperator status.versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub completion: Option<u8>,
    /// The same as `completion`, under the name that the split kinds of the proposal have.
    ///
    /// Derived: ClusterOperator status.versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub completion_percent: Option<u8>,
    /// What `completion` counts, where it is not operators: of more steps than one, what the step under way moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// When the update began; when none runs, when the last one did.
    ///
    /// Copied: ClusterVersion status.history\[0\].startedTime, or the HostedCluster's; else the lastTransitionTime of the
    /// condition that tells of the update.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it was complete.
    ///
    /// Copied: ClusterVersion status.history\[0\].completionTime, or the HostedCluster's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// When it should be complete. In the past when it should have been.
    ///
    /// Derived: the duration of the last update, the share of operators that are done, and the last progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_completed_at: Option<Timestamp>,
    /// What the estimate is worth; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// Since when the ClusterVersion says what it says of progress, where it has no history to tell when it began.
    ///
    /// Copied: the lastTransitionTime of the ClusterVersion's condition Progressing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progressing_since: Option<Timestamp>,
}

/// The versions of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rule::versions()))]
pub struct Versions {
    /// The version that the cluster had; absent for an installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<Version>,
    /// The version that the cluster is to have.
    pub target: Version,
    /// Which kind of change this is.
    ///
    /// Derived: the versions and images of the two newest entries of the ClusterVersion's history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Word<Change>>,
    /// How many operators report each version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), extend("x-kubernetes-list-type" = "atomic"))]
    pub operators: Vec<VersionCount>,
    /// How many nodes run each version; nodes whose version is not known are not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), extend("x-kubernetes-list-type" = "atomic"))]
    pub nodes: Vec<VersionCount>,
    /// The versions that the control plane has yet to visit, the one that is under way first; absent where there is but
    /// the target.
    ///
    /// Copied: Cluster status.controlPlane.upgradePlan\[\].version; derived where the status has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = limit::STEPS),
        inner(length(min = 1, max = limit::VERSION)),
        extend("x-kubernetes-list-type" = "atomic")
    )]
    pub plan: Vec<String>,
    /// Which step is under way, of how many in all, as far as that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// A step among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Position {
    /// Which one, from 1.
    ///
    /// Derived: the versions that were visited and those that are left.
    #[schemars(range(min = 1))]
    pub step: u32,
    /// Of how many.
    ///
    /// Derived: the versions that were visited and those that are left.
    #[schemars(range(min = 1))]
    pub of: u32,
}

/// How many of something are done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// What is counted.
    ///
    /// Derived: which kind of cluster it is.
    pub of: Word<Counted>,
    /// How many are done.
    ///
    /// Derived.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub done: u32,
    /// How many there are to be.
    ///
    /// Derived.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub total: u32,
}

/// A version, and what is worth knowing about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// The version; absent where the history has an entry that does not name one.
    ///
    /// Copied: ClusterVersion status.history\[\].version, or the HostedCluster's; of a Cluster, its topology or control
    /// plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 5, max = limit::VERSION), regex(pattern = limit::VERSION_PATTERN))]
    pub version: Option<String>,
    /// What is worth knowing about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 5),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["key"])
    )]
    pub metadata: Vec<VersionMetadata>,
}

/// One thing worth knowing about a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionMetadata {
    /// Which thing.
    ///
    /// Derived: ClusterVersion status.history\[\].state and status.desired.architecture.
    pub key: Word<VersionKey>,
    /// Its value; absent where the key says it all.
    ///
    /// Copied: ClusterVersion status.desired.architecture.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 32))]
    pub value: Option<String>,
}

/// How many things have a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionCount {
    /// The version.
    ///
    /// Copied: ClusterOperator status.versions, or the release-image-version of the node's MachineConfig; elsewhere what
    /// a component says of itself, and what a node's kubelet says.
    #[schemars(length(min = 1, max = limit::VERSION))]
    pub version: String,
    /// How many have it.
    ///
    /// Derived.
    #[schemars(range(min = 0, max = limit::COUNT))]
    pub count: u32,
}

/// What an estimate is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// Whether it means anything.
    ///
    /// Derived.
    pub state: Word<EstimateState>,
    /// How long the whole update takes by the estimate, in seconds, to the minute.
    ///
    /// Derived.
    pub total_seconds: i64,
}
