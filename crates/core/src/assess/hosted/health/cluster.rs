//! Rules about the cluster as a whole.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::meta::ConditionStatus;
use headway_api::report::Assessment;
use jiff::SignedDuration;

use super::super::super::health::draft;
use super::super::super::said;
use super::super::course::{Stage, refused};
use super::super::{Scene, stall};
use super::{UPDATES, cluster_ref};

/// Shorter spells of trouble come and go while pods are replaced.
const GRACE: SignedDuration = SignedDuration::from_mins(5);

/// How long it may last before somebody has to look.
const ERROR: SignedDuration = SignedDuration::from_mins(20);

fn name<'a>(scene: &Scene<'_, 'a>) -> &'a str {
    &scene.world.cluster.metadata.name
}

/// `H-UPDATE-BLOCKED`: the release that was asked for is refused.
pub(super) fn blocked(scene: &Scene<'_, '_>) -> Option<Insight> {
    if scene.verdict.stage != Stage::Blocked {
        return None;
    }
    let why = refused(scene.world)?;
    let target = scene.course.target().unwrap_or_default();
    Some(Insight {
        since: why.last_transition_time,
        resources: vec![cluster_ref(scene)],
        summary: format!("The update of {} to {target} is refused ({})", name(scene), why.kind),
        description: said(why),
        advice: "Nothing is changed until what the condition says is put right, or the release that was there before is asked for again.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::UpdateBlocked, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// `H-CV-CONTRADICT`: the histories say that all is done, and something that was seen says that it is not.
pub(super) fn contradiction(scene: &Scene<'_, '_>) -> Option<Insight> {
    let message = scene.verdict.contradiction.clone()?;
    Some(Insight {
        resources: vec![cluster_ref(scene)],
        summary: format!("What {} says of its versions contradicts what was seen", name(scene)),
        description: message,
        advice: "Until the two agree it cannot be told whether the update is done. The components or operators that are not at the version are the first to look at.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::CvContradict, Level::Warning, Impact::Unknown, Scope::ControlPlane)
    })
}

/// `H-CLUSTER-PAUSED`: something is left to do, and nothing may be done.
pub(super) fn paused(scene: &Scene<'_, '_>) -> Option<Insight> {
    let why = scene.world.paused()?;
    let metadata = &scene.world.cluster.metadata;
    Some(Insight {
        resources: vec![cluster_ref(scene)],
        summary: format!("HostedCluster {} is paused, and its update with it", metadata.name),
        description: format!("{why}. Neither the control plane nor the pools are changed until it is taken away."),
        advice: format!(
            "To go on: oc patch hostedcluster/{} -n {} --type merge --patch '{{\"spec\":{{\"pausedUntil\":null}}}}'",
            metadata.name, metadata.namespace
        ),
        reference: UPDATES.into(),
        ..draft(Rule::ClusterPaused, Level::Warning, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// `H-CLUSTER-FAILING`: one of the two sides fails to take its release.
pub(super) fn failing(scene: &Scene<'_, '_>) -> Option<Insight> {
    let told = super::failing(scene.world)?;
    let lasts = |limit: SignedDuration| scene.world.lasts(told.last_transition_time, limit);
    // What the guest's cluster version operator says is told at once, as it is of a standalone cluster; what the pods
    // of a control plane make of it comes and goes while they are replaced.
    if told.kind == "Degraded" && !lasts(GRACE) {
        return None;
    }
    let reason = if told.reason.is_empty() { told.kind.as_str() } else { told.reason.as_str() };
    Some(Insight {
        since: told.last_transition_time,
        resources: vec![cluster_ref(scene)],
        summary: format!("The update of {} is failing: {} ({reason})", name(scene), told.kind),
        description: said(told),
        reference: UPDATES.into(),
        ..draft(
            Rule::ClusterFailing,
            if lasts(ERROR) { Level::Error } else { Level::Warning },
            Impact::UpdateStalled,
            Scope::ControlPlane,
        )
    })
}

/// `H-CV-PARTIAL`: the update before was never finished, so that parts of an older release may be left.
pub(super) fn partial(scene: &Scene<'_, '_>) -> Option<Insight> {
    let [current, previous, older @ ..] = scene.course.history() else { return None };
    if !scene.verdict.stage.moves() || scene.course.asked.is_some() || !previous.is_partial() {
        return None;
    }
    let last = older.iter().find(|entry| entry.is_completed()).map_or("unknown", |entry| &entry.version);
    Some(Insight {
        since: current.started_time,
        resources: vec![cluster_ref(scene)],
        summary: format!(
            "The previous update of {} to {} never completed, its last complete one was to {last}",
            name(scene),
            previous.version
        ),
        description: format!(
            "The update to {} was begun while the one to {} was on its way.",
            current.version, previous.version
        ),
        reference: UPDATES.into(),
        ..draft(Rule::CvPartial, Level::Warning, Impact::None, Scope::ControlPlane)
    })
}

/// `H-CLUSTER-UNAVAILABLE`: one insight, for the cause that is told first.
pub(super) fn unavailable(scene: &Scene<'_, '_>) -> Option<Insight> {
    // What is below says more than that nothing works.
    const CAUSES: [&str; 5] =
        ["EtcdAvailable", "InfrastructureReady", "KubeAPIServerAvailable", "IgnitionEndpointAvailable", "Available"];
    let told = CAUSES.into_iter().find_map(|kind| scene.world.says(kind, ConditionStatus::False))?;
    let lasts = |limit: SignedDuration| scene.world.lasts(told.last_transition_time, limit);
    if !lasts(GRACE) {
        return None;
    }
    let of_nodes = told.kind == "IgnitionEndpointAvailable" || told.kind == "InfrastructureReady";
    Some(Insight {
        since: told.last_transition_time,
        resources: vec![cluster_ref(scene)],
        summary: format!("HostedCluster {} is not available: {} is False", name(scene), told.kind),
        description: said(told),
        reference: UPDATES.into(),
        ..draft(
            Rule::ClusterUnavailable,
            if lasts(ERROR) { Level::Error } else { Level::Warning },
            if of_nodes { Impact::UpdateStalled } else { Impact::ApiAvailability },
            Scope::ControlPlane,
        )
    })
}

/// `H-UPDATE-STALLED`: nothing has changed for longer than the whole update takes as a rule.
pub(super) fn stalled(scene: &Scene<'_, '_>, assessment: Assessment) -> Option<Insight> {
    let since = stall::since(scene).filter(|_| assessment == Assessment::Stalled)?;
    let parts = scene.parts;
    Some(Insight {
        since: Some(since),
        resources: vec![cluster_ref(scene)],
        summary: format!("Nothing has changed on the update of {} for longer than updates take", name(scene)),
        description: format!("{}. {} of {} parts that were seen are done.", scene.verdict.message, parts.done(), parts.total()),
        advice: "The component or operator that is not done is the first to look at; its pods are in the namespace of the control plane, or in the guest.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::UpdateStalled, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
    })
}
