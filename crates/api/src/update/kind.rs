//! The kinds themselves: names, scope, columns, selectable fields, and the rules about names.
//!
//! The spec of each is required and empty: nobody asks for anything here, the status is all there is.

#![expect(
    clippy::duplicated_attributes,
    reason = "parts of two printer columns may be equal, which the lint takes for one"
)]

mod fleet;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cluster_operator::ClusterOperatorInsight;
use super::cluster_version::ClusterVersionInsight;
use super::health::HealthInsight as Health;
use super::node::NodeInsight;
use super::pool::MachineConfigPoolInsight;
use super::shard::PoolNodes;
use super::status::Status;

pub use self::fleet::{
    ClusterUpdateStatus, ClusterUpdateStatusSpec, HostedClusterUpdateStatus, HostedClusterUpdateStatusSpec,
};

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "UpdateStatus",
    status = "Status",
    derive = "PartialEq",
    shortname = "us",
    category = "update",
    doc = "How the update of this cluster is going, whether it goes well, and what stands in its way. There is one, named cluster.",
    validation = Rule::new("self.metadata.name == 'cluster'").message("there is one UpdateStatus, and its name is cluster"),
    printcolumn(name = "Updating", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].status", description = "Whether the cluster is being updated, workers included"),
    printcolumn(name = "Assessment", type_ = "string", json_path = ".status.summary.assessment", description = "How the control plane's update goes"),
    printcolumn(name = "Target", type_ = "string", json_path = ".status.summary.to", description = "The version that the cluster is to have"),
    printcolumn(name = "Completion", type_ = "integer", json_path = ".status.summary.completion", description = "Operators at the target version, in percent"),
    printcolumn(name = "Est. completed", type_ = "string", json_path = ".status.summary.estimatedCompletedAt", description = "When the control plane should be complete"),
    printcolumn(name = "Pools pending", type_ = "integer", json_path = ".status.summary.poolsPending", description = "Pools with nodes that are not at the target"),
    printcolumn(name = "Attention", type_ = "integer", json_path = ".status.summary.attention", description = "How many health insights there are"),
    printcolumn(name = "Waiting on", type_ = "string", json_path = ".status.summary.waitingOn", priority = 1, description = "On whom the update waits"),
    printcolumn(name = "Truncated", type_ = "string", json_path = ".status.conditions[?(@.type==\"Truncated\")].status", priority = 1, description = "Whether parts were left out to keep the object small"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct UpdateStatusSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "PoolUpdateStatus",
    status = "PoolNodes",
    derive = "PartialEq",
    shortname = "pus",
    category = "update",
    doc = "Every node of one pool with its phase and its times. A pool of more than 1,000 nodes has more than one, named after the pool and numbered from 0.",
    selectable = ".status.pool",
    printcolumn(name = "Pool", type_ = "string", json_path = ".status.pool"),
    printcolumn(name = "Scope", type_ = "string", json_path = ".status.scopeType"),
    printcolumn(name = "Shard", type_ = "integer", json_path = ".status.shard"),
    printcolumn(name = "Shards", type_ = "integer", json_path = ".status.shards"),
    printcolumn(
        name = "Nodes",
        type_ = "integer",
        json_path = ".status.total",
        description = "How many nodes the pool has, in all shards"
    ),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct PoolUpdateStatusSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "ClusterVersionProgressInsight",
    status = "ClusterVersionInsight",
    derive = "PartialEq",
    shortname = "cvpi",
    category = "update",
    doc = "The progress of the control plane as a whole. It has the name of the ClusterVersion.",
    validation = Rule::new("!has(self.status) || (has(self.status.name) && self.status.name == self.metadata.name)").message("status.name is the name of the object"),
    selectable = ".status.assessment",
    printcolumn(name = "Updating", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].status"),
    printcolumn(name = "Assessment", type_ = "string", json_path = ".status.assessment"),
    printcolumn(name = "From", type_ = "string", json_path = ".status.versions.previous.version"),
    printcolumn(name = "To", type_ = "string", json_path = ".status.versions.target.version"),
    printcolumn(name = "Completion", type_ = "integer", json_path = ".status.completionPercent"),
    printcolumn(name = "Started", type_ = "date", json_path = ".status.startedAt"),
    printcolumn(name = "Est. completed", type_ = "string", json_path = ".status.estimatedCompletedAt"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct ClusterVersionProgressInsightSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "ClusterOperatorProgressInsight",
    status = "ClusterOperatorInsight",
    derive = "PartialEq",
    shortname = "copi",
    category = "update",
    doc = "The progress of a cluster operator. It has the name of the ClusterOperator.",
    validation = Rule::new("!has(self.status) || self.status.name == self.metadata.name").message("status.name is the name of the object"),
    printcolumn(name = "Updating", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].status"),
    printcolumn(name = "Reason", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].reason"),
    printcolumn(name = "Healthy", type_ = "string", json_path = ".status.conditions[?(@.type==\"Healthy\")].status"),
    printcolumn(name = "Health reason", type_ = "string", json_path = ".status.conditions[?(@.type==\"Healthy\")].reason"),
    printcolumn(name = "Since", type_ = "date", json_path = ".status.conditions[?(@.type==\"Updating\")].lastTransitionTime"),
    printcolumn(name = "Message", type_ = "string", json_path = ".status.conditions[?(@.type==\"Updating\")].message", priority = 1),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct ClusterOperatorProgressInsightSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "MachineConfigPoolProgressInsight",
    status = "MachineConfigPoolInsight",
    derive = "PartialEq",
    shortname = "mcppi",
    category = "update",
    doc = "The progress of a pool of nodes. It has the name of the MachineConfigPool.",
    validation = Rule::new("!has(self.status) || self.status.name == self.metadata.name").message("status.name is the name of the object"),
    selectable = ".status.scopeType",
    selectable = ".status.assessment",
    printcolumn(name = "Scope", type_ = "string", json_path = ".status.scopeType"),
    printcolumn(name = "Assessment", type_ = "string", json_path = ".status.assessment"),
    printcolumn(name = "Completion", type_ = "integer", json_path = ".status.completionPercent"),
    printcolumn(name = "Total", type_ = "integer", json_path = ".status.summaries[?(@.type==\"Total\")].count"),
    printcolumn(name = "Outdated", type_ = "integer", json_path = ".status.summaries[?(@.type==\"Outdated\")].count"),
    printcolumn(name = "Draining", type_ = "integer", json_path = ".status.summaries[?(@.type==\"Draining\")].count"),
    printcolumn(name = "Degraded", type_ = "integer", json_path = ".status.summaries[?(@.type==\"Degraded\")].count"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct MachineConfigPoolProgressInsightSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "NodeProgressInsight",
    status = "NodeInsight",
    derive = "PartialEq",
    shortname = "npi",
    category = "update",
    doc = "The progress of a node. It has the name of the Node.",
    validation = Rule::new("!has(self.status) || self.status.name == self.metadata.name").message("status.name is the name of the object"),
    selectable = ".status.poolResource.name",
    selectable = ".status.phase",
    selectable = ".status.assessment",
    printcolumn(name = "Pool", type_ = "string", json_path = ".status.poolResource.name"),
    printcolumn(name = "Phase", type_ = "string", json_path = ".status.phase"),
    printcolumn(name = "Available", type_ = "string", json_path = ".status.conditions[?(@.type==\"Available\")].status"),
    printcolumn(name = "Degraded", type_ = "string", json_path = ".status.conditions[?(@.type==\"Degraded\")].status"),
    printcolumn(name = "Version", type_ = "string", json_path = ".status.version"),
    printcolumn(name = "Since", type_ = "date", json_path = ".status.conditions[?(@.type==\"Updating\")].lastTransitionTime"),
    printcolumn(name = "Message", type_ = "string", json_path = ".status.message"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct NodeProgressInsightSpec {}

/// Nothing can be asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[kube(
    group = "update.openshift.io",
    version = "v1alpha1",
    kind = "HealthInsight",
    status = "Health",
    derive = "PartialEq",
    shortname = "hi",
    category = "update",
    doc = "A finding about the health of the update. It has the name of its identity, made of the rule and the objects it speaks of.",
    selectable = ".status.impact.level",
    selectable = ".status.impact.type",
    selectable = ".status.scope.type",
    selectable = ".status.ruleID",
    printcolumn(name = "Level", type_ = "string", json_path = ".status.impact.level"),
    printcolumn(name = "Impact", type_ = "string", json_path = ".status.impact.type"),
    printcolumn(name = "Since", type_ = "date", json_path = ".status.startedAt"),
    printcolumn(
        name = "Count",
        type_ = "integer",
        json_path = ".status.occurrences",
        description = "How often it has come"
    ),
    printcolumn(name = "Summary", type_ = "string", json_path = ".status.impact.summary"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct HealthInsightSpec {}
