//! Rules about alerts (status-openshift.md, 8.6).

use std::collections::BTreeMap;

use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::prometheus::Alert;
use headway_api::report::Phase;
use jiff::Timestamp;

use super::super::span::ZERO_TIME;
use super::{Scene, draft};

/// Alerts that concern a drain, whenever they began.
const ALWAYS: [&str; 2] = ["PodDisruptionBudgetLimit", "PodDisruptionBudgetAtLimit"];

/// Alerts about the drain of one node, which mean nothing once that node is done (cases A39).
const OF_A_DRAIN: [&str; 2] = ["MCCDrainError", "MCDDrainError"];

/// Labels that say what an alert speaks of, with the kind they name.
const CONTEXT: [(&str, &str); 8] = [
    ("poddisruptionbudget", "PodDisruptionBudget"),
    ("pod", "pod"),
    ("daemonset", "DaemonSet"),
    ("deployment", "Deployment"),
    ("statefulset", "StatefulSet"),
    ("exported_node", "node"),
    ("node", "node"),
    ("name", "name"),
];

/// The alerts that count by the peer's rules, one insight each.
pub(super) fn firing_as_oc(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let started = started(scene);
    let alerts = scene.world.snapshot.alerts.as_slice().iter();
    let counted = alerts.filter_map(|alert| {
        let during = started < alert.active_at.unwrap_or(ZERO_TIME);
        let level = match alert.label("severity") {
            "warning" => Level::Warning,
            "critical" => Level::Critical,
            _ => return None,
        };
        counts(alert, during).then(|| tell(alert, during, level, alert.active_at, "config.openshift.io"))
    });
    counted.collect()
}

/// `H-ALERT`: the alerts that count, equal ones as one.
pub(super) fn firing(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let started = started(scene);
    let done: Vec<&str> = scene
        .pools
        .nodes()
        .filter(|view| view.unit.phase == Phase::Updated)
        .map(|view| view.node.metadata.name.as_str())
        .collect();
    // Prometheus keeps no order. Equal findings would change places, and identities that are places with them.
    let mut alerts: Vec<&Alert> = scene.world.snapshot.alerts.as_slice().iter().collect();
    alerts.sort_by_key(|alert| (&alert.labels, alert.active_at));
    let mut order = Vec::new();
    let mut groups: BTreeMap<String, (Insight, usize)> = BTreeMap::new();
    for alert in alerts {
        let since = alert.firing_since.or(alert.active_at);
        let during = since.is_some_and(|since| started < since);
        let level = match alert.label("severity").to_ascii_lowercase().as_str() {
            "warning" => Level::Warning,
            "error" => Level::Error,
            "critical" => Level::Critical,
            _ => continue,
        };
        let is_over = OF_A_DRAIN.contains(&alert.label("alertname")) && done.contains(&node_of(alert));
        if !counts(alert, during) || is_over {
            continue;
        }
        let mut insight = tell(alert, during, level, since, "");
        insight.scope = scope(scene, node_of(alert));
        insight.summary.push_str(&context(alert));
        // Alerts of one name about several objects are several findings.
        insight.uid = subject(alert).map_or(String::new(), |(label, value)| format!("{label}={value}"));
        let key = format!("{}\0{}\0{}", alert.label("alertname"), alert.label("namespace"), insight.summary);
        match groups.get_mut(&key) {
            Some((known, count)) => {
                known.since = [known.since, insight.since].into_iter().flatten().min();
                known.level = known.level.max(insight.level);
                *count += 1;
            }
            None => {
                order.push(key.clone());
                groups.insert(key, (insight, 1));
            }
        }
    }
    let mut subjects: BTreeMap<String, usize> = BTreeMap::new();
    let told = order.iter().filter_map(|key| groups.remove(key)).map(|(mut insight, count)| {
        if count > 1 {
            insight.summary = format!("{} ({count} times)", insight.summary);
        }
        // What differs in nothing but the words is told apart by its place.
        let alert: String = insight.resources.iter().map(ResourceRef::qualified_name).collect();
        let place = subjects.entry(format!("{alert}\0{}", insight.uid)).or_default();
        *place += 1;
        if *place > 1 {
            insight.uid = format!("{}#{place}", insight.uid);
        }
        insight
    });
    told.collect()
}

/// When the update began, as far as alerts are concerned: all began before an update without a start.
fn started(scene: &Scene<'_, '_>) -> Timestamp {
    let world = scene.world;
    let start = match world.latest() {
        Some(entry) => entry.started_time,
        None => world.cv_condition("Progressing").and_then(|condition| condition.last_transition_time),
    };
    start.unwrap_or(if world.as_oc() { ZERO_TIME } else { Timestamp::MAX })
}

/// Whether an alert has a name, fires, and began during the update or is known to hold updates up.
fn counts(alert: &Alert, during: bool) -> bool {
    let name = alert.label("alertname");
    !name.is_empty() && (during || ALWAYS.contains(&name)) && alert.state != "pending"
}

fn node_of(alert: &Alert) -> &str {
    let exported = alert.label("exported_node");
    if exported.is_empty() { alert.label("node") } else { exported }
}

/// The part of the cluster that an alert concerns: that of its node, if it speaks of one.
fn scope(scene: &Scene<'_, '_>, node: &str) -> Scope {
    let mut pools = scene.pools.pools.iter();
    let home = pools.find(|pool| pool.nodes.iter().any(|view| view.node.metadata.name == node));
    home.map_or(Scope::ControlPlane, |pool| pool.told.scope)
}

fn tell(alert: &Alert, during: bool, level: Level, since: Option<Timestamp>, group: &str) -> Insight {
    let name = alert.label("alertname");
    let notes = &alert.annotations;
    let lead = match (ALWAYS.contains(&name), during) {
        (true, true) => "Alert known to affect updates started firing during the update.",
        (true, false) => "Alert known to affect updates has been firing since before the update started.",
        (false, _) => "Alert started firing during the update.",
    };
    let tail = match (notes.description.as_str(), notes.message.as_str()) {
        ("", "") => "The alert has no description.".to_owned(),
        (text, "") | ("", text) => format!("The alert description is: {text}"),
        (description, message) => format!("The alert description is: {description} | {message}"),
    };
    let summary = if notes.summary.is_empty() { name } else { &notes.summary };
    let reference = if notes.runbook_url.is_empty() {
        "<alert does not have a runbook_url annotation>"
    } else {
        &notes.runbook_url
    };
    Insight {
        since,
        resources: vec![ResourceRef::namespaced(group, "alerts", alert.label("namespace"), name)],
        summary: format!("Alert is firing: {summary}"),
        description: format!("{lead} {tail}"),
        reference: reference.to_owned(),
        ..draft(Rule::Alert, level, Impact::Unknown, Scope::ControlPlane)
    }
}

/// The label that says what the alert speaks of, and its value.
fn subject(alert: &Alert) -> Option<(&'static str, &str)> {
    let labels = CONTEXT.iter().map(|(label, _)| (*label, alert.label(label)));
    labels.into_iter().find(|(_, value)| !value.is_empty())
}

/// What the alert speaks of, in brackets; the summary alone often does not say (oc_15_3_15).
fn context(alert: &Alert) -> String {
    let namespace = alert.label("namespace");
    let of_an_operator = alert.label("alertname").starts_with("ClusterOperator");
    let Some((label, value)) = subject(alert) else {
        return if namespace.is_empty() { String::new() } else { format!(" (namespace {namespace})") };
    };
    let known = CONTEXT.iter().find(|(known, _)| *known == label).map_or(label, |(_, kind)| kind);
    let kind = if label == "name" && of_an_operator { "ClusterOperator" } else { known };
    if namespace.is_empty() || matches!(label, "exported_node" | "node" | "name") {
        format!(" ({kind} {value})")
    } else {
        format!(" ({kind} {namespace}/{value})")
    }
}

/// The budget that an alert speaks of, as `namespace/name`.
pub(super) fn budget_of(insight: &Insight) -> Option<&str> {
    in_brackets(insight, "(PodDisruptionBudget ")
}

/// The node whose drain an alert speaks of.
pub(super) fn drained_node_of(insight: &Insight) -> Option<&str> {
    let of_a_drain = insight.resources.iter().any(|resource| OF_A_DRAIN.contains(&resource.name.as_str()));
    in_brackets(insight, "(node ").filter(|_| of_a_drain)
}

/// What [`context`] put behind a word.
fn in_brackets<'i>(insight: &'i Insight, word: &str) -> Option<&'i str> {
    let (_, rest) = insight.summary.split_once(word)?;
    rest.split_once(')').map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_15_3_15_an_alert_says_what_it_speaks_of() {
        let check = |labels: &[(&str, &str)], expect: &str| {
            let labels = labels.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            assert_eq!(context(&Alert { labels, ..Alert::default() }), expect);
        };
        check(&[], "");
        check(&[("namespace", "shop")], " (namespace shop)");
        check(&[("namespace", "shop"), ("poddisruptionbudget", "till")], " (PodDisruptionBudget shop/till)");
        check(&[("alertname", "ClusterOperatorDown"), ("name", "dns")], " (ClusterOperator dns)");
        check(&[("alertname", "SomethingElse"), ("name", "dns")], " (name dns)");
        // The node that is drained, not the one on which the controller runs that says so.
        let drain = [("namespace", "mco"), ("node", "cp-1"), ("exported_node", "w-1")];
        check(&drain, " (node w-1)");
    }
}
