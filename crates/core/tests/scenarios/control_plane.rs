//! Scenarios of update-status-api.md, 7, about the cluster and its versions: S1 to S19.
//!
//! Not here, for one snapshot cannot show them: the 30 seconds for which S15 holds a contradiction back, S26
//! (flapping), S48 to S50 (restarts and broken watches), which are in `watching`; S51 and S52 (sizes of API objects) and
//! S54 to S56 (writing and reading the API) are tests of `publish` and of the operator. What all forms share is told to
//! all of them in `forms`.

use std::sync::Arc;

use headway_api::openshift::OperandVersion;
use headway_core::snapshot::Snapshot;

use super::cluster::{
    Bend, False, NEW, OLD, Step, True, Unknown, ago, at, bent, condition, custom, entry, idle, operator, operators,
    put, roles, rolling, said, seconds_ago, updating,
};
use super::told::check;

#[test]
fn the_cluster_that_the_scenarios_bend_is_well() {
    check(
        &updating(),
        &[
            ("outcome", "Updating/Updating"),
            ("updating", "True/ClusterVersionProgressing"),
            ("assessment", "Progressing"),
            ("healthy", "True/AsExpected"),
            ("versions", "Version 4.20.2 from 4.20.1"),
            ("done", "50% (4/8), 1 updating, 3 waiting"),
            ("left", "Known 3600s of 6000s"),
            ("took", "2400s"),
            ("pool master", "Pending 0% (0/3), 3 available"),
            ("pool worker", "Pending 0% (0/3), 3 available"),
            ("health", ""),
            ("hints", ""),
            ("gaps", ""),
        ],
    );
    check(
        &rolling(),
        &[
            ("outcome", "Updating/Updating"),
            ("done", "88% (7/8), 1 updating"),
            ("pool master", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
            ("pool master says", "True/Progressing True/AsExpected"),
            ("node m-0", "Completed Updated 4.20.2 -"),
            ("node m-1", "Progressing Draining 4.20.1 +10m"),
            ("node m-2", "Outdated Pending 4.20.1 ?"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s01_nothing_is_updating() {
    check(
        &idle(),
        &[
            ("outcome", "NotUpdating/NotUpdating"),
            ("updating", "False/ClusterVersionNotProgressing"),
            ("assessment", "Completed"),
            ("done", "100% (8/8)"),
            ("left", "-"),
            ("took", "2100s"),
            ("ended", "2026-05-04T11:55:00Z"),
            ("pool master", "Completed 100% (3/3), 3 available"),
            ("pool worker", "Completed 100% (3/3), 3 available"),
            ("pool worker says", "False/Updated True/AsExpected"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s02_a_fresh_installation() {
    let snapshot = bent(updating(), |s| {
        s.cv().status.history.truncate(1);
        s.pools.clear();
        s.nodes.clear();
        s.machine_configs.clear();
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Updating"),
            ("updating", "True/ClusterVersionProgressing"),
            ("versions", "Installation 4.20.2 from -"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s03_six_seconds_in_with_a_paused_pool() {
    let snapshot = bent(updating(), |s| {
        operators(s, 33, 4);
        s.cv().status.history[0].started_time = Some(seconds_ago(6));
        s.pool("worker").spec.paused = true;
    });
    check(
        &snapshot,
        &[
            ("done", "12% (4/33), 29 waiting"),
            ("left", "Known 4320s of 4320s"),
            ("pool worker", "Excluded 0% (0/3), 3 available, 3 excluded"),
            ("pool worker says", "False/Paused True/AsExpected"),
            ("node w-1", "Excluded Paused 4.20.1 -"),
            ("health", "Warning POOL-PAUSED worker"),
            ("impact POOL-PAUSED", "Update Stalled WorkerPool"),
        ],
    );
}

#[test]
fn us_s04_from_an_update_that_never_completed() {
    let snapshot = bent(updating(), |s| {
        operators(s, 33, 1);
        s.operator_says("kube-apiserver", condition("Progressing", True, ago(2)));
        s.operator_says("etcd", condition("Progressing", True, ago(2)));
        at(s.operator("etcd"), OLD);
        at(s.operator("dns"), NEW);
        s.cv().status.history[1].state = "Partial".into();
    });
    check(
        &snapshot,
        &[
            ("versions", "Version 4.20.2 from 4.20.1 (partial)"),
            ("done", "3% (1/33), 2 updating, 30 waiting"),
            ("co etcd", "True/Progressing True/AsExpected"),
            ("co kube-apiserver", "True/Progressing True/AsExpected"),
            ("health", "Warning CV-PARTIAL version"),
            ("summary CV-PARTIAL", "Previous update to 4.20.1 never completed, last complete update was 4.20.0"),
            ("since CV-PARTIAL", "2026-05-04T11:20:00Z"),
            ("impact CV-PARTIAL", "None ControlPlane"),
        ],
    );
    let nothing_complete = bent(snapshot, |s| s.cv().status.history[2].state = "Partial".into());
    let unknown = "Previous update to 4.20.1 never completed, last complete update was unknown";
    check(&nothing_complete, &[("summary CV-PARTIAL", unknown)]);
}

#[test]
fn us_s05_stalled_with_operators_down_for_an_hour() {
    let snapshot = bent(rolling(), |s| {
        s.cv().status.history[0].started_time = Some(ago(119));
        s.operator_says("machine-config", condition("Progressing", True, ago(80)));
        for name in ["etcd", "console", "dns"] {
            s.operator_says(name, condition("Degraded", True, ago(60)));
        }
        s.operator_says("machine-config", condition("Degraded", True, ago(61)));
        s.operator_says("machine-config", condition("Available", False, ago(59)));
        s.cv_says(said("Failing", True, ago(0), "ClusterOperatorsDegraded", "Three of them."));
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Failing"),
            ("assessment", "Stalled"),
            ("healthy", "False/Failing"),
            ("done", "88% (7/8), 1 updating"),
            ("sick", "1 unavailable, 3 degraded"),
            ("left", "Overdue -1660s of 5460s"),
            (
                "health",
                "Error UPDATE-STALLED version,machine-config; Error CO-UNAVAILABLE machine-config; \
                 Error CO-DEGRADED etcd; Error CO-DEGRADED console; Error CO-DEGRADED dns; \
                 Error CO-DEGRADED machine-config; Warning CV-FAILING version",
            ),
            ("impact CV-FAILING", "Update Stalled ControlPlane"),
        ],
    );
    // What names its cause is folded into it: one cause, one line.
    let named = bent(snapshot, |s| s.cv_says(said("Failing", True, ago(0), "R", "Cluster operator dns is degraded")));
    check(
        &named,
        &[(
            "health",
            "Error UPDATE-STALLED version,machine-config; Error CO-UNAVAILABLE machine-config; \
                 Error CO-DEGRADED etcd; Error CO-DEGRADED console; Error CO-DEGRADED dns; \
                 Error CO-DEGRADED machine-config",
        )],
    );
}

#[test]
fn us_s06_slow_with_machine_config_down_for_twenty_minutes() {
    let snapshot = bent(rolling(), |s| {
        s.cv().status.history[0].started_time = Some(ago(80));
        s.operator_says("machine-config", condition("Progressing", True, ago(45)));
        s.operator_says("machine-config", condition("Available", False, seconds_ago(20 * 60 + 24)));
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/NeedsAttention"),
            ("assessment", "Progressing - Slow"),
            ("health", "Error CO-UNAVAILABLE machine-config"),
            ("impact CO-UNAVAILABLE", "API Availability ControlPlane"),
            ("sick", "1 unavailable, 0 degraded"),
        ],
    );
}

#[test]
fn us_s08_only_operators_of_the_release_count() {
    let snapshot = bent(updating(), |s| {
        operators(s, 7, 3);
        let mut foreign = operator("a-foreign-one");
        foreign.metadata.platform.0 = false;
        s.operators.push(foreign);
        s.operator_says("a-foreign-one", condition("Degraded", True, ago(600)));
        s.pools.push(custom("gpu"));
    });
    check(
        &snapshot,
        &[
            ("done", "43% (3/7), 4 waiting"),
            ("co a-foreign-one", "-"),
            // The paper's share of an empty pool is 100; ours is absent, since there is nothing to share.
            ("pool gpu", "Empty - (0/0), 0 available"),
            ("pool gpu says", "False/Updated True/AsExpected"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s09_compact_cluster() {
    let snapshot = bent(rolling(), |s| {
        s.nodes.truncate(3);
        for node in &mut s.nodes {
            Arc::make_mut(node).metadata.labels = roles(&["master", "worker", "control-plane"]);
        }
    });
    check(
        &snapshot,
        &[
            ("pool worker", "Empty - (0/0), 0 available"),
            ("pool master", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
            ("nodes", "m-1; m-2; m-0"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s10_single_node_with_a_short_spell_of_trouble() {
    let snapshot = bent(updating(), |s| {
        s.nodes.truncate(1);
        s.operator_says("etcd", condition("Degraded", True, ago(4)));
    });
    check(
        &snapshot,
        &[
            ("co etcd", "False/Updated False/Degraded"),
            ("sick", "0 unavailable, 1 degraded"),
            ("health", ""),
            ("outcome", "Updating/Updating"),
        ],
    );
}

/// The multi-architecture payload of the version that the cluster has: configurations change, versions do not.
fn to_multi() -> Snapshot {
    bent(rolling(), |s| {
        s.cv().status.history[1].version = NEW.into();
        s.cv().status.desired.architecture = "Multi".into();
        for version in s.machine_configs.values_mut() {
            *version = Some(NEW.into());
        }
        s.mco_image = Some("mco-2".into());
        at(s.operator("machine-config"), NEW);
        image(s, "mco-1");
    })
}

fn image(snapshot: &mut Snapshot, image: &str) {
    let image = OperandVersion { name: "operator-image".into(), version: image.into() };
    snapshot.operator("machine-config").status.versions.push(image);
}

#[test]
fn us_s13_multi_arch_migration() {
    check(
        &to_multi(),
        &[
            ("versions", "MultiArchitecture 4.20.2 from 4.20.2 for Multi"),
            ("updating", "True/ClusterVersionProgressing"),
            ("done", "88% (7/8), 1 updating"),
            ("co machine-config", "True/Progressing True/AsExpected"),
            ("left", "NotForMultiArchitecture 1860s of 4260s"),
            ("pool worker", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
            ("node w-0", "Completed Updated 4.20.2 -"),
            ("node w-1", "Progressing Draining 4.20.2 +10m"),
            ("node w-2", "Outdated Pending 4.20.2 ?"),
            ("health", ""),
        ],
    );
}

#[test]
fn us_s14_multi_arch_migration_finished() {
    let snapshot = bent(to_multi(), |s| {
        at(s.operator("machine-config"), NEW);
        image(s, "mco-2");
        s.operator_says("machine-config", condition("Progressing", False, ago(6)));
        s.ends(ago(5));
        for node in &mut s.nodes {
            put(Arc::make_mut(node), Step::New);
        }
    });
    check(
        &snapshot,
        &[
            ("outcome", "NotUpdating/NotUpdating"),
            ("co machine-config", "False/Updated True/AsExpected"),
            ("done", "100% (8/8)"),
            ("assessment", "Completed"),
        ],
    );
}

#[test]
fn us_s15_progressing_though_the_history_is_complete() {
    let snapshot = bent(idle(), |s| s.cv_says(condition("Progressing", True, ago(40))));
    check(
        &snapshot,
        &[
            ("outcome", "Unknown/CannotTell"),
            ("updating", "Unknown/CannotDetermineUpdating"),
            ("assessment", "Unknown"),
            ("done", "99% (8/8)"),
            ("health", "Warning CV-CONTRADICT version"),
        ],
    );
    let check_pair = |progressing, state: &str, end: Option<i64>, expect: &str, health: &str| {
        let snapshot = bent(idle(), |s| {
            s.cv_says(condition("Progressing", progressing, ago(40)));
            s.cv().status.history[0] = entry(state, NEW, "image-2", ago(40), end.map(ago));
        });
        check(&snapshot, &[("updating", expect), ("health", health)]);
    };
    // The table of 3.1, row by row.
    check_pair(True, "Partial", None, "True/ClusterVersionProgressing", "");
    check_pair(True, "Completed", None, "Unknown/CannotDetermineUpdating", "Warning CV-CONTRADICT version");
    check_pair(True, "Partial", Some(5), "Unknown/CannotDetermineUpdating", "Warning CV-CONTRADICT version");
    check_pair(False, "Completed", Some(5), "False/ClusterVersionNotProgressing", "");
    check_pair(False, "Partial", None, "Unknown/CannotDetermineUpdating", "Warning CV-CONTRADICT version");
    check_pair(False, "Completed", None, "Unknown/CannotDetermineUpdating", "Warning CV-CONTRADICT version");
    check_pair(Unknown, "Partial", None, "Unknown/CannotDetermineUpdating", "");
}

#[test]
fn us_s16_no_progressing_condition() {
    let drop = |s: &mut Snapshot| s.cv().status.conditions.retain(|condition| condition.kind != "Progressing");
    check(
        &bent(idle(), drop),
        &[
            ("outcome", "Unknown/CannotTell"),
            ("updating", "Unknown/CannotDetermineUpdating"),
            ("assessment", "Unknown"),
        ],
    );
    // Old nodes are seen all the same.
    check(&bent(updating(), drop), &[("outcome", "Updating/Updating"), ("assessment", "Unknown")]);
}

#[test]
fn us_s55_a_version_alone_that_says_it_is_done_is_not_believed() {
    let alone = bent(idle(), |s| s.operators.clear());
    let expect = [
        ("outcome", "Unknown/CannotTell"),
        ("updating", "False/ClusterVersionNotProgressing"),
        ("assessment", "Unknown"),
    ];
    check(&alone, &expect);
}

#[test]
fn us_s17_no_history() {
    let snapshot = bent(idle(), |s| s.cv().status.history.clear());
    check(
        &snapshot,
        &[
            ("outcome", "Unknown/CannotTell"),
            ("updating", "Unknown/CannotDetermineUpdating"),
            ("versions", "Version - from -"),
            ("took", "-"),
            ("left", "-"),
        ],
    );
    // An entry without a version is no target either: nothing says what the nodes should run.
    let no_version = bent(idle(), |s| s.cv().status.history[0].version.clear());
    check(&no_version, &[("outcome", "Unknown/CannotTell"), ("versions", "Version - from 4.20.1")]);
}

#[test]
fn us_s18_no_failing_condition() {
    let snapshot = bent(updating(), |s| s.cv().status.conditions.retain(|condition| condition.kind != "Failing"));
    check(
        &snapshot,
        &[
            ("healthy", "Unknown/CannotDetermine"),
            ("health", "Warning CV-FAILING-MISSING version"),
            ("impact CV-FAILING-MISSING", "Update Stalled ControlPlane"),
            ("summary CV-FAILING-MISSING", "Cluster Version version has no Failing condition"),
        ],
    );
}

#[test]
fn us_s19_failing_unknown_and_true() {
    let check = |status, since: i64, assessment: &str, health: &str, summary: &str| {
        let snapshot = bent(updating(), |s| s.cv_says(condition("Failing", status, ago(since))));
        check(&snapshot, &[("assessment", assessment), ("health", health), ("summary CV-FAILING", summary)]);
    };
    let may = "Cluster Version version may be failing to proceed with the update (Reason)";
    let is = "Cluster Version version is failing to proceed with the update (Reason)";
    check(Unknown, 1, "Progressing", "Warning CV-FAILING version", may);
    check(Unknown, 30, "Progressing", "Warning CV-FAILING version", may);
    check(True, 1, "Progressing", "Warning CV-FAILING version", is);
    check(True, 6, "Degraded", "Warning CV-FAILING version", is);
    check(True, 20, "Degraded", "Warning CV-FAILING version", is);
    check(True, 21, "Degraded", "Error CV-FAILING version", is);
}
