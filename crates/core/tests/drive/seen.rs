//! What is seen of objects: where control planes and groups stand, who is put off, what forbids the beginning.

use headway_api::cluster_api::{Cluster, ControlPlane, Machine, Workers};
use headway_core::drive::{Concurrency, Observed, Standing, decide};
use headway_core::preview::{Inventory, Moment, Seen};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::scene::{lines, now};

/// A cluster at v1.31.0 without a topology: a control plane of one machine, and two groups of one machine each.
fn objects() -> Value {
    let machine = |name: &str, owner: Value, labels: Value| {
        json!({"metadata": {"name": name, "namespace": "bay", "labels": labels, "ownerReferences": [owner]},
            "spec": {"clusterName": "gull", "version": "v1.31.0"},
            "status": {"nodeInfo": {"kubeletVersion": "v1.31.0"}}})
    };
    let of_group = |name: &str| {
        machine(name, json!({"kind": "MachineSet", "name": name}), json!({"cluster.x-k8s.io/deployment-name": name}))
    };
    let group = |name: &str| {
        json!({"metadata": {"name": name, "namespace": "bay", "annotations": {}}, "spec": {"clusterName": "gull",
            "replicas": 1, "template": {"spec": {"version": "v1.31.0"}}}})
    };
    json!({
        "cluster": {"metadata": {"name": "gull", "namespace": "bay", "annotations": {}},
            "spec": {"paused": false, "controlPlaneRef": {"kind": "KubeadmControlPlane", "name": "cp"}}},
        "controlPlane": {"kind": "KubeadmControlPlane", "metadata": {"name": "cp", "namespace": "bay", "annotations": {}},
            "spec": {"replicas": 1, "version": "v1.31.0"}, "status": {"version": "v1.31.0"}},
        "deployments": [group("a"), group("b")],
        "pools": [],
        "machines": [machine("cp-1", json!({"kind": "KubeadmControlPlane", "name": "cp"}), json!({})), of_group("a"), of_group("b")],
    })
}

fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

pub(super) fn inventory(changes: &[(&str, Value)]) -> (Inventory, Cluster) {
    let mut objects = objects();
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = objects.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} is not there"));
        match (parent, value) {
            (Value::Array(items), value) => items[key.parse::<usize>().unwrap()] = value.clone(),
            (Value::Object(fields), Value::Null) => drop(fields.remove(&key.replace("~1", "/"))),
            (Value::Object(fields), value) => drop(fields.insert(key.replace("~1", "/"), value.clone())),
            (other, _) => panic!("{other} has no fields"),
        }
    }
    let cluster: Cluster = read(&objects["cluster"]);
    let inventory = Inventory {
        moment: Moment { at: now(), ..Moment::default() },
        clusters: vec![cluster.clone()],
        control_planes: vec![read::<ControlPlane>(&objects["controlPlane"])],
        machine_deployments: read::<Vec<Workers>>(&objects["deployments"]),
        machine_pools: read::<Vec<Workers>>(&objects["pools"]),
        machines: read::<Vec<Machine>>(&objects["machines"]),
        seen: Seen { machine_deployments: true, machine_pools: true, machines: true, ..Seen::default() },
        ..Inventory::default()
    };
    (inventory, cluster)
}

fn observed(changes: &[(&str, Value)]) -> Observed {
    let (inventory, cluster) = inventory(changes);
    Observed::of(&inventory, &cluster, "v1.32.0").unwrap()
}

#[test]
fn ch_3_2_a_control_plane_stands_when_all_that_tells_says_so() {
    let check = |changes: &[(&str, Value)], expect: &str| {
        let control_plane = observed(changes).control_plane.unwrap();
        let told = match control_plane.standing {
            Standing::Settled => "settled".to_owned(),
            Standing::Silent => "silent".to_owned(),
            Standing::Rolling(told) => format!("rolling: {told}"),
            Standing::Unseen(told) => format!("unseen: {told}"),
        };
        assert_eq!(told, expect, "{changes:?}");
    };
    let status = |text: &str| ("/controlPlane/status/version", json!(text));
    let kubelet = |text: &str| ("/machines/0/status/nodeInfo/kubeletVersion", json!(text));
    check(&[], "settled");
    check(&[("/controlPlane/status", Value::Null)], "silent");
    check(&[status("v1.30.0")], "rolling: it reports v1.30.0");
    check(
        &[("/controlPlane/status/versions", json!([{"version": "v1.30.0"}, {"version": "v1.31.0"}]))],
        "rolling: it reports v1.30.0",
    );
    // Nodes decide: a status that runs ahead of them makes nothing done.
    check(&[kubelet("v1.30.9")], "rolling: 0 of 1 machines run it");
    check(&[("/machines/0/spec/version", json!("v1.30.0"))], "rolling: 0 of 1 machines run it");
    check(&[kubelet("")], "rolling: 0 of 1 machines run it");
    check(&[("/controlPlane/spec/replicas", json!(3))], "rolling: 1 of 3 machines run it");
    // Tags of distributions, which they write as they like.
    for text in ["v1.31.0+rke2r1", "v1.31.0-k0s.0", "1.31.0"] {
        check(&[status(text), kubelet(text)], "settled");
    }
    check(&[status("v1.31.0-rc.1")], "rolling: it reports v1.31.0-rc.1");
    check(&[status("soon")], "rolling: it reports soon");
    // A control plane that has no Machines is taken at its word.
    check(&[("/machines/0/metadata/ownerReferences", json!([]))], "settled");
}

#[test]
fn ch_3_2_a_group_stands_when_its_machines_do() {
    let check = |changes: &[(&str, Value)], expect: &str| {
        let observed = observed(changes);
        let told: Vec<String> = observed
            .groups
            .iter()
            .map(|group| match &group.standing {
                Standing::Settled => format!("{} settled", group.id.name),
                Standing::Silent => format!("{} silent", group.id.name),
                Standing::Rolling(told) => format!("{} rolling: {told}", group.id.name),
                Standing::Unseen(told) => format!("{} unseen: {told}", group.id.name),
            })
            .collect();
        assert_eq!(told.join("; "), expect, "{changes:?}");
    };
    check(&[], "a settled; b settled");
    check(
        &[("/machines/1/status/nodeInfo/kubeletVersion", json!("v1.30.0"))],
        "a rolling: 0 of 1 machines run it; b settled",
    );
    check(&[("/deployments/0/spec/replicas", json!(2))], "a rolling: 1 of 2 machines run it; b settled");
    check(
        &[("/machines/1/metadata/labels", json!({})), ("/machines/1/metadata/ownerReferences", json!([]))],
        "a rolling: it has no machines yet; b settled",
    );
    check(
        &[
            ("/machines/1/metadata/labels", json!({})),
            ("/machines/1/metadata/ownerReferences", json!([])),
            ("/deployments/0/spec/replicas", json!(0)),
        ],
        "a settled; b settled",
    );
    let (mut unseen, cluster) = inventory(&[("/machines", json!([]))]);
    unseen.seen.machines = false;
    let observed = Observed::of(&unseen, &cluster, "v1.32.0").unwrap();
    assert!(observed.groups.iter().all(|group| matches!(group.standing, Standing::Unseen(_))));
    let pool = json!([{"metadata": {"name": "mp", "namespace": "bay"}, "spec": {"clusterName": "gull", "replicas": 1,
        "template": {"spec": {"version": "v1.31.0"}}}}]);
    check(&[("/pools", pool)], "a settled; b settled; mp unseen: it has no Machines that would tell");
}

#[test]
fn annotations_of_objects_are_heard_where_there_is_no_topology() {
    let waits = |changes: &[(&str, Value)]| {
        let mut changes = changes.to_vec();
        changes.push(("/controlPlane/spec/version", json!("v1.32.0")));
        changes.push(("/controlPlane/status/version", json!("v1.32.0")));
        changes.push(("/machines/0/spec/version", json!("v1.32.0")));
        changes.push(("/machines/0/status/nodeInfo/kubeletVersion", json!("v1.32.0")));
        let mut observed = observed(&changes);
        let source = headway_core::plan::Source::OneMinor;
        observed.planned = headway_core::drive::Planned::of(&observed.situation(), &source, None);
        lines(&decide(&observed))
    };
    let annotation = |at: &'static str, key: &str| (at, json!({key: ""}));
    let told = waits(&[annotation("/deployments/0/metadata/annotations", "topology.cluster.x-k8s.io/defer-upgrade")]);
    assert!(told.contains("do MachineDeployment/b from v1.31.0 to v1.32.0"), "{told}");
    assert!(
        told.contains("MachineDeployment/a is deferred by its annotation topology.cluster.x-k8s.io/defer-upgrade"),
        "{told}"
    );
    let told =
        waits(&[annotation("/deployments/0/metadata/annotations", "topology.cluster.x-k8s.io/hold-upgrade-sequence")]);
    assert!(told.contains("MachineDeployment/b is deferred by the hold of a before it"), "{told}");
    let told =
        waits(&[("/cluster/metadata/annotations", json!({"topology.cluster.x-k8s.io/upgrade-concurrency": "2"}))]);
    assert_eq!(told.matches("do MachineDeployment/").count(), 2, "{told}");
    // What is no count is none: one at a time.
    for text in ["0", "-1", "many", ""] {
        let observed = observed(&[(
            "/cluster/metadata/annotations",
            json!({"topology.cluster.x-k8s.io/upgrade-concurrency": text}),
        )]);
        assert_eq!(observed.concurrency, Concurrency::new(1), "{text}");
    }
}

#[test]
fn what_halts_a_cluster_is_named() {
    let check = |changes: &[(&str, Value)], expect: &str| {
        assert_eq!(lines(&decide(&observed(changes))), expect, "{changes:?}");
    };
    check(&[("/cluster/spec/paused", json!(true))], "wait: it is paused by spec.paused of Cluster bay/gull");
    let paused = json!({"cluster.x-k8s.io/paused": ""});
    check(
        &[("/cluster/metadata/annotations", paused.clone())],
        "wait: it is paused by the annotation cluster.x-k8s.io/paused of Cluster bay/gull",
    );
    check(
        &[("/controlPlane/metadata/annotations", paused)],
        "wait: it is paused by the annotation cluster.x-k8s.io/paused of KubeadmControlPlane/cp",
    );
    check(
        &[("/cluster/metadata/deletionTimestamp", json!("2026-05-04T11:00:00Z"))],
        "wait: the cluster is being deleted",
    );
    check(&[("/cluster/spec/controlPlaneRef", Value::Null)], "wait: there is no control plane");
    let forbidding = observed(&[(
        "/cluster/metadata/annotations",
        json!({"before-upgrade.hook.cluster.cluster.x-k8s.io/b": "", "before-upgrade.hook.cluster.cluster.x-k8s.io/a": ""}),
    )]);
    assert_eq!(forbidding.forbidding.len(), 2);
    let (inventory, cluster) = inventory(&[("/controlPlane/spec/version", json!("latest"))]);
    let error = Observed::of(&inventory, &cluster, "v1.32.0").unwrap_err();
    assert!(error.to_string().contains("latest"), "{error}");
}
