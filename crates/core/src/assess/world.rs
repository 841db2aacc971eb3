//! What every rule looks things up in: the snapshot, the policy, and the few facts that all of them share.

use std::cell::Cell;
use std::collections::BTreeMap;

use headway_api::meta::{Condition, ConditionStatus};
use headway_api::openshift::{ClusterVersion, History};
use jiff::{SignedDuration, Timestamp};

use super::span;
use crate::inform::Source;
use crate::memory::Memory;
use crate::snapshot::Snapshot;

/// By whose rules a snapshot is assessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Ours.
    Headway,
    /// Those of `oc adm upgrade status`, mistakes included (status-openshift.md).
    Oc {
        /// The clock of the grace periods of node conditions, which is the wall clock for the peer (8.4).
        grace: Timestamp,
    },
}

/// The snapshot with what all rules derive from it.
pub(super) struct World<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) rules: Rules,
    pub(super) now: Timestamp,
    /// The earliest moment to come at which some threshold that was asked for is passed.
    next: Cell<Option<Timestamp>>,
}

impl<'a> World<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, rules: Rules) -> Self {
        Self { snapshot, rules, now: snapshot.moment.at, next: Cell::new(None) }
    }

    /// Whether the peer's rules apply.
    pub(super) fn as_oc(&self) -> bool {
        matches!(self.rules, Rules::Oc { .. })
    }

    /// The ClusterVersion.
    pub(super) fn cv(&self) -> Option<&'a ClusterVersion> {
        self.snapshot.cluster_version.as_ref()
    }

    /// The ClusterVersion's history, newest first; empty without one.
    pub(super) fn history(&self) -> &'a [History] {
        self.cv().map_or(&[], |cv| &cv.status.history)
    }

    /// The newest entry of the history.
    pub(super) fn latest(&self) -> Option<&'a History> {
        self.history().first()
    }

    /// A condition of the ClusterVersion: the first of a type counts (2.2).
    pub(super) fn cv_condition(&self, kind: &str) -> Option<&'a Condition> {
        self.cv()?.status.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// Status of the ClusterVersion's `Progressing`, if it has one.
    pub(super) fn progressing(&self) -> Option<ConditionStatus> {
        self.cv_condition("Progressing").map(|condition| condition.status)
    }

    /// Whether the ClusterVersion says of itself that its update is over (3.1).
    pub(super) fn says_done(&self) -> bool {
        let ended = self.latest().is_some_and(|entry| entry.is_completed() && entry.completion_time.is_some());
        ended && self.progressing() == Some(ConditionStatus::False)
    }

    /// The version that nodes are to have (5.2): that of the newest history entry.
    pub(super) fn node_target(&self) -> Option<&'a str> {
        self.latest().map(|entry| entry.version.as_str()).filter(|version| !version.is_empty())
    }

    /// The version that operators are to have (6.2).
    pub(super) fn operator_target(&self) -> &'a str {
        self.cv().map_or("", |cv| cv.status.desired.version.as_str())
    }

    /// Whether the newest two entries have one version and two images (6.5).
    pub(super) fn same_version_other_image(&self) -> bool {
        match self.history() {
            [new, old, ..] => new.version == old.version && new.image != old.image,
            _ => false,
        }
    }

    /// Whether nodes are compared by configuration rather than by version, which does not change (3.4, `multiArch`).
    pub(super) fn compares_configs(&self) -> bool {
        self.same_version_other_image() && self.progressing() == Some(ConditionStatus::True)
    }

    /// The version of a rendered configuration (5.2).
    pub(super) fn version_of(&self, config: Option<&str>) -> Option<&'a str> {
        let version = self.snapshot.machine_configs.get(config.unwrap_or_default())?;
        version.as_deref().filter(|version| !version.is_empty())
    }

    /// What was observed before.
    pub(super) fn memory(&self) -> &'a Memory {
        &self.snapshot.memory
    }

    /// Whether a moment that a source tells of is more than `limit` ago. What a silent source told ages no further.
    pub(super) fn past(&self, source: Source, at: Timestamp, limit: SignedDuration) -> bool {
        self.reached(source, at, limit.saturating_add(SignedDuration::from_nanos(1)))
    }

    /// Whether a moment that a source tells of is `limit` ago or more.
    pub(super) fn reached(&self, source: Source, at: Timestamp, limit: SignedDuration) -> bool {
        let heard = self.snapshot.as_of.get(&source).copied();
        let reached = span::between(heard.unwrap_or(self.now).min(self.now), at) >= limit;
        if !reached && heard.is_none() {
            self.look_again(at.saturating_add(limit).unwrap_or(Timestamp::MAX));
        }
        reached
    }

    /// As [`World::past`]; a moment that is not known is not past.
    pub(super) fn is_past(&self, source: Source, at: Option<Timestamp>, limit: SignedDuration) -> bool {
        at.is_some_and(|at| self.past(source, at, limit))
    }

    /// Says that the answer may be another from this moment on, without any event.
    pub(super) fn look_again(&self, at: Timestamp) {
        if at > self.now {
            self.next.set(Some(self.next.get().map_or(at, |known| known.min(at))));
        }
    }

    /// When the answer may be another although nothing happens.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.next.get()
    }
}

/// Conditions by type: of several of a type the last one counts, as on ClusterOperators (2.2).
pub(super) fn last_by_type(conditions: &[Condition]) -> BTreeMap<&str, &Condition> {
    conditions.iter().map(|condition| (condition.kind.as_str(), condition)).collect()
}
