//! What a judge must see, and what was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use headway_api::cluster_api::{Cluster, ClusterClass, ControlPlane, ExtensionConfig, Machine, Workers};
use headway_api::plan::GroupKind;

use crate::preview::Inventory;

/// Something that must be seen before a write can be judged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// One ClusterClass.
    Class {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// All Clusters of all namespaces.
    Clusters,
    /// One control plane.
    ControlPlane {
        /// The group of its kind; empty when the reference leaves it out.
        group: String,
        /// Its kind.
        kind: String,
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// The MachineDeployments or MachinePools of one cluster.
    Groups {
        /// Which of the two.
        kind: GroupKind,
        /// The cluster's namespace.
        namespace: String,
        /// The cluster's name.
        cluster: String,
    },
    /// The Machines of one cluster.
    Machines {
        /// The cluster's namespace.
        namespace: String,
        /// The cluster's name.
        cluster: String,
    },
    /// Nodes of the workload cluster: which versions they run.
    Nodes {
        /// The cluster's namespace.
        namespace: String,
        /// The cluster's name.
        cluster: String,
        /// Their names.
        names: BTreeSet<String>,
    },
    /// One ExtensionConfig.
    Extension {
        /// Its name.
        name: String,
    },
}

/// What was found of it. An object that is not there is an empty list: that was seen as well.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// ClusterClasses.
    Classes(Vec<ClusterClass>),
    /// Clusters.
    Clusters(Vec<Cluster>),
    /// Control planes.
    ControlPlanes(Vec<ControlPlane>),
    /// MachineDeployments or MachinePools.
    Groups(Vec<Workers>),
    /// Machines.
    Machines(Vec<Machine>),
    /// The versions that the kubelets of nodes report, by the nodes' names.
    Nodes(BTreeMap<String, String>),
    /// ExtensionConfigs.
    Extensions(Vec<ExtensionConfig>),
}

/// What was observed for one write.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    pub(super) inventory: Inventory,
    pub(super) nodes: BTreeMap<String, String>,
    /// What was asked for; with the reason where it could not be read.
    noted: BTreeMap<Need, Option<String>>,
}

/// What is known about a need.
pub(super) enum Sight<'a> {
    /// It was looked at.
    Seen,
    /// It could not be read, for this reason.
    Unseen(&'a str),
    /// Nobody has looked yet.
    NotYet,
}

impl Observed {
    /// Notes what was found.
    pub fn note(&mut self, need: Need, found: Found) {
        let inventory = &mut self.inventory;
        match found {
            Found::Classes(classes) => inventory.classes.extend(classes),
            Found::Clusters(clusters) => inventory.clusters.extend(clusters),
            Found::ControlPlanes(control_planes) => inventory.control_planes.extend(control_planes),
            Found::Groups(groups) => match &need {
                Need::Groups { kind: GroupKind::MachinePool, .. } => inventory.machine_pools.extend(groups),
                _ => inventory.machine_deployments.extend(groups),
            },
            Found::Machines(machines) => inventory.machines.extend(machines),
            Found::Nodes(nodes) => self.nodes.extend(nodes),
            Found::Extensions(extensions) => inventory.extensions.extend(extensions),
        }
        self.noted.insert(need, None);
    }

    /// Notes that something could not be read.
    pub fn note_unseen(&mut self, need: Need, why: impl Into<String>) {
        self.noted.insert(need, Some(why.into()));
    }

    pub(super) fn sight(&self, need: &Need) -> Sight<'_> {
        match self.noted.get(need) {
            None => Sight::NotYet,
            Some(None) => Sight::Seen,
            Some(Some(why)) => Sight::Unseen(why),
        }
    }

    pub(super) fn class(&self, namespace: &str, name: &str) -> Option<&ClusterClass> {
        self.inventory.classes.iter().find(|it| it.metadata.namespace == namespace && it.metadata.name == name)
    }
}

/// As a person reads it: `ClusterClass/home/prod`.
impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class { namespace, name } => write!(f, "ClusterClass/{namespace}/{name}"),
            Self::Clusters => f.write_str("the Clusters of all namespaces"),
            Self::ControlPlane { kind, namespace, name, .. } => write!(f, "{kind}/{namespace}/{name}"),
            Self::Groups { kind, namespace, cluster } => write!(f, "the {kind}s of Cluster {namespace}/{cluster}"),
            Self::Machines { namespace, cluster } => write!(f, "the Machines of Cluster {namespace}/{cluster}"),
            Self::Nodes { namespace, cluster, .. } => write!(f, "the nodes of Cluster {namespace}/{cluster}"),
            Self::Extension { name } => write!(f, "ExtensionConfig/{name}"),
        }
    }
}
