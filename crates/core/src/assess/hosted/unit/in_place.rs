//! Nodes that are changed where they stand. The machine config daemon writes on them what it writes on the nodes of a
//! standalone cluster, so they are judged by the same rules; only their configurations are hashes, of which the
//! MachineSet of the pool says what they stand for.

use std::collections::BTreeMap;
use std::sync::Arc;

use headway_api::hypershift::{CURRENT_CONFIG_ANNOTATION, NODE_POOL, NodePool, TARGET_CONFIG_ANNOTATION};
use headway_api::insight::{Insight, Rule};
use headway_api::machine_config::MachineConfigPool;
use headway_api::meta::{Condition, ConditionStatus, LabelSelector};
use headway_api::node::Node;
use headway_api::openshift::{ClusterVersion, History};
use headway_api::report::ClockSource;

use super::super::super::assess;
use super::super::super::world::Rules;
use super::super::world::World;
use super::{Held, Place, Seen};
use crate::snapshot::{Moment, Seen as Kinds, Snapshot};

pub(super) fn view(world: &World<'_>, place: Place<'_>) -> Seen {
    let nodes = world.nodes(place.pool);
    if nodes.is_empty() {
        return Seen::default();
    }
    let snapshot = snapshot(world, place, &nodes);
    let report = assess(&snapshot, Rules::Headway);
    let is_of_nodes =
        |insight: &Insight| matches!(insight.rule, Rule::NodeUnavailable | Rule::NodeDegraded | Rule::DrainBlocked);
    let insights = report.insights.into_iter().filter(is_of_nodes).map(|insight| {
        let daemon = insight.resources.first().filter(|_| insight.rule == Rule::NodeDegraded);
        let daemon = daemon.and_then(|node| failed_daemon(world, &node.name));
        match daemon {
            Some((pod, resource)) => {
                let description = format!("{}\n{pod}", insight.description);
                let resources = insight.resources.into_iter().chain([resource]).collect();
                Insight { description, resources, ..insight }
            }
            None => insight,
        }
    });
    Seen { insights: insights.collect(), units: report.units }
}

/// A standalone cluster of this pool alone, on its way to the pool's version.
fn snapshot(world: &World<'_>, place: Place<'_>, nodes: &[&Arc<Node>]) -> Snapshot {
    let Place { pool, target, held } = place;
    let name = pool.metadata.name.as_str();
    let (configurations, wanted) = configurations(world, pool, target, nodes);
    let mut machine_config_pool = MachineConfigPool::default();
    machine_config_pool.metadata.name = name.to_owned();
    let match_labels = [(NODE_POOL, name)].into_iter().collect();
    machine_config_pool.spec.node_selector = Some(LabelSelector { match_labels, ..LabelSelector::default() });
    machine_config_pool.spec.configuration.name = wanted;
    machine_config_pool.spec.paused = held == Held::Yes;
    let mut version = ClusterVersion::default();
    version.status.desired.version = target.unwrap_or_default().to_owned();
    version.status.history =
        vec![History { state: "Partial".into(), version: target.unwrap_or_default().to_owned(), ..History::default() }];
    version.status.conditions =
        vec![Condition { kind: "Progressing".into(), status: ConditionStatus::True, ..Condition::default() }];
    Snapshot {
        moment: Moment { at: world.now(), source: ClockSource::Given },
        cluster_version: Some(version),
        pools: vec![machine_config_pool],
        machine_configs: configurations,
        nodes: nodes.iter().map(|node| Arc::clone(node)).collect(),
        pods: world.guest.pods.to_vec(),
        budgets: world.guest.budgets.to_vec(),
        seen: Kinds { pools: true, machine_configs: true, nodes: true, pods: true, budgets: true },
        ..Snapshot::default()
    }
}

/// Which release each configuration belongs to, and which configuration the pool is to have.
fn configurations(
    world: &World<'_>,
    pool: &NodePool,
    target: Option<&str>,
    nodes: &[&Arc<Node>],
) -> (BTreeMap<String, Option<String>>, String) {
    let set = world.machine_set(pool);
    let told = |annotation: &str| set.and_then(|set| set.metadata.annotations.get(annotation)).unwrap_or_default();
    let (mut wanted, mut current) = (told(TARGET_CONFIG_ANNOTATION), told(CURRENT_CONFIG_ANNOTATION));
    if wanted.is_empty() {
        // Without the MachineSet the nodes tell what they are to become.
        let moving =
            nodes.iter().map(|node| &node.metadata.annotations).find(|it| it.desired_config != it.current_config);
        wanted = moving.and_then(|it| it.desired_config.as_deref()).unwrap_or_default();
        if current.is_empty() {
            current = moving.and_then(|it| it.current_config.as_deref()).unwrap_or_default();
        }
    }
    let version = Some(pool.status.version.clone()).filter(|version| !version.is_empty());
    let mut all = BTreeMap::new();
    if !current.is_empty() {
        all.insert(current.to_owned(), version);
    }
    if !wanted.is_empty() {
        all.insert(wanted.to_owned(), target.map(str::to_owned));
    }
    (all, wanted.to_owned())
}

/// The pod that was to change a node and failed: nobody starts another one (cases A30).
fn failed_daemon(world: &World<'_>, node: &str) -> Option<(String, headway_api::insight::ResourceRef)> {
    let pods = world.guest.pods.iter();
    let is_it = |name: &str| name.starts_with("machine-config-daemon");
    let pod = pods.into_iter().find(|pod| {
        is_it(&pod.metadata.name) && pod.spec.node_name == node && matches!(&*pod.status.phase, "Failed" | "Succeeded")
    })?;
    let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
    let told = format!(
        "The pod {namespace}/{name}, which is to change the node, is {}, and no other takes its place.",
        pod.status.phase
    );
    Some((told, headway_api::insight::ResourceRef::namespaced("", "pods", namespace, name)))
}
