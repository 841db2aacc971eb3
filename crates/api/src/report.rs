//! The `Report`: what is known of one cluster's update at one moment. Every renderer prints it, none adds to it.
//!
//! Times are RFC 3339 in UTC, durations whole seconds in fields that end in `Seconds`, percentages whole numbers from
//! 0 to 100. An absent field was not observed.
//!
//! Long because it is a flat list: the parts of one document, without logic.

use std::collections::BTreeMap;
use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use crate::gap::Gap;
use crate::insight::{Insight, ResourceRef};
use crate::preview::Clock;

/// What is known of one cluster's update (`headway.dev/v1alpha1`, kind `Report`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Always [`crate::REPORT_API_VERSION`].
    pub api_version: &'static str,
    /// Always `Report`.
    pub kind: &'static str,
    /// The moment at which everything is judged.
    pub observed_at: Timestamp,
    /// Where that moment comes from.
    pub clock: ClockSource,
    /// The whole answer in one word.
    pub outcome: Outcome,
    /// Whether the cluster is updating at all, workers included.
    pub activity: Activity,
    /// The cluster and its control plane.
    pub cluster: Cluster,
    /// The cluster operators that belong to the release, in input order.
    pub components: Vec<Component>,
    /// The pools of nodes, in input order.
    pub pools: Vec<Pool>,
    /// The nodes: those of the control plane, then pool by pool, then those of no pool; worst first within a pool.
    pub units: Vec<Unit>,
    /// What is wrong, worst first.
    pub insights: Vec<Insight>,
    /// On what the update waits, the gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting_on: Vec<WaitingOn>,
    /// Remarks that are neither progress nor trouble.
    pub hints: Vec<String>,
    /// Whether alerts were seen.
    pub alerts: Alerts,
    /// What was not observed.
    pub gaps: Vec<Gap>,
}

impl Report {
    /// The nodes that are being emptied of pods.
    pub fn draining(&self) -> impl Iterator<Item = &str> {
        let draining = self.units.iter().filter(|unit| unit.phase == Phase::Draining);
        draining.map(|unit| unit.node.as_ref().unwrap_or(&unit.name).as_str())
    }
}

/// Where the moment of judging comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum ClockSource {
    /// The user said it.
    Given,
    /// The cluster is looked at as it is.
    Now,
    /// The recording says when it was made.
    Recording,
    /// The newest transition of ClusterVersion and ClusterOperators.
    Transitions,
    /// A newer event of a node, a pool or an alert.
    Events,
    /// The newest condition of any object of a management cluster.
    Conditions,
    /// Nothing in the input has a time; the Unix epoch stands in, and no age means anything.
    Nothing,
}

impl From<Clock> for ClockSource {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Given => Self::Given,
            Clock::Now => Self::Now,
            Clock::Conditions => Self::Conditions,
            Clock::Nothing => Self::Nothing,
        }
    }
}

impl fmt::Display for ClockSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "given with --at",
            Self::Now => "now",
            Self::Recording => "the recording's own timestamp",
            Self::Transitions => "the newest transition of ClusterVersion and ClusterOperators",
            Self::Events => "the newest event of a node, pool or alert",
            Self::Conditions => "the newest condition of any object",
            Self::Nothing => "nothing: no object has a time, so no age below means anything",
        })
    }
}

/// The whole answer in one word. Exit codes follow from it (design, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Outcome {
    /// Nothing is being updated.
    NotUpdating,
    /// An update runs and nothing needs attention.
    Updating,
    /// An update runs, or is not finished, and something needs attention.
    NeedsAttention,
    /// An update is stalled or failing.
    Failing,
    /// What was observed is not enough to tell.
    CannotTell,
}

/// Whether anything is being updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Activity {
    /// The control plane is at its version and so are the nodes.
    NotUpdating,
    /// The control plane or a pool is on its way, or waits to be.
    Updating,
    /// What was observed is not enough to tell.
    Unknown,
}

/// Which kind of cluster was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Form {
    /// OpenShift with its own control plane nodes.
    Standalone,
    /// A hosted control plane, seen from its guest side (there are no machine config pools) or from its management
    /// cluster.
    Hosted,
    /// A cluster that Cluster API keeps, seen from its management cluster.
    ClusterApi,
    /// Not enough was seen to tell.
    Unknown,
}

/// Three-valued status of one of our conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// It cannot be told.
    Unknown,
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        })
    }
}

/// A condition of ours, with a word and a sentence for why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The status.
    pub status: Truth,
    /// A CamelCase word.
    pub reason: String,
    /// A sentence, possibly many lines; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Since when, where a source says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// How an update goes, in a word for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assessment {
    /// It cannot be told.
    Unknown,
    /// It goes on.
    Progressing,
    /// It goes on, later than estimated.
    ProgressingSlow,
    /// It is more than ten minutes over its estimate.
    Stalled,
    /// It fails to go on.
    Degraded,
    /// It is done.
    Completed,
    /// It waits for its turn, or for somebody who may mean it so.
    Pending,
    /// It is paused.
    Paused,
}

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unknown => "Unknown",
            Self::Progressing => "Progressing",
            Self::ProgressingSlow => "Progressing - Slow",
            Self::Stalled => "Stalled",
            Self::Degraded => "Degraded",
            Self::Completed => "Completed",
            Self::Pending => "Pending",
            Self::Paused => "Paused",
        })
    }
}

impl Serialize for Assessment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The cluster and its control plane.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    /// The name of the ClusterVersion, HostedCluster or Cluster; absent when there is none.
    pub name: Option<String>,
    /// The namespace of the HostedCluster or Cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Which kind of cluster it is.
    pub form: Form,
    /// Whether the control plane is updating.
    pub updating: Condition,
    /// Whether the control plane is healthy.
    pub healthy: Condition,
    /// How the control plane's update goes.
    pub assessment: Assessment,
    /// From where to where.
    pub versions: Versions,
    /// Operators at the target version, in percent; absent without operators. Of a cluster of Cluster API, the machines
    /// that are done with the step that is under way.
    pub completion_percent: Option<u8>,
    /// What that percentage counts, where it is not operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tally: Option<Tally>,
    /// How many operators are in which state.
    pub operators: OperatorCounts,
    /// When the update began; when none runs, the last one.
    pub started_at: Option<Timestamp>,
    /// When it was complete.
    pub completed_at: Option<Timestamp>,
    /// How long it took, or has been taking.
    pub duration_seconds: Option<Seconds>,
    /// How long it will take; absent when it is complete or cannot be told.
    pub estimate: Option<Estimate>,
}

/// How many of something are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// What is counted.
    pub of: Counted,
    /// How many are done.
    pub done: usize,
    /// How many there are to be.
    pub total: usize,
}

/// What a tally counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Counted {
    /// The machines that the step under way moves.
    Machines,
    /// The components of a hosted control plane, and the operators of its guest where they are seen.
    Components,
}

/// A duration that is told in whole seconds, and kept whole for those who round it otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub SignedDuration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.as_secs())
    }
}

/// The versions of an update.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// The version that the cluster is to have.
    pub target: Option<String>,
    /// The version that it had; absent for an installation.
    pub previous: Option<String>,
    /// Which kind of change this is.
    pub change: Change,
    /// Whether the previous update was left half way, so that the cluster holds more than one old version.
    pub previous_is_partial: bool,
    /// The target's architecture where it is not a single one: `Multi`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// How many operators report each version.
    pub operators: BTreeMap<String, usize>,
    /// How many nodes run each version; nodes whose version is not known are not in it.
    pub nodes: BTreeMap<String, usize>,
    /// The versions that the control plane has yet to visit, the one that is under way first; empty where there is but
    /// the target.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// Which step is under way, of how many in all, as far as that can be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
}

/// Which kind of change an update is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum Change {
    /// To another version.
    #[default]
    Version,
    /// A first installation.
    Installation,
    /// To the multi-architecture payload of the same version.
    MultiArchitecture,
    /// To another image of the same version.
    Image,
}

/// Something that an update waits on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitingOn {
    /// What, within a sentence: "hook BeforeClusterUpgrade".
    pub what: String,
    /// The whole of it, on one line.
    pub message: String,
    /// Since when, where a source says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

/// A step among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Which one, from 1.
    pub step: usize,
    /// Of how many.
    pub of: usize,
}

/// How many operators are in which state. An operator at its version is `updated` whatever else it says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OperatorCounts {
    /// Operators that belong to the release.
    pub total: usize,
    /// At the target version.
    pub updated: usize,
    /// On the way.
    pub updating: usize,
    /// Waiting for their turn.
    pub waiting: usize,
    /// Not at the version, and not saying whether they are on the way.
    pub unknown: usize,
    /// Not available.
    pub unavailable: usize,
    /// Available, but degraded.
    pub degraded: usize,
}

/// How long an update will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Estimate {
    /// Whether the number means anything.
    pub state: EstimateState,
    /// What is left, below zero when it should have been over.
    pub remaining_seconds: i64,
    /// The whole update, in whole minutes.
    pub total_seconds: i64,
    /// When it should be over; absent where the number means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
}

/// Whether an estimate means anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum EstimateState {
    /// It does.
    Known,
    /// It is over by more than ten minutes.
    Overdue,
    /// A migration to the multi-architecture payload has no estimate.
    NotForMultiArchitecture,
}

/// A cluster operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// The name.
    pub name: String,
    /// The version that the operator reports for itself.
    pub version: Option<String>,
    /// Whether it is updating; a message quotes its `Progressing` condition.
    pub updating: Condition,
    /// The reason of its own `Progressing` condition, which may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub progressing_reason: String,
    /// Whether it is healthy.
    pub healthy: Condition,
    /// The object that tells of it, where that is not the ClusterOperator of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
}

/// A pool of nodes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pool {
    /// The name.
    pub name: String,
    /// Control plane or workers.
    pub scope: crate::insight::Scope,
    /// How its update goes.
    pub assessment: PoolAssessment,
    /// Nodes at the target, in percent; absent for a pool without nodes.
    pub completion_percent: Option<u8>,
    /// Whether it is updating.
    pub updating: Condition,
    /// Whether it is healthy.
    pub healthy: Condition,
    /// Whether changes to it are stopped.
    pub paused: bool,
    /// The configuration that its nodes should have.
    pub configuration: String,
    /// How many nodes are in which state.
    pub counts: PoolCounts,
    /// The object that keeps it, where that is not the MachineConfigPool of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<ResourceRef>,
}

/// How a pool's update goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum PoolAssessment {
    /// It has no nodes.
    Empty,
    /// All nodes are at the target.
    Completed,
    /// No node has begun.
    Pending,
    /// Some node is degraded.
    Degraded,
    /// Old nodes are held back because the pool is paused.
    Excluded,
    /// It goes on.
    Progressing,
    /// It cannot be told.
    Unknown,
}

impl fmt::Display for PoolAssessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "Empty",
            Self::Completed => "Completed",
            Self::Pending => "Pending",
            Self::Degraded => "Degraded",
            Self::Excluded => "Excluded",
            Self::Progressing => "Progressing",
            Self::Unknown => "Unknown",
        })
    }
}

/// How many nodes of a pool are in which state; the states are not exclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolCounts {
    /// All nodes.
    pub total: usize,
    /// How many there are to be, where that may differ from those that there are: while machines are replaced there
    /// are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired: Option<usize>,
    /// In service now: those that are out of service for the update are not among them.
    pub available: usize,
    /// On the way and not degraded.
    pub progressing: usize,
    /// Not at the target.
    pub outdated: usize,
    /// Being emptied of pods.
    pub draining: usize,
    /// Held back because the pool is paused.
    pub excluded: usize,
    /// Degraded.
    pub degraded: usize,
    /// Whose version cannot be told.
    pub version_unknown: usize,
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unit {
    /// The name.
    pub name: String,
    /// `Node` or `Machine`.
    pub kind: &'static str,
    /// The node of a Machine, where it has one of another name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Its pool; absent when it belongs to none.
    pub pool: Option<String>,
    /// How it is doing.
    pub assessment: UnitAssessment,
    /// Where it is on the way.
    pub phase: Phase,
    /// The version it runs; absent when it cannot be told.
    pub version: Option<String>,
    /// Whether the version it runs is the target.
    pub updated: bool,
    /// Since when it is in its phase, where a source says so.
    pub since: Option<Timestamp>,
    /// How long the phase takes as a rule.
    pub remaining: Remaining,
    /// Whether it is in service. A node that is out of service for the update counts as in service.
    pub available: Condition,
    /// Whether it can take pods, whatever the reason.
    pub in_service: bool,
    /// Whether it cannot be given its configuration.
    pub degraded: Condition,
    /// What there is to say of it, possibly many lines; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The configuration it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_config: Option<String>,
    /// The configuration it should get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desired_config: Option<String>,
    /// What holds up its drain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked_by: Vec<Blocker>,
}

/// A pod that cannot be evicted, and the budget that forbids it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Blocker {
    /// The namespace of both.
    pub namespace: String,
    /// The pod.
    pub pod: String,
    /// The PodDisruptionBudget.
    pub budget: String,
}

/// How a node is doing, worst first: the order is that of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum UnitAssessment {
    /// It cannot be given its configuration.
    Degraded,
    /// It is out of service for no reason of the update.
    Unavailable,
    /// It is on the way.
    Progressing,
    /// It is held back because its pool is paused.
    Excluded,
    /// It waits for its turn.
    Outdated,
    /// It is at the target.
    Completed,
}

impl UnitAssessment {
    /// How a node is doing that is in a phase, in service or not, and degraded or not. One that is out of service for
    /// the update counts as in service.
    #[must_use]
    pub fn of(phase: Phase, available: Truth, degraded: Truth) -> Self {
        match (degraded, available, phase) {
            (Truth::True, _, _) => Self::Degraded,
            (Truth::False | Truth::Unknown, Truth::False, _) => Self::Unavailable,
            (_, _, Phase::Paused) => Self::Excluded,
            (_, _, Phase::Pending | Phase::Unknown) => Self::Outdated,
            (_, _, Phase::Updated) => Self::Completed,
            (_, _, Phase::Draining | Phase::Updating | Phase::Rebooting | Phase::Provisioning | Phase::Deleting) => {
                Self::Progressing
            }
        }
    }
}

impl fmt::Display for UnitAssessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Degraded => "Degraded",
            Self::Unavailable => "Unavailable",
            Self::Progressing => "Progressing",
            Self::Excluded => "Excluded",
            Self::Outdated => "Outdated",
            Self::Completed => "Completed",
        })
    }
}

/// Where a node is on the way: the order is that of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Phase {
    /// It is being emptied of pods.
    Draining,
    /// Its files and its operating system are being changed.
    Updating,
    /// It restarts.
    Rebooting,
    /// Its machine is being made.
    Provisioning,
    /// Its machine is being taken away.
    Deleting,
    /// Its pool is paused.
    Paused,
    /// It waits for its turn.
    Pending,
    /// It is at the target.
    Updated,
    /// It cannot be told.
    Unknown,
}

impl Phase {
    /// Whether something is done to a node in this phase.
    #[must_use]
    pub fn moves(self) -> bool {
        match self {
            Self::Draining | Self::Updating | Self::Rebooting | Self::Provisioning | Self::Deleting => true,
            Self::Paused | Self::Pending | Self::Updated | Self::Unknown => false,
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draining => "Draining",
            Self::Updating => "Updating",
            Self::Rebooting => "Rebooting",
            Self::Provisioning => "Provisioning",
            Self::Deleting => "Deleting",
            Self::Paused => "Paused",
            Self::Pending => "Pending",
            Self::Updated => "Updated",
            Self::Unknown => "Unknown",
        })
    }
}

/// How long a node's phase takes as a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remaining {
    /// Nothing is left to do.
    Nothing,
    /// It cannot be told.
    Unknown,
    /// About this many minutes.
    Minutes(u8),
}

impl fmt::Display for Remaining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("-"),
            Self::Unknown => f.write_str("?"),
            Self::Minutes(minutes) => write!(f, "+{minutes}m"),
        }
    }
}

impl Serialize for Remaining {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_str("0m"),
            Self::Unknown => serializer.serialize_none(),
            Self::Minutes(minutes) => serializer.collect_str(&format_args!("{minutes}m")),
        }
    }
}

/// Whether alerts were seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alerts {
    /// Whether an answer of Prometheus was read.
    pub available: bool,
    /// Why not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
}
