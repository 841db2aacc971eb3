//! Health insights of clusters of Cluster API (update-status-api.md, 3.6 and 6.3).

mod cluster;
mod machines;
mod pools;

use headway_api::cluster_api::{CONTROL_PLANE_GROUP, GROUP};
use headway_api::insight::{Insight, ResourceRef};
use headway_api::plan::GroupKind;
use headway_api::report::Activity;

use super::World;
use super::pool::PoolView;

/// Where to read about upgrades of clusters.
const UPGRADES: &str = "https://cluster-api.sigs.k8s.io/tasks/upgrading-clusters";

/// Where to read about hooks.
const HOOKS: &str = "https://cluster-api.sigs.k8s.io/tasks/experimental-features/runtime-sdk/implement-lifecycle-hooks";

/// Where to read about health checks and remediation.
const HEALTH_CHECKS: &str = "https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/healthchecking";

/// Everything that is found. Health is told of updates, not of clusters at rest (R26).
pub(super) fn found(world: &World<'_>, pools: &[PoolView<'_>], activity: Activity) -> Vec<Insight> {
    if activity == Activity::NotUpdating {
        return Vec::new();
    }
    let mut all = Vec::new();
    all.extend(cluster::paused(world));
    all.extend(cluster::refused(world));
    all.extend(cluster::held(world));
    all.extend(cluster::stalled(world, pools));
    all.extend(cluster::unavailable(world));
    all.extend(cluster::components(world));
    all.extend(cluster::health_checks(world));
    for pool in pools {
        all.extend(pools::paused(world, pool));
        all.extend(pools::deferred(world, pool));
        all.extend(pools::skewed(world, pool));
        all.extend(machines::found(world, pool));
    }
    all
}

fn cluster_ref(world: &World<'_>) -> ResourceRef {
    let metadata = &world.scene.cluster.metadata;
    ResourceRef::namespaced(GROUP, "clusters", &metadata.namespace, &metadata.name)
}

/// The resource of a kind: kinds of control planes are of any provider.
fn plural(kind: &str) -> String {
    format!("{}s", kind.to_lowercase())
}

fn pool_ref(world: &World<'_>, pool: &PoolView<'_>) -> ResourceRef {
    let namespace = &world.scene.cluster.metadata.namespace;
    match (pool.group, world.scene.control_plane) {
        (Some(group), _) => {
            let resource = match group.id.kind {
                GroupKind::MachineDeployment => "machinedeployments",
                GroupKind::MachinePool => "machinepools",
            };
            ResourceRef::namespaced(GROUP, resource, namespace, &group.id.name)
        }
        (None, Some(object)) => {
            let metadata = &object.metadata;
            ResourceRef::namespaced(CONTROL_PLANE_GROUP, &plural(&object.kind), &metadata.namespace, &metadata.name)
        }
        (None, None) => cluster_ref(world),
    }
}

fn machine_ref(world: &World<'_>, name: &str) -> ResourceRef {
    ResourceRef::namespaced(GROUP, "machines", &world.scene.cluster.metadata.namespace, name)
}
