//! What every rule about a hosted cluster looks things up in: its objects on the management cluster, and what was seen of
//! its guest side.

use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget};
use headway_api::cluster_api::{Machine, Metadata, Workers};
use headway_api::hypershift::{
    ControlPlaneComponent, HostedCluster, HostedControlPlane, NODE_POOL, NodePool, control_plane_namespace,
};
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use jiff::{SignedDuration, Timestamp};

use super::super::health::drain::Evictions;
use super::super::span;
use super::hosts::{Hosts, Within};
use crate::preview::{Inventory, Workload};

/// All that is looked at of one hosted cluster.
pub(super) struct World<'a> {
    pub(super) inventory: &'a Inventory,
    pub(super) cluster: &'a HostedCluster,
    /// The namespace of its control plane.
    pub(super) namespace: String,
    pub(super) control_plane: Option<&'a HostedControlPlane>,
    pub(super) components: Vec<&'a ControlPlaneComponent>,
    pub(super) pools: Vec<&'a NodePool>,
    machines: Vec<&'a Machine>,
    machine_sets: Vec<&'a Workers>,
    pub(super) guest: Guest<'a>,
    /// Who is evicted in the guest.
    pub(super) evictions: Evictions<'a>,
}

/// What was seen of the guest side.
#[derive(Default)]
pub(super) struct Guest<'a> {
    /// Whether anything was.
    pub(super) seen: bool,
    pub(super) cluster_version: Option<&'a ClusterVersion>,
    pub(super) operators: &'a [ClusterOperator],
    pub(super) nodes: Vec<&'a Arc<Node>>,
    pub(super) pods: &'a [Arc<Pod>],
    pub(super) budgets: &'a [Arc<PodDisruptionBudget>],
    /// Why it could not be asked.
    pub(super) unreachable: &'a str,
    /// There was a ClusterVersion, and it is that of another cluster.
    pub(super) is_foreign: bool,
}

impl<'a> World<'a> {
    pub(super) fn new(inventory: &'a Inventory, hosts: &Hosts<'a>, cluster: &'a HostedCluster) -> Self {
        let Metadata { name, namespace, .. } = &cluster.metadata;
        let own = control_plane_namespace(namespace, name);
        let Within { control_plane, components, machines, machine_sets } = hosts.in_namespace(&own);
        let pools = hosts.pools(namespace, name);
        let guest = inventory.workload(namespace, name).map_or_else(Guest::default, |it| Guest::new(it, cluster));
        let evictions = Evictions::new(guest.pods, guest.budgets);
        let namespace = own;
        Self {
            inventory,
            cluster,
            namespace,
            control_plane,
            components,
            pools,
            machines,
            machine_sets,
            guest,
            evictions,
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.inventory.moment.at
    }

    /// Whether something has lasted for longer than a limit. What has no beginning cannot be said to be new.
    pub(super) fn lasts(&self, since: Option<Timestamp>, limit: SignedDuration) -> bool {
        since.is_none_or(|since| span::between(self.now(), since) > limit)
    }

    /// A condition of the HostedCluster that has a status.
    pub(super) fn says(&self, kind: &str, status: ConditionStatus) -> Option<&'a Condition> {
        self.cluster.status.condition(kind).filter(|condition| condition.status == status)
    }

    /// The Machines of a pool.
    pub(super) fn machines(&self, pool: &NodePool) -> Vec<&'a Machine> {
        self.machines.iter().copied().filter(|machine| is_of_pool(&machine.metadata, pool)).collect()
    }

    /// The MachineSet of a pool whose nodes are changed in place.
    pub(super) fn machine_set(&self, pool: &NodePool) -> Option<&'a Workers> {
        self.machine_sets.iter().copied().find(|set| is_of_pool(&set.metadata, pool))
    }

    /// The nodes of a pool that were seen.
    pub(super) fn nodes(&self, pool: &NodePool) -> Vec<&'a Arc<Node>> {
        let name = pool.metadata.name.as_str();
        self.guest.nodes.iter().filter(|node| node.metadata.labels.get(NODE_POOL) == Some(name)).copied().collect()
    }

    /// By what all of the cluster is paused, in words.
    pub(super) fn paused(&self) -> Option<String> {
        pause(&self.cluster.spec.paused_until, self.cluster.status.condition("ReconciliationActive"), self.now())
    }
}

fn is_of_pool(object: &Metadata, pool: &NodePool) -> bool {
    let Metadata { name, namespace, .. } = &pool.metadata;
    object.annotations.get(NODE_POOL).and_then(|told| told.split_once('/')) == Some((namespace, name))
}

impl<'a> Guest<'a> {
    fn new(workload: &'a Workload, cluster: &HostedCluster) -> Self {
        let nodes: Vec<_> = workload.nodes.iter().filter(|node| node.metadata.labels.has(NODE_POOL)).collect();
        let told = workload.cluster_version.as_ref();
        let ids = (told.map_or("", |it| it.spec.cluster_id.as_str()), cluster.spec.cluster_id.as_str());
        let differ = !ids.0.is_empty() && !ids.1.is_empty() && ids.0 != ids.1;
        // Every node of a guest is of a pool: these are the nodes of the management cluster.
        if differ || (nodes.is_empty() && !workload.nodes.is_empty()) {
            return Self { is_foreign: true, ..Self::default() };
        }
        Self {
            seen: told.is_some() || !workload.operators.is_empty() || workload.seen.nodes || workload.seen.operators,
            cluster_version: told,
            operators: &workload.operators,
            nodes,
            pods: &workload.pods,
            budgets: &workload.budgets,
            unreachable: &workload.unreachable,
            is_foreign: false,
        }
    }
}

/// By what something is paused, in words. A moment that has passed pauses nothing.
pub(super) fn pause(until: &str, active: Option<&Condition>, now: Timestamp) -> Option<String> {
    let until = until.trim();
    let by_condition =
        active.filter(|it| it.status == ConditionStatus::False && it.reason != "InvalidPausedUntilValue");
    match (until.parse::<Timestamp>(), by_condition) {
        _ if until.eq_ignore_ascii_case("true") => Some("spec.pausedUntil is true".into()),
        (Ok(moment), _) if moment > now => Some(format!("spec.pausedUntil is {until}")),
        // Its controller has not looked since, and goes on any moment.
        (Ok(_), _) => None,
        (Err(_), Some(_)) => Some("ReconciliationActive is False".into()),
        (Err(_), None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_at_its_moment() {
        let now = "2026-05-04T08:00:00Z".parse().unwrap();
        let active = |status: ConditionStatus| Condition { status, ..Condition::default() };
        let check = |until: &str, active: Option<&Condition>, paused: bool| {
            assert_eq!(pause(until, active, now).is_some(), paused, "{until}");
        };
        let not = active(ConditionStatus::False);
        check("true", None, true);
        check("2026-05-05T00:00:00Z", None, true);
        check("2026-05-04T07:00:00Z", Some(&not), false);
        check("", Some(&not), true);
        check("", Some(&active(ConditionStatus::True)), false);
        check("false", None, false);
        check("next week", None, false);
    }
}
