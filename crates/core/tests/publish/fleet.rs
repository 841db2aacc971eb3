//! Reports of clusters of any size, made and not assessed: what is published does not depend on why it is so.

use std::collections::BTreeMap;

use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::report::{
    Activity, Alerts, Assessment, Change, ClockSource, Cluster, Component, Condition, Form, OperatorCounts, Outcome,
    Phase, Pool, PoolAssessment, PoolCounts, Remaining, Report, Seconds, Truth, Unit, UnitAssessment, Versions,
};
use headway_core::memory::Memory;
use headway_core::publish::{self, Level as Step, Published, Source, Writer};
use jiff::{SignedDuration, Timestamp};

/// The moment at which everything is judged.
pub(crate) const NOW: Timestamp = Timestamp::constant(1_777_881_600, 0);

pub(crate) const OLD: &str = "4.17.20";
pub(crate) const NEW: &str = "4.18.3";

pub(crate) fn minutes_ago(minutes: i64) -> Timestamp {
    NOW - SignedDuration::from_mins(minutes)
}

pub(crate) fn condition(status: Truth, reason: &str, message: &str) -> Condition {
    Condition { status, reason: reason.into(), message: message.into(), since: None }
}

/// A name as AWS gives it: 41 characters, of which the domain is shared.
pub(crate) fn aws(number: usize) -> String {
    format!("ip-10-{}-{}-{}.us-east-2.compute.internal", number / 62_500, number / 250 % 250, number % 250)
}

/// A name of the longest kind, of which nothing is shared.
pub(crate) fn longest(number: usize) -> String {
    let word: String = (0..59).map(|at| char::from(b'a' + u8::try_from((number >> (at % 12)) % 26).unwrap())).collect();
    let name = format!("n{number:06}{word}.{word}-{number:03x}.{word}{number:04x}.z{number:06}{}", &word[..20]);
    name.chars().take(253).collect()
}

/// A node in a phase, well.
pub(crate) fn unit(name: String, pool: &str, phase: Phase) -> Unit {
    let done = phase == Phase::Updated;
    Unit {
        name,
        kind: "Node",
        node: None,
        pool: Some(pool.into()),
        assessment: match phase {
            Phase::Updated => UnitAssessment::Completed,
            Phase::Pending | Phase::Unknown => UnitAssessment::Outdated,
            Phase::Paused => UnitAssessment::Excluded,
            Phase::Draining | Phase::Updating | Phase::Rebooting | Phase::Provisioning | Phase::Deleting => {
                UnitAssessment::Progressing
            }
        },
        phase,
        version: Some(if done { NEW } else { OLD }.into()),
        updated: done,
        since: None,
        remaining: match phase {
            Phase::Updated | Phase::Paused => Remaining::Nothing,
            Phase::Pending | Phase::Provisioning | Phase::Deleting | Phase::Unknown => Remaining::Unknown,
            Phase::Draining => Remaining::Minutes(10),
            Phase::Updating | Phase::Rebooting => Remaining::Minutes(5),
        },
        available: condition(Truth::True, "AsExpected", ""),
        in_service: true,
        degraded: condition(Truth::False, "AsExpected", ""),
        message: String::new(),
        current_config: Some(format!("rendered-{pool}-{}", if done { "new" } else { "old" })),
        desired_config: Some(format!("rendered-{pool}-{}", if phase == Phase::Pending { "old" } else { "new" })),
        blocked_by: Vec::new(),
    }
}

pub(crate) fn degraded(name: String, pool: &str, message: &str) -> Unit {
    Unit {
        assessment: UnitAssessment::Degraded,
        degraded: condition(Truth::True, "Degraded", message),
        message: message.into(),
        remaining: Remaining::Unknown,
        ..unit(name, pool, Phase::Updating)
    }
}

/// A pool of these nodes.
pub(crate) fn pool(name: &str, scope: Scope, units: &[Unit]) -> Pool {
    let count = |holds: fn(&Unit) -> bool| units.iter().filter(|unit| holds(unit)).count();
    let counts = PoolCounts {
        desired: None,
        total: units.len(),
        available: count(|unit| unit.in_service),
        progressing: count(|unit| matches!(unit.phase, Phase::Draining | Phase::Updating | Phase::Rebooting)),
        outdated: count(|unit| unit.phase != Phase::Updated),
        draining: count(|unit| unit.phase == Phase::Draining),
        excluded: count(|unit| unit.phase == Phase::Paused),
        degraded: count(|unit| unit.degraded.status == Truth::True),
        version_unknown: count(|unit| unit.version.is_none()),
    };
    let assessment = match (counts.total, counts.outdated, counts.degraded) {
        (0, _, _) => PoolAssessment::Empty,
        (_, 0, _) => PoolAssessment::Completed,
        (_, _, 0) => PoolAssessment::Progressing,
        (_, _, _) => PoolAssessment::Degraded,
    };
    Pool {
        name: name.into(),
        scope,
        assessment,
        completion_percent: (counts.total > 0)
            .then(|| u8::try_from(100 * (counts.total - counts.outdated) / counts.total).unwrap()),
        updating: condition(Truth::True, "Progressing", "some nodes are at the target"),
        healthy: condition(Truth::True, "AsExpected", ""),
        paused: false,
        configuration: format!("rendered-{name}-new"),
        counts,
        resource: None,
    }
}

pub(crate) fn component(name: &str) -> Component {
    Component {
        name: name.into(),
        version: Some(NEW.into()),
        updating: condition(Truth::False, "Updated", ""),
        progressing_reason: "AsExpected".into(),
        healthy: condition(Truth::True, "AsExpected", ""),
        resource: None,
    }
}

/// A finding about a node of a pool.
pub(crate) fn finding(number: usize, node: &str, description: &str) -> Insight {
    Insight {
        uid: format!("h-node-degraded-{number:016x}"),
        rule: Rule::NodeDegraded,
        level: Level::Error,
        impact: Impact::UpdateStalled,
        since: None,
        summary: format!("Node {node} is degraded"),
        description: description.into(),
        advice: String::new(),
        reference: "https://docs.example.com/machine-config".into(),
        scope: Scope::WorkerPool,
        resources: vec![ResourceRef::cluster("", "nodes", node)],
        resources_omitted: 0,
        first_observed_at: None,
        last_observed_at: None,
        occurrences: None,
        related: Vec::new(),
    }
}

/// An update that runs, with 34 operators that are done, three control plane nodes that are done, and these pools.
pub(crate) fn report(workers: Vec<(&str, Vec<Unit>)>, insights: Vec<Insight>) -> Report {
    let masters: Vec<Unit> = (0..3).map(|at| unit(format!("master-{at}"), "master", Phase::Updated)).collect();
    let mut pools = vec![pool("master", Scope::ControlPlane, &masters)];
    let mut units = masters;
    for (name, nodes) in workers {
        pools.push(pool(name, Scope::WorkerPool, &nodes));
        units.extend(nodes);
    }
    let total = units.len();
    Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: NOW,
        clock: ClockSource::Now,
        outcome: Outcome::Updating,
        activity: Activity::Updating,
        waiting_on: Vec::new(),
        cluster: Cluster {
            namespace: None,
            name: Some("version".into()),
            form: Form::Standalone,
            updating: condition(Truth::False, "ClusterVersionNotProgressing", "Cluster version is 4.18.3"),
            healthy: condition(Truth::True, "AsExpected", ""),
            assessment: Assessment::Completed,
            versions: Versions {
                target: Some(NEW.into()),
                previous: Some(OLD.into()),
                change: Change::Version,
                operators: BTreeMap::from([(NEW.to_owned(), 34)]),
                nodes: BTreeMap::from([(NEW.to_owned(), total)]),
                ..Versions::default()
            },
            completion_percent: Some(100),
            tally: None,
            operators: OperatorCounts { total: 34, updated: 34, ..OperatorCounts::default() },
            started_at: Some(minutes_ago(120)),
            completed_at: Some(minutes_ago(40)),
            duration_seconds: Some(Seconds(SignedDuration::from_mins(80))),
            estimate: None,
        },
        components: (0..34).map(|at| component(&format!("operator-{at}"))).collect(),
        pools,
        units,
        insights,
        hints: Vec::new(),
        alerts: Alerts { available: true, message: String::new() },
        gaps: Vec::new(),
    }
}

pub(crate) fn writer() -> Writer<'static> {
    Writer {
        renderer: "headway-operator/test",
        generation: 1,
        available: condition(Truth::True, "AsExpected", ""),
        degraded: condition(Truth::False, "AsExpected", ""),
        informers: &[],
    }
}

/// The report as a status, by somebody who remembers nothing.
pub(crate) fn published(report: &Report) -> Published {
    publish::status(Source { report, memory: &Memory::default(), writer: &writer(), past: None }, Step::FULL)
}
