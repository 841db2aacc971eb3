//! A cluster's report as a flat row.

use headway_api::fleet::Row;
use headway_api::insight::{Insight, Level};
use headway_api::report::{Activity, Cluster, Pool, Report};

/// The row of a report.
#[must_use]
pub fn row(report: &Report) -> Row {
    let Cluster { name, namespace, form, assessment, versions, completion_percent, started_at, completed_at, .. } =
        &report.cluster;
    let worst = worst(&report.insights);
    let (machines_done, machines_desired) = machines(&report.pools).unzip();
    let updating = report.activity == Activity::Updating;
    let trouble = worst.filter(|insight| insight.level > Level::Info);
    Row {
        namespace: namespace.clone().unwrap_or_default(),
        name: name.clone().unwrap_or_default(),
        form: *form,
        outcome: report.outcome,
        activity: report.activity,
        assessment: *assessment,
        from: versions.previous.clone(),
        to: versions.target.clone(),
        plan: versions.plan.clone(),
        position: versions.position,
        completion_percent: *completion_percent,
        machines_done,
        machines_desired,
        worst_level: worst.map(|insight| insight.level),
        worst_summary: worst.map(|insight| insight.summary.clone()),
        attention: report.insights.len(),
        waiting_on: report.waiting_on.first().map(|waiting| waiting.message.clone()),
        started_at: *started_at,
        since: match trouble {
            Some(insight) => insight.since,
            None if updating => *started_at,
            None => *completed_at,
        },
    }
}

/// The gravest insight; of equally grave ones the first that is told.
fn worst(insights: &[Insight]) -> Option<&Insight> {
    insights.iter().rev().max_by_key(|insight| insight.level)
}

/// How many machines are done, of how many that there are to be. New machines beside old ones count for nothing.
fn machines(pools: &[Pool]) -> Option<(usize, usize)> {
    if pools.is_empty() {
        return None;
    }
    let of = |pool: &Pool| {
        let counts = &pool.counts;
        let desired = counts.desired.unwrap_or(counts.total);
        (counts.total.saturating_sub(counts.outdated).min(desired), desired)
    };
    Some(pools.iter().map(of).fold((0, 0), |(done, all), (own, desired)| (done + own, all + desired)))
}
