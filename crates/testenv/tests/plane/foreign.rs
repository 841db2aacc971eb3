//! The kinds of others that the API server can be made to serve.

use headway_testenv::Plane;
use serde_json::Value;

/// Group, plural, kind, whether it lies in a namespace, whether it has a status of its own.
const KINDS: &[(&str, &str, &str, bool, bool)] = &[
    ("config.openshift.io/v1", "clusteroperators", "ClusterOperator", false, true),
    ("config.openshift.io/v1", "clusterversions", "ClusterVersion", false, true),
    ("hypershift.openshift.io/v1beta1", "controlplanecomponents", "ControlPlaneComponent", true, true),
    ("hypershift.openshift.io/v1beta1", "hostedclusters", "HostedCluster", true, true),
    ("hypershift.openshift.io/v1beta1", "hostedcontrolplanes", "HostedControlPlane", true, true),
    ("hypershift.openshift.io/v1beta1", "nodepools", "NodePool", true, true),
    ("machineconfiguration.openshift.io/v1", "machineconfignodes", "MachineConfigNode", false, true),
    ("machineconfiguration.openshift.io/v1", "machineconfigpools", "MachineConfigPool", false, true),
    ("machineconfiguration.openshift.io/v1", "machineconfigs", "MachineConfig", false, false),
    ("machineconfiguration.openshift.io/v1", "machineosbuilds", "MachineOSBuild", false, true),
    ("machineconfiguration.openshift.io/v1", "machineosconfigs", "MachineOSConfig", false, true),
    ("monitoring.coreos.com/v1", "podmonitors", "PodMonitor", true, false),
    ("monitoring.coreos.com/v1", "prometheusrules", "PrometheusRule", true, false),
    ("route.openshift.io/v1", "routes", "Route", true, true),
];

fn json(plane: &Plane, arguments: &[&str]) -> Value {
    serde_json::from_str(&plane.kubectl_text(arguments).unwrap()).unwrap()
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn foreign_kinds_are_served_and_keep_what_they_are_given() {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    // A second time changes nothing.
    plane.apply_foreign_crds().unwrap();

    for (api, plural, kind, namespaced, has_status) in KINDS {
        let resources = json(&plane, &["get", "--raw", &format!("/apis/{api}")]);
        let resource = |name: &str| {
            resources["resources"]
                .as_array()
                .unwrap()
                .iter()
                .find(|it| it["name"] == name)
                .cloned()
                .unwrap_or(Value::Null)
        };
        assert_eq!(resource(plural)["kind"], *kind);
        assert_eq!(resource(plural)["namespaced"], *namespaced, "{plural}");
        assert_eq!(!resource(&format!("{plural}/status")).is_null(), *has_status, "{plural}");
        keeps(&plane, api, plural, kind, *has_status);
    }
    let names: Vec<String> = plane
        .kubectl_text(&["get", "crd", "-o", "name"])
        .unwrap()
        .lines()
        .map(|line| line.trim_start_matches("customresourcedefinition.apiextensions.k8s.io/").to_owned())
        .collect();
    let mut expect: Vec<String> =
        KINDS.iter().map(|(api, plural, ..)| format!("{plural}.{}", api.split('/').next().unwrap())).collect();
    expect.sort();
    assert_eq!(names, expect);
}

fn keeps(plane: &Plane, api: &str, plural: &str, kind: &str, has_status: bool) {
    let object = serde_json::json!({
        "apiVersion": api,
        "kind": kind,
        "metadata": {"name": "one"},
        "spec": {"any": [{"thing": 1}]},
        "status": {"conditions": [{"type": "Progressing", "status": "False"}]},
    });
    plane.apply(&object.to_string()).unwrap();
    let get = ["get", &format!("{plural}.{}", api.split('/').next().unwrap()), "one", "-o", "json"];
    let stored = json(plane, &get);
    assert_eq!(stored["spec"], object["spec"], "{plural}");
    if has_status {
        assert!(stored["status"].is_null(), "{plural}");
        let patch = serde_json::json!({"status": object["status"]}).to_string();
        plane.kubectl_text(&["patch", plural, "one", "--subresource=status", "--type=merge", "-p", &patch]).unwrap();
    }
    assert_eq!(json(plane, &get)["status"], object["status"], "{plural}");
}
