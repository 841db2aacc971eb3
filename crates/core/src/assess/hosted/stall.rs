//! Updates on which nothing has changed for longer than they take in all, or longer than a node takes.

use jiff::{SignedDuration, Timestamp};

use super::super::span;
use super::pool::{Doing, PoolView};
use super::{Scene, World};

/// Below this nothing is called stalled.
const LEAST: SignedDuration = SignedDuration::from_mins(30);

/// Since when nothing has changed, if that is for longer than the whole update takes as a rule.
pub(super) fn since(scene: &Scene<'_, '_>) -> Option<Timestamp> {
    if !scene.verdict.stage.moves() {
        return None;
    }
    let of_components = scene.components.iter().filter_map(|it| it.object.status.condition("RolloutComplete"));
    let of_operators = scene.guest.into_iter().flat_map(|report| &report.components);
    let changes = of_components
        .filter_map(|told| told.last_transition_time)
        .chain(of_operators.filter_map(|row| row.updating.since))
        .chain(scene.verdict.since);
    let last = changes.max()?;
    let limit = LEAST.max(scene.course.learned().unwrap_or_default());
    (span::between(scene.world.now(), last) > limit).then_some(last)
}

/// A node may be drained for an hour before somebody gives up.
const OF_POOL: SignedDuration = SignedDuration::from_mins(60);

/// Since when nothing has changed on the nodes of a pool that gets another version. Without nodes or machines nothing
/// tells when something changed.
pub(super) fn of_pool(world: &World<'_>, pool: &PoolView<'_>) -> Option<Timestamp> {
    if pool.doing != Doing::Version || pool.paused.is_some() {
        return None;
    }
    let of_nodes = world.nodes(pool.object).into_iter().filter_map(|node| node.status.newest_transition);
    let of_machines = world.machines(pool.object).into_iter().flat_map(|machine| {
        let metadata = &machine.metadata;
        let told = machine.status.conditions.iter().filter_map(|told| told.last_transition_time);
        told.chain([metadata.creation_timestamp, metadata.deletion_timestamp].into_iter().flatten())
    });
    let last = of_nodes.chain(of_machines).max()?;
    let began = pool.object.status.condition("UpdatingVersion").and_then(|told| told.last_transition_time);
    let last = began.map_or(last, |began| last.max(began));
    (span::between(world.now(), last) > OF_POOL).then_some(last)
}
