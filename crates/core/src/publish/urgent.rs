//! What is told at once and what can wait: health and turning points are urgent, progress is not (5.5).

use std::collections::BTreeSet;

use headway_api::update::status::Status;
use headway_api::update::word::{Level, Word};

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
