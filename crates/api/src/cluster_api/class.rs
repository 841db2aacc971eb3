//! `ClusterClass` (cluster.x-k8s.io): which versions its clusters may have, and who plans their upgrades.

use serde::Deserialize;

use super::Metadata;
use crate::meta::null_as_default;

/// `ClusterClass`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ClusterClass {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ClusterClassSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ClusterClassStatus,
}

/// The part of a ClusterClass's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterClassSpec {
    /// `spec.kubernetesVersions`, old to new.
    #[serde(deserialize_with = "null_as_default")]
    pub kubernetes_versions: Vec<String>,
    /// `spec.upgrade`.
    #[serde(deserialize_with = "null_as_default")]
    pub upgrade: Upgrade,
}

/// `spec.upgrade`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Upgrade {
    /// `external`.
    #[serde(deserialize_with = "null_as_default")]
    pub external: ExternalUpgrade,
}

/// `spec.upgrade.external`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ExternalUpgrade {
    /// The full name of the handler that plans upgrades; empty for none.
    #[serde(deserialize_with = "null_as_default")]
    pub generate_upgrade_plan_extension: String,
}

/// The part of a ClusterClass's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClusterClassStatus {
    /// `status.observedGeneration`.
    pub observed_generation: Option<i64>,
}

impl ClusterClass {
    /// The full name of the handler that plans upgrades.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        Some(self.spec.upgrade.external.generate_upgrade_plan_extension.as_str()).filter(|name| !name.is_empty())
    }
}
