//! The step of the workers beside a control plane that stands (chained-upgrades.md, 3.3 rungs 6 to 9, and 3.4).

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_api::plan::WorkerGroup;

use super::control_plane::announce;
use super::course::{Course, Stopped};
use super::decision::Effect;
use super::gate::StepId;
use super::observed::{Group, Observed, Stage, Standing};
use super::waiting::WaitingOn;
use crate::version::{Comparison, KubeVersion};

/// Passes when no worker has anything to do while the control plane stands at this version.
pub(super) fn step(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    let due = due(course, at);
    if !due.is_empty() {
        if course.intents.at(Lifecycle::AfterWorkersUpgrade, at).is_none() {
            begin(course, at, &due)?;
        }
        if course.intents.at(Lifecycle::BeforeWorkersUpgrade, at).is_some() {
            course.pass(&StepId::Workers(at.clone()))?;
            before(course, at)?;
        }
        // Those that are on their way are waited for as well, whatever keeps the others.
        if !can_move(&due) || course.pass_within().is_ok() {
            move_on(course, at, &due);
        }
    }
    arrive(course, at, &due)?;
    if course.intents.at(Lifecycle::AfterWorkersUpgrade, at).is_some() {
        // Nobody is left who would move: what was never begun is not over either.
        if course.intents.at(Lifecycle::BeforeWorkersUpgrade, at).is_none() {
            course.ask(LifecycleCall::AfterWorkersUpgrade(course.behind(at)))?;
        }
        course.intents.groups_done();
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
    let is_behind = |group: &&Group| matches!(group.version.compare(at), Comparison::Less | Comparison::Different);
    let groups = observed.groups.iter().filter(|group| group.follows()).filter(is_behind);
    groups.filter(|group| begun.contains(&group.id) || is_planned(&group.id)).collect()
}

/// Begins a step of the workers that no step of the control plane brought: they are behind from before, or a deferral
/// was taken back after all others had gone on.
fn begin(course: &mut Course<'_>, at: &KubeVersion, due: &[&Group]) -> Result<(), Stopped> {
    course.begin_anything(at)?;
    announce(course, at)?;
    course.intents.workers_move();
    course.intents.groups_move(at, due.iter().map(|group| group.id.clone()).collect());
    Ok(())
}

/// Passes when nobody has anything against the step.
fn before(course: &mut Course<'_>, at: &KubeVersion) -> Result<(), Stopped> {
    let situation = course.observed.situation();
    let from = situation.min_workers().unwrap_or(at);
    course.ask(LifecycleCall::BeforeWorkersUpgrade(course.ahead(from, at)))?;
    course.intents.done(Lifecycle::BeforeWorkersUpgrade);
    Ok(())
}

/// Whether any of them would move if it may: what holds nobody up need not be told.
fn can_move(due: &[&Group]) -> bool {
    due.iter().any(|group| group.standing == Standing::Settled && group.deferral.is_none() && group.owner.is_none())
}

/// Moves as many groups as may be on their way at once.
fn move_on(course: &mut Course<'_>, at: &KubeVersion, due: &[&Group]) {
    let observed = course.observed;
    let mut places = Places::new(observed);
    let stage = places.stage(due);
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
        if let Some(stage) = stage.filter(|stage| !stage.groups.contains(&group.id)) {
            course.wait(WaitingOn::Stage { group: id, stage: stage.name.clone() });
            continue;
        }
        match places.take(&group.id) {
            Ok(()) => course.act(Effect::MoveGroup { group: id, from: group.version.clone(), to }),
            Err(limit) => course.wait(WaitingOn::Turn { group: id, limit }),
        }
    }
}

/// How many groups are on their way, of those that count together.
struct Places<'a> {
    observed: &'a Observed,
    /// What is on its way already, from a step before or for another reason, has its place.
    taken: Vec<WorkerGroup>,
}

impl<'a> Places<'a> {
    fn new(observed: &'a Observed) -> Self {
        let rolling = observed.groups.iter().filter(|group| group.follows() && group.is_rolling());
        Self { observed, taken: rolling.map(|group| group.id.clone()).collect() }
    }

    /// The first stage that is not done: one of its groups is on its way or has still to move.
    fn stage(&self, due: &[&Group]) -> Option<&'a Stage> {
        let is_busy = |id: &WorkerGroup| self.taken.contains(id) || due.iter().any(|group| group.id == *id);
        self.observed.stages.iter().find(|stage| stage.groups.iter().any(is_busy))
    }

    /// Takes a place for a group; otherwise says how many there are.
    fn take(&mut self, id: &WorkerGroup) -> Result<(), usize> {
        let stages = &self.observed.stages;
        let stage = stages.iter().find(|stage| stage.groups.contains(id));
        let (limit, taken) = match stage {
            Some(stage) => (stage.concurrency, self.count(|other| stage.groups.contains(other))),
            None => {
                let is_alike = |other: &WorkerGroup| {
                    other.kind == id.kind && !stages.iter().any(|stage| stage.groups.contains(other))
                };
                (self.observed.concurrency, self.count(is_alike))
            }
        };
        if taken >= limit.get() {
            return Err(limit.get());
        }
        self.taken.push(id.clone());
        Ok(())
    }

    fn count(&self, counts: impl Fn(&WorkerGroup) -> bool) -> usize {
        self.taken.iter().filter(|id| counts(id)).count()
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
