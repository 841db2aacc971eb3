//! A hook that asked for time is left alone (4.2, 10-13).

use super::certificates::{Authority, Offer, server_tls};
use super::extension::{Extension, Reply};
use super::world::{World, config, success, upgrade};

async fn gate(authority: &Authority, seconds: i32) -> (World, Extension) {
    let world = World::new();
    let extension = Extension::start(server_tls(&authority.leaf(), None, Offer::Both)).await;
    extension.serves(&["gate:BeforeClusterUpgrade"]);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(seconds, "soon"))]);
    assert_eq!(world.client.warm_up(vec![config("ext", &extension, authority)]).await, []);
    (world, extension)
}

#[tokio::test]
async fn ch_4_2_asked_once_per_interval_however_often_it_is_looked() {
    let authority = Authority::new("ours");
    let (world, extension) = gate(&authority, 30).await;
    // A controller that wakes every second for five minutes.
    for second in 0..300 {
        let left = 30 - second % 30;
        assert_eq!(world.ask("cluster-1", "team=ext").await, format!("wait {left} soon"));
        world.pass(1);
    }
    assert_eq!(extension.asked("BeforeClusterUpgrade").len(), 10);
    extension.answers("BeforeClusterUpgrade", vec![Reply::Text(success(0, ""))]);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "go");
    assert_eq!(extension.asked("BeforeClusterUpgrade").len(), 11);
}

#[tokio::test]
async fn ch_b13_another_cluster_step_or_configuration_is_asked_anew() {
    let authority = Authority::new("ours");
    let (world, extension) = gate(&authority, 30).await;
    let count = || extension.asked("BeforeClusterUpgrade").len();
    assert_eq!(world.ask("cluster-1", "team=ext").await, "wait 30 soon");
    world.pass(10);
    assert_eq!(world.ask("cluster-1", "team=ext").await, "wait 20 soon");
    assert_eq!(count(), 1);
    // A cluster of the same name that was created again.
    assert_eq!(world.ask("cluster-2", "team=ext").await, "wait 30 soon");
    assert_eq!(count(), 2);
    // Another target.
    assert_eq!(world.ask_call("cluster-1", "team=ext", &upgrade("v1.33.0")).await, "wait 30 soon");
    assert_eq!(count(), 3);
    // Other settings.
    let mut changed = config("ext", &extension, &authority);
    changed.metadata.generation = Some(2);
    changed.spec.settings.insert("tier".into(), "silver".into());
    assert!(world.client.discover(changed).await.found.is_ok());
    assert_eq!(world.ask_call("cluster-1", "team=ext", &upgrade("v1.33.0")).await, "wait 30 soon");
    assert_eq!(count(), 4);
    assert_eq!(extension.asked("BeforeClusterUpgrade")[3].body["settings"]["tier"], "silver");
    // ch_e10_2_30: uninstalled, it holds nobody up.
    world.client.remove("ext");
    assert_eq!(world.ask("cluster-2", "team=ext").await, "go");
    assert_eq!(count(), 4);
}

#[tokio::test]
async fn a_cluster_that_is_gone_is_forgotten() {
    let authority = Authority::new("ours");
    let (world, extension) = gate(&authority, 30).await;
    for expect in [1, 1] {
        assert_eq!(world.ask("cluster-1", "team=ext").await, "wait 30 soon");
        assert_eq!(extension.asked("BeforeClusterUpgrade").len(), expect);
    }
    world.client.forget_cluster("cluster-1");
    assert_eq!(world.ask("cluster-1", "team=ext").await, "wait 30 soon");
    assert_eq!(extension.asked("BeforeClusterUpgrade").len(), 2);
}
