//! Odd hosted clusters: kinds that are absent, older versions of the API, fields that say nothing. Nothing is done that
//! was not seen to be done.

use headway_core::assess::hosted::report;
use serde_json::{Value, json};

use super::world::{
    NEW, OLD, ago, check, components, entry, image, inventory, lines, nodes, pool, side, told, told_of,
};

const CLUSTER: &str = "Completed False/NotProgressing 100% 4.17.9 to 4.18.3";

fn first(changes: &[(&'static str, Value)]) -> (String, String) {
    let lines = lines(&told_of(changes));
    (lines[0].clone(), lines[1].clone())
}

#[test]
fn half_of_the_kinds_absent() {
    // Without components the history of the pods stands for them; without that the operator's word.
    let none = ("/components", json!([]));
    let no_history = ("/hosted/0/status/controlPlaneVersion", Value::Null);
    assert_eq!(first(std::slice::from_ref(&none)), ("NotUpdating NotUpdating".into(), CLUSTER.into()));
    assert_eq!(first(&[none.clone(), no_history.clone()]), ("NotUpdating NotUpdating".into(), CLUSTER.into()));
    let silent = ("/hosted/0/status/conditions", json!([]));
    let unknown = ("CannotTell Unknown".to_owned(), "Unknown Unknown/CannotDetermine ?% 4.17.9 to 4.18.3".to_owned());
    assert_eq!(first(&[none.clone(), no_history.clone(), silent]), unknown);
    // No NodePools were looked for: the nodes may be anywhere.
    let report = told_of(&[("/pools", json!([])), ("/seen/pools", false.into())]);
    assert_eq!(lines(&report), ["CannotTell Unknown", CLUSTER]);
    // None of all, not even a status.
    let bare = json!([{"metadata": {"name": "tern", "namespace": "bay"}}]);
    let report = told_of(&[
        ("/hosted", bare),
        none,
        ("/pools", json!([])),
        ("/seen/pools", false.into()),
        ("/seen/components", false.into()),
    ]);
    assert_eq!(lines(&report), ["CannotTell Unknown", "Unknown Unknown/CannotDetermine ?% ? to ?"]);
    let gaps: Vec<String> = report.gaps.iter().map(|gap| format!("{:?} {}", gap.kind, gap.message)).collect();
    assert_eq!(
        gaps,
        [
            "Missing its status tells no version",
            "Missing it was not looked which NodePools there are",
            "Missing it was not looked which ControlPlaneComponents there are",
            "Optional the guest's side was not looked at: its operators and nodes are not told"
        ]
    );
}

#[test]
fn an_installation_is_one() {
    let first = || side(NEW, vec![entry(NEW, 10, None)]);
    let report = told_of(&[
        ("/hosted/0/status/controlPlaneVersion", first()),
        ("/hosted/0/status/version", Value::Null),
        ("/components", components(4, 1)),
        ("/pools", json!([])),
    ]);
    assert_eq!(lines(&report), ["Updating Updating", "Progressing True/ControlPlaneRollingOut 25% ? to 4.18.3"]);
    assert_eq!(format!("{:?}", report.cluster.versions.change), "Installation");
    // The pods are there, the guest has said nothing yet.
    let done = side(NEW, vec![entry(NEW, 10, Some(2))]);
    let report = told_of(&[("/hosted/0/status/controlPlaneVersion", done), ("/hosted/0/status/version", Value::Null)]);
    assert_eq!(lines(&report)[..1], ["CannotTell Unknown"]);
}

#[test]
fn older_versions_of_the_api() {
    // NodePools that do not count their nodes by version: their own word, told as such.
    let mut old = pool("a", NEW);
    old["status"]["nodesInfo"] = Value::Null;
    let report = told_of(&[("/pools", json!([old.clone()]))]);
    assert_eq!(lines(&report)[2..], ["a Completed Updated 100% 3/3"]);
    assert!(report.gaps.iter().any(|gap| gap.message.starts_with("what its nodes run is its own word")));
    assert_eq!(report.pools[0].counts.version_unknown, 3);
    // The same that moves has none that is known to be done.
    old["status"]["version"] = OLD.into();
    old["status"]["conditions"] = json!([told("UpdatingVersion", "True", "", "Target version: 4.18.3", 5)]);
    let report = told_of(&[("/pools", json!([old]))]);
    assert_eq!(lines(&report)[2..], ["a Progressing Progressing 0% 0/3"]);
    // The history of the pods is the HostedControlPlane's alone.
    let control_plane = json!({"metadata": {"name": "tern", "namespace": "bay-tern"},
        "status": {"controlPlaneVersion": side(NEW, vec![entry(NEW, 10, None), entry(OLD, 90, Some(80))])}});
    let report =
        told_of(&[("/hosted/0/status/controlPlaneVersion", Value::Null), ("/controlPlanes", json!([control_plane]))]);
    assert_eq!(lines(&report)[1], "Progressing True/ControlPlaneRollingOut 99% 4.17.9 to 4.18.3");
    // Neither has one: the components tell.
    let report = told_of(&[("/hosted/0/status/controlPlaneVersion", Value::Null), ("/components", components(4, 1))]);
    assert_eq!(lines(&report)[1], "Progressing - Slow True/ControlPlaneRollingOut 25% 4.17.9 to 4.18.3");
}

#[test]
fn a_pool_of_which_nothing_tells_what_its_nodes_run() {
    let bare = json!({"metadata": {"name": "a", "namespace": "bay"}, "spec": {"clusterName": "tern"}});
    check(&[("/pools", json!([bare]))], &["CannotTell Unknown", CLUSTER, "a Empty CannotDetermine ?% 0/0"]);
    let mut counted = bare;
    counted["status"] = json!({"replicas": 3});
    check(&[("/pools", json!([counted]))], &["CannotTell Unknown", CLUSTER, "a Unknown CannotDetermine ?% 0/3"]);
    // A pool of another cluster, or of none, is none of this one.
    let mut other = pool("b", OLD);
    other["spec"]["clusterName"] = "".into();
    check(
        &[("/pools", json!([other, pool("a", NEW)]))],
        &["NotUpdating NotUpdating", CLUSTER, "a Completed Updated 100% 3/3"],
    );
}

#[test]
fn odd_versions_do_not_end_it() {
    let of = |versions: Value| {
        let mut odd = pool("a", NEW);
        odd["status"]["nodesInfo"]["nodeVersions"] = versions;
        lines(&told_of(&[("/pools", json!([odd]))]))[2].clone()
    };
    assert_eq!(
        of(json!([{"ocpVersion": NEW, "kubeletVersion": "v1.31.6+dd1d9b2", "readyNodeCount": 3}])),
        "a Completed Updated 100% 3/3"
    );
    assert_eq!(of(json!([{"ocpVersion": "", "readyNodeCount": 3}])), "a Unknown CannotDetermine ?% 0/3");
    assert_eq!(
        of(json!([{"ocpVersion": "four", "readyNodeCount": 1}, nodes(NEW, 2)])),
        "a Progressing Progressing 67% 2/3"
    );
    assert_eq!(
        of(json!([{"ocpVersion": NEW, "readyNodeCount": u64::MAX, "unreadyNodeCount": u64::MAX}])).split(' ').next(),
        Some("a")
    );
    let mut nightly = pool("a", "4.19.0-0.nightly-2026-05-01-000000");
    nightly["spec"]["release"]["image"] = "registry/r@sha256:ab".into();
    assert_eq!(lines(&told_of(&[("/pools", json!([nightly]))]))[2], "a Completed Updated 100% 3/3");
}

#[test]
fn reasons_of_any_kind_and_conditions_without_anything() {
    let mut odd = pool("a", NEW);
    odd["status"]["conditions"] = json!([
        {"type": "UpdatingVersion", "status": "True", "severity": "Info", "reason": "2 of 3: not ready!\nreally", "message": "a\nb"},
        {"type": "Ready"}, {}]);
    let report = told_of(&[
        ("/pools", json!([odd])),
        ("/hosted/0/status/conditions/-", json!({"type": "EtcdAvailable", "status": "False"})),
    ]);
    assert_eq!(lines(&report)[2], "a Progressing Progressing 99% 3/3");
    assert!(report.insights.iter().all(|it| !it.summary.contains('\n')));
}

#[test]
fn histories_that_say_nothing() {
    let mut odd = side(NEW, vec![entry(NEW, 10, Some(5))]);
    odd["history"][0]["state"] = "Maybe".into();
    let (outcome, cluster) = first(&[("/hosted/0/status/version", odd)]);
    assert_eq!((&*outcome, cluster.split(' ').next()), ("CannotTell Unknown", Some("Unknown")));
    // Times from the future, or none at all.
    let future = || side(NEW, vec![entry(NEW, -60, None), entry(OLD, 90, Some(80))]);
    let both = [("/hosted/0/status/controlPlaneVersion", future()), ("/hosted/0/status/version", future())];
    let report = told_of(&both);
    assert_eq!(report.cluster.duration_seconds.unwrap().0.as_secs(), 0);
    let mut timeless = side(NEW, vec![entry(NEW, 10, None)]);
    timeless["history"][0]["startedTime"] = Value::Null;
    let report = told_of(&[("/hosted/0/status/controlPlaneVersion", timeless)]);
    assert_eq!(report.cluster.updating.reason, "ControlPlaneRollingOut");
}

#[test]
fn the_same_inventory_gives_the_same_report_in_any_order() {
    let changes = [
        ("/components", components(12, 5)),
        ("/pools", json!([pool("b", OLD), pool("a", NEW)])),
        ("/hosted/0/spec/release/image", image("4.18.5").into()),
    ];
    let mut turned = inventory(&changes);
    let straight = report(&turned, &turned.hosted_clusters[0]);
    turned.components.reverse();
    turned.node_pools.reverse();
    assert_eq!(report(&turned, &turned.hosted_clusters[0]), straight);
}

#[test]
fn a_recording_is_judged_at_its_newest_moment_be_it_of_a_history() {
    let of = |changes: &[(&'static str, Value)]| inventory(changes).newest().at.to_string();
    assert_eq!(of(&[]), ago(10).as_str().unwrap(), "that of the components' conditions");
    let began = side(NEW, vec![entry(NEW, 3, None), entry(OLD, 90, Some(80))]);
    assert_eq!(of(&[("/hosted/0/status/controlPlaneVersion", began)]), ago(3).as_str().unwrap());
}
