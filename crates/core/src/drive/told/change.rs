//! What changed from one status to the next: whether it is to be written at once, and what is told of it as an event.

use std::collections::BTreeSet;

use headway_api::update::condition::kind;
use headway_api::update::word::Truth;
use headway_api::upgrade::status::{ClusterUpgradeStatus, WaitStatus, condition};

/// How much of a status changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// How far something is: it can wait, since the next change tells it too.
    Progress,
    /// What is to be known at once, or must not be lost.
    News,
}

/// Something that happened, for an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// Whether somebody has to look.
    pub tone: Tone,
    /// In one word.
    pub reason: String,
    /// In a sentence.
    pub note: String,
}

/// Whether somebody has to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nobody has.
    Normal,
    /// Somebody has.
    Warning,
}

/// How much changed.
#[must_use]
pub fn change(old: Option<&ClusterUpgradeStatus>, new: &ClusterUpgradeStatus) -> Change {
    let Some(old) = old else { return Change::News };
    if old == new {
        return Change::Nothing;
    }
    let reasons = |waits: &[WaitStatus]| -> BTreeSet<(String, String)> {
        waits.iter().map(|wait| (wait.reason.clone(), wait.step.clone())).collect()
    };
    let conditions = |status: &ClusterUpgradeStatus| -> Vec<(String, String, String)> {
        let told = status.conditions.iter().map(|it| (it.kind.clone(), it.status.to_string(), it.reason.clone()));
        told.collect()
    };
    let passed = |status: &ClusterUpgradeStatus| {
        status.history.first().map(|passed| (passed.steps.len(), passed.completed_at, passed.started_at))
    };
    let is_news = old.intents != new.intents
        || old.step != new.step
        || old.still_since != new.still_since
        || old.observed_generation != new.observed_generation
        || old.mode != new.mode
        || passed(old) != passed(new)
        || reasons(&old.waiting_on) != reasons(&new.waiting_on)
        || conditions(old) != conditions(new);
    if is_news { Change::News } else { Change::Progress }
}

/// What happened between two statuses, in the order in which it did.
#[must_use]
pub fn happenings(old: Option<&ClusterUpgradeStatus>, new: &ClusterUpgradeStatus) -> Vec<Happening> {
    let nothing = ClusterUpgradeStatus::default();
    let old = old.unwrap_or(&nothing);
    let mut all = Vec::new();
    let mut tell = |tone, reason: &str, note: String| all.push(Happening { tone, reason: reason.to_owned(), note });
    let known = |name: &str, at| {
        old.history.iter().flat_map(|passed| &passed.steps).any(|step| step.name == name && step.started_at == at)
    };
    for step in new.history.first().map_or(&[][..], |passed| &passed.steps) {
        if !known(&step.name, step.started_at) {
            let took = step.completed_at.duration_since(step.started_at);
            tell(Tone::Normal, "StepCompleted", format!("{} is done, after {took:#}", step.name));
        }
    }
    if let Some(step) = new.step.as_ref().filter(|step| old.step.as_ref() != Some(*step)) {
        tell(Tone::Normal, "StepStarted", format!("{} begins", step.name));
    }
    let holds = |status: &ClusterUpgradeStatus, kind: &str| {
        status.conditions.of(kind).is_some_and(|condition| condition.status == Truth::True)
    };
    let of = |status: &ClusterUpgradeStatus, kind: &str| {
        status.conditions.of(kind).map(|condition| (condition.reason.clone(), condition.message.clone()))
    };
    if holds(new, kind::READY) && !holds(old, kind::READY) && !new.history.is_empty() {
        let runs = of(new, kind::READY).map(|(_, message)| message).unwrap_or_default();
        tell(Tone::Normal, "UpgradeCompleted", runs);
    }
    let reason = |status: &ClusterUpgradeStatus, kind: &str| of(status, kind).map(|(reason, _)| reason);
    let is_refused = new.conditions.of(condition::ACCEPTED).is_some_and(|it| it.status == Truth::False);
    if holds(new, kind::STALLED)
        && (!holds(old, kind::STALLED) || reason(old, kind::STALLED) != reason(new, kind::STALLED))
        && let Some((reason, message)) = of(new, kind::STALLED)
    {
        tell(Tone::Warning, if is_refused { "Refused" } else { &reason }, message);
    }
    for wait in &new.waiting_on {
        let is_new = !old.waiting_on.iter().any(|known| known.reason == wait.reason && known.step == wait.step);
        let is_moving = ["ControlPlaneRollingOut", "WorkersRollingOut", "ConcurrencyReached", "StageNotReached"];
        let is_trouble = reason(new, kind::STALLED).as_deref() == Some(&wait.reason);
        if is_new && !is_trouble && !is_moving.contains(&wait.reason.as_str()) {
            tell(Tone::Normal, &wait.reason, wait.message.clone());
        }
    }
    all
}
