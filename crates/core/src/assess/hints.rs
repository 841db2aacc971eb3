//! Remarks that are neither progress nor trouble: what a person might take for an update, and is not one.

use std::collections::BTreeMap;

use headway_api::hypershift::NODE_POOL;
use headway_api::meta::ConditionStatus;
use headway_api::report::{Activity, Form};

use super::cluster::ClusterView;
use super::names::first_few;
use super::nodes::NodeView;
use super::pools::PoolViews;
use super::world::World;

/// All remarks, in a fixed order.
pub(super) fn hints(
    world: &World<'_>,
    cluster: &ClusterView,
    pools: &PoolViews<'_>,
    activity: Activity,
) -> Vec<String> {
    if world.as_oc() {
        return Vec::new();
    }
    let mut all = Vec::new();
    if cluster.told.form == Form::Hosted {
        all.push(guest(world));
    }
    if activity == Activity::NotUpdating {
        all.extend(rollouts(pools));
        all.extend(failing(world));
    }
    all.extend(windows(pools));
    all.extend(without_version(pools, activity));
    if activity == Activity::NotUpdating {
        all.extend(cordoned(pools));
    }
    all.extend(unpooled(cluster, pools));
    all
}

/// That this is a guest, what can be told of it all the same, and where to look for the rest (cases A03).
fn guest(world: &World<'_>) -> String {
    let mut pools: BTreeMap<&str, usize> = BTreeMap::new();
    for name in world.snapshot.nodes.iter().filter_map(|node| node.metadata.labels.get(NODE_POOL)) {
        *pools.entry(name).or_default() += 1;
    }
    let pools: Vec<String> = pools.iter().map(|(name, count)| format!("{name} with {}", nodes(*count))).collect();
    let pools = if pools.is_empty() { String::new() } else { format!(" ({})", first_few(&pools)) };
    let id = world.cv().map(|cv| cv.spec.cluster_id.as_str()).filter(|id| !id.is_empty());
    let which = id.map(|id| format!(" whose spec.clusterID is {id}")).unwrap_or_default();
    format!(
        "This is the guest side of a hosted control plane: it has no machine config pools. Its version, its operators \
         and whether its nodes are in service are told here. Which release the nodes run and are to run is known to the \
         NodePools{pools} on the management cluster; there, ask with headway status NAME -n NAMESPACE for the \
         HostedCluster{which}."
    )
}

/// Pools that roll out a configuration without a change of version (cases A19).
fn rollouts(pools: &PoolViews<'_>) -> Vec<String> {
    let told = pools.pools.iter().filter_map(|pool| {
        let pending = pool.nodes.iter().filter(|node| node.configuration_pending).count();
        let total = pool.nodes.len();
        let name = &pool.told.name;
        match (pending, pool.told.paused) {
            (0, _) => None,
            (_, true) => Some(format!(
                "Pool {name} is paused and has a configuration change pending for {pending} of {total} nodes; this is not a version update."
            )),
            (_, false) => Some(format!(
                "Pool {name} is rolling out a configuration change ({}/{total} nodes done), not a version update.",
                total - pending
            )),
        }
    });
    told.collect()
}

/// A failure that is left over from a finished update (cases A07).
fn failing(world: &World<'_>) -> Option<String> {
    let failing = world.cv_condition("Failing").filter(|c| c.status == ConditionStatus::True)?;
    let reason = if failing.reason.is_empty() { "no reason given" } else { &failing.reason };
    Some(format!("ClusterVersion says that it is failing ({reason}), although no update is running."))
}

fn windows(pools: &PoolViews<'_>) -> Option<String> {
    let count = pools.nodes().filter(|view| view.is_windows()).count();
    (count > 0).then(|| {
        format!(
            "{} of Windows, which the machine config operator does not manage; their version is not told here.",
            nodes(count)
        )
    })
}

fn without_version(pools: &PoolViews<'_>, activity: Activity) -> Option<String> {
    if activity == Activity::Updating {
        // Their rows say so.
        return None;
    }
    let unknown = |view: &&NodeView<'_>| view.unit.version.is_none() && !view.is_windows() && view.unit.pool.is_some();
    let names: Vec<&str> = pools.nodes().filter(unknown).map(|view| view.node.metadata.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("The version of {} cannot be told: {}.", nodes(names.len()), listed(&names)))
}

/// Nodes that somebody cordoned; not an update, though the pool counts them as not ready (cases A21).
fn cordoned(pools: &PoolViews<'_>) -> Option<String> {
    let names: Vec<&str> = pools
        .nodes()
        .filter(|view| view.node.spec.unschedulable && !view.configuration_pending)
        .map(|view| view.node.metadata.name.as_str())
        .collect();
    let verb = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| format!("{} {verb} cordoned: {}.", nodes(names.len()), listed(&names)))
}

fn unpooled(cluster: &ClusterView, pools: &PoolViews<'_>) -> Option<String> {
    let names: Vec<&str> = pools.unpooled.iter().map(|view| view.node.metadata.name.as_str()).collect();
    let told = !names.is_empty() && cluster.told.form != Form::Hosted && !pools.pools.is_empty();
    let verb = if names.len() == 1 { "belongs" } else { "belong" };
    told.then(|| format!("{} {verb} to no pool and cannot be judged: {}.", nodes(names.len()), listed(&names)))
}

fn nodes(count: usize) -> String {
    if count == 1 { "1 node".into() } else { format!("{count} nodes") }
}

/// The first few names by the alphabet, and how many more there are.
fn listed(names: &[&str]) -> String {
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    first_few(&sorted)
}
