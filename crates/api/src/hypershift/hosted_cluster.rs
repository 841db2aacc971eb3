//! `HostedCluster` and `HostedControlPlane`: what a hosted cluster is to run, and how its two sides are doing.

use serde::Deserialize;

use crate::cluster_api::Metadata;
use crate::meta::{Condition, null_as_default};
use crate::openshift::{History, Release};

/// `HostedCluster`: what somebody asks for, in a namespace of theirs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct HostedCluster {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: HostedClusterSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: HostedClusterStatus,
}

/// The part of a HostedCluster's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HostedClusterSpec {
    /// `spec.release`: what the cluster is to run.
    #[serde(deserialize_with = "null_as_default")]
    pub release: ReleaseImage,
    /// `spec.controlPlaneRelease`: what the pods on the management cluster are to run, where that differs.
    pub control_plane_release: Option<ReleaseImage>,
    /// `spec.pausedUntil`: `true`, or until when nothing is changed.
    #[serde(deserialize_with = "null_as_default")]
    pub paused_until: String,
    /// `spec.clusterID`: that of the guest's ClusterVersion.
    #[serde(rename = "clusterID", deserialize_with = "null_as_default")]
    pub cluster_id: String,
}

impl HostedClusterSpec {
    /// The image of the release that the management side is to run; empty where none is asked for.
    #[must_use]
    pub fn wanted_image(&self) -> &str {
        let own = self.control_plane_release.as_ref().map(|release| release.image.as_str());
        own.filter(|image| !image.is_empty()).unwrap_or(&self.release.image)
    }
}

/// A release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ReleaseImage {
    /// Its image.
    #[serde(deserialize_with = "null_as_default")]
    pub image: String,
}

/// The part of a HostedCluster's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HostedClusterStatus {
    /// `status.version`: what the guest's cluster version operator says. Absent until it was heard.
    pub version: Option<VersionStatus>,
    /// `status.controlPlaneVersion`: how far the pods on the management cluster are. Since March 2026.
    pub control_plane_version: Option<VersionStatus>,
    /// `status.kubeconfig`: the Secret by which the guest is asked.
    #[serde(deserialize_with = "null_as_default")]
    pub kubeconfig: SecretReference,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

/// A Secret beside the object that refers to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SecretReference {
    /// Its name; empty where there is none yet.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
}

impl HostedClusterStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }
}

/// Where one side of a hosted cluster is to be, and how it got where it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct VersionStatus {
    /// The release that it is going to.
    #[serde(deserialize_with = "null_as_default")]
    pub desired: Release,
    /// Releases that it has gone to, newest first.
    #[serde(deserialize_with = "null_as_default")]
    pub history: Vec<History>,
}

/// `HostedControlPlane`: the control plane of a hosted cluster, in a namespace of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct HostedControlPlane {
    /// `metadata`.
    #[serde(deserialize_with = "null_as_default")]
    pub metadata: Metadata,
    /// `spec`.
    #[serde(deserialize_with = "null_as_default")]
    pub spec: HostedControlPlaneSpec,
    /// `status`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: HostedControlPlaneStatus,
}

/// The part of a HostedControlPlane's spec that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HostedControlPlaneSpec {
    /// `spec.releaseImage`: what it was told to run.
    #[serde(deserialize_with = "null_as_default")]
    pub release_image: String,
    /// `spec.controlPlaneReleaseImage`: the same of the pods on the management cluster, where that differs.
    #[serde(deserialize_with = "null_as_default")]
    pub control_plane_release_image: String,
}

/// The part of a HostedControlPlane's status that is read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HostedControlPlaneStatus {
    /// `status.versionStatus`: what the guest's cluster version operator says.
    pub version_status: Option<VersionStatus>,
    /// `status.controlPlaneVersion`: how far the pods on the management cluster are. Since March 2026.
    pub control_plane_version: Option<VersionStatus>,
    /// `status.conditions`.
    #[serde(deserialize_with = "null_as_default")]
    pub conditions: Vec<Condition>,
}

impl HostedControlPlaneStatus {
    /// The condition of a type.
    #[must_use]
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }
}
