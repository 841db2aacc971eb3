//! What the peer gets wrong, status-openshift.md, 15: each row is a key, what it says (kept under its rules) and what
//! we say.
//!
//! Not here: 15.3.11 (durations below a second), 15.3.16 (commas in continued lines) and 15.3.17 (torn tables) are a
//! matter of the text; 15.3.12 (the clock) is tested with the clock.

use std::sync::Arc;

use headway_api::node::Node;
use headway_api::openshift::OperandVersion;
use headway_core::assess::Rules;
use headway_core::snapshot::{AlertsSeen, Snapshot};

use super::cluster::{
    Bend, False, NEW, NOW, OPERATORS, Step, True, Unknown, ago, at, bent, condition, idle, operator, put, rolling,
    said, set, updating, workers_rolling,
};
use super::told::{check, check_pair, compare};
use super::workers::alert;

/// All operators are at their version.
fn operators_done(snapshot: &mut Snapshot) {
    for name in OPERATORS {
        at(snapshot.operator(name), NEW);
    }
}

#[test]
fn oc_15_1_no_cluster_version() {
    let snapshot = bent(updating(), |s| s.cluster_version = None);
    check_pair(&snapshot, &[("updating", "Unknown/CannotDetermineUpdating", "Unknown/CannotDetermineUpdating")]);
    check(
        &snapshot,
        &[
            ("outcome", "Unknown/CannotTell"),
            ("versions", "Version - from -"),
            ("gaps", "Missing no ClusterVersion: neither the versions nor the state of the update can be told"),
        ],
    );
}

#[test]
fn oc_15_1_nodes_without_their_pools() {
    let pools = |names: &'static [&str]| {
        bent(updating(), |s| s.pools.retain(|pool| names.contains(&pool.metadata.name.as_str())))
    };
    let old = "Outdated Pending 4.20.1 ?";
    check_pair(
        &pools(&[]),
        &[("node m-0", old, old), ("node m-0 pool", "-", "-"), ("outcome", "Updating/Updating", "Updating/Updating")],
    );
    check_pair(&pools(&["worker"]), &[("node m-0 pool", "-", "-"), ("node w-0 pool", "worker", "worker")]);
    check_pair(&pools(&["master"]), &[("node m-0 pool", "master", "master"), ("node w-0 pool", "-", "-")]);
    check(&pools(&["master"]), &[("hints", "3 nodes belong to no pool and cannot be judged: w-0, w-1, w-2.")]);
}

#[test]
fn oc_15_1_completed_entries_without_an_end() {
    let newest = bent(updating(), |s| s.cv().status.history[0].state = "Completed".into());
    check_pair(
        &newest,
        &[
            ("updating", "Unknown/CannotDetermineUpdating", "Unknown/CannotDetermineUpdating"),
            ("took", "2400s", "2400s"),
            ("ended", "-", "-"),
        ],
    );
    let middle = bent(updating(), |s| s.cv().status.history[1].completion_time = None);
    check_pair(&middle, &[("left", "Known 3600s of 6000s", "Known 3600s of 6000s")]);
}

#[test]
fn oc_15_3_1_finished_although_nothing_began() {
    let snapshot = bent(updating(), |s| {
        for node in &mut s.nodes {
            put(Arc::make_mut(node), Step::Asked);
        }
    });
    let ours = "Progressing 0% (0/3), 0 available, 3 progressing, 3 draining";
    check_pair(
        &snapshot,
        &[
            ("pool master", "Completed 100% (3/3), 0 available", ours),
            ("pool worker", "Completed 100% (3/3), 0 available", ours),
            ("node w-1", "Completed Updated 4.20.1 -", "Progressing Draining 4.20.1 +10m"),
        ],
    );
}

#[test]
fn oc_15_3_2_completed_while_the_update_goes_on() {
    check_pair(
        &bent(rolling(), operators_done),
        &[
            ("assessment", "Completed", "Progressing"),
            ("ended", "2026-05-04T12:00:00Z", "-"),
            ("done", "100% (8/8)", "99% (8/8)"),
        ],
    );
    // No operator of the release is none of none.
    let none = bent(updating(), |s| s.operators.iter_mut().for_each(|operator| operator.metadata.platform.0 = false));
    check_pair(&none, &[("assessment", "Completed", "Progressing"), ("done", "- (0/0)", "- (0/0)")]);
    // Nor is it over while masters are old.
    let masters = bent(workers_rolling(), |s| put(s.node("m-1"), Step::Draining));
    check_pair(&masters, &[("assessment", "Completed", "Progressing")]);
}

#[test]
fn oc_15_3_3_idle_cluster_that_updates_for_ever() {
    let windows = |node: &mut Node| {
        node.metadata.annotations = Default::default();
        node.metadata.labels =
            [("kubernetes.io/os", "windows"), ("node-role.kubernetes.io/worker", "")].into_iter().collect();
    };
    let snapshot = bent(idle(), |s| windows(s.node("w-1")));
    check_pair(
        &snapshot,
        &[
            ("outcome", "Updating/Updating", "NotUpdating/NotUpdating"),
            (
                "pool worker",
                "Progressing 67% (2/3), 2 available, 1 unknown",
                "Progressing 67% (2/3), 3 available, 1 unknown",
            ),
            (
                "hints",
                "",
                "1 node of Windows, which the machine config operator does not manage; their version is not told here.",
            ),
        ],
    );
    let pruned = bent(idle(), |s| {
        s.node("w-1").metadata.annotations.current_config = Some("rendered-worker-pruned".into());
        s.node("w-1").metadata.annotations.desired_config = Some("rendered-worker-pruned".into());
        s.pool("worker").spec.paused = true;
    });
    // Nothing says that it updates; nor does anything say that the node is where it should be.
    check_pair(&pruned, &[("outcome", "Updating/NeedsAttention", "NotUpdating/CannotTell")]);
}

#[test]
fn oc_15_3_4_old_masters_of_an_idle_cluster() {
    let snapshot = bent(idle(), |s| put(s.node("m-1"), Step::Old));
    check_pair(
        &snapshot,
        &[("outcome", "NotUpdating/NotUpdating", "Updating/Updating"), ("assessment", "Completed", "Progressing")],
    );
}

#[test]
fn oc_15_3_5_pending_hides_degraded() {
    let snapshot = bent(updating(), |s| {
        for name in ["w-0", "w-1", "w-2"] {
            let notes = &mut s.node(name).metadata.annotations;
            notes.state = Some("Degraded".into());
            notes.reason = Some("why".into());
        }
    });
    let counts = "0% (0/3), 3 available, 3 degraded";
    check_pair(&snapshot, &[("pool worker", &format!("Pending {counts}"), &format!("Degraded {counts}"))]);
}

#[test]
fn oc_15_3_6_image_mode_hides_unavailable() {
    let snapshot = bent(workers_rolling(), |s| {
        let node = s.node("w-0");
        node.metadata.annotations.current_image = Some("image".into());
        node.metadata.annotations.desired_image = Some("image".into());
        set(&mut node.status.conditions, condition("Ready", False, ago(30)));
    });
    check_pair(
        &snapshot,
        &[
            ("node w-0", "Completed Updated 4.20.2 -", "Unavailable Updated 4.20.2 - Not ready"),
            ("health", "", "Warning NODE-UNAVAILABLE w-0"),
        ],
    );
}

#[test]
fn oc_15_3_7_findings_without_words_are_lost() {
    let snapshot = bent(rolling(), |s| {
        put(s.node("w-1"), Step::Degraded);
        s.node("w-1").metadata.annotations.reason = None;
        s.cv_says(said("Failing", True, ago(3), "Why", ""));
    });
    check_pair(
        &snapshot,
        &[
            ("health", "", "Error NODE-DEGRADED w-1; Warning CV-FAILING version"),
            ("description NODE-DEGRADED", "-", "<no reason given>"),
            ("description CV-FAILING", "-", "<no message>"),
        ],
    );
}

#[test]
fn oc_15_3_8_not_ready_described_by_the_degradation() {
    let snapshot = bent(workers_rolling(), |s| {
        put(s.node("w-0"), Step::New);
        s.node("w-0").metadata.annotations.state = Some("Degraded".into());
        s.node("w-0").metadata.annotations.reason = Some("the disk is full".into());
        set(&mut s.node("w-0").status.conditions, said("Ready", False, ago(30), "R", "gone"));
    });
    let ours = "Node has a Ready!=True condition with Reason \"Not ready\" and message \"gone\"";
    check_pair(&snapshot, &[("description NODE-UNAVAILABLE", "the disk is full", ours)]);
}

#[test]
fn oc_15_3_9_grace_by_the_wall_clock() {
    let snapshot =
        bent(workers_rolling(), |s| set(&mut s.node("w-0").status.conditions, condition("Ready", False, ago(4))));
    let a_year_later = Rules::Oc { grace: ago(-365 * 24 * 60) };
    compare(&snapshot, Rules::Oc { grace: NOW }, &[("health", "")]);
    compare(&snapshot, a_year_later, &[("health", "Warning NODE-UNAVAILABLE w-0")]);
    check(&snapshot, &[("health", "")]);
}

#[test]
fn oc_15_3_10_machine_config_without_its_deployment() {
    let snapshot = bent(idle(), |s| {
        let image = OperandVersion { name: "operator-image".into(), version: "mco-2".into() };
        s.operator("machine-config").status.versions.push(image);
    });
    check_pair(
        &snapshot,
        &[
            ("done", "88% (7/8), 1 waiting", "100% (8/8)"),
            ("assessment", "Progressing", "Completed"),
            ("co machine-config", "False/Pending True/AsExpected", "False/Updated True/AsExpected"),
        ],
    );
}

#[test]
fn oc_15_3_13_what_is_taken_for_multi_arch_or_an_installation() {
    let nightly = bent(updating(), |s| s.cv().status.history[1].version = NEW.into());
    check_pair(
        &nightly,
        &[
            ("versions", "MultiArchitecture 4.20.2 from 4.20.2", "Image 4.20.2 from 4.20.2"),
            ("left", "NotForMultiArchitecture 3600s of 6000s", "Known 3600s of 6000s"),
        ],
    );
    let multi = bent(nightly, |s| s.cv().status.desired.architecture = "Multi".into());
    let told = "MultiArchitecture 4.20.2 from 4.20.2 for Multi";
    check_pair(&multi, &[("versions", told, told)]);
    let partial = bent(multi, |s| s.cv().status.history[1].state = "Partial".into());
    let told = "MultiArchitecture 4.20.2 from 4.20.2 (partial) for Multi";
    check_pair(&partial, &[("versions", told, told)]);
    let years_later = bent(idle(), |s| s.cv().status.history.truncate(1));
    check_pair(&years_later, &[("versions", "Installation 4.20.2 from -", "Version 4.20.2 from -")]);
}

#[test]
fn oc_15_3_14_operators_that_do_not_say() {
    let snapshot = bent(updating(), |s| {
        s.operator_says("dns", condition("Progressing", Unknown, ago(20)));
        s.operator("image-registry").status.conditions.retain(|condition| condition.kind != "Progressing");
    });
    // The peer's text leaves the unknown ones out; the Report has them under either rules.
    let told = "50% (4/8), 1 updating, 1 waiting, 2 unknown";
    check_pair(
        &snapshot,
        &[
            ("done", told, told),
            ("co dns", "Unknown/CannotDetermine True/AsExpected", "Unknown/CannotDetermine True/AsExpected"),
        ],
    );
}

#[test]
fn oc_15_3_15_alerts() {
    let with = |alerts: Vec<_>| bent(updating(), |s| s.alerts = AlertsSeen::Answer(alerts));
    // True before the update, firing in it.
    let mut late = alert("Late", "warning", ago(41));
    late.firing_since = Some(ago(31));
    check_pair(
        &with(vec![late]),
        &[("health", "", "Warning ALERT shop/Late"), ("since ALERT", "-", "2026-05-04T11:29:00Z")],
    );
    // Further severities.
    let error = alert("Some", "error", ago(3));
    check_pair(&with(vec![error]), &[("health", "", "Error ALERT shop/Some")]);
    // One alert on many series.
    let three = [ago(3), ago(5), ago(4)].map(|since| alert("Some", "warning", since));
    check_pair(
        &with(three.to_vec()),
        &[
            (
                "health",
                "Warning ALERT shop/Some; Warning ALERT shop/Some; Warning ALERT shop/Some",
                "Warning ALERT shop/Some",
            ),
            (
                "summary ALERT",
                "Alert is firing: Summary of Some",
                "Alert is firing: Summary of Some (namespace shop) (3 times)",
            ),
            ("since ALERT", "2026-05-04T11:57:00Z", "2026-05-04T11:55:00Z"),
        ],
    );
    // An alert is no object of config.openshift.io, and says little without what it speaks of.
    let mut budget = alert("PodDisruptionBudgetAtLimit", "warning", ago(3));
    budget.labels.insert("poddisruptionbudget".into(), "all".into());
    let mut node = alert("Node", "critical", ago(3));
    node.labels.remove("namespace");
    node.labels.insert("node".into(), "w-0".into());
    check_pair(
        &with(vec![budget]),
        &[(
            "summary ALERT",
            "Alert is firing: Summary of PodDisruptionBudgetAtLimit",
            "Alert is firing: Summary of PodDisruptionBudgetAtLimit (PodDisruptionBudget shop/all)",
        )],
    );
    check_pair(
        &with(vec![node]),
        &[
            ("summary ALERT", "Alert is firing: Summary of Node", "Alert is firing: Summary of Node (node w-0)"),
            ("resources ALERT", "alerts.config.openshift.io Node", "alerts Node"),
        ],
    );
}

#[test]
fn oc_15_4_the_curve_says_more_than_all() {
    // With 1,999 of 2,000 operators done the curve says 1.017: less time in all than has gone by.
    let snapshot = bent(updating(), |s| {
        s.operators = (0..2000).map(|number| operator(&format!("operator-{number}"))).collect();
        for operator in &mut s.operators[..1999] {
            at(operator, NEW);
        }
        s.operator_says("operator-0", condition("Progressing", False, ago(0)));
    });
    check_pair(&snapshot, &[("left", "Known -33s of 2340s", "Known 0s of 2400s")]);
}
