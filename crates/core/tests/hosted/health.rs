//! What is wrong with a hosted cluster, and from when on it is told.

use serde_json::{Value, json};

use super::scenarios::moving;
use super::world::{NEW, OLD, component, entry, image, pool, side, told, told_of};

/// The pods roll out since some minutes; one component is left.
fn rolling(left: Value, minutes: i64) -> Vec<(&'static str, Value)> {
    vec![
        (
            "/hosted/0/status/controlPlaneVersion",
            side(NEW, vec![entry(NEW, minutes, None), entry(OLD, 10_050, Some(10_030))]),
        ),
        (
            "/hosted/0/status/version",
            side(OLD, vec![entry(OLD, 10_050, Some(10_000)), entry("4.17.1", 30_060, Some(30_000))]),
        ),
        ("/components", json!([component("etcd", NEW, "True"), left])),
    ]
}

fn found(changes: &[(&'static str, Value)]) -> Vec<String> {
    told_of(changes)
        .insights
        .iter()
        .map(|it| format!("{} {} {}: {}", it.rule, it.level, it.impact, it.summary))
        .collect()
}

#[track_caller]
fn check(changes: &[(&'static str, Value)], expect: &[&str]) {
    assert_eq!(found(changes), expect);
}

/// A component whose condition has been so for some minutes.
fn left(kind: &str, reason: &str, minutes: i64) -> Value {
    let mut left = component("kube-apiserver", OLD, "False");
    let at = if kind == "Available" { 0 } else { 1 };
    left["status"]["conditions"][at] = told(kind, "False", reason, "1 of 3 pods", minutes);
    left
}

#[test]
fn components_are_told_after_a_while() {
    let check = |kind: &str, reason: &str, minutes: i64, expect: &[&str]| {
        check(&rolling(left(kind, reason, minutes), 25), expect)
    };
    check("Available", "Down", 4, &[]);
    check(
        "Available",
        "Down",
        6,
        &[
            "H-COMPONENT-UNAVAILABLE Warning API Availability: Component kube-apiserver of the control plane is unavailable (Down)",
        ],
    );
    check(
        "Available",
        "Down",
        21,
        &[
            "H-COMPONENT-UNAVAILABLE Error API Availability: Component kube-apiserver of the control plane is unavailable (Down)",
        ],
    );
    check("RolloutComplete", "ReconciliationError", 4, &[]);
    check(
        "RolloutComplete",
        "ReconciliationError",
        6,
        &[
            "H-COMPONENT-DEGRADED Warning Update Speed: Component kube-apiserver of the control plane cannot be rolled out (ReconciliationError)",
        ],
    );
    check(
        "RolloutComplete",
        "ReconciliationError",
        41,
        &[
            "H-COMPONENT-DEGRADED Error Update Stalled: Component kube-apiserver of the control plane cannot be rolled out (ReconciliationError)",
        ],
    );
    check("RolloutComplete", "WaitingForDependencies", 29, &[]);
    check(
        "RolloutComplete",
        "WaitingForDependencies",
        31,
        &[
            "H-COMPONENT-SLOW Warning Update Speed: Component kube-apiserver of the control plane has been rolled out for more than 30 minutes (WaitingForDependencies)",
        ],
    );
}

#[test]
fn an_update_on_which_nothing_changes_is_stalled() {
    let of = |began: i64, changed: i64| {
        let mut changes = rolling(left("RolloutComplete", "WaitingForDependencies", changed), began);
        let done = told("RolloutComplete", "True", "AsExpected", "", changed);
        changes[2].1[0]["status"]["conditions"][1] = done;
        let report = told_of(&changes);
        let stalled = report.insights.iter().any(|it| it.rule.id() == "H-UPDATE-STALLED");
        (report.cluster.assessment.to_string(), stalled, format!("{:?}", report.outcome))
    };
    let told = |assessment: &str, stalled: bool, outcome: &str| (assessment.to_owned(), stalled, outcome.to_owned());
    assert_eq!(of(25, 20), told("Progressing", false, "Updating"));
    assert_eq!(of(45, 20), told("Progressing", false, "Updating"));
    assert_eq!(of(55, 20), told("Progressing - Slow", false, "Updating"), "the update before took 50 minutes");
    assert_eq!(of(95, 60), told("Stalled", true, "Failing"));
    // This cluster is known to take its time: the update before took two hours.
    let mut changes = rolling(left("RolloutComplete", "WaitingForDependencies", 60), 95);
    changes[2].1[0]["status"]["conditions"][1] = super::world::told("RolloutComplete", "True", "AsExpected", "", 60);
    let slow = vec![entry(NEW, 95, None), entry(OLD, 10_120, Some(10_000)), entry("4.17.1", 30_060, Some(30_000))];
    changes.push(("/hosted/0/status/version", side(NEW, slow)));
    let report = told_of(&changes);
    assert_eq!(report.cluster.assessment.to_string(), "Progressing");
    assert_eq!(report.cluster.estimate.unwrap().total_seconds, 120 * 60);
}

#[test]
fn a_failing_release_is_told_with_its_side() {
    let of = |kind: &str, status: &str, minutes: i64| {
        let mut changes = rolling(left("RolloutComplete", "WaitingForDependencies", 5), 25);
        changes.push(("/hosted/0/status/conditions/-", told(kind, status, "Broken", "it does not work", minutes)));
        found(&changes)
    };
    // The word of the guest's operator counts at once, that of HyperShift after a while (S19).
    let degraded = |minutes: i64| {
        let mut changes = rolling(left("RolloutComplete", "WaitingForDependencies", 5), 25);
        let said = told("Degraded", "True", "Broken", "it does not work", minutes);
        changes.push(("/hosted/0/status/conditions/2", said));
        found(&changes)
    };
    assert_eq!(degraded(4), Vec::<String>::new());
    assert_eq!(
        degraded(6),
        ["H-CLUSTER-FAILING Warning Update Stalled: The update of tern is failing: Degraded (Broken)"]
    );
    assert_eq!(
        of("ClusterVersionFailing", "True", 1),
        ["H-CLUSTER-FAILING Warning Update Stalled: The update of tern is failing: ClusterVersionFailing (Broken)"]
    );
    assert_eq!(
        of("ClusterVersionSucceeding", "False", 21),
        ["H-CLUSTER-FAILING Error Update Stalled: The update of tern is failing: ClusterVersionSucceeding (Broken)"]
    );
    assert_eq!(
        of("EtcdAvailable", "False", 6),
        ["H-CLUSTER-UNAVAILABLE Warning API Availability: HostedCluster tern is not available: EtcdAvailable is False"]
    );
    assert_eq!(
        of("IgnitionEndpointAvailable", "False", 21),
        [
            "H-CLUSTER-UNAVAILABLE Error Update Stalled: HostedCluster tern is not available: IgnitionEndpointAvailable is False"
        ]
    );
}

#[test]
fn a_refused_release_blocks_and_says_why() {
    let asked = ("/hosted/0/spec/release/image", json!(image("4.19.1")));
    let of = |condition: Value| {
        let report = told_of(&[asked.clone(), ("/hosted/0/status/conditions/-", condition)]);
        let first = &report.insights[0];
        let waits = report.waiting_on[0].what.clone();
        (
            format!("{:?}", report.outcome),
            report.cluster.updating.reason.clone(),
            first.summary.clone(),
            first.description.clone(),
            waits,
        )
    };
    let told_by = |kind: &str, message: &str| {
        (
            "Failing".to_owned(),
            "Blocked".to_owned(),
            format!("The update of tern to 4.19.1 is refused ({kind})"),
            message.to_owned(),
            "the release that was asked for, which is refused".to_owned(),
        )
    };
    assert_eq!(
        of(told("ValidReleaseImage", "False", "NotFound", "no such image", 3)),
        told_by("ValidReleaseImage", "no such image")
    );
    assert_eq!(
        of(told("SupportedHostedCluster", "False", "", "4.19 is too new", 3)),
        told_by("SupportedHostedCluster", "4.19 is too new")
    );
    let blocked = told("Progressing", "False", "Blocked", "ClusterVersionUpgradeable is False", 3);
    let report = told_of(&[asked, ("/hosted/0/status/conditions/1", blocked)]);
    assert_eq!(report.insights[0].summary, "The update of tern to 4.19.1 is refused (Progressing)");
    // What is refused while nothing is asked for is no update.
    let quiet = told_of(&[("/hosted/0/status/conditions/-", told("ValidConfiguration", "False", "", "a typo", 3))]);
    assert_eq!((quiet.insights.len(), quiet.cluster.updating.reason.as_str()), (0, "NotProgressing"));
}

#[test]
fn a_pool_that_cannot_be_updated_as_it_is_asked_to() {
    let of = |kind: &str, minutes: i64| {
        let mut pool = moving();
        pool["status"]["conditions"].as_array_mut().unwrap().push(told(
            kind,
            "False",
            "Broken",
            "it does not work",
            minutes,
        ));
        found(&[("/pools", json!([pool]))])
    };
    for kind in ["ValidReleaseImage", "ValidGeneratedPayload", "ValidPlatformImage", "ValidMachineConfig"] {
        assert_eq!(
            of(kind, 1),
            [format!("H-POOL-INVALID Error Update Stalled: NodePool a cannot be updated: {kind} is False")]
        );
    }
    assert_eq!(of("ReachedIgnitionEndpoint", 5), Vec::<String>::new());
    assert_eq!(of("ReachedIgnitionEndpoint", 21).len(), 1);
    assert_eq!(of("AllMachinesReady", 5), Vec::<String>::new());
    assert_eq!(
        of("AllMachinesReady", 21),
        ["H-NODE-UNAVAILABLE Warning Update Speed: Nodes of NodePool a are not well: AllMachinesReady is False"]
    );
}

#[test]
fn health_is_not_told_of_clusters_at_rest() {
    let mut pool = pool("a", NEW);
    pool["status"]["conditions"].as_array_mut().unwrap().push(told("AllNodesHealthy", "False", "Broken", "", 90));
    let etcd = told("EtcdAvailable", "False", "Broken", "", 90);
    let report = told_of(&[("/pools", json!([pool])), ("/hosted/0/status/conditions/-", etcd)]);
    assert_eq!(report.insights, Vec::new());
    assert_eq!(report.cluster.healthy.reason, "EtcdAvailable");
    assert_eq!(report.pools[0].healthy.reason, "AllNodesHealthy");
}

#[test]
fn a_pool_on_which_nothing_changes_is_stalled() {
    let of = |minutes: i64| {
        let machine = json!({"metadata": {"name": "m", "namespace": "bay-tern", "annotations": {
                "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/release-version": OLD}},
            "status": {"nodeRef": {"name": "m"}, "conditions": [told("NodeHealthy", "True", "", "", minutes)]}});
        let mut pool = moving();
        pool["status"]["conditions"][1] = told("UpdatingVersion", "True", "", "Target version: 4.18.3", 90);
        found(&[("/pools", json!([pool])), ("/machines", json!([machine]))])
    };
    assert_eq!(of(59), Vec::<String>::new());
    assert_eq!(
        of(61),
        ["H-UPDATE-STALLED Error Update Stalled: Nothing has changed on the nodes of NodePool a for more than an hour"]
    );
}
