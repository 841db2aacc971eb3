//! What informers say.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget};
use headway_api::gap::Gap;
use headway_api::machine_config::{MachineConfigNode, MachineConfigPool, MachineOsBuild, MachineOsConfig};
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use jiff::{SignedDuration, Timestamp};

use crate::snapshot::AlertsSeen;

/// What an informer watches. One informer a source, and one source an informer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// ClusterVersions.
    ClusterVersions,
    /// ClusterOperators.
    ClusterOperators,
    /// MachineConfigPools.
    MachineConfigPools,
    /// MachineConfigs, of which only the metadata is read.
    MachineConfigs,
    /// Nodes.
    Nodes,
    /// MachineConfigNodes.
    MachineConfigNodes,
    /// MachineOSConfigs.
    MachineOsConfigs,
    /// MachineOSBuilds.
    MachineOsBuilds,
    /// The Deployment of the machine-config-operator.
    Deployments,
    /// Pods on nodes that drain.
    Pods,
    /// PodDisruptionBudgets.
    PodDisruptionBudgets,
    /// The alerts that the cluster's monitoring tells.
    Alerts,
}

impl Source {
    /// All sources.
    pub const ALL: [Self; 12] = [
        Self::ClusterVersions,
        Self::ClusterOperators,
        Self::MachineConfigPools,
        Self::MachineConfigs,
        Self::Nodes,
        Self::MachineConfigNodes,
        Self::MachineOsConfigs,
        Self::MachineOsBuilds,
        Self::Deployments,
        Self::Pods,
        Self::PodDisruptionBudgets,
        Self::Alerts,
    ];

    /// The informer's name in conditions, logs and metrics: the resource, in lower case and plural.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClusterVersions => "clusterversions",
            Self::ClusterOperators => "clusteroperators",
            Self::MachineConfigPools => "machineconfigpools",
            Self::MachineConfigs => "machineconfigs",
            Self::Nodes => "nodes",
            Self::MachineConfigNodes => "machineconfignodes",
            Self::MachineOsConfigs => "machineosconfigs",
            Self::MachineOsBuilds => "machineosbuilds",
            Self::Deployments => "deployments",
            Self::Pods => "pods",
            Self::PodDisruptionBudgets => "poddisruptionbudgets",
            Self::Alerts => "alerts",
        }
    }

    /// Whether a status without this source would say less than it seems to: such a source must have answered once
    /// before a first status is told.
    #[must_use]
    pub fn is_essential(self) -> bool {
        match self {
            Self::ClusterVersions
            | Self::ClusterOperators
            | Self::MachineConfigPools
            | Self::MachineConfigs
            | Self::Nodes => true,
            Self::MachineConfigNodes
            | Self::MachineOsConfigs
            | Self::MachineOsBuilds
            | Self::Deployments
            | Self::Pods
            | Self::PodDisruptionBudgets
            | Self::Alerts => false,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which object of a source: `name`, or `namespace/name`. The alerts are one object, named `alerts`.
pub type Uid = String;

/// How often an informer has begun anew. A message of an older epoch is ignored.
pub type Epoch = u64;

/// One message, of an informer of a cluster as long as nothing else is said.
#[derive(Debug, Clone, PartialEq)]
pub struct Msg<S = Source, F = Fact> {
    /// Who says it.
    pub source: S,
    /// How often that informer has begun anew.
    pub epoch: Epoch,
    /// Counts the messages of an epoch. A message that is older than one already heard of the same object is ignored.
    pub seq: u64,
    /// When it was said.
    pub at: Timestamp,
    /// What is said.
    pub kind: Kind<F>,
}

/// What is said.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<F = Fact> {
    /// The informer (re)started. What it told before is unconfirmed until it is told again; nothing is dropped.
    Hello,
    /// An object is there, or has changed.
    Upsert {
        /// Which.
        uid: Uid,
        /// What is known of it.
        fact: F,
        /// What of it could not be read.
        flaws: Vec<Gap>,
    },
    /// An object was deleted. Its fact is dropped at once.
    Remove {
        /// Which.
        uid: Uid,
    },
    /// The first list is complete: what is neither confirmed nor known goes when the grace period is over.
    Synced {
        /// All objects that are there.
        known: BTreeSet<Uid>,
    },
    /// The informer lives.
    Beat {
        /// For how long its watch has brought nothing and could not: zero while it is connected.
        lag: SignedDuration,
    },
    /// The watch is broken, or cannot be made. Beats go on.
    Failed(Failure),
}

/// Why an informer sees nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// In a word.
    pub kind: FailureKind,
    /// In a sentence that names verb and resource.
    pub message: String,
}

/// Kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// The API server does not know the kind.
    NotServed,
    /// The API server knows us and says no.
    Forbidden,
    /// The source is not asked for, or not set up: told, and no failure.
    NotAsked,
    /// Anything that may pass: no connection, a timeout, an answer that could not be read.
    Unreachable,
}

/// What is known of one object. Objects that are large or many are shared, so that a snapshot copies none of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A ClusterVersion.
    ClusterVersion(Box<ClusterVersion>),
    /// A ClusterOperator.
    ClusterOperator(Box<ClusterOperator>),
    /// A MachineConfigPool.
    MachineConfigPool(Box<MachineConfigPool>),
    /// A MachineConfig, with the release that it belongs to.
    MachineConfig(Option<String>),
    /// A Node.
    Node(Arc<Node>),
    /// A MachineConfigNode.
    MachineConfigNode(Arc<MachineConfigNode>),
    /// A MachineOSConfig.
    MachineOsConfig(Box<MachineOsConfig>),
    /// A MachineOSBuild.
    MachineOsBuild(Box<MachineOsBuild>),
    /// The image of the machine-config-operator's Deployment.
    McoImage(Option<String>),
    /// A Pod.
    Pod(Arc<Pod>),
    /// A PodDisruptionBudget.
    PodDisruptionBudget(Arc<PodDisruptionBudget>),
    /// The alerts, all of them.
    Alerts(AlertsSeen),
}
