//! Insights in a container: an identity, a time, and a body of one of a few types.

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::cluster_operator::ClusterOperatorInsight;
use super::cluster_version::ClusterVersionInsight;
use super::health::HealthInsight;
use super::limit;
use super::node::NodeInsight;
use super::pool::MachineConfigPoolInsight;
use super::reference::ResourceRef;
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
    #[schemars(schema_with = "control_plane_types")]
    pub kind: Word<InsightType>,
    /// The progress of the control plane as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_version: Option<Box<ClusterVersionInsight>>,
    /// The progress of a hosted cluster as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hosted_cluster: Option<Box<ClusterVersionInsight>>,
    /// The progress of a cluster of Cluster API as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Box<ClusterVersionInsight>>,
    /// The progress of a cluster operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster_operator: Option<Box<ClusterOperatorInsight>>,
    /// The progress of a component of the control plane that is no cluster operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane_component: Option<Box<ClusterOperatorInsight>>,
    /// The progress of the control plane's pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_config_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of the control plane's machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Box<NodeInsight>>,
    /// The progress of a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Box<NodeInsight>>,
    /// Something that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Box<HealthInsight>>,
}

impl ControlPlaneInsight {
    fn empty(kind: InsightType) -> Self {
        Self {
            kind: kind.into(),
            cluster_version: None,
            hosted_cluster: None,
            cluster: None,
            cluster_operator: None,
            control_plane_component: None,
            machine_config_pool: None,
            control_plane: None,
            node: None,
            machine: None,
            health: None,
        }
    }

    /// The progress of the whole, whatever it is.
    #[must_use]
    pub fn whole(&self) -> Option<&ClusterVersionInsight> {
        self.cluster_version.as_deref().or(self.hosted_cluster.as_deref()).or(self.cluster.as_deref())
    }

    /// The progress of an operator or another component.
    #[must_use]
    pub fn component(&self) -> Option<&ClusterOperatorInsight> {
        self.cluster_operator.as_deref().or(self.control_plane_component.as_deref())
    }

    /// The progress of the pool, whatever keeps it.
    #[must_use]
    pub fn pool(&self) -> Option<&MachineConfigPoolInsight> {
        self.machine_config_pool.as_deref().or(self.control_plane.as_deref())
    }

    /// The progress of a node or machine.
    #[must_use]
    pub fn unit(&self) -> Option<&NodeInsight> {
        self.node.as_deref().or(self.machine.as_deref())
    }
}

/// As the insight on what its resource is.
impl From<ClusterVersionInsight> for ControlPlaneInsight {
    fn from(told: ClusterVersionInsight) -> Self {
        let resource = resource(told.resource.as_ref()).to_owned();
        let told = Some(Box::new(told));
        match resource.as_str() {
            "hostedclusters" => Self { hosted_cluster: told, ..Self::empty(InsightType::HostedCluster) },
            "clusters" => Self { cluster: told, ..Self::empty(InsightType::Cluster) },
            _ => Self { cluster_version: told, ..Self::empty(InsightType::ClusterVersion) },
        }
    }
}

/// As the insight on what its resource is: a component without one is no operator.
impl From<ClusterOperatorInsight> for ControlPlaneInsight {
    fn from(told: ClusterOperatorInsight) -> Self {
        let is_operator = resource(told.resource.as_ref()) == "clusteroperators";
        let told = Some(Box::new(told));
        if is_operator {
            Self { cluster_operator: told, ..Self::empty(InsightType::ClusterOperator) }
        } else {
            Self { control_plane_component: told, ..Self::empty(InsightType::ControlPlaneComponent) }
        }
    }
}

/// As the insight on what its resource is: control planes of Cluster API are of any kind.
impl From<MachineConfigPoolInsight> for ControlPlaneInsight {
    fn from(told: MachineConfigPoolInsight) -> Self {
        let is_of_openshift = resource(told.resource.as_ref()) == "machineconfigpools";
        let told = Some(Box::new(told));
        if is_of_openshift {
            Self { machine_config_pool: told, ..Self::empty(InsightType::MachineConfigPool) }
        } else {
            Self { control_plane: told, ..Self::empty(InsightType::ControlPlane) }
        }
    }
}

/// As the insight on what its resource is.
impl From<NodeInsight> for ControlPlaneInsight {
    fn from(told: NodeInsight) -> Self {
        let is_machine = resource(told.resource.as_ref()) == "machines";
        let told = Some(Box::new(told));
        if is_machine {
            Self { machine: told, ..Self::empty(InsightType::Machine) }
        } else {
            Self { node: told, ..Self::empty(InsightType::Node) }
        }
    }
}

impl From<HealthInsight> for ControlPlaneInsight {
    fn from(told: HealthInsight) -> Self {
        Self { health: Some(Box::new(told)), ..Self::empty(InsightType::Health) }
    }
}

/// What an insight on a pool of workers says: `type` names the one member that is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = rule::pool_insight()))]
pub struct PoolInsight {
    /// Which member is set.
    ///
    /// Net new.
    #[serde(rename = "type")]
    #[schemars(schema_with = "pool_types")]
    pub kind: Word<InsightType>,
    /// The progress of the pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_config_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a NodePool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a MachineDeployment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_deployment: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a MachinePool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_pool: Option<Box<MachineConfigPoolInsight>>,
    /// The progress of a node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<Box<NodeInsight>>,
    /// The progress of a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Box<NodeInsight>>,
    /// Something that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Box<HealthInsight>>,
}

impl PoolInsight {
    fn empty(kind: InsightType) -> Self {
        Self {
            kind: kind.into(),
            machine_config_pool: None,
            node_pool: None,
            machine_deployment: None,
            machine_pool: None,
            node: None,
            machine: None,
            health: None,
        }
    }

    /// The progress of the pool, whatever keeps it.
    #[must_use]
    pub fn pool(&self) -> Option<&MachineConfigPoolInsight> {
        let all = [&self.machine_config_pool, &self.node_pool, &self.machine_deployment, &self.machine_pool];
        all.into_iter().find_map(Option::as_deref)
    }

    /// The progress of a node or machine.
    #[must_use]
    pub fn unit(&self) -> Option<&NodeInsight> {
        self.node.as_deref().or(self.machine.as_deref())
    }
}

/// As the insight on what its resource is.
impl From<MachineConfigPoolInsight> for PoolInsight {
    fn from(told: MachineConfigPoolInsight) -> Self {
        let resource = resource(told.resource.as_ref()).to_owned();
        let told = Some(Box::new(told));
        match resource.as_str() {
            "nodepools" => Self { node_pool: told, ..Self::empty(InsightType::NodePool) },
            "machinedeployments" => Self { machine_deployment: told, ..Self::empty(InsightType::MachineDeployment) },
            "machinepools" => Self { machine_pool: told, ..Self::empty(InsightType::MachinePool) },
            _ => Self { machine_config_pool: told, ..Self::empty(InsightType::MachineConfigPool) },
        }
    }
}

/// As the insight on what its resource is.
impl From<NodeInsight> for PoolInsight {
    fn from(told: NodeInsight) -> Self {
        let is_machine = resource(told.resource.as_ref()) == "machines";
        let told = Some(Box::new(told));
        if is_machine {
            Self { machine: told, ..Self::empty(InsightType::Machine) }
        } else {
            Self { node: told, ..Self::empty(InsightType::Node) }
        }
    }
}

impl From<HealthInsight> for PoolInsight {
    fn from(told: HealthInsight) -> Self {
        Self { health: Some(Box::new(told)), ..Self::empty(InsightType::Health) }
    }
}

/// Of all types those that a control plane has. As a schema of its own: beside one of all, both would count.
fn control_plane_types(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": rule::CONTROL_PLANE_TYPES })
}

/// Of all types those that a pool has.
fn pool_types(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": rule::POOL_TYPES })
}

fn resource(told: Option<&ResourceRef>) -> &str {
    told.map_or("", |told| told.resource.as_str())
}
