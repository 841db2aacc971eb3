//! Rules about the ClusterVersion.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::meta::ConditionStatus;
use headway_api::report::{Activity, Assessment};
use jiff::SignedDuration;

use super::super::operators::State;
use super::{Scene, draft, operator_ref, or_note, reference, version_ref};
use crate::inform::Source;

/// How long ClusterVersion may fail before somebody has to look (update-status-api.md, 3.6).
const FAILING_ERROR: SignedDuration = SignedDuration::from_mins(20);

/// `H-CV-FAILING` and `H-CV-FAILING-MISSING` (8.1).
pub(super) fn failing(scene: &Scene<'_, '_>) -> Option<Insight> {
    let world = scene.world;
    let cv = world.cv()?;
    let name = &cv.metadata.name;
    let insight = |rule: Rule, level: Level| Insight {
        resources: vec![version_ref(scene)],
        reference: reference::OPERATOR_DEGRADED.into(),
        ..draft(rule, level, Impact::UpdateStalled, Scope::ControlPlane)
    };
    let Some(condition) = world.cv_condition("Failing") else {
        return Some(Insight {
            since: Some(world.now),
            summary: format!("Cluster Version {name} has no Failing condition"),
            description: "Current status of Cluster Version reconciliation is unclear.  See 'oc -n openshift-cluster-version logs -l k8s-app=cluster-version-operator --tail -1' to debug.".into(),
            ..insight(Rule::CvFailingMissing, Level::Warning)
        });
    };
    let verb = match condition.status {
        ConditionStatus::False => return None,
        ConditionStatus::Unknown => "may be failing",
        ConditionStatus::True | ConditionStatus::Other => "is failing",
    };
    let long = condition.status == ConditionStatus::True
        && world.is_past(Source::ClusterVersions, condition.last_transition_time, FAILING_ERROR)
        && !world.as_oc();
    let description =
        if world.as_oc() { condition.message.clone() } else { or_note(&condition.message, "<no message>") };
    Some(Insight {
        since: condition.last_transition_time,
        summary: format!("Cluster Version {name} {verb} to proceed with the update ({})", condition.reason),
        description,
        ..insight(Rule::CvFailing, if long { Level::Error } else { Level::Warning })
    })
}

/// `H-CV-PARTIAL`: the update before was never finished (8.3).
pub(super) fn partial(scene: &Scene<'_, '_>) -> Option<Insight> {
    let [current, previous, older @ ..] = scene.world.history() else {
        return None;
    };
    if scene.cluster.completed || !previous.is_partial() {
        return None;
    }
    let last = older.iter().find(|entry| entry.is_completed()).map_or("unknown", |entry| &entry.version);
    Some(Insight {
        since: current.started_time,
        resources: vec![version_ref(scene)],
        summary: format!("Previous update to {} never completed, last complete update was {last}", previous.version),
        description: format!(
            "Current update to {} was initiated while the previous update to version {} was still in progress",
            current.version, previous.version
        ),
        reference: reference::HISTORY.into(),
        ..draft(Rule::CvPartial, Level::Warning, Impact::None, Scope::ControlPlane)
    })
}

/// `H-CV-CONTRADICT`: the ClusterVersion says two things at once, or says what its operators deny.
pub(super) fn contradiction(scene: &Scene<'_, '_>) -> Option<Insight> {
    let contradiction = scene.cluster.contradiction.as_ref()?;
    Some(Insight {
        since: scene.world.cv_condition("Progressing").and_then(|condition| condition.last_transition_time),
        resources: vec![version_ref(scene)],
        summary: contradiction.clone(),
        description: "The status cannot be relied on until the two agree. A contradiction that lasts longer than a minute means that the cluster version operator does not run, or that the objects were not recorded at one time.".into(),
        advice: "Look at the pods of openshift-cluster-version, or record the cluster again.".into(),
        reference: reference::HISTORY.into(),
        ..draft(Rule::CvContradict, Level::Warning, Impact::None, Scope::ControlPlane)
    })
}

/// `H-CV-INVALID`: nothing will be reconciled before the spec is mended, or before it is looked at (cases A41).
pub(super) fn invalid(scene: &Scene<'_, '_>) -> Option<Insight> {
    let cv = scene.world.cv()?;
    let name = &cv.metadata.name;
    let insight = |level: Level| Insight {
        resources: vec![version_ref(scene)],
        reference: reference::HISTORY.into(),
        ..draft(Rule::CvInvalid, level, Impact::UpdateStalled, Scope::ControlPlane)
    };
    if let Some(condition) = scene.world.cv_condition("Invalid").filter(|c| c.status == ConditionStatus::True) {
        return Some(Insight {
            since: condition.last_transition_time,
            summary: format!("Cluster Version {name} is invalid ({})", condition.reason),
            description: or_note(&condition.message, "<no message>"),
            advice: "Mend the field that the message names: until then the cluster version operator does nothing."
                .into(),
            ..insight(Level::Error)
        });
    }
    let (asked, seen) = (cv.metadata.generation?, cv.status.observed_generation?);
    // A request for an update that was not taken up has its own rule.
    (seen < asked && not_accepted(scene).is_none()).then(|| Insight {
        summary: format!("The newest change of Cluster Version {name} has not been taken up"),
        description: format!(
            "The spec is at generation {asked}; the cluster version operator has looked at generation {seen}. It has not come to it yet, or does not run."
        ),
        ..insight(Level::Warning)
    })
}

/// `H-CV-NOT-ACCEPTED`: an update was asked for, and the release is refused.
pub(super) fn not_accepted(scene: &Scene<'_, '_>) -> Option<Insight> {
    let cv = scene.world.cv()?;
    let asked = cv.spec.desired_update.as_ref()?;
    let desired = &cv.status.desired;
    let is_new = (!asked.version.is_empty() && asked.version != desired.version)
        || (!asked.image.is_empty() && asked.image != desired.image);
    let accepted = scene.world.cv_condition("ReleaseAccepted");
    let refused = accepted.filter(|condition| condition.status == ConditionStatus::False);
    let what = if asked.version.is_empty() { &asked.image } else { &asked.version };
    match refused {
        Some(condition) => Some(Insight {
            since: condition.last_transition_time,
            resources: vec![version_ref(scene)],
            summary: format!("The update to {what} was not accepted ({})", condition.reason),
            description: or_note(&condition.message, "<no message>"),
            advice: "Clear the request with 'oc adm upgrade --clear', or mend what the message names.".into(),
            reference: reference::HISTORY.into(),
            ..draft(Rule::CvNotAccepted, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
        }),
        None if is_new => Some(Insight {
            resources: vec![version_ref(scene)],
            summary: format!("The update to {what} was asked for and has not been taken up"),
            description: format!(
                "spec.desiredUpdate asks for {what}; status.desired is still {}. The cluster version operator has not looked at the request yet, or does not run.",
                or_note(&desired.version, "unknown")
            ),
            reference: reference::HISTORY.into(),
            ..draft(Rule::CvNotAccepted, Level::Warning, Impact::UpdateStalled, Scope::ControlPlane)
        }),
        None => None,
    }
}

/// `H-UPDATE-STALLED`: the control plane is more than ten minutes over its estimate.
pub(super) fn stalled(scene: &Scene<'_, '_>) -> Option<Insight> {
    if scene.cluster.told.assessment != Assessment::Stalled || scene.activity == Activity::NotUpdating {
        return None;
    }
    let left: Vec<_> = scene.operators.iter().filter(|operator| operator.state != State::Updated).collect();
    let names: Vec<&str> = left.iter().map(|operator| operator.name()).collect();
    let target = scene.world.node_target().unwrap_or("unknown");
    let words: Vec<String> = left
        .iter()
        .filter_map(|operator| {
            let progressing = operator.condition("Progressing")?;
            (!progressing.message.is_empty()).then(|| format!("{}: {}", operator.name(), progressing.message))
        })
        .collect();
    let mut resources = vec![version_ref(scene)];
    resources.extend(names.iter().map(|name| operator_ref(name)));
    Some(Insight {
        since: scene.cluster.stalled_since,
        resources,
        summary: match names.as_slice() {
            [] => format!("The update to {target} is stalled"),
            [_] | [_, _] | [_, _, _] => {
                format!("The update to {target} is stalled, waiting for {}", names.join(", "))
            }
            [first, ..] => {
                format!("The update to {target} is stalled, waiting for {first} and {} others", names.len() - 1)
            }
        },
        description: or_note(&words.join("\n"), "None of the operators that are not updated says what it is doing."),
        advice:
            "Look at the operators that are not updated: 'oc get clusteroperators' and the pods of their namespaces."
                .into(),
        reference: reference::HISTORY.into(),
        ..draft(Rule::UpdateStalled, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// `H-FORCED`: asked for by annotation, to test that insights arrive.
pub(super) fn forced(scene: &Scene<'_, '_>) -> Option<Insight> {
    let cv = scene.world.cv()?;
    let value = cv.metadata.annotations.force_insight.as_ref()?;
    Some(Insight {
        resources: vec![version_ref(scene)],
        summary: format!("Forced by annotation {}", headway_api::FORCE_INSIGHT_ANNOTATION),
        description: format!("A test insight; the annotation says {value:?}."),
        reference: reference::HISTORY.into(),
        ..draft(Rule::Forced, Level::Info, Impact::None, Scope::ControlPlane)
    })
}
