//! Cases 1 to 19 of chained-upgrades.md, 6.1.

use serde_json::json;

use super::desk::{Desk, Mode, get};
use super::world::{World, check_new, class, cluster};

const PENDING: &str = "runtime.cluster.x-k8s.io/pending-hooks";
const STEP: &str = "topology.internal.cluster.x-k8s.io/upgrade-step";
const CONCURRENCY: &str = "topology.cluster.x-k8s.io/upgrade-concurrency";
const UNCHECKED: &str = "unsafe.topology.cluster.x-k8s.io/disable-update-version-check";

fn settled(name: &'static str, version: &str, list: &[&str]) -> World {
    World::settled(Mode::Topology, name, version, list)
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_1_a_version_is_written_in_full() {
    for wrong in ["invalid", "v1.30", "1.30", "v1.30.0.1", "v01.30.0"] {
        check_new(Mode::Topology, &cluster("adm1", wrong), "A2");
    }
    // The schema of Cluster API knows one of them itself.
    check_new(Mode::Topology, &cluster("adm1", ""), "schema");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_2_the_v_is_added() {
    let world = settled("adm2", "1.30.1", &["v1.30.1"]);
    let stored = get(&Desk::of(Mode::Topology).plane, &["cluster", "adm2"]);
    assert_eq!(stored["spec"]["topology"]["version"], "v1.30.1");
    assert_eq!(stored["spec"]["topology"]["classRef"]["namespace"], "default");
    world.check_target("1.30.1", "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_3_no_way_down() {
    let world = settled("adm3", "v1.31.1", &[]);
    for older in ["v1.30.1", "v1.31.0"] {
        world.check_target(older, "B3");
    }
    // The policies come before the webhooks.
    world.check_target("v0.31.1", "B4");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_4_no_way_down_for_pre_releases_and_builds() {
    settled("adm4a", "v1.2.3-xyz.2", &[]).check_target("v1.2.3-xyz.1", "B3");
    settled("adm4b", "v1.2.3+xyz.2", &[]).check_target("v1.2.3+xyz.1", "B3");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_5_builds_without_an_order_pass() {
    settled("adm5", "v1.2.3+ANCBG0", &[]).check_target("v1.2.3+ANCBG1", "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_6_two_minors_without_a_list() {
    let world = settled("adm6", "v1.2.3", &[]);
    world.check_target("v1.4.0", "B4");
    world.check_target("v1.3.9", "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_7_two_minors_with_a_list_or_an_extension() {
    settled("adm7a", "v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]).check_target("v1.4.0", "ok");
    let world = settled("adm7b", "v1.2.3", &[]);
    extension(&world, "adm7");
    let mut class = class("adm7b", &[]);
    class["spec"]["upgrade"] = json!({"external": {"generateUpgradePlanExtension": "plan.adm7"}});
    world.apply(&class);
    world.check_target("v1.4.0", "ok");
}

/// An ExtensionConfig that is not discovered yet.
pub(super) fn extension(world: &World, name: &str) {
    world.apply(&json!({"apiVersion": "runtime.cluster.x-k8s.io/v1beta2", "kind": "ExtensionConfig",
        "metadata": {"name": name}, "spec": {"clientConfig": {"url": "https://extension.example"}}}));
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_8_builds_in_a_list() {
    let world = settled("adm8", "v1.2.3+a.1", &["v1.2.3+a.1", "v1.3.1+a.1", "v1.4.0+a.1"]);
    world.check_target("v1.4.0+a.1", "ok");
    world.check_target("v1.4.0+a.2", "A4");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_9_10_a_version_out_of_the_list() {
    let world = settled("adm9", "v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]);
    let mut new = cluster("adm9", "v1.3.2");
    new["metadata"]["name"] = json!("adm9-new");
    check_new(Mode::Topology, &new, "A4");
    world.check_target("v1.3.2", "A4");
    world.check_target("v1.3.1", "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_11_the_hook_of_the_upgrade_before_is_pending() {
    let world = settled("adm11", "v1.31.0", &[]);
    world.kubectl(&["annotate", "cluster", "adm11", &format!("{PENDING}=AfterClusterUpgrade")]);
    world.check_target("v1.32.0", "B5");
    world.kubectl(&["annotate", "cluster", "adm11", &format!("{PENDING}-")]);
    world.check_target("v1.32.0", "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_12_concurrency_is_at_least_one() {
    let world = settled("adm12", "v1.31.0", &[]);
    for wrong in ["-1", "0", "abc"] {
        world.check(json!({"metadata": {"annotations": {CONCURRENCY: wrong}}}), "A3");
    }
    world.check(json!({"metadata": {"annotations": {CONCURRENCY: "2"}}}), "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_13_15_the_control_plane_is_not_settled() {
    let world = settled("adm13", "v1.31.0", &[]);
    world.check_target("v1.32.0", "ok");
    for (spec, status) in [("v1.31.0", ""), ("v1.31.0", "v1.30.0"), ("v1.30.0", "v1.30.0")] {
        world.control_plane(spec, status);
        world.check_target("v1.32.0", "B6");
    }
    let change = json!({"metadata": {"annotations": {UNCHECKED: ""}}, "spec": {"topology": {"version": "v1.32.0"}}});
    world.check(change, "ok+");
    world.kubectl(&["delete", "kubeadmcontrolplane", "adm13"]);
    world.check_target("v1.32.0", "B6");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_14_workers_are_not_settled() {
    let world = settled("adm14", "v1.31.0", &[]);
    world.machine("v1.31.0", "v1.30.0");
    world.check_target("v1.32.0", "B7");
    world.machine("v1.30.0", "v1.30.0");
    world.check_target("v1.32.0", "B7");
    world.machine("v1.31.0", "v1.31.0");
    world.workers("MachineDeployment", "a", "v1.30.0");
    world.check_target("v1.32.0", "B7");
    world.workers("MachineDeployment", "a", "v1.31.0");
    world.check_target("v1.32.0", "ok");

    world.workers("MachinePool", "p", "v1.30.0");
    world.check_target("v1.32.0", "B8");
    world.workers("MachinePool", "p", "v1.31.0");
    world.check_target("v1.32.0", "ok");
    // Its nodes are known to the workload cluster only, which is this API server here.
    world.status("MachinePool", &world.named("p"), json!({"nodeRefs": [{"name": "adm14-n1"}]}));
    world.check_target("v1.32.0", "B8");
    let plane = &Desk::of(Mode::Topology).plane;
    world.kubectl(&["create", "serviceaccount", "adm14"]);
    world.kubectl(&["create", "clusterrole", "adm14", "--verb=list", "--resource=nodes"]);
    let account = "--serviceaccount=default:adm14";
    world.kubectl(&["create", "clusterrolebinding", "adm14", "--clusterrole=adm14", account]);
    let token = world.kubectl(&["create", "token", "adm14"]);
    let secret = |key: &str, authority: serde_json::Value| {
        let kubeconfig = json!({"apiVersion": "v1", "kind": "Config", "current-context": "a",
            "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {"server": plane.server(), key: authority}}],
            "users": [{"name": "a", "user": {"token": token.trim()}}]});
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "adm14-kubeconfig", "namespace": "default"},
            "stringData": {"value": kubeconfig.to_string()}})
    };
    world.apply(&json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "adm14-n1"}}));
    let node = |runs: &str| world.status("Node", "adm14-n1", json!({"nodeInfo": node_info(runs)}));
    node("v1.31.0");
    // The kubeconfig of a workload cluster may name no file of ours.
    world.apply(&secret("certificate-authority", json!(plane.authority())));
    world.check_target("v1.32.0", "B8");
    let authority = std::fs::read(plane.authority()).unwrap();
    world.apply(&secret("certificate-authority-data", json!(k8s_openapi::ByteString(authority))));
    world.check_target("v1.32.0", "ok");
    node("v1.30.4");
    world.check_target("v1.32.0", "B8");
}

fn node_info(runs: &str) -> serde_json::Value {
    json!({"machineID": "", "systemUUID": "", "bootID": "", "kernelVersion": "", "osImage": "",
        "containerRuntimeVersion": "", "kubeProxyVersion": "", "operatingSystem": "", "architecture": "",
        "kubeletVersion": runs})
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_16_to_another_class() {
    let world = settled("adm16", "v1.22.2", &[]);
    world.apply(&class("adm16-near", &["v1.22.2", "v1.23.2"]));
    world.apply(&class("adm16-far", &["v1.33.0", "v1.34.0"]));
    let rebase = |name: &str| json!({"spec": {"topology": {"classRef": {"name": name}}}});
    world.check(rebase("adm16-near"), "ok");
    world.check(rebase("adm16-far"), "A4");
    world.check(rebase("adm16-lost"), "R1");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_17_what_changes_no_version_is_let_in() {
    // The class comes later, and does not list the target.
    let plane = &Desk::of(Mode::Topology).plane;
    plane.apply(&cluster("adm17", "v1.31.0").to_string()).unwrap();
    let world = settled_class("adm17", &["v1.33.0"]);
    world.check(json!({"metadata": {"annotations": {"x.io/note": ""}}}), "ok");
    world.check(json!({"spec": {"paused": true}}), "ok");
    // Nor is there a control plane.
    world.check_target("v1.32.0", "A4 B6");
}

/// A world of which there is the Cluster and now its class.
fn settled_class(name: &'static str, list: &[&str]) -> World {
    World::of(Mode::Topology, name, &[class(name, list)])
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_18_a_chain_cannot_be_turned() {
    let list = ["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"];
    for (mode, name, reverted) in [(Mode::Topology, "adm18", "ok+"), (Mode::Beside, "adm18", "B3")] {
        let world = World::running(mode, name, "v1.29.0", "v1.33.0", &list);
        world.check_target("v1.29.0", reverted);
        world.check_target("v1.34.0", "B6 B7");
        world.check_target("v1.30.0", "B3");
        world.kubectl(&[
            "annotate",
            "cluster",
            name,
            &format!("{PENDING}=AfterClusterUpgrade"),
            &format!("{STEP}=v1.31.0"),
        ]);
        world.control_plane("v1.31.0", "v1.31.0");
        world.check_target("v1.29.0", "B3");
        world.check_target("v1.34.0", "B5");
    }
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_19_what_a_chain_leaves_alone_may_be_changed() {
    let list = ["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"];
    let world = World::running(Mode::Topology, "adm19", "v1.29.0", "v1.33.0", &list);
    world.kubectl(&["annotate", "cluster", "adm19", &format!("{PENDING}=AfterClusterUpgrade")]);
    let replicas = json!([{"name": "a", "class": "small", "replicas": 7}]);
    world.check(json!({"spec": {"topology": {"workers": {"machineDeployments": replicas}}}}), "ok");
    world.check(json!({"spec": {"topology": {"variables": [{"name": "x", "value": 1}]}}}), "ok");
}
