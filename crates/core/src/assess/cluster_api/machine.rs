//! One machine: where it is on the way, what its node runs, and whether it serves (update-status-api.md, 6.3).

use std::cmp::Ordering;

use headway_api::cluster_api::{Machine, UPDATING_IN_PLACE_ANNOTATION};
use headway_api::meta::{Condition as Told, ConditionStatus};
use headway_api::report::{Condition, Phase, Remaining, Truth, Unit, UnitAssessment};
use jiff::Timestamp;

use crate::assess::{machine, said};
use crate::version::KubeVersion;

/// Whose machine it is, as far as that decides how it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// Its pool.
    pub(super) pool: &'a str,
    /// The version that the pool takes or has.
    pub(super) wanted: Option<&'a KubeVersion>,
    /// Its pool is paused, or its upgrade put off: what is old stays so.
    pub(super) held: bool,
}

/// The row of a machine.
pub(super) fn unit(machine: &Machine, place: Place<'_>) -> Unit {
    let status = &machine.status;
    let (phase, since, message) = phase(machine, place);
    let failure = failure(machine);
    let available = available(machine, phase);
    let degraded = match &failure {
        Some(failure) => condition(Truth::True, &failure.reason, &failure.message, failure.since),
        None => condition(Truth::False, "AsExpected", "", None),
    };
    let node = status.node_ref.as_ref().map(|node| node.name.clone()).filter(|name| !name.is_empty());
    Unit {
        name: machine.metadata.name.clone(),
        kind: "Machine",
        node: node.filter(|name| *name != machine.metadata.name),
        pool: Some(place.pool.to_owned()),
        assessment: UnitAssessment::of(phase, available.status, degraded.status),
        phase,
        version: Some(status.node_info.kubelet_version.clone()).filter(|version| !version.is_empty()),
        updated: phase == Phase::Updated,
        since,
        remaining: if phase == Phase::Updated { Remaining::Nothing } else { Remaining::Unknown },
        in_service: is_in_service(machine),
        available,
        message: failure.map_or(message, |failure| failure.message),
        degraded,
        current_config: None,
        desired_config: None,
        blocked_by: Vec::new(),
    }
}

/// Where a machine is, since when, and what there is to say of it.
fn phase(machine: &Machine, place: Place<'_>) -> (Phase, Option<Timestamp>, String) {
    let status = &machine.status;
    let is = |kind: &str, wanted: ConditionStatus| status.condition(kind).filter(|it| it.status == wanted);
    if let Some(leaving) = machine::leaving(machine) {
        return leaving;
    }
    let lag = lag(machine);
    let in_place = is("Updating", ConditionStatus::True);
    if in_place.is_some() || machine.metadata.annotations.has(UPDATING_IN_PLACE_ANNOTATION) {
        let told = in_place.map_or_else(String::new, said);
        let message = [lag.unwrap_or_default(), told].into_iter().filter(|part| !part.is_empty());
        let since = in_place.and_then(|told| told.last_transition_time);
        return (Phase::Updating, since, message.collect::<Vec<_>>().join(": "));
    }
    if status.node_ref.is_none() {
        return (Phase::Provisioning, machine.metadata.creation_timestamp, machine::awaited(machine));
    }
    let not_up_to_date = is("UpToDate", ConditionStatus::False);
    let waits = || if place.held { Phase::Paused } else { Phase::Pending };
    if let Some(told) = not_up_to_date {
        if told.reason == "Updating" {
            return (Phase::Updating, told.last_transition_time, lag.unwrap_or_else(|| said(told)));
        }
        return (waits(), None, said(told));
    }
    let Some(wanted) = place.wanted else { return (Phase::Unknown, None, String::new()) };
    let is_meant = machine.spec.version.is_empty()
        || KubeVersion::parse(&machine.spec.version).is_ok_and(|version| version == *wanted);
    match KubeVersion::parse(&status.node_info.kubelet_version) {
        // What the spec asks for is no proof of what runs (cases C02).
        Err(_) if is_meant => (Phase::Unknown, None, "the version that its node runs is not known".into()),
        Ok(runs) if is_meant && is_same(&runs, wanted) => (Phase::Updated, None, String::new()),
        Ok(_) if is_meant => (Phase::Updating, None, lag.unwrap_or_default()),
        Ok(_) | Err(_) => (waits(), None, String::new()),
    }
}

/// Whether a kubelet's version is the one that was asked for. Kubelets of distributions leave out the build or write
/// it otherwise, so that of theirs only the numbers count.
fn is_same(runs: &KubeVersion, wanted: &KubeVersion) -> bool {
    runs.compare_numbers(wanted) == Ordering::Equal
}

/// That the node does not run what the spec names.
fn lag(machine: &Machine) -> Option<String> {
    let (spec, runs) = (&machine.spec.version, &machine.status.node_info.kubelet_version);
    let differ = KubeVersion::parse(spec).ok()?.compare_numbers(&KubeVersion::parse(runs).ok()?) != Ordering::Equal;
    differ.then(|| format!("spec {spec}, kubelet {runs}"))
}

/// What is wrong with a machine that does not mend itself.
pub(super) struct Failure {
    pub(super) reason: String,
    pub(super) message: String,
    pub(super) since: Option<Timestamp>,
}

/// Why a machine is degraded: its update in place failed, a health check found it wanting, or it can never be ready.
fn failure(machine: &Machine) -> Option<Failure> {
    let status = &machine.status;
    let of =
        |told: &Told| Failure { reason: told.reason.clone(), message: said(told), since: told.last_transition_time };
    let in_place = status.condition("Updating").filter(|told| told.reason.contains("Failed"));
    let unhealthy = status.condition("HealthCheckSucceeded").filter(|told| told.status == ConditionStatus::False);
    if let Some(told) = in_place.or(unhealthy) {
        return Some(of(told));
    }
    let message = machine::failure(machine)?;
    Some(Failure { reason: "Failed".into(), message, since: None })
}

/// Whether it serves, or is out of service only for the update.
fn available(machine: &Machine, phase: Phase) -> Condition {
    let status = &machine.status;
    let told = ["NodeHealthy", "NodeReady", "Ready"].into_iter().find_map(|kind| status.condition(kind));
    match told {
        Some(_) | None if phase.moves() => condition(Truth::True, "AsExpected", "", None),
        Some(told) if told.status == ConditionStatus::False => {
            condition(Truth::False, &told.reason, &said(told), told.last_transition_time)
        }
        Some(told) if told.status == ConditionStatus::Unknown => {
            condition(Truth::Unknown, &told.reason, &said(told), told.last_transition_time)
        }
        None => condition(Truth::Unknown, "NotTold", "", None),
        Some(_) => condition(Truth::True, "AsExpected", "", None),
    }
}

/// Whether pods can run on it, whatever the reason.
fn is_in_service(machine: &Machine) -> bool {
    let status = &machine.status;
    let told = ["Available", "Ready", "NodeHealthy", "NodeReady"].into_iter().find_map(|kind| status.condition(kind));
    status.node_ref.is_some()
        && machine.metadata.deletion_timestamp.is_none()
        && told.is_none_or(|told| told.status == ConditionStatus::True)
}

fn condition(status: Truth, reason: &str, message: &str, since: Option<Timestamp>) -> Condition {
    let reason = if reason.is_empty() { "AsExpected" } else { reason };
    Condition { status, reason: reason.into(), message: message.into(), since }
}
