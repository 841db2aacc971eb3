//! Assessing a cluster of Cluster API (update-status-api.md, 6.3): an inventory of its management cluster in, the same
//! `Report` out as for every other form.
//!
//! Versions, steps and what holds them are [`crate::preview`]'s; here the machines are looked at one by one, for what
//! their nodes run decides what is done.

mod components;
mod course;
mod gaps;
mod health;
mod machine;
mod objects;
mod pool;
mod stall;

use std::collections::BTreeMap;

use headway_api::cluster_api::Cluster as Object;
use headway_api::insight::Rule;
use headway_api::meta::ConditionStatus;
use headway_api::preview::{Hold, HoldKind, StepState, Weight};
use headway_api::report::{
    Activity, Alerts, Assessment, Change, Cluster, Condition, Counted, Form, OperatorCounts, Phase, Report, Seconds,
    Tally, Truth, Versions, WaitingOn,
};
use jiff::{SignedDuration, Timestamp};

use self::course::Course;
use self::pool::PoolView;
use super::health::drain::{self, Evictions};
use super::health::finish;
use super::{outcome, share, span};
use crate::preview::{Belongings, Inventory, Scene, Workload, paused_by};

/// All that is looked at of one cluster.
struct World<'a> {
    inventory: &'a Inventory,
    scene: &'a Scene<'a>,
    workload: Option<&'a Workload>,
    /// Who is evicted in the workload cluster, where that was seen.
    evictions: Option<Evictions<'a>>,
    course: Course,
    paused: Option<&'static str>,
}

impl World<'_> {
    fn now(&self) -> Timestamp {
        self.inventory.moment.at
    }

    /// Whether something has lasted for longer than a limit; what has no beginning has not.
    fn is_past(&self, since: Option<Timestamp>, limit: SignedDuration) -> bool {
        since.is_some_and(|since| span::between(self.now(), since) > limit)
    }
}

/// The report of one cluster of an inventory.
#[must_use]
pub fn report(inventory: &Inventory, cluster: &Object) -> Report {
    of_scene(&Scene::of(inventory, cluster))
}

/// The report of one of many clusters of an inventory, the belongings of all of which were looked up.
#[must_use]
pub fn report_of_many(inventory: &Inventory, belongings: &Belongings<'_>, cluster: &Object) -> Report {
    of_scene(&Scene::with(inventory, cluster, &belongings.of_cluster(cluster)))
}

fn of_scene(scene: &Scene<'_>) -> Report {
    let (inventory, cluster) = (scene.inventory, scene.cluster);
    let workload = inventory.workload(&cluster.metadata.namespace, &cluster.metadata.name);
    let world = World {
        inventory,
        scene,
        workload,
        evictions: workload.map(|workload| Evictions::new(&workload.pods, &workload.budgets)),
        course: Course::of(scene),
        paused: pause(cluster),
    };
    let mut pools = pool::view(&world);
    tell_blockers(&world, &mut pools);
    let activity = activity(&world, &pools);
    let gaps = gaps::gaps(&world, &pools);
    let assessment = assessment(&world, &pools, activity);
    let insights = finish(health::found(&world, &pools, activity));
    // That an update fails is seen, even where it is not seen what of it is done.
    let judged = match activity {
        Activity::Unknown if insights.iter().any(|it| it.rule == Rule::ClusterFailing) => Activity::Updating,
        other => other,
    };
    let outcome = outcome(assessment, judged, &insights, &gaps);
    let cluster = tell(&world, &pools, assessment, activity);
    let hints = hints(&world, activity);
    let components = components::tell(&world, &pools);
    let (pools, units): (Vec<_>, Vec<_>) = pools.into_iter().map(|pool| (pool.told, pool.units)).unzip();
    Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: inventory.moment.at,
        clock: inventory.moment.clock.into(),
        outcome,
        activity,
        cluster,
        components,
        pools,
        units: units.into_iter().flatten().collect(),
        insights,
        waiting_on: waiting_on(&world, activity),
        hints,
        alerts: Alerts { available: false, message: "alerts are not asked for by clusters of Cluster API".into() },
        gaps,
    }
}

/// Tells on each machine what holds up its drain.
fn tell_blockers(world: &World<'_>, pools: &mut [PoolView<'_>]) {
    let Some(evictions) = &world.evictions else { return };
    for pool in pools {
        for (unit, machine) in pool.units.iter_mut().zip(&pool.machines) {
            if let Some(node) = machine.status.node_ref.as_ref().filter(|_| unit.phase == Phase::Draining) {
                unit.blocked_by = drain::blockers(evictions.held(&node.name).iter());
            }
        }
    }
}

/// By what the whole cluster is paused.
fn pause(cluster: &Object) -> Option<&'static str> {
    let by_condition = || cluster.status.condition("Paused").filter(|it| it.status == ConditionStatus::True);
    paused_by(cluster).or_else(|| by_condition().map(|_| "its condition Paused"))
}

/// Whether anything is being updated. Not seeing is not the same as seeing that nothing is.
fn activity(world: &World<'_>, pools: &[PoolView<'_>]) -> Activity {
    let outdated = pools.iter().any(PoolView::is_outdated);
    let told = world.scene.cluster.status.condition("TopologyReconciled");
    let is_told = told.is_some_and(|it| it.status == ConditionStatus::False && is_upgrading(&it.reason));
    if outdated || is_told || world.course.is_ahead() || finishing(world) || is_installing(world) {
        return Activity::Updating;
    }
    let control_plane_is_seen = world.scene.control_plane.is_some();
    let sees_all = control_plane_is_seen && gaps::sees_workers(world) && !pools.iter().any(PoolView::is_unknown);
    if sees_all { Activity::NotUpdating } else { Activity::Unknown }
}

/// Whether the control plane was never there: it has no version yet, or no machine of it has come so far as a node.
fn is_installing(world: &World<'_>) -> bool {
    let Some(object) = world.scene.control_plane else { return false };
    let machines = &world.scene.control_plane_machines;
    let has_version = !object.status.version.is_empty() || !object.status.versions.is_empty();
    machines.iter().all(|machine| machine.status.node_ref.is_none()) && (!has_version || !machines.is_empty())
}

/// Whether Cluster API says that the topology is as it is to be; absent where it does not say.
fn is_reconciled(world: &World<'_>) -> Option<bool> {
    let told = world.scene.cluster.status.condition("TopologyReconciled").filter(|_| world.scene.topology.is_some())?;
    Some(told.status == ConditionStatus::True)
}

/// Whether all that is left of an upgrade is its last hook: until that is answered no other can begin (cases B26).
fn finishing(world: &World<'_>) -> bool {
    world.scene.is_pending("AfterClusterUpgrade")
}

/// How the control plane's way goes, in a word for people.
fn assessment(world: &World<'_>, pools: &[PoolView<'_>], activity: Activity) -> Assessment {
    let control_plane = pools.iter().find(|pool| pool.is_control_plane());
    let Some(control_plane) = control_plane else { return Assessment::Unknown };
    let course = &world.course;
    let is_there = !control_plane.is_outdated() && !course.control_plane_is_ahead() && !is_installing(world);
    if activity != Activity::Unknown && is_there && !control_plane.is_unknown() {
        return Assessment::Completed;
    }
    if world.paused.is_some() {
        return Assessment::Paused;
    }
    if is_installing(world) {
        return if control_plane.moves() { Assessment::Progressing } else { Assessment::Pending };
    }
    if holds(world).any(|hold| matches!(hold.kind, HoldKind::ReconcileFailed)) || course.refusal().is_some() {
        return Assessment::Degraded;
    }
    if holds(world).any(|hold| hold.weight == Weight::Stuck) || stall::since(world, pools).is_some() {
        return Assessment::Stalled;
    }
    if control_plane.moves() || course.control_plane_is_rolling() {
        Assessment::Progressing
    } else if activity == Activity::Unknown || (control_plane.is_unknown() && !course.control_plane_is_ahead()) {
        Assessment::Unknown
    } else {
        Assessment::Pending
    }
}

/// What holds the cluster now, by the preview of its upgrade.
fn holds<'w>(world: &'w World<'_>) -> impl Iterator<Item = &'w Hold> {
    let all = world.course.preview.iter().flat_map(|preview| &preview.holds);
    all.filter(|hold| matches!(hold.weight, Weight::Stuck | Weight::Now))
}

/// The same without what is no obstacle: a control plane that is being made for the first time is not well before it is
/// there.
fn obstacles<'w>(world: &'w World<'_>) -> impl Iterator<Item = &'w Hold> {
    let installing = is_installing(world);
    let of_making = |hold: &Hold| matches!(hold.kind, HoldKind::Provisioning | HoldKind::ControlPlaneUnhealthy);
    holds(world).filter(move |hold| !(installing && of_making(hold)))
}

fn tell(world: &World<'_>, pools: &[PoolView<'_>], assessment: Assessment, activity: Activity) -> Cluster {
    let scene = world.scene;
    let metadata = &scene.cluster.metadata;
    let started_at = (activity == Activity::Updating).then(|| began(world)).flatten();
    let tally = tally(world, pools);
    Cluster {
        name: Some(metadata.name.clone()).filter(|name| !name.is_empty()),
        namespace: Some(metadata.namespace.clone()).filter(|namespace| !namespace.is_empty()),
        form: Form::ClusterApi,
        updating: updating(world, pools, assessment),
        healthy: healthy(world),
        assessment,
        versions: versions(world, pools, activity),
        completion_percent: tally.and_then(|tally| completion(tally, activity)),
        tally,
        operators: OperatorCounts::default(),
        started_at,
        completed_at: None,
        duration_seconds: started_at.map(|at| Seconds(span::between(world.now(), at).max(SignedDuration::ZERO))),
        estimate: None,
    }
}

/// Since when Cluster API has been upgrading: its own word for the topology, or a rollout that began before that.
fn began(world: &World<'_>) -> Option<Timestamp> {
    let reconciled = world.scene.cluster.status.condition("TopologyReconciled");
    let of_topology = reconciled.filter(|it| it.status == ConditionStatus::False && is_upgrading(&it.reason));
    let rolling = |condition: Option<&headway_api::meta::Condition>| {
        condition.filter(|it| it.status == ConditionStatus::True).and_then(|it| it.last_transition_time)
    };
    let of_control_plane = world.scene.control_plane.and_then(|it| rolling(it.status.condition("RollingOut")));
    let of_groups = world.scene.groups.iter().filter_map(|it| rolling(it.object.status.condition("RollingOut")));
    let of_topology = of_topology.and_then(|it| it.last_transition_time);
    of_topology.into_iter().chain(of_control_plane).chain(of_groups).min()
}

/// The reasons by which Cluster API says that it upgrades, those of its versions before 1.12 included.
fn is_upgrading(reason: &str) -> bool {
    matches!(
        reason,
        "ClusterUpgrading"
            | "LifecycleHookBlocking"
            | "ControlPlaneUpgradePending"
            | "MachineDeploymentsUpgradePending"
            | "MachinePoolsUpgradePending"
            | "MachineDeploymentsUpgradeDeferred"
            | "MachinePoolsUpgradeDeferred"
    )
}

fn updating(world: &World<'_>, pools: &[PoolView<'_>], assessment: Assessment) -> Condition {
    let control_plane = pools.iter().find(|pool| pool.is_control_plane());
    let blocked = obstacles(world).next();
    let rolling = control_plane.is_some_and(PoolView::moves) || world.course.control_plane_is_rolling();
    let (status, reason) = match assessment {
        Assessment::Unknown => (Truth::Unknown, "CannotDetermine"),
        Assessment::Completed => (Truth::False, "Updated"),
        Assessment::Paused => (Truth::False, "Paused"),
        _ if rolling && blocked.is_none() => (Truth::True, "RollingOut"),
        _ if rolling => (Truth::True, "Blocked"),
        _ if blocked.is_some() || world.course.refusal().is_some() => (Truth::False, "Blocked"),
        _ => (Truth::False, "Pending"),
    };
    let message = match (reason, blocked, world.course.refusal()) {
        ("Blocked", Some(hold), _) => hold.message.clone(),
        ("Blocked", None, Some(refusal)) => refusal.message.clone(),
        _ => control_plane.map(|pool| pool.told.updating.message.clone()).unwrap_or_default(),
    };
    Condition { status, reason: reason.into(), message, since: began(world).filter(|_| status == Truth::True) }
}

/// What Cluster API says of the health of the cluster.
fn healthy(world: &World<'_>) -> Condition {
    let status = &world.scene.cluster.status;
    let unwell = ["Available", "ControlPlaneAvailable", "WorkersAvailable", "RemoteConnectionProbe"]
        .into_iter()
        .filter_map(|kind| status.condition(kind))
        .find(|condition| condition.status == ConditionStatus::False);
    let seen = status.condition("Available").or_else(|| status.condition("Ready"));
    let told = |status: Truth, reason: &str, message: &str, since| Condition {
        status,
        reason: reason.into(),
        message: message.into(),
        since,
    };
    match (unwell, seen) {
        (Some(condition), _) => told(Truth::False, &condition.kind, &condition.message, condition.last_transition_time),
        (None, Some(condition)) if condition.status == ConditionStatus::True => {
            told(Truth::True, "AsExpected", "", condition.last_transition_time)
        }
        (None, Some(condition)) if condition.status == ConditionStatus::False => {
            told(Truth::False, &condition.kind, &condition.message, condition.last_transition_time)
        }
        (None, _) => told(Truth::Unknown, "CannotDetermine", "", None),
    }
}

fn versions(world: &World<'_>, pools: &[PoolView<'_>], activity: Activity) -> Versions {
    let course = &world.course;
    let mut nodes: BTreeMap<String, usize> = BTreeMap::new();
    for version in pools.iter().flat_map(|pool| &pool.units).filter_map(|unit| unit.version.clone()) {
        *nodes.entry(version).or_default() += 1;
    }
    let updating = activity == Activity::Updating;
    Versions {
        target: course.target.clone(),
        previous: course.from.as_ref().filter(|_| updating).map(ToString::to_string).filter(|from| {
            // Machines that are replaced for another reason do not change their version.
            Some(from) != course.target.as_ref()
        }),
        change: if is_installing(world) { Change::Installation } else { Change::Version },
        previous_is_partial: false,
        architecture: None,
        operators: BTreeMap::new(),
        nodes,
        plan: course.plan(),
        position: course.position.filter(|_| updating),
    }
}

/// The machines that are done with the step that is under way, of those that it moves.
fn tally(world: &World<'_>, pools: &[PoolView<'_>]) -> Option<Tally> {
    let of_step = pools.iter().filter(|pool| world.course.is_of_step(pool.wanted.as_ref()));
    let (mut done, mut wanted) = (0_usize, 0_usize);
    for pool in of_step {
        let desired = pool.desired()?;
        done += pool.done().min(desired);
        wanted += desired;
    }
    Some(Tally { of: Counted::Machines, done, total: wanted })
}

/// The same in percent.
fn completion(tally: Tally, activity: Activity) -> Option<u8> {
    let Tally { of: _, done, total } = tally;
    let is_over = activity == Activity::NotUpdating;
    // Whatever is left, be it a hook, is not nothing.
    let most = if is_over { 100 } else { 99 };
    share::percent(done, total, most)
}

/// What the update waits on: what holds it, then the work that is done.
fn waiting_on(world: &World<'_>, activity: Activity) -> Vec<WaitingOn> {
    if activity != Activity::Updating {
        return Vec::new();
    }
    let all = world.course.preview.iter().flat_map(|preview| &preview.holds);
    let now = all.filter(|hold| hold.weight != Weight::Later);
    now.map(|hold| WaitingOn { what: hold.name.clone(), message: hold.message.clone(), since: hold.since }).collect()
}

/// Remarks that are neither progress nor trouble.
fn hints(world: &World<'_>, activity: Activity) -> Vec<String> {
    let mut all = Vec::new();
    let Some(preview) = world.course.preview.as_ref().filter(|_| activity == Activity::Updating) else {
        if activity == Activity::Updating && world.course.is_same_version() && !is_installing(world) {
            all.push(SAME_VERSION.into());
        }
        return all;
    };
    if !preview.next.is_empty() {
        all.push(format!("Next in line: {}.", preview.next.join(", then ")));
    }
    let moving = preview.steps.iter().any(|step| step.state == StepState::UnderWay) || world.course.is_ahead();
    if !moving && !finishing(world) && !is_installing(world) {
        all.push(SAME_VERSION.into());
    }
    all
}

/// A change of a template replaces machines all the same, and is no upgrade (cases A19, B16).
const SAME_VERSION: &str =
    "Machines are replaced for another change than one of their version: no version is being updated.";
