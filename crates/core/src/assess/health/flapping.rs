//! `H-FLAPPING`: a condition that changes too often. Only who watches can see it.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};

use super::{Scene, draft, node_ref, operator_ref, reference};
use crate::inform::Source;
use crate::memory::{FLAP_WINDOW, FLAPS, Subject};

/// One insight for each condition that changed often enough within the window.
pub(super) fn found(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let memory = scene.world.memory();
    let mut all = Vec::new();
    for (subject, changes) in &memory.changes {
        let source = match subject {
            Subject::Operator { .. } => Source::ClusterOperators,
            Subject::Node { .. } => Source::Nodes,
        };
        let recent: Vec<_> = changes.iter().copied().filter(|at| !scene.world.past(source, *at, FLAP_WINDOW)).collect();
        let Some(first) = recent.first().filter(|_| recent.len() >= FLAPS) else {
            continue;
        };
        let (what, resource, scope, reference) = match subject {
            Subject::Operator { name, condition } => (
                format!("Condition {condition} of Cluster Operator {name}"),
                operator_ref(name),
                Scope::ControlPlane,
                reference::OPERATOR_DEGRADED,
            ),
            Subject::Node { name } => {
                let pools = &scene.pools.pools;
                let of = pools.iter().find(|pool| pool.nodes.iter().any(|view| view.unit.name == *name));
                let scope = of.map_or(Scope::WorkerPool, |pool| pool.told.scope);
                (format!("The state of node {name}"), node_ref(name), scope, reference::MACHINE_CONFIG)
            }
        };
        let minutes = FLAP_WINDOW.as_mins();
        all.push(Insight {
            // The conditions of one operator flap on their own.
            uid: subject.to_string(),
            since: Some(*first),
            resources: vec![resource],
            summary: format!("{what} changed {} times in {minutes} minutes", recent.len()),
            description: "Each look at it may find it well, and it is not: what holds it up comes back within minutes."
                .into(),
            advice: "Compare the messages of the condition over time, and look at restarts of the pods behind it."
                .into(),
            reference: reference.into(),
            occurrences: u32::try_from(recent.len()).ok(),
            ..draft(Rule::Flapping, Level::Warning, Impact::UpdateSpeed, scope)
        });
    }
    all
}
