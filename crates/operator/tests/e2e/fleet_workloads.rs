//! Clusters that are asked themselves while they are updated. The one API server plays the management cluster and a
//! workload cluster, which has an account for whoever asks.

use std::collections::BTreeSet;

use headway_api::update::status::Status;
use serde_json::{Value, json};

use super::fleet_world::{Is, NAMESPACE, clock, drain, empty, pass, put, put_hosted, statuses, undrain};
use super::program::{Operator, TestClock};
use super::world::{World, health};

/// The account in the workload cluster, and the one of an operator that may not read Secrets.
const GUEST: &str = "workload-reader";
const POOR: &str = "no-secrets";

const ON: &[&str] = &["--workloads"];

/// Gives an account the rights of some rules.
fn account(world: &World, name: &str, rules: &Value) {
    let place = json!({ "name": name, "namespace": NAMESPACE });
    world.apply(&json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": place }));
    world.apply(&json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
        "metadata": { "name": name }, "rules": rules }));
    world.apply(&json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
        "metadata": { "name": name },
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name },
        "subjects": [{ "kind": "ServiceAccount", "name": name, "namespace": NAMESPACE }] }));
}

/// Writes the kubeconfig of a cluster beside it.
fn lend(world: &World, name: &str, server: &str, user: &Value) {
    let authority = k8s_openapi::ByteString(std::fs::read(world.plane.authority()).unwrap());
    let kubeconfig = json!({ "apiVersion": "v1", "kind": "Config", "current-context": "a",
        "contexts": [{ "name": "a", "context": { "cluster": "a", "user": "a" } }],
        "clusters": [{ "name": "a", "cluster": { "server": server, "certificate-authority-data": authority } }],
        "users": [{ "name": "a", "user": user }] });
    world.apply(&json!({ "apiVersion": "v1", "kind": "Secret", "metadata": {
        "name": format!("{name}-kubeconfig"), "namespace": NAMESPACE }, "stringData": { "value": kubeconfig.to_string() } }));
}

/// A cluster at rest, and one that is updated, in which a machine drains and a budget has no room.
fn draining() -> World {
    let world = empty();
    put(&world, "a", Is::Old);
    put(&world, "b", Is::Rolling);
    drain(&world, "b-md-1");
    let read =
        |group: &str, resources: &[&str]| json!({ "apiGroups": [group], "resources": resources, "verbs": ["list"] });
    account(&world, GUEST, &json!([read("", &["nodes", "pods"]), read("policy", &["poddisruptionbudgets"])]));
    let token = world.kubectl(&["create", "token", GUEST, "--namespace", NAMESPACE]);
    lend(&world, "b", world.plane.server(), &json!({ "token": token.trim() }));
    let containers = json!([{ "name": "c", "image": "x" }]);
    world.put(json!({ "apiVersion": "v1", "kind": "Node", "metadata": { "name": "b-md-1" } }));
    world.put(json!({ "apiVersion": "v1", "kind": "Pod", "metadata": {
        "name": "till-0", "namespace": "default", "labels": { "app": "shop" } },
        "spec": { "nodeName": "b-md-1", "containers": containers }, "status": { "phase": "Running" } }));
    world.put(json!({ "apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
        "metadata": { "name": "always-one", "namespace": "default" },
        "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "shop" } } },
        "status": { "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1 } }));
    world
}

/// Waits until something holds of the statuses of all clusters, while the operator's clock goes faster than the wall's.
fn wait(
    world: &World,
    clock: &mut TestClock,
    running: &Operator,
    what: &str,
    is: impl Fn(&dyn Fn(&str) -> Option<Status>) -> bool,
) {
    for _ in 0..450 {
        let all = statuses(world);
        if is(&|name| all.get(&format!("ClusterUpdateStatus/{name}")).cloned()) {
            return;
        }
        pass(clock, 1);
    }
    panic!("{what}: {:#?}\n{}", statuses(world), running.log());
}

/// The names of all that a finding of a rule is about.
fn names(status: &Status, rule: &str) -> BTreeSet<String> {
    let found = health(status).into_iter().filter(|it| it.rule_id.as_deref() == Some(rule));
    found.flat_map(|it| it.scope.resources).map(|resource| resource.name).collect()
}

/// What is told not to have been seen of a cluster through its own API.
fn unseen(status: &Status) -> Vec<String> {
    let all = status.gaps.iter().map(|gap| gap.message.clone());
    all.filter(|message| message.contains("own API") || message.contains("guest's API")).collect()
}

fn all_said(status: Option<Status>, words: &[&str]) -> bool {
    status.is_some_and(|status| matches!(&unseen(&status)[..], [one] if words.iter().all(|word| one.contains(word))))
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn a_drain_names_pod_and_budget_of_the_cluster_itself_while_it_is_updated() {
    let world = draining();
    // Two that cannot be asked, each in its own way.
    put(&world, "c", Is::Rolling);
    lend(&world, "c", "https://127.0.0.1:9", &json!({ "token": "t" }));
    put(&world, "d", Is::Rolling);
    let program = json!({ "exec": { "apiVersion": "client.authentication.k8s.io/v1", "command": "touch" } });
    lend(&world, "d", world.plane.server(), &program);
    let mut clock = clock();
    let running = Operator::start(&world, &clock, ON);
    wait(&world, &mut clock, &running, "pod and budget are named, and who cannot be asked", |of| {
        let named = of("b").is_some_and(|b| names(&b, "H-DRAIN-BLOCKED").is_superset(&who()) && unseen(&b).is_empty());
        let refused = all_said(of("c"), &["127.0.0.1:9 was refused"]);
        let hostile = all_said(of("d"), &["Secret fleet/d-kubeconfig", "users[a].user.exec", "a program"]);
        named && refused && hostile && of("a").is_some_and(|a| unseen(&a).is_empty())
    });
    let metric = |name: &str| running.metric(name).unwrap_or(0.0);
    let looks = |outcome: &str| metric(&format!("headway_fleet_workload_looks_total{{outcome=\"{outcome}\"}}"));
    assert_eq!(metric("headway_fleet_workloads"), 3.0, "the one at rest is not asked");
    assert!(["seen", "unreachable", "kubeconfig"].iter().all(|outcome| looks(outcome) >= 1.0), "{}", running.text());
    assert_eq!(looks("forbidden"), 0.0);

    // When all are done nobody is asked, and nothing is told of whom was.
    undrain(&world, "b-md-1");
    for name in ["b", "c", "d"] {
        put(&world, name, Is::New);
    }
    wait(&world, &mut clock, &running, "nothing is left of it", |of| {
        ["b", "c", "d"].iter().all(|name| of(name).is_some_and(|it| unseen(&it).is_empty() && health(&it).is_empty()))
    });
    let so_far = || ["seen", "unreachable", "kubeconfig"].map(looks);
    let before = so_far();
    pass(&mut clock, 130);
    assert_eq!((metric("headway_fleet_workloads"), metric("headway_fleet_workload_clients")), (0.0, 0.0));
    assert_eq!(so_far(), before);
    assert!(running.stop().success());
}

fn who() -> BTreeSet<String> {
    ["b-md-1", "till-0", "always-one"].map(str::to_owned).into()
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn who_is_not_told_to_ask_or_may_not_says_so_once_and_all_else_is_as_ever() {
    let world = draining();
    let mut clock = clock();
    let running = Operator::start(&world, &clock, &[]);
    wait(&world, &mut clock, &running, "that nobody asks is a gap", |of| all_said(of("b"), &["--workloads"]));
    wait(&world, &mut clock, &running, "the drain is told", |of| {
        of("b").is_some_and(|b| names(&b, "H-DRAIN-BLOCKED") == ["b-md-1".to_owned()].into())
    });
    assert!(running.stop().success());

    let all = |groups: &[&str]| json!({ "apiGroups": groups, "resources": ["*"], "verbs": ["*"] });
    let groups = ["cluster.x-k8s.io", "controlplane.cluster.x-k8s.io", "runtime.cluster.x-k8s.io"];
    let others = ["hypershift.openshift.io", "update.openshift.io", "config.openshift.io"];
    let namespaces = json!({ "apiGroups": [""], "resources": ["namespaces"], "verbs": ["list", "watch"] });
    account(&world, POOR, &json!([all(&groups), all(&others), namespaces]));
    let kubeconfig = world.plane.account_kubeconfig(NAMESPACE, POOR).unwrap();
    let running = Operator::start_as(&kubeconfig, &clock, ON);
    wait(&world, &mut clock, &running, "that the right is missing is a gap", |of| {
        all_said(of("b"), &["may not get Secret fleet/b-kubeconfig", "fleet.workloads.enabled"])
    });
    put(&world, "a", Is::Rolling);
    put_hosted(&world);
    wait(&world, &mut clock, &running, "others are told as ever", |of| {
        of("a").is_some_and(|a| a.summary.is_some_and(|summary| summary.to.as_deref() == Some("v1.34.2")))
    });
    assert!(statuses(&world).contains_key("HostedClusterUpdateStatus/tern"));
    assert!(running.stop().success());
}
