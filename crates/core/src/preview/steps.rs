//! The steps of a preview: those under way, as the objects show them, and those ahead, as the plan has them.

use std::cmp::Ordering;

use headway_api::cluster_api::Machine;
use headway_api::plan::{Mover, PlanReport, Reason, Step, WorkerGroup};
use headway_api::preview::{PlannedStep, Position, Preview, StepState, Totals};

use super::scene::{Group, Scene};
use crate::plan::change;
use crate::version::{Comparison, KubeVersion, oldest};

/// What is under way.
#[derive(Debug, Default)]
pub(super) struct Running {
    /// The steps, that of the control plane first.
    pub(super) steps: Vec<PlannedStep>,
    /// Whether the control plane is rolling.
    pub(super) control_plane: bool,
}

/// The steps that are under way.
pub(super) fn running(scene: &Scene<'_>) -> Running {
    let control_plane = control_plane(scene);
    let has_control_plane = control_plane.is_some();
    let steps = control_plane.into_iter().chain(scene.groups.iter().filter_map(workers)).collect();
    Running { steps: numbered(steps), control_plane: has_control_plane }
}

/// Whether the status of the control plane tells another version than its spec.
pub(crate) fn is_control_plane_rolling(scene: &Scene<'_>) -> bool {
    control_plane(scene).is_some()
}

/// Puts the steps and what follows from them into a preview.
pub(super) fn fill(preview: &mut Preview, scene: &Scene<'_>, report: &PlanReport, running: &Running) {
    let plan = &report.plan;
    let under_way = running.steps.first().filter(|_| running.control_plane).map(|step| step.step.to.clone());
    preview.control_plane = under_way.into_iter().chain(plan.control_plane.iter().cloned()).collect();
    preview.workers.clone_from(&plan.workers);
    preview.position = running.control_plane.then_some(Position { step: 1, of: preview.control_plane.len() });
    let ahead = report.steps.iter().map(|step| planned(step, machines_of(scene, &step.mover)));
    preview.steps = numbered(running.steps.iter().cloned().chain(ahead).collect());
    preview.machines = totals(&preview.steps);
    preview.next = next(&preview.steps);
    preview.plan = Some(plan.clone());
}

/// The steps of a plan of which only versions are known.
pub(super) fn of_versions(report: &PlanReport) -> Vec<PlannedStep> {
    numbered(report.steps.iter().map(|step| planned(step, None)).collect())
}

/// Who moves next, in order: two of them, for whoever waits for one wants to know what comes of it.
pub(super) fn next(steps: &[PlannedStep]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in steps.iter().filter(|step| step.state == StepState::Ahead) {
        let name = match &step.step.mover {
            Mover::ControlPlane => "control plane".to_owned(),
            Mover::Workers { groups } => groups.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", "),
        };
        if names.last() != Some(&name) {
            names.push(name);
        }
    }
    names.truncate(2);
    names
}

fn planned(step: &Step, machines: Option<u64>) -> PlannedStep {
    PlannedStep { number: 0, state: StepState::Ahead, step: step.clone(), machines, done: None }
}

fn numbered(mut steps: Vec<PlannedStep>) -> Vec<PlannedStep> {
    for (at, step) in steps.iter_mut().enumerate() {
        step.number = at + 1;
    }
    steps
}

fn totals(steps: &[PlannedStep]) -> Totals {
    let of = |wanted: fn(&Mover) -> bool| {
        sum(steps.iter().filter(|step| wanted(&step.step.mover)).map(|step| step.machines))
    };
    Totals {
        control_plane: of(|mover| matches!(mover, Mover::ControlPlane)),
        workers: of(|mover| matches!(mover, Mover::Workers { .. })),
    }
}

fn machines_of(scene: &Scene<'_>, mover: &Mover) -> Option<u64> {
    match mover {
        Mover::ControlPlane => control_plane_machines(scene),
        Mover::Workers { groups } => sum(groups.iter().map(|id| machines_of_group(scene, id))),
    }
}

/// A sum, unless one of its parts is not known. Objects may claim any number.
fn sum(mut parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    parts.try_fold(0_u64, |sum, part| part.map(|part| sum.saturating_add(part)))
}

/// How many machines the control plane has: those that it is to have, for a rollout ends with as many.
pub(super) fn control_plane_machines(scene: &Scene<'_>) -> Option<u64> {
    let wanted = scene.control_plane.and_then(|control_plane| control_plane.spec.replicas);
    wanted.or_else(|| counted(&scene.control_plane_machines))
}

/// How many machines a group has.
pub(super) fn machines_of_group(scene: &Scene<'_>, id: &WorkerGroup) -> Option<u64> {
    let group = scene.groups.iter().find(|group| group.id == *id)?;
    group.object.spec.replicas.or_else(|| counted(&group.machines))
}

fn counted(machines: &[&Machine]) -> Option<u64> {
    let count = u64::try_from(machines.len()).ok()?;
    (count > 0).then_some(count)
}

/// The step that the control plane is in: its status tells another version than its spec.
fn control_plane(scene: &Scene<'_>) -> Option<PlannedStep> {
    let object = scene.control_plane?;
    let to = scene.control_plane_version()?;
    let status = &object.status;
    let told = status.versions.iter().map(|it| &it.version).chain([&status.version]);
    let behind = told
        .filter_map(|text| KubeVersion::parse(text).ok())
        .filter(|version| matches!(to.compare(version), Comparison::Greater | Comparison::Different));
    let from = oldest(behind)?;
    let done = done(&scene.control_plane_machines, &to).or(status.up_to_date());
    Some(under_way(Mover::ControlPlane, from, to, control_plane_machines(scene), done))
}

/// The step that a group of workers is in: some of its machines are not at the version of its template.
fn workers(group: &Group<'_>) -> Option<PlannedStep> {
    let to = KubeVersion::parse(group.object.version()?).ok()?;
    let versions = group.machines.iter().filter(|machine| !is_at(machine, &to)).map(|machine| running_version(machine));
    let from = oldest(versions.flatten().filter(|version| *version != to))?;
    let machines = group.object.spec.replicas.or_else(|| counted(&group.machines));
    let done = done(&group.machines, &to);
    Some(under_way(Mover::Workers { groups: vec![group.id.clone()] }, from, to, machines, done))
}

fn under_way(
    mover: Mover,
    from: KubeVersion,
    to: KubeVersion,
    machines: Option<u64>,
    done: Option<u64>,
) -> PlannedStep {
    let change = change(&from, &to);
    let step = Step { mover, from, to, change, reason: Reason::Begun, refused: Vec::new() };
    PlannedStep { number: 0, state: StepState::UnderWay, step, machines, done }
}

fn done(machines: &[&Machine], to: &KubeVersion) -> Option<u64> {
    if machines.is_empty() {
        return None;
    }
    u64::try_from(machines.iter().filter(|machine| is_at(machine, to)).count()).ok()
}

/// Whether a machine is to have a version and its node runs it.
///
/// Kubelets of distributions leave out the build or write it otherwise, so that of theirs only the numbers count.
fn is_at(machine: &Machine, version: &KubeVersion) -> bool {
    let wanted = KubeVersion::parse(&machine.spec.version);
    let runs = KubeVersion::parse(&machine.status.node_info.kubelet_version);
    wanted.is_ok_and(|wanted| wanted == *version)
        && runs.is_ok_and(|runs| runs.compare_numbers(version) == Ordering::Equal)
}

/// What a machine runs; where that is not known yet, what it is to have.
pub(crate) fn running_version(machine: &Machine) -> Option<KubeVersion> {
    let runs = KubeVersion::parse(&machine.status.node_info.kubelet_version);
    runs.or_else(|_| KubeVersion::parse(&machine.spec.version)).ok()
}
