//! `ClusterClass` (cluster.x-k8s.io): which versions its clusters may have, who plans their upgrades, and of which
//! kinds their parts are.

use serde::Deserialize;

use super::{Metadata, group_of};
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
    /// `spec.infrastructure`.
    #[serde(deserialize_with = "null_as_default")]
    pub infrastructure: Templated,
    /// `spec.controlPlane`.
    #[serde(deserialize_with = "null_as_default")]
    pub control_plane: ControlPlaneClass,
    /// `spec.workers`.
    #[serde(deserialize_with = "null_as_default")]
    pub workers: ClassWorkers,
}

/// What refers to a template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Templated {
    /// `templateRef` (v1beta2).
    template_ref: Option<TemplateRef>,
    /// `ref` (v1beta1).
    r#ref: Option<TemplateRef>,
}

/// A reference to a template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TemplateRef {
    /// The group and version of its kind.
    #[serde(deserialize_with = "null_as_default")]
    api_version: String,
    /// Its kind.
    #[serde(deserialize_with = "null_as_default")]
    pub kind: String,
}

/// `spec.controlPlane` of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ControlPlaneClass {
    /// `templateRef` (v1beta2).
    template_ref: Option<TemplateRef>,
    /// `ref` (v1beta1).
    r#ref: Option<TemplateRef>,
    /// `machineInfrastructure`: for control planes that are made of Machines.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_infrastructure: Templated,
}

/// `spec.workers` of a class.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ClassWorkers {
    /// `machineDeployments`.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_deployments: Vec<WorkerClass>,
    /// `machinePools`.
    #[serde(deserialize_with = "null_as_default")]
    pub machine_pools: Vec<WorkerClass>,
}

/// A class of workers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct WorkerClass {
    /// Its name, by which entries of a topology refer to it.
    #[serde(deserialize_with = "null_as_default")]
    pub class: String,
    /// `infrastructure` (v1beta2).
    #[serde(deserialize_with = "null_as_default")]
    infrastructure: Templated,
    /// `template` (v1beta1).
    #[serde(deserialize_with = "null_as_default")]
    template: WorkerTemplate,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct WorkerTemplate {
    #[serde(deserialize_with = "null_as_default")]
    infrastructure: Templated,
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

impl Templated {
    /// The reference.
    #[must_use]
    pub fn reference(&self) -> Option<&TemplateRef> {
        self.template_ref.as_ref().or(self.r#ref.as_ref())
    }
}

impl TemplateRef {
    /// The group of its kind; empty where none is given.
    #[must_use]
    pub fn group(&self) -> &str {
        group_of(&self.api_version)
    }
}

impl ControlPlaneClass {
    /// The reference to the template of control planes.
    #[must_use]
    pub fn reference(&self) -> Option<&TemplateRef> {
        self.template_ref.as_ref().or(self.r#ref.as_ref())
    }
}

impl WorkerClass {
    /// The reference to the template of machines.
    #[must_use]
    pub fn infrastructure(&self) -> Option<&TemplateRef> {
        self.infrastructure.reference().or(self.template.infrastructure.reference())
    }
}
