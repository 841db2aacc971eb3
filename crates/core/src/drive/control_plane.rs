//! The ladder of the control plane (chained-upgrades.md, 3.3): what comes before the next step, and the step.

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_api::plan::WorkerGroup;

use super::course::{Course, Stopped};
use super::decision::Effect;
use super::gate::StepId;
use super::intent::{Intent, Intents};
use super::observed::{ControlPlane, Halt, Standing};
use super::planned::Trouble;
use super::waiting::WaitingOn;
use super::workers;
use crate::version::{Comparison, KubeVersion, check_skew};

/// Goes up the ladder as far as it leads now.
pub(super) fn walk(course: &mut Course<'_>) -> Result<(), Stopped> {
    let observed = course.observed;
    match &observed.halt {
        None => {}
        Some(Halt::Paused(by)) => return course.stop(WaitingOn::Paused { by: by.clone() }),
        Some(Halt::Deleting) => return course.stop(WaitingOn::Deletion),
    }
    let Some(control_plane) = &observed.control_plane else { return course.stop(WaitingOn::NoControlPlane) };
    let at = &control_plane.version;
    stands(course, control_plane)?;

    if course.intents.at(Lifecycle::AfterControlPlaneUpgrade, at).is_some() {
        course.ask(LifecycleCall::AfterControlPlaneUpgrade(course.behind(at)))?;
        course.intents.done(Lifecycle::AfterControlPlaneUpgrade);
    }
    workers::step(course, at)?;

    if *at == observed.target {
        // Where there is no plan for workers that are not there yet, the step of the workers has not begun.
        course.planned()?;
        return finish(course, at);
    }
    let next = next(course, at)?;
    fits(course, &next)?;
    course.pass(&StepId::ControlPlane(next.clone()))?;
    announce(course, at)?;
    course.ask(LifecycleCall::BeforeControlPlaneUpgrade(course.ahead(at, &next)))?;
    begin(course, at, &next);
    Ok(())
}

/// Whether the control plane runs what it is to run.
fn stands(course: &mut Course<'_>, control_plane: &ControlPlane) -> Result<(), Stopped> {
    let ControlPlane { name, version, standing, owner: _ } = control_plane;
    let name = name.clone();
    match standing {
        Standing::Settled => Ok(()),
        Standing::Silent => course.stop(WaitingOn::ControlPlaneSilent { name }),
        Standing::Unseen(why) => course.stop(WaitingOn::Unseen { name, why: why.clone() }),
        Standing::Rolling(told) => {
            course.stop(WaitingOn::ControlPlane { name, to: version.clone(), told: told.clone() })
        }
    }
}

/// Where the control plane goes next, if it may.
fn next(course: &mut Course<'_>, at: &KubeVersion) -> Result<KubeVersion, Stopped> {
    let observed = course.observed;
    course.begin_anything(at)?;
    if let Some(ControlPlane { name, owner: Some(manager), .. }) = &observed.control_plane {
        return course.stop(WaitingOn::FieldOwnedBy { name: name.clone(), manager: manager.clone() });
    }
    match observed.planned.plan.control_plane.first() {
        Some(next) => Ok(next.clone()),
        // A plan that was made now leads to the target: nobody made one.
        None => course.stop(WaitingOn::Plan { trouble: Trouble::nobody_planned(at, &observed.target) }),
    }
}

/// Whether all workers may stand beside the next version, those included that are pinned or leave.
fn fits(course: &mut Course<'_>, next: &KubeVersion) -> Result<(), Stopped> {
    for group in &course.observed.groups {
        for version in [Some(&group.version), group.oldest.as_ref()].into_iter().flatten() {
            if let Err(why) = check_skew(next.minor(), version.minor()) {
                let (group, version, next) = (group.id.clone(), version.clone(), next.clone());
                return course.stop(WaitingOn::Skew { group, version, next, why });
            }
        }
    }
    Ok(())
}

/// Announces the upgrade as a whole, once for each target: before the first step, or the next one after the target
/// was raised.
pub(super) fn announce(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    let observed = course.observed;
    let target = &observed.target;
    let (is_announced, is_raised, from) = match course.intents.get(Lifecycle::AfterClusterUpgrade) {
        None => (false, false, Some(at.clone())),
        Some(intent) => {
            let is_raised = matches!(target.compare(&intent.version), Comparison::Greater | Comparison::Different);
            (true, is_raised, intent.from.clone())
        }
    };
    if !is_announced && !observed.forbidding.is_empty() {
        return course.stop(WaitingOn::Annotations { keys: observed.forbidding.clone() });
    }
    if !is_announced || is_raised {
        course.ask(LifecycleCall::BeforeClusterUpgrade(course.ahead(at, target)))?;
    }
    // A target that was lowered to a version on the way is less than what was announced, and needs no word of its own.
    course.intents.record(Intent {
        hook: Lifecycle::AfterClusterUpgrade,
        version: target.clone(),
        from,
        groups: Vec::new(),
    });
    Ok(())
}

/// Begins a step of the control plane: what is to be asked after it is stored before it.
fn begin(course: &mut Course<'_>, at: &KubeVersion, next: &KubeVersion) {
    let moves = &course.observed.planned.plan.groups;
    let moving = moves.iter().filter(|group| group.moves.first() == Some(next));
    let groups: Vec<WorkerGroup> = moving.map(|group| group.group.clone()).collect();
    course.intents.control_plane_moves(next);
    // Those of a step that was planned and never begun say nothing any more.
    course.intents.groups_done();
    if !groups.is_empty() {
        course.intents.groups_move(next, groups);
    }
    course.act(Effect::MoveControlPlane { from: at.clone(), to: next.clone() });
}

/// All is at the target.
fn finish(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    if let Some(intent) = course.intents.get(Lifecycle::AfterClusterUpgrade) {
        // The target was taken back before anything moved: no upgrade was, and so none is over.
        let was_taken_back = intent.version != *at && intent.from.as_ref() == Some(at);
        if !was_taken_back {
            course.ask(LifecycleCall::AfterClusterUpgrade { kubernetes_version: at.to_string() })?;
        }
    }
    // What was recorded for a step that was never begun is not due any more.
    course.intents = Intents::default();
    Ok(())
}
