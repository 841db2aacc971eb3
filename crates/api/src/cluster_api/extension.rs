//! `ExtensionConfig` (runtime.cluster.x-k8s.io): which hooks an extension answers, and for which namespaces.

use serde::Deserialize;

use super::{Metadata, NewerConditions, condition};
use crate::meta::{Condition, Identity, LabelSelector, null_as_default};

/// `ExtensionConfig`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ExtensionConfig {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: ExtensionConfigSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ExtensionConfigStatus,
}

/// The part of an ExtensionConfig's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ExtensionConfigSpec {
    /// Labels of the namespaces whose clusters it is asked about; absent for all.
    pub namespace_selector: Option<LabelSelector>,
}

/// The part of an ExtensionConfig's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ExtensionConfigStatus {
    /// What it answers, as it was discovered last.
    #[serde(deserialize_with = "null_as_default")]
    pub handlers: Vec<ExtensionHandler>,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// `status.v1beta2`, in objects of older versions.
    #[serde(deserialize_with = "null_as_default")]
    pub v1beta2: NewerConditions,
}

/// One handler of an extension.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ExtensionHandler {
    /// Its full name, `HANDLER.EXTENSIONCONFIG`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// Which hook it answers.
    #[serde(deserialize_with = "null_as_default")]
    pub request_hook: RequestHook,
    /// How long it is waited for.
    pub timeout_seconds: Option<u64>,
    /// `Fail` or `Ignore`: what becomes of a call that fails.
    #[serde(deserialize_with = "null_as_default")]
    pub failure_policy: String,
}

/// Which hook a handler answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct RequestHook {
    /// The hook's name, such as `BeforeClusterUpgrade`.
    #[serde(deserialize_with = "null_as_default")]
    pub hook: String,
}

/// `Namespace` (v1), whose labels selectors speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Namespace {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
}

impl ExtensionConfigStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        condition(&self.v1beta2, &self.conditions, kind)
    }
}
