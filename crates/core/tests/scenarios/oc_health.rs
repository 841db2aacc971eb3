//! The peer's insights, status-openshift.md, 8 and 9.1: what its recorded examples do not pin.
//!
//! Not here, for they are a matter of the text: the row "proceeding well" with its rounding (9.2), ages (9.3), and the
//! comma in continued lines (9.5).

use headway_api::node::Node;
use headway_api::prometheus::Alert;
use headway_core::assess::Rules;
use headway_core::snapshot::AlertsSeen;
use jiff::Timestamp;

use super::cluster::{
    Bend, False, NOW, Step, True, Unknown, ago, bent, condition, entry, put, rolling, said, seconds_ago, set, updating,
    workers_rolling,
};
use super::told::{check_oc, compare};
use super::workers::alert;

const DEGRADED_RUNBOOK: &str =
    "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDegraded.md";
const DOWN_RUNBOOK: &str =
    "https://github.com/openshift/runbooks/blob/master/alerts/cluster-monitoring-operator/ClusterOperatorDown.md";

#[test]
fn oc_8_1_failing_is_missing() {
    let snapshot = bent(updating(), |s| s.cv().status.conditions.retain(|condition| condition.kind != "Failing"));
    check_oc(
        &snapshot,
        &[
            ("health", "Warning CV-FAILING-MISSING version"),
            ("since CV-FAILING-MISSING", "2026-05-04T12:00:00Z"),
            ("impact CV-FAILING-MISSING", "Update Stalled ControlPlane"),
            ("reference CV-FAILING-MISSING", DEGRADED_RUNBOOK),
            ("summary CV-FAILING-MISSING", "Cluster Version version has no Failing condition"),
            (
                "description CV-FAILING-MISSING",
                "Current status of Cluster Version reconciliation is unclear.  See 'oc -n openshift-cluster-version \
                 logs -l k8s-app=cluster-version-operator --tail -1' to debug.",
            ),
        ],
    );
}

#[test]
fn oc_8_1_failing_has_no_grace_and_no_error() {
    let check = |status, minutes: i64, summary: &str| {
        let snapshot = bent(updating(), |s| s.cv_says(said("Failing", status, ago(minutes), "Why", "What.")));
        let health = if summary == "-" { "" } else { "Warning CV-FAILING version" };
        check_oc(&snapshot, &[("health", health), ("summary CV-FAILING", summary)]);
    };
    check(False, 0, "-");
    check(True, 0, "Cluster Version version is failing to proceed with the update (Why)");
    check(True, 600, "Cluster Version version is failing to proceed with the update (Why)");
    check(Unknown, 600, "Cluster Version version may be failing to proceed with the update (Why)");
}

#[test]
fn oc_8_2_thresholds_are_strict() {
    let check = |kind: &str, status, seconds: i64, level: &str| {
        let snapshot = bent(updating(), |s| s.operator_says("etcd", condition(kind, status, seconds_ago(seconds))));
        let rule = if kind == "Available" { "CO-UNAVAILABLE" } else { "CO-DEGRADED" };
        let health = if level.is_empty() { String::new() } else { format!("{level} {rule} etcd") };
        check_oc(&snapshot, &[("health", &health)]);
    };
    check("Available", False, 300, "");
    check("Available", False, 301, "Warning");
    check("Available", False, 1200, "Warning");
    check("Available", False, 1201, "Error");
    check("Available", Unknown, 9000, "");
    check("Degraded", True, 300, "");
    check("Degraded", True, 301, "Warning");
    check("Degraded", True, 2400, "Warning");
    check("Degraded", True, 2401, "Error");
    check("Degraded", Unknown, 9000, "");
}

#[test]
fn oc_8_2_texts() {
    let snapshot = bent(updating(), |s| {
        s.operator_says("etcd", said("Available", False, ago(6), "Why", ""));
        s.operator_says("dns", said("Degraded", True, ago(7), "", "one\ntwo"));
    });
    check_oc(
        &snapshot,
        &[
            ("health", "Warning CO-UNAVAILABLE etcd; Warning CO-DEGRADED dns"),
            ("summary CO-UNAVAILABLE", "Cluster Operator etcd is unavailable (Why)"),
            ("description CO-UNAVAILABLE", "<no message>"),
            ("reference CO-UNAVAILABLE", DOWN_RUNBOOK),
            ("resources CO-UNAVAILABLE", "clusteroperators.config.openshift.io etcd"),
            ("summary CO-DEGRADED", "Cluster Operator dns is degraded ()"),
            ("description CO-DEGRADED", "one\ntwo"),
            ("reference CO-DEGRADED", DEGRADED_RUNBOOK),
            ("since CO-DEGRADED", "2026-05-04T11:53:00Z"),
        ],
    );
}

#[test]
fn oc_8_3_the_last_complete_update_is_unknown() {
    let check = |older: &[(&str, &str)], last: &str| {
        let snapshot = bent(updating(), |s| {
            s.cv().status.history.truncate(2);
            s.cv().status.history[1].state = "Partial".into();
            let old = older.iter().map(|(state, version)| entry(state, version, "image", ago(9000), Some(ago(8000))));
            s.cv().status.history.extend(old);
        });
        let summary = format!("Previous update to 4.20.1 never completed, last complete update was {last}");
        let description =
            "Current update to 4.20.2 was initiated while the previous update to version 4.20.1 was still in progress";
        check_oc(
            &snapshot,
            &[
                ("health", "Warning CV-PARTIAL version"),
                ("summary CV-PARTIAL", &summary),
                ("description CV-PARTIAL", description),
                ("since CV-PARTIAL", "2026-05-04T11:20:00Z"),
            ],
        );
    };
    check(&[], "unknown");
    check(&[("Partial", "4.20.0")], "unknown");
    check(&[("Partial", "4.20.0"), ("Completed", "4.19.9"), ("Completed", "4.19.8")], "4.19.9");
}

#[test]
fn oc_8_4_grace_periods_are_of_the_wall_clock() {
    let check = |kind: &str, status, seconds: i64, wall: Timestamp, health: &str| {
        let snapshot = bent(workers_rolling(), |s| {
            set(&mut s.node("w-0").status.conditions, condition(kind, status, seconds_ago(seconds)));
        });
        compare(&snapshot, Rules::Oc { grace: wall }, &[("health", health)]);
    };
    let down = "Warning NODE-UNAVAILABLE w-0";
    check("Ready", False, 299, NOW, "");
    check("Ready", False, 300, NOW, down);
    check("Ready", False, 299, ago(-1), down);
    check("Ready", False, 301, ago(1), "");
    check("DiskPressure", True, 59, NOW, "");
    check("DiskPressure", True, 60, NOW, down);
    check("NetworkUnavailable", Unknown, 59, NOW, "");
    check("NetworkUnavailable", Unknown, 60, NOW, down);
}

#[test]
fn oc_8_4_texts_are_quoted_as_in_go() {
    let snapshot = bent(workers_rolling(), |s| {
        let node = s.node("w-0");
        node.status.conditions = vec![
            said("NetworkUnavailable", True, ago(50), "R", "no \"route\"\u{7f}"),
            said("DiskPressure", True, ago(60), "R", "é\u{a0}"),
            said("Ready", False, seconds_ago(10), "R", "kubelet\\stopped\n\tposting"),
        ];
        node.spec.unschedulable = true;
    });
    check_oc(
        &snapshot,
        &[
            (
                "summary NODE-UNAVAILABLE",
                "Node w-0 has unavailable network | Node w-0 has disk pressure | Node w-0 is not ready | \
                 Node is marked unschedulable",
            ),
            (
                "description NODE-UNAVAILABLE",
                "Node has a NetworkUnavailable!=False condition with Reason \"Network unavailable\" and message \
                 \"no \\\"route\\\"\\x7f\" | Node has a DiskPressure!=False condition with Reason \"Disk pressure\" \
                 and message \"é\\u00a0\" | Node has a Ready!=True condition with Reason \"Not ready\" and message \
                 \"kubelet\\\\stopped\\n\\tposting\" | Node is marked unschedulable",
            ),
            ("since NODE-UNAVAILABLE", "2026-05-04T11:00:00Z"),
            ("impact NODE-UNAVAILABLE", "Update Speed WorkerPool"),
            ("resources NODE-UNAVAILABLE", "nodes w-0"),
        ],
    );
    let timeless = bent(workers_rolling(), |s| {
        set(&mut s.node("w-0").status.conditions, condition("Ready", False, ago(1)));
        s.node("w-0").status.conditions[2].last_transition_time = None;
    });
    check_oc(&timeless, &[("health", "Warning NODE-UNAVAILABLE w-0"), ("since NODE-UNAVAILABLE", "-")]);
}

#[test]
fn oc_8_4_not_while_updating_nor_when_available() {
    let check = |step: Step, bend: fn(&mut Node), health: &str| {
        let snapshot = bent(workers_rolling(), |s| {
            let node = s.node("w-1");
            put(node, step);
            set(&mut node.status.conditions, condition("Ready", False, ago(30)));
            bend(node);
        });
        check_oc(&snapshot, &[("health", health)]);
    };
    check(Step::Old, |_| {}, "Warning NODE-UNAVAILABLE w-1");
    check(Step::New, |_| {}, "Warning NODE-UNAVAILABLE w-1");
    check(Step::Draining, |_| {}, "");
    check(Step::Rebooting, |_| {}, "");
    check(Step::New, |node| node.metadata.annotations.desired_image = Some("a".into()), "");
    // A cordon alone is nothing.
    check(
        Step::New,
        |node| {
            node.status.conditions.clear();
            node.spec.unschedulable = true;
        },
        "",
    );
}

#[test]
fn oc_8_4_a_degraded_node_that_is_not_ready() {
    let snapshot = bent(workers_rolling(), |s| {
        let node = s.node("w-0");
        node.metadata.annotations.state = Some("Degraded".into());
        node.metadata.annotations.reason = Some("the disk is full".into());
        set(&mut node.status.conditions, condition("Ready", False, ago(30)));
    });
    check_oc(
        &snapshot,
        &[
            ("health", "Error NODE-DEGRADED w-0; Warning NODE-UNAVAILABLE w-0"),
            ("summary NODE-UNAVAILABLE", "Node w-0 is not ready"),
            ("description NODE-UNAVAILABLE", "the disk is full"),
        ],
    );
}

#[test]
fn oc_8_5_degraded_nodes_and_paused_pools() {
    let snapshot = bent(rolling(), |s| {
        put(s.node("m-1"), Step::Degraded);
        s.pool("master").spec.paused = true;
    });
    check_oc(
        &snapshot,
        &[
            ("health", "Error NODE-DEGRADED m-1; Warning POOL-PAUSED master"),
            ("pool master", "Degraded 33% (1/3), 3 available, 1 excluded, 1 degraded"),
            ("since NODE-DEGRADED", "-"),
            ("summary NODE-DEGRADED", "Node m-1 is degraded"),
            ("description NODE-DEGRADED", "the disk is full"),
            ("summary POOL-PAUSED", "Outdated nodes in a paused pool 'master' will not be updated"),
            ("resources POOL-PAUSED", "machineconfigpools.machineconfiguration.openshift.io master"),
        ],
    );
}

/// Bends an alert that began during the update; compares level and name, or nothing.
#[track_caller]
fn check_alert(bend: impl FnOnce(&mut Alert), health: &str, description: &str) {
    let mut one = alert("Some", "warning", ago(3));
    bend(&mut one);
    let snapshot = bent(updating(), |s| s.alerts = AlertsSeen::Answer(vec![one]));
    check_oc(&snapshot, &[("health", health), ("description ALERT", description)]);
}

#[test]
fn oc_8_6_which_alerts_count() {
    let during = "Alert started firing during the update. The alert has no description.";
    let known = "Alert known to affect updates started firing during the update. The alert has no description.";
    let before =
        "Alert known to affect updates has been firing since before the update started. The alert has no description.";
    let some = "Warning ALERT shop/Some";
    let call = |name: &'static str| move |alert: &mut Alert| drop(alert.labels.insert("alertname".into(), name.into()));
    let rate =
        |level: &'static str| move |alert: &mut Alert| drop(alert.labels.insert("severity".into(), level.into()));
    check_alert(|_| {}, some, during);
    check_alert(|alert| drop(alert.labels.remove("alertname")), "", "-");
    check_alert(call(""), "", "-");
    check_alert(|alert| alert.active_at = Some(ago(40)), "", "-");
    check_alert(|alert| alert.active_at = Some(seconds_ago(40 * 60 - 1)), some, during);
    check_alert(|alert| alert.active_at = None, "", "-");
    check_alert(call("PodDisruptionBudgetLimit"), "Warning ALERT shop/PodDisruptionBudgetLimit", known);
    check_alert(
        |alert| {
            call("PodDisruptionBudgetAtLimit")(alert);
            alert.active_at = Some(ago(40));
        },
        "Warning ALERT shop/PodDisruptionBudgetAtLimit",
        before,
    );
    check_alert(
        |alert| {
            call("PodDisruptionBudgetLimits")(alert);
            alert.active_at = Some(ago(40));
        },
        "",
        "-",
    );
    check_alert(|alert| alert.state = "pending".into(), "", "-");
    check_alert(|alert| alert.state = "anything".into(), some, during);
    check_alert(rate("critical"), "Critical ALERT shop/Some", during);
    for level in ["info", "none", "", "Warning", "error"] {
        check_alert(rate(level), "", "-");
    }
    check_alert(|alert| drop(alert.labels.remove("namespace")), "Warning ALERT Some", during);
}

#[test]
fn oc_8_6_texts() {
    let check = |summary: &str, description: &str, message: &str, runbook: &str, expect: [&str; 3]| {
        let mut one = alert("Some", "warning", ago(3));
        one.annotations.summary = summary.into();
        one.annotations.description = description.into();
        one.annotations.message = message.into();
        one.annotations.runbook_url = runbook.into();
        let snapshot = bent(updating(), |s| s.alerts = AlertsSeen::Answer(vec![one]));
        let lead = "Alert started firing during the update.";
        check_oc(
            &snapshot,
            &[
                ("summary ALERT", expect[0]),
                ("description ALERT", &format!("{lead} {}", expect[1])),
                ("reference ALERT", expect[2]),
                ("since ALERT", "2026-05-04T11:57:00Z"),
                ("impact ALERT", "Unknown ControlPlane"),
                ("resources ALERT", "alerts.config.openshift.io shop/Some"),
            ],
        );
    };
    let none = "<alert does not have a runbook_url annotation>";
    check("S", "D", "M", "R", ["Alert is firing: S", "The alert description is: D | M", "R"]);
    check("", "D", "", "", ["Alert is firing: Some", "The alert description is: D", none]);
    check("S", "", "M", "R", ["Alert is firing: S", "The alert description is: M", "R"]);
    check("", "", "", "", ["Alert is firing: Some", "The alert has no description.", none]);
}

#[test]
fn oc_8_incomplete_insights_are_dropped() {
    let snapshot = bent(rolling(), |s| {
        put(s.node("w-1"), Step::Degraded);
        s.node("w-1").metadata.annotations.reason = None;
        s.cv_says(said("Failing", True, ago(9), "Why", ""));
    });
    check_oc(&snapshot, &[("health", ""), ("pool worker", "Degraded 33% (1/3), 3 available, 1 degraded")]);
}

#[test]
fn oc_9_1_worst_first_then_newest_then_as_found() {
    let snapshot = bent(workers_rolling(), |s| {
        s.pool("worker").spec.paused = true;
        set(&mut s.node("w-0").status.conditions, condition("Ready", False, ago(12)));
        s.alerts = AlertsSeen::Answer(vec![alert("Late", "critical", ago(2)), alert("Some", "warning", ago(12))]);
        s.cv_says(condition("Failing", True, ago(12)));
        s.operator_says("dns", condition("Degraded", True, ago(12)));
        s.operator_says("etcd", condition("Degraded", True, ago(12)));
        s.operator_says("etcd", condition("Available", False, ago(11)));
        s.operator_says("console", condition("Available", False, ago(25)));
        s.operator_says("network", condition("Available", False, ago(24)));
    });
    check_oc(
        &snapshot,
        &[(
            "health",
            "Critical ALERT shop/Late; Error CO-UNAVAILABLE network; Error CO-UNAVAILABLE console; \
                 Warning CO-UNAVAILABLE etcd; Warning NODE-UNAVAILABLE w-0; Warning ALERT shop/Some; \
                 Warning CV-FAILING version; Warning CO-DEGRADED etcd; Warning CO-DEGRADED dns; \
                 Warning POOL-PAUSED worker",
        )],
    );
}
