//! Cases 1 to 14 of chained-upgrades.md, 6.2, and what section 10 adds to them.

use serde_json::{Value, json};

use super::cluster::extension;
use super::desk::Mode;
use super::world::{World, check_new, class};

/// A list in a new class, under either mode.
#[track_caller]
fn check(list: &[&str], expect: &str) {
    for mode in [Mode::Topology, Mode::Beside] {
        check_new(mode, &class("list", list), expect);
    }
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_class_1_to_10_and_13_14_lists() {
    check(&["foo"], "L1");
    check(&["v1.32.0", "v1.31.0"], "C2");
    check(&["v1.31.0", "v1.33.0"], "C3");
    check(&["v1.31.0-alpha.0", "v1.31.0-alpha.1", "v1.31.0"], "ok");
    check(&["v1.31.0-alpha.1", "v1.31.0-alpha.0"], "C2");
    check(&["v1.31.0+foo.1-bar.1", "v1.31.0+foo.2-bar.1"], "ok+");
    check(&["v1.31.0+foo.2-bar.1", "v1.31.0+foo.1-bar.1"], "ok+");
    check(&["v1.31.0", "v1.31.0"], "C2");
    check(&["v1.31.0+2", "v1.31.0+1"], "C2");
    check(&[], "ok");
    check(&["v1.31.0", "v2.31.0"], "C6");
    check(&["v1.31.0", "v2.32.0"], "C6");
    check(&["1.31", "1.32"], "ok+");
    let many: Vec<String> = (0..101).map(|patch| format!("v1.31.{patch}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check(&many, "schema");
    check(&many[..100], "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_class_11_12_the_target_and_the_list() {
    let list = ["v1.32.0", "v1.33.0", "v1.34.0"];
    World::settled(Mode::Topology, "class11", "v1.33.0", &list).check_list(json!(["v1.32.0", "v1.33.0"]), "ok");
    let world = World::settled(Mode::Topology, "class12", "v1.34.0", &list);
    world.check_list(json!(["v1.32.0", "v1.33.0"]), "A4");
    world.check_list(Value::Null, "ok");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_k1_a_chain_keeps_its_steps() {
    let list = ["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"];
    for mode in [Mode::Topology, Mode::Beside] {
        let world = World::running(mode, "k1", "v1.31.0", "v1.34.0", &list);
        world.control_plane("v1.32.0", "v1.32.0");
        world.check_list(json!(["v1.31.0", "v1.32.0", "v1.33.0", "v1.33.1", "v1.34.0"]), "ok");
        world.check_list(json!(["v1.32.0", "v1.33.0", "v1.34.0"]), "K1");
        world.check_list(json!(["v1.34.0"]), "C3 K1");
        world.check_list(Value::Null, "K1 S1");
        world.check_list(json!(["v1.31.0", "v1.32.0", "v1.33.4", "v1.34.0"]), "ok");
    }
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_e1_e2_an_extension_is_named_and_there() {
    let world = World::of(Mode::Topology, "e1", &[class("e1", &[])]);
    extension(&world, "e2");
    let named = |name: &str| {
        let mut class = class("e1-new", &[]);
        class["spec"]["upgrade"] = json!({"external": {"generateUpgradePlanExtension": name}});
        class
    };
    check_new(Mode::Topology, &named("plan.e2"), "ok+");
    check_new(Mode::Topology, &named("plan.lost"), "E2");
    for wrong in ["plan", "Plan.e2", "plan..e2"] {
        check_new(Mode::Topology, &named(wrong), "E1");
    }
    let handler = |name: &str, hook: &str| {
        json!({"name": name, "requestHook": {"apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": hook},
            "timeoutSeconds": 5, "failurePolicy": "Fail"})
    };
    let handlers = [handler("plan.e2", "GenerateUpgradePlan"), handler("gate.e2", "BeforeClusterUpgrade")];
    world.status("ExtensionConfig", "e2", json!({ "handlers": handlers }));
    check_new(Mode::Topology, &named("plan.e2"), "ok");
    check_new(Mode::Topology, &named("gate.e2"), "E2");
    check_new(Mode::Topology, &named("other.e2"), "E2");
}
