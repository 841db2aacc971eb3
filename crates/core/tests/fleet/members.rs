//! Which clusters there are, and which one is meant.

use headway_api::report::{Activity, Outcome};
use headway_core::fleet::{Member, Order, Selector, Wanted, fleet, members, pick, report};
use headway_core::preview::Inventory;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn all<T: DeserializeOwned>(values: &[Value]) -> Vec<T> {
    values.iter().map(|value| serde_json::from_value(value.clone()).unwrap()).collect()
}

fn cluster(namespace: &str, name: &str, labels: Value) -> Value {
    json!({"metadata": {"namespace": namespace, "name": name, "labels": labels}})
}

fn machine(namespace: &str, name: &str, of: &str) -> Value {
    json!({"metadata": {"namespace": namespace, "name": name}, "spec": {"clusterName": of}})
}

fn told(members: &[Member<'_>]) -> Vec<String> {
    members.iter().map(|member| format!("{} {}", member.kind(), member.told())).collect()
}

fn of_clusters(clusters: &[Value]) -> Inventory {
    Inventory { clusters: all(clusters), ..Inventory::default() }
}

#[test]
fn clusters_come_in_input_order_and_those_not_seen_last() {
    let inventory = Inventory {
        machines: all(&[
            machine("a", "m1", "seen"),
            machine("a", "m2", "gone"),
            machine("b", "m3", "seen"),
            json!({"metadata": {"namespace": "b", "name": "m4", "labels": {"cluster.x-k8s.io/cluster-name": "gone"}}}),
            json!({"metadata": {"namespace": "b", "name": "m5"}}),
        ]),
        machine_deployments: all(&[
            json!({"metadata": {"namespace": "c", "name": "md"}, "spec": {"clusterName": "x"}}),
        ]),
        machine_pools: all(&[json!({"metadata": {"namespace": "c", "name": "mp"}, "spec": {"clusterName": "y"}})]),
        control_planes: all(&[json!({"kind": "KubeadmControlPlane",
            "metadata": {"namespace": "c", "name": "cp", "labels": {"cluster.x-k8s.io/cluster-name": "z"}}})]),
        ..of_clusters(&[cluster("b", "zebra", json!({})), cluster("a", "seen", json!({}))])
    };
    let members = members(&inventory);
    let expect = ["b/zebra", "a/seen", "a/gone", "b/gone", "b/seen", "c/x", "c/y", "c/z"];
    assert_eq!(told(&members), expect.map(|name| format!("cluster {name}")));
    let Some(Member::Unseen(z)) = members.last() else { panic!("{members:?}") };
    let reference = z.spec.control_plane_ref.as_ref().unwrap();
    assert_eq!((reference.kind.as_str(), reference.name.as_str()), ("KubeadmControlPlane", "cp"));
}

#[test]
fn what_hypershift_makes_is_no_cluster_of_its_own() {
    let marked = |name: &str, key: &str| {
        json!({"metadata": {"namespace": "clusters-a", "name": name, "annotations": {key: "clusters/a"}},
            "spec": {"clusterName": "unseen"}})
    };
    let of_kind = json!({"metadata": {"namespace": "clusters-b", "name": "b"},
        "spec": {"controlPlaneRef": {"kind": "HostedControlPlane", "name": "b"}}});
    let inventory = Inventory {
        machine_deployments: all(&[marked("md", "hypershift.openshift.io/nodePool")]),
        machines: all(&[marked("m", "hypershift.openshift.io/nodePool"), machine("clusters-b", "m", "b")]),
        ..of_clusters(&[marked("a", "hypershift.openshift.io/cluster"), of_kind])
    };
    assert_eq!(told(&members(&inventory)), [""; 0]);
}

#[test]
fn us_s65_hosted_clusters_are_members_and_their_insides_are_not() {
    let inventory = Inventory {
        hosted_clusters: all(&[cluster("clusters", "a", json!({"env": "prod"})), cluster("clusters", "b", json!({}))]),
        machines: all(&[machine("clusters-a", "m", "a-x7k2p")]),
        ..of_clusters(&[cluster("clusters-a", "a-x7k2p", json!({})), cluster("clusters", "a", json!({}))])
    };
    let members = members(&inventory);
    assert_eq!(told(&members), ["cluster clusters/a", "hostedcluster clusters/a", "hostedcluster clusters/b"]);
    let check = |text: &str, expect: Result<&str, &str>| {
        let picked = pick(&members, Wanted::read(text, None)).map(Member::kind).map_err(|error| error.to_string());
        assert_eq!(picked.as_ref().copied().map_err(String::as_str), expect, "{text}");
    };
    check("b", Ok("hostedcluster"));
    check("hostedcluster/a", Ok("hostedcluster"));
    check("cluster/a", Ok("cluster"));
    check("a", Err("2 clusters are called a: cluster/a, hostedcluster/a"));
}

#[test]
fn a_fleet_says_what_was_kept_and_not_seen() {
    let inside = json!({"metadata": {"namespace": "clusters-a", "name": "a-x7k2p",
        "annotations": {"hypershift.openshift.io/cluster": "clusters/a"}}});
    let inventory = of_clusters(&[inside]);
    let table = fleet(&inventory, &members(&inventory), Order::default());
    assert!(table.items.is_empty());
    let told: Vec<String> = table.gaps.iter().map(ToString::to_string).collect();
    let expect = "Cluster/clusters-a/a-x7k2p: it belongs to HostedCluster clusters/a, which was not seen, so that nothing is told of it";
    assert_eq!(told, [expect]);
}

#[test]
fn a_cluster_that_was_not_seen_is_never_told_to_be_done() {
    let machine = json!({"metadata": {"namespace": "a", "name": "m"}, "spec": {"clusterName": "gone", "version": "v1.34.2"},
        "status": {"nodeRef": {"name": "n"}, "nodeInfo": {"kubeletVersion": "v1.34.2"}}});
    let inventory = Inventory { machines: all(&[machine]), ..Inventory::default() };
    let members = members(&inventory);
    let report = report(&inventory, &members[0]);
    assert_eq!((report.outcome, report.activity), (Outcome::CannotTell, Activity::Unknown));
    assert!(
        report.gaps.iter().any(|gap| gap.to_string().starts_with("Cluster/a/gone: was not seen")),
        "{:?}",
        report.gaps
    );
    assert_eq!(fleet(&inventory, &members, Order::default()).outcome, Outcome::CannotTell);
}

#[test]
fn one_cluster_is_picked_by_its_name() {
    let inventory = of_clusters(&[
        cluster("a", "one", json!({})),
        cluster("a", "twin", json!({})),
        cluster("b", "twin", json!({})),
    ]);
    let members = members(&inventory);
    let check = |text: &str, namespace: Option<&str>, expect: Result<&str, &str>| {
        let picked = pick(&members, Wanted::read(text, namespace)).map(Member::told).map_err(|error| error.to_string());
        assert_eq!(picked.as_deref().map_err(String::as_str), expect, "{text} {namespace:?}");
    };
    check("one", None, Ok("a/one"));
    check("one", Some("a"), Ok("a/one"));
    check("cluster/one", None, Ok("a/one"));
    check("twin", Some("b"), Ok("b/twin"));
    check("twin", None, Err("2 clusters are called twin: a/twin, b/twin"));
    check("one", Some("b"), Err("no cluster b/one was found; there is a/one, a/twin, b/twin"));
    check("hc/one", None, Err("no cluster one was found; there is a/one, a/twin, b/twin"));
    check("a/one", None, Err("no cluster a/one was found; there is a/one, a/twin, b/twin"));
    let none = pick(&[], Wanted::read("one", None)).map_err(|error| error.to_string());
    assert_eq!(none, Err("no cluster one was found; there is none at all".to_owned()));
}

#[test]
fn clusters_are_chosen_by_namespace_and_labels() {
    let inventory = Inventory {
        machines: all(&[machine("a", "m", "unseen")]),
        ..of_clusters(&[
            cluster("a", "one", json!({"env": "prod"})),
            cluster("a", "two", json!({"env": "test"})),
            cluster("b", "three", json!({"env": "prod"})),
        ])
    };
    let check = |selector: &str, namespace: Option<&str>, expect: &[&str]| {
        let selector: Selector = selector.parse().unwrap();
        let chosen = selector.choose(members(&inventory), namespace);
        assert_eq!(chosen.iter().map(Member::told).collect::<Vec<_>>(), expect, "{selector:?} {namespace:?}");
    };
    check("", None, &["a/one", "a/two", "b/three", "a/unseen"]);
    check("", Some("a"), &["a/one", "a/two", "a/unseen"]);
    check("env=prod", None, &["a/one", "b/three"]);
    check("env=prod", Some("b"), &["b/three"]);
    check("env=none", None, &[]);
    // Which labels a Cluster has that was not seen, nobody knows.
    check("env!=prod", None, &["a/two"]);
}
