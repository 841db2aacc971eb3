//! One cluster of a fleet: a small inventory of its own objects, and of those that it shares with others.

use std::sync::Arc;

use headway_api::cluster_api::Cluster;
use headway_api::gap::Gap;
use headway_api::hypershift::control_plane_namespace;
use headway_api::preview::Clock;
use headway_api::report::Form;
use jiff::Timestamp;

use super::source::{Object, Source};
use super::store::{Key, Store};
use crate::preview::{Inventory, Moment, Seen, Workload};

/// All that is known of a cluster, to be judged at a moment.
pub(super) fn inventory(store: &Store, key: &Key, workload: Option<&Workload>, now: Timestamp) -> Inventory {
    let moment = Moment { at: now, clock: Clock::Now };
    let mut view = Inventory { moment, seen: seen(store), ..Inventory::default() };
    let mut flaws = Vec::new();
    for held in store.at_home(&key.namespace, &key.name) {
        put(&mut view, key.form, &held.object);
        flaws.extend_from_slice(&held.flaws);
    }
    match key.form {
        Form::Hosted => {
            for held in store.in_namespace(&control_plane_namespace(&key.namespace, &key.name)) {
                put_of_host(&mut view, &held.object);
                flaws.extend_from_slice(&held.flaws);
            }
        }
        Form::ClusterApi | Form::Standalone | Form::Unknown => share(store, &mut view, &mut flaws),
    }
    if let Some(workload) = workload {
        view.workloads.insert((key.namespace.clone(), key.name.clone()), workload.clone());
    }
    let gaps = store.gaps(key.form, now).filter(|(source, _)| counts(&view, source)).map(|(_, gap)| gap);
    view.gaps = gaps.chain(flaws).collect();
    view
}

/// Adds to the view of a cluster of Cluster API what need not say that it is of that cluster.
fn share(store: &Store, view: &mut Inventory, flaws: &mut Vec<Gap>) {
    let Some(cluster) = view.clusters.first().cloned() else { return };
    let reference = cluster.spec.control_plane_ref.as_ref();
    let is_there = view
        .control_planes
        .iter()
        .any(|it| reference.is_some_and(|reference| it.kind == reference.kind && it.metadata.name == reference.name));
    if let Some(entry) = store.control_plane(&cluster).filter(|_| !is_there) {
        put(view, Form::ClusterApi, &entry.fact);
        flaws.extend_from_slice(&entry.flaws);
    }
    for source in [Source::ClusterClasses, Source::ExtensionConfigs, Source::Namespaces] {
        for entry in store.shared(&source).filter(|entry| concerns(&cluster, &entry.fact)) {
            flaws.extend_from_slice(&entry.flaws);
            match &entry.fact {
                Object::ClusterClass(o) => view.classes.push((**o).clone()),
                Object::ExtensionConfig(o) => view.extensions.push((**o).clone()),
                Object::Namespace(o) => view.namespaces.push((**o).clone()),
                _ => {}
            }
        }
    }
}

/// Whether it counts for a cluster that something is not seen of a source: that control planes of another provider are not
/// does not, where its own is.
fn counts(view: &Inventory, source: &Source) -> bool {
    let Source::ControlPlanes(plural) = source else { return true };
    let own = view.control_planes.first().map(|control_plane| format!("{}s", control_plane.kind.to_lowercase()));
    own.is_none_or(|own| own == **plural)
}

/// Whether something shared is shared with this cluster.
fn concerns(cluster: &Cluster, object: &Object) -> bool {
    let namespace = &cluster.metadata.namespace;
    match object {
        Object::ClusterClass(o) => cluster.spec.topology.as_ref().is_some_and(|topology| {
            topology.class_name() == o.metadata.name && topology.class_namespace(namespace) == o.metadata.namespace
        }),
        Object::ExtensionConfig(_) => true,
        Object::Namespace(o) => o.metadata.name == *namespace,
        _ => false,
    }
}

/// Puts an object that says that it is of a cluster of this form and name into its place.
fn put(view: &mut Inventory, form: Form, object: &Object) {
    match (object, form) {
        (Object::HostedCluster(o), Form::Hosted) => view.hosted_clusters.push((**o).clone()),
        (Object::NodePool(o), Form::Hosted) => view.node_pools.push((**o).clone()),
        // A Cluster that has the name of a HostedCluster is another one.
        (_, Form::Hosted) => {}
        (Object::Cluster(o), _) => view.clusters.push((**o).clone()),
        (Object::ControlPlane(o), _) => view.control_planes.push((**o).clone()),
        (Object::MachineDeployment(o), _) => view.machine_deployments.push((**o).clone()),
        (Object::MachinePool(o), _) => view.machine_pools.push((**o).clone()),
        (Object::Machine(o), _) => view.machines.push((**o).clone()),
        (Object::MachineSet(o), _) => view.machine_sets.push((**o).clone()),
        (Object::MachineHealthCheck(o), _) => view.health_checks.push((**o).clone()),
        (
            Object::Served(_)
            | Object::ClusterClass(_)
            | Object::HostedCluster(_)
            | Object::HostedControlPlane(_)
            | Object::ControlPlaneComponent(_)
            | Object::NodePool(_)
            | Object::ExtensionConfig(_)
            | Object::Namespace(_),
            _,
        ) => {}
    }
}

/// Puts what is in the namespace of a hosted cluster's control plane into its place.
fn put_of_host(view: &mut Inventory, object: &Object) {
    match object {
        Object::HostedControlPlane(o) => view.hosted_control_planes.push(Arc::unwrap_or_clone(o.clone())),
        Object::ControlPlaneComponent(o) => view.components.push((**o).clone()),
        Object::Machine(o) => view.machines.push((**o).clone()),
        Object::MachineSet(o) => view.machine_sets.push((**o).clone()),
        Object::Served(_)
        | Object::Cluster(_)
        | Object::ClusterClass(_)
        | Object::ControlPlane(_)
        | Object::MachineDeployment(_)
        | Object::MachinePool(_)
        | Object::MachineHealthCheck(_)
        | Object::HostedCluster(_)
        | Object::NodePool(_)
        | Object::ExtensionConfig(_)
        | Object::Namespace(_) => {}
    }
}

/// Which kinds were looked at.
fn seen(store: &Store) -> Seen {
    Seen {
        machine_deployments: store.has_seen(&Source::MachineDeployments),
        machine_pools: store.has_seen(&Source::MachinePools),
        machines: store.has_seen(&Source::Machines),
        machine_sets: store.has_seen(&Source::MachineSets),
        hosted_control_planes: store.has_seen(&Source::HostedControlPlanes),
        components: store.has_seen(&Source::ControlPlaneComponents),
        node_pools: store.has_seen(&Source::NodePools),
        extensions: store.has_seen(&Source::ExtensionConfigs),
        budgets: false,
    }
}
