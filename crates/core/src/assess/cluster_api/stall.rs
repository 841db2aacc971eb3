//! Updates on which nothing has changed for longer than machines take (update-status-api.md, 6.3).

use headway_api::cluster_api::Machine;
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::Phase;
use jiff::{SignedDuration, Timestamp};

use super::pool::PoolView;
use super::{World, began, holds};
use crate::assess::health::drain;
use crate::assess::span;

/// Below this nothing is called stalled.
const LEAST: SignedDuration = SignedDuration::from_mins(30);

/// Since when nothing has changed, if that is for longer than three machines take.
pub(super) fn since(world: &World<'_>, pools: &[PoolView<'_>]) -> Option<Timestamp> {
    // What is held by somebody who may mean it so does not stall.
    if world.paused.is_some() || holds(world).next().is_some() {
        return None;
    }
    let of_step: Vec<&PoolView<'_>> = pools
        .iter()
        .filter(|pool| world.course.is_of_step(pool.wanted.as_ref()))
        .filter(|pool| pool.is_outdated() && !pool.told.paused && pool.group.is_none_or(|it| it.deferral.is_none()))
        .collect();
    if of_step.is_empty() {
        return None;
    }
    // A drain has its own time, and tells of itself while that lasts.
    let draining = pools.iter().flat_map(|pool| &pool.units).filter(|unit| unit.phase == Phase::Draining);
    if draining.into_iter().any(|unit| !world.is_past(unit.since, drain::ERROR)) {
        return None;
    }
    let machines = || pools.iter().flat_map(|pool| pool.machines.iter().zip(&pool.units));
    // Where nothing says when the update began, that may have been a moment ago.
    let outdated = machines().filter_map(|(machine, _)| machine.status.condition("UpToDate"));
    let outdated = outdated.filter(|told| told.status == ConditionStatus::False);
    let began = began(world).into_iter().chain(outdated.filter_map(|told| told.last_transition_time)).max()?;
    let last = machines().flat_map(|(machine, _)| changes(machine)).fold(began, Ord::max);
    let mut took: Vec<SignedDuration> =
        machines().filter(|(_, unit)| unit.phase == Phase::Updated).filter_map(|(machine, _)| took(machine)).collect();
    took.sort_unstable();
    let median = took.get(took.len() / 2).copied().unwrap_or_default();
    let limit = LEAST.max(median.saturating_mul(3));
    (span::between(world.now(), last) > limit).then_some(last)
}

/// When something of a machine changed that an update changes.
fn changes(machine: &Machine) -> impl Iterator<Item = Timestamp> {
    let told = ["UpToDate", "Ready", "NodeReady", "Updating", "BootstrapConfigReady", "InfrastructureReady"];
    let of_conditions = told.into_iter().filter_map(|kind| machine.status.condition(kind)?.last_transition_time);
    [machine.metadata.creation_timestamp, machine.metadata.deletion_timestamp]
        .into_iter()
        .flatten()
        .chain(of_conditions)
}

/// How long a machine took from its creation to a node that is ready.
fn took(machine: &Machine) -> Option<SignedDuration> {
    let is_true = |told: &&Condition| told.status == ConditionStatus::True;
    let ready = ["NodeReady", "Ready"].into_iter().find_map(|kind| machine.status.condition(kind).filter(is_true))?;
    let took = span::between(ready.last_transition_time?, machine.metadata.creation_timestamp?);
    (took > SignedDuration::ZERO).then_some(took)
}
