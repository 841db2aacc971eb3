//! Slices of OpenShift's `machineconfiguration.openshift.io` kinds.

use serde::Deserialize;

use crate::meta::{Condition, Identity, LabelSelector, Labels, null_as_default};

/// `MachineConfigPool`: a set of nodes that share a rendered configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigPool {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: MachineConfigPoolMeta,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineConfigPoolSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: MachineConfigPoolStatus,
}

/// The part of a pool's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigPoolMeta {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.labels`; `machineconfiguration.openshift.io/layering-enabled` marks a layered pool.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: Labels,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: MachineConfigPoolAnnotations,
}

/// The annotations of a pool that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigPoolAnnotations {
    /// The newest image of a layered pool.
    #[serde(rename = "machineconfiguration.openshift.io/newestImageEquivalentConfig")]
    pub newest_image: Option<String>,
}

/// The part of a pool's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineConfigPoolSpec {
    /// Whether all changes to the pool's nodes are stopped.
    #[serde(deserialize_with = "null_as_default")]
    pub paused: bool,
    /// Which nodes belong to the pool; absent selects none.
    pub node_selector: Option<LabelSelector>,
    /// The rendered configuration that the nodes should have.
    #[serde(deserialize_with = "null_as_default")]
    pub configuration: NameRef,
}

/// The part of a pool's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineConfigPoolStatus {
    /// `status.conditions`: `Updating`, `Degraded`, `RenderDegraded`, `ImageBuildDegraded` and others.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
    /// Nodes of the pool, as the machine config controller counts them.
    pub machine_count: Option<i64>,
    /// Nodes that have the pool's configuration, by the same count.
    pub updated_machine_count: Option<i64>,
}

/// A reference by name only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NameRef {
    /// The name of what is referred to.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
}

/// `MachineConfig`, of which only the name and the release are read: the rest weighs up to megabytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfig {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: MachineConfigMeta,
}

/// The part of a MachineConfig's metadata that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigMeta {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: MachineConfigAnnotations,
}

/// The annotations of a MachineConfig that are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigAnnotations {
    /// The OpenShift version that the rendered configuration belongs to.
    #[serde(rename = "machineconfiguration.openshift.io/release-image-version")]
    pub release_version: Option<String>,
}

/// `MachineConfigNode`: how far one node is with its configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineConfigNode {
    /// `metadata`; the name is the node's.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ConditionsOnly,
}

/// A status of which only the conditions are read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ConditionsOnly {
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

/// `MachineOSConfig`: asks that a pool's operating system image be built in the cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineOsConfig {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineOsConfigSpec,
}

/// The part of a MachineOSConfig's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineOsConfigSpec {
    /// The pool that the image is for.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_config_pool: NameRef,
}

/// `MachineOSBuild`: one build of a pool's operating system image.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineOsBuild {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Identity,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: MachineOsBuildSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: ConditionsOnly,
}

/// The part of a MachineOSBuild's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct MachineOsBuildSpec {
    /// The MachineOSConfig that asked for the build.
    #[serde(rename = "machineOSConfig", deserialize_with = "null_as_default")]
    pub machine_os_config: NameRef,
    /// The rendered configuration that the build is for.
    #[serde(rename = "machineConfig", alias = "desiredConfig", deserialize_with = "null_as_default")]
    pub machine_config: NameRef,
}
