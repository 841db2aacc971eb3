//! The slice of Kubernetes' Node.

use jiff::Timestamp;
use serde::Deserialize;

use crate::meta::{Condition, Labels, null_as_default, time};

/// `Node` (v1), with what the machine config daemon writes on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Node {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: NodeMeta,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: NodeSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: NodeStatus,
}

/// The part of a node's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodeMeta {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.labels`, which decide the node's pool.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: Labels,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: NodeAnnotations,
}

/// The annotations `machineconfiguration.openshift.io/…` of a node. Absent and empty are told apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodeAnnotations {
    /// The configuration that the node has.
    #[serde(rename = "machineconfiguration.openshift.io/currentConfig")]
    pub current_config: Option<String>,
    /// The configuration that the node should get.
    #[serde(rename = "machineconfiguration.openshift.io/desiredConfig")]
    pub desired_config: Option<String>,
    /// `Done`, `Working`, `Rebooting`, `Degraded` or `Unreconcilable`.
    #[serde(rename = "machineconfiguration.openshift.io/state")]
    pub state: Option<String>,
    /// Why the node is degraded; may be kilobytes over many lines.
    #[serde(rename = "machineconfiguration.openshift.io/reason")]
    pub reason: Option<String>,
    /// `drain-CONFIG` or `uncordon-CONFIG`: what the daemon asks of the controller.
    #[serde(rename = "machineconfiguration.openshift.io/desiredDrain")]
    pub desired_drain: Option<String>,
    /// The last drain request that the controller has carried out.
    #[serde(rename = "machineconfiguration.openshift.io/lastAppliedDrain")]
    pub last_applied_drain: Option<String>,
    /// The operating system image that the node runs, in image mode.
    #[serde(rename = "machineconfiguration.openshift.io/currentImage")]
    pub current_image: Option<String>,
    /// The operating system image that the node should get, in image mode.
    #[serde(rename = "machineconfiguration.openshift.io/desiredImage")]
    pub desired_image: Option<String>,
}

impl NodeAnnotations {
    /// Whether the machine config daemon has ever written on the node.
    #[must_use]
    pub fn of_daemon(&self) -> bool {
        self.current_config.is_some() || self.desired_config.is_some() || self.state.is_some()
    }
}

/// The part of a node's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodeSpec {
    /// Whether the node is cordoned.
    #[serde(deserialize_with = "null_as_default")]
    pub unschedulable: bool,
    /// `spec.taints`; the unschedulable taint may say since when the node is cordoned.
    #[serde(deserialize_with = "null_as_default")]
    pub taints: Vec<Taint>,
}

/// A taint of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Taint {
    /// The taint's key.
    #[serde(deserialize_with = "null_as_default")]
    pub key: String,
    /// When it was put on, where the control plane says so.
    #[serde(deserialize_with = "time")]
    pub time_added: Option<Timestamp>,
}

/// The part of a node's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NodeStatus {
    /// `status.conditions`. Heartbeats are not read: they say nothing about a change.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}
