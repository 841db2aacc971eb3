//! What a report says, in words that all forms share, as short lines by key.

use std::collections::BTreeMap;

use headway_api::gap::GapKind;
use headway_api::insight::{Insight, Rule};
use headway_api::report::{Pool, Report, Truth, Unit};

use super::world::{Group, World};

/// The line of a key. The keys are the arms below; a group is meant by `cp`, `workers` or `others`, a node of the
/// workers by its number.
pub(super) fn line(world: &dyn World, report: &Report, before: Option<&Report>, key: &str) -> String {
    let words: Vec<&str> = key.split(' ').collect();
    match words.as_slice() {
        ["verdict"] => format!("{:?}/{:?}", report.activity, report.outcome),
        ["cluster"] => {
            let cluster = &report.cluster;
            format!("{} {} {}", cluster.assessment, cluster.updating.status, reason(&cluster.updating.reason))
        }
        ["healthy"] => report.cluster.healthy.status.to_string(),
        ["done"] => percent(report.cluster.completion_percent),
        ["versions"] => versions(world, report),
        ["parts"] => parts(report),
        ["part"] => {
            // The first that is not done, or not well.
            let found = report.components.iter().find(|it| it.updating.reason != "Updated");
            found.map_or("-".into(), |it| format!("{}/{}", it.updating.status, it.updating.reason))
        }
        ["pool", group] => {
            let found = report.pools.iter().find(|pool| pool.name == world.pool(of(group)));
            found.map_or("none".into(), pool)
        }
        ["nodes"] => units(world, report, Group::Workers).len().to_string(),
        ["node", at] => node(world, units(world, report, Group::Workers).get(at.parse::<usize>().unwrap())),
        ["node", group, at] => node(world, units(world, report, of(group)).get(at.parse::<usize>().unwrap())),
        ["available", at] => {
            let units = units(world, report, Group::Workers);
            units.get(at.parse::<usize>().unwrap()).map_or("none".into(), |unit| unit.available.status.to_string())
        }
        ["blocked", at] => {
            let units = units(world, report, Group::Workers);
            let unit = units.get(at.parse::<usize>().unwrap());
            let blocked = unit.into_iter().flat_map(|unit| &unit.blocked_by);
            blocked.map(|it| format!("{}/{} by {}", it.namespace, it.pod, it.budget)).collect()
        }
        ["health"] => health(report),
        ["hints"] => report.hints.len().to_string(),
        ["gaps"] => {
            let serious = report.gaps.iter().filter(|gap| gap.kind == GapKind::Missing).count();
            if serious > 0 { "something is missing".into() } else { "nothing is missing".into() }
        }
        ["negative"] => {
            let duration = report.cluster.duration_seconds.is_some_and(|it| it.0.is_negative());
            let total = report.cluster.estimate.is_some_and(|it| it.total_seconds < 0);
            (duration || total).to_string()
        }
        ["rises"] => {
            let share = |report: &Report| {
                report.pools.iter().find(|pool| pool.name == world.pool(Group::Workers)).unwrap().completion_percent
            };
            (share(report) >= share(before.unwrap())).to_string()
        }
        ["steady"] => {
            let same = |report: &Report| {
                let health = report.insights.iter().map(|it| (it.uid.clone(), it.level, it.since)).collect::<Vec<_>>();
                (report.outcome, report.pools.clone(), report.units.clone(), health)
            };
            (same(report) == same(before.unwrap())).to_string()
        }
        ["plan"] => report.cluster.versions.plan.len().to_string(),
        [what, rule] => about(report, before, what, rule),
        _ => panic!("no such key: {key}"),
    }
}

fn of(group: &str) -> Group {
    match group {
        "cp" => Group::ControlPlane,
        "workers" => Group::Workers,
        "others" => Group::Others,
        _ => panic!("no such group: {group}"),
    }
}

/// The nodes of a pool by name, which numbers them.
fn units<'r>(world: &dyn World, report: &'r Report, group: Group) -> Vec<&'r Unit> {
    let of_pool = |unit: &&Unit| unit.pool.as_deref() == Some(world.pool(group));
    let mut units: Vec<&Unit> = report.units.iter().filter(of_pool).collect();
    units.sort_by(|a, b| a.name.cmp(&b.name));
    units
}

fn percent(percent: Option<u8>) -> String {
    percent.map_or("-".into(), |percent| format!("{percent}%"))
}

/// A reason of a form in the word of all.
fn reason(reason: &str) -> &str {
    match reason {
        "ClusterVersionProgressing" | "ControlPlaneRollingOut" | "RollingOut" => "on its way",
        "ClusterVersionNotProgressing" | "NotProgressing" | "Updated" => "at rest",
        "CannotDetermineUpdating" | "CannotDetermine" => "cannot tell",
        "Accepted" | "Pending" => "not begun",
        "Paused" => "paused",
        "Blocked" => "blocked",
        other => other,
    }
}

/// A version by what it is to the update.
fn version(world: &dyn World, version: Option<&str>) -> String {
    let (old, new) = world.versions();
    match version {
        Some(version) if version == old => "old".into(),
        Some(version) if version == new => "new".into(),
        Some(other) => other.to_owned(),
        None => "?".into(),
    }
}

fn versions(world: &dyn World, report: &Report) -> String {
    let versions = &report.cluster.versions;
    let partial = if versions.previous_is_partial { " (partial)" } else { "" };
    let name = |text: &Option<String>| version(world, text.as_deref());
    format!("{:?} {} from {}{partial}", versions.change, name(&versions.target), name(&versions.previous))
}

fn parts(report: &Report) -> String {
    let count = |status: Truth| report.components.iter().filter(|it| it.healthy.status == status).count();
    format!("{} unwell, {} unknown", count(Truth::False), count(Truth::Unknown))
}

/// Assessment, share, and what is not zero. `of` tells how many there are where that is not how many there are to be.
fn pool(pool: &Pool) -> String {
    let counts = &pool.counts;
    let desired = counts.desired.unwrap_or(counts.total);
    let done = (counts.total - counts.outdated).min(desired);
    let of = if desired == counts.total { String::new() } else { format!(" of {}", counts.total) };
    let mut line = format!(
        "{} {} ({done}/{desired}{of}), {} available",
        pool.assessment,
        percent(pool.completion_percent),
        counts.available
    );
    for (count, word) in [
        (counts.progressing, "progressing"),
        (counts.draining, "draining"),
        (counts.excluded, "excluded"),
        (counts.degraded, "degraded"),
    ] {
        if count > 0 {
            line.push_str(&format!(", {count} {word}"));
        }
    }
    line
}

fn node(world: &dyn World, unit: Option<&&Unit>) -> String {
    let Some(unit) = unit else { return "none".into() };
    format!("{} {} {}", unit.assessment, unit.phase, version(world, unit.version.as_deref()))
}

/// The word that all forms share for a rule.
fn word(rule: Rule) -> &'static str {
    match rule {
        Rule::CoDegraded | Rule::ComponentDegraded => "PART-DEGRADED",
        Rule::CoUnavailable | Rule::ComponentUnavailable => "PART-UNAVAILABLE",
        Rule::CoSlow | Rule::ComponentSlow => "PART-SLOW",
        Rule::CvFailing | Rule::ClusterFailing => "FAILING",
        Rule::CvPartial => "PARTIAL",
        Rule::CvContradict => "CONTRADICT",
        Rule::PoolRender | Rule::PoolInvalid => "POOL-INVALID",
        other => other.id().trim_start_matches("H-"),
    }
}

/// Level and rule of each insight, worst first, and how many there are of a kind.
fn health(report: &Report) -> String {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for insight in &report.insights {
        *counts.entry((std::cmp::Reverse(insight.level), word(insight.rule))).or_default() += 1;
    }
    let told = counts.iter().map(|((level, word), count)| match count {
        1 => format!("{} {word}", level.0),
        several => format!("{} {word} x{several}", level.0),
    });
    told.collect::<Vec<_>>().join("; ")
}

/// Parts of the first insight of a rule.
fn about(report: &Report, before: Option<&Report>, what: &str, rule: &str) -> String {
    let find = |report: &Report| -> Option<Insight> {
        report.insights.iter().find(|insight| word(insight.rule) == rule).cloned()
    };
    let Some(found) = find(report) else { return "-".into() };
    match what {
        "impact" => found.impact.to_string(),
        "scope" => format!("{:?}", found.scope),
        // The numbers of the nodes that it names, by their own names or those of their machines.
        "names" => {
            let is_named = |unit: &&Unit| {
                let names = [Some(unit.name.as_str()), unit.node.as_deref()];
                found.resources.iter().any(|it| names.contains(&Some(it.name.as_str())))
            };
            let mut numbers: Vec<&str> =
                report.units.iter().filter(is_named).filter_map(|unit| unit.name.rsplit('-').next()).collect();
            numbers.sort_unstable();
            numbers.join(",")
        }
        "kinds" => {
            let mut kinds: Vec<&str> = found.resources.iter().map(|it| it.resource.as_str()).collect();
            kinds.retain(|kind| matches!(*kind, "pods" | "poddisruptionbudgets"));
            kinds.join(",")
        }
        "omitted" => (found.resources.len() + found.resources_omitted).to_string(),
        "size" => {
            if found.description.len() <= 8_000 {
                "bounded".into()
            } else {
                found.description.len().to_string()
            }
        }
        "length" => found.description.chars().filter(|c| *c == 'x').count().to_string(),
        "kept" => find(before.unwrap()).is_some_and(|it| it.uid == found.uid && it.since == found.since).to_string(),
        "since" => found.since.is_some().to_string(),
        "summary" => found.summary,
        _ => panic!("no such key: {what}"),
    }
}
