//! Cases 1 to 14 of chained-upgrades.md, 6.2, with the results that are wanted here, and what section 10 adds to them.

use headway_core::admission::Mode;
use serde_json::{Value, json};

use super::world::{changed, class, of_class, of_new_class, rules, settled, workers};

const LIST: &str = "/spec/kubernetesVersions";

/// A list in a new class, and the same list in a class that had none and that nobody uses.
#[track_caller]
fn check(list: &[&str], expect: &str) {
    let verdict = of_new_class(&settled(), &class("pond", list));
    assert_eq!(rules(&verdict), expect, "{list:?}: {verdict:?}");
    let world = changed(settled(), &[("/classes/0", class("pond", &[]))]);
    let (verdict, _) = of_class(&world, Mode::Beside, &[], &[(LIST, json!(list))]);
    assert_eq!(rules(&verdict), expect, "{list:?}: {verdict:?}");
}

/// The world, a new list for its class, and the rules that stand against it.
#[track_caller]
fn check_update(world: &Value, list: Value, expect: &str) {
    let (verdict, _) = of_class(world, Mode::Topology, &[], &[(LIST, list.clone())]);
    assert_eq!(rules(&verdict), expect, "{list}: {verdict:?}");
}

#[test]
fn ch_adm_class_1_what_is_no_version() {
    check(&["foo"], "L1");
}

#[test]
fn ch_adm_class_2_from_old_to_new() {
    check(&["v1.32.0", "v1.31.0"], "C2");
}

#[test]
fn ch_adm_class_3_no_minor_is_skipped() {
    check(&["v1.31.0", "v1.33.0"], "C3");
}

#[test]
fn ch_adm_class_4_pre_releases_in_order() {
    check(&["v1.31.0-alpha.0", "v1.31.0-alpha.1", "v1.31.0"], "ok");
}

#[test]
fn ch_adm_class_5_pre_releases_out_of_order() {
    check(&["v1.31.0-alpha.1", "v1.31.0-alpha.0"], "C2");
}

#[test]
fn ch_adm_class_6_builds_without_an_order() {
    check(&["v1.31.0+foo.1-bar.1", "v1.31.0+foo.2-bar.1"], "ok+");
}

#[test]
fn ch_adm_class_7_builds_without_an_order_the_other_way_round() {
    check(&["v1.31.0+foo.2-bar.1", "v1.31.0+foo.1-bar.1"], "ok+");
}

#[test]
fn ch_adm_class_8_the_same_twice() {
    check(&["v1.31.0", "v1.31.0"], "C2");
}

#[test]
fn ch_adm_class_9_builds_out_of_order() {
    check(&["v1.31.0+2", "v1.31.0+1"], "C2");
}

#[test]
fn ch_adm_class_10_no_list() {
    check(&[], "ok");
    let mut without = class("pond", &[]);
    without["spec"].as_object_mut().unwrap().remove("kubernetesVersions");
    assert_eq!(rules(&of_new_class(&settled(), &without)), "ok");
}

/// A cluster that rests at a version, its class with a list from v1.31.0 on.
fn resting(version: &str) -> Value {
    changed(
        settled(),
        &[
            ("/cluster/spec/topology/version", json!(version)),
            ("/controlPlane/spec/version", json!(version)),
            ("/controlPlane/status/version", json!(version)),
            ("/machineDeployments", json!([workers("a", version)])),
        ],
    )
}

#[test]
fn ch_adm_class_11_the_target_stays_in_the_list() {
    check_update(&resting("v1.33.0"), json!(["v1.32.0", "v1.33.0"]), "ok");
}

#[test]
fn ch_adm_class_12_the_target_leaves_the_list() {
    let (verdict, _) = of_class(&resting("v1.34.0"), Mode::Topology, &[], &[(LIST, json!(["v1.32.0", "v1.33.0"]))]);
    let told: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["spec.kubernetesVersions: Cluster bay/gull has the target v1.34.0, which is not in the list (rule A4)"]
    );
    let unlisted = changed(resting("v1.34.0"), &[("/classes/0/spec/kubernetesVersions", json!([]))]);
    check_update(&unlisted, json!(["v1.32.0", "v1.33.0"]), "A4");
    let leaving = ("/cluster/metadata/deletionTimestamp", json!("2026-05-04T07:00:00Z"));
    check_update(&changed(resting("v1.34.0"), &[leaving]), json!(["v1.32.0", "v1.33.0"]), "ok");
    let elsewhere = ("/cluster/spec/topology/classRef/namespace", json!("shared"));
    check_update(&changed(resting("v1.34.0"), &[elsewhere]), json!(["v1.32.0", "v1.33.0"]), "ok");
}

#[test]
fn ch_adm_class_13_majors_count() {
    check(&["v1.31.0", "v2.31.0"], "C6");
    check(&["v1.31.0", "v2.32.0"], "C6");
}

#[test]
fn ch_adm_class_14_too_many() {
    let many: Vec<String> = (0..101).map(|patch| format!("v1.31.{patch}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check(&many, "X4");
    check(&many[..100], "ok");
}

/// On its way from v1.31.0 to v1.34.0, the control plane at v1.32.0.
fn running() -> Value {
    changed(
        settled(),
        &[
            ("/cluster/spec/topology/version", json!("v1.34.0")),
            ("/cluster/metadata/annotations", json!({"runtime.cluster.x-k8s.io/pending-hooks": "AfterClusterUpgrade"})),
            ("/controlPlane/spec/version", json!("v1.32.0")),
            ("/controlPlane/status/version", json!("v1.32.0")),
        ],
    )
}

#[test]
fn ch_adm_k1_a_chain_keeps_its_steps() {
    let world = running();
    check_update(&world, json!(["v1.31.0", "v1.32.0", "v1.33.0", "v1.33.1", "v1.34.0"]), "ok");
    // Where the workers are, where the control plane is, and the step ahead.
    check_update(&world, json!(["v1.32.0", "v1.33.0", "v1.34.0"]), "K1");
    check_update(&world, json!(["v1.31.0", "v1.32.1", "v1.33.0", "v1.34.0"]), "K1");
    check_update(&world, json!(["v1.34.0"]), "K1 K1 K1");
    // Another patch of the step ahead serves as well.
    check_update(&world, json!(["v1.31.0", "v1.32.0", "v1.33.4", "v1.34.0"]), "ok");
    check_update(&world, json!(["v1.31.0", "v1.32.0", "v1.33.0"]), "A4");
    // Without a list it would go one minor at a time, and the target is two away.
    check_update(&world, Value::Null, "K1 K1 K1");
    let near = changed(world, &[("/cluster/spec/topology/version", json!("v1.33.0"))]);
    check_update(&near, json!(["v1.31.0", "v1.32.0", "v1.33.0"]), "ok");
}

#[test]
fn ch_adm_k1_a_list_may_go_when_the_cluster_rests() {
    check_update(&settled(), Value::Null, "ok");
    check_update(&settled(), json!(["v1.31.0"]), "ok");
}

#[test]
fn ch_adm_k1_what_cannot_be_seen() {
    let shorter = [(LIST, json!(["v1.31.0", "v1.32.0", "v1.34.0"]))];
    let check = |mode: Mode, unreadable: &str, expect: &str| {
        let changes = [(LIST, json!(["v1.31.0", "v1.32.0", "v1.33.4", "v1.34.0"]))];
        assert_eq!(rules(&of_class(&running(), mode, &[unreadable], &changes).0), expect, "{unreadable}");
    };
    check(Mode::Topology, "the Clusters", "A4");
    check(Mode::Beside, "the Clusters", "ok+");
    check(Mode::Topology, "KubeadmControlPlane", "K1");
    check(Mode::Beside, "KubeadmControlPlane", "ok+");
    // A list with a hole is refused whatever else cannot be seen.
    assert_eq!(rules(&of_class(&running(), Mode::Beside, &["the Clusters"], &shorter).0), "C3");
}

#[test]
fn ch_adm_e1_e2_an_extension_is_named_and_there() {
    let world = changed(
        settled(),
        &[(
            "/extensions",
            json!([
            {"metadata": {"name": "ext"}, "status": {"handlers": [
                {"name": "plan.ext", "requestHook": {"hook": "GenerateUpgradePlan"}},
                {"name": "gate.ext", "requestHook": {"hook": "BeforeClusterUpgrade"}}]}},
            {"metadata": {"name": "new"}}]),
        )],
    );
    let check = |name: &str, expect: &str| {
        let mut new = class("pond", &[]);
        new["spec"]["upgrade"] = json!({"external": {"generateUpgradePlanExtension": name}});
        let verdict = of_new_class(&world, &new);
        assert_eq!(rules(&verdict), expect, "{name}: {verdict:?}");
    };
    check("plan.ext", "ok");
    check("gate.ext", "E2");
    check("other.ext", "E2");
    check("plan.new", "ok+");
    check("plan.lost", "E2");
    for wrong in ["plan", "plan.", "Plan.ext", "plan ext", "plan..ext"] {
        check(wrong, "E1");
    }
}

#[test]
fn ch_adm_class_what_was_wrong_before_is_only_told() {
    let mut old = class("sea", &["v1.31.0", "v2.31.0"]);
    old["spec"]["upgrade"] = json!({"external": {"generateUpgradePlanExtension": "lost"}});
    let world = changed(settled(), &[("/classes/0", old)]);
    let (verdict, asked) = of_class(&world, Mode::Topology, &[], &[("/metadata/labels", json!({"a": "b"}))]);
    assert_eq!((rules(&verdict), verdict.warnings.len(), asked.len()), ("ok+".into(), 2, 0));
    let going = [("/metadata/deletionTimestamp", json!("2026-05-04T07:00:00Z")), (LIST, json!(["foo"]))];
    assert_eq!(rules(&of_class(&world, Mode::Topology, &[], &going).0), "ok");
}
