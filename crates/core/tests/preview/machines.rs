//! Machines of the cluster of `world`, each at a step of its way, and the report of a cluster that has them.

use headway_api::insight::{Insight, Rule};
use headway_api::report::{Phase, Report};
use headway_core::assess::cluster_api;
use headway_core::preview::{Inventory, Moment};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::world::{Changes, inventory, reconciled, workers};

pub(super) const NOW: &str = "2026-05-04T08:00:00Z";

/// The report of the changed cluster.
pub(super) fn report(changes: Changes<'_>) -> Report {
    report_of(inventory(changes))
}

pub(super) fn report_of(seen: Inventory) -> Report {
    let moment = Moment { at: NOW.parse().unwrap(), ..Moment::default() };
    let seen = Inventory { moment, ..seen };
    cluster_api::report(&seen, &seen.clusters[0])
}

pub(super) fn ago(minutes: i64) -> String {
    let now: Timestamp = NOW.parse().unwrap();
    (now - jiff::SignedDuration::from_mins(minutes)).to_string()
}

/// A machine with a node that runs what it is to run.
pub(super) fn machine(name: &str, of: &str, version: &str) -> Value {
    let labels = if of == "cp" { json!({}) } else { json!({"cluster.x-k8s.io/deployment-name": of}) };
    let owner = if of == "cp" { "KubeadmControlPlane" } else { "MachineSet" };
    json!({"metadata": {"name": name, "namespace": "bay", "labels": labels, "creationTimestamp": ago(600),
            "ownerReferences": [{"kind": owner, "name": of, "controller": true}]},
        "spec": {"clusterName": "gull", "version": version},
        "status": {"phase": "Running", "nodeRef": {"name": format!("node-{name}")}, "nodeInfo": {"kubeletVersion": version},
            "conditions": [condition("UpToDate", true, "UpToDate", 600), condition("NodeReady", true, "NodeReady", 600)]}})
}

/// A condition that has stood so for some minutes.
pub(super) fn condition(kind: &str, holds: bool, reason: &str, minutes: i64) -> Value {
    let status = if holds { "True" } else { "False" };
    json!({"type": kind, "status": status, "reason": reason, "lastTransitionTime": ago(minutes)})
}

/// The same machine, changed: the place as a JSON pointer.
pub(super) fn with(mut machine: Value, changes: &[(&str, Value)]) -> Value {
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        let parent = machine.pointer_mut(parent).unwrap_or_else(|| panic!("{place}"));
        if value.is_null() {
            parent.as_object_mut().unwrap().remove(key);
        } else {
            parent[key] = value.clone();
        }
    }
    machine
}

pub(super) fn old(name: &str, of: &str) -> Value {
    let outdated =
        json!([condition("UpToDate", false, "NotUpToDate", 30), condition("NodeReady", true, "NodeReady", 600)]);
    with(machine(name, of, "v1.31.0"), &[("/status/conditions", outdated)])
}

pub(super) fn coming(name: &str, of: &str, minutes: i64) -> Value {
    let waits = json!([condition("InfrastructureReady", false, "NotReady", minutes)]);
    with(
        machine(name, of, "v1.32.0"),
        &[
            ("/metadata/creationTimestamp", json!(ago(minutes))),
            ("/status", json!({"phase": "Provisioning", "conditions": waits})),
        ],
    )
}

pub(super) fn going(name: &str, of: &str, reason: &str, minutes: i64) -> Value {
    let told = json!({"type": "Deleting", "status": "True", "reason": reason, "lastTransitionTime": ago(minutes),
        "message": "Drain not completed yet:\n* Pod shop/cart-0: cannot evict pod"});
    with(
        machine(name, of, "v1.31.0"),
        &[
            ("/metadata/deletionTimestamp", json!(ago(minutes + 1))),
            ("/status/deletion", json!({"nodeDrainStartTime": ago(minutes)})),
            ("/status/conditions", json!([told])),
        ],
    )
}

pub(super) fn three(of: &str, version: &str) -> Vec<Value> {
    (0..3).map(|at| machine(&format!("{of}-{at}"), of, version)).collect()
}

pub(super) fn two(of: &str, version: &str) -> Vec<Value> {
    (0..2).map(|at| machine(&format!("{of}-{at}"), of, version)).collect()
}

pub(super) fn all(lists: &[Vec<Value>]) -> Value {
    Value::Array(lists.concat())
}

/// The control plane is at the target, and the machines of both groups are old.
pub(super) fn control_plane_done(machines: Value) -> Vec<(&'static str, Value)> {
    vec![
        ("/controlPlanes/0/spec/version", json!("v1.32.0")),
        (
            "/controlPlanes/0/status",
            json!({"version": "v1.32.0", "replicas": 3, "readyReplicas": 3, "upToDateReplicas": 3}),
        ),
        ("/clusters/0/metadata/annotations/runtime.cluster.x-k8s.io~1pending-hooks", json!("AfterClusterUpgrade")),
        ("/clusters/0/status/conditions", reconciled("ClusterUpgrading", "Cluster is upgrading to v1.32.0")),
        ("/machines", machines),
    ]
}

pub(super) fn find(report: &Report, rule: Rule) -> Option<&Insight> {
    report.insights.iter().find(|insight| insight.rule == rule)
}

/// `NAME ASSESSMENT PERCENT (DONE/DESIRED of TOTAL)` for each pool.
pub(super) fn pools(report: &Report) -> Vec<String> {
    let told = report.pools.iter().map(|pool| {
        let counts = pool.counts;
        let percent = pool.completion_percent.map_or("?".into(), |percent| percent.to_string());
        let desired = counts.desired.unwrap_or_default();
        let done = (counts.total - counts.outdated).min(desired);
        format!("{} {} {percent}% ({done}/{desired} of {})", pool.name, pool.assessment, counts.total)
    });
    told.collect()
}

pub(super) fn phases(report: &Report, pool: &str) -> Vec<Phase> {
    report.units.iter().filter(|unit| unit.pool.as_deref() == Some(pool)).map(|unit| unit.phase).collect()
}

pub(super) fn control_plane_done_with_all_new() -> Vec<(&'static str, Value)> {
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), two("a", "v1.32.0"), two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
    changes
}

/// The cluster at rest at its target.
pub(super) fn settled() -> Vec<(&'static str, Value)> {
    let mut changes = control_plane_done_with_all_new();
    changes.push(("/clusters/0/metadata/annotations", json!({})));
    let told =
        [condition("TopologyReconciled", true, "ReconcileSucceeded", 5), condition("Available", true, "Available", 5)];
    changes.push(("/clusters/0/status/conditions", json!(told)));
    changes
}
