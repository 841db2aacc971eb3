//! The slice of Kubernetes' Node.

use jiff::Timestamp;
use serde::Deserialize;

use crate::meta::{Condition, ConditionStatus, Labels, null_as_default, time};

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
#[serde(from = "WholeStatus")]
pub struct NodeStatus {
    /// Those of `status.conditions` that may be trouble: one that is as it should be is not kept, as there are many
    /// nodes and most are well. Heartbeats are not read: they say nothing about a change.
    pub conditions: Vec<Condition>,
    /// The newest `lastTransitionTime` of all conditions, those that are not kept included.
    pub newest_transition: Option<Timestamp>,
}

/// A node's status as it is written.
#[derive(Deserialize)]
struct WholeStatus {
    #[serde(default, deserialize_with = "null_as_default")]
    conditions: Vec<Condition>,
}

/// Conditions that a node always has, with the status that they should have.
const AS_IT_SHOULD_BE: [(&str, ConditionStatus); 5] = [
    ("Ready", ConditionStatus::True),
    ("MemoryPressure", ConditionStatus::False),
    ("DiskPressure", ConditionStatus::False),
    ("PIDPressure", ConditionStatus::False),
    ("NetworkUnavailable", ConditionStatus::False),
];

impl From<WholeStatus> for NodeStatus {
    fn from(whole: WholeStatus) -> Self {
        let newest_transition = whole.conditions.iter().filter_map(|condition| condition.last_transition_time).max();
        let mut conditions = whole.conditions;
        conditions.retain(|condition| !AS_IT_SHOULD_BE.contains(&(condition.kind.as_str(), condition.status)));
        conditions.shrink_to_fit();
        Self { conditions, newest_transition }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_are_well_leave_their_time_alone() {
        let status: NodeStatus = serde_json::from_str(
            r#"{"conditions":[
                {"type":"Ready","status":"True","lastTransitionTime":"2026-05-04T08:30:00Z","message":"fine"},
                {"type":"DiskPressure","status":"True","lastTransitionTime":"2026-05-04T08:00:00Z"},
                {"type":"NetworkUnavailable","status":"Unknown"},
                {"type":"Custom","status":"False"}]}"#,
        )
        .unwrap();
        let kept: Vec<&str> = status.conditions.iter().map(|condition| condition.kind.as_str()).collect();
        assert_eq!(kept, ["DiskPressure", "NetworkUnavailable", "Custom"]);
        assert_eq!(status.newest_transition, "2026-05-04T08:30:00Z".parse().ok());
        assert_eq!(serde_json::from_str::<NodeStatus>(r#"{"conditions":null}"#).unwrap(), NodeStatus::default());
    }
}
