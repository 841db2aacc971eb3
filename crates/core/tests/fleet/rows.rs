//! What a row tells of a report, and the order of rows.

use headway_api::fleet::Row;
use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::report::{
    Activity, Alerts, Assessment, ClockSource, Cluster, Condition, Form, OperatorCounts, Outcome, Pool, PoolAssessment,
    PoolCounts, Position, Report, Truth, Versions, WaitingOn,
};
use headway_core::fleet::row;
use jiff::{SignedDuration, Timestamp};

const NOW: Timestamp = Timestamp::constant(1_777_881_600, 0);

fn minutes_ago(minutes: i64) -> Timestamp {
    NOW - SignedDuration::from_mins(minutes)
}

fn condition() -> Condition {
    Condition { status: Truth::True, reason: "X".into(), message: String::new(), since: None }
}

/// A cluster on its way to v1.33.0, the first of two steps.
pub(super) fn updating() -> Report {
    Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: NOW,
        clock: ClockSource::Conditions,
        outcome: Outcome::Updating,
        activity: Activity::Updating,
        cluster: Cluster {
            name: Some("c1".into()),
            namespace: Some("fleet".into()),
            form: Form::ClusterApi,
            updating: condition(),
            healthy: condition(),
            assessment: Assessment::Progressing,
            versions: Versions {
                target: Some("v1.33.0".into()),
                previous: Some("v1.31.0".into()),
                plan: vec!["v1.32.0".into(), "v1.33.0".into()],
                position: Some(Position { step: 1, of: 2 }),
                ..Versions::default()
            },
            completion_percent: Some(33),
            tally: None,
            operators: OperatorCounts::default(),
            started_at: Some(minutes_ago(60)),
            completed_at: None,
            duration_seconds: None,
            estimate: None,
        },
        components: Vec::new(),
        pools: vec![pool(4, Some(3), 3), pool(2, None, 0)],
        units: Vec::new(),
        insights: Vec::new(),
        waiting_on: vec![
            WaitingOn { what: "hook A".into(), message: "hook A: not yet".into(), since: None },
            WaitingOn { what: "hook B".into(), message: "hook B: nor this".into(), since: None },
        ],
        hints: Vec::new(),
        alerts: Alerts { available: false, message: String::new() },
        gaps: Vec::new(),
    }
}

fn pool(total: usize, desired: Option<usize>, outdated: usize) -> Pool {
    Pool {
        name: "p".into(),
        scope: Scope::WorkerPool,
        assessment: PoolAssessment::Progressing,
        completion_percent: None,
        updating: condition(),
        healthy: condition(),
        paused: false,
        configuration: String::new(),
        counts: PoolCounts { total, desired, outdated, ..PoolCounts::default() },
        resource: None,
    }
}

fn insight(level: Level, summary: &str, minutes: i64) -> Insight {
    Insight {
        uid: summary.into(),
        rule: Rule::HookBlocking,
        level,
        impact: Impact::UpdateStalled,
        since: Some(minutes_ago(minutes)),
        summary: summary.into(),
        description: String::new(),
        advice: String::new(),
        reference: String::new(),
        scope: Scope::ControlPlane,
        resources: Vec::new(),
        resources_omitted: 0,
        first_observed_at: None,
        last_observed_at: None,
        occurrences: None,
        related: Vec::new(),
    }
}

#[test]
fn a_row_tells_what_its_report_tells() {
    let told = row(&updating());
    let expect = Row {
        namespace: "fleet".into(),
        name: "c1".into(),
        form: Form::ClusterApi,
        outcome: Outcome::Updating,
        activity: Activity::Updating,
        assessment: Assessment::Progressing,
        from: Some("v1.31.0".into()),
        to: Some("v1.33.0".into()),
        plan: vec!["v1.32.0".into(), "v1.33.0".into()],
        position: Some(Position { step: 1, of: 2 }),
        completion_percent: Some(33),
        // Of four machines for three one is done; of two without a wish of their own both are.
        machines_done: Some(3),
        machines_desired: Some(5),
        worst_level: None,
        worst_summary: None,
        attention: 0,
        waiting_on: Some("hook A: not yet".into()),
        started_at: Some(minutes_ago(60)),
        since: Some(minutes_ago(60)),
    };
    assert_eq!(told, expect);
}

#[test]
fn a_row_names_the_worst_and_since_when() {
    let check = |insights: &[Insight], worst: Option<&str>, since: i64| {
        let told = row(&Report { insights: insights.to_vec(), ..updating() });
        assert_eq!(told.worst_summary.as_deref(), worst);
        assert_eq!((told.attention, told.since), (insights.len(), Some(minutes_ago(since))), "{worst:?}");
    };
    let (info, warning) = (insight(Level::Info, "info", 5), insight(Level::Warning, "warning", 20));
    check(&[], None, 60);
    // Information is told of, and is no state of the cluster.
    check(std::slice::from_ref(&info), Some("info"), 60);
    check(&[warning.clone(), info.clone()], Some("warning"), 20);
    check(&[info, insight(Level::Error, "error", 30), insight(Level::Error, "newer", 10), warning], Some("error"), 30);
}

#[test]
fn us_s67_new_machines_beside_old_ones_are_never_more_than_all() {
    let check = |counts: &[(usize, Option<usize>, usize)], expect: Option<(usize, usize)>| {
        let pools = counts.iter().map(|(total, desired, outdated)| pool(*total, *desired, *outdated)).collect();
        let told = row(&Report { pools, ..updating() });
        assert_eq!(told.machines_done.zip(told.machines_desired), expect, "{counts:?}");
    };
    check(&[], None);
    check(&[(4, Some(3), 3)], Some((1, 3)));
    check(&[(4, Some(3), 0)], Some((3, 3)));
    check(&[(0, Some(3), 0)], Some((0, 3)));
    check(&[(0, None, 0)], Some((0, 0)));
    // Nonsense of an object makes no panic.
    check(&[(1, Some(1), 5)], Some((0, 1)));
}

#[test]
fn a_cluster_at_rest_has_been_so_since_it_was_complete() {
    let mut report = updating();
    report.activity = Activity::NotUpdating;
    report.outcome = Outcome::NotUpdating;
    report.cluster.completed_at = Some(minutes_ago(7));
    assert_eq!(row(&report).since, Some(minutes_ago(7)));
    report.cluster.completed_at = None;
    assert_eq!(row(&report).since, None);
}
