//! The objects that a preview rests on: the snapshot of a management cluster, or a part of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget};
use headway_api::cluster_api::{
    Cluster, ClusterClass, ControlPlane, ExtensionConfig, Machine, MachineHealthCheck, Metadata, Namespace, Workers,
};
use headway_api::gap::Gap;
use headway_api::hypershift::{
    ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool, control_plane_namespace,
};
use headway_api::meta::Condition;
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use headway_api::preview::Clock;
use jiff::Timestamp;

use crate::assess::first_few;

/// The moment at which everything is judged, and where it comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment {
    /// The moment.
    pub at: Timestamp,
    /// Where it comes from.
    pub clock: Clock,
}

/// What was seen of a management cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inventory {
    /// The moment at which everything is judged.
    pub moment: Moment,
    /// The Clusters, in input order as all that follows.
    pub clusters: Vec<Cluster>,
    /// The ClusterClasses.
    pub classes: Vec<ClusterClass>,
    /// The control planes, of any provider.
    pub control_planes: Vec<ControlPlane>,
    /// The MachineDeployments.
    pub machine_deployments: Vec<Workers>,
    /// The MachinePools.
    pub machine_pools: Vec<Workers>,
    /// The Machines.
    pub machines: Vec<Machine>,
    /// The MachineSets.
    pub machine_sets: Vec<Workers>,
    /// The MachineHealthChecks.
    pub health_checks: Vec<MachineHealthCheck>,
    /// The HostedClusters.
    pub hosted_clusters: Vec<HostedCluster>,
    /// The HostedControlPlanes.
    pub hosted_control_planes: Vec<HostedControlPlane>,
    /// The ControlPlaneComponents.
    pub components: Vec<ControlPlaneComponent>,
    /// The NodePools.
    pub node_pools: Vec<NodePool>,
    /// The ExtensionConfigs.
    pub extensions: Vec<ExtensionConfig>,
    /// The Namespaces.
    pub namespaces: Vec<Namespace>,
    /// The PodDisruptionBudgets, which are those of a workload cluster.
    pub budgets: Vec<PodDisruptionBudget>,
    /// What was seen of the clusters that it keeps, by namespace and name; under two empty names what does not say whose
    /// it is.
    pub workloads: BTreeMap<(String, String), Workload>,
    /// Which kinds were looked at, even if none was there.
    pub seen: Seen,
    /// What could not be observed.
    pub gaps: Vec<Gap>,
}

/// What was seen through the API of a cluster that the management cluster keeps: of a workload cluster, or of the guest
/// side of a hosted control plane.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Workload {
    /// Its Nodes, in input order as all that follows.
    pub nodes: Vec<Arc<Node>>,
    /// Its Pods.
    pub pods: Vec<Arc<Pod>>,
    /// Its PodDisruptionBudgets.
    pub budgets: Vec<Arc<PodDisruptionBudget>>,
    /// Its ClusterVersion.
    pub cluster_version: Option<ClusterVersion>,
    /// Its ClusterOperators.
    pub operators: Vec<ClusterOperator>,
    /// Which of its kinds were looked at, even if none was there.
    pub seen: SeenOfWorkload,
    /// Why its API could not be asked; empty where it could, or was not tried.
    pub unreachable: String,
    /// What of it could not be observed. Apart from the gaps of the management cluster, as a plan does not rest on it.
    pub gaps: Vec<Gap>,
}

/// Kinds of a workload cluster of which there was an object or a list, be it an empty one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeenOfWorkload {
    /// Nodes.
    pub nodes: bool,
    /// Pods.
    pub pods: bool,
    /// PodDisruptionBudgets.
    pub budgets: bool,
    /// ClusterOperators.
    pub operators: bool,
}

/// Kinds of which there was an object or a list, be it an empty one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// MachineDeployments.
    pub machine_deployments: bool,
    /// MachinePools.
    pub machine_pools: bool,
    /// Machines.
    pub machines: bool,
    /// MachineSets.
    pub machine_sets: bool,
    /// HostedControlPlanes.
    pub hosted_control_planes: bool,
    /// ControlPlaneComponents.
    pub components: bool,
    /// NodePools.
    pub node_pools: bool,
    /// ExtensionConfigs.
    pub extensions: bool,
    /// PodDisruptionBudgets.
    pub budgets: bool,
}

/// Which cluster is meant cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    /// There is none at all.
    #[error("no Cluster was found")]
    NoCluster,
    /// There are several.
    #[error("{} Clusters were found: {}", names.len(), first_few(names))]
    Several {
        /// Those that fit what was asked for.
        names: Vec<String>,
    },
    /// None is as asked for.
    #[error("no Cluster {wanted} was found; there is {}", first_few(names))]
    NotThere {
        /// What was asked for.
        wanted: String,
        /// Those that are there.
        names: Vec<String>,
    },
}

impl Inventory {
    /// The one cluster of a name and a namespace, each of which may be left out.
    ///
    /// # Errors
    ///
    /// When there is none, or more than one.
    pub fn pick(&self, name: Option<&str>, namespace: Option<&str>) -> Result<&Cluster, PickError> {
        let fits = |cluster: &&Cluster| {
            name.is_none_or(|name| cluster.metadata.name == name)
                && namespace.is_none_or(|namespace| cluster.metadata.namespace == namespace)
        };
        let found: Vec<&Cluster> = self.clusters.iter().filter(fits).collect();
        match found.as_slice() {
            [only] => Ok(only),
            [] if self.clusters.is_empty() => Err(PickError::NoCluster),
            [] => {
                let wanted = match (namespace, name) {
                    (Some(namespace), Some(name)) => format!("{namespace}/{name}"),
                    (None, Some(name)) => name.to_owned(),
                    (Some(namespace), None) => format!("of namespace {namespace}"),
                    (None, None) => String::new(),
                };
                Err(PickError::NotThere {
                    wanted,
                    names: self.clusters.iter().map(|it| qualified(&it.metadata)).collect(),
                })
            }
            several => {
                Err(PickError::Several { names: several.iter().map(|cluster| qualified(&cluster.metadata)).collect() })
            }
        }
    }

    /// What was seen of a cluster itself: what says that it is of this one, else what says no more than its name, else
    /// what does not say whose it is, if there is but this one that it can be of.
    #[must_use]
    pub fn workload(&self, namespace: &str, name: &str) -> Option<&Workload> {
        let of = |namespace: &str, name: &str| self.workloads.get(&(namespace.to_owned(), name.to_owned()));
        let is_only_one = |name: Option<&str>| {
            let hosted = self.hosted_clusters.iter().map(|cluster| &cluster.metadata);
            let members = self.clusters.iter().map(|cluster| &cluster.metadata).chain(hosted);
            // The Cluster that HyperShift makes for a HostedCluster is no member of its own.
            let is_own = |member: &&Metadata| !self.is_of_hosted_cluster(member);
            members.filter(is_own).filter(|member| name.is_none_or(|name| member.name == name)).count() == 1
        };
        of(namespace, name)
            .or_else(|| of("", name).filter(|_| is_only_one(Some(name))))
            .or_else(|| of("", "").filter(|_| is_only_one(None)))
    }

    /// Whether a Cluster is the one that HyperShift makes for a HostedCluster, in the namespace of its control plane.
    #[must_use]
    pub fn is_of_hosted_cluster(&self, cluster: &Metadata) -> bool {
        let is_within = |hosted: &HostedCluster| {
            let HostedCluster { metadata, .. } = hosted;
            control_plane_namespace(&metadata.namespace, &metadata.name) == cluster.namespace
        };
        self.hosted_clusters.iter().any(is_within)
    }

    /// The newest moment that any object tells of: what a recording is judged at.
    #[must_use]
    pub fn newest(&self) -> Moment {
        let conditions = (self.clusters.iter().flat_map(|it| [&it.status.conditions, &it.status.v1beta2.conditions]))
            .chain(self.control_planes.iter().flat_map(|it| [&it.status.conditions, &it.status.v1beta2.conditions]))
            .chain(self.machines.iter().flat_map(|it| [&it.status.conditions, &it.status.v1beta2.conditions]))
            .chain(self.extensions.iter().map(|it| &it.status.conditions))
            .chain(self.hosted_clusters.iter().map(|it| &it.status.conditions))
            .chain(self.hosted_control_planes.iter().map(|it| &it.status.conditions))
            .chain(self.components.iter().map(|it| &it.status.conditions))
            .chain(self.node_pools.iter().map(|it| &it.status.conditions));
        let conditions = conditions.flatten().filter_map(|condition: &Condition| condition.last_transition_time);
        let sides = self.hosted_clusters.iter().flat_map(|it| [&it.status.version, &it.status.control_plane_version]);
        let entries = sides.flatten().filter_map(|side| side.history.first());
        let newest = conditions.chain(entries.flat_map(|it| [it.started_time, it.completion_time]).flatten()).max();
        newest.map_or_else(Moment::default, |at| Moment { at, clock: Clock::Conditions })
    }
}

/// `NAMESPACE/NAME`, or the name alone.
pub(crate) fn qualified(metadata: &Metadata) -> String {
    let Metadata { name, namespace, .. } = metadata;
    if namespace.is_empty() { name.clone() } else { format!("{namespace}/{name}") }
}
