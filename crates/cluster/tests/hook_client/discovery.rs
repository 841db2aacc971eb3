//! Warm-up and discovery (5.2, 5.3): nothing ends the process, and nobody waits but for good reason.

use std::time::Duration;

use headway_core::hook::Settled;
use serde_json::json;

use super::certificates::{Authority, Offer, server_tls};
use super::extension::{Extension, Reply, discovery};
use super::world::{World, config, config_at, success};

async fn started(authority: &Authority) -> Extension {
    let extension = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "asked"))]);
    extension
}

#[tokio::test]
async fn ch_5_3_a_warm_up_tries_again() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority).await);
    let starting = Reply::Status(503, "starting");
    let ready = Reply::Text(discovery(&["gate:BeforeClusterUpgrade"]));
    extension.answers("discovery", vec![starting.clone(), starting, ready]);
    assert_eq!(
        world.ask("cluster-1", "team=ext").await,
        "! BeforeClusterUpgrade cannot be asked: the ExtensionConfigs were not listed yet"
    );
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, &authority)]).await, []);
    assert_eq!(extension.asked("discovery").len(), 3);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go asked");
}

#[tokio::test]
async fn ch_5_3_a_warm_up_that_fails_holds_up_its_own_clusters_only() {
    let authority = Authority::new("ours");
    let world = World::with(|options| options.timing.warm_up = Duration::from_millis(300));
    let (good, bad) = (started(&authority).await, started(&authority).await);
    bad.answers("discovery", vec![Reply::Status(500, "broken")]);
    let configs = vec![config("good", &good, &authority), config("bad", &bad, &authority)];
    let warm_up = world.client.warm_up(configs);
    // Meanwhile others are asked already.
    let meanwhile = async {
        while bad.asked("discovery").len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        world.ask("cluster-1", "team=good").await
    };
    let (troubles, told) = futures::future::join(warm_up, meanwhile).await;
    assert_eq!(told, "go asked");
    let told: Vec<_> = troubles.iter().map(|it| format!("{}: {}", it.extension, it.reason)).collect();
    assert_eq!(told, ["bad: Discovery of bad failed: it answered 500, which begins with \"broken\""]);
    let waits = world.ask("cluster-2", "team=bad").await;
    assert!(waits.contains("bad: Discovery of bad failed: it answered 500"), "{waits}");
    assert_eq!(world.ask("cluster-3", "team=none").await, "go");
    // It comes back, and nobody had to restart anything.
    bad.serves(&["gate:BeforeClusterUpgrade"]);
    assert!(world.client.discover(config("bad", &bad, &authority)).await.found.is_ok());
    assert_eq!(world.ask("cluster-2", "team=bad").await, "go asked");
}

#[tokio::test]
async fn ch_b29_a_failed_discovery_is_told_with_each_answer() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority).await);
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, &authority)]).await, []);
    extension.answers("discovery", vec![Reply::Status(500, "")]);
    let again = world.client.discover(config("ext", &extension, &authority)).await;
    assert!(again.found.is_err());
    let why = "the extension ext is asked as it was known before: Discovery of ext failed: it answered 500";
    assert_eq!(world.ask("cluster-1", "team=ext").await, format!("go asked| {why}"));
    // A new address at which nobody answers is where it is asked: not where it was.
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let mut moved = config_at("ext", &format!("https://{nobody}"), &authority);
    moved.metadata.generation = Some(2);
    assert!(world.client.discover(moved).await.found.is_err());
    let told = world.ask("cluster-1", "team=ext").await;
    assert_eq!(told, "! BeforeClusterUpgrade of gate.ext failed: it cannot be reached: connection refused");
}

#[tokio::test]
async fn an_extension_that_was_deleted_meanwhile_stays_away() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority).await);
    world.client.list(Vec::new());
    let slow = Reply::Late(Duration::from_millis(500), discovery(&["gate:BeforeClusterUpgrade"]));
    extension.answers("discovery", vec![slow]);
    let removed = async {
        while extension.asked("discovery").is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        world.client.remove("ext");
    };
    let discovered = world.client.discover(config("ext", &extension, &authority));
    let (discovered, ()) = futures::future::join(discovered, removed).await;
    assert_eq!(discovered.settled, Settled::Outdated);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go");
}

#[tokio::test]
async fn ch_5_2_a_paused_extension_is_not_discovered() {
    let authority = Authority::new("ours");
    let (world, extension) = (World::new(), started(&authority).await);
    let mut config = config("ext", &extension, &authority);
    config.metadata.annotations = [("cluster.x-k8s.io/paused", "")].into_iter().collect();
    world.client.warm_up(vec![config.clone()]).await;
    assert_eq!(extension.asked("discovery").len(), 0);
    let waits = world.ask("cluster-1", "team=ext").await;
    assert!(waits.ends_with("ext: the extension ext is paused"), "{waits}");
    // What others discovered before counts.
    config.status = serde_json::from_value(json!({"handlers": [{
        "name": "gate.ext",
        "requestHook": {"apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": "BeforeClusterUpgrade"},
    }]}))
    .unwrap();
    world.client.list(vec![config]);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go asked");
}

#[tokio::test]
async fn connections_are_made_anew_when_certificates_change() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let (world, extension) = (World::new(), started(&old).await);
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, &old)]).await, []);
    let mut changed = config("ext", &extension, &new);
    changed.metadata.generation = Some(2);
    let told = world.client.discover(changed).await.found.unwrap_err();
    let told = super::world::chain(&told);
    assert!(told.ends_with("its certificate is refused: certificate signed by unknown authority"), "{told}");
    // An extension that was restarted with a certificate of its new authority.
    let again = Extension::start(server_tls(&new.leaf(), None, Offer::Both)).await;
    again.serves(&["gate:BeforeClusterUpgrade"]);
    again.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, "again"))]);
    let mut moved = config("ext", &again, &new);
    moved.metadata.generation = Some(3);
    assert!(world.client.discover(moved).await.found.is_ok());
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go again");
}
