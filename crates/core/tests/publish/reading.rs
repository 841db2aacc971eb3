//! The way back, for what the round trip of whole recordings (in the command line's tests) does not have.

use headway_api::gap::{Gap, GapKind};
use headway_api::insight::Level as Badness;
use headway_api::report::{Activity, Outcome, Phase, Report};
use headway_api::update::status::Status;
use headway_core::memory::Memory;
use headway_core::publish::{self, CUT, Level, Source, Unread};
use serde_json::{Value, json};

use super::fleet::{aws, degraded, finding, published, report, unit, writer};

fn cluster() -> Report {
    let nodes = vec![
        degraded(aws(1), "worker", "failed to drain"),
        unit(aws(2), "worker", Phase::Draining),
        unit(aws(3), "worker", Phase::Pending),
        unit(aws(4), "worker", Phase::Updated),
    ];
    report(vec![("worker", nodes)], vec![finding(1, &aws(1), "failed to drain"), finding(2, &aws(2), "too")])
}

fn read(status: &Status) -> Report {
    publish::read("UpdateStatus/cluster", status, &[]).expect("it was written")
}

/// Reads a status in which a word was changed by a newer writer, and gives the gaps that tell of it.
fn bent(pointer: &str, value: Value) -> (Report, Vec<String>) {
    let mut json = serde_json::to_value(&published(&cluster()).status).expect("JSON");
    *json.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there")) = value;
    let status: Status = serde_json::from_value(json).expect("words of a newer writer are read");
    let report = read(&status);
    let gaps = report.gaps.iter().filter(|gap| gap.kind == GapKind::Field).map(Gap::to_string).collect();
    (report, gaps)
}

#[test]
fn us_s56_words_of_a_newer_writer_are_named() {
    let check = |pointer: &str, word: &str, expect: &[&str]| {
        let (report, gaps) = bent(pointer, json!(word));
        assert_eq!(gaps, expect, "{pointer}");
        assert_eq!(report.units.len(), 7, "the rest is read");
        report
    };
    let told = |field: &str, word: &str| {
        format!("UpdateStatus/cluster: {field}: `{word}` is a word that this version of headway does not know")
    };
    let report = check("/summary/outcome", "Superb", &[&told("status.summary.outcome", "Superb")]);
    assert_eq!(report.outcome, Outcome::CannotTell, "never a success");
    let report = check("/summary/activity", "Hovering", &[&told("status.summary.activity", "Hovering")]);
    assert_eq!(report.activity, Activity::Unknown);
    check("/summary/form", "Floating", &[&told("status.summary.form", "Floating")]);
    let version = "/controlPlane/informers/0/insights/0/insight/clusterVersion";
    check(
        &format!("{version}/assessment"),
        "Pondering",
        &[&told("status.controlPlane: ClusterVersion.assessment", "Pondering")],
    );
    check(
        &format!("{version}/versions/change"),
        "Sideways",
        &[&told("status.controlPlane: ClusterVersion.versions.change", "Sideways")],
    );
    let pool = "/workerPools/0/informers/0/insights/0/insight/machineConfigPool";
    check(&format!("{pool}/assessment"), "Pondering", &[&told("MachineConfigPool worker.assessment", "Pondering")]);
    check(
        "/workerPools/0/nodeGroups/3/phase",
        "Hibernating",
        &[&told("nodeGroups[completed-4.18.3].phase", "Hibernating")],
    );
    let health = "/workerPools/0/informers/2/insights/0/insight/health";
    let report = check(
        &format!("{health}/impact/level"),
        "Fatal",
        &[&told("h-node-degraded-0000000000000001.impact.level", "Fatal")],
    );
    assert!(report.insights.iter().any(|insight| insight.level == Badness::Warning), "it is told all the same");
    // Words that are only for people have no gap.
    check("/observed/renderer", "something-else/2.0", &[]);
}

#[test]
fn us_s56_a_node_in_an_unknown_phase_is_not_done() {
    let (report, _) = bent("/workerPools/0/nodeGroups/3/phase", json!("Hibernating"));
    let node = report.units.iter().find(|unit| unit.name == aws(4)).expect("it is there");
    assert!(!node.updated);
    assert_eq!(node.message, "its phase is Hibernating, which this version of headway does not know");
}

#[test]
fn us_s56_a_finding_of_a_newer_rule_is_told_as_a_gap() {
    let health = "/workerPools/0/informers/2/insights/0/insight/health";
    let (report, gaps) = bent(&format!("{health}/ruleID"), json!("H-SOMETHING-NEW"));
    assert_eq!(report.insights.len(), 1);
    let name = aws(1);
    assert_eq!(
        gaps,
        [format!(
            "UpdateStatus/cluster: h-node-degraded-0000000000000001: Error, Update Stalled: Node {name} is degraded (found by H-SOMETHING-NEW, which this version of headway does not know)"
        )]
    );
}

#[test]
fn us_s56_fields_of_a_newer_writer_are_passed_over() {
    let mut json = serde_json::to_value(&published(&cluster()).status).expect("JSON");
    json["weather"] = json!({ "forecast": ["rain"] });
    json["summary"]["mood"] = json!("good");
    json["controlPlane"]["informers"][0]["insights"][0]["insight"]["type"] = json!("ControlPlaneComponent");
    let informers = json["controlPlane"]["informers"].as_array_mut().expect("a list");
    let strange = json!({ "type": "Weather", "weather": { "windy": true } });
    informers.push(json!({
        "name": "weather",
        "insights": [{ "uid": "w-1", "acquiredAt": "2026-05-04T08:00:00Z", "insight": strange }],
    }));
    let status: Status = serde_json::from_value(json).expect("it is read");
    assert_eq!(read(&status), read(&published(&cluster()).status));
}

#[test]
fn a_status_that_nobody_wrote_is_no_report() {
    let status: Status = serde_json::from_value(json!({})).expect("an empty status");
    assert_eq!(status.observed_generation, -1);
    assert_eq!(publish::read("UpdateStatus/cluster", &status, &[]), Err(Unread::NotWritten));
}

#[test]
fn without_details_the_groups_tell_the_nodes() {
    let whole = cluster();
    let report = read(&published(&whole).status);
    let names = |report: &Report| {
        report.units.iter().map(|unit| (unit.name.clone(), unit.assessment, unit.phase)).collect::<Vec<_>>()
    };
    assert_eq!(names(&report), names(&whole));
    assert_eq!(report.gaps, []);
}

#[test]
fn what_was_left_out_is_said() {
    let pool: Vec<_> = (0..200).map(|at| unit(aws(at), "worker", Phase::Pending)).collect();
    let whole = report(vec![("worker", pool)], Vec::new());
    let (memory, writer) = (Memory::default(), writer());
    let source = Source { report: &whole, memory: &memory, writer: &writer, past: None };
    let cut = publish::status(source, Level::new(5));
    let report = read(&cut.status);
    let told: Vec<String> = report.gaps.iter().map(Gap::to_string).collect();
    assert_eq!(
        told,
        [
            "UpdateStatus/cluster: 3 nodes are counted in pool master, and 0 of them are named; there are no details of it",
            "UpdateStatus/cluster: 200 nodes are counted in pool worker, and 0 of them are named; there are no details of it",
        ]
    );
    assert_eq!(report.pools.last().map(|pool| pool.counts.total), Some(200), "what is counted stays counted");
    let details = publish::shards(source, |_| None);
    let details: Vec<_> = details.iter().map(|shard| &shard.status).collect();
    let with = publish::read("UpdateStatus/cluster", &cut.status, &details).expect("it was written");
    assert_eq!(with.units.len(), 203);
    assert_eq!(with.gaps, []);
}

#[test]
fn us_s12_a_long_reason_is_cut_where_it_has_to_be() {
    let reason = format!("failed to set up: {}", "x".repeat(1_818));
    let whole = report(vec![("worker", vec![degraded(aws(1), "worker", &reason)])], vec![finding(1, &aws(1), &reason)]);
    let status = published(&whole).status;
    let pool = &status.worker_pools[0];
    let insights: Vec<_> = pool.informers.iter().flat_map(|informer| &informer.insights).collect();
    let node = insights.iter().find_map(|insight| insight.insight.node.as_ref()).expect("a node insight");
    let message = node.message.as_deref().expect("a message");
    assert_eq!(message.chars().count(), 256);
    assert!(message.ends_with(CUT));
    let health = insights.iter().find_map(|insight| insight.insight.health.as_ref()).expect("a finding");
    assert_eq!(health.impact.description, reason, "the finding has all of it");
}
