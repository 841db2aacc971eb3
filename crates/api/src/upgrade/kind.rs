//! The kind itself: names, columns, and what may not be written.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::spec::{Approval, Driver, Gates, PlanFrom, Raise, Stage};
use super::status::ClusterUpgradeStatus;
use crate::update::word::Word;

/// What is asked of one cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, CustomResource)]
#[serde(rename_all = "camelCase")]
#[kube(
    group = "headway.dev",
    version = "v1alpha1",
    kind = "ClusterUpgrade",
    plural = "clusterupgrades",
    namespaced,
    status = "ClusterUpgradeStatus",
    derive = "PartialEq",
    shortname = "cu",
    category = "update",
    doc = "Takes a cluster of Cluster API along a chain of versions: hooks in strict order, workers only where version skew asks for it, nothing new while a gate is closed. It is in the namespace of its Cluster.",
    validation = Rule::new("self.spec.clusterName == oldSelf.spec.clusterName").message("spec.clusterName cannot be changed: make another ClusterUpgrade"),
    selectable = ".spec.clusterName",
    printcolumn(name = "Cluster", type_ = "string", json_path = ".spec.clusterName", description = "The Cluster"),
    printcolumn(name = "Mode", type_ = "string", json_path = ".status.mode", description = "Who writes the versions", priority = 1),
    printcolumn(name = "At", type_ = "string", json_path = ".status.controlPlane.version", description = "The version of the control plane"),
    printcolumn(name = "To", type_ = "string", json_path = ".spec.version", description = "The version that is asked for"),
    printcolumn(name = "Step", type_ = "string", json_path = ".status.step.name", description = "The step that is under way"),
    printcolumn(name = "Left", type_ = "integer", json_path = ".status.plan.left", description = "How many steps of the control plane are left"),
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status", description = "Whether everything runs what is asked for"),
    printcolumn(name = "Reason", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].reason", description = "Why, in a word"),
    printcolumn(name = "Waiting on", type_ = "string", json_path = ".status.waitingOn[0].message", description = "What is waited for first"),
    printcolumn(name = "Since", type_ = "date", json_path = ".status.waitingOn[0].since", description = "Since when"),
    printcolumn(name = "Opens", type_ = "string", json_path = ".status.waitingOn[0].opens", priority = 1, description = "What would open it"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp")
)]
pub struct ClusterUpgradeSpec {
    /// The Cluster, in the same namespace. It cannot be changed.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub cluster_name: String,
    /// The version that everything is to run in the end, such as `v1.33.1`. It may be any number of minor versions ahead.
    /// Where Cluster API keeps the version in `Cluster.spec.topology.version` and nobody but it drives, it may be left
    /// out: then only the gates count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::VERSION))]
    pub version: String,
    /// Who names the versions on the way. Left out, the ClusterClass of the Cluster does where it has one, and else one
    /// minor version may be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanFrom>,
    /// What must hold before something new begins. What runs is never held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<Gates>,
    /// Groups of workers that move before others, in this order. Those in no stage move last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::GROUPS), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["name"]))]
    pub stages: Vec<Stage>,
    /// How many MachineDeployments, and how many MachinePools, may be on their way at once. Left out, the annotation
    /// `topology.cluster.x-k8s.io/upgrade-concurrency` of the Cluster says it, and else it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub concurrency: Option<u32>,
    /// Begin nothing, and ask nobody, until this is taken back. What runs goes on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paused: bool,
    /// Finish the step that is under way, workers included, and stay there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
    /// Who said yes to what. Only who may `approve` this object can change it, and `by` is who does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::APPROVALS), extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["step"]))]
    pub approvals: Vec<Approval>,
    /// Where Cluster API drives: how far its target is raised at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raise: Option<Word<Raise>>,
    /// Who walks it: the operator, unless somebody does from a terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<Word<Driver>>,
}
