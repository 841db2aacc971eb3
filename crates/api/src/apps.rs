//! Slices of Kubernetes' workload kinds: Deployment, Pod, PodDisruptionBudget.

use std::fmt;

use jiff::Timestamp;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use crate::meta::{Condition, Identity, LabelSelector, Labels, OwnerReference, null_as_default, time};

/// `Deployment` (apps/v1), of which only the containers' images are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Deployment {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: DeploymentSpec,
}

impl Deployment {
    /// The image of the first container of a name.
    #[must_use]
    pub fn image_of(&self, container: &str) -> Option<&str> {
        let containers = &self.spec.template.spec.containers;
        containers.iter().find(|c| c.name == container).map(|c| c.image.as_str())
    }
}

/// The part of a Deployment's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct DeploymentSpec {
    /// `spec.template`.
    #[serde(deserialize_with = "null_as_default")]
    pub template: PodTemplate,
}

/// The part of a pod template that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodTemplate {
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: PodTemplateSpec,
}

/// The part of a pod template's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodTemplateSpec {
    /// `containers`.
    #[serde(deserialize_with = "null_as_default")]
    pub containers: Vec<Container>,
}

/// The part of a container that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Container {
    /// The container's name.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// The container's image.
    #[serde(deserialize_with = "null_as_default")]
    pub image: String,
}

/// `Pod` (v1): what may hold up a drain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Pod {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: PodMeta,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: PodSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: PodStatus,
}

/// The part of a pod's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PodMeta {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.namespace`.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
    /// `metadata.labels`.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: Labels,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: PodAnnotations,
    /// `metadata.ownerReferences`.
    #[serde(deserialize_with = "null_as_default")]
    pub owner_references: Vec<OwnerReference>,
    /// `metadata.deletionTimestamp`: set while the pod is going away.
    #[serde(deserialize_with = "time")]
    pub deletion_timestamp: Option<Timestamp>,
}

/// The annotations of a pod that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodAnnotations {
    /// Set on the mirror of a static pod, which no drain evicts.
    #[serde(rename = "kubernetes.io/config.mirror")]
    pub mirror: Option<String>,
}

/// The part of a pod's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PodSpec {
    /// The node that the pod runs on, empty while it waits for one.
    #[serde(deserialize_with = "null_as_default")]
    pub node_name: String,
}

/// The part of a pod's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodStatus {
    /// `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`.
    #[serde(deserialize_with = "null_as_default")]
    pub phase: String,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

/// `PodDisruptionBudget` (policy/v1).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PodDisruptionBudget {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: PodDisruptionBudgetSpec,
    /// `status`; absent until the disruption controller has looked at the budget.
    pub status: Option<PodDisruptionBudgetStatus>,
}

/// The part of a budget's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PodDisruptionBudgetSpec {
    /// Which pods of its namespace the budget covers: absent covers none, empty covers all (policy/v1).
    pub selector: Option<LabelSelector>,
    /// How many pods must stay.
    pub min_available: Option<IntOrString>,
    /// How many pods may go.
    pub max_unavailable: Option<IntOrString>,
    /// `IfHealthyBudget` (the default) or `AlwaysAllow`: whether pods that are not ready may go in any case.
    #[serde(deserialize_with = "null_as_default")]
    pub unhealthy_pod_eviction_policy: String,
}

/// The part of a budget's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct PodDisruptionBudgetStatus {
    /// How many evictions are allowed now.
    #[serde(deserialize_with = "null_as_default")]
    pub disruptions_allowed: i64,
    /// How many covered pods are ready.
    #[serde(deserialize_with = "null_as_default")]
    pub current_healthy: i64,
    /// How many must be.
    #[serde(deserialize_with = "null_as_default")]
    pub desired_healthy: i64,
    /// How many pods the budget covers.
    #[serde(deserialize_with = "null_as_default")]
    pub expected_pods: i64,
}

/// A whole number or a percentage, as in `minAvailable`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntOrString(pub String);

impl<'de> Deserialize<'de> for IntOrString {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EitherVisitor;
        impl Visitor<'_> for EitherVisitor {
            type Value = IntOrString;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a percentage")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<IntOrString, E> {
                Ok(IntOrString(value.to_string()))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<IntOrString, E> {
                Ok(IntOrString(value.to_string()))
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<IntOrString, E> {
                Ok(IntOrString(value.to_string()))
            }
        }
        deserializer.deserialize_any(EitherVisitor)
    }
}
