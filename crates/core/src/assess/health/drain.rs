//! Drains that a PodDisruptionBudget holds up: which pod, which budget, and whether it can ever pass.

use std::collections::BTreeMap;
use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget, PodDisruptionBudgetStatus};
use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule};
use headway_api::meta::ConditionStatus;
use headway_api::report::{Blocker, Phase};
use jiff::{SignedDuration, Timestamp};

use super::super::pools::{PoolView, PoolViews};
use super::super::world::World;
use super::{Scene, draft, node_ref, reference};
use crate::inform::Source;

/// Shorter drains are how pods move.
pub(in crate::assess) const GRACE: SignedDuration = SignedDuration::from_mins(10);

/// After an hour the machine config controller calls the node degraded itself.
pub(in crate::assess) const ERROR: SignedDuration = SignedDuration::from_mins(60);

/// A node that is draining, with the pods that cannot leave.
pub(in crate::assess) struct Drain<'a> {
    pub(in crate::assess) node: &'a str,
    pool: &'a str,
    since: Option<Timestamp>,
    /// The same, or since when it has been seen draining where the begin was not seen.
    at_least_since: Option<Timestamp>,
    /// The machine config controller gave up on draining it, which it does after an hour.
    given_up: bool,
    pub(in crate::assess) held: Vec<Held<'a>>,
}

/// A pod that cannot be evicted, and the budgets that cover it: one without room, or more than one.
pub(in crate::assess) struct Held<'a> {
    pod: &'a Pod,
    budgets: Vec<&'a PodDisruptionBudget>,
}

/// The pods that drains evict, and the budgets that are asked.
pub(in crate::assess) struct Evictions<'a> {
    budgets: BTreeMap<&'a str, Vec<&'a PodDisruptionBudget>>,
    pods: BTreeMap<&'a str, Vec<&'a Pod>>,
}

impl<'a> Evictions<'a> {
    /// Those of one cluster.
    pub(in crate::assess) fn new(pods: &'a [Arc<Pod>], budgets: &'a [Arc<PodDisruptionBudget>]) -> Self {
        let mut all = Self { budgets: BTreeMap::new(), pods: BTreeMap::new() };
        for budget in budgets {
            all.budgets.entry(&budget.metadata.namespace).or_default().push(budget);
        }
        for pod in pods.iter().filter(|pod| is_evicted_in_a_drain(pod)) {
            all.pods.entry(&pod.spec.node_name).or_default().push(pod);
        }
        all
    }

    /// The pods of a node that cannot leave, by their names.
    pub(in crate::assess) fn held(&self, node: &str) -> Vec<Held<'a>> {
        let on_node = self.pods.get(node).map_or(&[][..], Vec::as_slice);
        let mut held: Vec<Held<'a>> = on_node.iter().filter_map(|pod| hold(pod, &self.budgets)).collect();
        held.sort_by_key(|held| (&held.pod.metadata.namespace, &held.pod.metadata.name));
        held
    }
}

/// The drains that budgets hold up.
pub(in crate::assess) fn drains<'a>(world: &World<'a>, pools: &PoolViews<'a>) -> Vec<Drain<'a>> {
    let evictions = Evictions::new(&world.snapshot.pods, &world.snapshot.budgets);
    let mut all = Vec::new();
    for pool in &pools.pools {
        for view in pool.nodes.iter().filter(|view| view.unit.phase == Phase::Draining) {
            let name = view.node.metadata.name.as_str();
            let held = evictions.held(name);
            let reason = view.node.metadata.annotations.reason.as_deref().unwrap_or_default();
            if !held.is_empty() {
                all.push(Drain {
                    node: name,
                    pool: &pool.pool.metadata.name,
                    since: view.draining_since,
                    at_least_since: view.draining_since.or_else(|| seen_draining(world, name)),
                    given_up: view.degraded && reason.contains("failed to drain node"),
                    held,
                });
            }
        }
    }
    all
}

/// Since when a node has been seen draining.
fn seen_draining(world: &World<'_>, node: &str) -> Option<Timestamp> {
    let known = world.memory().nodes.get(node).filter(|known| known.phase == Phase::Draining);
    known.map(|known| known.first_seen)
}

/// Whether a drain would evict the pod, and the eviction would ask a budget.
fn is_evicted_in_a_drain(pod: &Pod) -> bool {
    let by_daemon_set = pod.metadata.owner_references.iter().any(|owner| owner.controller && owner.kind == "DaemonSet");
    // Pods that do not run, or are going already, leave without asking.
    let runs = pod.status.phase == "Running" || pod.status.phase == "Unknown" || pod.status.phase.is_empty();
    runs && !by_daemon_set && pod.metadata.annotations.mirror.is_none() && pod.metadata.deletion_timestamp.is_none()
}

fn hold<'a>(pod: &'a Pod, budgets: &BTreeMap<&str, Vec<&'a PodDisruptionBudget>>) -> Option<Held<'a>> {
    let of_namespace = budgets.get(pod.metadata.namespace.as_str())?;
    let covers = |budget: &&&PodDisruptionBudget| {
        let selector = budget.spec.selector.as_ref();
        selector.is_some_and(|selector| selector.matches(&pod.metadata.labels))
    };
    let covering: Vec<_> = of_namespace.iter().filter(covers).copied().collect();
    let blocks = match covering.as_slice() {
        [] => false,
        [only] => only.status.as_ref().is_some_and(|status| has_no_room(only, status, pod)),
        // The eviction API refuses a pod that several budgets cover, whatever they allow.
        [_, _, ..] => true,
    };
    blocks.then_some(Held { pod, budgets: covering })
}

fn has_no_room(budget: &PodDisruptionBudget, status: &PodDisruptionBudgetStatus, pod: &Pod) -> bool {
    let ready = pod.status.conditions.iter().find(|condition| condition.kind == "Ready");
    let unready = ready.is_some_and(|condition| condition.status != ConditionStatus::True);
    // A pod that serves nobody may go, under the default policy only while the others are healthy.
    let may_go_unready = budget.spec.unhealthy_pod_eviction_policy == "AlwaysAllow"
        || (status.current_healthy >= status.desired_healthy && status.desired_healthy > 0);
    status.disruptions_allowed <= 0 && !(unready && may_go_unready)
}

/// Tells on each unit what holds up its drain.
pub(in crate::assess) fn tell_blockers(drains: &[Drain<'_>], node: &str) -> Vec<Blocker> {
    blockers(drains.iter().filter(|drain| drain.node == node).flat_map(|drain| &drain.held))
}

/// Pods that cannot leave, each with every budget that covers it.
pub(in crate::assess) fn blockers<'h, 'a: 'h>(held: impl Iterator<Item = &'h Held<'a>>) -> Vec<Blocker> {
    let mut all: Vec<Blocker> = held
        .flat_map(|held| {
            held.budgets.iter().map(|budget| Blocker {
                namespace: held.pod.metadata.namespace.clone(),
                pod: held.pod.metadata.name.clone(),
                budget: budget.metadata.name.clone(),
            })
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

/// `H-DRAIN-BLOCKED`: one insight for each node of the pool that has been draining for too long.
pub(super) fn blocked(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Vec<Insight> {
    let of_pool = scene.drains.iter().filter(|drain| drain.pool == pool.told.name);
    of_pool.filter_map(|drain| tell(scene, pool, drain)).collect()
}

fn tell(scene: &Scene<'_, '_>, pool: &PoolView<'_>, drain: &Drain<'_>) -> Option<Insight> {
    let lasts = |limit: SignedDuration| scene.world.is_past(Source::Nodes, drain.at_least_since, limit);
    let level = if drain.given_up || lasts(ERROR) {
        Level::Error
    } else if drain.since.is_none() || lasts(GRACE) {
        // Where nothing says for how long, a budget without room on a draining node is worth a line all the same.
        Level::Warning
    } else {
        return None;
    };
    let first = drain.held.first()?;
    let more = match drain.held.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let mut resources = vec![node_ref(drain.node)];
    resources.extend(resources_of(&drain.held));
    let lines: Vec<String> = drain.held.iter().map(|held| format!("{}.", sentence(held))).collect();
    Some(Insight {
        since: drain.since,
        resources,
        summary: format!("Node {} cannot be drained: {}{more}", drain.node, sentence(first)),
        description: lines.join("\n"),
        advice: advice(&drain.held),
        reference: reference::BUDGETS.into(),
        ..draft(
            Rule::DrainBlocked,
            level,
            if level == Level::Error { Impact::UpdateStalled } else { Impact::UpdateSpeed },
            pool.told.scope,
        )
    })
}

/// The pods and their budgets, each once.
pub(in crate::assess) fn resources_of(held: &[Held<'_>]) -> Vec<ResourceRef> {
    let mut resources: Vec<ResourceRef> = Vec::new();
    for held in held {
        let namespace = &held.pod.metadata.namespace;
        resources.push(ResourceRef::namespaced("", "pods", namespace, &held.pod.metadata.name));
        for budget in &held.budgets {
            let name = &budget.metadata.name;
            resources.push(ResourceRef::namespaced("policy", "poddisruptionbudgets", namespace, name));
        }
    }
    let mut seen = Vec::new();
    resources.retain(|resource| {
        let new = !seen.contains(resource);
        if new {
            seen.push(resource.clone());
        }
        new
    });
    resources
}

/// Pod, budget and the numbers that forbid the eviction.
pub(in crate::assess) fn sentence(held: &Held<'_>) -> String {
    let namespace = &held.pod.metadata.namespace;
    let pod = &held.pod.metadata.name;
    match held.budgets.as_slice() {
        [budget] => format!(
            "pod {namespace}/{pod} is held by PodDisruptionBudget {namespace}/{} ({})",
            budget.metadata.name,
            numbers(budget)
        ),
        several => {
            let names: Vec<String> =
                several.iter().map(|budget| format!("{namespace}/{}", budget.metadata.name)).collect();
            format!(
                "pod {namespace}/{pod} is covered by {} PodDisruptionBudgets ({}), which no eviction can pass",
                names.len(),
                names.join(", ")
            )
        }
    }
}

fn numbers(budget: &PodDisruptionBudget) -> String {
    let Some(status) = &budget.status else {
        return "0 disruptions allowed".into();
    };
    let PodDisruptionBudgetStatus { disruptions_allowed, current_healthy, desired_healthy, expected_pods } = status;
    let healthy =
        if current_healthy < expected_pods { format!(", {current_healthy} healthy now") } else { String::new() };
    format!("{disruptions_allowed} disruptions allowed, {desired_healthy} of {expected_pods} healthy needed{healthy}")
}

/// What would let the evictions pass, budget by budget.
pub(in crate::assess) fn advice(held: &[Held<'_>]) -> String {
    let mut lines: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for held in held {
        for budget in &held.budgets {
            let key = (budget.metadata.namespace.as_str(), budget.metadata.name.as_str());
            let line = if held.budgets.len() > 1 { "leave one budget for the pod".to_owned() } else { way_out(budget) };
            lines.entry(key).or_insert(line);
        }
    }
    let told = lines.iter().map(|((namespace, name), line)| format!("{namespace}/{name}: {line}."));
    told.collect::<Vec<_>>().join("\n")
}

fn way_out(budget: &PodDisruptionBudget) -> String {
    let minimum = budget.spec.min_available.as_ref().map(|value| value.0.as_str());
    let maximum = budget.spec.max_unavailable.as_ref().map(|value| value.0.as_str());
    let Some(status) = &budget.status else {
        return "wait until the budget has a status".into();
    };
    let never = status.desired_healthy >= status.expected_pods && status.expected_pods > 0;
    match (never, minimum, maximum) {
        (true, Some(minimum), _) if minimum.ends_with('%') => format!(
            "minAvailable is {minimum}, which is all {} pods, so no eviction can ever pass: lower it, or add a replica",
            status.expected_pods
        ),
        (true, Some(_), _) => format!(
            "minAvailable equals the replica count ({}), so no eviction can ever pass: lower it, or add a replica",
            status.expected_pods
        ),
        (true, None, Some(maximum)) => {
            format!("maxUnavailable is {maximum}, so no eviction can ever pass: raise it, or move the pods by hand")
        }
        (true, None, None) => "no eviction can ever pass: change the budget".into(),
        (false, _, _) if status.current_healthy <= status.desired_healthy => format!(
            "{} of the {} pods it needs are healthy: the drain goes on when one more is",
            status.current_healthy, status.desired_healthy
        ),
        (false, _, _) => "the budget allows no disruption at this moment; it may pass by itself".into(),
    }
}
