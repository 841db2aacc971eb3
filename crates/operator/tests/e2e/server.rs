//! What the API server does to those who ask it: it is slow, throttles, refuses, forgets, and serves other versions.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use headway_api::update::status::Status;
use http::Request;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, Patch, PatchParams};
use kube::client::Body;
use serde_json::{Value, json};

use super::faults::{degraded_reason, until};
use super::program::{Operator, TestClock};
use super::scenarios::degraded;
use super::world::{NOW, OLD, World, ago, client, health, nodes, operator, pool, rules};

const OPERATORS: [&str; 5] = ["dns", "etcd", "kube-apiserver", "machine-config", "network"];

/// A cluster with these operators degraded for ten minutes.
fn with_degraded(names: &[&str]) -> World {
    let world = World::updating();
    for name in names {
        world.put(operator(name, OLD, &[degraded(&ago(600))]));
    }
    world
}

fn only(status: &Status, rule: &str, count: usize) -> bool {
    let rules = rules(status);
    rules.len() == count && rules.iter().all(|told| told.ends_with(rule))
}

/// When each finding was first seen.
fn first_seen(status: &Status) -> Vec<Option<jiff::Timestamp>> {
    health(status).iter().map(|insight| insight.first_observed_at).collect()
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s50_what_a_new_list_does_not_have_goes_after_the_grace_period() {
    let world = with_degraded(&OPERATORS);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    world.wait(&mut clock, "all five are told", |status| only(status, "H-CO-DEGRADED", 5));
    // While it cannot see, two go and one recovers; what happened meanwhile is then compacted away, so that it can only
    // read a new list: 410 Gone.
    world.plane.stop_apiserver().unwrap();
    running.freeze();
    world.plane.start_apiserver().unwrap();
    world.delete("clusteroperator", "dns");
    world.delete("clusteroperator", "network");
    world.put(operator("etcd", OLD, &[]));
    world.plane.compact().unwrap();
    world.plane.restart_apiserver().unwrap();
    running.thaw();
    let status = world.wait(&mut clock, "the list was read", |status| only(status, "H-CO-DEGRADED", 4));
    let total = |status: &Status| status.control_plane.as_ref().unwrap().operators.as_ref().unwrap().total;
    assert_eq!(total(&status), 5, "a list may be read from a server that is behind");
    clock.pass(60);
    let status = world.wait(&mut clock, "those that are gone go", |status| only(status, "H-CO-DEGRADED", 2));
    assert_eq!(total(&status), 3);
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s57_a_clock_set_back_an_hour_moves_nothing() {
    let world = with_degraded(&["dns"]);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let before = world.wait(&mut clock, "it is told", |status| only(status, "H-CO-DEGRADED", 1));
    clock.pass(-3600);
    world.put(pool("worker", true));
    let both = |status: &Status| rules(status) == ["Warning H-CO-DEGRADED", "Warning H-POOL-PAUSED"];
    let after = world.wait(&mut clock, "what is new is told, and what was there stays", both);
    assert_eq!(first_seen(&after)[0], first_seen(&before)[0], "no time moved");
    let text = serde_json::to_string(&after).unwrap();
    assert!(!text.contains("\":-"), "no duration below zero: {text}");
    clock.pass(3600);
    world.put(pool("worker", false));
    world.wait(&mut clock, "and when it is right again", |status| only(status, "H-CO-DEGRADED", 1));
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn a_store_that_is_slow_slows_the_writes_and_loses_none() {
    let world = with_degraded(&["dns"]);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let before = world.wait(&mut clock, "it is told", |status| only(status, "H-CO-DEGRADED", 1));
    world.put(pool("worker", true));
    world.plane.pause_etcd().unwrap();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(8) {
        std::thread::sleep(Duration::from_millis(200));
        clock.pass(1);
        assert_eq!(running.get("/healthz").unwrap().0, 200, "it lives:\n{}", running.log());
    }
    world.plane.resume_etcd().unwrap();
    let after = world.wait(&mut clock, "it is told late", |status| rules(status).len() == 2);
    assert_eq!(first_seen(&after)[0], first_seen(&before)[0], "no time moved");
    let pause = health(&after)[1].first_observed_at.unwrap();
    assert!(pause.duration_since(NOW).as_secs() < 30, "it was seen while it could not be told: {pause}");
    assert!(running.stop().success());
}

/// Waits until a write of the status has come to this, while the operator's clock goes on.
fn until_refused(running: &Operator, clock: &mut TestClock, result: &str, seconds: u64) {
    let metric = format!("headway_writes_total{{object=\"updatestatuses\",result=\"{result}\"}}");
    let begun = Instant::now();
    while running.metric(&metric).is_none_or(|count| count < 1.0) {
        assert!(begun.elapsed() < Duration::from_secs(seconds), "no write was {result}:\n{}", running.log());
        std::thread::sleep(Duration::from_millis(200));
        clock.pass(1);
    }
}

/// The operator under an account of its own that may do everything but what a test takes from it.
fn account(world: &World) -> PathBuf {
    world.kubectl(&["create", "serviceaccount", "watched", "-n", "default"]);
    bind(world, "cluster-admin");
    world.plane.account_kubeconfig("default", "watched").unwrap()
}

/// Gives the account a role instead of the one that it has.
fn bind(world: &World, role: &str) {
    let (role, account) = (format!("--clusterrole={role}"), "--serviceaccount=default:watched");
    world.kubectl(&["delete", "clusterrolebinding", "watched", "--ignore-not-found"]);
    world.kubectl(&["create", "clusterrolebinding", "watched", &role, account]);
}

fn drop_account(world: &World) {
    for kind in ["clusterrolebinding", "clusterrole", "flowschema", "prioritylevelconfiguration"] {
        world.kubectl(&["delete", kind, "watched", "--ignore-not-found"]);
    }
    world.kubectl(&["delete", "serviceaccount", "watched", "-n", "default", "--ignore-not-found"]);
}

/// The API server answers 429 to what the account asks with these verbs while another such question is at work: it
/// always lets one through.
fn throttle(world: &World, verbs: &Value) {
    world.apply(&json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "PriorityLevelConfiguration",
        "metadata": { "name": "watched" },
        "spec": { "type": "Limited", "limited": {
            "nominalConcurrencyShares": 0, "lendablePercent": 0, "borrowingLimitPercent": 0,
            "limitResponse": { "type": "Reject" } } },
    }));
    world.apply(&json!({
        "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": { "name": "watched" },
        "spec": {
            "priorityLevelConfiguration": { "name": "watched" }, "matchingPrecedence": 50,
            "rules": [{
                "subjects": [{ "kind": "ServiceAccount", "serviceAccount": { "namespace": "default", "name": "watched" } }],
                "resourceRules": [{ "verbs": verbs, "apiGroups": ["*"], "resources": ["*"], "clusterScope": true,
                    "namespaces": ["*"] }],
            }],
        },
    }));
}

/// Waits until the API server judges a patch of the account by the schema: it learns of one by a watch of its own, and
/// names in its answers the one that it judged by.
fn wait_for_throttle(world: &World, kubeconfig: &Path) {
    let uid = world.kubectl(&["get", "flowschema", "watched", "-o", "jsonpath={.metadata.uid}"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = runtime.block_on(client(kubeconfig));
    until("the schema is in force", || {
        let patch = Request::patch("/api/v1/namespaces/default/configmaps/busy")
            .header("Content-Type", "application/merge-patch+json")
            .body(Body::from(b"{}".to_vec()))
            .unwrap();
        let answer = runtime.block_on(client.send(patch)).unwrap();
        answer.headers().get("X-Kubernetes-PF-FlowSchema-UID").is_some_and(|by| by.as_bytes() == uid.trim().as_bytes())
    });
}

/// Keeps the account's one place at the API server taken, for as long as the store says nothing: a patch that is done
/// when the server has answered, whatever that is.
fn take_the_place(kubeconfig: PathBuf) -> std::thread::JoinHandle<()> {
    let busy = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let api: Api<ConfigMap> = Api::namespaced(client(&kubeconfig).await, "default");
            let patch = Patch::Merge(json!({ "data": { "busy": "yes" } }));
            drop(api.patch("busy", &PatchParams::default(), &patch).await);
        });
    });
    std::thread::sleep(Duration::from_secs(1));
    busy
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn who_is_throttled_waits_and_then_tells_all() {
    let world = with_degraded(&["dns"]);
    drop_account(&world);
    let kubeconfig = account(&world);
    throttle(&world, &json!(["*"]));
    wait_for_throttle(&world, &kubeconfig);
    world.kubectl(&["create", "configmap", "busy", "-n", "default"]);
    world.plane.pause_etcd().unwrap();
    let busy = take_the_place(kubeconfig.clone());
    let mut clock = TestClock::at(NOW);
    let running = Operator::start_as(&kubeconfig, &clock, &[]);
    until("it says why it has not begun", || {
        running.log().contains("too many requests") || running.log().contains("Too many requests")
    });
    assert_eq!(running.get("/healthz").unwrap().0, 200, "it lives:\n{}", running.log());
    assert_ne!(running.get("/readyz").unwrap().0, 200, "it has read nothing");
    let written = running.metric("headway_writes_total{object=\"updatestatuses\",result=\"written\"}");
    assert_eq!(written.unwrap_or_default(), 0.0, "and says nothing");
    world.plane.resume_etcd().unwrap();
    busy.join().unwrap();
    world.kubectl(&["delete", "flowschema", "watched"]);
    let before = world.wait(&mut clock, "it is told", |status| only(status, "H-CO-DEGRADED", 1));
    throttle(&world, &json!(["patch"]));
    wait_for_throttle(&world, &kubeconfig);
    world.put(pool("worker", true));
    world.plane.pause_etcd().unwrap();
    let busy = take_the_place(kubeconfig.clone());
    until_refused(&running, &mut clock, "failed", 30);
    assert!(running.log().contains("cannot write"), "{}", running.log());
    world.plane.resume_etcd().unwrap();
    busy.join().unwrap();
    assert_eq!(first_seen(&world.status().unwrap())[0], first_seen(&before)[0], "what was written stays");
    world.wait(&mut clock, "it is told late", |status| rules(status).len() == 2);
    assert!(running.stop().success());
    world.kubectl(&["delete", "configmap", "busy", "-n", "default"]);
    drop_account(&world);
}

/// Gives the account every right but one.
fn all_but(world: &World, resource: &str) {
    let mut rules = vec![
        json!({ "apiGroups": ["config.openshift.io", "machineconfiguration.openshift.io", "policy", "apps", "coordination.k8s.io"],
            "resources": ["*"], "verbs": ["*"] }),
        json!({ "apiGroups": ["update.openshift.io"], "resources": ["*"], "verbs": ["get", "list", "watch"] }),
    ];
    if resource != "nodes" {
        rules.push(json!({ "apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"] }));
    }
    if resource != "updatestatuses" {
        rules.push(json!({ "apiGroups": ["update.openshift.io"], "resources": ["*"], "verbs": ["*"] }));
    }
    world.apply(&json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": { "name": "watched" },
        "rules": rules,
    }));
    bind(world, "watched");
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn a_right_taken_away_in_the_middle_is_named_and_what_was_known_is_kept() {
    let world = with_degraded(&["dns"]);
    drop_account(&world);
    let kubeconfig = account(&world);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start_as(&kubeconfig, &clock, &[]);
    let before = world.wait(&mut clock, "it is told", |status| only(status, "H-CO-DEGRADED", 1));
    assert_eq!(nodes(&before, "worker", "Total"), Some(3));
    // Who may not read nodes any more.
    all_but(&world, "nodes");
    world.plane.restart_apiserver().unwrap();
    let is_named = |status: &Status| {
        let condition = status.conditions.of("Degraded").unwrap();
        degraded_reason(status).as_deref() != Some("AsExpected") && condition.message.contains("nodes")
    };
    let status = world.wait(&mut clock, "it says what it may not", is_named);
    let message = &status.conditions.of("Degraded").unwrap().message;
    assert!(message.contains("list") || message.contains("watch"), "the verb is named: {message}");
    assert_eq!(nodes(&status, "worker", "Total"), Some(3), "what was known is kept");
    assert_eq!(rules(&status), rules(&before));
    // Who may not write any more.
    all_but(&world, "updatestatuses");
    world.put(pool("worker", true));
    until_refused(&running, &mut clock, "forbidden", 60);
    assert!(running.log().contains("cannot patch resource"), "{}", running.log());
    assert_eq!(rules(&world.status().unwrap()), rules(&before), "what was written stays");
    // All is given back.
    bind(&world, "cluster-admin");
    let is_well =
        |status: &Status| rules(status).len() == 2 && degraded_reason(status).as_deref() == Some("AsExpected");
    world.wait(&mut clock, "it goes on", is_well);
    assert!(running.stop().success());
    drop_account(&world);
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s56_kinds_and_objects_of_a_newer_version() {
    let world = with_degraded(&["dns"]);
    // A newer release of ours has a second version, knows more words, and has written already.
    let name = "updatestatuses.update.openshift.io";
    let mut newer: Value = serde_json::from_str(&world.kubectl(&["get", "crd", name, "-o", "json"])).unwrap();
    let versions = newer["spec"]["versions"].as_array_mut().unwrap();
    let open = json!({ "openAPIV3Schema": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } });
    let mut next = versions[0].clone();
    (next["name"], next["storage"], next["schema"]) = (json!("v1beta1"), json!(false), open.clone());
    versions[0]["schema"] = open;
    versions.push(next);
    world.kubectl_in(&["replace", "-f", "-"], &newer.to_string());
    world.kubectl(&["wait", "--for=condition=Established", "crd", name, "--timeout=30s"]);
    let told = json!({
        "observedGeneration": 1, "mood": "bright", "conditions": [
            { "type": "Updating", "status": "Perhaps", "reason": "It may", "lastTransitionTime": ago(60), "message": "" }],
        "controlPlane": { "insights": 7, "informers": [{ "name": "crystal-ball", "insights": [
            { "uid": "x", "acquiredAt": ago(60), "insight": { "type": "Prophecy", "prophecy": { "doom": true } } }] }] },
    });
    let object = json!({ "apiVersion": "update.openshift.io/v1beta1", "kind": "UpdateStatus",
        "metadata": { "name": "cluster" }, "spec": { "color": "blue" } });
    until("the new version is served", || world.try_apply(&object));
    world.kubectl(&[
        "patch",
        "updatestatuses.v1beta1.update.openshift.io",
        "cluster",
        "--subresource=status",
        "--type=merge",
        "-p",
        &json!({ "status": told }).to_string(),
    ]);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let status = world.wait(&mut clock, "it is told in our words", |status| only(status, "H-CO-DEGRADED", 1));
    assert!(status.control_plane.is_some());
    assert_eq!(world.raw("UpdateStatus", "cluster").unwrap().data["spec"]["color"], "blue", "what is not ours stays");
    // Then the version that we know is served no more.
    let mut gone: Value = serde_json::from_str(&world.kubectl(&["get", "crd", name, "-o", "json"])).unwrap();
    gone["spec"]["versions"][0]["served"] = json!(false);
    world.kubectl_in(&["replace", "-f", "-"], &gone.to_string());
    world.put(pool("worker", true));
    until_refused(&running, &mut clock, "not_served", 45);
    assert_eq!(running.get("/healthz").unwrap().0, 200, "it lives");
    assert!(running.stop().success());
    world.uninstall();
}
