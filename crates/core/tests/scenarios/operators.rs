//! Scenarios of update-status-api.md, 7, about single operators: S20 to S25.

use headway_core::snapshot::Snapshot;

use super::cluster::{Bend, False, OLD, True, Unknown, ago, at, bent, condition, idle, seconds_ago, updating};
use super::told::check;

#[test]
fn us_s20_thresholds_of_operators() {
    let check = |kind: &str, status, seconds: i64, health: &str| {
        let snapshot = bent(updating(), |s| s.operator_says("dns", condition(kind, status, seconds_ago(seconds))));
        check(&snapshot, &[("health", health)]);
    };
    check("Degraded", True, 4 * 60 + 59, "");
    check("Degraded", True, 5 * 60 + 1, "Warning CO-DEGRADED dns");
    check("Degraded", True, 40 * 60, "Warning CO-DEGRADED dns");
    check("Degraded", True, 40 * 60 + 1, "Error CO-DEGRADED dns");
    check("Available", False, 5 * 60, "");
    check("Available", False, 20 * 60, "Warning CO-UNAVAILABLE dns");
    check("Available", False, 20 * 60 + 1, "Error CO-UNAVAILABLE dns");
}

#[test]
fn us_s21_operator_without_available() {
    let drop = |s: &mut Snapshot| s.operator("dns").status.conditions.retain(|condition| condition.kind != "Available");
    let expect =
        [("co dns", "False/Pending Unknown/CannotDetermine"), ("sick", "1 unavailable, 0 degraded"), ("health", "")];
    check(&bent(updating(), drop), &expect);
    let unknown = bent(updating(), |s| s.operator_says("dns", condition("Available", Unknown, ago(60))));
    check(&unknown, &[("co dns", "False/Pending False/Unavailable"), ("health", "")]);
}

#[test]
fn us_s22_operator_without_a_version() {
    let without = |progressing| {
        bent(updating(), |s| {
            s.operator("etcd").status.versions.clear();
            s.operator_says("etcd", condition("Progressing", progressing, ago(3)));
        })
    };
    check(
        &without(False),
        &[("co etcd", "False/Pending True/AsExpected"), ("done", "38% (3/8), 1 updating, 4 waiting")],
    );
    check(&without(True), &[("co etcd", "True/Progressing True/AsExpected")]);
    let unknown = "38% (3/8), 1 updating, 3 waiting, 1 unknown";
    check(&without(Unknown), &[("co etcd", "Unknown/CannotDetermine True/AsExpected"), ("done", unknown)]);
}

#[test]
fn us_s23_updated_operator_goes_on_working() {
    let snapshot = bent(updating(), |s| s.operator_says("etcd", condition("Progressing", True, ago(3))));
    check(&snapshot, &[("co etcd", "False/Updated True/AsExpected"), ("co etcd message", ""), ("health", "")]);
}

#[test]
fn us_3_2_an_old_operator_of_a_cluster_at_rest_cannot_be_told() {
    let snapshot = bent(idle(), |s| at(s.operator("dns"), OLD));
    check(
        &snapshot,
        &[
            ("co dns", "Unknown/CannotDetermine True/AsExpected"),
            ("done", "88% (7/8), 1 unknown"),
            ("updating", "Unknown/CannotDetermineUpdating"),
            ("health", "Warning CV-CONTRADICT version"),
        ],
    );
}

#[test]
fn us_s24_slow_operators() {
    let check = |minutes: i64, health: &str| {
        let snapshot = bent(updating(), |s| {
            s.operator_says("etcd", condition("Progressing", False, ago(5)));
            s.operator_says("network", condition("Progressing", True, ago(minutes)));
            s.operator_says("machine-config", condition("Progressing", True, ago(minutes)));
        });
        check(&snapshot, &[("health", health)]);
    };
    check(30, "");
    check(31, "Warning CO-SLOW network");
    check(90, "Warning CO-SLOW network");
    check(91, "Warning CO-SLOW network; Warning CO-SLOW machine-config");
}

#[test]
fn us_s25_operator_deleted_during_the_update() {
    let sick = bent(updating(), |s| s.operator_says("dns", condition("Degraded", True, ago(6))));
    check(&sick, &[("done", "50% (4/8), 1 updating, 3 waiting"), ("health", "Warning CO-DEGRADED dns")]);
    let gone = bent(sick, |s| s.operators.retain(|operator| operator.metadata.name != "dns"));
    check(&gone, &[("done", "57% (4/7), 1 updating, 2 waiting"), ("co dns", "-"), ("health", "")]);
}
