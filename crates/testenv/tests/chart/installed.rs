//! The chart and the plain manifests on a real API server. No controller runs there: objects are accepted, not acted on.

use headway_testenv::Plane;
use serde_json::Value;

use super::values::{ALL, NAMESPACE, OPENSHIFT, PROMETHEUS, chart};

fn plane() -> Plane {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    for namespace in OPENSHIFT {
        plane.kubectl_text(&["create", "namespace", namespace]).unwrap();
    }
    plane
}

fn helm(plane: &Plane, command: &[&str], values: &[&str]) -> String {
    let chart = chart();
    let chart = chart.to_str().unwrap();
    let arguments = [command, &["headway", chart, "--namespace", NAMESPACE], values].concat();
    plane.helm_text(&arguments).unwrap()
}

fn get(plane: &Plane, arguments: &[&str]) -> Value {
    let all = [&["get", "--output=json"], arguments].concat();
    serde_json::from_str(&plane.kubectl_text(&all).unwrap()).unwrap()
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn the_chart_is_installed_upgraded_and_taken_away() {
    let plane = plane();
    let notes = helm(&plane, &["install", "--create-namespace"], &[]);
    assert!(notes.contains("kubectl get updatestatus"), "{notes}");
    assert!(notes.contains("No image is published yet"), "{notes}");
    // The server serves OpenShift's kinds and monitoring's, which is seen.
    assert!(!notes.contains("does not look like OpenShift"), "{notes}");
    get(&plane, &["podmonitor", "headway-operator-status", "-n", NAMESPACE]);
    get(&plane, &["rolebinding", "headway-operator-status", "-n", "openshift-monitoring"]);

    helm(&plane, &["upgrade"], ALL);
    let rule = get(&plane, &["prometheusrule", "headway-operator-status", "-n", NAMESPACE]);
    assert!(rule["spec"]["groups"].as_array().unwrap().len() > 1);
    helm(&plane, &["upgrade"], PROMETHEUS);

    let kinds = ["wait", "--for=condition=Established", "--timeout=60s", "crd/updatestatuses.update.openshift.io"];
    plane.kubectl_text(&kinds).unwrap();
    plane
        .apply("{apiVersion: update.openshift.io/v1alpha1, kind: UpdateStatus, metadata: {name: cluster}, spec: {}}")
        .unwrap();
    plane.helm_text(&["uninstall", "headway", "--namespace", NAMESPACE]).unwrap();
    get(&plane, &["updatestatus", "cluster"]);
    let left = plane.kubectl_text(&["get", "clusterrole,clusterrolebinding,deployment", "-A", "-o", "name"]).unwrap();
    assert!(!left.contains("headway"), "{left}");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn the_plain_manifests_are_accepted_as_they_are() {
    let plane = plane();
    let deploy = chart().join("../..");
    for entry in std::fs::read_dir(deploy.join("crds")).unwrap() {
        plane.apply_crds(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
    }
    plane.apply(&std::fs::read_to_string(deploy.join("manifests/headway.yaml")).unwrap()).unwrap();
    let deployment = get(&plane, &["deployment", "headway-operator-status", "-n", NAMESPACE]);
    assert_eq!(deployment["spec"]["replicas"], 2);
    // Its own namespace refuses pods that want more than the restricted profile allows; the Deployment's are none.
    let namespace = get(&plane, &["namespace", NAMESPACE]);
    assert_eq!(namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"], "restricted");
    let mut pod = deployment["spec"]["template"].clone();
    pod["apiVersion"] = "v1".into();
    pod["kind"] = "Pod".into();
    pod["metadata"]["name"] = "one".into();
    pod["metadata"]["namespace"] = NAMESPACE.into();
    plane.apply(&pod.to_string()).unwrap();
}
