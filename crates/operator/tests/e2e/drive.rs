//! The role `drive` on a real API server: a ClusterUpgrade takes a cluster along a chain of versions, whatever happens.
//! Machines are played by the test (`drive_world`), extensions answer over real TLS (`drive_extension`).

use headway_api::hooks::Lifecycle;
use headway_api::upgrade::status::ClusterUpgradeStatus;
use serde_json::json;

use super::drive_extension::{self, Answer};
use super::drive_world::{
    HERE, ask, change, empty, make, moves, provide, status, status_writes, told, upgrade, versions, wait,
};
use super::fleet_world::{clock, pass};
use super::program::{Operator, TestClock};
use super::world::World;

const ROLE: &[&str] = &["--roles=drive"];

fn start(world: &World, clock: &TestClock) -> Operator {
    Operator::start(world, clock, ROLE)
}

fn is_done(status: &ClusterUpgradeStatus) -> bool {
    told(status, "Ready") == "True UpToDate"
}

/// Waits until it waits for this first.
fn waits(reason: &str) -> impl Fn(&ClusterUpgradeStatus) -> bool {
    move |status| status.waiting_on.first().is_some_and(|wait| wait.reason == reason)
}

fn list() -> serde_json::Value {
    json!({ "kubernetesVersions": ["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"] })
}

/// The calls of a chain of three minors whose workers move once, as chained-upgrades.md, 4.6 has them.
const CALLS_OF_4_6: &[&str] = &[
    "BeforeClusterUpgrade v1.31.0 -> v1.34.0, left [v1.32.0 v1.33.0 v1.34.0] workers [v1.34.0]",
    "BeforeControlPlaneUpgrade v1.31.0 -> v1.32.0, left [v1.32.0 v1.33.0 v1.34.0] workers [v1.34.0]",
    "AfterControlPlaneUpgrade v1.32.0, left [v1.33.0 v1.34.0] workers [v1.34.0]",
    "BeforeControlPlaneUpgrade v1.32.0 -> v1.33.0, left [v1.33.0 v1.34.0] workers [v1.34.0]",
    "AfterControlPlaneUpgrade v1.33.0, left [v1.34.0] workers [v1.34.0]",
    "BeforeControlPlaneUpgrade v1.33.0 -> v1.34.0, left [v1.34.0] workers [v1.34.0]",
    "AfterControlPlaneUpgrade v1.34.0, left [] workers [v1.34.0]",
    "BeforeWorkersUpgrade v1.31.0 -> v1.34.0, left [] workers [v1.34.0]",
    "AfterWorkersUpgrade v1.34.0, left [] workers []",
    "AfterClusterUpgrade v1.34.0",
];

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn ch_4_6_a_chain_of_three_minors_with_every_hook() {
    let world = empty();
    make(&world, "gull", "v1.31.0", &["gull-a", "gull-b"]);
    let asked = drive_extension::start(&world);
    let mut clock = clock();
    let moved = moves(&world).len();
    ask(&world, "gull", &json!({ "clusterName": "gull", "version": "v1.34.0", "plan": list() }));
    let running = start(&world, &clock);
    let done = wait(&world, &mut clock, &running, "gull", "the end of the chain", is_done);
    assert_eq!(asked.calls(), CALLS_OF_4_6, "{}", running.log());
    let moved = moves(&world).split_off(moved);
    assert_eq!(moved, ["gull-cp", "gull-cp", "gull-cp", "gull-a", "gull-b"]);
    assert_eq!(versions(&world), ["gull-cp v1.34.0", "gull-a v1.34.0", "gull-b v1.34.0"]);

    // One write of the status for each step, one for the end; and those for what was told on the way.
    let writes = status_writes(&world, "gull");
    assert!((5..=14).contains(&writes), "{writes} writes of the status");
    let [passed] = done.history.as_slice() else { panic!("{:?}", done.history) };
    assert_eq!((passed.from.as_str(), passed.to.as_str()), ("v1.31.0", "v1.34.0"));
    let steps: Vec<&str> = passed.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(steps, ["control-plane/v1.32.0", "control-plane/v1.33.0", "control-plane/v1.34.0", "workers/v1.34.0"]);
    assert!(done.intents.is_empty() && done.step.is_none() && done.waiting_on.is_empty(), "{done:#?}");

    // As people and their scripts look at it.
    world.kubectl(&["wait", "-n", HERE, "cu/gull", "--for=condition=Ready", "--timeout=5s"]);
    let table = world.kubectl(&["get", "cu", "-n", HERE]);
    let row = table.lines().nth(1).unwrap();
    assert!(row.contains("gull") && row.contains("v1.34.0") && row.contains("UpToDate"), "{table}");
    let events = world.kubectl(&["get", "events.events.k8s.io", "-n", HERE, "-o", "jsonpath={.items[*].reason}"]);
    for reason in ["StepStarted", "StepCompleted", "UpgradeCompleted"] {
        assert!(events.contains(reason), "{reason} is not among {events}");
    }
    let notes = world.kubectl(&["get", "events.events.k8s.io", "-n", HERE, "-o", "jsonpath={.items[*].note}"]);
    for step in ["control-plane/v1.32.0 begins", "control-plane/v1.33.0 begins", "workers/v1.34.0 begins"] {
        assert!(notes.contains(step), "{step} is not among {notes}");
    }
    let metric = |name: &str| running.metric(name);
    assert_eq!(metric("headway_drive_moves_total{mover=\"control-plane\"}"), Some(3.0), "{}", running.text());
    assert_eq!(metric("headway_drive_moves_total{mover=\"workers\"}"), Some(2.0));
    assert_eq!(metric("headway_drive_upgrades{state=\"done\"}"), Some(1.0));
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn ch_10_2_1_who_is_killed_at_any_step_goes_on() {
    let world = empty();
    make(&world, "tern", "v1.31.0", &["tern-a", "tern-b"]);
    let asked = drive_extension::start(&world);
    let mut clock = clock();
    ask(&world, "tern", &json!({ "clusterName": "tern", "version": "v1.34.0", "plan": list() }));
    let mut kills = 0;
    let begun = std::time::Instant::now();
    // It is killed after each write of a version, and the machines come while nobody looks.
    while !is_done(&status(&world, "tern")) {
        let moved = moves(&world).len();
        let running = start(&world, &clock);
        while moves(&world).len() == moved && !is_done(&status(&world, "tern")) {
            assert!(begun.elapsed().as_secs() < 120, "{:#?}\n{}", versions(&world), running.log());
            std::thread::sleep(std::time::Duration::from_millis(50));
            clock.pass(1);
        }
        running.kill();
        kills += 1;
        while provide(&world) {}
    }
    assert!(kills >= 5, "{kills} kills");
    // Hooks may be asked again, but never out of order nor for another version.
    let mut calls = asked.calls();
    calls.dedup();
    let firsts: Vec<&str> = calls.iter().map(String::as_str).collect();
    let mut order = CALLS_OF_4_6.iter().map(|call| firsts.iter().position(|known| known == call));
    assert!(order.clone().is_sorted() && order.all(|at| at.is_some()), "{calls:#?}");
    assert!(firsts.iter().all(|call| CALLS_OF_4_6.contains(call)), "{calls:#?}");
    assert_eq!(versions(&world), ["tern-cp v1.34.0", "tern-a v1.34.0", "tern-b v1.34.0"]);
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn ch_10_gates_pauses_and_hooks_hold_it_and_say_so() {
    let world = empty();
    make(&world, "auk", "v1.31.0", &["auk-a"]);
    let asked = drive_extension::start(&world);
    let mut clock = clock();
    ask(
        &world,
        "auk",
        &json!({ "clusterName": "auk", "version": "v1.33.0", "plan": list(), "paused": true,
                 "gates": { "approval": "PerStep", "soak": "2m" } }),
    );
    let running = start(&world, &clock);
    wait(&world, &mut clock, &running, "auk", "that it is paused", waits("Paused"));
    assert_eq!(versions(&world)[0], "auk-cp v1.31.0");
    change(&world, "auk", &json!({ "paused": false }));
    let waiting = wait(&world, &mut clock, &running, "auk", "an approval", waits("ApprovalRequired"));
    assert_eq!(waiting.waiting_on[0].step, "control-plane/v1.32.0");
    assert!(asked.calls().is_empty(), "nobody is asked before it may begin: {:?}", asked.calls());
    let approve = |steps: &[&str]| {
        let all: Vec<_> =
            steps.iter().map(|step| json!({ "step": step, "by": "ann", "at": "2026-05-04T12:00:00Z" })).collect();
        change(&world, "auk", &json!({ "approvals": all }));
    };
    asked.block(Lifecycle::AfterControlPlaneUpgrade, Answer::Wait(20));
    approve(&["control-plane/v1.32.0"]);
    let waiting = wait(&world, &mut clock, &running, "auk", "a hook", waits("LifecycleHookBlocking"));
    assert_eq!(waiting.waiting_on[0].message, "AfterControlPlaneUpgrade asks for time: ask the team");
    assert_eq!(told(&waiting, "Stalled"), "False AsExpected");
    asked.block(Lifecycle::AfterControlPlaneUpgrade, Answer::Fail);
    let waiting = wait(&world, &mut clock, &running, "auk", "a hook that fails", waits("LifecycleHookFailed"));
    assert_eq!(told(&waiting, "Stalled"), "True LifecycleHookFailed");
    asked.release();
    approve(&["control-plane/v1.32.0", "control-plane/v1.33.0"]);
    let waiting = wait(&world, &mut clock, &running, "auk", "that everything stands still", waits("Soaking"));
    assert!(waiting.waiting_on[0].until.is_some() && waiting.still_since.is_some(), "{waiting:#?}");
    let waiting = wait(&world, &mut clock, &running, "auk", "the approval of workers", |status| {
        status.waiting_on.iter().any(|wait| wait.step == "workers/v1.33.0")
    });
    assert_eq!(told(&waiting, "Reconciling").split(' ').next(), Some("True"));
    change(&world, "auk", &json!({ "stop": true }));
    approve(&["control-plane/v1.32.0", "control-plane/v1.33.0", "workers/v1.33.0"]);
    // The step that is under way is finished, workers included.
    wait(&world, &mut clock, &running, "auk", "the end", is_done);
    assert_eq!(versions(&world), ["auk-cp v1.33.0", "auk-a v1.33.0"]);
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn ch_10_what_is_not_walked_says_why_and_moves_nothing() {
    let world = empty();
    make(&world, "skua", "v1.31.0", &["skua-a"]);
    make(&world, "kept", "v1.31.0", &[]);
    let mut clock = clock();
    let before = versions(&world);
    let ask_for = |name: &str, spec: &serde_json::Value| ask(&world, name, spec);
    ask_for("nobody", &json!({ "clusterName": "nobody", "version": "v1.32.0" }));
    ask_for("down", &json!({ "clusterName": "skua", "version": "v1.30.0" }));
    // The older of two counts.
    pass(&mut clock, 11);
    ask_for("second", &json!({ "clusterName": "skua", "version": "v1.32.0" }));
    let kept = json!({ "apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
        "metadata": { "namespace": HERE, "name": "kept-cp" }, "spec": { "version": "v1.31.0" } });
    world.kubectl_in(
        &["apply", "--server-side", "--field-manager=kustomize-controller", "--force-conflicts", "-f", "-"],
        &kept.to_string(),
    );
    ask_for("kept", &json!({ "clusterName": "kept", "version": "v1.32.0" }));
    let running = start(&world, &clock);
    let mut check = |name: &str, reason: &str, message: &str| {
        let status = wait(&world, &mut clock, &running, name, reason, |status| {
            told(status, "Ready") == format!("False {reason}")
        });
        assert_eq!(told(&status, "Stalled"), format!("True {reason}"), "{name}");
        let stalled = status.conditions.of("Stalled").unwrap();
        assert!(stalled.message.contains(message), "{name}: {}", stalled.message);
    };
    check("nobody", "ClusterNotFound", "there is no Cluster nobody in the namespace fleet");
    check("down", "PlanRefused", "v1.30.0");
    check("second", "AlreadyDriven", "the ClusterUpgrade down drives the Cluster skua already");
    check("kept", "FieldOwnedByOther", "kustomize-controller keeps the version of KubeadmControlPlane/kept-cp");
    assert_eq!(versions(&world), before);

    // The cluster comes, and the other one goes.
    make(&world, "nobody", "v1.31.0", &[]);
    wait(&world, &mut clock, &running, "nobody", "the cluster", is_done);
    world.kubectl(&["delete", "-n", HERE, "cu", "down"]);
    wait(&world, &mut clock, &running, "second", "its turn", is_done);
    assert_eq!(upgrade(&world, "second")["status"]["mode"], "Direct");
    assert!(running.stop().success());
}
