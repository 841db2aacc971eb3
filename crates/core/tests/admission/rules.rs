//! Rules that no case of chained-upgrades.md, 6.1, looks at by itself, and their words.

use headway_core::admission::Mode;
use serde_json::{Value, json};

use super::world::{Changes, changed, of_create, of_update, rules, settled, workers};

const VERSION: &str = "/spec/topology/version";

#[track_caller]
fn check(world: &Value, changes: Changes<'_>, expect: &str) {
    let (verdict, _) = of_update(world, Mode::Topology, &[], changes);
    assert_eq!(rules(&verdict), expect, "{changes:?}: {verdict:?}");
}

#[test]
fn ch_adm_a1_a_class_is_named() {
    check(&settled(), &[("/spec/topology/classRef/name", json!(""))], "A1");
    assert_eq!(rules(&of_create(&settled(), &[("/spec/topology/classRef", Value::Null)])), "A1");
}

#[test]
fn ch_adm_a4_spelling_does_not_count() {
    let world = changed(settled(), &[("/classes/0/spec/kubernetesVersions", json!(["1.31", "1.32"]))]);
    check(&world, &[(VERSION, json!("v1.32.0"))], "ok");
}

#[test]
fn ch_adm_b1_the_same_version_is_no_change() {
    let world = changed(
        settled(),
        &[("/cluster/spec/topology/version", json!("1.31.0")), ("/controlPlane/status/version", json!(""))],
    );
    check(&world, &[(VERSION, json!("v1.31.0"))], "ok");
}

#[test]
fn ch_adm_b2_the_version_until_now_is_none() {
    let world = changed(settled(), &[("/cluster/spec/topology/version", json!("latest"))]);
    check(&world, &[(VERSION, json!("v1.31.0"))], "B2");
}

#[test]
fn ch_adm_b4_majors_count_with_a_list_too() {
    let world = changed(settled(), &[("/classes/0/spec/kubernetesVersions", json!(["v1.31.0", "v2.31.0"]))]);
    check(&world, &[(VERSION, json!("v2.31.0"))], "B4");
}

#[test]
fn ch_adm_r1_the_class_is_there() {
    let lost = [("/spec/topology/classRef/name", json!("lost"))];
    check(&settled(), &lost, "R1");
    assert_eq!(rules(&of_create(&settled(), &lost)), "ok+");
    let without = changed(settled(), &[("/cluster/spec/topology/classRef/name", json!("lost"))]);
    check(&without, &[(VERSION, json!("v1.32.0"))], "R1");
    check(&without, &[("/spec/topology/classRef/name", json!("lake"))], "R1");
}

#[test]
fn ch_adm_r2_the_other_class_fits() {
    let rebase = [("/spec/topology/classRef/name", json!("lake"))];
    let lake = |place: &str, value: Value| changed(settled(), &[(&format!("/classes/1/spec/{place}"), value)]);
    let other = json!({"templateRef": {"apiVersion": "x.io/v2", "kind": "OtherTemplate"}});
    check(&settled(), &rebase, "ok");
    check(&lake("infrastructure", other.clone()), &rebase, "R2");
    check(&lake("controlPlane/templateRef/kind", json!("Other")), &rebase, "R2");
    check(&lake("controlPlane/templateRef/apiVersion", json!("x.io/v2")), &rebase, "ok");
    check(&lake("controlPlane/machineInfrastructure", other.clone()), &rebase, "R2");
    check(&lake("workers/machineDeployments/0/infrastructure", other), &rebase, "R2");
    check(&lake("workers/machineDeployments/0/class", json!("large")), &rebase, "R2");
    check(&lake("workers/machinePools", json!([])), &rebase, "R2");
}

#[test]
fn ch_adm_t1_a_topology_for_a_cluster_that_is_there() {
    let world = changed(settled(), &[("/cluster/spec/topology", Value::Null)]);
    let topology = ("/spec/topology", settled()["cluster"]["spec"]["topology"].clone());
    check(&world, std::slice::from_ref(&topology), "T1");
    let annotation = "/metadata/annotations/unsafe.topology.cluster.x-k8s.io~1disable-update-class-name-check";
    check(&world, &[topology.clone(), (annotation, json!(""))], "ok");
    check(&world, &[topology, (annotation, json!("")), ("/spec/topology/version", json!("v1.99.0"))], "A4");
}

#[test]
fn ch_adm_a_cluster_that_goes_is_let_go() {
    let world = changed(settled(), &[("/cluster/metadata/deletionTimestamp", json!("2026-05-04T07:00:00Z"))]);
    check(&world, &[(VERSION, json!("nonsense")), ("/metadata/finalizers", json!([]))], "ok");
}

#[test]
fn ch_adm_what_was_wrong_before_is_only_told() {
    let concurrency = "/cluster/metadata/annotations/topology.cluster.x-k8s.io~1upgrade-concurrency";
    let world = changed(settled(), &[(concurrency, json!("many")), ("/cluster/spec/topology/version", json!("v1.31"))]);
    check(&world, &[("/metadata/annotations/x.io~1note", json!(""))], "ok+");
}

#[test]
fn ch_adm_words_name_field_and_object() {
    let check = |world: &Value, changes: Changes<'_>, unreadable: &[&str], expect: &[&str]| {
        let (verdict, _) = of_update(world, Mode::Topology, unreadable, changes);
        let told: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
        assert_eq!(told, expect);
    };
    let to = |version: &str| [(VERSION, json!(version))];
    check(
        &settled(),
        &to("v1.32"),
        &[],
        &[
            "spec.topology.version: \"v1.32\" is not a version such as v1.33.0: it is not three numbers such as v1.33.0 (rule A2)",
        ],
    );
    check(
        &settled(),
        &to("v1.35.0"),
        &[],
        &["spec.topology.version: ClusterClass/sea does not list v1.35.0 (rule A4)"],
    );
    let behind = changed(settled(), &[("/machineDeployments", json!([workers("a", "v1.30.0")]))]);
    check(
        &behind,
        &to("v1.32.0"),
        &[],
        &["spec.topology.version: MachineDeployment/a is at v1.30.0 and not yet at v1.31.0 (rule B7)"],
    );
    check(
        &settled(),
        &to("v1.32.0"),
        &["KubeadmControlPlane"],
        &["spec.topology.version: KubeadmControlPlane/bay/cp could not be read: forbidden (rule B6)"],
    );
    check(
        &settled(),
        &to("v1.32.0"),
        &["ClusterClass"],
        &["spec.topology.classRef: ClusterClass/bay/sea could not be read: forbidden (rule R1)"],
    );
}
