//! The guest's side: its ClusterVersion and its operators, beside the components on the management cluster.

use serde_json::{Value, json};

use super::world::{NEW, OLD, ago, check, entry, image, side, told, told_of};

const POOL: &str = "a Completed Updated 100% 3/3";

/// An operator of the release.
fn operator(name: &str, version: &str, progressing: &str, minutes: i64) -> Value {
    json!({"metadata": {"name": name, "annotations": {"include.release.openshift.io/hosted": "true"}},
        "status": {"versions": [{"name": "operator", "version": version}], "conditions": [
            told("Available", "True", "AsExpected", "", 9_000), told("Degraded", "False", "AsExpected", "", 9_000),
            told("Progressing", progressing, "Rolling", "one of two", minutes)]}})
}

/// The guest is on its way, and of its two operators one is done; all three components are.
fn halfway() -> Vec<(&'static str, Value)> {
    vec![
        ("/hosted/0/status/version", side(NEW, vec![entry(NEW, 10, None), entry(OLD, 9_050, Some(9_000))])),
        (
            "/hosted/0/status/conditions/3",
            told("ClusterVersionProgressing", "True", "FromClusterVersion", "Working towards 4.18.3", 10),
        ),
        ("/operators", json!([operator("dns", NEW, "False", 5), operator("network", OLD, "True", 5)])),
        ("/seen/guest", true.into()),
    ]
}

#[test]
fn components_and_operators_are_counted_together() {
    let changes = halfway();
    check(&changes, &["Updating Updating", "Progressing True/ClusterVersionProgressing 80% 4.17.9 to 4.18.3", POOL]);
    let report = told_of(&changes);
    let rows: Vec<String> =
        report.components.iter().map(|row| format!("{} {}", row.name, row.updating.reason)).collect();
    assert_eq!(rows, ["c-00 Updated", "c-01 Updated", "c-02 Updated", "dns Updated", "network Progressing"]);
    assert_eq!((report.cluster.operators.total, report.cluster.operators.updating), (5, 1));
    assert_eq!(report.cluster.updating.message, "Working towards 4.18.3");
    assert_eq!(report.waiting_on[0].message, "network is not at 4.18.3 yet: one of two");
}

#[test]
fn operators_at_the_release_before_are_not_done() {
    let mut changes = halfway();
    changes[0] = ("/hosted/0/status/version", side(OLD, vec![entry(OLD, 9_050, Some(9_000))]));
    changes[2] = ("/operators", json!([operator("dns", OLD, "False", 5), operator("network", OLD, "False", 5)]));
    check(&changes, &["Updating Updating", "Progressing True/ClusterVersionProgressing 60% 4.17.9 to 4.18.3", POOL]);
    assert_eq!(told_of(&changes).components[3].updating.reason, "Pending");
}

#[test]
fn an_operator_that_contradicts_the_histories_makes_the_answer_unknown() {
    check(
        &[("/operators", json!([operator("dns", OLD, "False", 5)])), ("/seen/guest", true.into())],
        &[
            "CannotTell Unknown",
            "Unknown Unknown/CannotDetermine 75% 4.17.9 to 4.18.3",
            POOL,
            "H-CV-CONTRADICT Warning: What tern says of its versions contradicts what was seen",
        ],
    );
}

#[test]
fn a_slow_operator_of_the_guest_is_told_by_its_rule() {
    let mut changes = halfway();
    changes[2] = ("/operators", json!([operator("dns", NEW, "False", 5), operator("network", OLD, "True", 31)]));
    let report = told_of(&changes);
    let told: Vec<String> = report.insights.iter().map(|it| format!("{} {}", it.rule, it.summary)).collect();
    assert_eq!(told, ["H-CO-SLOW Cluster Operator network has been updating for more than 30 minutes"]);
}

#[test]
fn a_control_plane_that_was_asked_for_another_release_than_its_guest() {
    let changes = [
        ("/hosted/0/spec/controlPlaneRelease", json!({"image": image("4.18.5")})),
        (
            "/hosted/0/status/controlPlaneVersion",
            side("4.18.5", vec![entry("4.18.5", 10, Some(2)), entry(NEW, 9_050, Some(9_000))]),
        ),
        ("/components", json!([])),
    ];
    check(&changes, &["NotUpdating NotUpdating", "Completed False/NotProgressing 100% 4.18.3 to 4.18.5", POOL]);
    assert_eq!(
        told_of(&changes).hints,
        ["The pods of the control plane are to be at 4.18.5, and the guest at 4.18.3."]
    );
    // The side that went nowhere tells nothing of how long it took.
    let cluster = told_of(&changes).cluster;
    assert_eq!(cluster.started_at.unwrap().to_string(), ago(10).as_str().unwrap());
    assert_eq!(cluster.completed_at.unwrap().to_string(), ago(2).as_str().unwrap());
}

#[test]
fn what_was_found_of_another_cluster_is_not_the_guests() {
    let foreign = json!({"metadata": {"name": "version"}, "spec": {"clusterID": "m"}, "status": {"desired": {"version": "4.12.1"}}});
    let operators = json!([operator("dns", "4.12.1", "False", 5)]);
    let of = |version: &Value, nodes: Value| {
        told_of(&[
            ("/clusterVersion", version.clone()),
            ("/operators", operators.clone()),
            ("/nodes", nodes),
            ("/seen/guest", true.into()),
        ])
    };
    let gap = "HostedCluster/bay/tern: the nodes and the ClusterVersion that were found are those of another cluster";
    for report in [of(&foreign, json!([])), of(&Value::Null, json!([{"metadata": {"name": "m-0"}}]))] {
        assert_eq!(report.gaps.iter().map(ToString::to_string).collect::<Vec<_>>(), [gap]);
        assert_eq!(report.components.len(), 3);
    }
}

#[test]
fn the_guest_itself_knows_more_than_what_is_repeated_of_it() {
    let own = |began: i64, ended: Option<i64>| {
        json!({"metadata": {"name": "version"}, "spec": {"clusterID": "t"},
            "status": side(NEW, vec![entry(NEW, began, ended), entry(OLD, 10_050, Some(10_000))])})
    };
    let of =
        |version: Value| told_of(&[("/clusterVersion", version), ("/seen/guest", true.into())]).cluster.updating.reason;
    assert_eq!(of(own(5, None)), "ClusterVersionProgressing", "it has begun again");
    assert_eq!(of(own(90, None)), "ClusterVersionProgressing", "it is not done, whatever is repeated");
    // An older picture of the guest than that of the HostedCluster.
    assert_eq!(of(own(9_000, None)), "NotProgressing");
}
