//! The step of the workers beside a control plane that stands (chained-upgrades.md, 3.3 rungs 6 to 9, and 3.4).

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_api::plan::{GroupKind, WorkerGroup};

use super::control_plane::announce;
use super::course::{Course, Stopped};
use super::decision::Effect;
use super::intent::Intent;
use super::observed::{Group, Standing};
use super::waiting::WaitingOn;
use crate::version::{Comparison, KubeVersion};

/// Passes when no worker has anything to do while the control plane stands at this version.
pub(super) fn step(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    let due = due(course, at);
    if !due.is_empty() {
        if course.intents.at(Lifecycle::AfterWorkersUpgrade, at).is_none() {
            begin(course, at, &due)?;
        }
        before(course, at)?;
        move_on(course, at, &due);
    }
    arrive(course, at, &due)?;
    if course.intents.at(Lifecycle::AfterWorkersUpgrade, at).is_some() {
        // Nobody is left who would move: what was never begun is not over either.
        if course.intents.at(Lifecycle::BeforeWorkersUpgrade, at).is_none() {
            course.ask(LifecycleCall::AfterWorkersUpgrade(course.behind(at)))?;
        }
        course.intents.done(Lifecycle::BeforeWorkersUpgrade);
        course.intents.done(Lifecycle::AfterWorkersUpgrade);
    }
    Ok(())
}

/// The groups that move while the control plane stands at this version: by the plan, or because they did when the step
/// began.
fn due<'a>(course: &Course<'a>, at: &KubeVersion) -> Vec<&'a Group> {
    let observed = course.observed;
    let begun = course.intents.at(Lifecycle::AfterWorkersUpgrade, at).map_or(&[][..], |intent| &intent.groups);
    let is_planned = |id: &WorkerGroup| {
        let moves = observed.planned.plan.groups.iter().find(|group| group.group == *id);
        moves.and_then(|group| group.moves.first()) == Some(at)
    };
    let is_behind = |group: &&Group| {
        matches!(group.version.compare(at), Comparison::Less | Comparison::Different)
    };
    let groups = observed.groups.iter().filter(|group| group.follows()).filter(is_behind);
    groups.filter(|group| begun.contains(&group.id) || is_planned(&group.id)).collect()
}

/// Begins a step of the workers that no step of the control plane brought: they are behind from before, or a deferral
/// was taken back after all others had gone on.
fn begin(course: &mut Course<'_>, at: &KubeVersion, due: &[&Group]) -> Result<(), Stopped> {
    if let Some(by) = &course.observed.stop {
        return course.stop(WaitingOn::Stopped { by: by.clone(), at: at.clone() });
    }
    if let Some(trouble) = &course.observed.planned.trouble {
        return course.stop(WaitingOn::Plan { trouble: trouble.clone() });
    }
    announce(course, at)?;
    let groups = due.iter().map(|group| group.id.clone()).collect();
    let intent = |hook, groups| Intent { hook, version: at.clone(), from: None, groups };
    course.intents.record(intent(Lifecycle::BeforeWorkersUpgrade, Vec::new()));
    course.intents.record(intent(Lifecycle::AfterWorkersUpgrade, groups));
    Ok(())
}

/// Passes when nobody has anything against the step.
fn before(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    if course.intents.at(Lifecycle::BeforeWorkersUpgrade, at).is_none() {
        return Ok(());
    }
    let situation = course.observed.situation();
    let from = situation.min_workers().unwrap_or(at);
    course.ask(LifecycleCall::BeforeWorkersUpgrade(course.ahead(from, at)))?;
    course.intents.done(Lifecycle::BeforeWorkersUpgrade);
    Ok(())
}

/// Moves as many groups as may be on their way at once.
fn move_on(course: &mut Course<'_>, at: &KubeVersion, due: &[&Group]) {
    let observed = course.observed;
    let limit = observed.concurrency.get();
    let rolling = |kind| {
        let of_kind = observed.groups.iter().filter(|group| group.id.kind == kind);
        of_kind.filter(|group| group.follows() && group.is_rolling()).count()
    };
    // What is on its way already, from a step before or for another reason, has its place.
    let mut deployments = rolling(GroupKind::MachineDeployment);
    let mut pools = rolling(GroupKind::MachinePool);
    for group in due.iter().filter(|group| group.standing == Standing::Settled) {
        let (id, to) = (group.id.clone(), at.clone());
        if let Some(by) = &group.deferral {
            course.wait(WaitingOn::Deferred { group: id, to, by: by.clone() });
            continue;
        }
        if let Some(manager) = &group.owner {
            course.wait(WaitingOn::FieldOwnedBy { name: id.to_string(), manager: manager.clone() });
            continue;
        }
        let taken = match group.id.kind {
            GroupKind::MachineDeployment => &mut deployments,
            GroupKind::MachinePool => &mut pools,
        };
        if *taken >= limit {
            course.wait(WaitingOn::Turn { group: id, limit });
            continue;
        }
        *taken += 1;
        course.act(Effect::MoveGroup { group: id, from: group.version.clone(), to });
    }
}

/// Passes when all that move have arrived, and none is on its way.
fn arrive(course: &mut Course<'_>, at: &KubeVersion, due: &[&Group]) -> Result<(), Stopped> {
    let mut rolling = Vec::new();
    let mut unseen = Vec::new();
    for group in course.observed.groups.iter().filter(|group| group.follows()) {
        match &group.standing {
            Standing::Settled => {}
            Standing::Rolling(_) | Standing::Silent => rolling.push(group.id.clone()),
            Standing::Unseen(why) => unseen.push((group.id.to_string(), why.clone())),
        }
    }
    let is_done = rolling.is_empty() && unseen.is_empty() && due.is_empty();
    if !rolling.is_empty() {
        course.wait(WaitingOn::Workers { groups: rolling, to: at.clone() });
    }
    for (name, why) in unseen {
        course.wait(WaitingOn::Unseen { name, why });
    }
    if is_done { Ok(()) } else { Err(Stopped) }
}
