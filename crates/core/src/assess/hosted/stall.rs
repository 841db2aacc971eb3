//! Updates of a control plane on which nothing has changed for longer than they take in all.

use jiff::{SignedDuration, Timestamp};

use super::super::span;
use super::Scene;

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
