//! Cluster operators: which count, which are at the target, which are healthy (status-openshift.md, 6.1 and 6.2;
//! update-status-api.md, 3.2).

use std::collections::BTreeMap;

use headway_api::meta::{Condition, ConditionStatus};
use headway_api::openshift::ClusterOperator;
use headway_api::report::{self, Component, OperatorCounts, Truth};

use super::nodes::condition;
use super::world::{World, last_by_type};

/// An operator that belongs to the release, as the rules see it.
pub(super) struct OperatorView<'a> {
    pub(super) operator: &'a ClusterOperator,
    pub(super) conditions: BTreeMap<&'a str, &'a Condition>,
    pub(super) state: State,
    pub(super) health: Health,
}

/// Where an operator is on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// At the target version.
    Updated,
    /// On the way.
    Updating,
    /// Waiting for its turn.
    Waiting,
    /// Neither says that it is on the way nor that it waits.
    Unknown,
}

/// What an operator says of its health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Health {
    AsExpected,
    /// Not available, or not saying so.
    Unavailable,
    /// Available, but degraded.
    Degraded,
}

impl OperatorView<'_> {
    pub(super) fn name(&self) -> &str {
        &self.operator.metadata.name
    }

    pub(super) fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.get(kind).copied()
    }
}

/// Looks at all operators that belong to the release, in input order. Others are not the update's business (6.1).
pub(super) fn view<'a>(world: &World<'a>) -> Vec<OperatorView<'a>> {
    let platform = world.snapshot.operators.iter().filter(|operator| operator.metadata.platform.0);
    platform
        .map(|operator| {
            let conditions = last_by_type(&operator.status.conditions);
            let state = state(world, operator, &conditions);
            let health = health(&conditions);
            OperatorView { operator, conditions, state, health }
        })
        .collect()
}

fn status(conditions: &BTreeMap<&str, &Condition>, kind: &str) -> Option<ConditionStatus> {
    conditions.get(kind).map(|condition| condition.status)
}

fn state(world: &World<'_>, operator: &ClusterOperator, conditions: &BTreeMap<&str, &Condition>) -> State {
    let target = world.operator_target();
    let at_version = operator.status.versions.iter().any(|entry| entry.name == "operator" && entry.version == target);
    // An unknown target is no target that could be reached.
    let at_version = at_version && (world.as_oc() || !target.is_empty());
    match (at_version, at_image(world, operator)) {
        (true, Truth::True) => return State::Updated,
        (true, Truth::Unknown) => return State::Unknown,
        (true, Truth::False) | (false, _) => {}
    }
    if world.progressing() == Some(ConditionStatus::False) && !world.as_oc() {
        // It waits for nothing: nobody is going to update it (update-status-api.md, 3.2).
        return State::Unknown;
    }
    match status(conditions, "Progressing") {
        Some(ConditionStatus::True) => State::Updating,
        Some(ConditionStatus::False) => State::Waiting,
        Some(ConditionStatus::Unknown | ConditionStatus::Other) | None => State::Unknown,
    }
}

/// Whether machine-config runs the release's image, which is how a change of the image under one version shows (6.2).
fn at_image(world: &World<'_>, operator: &ClusterOperator) -> Truth {
    if operator.metadata.name != "machine-config" {
        return Truth::True;
    }
    let mut images = operator.status.versions.iter().filter(|entry| entry.name == "operator-image").peekable();
    match world.snapshot.mco_image.as_deref() {
        None if world.as_oc() => {
            if images.any(|entry| !entry.version.is_empty()) {
                Truth::False
            } else {
                Truth::True
            }
        }
        // The peer never takes this operator for updated then: oc_15_3_10. Where the version changes, or the cluster
        // version operator, who looks at the image, is done, that is proof enough; else only the image could tell.
        None if images.peek().is_none() || !world.same_version_other_image() || world.says_done() => Truth::True,
        None => Truth::Unknown,
        Some(image) => {
            if images.all(|entry| entry.version == image) {
                Truth::True
            } else {
                Truth::False
            }
        }
    }
}

fn health(conditions: &BTreeMap<&str, &Condition>) -> Health {
    if status(conditions, "Available") != Some(ConditionStatus::True) {
        Health::Unavailable
    } else if status(conditions, "Degraded") == Some(ConditionStatus::True) {
        Health::Degraded
    } else {
        Health::AsExpected
    }
}

/// How many operators are in which state.
pub(super) fn count(operators: &[OperatorView<'_>]) -> OperatorCounts {
    let in_state = |state: State| operators.iter().filter(|operator| operator.state == state).count();
    let in_health = |health: Health| operators.iter().filter(|operator| operator.health == health).count();
    OperatorCounts {
        total: operators.len(),
        updated: in_state(State::Updated),
        updating: in_state(State::Updating),
        waiting: in_state(State::Waiting),
        unknown: in_state(State::Unknown),
        unavailable: in_health(Health::Unavailable),
        degraded: in_health(Health::Degraded),
    }
}

/// What is told of an operator.
pub(super) fn tell(operator: &OperatorView<'_>) -> Component {
    let progressing = operator.condition("Progressing");
    let since = progressing.and_then(|c| c.last_transition_time);
    let (message, reason) =
        progressing.map_or((String::new(), String::new()), |c| (c.message.clone(), c.reason.clone()));
    let updating = match operator.state {
        State::Updated => condition(Truth::False, "Updated", String::new(), None),
        State::Updating => condition(Truth::True, "Progressing", message, since),
        State::Waiting => condition(Truth::False, "Pending", message, since),
        State::Unknown => {
            let message = if message.is_empty() { "it is not at the target version".into() } else { message };
            condition(Truth::Unknown, "CannotDetermine", message, since)
        }
    };
    let version = operator.operator.status.versions.iter().find(|entry| entry.name == "operator");
    Component {
        name: operator.name().to_owned(),
        version: version.map(|entry| entry.version.clone()),
        updating,
        progressing_reason: reason,
        healthy: healthy(operator),
        resource: None,
    }
}

fn healthy(operator: &OperatorView<'_>) -> report::Condition {
    let quote = |kind: &str, status: Truth, reason: &str| {
        let source = operator.condition(kind);
        let message = source.map_or(String::new(), |c| c.message.clone());
        condition(status, reason, message, source.and_then(|c| c.last_transition_time))
    };
    match operator.health {
        Health::AsExpected => condition(Truth::True, "AsExpected", String::new(), None),
        Health::Degraded => quote("Degraded", Truth::False, "Degraded"),
        Health::Unavailable if operator.condition("Available").is_some() => {
            quote("Available", Truth::False, "Unavailable")
        }
        Health::Unavailable => {
            condition(Truth::Unknown, "CannotDetermine", "there is no Available condition".into(), None)
        }
    }
}
