//! The snapshot: all that an assessment may see, with the moment it is judged at and what could not be observed.

pub mod clock;

use std::collections::BTreeMap;
use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget};
use headway_api::gap::Gap;
use headway_api::machine_config::{MachineConfigNode, MachineConfigPool, MachineOsBuild, MachineOsConfig};
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use headway_api::prometheus::Alert;
use headway_api::report::ClockSource;
use jiff::Timestamp;

use crate::inform::Source;
use crate::memory::Memory;

/// One cluster at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The moment at which everything is judged.
    pub moment: Moment,
    /// The ClusterVersion.
    pub cluster_version: Option<ClusterVersion>,
    /// The ClusterOperators, in input order.
    pub operators: Vec<ClusterOperator>,
    /// The MachineConfigPools, in input order.
    pub pools: Vec<MachineConfigPool>,
    /// The release that each MachineConfig belongs to; a name without one is in the map all the same.
    pub machine_configs: BTreeMap<String, Option<String>>,
    /// The Nodes, in input order. Shared, as all that is many: who watches a cluster takes a snapshot of the same
    /// objects every few seconds.
    pub nodes: Vec<Arc<Node>>,
    /// The MachineConfigNodes by the name of their node.
    pub machine_config_nodes: BTreeMap<String, Arc<MachineConfigNode>>,
    /// The MachineOSConfigs.
    pub os_configs: Vec<MachineOsConfig>,
    /// The MachineOSBuilds.
    pub os_builds: Vec<MachineOsBuild>,
    /// The image of the machine-config-operator's Deployment; `None` when the Deployment was not observed or has no
    /// container of that name.
    pub mco_image: Option<String>,
    /// The Pods, in input order.
    pub pods: Vec<Arc<Pod>>,
    /// The PodDisruptionBudgets, in input order.
    pub budgets: Vec<Arc<PodDisruptionBudget>>,
    /// The alerts.
    pub alerts: AlertsSeen,
    /// Which kinds were looked at, even if none was there: an empty list is an observation, a missing one is not.
    pub seen: Seen,
    /// What could not be observed.
    pub gaps: Vec<Gap>,
    /// Sources that have been silent for too long, with the moment until which they were heard: what they told is
    /// judged as of then and ages no more. Always empty for recordings.
    pub as_of: BTreeMap<Source, Timestamp>,
    /// What was observed before; empty for recordings.
    pub memory: Memory,
}

/// The moment of judging, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The moment.
    pub at: Timestamp,
    /// Where it comes from.
    pub source: ClockSource,
}

impl Default for Moment {
    fn default() -> Self {
        Self { at: Timestamp::UNIX_EPOCH, source: ClockSource::Nothing }
    }
}

/// What was seen of the alerts.
#[derive(Debug, Clone, PartialEq)]
pub enum AlertsSeen {
    /// An answer of Prometheus was read.
    Answer(Vec<Alert>),
    /// None was, for this reason.
    Nothing(String),
}

impl Default for AlertsSeen {
    fn default() -> Self {
        Self::Nothing("no alerts in the input".into())
    }
}

impl AlertsSeen {
    /// The alerts; none when none were seen.
    #[must_use]
    pub fn as_slice(&self) -> &[Alert] {
        match self {
            Self::Answer(alerts) => alerts,
            Self::Nothing(_) => &[],
        }
    }
}

/// Which kinds the source held, be it as an empty list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// MachineConfigPools.
    pub pools: bool,
    /// MachineConfigs.
    pub machine_configs: bool,
    /// Nodes.
    pub nodes: bool,
    /// Pods.
    pub pods: bool,
    /// PodDisruptionBudgets.
    pub budgets: bool,
}
