//! The whole answer in a few flat fields, and the conditions that clients wait for.

use headway_api::insight::{self, Insight};
use headway_api::report::{self, Activity, Assessment, Outcome, Pool, PoolAssessment, Position, Report, Truth};
use headway_api::update::cluster_version::ClusterVersionInsight;
use headway_api::update::limit;
use headway_api::update::summary::{Observed, Summary};
use headway_api::update::word::Word;

use super::level::Level;
use super::place::Seen;
use super::text::{clip, length, number, some};
use super::{Scene, pool, word};
use crate::assess::first_few;
use crate::fleet;

/// When and by whom the status is made.
pub(super) fn observed(scene: &Scene<'_>, level: Level) -> Observed {
    let report = scene.report();
    Observed {
        at: report.observed_at,
        renderer: clip(scene.source.writer.renderer, 128),
        form: Word::Known(word::form(report.cluster.form)),
        clock: Some(Word::Known(word::clock(report.clock))),
        truncation_level: (level > Level::FULL).then(|| level.number()),
    }
}

/// The summary. What it has in common with the insight on the control plane it says in the same words.
pub(super) fn summary(scene: &Scene<'_>, version: &ClusterVersionInsight) -> Summary {
    let report = scene.report();
    let cluster = &report.cluster;
    let row = fleet::row(report);
    let moves = report.activity != Activity::NotUpdating;
    // Where there is but the target, it is what comes next.
    let next = row.plan.first().filter(|next| moves && Some(*next) != cluster.versions.target.as_ref());
    let named = |version: &Option<String>| some(version.as_deref().unwrap_or_default(), length(limit::VERSION));
    Summary {
        form: Word::Known(word::form(cluster.form)),
        outcome: Word::Known(word::outcome(report.outcome)),
        activity: Word::Known(word::activity(report.activity)),
        assessment: version.assessment.clone(),
        from: named(&cluster.versions.previous),
        to: named(&cluster.versions.target),
        step: row
            .position
            .filter(|position| moves && position.of > 1)
            .map(|Position { step, of }| clip(&format!("{step}/{of}"), 16)),
        next: named(&next.cloned()),
        completion: version.completion,
        machines: row
            .machines_done
            .zip(row.machines_desired)
            .map(|(done, desired)| clip(&format!("{done}/{desired}"), 32)),
        started_at: cluster.started_at,
        completed_at: version.completed_at,
        estimated_completed_at: version.estimated_completed_at,
        pools_pending: number(report.pools.iter().filter(|pool| pool.counts.outdated > 0).count()),
        worst_level: report
            .insights
            .iter()
            .map(|insight| insight.level)
            .max()
            .map(|level| Word::Known(word::level(level))),
        worst: row.worst_summary.and_then(|line| some(&line, length(limit::WORST))),
        attention: number(report.insights.len()),
        waiting_on: waiting_on(report).map(|line| clip(&line, 512)),
        since: row.since,
    }
}

/// On whom the update waits, in one line: what is told to hold it, else the operators and the pools that are not where
/// they should be.
pub(super) fn waiting_on(report: &Report) -> Option<String> {
    if let Some(waiting) = report.waiting_on.first() {
        return Some(waiting.message.clone());
    }
    if report.activity != Activity::Updating {
        return None;
    }
    let updating = |status: Truth, reason: &str| {
        let all = report.components.iter().filter(|c| c.updating.status == status && c.updating.reason == reason);
        all.map(|component| component.name.as_str()).collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    for (names, what) in [
        (updating(Truth::True, "Progressing"), "updating"),
        // Who waits for its turn is told of only when nobody is on the way.
        (updating(Truth::False, "Pending"), "pending"),
        (updating(Truth::Unknown, "CannotDetermine"), "unknown"),
    ] {
        if !names.is_empty() {
            parts.push(format!("operators {what}: {}", first_few(&names)));
            break;
        }
    }
    let pools: Vec<String> = report.pools.iter().filter(|pool| pool.counts.outdated > 0).map(line).collect();
    if !pools.is_empty() {
        parts.push(format!("pools: {}", first_few(&pools)));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn line(pool: &Pool) -> String {
    let Pool { name, assessment, counts, .. } = pool;
    let state = match assessment {
        PoolAssessment::Excluded => "paused, ",
        PoolAssessment::Degraded => "degraded, ",
        PoolAssessment::Unknown => "unknown, ",
        PoolAssessment::Empty | PoolAssessment::Completed | PoolAssessment::Pending | PoolAssessment::Progressing => "",
    };
    format!("{name} ({state}{} of {} nodes done)", counts.total - counts.outdated, counts.total)
}

/// Whether the cluster is being updated, workers included.
pub(super) fn updating(report: &Report) -> report::Condition {
    let cluster = &report.cluster.updating;
    let (status, reason) = match report.activity {
        Activity::Updating if cluster.status == Truth::True => (Truth::True, cluster.reason.clone()),
        // Of a fleet's clusters it is told by what they are held.
        Activity::Updating if is_held(report) => (Truth::True, cluster.reason.clone()),
        Activity::Updating => (Truth::True, "NodesOutdated".to_owned()),
        Activity::NotUpdating => (Truth::False, "NotUpdating".to_owned()),
        Activity::Unknown => (Truth::Unknown, "CannotDetermineUpdating".to_owned()),
    };
    let since = cluster.since.filter(|_| status == cluster.status);
    report::Condition { status, reason, message: waiting_on(report).unwrap_or_default(), since }
}

/// Whether the control plane of a cluster that is seen from its management cluster has something left to do.
fn is_held(report: &Report) -> bool {
    Seen::of(report) != Seen::Within && report.cluster.assessment != Assessment::Completed
}

/// The worst that is wrong; none where it is only information.
pub(super) fn trouble(report: &Report) -> Option<&Insight> {
    report.insights.first().filter(|insight| insight.level > insight::Level::Info)
}

/// Whether nothing needs attention.
pub(super) fn healthy(report: &Report) -> report::Condition {
    let (status, reason) = match report.outcome {
        Outcome::NotUpdating | Outcome::Updating => (Truth::True, "AsExpected"),
        Outcome::NeedsAttention => (Truth::False, "NeedsAttention"),
        Outcome::Failing => (Truth::False, "Failing"),
        Outcome::CannotTell => (Truth::Unknown, "CannotTell"),
    };
    let worst = report.insights.first().filter(|_| status != Truth::True);
    let message = worst.map_or(String::new(), |insight| insight.summary.clone());
    report::Condition { status, reason: reason.into(), message, since: None }
}

/// Whether the control plane is updating, its nodes included: the first of its parts that is, then the first of which
/// it cannot be told (update-status-api.md, 3.1).
pub(super) fn control_plane_updating(report: &Report) -> report::Condition {
    let pools = report.pools.iter().filter(|pool| pool::is_control_plane(pool)).map(|pool| &pool.updating);
    let parts: Vec<&report::Condition> = std::iter::once(&report.cluster.updating).chain(pools).collect();
    let of = |status: Truth| parts.iter().find(|part| part.status == status);
    let told = of(Truth::True).or_else(|| of(Truth::Unknown)).copied().unwrap_or(&report.cluster.updating);
    // One line: what the parts say at length they say themselves.
    let message = told.message.lines().next().unwrap_or_default().to_owned();
    report::Condition { message, ..told.clone() }
}
