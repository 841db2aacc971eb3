//! Assessing: one snapshot in, one `Report` out.
//!
//! The report says what is updating, how far it is, how long it will take, and what is wrong. The same snapshot and
//! the same rules give the same report.

mod cluster;
pub mod cluster_api;
mod estimate;
mod gaps;
mod health;
mod hints;
pub mod hosted;
mod line;
mod machine;
mod names;
mod nodes;
mod operators;
mod pools;
mod quote;
mod share;
pub mod span;
mod wanted;
mod world;

use headway_api::gap::Gap;
use headway_api::insight::{Insight, Level};
use headway_api::meta::ConditionStatus;
use headway_api::report::{Activity, Alerts, Assessment, Form, Outcome, Phase, Pool, Report, Truth, Unit};
use jiff::Timestamp;

use self::cluster::ClusterView;
pub(crate) use self::line::on_one_line;
use self::line::said;
pub use self::names::first_few;
use self::pools::PoolViews;
pub(crate) use self::pools::unit_order;
pub use self::wanted::Wanted;
pub use self::world::Rules;
use self::world::World;
use crate::snapshot::{AlertsSeen, Snapshot};

/// Assesses a snapshot.
#[must_use]
pub fn assess(snapshot: &Snapshot, rules: Rules) -> Report {
    look(snapshot, rules).report
}

/// A report, with what a continuous observer needs beside it.
#[derive(Debug, Clone)]
pub struct Look {
    /// The report.
    pub report: Report,
    /// When the same facts may give another report: the first threshold to be passed. `None` when none is ahead.
    pub next: Option<Timestamp>,
    /// What in the ClusterVersion contradicts what else is seen, also while the report still holds on to what was
    /// known before.
    pub contradiction: Option<String>,
}

/// Assesses a snapshot for somebody who will look again.
#[must_use]
pub fn look(snapshot: &Snapshot, rules: Rules) -> Look {
    let world = World::new(snapshot, rules);
    let pools = pools::view(&world);
    let operators = operators::view(&world);
    let cluster = cluster::view(&world, &operators, operators::count(&operators), &pools);
    let activity = activity(&world, &cluster, &pools);
    let drains = if world.as_oc() { Vec::new() } else { health::drains(&world, &pools) };
    let insights = if world.as_oc() && activity == Activity::NotUpdating {
        // The peer stops before it looks at health (4.6).
        Vec::new()
    } else {
        health::insights(&health::Scene {
            world: &world,
            cluster: &cluster,
            operators: &operators,
            pools: &pools,
            drains: &drains,
            activity,
        })
    };
    let gaps = gaps::gaps(&world, &cluster, &operators, &pools);
    let hints = hints::hints(&world, &cluster, &pools, activity);
    let (pools, mut units) = tell(pools);
    for unit in units.iter_mut().filter(|unit| unit.phase == Phase::Draining) {
        unit.blocked_by = health::tell_blockers(&drains, &unit.name);
    }
    let report = Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: snapshot.moment.at,
        clock: snapshot.moment.source,
        outcome: outcome(cluster.told.assessment, activity, &insights, &gaps),
        activity,
        waiting_on: Vec::new(),
        hints,
        components: operators.iter().map(operators::tell).collect(),
        pools,
        units,
        insights,
        alerts: match &snapshot.alerts {
            AlertsSeen::Answer(_) => Alerts { available: true, message: String::new() },
            AlertsSeen::Nothing(why) => Alerts { available: false, message: why.clone() },
        },
        gaps,
        cluster: cluster.told,
    };
    Look { report, next: world.next(), contradiction: cluster.contradiction_seen }
}

/// Puts insights into the order of a report: worst first, equally bad ones newest first.
pub(crate) fn sort(insights: &mut [Insight]) {
    health::sort(insights);
}

/// Why the peer would print no status at all, in its words (status-openshift.md, 4).
#[must_use]
pub fn refusal_of_peer(snapshot: &Snapshot) -> Option<String> {
    let cv = snapshot.cluster_version.as_ref();
    if cv.is_none() || snapshot.operators.is_empty() {
        return Some(
            "no cluster operator information available - you must be connected to an OpenShift version 4 server"
                .to_owned(),
        );
    }
    let progressing = cv.is_some_and(|cv| cv.status.conditions.iter().any(|c| c.kind == "Progressing"));
    if !progressing {
        return Some("no current Progressing info, see `oc describe clusterversion` for more details.".to_owned());
    }
    let bad = snapshot.pools.iter().find(|pool| pool.spec.node_selector.as_ref().is_some_and(|s| s.check().is_err()));
    bad.map(|pool| format!("failed to get label selector from the pool: {}", pool.metadata.name))
}

/// The pools, and the rows of all nodes: pool by pool, worst first, then those of no pool.
fn tell(pools: PoolViews<'_>) -> (Vec<Pool>, Vec<Unit>) {
    let mut units = Vec::new();
    let mut told = Vec::new();
    for pool in pools.pools {
        units.extend(pools::sorted_units(pool.nodes));
        told.push(pool.told);
    }
    units.extend(pools::sorted_units(pools.unpooled));
    (told, units)
}

/// The pools of a report, each with its nodes, and the nodes of no pool: the report tells the nodes pool by pool.
#[must_use]
pub fn by_pool(report: &Report) -> (Vec<(&Pool, &[Unit])>, &[Unit]) {
    let mut rest = report.units.as_slice();
    let mut pools = Vec::new();
    for pool in &report.pools {
        // Not by the count alone: a report that was read from our objects may count nodes that are not named.
        let of_pool = |unit: &&Unit| unit.pool.as_deref() == Some(pool.name.as_str());
        let count = rest.iter().take(pool.counts.total).take_while(of_pool).count();
        let (own, others) = rest.split_at(count);
        pools.push((pool, own));
        rest = others;
    }
    (pools, rest)
}

/// Whether anything is being updated. Not seeing is not the same as seeing that nothing is.
fn activity(world: &World<'_>, cluster: &ClusterView, pools: &PoolViews<'_>) -> Activity {
    if world.as_oc() {
        let workers = pools.pools.iter().filter(|pool| pool.told.name != "master");
        let outdated = workers.filter(|pool| pool.told.counts.total > 0).any(|pool| pool.told.counts.outdated > 0);
        let progressing = world.progressing() == Some(ConditionStatus::True);
        return if progressing || outdated { Activity::Updating } else { Activity::NotUpdating };
    }
    // Nodes whose version cannot be told are no proof that an update goes on: oc_15_3_3.
    let outdated = pools.pools.iter().any(pools::PoolView::has_known_outdated);
    match cluster.told.updating.status {
        Truth::True => Activity::Updating,
        Truth::False | Truth::Unknown if outdated => Activity::Updating,
        Truth::Unknown => Activity::Unknown,
        Truth::False if cluster.completed && sees_nodes(world, cluster) => Activity::NotUpdating,
        Truth::False => Activity::Unknown,
    }
}

/// Whether it was looked which nodes there are and what they run, and it is known what they should.
fn sees_nodes(world: &World<'_>, cluster: &ClusterView) -> bool {
    let seen = world.snapshot.seen;
    let hosted = cluster.told.form == Form::Hosted;
    let versions = seen.machine_configs || world.snapshot.nodes.is_empty();
    seen.nodes && world.node_target().is_some() && (hosted || (seen.pools && versions))
}

/// The whole answer in one word.
fn outcome(assessment: Assessment, activity: Activity, insights: &[Insight], gaps: &[Gap]) -> Outcome {
    let worst = insights.iter().map(|insight| insight.level).max();
    let stuck = |insight: &Insight| {
        insight.level >= Level::Error && insight.impact == headway_api::insight::Impact::UpdateStalled
    };
    let fails = matches!(assessment, Assessment::Stalled | Assessment::Degraded);
    let blind = gaps.iter().any(|gap| gap.kind.is_serious());
    match activity {
        Activity::Unknown => Outcome::CannotTell,
        Activity::NotUpdating if blind => Outcome::CannotTell,
        Activity::NotUpdating if worst >= Some(Level::Warning) => Outcome::NeedsAttention,
        Activity::NotUpdating => Outcome::NotUpdating,
        Activity::Updating if fails || insights.iter().any(stuck) => Outcome::Failing,
        Activity::Updating if worst >= Some(Level::Warning) => Outcome::NeedsAttention,
        // That it goes on is seen; that it goes well is not.
        Activity::Updating if blind => Outcome::CannotTell,
        Activity::Updating => Outcome::Updating,
    }
}
