//! The status of a `ClusterUpgrade`: what was seen and decided, with what has to be remembered of it.
//!
//! It is told before what was decided is done: what is still to be asked, and that a step begins, is stored before the
//! write that begins it, so that whoever takes over knows of it.

mod change;
mod message;

use headway_api::hooks::Lifecycle;
use headway_api::insight::Level;
use headway_api::plan::{GroupKind, PlanSource, WorkerGroup};
use headway_api::update::condition::{Condition, Conditions, kind};
use headway_api::update::word::Truth;
use headway_api::upgrade::spec::{GroupRef, Kind};
use headway_api::upgrade::status::{
    ClusterUpgradeStatus, ControlPlaneStatus, GroupStatus, IntentStatus, Mode, Passed, PassedStep, PlanStatus, State,
    StepStatus, WaitStatus, condition,
};
use headway_api::upgrade::{ClusterUpgrade, limit};
use headway_api::version::KubeVersion;
use jiff::Timestamp;

use super::decision::{Decision, Effect};
use super::gate::StepId;
use super::intent::Intents;
use super::observed::{Observed, Standing};
use super::request::Refusal;
use super::waiting::{Wait, WaitingOn};
use crate::publish::{clip, length, number};

pub use self::change::{Change, Happening, Tone, change, happenings};

/// What the status is made of.
#[derive(Debug, Clone, Copy)]
pub struct Account<'a> {
    /// What is asked for, with the status that was written last.
    pub upgrade: &'a ClusterUpgrade,
    /// Who writes the versions.
    pub mode: Mode,
    /// What was seen.
    pub observed: &'a Observed,
    /// What was decided.
    pub decision: &'a Decision,
    /// Who named the versions.
    pub source: &'a PlanSource,
    /// Why what was decided before could not be done.
    pub hindered: Option<&'a Wait>,
}

/// The status of what is walked.
#[must_use]
pub fn status(account: Account<'_>) -> ClusterUpgradeStatus {
    let Account { upgrade, mode, observed, decision, source, hindered } = account;
    let nothing = ClusterUpgradeStatus::default();
    let before = upgrade.status.as_ref().unwrap_or(&nothing);
    let now = observed.now;
    let intents = intents_after(observed, decision);
    // What cannot be written does not begin.
    let begun = if hindered.is_some() { Vec::new() } else { beginning(observed, decision) };
    let waits = waits(before, &[begun, decision.waiting_on.clone()].concat(), hindered, now);
    let step = step(before, observed, decision, intents);
    let is_new_step = step.as_ref().is_some_and(|step| before.step.as_ref() != Some(step));
    let mut status = ClusterUpgradeStatus {
        observed_generation: upgrade.metadata.generation,
        mode: Some(mode.into()),
        control_plane: observed.control_plane.as_ref().map(|control_plane| ControlPlaneStatus {
            name: clip(&control_plane.name, 512),
            version: control_plane.version.to_string(),
            state: state(&control_plane.standing).into(),
        }),
        groups: groups(observed),
        plan: plan(before, observed, source),
        still_since: observed.gates.still_since.filter(|_| !is_new_step),
        intents: intents.iter().map(intent).collect(),
        waiting_on: waits.iter().map(told).collect(),
        history: before.history.clone(),
        step,
        conditions: Conditions::default(),
    };
    status.waiting_on.truncate(length(limit::WAITS));
    remember(&mut status, before, observed, decision);
    let is_done = decision.is_settled() && hindered.is_none();
    status.conditions = conditions(before, upgrade.metadata.generation, now, &waits, is_done, || {
        message::of(observed, decision, &waits)
    });
    status
}

/// The status of what is not walked. What is remembered stays.
#[must_use]
pub fn refused(upgrade: &ClusterUpgrade, refusal: &Refusal, now: Timestamp) -> ClusterUpgradeStatus {
    let before = upgrade.status.clone().unwrap_or_default();
    let message = clip(&refusal.to_string(), length(limit::MESSAGE));
    let all = [
        (condition::ACCEPTED, Truth::False),
        (kind::READY, Truth::False),
        (kind::RECONCILING, Truth::False),
        (kind::STALLED, Truth::True),
    ];
    let conditions = all.into_iter().map(|(kind, status)| {
        let reason = refusal.reason();
        one(&before, upgrade.metadata.generation, now, Told { kind, status, reason, message: message.clone() })
    });
    ClusterUpgradeStatus {
        observed_generation: upgrade.metadata.generation,
        conditions: conditions.collect(),
        waiting_on: Vec::new(),
        ..before
    }
}

/// Since when everything has stood still after the step that was recorded last; `None` while something moves.
pub(super) fn still_since(before: Option<&ClusterUpgradeStatus>, observed: &Observed) -> Option<Timestamp> {
    let before = before?;
    let is_settled = |standing: &Standing| *standing == Standing::Settled;
    let stands = observed.control_plane.as_ref().is_some_and(|control_plane| is_settled(&control_plane.standing));
    if !stands || observed.groups.iter().any(|group| group.follows() && group.is_rolling()) {
        return None;
    }
    match &before.step {
        Some(step) if is_over(step, observed) => {
            // What was stored before the step speaks of another one.
            let since = before.still_since.filter(|since| *since >= step.started_at);
            Some(since.unwrap_or(observed.now))
        }
        _ => before.still_since,
    }
}

/// Whether a step has come to its end.
fn is_over(step: &StepStatus, observed: &Observed) -> bool {
    let Some(control_plane) = &observed.control_plane else { return false };
    let at = &control_plane.version;
    if control_plane.standing != Standing::Settled {
        return false;
    }
    if step.name == StepId::ControlPlane(at.clone()).to_string() {
        return true;
    }
    if step.name != StepId::Workers(at.clone()).to_string() {
        // The control plane has gone on, which it does only after its workers.
        return step.name.starts_with("workers/");
    }
    let moved = observed.intents.at(Lifecycle::AfterWorkersUpgrade, at).map_or(&[][..], |intent| &intent.groups);
    let of_step = observed.groups.iter().filter(|group| group.follows() && moved.contains(&group.id));
    of_step.into_iter().all(|group| group.version == *at && group.standing == Standing::Settled)
}

/// What is stored once what was decided is done.
fn intents_after<'a>(observed: &'a Observed, decision: &'a Decision) -> &'a Intents {
    let recorded = decision.effects.iter().find_map(|effect| match effect {
        Effect::Record { after, .. } => Some(after),
        _ => None,
    });
    recorded.unwrap_or(&observed.intents)
}

/// The step that is under way, or begins with what was decided.
fn step(
    before: &ClusterUpgradeStatus,
    observed: &Observed,
    decision: &Decision,
    intents: &Intents,
) -> Option<StepStatus> {
    let begun = decision.effects.iter().find_map(|effect| match effect {
        Effect::MoveControlPlane { to, .. } => Some(StepId::ControlPlane(to.clone())),
        Effect::MoveGroup { to, .. } => Some(StepId::Workers(to.clone())),
        Effect::Record { .. } | Effect::Ask(_) => None,
    });
    let under_way = || {
        let control_plane = observed.control_plane.as_ref()?;
        let at = &control_plane.version;
        if control_plane.standing != Standing::Settled {
            let is_ours = intents.at(Lifecycle::AfterControlPlaneUpgrade, at).is_some();
            return is_ours.then(|| StepId::ControlPlane(at.clone()));
        }
        let is_begun = intents.at(Lifecycle::AfterWorkersUpgrade, at).is_some()
            && intents.at(Lifecycle::BeforeWorkersUpgrade, at).is_none();
        is_begun.then(|| StepId::Workers(at.clone()))
    };
    let name = clip(&begun.or_else(under_way)?.to_string(), length(limit::STEP));
    let started_at = before.step.as_ref().filter(|step| step.name == name).map(|step| step.started_at);
    Some(StepStatus { name, started_at: started_at.unwrap_or(observed.now) })
}

/// Takes note of steps and upgrades that are over, and of those that begin.
fn remember(
    status: &mut ClusterUpgradeStatus,
    before: &ClusterUpgradeStatus,
    observed: &Observed,
    decision: &Decision,
) {
    let is_open = |passed: &Passed| passed.completed_at.is_none();
    if let Some(over) = before.step.as_ref().filter(|step| status.step.as_ref() != Some(*step)) {
        let last = status.history.first_mut().filter(|passed| is_open(passed));
        if let Some(passed) = last.filter(|_| is_over(over, observed)) {
            let completed_at = observed.gates.still_since.unwrap_or(observed.now).max(over.started_at);
            let StepStatus { name, started_at } = over.clone();
            passed.steps.push(PassedStep { name, started_at, completed_at });
            let spare = passed.steps.len().saturating_sub(length(limit::STEPS));
            passed.steps.drain(..spare);
        }
    }
    let target = observed.target.to_string();
    if let Some(passed) = status.history.first_mut().filter(|passed| is_open(passed)) {
        passed.to.clone_from(&target);
        if decision.is_settled() {
            passed.completed_at = Some(observed.now);
        }
        return;
    }
    let (Some(step), Some(control_plane)) = (&status.step, &observed.control_plane) else { return };
    let begun = Passed {
        from: control_plane.version.to_string(),
        to: target,
        started_at: step.started_at,
        completed_at: None,
        steps: Vec::new(),
    };
    status.history.insert(0, begun);
    status.history.truncate(length(limit::HISTORY));
}

fn state(standing: &Standing) -> State {
    match standing {
        Standing::Settled => State::Settled,
        Standing::Rolling(_) => State::Rolling,
        Standing::Silent | Standing::Unseen(_) => State::Unknown,
    }
}

fn groups(observed: &Observed) -> Vec<GroupStatus> {
    let told = observed.groups.iter().map(|group| {
        let planned = observed.planned.plan.groups.iter().find(|planned| planned.group == group.id);
        GroupStatus {
            group: reference(&group.id),
            version: group.version.to_string(),
            state: state(&group.standing).into(),
            moves: planned.map_or_else(Vec::new, |planned| versions(&planned.moves)),
        }
    });
    told.take(length(limit::GROUPS)).collect()
}

/// What is left of the plan. Where there is none, what was told before stays: it is what is walked on.
fn plan(before: &ClusterUpgradeStatus, observed: &Observed, source: &PlanSource) -> Option<PlanStatus> {
    let planned = &observed.planned;
    if planned.trouble.is_some() && planned.plan.is_empty() {
        return before.plan.clone();
    }
    Some(PlanStatus {
        source: clip(&source_name(source), 600),
        left: number(planned.plan.control_plane.len()),
        control_plane: versions(&planned.plan.control_plane),
        workers: versions(&planned.plan.workers),
    })
}

fn source_name(source: &PlanSource) -> String {
    match source {
        PlanSource::OneMinor => "OneMinor".into(),
        PlanSource::VersionList => "VersionList".into(),
        PlanSource::ClusterClass { name } => format!("ClusterClass {name}"),
        PlanSource::ClusterStatus => "ClusterStatus".into(),
        PlanSource::Extension { name } => format!("Extension {name}"),
    }
}

fn versions(versions: &[KubeVersion]) -> Vec<String> {
    versions.iter().take(length(limit::VERSIONS)).map(ToString::to_string).collect()
}

fn reference(group: &WorkerGroup) -> GroupRef {
    let kind = match group.kind {
        GroupKind::MachineDeployment => Kind::MachineDeployment,
        GroupKind::MachinePool => Kind::MachinePool,
    };
    GroupRef { kind: kind.into(), name: group.name.clone() }
}

fn intent(intent: &super::intent::Intent) -> IntentStatus {
    IntentStatus {
        hook: intent.hook.to_string(),
        version: intent.version.to_string(),
        from: intent.from.as_ref().map(ToString::to_string),
        groups: intent.groups.iter().map(reference).collect(),
    }
}

/// What will be waited for once what is decided is done, so that it need not be told a second time then.
fn beginning(observed: &Observed, decision: &Decision) -> Vec<Wait> {
    let mut begun: Vec<Wait> = Vec::new();
    let mut moving: Vec<WorkerGroup> = Vec::new();
    for effect in &decision.effects {
        match effect {
            Effect::MoveControlPlane { to, .. } => {
                let name = observed.control_plane.as_ref().map(|control_plane| control_plane.name.clone());
                let (name, to) = (name.unwrap_or_default(), to.clone());
                begun.push(WaitingOn::ControlPlane { name, to, told: String::new() }.into());
            }
            Effect::MoveGroup { group, .. } => moving.push(group.clone()),
            Effect::Record { .. } | Effect::Ask(_) => {}
        }
    }
    let is_told = decision.waiting_on.iter().any(|wait| matches!(wait.on, WaitingOn::Workers { .. }));
    if let Some(control_plane) = observed.control_plane.as_ref().filter(|_| !moving.is_empty() && !is_told) {
        begun.push(WaitingOn::Workers { groups: moving, to: control_plane.version.clone() }.into());
    }
    begun
}

/// What is waited for, with since when.
fn waits(before: &ClusterUpgradeStatus, waiting: &[Wait], hindered: Option<&Wait>, now: Timestamp) -> Vec<Wait> {
    let all: Vec<&Wait> = hindered.into_iter().chain(waiting).collect();
    let count = |reason: &str| all.iter().filter(|wait| wait.on.reason() == reason).count();
    let since = |wait: &Wait| {
        let (reason, message) = (wait.on.reason(), clip(&wait.on.to_string(), length(limit::MESSAGE)));
        let mut alike = before.waiting_on.iter().filter(|known| known.reason == reason);
        // Of several of one kind the words tell which is which; of one they may change.
        let same = before.waiting_on.iter().find(|known| known.reason == reason && known.message == message);
        let alone = || alike.next().filter(|_| alike.next().is_none() && count(reason) == 1);
        same.or_else(alone).and_then(|known| known.since)
    };
    let with_since = |wait: &&Wait| {
        let since = [wait.since, since(wait)].into_iter().flatten().min();
        Wait { since: since.or(Some(now)), ..(*wait).clone() }
    };
    all.iter().map(with_since).collect()
}

fn told(wait: &Wait) -> WaitStatus {
    WaitStatus {
        reason: wait.on.reason().into(),
        message: clip(&wait.on.to_string(), length(limit::MESSAGE)),
        opens: clip(&wait.on.remedy(), length(limit::MESSAGE)),
        step: match &wait.on {
            WaitingOn::Approval { step } => clip(step, length(limit::STEP)),
            _ => String::new(),
        },
        since: wait.since,
        until: wait.until,
    }
}

/// Whether somebody has to look: it does not go on by itself, and nobody asked for that.
fn is_trouble(on: &WaitingOn) -> bool {
    match on {
        WaitingOn::NoControlPlane
        | WaitingOn::HookFailed { .. }
        | WaitingOn::Plan { .. }
        | WaitingOn::Skew { .. }
        | WaitingOn::FieldOwnedBy { .. }
        | WaitingOn::WriteFailed { .. }
        | WaitingOn::HealthUnknown { .. } => true,
        WaitingOn::Health { level, .. } => *level >= Level::Error,
        WaitingOn::Paused { .. }
        | WaitingOn::Deletion
        | WaitingOn::ControlPlaneSilent { .. }
        | WaitingOn::ControlPlane { .. }
        | WaitingOn::Unseen { .. }
        | WaitingOn::Workers { .. }
        | WaitingOn::Turn { .. }
        | WaitingOn::Deferred { .. }
        | WaitingOn::Hook { .. }
        | WaitingOn::Annotations { .. }
        | WaitingOn::Stage { .. }
        | WaitingOn::Window
        | WaitingOn::Soak
        | WaitingOn::Approval { .. }
        | WaitingOn::Stopped { .. } => false,
    }
}

/// A condition to be told.
struct Told {
    kind: &'static str,
    status: Truth,
    reason: &'static str,
    message: String,
}

fn conditions(
    before: &ClusterUpgradeStatus,
    generation: Option<i64>,
    now: Timestamp,
    waits: &[Wait],
    is_done: bool,
    message: impl Fn() -> String,
) -> Conditions {
    let trouble = waits.iter().find(|wait| is_trouble(&wait.on));
    let first = trouble.or(waits.first());
    let reason = match (is_done, first) {
        (true, _) => "UpToDate",
        (false, Some(wait)) => wait.on.reason(),
        (false, None) => "Upgrading",
    };
    let message = message();
    let truth = |holds| if holds { Truth::True } else { Truth::False };
    let stalled = trouble.map(|wait| clip(&wait.on.to_string(), length(limit::MESSAGE))).unwrap_or_default();
    let all = [
        Told { kind: condition::ACCEPTED, status: Truth::True, reason: "Accepted", message: String::new() },
        Told { kind: kind::READY, status: truth(is_done), reason, message: message.clone() },
        Told {
            kind: kind::RECONCILING,
            status: truth(!is_done && trouble.is_none()),
            reason,
            message: if is_done || trouble.is_some() { String::new() } else { message },
        },
        Told {
            kind: kind::STALLED,
            status: truth(trouble.is_some()),
            reason: trouble.map_or("AsExpected", |wait| wait.on.reason()),
            message: stalled,
        },
    ];
    all.into_iter().map(|told| one(before, generation, now, told)).collect()
}

/// A condition; as long as it says the same, it has since then.
fn one(before: &ClusterUpgradeStatus, generation: Option<i64>, now: Timestamp, told: Told) -> Condition {
    let Told { kind, status, reason, message } = told;
    let same = before.conditions.of(kind).filter(|known| known.status == status);
    Condition {
        kind: kind.into(),
        status: status.into(),
        observed_generation: generation,
        last_transition_time: same.map_or(now, |known| known.last_transition_time),
        reason: reason.into(),
        message,
    }
}
