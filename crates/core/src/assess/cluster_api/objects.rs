//! References to the objects of a cluster of Cluster API.

use headway_api::cluster_api::{CONTROL_PLANE_GROUP, ControlPlane, GROUP};
use headway_api::insight::ResourceRef;
use headway_api::plan::GroupKind;

use super::World;
use crate::preview::Group;

/// The Cluster.
pub(super) fn cluster(world: &World<'_>) -> ResourceRef {
    let metadata = &world.scene.cluster.metadata;
    ResourceRef::namespaced(GROUP, "clusters", &metadata.namespace, &metadata.name)
}

/// A control plane, whose kind is any provider's.
pub(super) fn control_plane(object: &ControlPlane) -> ResourceRef {
    let resource = format!("{}s", object.kind.to_lowercase());
    ResourceRef::namespaced(CONTROL_PLANE_GROUP, &resource, &object.metadata.namespace, &object.metadata.name)
}

/// A group of workers.
pub(super) fn group(world: &World<'_>, group: &Group<'_>) -> ResourceRef {
    let resource = match group.id.kind {
        GroupKind::MachineDeployment => "machinedeployments",
        GroupKind::MachinePool => "machinepools",
    };
    ResourceRef::namespaced(GROUP, resource, &world.scene.cluster.metadata.namespace, &group.id.name)
}

/// A machine by its name.
pub(super) fn machine(world: &World<'_>, name: &str) -> ResourceRef {
    ResourceRef::namespaced(GROUP, "machines", &world.scene.cluster.metadata.namespace, name)
}
