//! Where a must-gather keeps things, and what is told when it keeps them twice.

use headway_api::gap::GapKind;
use serde_json::json;
use tempfile::tempdir;

use super::cluster::{Files, IMAGE, RECORDED_AT, cluster, file, must_gather, under, write};
use super::reading::{assert_gap, gathered, nodes};

fn written(change: impl FnOnce(&std::path::Path)) -> headway_cluster::gather::Gathered {
    let folder = tempdir().unwrap();
    write(folder.path(), &under(IMAGE, must_gather(&cluster())));
    change(&folder.path().join(IMAGE));
    gathered(folder.path())
}

#[test]
fn the_timestamp_file_is_the_clock() {
    let check = |name: &str, text: &str, expect: &str| {
        let found = written(|root| drop(file(root, name, text)));
        assert_eq!(found.recorded_at, Some(expect.parse().unwrap()), "{name}: {text}");
    };
    check("timestamp", "2026-05-04 08:44:51.5 +0000 UTC m=+1\n", RECORDED_AT);
    // Older ones keep it beside the folder; the later of the two counts.
    check("../timestamp", "2026-05-04 09:00:00 +0000 UTC\n", "2026-05-04T09:00:00Z");
    check("../timestamp", "2026-05-04 07:00:00 +0000 UTC\n", RECORDED_AT);
    let broken = written(|root| drop(file(root, "timestamp", "when it rained\n")));
    assert_eq!(broken.recorded_at, None);
    assert_gap(&broken.snapshot.gaps, GapKind::Unreadable, &["timestamp", "not a time"]);
}

#[test]
fn pods_are_found_in_both_places() {
    let of = |name: &str| cluster().into_iter().find(|object| object.name == name).unwrap();
    let same = written(|root| {
        drop(file(root, "namespaces/shop/pods/cart-0/cart-0.yaml", of("cart-0").yaml()));
        // What lies beside is no object.
        drop(file(root, "namespaces/shop/pods/cart-0/cart/cart/logs/current.log", "x: y"));
        drop(file(root, "namespaces/shop/pods/cart-0/cart.yaml", "x: ["));
    });
    assert_eq!(same.snapshot.gaps, Vec::new(), "the same object twice is no gap");
    assert_eq!(same.snapshot.pods.len(), 3);
    let differs = written(|root| {
        let mut other = of("cart-0");
        other.value["spec"] = json!({"nodeName": "w-0"});
        drop(file(root, "namespaces/shop/pods/cart-0/cart-0.yaml", other.yaml()));
        let mut budget = of("vault");
        budget.value["status"]["disruptionsAllowed"] = 1.into();
        drop(file(root, "namespaces/bank/policy/poddisruptionbudgets.yaml", budget.yaml()));
    });
    let gaps = &differs.snapshot.gaps;
    assert_gap(gaps, GapKind::Duplicate, &["Pod/shop/cart-0", "pods/cart-0/cart-0.yaml", "core/pods/cart-0.yaml"]);
    assert_gap(gaps, GapKind::Duplicate, &["PodDisruptionBudget/bank/vault", "poddisruptionbudgets.yaml"]);
    assert_eq!(gaps.len(), 2);
    let cart = differs.snapshot.pods.iter().find(|pod| pod.metadata.name == "cart-0").unwrap();
    assert_eq!(cart.spec.node_name, "w-1", "the first one counts");
    let only_there = written(|root| {
        std::fs::remove_dir_all(root.join("namespaces/shop/core")).unwrap();
        drop(file(root, "namespaces/shop/pods/cart-0/cart-0.yaml", of("cart-0").yaml()));
    });
    assert_eq!(only_there.snapshot.pods.len(), 2);
}

#[test]
fn a_second_cluster_version_is_a_gap() {
    let found = written(|root| {
        let mut other = cluster().remove(0);
        other.value["metadata"]["name"] = "version-2".into();
        drop(file(root, "cluster-scoped-resources/config.openshift.io/clusterversions/z.yaml", other.yaml()));
    });
    assert_gap(&found.snapshot.gaps, GapKind::Duplicate, &["z.yaml", "ClusterVersion/version-2"]);
}

#[test]
fn empty_lists_count_as_seen() {
    let check = |files: &[(&str, &str)], expect: [bool; 3]| {
        let folder = tempdir().unwrap();
        let all: Files = must_gather(&cluster()[..1]);
        write(folder.path(), &under(IMAGE, all));
        for (name, text) in files {
            drop(file(&folder.path().join(IMAGE), name, text));
        }
        let seen = gathered(folder.path()).snapshot.seen;
        assert_eq!([seen.nodes, seen.pools, seen.pods], expect, "{files:?}");
    };
    let nodes = "cluster-scoped-resources/core/nodes.yaml";
    check(&[], [false; 3]);
    check(&[(nodes, "apiVersion: v1\nitems: []\nkind: List\n")], [true, false, false]);
    check(&[(nodes, "apiVersion: v1\nitems: null\nkind: NodeList\n")], [true, false, false]);
    check(&[("cluster-scoped-resources/core/nodes/.keep", "")], [true, false, false]);
    let pools = "cluster-scoped-resources/machineconfiguration.openshift.io/machineconfigpools.json";
    check(&[(pools, r#"{"kind": "MachineConfigPoolList", "items": []}"#)], [false, true, false]);
    check(&[("namespaces/shop/core/pods.yaml", "items: []\nkind: PodList\n")], [false, false, true]);
}

#[test]
fn empty_typed_lists_count_as_seen_in_plain_files() {
    let check = |text: &str, nodes: bool| {
        let folder = tempdir().unwrap();
        drop(file(folder.path(), "cv.yaml", cluster().remove(0).yaml()));
        drop(file(folder.path(), "list.yaml", text));
        let found = gathered(folder.path()).snapshot;
        assert_eq!((found.seen.nodes, found.gaps.len()), (nodes, 0), "{text:?}");
    };
    check("apiVersion: v1\nitems: []\nkind: NodeList\n", true);
    check(r#"{"apiVersion": "v1", "kind": "NodeList", "items": []}"#, true);
    check("apiVersion: v1\nitems: []\nkind: List\n", false);
    check("apiVersion: v1\nitems: []\nkind: SecretList\n", false);
}

#[test]
fn objects_in_the_wrong_folder_are_told() {
    let found = written(|root| {
        let secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n";
        drop(file(root, "cluster-scoped-resources/core/nodes/s.yaml", secret));
        drop(file(root, "cluster-scoped-resources/core/nodes/w-2.yaml", ""));
        drop(file(root, "cluster-scoped-resources/core/nodes/w-3.yaml/x", ""));
    });
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
    let gaps = &found.snapshot.gaps;
    assert_gap(gaps, GapKind::Unreadable, &["s.yaml", "Secret", "not of kind Node"]);
    assert_gap(gaps, GapKind::Unreadable, &["w-2.yaml", "Node", "empty"]);
    assert_gap(gaps, GapKind::Refused, &["w-3.yaml", "not a file"]);
    assert_eq!(gaps.len(), 3);
}
