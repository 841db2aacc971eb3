//! Public reports, cases/README.md part (a), about time left, alerts, budgets and short spells; the others are in
//! `cases`.

use std::sync::Arc;

use headway_api::apps::PodDisruptionBudgetStatus;
use headway_api::meta::{LabelRequirement, LabelSelector, Labels};
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::AlertsSeen;

use super::cluster::hold;
use super::cluster::{Bend, False, True, ago, bent, condition, idle, rolling, said, updating};
use super::told::check;
use super::workers::alert;

#[test]
fn case_a15_odd_budgets_match_as_in_the_api() {
    let check_budget = |selector: Option<LabelSelector>, namespace: &str, blocks: bool| {
        let snapshot = bent(rolling(), |s| {
            hold(s, "w-1");
            Arc::make_mut(&mut s.budgets[0]).spec.selector = selector;
            Arc::make_mut(&mut s.budgets[0]).metadata.namespace = namespace.into();
        });
        let resources = format!("nodes w-1; pods {0}/shop-0; poddisruptionbudgets.policy {0}/all", "shop");
        check(&snapshot, &[("resources DRAIN-BLOCKED", if blocks { &resources } else { "-" })]);
    };
    let labels = |value: &str| -> Labels { [("app", value)].into_iter().collect() };
    let by_labels = |value: &str| LabelSelector { match_labels: labels(value), ..LabelSelector::default() };
    let by_rule = |operator: &str, values: &[&str]| LabelSelector {
        match_labels: labels("shop"),
        match_expressions: vec![LabelRequirement {
            key: "app".into(),
            operator: operator.into(),
            values: values.iter().map(|value| (*value).into()).collect(),
        }],
    };
    check_budget(Some(by_labels("shop")), "shop", true);
    check_budget(Some(by_labels("other")), "shop", false);
    check_budget(Some(by_labels("shop")), "elsewhere", false);
    check_budget(None, "shop", false);
    check_budget(Some(LabelSelector::default()), "shop", true);
    check_budget(Some(by_rule("In", &["shop", "store"])), "shop", true);
    check_budget(Some(by_rule("NotIn", &["shop"])), "shop", false);
    check_budget(Some(by_rule("Exists", &[])), "shop", true);
    check_budget(Some(by_rule("Near", &[])), "shop", false);
    let without_status = bent(rolling(), |s| {
        hold(s, "w-1");
        Arc::make_mut(&mut s.budgets[0]).status = None;
    });
    check(&without_status, &[("health", "")]);
    let room = bent(rolling(), |s| {
        hold(s, "w-1");
        Arc::make_mut(&mut s.budgets[0]).status =
            Some(PodDisruptionBudgetStatus { disruptions_allowed: 1, ..Default::default() });
    });
    check(&room, &[("health", "")]);
}

#[test]
fn case_a24_time_left() {
    let check = |started: i64, assessment: &str, left: &str| {
        let snapshot = bent(rolling(), |s| {
            s.cv().status.history[0].started_time = Some(ago(started));
            // So long ago that half an hour had gone by.
            s.operator_says("machine-config", condition("Progressing", True, ago(started - 30)));
            // A reboot makes these flap.
            s.operator_says("dns", condition("Progressing", True, ago(1)));
            s.operator_says("network", condition("Progressing", False, ago(2)));
        });
        check(&snapshot, &[("assessment", assessment), ("left", left)]);
    };
    check(40, "Progressing", "Known 1860s of 4260s");
    check(60, "Progressing", "Known 431s of 4020s");
    check(70, "Progressing - Slow", "Known -200s of 3960s");
    check(78, "Progressing - Slow", "Known -600s of 4080s");
    check(79, "Stalled", "Overdue -650s of 4080s");
}

#[test]
fn case_a25_short_spells_and_one_line_for_one_cause() {
    let check = |minutes: i64, health: &str, related: &str| {
        let snapshot = bent(updating(), |s| {
            s.operator_says("dns", condition("Degraded", True, ago(minutes)));
            s.cv_says(said("Failing", True, ago(1), "ClusterOperatorDegraded", "Cluster operator dns is degraded"));
        });
        check(&snapshot, &[("health", health), ("related CO-DEGRADED", related)]);
    };
    let folded = "H-CV-FAILING Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded)";
    check(3, "Warning CV-FAILING version", "-");
    check(6, "Warning CO-DEGRADED dns", folded);
    check(41, "Error CO-DEGRADED dns", folded);
}

#[test]
fn case_a26_which_alerts_matter() {
    let mut first = alert("PodDisruptionBudgetAtLimit", "warning", ago(600));
    first.labels.insert("poddisruptionbudget".into(), "one".into());
    let mut second = first.clone();
    second.labels.insert("poddisruptionbudget".into(), "two".into());
    let mut pending = alert("Pending", "warning", ago(3));
    pending.state = "pending".into();
    let mut nameless = alert("", "warning", ago(3));
    nameless.labels.remove("alertname");
    let alerts = vec![
        alert("Before", "critical", ago(50)),
        alert("After", "warning", ago(30)),
        pending,
        alert("Info", "info", ago(3)),
        nameless,
        first,
        second,
    ];
    let backwards = alerts.iter().rev().cloned().collect();
    let backwards = bent(updating(), |s| s.alerts = AlertsSeen::Answer(backwards));
    let snapshot = bent(updating(), |s| s.alerts = AlertsSeen::Answer(alerts));
    check(
        &snapshot,
        &[
            (
                "health",
                "Warning ALERT shop/After; Warning ALERT shop/PodDisruptionBudgetAtLimit; \
                 Warning ALERT shop/PodDisruptionBudgetAtLimit",
            ),
            ("reference ALERT", "<alert does not have a runbook_url annotation>"),
        ],
    );
    let report = assess(&snapshot, Rules::Headway);
    assert_eq!(assess(&backwards, Rules::Headway).insights, report.insights, "Prometheus keeps no order");
    assert_ne!(report.insights[1].uid, report.insights[2].uid);
    let summaries: Vec<String> = report.insights.into_iter().map(|insight| insight.summary).collect();
    assert_eq!(
        summaries[1..],
        ["one", "two"].map(|name| format!(
            "Alert is firing: Summary of PodDisruptionBudgetAtLimit (PodDisruptionBudget shop/{name})"
        ))
    );
}

#[test]
fn case_a26_every_alert_has_its_own_identity() {
    let told = |words: [&str; 2]| {
        let alerts = words.map(|words| {
            let mut alert = alert("TargetDown", "warning", ago(3));
            alert.annotations.summary = words.into();
            alert
        });
        let snapshot = bent(updating(), |s| s.alerts = AlertsSeen::Answer(alerts.to_vec()));
        assess(&snapshot, Rules::Headway).insights.into_iter().map(|insight| insight.uid).collect::<Vec<_>>()
    };
    let [first, second] = &told(["1 target of etcd is down", "2 targets of dns are down"])[..] else {
        panic!("two findings were to be told");
    };
    assert_ne!(first, second);
    // Other words alone are no other finding.
    assert_eq!(told(["in other words", "in other words"]), std::slice::from_ref(first));
}

#[test]
fn case_a27_alerts_out_of_reach() {
    let snapshot = bent(rolling(), |s| s.alerts = AlertsSeen::Nothing("401 Unauthorized".into()));
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Updating"),
            ("alerts", "false 401 Unauthorized"),
            ("done", "88% (7/8), 1 updating"),
            ("gaps", "Optional alerts are left out of the update's health: 401 Unauthorized"),
        ],
    );
    check(&rolling(), &[("alerts", "true "), ("gaps", "")]);
    // It does not keep a finished cluster from being told finished.
    let done = bent(idle(), |s| s.alerts = AlertsSeen::Nothing("401 Unauthorized".into()));
    check(&done, &[("outcome", "NotUpdating/NotUpdating")]);
}

#[test]
fn case_a39_old_alarm_of_a_drain() {
    let check = |node: &str, health: &str| {
        let mut old = alert("MCCDrainError", "warning", ago(20));
        old.labels.insert("exported_node".into(), node.into());
        let snapshot = bent(rolling(), |s| s.alerts = AlertsSeen::Answer(vec![old]));
        check(&snapshot, &[("health", health)]);
    };
    check("w-0", "");
    check("w-1", "Warning ALERT shop/MCCDrainError");
}
