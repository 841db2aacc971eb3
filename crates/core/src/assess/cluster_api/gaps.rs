//! What was not seen of a cluster of Cluster API, and whether that can change the answer.

use headway_api::gap::{Gap, GapKind};
use headway_api::plan::GroupKind;

use super::World;
use super::pool::PoolView;

/// All gaps: those of the reading that concern this cluster, then what its objects lack.
pub(super) fn gaps(world: &World<'_>, pools: &[PoolView<'_>]) -> Vec<Gap> {
    let mut all: Vec<Gap> = world.inventory.gaps.iter().filter(|gap| concerns(world, gap)).cloned().collect();
    let name = format!("Cluster/{}", world.scene.name());
    let missing = |kind: GapKind, message: String| Gap { object: name.clone(), ..Gap::of_input(kind, message) };
    if world.scene.cluster.spec.control_plane_ref.is_none() {
        let message = "it refers to no control plane, so that nothing tells where its control plane is";
        all.push(missing(GapKind::Missing, message.into()));
    }
    // What is not known of the way ahead changes nothing of where the cluster is.
    let of_scene = world.scene.unknowns();
    let of_plan = world.course.preview.iter().flat_map(|preview| &preview.unknowns);
    let of_plan = of_plan.filter(|unknown| !of_scene.contains(unknown)).map(|unknown| (GapKind::Optional, unknown));
    let of_state =
        of_scene.iter().map(|unknown| (if unknown.serious { GapKind::Missing } else { GapKind::Optional }, unknown));
    all.extend(of_state.chain(of_plan).map(|(kind, unknown)| missing(kind, format!("not known: {}", unknown.message))));
    for pool in pools.iter().filter(|pool| pool.is_unknown()) {
        let unknown = pool.units.iter().filter(|unit| unit.version.is_none()).count();
        let what = match (pool.units.is_empty(), unknown) {
            (true, _) => "none of its machines was seen, so that nothing tells what its nodes run".to_owned(),
            (false, 0) => "the version that it is to have is not known".to_owned(),
            (false, count) => format!("what runs on {count} of its {} machines is not known", pool.units.len()),
        };
        let kind = match pool.group {
            None => world.scene.control_plane_name(),
            Some(group) => group.id.to_string(),
        };
        all.push(Gap { object: kind, ..Gap::of_input(GapKind::Missing, what) });
    }
    let unreachable = world.workload.map(|workload| workload.unreachable.as_str()).filter(|why| !why.is_empty());
    if let Some(why) = unreachable {
        all.push(missing(GapKind::Optional, format!("its own API was not reached: {why}")));
    }
    // Only details come of it: what its machines run, the management cluster tells.
    let of_workload = world.workload.into_iter().flat_map(|workload| &workload.gaps);
    all.extend(of_workload.map(|gap| Gap { kind: GapKind::Optional, ..gap.clone() }));
    all.dedup();
    all
}

/// Whether a gap of the reading can be one of this cluster: it names an object of its namespace, or none.
fn concerns(world: &World<'_>, gap: &Gap) -> bool {
    let mut parts = gap.object.split('/').skip(1);
    match (parts.next(), parts.next()) {
        (Some(namespace), Some(_)) => namespace == world.scene.cluster.metadata.namespace,
        (_, None) | (None, _) => true,
    }
}

/// Whether it was looked which workers there are.
pub(super) fn sees_workers(world: &World<'_>) -> bool {
    let seen = world.inventory.seen;
    let wants = |kind: GroupKind| world.scene.entries_without_object.iter().any(|(of, _)| *of == kind);
    let deployments =
        seen.machine_deployments || (world.scene.topology.is_some() && !wants(GroupKind::MachineDeployment));
    let pools = seen.machine_pools || !wants(GroupKind::MachinePool);
    deployments && pools
}
