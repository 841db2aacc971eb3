//! Cases 1 to 19 of chained-upgrades.md, 6.1, with the results that are wanted here.

use headway_core::admission::{Mode, additions};
use serde_json::{Value, json};

use super::world::{Changes, changed, class, machine, of_create, of_update, read, rules, settled, workers};

const VERSION: &str = "/spec/topology/version";
const LIST: &str = "/classes/0/spec/kubernetesVersions";
const CONTROL_PLANE: &str = "/controlPlane/spec/version";
const PENDING: &str = "/metadata/annotations/runtime.cluster.x-k8s.io~1pending-hooks";
const CONCURRENCY: &str = "/metadata/annotations/topology.cluster.x-k8s.io~1upgrade-concurrency";
const UNCHECKED: &str = "/metadata/annotations/unsafe.topology.cluster.x-k8s.io~1disable-update-version-check";

/// A cluster that is settled at a version, its class with a list.
fn at(version: &str, list: &[&str]) -> Value {
    changed(
        settled(),
        &[
            ("/cluster/spec/topology/version", json!(version)),
            (LIST, json!(list)),
            (CONTROL_PLANE, json!(version)),
            ("/controlPlane/status/version", json!(version)),
            ("/machineDeployments", json!([workers("a", version)])),
            ("/machines", json!([machine("a-0", "a", version, version)])),
        ],
    )
}

#[track_caller]
fn check_in(mode: Mode, world: &Value, changes: Changes<'_>, expect: &str) {
    let (verdict, _) = of_update(world, mode, &[], changes);
    assert_eq!(rules(&verdict), expect, "{changes:?}: {verdict:?}");
}

#[track_caller]
fn check_both(world: &Value, changes: Changes<'_>, expect: &str) {
    check_in(Mode::Topology, world, changes, expect);
    check_in(Mode::Beside, world, changes, expect);
}

#[track_caller]
fn check_new(world: &Value, changes: Changes<'_>, expect: &str) {
    let verdict = of_create(world, changes);
    assert_eq!(rules(&verdict), expect, "{changes:?}: {verdict:?}");
}

#[test]
fn ch_adm_1_a_version_is_written_in_full() {
    for wrong in ["", "invalid", "v1.30", "1.30", "v1.30.0.1", "v01.30.0"] {
        check_new(&at("v1.30.0", &[]), &[(VERSION, json!(wrong))], "A2");
    }
}

#[test]
fn ch_adm_2_the_v_is_added() {
    let check = |changes: Changes<'_>, expect: &[(&str, &str)]| {
        let cluster = read(&changed(settled()["cluster"].clone(), changes));
        let added = additions(&cluster);
        let added: Vec<(&str, &str)> = added.iter().map(|it| (it.path, it.value.as_str())).collect();
        assert_eq!(added, expect, "{changes:?}");
    };
    let namespace = ("/spec/topology/classRef/namespace", "bay");
    check(&[(VERSION, json!("1.30.1"))], &[("/spec/topology/version", "v1.30.1"), namespace]);
    check(&[(VERSION, json!("v1.30.1"))], &[namespace]);
    check(&[(VERSION, json!("invalid"))], &[namespace]);
    check(&[("/spec/topology/classRef/namespace", json!("shared"))], &[]);
    let older = [("/spec/topology/classRef", Value::Null), ("/spec/topology/class", json!("sea"))];
    check(&older, &[("/spec/topology/classNamespace", "bay")]);
    check(&[("/spec/topology", Value::Null)], &[]);
    check(&[(VERSION, json!("1.30.1")), ("/metadata/deletionTimestamp", json!("2026-05-04T07:00:00Z"))], &[]);
    check_new(&at("v1.30.0", &[]), &[(VERSION, json!("v1.30.1"))], "ok");
}

#[test]
fn ch_adm_3_no_way_down() {
    for older in ["v0.31.1", "v1.30.1", "v1.31.0"] {
        check_both(&at("v1.31.1", &[]), &[(VERSION, json!(older))], "B3");
    }
}

#[test]
fn ch_adm_4_no_way_down_for_pre_releases_and_builds() {
    check_both(&at("v1.2.3-xyz.2", &[]), &[(VERSION, json!("v1.2.3-xyz.1"))], "B3");
    check_both(&at("v1.2.3+xyz.2", &[]), &[(VERSION, json!("v1.2.3+xyz.1"))], "B3");
}

#[test]
fn ch_adm_5_builds_without_an_order_pass() {
    check_both(&at("v1.2.3+ANCBG0", &[]), &[(VERSION, json!("v1.2.3+ANCBG1"))], "ok");
}

#[test]
fn ch_adm_6_two_minors_without_a_list() {
    check_both(&at("v1.2.3", &[]), &[(VERSION, json!("v1.4.0"))], "B4");
    check_both(&at("v1.2.3", &[]), &[(VERSION, json!("v1.4.0-alpha.1"))], "B4");
    check_both(&at("v1.2.3", &[]), &[(VERSION, json!("v1.3.9"))], "ok");
}

#[test]
fn ch_adm_7_two_minors_with_a_list_or_an_extension() {
    check_both(&at("v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]), &[(VERSION, json!("v1.4.0"))], "ok");
    let mut with_extension = at("v1.2.3", &[]);
    with_extension["classes"][0]["spec"]["upgrade"] = json!({"external": {"generateUpgradePlanExtension": "plan.ext"}});
    check_both(&with_extension, &[(VERSION, json!("v1.4.0"))], "ok");
}

#[test]
fn ch_adm_8_builds_in_a_list() {
    let list = ["v1.2.3+a.1", "v1.3.1+a.1", "v1.4.0+a.1"];
    check_both(&at("v1.2.3+a.1", &list), &[(VERSION, json!("v1.4.0+a.1"))], "ok");
    check_both(&at("v1.2.3+a.1", &list), &[(VERSION, json!("v1.4.0+a.2"))], "A4");
}

#[test]
fn ch_adm_9_a_new_cluster_at_a_version_out_of_the_list() {
    check_new(&at("v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]), &[(VERSION, json!("v1.3.2"))], "A4");
    check_new(&at("v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]), &[(VERSION, json!("v1.3.1"))], "ok");
}

#[test]
fn ch_adm_10_a_target_out_of_the_list() {
    check_both(&at("v1.2.3", &["v1.2.3", "v1.3.1", "v1.4.0"]), &[(VERSION, json!("v1.3.2"))], "A4");
}

#[test]
fn ch_adm_11_the_hook_of_the_upgrade_before_is_pending() {
    let change = [(VERSION, json!("v1.32.0")), (PENDING, json!("AfterClusterUpgrade,AfterWorkersUpgrade"))];
    check_both(&settled(), &change, "B5");
    check_both(&settled(), &[(VERSION, json!("v1.32.0")), (PENDING, json!("AfterWorkersUpgrade"))], "ok");
}

#[test]
fn ch_adm_12_concurrency_is_at_least_one() {
    for wrong in ["-1", "0", "abc", "", "1.5", " 2", "99999999999999999999"] {
        check_both(&settled(), &[(CONCURRENCY, json!(wrong))], "A3");
        check_new(&settled(), &[(CONCURRENCY, json!(wrong))], "A3");
    }
    check_both(&settled(), &[(CONCURRENCY, json!("2"))], "ok");
    check_new(&settled(), &[(CONCURRENCY, json!("2"))], "ok");
}

#[test]
fn ch_adm_13_the_control_plane_is_not_settled() {
    let check = |changes: Changes<'_>, expect: &str| {
        check_both(&changed(settled(), changes), &[(VERSION, json!("v1.32.0"))], expect);
    };
    check(&[], "ok");
    check(&[("/controlPlane/status/version", Value::Null)], "B6");
    check(
        &[("/controlPlane/status/versions", json!([{"replicas": 1}])), ("/controlPlane/status/version", json!(""))],
        "B6",
    );
    check(&[("/controlPlane/status/version", json!("v1.30.0"))], "B6");
    check(&[("/controlPlane/status/versions", json!([{"version": "v1.30.0"}, {"version": "v1.31.0"}]))], "B6");
    check(&[(CONTROL_PLANE, json!("v1.30.0")), ("/controlPlane/status/version", json!("v1.30.0"))], "B6");
    check(&[(CONTROL_PLANE, json!(""))], "B6");
    check(&[("/controlPlane/metadata/name", json!("another"))], "B6");
    check(&[("/cluster/spec/controlPlaneRef", Value::Null)], "B6");
}

#[test]
fn ch_adm_14_workers_are_not_settled() {
    let check = |changes: Changes<'_>, expect: &str| {
        check_both(&changed(settled(), changes), &[(VERSION, json!("v1.32.0"))], expect);
    };
    let gone = |mut workers: Value| {
        workers["metadata"]["deletionTimestamp"] = json!("2026-05-04T07:00:00Z");
        json!([workers])
    };
    check(&[("/machineDeployments", json!([workers("a", "v1.30.0")]))], "B7");
    check(&[("/machineDeployments", json!([workers("a", "")]))], "B7");
    check(&[("/machineDeployments", gone(workers("a", "v1.30.0")))], "ok");
    check(&[("/machines", json!([machine("a-0", "a", "v1.30.0", "v1.30.0")]))], "B7");
    check(&[("/machines", json!([machine("a-0", "a", "v1.31.0", "v1.30.0")]))], "B7");
    check(&[("/machines", json!([machine("a-0", "a", "", "")]))], "B7");
    check(&[("/machines", json!([machine("a-0", "a", "v1.31.0", "")]))], "ok");
    check(&[("/machines", json!([machine("a-0", "a", "v1.31.0", "v1.31.0+k3s1")]))], "ok");
    check(
        &[
            ("/cluster/spec/topology/workers/machineDeployments/0/version", json!("v1.30.0")),
            ("/machineDeployments", json!([workers("a", "v1.30.0")])),
            ("/machines", json!([])),
        ],
        "ok",
    );
    let pool = |refs: Value| {
        let mut pool = workers("p", "v1.31.0");
        pool["status"] = json!({ "nodeRefs": refs });
        json!([pool])
    };
    check(&[("/machinePools", json!([workers("p", "v1.30.0")]))], "B8");
    check(&[("/machinePools", pool(json!([])))], "ok");
    let one = pool(json!([{"name": "n1"}]));
    check(&[("/machinePools", one.clone()), ("/nodes", json!({"n1": "v1.30.4"}))], "B8");
    check(&[("/machinePools", one.clone()), ("/nodes", json!({"n1": "v1.31.0"}))], "ok");
    let all = [
        (CONTROL_PLANE, json!("v1.30.0")),
        ("/machineDeployments", json!([workers("a", "v1.30.0")])),
        ("/machinePools", json!([workers("p", "v1.30.0")])),
    ];
    check(&all, "B6 B7 B8");
    let world = changed(settled(), &[("/machinePools", one)]);
    let unreadable = |mode: Mode| rules(&of_update(&world, mode, &["nodes of"], &[(VERSION, json!("v1.32.0"))]).0);
    assert_eq!((unreadable(Mode::Topology), unreadable(Mode::Beside)), ("B8".into(), "ok+".into()));
}

#[test]
fn ch_adm_15_a_change_that_is_not_to_be_checked() {
    let world = changed(settled(), &[("/controlPlane/status/version", Value::Null)]);
    check_both(&world, &[(VERSION, json!("v1.32.0")), (UNCHECKED, json!(""))], "ok+");
    // What the class lists is another question.
    check_both(&world, &[(VERSION, json!("v1.39.0")), (UNCHECKED, json!(""))], "A4");
}

#[test]
fn ch_adm_16_to_another_class() {
    let rebase = [("/spec/topology/classRef/name", json!("lake"))];
    let world = |list: &[&str]| changed(at("v1.22.2", &[]), &[("/classes/1", class("lake", list))]);
    check_both(&world(&["v1.22.2", "v1.23.2"]), &rebase, "ok");
    check_both(&world(&["v1.33.0", "v1.34.0"]), &rebase, "A4");
}

#[test]
fn ch_adm_17_what_changes_no_version_is_let_in() {
    let world = changed(settled(), &[(LIST, json!(["v1.33.0"]))]);
    for change in [
        ("/metadata/annotations/x.io~1note", json!("")),
        ("/spec/topology/workers/machineDeployments/0/replicas", json!(5)),
        ("/metadata/finalizers", json!([])),
    ] {
        let (verdict, asked) = of_update(&world, Mode::Topology, &[], &[change]);
        assert_eq!((rules(&verdict), asked), ("ok".into(), Vec::new()));
    }
}

#[test]
fn ch_adm_18_a_chain_cannot_be_turned() {
    let chain = |control_plane: &str, annotations: Value| {
        changed(
            at("v1.29.0", &["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"]),
            &[
                ("/cluster/spec/topology/version", json!("v1.33.0")),
                ("/cluster/metadata/annotations", annotations),
                (CONTROL_PLANE, json!(control_plane)),
                ("/controlPlane/status/version", json!(control_plane)),
            ],
        )
    };
    let (raise, back) = ([(VERSION, json!("v1.34.0"))], [(VERSION, json!("v1.29.0"))]);
    let under_way = chain("v1.31.0", json!({"runtime.cluster.x-k8s.io/pending-hooks": "AfterClusterUpgrade"}));
    check_both(&under_way, &raise, "B5");
    check_both(&under_way, &back, "B3");
    check_both(&chain("v1.31.0", json!({})), &raise, "B6 B7");
    check_both(&chain("v1.31.0", json!({})), &back, "B3");
    check_both(&chain("v1.31.0", json!({})), &[(VERSION, json!("v1.31.0"))], "B3");
    // Nothing has been done for the target yet.
    let asked = chain("v1.29.0", json!({}));
    check_in(Mode::Topology, &asked, &back, "ok+");
    check_in(Mode::Beside, &asked, &back, "B3");
    check_both(&asked, &[(VERSION, json!("v1.30.0"))], "B3");
    check_both(&asked, &raise, "B6 B7");
    for begun in ["runtime.cluster.x-k8s.io/pending-hooks", "topology.internal.cluster.x-k8s.io/upgrade-step"] {
        check_both(&chain("v1.29.0", json!({begun: "AfterClusterUpgrade"})), &back, "B3");
    }
    let ahead = changed(asked.clone(), &[("/machineDeployments", json!([workers("a", "v1.30.0")]))]);
    check_both(&ahead, &back, "B3");
    let rolling = changed(asked, &[("/controlPlane/status/version", json!("v1.28.0"))]);
    check_both(&rolling, &back, "B3");
}

#[test]
fn ch_adm_18_a_build_without_an_order_is_taken_back_too() {
    let world = changed(at("v1.2.3+aa", &[]), &[("/cluster/spec/topology/version", json!("v1.2.3+bb"))]);
    check_in(Mode::Topology, &world, &[(VERSION, json!("v1.2.3+aa"))], "ok+");
    check_in(Mode::Beside, &world, &[(VERSION, json!("v1.2.3+aa"))], "B6 B7");
}

#[test]
fn ch_adm_19_what_a_chain_leaves_alone_may_be_changed() {
    let world = changed(
        settled(),
        &[
            ("/cluster/spec/topology/version", json!("v1.34.0")),
            ("/cluster/metadata/annotations", json!({"runtime.cluster.x-k8s.io/pending-hooks": "AfterClusterUpgrade"})),
            (CONTROL_PLANE, json!("v1.32.0")),
        ],
    );
    check_both(&world, &[("/spec/topology/workers/machineDeployments/0/replicas", json!(9))], "ok");
    check_both(&world, &[("/spec/topology/variables", json!([{"name": "x", "value": 1}]))], "ok");
}
