//! Which objects say something about an update: kinds by their API group and name.

use std::borrow::Cow;

use headway_api::cluster_api;

/// The kinds that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    ClusterVersion,
    ClusterOperator,
    MachineConfigPool,
    MachineConfig,
    MachineConfigNode,
    MachineOsConfig,
    MachineOsBuild,
    Node,
    Deployment,
    Pod,
    PodDisruptionBudget,
}

impl Kind {
    /// All kinds.
    const ALL: [Self; 11] = [
        Self::ClusterVersion,
        Self::ClusterOperator,
        Self::MachineConfigPool,
        Self::MachineConfig,
        Self::MachineConfigNode,
        Self::MachineOsConfig,
        Self::MachineOsBuild,
        Self::Node,
        Self::Deployment,
        Self::Pod,
        Self::PodDisruptionBudget,
    ];

    /// The kind's name, as in `kind:`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ClusterVersion => "ClusterVersion",
            Self::ClusterOperator => "ClusterOperator",
            Self::MachineConfigPool => "MachineConfigPool",
            Self::MachineConfig => "MachineConfig",
            Self::MachineConfigNode => "MachineConfigNode",
            Self::MachineOsConfig => "MachineOSConfig",
            Self::MachineOsBuild => "MachineOSBuild",
            Self::Node => "Node",
            Self::Deployment => "Deployment",
            Self::Pod => "Pod",
            Self::PodDisruptionBudget => "PodDisruptionBudget",
        }
    }

    /// The API group; empty for Kubernetes' first kinds.
    pub(super) fn group(self) -> &'static str {
        self.api().0
    }

    /// The versions whose fields are known to be where we look for them, the best first.
    pub(super) fn versions(self) -> &'static [&'static str] {
        self.api().1
    }

    fn api(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::ClusterVersion | Self::ClusterOperator => ("config.openshift.io", &["v1"]),
            Self::MachineConfigPool | Self::MachineConfig => ("machineconfiguration.openshift.io", &["v1"]),
            Self::MachineConfigNode | Self::MachineOsConfig | Self::MachineOsBuild => {
                ("machineconfiguration.openshift.io", &["v1", "v1alpha1"])
            }
            Self::Node | Self::Pod => ("", &["v1"]),
            Self::Deployment => ("apps", &["v1"]),
            Self::PodDisruptionBudget => ("policy", &["v1"]),
        }
    }

    /// The kind's name in paths of the API, and of its folder in a must-gather.
    pub(super) fn plural(self) -> String {
        format!("{}s", self.name().to_lowercase())
    }

    /// The API group's folder in a must-gather.
    pub(super) fn group_folder(self) -> &'static str {
        match self.api().0 {
            "" => "core",
            group => group,
        }
    }

    /// The kind as the API's rules for access have it: `nodes`, `clusterversions.config.openshift.io`.
    pub(super) fn resource(self) -> String {
        match self.group() {
            "" => self.plural(),
            group => format!("{}.{group}", self.plural()),
        }
    }

    /// Kinds that are read of every cluster; the others depend on what these say.
    pub(super) fn of_cluster() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| !matches!(kind, Self::Pod | Self::PodDisruptionBudget))
    }

    /// Cluster-scoped kinds.
    pub(super) fn cluster_scoped() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|kind| !matches!(kind, Self::Deployment | Self::Pod | Self::PodDisruptionBudget))
    }
}

/// What an object's `apiVersion` and `kind` say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Recognized {
    /// A kind that is read, in a version that is known.
    Known(Kind),
    /// A kind that is read, in a version that is not known: its fields may be elsewhere.
    OtherVersion(Kind),
    /// A kind that says nothing about an update.
    Other,
    /// Neither an apiVersion nor a kind.
    Unnamed,
}

/// Recognizes a kind.
pub(super) fn recognize(api_version: Option<&Cow<'_, str>>, kind: Option<&Cow<'_, str>>) -> Recognized {
    let Some(name) = kind else {
        return Recognized::Unnamed;
    };
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == name.as_ref()) else {
        return Recognized::Other;
    };
    let (group, versions) = kind.api();
    let api_version = api_version.map_or("", AsRef::as_ref);
    let (own_group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    if own_group != group && !api_version.is_empty() {
        // Another product's kind of the same name.
        Recognized::Other
    } else if versions.contains(&version) {
        Recognized::Known(kind)
    } else {
        Recognized::OtherVersion(kind)
    }
}

/// Whether an object belongs to the clusters that a management cluster keeps. What says how these do is read by
/// [`inventory`](super::inventory); who reads the cluster's own objects only notices that there are some.
pub(super) fn is_of_kept_cluster(api_version: Option<&Cow<'_, str>>, kind: Option<&Cow<'_, str>>) -> bool {
    let group = api_version.and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
    let kind = kind.map_or("", AsRef::as_ref);
    match group {
        cluster_api::GROUP => matches!(kind, "Cluster" | "MachineDeployment" | "MachinePool" | "Machine"),
        cluster_api::CONTROL_PLANE_GROUP => kind.ends_with("ControlPlane"),
        HYPERSHIFT => matches!(kind, "HostedCluster" | "NodePool"),
        _ => false,
    }
}

/// The groups of such objects, which a must-gather has folders of.
pub(super) const GROUPS_OF_KEPT_CLUSTERS: [&str; 2] = [cluster_api::GROUP, HYPERSHIFT];

const HYPERSHIFT: &str = "hypershift.openshift.io";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_kept_clusters_are_noticed() {
        let check = |api_version: &str, kind: &str, expect: bool| {
            let some = |text: &str| (!text.is_empty()).then(|| Cow::Owned(text.to_owned()));
            assert_eq!(
                is_of_kept_cluster(some(api_version).as_ref(), some(kind).as_ref()),
                expect,
                "{api_version} {kind}"
            );
        };
        check("cluster.x-k8s.io/v1beta1", "Cluster", true);
        check("cluster.x-k8s.io/v1beta2", "Machine", true);
        check("cluster.x-k8s.io/v1beta2", "ClusterClass", false);
        check("controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlane", true);
        check("controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlaneTemplate", false);
        check("hypershift.openshift.io/v1beta1", "HostedCluster", true);
        check("machine.openshift.io/v1beta1", "Machine", false);
        check("", "Cluster", false);
        check("", "", false);
    }

    #[test]
    fn kinds_are_recognized_by_group_and_name() {
        let check = |api_version: &str, kind: &str, expect: Recognized| {
            let some = |text: &str| (!text.is_empty()).then(|| Cow::Owned(text.to_owned()));
            let found = recognize(some(api_version).as_ref(), some(kind).as_ref());
            assert_eq!(found, expect, "{api_version} {kind}");
        };
        check("v1", "Node", Recognized::Known(Kind::Node));
        check("config.openshift.io/v1", "ClusterVersion", Recognized::Known(Kind::ClusterVersion));
        check("config.openshift.io/v2", "ClusterVersion", Recognized::OtherVersion(Kind::ClusterVersion));
        check("policy/v1beta1", "PodDisruptionBudget", Recognized::OtherVersion(Kind::PodDisruptionBudget));
        check("example.com/v1", "Node", Recognized::Other);
        check("v1", "Secret", Recognized::Other);
        check("", "Node", Recognized::OtherVersion(Kind::Node));
        check("", "", Recognized::Unnamed);
        check("v1", "", Recognized::Unnamed);
    }

    #[test]
    fn must_gather_folders_are_group_and_plural() {
        assert_eq!(Kind::MachineOsBuild.plural(), "machineosbuilds");
        assert_eq!(Kind::Node.group_folder(), "core");
        assert_eq!(Kind::cluster_scoped().count(), 8);
    }
}
