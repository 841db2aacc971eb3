//! Alerts: which answer counts, since when an alert fires, and what is told of a bad answer.

use headway_api::gap::GapKind;
use headway_api::prometheus::Alert;
use headway_cluster::gather::Gathered;
use headway_core::snapshot::AlertsSeen;
use tempfile::tempdir;

use super::cluster::{IMAGE, cluster, file, must_gather, under, write};
use super::reading::{assert_gap, gathered};

const RULES: &str = r#"{"status": "success", "data": {"groups": [{"rules": [
    {"type": "recording", "name": "x"},
    {"type": "alerting", "name": "Slow", "duration": 900, "annotations": {"summary": "Slow {{ $labels.x }}"},
     "alerts": [{"labels": {"alertname": "Slow"}, "state": "firing", "activeAt": "2026-05-04T08:00:00Z"},
                {"labels": {"alertname": "Slow", "n": "2"}, "state": "pending", "activeAt": "2026-05-04T08:40:00Z"}]}
]}]}}"#;

const ALERTS: &str = r#"{"status": "success", "data": {"alerts": [
    {"labels": {"alertname": "Other"}, "state": "firing", "activeAt": "2026-05-04T08:10:00Z"}]}}"#;

fn recorded(files: &[(&str, &str)]) -> Gathered {
    let folder = tempdir().unwrap();
    write(folder.path(), &under(IMAGE, must_gather(&cluster())));
    for (name, text) in files {
        drop(file(&folder.path().join(IMAGE).join("monitoring/prometheus"), name, text));
    }
    gathered(folder.path())
}

fn names(found: &Gathered) -> Vec<(&str, &str, Option<String>)> {
    let told = |alert: &Alert| alert.firing_since.map(|at| at.to_string());
    let alerts = found.snapshot.alerts.as_slice();
    alerts.iter().map(|alert| (alert.label("alertname"), alert.state.as_str(), told(alert))).collect()
}

#[test]
fn rules_tell_more_than_alerts() {
    let slow = [
        ("Slow", "firing", Some("2026-05-04T08:15:00Z".to_owned())),
        // The rules of assessment skip it: that it is pending stays known here.
        ("Slow", "pending", Some("2026-05-04T08:55:00Z".to_owned())),
    ];
    let other = ("Other", "firing", None);
    assert_eq!(names(&recorded(&[("rules.json", RULES), ("alerts.json", ALERTS)])), slow);
    assert_eq!(names(&recorded(&[("rules.json", RULES)])), slow);
    assert_eq!(names(&recorded(&[("alerts.json", ALERTS)])), std::slice::from_ref(&other));
    // A broken answer does not hide the other one.
    let broken = recorded(&[("rules.json", "{\"status\": "), ("alerts.json", ALERTS)]);
    assert_eq!(names(&broken), [other]);
    assert_gap(&broken.snapshot.gaps, GapKind::Unreadable, &["rules.json", "line 1"]);
}

#[test]
fn without_an_answer_there_is_a_reason() {
    let check = |files: &[(&str, &str)], says: &str| match recorded(files).snapshot.alerts {
        AlertsSeen::Nothing(why) => assert!(why.contains(says), "{why}"),
        AlertsSeen::Answer(alerts) => panic!("{files:?}: {alerts:?}"),
    };
    check(&[], "not in this must-gather");
    check(&[("alerts.json", r#"{"status": "error", "error": "no quorum"}"#)], "no quorum");
}

#[test]
fn a_bad_alert_is_told_with_its_field() {
    let check = |alerts: &str, field: &str| {
        let text = format!(r#"{{"status": "success", "data": {alerts}}}"#);
        let found = recorded(&[("alerts.json", &text)]);
        assert_gap(&found.snapshot.gaps, GapKind::Optional, &["alerts.json", field]);
    };
    check(r#"{"alerts": [{"labels": 7, "state": "firing"}]}"#, "data.alerts[0].labels");
    check(r#"{"alerts": [{"labels": {}, "activeAt": "yesterday"}]}"#, "data.alerts[0].activeAt");
    check(r#"{"alerts": "none"}"#, "data.alerts");
    check(r#""none""#, "data");
}
