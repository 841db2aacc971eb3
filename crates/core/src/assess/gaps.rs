//! What the rules would have needed and did not find. What the files lack is told by who read them.

use headway_api::gap::{Gap, GapKind};
use headway_api::report::{Form, Phase, Truth};

use super::cluster::ClusterView;
use super::names::first_few;
use super::nodes::NodeView;
use super::operators::OperatorView;
use super::pools::{PoolView, PoolViews};
use super::world::World;
use crate::snapshot::AlertsSeen;

/// All gaps: those of the reading, then those of the rules.
pub(super) fn gaps(
    world: &World<'_>,
    cluster: &ClusterView,
    operators: &[OperatorView<'_>],
    pools: &PoolViews<'_>,
) -> Vec<Gap> {
    let snapshot = world.snapshot;
    let mut all = snapshot.gaps.clone();
    if world.as_oc() {
        return all;
    }
    let mut missing = |message: &str| all.push(Gap::of_input(GapKind::Missing, message));
    if snapshot.cluster_version.is_none() {
        missing("no ClusterVersion: neither the versions nor the state of the update can be told");
    }
    if operators.is_empty() {
        missing(if snapshot.operators.is_empty() {
            "no ClusterOperators: how far the control plane is cannot be told"
        } else {
            "none of the ClusterOperators is annotated as part of a release: how far the control plane is cannot be told"
        });
    }
    if !snapshot.seen.nodes {
        missing("no Nodes: what they run cannot be told");
    }
    if !snapshot.seen.pools && cluster.told.form != Form::Hosted {
        missing("no MachineConfigPools: which nodes are to change cannot be told");
    }
    if !snapshot.seen.machine_configs && !snapshot.nodes.is_empty() && cluster.told.form != Form::Hosted {
        missing("no MachineConfigs: which version the nodes run cannot be told");
    }
    let behind = pools.pools.iter().any(PoolView::has_known_outdated);
    if cluster.told.updating.status == Truth::False && !behind && cluster.told.form != Form::Hosted {
        unaccounted(world, pools, &mut missing);
    }
    for (pool, bad) in &pools.bad_selectors {
        all.push(Gap {
            object: format!("MachineConfigPool/{pool}"),
            field: "spec.nodeSelector".into(),
            ..Gap::of_input(GapKind::Field, format!("{bad}; the pool selects no node"))
        });
    }
    let drains = pools.nodes().any(|view| view.unit.phase == Phase::Draining);
    if drains && !(snapshot.seen.pods && snapshot.seen.budgets) {
        let message = "no Pods or no PodDisruptionBudgets: what holds up a drain cannot be told";
        all.push(Gap::of_input(GapKind::Optional, message));
    }
    if let AlertsSeen::Nothing(why) = &snapshot.alerts {
        all.push(Gap::of_input(GapKind::Optional, format!("alerts are left out of the update's health: {why}")));
    }
    all
}

/// Nodes that must be accounted for before an update may be told over: those whose version is not known, those of no
/// pool, and those that a pool counts and nobody saw, as when a list of nodes was cut off.
fn unaccounted(world: &World<'_>, pools: &PoolViews<'_>, missing: &mut dyn FnMut(&str)) {
    let unknown = pools.nodes().filter(|view| !view.is_windows() && view.unit.version.is_none());
    let unknown: Vec<String> = unknown.map(object).collect();
    if !unknown.is_empty() && world.snapshot.seen.machine_configs {
        missing(&format!("{}: which version they run cannot be told", first_few(&unknown)));
    }
    let unpooled: Vec<String> = pools.unpooled.iter().map(object).collect();
    if !unpooled.is_empty() && world.snapshot.seen.pools {
        missing(&format!("{}: no pool selects them, so what they should run cannot be told", first_few(&unpooled)));
    }
    for view in &pools.pools {
        let seen = i64::try_from(view.nodes.len()).unwrap_or(i64::MAX);
        let counted = view.pool.status.machine_count.unwrap_or(0);
        if counted > seen && world.snapshot.seen.nodes {
            let name = &view.told.name;
            missing(&format!("MachineConfigPool/{name} counts {counted} machines, but {seen} of its Nodes were seen"));
        }
    }
}

fn object(view: &NodeView<'_>) -> String {
    format!("Node/{}", view.unit.name)
}
