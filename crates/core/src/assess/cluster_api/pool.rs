//! Pools: the control plane and the groups of workers, by their machines where those were seen, else by what their own
//! status counts (update-status-api.md, 6.3).

use headway_api::cluster_api::{Machine, PAUSED_ANNOTATION, Workers};
use headway_api::insight::{ResourceRef, Scope};
use headway_api::meta::{Condition as Told, ConditionStatus};
use headway_api::plan::GroupKind;
use headway_api::report::{Condition, Phase, Pool, PoolAssessment, PoolCounts, Truth, Unit, UnitAssessment};

use super::machine::{self, Place};
use super::{World, is_reconciled, objects};
use crate::assess::{said, share};
use crate::preview::{Deferral, Group};
use crate::version::KubeVersion;

/// A pool with its machines.
pub(super) struct PoolView<'a> {
    pub(super) told: Pool,
    /// Its object.
    resource: ResourceRef,
    pub(super) units: Vec<Unit>,
    /// The machines, in the order of the units.
    pub(super) machines: Vec<&'a Machine>,
    /// The version that it takes or has.
    pub(super) wanted: Option<KubeVersion>,
    /// Its group of workers; absent for the control plane.
    pub(super) group: Option<&'a Group<'a>>,
    /// How many are there to be done, by the status alone where no machine was seen.
    done: usize,
    /// Whether what is done can be told.
    is_counted: bool,
    /// Nothing but the number of its machines changes.
    only_scales: bool,
    /// Its machines are objects of their own, so that seeing none is not seeing it.
    has_machines: bool,
}

impl PoolView<'_> {
    /// Its object.
    pub(super) fn reference(&self) -> ResourceRef {
        self.resource.clone()
    }

    pub(super) fn is_control_plane(&self) -> bool {
        self.group.is_none()
    }

    /// How many machines there are to be.
    pub(super) fn desired(&self) -> Option<usize> {
        self.told.counts.desired
    }

    /// How many machines are done.
    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// Whether some machine is not at the version that the pool takes, or there are fewer than there are to be.
    pub(super) fn is_outdated(&self) -> bool {
        let unknown = self.units.iter().filter(|unit| unit.phase == Phase::Unknown).count();
        let short = !self.units.is_empty() && self.desired().is_some_and(|desired| self.done + unknown < desired);
        self.is_counted && !self.only_scales && (self.told.counts.outdated > unknown || short)
    }

    /// Whether it cannot be told of some machine what it runs.
    pub(super) fn is_unknown(&self) -> bool {
        let unseen = self.has_machines && self.units.is_empty() && self.told.counts.total > 0;
        !self.is_counted || unseen || self.units.iter().any(|unit| unit.phase == Phase::Unknown)
    }

    /// Whether a machine of it is on the way.
    pub(super) fn moves(&self) -> bool {
        self.told.updating.status == Truth::True
    }
}

/// All pools: that of the control plane, then the groups of workers, then those that no topology keeps.
pub(super) fn view<'a>(world: &World<'a>) -> Vec<PoolView<'a>> {
    let scene = world.scene;
    let mut all = Vec::new();
    all.extend(control_plane(world));
    all.extend(scene.groups.iter().chain(&scene.strangers).map(|group| of_group(world, group)));
    all
}

fn control_plane<'a>(world: &World<'a>) -> Option<PoolView<'a>> {
    let scene = world.scene;
    let object = scene.control_plane?;
    let status = &object.status;
    let paused = world.paused.is_some() || object.metadata.annotations.has(PAUSED_ANNOTATION);
    let wanted = world.course.control_plane.clone();
    let is_ahead = wanted != scene.control_plane_version();
    // A control plane that others hold has no machines to count (managed ones, k0smotron): it is one thing, which is
    // where its status says that it is.
    let is_managed = object.spec.replicas.is_none() && scene.control_plane_machines.is_empty();
    let runs = KubeVersion::parse(&status.version).ok();
    let is_there = wanted.as_ref().zip(runs.as_ref()).map(|(wanted, runs)| runs.compare_numbers(wanted).is_eq());
    let counted = match is_managed {
        true => is_there.map(u64::from),
        false if is_ahead => Some(0),
        false => status.up_to_date(),
    };
    let source = Source {
        name: &object.metadata.name,
        resource: objects::control_plane(object),
        scope: Scope::ControlPlane,
        group: None,
        wanted,
        machines: scene.control_plane_machines.clone(),
        paused,
        deferred: false,
        desired: if is_managed { Some(1) } else { object.spec.replicas },
        counted,
        replicas: if is_managed { Some(1) } else { status.replicas },
        is_settled: is_settled(world),
        has_machines: !is_managed,
        available: status.ready_replicas,
        scaling: is_true(status.condition("ScalingUp")) || is_true(status.condition("ScalingDown")),
        unwell: ["Available", "EtcdClusterHealthy", "ControlPlaneComponentsHealthy", "CertificatesAvailable"]
            .into_iter()
            .filter_map(|kind| status.condition(kind))
            .find(|told| told.status == ConditionStatus::False),
    };
    Some(source.view())
}

/// Whether no upgrade runs by what Cluster API says: machines that come then are of a change of numbers.
fn is_settled(world: &World<'_>) -> bool {
    is_reconciled(world) == Some(true) && !world.course.is_ahead()
}

fn of_group<'a>(world: &World<'a>, group: &'a Group<'a>) -> PoolView<'a> {
    let object: &Workers = group.object;
    let status = &object.status;
    let wanted = world.course.of_group(group);
    let is_ahead = wanted.as_ref() != object.version().and_then(|text| KubeVersion::parse(text).ok()).as_ref();
    let paused = world.paused.is_some()
        || object.spec.paused
        || object.metadata.annotations.has(PAUSED_ANNOTATION)
        || is_true(status.condition("Paused"));
    let counted = if is_ahead { Some(0) } else { status.up_to_date() };
    let source = Source {
        name: &object.metadata.name,
        resource: objects::group(world, group),
        scope: Scope::WorkerPool,
        group: Some(group),
        wanted,
        machines: group.machines.clone(),
        paused,
        deferred: group.deferral.is_some() && is_ahead,
        desired: object.spec.replicas,
        counted,
        replicas: status.replicas,
        is_settled: is_settled(world),
        has_machines: group.id.kind == GroupKind::MachineDeployment,
        available: status.available(),
        scaling: is_true(status.condition("ScalingUp")) || is_true(status.condition("ScalingDown")),
        unwell: ["Available", "InfrastructureReady", "MachinesReady"]
            .into_iter()
            .filter_map(|kind| status.condition(kind))
            .find(|told| told.status == ConditionStatus::False),
    };
    source.view()
}

fn is_true(told: Option<&Told>) -> bool {
    told.is_some_and(|told| told.status == ConditionStatus::True)
}

/// What a pool is made of.
struct Source<'a> {
    name: &'a str,
    resource: ResourceRef,
    scope: Scope,
    group: Option<&'a Group<'a>>,
    wanted: Option<KubeVersion>,
    machines: Vec<&'a Machine>,
    paused: bool,
    deferred: bool,
    desired: Option<u64>,
    /// How many its status counts as done.
    counted: Option<u64>,
    replicas: Option<u64>,
    available: Option<u64>,
    scaling: bool,
    is_settled: bool,
    has_machines: bool,
    /// What its status says that is not well.
    unwell: Option<&'a Told>,
}

impl<'a> Source<'a> {
    fn view(self) -> PoolView<'a> {
        let place = Place { pool: self.name, wanted: self.wanted.as_ref(), held: self.paused || self.deferred };
        let mut rows: Vec<(Unit, &Machine)> =
            self.machines.iter().map(|machine| (machine::unit(machine, place), *machine)).collect();
        rows.sort_by(|(a, _), (b, _)| {
            (a.assessment, a.phase).cmp(&(b.assessment, b.phase)).then_with(|| a.name.cmp(&b.name))
        });
        let (units, machines): (Vec<Unit>, Vec<&Machine>) = rows.into_iter().unzip();
        let counts = if units.is_empty() { self.by_status() } else { self.by_machines(&units) };
        // A number that a status has for machines of which none was seen is taken; none is not taken for nothing.
        let has_none = self.has_machines && self.replicas.is_none_or(|replicas| replicas == 0);
        let is_counted = !units.is_empty() || self.desired == Some(0) || self.counted.is_some() || has_none;
        let only_scales = self.only_scales(&units, &machines);
        let desired = counts.desired.unwrap_or(counts.total);
        let done = (counts.total - counts.outdated).min(desired);
        let percent = share::percent(done, desired, 100).filter(|_| is_counted);
        let progress = Progress { done, desired, is_counted, only_scales };
        let updating = self.updating(&units, &counts, progress);
        let told = Pool {
            name: self.name.to_owned(),
            scope: self.scope,
            assessment: self.assessment(&counts, &updating, progress),
            completion_percent: percent,
            healthy: self.healthy(&counts),
            updating,
            paused: self.paused,
            configuration: self.wanted.as_ref().map(ToString::to_string).unwrap_or_default(),
            counts,
            resource: Some(self.resource.clone()),
        };
        PoolView {
            told,
            resource: self.resource,
            units,
            machines,
            wanted: self.wanted,
            group: self.group,
            done,
            is_counted,
            only_scales,
            has_machines: self.has_machines,
        }
    }

    /// Whether all machines that stay are done, and those that come and go are of the same version: that is a change
    /// of numbers, and no update.
    fn only_scales(&self, units: &[Unit], machines: &[&Machine]) -> bool {
        let is_meant = |machine: &Machine| {
            let version = KubeVersion::parse(&machine.spec.version).ok();
            version.is_some() && version == self.wanted
        };
        let fits = |(unit, machine): (&Unit, &&Machine)| match unit.phase {
            Phase::Updated => true,
            Phase::Provisioning | Phase::Deleting | Phase::Draining => is_meant(machine),
            _ => false,
        };
        self.is_settled && !units.is_empty() && units.iter().zip(machines).all(fits)
    }

    fn by_machines(&self, units: &[Unit]) -> PoolCounts {
        let count = |holds: &dyn Fn(&Unit) -> bool| units.iter().filter(|unit| holds(unit)).count();
        PoolCounts {
            total: units.len(),
            desired: Some(self.desired.map_or(units.len(), number)),
            available: count(&|unit| unit.in_service),
            progressing: count(&|unit| unit.assessment == UnitAssessment::Progressing),
            outdated: count(&|unit| !unit.updated),
            draining: count(&|unit| unit.phase == Phase::Draining),
            excluded: count(&|unit| unit.phase == Phase::Paused),
            degraded: count(&|unit| unit.degraded.status == Truth::True),
            version_unknown: count(&|unit| unit.version.is_none()),
        }
    }

    fn by_status(&self) -> PoolCounts {
        let total = self.replicas.map_or(0, number);
        let done = self.counted.map_or(0, number).min(total);
        PoolCounts {
            total,
            desired: Some(self.desired.map_or(total, number)),
            available: self.available.map_or(0, number).min(total),
            outdated: total - done,
            excluded: if self.paused || self.deferred { total - done } else { 0 },
            version_unknown: total,
            ..PoolCounts::default()
        }
    }

    fn updating(&self, units: &[Unit], counts: &PoolCounts, progress: Progress) -> Condition {
        let Progress { done, desired, is_counted, only_scales } = progress;
        let message = match &self.wanted {
            Some(wanted) => format!("{done} of {desired} machines are at {wanted}"),
            None => format!("{done} of {desired} machines are at the target"),
        };
        let moves = units.iter().any(|unit| unit.phase.moves());
        let between = counts.outdated > 0 && (done > 0 || self.scaling);
        let only_unknown = units.iter().filter(|unit| unit.phase == Phase::Unknown).count() == counts.outdated;
        let (status, reason) = if !is_counted {
            (Truth::Unknown, "CannotDetermine")
        } else if counts.outdated == 0 && done >= desired {
            (Truth::False, "Updated")
        } else if only_scales {
            (Truth::False, "Scaling")
        } else if self.paused && !moves {
            (Truth::False, "Paused")
        } else if self.deferred && !moves {
            (Truth::False, "Deferred")
        } else if counts.outdated > 0 && only_unknown && !units.is_empty() {
            (Truth::Unknown, "CannotDetermine")
        } else if moves || between {
            (Truth::True, "Progressing")
        } else {
            (Truth::False, "Pending")
        };
        Condition { status, reason: reason.into(), message, since: None }
    }

    fn assessment(&self, counts: &PoolCounts, updating: &Condition, progress: Progress) -> PoolAssessment {
        let Progress { done, desired, is_counted, only_scales } = progress;
        if counts.total == 0 && desired == 0 {
            PoolAssessment::Empty
        } else if !is_counted {
            PoolAssessment::Unknown
        } else if counts.degraded > 0 {
            PoolAssessment::Degraded
        } else if (only_scales && done > 0) || (counts.outdated == 0 && done >= desired) {
            PoolAssessment::Completed
        } else if (self.paused || self.deferred) && updating.status != Truth::True {
            PoolAssessment::Excluded
        } else {
            match updating.status {
                Truth::True => PoolAssessment::Progressing,
                Truth::False => PoolAssessment::Pending,
                Truth::Unknown => PoolAssessment::Unknown,
            }
        }
    }

    fn healthy(&self, counts: &PoolCounts) -> Condition {
        if counts.degraded > 0 {
            let message = format!("{} of {} machines are degraded", counts.degraded, counts.total);
            return Condition { status: Truth::False, reason: "MachinesDegraded".into(), message, since: None };
        }
        match self.unwell {
            Some(told) => Condition {
                status: Truth::False,
                reason: told.kind.clone(),
                message: said(told),
                since: told.last_transition_time,
            },
            None => Condition { status: Truth::True, reason: "AsExpected".into(), message: String::new(), since: None },
        }
    }
}

/// How far a pool is.
#[derive(Debug, Clone, Copy)]
struct Progress {
    done: usize,
    desired: usize,
    is_counted: bool,
    only_scales: bool,
}

/// Why a group of workers is not upgraded for now, in words.
pub(super) fn why_deferred(group: &Group<'_>) -> Option<String> {
    Some(match group.deferral? {
        Deferral::Own(annotation) => format!("the annotation {annotation}"),
        Deferral::After(entry) => {
            format!("the annotation topology.cluster.x-k8s.io/hold-upgrade-sequence on the entry {entry} before it")
        }
    })
}

fn number(count: u64) -> usize {
    // More than a word holds is more than there are.
    usize::try_from(count).unwrap_or(usize::MAX / 128)
}
