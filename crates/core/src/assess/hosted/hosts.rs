//! What belongs to which hosted cluster, looked up once for all of an inventory: a management cluster keeps a thousand.

use std::collections::BTreeMap;

use headway_api::cluster_api::{Machine, Workers};
use headway_api::hypershift::{ControlPlaneComponent, HostedControlPlane, NodePool};

use crate::preview::Inventory;

/// The objects of all hosted clusters, by whose they are.
#[derive(Debug, Default)]
pub struct Hosts<'a> {
    /// NodePools by namespace and the name of their cluster.
    pools: BTreeMap<(&'a str, &'a str), Vec<&'a NodePool>>,
    /// What is in the namespace of a control plane, by the name of that.
    within: BTreeMap<&'a str, Within<'a>>,
}

/// What is in the namespace of one control plane.
#[derive(Debug, Clone, Default)]
pub(super) struct Within<'a> {
    pub(super) control_plane: Option<&'a HostedControlPlane>,
    pub(super) components: Vec<&'a ControlPlaneComponent>,
    pub(super) machines: Vec<&'a Machine>,
    pub(super) machine_sets: Vec<&'a Workers>,
}

impl<'a> Hosts<'a> {
    /// Looks at an inventory once.
    #[must_use]
    pub fn of(inventory: &'a Inventory) -> Self {
        let mut all = Self::default();
        for pool in &inventory.node_pools {
            all.pools.entry((&pool.metadata.namespace, &pool.spec.cluster_name)).or_default().push(pool);
        }
        for object in &inventory.hosted_control_planes {
            all.within(&object.metadata.namespace).control_plane.get_or_insert(object);
        }
        for object in &inventory.components {
            all.within(&object.metadata.namespace).components.push(object);
        }
        for object in &inventory.machines {
            all.within(&object.metadata.namespace).machines.push(object);
        }
        for object in &inventory.machine_sets {
            all.within(&object.metadata.namespace).machine_sets.push(object);
        }
        all
    }

    fn within(&mut self, namespace: &'a str) -> &mut Within<'a> {
        self.within.entry(namespace).or_default()
    }

    /// The NodePools of a hosted cluster.
    pub(super) fn pools(&self, namespace: &str, name: &str) -> Vec<&'a NodePool> {
        self.pools.get(&(namespace, name)).cloned().unwrap_or_default()
    }

    /// What is in the namespace of its control plane.
    pub(super) fn in_namespace(&self, namespace: &str) -> Within<'a> {
        self.within.get(namespace).cloned().unwrap_or_default()
    }
}
