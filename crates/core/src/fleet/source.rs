//! What is watched of a management cluster, and what its informers tell.

use std::fmt;
use std::sync::Arc;

use headway_api::cluster_api::{
    CLUSTER_NAME_LABEL, Cluster, ClusterClass, ControlPlane, ExtensionConfig, Machine, MachineHealthCheck, Metadata,
    Namespace, Workers,
};
use headway_api::hypershift::{ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool};
use headway_api::report::Form;

use crate::inform;

/// What an informer of a management cluster watches. One informer a source, whatever the number of clusters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Which of the others are served: its objects are their names.
    Served,
    /// Clusters of Cluster API.
    Clusters,
    /// ClusterClasses.
    ClusterClasses,
    /// Control planes of one provider; the resource, in lower case and plural.
    ControlPlanes(Arc<str>),
    /// MachineDeployments.
    MachineDeployments,
    /// MachinePools.
    MachinePools,
    /// Machines.
    Machines,
    /// MachineSets.
    MachineSets,
    /// MachineHealthChecks.
    MachineHealthChecks,
    /// HostedClusters of HyperShift.
    HostedClusters,
    /// HostedControlPlanes.
    HostedControlPlanes,
    /// ControlPlaneComponents.
    ControlPlaneComponents,
    /// NodePools.
    NodePools,
    /// ExtensionConfigs.
    ExtensionConfigs,
    /// Namespaces, for the labels by which extensions are selected.
    Namespaces,
}

/// A message of an informer of a management cluster.
pub type Msg = inform::Msg<Source, Object>;

/// What is known of one object. Shared, so that neither the informer nor a look copies it.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A source that is served, in this version of its group.
    Served(Arc<str>),
    /// A Cluster.
    Cluster(Arc<Cluster>),
    /// A ClusterClass.
    ClusterClass(Arc<ClusterClass>),
    /// A control plane of any provider.
    ControlPlane(Arc<ControlPlane>),
    /// A MachineDeployment.
    MachineDeployment(Arc<Workers>),
    /// A MachinePool.
    MachinePool(Arc<Workers>),
    /// A Machine.
    Machine(Arc<Machine>),
    /// A MachineSet.
    MachineSet(Arc<Workers>),
    /// A MachineHealthCheck.
    MachineHealthCheck(Arc<MachineHealthCheck>),
    /// A HostedCluster.
    HostedCluster(Arc<HostedCluster>),
    /// A HostedControlPlane.
    HostedControlPlane(Arc<HostedControlPlane>),
    /// A ControlPlaneComponent.
    ControlPlaneComponent(Arc<ControlPlaneComponent>),
    /// A NodePool.
    NodePool(Arc<NodePool>),
    /// An ExtensionConfig.
    ExtensionConfig(Arc<ExtensionConfig>),
    /// A Namespace.
    Namespace(Arc<Namespace>),
}

impl Source {
    /// The sources that are the same everywhere: all but those of control planes.
    pub const FIXED: [Self; 14] = [
        Self::Served,
        Self::Clusters,
        Self::ClusterClasses,
        Self::MachineDeployments,
        Self::MachinePools,
        Self::Machines,
        Self::MachineSets,
        Self::MachineHealthChecks,
        Self::HostedClusters,
        Self::HostedControlPlanes,
        Self::ControlPlaneComponents,
        Self::NodePools,
        Self::ExtensionConfigs,
        Self::Namespaces,
    ];

    /// The informer's name in conditions, logs and metrics: the resource, in lower case and plural.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Served => "apis",
            Self::Clusters => "clusters",
            Self::ClusterClasses => "clusterclasses",
            Self::ControlPlanes(plural) => plural,
            Self::MachineDeployments => "machinedeployments",
            Self::MachinePools => "machinepools",
            Self::Machines => "machines",
            Self::MachineSets => "machinesets",
            Self::MachineHealthChecks => "machinehealthchecks",
            Self::HostedClusters => "hostedclusters",
            Self::HostedControlPlanes => "hostedcontrolplanes",
            Self::ControlPlaneComponents => "controlplanecomponents",
            Self::NodePools => "nodepools",
            Self::ExtensionConfigs => "extensionconfigs",
            Self::Namespaces => "namespaces",
        }
    }

    /// Whether what it tells counts for clusters of a form.
    #[must_use]
    pub fn is_of(&self, form: Form) -> bool {
        match self {
            Self::Served => true,
            Self::Machines | Self::MachineSets => matches!(form, Form::ClusterApi | Form::Hosted),
            Self::Clusters
            | Self::ClusterClasses
            | Self::ControlPlanes(_)
            | Self::MachineDeployments
            | Self::MachinePools
            | Self::MachineHealthChecks
            | Self::ExtensionConfigs
            | Self::Namespaces => form == Form::ClusterApi,
            Self::HostedClusters | Self::HostedControlPlanes | Self::ControlPlaneComponents | Self::NodePools => {
                form == Form::Hosted
            }
        }
    }

    /// Whether only details come of it: without it the answer to "is it updating, and is it done?" is the same.
    #[must_use]
    pub fn is_detail(&self) -> bool {
        match self {
            Self::MachineSets | Self::MachineHealthChecks | Self::Namespaces => true,
            Self::Served
            | Self::Clusters
            | Self::ClusterClasses
            | Self::ControlPlanes(_)
            | Self::MachineDeployments
            | Self::MachinePools
            | Self::Machines
            | Self::HostedClusters
            | Self::HostedControlPlanes
            | Self::ControlPlaneComponents
            | Self::NodePools
            | Self::ExtensionConfigs => false,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Object {
    /// Its place among the objects of a cluster: kinds in their order, each by name.
    pub(super) fn rank(&self) -> (u8, &str) {
        match self {
            Self::Served(version) => (0, version),
            Self::Cluster(o) => (1, &o.metadata.name),
            Self::ClusterClass(o) => (2, &o.metadata.name),
            Self::ControlPlane(o) => (3, &o.metadata.name),
            Self::MachineDeployment(o) => (4, &o.metadata.name),
            Self::MachinePool(o) => (5, &o.metadata.name),
            Self::Machine(o) => (6, &o.metadata.name),
            Self::MachineSet(o) => (7, &o.metadata.name),
            Self::MachineHealthCheck(o) => (8, &o.metadata.name),
            Self::HostedCluster(o) => (9, &o.metadata.name),
            Self::HostedControlPlane(o) => (10, &o.metadata.name),
            Self::ControlPlaneComponent(o) => (11, &o.metadata.name),
            Self::NodePool(o) => (12, &o.metadata.name),
            Self::ExtensionConfig(o) => (13, &o.metadata.name),
            Self::Namespace(o) => (14, &o.metadata.name),
        }
    }

    /// Of which cluster it says that it is: namespace and name, the name empty where it says none. Nothing of what is
    /// shared by all of them.
    pub(super) fn home(&self) -> Option<(&str, &str)> {
        let (metadata, named) = match self {
            Self::Served(_) | Self::ClusterClass(_) | Self::ExtensionConfig(_) | Self::Namespace(_) => return None,
            Self::Cluster(o) => (&o.metadata, o.metadata.name.as_str()),
            Self::HostedCluster(o) => (&o.metadata, o.metadata.name.as_str()),
            Self::ControlPlane(o) => (&o.metadata, ""),
            Self::MachineDeployment(o) | Self::MachinePool(o) | Self::MachineSet(o) => {
                (&o.metadata, o.spec.cluster_name.as_str())
            }
            Self::Machine(o) => (&o.metadata, o.spec.cluster_name.as_str()),
            Self::MachineHealthCheck(o) => (&o.metadata, o.spec.cluster_name.as_str()),
            // They are all that is in their namespace.
            Self::HostedControlPlane(o) => return Some((&o.metadata.namespace, "")),
            Self::ControlPlaneComponent(o) => return Some((&o.metadata.namespace, "")),
            Self::NodePool(o) => (&o.metadata, o.spec.cluster_name.as_str()),
        };
        let name = if named.is_empty() { named_by_metadata(metadata) } else { named };
        Some((&metadata.namespace, name))
    }
}

/// The cluster that an object names by its label, else by its owner.
fn named_by_metadata(metadata: &Metadata) -> &str {
    let owner = || metadata.owner_references.iter().find(|owner| owner.kind == "Cluster");
    let label = metadata.labels.get(CLUSTER_NAME_LABEL).filter(|name| !name.is_empty());
    label.or_else(|| owner().map(|owner| owner.name.as_str())).unwrap_or_default()
}
