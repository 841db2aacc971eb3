//! Memory: what only somebody who watches can know, because no object tells it.
//!
//! When a node was seen to enter its phase, since when an insight is there and how often it came, how often a condition
//! changed. It is part of the snapshot: the rules read it and never write it. After each look [`Memory::remember`]
//! brings it up to date, and it is stored in our own objects, so that it survives a restart (update-status-api.md,
//! 3.8, D5, D9).
//!
//! What is not known stays unknown: of a node that was draining when the watch began it is known since when it has been
//! seen, and not since when it drains.

mod changes;
mod insights;

use std::collections::BTreeMap;

use headway_api::insight::Rule;
use headway_api::report::{self, Phase, Report, Truth, Unit};
use jiff::{SignedDuration, Timestamp};

pub use self::changes::{FLAP_WINDOW, FLAPS, Subject};
pub use self::insights::{Gone, Known};
use crate::assess::Look;
use crate::snapshot::Snapshot;

/// How long an insight that went is remembered: if it returns within this time, it is the same one again.
pub const GONE_WINDOW: SignedDuration = SignedDuration::from_mins(30);

/// What was observed before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The insights that were there at the last look, by uid.
    pub insights: BTreeMap<String, Known>,
    /// Insights that went less than [`GONE_WINDOW`] ago, by uid.
    pub gone: BTreeMap<String, Gone>,
    /// The nodes at the last look.
    pub nodes: BTreeMap<String, NodeKnown>,
    /// Conditions of ours that no source dates, by a key such as `pool/worker/Updating`.
    pub conditions: BTreeMap<String, ConditionKnown>,
    /// When conditions of the sources changed, oldest first, within [`FLAP_WINDOW`].
    pub changes: BTreeMap<Subject, Vec<Timestamp>>,
    /// The last progress seen.
    pub progress: Option<Progress>,
    /// Whether the cluster was updating, by the last look that no contradiction spoilt.
    pub updating: Option<report::Condition>,
    /// Since when the ClusterVersion contradicts itself.
    pub contradiction_since: Option<Timestamp>,
    /// When the last look was; `None` before the first.
    pub looked_at: Option<Timestamp>,
    /// When all nodes were last looked at, so that one that is not in `nodes` came later; `None` while that is not
    /// known. What is read back tells less than `looked_at` where the details of a pool were not written any more, or
    /// never are.
    pub nodes_at: Option<Timestamp>,
}

/// A node at the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeKnown {
    /// Its phase.
    pub phase: Phase,
    /// When it was seen to enter the phase; `None` when it was in it already as the watch began.
    pub since: Option<Timestamp>,
    /// When it was first seen in the phase.
    pub first_seen: Timestamp,
    /// Since when it is seen out of service.
    pub unavailable_since: Option<Timestamp>,
    /// Since when it is seen degraded.
    pub degraded_since: Option<Timestamp>,
}

/// A condition of ours at the last look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionKnown {
    /// Its status.
    pub status: Truth,
    /// Its reason.
    pub reason: String,
    /// Since when both are seen.
    pub since: Timestamp,
}

/// How far an update was when it last moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The version that it goes to.
    pub target: String,
    /// How many operators were updated.
    pub updated: usize,
    /// When the last of them was seen to become so; `None` while none was seen to.
    pub at: Option<Timestamp>,
}

impl Memory {
    /// When an operator was last seen to reach a version.
    #[must_use]
    pub fn progress_of(&self, target: &str) -> Option<Timestamp> {
        self.progress.as_ref().filter(|progress| progress.target == target).and_then(|progress| progress.at)
    }

    /// Takes in what the sources say, before a look at it.
    pub fn observe(&mut self, snapshot: &Snapshot) {
        changes::observe(&mut self.changes, snapshot);
    }

    /// Takes in what a look found, and completes its report with what is remembered. What rules that were blind found
    /// before is kept as it was.
    pub fn remember(&mut self, look: &mut Look, blind: &[Rule]) {
        let now = look.report.observed_at;
        self.remember_progress(&look.report);
        match (&look.contradiction, self.contradiction_since) {
            (None, _) => {
                self.contradiction_since = None;
                self.updating = Some(look.report.cluster.updating.clone());
            }
            (Some(_), None) => self.contradiction_since = Some(now),
            (Some(_), Some(_)) => {}
        }
        insights::remember(&mut self.insights, &mut self.gone, &mut look.report, blind);
        self.remember_nodes(&mut look.report.units, now);
        self.remember_conditions(&mut look.report);
        self.looked_at = Some(now);
        self.nodes_at = Some(now);
    }

    /// Takes over what another one remembers: what it saw earlier, and the higher counts. Of what is there it does not
    /// say anything new: that is known from the sources.
    pub fn adopt(&mut self, other: Self) {
        for (uid, theirs) in other.insights {
            insights::adopt(self.insights.entry(uid).or_insert(theirs), &theirs);
        }
        for (uid, theirs) in other.gone {
            self.gone.entry(uid).or_insert(theirs);
        }
        for (name, theirs) in other.nodes {
            let ours = self.nodes.entry(name).or_insert(theirs);
            if ours.phase == theirs.phase {
                ours.since = earlier(ours.since, theirs.since);
                ours.first_seen = ours.first_seen.min(theirs.first_seen);
                ours.unavailable_since =
                    ours.unavailable_since.and(earlier(ours.unavailable_since, theirs.unavailable_since));
                ours.degraded_since = ours.degraded_since.and(earlier(ours.degraded_since, theirs.degraded_since));
            }
        }
        for (key, theirs) in other.conditions {
            let ours = self.conditions.entry(key).or_insert_with(|| theirs.clone());
            if ours.status == theirs.status && ours.reason == theirs.reason {
                ours.since = ours.since.min(theirs.since);
            }
        }
        for (subject, theirs) in other.changes {
            let ours = self.changes.entry(subject).or_default();
            ours.extend(theirs);
            ours.sort_unstable();
            ours.dedup();
        }
        self.progress = self.progress.take().or(other.progress);
        self.updating = self.updating.take().or(other.updating);
        self.contradiction_since =
            self.contradiction_since.and(earlier(self.contradiction_since, other.contradiction_since));
    }

    fn remember_progress(&mut self, report: &Report) {
        let Some(target) = report.cluster.versions.target.clone() else {
            return;
        };
        let updated = report.cluster.operators.updated;
        let at = match &self.progress {
            Some(known) if known.target == target && updated > known.updated => Some(report.observed_at),
            Some(known) if known.target == target => known.at,
            Some(_) | None => None,
        };
        self.progress = Some(Progress { target, updated, at });
    }

    fn remember_nodes(&mut self, units: &mut [Unit], now: Timestamp) {
        let mut before = std::mem::take(&mut self.nodes);
        let began_before = self.nodes_at.is_some();
        for unit in units {
            let known = before.remove(&unit.name);
            let (since, first_seen) = match known {
                Some(known) if known.phase == unit.phase => (known.since.or(unit.since), known.first_seen),
                // A node that came while we watched was not there before; one of the first look may have been.
                Some(_) => (Some(unit.since.unwrap_or(now)), now),
                None if began_before => (Some(unit.since.unwrap_or(now)), now),
                None => (unit.since, now),
            };
            unit.since = unit.since.or(since);
            let lasting = |is: Truth, known: Option<Timestamp>, told: Option<Timestamp>, bad: Truth| {
                (is == bad).then(|| told.or(known).unwrap_or(now))
            };
            let unavailable_since = lasting(
                unit.available.status,
                known.and_then(|known| known.unavailable_since),
                unit.available.since,
                Truth::False,
            );
            let degraded_since = lasting(
                unit.degraded.status,
                known.and_then(|known| known.degraded_since),
                unit.degraded.since,
                Truth::True,
            );
            let known = NodeKnown { phase: unit.phase, since, first_seen, unavailable_since, degraded_since };
            self.nodes.insert(unit.name.clone(), known);
        }
    }

    /// Dates the conditions that no source dates: since when status and reason are what they are.
    fn remember_conditions(&mut self, report: &mut Report) {
        let now = report.observed_at;
        let before = std::mem::take(&mut self.conditions);
        let mut date = |key: String, condition: &report::Condition| {
            let same =
                before.get(&key).filter(|known| known.status == condition.status && known.reason == condition.reason);
            let since = condition.since.unwrap_or_else(|| same.map_or(now, |known| known.since));
            let known = ConditionKnown { status: condition.status, reason: condition.reason.clone(), since };
            self.conditions.insert(key, known);
        };
        date("cluster/Updating".into(), &report.cluster.updating);
        date("cluster/Healthy".into(), &report.cluster.healthy);
        for component in &report.components {
            date(format!("component/{}/Updating", component.name), &component.updating);
            date(format!("component/{}/Healthy", component.name), &component.healthy);
        }
        for pool in &report.pools {
            date(format!("pool/{}/Updating", pool.name), &pool.updating);
            date(format!("pool/{}/Healthy", pool.name), &pool.healthy);
        }
    }
}

/// The earlier of two moments, as far as they are known.
fn earlier(one: Option<Timestamp>, other: Option<Timestamp>) -> Option<Timestamp> {
    [one, other].into_iter().flatten().min()
}
