//! Which kinds an inventory is made of.

use headway_api::cluster_api::{CONTROL_PLANE_GROUP, GROUP, RUNTIME_GROUP};
use headway_api::hypershift;
use headway_core::preview::{Seen, SeenOfWorkload};

/// The kinds that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Cluster,
    ClusterClass,
    HostedCluster,
    HostedControlPlane,
    ControlPlaneComponent,
    NodePool,
    /// Of any provider: `KubeadmControlPlane` and others whose kind ends so.
    ControlPlane,
    MachineDeployment,
    MachinePool,
    Machine,
    MachineSet,
    MachineHealthCheck,
    ExtensionConfig,
    Namespace,
    PodDisruptionBudget,
    Node,
    Pod,
    ClusterVersion,
    ClusterOperator,
}

/// What an object's `apiVersion` and `kind` say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recognized {
    /// A kind that is read, in a version that is known.
    Known(Kind),
    /// A kind that is read, in a version that is not known: its fields may be elsewhere.
    OtherVersion(Kind),
    /// Something else.
    Other,
}

/// Which clusters' objects of a kind are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Those of the management cluster.
    Management,
    /// Those of the clusters that it keeps.
    Workload,
    /// Those of either.
    Both,
}

impl Kind {
    const ALL: [Self; 19] = [
        Self::Cluster,
        Self::ClusterClass,
        // Before those of other providers, since its kind ends as theirs do.
        Self::HostedControlPlane,
        Self::HostedCluster,
        Self::ControlPlaneComponent,
        Self::NodePool,
        Self::ControlPlane,
        Self::MachineDeployment,
        Self::MachinePool,
        Self::Machine,
        Self::MachineSet,
        Self::MachineHealthCheck,
        Self::ExtensionConfig,
        Self::Namespace,
        Self::PodDisruptionBudget,
        Self::Node,
        Self::Pod,
        Self::ClusterVersion,
        Self::ClusterOperator,
    ];

    /// The kind's name; that of a control plane is the object's own.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cluster => "Cluster",
            Self::ClusterClass => "ClusterClass",
            Self::HostedCluster => "HostedCluster",
            Self::HostedControlPlane => "HostedControlPlane",
            Self::ControlPlaneComponent => "ControlPlaneComponent",
            Self::NodePool => "NodePool",
            Self::ControlPlane => "ControlPlane",
            Self::MachineDeployment => "MachineDeployment",
            Self::MachinePool => "MachinePool",
            Self::Machine => "Machine",
            Self::MachineSet => "MachineSet",
            Self::MachineHealthCheck => "MachineHealthCheck",
            Self::ExtensionConfig => "ExtensionConfig",
            Self::Namespace => "Namespace",
            Self::PodDisruptionBudget => "PodDisruptionBudget",
            Self::Node => "Node",
            Self::Pod => "Pod",
            Self::ClusterVersion => "ClusterVersion",
            Self::ClusterOperator => "ClusterOperator",
        }
    }

    fn api(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Cluster
            | Self::ClusterClass
            | Self::MachineDeployment
            | Self::MachinePool
            | Self::Machine
            | Self::MachineSet
            | Self::MachineHealthCheck => (GROUP, &["v1beta1", "v1beta2"]),
            // What is read of them has the same place in both.
            Self::HostedCluster | Self::HostedControlPlane | Self::ControlPlaneComponent | Self::NodePool => {
                (hypershift::GROUP, &["v1beta1", "v1alpha1"])
            }
            // Providers count their versions for themselves, and keep to the contract.
            Self::ControlPlane => (CONTROL_PLANE_GROUP, &[]),
            Self::ExtensionConfig => (RUNTIME_GROUP, &["v1alpha1", "v1beta2"]),
            Self::Namespace | Self::Node | Self::Pod => ("", &["v1"]),
            Self::ClusterVersion | Self::ClusterOperator => ("config.openshift.io", &["v1"]),
            Self::PodDisruptionBudget => ("policy", &["v1"]),
        }
    }

    /// Whether a kind of an object is this one.
    fn is_named(self, name: &str) -> bool {
        match self {
            Self::ControlPlane => name.ends_with("ControlPlane"),
            other => other.name() == name,
        }
    }

    /// Notes that the source would hold objects of the kind if there were any.
    pub(super) fn note(self, seen: &mut Seen) {
        match self {
            Self::MachineDeployment => seen.machine_deployments = true,
            Self::MachinePool => seen.machine_pools = true,
            Self::Machine => seen.machines = true,
            Self::MachineSet => seen.machine_sets = true,
            Self::HostedControlPlane => seen.hosted_control_planes = true,
            Self::ControlPlaneComponent => seen.components = true,
            Self::NodePool => seen.node_pools = true,
            Self::ExtensionConfig => seen.extensions = true,
            Self::PodDisruptionBudget => seen.budgets = true,
            Self::Cluster
            | Self::ClusterClass
            | Self::HostedCluster
            | Self::ControlPlane
            | Self::MachineHealthCheck
            | Self::Namespace
            | Self::Node
            | Self::Pod
            | Self::ClusterVersion
            | Self::ClusterOperator => {}
        }
    }

    /// The same of a cluster that a management cluster keeps.
    pub(super) fn note_of_workload(self, seen: &mut SeenOfWorkload) {
        match self {
            Self::Node => seen.nodes = true,
            Self::Pod => seen.pods = true,
            Self::PodDisruptionBudget => seen.budgets = true,
            Self::ClusterOperator => seen.operators = true,
            Self::Cluster
            | Self::ClusterClass
            | Self::ControlPlane
            | Self::MachineDeployment
            | Self::MachinePool
            | Self::Machine
            | Self::MachineSet
            | Self::MachineHealthCheck
            | Self::HostedCluster
            | Self::HostedControlPlane
            | Self::ControlPlaneComponent
            | Self::NodePool
            | Self::ExtensionConfig
            | Self::Namespace
            | Self::ClusterVersion => {}
        }
    }

    /// Whose objects of the kind are: of the management cluster, of the clusters that it keeps, or of both, since a plan
    /// reads budgets wherever they are.
    pub(super) fn side(self) -> Side {
        match self {
            Self::Cluster
            | Self::ClusterClass
            | Self::ControlPlane
            | Self::MachineDeployment
            | Self::MachinePool
            | Self::Machine
            | Self::MachineSet
            | Self::MachineHealthCheck
            | Self::HostedCluster
            | Self::HostedControlPlane
            | Self::ControlPlaneComponent
            | Self::NodePool
            | Self::ExtensionConfig
            | Self::Namespace => Side::Management,
            Self::Node | Self::Pod | Self::ClusterVersion | Self::ClusterOperator => Side::Workload,
            Self::PodDisruptionBudget => Side::Both,
        }
    }
}

/// Recognizes a kind.
pub(super) fn recognize(api_version: Option<&str>, name: &str) -> Recognized {
    let api_version = api_version.unwrap_or_default();
    let (group, version) = api_version.rsplit_once('/').unwrap_or(("", api_version));
    let fits = |kind: &Kind| kind.is_named(name) && (kind.api().0 == group || api_version.is_empty());
    let Some(kind) = Kind::ALL.into_iter().find(fits) else { return Recognized::Other };
    let versions = kind.api().1;
    if !api_version.is_empty() && (versions.is_empty() || versions.contains(&version)) {
        Recognized::Known(kind)
    } else {
        Recognized::OtherVersion(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognized_by_group_and_name() {
        let check = |api_version: &str, kind: &str, expect: Recognized| {
            assert_eq!(recognize(Some(api_version), kind), expect, "{api_version} {kind}");
        };
        check("cluster.x-k8s.io/v1beta2", "Cluster", Recognized::Known(Kind::Cluster));
        check("cluster.x-k8s.io/v1beta1", "MachinePool", Recognized::Known(Kind::MachinePool));
        check("cluster.x-k8s.io/v1alpha4", "Cluster", Recognized::OtherVersion(Kind::Cluster));
        check("", "Cluster", Recognized::OtherVersion(Kind::Cluster));
        check("provisioning.cattle.io/v1", "Cluster", Recognized::Other);
        check("controlplane.cluster.x-k8s.io/v1beta1", "RKE2ControlPlane", Recognized::Known(Kind::ControlPlane));
        check("controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlaneTemplate", Recognized::Other);
        check("runtime.cluster.x-k8s.io/v1alpha1", "ExtensionConfig", Recognized::Known(Kind::ExtensionConfig));
        check("v1", "Namespace", Recognized::Known(Kind::Namespace));
        check("policy/v1beta1", "PodDisruptionBudget", Recognized::OtherVersion(Kind::PodDisruptionBudget));
        check("hypershift.openshift.io/v1beta1", "HostedControlPlane", Recognized::Known(Kind::HostedControlPlane));
        check("hypershift.openshift.io/v1alpha1", "NodePool", Recognized::Known(Kind::NodePool));
        check("hypershift.openshift.io/v1", "HostedCluster", Recognized::OtherVersion(Kind::HostedCluster));
        check("v1", "Node", Recognized::Known(Kind::Node));
        check("config.openshift.io/v1", "ClusterVersion", Recognized::Known(Kind::ClusterVersion));
        check("v1", "Secret", Recognized::Other);
    }
}
