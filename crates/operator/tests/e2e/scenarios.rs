//! From a change of a source to what `UpdateStatus` says.

use headway_api::update::condition::Condition;
use headway_api::update::status::Status;
use serde_json::{Value, json};

use super::program::{Operator, TestClock};
use super::world::{NEW, NOW, OLD, Step, World, ago, condition, health, node, node_with, operator, pool, rules};

fn degraded(since: &str) -> Value {
    condition("Degraded", "True", since, "Broken", "It is broken.")
}

/// A condition of the singleton, as `STATUS/REASON`.
fn said(status: &Status, kind: &str) -> String {
    let text = |condition: &Condition| {
        let value = serde_json::to_value(condition).unwrap();
        format!("{}/{}", value["status"].as_str().unwrap(), value["reason"].as_str().unwrap())
    };
    status.conditions.of(kind).map_or("-".to_owned(), text)
}

#[test]
#[ignore = "soak: slow on two cores, run by hand until it is quick"]
fn soak_us_s03_a_paused_pool_at_the_start_of_an_update() {
    let world = World::updating();
    world.put(pool("worker", true));
    let mut clock = TestClock::at(NOW);
    let operator = Operator::start(&world, &clock, &[]);
    let status = world.wait(&mut clock, "the paused pool is told", |status| rules(status) == ["Warning H-POOL-PAUSED"]);
    assert_eq!(said(&status, "Updating"), "True/ClusterVersionProgressing");
    assert_eq!(said(&status, "Available"), "True/AsExpected");
    let table = world.kubectl(&["get", "updatestatus"]);
    let mut lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap()[..4], ["NAME", "UPDATING", "ASSESSMENT", "TARGET"], "{table}");
    let row = lines.next().unwrap();
    assert_eq!((row[0], row[1], row.contains(&NEW), row.contains(&"40")), ("cluster", "True", true, true), "{table}");
    let shard = world.raw("PoolUpdateStatus", "worker-0").unwrap();
    assert_eq!(shard.data["status"]["nodes"].as_array().unwrap().len(), 3, "every node of the pool is in its details");
    assert_eq!(shard.metadata.owner_references.unwrap()[0].name, "cluster", "it goes with the singleton");
    assert!(operator.stop().success());
}

#[test]
#[ignore = "soak: slow on two cores, run by hand until it is quick"]
fn soak_us_s12_a_long_reason_is_taken() {
    let world = World::updating();
    let reason =
        format!("failed to drain node: m-1 after 1 hour. {}", "The cause of the cause is \"this\":\n ".repeat(60));
    world.put(node_with("m-1", Step::Degraded, "True", &ago(600), &reason));
    let mut clock = TestClock::at(NOW);
    let operator = Operator::start(&world, &clock, &[]);
    let status =
        world.wait(&mut clock, "the degraded node is told", |s| rules(s).contains(&"Error H-NODE-DEGRADED".to_owned()));
    let insight = health(&status).into_iter().find(|i| i.impact.summary.contains("m-1")).unwrap();
    let text = insight.impact.description;
    assert!(reason.len() > 1836 && text.len() > 1000, "the text is told at length: {}", text.len());
    assert!(operator.stop().success());
}

#[test]
#[ignore = "soak: slow on two cores, run by hand until it is quick"]
fn soak_us_s25_a_deleted_operator_goes() {
    let world = World::updating();
    world.put(operator("dns", OLD, &[degraded(&ago(600))]));
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &["--render=singleton,pool-details,insights"]);
    let status = world.wait(&mut clock, "it is told", |status| rules(status) == ["Warning H-CO-DEGRADED"]);
    let total = |status: &Status| status.control_plane.as_ref().unwrap().operators.as_ref().unwrap().total;
    assert_eq!(total(&status), 5);
    world.delete("clusteroperator", "dns");
    // Time passes, so that the next write is due.
    clock.pass(10);
    world.wait(&mut clock, "it is gone", |status| rules(status).is_empty() && total(status) == 4);
    clock.pass(10);
    let begun = std::time::Instant::now();
    while world.raw("ClusterOperatorProgressInsight", "dns").is_some() {
        assert!(begun.elapsed().as_secs() < 30, "its own insight goes too");
        std::thread::sleep(std::time::Duration::from_millis(100));
        clock.pass(1);
    }
    assert!(running.stop().success());
}

#[test]
#[ignore = "soak: slow on two cores, run by hand until it is quick"]
fn soak_us_s41_a_pool_is_paused_and_resumed() {
    let world = World::updating();
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    world.wait(&mut clock, "all is well", |status| status.control_plane.is_some() && rules(status).is_empty());
    let mut uids = Vec::new();
    for times in 1..=2 {
        world.put(pool("worker", true));
        clock.pass(10);
        let is_paused = |status: &Status| {
            rules(status) == ["Warning H-POOL-PAUSED"] && health(status)[0].occurrences == Some(times)
        };
        let status = world.wait(&mut clock, "it is paused", is_paused);
        let of_pools = status.worker_pools.iter().flat_map(|pool| &pool.informers).flat_map(|i| &i.insights);
        uids.extend(of_pools.filter(|i| i.insight.health.is_some()).map(|i| i.uid.clone()));
        world.put(pool("worker", false));
        clock.pass(10);
        world.wait(&mut clock, "it is resumed", |status| rules(status).is_empty());
    }
    assert_eq!(uids.len(), 2);
    assert_eq!(uids[0], uids[1], "it is the same finding both times");
    assert!(running.stop().success());
}

#[test]
#[ignore = "soak: slow on two cores, run by hand until it is quick"]
fn soak_us_s51_what_kubectl_waits_for() {
    let world = World::updating();
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &["--render=singleton,insights"]);
    world.wait(&mut clock, "it is updating", |status| said(status, "Updating").starts_with("True"));
    for name in ["etcd", "kube-apiserver", "dns", "network", "machine-config"] {
        world.put(operator(name, NEW, &[]));
    }
    for name in ["m-0", "m-1", "m-2", "w-0", "w-1", "w-2"] {
        world.put(node(name, Step::New, "True", &ago(90_000)));
    }
    let mut done = super::world::cluster_version();
    done["status"]["history"][0]["state"] = json!("Completed");
    done["status"]["history"][0]["completionTime"] = json!(ago(0));
    done["status"]["conditions"][0] = condition("Progressing", "False", &ago(0), "", "Cluster version is 4.20.2");
    world.put(done);
    world.wait(&mut clock, "it is done", |status| said(status, "Updating").starts_with("False"));
    let told = world.kubectl(&["wait", "--for=condition=Updating=False", "updatestatus/cluster", "--timeout=30s"]);
    assert_eq!(told.trim(), "updatestatus.update.openshift.io/cluster condition met");
    let insights = world.kubectl(&["get", "clusteroperatorprogressinsights", "--no-headers"]);
    assert_eq!(insights.lines().count(), 5, "{insights}");
    assert!(running.stop().success());
}
