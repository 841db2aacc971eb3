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
    let of_plane = status.control_plane.iter().flat_map(|plane| &plane.informers);
    let of_plane = of_plane.flat_map(|informer| &informer.insights);
    let of_plane = of_plane.filter_map(|i| Some((i.uid.as_str(), &i.insight.health.as_ref()?.impact.level)));
    let of_pools = status.worker_pools.iter().flat_map(|pool| &pool.informers);
    let of_pools = of_pools.flat_map(|informer| &informer.insights);
    let of_pools = of_pools.filter_map(|i| Some((i.uid.as_str(), &i.insight.health.as_ref()?.impact.level)));
    of_plane.chain(of_pools).collect()
}
