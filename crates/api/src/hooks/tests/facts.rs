//! What is read of the objects within messages, and what is taken out of those that are sent.

use serde_json::json;

use super::*;
use crate::plan::GroupKind;

fn object(value: Value) -> Object {
    match value {
        Value::Object(fields) => Object::new(fields),
        other => panic!("{other} is no object"),
    }
}

#[test]
fn ch_1_2_the_class_of_a_cluster() {
    let check = |topology: Value, expect: Option<(Option<&str>, &str)>| {
        let cluster =
            |metadata: Value| Cluster::new(object(json!({"metadata": metadata, "spec": {"topology": topology}})));
        let cluster = cluster(json!({"namespace": "ns"}));
        assert_eq!(cluster.class().map(|class| (class.namespace, class.name)), expect, "{topology}");
    };
    check(json!({"classRef": {"name": "a"}}), Some((Some("ns"), "a")));
    check(json!({"classRef": {"name": "a", "namespace": "b"}}), Some((Some("b"), "a")));
    check(json!({"class": "a"}), Some((Some("ns"), "a")));
    check(json!({"class": "a", "classNamespace": "b"}), Some((Some("b"), "a")));
    // The newer place first, and all of it from there.
    check(json!({"classRef": {"name": "a"}, "class": "c", "classNamespace": "b"}), Some((Some("ns"), "a")));
    check(json!({"classRef": {"name": ""}, "class": ""}), None);
    check(json!({"classRef": "a"}), None);
    check(json!(null), None);
}

#[test]
fn ch_1_2_the_control_plane_of_a_cluster() {
    let check = |reference: Value, expect: Option<(&str, &str, Option<&str>, &str)>| {
        let cluster = Cluster::new(object(json!({"spec": {"controlPlaneRef": reference}})));
        let told = cluster.control_plane().map(|it| (it.group, it.kind, it.namespace, it.name));
        assert_eq!(told, expect, "{reference}");
    };
    check(json!({"apiGroup": "g.x", "kind": "K", "name": "n"}), Some(("g.x", "K", None, "n")));
    check(
        json!({"apiVersion": "g.x/v1", "kind": "K", "name": "n", "namespace": "ns"}),
        Some(("g.x", "K", Some("ns"), "n")),
    );
    check(json!({"apiVersion": "v1", "kind": "K", "name": "n"}), Some(("", "K", None, "n")));
    check(json!({"apiGroup": "g.x", "kind": "K"}), None);
    check(json!([]), None);
}

#[test]
fn ch_1_3_the_workers_of_a_cluster() {
    let cluster = Cluster::new(object(json!({"spec": {"topology": {"workers": {
        "machinePools": [{"name": "mp", "metadata": {"annotations": {
            "topology.cluster.x-k8s.io/hold-upgrade-sequence": null,
        }}}],
        "machineDeployments": [
            {"name": "b", "replicas": 3},
            {"name": ""},
            "c",
            {"name": "a", "replicas": -1, "metadata": {"annotations": {
                "topology.cluster.x-k8s.io/defer-upgrade": "false",
            }}},
        ],
    }}}})));
    let told: Vec<_> = cluster.workers().collect();
    let entry = |kind, name| WorkerEntry { kind, name, replicas: None, is_deferred: false, holds_sequence: false };
    let expect = [
        WorkerEntry { replicas: Some(3), ..entry(GroupKind::MachineDeployment, "b") },
        WorkerEntry { is_deferred: true, ..entry(GroupKind::MachineDeployment, "a") },
        WorkerEntry { holds_sequence: true, ..entry(GroupKind::MachinePool, "mp") },
    ];
    assert_eq!(told, expect);
    let none = Cluster::new(object(json!({"spec": {"topology": {"workers": {"machineDeployments": {}}}}})));
    assert_eq!(none.workers().count(), 0);
}

#[test]
fn ch_4_1_what_is_not_sent() {
    let check = |full: Value, expect: Value| {
        assert_eq!(serde_json::to_value(object(full).to_be_sent()).unwrap(), expect);
    };
    check(
        json!({
            "kind": "Cluster",
            "metadata": {
                "name": "c",
                "managedFields": [{}],
                "annotations": {
                    "kubectl.kubernetes.io/last-applied-configuration": "{}",
                    "cluster.x-k8s.io/conversion-data": "{}",
                    "mine": "",
                },
            },
            "spec": {},
            "status": {"phase": "Provisioned"},
        }),
        json!({"kind": "Cluster", "metadata": {"name": "c", "annotations": {"mine": ""}}, "spec": {}}),
    );
    check(json!({"metadata": {"annotations": {"cluster.x-k8s.io/conversion-data": "{}"}}}), json!({"metadata": {}}));
    check(json!({"metadata": "odd"}), json!({"metadata": "odd"}));
}

#[test]
fn ch_1_3_labels_and_annotations() {
    let object = object(json!({"kind": "Machine", "metadata": {
        "labels": {"topology.cluster.x-k8s.io/owned": ""},
        "annotations": {"a": "b", "n": 7},
    }}));
    assert_eq!(object.label("topology.cluster.x-k8s.io/owned"), Some(""));
    assert_eq!(object.label("a"), None);
    assert_eq!(object.annotation("a"), Some("b"));
    assert_eq!(object.annotation("n"), None);
    assert_eq!((object.kind(), object.name(), object.uid()), (Some("Machine"), None, None));
    assert_eq!(object.at(&[]), None);
}
