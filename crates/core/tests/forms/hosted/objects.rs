//! Nodes and machines of a hosted cluster, each at a step of its way.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::super::world::Step;
use super::world::{NEW, NOW, OLD, ago, node, told};

/// So many seconds before the moment of judging, as a text.
pub(super) fn seconds_ago(seconds: i64) -> Value {
    NOW.checked_sub(SignedDuration::from_secs(seconds)).unwrap().to_string().into()
}

/// A condition since some seconds.
pub(super) fn since(kind: &str, status: &str, reason: &str, seconds: i64) -> Value {
    let mut said = told(kind, status, reason, "it does not work", 0);
    said["lastTransitionTime"] = seconds_ago(seconds);
    said
}

/// A machine of the pool, with its node.
pub(super) fn machine(at: usize, version: &str, status: Value) -> Value {
    json!({"metadata": {"name": format!("a-{at}"), "namespace": "bay-tern", "creationTimestamp": ago(600),
            "annotations": {
            "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/release-version": version}},
        "status": status})
}

pub(super) fn with_node(at: usize) -> Value {
    json!({"nodeRef": {"name": format!("n-{at}")}, "conditions": [told("NodeHealthy", "True", "", "", 90)]})
}

/// A machine that drains since some minutes.
pub(super) fn draining(at: usize, minutes: i64) -> Value {
    let said = told("Deleting", "True", "DrainingNode", "* pod shop/db cannot leave", minutes);
    let status = json!({"nodeRef": {"name": format!("n-{at}")}, "conditions": [said],
        "deletion": {"nodeDrainStartTime": ago(minutes)}});
    let mut goes = machine(at, OLD, status);
    goes["metadata"]["deletionTimestamp"] = ago(minutes + 1);
    goes
}

pub(super) fn coming(at: usize, minutes: i64) -> Value {
    let waits = told("InfrastructureReady", "False", "Waiting", "quota of 8 cores exceeded", minutes);
    let mut comes = machine(at, NEW, json!({"conditions": [waits]}));
    comes["metadata"]["creationTimestamp"] = ago(minutes);
    comes
}

/// A node of a pool at a step of its way.
pub(super) fn at_step(pool: &str, name: &str, step: Step) -> Value {
    let (current, desired, state) = match step {
        Step::Old => ("0aa", "0aa", "Done"),
        Step::Asked => ("0aa", "1bb", "Done"),
        Step::Draining | Step::Emptied | Step::Changing => ("0aa", "1bb", "Working"),
        Step::Rebooting => ("0aa", "1bb", "Rebooting"),
        Step::New => ("1bb", "1bb", "Done"),
        Step::Failed | Step::FailedToDrain => ("0aa", "1bb", "Degraded"),
    };
    let mut made = node(name, current, desired, state);
    made["metadata"]["labels"]["hypershift.openshift.io/nodePool"] = pool.into();
    let notes = &mut made["metadata"]["annotations"];
    let (wanted, applied) = match step {
        Step::Old | Step::New | Step::Asked => (None, None),
        Step::Draining | Step::FailedToDrain => (Some("drain-1bb"), Some("uncordon-0aa")),
        Step::Emptied | Step::Changing | Step::Rebooting | Step::Failed => (Some("drain-1bb"), Some("drain-1bb")),
    };
    if let (Some(wanted), Some(applied)) = (wanted, applied) {
        notes["machineconfiguration.openshift.io/desiredDrain"] = wanted.into();
        notes["machineconfiguration.openshift.io/lastAppliedDrain"] = applied.into();
    }
    match step {
        Step::Failed => notes["machineconfiguration.openshift.io/reason"] = "the disk is full".into(),
        Step::FailedToDrain => {
            let why = format!("failed to drain node: {name} after 1 hour");
            notes["machineconfiguration.openshift.io/reason"] = why.into();
        }
        _ => {}
    }
    if matches!(step, Step::Draining | Step::FailedToDrain | Step::Changing | Step::Emptied | Step::Rebooting) {
        cordoned(&mut made, 5);
    }
    made
}

pub(super) fn cordoned(node: &mut Value, minutes: i64) {
    node["spec"] = json!({"unschedulable": true,
        "taints": [{"key": "node.kubernetes.io/unschedulable", "timeAdded": ago(minutes)}]});
}
