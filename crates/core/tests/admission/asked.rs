//! A judge asks for as little as it can.

use headway_core::admission::Mode;
use serde_json::json;

use super::world::{changed, of_class, of_update, settled};

#[test]
fn a_change_of_version_asks_for_the_cluster_and_no_more() {
    let (_, asked) = of_update(&settled(), Mode::Topology, &[], &[("/spec/topology/version", json!("v1.32.0"))]);
    let expect = [
        "ClusterClass/bay/sea",
        "KubeadmControlPlane/bay/cp",
        "the MachineDeployments of Cluster bay/gull",
        "the MachinePools of Cluster bay/gull",
        "the Machines of Cluster bay/gull",
    ];
    assert_eq!(asked, expect);
}

#[test]
fn nodes_are_asked_for_only_where_pools_have_no_machines() {
    let mut pool = super::world::workers("p", "v1.31.0");
    pool["status"] = json!({"nodeRefs": [{"name": "n1"}]});
    let world = changed(settled(), &[("/machinePools", json!([pool])), ("/nodes", json!({"n1": "v1.31.0"}))]);
    let (_, asked) = of_update(&world, Mode::Topology, &[], &[("/spec/topology/version", json!("v1.32.0"))]);
    assert_eq!(asked.last().unwrap(), "the nodes of Cluster bay/gull");
}

#[test]
fn versions_that_are_added_to_a_list_ask_for_nothing() {
    let longer = json!(["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0", "v1.35.0"]);
    let (_, asked) = of_class(&settled(), Mode::Topology, &[], &[("/spec/kubernetesVersions", longer)]);
    assert!(asked.is_empty(), "{asked:?}");
    let shorter = json!(["v1.31.0", "v1.32.0", "v1.33.0"]);
    let (_, asked) = of_class(&settled(), Mode::Topology, &[], &[("/spec/kubernetesVersions", shorter)]);
    assert_eq!(asked[0], "the Clusters of all namespaces");
}
