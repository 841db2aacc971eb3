//! Rules about cluster operators.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::meta::{Condition, ConditionStatus};
use jiff::SignedDuration;

use super::super::operators::{OperatorView, State};
use super::{Scene, draft, operator_ref, or_note, reference};
use crate::inform::Source;

/// Shorter spells of trouble come and go while pods are replaced.
const GRACE: SignedDuration = SignedDuration::from_mins(5);

/// How long an operator may be unavailable before somebody has to look.
const UNAVAILABLE_ERROR: SignedDuration = SignedDuration::from_mins(20);

/// How long an operator may be degraded before somebody has to look.
const DEGRADED_ERROR: SignedDuration = SignedDuration::from_mins(40);

/// How long an operator's update takes at most as a rule; the cluster version operator has the same limits.
const SLOW: SignedDuration = SignedDuration::from_mins(30);

/// The same for machine-config, which waits for nodes to restart one after another.
const SLOW_MACHINE_CONFIG: SignedDuration = SignedDuration::from_mins(90);

/// `H-CO-UNAVAILABLE` and `H-CO-DEGRADED` (8.2).
pub(super) fn unhealthy(scene: &Scene<'_, '_>, view: &OperatorView<'_>) -> Vec<Insight> {
    let name = view.name();
    let insight = |rule: Rule, condition: &Condition, error: SignedDuration, word: &str, reference: &str| {
        let age = |limit: SignedDuration| match condition.last_transition_time {
            Some(since) => scene.world.past(Source::ClusterOperators, since, limit),
            // Without a time it cannot be said to be new.
            None => true,
        };
        age(GRACE).then(|| Insight {
            since: condition.last_transition_time,
            resources: vec![operator_ref(name)],
            summary: format!("Cluster Operator {name} is {word} ({})", condition.reason),
            description: or_note(&condition.message, "<no message>"),
            reference: reference.into(),
            ..draft(
                rule,
                if age(error) { Level::Error } else { Level::Warning },
                Impact::ApiAvailability,
                Scope::ControlPlane,
            )
        })
    };
    let unavailable = view
        .condition("Available")
        .filter(|c| c.status == ConditionStatus::False)
        .and_then(|c| insight(Rule::CoUnavailable, c, UNAVAILABLE_ERROR, "unavailable", reference::OPERATOR_DOWN));
    let degraded = view
        .condition("Degraded")
        .filter(|c| c.status == ConditionStatus::True)
        .and_then(|c| insight(Rule::CoDegraded, c, DEGRADED_ERROR, "degraded", reference::OPERATOR_DEGRADED));
    unavailable.into_iter().chain(degraded).collect()
}

/// `H-CO-SLOW`: an operator that takes longer than operators do.
pub(super) fn slow(scene: &Scene<'_, '_>, view: &OperatorView<'_>) -> Option<Insight> {
    let progressing = view.condition("Progressing")?;
    let name = view.name();
    let limit = if name == "machine-config" { SLOW_MACHINE_CONFIG } else { SLOW };
    if view.state != State::Updating
        || !scene.world.is_past(Source::ClusterOperators, progressing.last_transition_time, limit)
    {
        return None;
    }
    Some(Insight {
        since: progressing.last_transition_time,
        resources: vec![operator_ref(name)],
        summary: format!(
            "Cluster Operator {name} has been updating for more than {} minutes",
            limit.as_mins()
        ),
        description: or_note(&progressing.message, "<no message>"),
        advice: "Look at the pods that the message speaks of: an image that cannot be pulled or a pod that cannot be scheduled is the usual cause.".into(),
        reference: reference::OPERATOR_DEGRADED.into(),
        ..draft(Rule::CoSlow, Level::Warning, Impact::UpdateSpeed, Scope::ControlPlane)
    })
}
