//! Whose nodes, pods and operators are found beside the objects of a management cluster (case A36).

use std::path::Path;

use headway_api::gap::GapKind;
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{About, files};
use headway_core::assess::hosted::report;
use headway_core::preview::{Inventory, SeenOfWorkload};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::archive::{gzip, tar};
use super::cluster::file;
use super::reading::assert_gap;
use super::yaml;

/// The inventory of some files.
fn read(written: &[(&str, Value)]) -> Inventory {
    let folder = tempdir().unwrap();
    for (name, value) in written {
        drop(file(folder.path(), name, yaml::document(value)));
    }
    of(folder.path())
}

fn of(path: &Path) -> Inventory {
    files(&[path.to_owned()], About::Member, &Limits::default()).unwrap()
}

fn cluster(name: &str) -> Value {
    json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": {"name": name, "namespace": "bay"}})
}

fn node(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}})
}

fn budget() -> Value {
    json!({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "one", "namespace": "shop"}})
}

/// Each workload that was found: whose it is, and its nodes.
fn told(inventory: &Inventory) -> Vec<String> {
    let line = |((namespace, name), workload): (&(String, String), &headway_core::preview::Workload)| {
        let nodes: Vec<&str> = workload.nodes.iter().map(|node| node.metadata.name.as_str()).collect();
        format!("{namespace}/{name}: {}", nodes.join(" "))
    };
    inventory.workloads.iter().map(line).collect()
}

#[test]
fn files_on_their_own_are_of_the_one_cluster_that_there_is() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "shop"}});
    let alone = [("a.yaml", cluster("gull")), ("n.yaml", node("n-1")), ("p.yaml", pod), ("b.yaml", budget())];
    let inventory = read(&alone);
    assert_eq!(told(&inventory), ["/: n-1"]);
    let workload = inventory.workload("bay", "gull").unwrap();
    assert_eq!((workload.pods.len(), workload.budgets.len()), (1, 1));
    assert_eq!(workload.seen, SeenOfWorkload { nodes: true, pods: true, budgets: true, operators: false });
    // What a plan reads is where it was.
    assert_eq!((inventory.budgets.len(), inventory.seen.budgets), (1, true));

    let two = read(&[("a.yaml", cluster("gull")), ("b.yaml", cluster("tern")), ("n.yaml", node("n-1"))]);
    assert_eq!(told(&two), ["/: n-1"]);
    assert_eq!(two.workload("bay", "gull"), None, "it may be the other's");

    let empty = json!({"apiVersion": "v1", "kind": "NodeList", "items": []});
    let none = read(&[("a.yaml", cluster("gull")), ("n.yaml", empty)]);
    assert!(none.workload("bay", "gull").unwrap().seen.nodes, "an empty list is an observation");
    assert_eq!(read(&[("a.yaml", cluster("gull"))]).workload("bay", "gull"), None);
}

#[test]
fn the_nodes_of_a_management_cluster_are_of_no_cluster_that_it_keeps() {
    let own = ("dump/cluster-scoped-resources/core/nodes/m-1.yaml", node("m-1"));
    let kept = ("dump/namespaces/bay/clusters.yaml", cluster("gull"));
    let own_budget = ("dump/namespaces/shop/policy/b.yaml", budget());
    let one_half = read(&[own.clone(), kept.clone(), own_budget.clone()]);
    assert_eq!(told(&one_half), Vec::<String>::new());
    assert_eq!(one_half.budgets.len(), 1);
    assert_eq!(one_half.gaps, Vec::new());

    let beside = [own, kept, ("guest/cluster-scoped-resources/core/nodes/n-1.yaml", node("n-1"))];
    assert_eq!(told(&read(&beside)), ["/: n-1"]);
    let [own, kept, guest] = beside;
    let third = ("third/cluster-scoped-resources/core/nodes/n-2.yaml", node("n-2"));
    let three = read(&[own, kept, guest, third]);
    assert_eq!(told(&three), Vec::<String>::new());
    assert_gap(&three.gaps, GapKind::Optional, &["guest", "several clusters"]);
}

#[test]
fn case_a36_a_nested_folder_is_the_guests_half() {
    let halves = [
        ("dump/cluster-scoped-resources/core/nodes/m-1.yaml", node("m-1")),
        ("dump/namespaces/bay/clusters.yaml", cluster("gull")),
        ("dump/hostedcluster-tern/cluster-scoped-resources/core/nodes/n-1.yaml", node("n-1")),
        ("dump/hostedcluster-tern/namespaces/shop/policy/b.yaml", budget()),
        ("dump/hostedcluster-tern/namespaces/bay/clusters.yaml", cluster("gull")),
        ("dump/hostedcluster-skua/cluster-scoped-resources/core/nodes/n-1.yaml", node("n-1")),
    ];
    let inventory = read(&halves);
    assert_eq!(told(&inventory), ["/skua: n-1", "/tern: n-1"]);
    assert_eq!(inventory.clusters.len(), 1, "what a guest keeps is not kept by the management cluster");
    assert_eq!(inventory.budgets, Vec::new(), "a guest's budget does not hold the management cluster");
    assert_eq!(inventory.gaps, Vec::new());
}

fn hosted(namespace: &str, name: &str) -> Value {
    json!({"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": namespace}})
}

#[test]
fn case_a36_either_half_may_be_missing_and_names_may_be_alike() {
    let guest = ("dump/hostedcluster-tern/cluster-scoped-resources/core/nodes/n-1.yaml", node("n-1"));
    let operators = json!({"apiVersion": "config.openshift.io/v1", "kind": "ClusterOperatorList", "items": []});
    let operators = ("dump/hostedcluster-tern/cluster-scoped-resources/config.openshift.io/co.yaml", operators);
    let tern = ("dump/namespaces/bay/hostedclusters/tern.yaml", hosted("bay", "tern"));
    let skua = ("dump/namespaces/bay/hostedclusters/skua.yaml", hosted("bay", "skua"));
    let other = ("dump/namespaces/moor/hostedclusters/tern.yaml", hosted("moor", "tern"));
    let own = ("dump/cluster-scoped-resources/core/nodes/m-1.yaml", node("m-1"));

    let both = read(&[own.clone(), tern.clone(), skua.clone(), guest.clone(), operators]);
    let workload = both.workload("bay", "tern").unwrap();
    assert_eq!((workload.nodes.len(), workload.seen.operators, workload.seen.pods), (1, true, false));
    assert_eq!(both.workload("bay", "skua"), None, "no half of this one");
    assert_eq!(read(&[own, tern.clone()]).workload("bay", "tern"), None, "the guest's half is missing");
    let alike = read(&[tern, other, guest.clone()]);
    assert_eq!(alike.workload("bay", "tern"), None, "it may be that of the other namespace");

    let folder = tempdir().unwrap();
    drop(file(folder.path(), guest.0, yaml::document(&guest.1)));
    let error = files(&[folder.path().to_owned()], About::Member, &Limits::default()).unwrap_err().to_string();
    assert!(
        error.ends_with("1 object(s) in 1 file(s), but no Cluster of cluster.x-k8s.io and no HostedCluster among them"),
        "{error}"
    );
}

#[test]
fn the_kinds_of_hosted_clusters_are_read_in_their_versions() {
    let of = |version: &str, kind: &str, name: &str| {
        json!({"apiVersion": format!("hypershift.openshift.io/{version}"), "kind": kind,
            "metadata": {"name": name, "namespace": "bay"}})
    };
    let set = json!({"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet",
        "metadata": {"name": "s", "namespace": "bay-tern"}});
    let mut broken = of("v1beta1", "NodePool", "broken");
    broken["spec"] = json!({"replicas": "two", "clusterName": "tern"});
    let inventory = read(&[
        ("a.yaml", hosted("bay", "tern")),
        ("b.yaml", of("v1alpha1", "NodePool", "old")),
        ("c.yaml", of("v1beta1", "HostedControlPlane", "tern")),
        ("d.yaml", of("v1beta1", "ControlPlaneComponent", "etcd")),
        ("e.yaml", of("v2", "NodePool", "new")),
        ("f.yaml", broken),
        ("g.yaml", set),
    ]);
    assert_eq!((inventory.hosted_control_planes.len(), inventory.components.len()), (1, 1));
    assert_eq!((inventory.node_pools.len(), inventory.machine_sets.len()), (3, 1));
    assert_eq!(inventory.control_planes, Vec::new(), "a HostedControlPlane is none of Cluster API");
    assert_eq!(inventory.node_pools[2].spec.cluster_name, "tern", "the field that does not fit is left out alone");
    let seen = inventory.seen;
    assert!(seen.hosted_control_planes && seen.components && seen.node_pools && seen.machine_sets && !seen.machines);
    assert_gap(&inventory.gaps, GapKind::Field, &["NodePool/bay/new", "apiVersion", "v2 is not a version"]);
    assert_gap(&inventory.gaps, GapKind::Field, &["NodePool/bay/broken", "spec.replicas"]);
    assert_eq!(inventory.gaps.len(), 2);
}

#[test]
fn what_is_wrong_with_a_node_is_no_gap_of_a_plan() {
    let broken = json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n-1", "labels": 7}});
    let mut other = node("n-1");
    other["metadata"]["labels"] = json!({"a": "b"});
    let inventory = read(&[("a.yaml", cluster("gull")), ("n.yaml", broken), ("o.yaml", other)]);
    assert_eq!(inventory.gaps, Vec::new());
    let gaps = &inventory.workload("bay", "gull").unwrap().gaps;
    assert_gap(gaps, GapKind::Field, &["n.yaml", "Node/n-1", "metadata.labels"]);
    assert_gap(gaps, GapKind::Duplicate, &["o.yaml", "Node/n-1", "n.yaml"]);
}

#[test]
fn case_a36_an_archive_has_the_same_halves_as_its_folder() {
    let halves = [
        ("dump/cluster-scoped-resources/core/nodes/m-1.yaml", node("m-1")),
        ("dump/namespaces/bay/hostedclusters/tern.yaml", hosted("bay", "tern")),
        ("dump/hostedcluster-tern/cluster-scoped-resources/core/nodes/n-1.yaml", node("n-1")),
    ];
    let packed: Vec<(String, Vec<u8>)> =
        halves.iter().map(|(name, value)| ((*name).to_owned(), yaml::document(value).into_bytes())).collect();
    let folder = tempdir().unwrap();
    let archive = of(&file(folder.path(), "dump.tar.gz", gzip(&tar(&packed))));
    assert_eq!(archive.workloads, read(&halves).workloads);
    assert_eq!(told(&archive), ["/tern: n-1"]);
    assert!(archive.workload("bay", "tern").is_some());
}

#[test]
fn case_a36_both_halves_of_our_example_are_one_report() {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/management/two-halves/input");
    let mut inventory = of(&dump);
    inventory.moment.at = "2026-07-02T09:50:00Z".parse().unwrap();
    let reports: Vec<_> = inventory.hosted_clusters.iter().map(|cluster| report(&inventory, cluster)).collect();
    let told = |report: &headway_api::report::Report| {
        let cluster = &report.cluster;
        let units: Vec<String> = report.units.iter().map(|unit| format!("{} {}", unit.name, unit.phase)).collect();
        format!(
            "{} {} {}, {} gaps: {}",
            cluster.name.as_deref().unwrap_or_default(),
            cluster.updating.reason,
            report.components.len(),
            report.gaps.len(),
            units.join(", ")
        )
    };
    assert_eq!(
        reports.iter().map(told).collect::<Vec<_>>(),
        [
            "harbor ClusterVersionProgressing 10, 0 gaps: harbor-blue-7mq4c Draining, harbor-blue-v5t8z Pending, \
             harbor-blue-2xk9d Updated, harbor-green-4d2fw Updated, harbor-green-9lk3p Updated, harbor-green-zz6vn Updated",
            "jetty NotProgressing 6, 1 gaps: ",
        ]
    );
    let found: Vec<&str> = reports[0].insights.iter().map(|insight| insight.summary.as_str()).collect();
    assert_eq!(
        found,
        [
            "Node harbor-blue-7mq4c cannot be drained: pod payments/ledger-0 is held by PodDisruptionBudget payments/ledger \
            (0 disruptions allowed, 1 of 1 healthy needed)"
        ]
    );
}
