//! Slices of the kinds of HyperShift (hypershift.openshift.io): hosted clusters, their control planes with the components
//! of these, and their pools of nodes.
//!
//! Their fields came over years, and whoever is asked may be of any age: what is absent is told as absent, and the
//! methods here say what stands in for it. Conditions of NodePools are not those of Kubernetes: a reason may be any text,
//! and a severity stands beside it, which says nothing that the type does not.

mod component;
mod hosted_cluster;
mod node_pool;

pub use component::{ControlPlaneComponent, ControlPlaneComponentStatus};
pub use hosted_cluster::{
    HostedCluster, HostedClusterSpec, HostedClusterStatus, HostedControlPlane, HostedControlPlaneSpec,
    HostedControlPlaneStatus, ReleaseImage, SecretReference, VersionStatus,
};
pub use node_pool::{
    AutoScaling, InPlace, Management, NodePool, NodePoolSpec, NodePoolStatus, NodeVersion, NodesInfo, Replace,
    RollingUpdate,
};

/// The group of all these kinds.
pub const GROUP: &str = "hypershift.openshift.io";

/// Label of a guest's node, and annotation of Machines and MachineSets as `NAMESPACE/NAME`: the NodePool.
pub const NODE_POOL: &str = "hypershift.openshift.io/nodePool";

/// Annotation of what is made for a hosted cluster, its Cluster among it: the HostedCluster as `NAMESPACE/NAME`.
pub const HOSTED_CLUSTER_ANNOTATION: &str = "hypershift.openshift.io/cluster";

/// Annotation of a Machine: the release that its node is made of.
pub const RELEASE_VERSION_ANNOTATION: &str = "hypershift.openshift.io/release-version";

/// Annotation of a MachineSet whose nodes are changed in place: the configuration that they are to have.
pub const TARGET_CONFIG_ANNOTATION: &str = "hypershift.openshift.io/nodePoolTargetConfigVersion";

/// Annotation of a MachineSet whose nodes are changed in place: the configuration that they have.
pub const CURRENT_CONFIG_ANNOTATION: &str = "hypershift.openshift.io/nodePoolCurrentConfigVersion";

/// Annotation of a MachineSet: how far the change in place is, in words.
pub const IN_PROGRESS_ANNOTATION: &str = "hypershift.openshift.io/nodePoolUpgradeInProgressTrue";

/// Annotation of a MachineSet: why the change in place does not go on, in words.
pub const NOT_IN_PROGRESS_ANNOTATION: &str = "hypershift.openshift.io/nodePoolUpgradeInProgressFalse";

/// The namespace in which the control plane of a hosted cluster is.
#[must_use]
pub fn control_plane_namespace(namespace: &str, name: &str) -> String {
    // A name may have dots; that of a namespace may not.
    format!("{namespace}-{}", name.replace('.', "-"))
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::meta::ConditionStatus;

    fn read<T: DeserializeOwned>(json: &str) -> T {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn conditions_of_a_pool_may_have_any_reason_and_a_severity() {
        let pool: NodePool = read(
            r#"{"status": {"conditions": [
                {"type": "AllNodesHealthy", "status": "False", "severity": "Info", "observedGeneration": 3,
                 "reason": "2 of 3: not-ready/NodeConditionsFailed", "message": "a\nb", "lastTransitionTime": "2026-05-04T07:00:00Z"},
                {"type": "UpdatingVersion", "status": "maybe"}]}}"#,
        );
        let healthy = pool.status.condition("AllNodesHealthy").unwrap();
        assert_eq!((healthy.status, &*healthy.message), (ConditionStatus::False, "a\nb"));
        assert_eq!(healthy.reason, "2 of 3: not-ready/NodeConditionsFailed");
        assert_eq!(pool.status.condition("UpdatingVersion").unwrap().status, ConditionStatus::Other);
        assert_eq!(pool.status.condition("Ready"), None);
    }

    #[test]
    fn older_versions_lack_fields_and_are_read_all_the_same() {
        let pool: NodePool = read(r#"{"spec": {"nodeCount": 2, "management": null}, "status": {"nodesInfo": null}}"#);
        assert_eq!((pool.spec.desired(), pool.spec.is_in_place()), (Some(2), false));
        let pool: NodePool =
            read(r#"{"spec": {"replicas": 3, "nodeCount": 2, "management": {"upgradeType": "InPlace"}}}"#);
        assert_eq!((pool.spec.desired(), pool.spec.is_in_place()), (Some(3), true));
        let cluster: HostedCluster = read(r#"{"spec": {"release": null}, "status": {"version": {"history": null}}}"#);
        assert_eq!(cluster, HostedCluster { status: cluster.status.clone(), ..HostedCluster::default() });
        assert_eq!(cluster.status.control_plane_version, None);
        assert!(cluster.status.version.is_some_and(|version| version.history.is_empty()));
    }

    #[test]
    fn what_is_asked_of_the_control_plane_may_differ_from_what_is_asked_of_the_nodes() {
        let check = |json: &str, expect: &str| assert_eq!(read::<HostedClusterSpec>(json).wanted_image(), expect);
        check(r#"{"release": {"image": "a"}}"#, "a");
        check(r#"{"release": {"image": "a"}, "controlPlaneRelease": {"image": "b"}}"#, "b");
        check(r#"{"release": {"image": "a"}, "controlPlaneRelease": {"image": null}}"#, "a");
        check("{}", "");
    }

    #[test]
    fn the_namespace_of_a_control_plane_has_no_dots() {
        assert_eq!(control_plane_namespace("clusters", "a.b"), "clusters-a-b");
    }
}
