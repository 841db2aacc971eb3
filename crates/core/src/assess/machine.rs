//! A Machine of Cluster API, whoever keeps it: a Cluster of Cluster API, or a NodePool of HyperShift. How it comes and
//! goes, and what is wrong with it; what is told of that is left to the form that it is of.

use headway_api::cluster_api::Machine;
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::{Phase, Truth, Unit};
use jiff::{SignedDuration, Timestamp};

use super::{on_one_line, said, span};

/// A node may be away for a moment.
const AWAY: SignedDuration = SignedDuration::from_mins(5);

/// How long a node may be short of something, as on every form of cluster.
const SHORT: SignedDuration = SignedDuration::from_mins(1);

/// A machine that has not come for this long does not come by itself.
const NOT_MADE: SignedDuration = SignedDuration::from_mins(20);

/// Reasons of `Deleting` while pods are still being taken care of.
const DRAINING: [&str; 3] = ["WaitingForPreDrainHook", "DrainingNode", "WaitingForVolumeDetach"];

/// Where a machine is that is being deleted, since when, and what it says of that.
pub(super) fn leaving(machine: &Machine) -> Option<(Phase, Option<Timestamp>, String)> {
    let status = &machine.status;
    let deleted = machine.metadata.deletion_timestamp?;
    let told = status.condition("Deleting").filter(|it| it.status == ConditionStatus::True);
    // Versions before v1beta2 tell that the drain is not done.
    let older = status.condition("DrainingSucceeded").filter(|it| it.status == ConditionStatus::False);
    let drains = told.map_or(older.is_some(), |told| DRAINING.contains(&told.reason.as_str()));
    let message = told.or(older).map(said).unwrap_or_default();
    let began = status.deletion.node_drain_start_time.or(older.and_then(|it| it.last_transition_time));
    Some(match drains {
        true => (Phase::Draining, began.or(Some(deleted)), message),
        false => (Phase::Deleting, Some(deleted), message),
    })
}

/// What a machine that has no node yet says that it waits for.
pub(super) fn awaited(machine: &Machine) -> String {
    let kinds = ["BootstrapConfigReady", "BootstrapReady", "InfrastructureReady", "NodeReady", "NodeHealthy"];
    first_false(machine, &kinds).map(said).unwrap_or_default()
}

fn first_false<'m>(machine: &'m Machine, kinds: &[&str]) -> Option<&'m Condition> {
    let told = kinds.iter().filter_map(|kind| machine.status.condition(kind));
    told.into_iter().find(|told| told.status == ConditionStatus::False)
}

/// Why a machine can never be ready, where it says that it cannot.
pub(super) fn failure(machine: &Machine) -> Option<String> {
    let status = &machine.status;
    let why = on_one_line(&status.failure_message);
    match (why.is_empty(), status.phase == "Failed") {
        (false, _) => Some(why),
        (true, true) => Some("the machine has failed, and gives no reason".into()),
        (true, false) => None,
    }
}

/// A machine with what is wrong with it.
pub(super) struct Trouble<'r> {
    pub(super) unit: &'r Unit,
    /// What those with the same trouble share.
    pub(super) cause: String,
    pub(super) message: String,
    pub(super) since: Option<Timestamp>,
}

/// A machine that does not come: its infrastructure or its bootstrap data is not there.
pub(super) fn not_made<'r>(now: Timestamp, unit: &'r Unit, machine: &Machine) -> Option<Trouble<'r>> {
    if unit.phase != Phase::Provisioning || unit.degraded.status == Truth::True {
        return None;
    }
    let created = machine.metadata.creation_timestamp;
    let late = created.is_some_and(|created| span::between(now, created) > NOT_MADE);
    match first_false(machine, &["InfrastructureReady", "BootstrapConfigReady", "BootstrapReady"]) {
        Some(told) if late || is_failure(told) => Some(Trouble {
            unit,
            cause: told.kind.clone(),
            message: said(told),
            since: told.last_transition_time.or(created),
        }),
        None if late => {
            Some(Trouble { unit, cause: "NoNode".into(), message: "its node has not come".into(), since: created })
        }
        Some(_) | None => None,
    }
}

/// Reasons by which a provider says that it gave up, rather than that it waits.
fn is_failure(told: &Condition) -> bool {
    ["Failed", "Error", "Exceeded", "NotFound", "Insufficient"].iter().any(|word| told.reason.contains(word))
}

/// A machine that is degraded.
pub(super) fn degraded(unit: &Unit) -> Option<Trouble<'_>> {
    (unit.degraded.status == Truth::True).then(|| of_condition(unit, &unit.degraded))
}

/// A machine that is out of service for no reason of the update. What has no beginning cannot be said to be new.
pub(super) fn away<'r>(now: Timestamp, unit: &'r Unit, machine: &Machine) -> Option<Trouble<'r>> {
    // A node that is ready and not healthy lacks memory, disk or process ids: no restart passes that.
    let is_ready = machine.status.condition("NodeReady").is_some_and(|told| told.status == ConditionStatus::True);
    let grace = if is_ready { SHORT } else { AWAY };
    let told = &unit.available;
    let is_away = told.status == Truth::False
        && unit.degraded.status != Truth::True
        && told.since.is_none_or(|since| span::between(now, since) > grace);
    is_away.then(|| of_condition(unit, told))
}

fn of_condition<'r>(unit: &'r Unit, told: &headway_api::report::Condition) -> Trouble<'r> {
    Trouble { unit, cause: told.reason.clone(), message: told.message.clone(), since: told.since }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_leaves_says_how_in_every_version() {
        let check = |condition: &str, drained: Option<&str>, expect: &str| {
            let text = format!(
                r#"{{"metadata": {{"deletionTimestamp": "2026-05-04T07:50:00Z"}},
                    "status": {{"deletion": {{"nodeDrainStartTime": {}}}, "conditions": [{condition}]}}}}"#,
                drained.map_or("null".to_owned(), |at| format!("\"{at}\""))
            );
            let machine: Machine = serde_json::from_str(&text).unwrap();
            let (phase, since, message) = leaving(&machine).unwrap();
            assert_eq!(format!("{phase} {} {message}", since.unwrap()).trim(), expect, "{condition}");
        };
        let newer = |reason: &str| {
            format!(r#"{{"type": "Deleting", "status": "True", "reason": "{reason}", "message": "* one pod is left"}}"#)
        };
        let at = "2026-05-04T07:51:00Z";
        check(&newer("DrainingNode"), Some(at), "Draining 2026-05-04T07:51:00Z one pod is left");
        check(&newer("WaitingForPreDrainHook"), None, "Draining 2026-05-04T07:50:00Z one pod is left");
        check(&newer("WaitingForInfrastructureDeletion"), Some(at), "Deleting 2026-05-04T07:50:00Z one pod is left");
        check("", None, "Deleting 2026-05-04T07:50:00Z");
        let older = r#"{"type": "DrainingSucceeded", "status": "False", "reason": "Draining",
            "message": "two pods are left", "lastTransitionTime": "2026-05-04T07:52:00Z"}"#;
        check(older, None, "Draining 2026-05-04T07:52:00Z two pods are left");
        assert!(leaving(&Machine::default()).is_none());
    }
}
