//! The kinds of Cluster API, served without its managers and with them.

use std::collections::BTreeMap;

use headway_testenv::{Environment, Plane, cluster_api};
use serde_json::{Value, json};

use super::leftovers::{is_running, kill, soon};

#[test]
#[ignore = "ring 2: starts an API server with the kinds of Cluster API"]
fn kinds_of_cluster_api_are_served_in_every_version_without_a_manager() {
    let plane = Plane::start().unwrap();
    plane.apply_cluster_api_crds().unwrap();

    let definitions = cluster_api::crds(&Environment::read().unwrap()).unwrap();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for definition in &definitions {
        *kinds.entry(definition["spec"]["group"].as_str().unwrap()).or_default() += 1;
    }
    let expect = [
        ("addons.cluster.x-k8s.io", 2),
        ("bootstrap.cluster.x-k8s.io", 2),
        ("cluster.x-k8s.io", 8),
        ("controlplane.cluster.x-k8s.io", 2),
        ("infrastructure.cluster.x-k8s.io", 12),
        ("ipam.cluster.x-k8s.io", 2),
        ("runtime.cluster.x-k8s.io", 1),
    ];
    assert_eq!(kinds, BTreeMap::from(expect));
    for definition in definitions.iter().filter(|it| it["spec"]["group"] == "controlplane.cluster.x-k8s.io") {
        let labels = &definition["metadata"]["labels"];
        assert_eq!(labels["cluster.x-k8s.io/v1beta1"], "v1beta1", "{}", definition["metadata"]["name"]);
        assert_eq!(labels["cluster.x-k8s.io/v1beta2"], "v1beta2", "{}", definition["metadata"]["name"]);
    }

    let cluster = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": "one", "namespace": "default"},
        "spec": {"topology": {"classRef": {"name": "class"}, "version": "v1.31.0"}},
    });
    plane.apply(&cluster.to_string()).unwrap();
    let stored = |version: &str| -> Value {
        let path = format!("/apis/cluster.x-k8s.io/{version}/namespaces/default/clusters/one");
        serde_json::from_str(&plane.kubectl_text(&["get", "--raw", &path]).unwrap()).unwrap()
    };
    assert_eq!(stored("v1beta2")["spec"]["topology"]["classRef"]["name"], "class");
    assert_eq!(stored("v1beta1")["spec"]["topology"]["version"], "v1.31.0");

    // The schema is Cluster API's own: it is asked.
    let broken = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": "two", "namespace": "default"},
        "spec": {"topology": {"version": "v1.31.0"}},
    });
    let refused = plane.apply(&broken.to_string()).unwrap_err().to_string();
    assert!(refused.contains("spec.topology.classRef"), "{refused}");
}

/// The processes whose parent is this one.
fn children(parent: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap() {
        let Ok(pid) = entry.unwrap().file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else { continue };
        if status.lines().any(|line| line == format!("PPid:\t{parent}")) {
            found.push(pid);
        }
    }
    found
}

#[test]
#[ignore = "ring 3: starts the managers of Cluster API, run by cargo xtask e2e"]
fn e2e_managers_of_two_planes_run_side_by_side_and_end_with_them() {
    let planes = [Plane::start().unwrap(), Plane::start().unwrap()];
    for plane in &planes {
        plane.start_cluster_api().unwrap();
        // A write in an old version is answered by a webhook and converted by another.
        let machine = json!({
            "apiVersion": "cluster.x-k8s.io/v1beta1",
            "kind": "MachineDeployment",
            "metadata": {"name": "one", "namespace": "default"},
            "spec": {"clusterName": "one", "template": {"spec": {"clusterName": "one",
                "bootstrap": {"dataSecretName": "one"},
                "infrastructureRef": {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1",
                    "kind": "DevMachineTemplate", "name": "one"}}}},
        });
        plane.apply(&machine.to_string()).unwrap();
        let path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments/one";
        let stored: Value = serde_json::from_str(&plane.kubectl_text(&["get", "--raw", path]).unwrap()).unwrap();
        let reference = &stored["spec"]["template"]["spec"]["infrastructureRef"];
        assert_eq!(reference["apiGroup"], "infrastructure.cluster.x-k8s.io", "{stored}");
    }
    let managers: Vec<u32> = planes.iter().flat_map(|plane| children(plane.pids().supervisor)).collect();
    // etcd, the API server and four managers each.
    assert_eq!(managers.len(), 12, "{managers:?}");
    let [dropped, killed] = planes;
    drop(dropped);
    kill(killed.pids().supervisor);
    assert!(soon(|| !managers.iter().any(|pid| is_running(*pid))), "{managers:?}");
}
