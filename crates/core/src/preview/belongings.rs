//! Which objects of an inventory belong to which cluster, looked up once for all of its clusters.

use std::collections::BTreeMap;

use headway_api::cluster_api::{CLUSTER_NAME_LABEL, Cluster, Machine, Workers};

use super::inventory::Inventory;

/// The objects of each cluster of an inventory, by its namespace and name.
///
/// Who looks at one cluster goes through all objects; who looks at a thousand of them does so once.
#[derive(Debug, Default)]
pub struct Belongings<'a> {
    of_clusters: BTreeMap<(&'a str, &'a str), Own<'a>>,
}

/// The objects of one cluster, in input order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Own<'a> {
    pub(crate) machines: Vec<&'a Machine>,
    pub(crate) machine_deployments: Vec<&'a Workers>,
    pub(crate) machine_pools: Vec<&'a Workers>,
}

impl<'a> Belongings<'a> {
    /// Looks through an inventory.
    #[must_use]
    pub fn of(inventory: &'a Inventory) -> Self {
        let mut all = Self::default();
        for machine in &inventory.machines {
            all.own(&machine.metadata.namespace, cluster_of(machine)).machines.push(machine);
        }
        for group in &inventory.machine_deployments {
            all.own(&group.metadata.namespace, &group.spec.cluster_name).machine_deployments.push(group);
        }
        for group in &inventory.machine_pools {
            all.own(&group.metadata.namespace, &group.spec.cluster_name).machine_pools.push(group);
        }
        all
    }

    fn own(&mut self, namespace: &'a str, cluster: &'a str) -> &mut Own<'a> {
        self.of_clusters.entry((namespace, cluster)).or_default()
    }

    /// Those of one cluster.
    pub(crate) fn of_cluster(&self, cluster: &Cluster) -> Own<'a> {
        let key = (cluster.metadata.namespace.as_str(), cluster.metadata.name.as_str());
        self.of_clusters.get(&key).cloned().unwrap_or_default()
    }
}

impl<'a> Own<'a> {
    /// Looks for the objects of one cluster alone.
    pub(crate) fn of(inventory: &'a Inventory, cluster: &Cluster) -> Self {
        let (namespace, name) = (&cluster.metadata.namespace, &cluster.metadata.name);
        let is_own = |group: &&Workers| group.metadata.namespace == *namespace && group.spec.cluster_name == *name;
        let is_machine = |machine: &&Machine| machine.metadata.namespace == *namespace && cluster_of(machine) == name;
        Self {
            machines: inventory.machines.iter().filter(is_machine).collect(),
            machine_deployments: inventory.machine_deployments.iter().filter(is_own).collect(),
            machine_pools: inventory.machine_pools.iter().filter(is_own).collect(),
        }
    }
}

/// The cluster that a machine names: in its spec, else by its label.
fn cluster_of(machine: &Machine) -> &str {
    if machine.spec.cluster_name.is_empty() {
        machine.metadata.labels.get(CLUSTER_NAME_LABEL).unwrap_or_default()
    } else {
        &machine.spec.cluster_name
    }
}
