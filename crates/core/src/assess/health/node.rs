//! Rules about single nodes, and the grouping of nodes that have one and the same trouble.

use std::collections::BTreeMap;

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use jiff::SignedDuration;

use super::super::nodes::{NodeView, Trouble, TroubleKind, join, node_degraded, without_name};
use super::super::pools::PoolView;
use super::super::world::Rules;
use super::super::{quote, span};
use super::{Scene, draft, node_ref, one_line, or_note, reference};
use crate::inform::Source;

/// How long a node may be not ready: restarts of the kubelet take less.
const NOT_READY_GRACE: SignedDuration = SignedDuration::from_mins(5);

/// How long a node may report pressure.
const PRESSURE_GRACE: SignedDuration = SignedDuration::from_mins(1);

/// More nodes of a pool than this with one trouble become one insight.
const GROUP_ABOVE: usize = 5;

/// `H-NODE-UNAVAILABLE`: out of service, and not for the update (8.4).
pub(super) fn unavailable(scene: &Scene<'_, '_>, view: &NodeView<'_>, pool: Option<&PoolView<'_>>) -> Option<Insight> {
    if view.updating || !view.troubles.iter().any(|trouble| is_serious(scene, view, trouble)) {
        return None;
    }
    let name = &view.node.metadata.name;
    let as_oc = scene.world.as_oc();
    if !view.unavailable {
        // Only the peer comes here: it takes such a node for available, and drops the insight for its empty texts.
        return None;
    }
    let reason = view.node.metadata.annotations.reason.clone().unwrap_or_default();
    let description = if as_oc && view.degraded {
        // oc_15_3_8
        reason
    } else {
        join(view.troubles.iter().map(description))
    };
    Some(Insight {
        since: view.troubles.iter().filter_map(|trouble| trouble.since).min(),
        resources: vec![node_ref(name)],
        summary: join(view.troubles.iter().map(|trouble| summary(name, trouble))),
        description,
        reference: reference::MACHINE_CONFIG.into(),
        ..draft(Rule::NodeUnavailable, Level::Warning, Impact::UpdateSpeed, scope(pool))
    })
}

/// `H-NODE-DEGRADED`: the machine config daemon gave up on the node (8.5).
pub(super) fn degraded(scene: &Scene<'_, '_>, view: &NodeView<'_>, pool: Option<&PoolView<'_>>) -> Option<Insight> {
    if !view.degraded {
        return None;
    }
    let name = &view.node.metadata.name;
    let reason = view.node.metadata.annotations.reason.as_deref().unwrap_or_default();
    let told = view.mcn.and_then(node_degraded);
    let as_oc = scene.world.as_oc();
    let reason = match told {
        Some(told) if reason.is_empty() && !as_oc => &told.message,
        _ => reason,
    };
    Some(Insight {
        since: told.filter(|_| !as_oc).and_then(|told| told.last_transition_time),
        resources: vec![node_ref(name)],
        summary: format!("Node {name} is degraded"),
        description: if as_oc { reason.to_owned() } else { or_note(reason, "<no reason given>") },
        reference: reference::MACHINE_CONFIG.into(),
        ..draft(Rule::NodeDegraded, Level::Error, Impact::UpdateStalled, scope(pool))
    })
}

/// Both rules over the nodes of a pool; more than five nodes with one trouble are one insight.
pub(super) fn grouped(scene: &Scene<'_, '_>, nodes: &[NodeView<'_>], pool: Option<&PoolView<'_>>) -> Vec<Insight> {
    let mut single = Vec::new();
    let mut groups: BTreeMap<(Rule, String), Vec<usize>> = BTreeMap::new();
    for view in nodes {
        let found = unavailable(scene, view, pool).into_iter().chain(degraded(scene, view, pool));
        for insight in found {
            let cause = match insight.rule {
                Rule::NodeUnavailable => join(view.troubles.iter().map(|trouble| trouble.kind.text())),
                _ => insight.description.clone(),
            };
            let cause = normalized(&cause, &view.node.metadata.name);
            groups.entry((insight.rule, cause)).or_default().push(single.len());
            single.push(Some(insight));
        }
    }
    let mut all = Vec::new();
    for ((rule, cause), members) in groups {
        if members.len() <= GROUP_ABOVE {
            continue;
        }
        let insights: Vec<Insight> = members.iter().filter_map(|at| single.get_mut(*at)?.take()).collect();
        all.push(group(rule, &cause, insights, pool));
    }
    all.extend(single.into_iter().flatten());
    all
}

fn group(rule: Rule, cause: &str, insights: Vec<Insight>, pool: Option<&PoolView<'_>>) -> Insight {
    let count = insights.len();
    let place = pool.map_or("no pool".into(), |pool| format!("pool {}", pool.told.name));
    let word = if rule == Rule::NodeDegraded { "degraded" } else { "unavailable" };
    let level = insights.iter().map(|insight| insight.level).max().unwrap_or(Level::Warning);
    let impact = insights.first().map_or(Impact::Unknown, |insight| insight.impact);
    let mut resources: Vec<_> = insights.iter().flat_map(|insight| insight.resources.clone()).collect();
    resources.sort();
    Insight {
        uid: format!("{place}: {cause}"),
        since: insights.iter().filter_map(|insight| insight.since).min(),
        summary: format!("{count} nodes of {place} are {word}: {}", one_line(cause, 160)),
        description: cause.to_owned(),
        reference: reference::MACHINE_CONFIG.into(),
        resources,
        ..draft(rule, level, impact, scope(pool))
    }
}

/// A reason without what differs from node to node: the name, digests, numbers and with them addresses and times.
fn normalized(text: &str, name: &str) -> String {
    let text = if name.is_empty() { text.to_owned() } else { text.replace(name, "<node>") };
    let text = without_name(&text, name);
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once('\n')) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        let is_digest = word.len() >= 16 && word.chars().all(|c| c.is_ascii_hexdigit());
        if is_digest || (!word.is_empty() && word.chars().all(|c| c.is_ascii_digit()) && word.len() > 2) {
            out.push('#');
        } else {
            out.push_str(&word);
        }
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

fn scope(pool: Option<&PoolView<'_>>) -> Scope {
    pool.map_or(Scope::WorkerPool, |pool| pool.told.scope)
}

/// Whether a trouble is more than what an update brings with it (8.4).
fn is_serious(scene: &Scene<'_, '_>, view: &NodeView<'_>, trouble: &Trouble<'_>) -> bool {
    let lasts = |grace: SignedDuration| match (trouble.since, scene.world.rules) {
        (Some(since), Rules::Headway) => scene.world.reached(Source::Nodes, since, grace),
        (Some(since), Rules::Oc { grace: clock }) => span::between(clock, since) >= grace,
        (None, _) => true,
    };
    match trouble.kind {
        TroubleKind::Unschedulable | TroubleKind::DaemonWorking => false,
        // The grace is for restarts. A node that the machine config daemon never took up was not restarted: it never
        // came into service (cases A04).
        TroubleKind::NotReady if is_fresh(view) && !scene.world.as_oc() => true,
        TroubleKind::NotReady => lasts(NOT_READY_GRACE),
        TroubleKind::DiskPressure | TroubleKind::NetworkUnavailable => lasts(PRESSURE_GRACE),
        TroubleKind::UnexpectedImage(_) => true,
    }
}

/// Whether the machine config daemon has not written anything on the node yet.
fn is_fresh(view: &NodeView<'_>) -> bool {
    !view.node.metadata.annotations.of_daemon()
}

fn summary(name: &str, trouble: &Trouble<'_>) -> String {
    match &trouble.kind {
        TroubleKind::NotReady => format!("Node {name} is not ready"),
        TroubleKind::DiskPressure => format!("Node {name} has disk pressure"),
        TroubleKind::NetworkUnavailable => format!("Node {name} has unavailable network"),
        TroubleKind::Unschedulable | TroubleKind::DaemonWorking | TroubleKind::UnexpectedImage(_) => {
            trouble.kind.text()
        }
    }
}

fn description(trouble: &Trouble<'_>) -> String {
    let condition = match &trouble.kind {
        TroubleKind::NotReady => "Ready!=True",
        TroubleKind::DiskPressure => "DiskPressure!=False",
        TroubleKind::NetworkUnavailable => "NetworkUnavailable!=False",
        TroubleKind::Unschedulable | TroubleKind::DaemonWorking | TroubleKind::UnexpectedImage(_) => {
            return trouble.kind.text();
        }
    };
    format!(
        "Node has a {condition} condition with Reason \"{}\" and message {}",
        trouble.kind.text(),
        quote::go(trouble.message)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_equal_but_for_what_differs_by_node() {
        let check = |name: &str, text: &str, expect: &str| assert_eq!(normalized(text, name), expect);
        check(
            "worker-b-1",
            "failed to drain node: worker-b-1 after 1 hour",
            "failed to drain node: <node> after 1 hour",
        );
        check("w-1", "pull sha256:56bab0cd6a692bb7021640889ca69a11 failed", "pull sha256:# failed");
        check("w-1", "udp 10.0.0.6:40349 at 2025-08-19", "udp 10.0.0.6:# at #-08-19");
        check("w-1", "line\nline", "line\nline");
    }
}
