//! What somebody may not read is told with verb and resource, and never counts as seen.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::command::{of_cluster, root};
use super::world::{World, world};

fn objects() -> Vec<PathBuf> {
    vec![root().join("examples/drain-blocked/input")]
}

/// A kubeconfig of an account that may read these resources, and no others.
fn account(world: &World, name: &str, rules: &[(&str, &str)]) -> PathBuf {
    let rules: String = rules
        .iter()
        .map(|(group, resources)| {
            format!("- apiGroups: [\"{group}\"]\n  resources: [{resources}]\n  verbs: [get, list, watch]\n")
        })
        .collect();
    let rules = if rules.is_empty() { "[]\n".to_owned() } else { format!("\n{rules}") };
    world
        .plane
        .apply(&format!(
            "apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}, namespace: default}}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: {name}}}\nrules: {rules}---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {{name: {name}}}\nroleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {name}}}\nsubjects:\n- {{kind: ServiceAccount, name: {name}, namespace: default}}\n"
        ))
        .unwrap();
    world.plane.account_kubeconfig("default", name).unwrap()
}

const CONFIG: (&str, &str) = ("config.openshift.io", "clusterversions, clusteroperators");
const MACHINES: (&str, &str) = (
    "machineconfiguration.openshift.io",
    "machineconfigpools, machineconfigs, machineconfignodes, machineosconfigs, machineosbuilds",
);

/// The gaps and the outcome as somebody sees them.
fn seen(kubeconfig: &Path) -> (Vec<String>, String) {
    let ran = of_cluster(kubeconfig, &["-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let gaps = report["gaps"].as_array().unwrap().iter();
    let told = gaps.map(|gap| format!("{}: {}", gap["kind"].as_str().unwrap(), gap["message"].as_str().unwrap()));
    (told.collect(), report["outcome"].as_str().unwrap().to_owned())
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_reader_of_everything_lacks_nothing_but_alerts() {
    let mut world = world();
    world.hold(&objects());
    let rules = [
        CONFIG,
        MACHINES,
        ("", "nodes, pods"),
        ("policy", "poddisruptionbudgets"),
        ("apps", "deployments"),
        ("route.openshift.io", "routes"),
    ];
    let (gaps, outcome) = seen(&account(&world, "reader", &rules));
    assert_eq!(
        gaps,
        [
            "Optional: alerts are left out of the update's health: the cluster has no route openshift-monitoring/thanos-querier"
        ]
    );
    assert_eq!(outcome, "Failing");
}

#[test]
#[ignore = "ring 2: a real API server"]
fn what_may_not_be_read_is_named_with_its_verb() {
    let mut world = world();
    world.hold(&objects());
    let user = |name: &str| format!("User \"system:serviceaccount:default:{name}\"");
    let (gaps, outcome) = seen(&account(&world, "half", &[CONFIG, ("", "nodes")]));
    let expect = |start: &str| {
        let of_half = gaps.iter().filter(|gap| gap.starts_with(start)).count();
        assert_eq!(of_half, 1, "{start}\n{gaps:#?}");
    };
    let machines = "machineconfiguration.openshift.io";
    for resource in ["machineconfigpools", "machineconfigs"] {
        let who = user("half");
        expect(&format!(
            "Refused: may not list {resource}.{machines} ({resource}.{machines} is forbidden: {who} cannot list"
        ));
    }
    for resource in ["machineconfignodes", "machineosconfigs", "machineosbuilds"] {
        expect(&format!("Optional: may not list {resource}.{machines} ("));
    }
    expect("Optional: may not get deployments.apps (");
    expect("Optional: alerts are left out of the update's health: may not get routes.route.openshift.io (");
    assert_eq!(outcome, "CannotTell");
    // Somebody who may nothing at all.
    let (gaps, outcome) = seen(&account(&world, "nobody", &[]));
    for resource in ["clusterversions.config.openshift.io", "clusteroperators.config.openshift.io", "nodes"] {
        let start = format!("Refused: may not list {resource} (");
        assert!(gaps.iter().any(|gap| gap.starts_with(&start)), "{start}\n{gaps:#?}");
    }
    assert_eq!(outcome, "CannotTell");
}

#[test]
#[ignore = "ring 2: a real API server"]
fn pods_and_budgets_are_missed_only_where_a_node_drains() {
    let mut world = world();
    world.hold(&objects());
    let kubeconfig = account(&world, "operators", &[CONFIG, MACHINES, ("", "nodes")]);
    let (gaps, _) = seen(&kubeconfig);
    for start in ["Optional: may not list pods (", "Optional: may not list poddisruptionbudgets.policy ("] {
        assert_eq!(gaps.iter().filter(|gap| gap.starts_with(start)).count(), 1, "{gaps:#?}");
    }
    world.hold(&[root().join("examples/idle/input")]);
    let (gaps, _) = seen(&kubeconfig);
    assert!(!gaps.iter().any(|gap| gap.contains("pods") || gap.contains("poddisruptionbudgets")), "{gaps:#?}");
}

#[test]
#[ignore = "ring 2: a real API server"]
fn one_can_act_as_somebody_else() {
    let mut world = world();
    world.hold(&objects());
    account(&world, "acted", &[CONFIG]);
    let kubeconfig = world.plane.kubeconfig();
    let ran = of_cluster(kubeconfig, &["--as", "system:serviceaccount:default:acted", "-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("may not list nodes (nodes is forbidden: User \\\"system:serviceaccount:default:acted\\\"")
    );
    let more = ["--as", "anybody", "--as-group", "system:masters", "-o", "json"];
    let ran = of_cluster(kubeconfig, &more);
    assert!(!ran.out.contains("may not list"), "{}", ran.out);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn somebody_whom_the_server_does_not_know_is_told_so() {
    let world = world();
    let known = fs::read_to_string(account(&world, "known", &[CONFIG])).unwrap();
    let mut config: Value = serde_json::from_str(&known).unwrap();
    config["users"][0]["user"]["token"] = "of nobody".into();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    fs::write(&path, config.to_string()).unwrap();
    let ran = of_cluster(&path, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("you must be logged in to the server (Unauthorized)"), "{}", ran.err);
    // Who shows nothing at all is somebody, who may nothing.
    let ran = of_cluster(&world.plane.anonymous_kubeconfig().unwrap(), &["--exit-code"]);
    assert_eq!(ran.code, Some(6), "{}", ran.err);
    assert!(ran.out.contains("may not list nodes (nodes is forbidden: User \"system:anonymous\""), "{}", ran.out);
}
