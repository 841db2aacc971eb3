//! Scenarios S58 to S65 of update-status-api.md, 7.

use headway_api::report::{Report, Truth};
use headway_core::assess::hosted::report;
use serde_json::{Value, json};

use super::world::{
    NEW, OLD, ago, check, component, components, entry, image, inventory, lines, node, nodes, pool, side, told, told_of,
};

const DONE: [&str; 3] =
    ["NotUpdating NotUpdating", "Completed False/NotProgressing 100% 4.17.9 to 4.18.3", "a Completed Updated 100% 3/3"];

#[test]
fn a_cluster_that_is_done_is_told_as_done() {
    check(&[], &DONE);
    let report = told_of(&[]);
    assert_eq!(report.cluster.started_at.unwrap().to_string(), ago(90).as_str().unwrap());
    assert_eq!(report.cluster.completed_at.unwrap().to_string(), ago(60).as_str().unwrap());
    assert_eq!(report.cluster.healthy.status, Truth::True);
    assert_eq!(report.components.len(), 3);
    assert_eq!(report.waiting_on, Vec::new());
}

#[test]
fn us_s58_a_release_that_was_asked_for_and_not_taken_up() {
    let asked = image("4.18.5");
    check(
        &[("/hosted/0/spec/release/image", asked.into())],
        &["Updating Updating", "Progressing True/Accepted 0% 4.18.3 to 4.18.5", "a Completed Updated 100% 3/3"],
    );
    // The same by a digest whose version nothing tells.
    check(
        &[
            ("/hosted/0/spec/release/image", "quay.io/r@sha256:ab".into()),
            ("/hosted/0/status/controlPlaneVersion/desired/image", "quay.io/r@sha256:cd".into()),
        ],
        &[
            "Updating Updating",
            "Progressing True/Accepted 0% 4.18.3 to quay.io/r@sha256:ab",
            "a Completed Updated 100% 3/3",
        ],
    );
    // Where it lies says nothing.
    check(&[("/hosted/0/spec/release/image", format!("mirror:5000/{}", image(NEW)).into())], &DONE);
}

/// The pods roll out, the guest has not begun.
fn rolling(done: usize) -> Vec<(&'static str, Value)> {
    vec![
        ("/hosted/0/status/controlPlaneVersion", side(NEW, vec![entry(NEW, 10, None), entry(OLD, 9_050, Some(9_000))])),
        ("/hosted/0/status/version", side(OLD, vec![entry(OLD, 9_050, Some(9_000))])),
        ("/components", components(30, done)),
        ("/pools", json!([pool("a", OLD)])),
    ]
}

#[test]
fn us_s59_the_pods_of_the_control_plane_roll_out() {
    let changes = rolling(20);
    check(
        &changes,
        &[
            "Updating Updating",
            "Progressing True/ControlPlaneRollingOut 67% 4.17.9 to 4.18.3",
            "a Completed Updated 100% 3/3",
        ],
    );
    let report = told_of(&changes);
    assert_eq!(
        report.cluster.started_at.unwrap().to_string(),
        ago(10).as_str().unwrap(),
        "not that of the update before"
    );
    assert_eq!(report.cluster.completed_at, None);
    assert_eq!(report.cluster.operators.updated, 20);
    assert_eq!(report.waiting_on[0].what, "10 components");
    assert_eq!(report.hints, Vec::<String>::new(), "the guest follows by itself");
    // One that waits says since when it is where it is, and not for how long it waits.
    let waiting =
        told_of(&[changes[0].clone(), changes[1].clone(), ("/components", json!([component("etcd", OLD, "True")]))]);
    assert_eq!(
        (waiting.components[0].updating.reason.as_str(), waiting.components[0].updating.since),
        ("Pending", None)
    );
    assert_eq!(waiting.waiting_on[0].since, None);
    let estimate = report.cluster.estimate.unwrap();
    assert_eq!(
        (estimate.remaining_seconds, estimate.total_seconds),
        (20 * 60, 30 * 60),
        "30 minutes where nothing was learned"
    );
}

#[test]
fn us_s59_all_pods_are_done_and_the_guest_follows() {
    let mut changes = rolling(30);
    changes.push((
        "/hosted/0/status/controlPlaneVersion",
        side(NEW, vec![entry(NEW, 20, Some(2)), entry(OLD, 9_050, Some(9_000))]),
    ));
    check(
        &changes,
        &[
            "Updating Updating",
            "Progressing True/ClusterVersionProgressing 99% 4.17.9 to 4.18.3",
            "a Completed Updated 100% 3/3",
        ],
    );
    changes.push(("/hosted/0/status/version", side(NEW, vec![entry(NEW, 1, None), entry(OLD, 9_050, Some(9_000))])));
    check(
        &changes,
        &[
            "Updating Updating",
            "Progressing True/ClusterVersionProgressing 99% 4.17.9 to 4.18.3",
            "a Completed Updated 100% 3/3",
        ],
    );
}

#[test]
fn us_s60_a_pool_that_is_behind_and_was_not_asked_to_follow() {
    let changes = [("/pools", json!([pool("a", OLD)]))];
    check(
        &changes,
        &[
            "NotUpdating NotUpdating",
            "Completed False/NotProgressing 100% 4.17.9 to 4.18.3",
            "a Pending Pending 0% 0/3",
        ],
    );
    assert_eq!(
        told_of(&changes).hints,
        ["NodePool a stays at 4.17.9 until somebody sets its release: pools of hosted clusters update on their own."]
    );
    // Asked to follow, it waits for its turn, and the cluster is not done.
    let mut asked = pool("a", OLD);
    asked["spec"]["release"]["image"] = image(NEW).into();
    check(
        &[("/pools", json!([asked]))],
        &["Updating Updating", "Completed False/NotProgressing 100% 4.17.9 to 4.18.3", "a Pending Pending 0% 0/3"],
    );
}

/// A pool on its way: one of its three nodes is done.
pub(super) fn moving() -> Value {
    let mut moving = pool("a", OLD);
    moving["spec"]["release"]["image"] = image(NEW).into();
    moving["status"]["nodesInfo"]["nodeVersions"] = json!([nodes(NEW, 1), nodes(OLD, 2)]);
    moving["status"]["conditions"] = json!([
        told("Ready", "True", "AsExpected", "", 9_000),
        told("UpdatingVersion", "True", "AsExpected", "Updating version in progress. Target version: 4.18.3", 15)
    ]);
    moving
}

#[test]
fn a_pool_moves_by_what_it_says_that_its_nodes_run() {
    check(
        &[("/pools", json!([moving()]))],
        &[
            "Updating Updating",
            "Completed False/NotProgressing 100% 4.17.9 to 4.18.3",
            "a Progressing Progressing 33% 1/3",
        ],
    );
    let waits = told_of(&[("/pools", json!([moving()]))]).waiting_on;
    assert_eq!(waits.iter().map(|it| it.message.as_str()).collect::<Vec<_>>(), ["pool a: 1 of 3 nodes are at 4.18.3"]);
    // A fourth node that comes in before an old one goes changes no share.
    let mut surge = moving();
    surge["status"]["nodesInfo"]["nodeVersions"] = json!([nodes(NEW, 1), nodes(OLD, 3)]);
    let report = told_of(&[("/pools", json!([surge]))]);
    let counts = report.pools[0].counts;
    assert_eq!((counts.total, counts.desired, report.pools[0].completion_percent), (4, Some(3), Some(33)));
}

#[test]
fn us_s61_a_change_in_place_failed_on_a_node() {
    let mut failed = moving();
    failed["spec"]["management"] = json!({"upgradeType": "InPlace"});
    failed["status"]["conditions"] = json!([told(
        "UpdatingVersion",
        "False",
        "InplaceUpgradeFailed",
        "Node a-1 in nodepool degraded: disk is full",
        15
    )]);
    check(
        &[("/pools", json!([failed.clone()]))],
        &[
            "Failing Updating",
            "Completed False/NotProgressing 100% 4.17.9 to 4.18.3",
            "a Degraded InplaceUpgradeFailed 33% 1/3",
            "H-NODE-DEGRADED Error: The update in place failed on nodes of NodePool a: Node a-1 in nodepool degraded: disk is full",
        ],
    );
    // The guest's half tells which node, even where the message does not.
    failed["status"]["conditions"][0]["message"] = "degraded node found".into();
    let mut bad = node("a-1", "0aa", "1bb", "Degraded");
    bad["metadata"]["annotations"]["machineconfiguration.openshift.io/reason"] = "disk is full".into();
    let report = told_of(&[
        ("/pools", json!([failed])),
        ("/nodes", json!([node("a-0", "1bb", "1bb", "Done"), bad, node("a-2", "0aa", "0aa", "Done")])),
        ("/seen/guest", true.into()),
    ]);
    let [insight] = report.insights.as_slice() else { panic!("{:#?}", report.insights) };
    assert_eq!(insight.summary, "The update in place failed on node a-1 of NodePool a: degraded node found");
    assert!(insight.description.contains("disk is full"), "{}", insight.description);
    assert_eq!(insight.resources[1].name, "a-1");
    let units: Vec<String> =
        report.units.iter().map(|unit| format!("{} {} {}", unit.name, unit.assessment, unit.phase)).collect();
    assert_eq!(units, ["a-1 Degraded Updating", "a-2 Outdated Pending", "a-0 Completed Updated"]);
}

#[test]
fn us_s62_a_paused_pool_holds_back_what_is_old() {
    let mut paused = moving();
    paused["spec"]["pausedUntil"] = "true".into();
    check(
        &[("/pools", json!([paused.clone()]))],
        &[
            "NeedsAttention Updating",
            "Completed False/NotProgressing 100% 4.17.9 to 4.18.3",
            "a Excluded Paused 33% 1/3",
            "H-POOL-PAUSED Warning: Outdated nodes in the paused NodePool a will not be updated",
        ],
    );
    // A moment that has passed pauses nothing.
    paused["spec"]["pausedUntil"] = ago(5);
    let report = told_of(&[("/pools", json!([paused]))]);
    assert_eq!(lines(&report)[2..], ["a Progressing Progressing 33% 1/3"]);
    // Nothing is held back where nothing is old.
    let mut done = pool("a", NEW);
    done["spec"]["pausedUntil"] = "true".into();
    check(&[("/pools", json!([done]))], &DONE);
}

#[test]
fn us_s62_a_paused_cluster_is_told_once() {
    let changes = [
        ("/hosted/0/spec/pausedUntil", json!("true")),
        ("/hosted/0/spec/release/image", image("4.18.5").into()),
        ("/pools", json!([moving()])),
    ];
    check(
        &changes,
        &[
            "NeedsAttention Updating",
            "Paused False/Paused 0% 4.18.3 to 4.18.5",
            "a Excluded Paused 33% 1/3",
            "H-CLUSTER-PAUSED Warning: HostedCluster tern is paused, and its update with it",
        ],
    );
}

#[test]
fn us_s63_a_pool_too_far_from_its_control_plane() {
    let mut old = pool("a", "4.14.2");
    old["status"]["conditions"] =
        json!([told("SupportedVersionSkew", "False", "UnsupportedSkew", "4.14 is too old", 15)]);
    check(
        &[("/pools", json!([old]))],
        &[
            "NeedsAttention NotUpdating",
            "Completed False/NotProgressing 100% 4.17.9 to 4.18.3",
            "a Pending Pending 0% 0/3",
            "H-VERSION-SKEW Warning: NodePool a (4.14.2) is too far from its control plane (4.18.3)",
        ],
    );
}

fn gaps(report: &Report) -> Vec<String> {
    report.gaps.iter().map(|gap| format!("{:?} {gap}", gap.kind)).collect()
}

#[test]
fn us_s64_a_guest_out_of_reach_takes_nothing_away() {
    check(&[("/unreachable", "no route to host".into())], &DONE);
    let report = told_of(&[("/unreachable", "no route to host".into())]);
    assert_eq!(report.cluster.healthy.status, Truth::True);
    assert_eq!(gaps(&report), ["Optional HostedCluster/bay/tern: the guest's API was not reached: no route to host"]);
    // What the management cluster heard of it last is unknown now.
    let unknown = told("ClusterVersionProgressing", "Unknown", "StatusUnknown", "the guest was not heard", 5);
    check(
        &[("/hosted/0/status/conditions/3", unknown)],
        &["CannotTell Unknown", "Unknown Unknown/CannotDetermine 99% 4.17.9 to 4.18.3", "a Completed Updated 100% 3/3"],
    );
}

#[test]
fn us_s65_two_hosted_clusters_do_not_mix() {
    let mut both = inventory(&rolling(20));
    let mut other = inventory(&[]);
    other.hosted_clusters[0].metadata.name = "skua".into();
    other.node_pools[0].spec.cluster_name = "skua".into();
    for component in &mut other.components {
        component.metadata.namespace = "bay-skua".into();
    }
    let alone = (lines(&told_of(&rolling(20))), lines(&report(&other, &other.hosted_clusters[0])));
    both.hosted_clusters.extend(other.hosted_clusters);
    both.components.extend(other.components);
    both.node_pools.extend(other.node_pools);
    let together = both.hosted_clusters.iter().map(|cluster| report(&both, cluster)).collect::<Vec<_>>();
    assert_eq!((lines(&together[0]), lines(&together[1])), alone);
    assert_eq!(together[1].components.len(), 3);
    assert_eq!(together[1].cluster.name.as_deref(), Some("skua"));
}
