//! One hosted cluster that was updated from 4.17.9 to 4.18.3, as JSON that a test changes in places.

use std::sync::Arc;

use headway_api::preview::Clock;
use headway_api::report::Report;
use headway_core::assess::hosted::report;
use headway_core::preview::{Inventory, Moment, Seen, SeenOfWorkload, Workload};
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Changes: the place as a JSON pointer, and what is to stand there. Null takes away.
pub(super) type Changes<'a> = &'a [(&'a str, Value)];

/// The moment of judging.
pub(super) const NOW: Timestamp = Timestamp::constant(1_777_881_600, 0);

pub(super) const OLD: &str = "4.17.9";
pub(super) const NEW: &str = "4.18.3";

/// So many minutes before [`NOW`].
pub(super) fn ago(minutes: i64) -> Value {
    NOW.checked_sub(SignedDuration::from_mins(minutes)).unwrap().to_string().into()
}

pub(super) fn image(version: &str) -> String {
    format!("quay.io/openshift-release-dev/ocp-release:{version}-x86_64")
}

/// A condition that has been so for some minutes.
pub(super) fn told(kind: &str, status: &str, reason: &str, message: &str, minutes: i64) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": ago(minutes)})
}

/// An entry of a history, that began and ended so many minutes ago.
pub(super) fn entry(version: &str, began: i64, ended: Option<i64>) -> Value {
    json!({"state": if ended.is_some() { "Completed" } else { "Partial" }, "version": version, "image": image(version),
        "startedTime": ago(began), "completionTime": ended.map(ago)})
}

/// One side, on its way to a version.
pub(super) fn side(version: &str, history: Vec<Value>) -> Value {
    json!({"desired": {"version": version, "image": image(version)}, "history": history})
}

/// Both sides were done some time ago; the update before took 50 minutes.
fn done(side_of: &str) -> Value {
    let ended = if side_of == "pods" { 70 } else { 60 };
    side(
        NEW,
        vec![entry(NEW, 90, Some(ended)), entry(OLD, 10_050, Some(10_000)), entry("4.17.1", 30_060, Some(30_000))],
    )
}

/// A component, at a version and rolled out, or on its way from it.
pub(super) fn component(name: &str, version: &str, complete: &str) -> Value {
    let reason = if complete == "True" { "AsExpected" } else { "WaitingForRolloutComplete" };
    json!({"metadata": {"name": name, "namespace": "bay-tern"}, "status": {"version": version, "conditions": [
        told("Available", "True", "AsExpected", "", 9_000), told("RolloutComplete", complete, reason, "", 10)]}})
}

/// So many components, of which so many are done.
pub(super) fn components(total: usize, done: usize) -> Value {
    let of = |at: usize| {
        let (version, complete) = if at < done { (NEW, "True") } else { (OLD, "False") };
        component(&format!("c-{at:02}"), version, complete)
    };
    (0..total).map(of).collect()
}

/// A pool of three nodes.
pub(super) fn pool(name: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "bay"},
        "spec": {"clusterName": "tern", "replicas": 3, "release": {"image": image(version)},
            "management": {"upgradeType": "Replace", "replace": {"strategy": "RollingUpdate"}}},
        "status": {"replicas": 3, "version": version, "nodesInfo": {"nodeVersions": [nodes(version, 3)]},
            "conditions": [told("Ready", "True", "AsExpected", "", 9_000),
                told("UpdatingVersion", "False", "AsExpected", "", 9_000)]}})
}

/// So many ready nodes of a version.
pub(super) fn nodes(version: &str, ready: u64) -> Value {
    json!({"ocpVersion": version, "kubeletVersion": "v1.31.6", "readyNodeCount": ready, "unreadyNodeCount": 0})
}

/// A node of a pool that is changed in place: its configuration, the one it is to have, and the daemon's state.
pub(super) fn node(name: &str, current: &str, desired: &str, state: &str) -> Value {
    json!({"metadata": {"name": name, "labels": {"hypershift.openshift.io/nodePool": "a"}, "annotations": {
        "machineconfiguration.openshift.io/currentConfig": current,
        "machineconfiguration.openshift.io/desiredConfig": desired,
        "machineconfiguration.openshift.io/state": state}},
        "status": {"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": ago(9_000)}]}})
}

fn world() -> Value {
    json!({
        "hosted": [{
            "metadata": {"name": "tern", "namespace": "bay"},
            "spec": {"release": {"image": image(NEW)}, "clusterID": "t"},
            "status": {"version": done("guest"), "controlPlaneVersion": done("pods"), "conditions": [
                told("Available", "True", "AsExpected", "", 9_000),
                told("Progressing", "False", "AsExpected", "", 60),
                told("Degraded", "False", "AsExpected", "", 9_000),
                told("ClusterVersionProgressing", "False", "FromClusterVersion", "", 60),
                told("ReconciliationActive", "True", "AsExpected", "", 9_000)]}}],
        "controlPlanes": [], "components": components(3, 3), "pools": [pool("a", NEW)], "machines": [], "sets": [],
        "nodes": [], "pods": [], "budgets": [], "operators": [], "clusterVersion": null, "unreachable": "",
        "seen": {"pools": true, "components": true, "guest": false}})
}

/// The changed cluster.
pub(super) fn world_with(changes: Changes<'_>) -> Value {
    let mut world = world();
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match world.pointer_mut(parent).unwrap_or_else(|| panic!("{place}")) {
            Value::Object(fields) if value.is_null() => drop(fields.remove(&key)),
            Value::Object(fields) => drop(fields.insert(key, value.clone())),
            Value::Array(items) if key == "-" => items.push(value.clone()),
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{place}: {other}"),
        }
    }
    world
}

/// The inventory of the changed cluster.
pub(super) fn inventory(changes: Changes<'_>) -> Inventory {
    inventory_of(&world_with(changes))
}

/// The inventory of a cluster as it stands in JSON.
pub(super) fn inventory_of(world: &Value) -> Inventory {
    let is = |place: &str| world.pointer(place) == Some(&Value::Bool(true));
    let sees_guest = is("/seen/guest");
    let workload = Workload {
        nodes: all(world, "nodes").into_iter().map(Arc::new).collect(),
        pods: all(world, "pods").into_iter().map(Arc::new).collect(),
        budgets: all(world, "budgets").into_iter().map(Arc::new).collect(),
        operators: all(world, "operators"),
        cluster_version: serde_json::from_value(world["clusterVersion"].clone()).unwrap(),
        seen: SeenOfWorkload { nodes: sees_guest, pods: sees_guest, budgets: sees_guest, operators: sees_guest },
        unreachable: world["unreachable"].as_str().unwrap().to_owned(),
        ..Workload::default()
    };
    let is_there = sees_guest || !workload.unreachable.is_empty();
    Inventory {
        moment: Moment { at: NOW, clock: Clock::Given },
        hosted_clusters: all(world, "hosted"),
        hosted_control_planes: all(world, "controlPlanes"),
        components: all(world, "components"),
        node_pools: all(world, "pools"),
        machines: all(world, "machines"),
        machine_sets: all(world, "sets"),
        workloads: is_there.then(|| (("bay".to_owned(), "tern".to_owned()), workload)).into_iter().collect(),
        seen: Seen { node_pools: is("/seen/pools"), components: is("/seen/components"), ..Seen::default() },
        ..Inventory::default()
    }
}

fn all<T: DeserializeOwned>(world: &Value, key: &str) -> Vec<T> {
    serde_json::from_value(world[key].clone()).unwrap_or_else(|error| panic!("{key}: {error}"))
}

/// The report of the changed cluster.
pub(super) fn told_of(changes: Changes<'_>) -> Report {
    let inventory = inventory(changes);
    report(&inventory, &inventory.hosted_clusters[0])
}

/// The report in lines: the whole, the cluster, each pool, each insight.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let cluster = &report.cluster;
    let percent = |percent: Option<u8>| percent.map_or("?%".into(), |percent| format!("{percent}%"));
    let versions = &cluster.versions;
    let named = |version: &Option<String>| version.clone().unwrap_or_else(|| "?".into());
    let mut all = vec![
        format!("{:?} {:?}", report.outcome, report.activity),
        format!(
            "{} {}/{} {} {} to {}",
            cluster.assessment,
            cluster.updating.status,
            cluster.updating.reason,
            percent(cluster.completion_percent),
            named(&versions.previous),
            named(&versions.target)
        ),
    ];
    all.extend(report.pools.iter().map(|pool| {
        let counts = &pool.counts;
        let done = counts.total - counts.outdated;
        let percent = percent(pool.completion_percent);
        format!("{} {} {} {percent} {done}/{}", pool.name, pool.assessment, pool.updating.reason, counts.total)
    }));
    all.extend(report.insights.iter().map(|it| format!("{} {}: {}", it.rule, it.level, it.summary)));
    all
}

/// One row: changes, and the lines of the report.
#[track_caller]
pub(super) fn check(changes: Changes<'_>, expect: &[&str]) {
    let report = told_of(changes);
    assert_eq!(lines(&report), expect, "{}", serde_json::to_string_pretty(&report).unwrap());
}
