//! The `Fleet`: the clusters that a management cluster keeps, a flat row each, for tables and scripts.
//!
//! Made of `Report`s by `core::fleet` and nowhere else. Times and absent fields are as in a `Report`.

use jiff::Timestamp;
use serde::Serialize;

use crate::gap::Gap;
use crate::insight::Level;
use crate::report::{Activity, Assessment, ClockSource, Form, Outcome, Position};

/// The clusters that a management cluster keeps (`headway.dev/v1alpha1`, kind `Fleet`).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Fleet {
    /// Always [`crate::REPORT_API_VERSION`].
    pub api_version: &'static str,
    /// Always `Fleet`.
    pub kind: &'static str,
    /// The moment at which everything is judged.
    pub observed_at: Timestamp,
    /// Where that moment comes from.
    pub clock: ClockSource,
    /// The gravest answer of all rows.
    pub outcome: Outcome,
    /// The clusters, in the order that was asked for.
    pub items: Vec<Row>,
    /// What was not observed.
    pub gaps: Vec<Gap>,
}

/// One cluster of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The namespace of the HostedCluster or Cluster; empty where a file says none.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Which kind of cluster it is.
    pub form: Form,
    /// The whole answer in one word.
    pub outcome: Outcome,
    /// Whether it is updating at all, workers included.
    pub activity: Activity,
    /// How the control plane's update goes.
    pub assessment: Assessment,
    /// The version that it had.
    pub from: Option<String>,
    /// The version that it is to have.
    pub to: Option<String>,
    /// The versions that the control plane has yet to visit, the one that is under way first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// Which step is under way, of how many in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// How far it is, in percent, as in the cluster's report.
    pub completion_percent: Option<u8>,
    /// Machines at their version, of the pools that tell.
    pub machines_done: Option<usize>,
    /// How many machines those pools are to have.
    pub machines_desired: Option<usize>,
    /// The level of the gravest insight; absent where nothing is wrong.
    pub worst_level: Option<Level>,
    /// Its one line.
    pub worst_summary: Option<String>,
    /// How many insights there are.
    pub attention: usize,
    /// What the update waits on first, in one line.
    pub waiting_on: Option<String>,
    /// When the update began; when none runs, the last one.
    pub started_at: Option<Timestamp>,
    /// Since when it stands so: since when the gravest insight holds, if it is more than information; otherwise since
    /// when the update runs, or when the last one was complete.
    pub since: Option<Timestamp>,
}
