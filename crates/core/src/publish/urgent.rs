//! What is told at once and what can wait: health and turning points are urgent, progress is not (5.5).

use std::collections::BTreeSet;

use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::word::{Level, Word};

use super::status::differs;
use crate::pace::Change;

/// How a newer status differs from what was written.
#[must_use]
pub fn change(new: &Status, old: &Status) -> Change {
    if !differs(new, old) {
        Change::None
    } else if is_urgent(new, old) {
        Change::Health
    } else {
        Change::Progress
    }
}

/// How the newer details of a pool differ from what was written. Nobody waits for them.
#[must_use]
pub fn shard_change(new: &PoolNodes, old: &PoolNodes) -> Change {
    let same = PoolNodes { observed: new.observed.clone(), ..old.clone() };
    if *new == same { Change::None } else { Change::Progress }
}

/// Whether somebody waits for what the newer status tells: a finding came, went or changed its level, a condition
/// turned, or a pool or the control plane came to its end.
#[must_use]
pub fn is_urgent(new: &Status, old: &Status) -> bool {
    turns(new) != turns(old) || findings(new) != findings(old)
}

/// The words that turn when something begins or ends.
fn turns(status: &Status) -> BTreeSet<String> {
    let conditions = status.conditions.iter();
    let mut all: BTreeSet<String> = conditions.map(|c| format!("{}={:?}/{}", c.kind, c.status, c.reason)).collect();
    if let Some(summary) = &status.summary {
        all.insert(format!("assessment={}", summary.assessment));
        all.insert(format!("pending={:?}", summary.pools_pending));
    }
    all
}

/// The findings, each with its level.
fn findings(status: &Status) -> BTreeSet<(&str, &Word<Level>)> {
    status.findings().map(|(uid, told)| (uid, &told.impact.level)).collect()
}
