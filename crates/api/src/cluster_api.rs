//! Slices of the kinds of Cluster API, in their versions v1beta1 and v1beta2.
//!
//! Where the two versions keep a fact in different fields both are read, and a method gives the one that is there.

mod class;
mod cluster;
mod control_plane;
mod extension;
mod health_check;
mod machine;
mod workers;

use jiff::Timestamp;
use serde::Deserialize;

use crate::meta::{Condition, Labels, OwnerReference, null_as_default, tight_list, time};

pub use class::{
    ClassWorkers, ClusterClass, ClusterClassSpec, ClusterClassStatus, ControlPlaneClass, ExternalUpgrade, TemplateRef,
    Templated, Upgrade, WorkerClass,
};
pub use cluster::{
    ClassRef, Cluster, ClusterSpec, ClusterStatus, ControlPlaneRef, PlanStatus, Topology, TopologyGroup,
    TopologyMetadata, TopologyWorkers,
};
pub use control_plane::{ControlPlane, ControlPlaneSpec, ControlPlaneStatus};
pub use extension::{
    ClientConfig, ExtensionConfig, ExtensionConfigSpec, ExtensionConfigStatus, ExtensionHandler, INJECT_CA_ANNOTATION,
    Namespace, RequestHook, ServiceReference, handler_and_config,
};
pub use health_check::{MachineHealthCheck, MachineHealthCheckSpec, MachineHealthCheckStatus};
pub use machine::{Deletion, Machine, MachineSpec, MachineStatus, NodeInfo};
pub use workers::{MachineTemplate, MachineTemplateSpec, NodeRef, Workers, WorkersSpec, WorkersStatus};

/// The group of Cluster, ClusterClass, MachineDeployment, MachinePool and Machine.
pub const GROUP: &str = "cluster.x-k8s.io";

/// The group of control planes, whoever provides them.
pub const CONTROL_PLANE_GROUP: &str = "controlplane.cluster.x-k8s.io";

/// The group of ExtensionConfig.
pub const RUNTIME_GROUP: &str = "runtime.cluster.x-k8s.io";

/// Label: the cluster that an object belongs to.
pub const CLUSTER_NAME_LABEL: &str = "cluster.x-k8s.io/cluster-name";

/// Label: the object is kept by the topology of its cluster.
pub const OWNED_LABEL: &str = "topology.cluster.x-k8s.io/owned";

/// Label: the entry of the topology for which a MachineDeployment is there.
pub const DEPLOYMENT_ENTRY_LABEL: &str = "topology.cluster.x-k8s.io/deployment-name";

/// Label: the entry of the topology for which a MachinePool is there.
pub const POOL_ENTRY_LABEL: &str = "topology.cluster.x-k8s.io/pool-name";

/// Label: the MachineDeployment of a Machine.
pub const DEPLOYMENT_LABEL: &str = "cluster.x-k8s.io/deployment-name";

/// Label: the MachinePool of a Machine.
pub const POOL_LABEL: &str = "cluster.x-k8s.io/pool-name";

/// Annotation: an entry of the topology is not upgraded for now.
pub const DEFER_ANNOTATION: &str = "topology.cluster.x-k8s.io/defer-upgrade";

/// Annotation: an entry of the topology and all after it are not upgraded for now.
pub const HOLD_ANNOTATION: &str = "topology.cluster.x-k8s.io/hold-upgrade-sequence";

/// Annotation on a Cluster: the version of the control plane in the step that is under way.
pub const STEP_ANNOTATION: &str = "topology.internal.cluster.x-k8s.io/upgrade-step";

/// Annotation on a Cluster: how many groups of workers may be upgraded at the same time.
pub const CONCURRENCY_ANNOTATION: &str = "topology.cluster.x-k8s.io/upgrade-concurrency";

/// Annotation on a Cluster: hooks that are still to be asked, with commas between them.
pub const PENDING_HOOKS_ANNOTATION: &str = "runtime.cluster.x-k8s.io/pending-hooks";

/// Annotations on a Cluster whose keys begin so hold up the beginning of an upgrade.
pub const BEFORE_UPGRADE_PREFIX: &str = "before-upgrade.hook.cluster.cluster.x-k8s.io";

/// Annotation on a Cluster: changes of its version are not checked.
pub const UNCHECKED_ANNOTATION: &str = "unsafe.topology.cluster.x-k8s.io/disable-update-version-check";

/// Annotation on a Cluster: a topology may be added to a cluster that is there already.
pub const ADOPTED_ANNOTATION: &str = "unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check";

/// Annotation on a Machine: it is being changed where it stands.
pub const UPDATING_IN_PLACE_ANNOTATION: &str = "in-place-updates.internal.cluster.x-k8s.io/update-in-progress";

/// Annotation: the object is left alone by its controllers.
pub const PAUSED_ANNOTATION: &str = "cluster.x-k8s.io/paused";

/// Metadata of an object of Cluster API.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Metadata {
    /// `metadata.name`.
    #[serde(deserialize_with = "null_as_default")]
    pub name: String,
    /// `metadata.namespace`, empty for cluster-scoped objects.
    #[serde(deserialize_with = "null_as_default")]
    pub namespace: String,
    /// `metadata.uid`: another object of the same name has another one.
    #[serde(deserialize_with = "null_as_default")]
    pub uid: String,
    /// `metadata.generation`.
    pub generation: Option<i64>,
    /// `metadata.labels`.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: Labels,
    /// `metadata.annotations`.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: Labels,
    /// `metadata.ownerReferences`.
    #[serde(deserialize_with = "tight_list")]
    pub owner_references: Vec<OwnerReference>,
    /// `metadata.creationTimestamp`.
    #[serde(deserialize_with = "time")]
    pub creation_timestamp: Option<Timestamp>,
    /// `metadata.deletionTimestamp`: set while the object is going away.
    #[serde(deserialize_with = "time")]
    pub deletion_timestamp: Option<Timestamp>,
}

/// A version in a list of a status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct StatusVersion {
    /// The version.
    #[serde(deserialize_with = "null_as_default")]
    pub version: String,
    /// How many are at it.
    pub replicas: Option<u64>,
}

/// Where objects in version v1beta1 keep what v1beta2 tells: `status.v1beta2`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NewerConditions {
    /// `conditions`.
    #[serde(deserialize_with = "tight_list")]
    pub conditions: Vec<Condition>,
    /// `upToDateReplicas`.
    pub up_to_date_replicas: Option<u64>,
    /// `availableReplicas`.
    pub available_replicas: Option<u64>,
}

/// The group in an `apiVersion`.
fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The condition of a type: the one of v1beta2 where both are there.
fn condition<'a>(newer: &'a NewerConditions, conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    newer.conditions.iter().chain(conditions).find(|condition| condition.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: serde::de::DeserializeOwned>(json: &str) -> T {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn both_versions_of_a_cluster_tell_their_class() {
        let check = |json: &str, expect: (&str, &str)| {
            let topology: Topology = read(json);
            assert_eq!((topology.class_name(), topology.class_namespace("home")), expect, "{json}");
        };
        check(r#"{"class": "prod"}"#, ("prod", "home"));
        check(r#"{"class": "prod", "classNamespace": "shared"}"#, ("prod", "shared"));
        check(r#"{"classRef": {"name": "prod"}}"#, ("prod", "home"));
        check(r#"{"classRef": {"name": "prod", "namespace": "shared"}, "class": null}"#, ("prod", "shared"));
        check("{}", ("", "home"));
    }

    #[test]
    fn both_versions_tell_the_kinds_of_their_templates() {
        let check = |json: &str| {
            let class: ClusterClassSpec = read(json);
            let kind = |reference: Option<&TemplateRef>| {
                reference.map(|it| format!("{}/{}", it.group(), it.kind)).unwrap_or_default()
            };
            let workers = &class.workers.machine_deployments[0];
            let told = [
                kind(class.infrastructure.reference()),
                kind(class.control_plane.reference()),
                kind(class.control_plane.machine_infrastructure.reference()),
                workers.class.clone(),
                kind(workers.infrastructure()),
            ];
            assert_eq!(told, ["i/Net", "c/Kcp", "i/Box", "small", "i/Box"], "{json}");
        };
        check(
            r#"{"infrastructure": {"templateRef": {"apiVersion": "i/v1", "kind": "Net"}},
            "controlPlane": {"templateRef": {"apiVersion": "c/v1", "kind": "Kcp"},
                "machineInfrastructure": {"templateRef": {"apiVersion": "i/v1", "kind": "Box"}}},
            "workers": {"machineDeployments": [
                {"class": "small", "infrastructure": {"templateRef": {"apiVersion": "i/v1", "kind": "Box"}}}]}}"#,
        );
        check(
            r#"{"infrastructure": {"ref": {"apiVersion": "i/v1", "kind": "Net"}},
            "controlPlane": {"ref": {"apiVersion": "c/v1", "kind": "Kcp"},
                "machineInfrastructure": {"ref": {"apiVersion": "i/v1", "kind": "Box"}}},
            "workers": {"machineDeployments": [
                {"class": "small", "template": {"infrastructure": {"ref": {"apiVersion": "i/v1", "kind": "Box"}}}}]}}"#,
        );
    }

    #[test]
    fn both_versions_tell_the_group_of_a_control_plane() {
        let check = |json: &str, expect: &str| assert_eq!(read::<ControlPlaneRef>(json).group(), expect, "{json}");
        check(r#"{"apiGroup": "g.io", "kind": "K", "name": "n"}"#, "g.io");
        check(r#"{"apiVersion": "g.io/v1beta1", "kind": "K", "name": "n"}"#, "g.io");
        check(r#"{"kind": "K", "name": "n", "apiVersion": null}"#, "");
    }

    #[test]
    fn both_versions_tell_their_conditions() {
        let check = |json: &str, expect: &str| {
            let status: ClusterStatus = read(json);
            let told = status.condition("TopologyReconciled").map(|condition| condition.reason.as_str());
            assert_eq!(told.unwrap_or_default(), expect, "{json}");
        };
        check(r#"{"conditions": [{"type": "TopologyReconciled", "reason": "A"}]}"#, "A");
        let both = r#"{"conditions": [{"type": "TopologyReconciled", "reason": "A"}],
            "v1beta2": {"conditions": [{"type": "TopologyReconciled", "reason": "B"}]}}"#;
        check(both, "B");
        check(r#"{"conditions": null, "v1beta2": null}"#, "");
    }

    #[test]
    fn both_versions_tell_how_many_are_up_to_date() {
        let check = |json: &str, expect: Option<u64>| {
            assert_eq!(read::<ControlPlaneStatus>(json).up_to_date(), expect, "{json}");
        };
        check(r#"{"upToDateReplicas": 2}"#, Some(2));
        check(r#"{"updatedReplicas": 1}"#, Some(1));
        check("{}", None);
    }
}
