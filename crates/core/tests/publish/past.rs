//! What stays as it was: times of what has not changed, and memory over a restart.

use std::collections::BTreeMap;

use headway_api::insight::Insight;
use headway_api::report::{Phase, Report, Truth};
use headway_api::update::condition::kind;
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::word::Truth as Told;
use headway_core::memory::{ConditionKnown, Gone, Known, Memory, NodeKnown, Progress, Subject};
use headway_core::publish::{self, Insights, Level, Nodes, Source};
use jiff::{SignedDuration, Timestamp};

use super::fleet::{NEW, NOW, aws, condition, degraded, finding, minutes_ago, report, unit, writer};

fn status(report: &Report, memory: &Memory, past: Option<&Status>) -> Status {
    publish::status(Source { report, memory, writer: &writer(), past }, Level::FULL).status
}

fn shards(report: &Report, memory: &Memory, past: &[(String, PoolNodes)]) -> Vec<(String, PoolNodes)> {
    let writer = writer();
    let find = |name: &str| past.iter().find(|(known, _)| known == name).map(|(_, status)| status);
    let all = publish::shards(Source { report, memory, writer: &writer, past: None }, find);
    all.into_iter().map(|shard| (shard.name, shard.status)).collect()
}

/// Some nodes of each kind, and a finding.
fn cluster() -> Report {
    let nodes = vec![
        degraded(aws(1), "worker", "failed to drain"),
        unit(aws(2), "worker", Phase::Draining),
        unit(aws(3), "worker", Phase::Pending),
        unit(aws(4), "worker", Phase::Updated),
    ];
    report(vec![("worker", nodes)], vec![finding(1, &aws(1), "failed to drain")])
}

fn later(report: &Report, minutes: i64) -> Report {
    Report { observed_at: report.observed_at + SignedDuration::from_mins(minutes), ..report.clone() }
}

#[test]
fn us_s48_looking_again_changes_nothing_but_the_moment() {
    let memory = Memory::default();
    let first = status(&cluster(), &memory, None);
    let second = status(&later(&cluster(), 4), &memory, Some(&first));
    assert_ne!(first, second, "the moment is told");
    assert!(!publish::differs(&first, &second));
    let details = shards(&cluster(), &memory, &[]);
    assert_eq!(shards(&later(&cluster(), 4), &memory, &details), details, "shards stay as they are");
    let split = |report: &Report, past: &Insights| {
        publish::insights(Source { report, memory: &memory, writer: &writer(), past: None }, Nodes::All, past)
    };
    let before = split(&cluster(), &Insights::default());
    assert_eq!(before.nodes.len(), 7);
    assert_eq!(split(&later(&cluster(), 4), &before), before);
}

#[test]
fn us_3_8_what_stays_is_confirmed_every_ten_minutes() {
    let memory = Memory::default();
    let first = status(&cluster(), &memory, None);
    let acquired = |status: &Status| {
        let pool = &status.worker_pools[0];
        pool.informers[0].insights[0].acquired_at
    };
    let check = |minutes: i64, expect: Timestamp| {
        assert_eq!(acquired(&status(&later(&cluster(), minutes), &memory, Some(&first))), expect, "{minutes}");
    };
    check(0, NOW);
    check(9, NOW);
    check(10, NOW + SignedDuration::from_mins(10));
    // A clock that is set back does not leave times that lie ahead.
    check(-1, NOW - SignedDuration::from_mins(1));
}

#[test]
fn a_change_moves_the_time_of_what_changed_alone() {
    let memory = Memory::default();
    let first = status(&cluster(), &memory, None);
    let mut changed = later(&cluster(), 3);
    changed.units.retain(|unit| unit.name != aws(3));
    let pool = changed.pools.last_mut().expect("a pool");
    pool.counts.total -= 1;
    pool.counts.outdated -= 1;
    let second = status(&changed, &memory, Some(&first));
    assert!(publish::differs(&first, &second));
    let group = |status: &Status, key: &str| {
        let groups = &status.worker_pools[0].node_groups;
        groups.iter().find(|group| group.key.starts_with(key)).cloned()
    };
    assert!(group(&first, "pending").is_some() && group(&second, "pending").is_none());
    assert_eq!(group(&first, "draining"), group(&second, "draining"));
    assert_eq!(first.control_plane, second.control_plane, "the control plane has not changed");
}

#[test]
fn conditions_keep_the_time_of_their_status() {
    let memory = Memory::default();
    let first = status(&cluster(), &memory, None);
    let mut worse = later(&cluster(), 5);
    worse.outcome = headway_api::report::Outcome::Failing;
    let second = status(&worse, &memory, Some(&first));
    let check = |kind: &str, told: Told, at: Timestamp| {
        let condition = second.conditions.of(kind).expect("it is told");
        assert_eq!((condition.status.known(), condition.last_transition_time), (Some(&told), at), "{kind}");
    };
    check(kind::HEALTHY, Told::False, worse.observed_at);
    check(kind::UPDATING, Told::True, NOW);
    check(kind::AVAILABLE, Told::True, NOW);
    check(kind::DEGRADED, Told::False, NOW);
    check(kind::TRUNCATED, Told::False, NOW);
}

#[test]
fn us_3_1_an_estimate_is_rewritten_only_when_it_moves() {
    use headway_api::report::{Estimate, EstimateState};
    let memory = Memory::default();
    let estimated = |minutes: i64, remaining: i64| {
        let mut report = later(&cluster(), minutes);
        report.cluster.started_at = Some(NOW);
        report.cluster.completed_at = None;
        report.cluster.estimate = Some(Estimate {
            state: EstimateState::Known,
            remaining_seconds: remaining,
            total_seconds: 3_600,
            completed_at: None,
        });
        report
    };
    let first = status(&estimated(0, 3_600), &memory, None);
    let told = |report: &Report| {
        let summary = status(report, &memory, Some(&first)).summary.expect("a summary");
        summary.estimated_completed_at.expect("an estimate").duration_since(NOW).as_secs()
    };
    assert_eq!(told(&estimated(1, 3_600 - 60 - 25)), 3_600, "25 s");
    assert_eq!(told(&estimated(1, 3_600 - 60 - 35)), 3_565, "35 s");
    assert_eq!(told(&estimated(50, 3_600 - 3_000 - 55)), 3_600, "55 s after 50 min");
    assert_eq!(told(&estimated(50, 3_600 - 3_000 - 65)), 3_535, "65 s after 50 min");
}

fn memory() -> Memory {
    let known = Known { first_observed_at: minutes_ago(50), since: None, occurrences: 3 };
    let uid = "h-node-degraded-0000000000000001".to_owned();
    let condition_known = |status: Truth, reason: &str, minutes: i64| ConditionKnown {
        status,
        reason: reason.into(),
        since: minutes_ago(minutes),
    };
    let mut conditions = BTreeMap::from([
        ("cluster/Updating".to_owned(), condition_known(Truth::False, "ClusterVersionNotProgressing", 41)),
        ("cluster/Healthy".to_owned(), condition_known(Truth::True, "AsExpected", 90)),
    ]);
    for pool in ["master", "worker"] {
        conditions.insert(format!("pool/{pool}/Updating"), condition_known(Truth::True, "Progressing", 30));
        conditions.insert(format!("pool/{pool}/Healthy"), condition_known(Truth::True, "AsExpected", 31));
    }
    for operator in 0..34 {
        conditions
            .insert(format!("component/operator-{operator}/Updating"), condition_known(Truth::False, "Updated", 45));
        conditions
            .insert(format!("component/operator-{operator}/Healthy"), condition_known(Truth::True, "AsExpected", 99));
    }
    let node = |phase: Phase, minutes: i64, degraded: bool| NodeKnown {
        phase,
        since: None,
        first_seen: minutes_ago(minutes),
        unavailable_since: None,
        degraded_since: degraded.then(|| minutes_ago(minutes - 1)),
    };
    let mut nodes = BTreeMap::from([
        (aws(1), node(Phase::Updating, 22, true)),
        (aws(2), node(Phase::Draining, 8, false)),
        (aws(3), node(Phase::Pending, 100, false)),
        (aws(4), node(Phase::Updated, 15, false)),
    ]);
    for at in 0..3 {
        nodes.insert(format!("master-{at}"), node(Phase::Updated, 60, false));
    }
    let times = |minutes: &[i64]| minutes.iter().map(|minutes| minutes_ago(*minutes)).collect::<Vec<_>>();
    Memory {
        insights: BTreeMap::from([(uid, known)]),
        gone: BTreeMap::from([(
            "h-co-degraded-00000000000000ff".to_owned(),
            Gone { at: minutes_ago(12), known: Known { since: Some(minutes_ago(40)), ..known } },
        )]),
        nodes,
        conditions,
        changes: BTreeMap::from([
            (Subject::Operator { name: "etcd".into(), condition: "Degraded".into() }, times(&[25, 20, 10, 9])),
            (Subject::Node { name: aws(2) }, times(&[28, 14, 13])),
        ]),
        progress: Some(Progress { target: NEW.into(), updated: 34, at: Some(minutes_ago(41)) }),
        updating: None,
        contradiction_since: None,
        looked_at: Some(NOW),
        nodes_at: Some(NOW),
    }
}

/// The report as memory completes it.
fn remembered() -> (Report, Memory) {
    let memory = memory();
    let mut report = cluster();
    for insight in &mut report.insights {
        let known = memory.insights[&insight.uid];
        *insight = Insight {
            first_observed_at: Some(known.first_observed_at),
            last_observed_at: Some(NOW),
            occurrences: Some(known.occurrences),
            ..insight.clone()
        };
    }
    (report, memory)
}

#[test]
fn us_d9_memory_comes_back_from_the_objects() {
    let (report, memory) = remembered();
    let status = status(&report, &memory, None);
    let details = shards(&report, &memory, &[]);
    let mut recalled = publish::recall(Some(&status), details.iter().map(|(_, shard)| shard));
    // What the cluster said of its update is told with the update itself.
    assert_eq!(recalled.updating.take().map(|updating| updating.status), Some(Truth::False));
    assert_eq!(recalled, memory);
    assert_eq!(publish::recall(None, []), Memory::default());
}

/// Killed after the status was written and before the details of a pool were: its nodes did not come since then.
#[test]
fn us_s48_nodes_whose_details_were_not_written_are_not_new() {
    let (report, memory) = remembered();
    let status = status(&report, &memory, None);
    let details = shards(&report, &memory, &[]);
    for missing in 0..=details.len() {
        let written = details.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, (_, shard))| shard);
        let recalled = publish::recall(Some(&status), written);
        let all = missing == details.len();
        assert_eq!(recalled.nodes_at, all.then_some(NOW), "without shard {missing}");
        assert_eq!(recalled.looked_at, Some(NOW));
    }
}

#[test]
fn us_d9_a_contradiction_is_remembered_with_what_was_before() {
    let (report, memory) = remembered();
    let before = headway_api::report::Condition {
        since: Some(minutes_ago(70)),
        ..condition(Truth::True, "ClusterVersionProgressing", "x")
    };
    let memory = Memory { contradiction_since: Some(minutes_ago(0)), updating: Some(before), ..memory };
    let status = status(&report, &memory, None);
    let details = shards(&report, &memory, &[]);
    assert_eq!(publish::recall(Some(&status), details.iter().map(|(_, shard)| shard)), memory);
}

#[test]
fn us_d5_what_memory_knows_dates_the_insights() {
    let (report, memory) = remembered();
    let status = status(&report, &memory, None);
    let pool = &status.worker_pools[0];
    let insights = pool.informers.iter().flat_map(|informer| &informer.insights);
    let told = insights.filter_map(|insight| insight.insight.health.as_ref()).next().expect("a finding");
    assert_eq!(told.started_at, minutes_ago(50), "no source tells: the first observation stands in");
    assert_eq!((told.since, told.first_observed_at, told.occurrences), (None, Some(minutes_ago(50)), Some(3)));
    let updating = pool.conditions.of(kind::UPDATING).expect("it is told");
    assert_eq!(updating.last_transition_time, minutes_ago(30));
}
