//! Assessing a hosted cluster of HyperShift (update-status-api.md, 6.2): an inventory of its management cluster in, the
//! same `Report` out as for every other form.
//!
//! Two sides update one after the other, the pods of the control plane on the management cluster and what runs in the
//! guest; pools of nodes follow when they are asked to. Each is told as far as it was seen.

mod components;
mod course;
mod crowd;
mod gaps;
mod health;
mod hosts;
mod pool;
mod release;
mod stall;
mod unit;
mod world;

use std::collections::BTreeMap;

use headway_api::hypershift::HostedCluster;
use headway_api::meta::ConditionStatus;
use headway_api::openshift::History;
use headway_api::report::{
    Activity, Alerts, Assessment, Change, Cluster, Component, Condition, Counted, Estimate, EstimateState, Form,
    Report, Seconds, Tally, Truth, Versions, WaitingOn,
};
use jiff::SignedDuration;

use self::components::ComponentView;
use self::course::{Course, Parts, Stage, Verdict};
pub use self::hosts::Hosts;
use self::pool::{Doing, PoolView};
use self::world::World;
use super::health::finish;
use super::names::first_few;
use super::nodes::condition;
use super::{on_one_line, outcome, said, share, span};
use crate::preview::Inventory;

/// All that is found out about one hosted cluster before it is told.
struct Scene<'s, 'a> {
    world: &'s World<'a>,
    course: &'s Course<'a>,
    verdict: &'s Verdict,
    components: &'s [ComponentView<'a>],
    /// The report of the guest's operators, where they were seen.
    guest: Option<&'s Report>,
    pools: &'s [PoolView<'s>],
    parts: Parts,
    activity: Activity,
}

/// The report of one hosted cluster of an inventory.
#[must_use]
pub fn report(inventory: &Inventory, cluster: &HostedCluster) -> Report {
    report_of_many(inventory, &Hosts::of(inventory), cluster)
}

/// The report of one of many hosted clusters of an inventory, the objects of all of which were looked up.
#[must_use]
pub fn report_of_many(inventory: &Inventory, hosts: &Hosts<'_>, cluster: &HostedCluster) -> Report {
    let world = World::new(inventory, hosts, cluster);
    let course = Course::of(&world);
    let components = components::view(&world, &course);
    let guest = components::of_guest(&world, &course);
    let lags = course.guest_lags(&world);
    let parts = components::parts(&components, guest.as_ref(), lags);
    let verdict = course::stage(&world, &course, parts);
    let pools = pool::view(&world, &course, verdict.stage);
    let scene = Scene {
        world: &world,
        course: &course,
        verdict: &verdict,
        components: &components,
        guest: guest.as_ref(),
        pools: &pools,
        parts,
        activity: activity(&world, verdict.stage, &pools),
    };
    let assessment = assessment(&scene);
    let insights = finish(health::found(&scene, assessment));
    let gaps = gaps::gaps(&world, &course, &pools);
    let rows = components::rows(&components, guest.as_ref(), lags);
    Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: inventory.moment.at,
        clock: inventory.moment.clock.into(),
        outcome: outcome(assessment, scene.activity, &insights, &gaps),
        activity: scene.activity,
        cluster: tell(&scene, assessment, &rows),
        waiting_on: waiting_on(&scene, &rows),
        hints: hints(&scene),
        components: rows,
        units: pools.iter().flat_map(|pool| pool.units.iter().cloned()).collect(),
        pools: pools.iter().map(|pool| pool.told.clone()).collect(),
        insights,
        alerts: Alerts { available: false, message: "alerts are not asked for by hosted clusters".into() },
        gaps,
    }
}

/// Whether anything is being updated. Not seeing is not the same as seeing that nothing is.
fn activity(world: &World<'_>, stage: Stage, pools: &[PoolView<'_>]) -> Activity {
    let sees_pools = world.inventory.seen.node_pools && pools.iter().all(|pool| pool.doing != Doing::Unknown);
    match stage {
        _ if pools.iter().any(PoolView::is_updating) => Activity::Updating,
        Stage::Accepted
        | Stage::ControlPlaneRollingOut
        | Stage::ClusterVersionProgressing
        | Stage::Blocked
        | Stage::Paused => Activity::Updating,
        Stage::NotProgressing if sees_pools => Activity::NotUpdating,
        Stage::NotProgressing | Stage::Unknown => Activity::Unknown,
    }
}

/// How long the guest's operators may fail before that is worth a word: shorter spells come and go.
const FAILING_GRACE: SignedDuration = SignedDuration::from_mins(5);

/// How the control plane's update goes, in a word for people.
fn assessment(scene: &Scene<'_, '_>) -> Assessment {
    let failing = health::failing(scene.world);
    let fails = failing.is_some_and(|told| scene.world.lasts(told.last_transition_time, FAILING_GRACE));
    match scene.verdict.stage {
        Stage::NotProgressing => Assessment::Completed,
        Stage::Unknown => Assessment::Unknown,
        Stage::Paused => Assessment::Paused,
        Stage::Blocked => Assessment::Degraded,
        Stage::Accepted | Stage::ControlPlaneRollingOut | Stage::ClusterVersionProgressing => {
            if stall::since(scene).is_some() {
                Assessment::Stalled
            } else if fails {
                Assessment::Degraded
            } else if scene.course.change() != Change::MultiArchitecture
                && left(scene).is_some_and(|left| left < SignedDuration::ZERO)
            {
                Assessment::ProgressingSlow
            } else {
                Assessment::Progressing
            }
        }
    }
}

/// What is left of the update, by how long it takes as a rule.
fn left(scene: &Scene<'_, '_>) -> Option<SignedDuration> {
    let baseline = scene.course.baseline(scene.verdict.stage).filter(|_| scene.verdict.stage.moves())?;
    let (started, _) = scene.course.span();
    Some(baseline.saturating_sub(span::between(scene.world.now(), started?)))
}

fn tell(scene: &Scene<'_, '_>, assessment: Assessment, rows: &[Component]) -> Cluster {
    let Scene { world, course, verdict, components, guest, parts, .. } = scene;
    let metadata = &world.cluster.metadata;
    let (started_at, completed_at) = course.span();
    let completed_at = completed_at.filter(|_| verdict.stage == Stage::NotProgressing);
    let until = completed_at.unwrap_or(world.now());
    let status = match verdict.stage {
        stage if stage.moves() => Truth::True,
        Stage::Unknown => Truth::Unknown,
        _ => Truth::False,
    };
    Cluster {
        name: Some(metadata.name.clone()).filter(|name| !name.is_empty()),
        namespace: Some(metadata.namespace.clone()).filter(|namespace| !namespace.is_empty()),
        form: Form::Hosted,
        updating: condition(status, verdict.stage.reason(), verdict.message.clone(), verdict.since),
        healthy: healthy(world),
        assessment,
        versions: versions(scene, rows),
        completion_percent: completion(verdict.stage, *parts),
        tally: tally(verdict.stage, *parts),
        operators: components::count(components, *guest, course.guest_lags(world)),
        started_at,
        completed_at,
        duration_seconds: started_at
            .filter(|_| verdict.stage != Stage::Unknown)
            .map(|at| Seconds(span::between(until, at).max(SignedDuration::ZERO))),
        estimate: estimate(scene),
    }
}

/// The parts of the control plane that are done, in percent of those that were seen. All of it is done only when both
/// histories say so.
fn completion(stage: Stage, parts: Parts) -> Option<u8> {
    match stage {
        Stage::NotProgressing => Some(100),
        Stage::Accepted => Some(0),
        Stage::Unknown if parts.total() == 0 => None,
        Stage::ControlPlaneRollingOut
        | Stage::ClusterVersionProgressing
        | Stage::Blocked
        | Stage::Paused
        | Stage::Unknown => share::percent(parts.done(), parts.total(), 99),
    }
}

/// The parts that the same counts, where it counts any.
fn tally(stage: Stage, parts: Parts) -> Option<Tally> {
    let done = match stage {
        Stage::NotProgressing => return None,
        Stage::Accepted => 0,
        Stage::ControlPlaneRollingOut
        | Stage::ClusterVersionProgressing
        | Stage::Blocked
        | Stage::Paused
        | Stage::Unknown => parts.done(),
    };
    let total = parts.total();
    (total > 0).then_some(Tally { of: Counted::Components, done, total })
}

fn estimate(scene: &Scene<'_, '_>) -> Option<Estimate> {
    const LATE: SignedDuration = SignedDuration::from_mins(-10);
    let left = left(scene)?;
    let total = scene.course.baseline(scene.verdict.stage)?;
    let state = if scene.course.change() == Change::MultiArchitecture {
        EstimateState::NotForMultiArchitecture
    } else if left < LATE {
        EstimateState::Overdue
    } else {
        EstimateState::Known
    };
    let ends = scene.world.now().checked_add(left.max(SignedDuration::ZERO)).ok();
    Some(Estimate {
        state,
        remaining_seconds: left.as_secs(),
        total_seconds: span::truncated(total, SignedDuration::from_mins(1)).as_secs(),
        completed_at: ends.filter(|_| state == EstimateState::Known),
    })
}

/// Conditions of a HostedCluster that are False when it is not well.
const HEALTH: [&str; 6] = [
    "Available",
    "KubeAPIServerAvailable",
    "EtcdAvailable",
    "InfrastructureReady",
    "IgnitionEndpointAvailable",
    "ClusterVersionSucceeding",
];

fn healthy(world: &World<'_>) -> Condition {
    let bad =
        ["Degraded", "ClusterVersionFailing"].into_iter().find_map(|kind| world.says(kind, ConditionStatus::True));
    let unwell = HEALTH.into_iter().find_map(|kind| world.says(kind, ConditionStatus::False));
    match (unwell.or(bad), world.cluster.status.condition("Available").map(|told| told.status)) {
        (Some(told), _) => condition(Truth::False, &told.kind, said(told), told.last_transition_time),
        (None, Some(ConditionStatus::True)) => condition(Truth::True, "AsExpected", String::new(), None),
        (None, _) => condition(Truth::Unknown, "CannotDetermine", "Available is missing or unknown".into(), None),
    }
}

fn versions(scene: &Scene<'_, '_>, rows: &[Component]) -> Versions {
    let Scene { course, pools, verdict, .. } = scene;
    let before = course.before();
    let is_first = course.history().len() == 1 && course.asked.is_none();
    let is_installation = is_first && !course.history().iter().all(History::is_completed);
    let mut operators: BTreeMap<String, usize> = BTreeMap::new();
    for version in rows.iter().filter_map(|row| row.version.clone()) {
        *operators.entry(version).or_default() += 1;
    }
    let mut nodes: BTreeMap<String, usize> = BTreeMap::new();
    for pool in pools.iter() {
        let told = &pool.object.status.nodes_info.node_versions;
        let of_pool = told.iter().filter(|it| !it.ocp_version.is_empty());
        for version in of_pool {
            *nodes.entry(version.ocp_version.clone()).or_default() += usize::try_from(version.nodes()).unwrap_or(0);
        }
        let units = pool.units.iter().filter(|_| told.is_empty()).filter_map(|unit| unit.version.clone());
        for version in units {
            *nodes.entry(version).or_default() += 1;
        }
    }
    Versions {
        target: course.target().map(str::to_owned),
        previous: before.map(|entry| entry.version.clone()).filter(|version| !version.is_empty()),
        change: if is_installation { Change::Installation } else { course.change() },
        previous_is_partial: before.is_some_and(History::is_partial) && verdict.stage != Stage::NotProgressing,
        architecture: course.architecture().map(str::to_owned),
        operators,
        nodes,
        plan: Vec::new(),
        position: None,
    }
}

/// What the update waits on, the gravest first.
fn waiting_on(scene: &Scene<'_, '_>, rows: &[Component]) -> Vec<WaitingOn> {
    let Scene { course, verdict, pools, .. } = scene;
    let mut all = Vec::new();
    let of_cluster =
        |what: &str| WaitingOn { what: what.into(), message: verdict.message.clone(), since: verdict.since };
    match verdict.stage {
        Stage::Blocked => all.push(of_cluster("the release that was asked for, which is refused")),
        Stage::Paused => all.push(of_cluster("the end of a pause")),
        Stage::Accepted => all.push(of_cluster("the HyperShift operator")),
        Stage::ControlPlaneRollingOut | Stage::ClusterVersionProgressing => {
            let left: Vec<&Component> = rows.iter().filter(|row| row.updating.reason != "Updated").collect();
            if let Some(first) = left.first() {
                let names: Vec<&str> = left.iter().map(|row| row.name.as_str()).collect();
                let (what, verb) = match left.len() {
                    1 => ("1 component".to_owned(), "is"),
                    several => (format!("{several} components"), "are"),
                };
                let why = on_one_line(&first.updating.message);
                let why = match (why.is_empty(), left.len()) {
                    (true, _) => String::new(),
                    (false, 1) => format!(": {why}"),
                    (false, _) => format!("; {}: {why}", first.name),
                };
                let to = course.target().unwrap_or_default();
                all.push(WaitingOn {
                    what,
                    message: format!("{} {verb} not at {to} yet{why}", first_few(&names)),
                    since: left.iter().filter_map(|row| row.updating.since).min(),
                });
            }
        }
        Stage::NotProgressing | Stage::Unknown => {}
    }
    for pool in pools.iter().filter(|pool| pool.is_updating()) {
        let told = &pool.told.updating;
        let what = format!("pool {}", pool.told.name);
        let message = format!("{what}: {}", told.message);
        all.push(WaitingOn { what, message, since: told.since });
    }
    all
}

/// Remarks that are neither progress nor trouble.
fn hints(scene: &Scene<'_, '_>) -> Vec<String> {
    let Scene { world, course, verdict, pools, .. } = scene;
    let mut all = Vec::new();
    if world.cluster.metadata.deletion_timestamp.is_some() {
        all.push("The HostedCluster is being deleted: what goes is no update.".into());
    }
    if verdict.stage == Stage::NotProgressing {
        // A known fault of its operator, whose word stays behind (cases A33).
        if world.says("Progressing", ConditionStatus::True).is_some() {
            all.push("The HostedCluster still says that it is progressing, although both of its histories and all components that were seen say that it is done: a known fault of HyperShift, not an update.".into());
        }
        if let Some(paused) = world.paused() {
            all.push(format!("The HostedCluster is paused ({paused}): nothing that is asked of it now is done."));
        }
    }
    if let (Some(pods), Some(guest)) = (course.target_of_pods(), course.target_of_guest())
        && pods != guest
        && !course.guest_lags(world)
    {
        all.push(format!("The pods of the control plane are to be at {pods}, and the guest at {guest}."));
    }
    for pool in pools.iter() {
        let name = &pool.told.name;
        match pool.doing {
            Doing::Configuration => all.push(format!(
                "NodePool {name} is rolling out a configuration change, not a version update."
            )),
            Doing::ConfigurationPending => all.push(format!(
                "NodePool {name} has a configuration change pending that is not rolled out; its version stays as it is."
            )),
            Doing::Behind => all.push(format!(
                "NodePool {name} stays at {} until somebody sets its release: pools of hosted clusters update on their own.",
                pool.version
            )),
            _ => {}
        }
    }
    all
}
