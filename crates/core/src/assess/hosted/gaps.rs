//! What was not seen of a hosted cluster, and whether that can change the answer.

use headway_api::gap::{Gap, GapKind};

use super::World;
use super::course::Course;
use super::pool::{Doing, PoolView};

/// All gaps: those of the reading that concern this cluster, then what was not seen of it.
pub(super) fn gaps(world: &World<'_>, course: &Course<'_>, pools: &[PoolView<'_>]) -> Vec<Gap> {
    let metadata = &world.cluster.metadata;
    let mut all: Vec<Gap> = world.inventory.gaps.iter().filter(|gap| concerns(world, gap)).cloned().collect();
    let guest = world.inventory.workload(&metadata.namespace, &metadata.name);
    all.extend(guest.filter(|_| world.guest.seen).into_iter().flat_map(|guest| guest.gaps.clone()));
    let name = format!("HostedCluster/{}/{}", metadata.namespace, metadata.name);
    let gap = |kind: GapKind, message: &str| Gap { object: name.clone(), ..Gap::of_input(kind, message) };
    if course.sides().next().is_none() {
        all.push(gap(GapKind::Missing, "its status tells no version"));
    }
    if !world.inventory.seen.node_pools {
        all.push(gap(GapKind::Missing, "it was not looked which NodePools there are"));
    }
    if world.components.is_empty() {
        let kind = if course.management.is_some() { GapKind::Optional } else { GapKind::Missing };
        let message = if world.inventory.seen.components {
            format!("no ControlPlaneComponent was found in namespace {}", world.namespace)
        } else {
            "it was not looked which ControlPlaneComponents there are".to_owned()
        };
        // Where the controller says that its work is done, its word stands for them.
        let has_word = course.management.is_none() && world.cluster.status.condition("Progressing").is_some();
        all.push(gap(if has_word { GapKind::Optional } else { kind }, &message));
    }
    if !world.guest.unreachable.is_empty() {
        all.push(gap(GapKind::Optional, &format!("the guest's API was not reached: {}", world.guest.unreachable)));
    } else if world.guest.is_foreign {
        let message = "the nodes and the ClusterVersion that were found are those of another cluster";
        all.push(gap(GapKind::Optional, message));
    } else if !world.guest.seen {
        all.push(gap(GapKind::Optional, "the guest's side was not looked at: its operators and nodes are not told"));
    }
    for pool in pools {
        let name = format!("NodePool/{}/{}", pool.object.metadata.namespace, pool.told.name);
        let gap = |kind: GapKind, message: &str| Gap { object: name.clone(), ..Gap::of_input(kind, message) };
        if pool.doing == Doing::Unknown {
            all.push(gap(GapKind::Missing, "nothing tells which version its nodes run"));
        } else if pool.by_word && pool.told.counts.total > 0 {
            let message = "what its nodes run is its own word: it does not count them by version, and neither they nor \
                their machines were seen";
            all.push(gap(GapKind::Optional, message));
        }
    }
    all.dedup();
    all
}

/// Whether a gap of the reading can be one of this cluster: it is of no object, or of one in its namespaces that is not
/// another cluster's.
fn concerns(world: &World<'_>, gap: &Gap) -> bool {
    let mut parts = gap.object.split('/');
    let metadata = &world.cluster.metadata;
    match (parts.next(), parts.next(), parts.next()) {
        (Some("HostedCluster"), Some(namespace), Some(name)) => {
            namespace == metadata.namespace && name == metadata.name
        }
        (Some("NodePool"), Some(namespace), Some(name)) => {
            let known = world
                .inventory
                .node_pools
                .iter()
                .find(|pool| pool.metadata.namespace == namespace && pool.metadata.name == name);
            namespace == metadata.namespace
                && known.is_none_or(|pool| pool.spec.cluster_name.is_empty() || pool.spec.cluster_name == metadata.name)
        }
        (Some(_), Some(namespace), Some(_)) => namespace == world.namespace,
        (_, _, None) | (_, None, Some(_)) | (None, _, _) => true,
    }
}
