//! Whose nodes, pods and operators are found beside the objects of a management cluster (case A36).

use std::path::Path;

use headway_api::gap::GapKind;
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{About, files};
use headway_core::preview::{Inventory, SeenOfWorkload};
use serde_json::{Value, json};
use tempfile::tempdir;

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
    files(&[path.to_owned()], About::Cluster, &Limits::default()).unwrap()
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
