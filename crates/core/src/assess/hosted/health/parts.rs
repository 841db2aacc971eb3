//! Rules about the components of a control plane, which are those about cluster operators.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::meta::{Condition, ConditionStatus};
use jiff::SignedDuration;

use super::super::super::health::draft;
use super::super::super::operators::State;
use super::super::super::said;
use super::super::Scene;
use super::super::components::{self, ComponentView, is_failure};
use super::UPDATES;

/// Shorter spells of trouble come and go while pods are replaced.
const GRACE: SignedDuration = SignedDuration::from_mins(5);

/// How long a component may be unavailable before somebody has to look.
const UNAVAILABLE_ERROR: SignedDuration = SignedDuration::from_mins(20);

/// How long a component may fail to be rolled out before somebody has to look.
const FAILED_ERROR: SignedDuration = SignedDuration::from_mins(40);

/// How long a component takes at most as a rule.
const SLOW: SignedDuration = SignedDuration::from_mins(30);

/// `H-COMPONENT-UNAVAILABLE`, and `H-COMPONENT-DEGRADED` or `H-COMPONENT-SLOW`.
pub(super) fn found(scene: &Scene<'_, '_>, view: &ComponentView<'_>) -> Vec<Insight> {
    let metadata = &view.object.metadata;
    let name = &metadata.name;
    let insight = |rule: Rule, told: &Condition, level: Level, impact: Impact, what: &str| Insight {
        since: told.last_transition_time,
        resources: vec![components::reference(view.object)],
        summary: format!("Component {name} of the control plane {what}"),
        description: said(told),
        advice: format!("Its pods are in namespace {} of the management cluster.", metadata.namespace),
        reference: UPDATES.into(),
        ..draft(rule, level, impact, Scope::ControlPlane)
    };
    let lasts = |told: &Condition, limit| scene.world.lasts(told.last_transition_time, limit);
    let level = |told: &Condition, limit| if lasts(told, limit) { Level::Error } else { Level::Warning };
    let is_false = |told: &&Condition| told.status == ConditionStatus::False;
    let status = &view.object.status;
    let unavailable = status.condition("Available").filter(is_false).filter(|told| lasts(told, GRACE)).map(|told| {
        let what = format!("is unavailable ({})", reason(told));
        insight(Rule::ComponentUnavailable, told, level(told, UNAVAILABLE_ERROR), Impact::ApiAvailability, &what)
    });
    let rollout = status.condition("RolloutComplete").filter(is_false).and_then(|told| {
        if is_failure(&told.reason) && lasts(told, GRACE) {
            let what = format!("cannot be rolled out ({})", reason(told));
            let level = level(told, FAILED_ERROR);
            let impact = if level == Level::Error { Impact::UpdateStalled } else { Impact::UpdateSpeed };
            Some(insight(Rule::ComponentDegraded, told, level, impact, &what))
        } else if view.state == State::Updating && told.last_transition_time.is_some() && lasts(told, SLOW) {
            let what = format!("has been rolled out for more than {} minutes ({})", SLOW.as_mins(), reason(told));
            Some(insight(Rule::ComponentSlow, told, Level::Warning, Impact::UpdateSpeed, &what))
        } else {
            None
        }
    });
    unavailable.into_iter().chain(rollout).collect()
}

fn reason(told: &Condition) -> &str {
    if told.reason.is_empty() { "no reason given" } else { &told.reason }
}
