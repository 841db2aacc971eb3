//! The nodes of a pool, one by one: nodes that are changed in place by what is written on them, nodes that are replaced by
//! their Machines, which last longer than they do.

mod in_place;
mod replaced;
mod trouble;

use headway_api::hypershift::NodePool;
use headway_api::insight::Insight;
use headway_api::report::Unit;

use super::world::World;

/// What was seen of the nodes of a pool.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) units: Vec<Unit>,
    /// What is wrong with them.
    pub(super) insights: Vec<Insight>,
}

/// What decides how the nodes of a pool are doing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The pool.
    pub(super) pool: &'a NodePool,
    /// The version that its nodes are to have.
    pub(super) target: Option<&'a str>,
    /// It is paused, so that what is old stays so.
    pub(super) held: Held,
}

/// Whether a pool is paused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// Looks at the nodes of a pool, worst first.
pub(super) fn view(world: &World<'_>, place: Place<'_>) -> Seen {
    let mut seen =
        if place.pool.spec.is_in_place() { in_place::view(world, place) } else { replaced::view(world, place) };
    seen.units.sort_by(super::super::unit_order);
    seen
}
