//! Pools of a hosted cluster: by what their NodePools say their nodes run, else by the nodes and machines that were seen,
//! else by the NodePool's own word (update-status-api.md, 6.2).

use headway_api::hypershift::{GROUP, NodePool, NodeVersion};
use headway_api::insight::{Insight, ResourceRef, Scope};
use headway_api::meta::{Condition as Told, ConditionStatus};
use headway_api::report::{Condition, Phase, Pool, PoolAssessment, PoolCounts, Truth, Unit};

use super::super::nodes::condition;
use super::super::{said, share};
use super::course::{Course, Stage};
use super::release;
use super::unit::{self, Held, Place};
use super::world::{World, pause};

/// A pool with its nodes.
pub(super) struct PoolView<'a> {
    pub(super) object: &'a NodePool,
    pub(super) told: Pool,
    pub(super) units: Vec<Unit>,
    /// What was found on its nodes.
    pub(super) insights: Vec<Insight>,
    /// The version that it was brought to last.
    pub(super) version: &'a str,
    /// What it is doing.
    pub(super) doing: Doing,
    /// By what it is paused, in words.
    pub(super) paused: Option<String>,
    /// What its nodes run is known from no other source than its own word.
    pub(super) by_word: bool,
}

/// What a pool is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// Its nodes get another version.
    Version,
    /// Its nodes get another configuration or platform, and keep their version.
    Configuration,
    /// A change of configuration is known and is not rolled out.
    ConfigurationPending,
    /// Its nodes are to get another version, and none has begun.
    Waiting,
    /// Its nodes get another version when somebody deletes their machines.
    WaitingForDelete,
    /// It is behind its control plane, as it may be: nobody asked for more.
    Behind,
    /// A change in place failed.
    Failed,
    /// Its nodes are where they are to be.
    Nothing,
    /// It cannot be told.
    Unknown,
}

impl PoolView<'_> {
    /// Whether nodes are on their way to another version, or wait for it.
    pub(super) fn is_updating(&self) -> bool {
        match self.doing {
            Doing::Version | Doing::Waiting | Doing::WaitingForDelete => true,
            Doing::Failed => self.told.counts.outdated > 0,
            Doing::Configuration | Doing::ConfigurationPending | Doing::Behind | Doing::Nothing | Doing::Unknown => {
                false
            }
        }
    }
}

/// All pools, by name.
pub(super) fn view<'a>(world: &World<'a>, course: &'a Course<'a>, stage: Stage) -> Vec<PoolView<'a>> {
    let mut all: Vec<PoolView<'a>> = world.pools.iter().map(|pool| of(world, course, stage, pool)).collect();
    all.sort_by(|a, b| a.told.name.cmp(&b.told.name));
    all
}

/// The object of a pool.
pub(super) fn reference(object: &NodePool) -> ResourceRef {
    ResourceRef::namespaced(GROUP, "nodepools", &object.metadata.namespace, &object.metadata.name)
}

fn of<'a>(world: &World<'a>, course: &'a Course<'a>, stage: Stage, object: &'a NodePool) -> PoolView<'a> {
    let status = &object.status;
    let version = status.version.as_str();
    let asked = asked(course, object);
    let paused = pause(&object.spec.paused_until, status.condition("ReconciliationActive"), world.now());
    let paused = paused.or_else(|| world.paused().map(|why| format!("its HostedCluster is paused: {why}")));
    // Until the control plane is done its nodes are compared with what it was before (cases A34).
    let behind = course.reached().filter(|reached| release::is_older(version, reached));
    let target = asked.or(behind).or(Some(version).filter(|version| !version.is_empty()));
    let held = if paused.is_some() { Held::Yes } else { Held::No };
    let seen = unit::view(world, Place { pool: object, target, held });
    let (counts, by_word) = count(object, &seen.units, target);
    let is_outdated = counts.outdated > 0;
    let doing = doing(object, asked, behind.is_some(), is_outdated, &counts);
    // Nodes that come or go by number alone are no share of an update.
    let wanted = match doing {
        Doing::Nothing | Doing::Configuration | Doing::ConfigurationPending => counts.total,
        _ => counts.desired.unwrap_or(counts.total).max(counts.total.min(1)),
    };
    let counts = PoolCounts { excluded: if paused.is_some() { counts.outdated } else { 0 }, ..counts };
    let done = (counts.total - counts.outdated).min(wanted);
    let percent = percent(done, wanted, doing);
    let healthy = healthy(object, &counts, doing);
    let updating = updating(
        object,
        doing,
        paused.as_deref(),
        &format!("{done} of {wanted} nodes are at {}", target.unwrap_or("the target")),
        course,
        stage,
    );
    let told = Pool {
        name: object.metadata.name.clone(),
        scope: Scope::WorkerPool,
        assessment: assessment(doing, &counts, paused.is_some()),
        completion_percent: percent,
        updating,
        healthy,
        paused: paused.is_some(),
        configuration: target.unwrap_or_default().to_owned(),
        counts,
        resource: Some(reference(object)),
    };
    PoolView { object, told, units: seen.units, insights: seen.insights, version, doing, paused, by_word }
}

/// A share in percent: rounded half up, and below 100 until nothing is on its way to another version.
fn percent(done: usize, wanted: usize, doing: Doing) -> Option<u8> {
    let most = match doing {
        Doing::Unknown => return None,
        Doing::Configuration | Doing::ConfigurationPending | Doing::Nothing if done >= wanted => 100,
        _ => 99,
    };
    share::percent(done, wanted, most)
}

/// The version that somebody asked of a pool, where it is another than the one that it has.
fn asked<'a>(course: &'a Course<'a>, object: &'a NodePool) -> Option<&'a str> {
    let told = object.status.condition("UpdatingVersion");
    let by_message =
        told.filter(|it| it.status == ConditionStatus::True).and_then(|it| release::target_in(&it.message));
    let version = object.status.version.as_str();
    let by_image = release::version_of(&object.spec.release.image, course.sides());
    by_image.or(by_message).filter(|asked| *asked != version)
}

/// How many nodes are in which state, and whether that is the NodePool's word alone.
fn count(object: &NodePool, units: &[Unit], target: Option<&str>) -> (PoolCounts, bool) {
    let desired = object.spec.desired().map(number);
    let versions = &object.status.nodes_info.node_versions;
    let of_units = |holds: &dyn Fn(&Unit) -> bool| units.iter().filter(|unit| holds(unit)).count();
    let from_units = PoolCounts {
        total: units.len(),
        desired,
        available: of_units(&|unit| unit.in_service),
        progressing: of_units(&|unit| unit.phase.moves() && unit.degraded.status != Truth::True),
        outdated: of_units(&|unit| !unit.updated),
        draining: of_units(&|unit| unit.phase == Phase::Draining),
        excluded: 0,
        degraded: of_units(&|unit| unit.degraded.status == Truth::True),
        version_unknown: of_units(&|unit| unit.version.is_none()),
    };
    if !versions.is_empty() {
        let sum = |count: &dyn Fn(&NodeVersion) -> u64| number(versions.iter().map(count).fold(0, u64::saturating_add));
        let at = |version: &NodeVersion| target == Some(version.ocp_version.as_str());
        let total = sum(&NodeVersion::nodes);
        let updated = sum(&|it| if at(it) { it.nodes() } else { 0 });
        // A node that was seen not to be there yet counts, whatever the sum says.
        let seen_old = of_units(&|unit| unit.version.is_some() && !unit.updated && unit.phase != Phase::Deleting);
        let counts = PoolCounts {
            total,
            available: sum(&|it| it.ready_node_count),
            outdated: (total - updated.min(total)).max(seen_old.min(total)),
            version_unknown: sum(&|it| if it.ocp_version.is_empty() { it.nodes() } else { 0 }),
            ..from_units
        };
        return (counts, false);
    }
    // Nodes of which nothing tells the version prove nothing, and the NodePool's word for them stands.
    let told = from_units.total - from_units.version_unknown;
    if told > 0 || (from_units.total > 0 && object.status.version.is_empty()) {
        return (from_units, false);
    }
    let total = from_units.total.max(object.status.replicas.map_or(0, number));
    let is_there = target.is_some() && target == Some(object.status.version.as_str());
    let updating = is_true(object.status.condition("UpdatingVersion"));
    let counts = PoolCounts {
        total,
        available: if from_units.total > 0 { from_units.available } else { total },
        outdated: if is_there && !updating { 0 } else { total },
        version_unknown: total,
        ..from_units
    };
    (counts, true)
}

fn is_true(told: Option<&Told>) -> bool {
    told.is_some_and(|told| told.status == ConditionStatus::True)
}

/// Why a change in place does not go on.
pub(super) fn failed_in_place(object: &NodePool) -> Option<&Told> {
    ["UpdatingVersion", "UpdatingConfig"]
        .into_iter()
        .filter_map(|kind| object.status.condition(kind))
        .find(|told| told.status == ConditionStatus::False && told.reason == "InplaceUpgradeFailed")
}

fn doing(object: &NodePool, asked: Option<&str>, is_behind: bool, is_outdated: bool, counts: &PoolCounts) -> Doing {
    let status = &object.status;
    let told = |kind: &str| is_true(status.condition(kind));
    if failed_in_place(object).is_some() {
        Doing::Failed
    } else if told("UpdatingVersion") {
        Doing::Version
    } else if told("UpdatingConfig") || told("UpdatingPlatformMachineTemplate") {
        Doing::Configuration
    } else if status.version.is_empty() && asked.is_none() {
        Doing::Unknown
    } else if asked.is_some() && object.spec.is_on_delete() && (is_outdated || counts.total > 0) {
        Doing::WaitingForDelete
    } else if asked.is_some() {
        Doing::Waiting
    } else if is_behind {
        Doing::Behind
    } else if is_outdated && counts.outdated <= counts.version_unknown {
        Doing::Unknown
    } else if is_outdated && object.spec.is_on_delete() {
        Doing::WaitingForDelete
    } else if is_outdated {
        // The NodePool says that it is done, and a node says that it is not: nodes decide.
        Doing::Version
    } else if told("ConfigUpdatePending") {
        Doing::ConfigurationPending
    } else {
        Doing::Nothing
    }
}

fn updating(
    object: &NodePool,
    doing: Doing,
    paused: Option<&str>,
    done: &str,
    course: &Course<'_>,
    stage: Stage,
) -> Condition {
    let status = &object.status;
    let since = |kind: &str| status.condition(kind).and_then(|told| told.last_transition_time);
    let said_by = |kind: &str| status.condition(kind).map(said).unwrap_or_default();
    match (doing, paused) {
        (Doing::Version | Doing::Waiting | Doing::WaitingForDelete | Doing::Behind, Some(paused)) => {
            condition(Truth::False, "Paused", format!("{done}; {paused}"), None)
        }
        (Doing::Version, None) => condition(Truth::True, "Progressing", done.to_owned(), since("UpdatingVersion")),
        (Doing::Configuration, _) => {
            let kind = if is_true(status.condition("UpdatingConfig")) {
                "UpdatingConfig"
            } else {
                "UpdatingPlatformMachineTemplate"
            };
            condition(Truth::True, "ConfigUpdate", said_by(kind), since(kind))
        }
        (Doing::ConfigurationPending, _) => {
            condition(Truth::False, "ConfigUpdatePending", said_by("ConfigUpdatePending"), since("ConfigUpdatePending"))
        }
        (Doing::Waiting, None) => condition(Truth::False, "Pending", done.to_owned(), None),
        (Doing::WaitingForDelete, None) => {
            let message = format!("{done}; a node gets another version when its Machine is deleted");
            condition(Truth::False, "WaitingForDelete", message, None)
        }
        (Doing::Behind, None) => {
            let reached = course.reached().unwrap_or_default();
            let message = format!("{done}; the control plane is at {reached}, and nobody asked the pool to follow");
            condition(Truth::False, "Pending", message, None)
        }
        (Doing::Failed, _) => {
            let told = failed_in_place(object);
            condition(
                Truth::False,
                "InplaceUpgradeFailed",
                told.map(said).unwrap_or_default(),
                told.and_then(|it| it.last_transition_time),
            )
        }
        (Doing::Nothing, _) => {
            let message = if stage.moves() {
                format!("{done}; it stays there until it is asked to follow")
            } else {
                done.to_owned()
            };
            condition(Truth::False, "Updated", message, None)
        }
        (Doing::Unknown, _) => {
            condition(Truth::Unknown, "CannotDetermine", "nothing tells which version its nodes run".into(), None)
        }
    }
}

fn assessment(doing: Doing, counts: &PoolCounts, paused: bool) -> PoolAssessment {
    let is_held = paused && counts.outdated > 0;
    match doing {
        Doing::Failed => PoolAssessment::Degraded,
        Doing::Version | Doing::Waiting | Doing::WaitingForDelete | Doing::Behind | Doing::Configuration
            if counts.degraded > 0 =>
        {
            PoolAssessment::Degraded
        }
        Doing::Version | Doing::Waiting | Doing::WaitingForDelete | Doing::Behind if is_held => {
            PoolAssessment::Excluded
        }
        _ if counts.total == 0 && counts.desired.unwrap_or(0) == 0 => PoolAssessment::Empty,
        Doing::Version | Doing::Configuration => PoolAssessment::Progressing,
        Doing::Waiting | Doing::WaitingForDelete | Doing::Behind => PoolAssessment::Pending,
        Doing::ConfigurationPending | Doing::Nothing => PoolAssessment::Completed,
        Doing::Unknown => PoolAssessment::Unknown,
    }
}

/// Conditions that a NodePool needs for a node to become one of it: without them nothing is updated.
pub(super) const NEEDED: [&str; 5] = [
    "ValidReleaseImage",
    "ValidGeneratedPayload",
    "ValidPlatformImage",
    "ValidMachineConfig",
    "ReachedIgnitionEndpoint",
];

fn healthy(object: &NodePool, counts: &PoolCounts, doing: Doing) -> Condition {
    if counts.degraded > 0 {
        let message = format!("{} of {} nodes are degraded", counts.degraded, counts.total);
        return condition(Truth::False, "NodesDegraded", message, None);
    }
    if let Some(told) = failed_in_place(object).filter(|_| doing == Doing::Failed) {
        return condition(Truth::False, "InplaceUpgradeFailed", said(told), told.last_transition_time);
    }
    let of = |kind: &&str| object.status.condition(kind);
    let unwell = NEEDED.iter().chain(&["AllMachinesReady", "AllNodesHealthy", "Ready"]).filter_map(of);
    match unwell.into_iter().find(|told| told.status == ConditionStatus::False) {
        Some(told) => condition(Truth::False, &told.kind, super::crowd::told(&told.message), told.last_transition_time),
        None if object.status.condition("Ready").is_none() => {
            condition(Truth::Unknown, "CannotDetermine", "there is no Ready condition".into(), None)
        }
        None => condition(Truth::True, "AsExpected", String::new(), None),
    }
}

fn number(count: u64) -> usize {
    // More than a word holds is more than there are.
    usize::try_from(count).unwrap_or(usize::MAX / 128)
}
