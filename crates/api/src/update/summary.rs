//! The whole answer in a few flat fields: what fleets collect, and what printer columns show.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::word::{Activity, ClockSource, Form, Level, Outcome, Word};

/// When and by whom the status was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    /// The moment at which everything is judged. Rewritten every few minutes when nothing else changes, so that an old
    /// status can be told from a quiet one.
    ///
    /// Net new.
    pub at: Timestamp,
    /// The program that wrote it, and its version.
    ///
    /// Net new.
    #[schemars(length(max = 128))]
    pub renderer: String,
    /// Which kind of cluster it is.
    ///
    /// Derived: which objects are there.
    pub form: Word<Form>,
    /// Where the moment of judging comes from.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Word<ClockSource>>,
    /// How far the object was cut to keep it small: 0 is not at all. The condition Truncated says it in words.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 9))]
    pub truncation_level: Option<u8>,
}

/// The whole answer, in less than 4 KB.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Which kind of cluster it is.
    ///
    /// Derived: which objects are there.
    pub form: Word<Form>,
    /// The whole answer in one word.
    ///
    /// Derived.
    pub outcome: Word<Outcome>,
    /// Whether anything is being updated, workers included.
    ///
    /// Derived.
    pub activity: Word<Activity>,
    /// How the control plane's update goes, for people.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::ASSESSMENT))]
    pub assessment: String,
    /// The version that the cluster had.
    ///
    /// Copied: ClusterVersion status.history\[1\].version, or the HostedCluster's; of a Cluster the oldest that runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub from: Option<String>,
    /// The version that the cluster is to have.
    ///
    /// Copied: ClusterVersion status.history\[0\].version, or the HostedCluster's; of a Cluster, its topology or control
    /// plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub to: Option<String>,
    /// Which step is under way, of how many in all: `2/4`. Absent where there is but one, and when none is under way.
    ///
    /// Derived: the versions that were visited and those that are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 16))]
    pub step: Option<String>,
    /// The version that the step under way leads to, where that is not the last one.
    ///
    /// Derived: the versions that are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::VERSION))]
    pub next: Option<String>,
    /// Operators at the target version, in percent; of the other forms components, or machines of the step under way.
    ///
    /// Derived: ClusterOperator status.versions, or what else is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    pub completion: Option<u8>,
    /// Nodes or machines that are done, of how many that there are to be: `3/10`.
    ///
    /// Derived: the phases of the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 32))]
    pub machines: Option<String>,
    /// When the update began; when none runs, when the last one did.
    ///
    /// Copied: ClusterVersion status.history\[0\].startedTime, or what else tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When the control plane was complete.
    ///
    /// Copied: ClusterVersion status.history\[0\].completionTime, or the HostedCluster's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// When the control plane should be complete.
    ///
    /// Derived: the duration of the last update, the share of operators that are done, and the last progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_completed_at: Option<Timestamp>,
    /// How many pools, the control plane's included, have nodes that are not at the target.
    ///
    /// Derived: the phases of the nodes.
    pub pools_pending: u32,
    /// The level of the worst insight; absent when there is none.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_level: Option<Word<Level>>,
    /// The one line of the worst insight, possibly cut.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::WORST))]
    pub worst: Option<String>,
    /// How many health insights there are.
    ///
    /// Derived.
    pub attention: u32,
    /// On whom the update waits, in one line; absent when it waits on nobody.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub waiting_on: Option<String>,
    /// Since when it stands so: since when the worst insight holds, if it is more than information; otherwise since when
    /// the update runs, or when the last one was complete.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}
