//! One upgrade over several minors: who is asked what, in which order, and what the cluster does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use super::extension::{Answer, Call, Extension, hook, relay};
use super::objects::{class, cluster, extension};
use super::program::Operator;
use super::story::{Story, World, is};

/// Where the control plane goes, by the versions that our extension is told: patches that nobody else would choose.
const PLANNED: [&str; 4] = ["v1.31.0", "v1.32.4", "v1.33.7", "v1.34.0"];
const OLD: &str = PLANNED[0];
const NEW: &str = PLANNED[3];

/// What the gate says while it holds.
const HELD: &str = "the change window opens in a moment";

/// An extension of one hook that holds the first call of it, and nothing after.
fn gate() -> Box<Answer> {
    let asked = AtomicUsize::new(0);
    Box::new(move |path, _| {
        let hook = hook(path);
        let version = "hooks.runtime.cluster.x-k8s.io/v1alpha1";
        let mut response = json!({"apiVersion": version, "kind": format!("{hook}Response"), "status": "Success"});
        if hook == "Discovery" {
            let hook = json!({"apiVersion": version, "hook": "BeforeClusterUpgrade"});
            response["handlers"] = json!([{"name": "before-cluster-upgrade", "requestHook": hook}]);
        } else if asked.fetch_add(1, Ordering::SeqCst) == 0 {
            response["retryAfterSeconds"] = json!(5);
            response["message"] = json!(HELD);
        }
        response.to_string().into_bytes()
    })
}

#[test]
#[ignore = "ring 3: needs the managers of Cluster API, run by cargo xtask e2e"]
fn e2e_a_chained_upgrade_waits_at_a_gate_once_and_goes_as_we_plan_it() {
    let begun = Instant::now();
    let world = World::start();
    eprintln!("Cluster API is ready: after {:.0} s", begun.elapsed().as_secs_f64());
    let serving = world.plane.serving();
    let operator = Operator::start(&world.plane);
    let ours = Extension::start(serving, relay(serving, operator.address()));
    let gate = Extension::start(serving, gate());
    let settings = json!({"versions": PLANNED.join(", ")});
    world.register(&extension("headway", &ours.url(), &serving.bundle, &settings));
    world.register(&extension("gate", &gate.url(), &serving.bundle, &json!({})));

    let external = json!({"generateUpgradePlanExtension": "generate-upgrade-plan.headway"});
    world.apply("the class", &class("chain", &json!({"upgrade": {"external": external}})));
    world.apply("the cluster", &cluster("one", "chain", OLD));
    let mut story = Story::default();
    world.until("the cluster is there", 240, || {
        let now = story.look(&world, "one");
        is(&now, "Available", "True") && is(&now, "TopologyReconciled", "True")
    });
    assert!(ours.calls().is_empty() && gate.calls().is_empty(), "nothing is upgraded yet: {:?}", ours.calls());
    story.held.clear();

    let raise = json!({"spec": {"topology": {"version": NEW}}}).to_string();
    let patch = ["patch", "cluster", "one", "--type=merge", "--patch", &raise];
    world.until("the version is raised", 30, || world.plane.kubectl_text(&patch).is_ok());
    world.until("the cluster is upgraded", 420, || {
        let now = story.look(&world, "one");
        is(&now, "TopologyReconciled", "True") && is(&now, "RollingOut", "False") && is(&now, "Available", "True")
    });
    eprintln!("all of it: {:.0} s", begun.elapsed().as_secs_f64());

    goes_as_planned(&world, &story);
    planned_by_us(&ours.calls());
    held_once(&gate.calls(), &story);
    asked_in_order(&ours.calls());
}

/// The control plane visited every version in order, a machine each; the workers moved once, as few times as they can.
fn goes_as_planned(world: &World, story: &Story) {
    assert_eq!(story.control_plane, PLANNED);
    assert_eq!(story.control_plane_has, PLANNED);
    assert_eq!(story.versions(true), PLANNED, "{story:?}");
    assert_eq!(story.workers, [OLD, NEW]);
    assert_eq!(story.versions(false), [OLD, NEW], "{story:?}");
    let machines = world.of("cluster.x-k8s.io", "machines", "one");
    assert_eq!(machines.len(), 2);
    for machine in machines {
        assert_eq!(machine["spec"]["version"], NEW);
        assert_eq!(machine["status"]["nodeInfo"]["kubeletVersion"], NEW, "done means that the nodes run it");
    }
}

/// We were asked for the plan, first for all of it, and always answered.
fn planned_by_us(calls: &[Call]) {
    let plans: Vec<&Call> = calls.iter().filter(|call| call.hook == "GenerateUpgradePlan").collect();
    assert!(plans.iter().all(|call| call.response["status"] == "Success"), "{plans:?}");
    let first = plans.first().unwrap();
    assert_eq!(first.request["fromControlPlaneKubernetesVersion"], OLD);
    assert_eq!(first.request["fromWorkersKubernetesVersion"], OLD);
    assert_eq!(first.request["toKubernetesVersion"], NEW);
    let versions = |it: &Value| -> Vec<String> {
        it.as_array().into_iter().flatten().map(|step| step["version"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(versions(&first.response["controlPlaneUpgrades"]), PLANNED[1..]);
    assert_eq!(versions(&first.response["workersUpgrades"]), [NEW]);
}

/// The gate held once, people were told, and nothing moved meanwhile.
fn held_once(calls: &[Call], story: &Story) {
    let holding: Vec<String> = calls.iter().filter(|call| call.holds()).map(Call::about).collect();
    assert_eq!(holding, [format!("BeforeClusterUpgrade {NEW}")]);
    let told = format!("BeforeClusterUpgrade: {HELD}");
    assert!(story.held.iter().any(|message| message.contains(&told)), "{:?}", story.held);
    let passed = calls.iter().find(|call| !call.holds()).map(|call| call.at);
    assert!(passed.is_some() && story.moved > passed, "it moved before the gate let it");
}

/// The moments of an upgrade came to us in their order.
fn asked_in_order(calls: &[Call]) {
    let mut expect = vec![format!("BeforeClusterUpgrade {NEW}")];
    for version in &PLANNED[1..] {
        expect.push(format!("BeforeControlPlaneUpgrade {version}"));
        expect.push(format!("AfterControlPlaneUpgrade {version}"));
    }
    for hook in ["BeforeWorkersUpgrade", "AfterWorkersUpgrade", "AfterClusterUpgrade"] {
        expect.push(format!("{hook} {NEW}"));
    }
    let moments = calls.iter().filter(|call| call.hook != "GenerateUpgradePlan");
    let mut order: Vec<String> = moments.map(Call::about).collect();
    // Cluster API may ask again what has passed, before it has noted that it passed, and all while one holds.
    order.dedup();
    assert_eq!(order, expect);
}
