//! Rules about pools of nodes.

use headway_api::hypershift::NodePool;
use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::Truth;
use jiff::SignedDuration;

use super::super::super::health::{draft, node_ref};
use super::super::super::said;
use super::super::pool::{Doing, NEEDED, PoolView, failed_in_place};
use super::super::{Scene, crowd, stall};
use super::{UPDATES, pool_ref};

/// Nodes that come and go during an update are not ready for a while.
const UNWELL_GRACE: SignedDuration = SignedDuration::from_mins(20);

/// Until its first node has come a pool has reached nothing.
const IGNITION_GRACE: SignedDuration = SignedDuration::from_mins(20);

fn is_false(pool: &NodePool, kind: &str) -> Option<Condition> {
    pool.status.condition(kind).filter(|told| told.status == ConditionStatus::False).cloned()
}

/// `H-POOL-PAUSED`: old nodes are held back.
pub(super) fn paused(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Option<Insight> {
    // Where the whole cluster is paused, that is told once.
    let why = pool.paused.as_ref().filter(|_| scene.world.paused().is_none())?;
    let metadata = &pool.object.metadata;
    (pool.told.counts.excluded > 0).then(|| Insight {
        resources: vec![pool_ref(pool)],
        summary: format!("Outdated nodes in the paused NodePool {} will not be updated", metadata.name),
        description: format!("{why}, which stops all changes to the nodes of the pool."),
        advice: format!(
            "When its workload may be disturbed: oc patch nodepool/{} -n {} --type merge --patch '{{\"spec\":{{\"pausedUntil\":null}}}}'",
            metadata.name, metadata.namespace
        ),
        reference: UPDATES.into(),
        ..draft(Rule::PoolPaused, Level::Warning, Impact::UpdateStalled, Scope::WorkerPool)
    })
}

/// `H-VERSION-SKEW`: the pool is too far from its control plane (cases A32).
pub(super) fn skewed(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Option<Insight> {
    let told = is_false(pool.object, "SupportedVersionSkew")?;
    let name = &pool.told.name;
    let control_plane = scene.course.target_of_pods().unwrap_or("its version");
    let of_pool = if pool.version.is_empty() { "of no known version" } else { pool.version };
    Some(Insight {
        since: told.last_transition_time,
        resources: vec![pool_ref(pool)],
        summary: format!("NodePool {name} ({of_pool}) is too far from its control plane ({control_plane})"),
        description: said(&told),
        advice: "A pool may be up to three minors older than its control plane, and never newer: bring the NodePools forward first, and the control plane after them.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::VersionSkew, Level::Warning, Impact::UpdateStalled, Scope::WorkerPool)
    })
}

/// What is wrong with a pool whose nodes are being changed.
pub(super) fn found(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Vec<Insight> {
    let mut all = Vec::new();
    all.extend(invalid(scene, pool));
    all.extend(failed(pool));
    let moves = pool.is_updating() || matches!(pool.doing, Doing::Configuration | Doing::Failed);
    if moves {
        // A failure that is told with the pool's name and the node's is not told of the node again.
        let is_told = |insight: &&Insight| !(pool.doing == Doing::Failed && insight.rule == Rule::NodeDegraded);
        all.extend(pool.insights.iter().filter(is_told).cloned());
        let is_told = |insight: &Insight| matches!(insight.rule, Rule::NodeUnavailable | Rule::MachineNotCreated);
        // The machines that were seen say more than the sum of them.
        if !pool.insights.iter().any(is_told) {
            all.extend(unwell(scene, pool));
        }
        // What is told already says why.
        if all.is_empty() {
            all.extend(stalled(scene, pool));
        }
    }
    all
}

/// `H-UPDATE-STALLED`: nothing has changed on the nodes of the pool for longer than a node takes.
fn stalled(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Option<Insight> {
    let since = stall::of_pool(scene.world, pool)?;
    let name = &pool.told.name;
    Some(Insight {
        since: Some(since),
        resources: vec![pool_ref(pool)],
        summary: format!("Nothing has changed on the nodes of NodePool {name} for more than an hour"),
        description: format!("{}.", pool.told.updating.message),
        advice: "The Machines of the pool, in the namespace of the control plane, say what they wait for.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::UpdateStalled, Level::Error, Impact::UpdateStalled, Scope::WorkerPool)
    })
}

/// `H-POOL-INVALID`: no node can become one of the pool.
fn invalid(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Option<Insight> {
    let told = NEEDED.into_iter().filter_map(|kind| is_false(pool.object, kind)).find(|told| {
        told.kind != "ReachedIgnitionEndpoint" || scene.world.lasts(told.last_transition_time, IGNITION_GRACE)
    })?;
    Some(Insight {
        since: told.last_transition_time,
        resources: vec![pool_ref(pool)],
        summary: format!("NodePool {} cannot be updated: {} is False", pool.told.name, told.kind),
        description: said(&told),
        advice: "No node of the pool is updated or added until what the condition says is put right.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::PoolInvalid, Level::Error, Impact::UpdateStalled, Scope::WorkerPool)
    })
}

/// `H-NODE-DEGRADED`: a change in place failed. The NodePool's message may name the node; if not, the nodes do that were
/// seen (cases A30).
fn failed(pool: &PoolView<'_>) -> Option<Insight> {
    let told = failed_in_place(pool.object)?;
    let bad: Vec<&str> =
        pool.units.iter().filter(|unit| unit.degraded.status == Truth::True).map(|unit| unit.name.as_str()).collect();
    let of_nodes = pool.insights.iter().filter(|insight| insight.rule == Rule::NodeDegraded);
    let mut description = said(told);
    for insight in of_nodes.clone() {
        description = format!("{description}\n{}: {}", insight.summary, insight.description);
    }
    let mut resources = vec![pool_ref(pool)];
    resources.extend(bad.iter().map(|name| node_ref(name)));
    // The pods that were to change them.
    resources.extend(of_nodes.flat_map(|insight| insight.resources.iter().skip(1).cloned()));
    let which = match bad.as_slice() {
        [] => format!("nodes of NodePool {}", pool.told.name),
        [only] => format!("node {only} of NodePool {}", pool.told.name),
        several => format!("{} nodes of NodePool {}", several.len(), pool.told.name),
    };
    Some(Insight {
        since: told.last_transition_time,
        resources,
        summary: format!("The update in place failed on {which}: {}", said(told)),
        description,
        advice: "The other nodes wait until the node is mended; the log of its machine config daemon in the guest says what failed.".into(),
        reference: UPDATES.into(),
        ..draft(Rule::NodeDegraded, Level::Error, Impact::UpdateStalled, Scope::WorkerPool)
    })
}

/// `H-NODE-UNAVAILABLE`: the pool counts machines or nodes that are not well, grouped by reason (cases A35).
fn unwell(scene: &Scene<'_, '_>, pool: &PoolView<'_>) -> Option<Insight> {
    let told = ["AllNodesHealthy", "AllMachinesReady"].into_iter().find_map(|kind| is_false(pool.object, kind))?;
    if !scene.world.lasts(told.last_transition_time, UNWELL_GRACE) {
        return None;
    }
    Some(Insight {
        since: told.last_transition_time,
        resources: vec![pool_ref(pool)],
        summary: format!("Nodes of NodePool {} are not well: {} is False", pool.told.name, told.kind),
        // The groups first, for people; what the condition says as it is after them.
        description: format!("{}\n\n{}", crowd::told(&told.message), told.message.trim()),
        reference: UPDATES.into(),
        ..draft(Rule::NodeUnavailable, Level::Warning, Impact::UpdateSpeed, Scope::WorkerPool)
    })
}
