//! Insights in a container: an identity, a time, and a body of one of a few types.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cluster_operator::ClusterOperatorInsight;
use super::cluster_version::ClusterVersionInsight;
use super::health::HealthInsight;
use super::limit;
use super::node::NodeInsight;
use super::pool::MachineConfigPoolInsight;
use super::rule;
use super::word::{InformerState, InsightType, Word};

/// What one informer has to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
// Without the bound serde asks for a default of every body, for the sake of the list that may be absent.
#[serde(rename_all = "camelCase", bound(deserialize = "Body: Deserialize<'de>"))]
pub struct Informer<Body> {
    /// Its name.
    ///
    /// Net new.
    #[schemars(length(min = 1, max = limit::NAME), regex(pattern = limit::SUBDOMAIN_PATTERN))]
    pub name: String,
    /// How well it sees; absent when it sees well.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Word<InformerState>>,
    /// Its insights. The informer owns the whole list, which keeps the record of who owns what short.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::INSIGHTS), extend("x-kubernetes-list-type" = "atomic"))]
    pub insights: Vec<Insight<Body>>,
}

/// An insight with its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Insight<Body> {
    /// The identity, which stays the same for as long as the insight is about the same thing.
    ///
    /// Net new.
    #[schemars(length(min = 1, max = limit::UID), regex(pattern = limit::LABEL_PATTERN))]
    pub uid: String,
    /// When what it says last changed, or was last confirmed by a look at everything.
    ///
    /// Net new.
    pub acquired_at: Timestamp,
    /// What it says.
    pub insight: Body,
}

/// What an insight on the control plane says: `type` names the one member that is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rule::control_plane_insight()))]
pub struct ControlPlaneInsight {
    /// Which member is set.
    ///
    /// Net new.
    #[serde(rename = "type")]
    pub kind: Word<InsightType>,
    /// The progress of the control plane as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_version: Option<Box<ClusterVersionInsight>>,
    /// The progress of a cluster operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_operator: Option<Box<ClusterOperatorInsight>>,
    /// The progress of the control plane's pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_config_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Box<NodeInsight>>,
    /// Something that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Box<HealthInsight>>,
}

/// What an insight on a pool of workers says: `type` names the one member that is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rule::pool_insight()))]
pub struct PoolInsight {
    /// Which member is set: MachineConfigPool, Node or Health.
    ///
    /// Net new.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["MachineConfigPool", "Node", "Health"]))]
    pub kind: Word<InsightType>,
    /// The progress of the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_config_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Box<NodeInsight>>,
    /// Something that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Box<HealthInsight>>,
}

/// A body of any type, for who writes or reads insights without minding where they stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The progress of the control plane as a whole.
    ClusterVersion(Box<ClusterVersionInsight>),
    /// The progress of a cluster operator.
    ClusterOperator(Box<ClusterOperatorInsight>),
    /// The progress of a pool.
    MachineConfigPool(Box<MachineConfigPoolInsight>),
    /// The progress of a node.
    Node(Box<NodeInsight>),
    /// Something that is wrong.
    Health(Box<HealthInsight>),
}
