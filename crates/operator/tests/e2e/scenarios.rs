//! From a change of a source to what `UpdateStatus` says.

use headway_api::update::condition::Condition;
use headway_api::update::status::Status;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::program::{Operator, TestClock};
use super::world::{NEW, NOW, OLD, Step, World, ago, condition, health, node, node_with, operator, pool, rules};

pub(super) fn degraded(since: &str) -> Value {
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

/// All times that an insight carries.
fn times(status: &Status) -> Vec<(String, Timestamp, Option<Timestamp>, Option<u32>)> {
    let told = health(status).into_iter();
    let mut all: Vec<_> = told
        .map(|insight| {
            let rule = serde_json::to_value(&insight).unwrap()["ruleID"].to_string();
            (rule, insight.started_at, insight.first_observed_at, insight.occurrences)
        })
        .collect();
    all.sort();
    all
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s03_a_paused_pool_at_the_start_of_an_update() {
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
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s12_a_long_reason_is_taken() {
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
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s20_an_operator_gets_worse_without_an_event() {
    let world = World::updating();
    world.put(operator("dns", OLD, &[degraded(&ago(60))]));
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let status = world.wait(&mut clock, "the cluster is told", |status| status.control_plane.is_some());
    assert_eq!(rules(&status), [""; 0], "below five minutes nobody is told");
    clock.pass(4 * 60);
    world.wait(&mut clock, "a warning above five minutes", |status| rules(status) == ["Warning H-CO-DEGRADED"]);
    clock.pass(36 * 60);
    let is_error = |status: &Status| rules(status).contains(&"Error H-CO-DEGRADED".to_owned());
    let status = world.wait(&mut clock, "an error above forty", is_error);
    assert_eq!(said(&status, "Healthy").split('/').next(), Some("False"));
    world.put(operator("dns", OLD, &[]));
    world.wait(&mut clock, "it is over", |status| !rules(status).iter().any(|rule| rule.contains("H-CO-DEGRADED")));
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s25_a_deleted_operator_goes() {
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
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s41_a_pool_is_paused_and_resumed() {
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
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s45_a_budget_holds_up_a_drain() {
    let world = World::updating();
    let mut draining = node("w-0", Step::Draining, "True", &ago(90_000));
    draining["spec"]["taints"] = json!([{
        "key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": ago(9 * 60),
    }]);
    world.put(draining);
    world.put(json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "shop-0", "namespace": "default", "labels": { "app": "shop" } },
        "spec": { "nodeName": "w-0", "containers": [{ "name": "c", "image": "i" }] },
        "status": { "phase": "Running", "conditions": [{ "type": "Ready", "status": "True" }] },
    }));
    // No disruption controller runs here: the test writes what it would.
    world.put(json!({
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
        "metadata": { "name": "shop", "namespace": "default" },
        "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "shop" } } },
        "status": { "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1 },
    }));
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let status = world.wait(&mut clock, "the drain is told", |status| !status.worker_pools.is_empty());
    assert_eq!(rules(&status), [""; 0], "below ten minutes drains are drains");
    clock.pass(2 * 60);
    let status = world.wait(&mut clock, "a warning above ten", |status| rules(status) == ["Warning H-DRAIN-BLOCKED"]);
    let insight = health(&status).remove(0);
    let mut names: Vec<String> = insight.scope.resources.iter().map(|resource| resource.name.clone()).collect();
    names.sort();
    assert_eq!(names, ["shop", "shop-0", "w-0"], "node, pod and budget are named");
    clock.pass(51 * 60);
    let is_error = |status: &Status| rules(status).contains(&"Error H-DRAIN-BLOCKED".to_owned());
    world.wait(&mut clock, "an error above an hour", is_error);
    // Eviction would delete the pod; nobody evicts here.
    world.kubectl(&["delete", "pod", "shop-0", "-n", "default", "--grace-period=0", "--force"]);
    clock.pass(60);
    world.wait(&mut clock, "the way is free", |status| !rules(status).iter().any(|rule| rule.contains("DRAIN")));
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s48_a_restart_moves_no_time_and_writes_nothing() {
    let world = World::updating();
    world.put(pool("worker", true));
    world.put(operator("dns", OLD, &[degraded(&ago(600))]));
    let mut clock = TestClock::at(NOW);
    let first = Operator::start(&world, &clock, &[]);
    let is_told = |status: &Status| rules(status).len() == 2;
    world.wait(&mut clock, "both are told", is_told);
    clock.pass(100);
    // The details of pools are written last: whoever is killed before has something left to write.
    world.wait_for_writes(&mut clock, &["master-0", "worker-0"]);
    first.kill();
    let before = world.status().unwrap();
    let (writes, version) = (world.writes(), world.raw("UpdateStatus", "cluster").unwrap().metadata.resource_version);
    let second = Operator::start(&world, &clock, &[]);
    let begun = std::time::Instant::now();
    while second.get("/readyz").is_none_or(|(code, _)| code != 200) {
        assert!(begun.elapsed().as_secs() < 30, "it gets ready:\n{}", second.log());
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    std::thread::sleep(std::time::Duration::from_secs(2));
    let after = world.status().unwrap();
    assert_eq!(times(&after), times(&before), "no time moved and no counter was reset");
    assert_eq!(after.conditions, before.conditions);
    let after_that = world.writes().split_off(writes.len());
    assert!(after_that.len() <= 1, "at most one write: {after_that:#?}");
    if after_that.is_empty() {
        assert_eq!(world.raw("UpdateStatus", "cluster").unwrap().metadata.resource_version, version);
    }
    assert!(second.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s51_what_kubectl_waits_for() {
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
