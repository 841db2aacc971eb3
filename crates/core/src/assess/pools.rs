//! Pools: which nodes belong to which, and how a pool is doing (status-openshift.md, 5.1 and 5.7;
//! update-status-api.md, 3.3).

use headway_api::insight::Scope;
use headway_api::machine_config::MachineConfigPool;
use headway_api::meta::{BadSelector, ConditionStatus};
use headway_api::node::Node;
use headway_api::report::{self, Phase, Pool, PoolAssessment, PoolCounts, Truth};

use super::nodes::{self, NodeView, condition};
use super::share;
use super::world::World;

/// A pool with its nodes, in input order.
pub(super) struct PoolView<'a> {
    pub(super) pool: &'a MachineConfigPool,
    pub(super) nodes: Vec<NodeView<'a>>,
    pub(super) told: Pool,
}

/// All pools, the nodes that belong to none, and the nodes that several custom pools select.
pub(super) struct PoolViews<'a> {
    pub(super) pools: Vec<PoolView<'a>>,
    pub(super) unpooled: Vec<NodeView<'a>>,
    /// A node and the custom pools that select it, the one that was taken first.
    pub(super) ambiguous: Vec<(&'a Node, Vec<&'a str>)>,
    /// Pools whose selector cannot be used.
    pub(super) bad_selectors: Vec<(&'a str, BadSelector)>,
}

impl PoolView<'_> {
    /// Whether the pool is that of the control plane nodes.
    pub(super) fn is_control_plane(&self) -> bool {
        self.told.scope == Scope::ControlPlane
    }

    /// Whether a node is known not to be at the target.
    pub(super) fn has_known_outdated(&self) -> bool {
        self.nodes.iter().any(|node| node.outdated)
    }
}

impl<'a> PoolViews<'a> {
    /// All nodes, pool by pool, then those of no pool.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &NodeView<'a>> {
        self.pools.iter().flat_map(|pool| &pool.nodes).chain(&self.unpooled)
    }
}

/// Sorts the nodes into their pools and looks at each.
pub(super) fn view<'a>(world: &World<'a>) -> PoolViews<'a> {
    let snapshot = world.snapshot;
    let mut bad_selectors = Vec::new();
    for pool in &snapshot.pools {
        if let Some(Err(bad)) = pool.spec.node_selector.as_ref().map(|selector| selector.check()) {
            bad_selectors.push((pool.metadata.name.as_str(), bad));
        }
    }
    let mut members: Vec<Vec<NodeView<'a>>> = snapshot.pools.iter().map(|_| Vec::new()).collect();
    let mut unpooled = Vec::new();
    let mut ambiguous = Vec::new();
    let order = custom_order(world);
    for node in &snapshot.nodes {
        let homes = homes(world, &order, node);
        match homes.first() {
            Some(&home) => {
                let name = snapshot.pools[home].metadata.name.as_str();
                // The peer goes by name: pools of one name all get the node.
                for (at, pool) in snapshot.pools.iter().enumerate().filter(|(_, pool)| pool.metadata.name == name) {
                    members[at].push(nodes::view(world, node, Some(pool)));
                }
            }
            None => unpooled.push(nodes::view(world, node, None)),
        }
        if homes.len() > 1 {
            ambiguous.push((&**node, homes.iter().map(|at| snapshot.pools[*at].metadata.name.as_str()).collect()));
        }
    }
    let pools = snapshot
        .pools
        .iter()
        .zip(members)
        .map(|(pool, nodes)| PoolView { pool, told: tell(world, pool, &nodes), nodes })
        .collect();
    PoolViews { pools, unpooled, ambiguous, bad_selectors }
}

/// The pools whose nodes are theirs whatever else selects them, the first first. The peer does not know arbiters.
fn first_pools(world: &World<'_>) -> &'static [&'static str] {
    if world.as_oc() { &["master"] } else { &["master", "arbiter"] }
}

/// The custom pools' positions in the order in which they are asked: by name for us, as listed for the peer, who asks
/// them at random.
fn custom_order(world: &World<'_>) -> Vec<usize> {
    let pools = &world.snapshot.pools;
    let is_custom = |name: &str| name != "worker" && !first_pools(world).contains(&name);
    let mut order: Vec<usize> = (0..pools.len()).filter(|at| is_custom(&pools[*at].metadata.name)).collect();
    if !world.as_oc() {
        order.sort_by_key(|at| pools[*at].metadata.name.as_str());
    }
    order
}

/// The pool of a node first, then the further custom pools that select it (5.1; update-status-api.md, 3.3).
fn homes(world: &World<'_>, custom: &[usize], node: &Node) -> Vec<usize> {
    let pools = &world.snapshot.pools;
    let named =
        |name: &str| pools.iter().position(|pool| pool.metadata.name == name && selects(pool, node)).map(|at| vec![at]);
    if let Some(first) = first_pools(world).iter().find_map(|name| named(name)) {
        return first;
    }
    let custom: Vec<usize> = custom.iter().copied().filter(|at| selects(&pools[*at], node)).collect();
    if custom.is_empty() { named("worker").unwrap_or_default() } else { custom }
}

fn selects(pool: &MachineConfigPool, node: &Node) -> bool {
    let selector = pool.spec.node_selector.as_ref();
    selector.is_some_and(|selector| selector.matches(&node.metadata.labels))
}

fn tell(world: &World<'_>, pool: &MachineConfigPool, nodes: &[NodeView<'_>]) -> Pool {
    let counts = count(nodes);
    let updated = counts.total - counts.outdated;
    let pending = nodes.iter().filter(|node| node.unit.phase == Phase::Pending).count();
    let assessment = if counts.total == 0 {
        PoolAssessment::Empty
    } else if updated == counts.total {
        PoolAssessment::Completed
    } else if world.as_oc() && pending == counts.total {
        // Before Degraded, as the peer has it: oc_15_3_5.
        PoolAssessment::Pending
    } else if counts.degraded > 0 {
        PoolAssessment::Degraded
    } else if pending == counts.total {
        PoolAssessment::Pending
    } else if counts.excluded > 0 {
        PoolAssessment::Excluded
    } else {
        PoolAssessment::Progressing
    };
    let name = pool.metadata.name.as_str();
    let control_plane = first_pools(world).contains(&name) || (!world.as_oc() && all_of_control_plane(nodes));
    Pool {
        name: name.to_owned(),
        scope: if control_plane { Scope::ControlPlane } else { Scope::WorkerPool },
        assessment,
        completion_percent: (counts.total > 0).then(|| percent(world, updated, counts.total, Finished::WhenAll)),
        updating: updating(pool, &counts, nodes),
        healthy: healthy(pool, &counts),
        paused: pool.spec.paused,
        configuration: pool.spec.configuration.name.clone(),
        counts,
        resource: None,
    }
}

/// Whether there are nodes and all have the control plane's role, whatever the pool is called.
fn all_of_control_plane(nodes: &[NodeView<'_>]) -> bool {
    let has_role = |view: &NodeView<'_>| view.node.metadata.labels.has("node-role.kubernetes.io/control-plane");
    !nodes.is_empty() && nodes.iter().all(has_role)
}

fn count(nodes: &[NodeView<'_>]) -> PoolCounts {
    let mut counts = PoolCounts { total: nodes.len(), ..PoolCounts::default() };
    for node in nodes {
        let phase = node.unit.phase;
        counts.available += usize::from(!node.unavailable);
        counts.degraded += usize::from(node.degraded);
        counts.outdated += usize::from(phase != Phase::Updated);
        counts.excluded += usize::from(phase == Phase::Paused);
        counts.draining += usize::from(phase == Phase::Draining);
        counts.progressing += usize::from(phase.moves() && !node.degraded);
        counts.version_unknown += usize::from(node.unit.version.is_none());
    }
    counts
}

fn updating(pool: &MachineConfigPool, counts: &PoolCounts, nodes: &[NodeView<'_>]) -> report::Condition {
    let on_the_way = nodes.iter().any(|node| node.unit.phase.moves());
    let done = format!("{} of {} nodes are at the target", counts.total - counts.outdated, counts.total);
    let (status, reason) = if on_the_way {
        (Truth::True, "Progressing")
    } else if counts.outdated == 0 {
        (Truth::False, "Updated")
    } else if pool.spec.paused {
        (Truth::False, "Paused")
    } else if counts.version_unknown == counts.outdated {
        (Truth::Unknown, "CannotDetermine")
    } else {
        (Truth::False, "Pending")
    };
    condition(status, reason, done, None)
}

fn healthy(pool: &MachineConfigPool, counts: &PoolCounts) -> report::Condition {
    if counts.degraded > 0 {
        let message = format!("{} of {} nodes are degraded", counts.degraded, counts.total);
        return condition(Truth::False, "NodesDegraded", message, None);
    }
    let bad = ["RenderDegraded", "ImageBuildDegraded", "Degraded"]
        .iter()
        .find_map(|kind| pool.status.conditions.iter().find(|c| c.kind == *kind && c.status == ConditionStatus::True));
    match bad {
        Some(bad) => condition(Truth::False, "PoolDegraded", bad.message.clone(), bad.last_transition_time),
        None => condition(Truth::True, "AsExpected", String::new(), None),
    }
}

/// When a share may be told as 100 percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finished {
    /// When all are done.
    WhenAll,
    /// Not yet, even when all are done.
    NotYet,
}

/// A share in percent: rounded half up and below 100 until finished; for the peer rounded half to even.
pub(super) fn percent(world: &World<'_>, part: usize, whole: usize, finished: Finished) -> u8 {
    if whole == 0 {
        return 0;
    }
    if world.as_oc() {
        return percent_half_even(part, whole);
    }
    share::percent(part, whole, if finished == Finished::NotYet { 99 } else { 100 }).unwrap_or(0)
}

/// As the peer prints it: the floating-point share with zero decimals, half to even.
fn percent_half_even(part: usize, whole: usize) -> u8 {
    #[expect(clippy::cast_precision_loss, reason = "counts of nodes and operators are far below 2^52")]
    let share = part as f64 / whole as f64 * 100.0;
    format!("{share:.0}").parse().unwrap_or(100)
}

/// Rows of a pool in the order in which they are told: worst first (5.6).
pub(super) fn sorted_units(nodes: Vec<NodeView<'_>>) -> Vec<report::Unit> {
    let mut units: Vec<report::Unit> = nodes.into_iter().map(|node| node.unit).collect();
    units.sort_by(unit_order);
    units
}

/// The order of the rows of a pool: worst first.
pub(crate) fn unit_order(a: &report::Unit, b: &report::Unit) -> std::cmp::Ordering {
    let key = |unit: &report::Unit| (unit.assessment, unit.phase);
    key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_6_4_percentages_round_half_to_even() {
        let check = |part: usize, whole: usize, expect: u8| {
            assert_eq!(percent_half_even(part, whole), expect, "{part}/{whole}");
        };
        check(1, 8, 12);
        check(3, 8, 38);
        check(1, 200, 0);
        check(3, 200, 2);
        check(32, 33, 97);
        check(22, 59, 37);
        check(33, 33, 100);
        check(999, 1000, 100);
    }
}
