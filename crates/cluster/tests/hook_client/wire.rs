//! What is sent (5.5), over either version of HTTP.

use http::Version;
use serde_json::json;

use super::certificates::{Authority, Offer, server_tls};
use super::extension::{Extension, Reply};
use super::world::{World, config, success};

async fn started(authority: &Authority, offer: Offer) -> Extension {
    let extension = Extension::start(server_tls(&authority.leaf(), None, offer)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "fine"))]);
    extension
}

#[tokio::test]
async fn ch_5_5_what_is_sent() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority, Offer::Both).await);
    let mut config = config("ext", &extension, &authority);
    config.spec.client_config.url.push_str("/in//front/?key=a");
    assert_eq!(world.client.warm_up(vec![config]).await, []);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go fine");
    let group = "/in/front/hooks.runtime.cluster.x-k8s.io/v1alpha1";
    let discovery = extension.asked("discovery");
    let [discovery] = discovery.as_slice() else { panic!("{discovery:?}") };
    assert_eq!((discovery.method.as_str(), discovery.version), ("POST", Version::HTTP_2));
    assert_eq!(discovery.path, format!("{group}/discovery?key=a&timeout=20s"));
    assert_eq!(
        discovery.body,
        json!({
            "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "kind": "DiscoveryRequest",
            "settings": {"tier": "gold"},
        })
    );
    let asked = extension.asked("BeforeClusterUpgrade");
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(asked.path, format!("{group}/beforeclusterupgrade/gate?key=a&timeout=20s"));
    assert_eq!(asked.headers["content-type"], "application/json");
    assert!(asked.headers["user-agent"].to_str().unwrap().starts_with("headway/"));
    assert_eq!(
        asked.body,
        json!({
            "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "kind": "BeforeClusterUpgradeRequest",
            "settings": {"tier": "gold"},
            "cluster": {
                "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
                "metadata": {"name": "c1", "namespace": "ns1", "uid": "cluster-1"},
                "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.32.0"}},
            },
            "fromKubernetesVersion": "v1.31.0", "toKubernetesVersion": "v1.32.0",
            "controlPlaneUpgrades": [{"version": "v1.32.0"}],
        })
    );
}

#[tokio::test]
async fn ch_5_5_servers_without_http_2() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority, Offer::Http1).await);
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, &authority)]).await, []);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go fine");
    assert_eq!(extension.asked("BeforeClusterUpgrade")[0].version, Version::HTTP_11);
}

#[tokio::test]
async fn ch_5_6_handlers_are_asked_in_order_and_the_first_error_ends_it() {
    let authority = Authority::new("ours");
    let world = World::new();
    let mut configs = Vec::new();
    let mut extensions = Vec::new();
    for name in ["c", "a", "b"] {
        let extension = started(&authority, Offer::Both).await;
        extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(if name == "b" { 10 } else { 60 }, name))]);
        let mut config = config(name, &extension, &authority);
        config.spec.namespace_selector = None;
        configs.push(config);
        extensions.push(extension);
    }
    assert_eq!(world.client.warm_up(configs).await, []);
    // ch_e10_2_29: the shortest time counts, and messages come in the order of the handlers.
    assert_eq!(world.ask("cluster-1", "").await, "wait 10 a, b, c");
    let [c, a, b] = extensions.as_slice() else { panic!("three were started") };
    let counts = || [a, b, c].map(|extension| extension.asked("BeforeClusterUpgrade").len());
    assert_eq!(counts(), [1, 1, 1]);
    world.pass(10);
    assert_eq!(world.ask("cluster-1", "").await, "wait 10 a, b, c");
    assert_eq!(counts(), [2, 2, 2]);
    // Whoever comes after an error is not asked, and the error is not remembered.
    b.answers("BeforeClusterUpgrade", vec![Reply::Status(500, "")]);
    world.pass(10);
    for round in 1..3 {
        assert_eq!(world.ask("cluster-1", "").await, "! BeforeClusterUpgrade of gate.b failed: it answered 500");
        assert_eq!(counts(), [2 + round, 2 + round, 2]);
    }
}
