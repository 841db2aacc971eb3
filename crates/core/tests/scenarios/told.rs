//! What a report says, as short lines by key, and the one comparison that all scenarios go through.

use std::fmt::Write as _;

use headway_api::insight::Insight;
use headway_api::report::{Condition, Report};
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::Snapshot;

use super::cluster::NOW;

/// The peer's rules, with the grace periods on the snapshot's clock.
pub(super) const OC: Rules = Rules::Oc { grace: NOW };

/// Assesses by our rules and compares.
#[track_caller]
pub(super) fn check(snapshot: &Snapshot, expect: &[(&str, &str)]) {
    compare(snapshot, Rules::Headway, expect);
}

/// Assesses by the peer's rules and compares.
#[track_caller]
pub(super) fn check_oc(snapshot: &Snapshot, expect: &[(&str, &str)]) {
    compare(snapshot, OC, expect);
}

/// One snapshot by both rules: each row is a key, what the peer says and what we say.
#[track_caller]
pub(super) fn check_pair(snapshot: &Snapshot, expect: &[(&str, &str, &str)]) {
    let oc: Vec<_> = expect.iter().map(|(key, oc, _)| (*key, *oc)).collect();
    let ours: Vec<_> = expect.iter().map(|(key, _, ours)| (*key, *ours)).collect();
    compare(snapshot, OC, &oc);
    compare(snapshot, Rules::Headway, &ours);
}

/// Compares the lines of a report with what is expected; tells all that differ.
#[track_caller]
pub(super) fn compare(snapshot: &Snapshot, rules: Rules, expect: &[(&str, &str)]) {
    let report = assess(snapshot, rules);
    let mut wrong = String::new();
    for (key, expect) in expect {
        let said = line(&report, key);
        if said != *expect {
            write!(wrong, "\n  {key}\n    expected {expect}\n    told     {said}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{rules:?}:{wrong}");
}

/// The line of a key. The keys are the arms below; a name follows after a space.
pub(super) fn line(report: &Report, key: &str) -> String {
    let words: Vec<&str> = key.split(' ').collect();
    match words.as_slice() {
        ["outcome"] => format!("{:?}/{:?}", report.activity, report.outcome),
        ["updating"] => condition(&report.cluster.updating),
        ["healthy"] => condition(&report.cluster.healthy),
        ["assessment"] => report.cluster.assessment.to_string(),
        ["form"] => format!("{:?}", report.cluster.form),
        ["versions"] => versions(report),
        ["done"] => done(report),
        ["sick"] => {
            let counts = &report.cluster.operators;
            format!("{} unavailable, {} degraded", counts.unavailable, counts.degraded)
        }
        ["left"] => report.cluster.estimate.map_or("-".into(), |left| {
            format!("{:?} {}s of {}s", left.state, left.remaining_seconds, left.total_seconds)
        }),
        ["took"] => report.cluster.duration_seconds.map_or("-".into(), |took| format!("{}s", took.0.as_secs())),
        ["ended"] => report.cluster.completed_at.map_or("-".into(), |at| at.to_string()),
        ["message"] => report.cluster.updating.message.clone(),
        ["co", name] => {
            let found = report.components.iter().find(|component| component.name == *name);
            found.map_or("-".into(), |c| format!("{} {}", condition(&c.updating), condition(&c.healthy)))
        }
        ["co", name, "message"] => {
            let found = report.components.iter().find(|component| component.name == *name);
            found.map_or("-".into(), |c| c.updating.message.clone())
        }
        ["pools"] => join(report.pools.iter().map(|pool| pool.name.clone())),
        ["pool", name] => pool(report, name),
        ["pool", name, "scope"] => {
            let found = report.pools.iter().find(|pool| pool.name == *name);
            found.map_or("-".into(), |pool| format!("{:?}", pool.scope))
        }
        ["pool", name, "says"] => {
            let found = report.pools.iter().find(|pool| pool.name == *name);
            found.map_or("-".into(), |pool| format!("{} {}", condition(&pool.updating), condition(&pool.healthy)))
        }
        ["nodes"] => join(report.units.iter().map(|unit| unit.name.clone())),
        ["node", name] => node(report, name),
        ["node", name, "says"] => {
            let found = report.units.iter().find(|unit| unit.name == *name);
            found.map_or("-".into(), |unit| format!("{} {}", condition(&unit.available), condition(&unit.degraded)))
        }
        ["node", name, "pool"] => {
            let found = report.units.iter().find(|unit| unit.name == *name);
            found.and_then(|unit| unit.pool.clone()).unwrap_or("-".into())
        }
        ["health"] => join(report.insights.iter().map(insight)),
        ["hints"] => report.hints.join(" "),
        ["gaps"] => join(report.gaps.iter().map(|gap| format!("{:?} {gap}", gap.kind))),
        ["alerts"] => format!("{} {}", report.alerts.available, report.alerts.message),
        [what, rule] => about(report, what, rule),
        _ => format!("no such key: {key}"),
    }
}

/// Parts of an insight, by the id of its rule without `H-`; the first one where there are several.
fn about(report: &Report, what: &str, rule: &str) -> String {
    let found = report.insights.iter().find(|insight| insight.rule.id().trim_start_matches("H-") == rule);
    let Some(found) = found else {
        return "-".into();
    };
    match what {
        "summary" => found.summary.clone(),
        "description" => found.description.clone(),
        "advice" => found.advice.clone(),
        "reference" => found.reference.clone(),
        "impact" => format!("{} {:?}", found.impact, found.scope),
        "since" => found.since.map_or("-".into(), |since| since.to_string()),
        "resources" => join(
            found.resources.iter().map(|known| format!("{} {}", known.qualified_resource(), known.qualified_name())),
        ),
        "omitted" => found.resources_omitted.to_string(),
        "related" => join(found.related.iter().map(|related| format!("{} {}", related.rule, related.summary))),
        _ => format!("no such key: {what}"),
    }
}

fn join(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join("; ")
}

fn condition(condition: &Condition) -> String {
    format!("{}/{}", condition.status, condition.reason)
}

fn versions(report: &Report) -> String {
    let versions = &report.cluster.versions;
    let or_dash = |text: &Option<String>| text.clone().unwrap_or("-".into());
    let mut line = format!("{:?} {} from {}", versions.change, or_dash(&versions.target), or_dash(&versions.previous));
    if versions.previous_is_partial {
        line.push_str(" (partial)");
    }
    if let Some(architecture) = &versions.architecture {
        write!(line, " for {architecture}").unwrap();
    }
    line
}

fn done(report: &Report) -> String {
    let counts = &report.cluster.operators;
    let percent = report.cluster.completion_percent.map_or("-".into(), |percent| format!("{percent}%"));
    let mut line = format!("{percent} ({}/{})", counts.updated, counts.total);
    for (count, word) in [(counts.updating, "updating"), (counts.waiting, "waiting"), (counts.unknown, "unknown")] {
        if count > 0 {
            write!(line, ", {count} {word}").unwrap();
        }
    }
    line
}

/// Assessment, share, available; then what is not zero.
fn pool(report: &Report, name: &str) -> String {
    let Some(pool) = report.pools.iter().find(|pool| pool.name == name) else {
        return "-".into();
    };
    let counts = &pool.counts;
    let percent = pool.completion_percent.map_or("-".into(), |percent| format!("{percent}%"));
    let mut line = format!(
        "{} {percent} ({}/{}), {} available",
        pool.assessment,
        counts.total - counts.outdated,
        counts.total,
        counts.available
    );
    for (count, word) in [
        (counts.progressing, "progressing"),
        (counts.draining, "draining"),
        (counts.excluded, "excluded"),
        (counts.degraded, "degraded"),
        (counts.version_unknown, "unknown"),
    ] {
        if count > 0 {
            write!(line, ", {count} {word}").unwrap();
        }
    }
    line
}

/// As a row of the table of nodes: assessment, phase, version, what is left, message.
fn node(report: &Report, name: &str) -> String {
    let Some(unit) = report.units.iter().find(|unit| unit.name == name) else {
        return "-".into();
    };
    let version = unit.version.as_deref().unwrap_or("?");
    let row = format!("{} {} {version} {} {}", unit.assessment, unit.phase, unit.remaining, unit.message);
    row.trim_end().to_owned()
}

/// Level, rule without `H-`, and the names of the objects.
fn insight(insight: &Insight) -> String {
    let names: Vec<String> = insight.resources.iter().map(|resource| resource.qualified_name()).collect();
    format!("{} {} {}", insight.level, insight.rule.id().trim_start_matches("H-"), names.join(","))
}
