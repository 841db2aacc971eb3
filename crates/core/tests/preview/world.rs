//! One cluster at v1.31.0 on its way to v1.32.0, as JSON that a test changes in places.

use headway_api::preview::Preview;
use headway_core::preview::{Inventory, Moment, Seen, Wish, of_cluster};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Changes: the place as a JSON pointer, and what is to stand there. Null takes away.
pub(super) type Changes<'a> = &'a [(&'a str, Value)];

fn world() -> Value {
    json!({
        "clusters": [{
            "metadata": {"name": "gull", "namespace": "bay", "annotations": {}},
            "spec": {
                "controlPlaneRef": {"kind": "KubeadmControlPlane", "name": "cp"},
                "topology": {"classRef": {"name": "sea"}, "version": "v1.32.0", "workers": {
                    "machineDeployments": [{"name": "a"}, {"name": "b"}], "machinePools": []}}},
            "status": {"conditions": []}}],
        "classes": [{"metadata": {"name": "sea", "namespace": "bay"},
            "spec": {"kubernetesVersions": ["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"]}}],
        "controlPlanes": [{"kind": "KubeadmControlPlane", "metadata": {"name": "cp", "namespace": "bay"},
            "spec": {"replicas": 3, "version": "v1.31.0"}, "status": {"version": "v1.31.0"}}],
        "machineDeployments": [workers("a", "v1.31.0"), workers("b", "v1.31.0")],
        "machinePools": [], "machines": [], "extensions": [], "namespaces": [], "budgets": []})
}

/// A group of workers with two machines.
pub(super) fn workers(name: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "bay", "labels": {
            "topology.cluster.x-k8s.io/owned": "", "topology.cluster.x-k8s.io/deployment-name": name,
            "topology.cluster.x-k8s.io/pool-name": name}},
        "spec": {"clusterName": "gull", "replicas": 2, "template": {"spec": {"version": version}}}})
}

/// A machine of a group of workers, or of the control plane.
pub(super) fn machine(name: &str, of: &str, version: &str, runs: &str) -> Value {
    let labels = if of == "cp" { json!({}) } else { json!({"cluster.x-k8s.io/deployment-name": of}) };
    let owner = if of == "cp" { "KubeadmControlPlane" } else { "MachineSet" };
    json!({"metadata": {"name": name, "namespace": "bay", "labels": labels,
            "ownerReferences": [{"kind": owner, "name": of}]},
        "spec": {"clusterName": "gull", "version": version}, "status": {"nodeInfo": {"kubeletVersion": runs}}})
}

/// An extension with handlers as `NAME:HOOK`.
pub(super) fn extension(name: &str, handlers: &[&str]) -> Value {
    let handler = |text: &&str| {
        let (handler, hook) = text.split_once(':').unwrap();
        json!({"name": format!("{handler}.{name}"), "requestHook": {"hook": hook}})
    };
    json!({"metadata": {"name": name}, "status": {"handlers": handlers.iter().map(handler).collect::<Vec<_>>()}})
}

/// The condition by which Cluster API tells how the topology does.
pub(super) fn reconciled(reason: &str, message: &str) -> Value {
    json!([{"type": "TopologyReconciled", "status": "False", "reason": reason, "message": message,
        "lastTransitionTime": "2026-05-04T07:00:00Z"}])
}

/// The inventory of the changed cluster, all kinds looked at.
pub(super) fn inventory(changes: Changes<'_>) -> Inventory {
    let mut world = world();
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match world.pointer_mut(parent).unwrap_or_else(|| panic!("{place}")) {
            Value::Object(fields) if value.is_null() => {
                fields.remove(&key);
            }
            Value::Object(fields) => {
                fields.insert(key, value.clone());
            }
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{place}: {other}"),
        }
    }
    let seen = Seen {
        machine_deployments: true,
        machine_pools: true,
        machines: true,
        extensions: true,
        budgets: true,
        ..Seen::default()
    };
    Inventory {
        moment: Moment::default(),
        clusters: all(&world, "clusters"),
        classes: all(&world, "classes"),
        control_planes: all(&world, "controlPlanes"),
        machine_deployments: all(&world, "machineDeployments"),
        machine_pools: all(&world, "machinePools"),
        machines: all(&world, "machines"),
        extensions: all(&world, "extensions"),
        namespaces: all(&world, "namespaces"),
        budgets: all(&world, "budgets"),
        seen,
        ..Inventory::default()
    }
}

fn all<T: DeserializeOwned>(world: &Value, key: &str) -> Vec<T> {
    serde_json::from_value(world[key].clone()).unwrap()
}

/// The preview of the changed cluster; `to` is another target than its own, unless it is empty.
pub(super) fn preview(changes: Changes<'_>, to: &str) -> Preview {
    let inventory = inventory(changes);
    let to = (!to.is_empty()).then(|| to.to_owned());
    of_cluster(&inventory, inventory.pick(None, None).unwrap(), &Wish { to, versions: Vec::new() }).unwrap()
}

/// The verdict, and what holds it, each in a line.
pub(super) fn held(preview: &Preview) -> Vec<String> {
    let holds = preview.holds.iter().map(|hold| format!("{} {}: {}", hold.weight, hold.kind, hold.message));
    std::iter::once(format!("{:?}", preview.verdict)).chain(holds).collect()
}

/// One row: changes, and what the verdict and the holds are.
#[track_caller]
pub(super) fn check(changes: Changes<'_>, expect: &[&str]) {
    assert_eq!(held(&preview(changes, "")), expect);
}
