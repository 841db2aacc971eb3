//! What is wrong with a whole cluster, or holds its update.

use headway_api::cluster_api::{GROUP, MachineHealthCheck};
use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::meta::ConditionStatus;
use headway_api::preview::{Hold, HoldKind, Weight};
use jiff::SignedDuration;

use super::super::pool::PoolView;
use super::super::{World, objects, obstacles, stall};
use super::{HEALTH_CHECKS, HOOKS, UPGRADES};
use crate::assess::health::{draft, one_line};
use crate::assess::said;

/// What comes and goes while machines are replaced is no trouble yet.
const GRACE: SignedDuration = SignedDuration::from_mins(5);

/// What lasts this long has to be looked at.
const ERROR: SignedDuration = SignedDuration::from_mins(20);

/// How long a part of a control plane may be degraded before somebody has to look: as long as an operator may.
const DEGRADED_ERROR: SignedDuration = SignedDuration::from_mins(40);

/// The longest line of a list.
const LINE: usize = 300;

/// `H-CLUSTER-PAUSED`, once for all that is paused with the cluster.
pub(super) fn paused(world: &World<'_>) -> Option<Insight> {
    let by = world.paused?;
    let name = world.scene.name();
    Some(Insight {
        summary: format!("Cluster {name} is paused"),
        description: format!("It is paused by {by}: nothing of it is changed until that is taken away."),
        advice: "take the pause away when it is no longer meant".into(),
        reference: UPGRADES.into(),
        resources: vec![objects::cluster(world)],
        ..draft(Rule::ClusterPaused, Level::Warning, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// `H-PLAN-REFUSED`.
pub(super) fn refused(world: &World<'_>) -> Option<Insight> {
    let refusal = world.course.refusal()?;
    Some(Insight {
        summary: one_line(&format!("There is no plan for the upgrade: {}", refusal.message), LINE),
        description: refusal.message.clone(),
        advice: "`headway plan` shows the rules and the versions that they speak of".into(),
        reference: UPGRADES.into(),
        resources: vec![objects::cluster(world)],
        ..draft(Rule::PlanRefused, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// What holds the update, by the preview of it: hooks, errors of Cluster API, and whatever else is in its way.
pub(super) fn held(world: &World<'_>) -> Vec<Insight> {
    let mut all = Vec::new();
    for hold in obstacles(world) {
        let (rule, level, impact, reference) = match hold.kind {
            // Each of these is told by a rule of its own.
            HoldKind::Paused | HoldKind::Deferred => continue,
            // Blocking is how hooks are meant, and not failing.
            HoldKind::Hook | HoldKind::Annotation | HoldKind::PendingHook => {
                (Rule::HookBlocking, Level::Info, Impact::UpdateSpeed, HOOKS)
            }
            HoldKind::ReconcileFailed => (Rule::ClusterFailing, Level::Error, Impact::UpdateStalled, UPGRADES),
            _ if hold.weight == Weight::Stuck => (Rule::UpdateBlocked, Level::Error, Impact::UpdateStalled, UPGRADES),
            _ => (Rule::UpdateBlocked, Level::Warning, Impact::UpdateSpeed, UPGRADES),
        };
        let mut resources = vec![objects::cluster(world)];
        if hold.kind == HoldKind::ControlPlaneUnhealthy {
            let unwell = world
                .scene
                .control_plane_machines
                .iter()
                .filter(|machine| hold.message.contains(&format!("machine {} ", machine.metadata.name)));
            resources.extend(unwell.map(|machine| objects::machine(world, &machine.metadata.name)));
        }
        all.push(Insight {
            // Several hooks may hold one cluster.
            uid: hold.name.clone(),
            since: hold.since,
            summary: one_line(&summary(hold), LINE),
            description: description(world, hold),
            advice: hold.advice.clone(),
            reference: reference.into(),
            resources,
            ..draft(rule, level, impact, Scope::ControlPlane)
        });
    }
    all
}

fn summary(hold: &Hold) -> String {
    match hold.kind {
        HoldKind::Hook => format!("The upgrade is held by {}", hold.message),
        _ => hold.message.clone(),
    }
}

fn description(world: &World<'_>, hold: &Hold) -> String {
    let next = world.course.preview.as_ref().map(|preview| preview.next.join(", then ")).unwrap_or_default();
    let holds_back = matches!(hold.kind, HoldKind::Hook | HoldKind::Annotation) && !next.is_empty();
    if holds_back { format!("{}\nIt holds back: {next}.", hold.message) } else { hold.message.clone() }
}

/// `H-UPDATE-STALLED`.
pub(super) fn stalled(world: &World<'_>, pools: &[PoolView<'_>]) -> Option<Insight> {
    let since = stall::since(world, pools)?;
    let waits = pools.iter().filter(|pool| pool.is_outdated());
    let mut resources = vec![objects::cluster(world)];
    resources.extend(waits.map(PoolView::reference));
    Some(Insight {
        since: Some(since),
        summary: "Nothing of the update has changed for longer than machines take".into(),
        description:
            "No machine was made, changed or taken away, though some are not at the version that they are to have."
                .into(),
        advice: "look at the events of the machines, and at the logs of Cluster API's controllers".into(),
        reference: UPGRADES.into(),
        resources,
        ..draft(Rule::UpdateStalled, Level::Error, Impact::UpdateStalled, Scope::ControlPlane)
    })
}

/// `H-CLUSTER-UNAVAILABLE`, by what Cluster API says of the cluster and its control plane.
pub(super) fn unavailable(world: &World<'_>) -> Option<Insight> {
    let status = &world.scene.cluster.status;
    let told = ["ControlPlaneAvailable", "RemoteConnectionProbe", "InfrastructureReady"]
        .into_iter()
        .filter_map(|kind| status.condition(kind))
        .find(|told| told.status == ConditionStatus::False && world.is_past(told.last_transition_time, GRACE))?;
    let level = if world.is_past(told.last_transition_time, ERROR) { Level::Error } else { Level::Warning };
    Some(Insight {
        since: told.last_transition_time,
        summary: one_line(&format!("{} of cluster {} is False: {}", told.kind, world.scene.name(), said(told)), LINE),
        description: said(told),
        reference: UPGRADES.into(),
        resources: vec![objects::cluster(world)],
        ..draft(Rule::ClusterUnavailable, level, Impact::ApiAvailability, Scope::ControlPlane)
    })
}

/// `H-COMPONENT-DEGRADED`: what the control plane says of its etcd, its pods and its certificates.
pub(super) fn components(world: &World<'_>) -> Vec<Insight> {
    let Some(object) = world.scene.control_plane else { return Vec::new() };
    let told = ["EtcdClusterHealthy", "ControlPlaneComponentsHealthy", "CertificatesAvailable"]
        .into_iter()
        .filter_map(|kind| object.status.condition(kind))
        .filter(|told| told.status == ConditionStatus::False && world.is_past(told.last_transition_time, GRACE));
    told.map(|told| {
        let level =
            if world.is_past(told.last_transition_time, DEGRADED_ERROR) { Level::Error } else { Level::Warning };
        Insight {
            uid: told.kind.clone(),
            since: told.last_transition_time,
            summary: one_line(
                &format!("{} of {} is False: {}", told.kind, world.scene.control_plane_name(), said(told)),
                LINE,
            ),
            description: said(told),
            reference: UPGRADES.into(),
            resources: vec![objects::control_plane(object)],
            ..draft(Rule::ComponentDegraded, level, Impact::ApiAvailability, Scope::ControlPlane)
        }
    })
    .collect()
}

/// `H-REMEDIATION-BLOCKED`: a health check that replaces nothing, since too many machines are not well.
pub(super) fn health_checks(world: &World<'_>) -> Vec<Insight> {
    let cluster = &world.scene.cluster.metadata;
    let is_own = |check: &&MachineHealthCheck| {
        check.metadata.namespace == cluster.namespace && check.spec.cluster_name == cluster.name
    };
    let held = world.inventory.health_checks.iter().filter(is_own).filter_map(|check| {
        let told = check.status.condition("RemediationAllowed").filter(|it| it.status == ConditionStatus::False)?;
        let well = check.status.current_healthy.zip(check.status.expected_machines);
        let well = well.map(|(well, all)| format!(" ({well} of {all} machines are healthy)")).unwrap_or_default();
        let name = &check.metadata.name;
        Some(Insight {
            since: told.last_transition_time,
            summary: one_line(&format!("MachineHealthCheck {name} replaces no machine{well}: {}", said(told)), LINE),
            description: said(told),
            advice: "find out why so many machines are not healthy at once, before they are replaced".into(),
            reference: HEALTH_CHECKS.into(),
            resources: vec![ResourceRef::namespaced(GROUP, "machinehealthchecks", &cluster.namespace, name)],
            ..draft(Rule::RemediationBlocked, Level::Warning, Impact::UpdateSpeed, Scope::WorkerPool)
        })
    });
    held.collect()
}
