//! What stays as it was written before: the times of what has not changed.
//!
//! Without this every write would touch every line, and the times would tell nothing.

use headway_api::report;
use headway_api::update::condition::{Condition, Conditions};
use headway_api::update::insight::{Informer, Insight};
use headway_api::update::word::Word;
use jiff::{SignedDuration, Timestamp};

use super::text::{clip, reason};
use super::{Scene, word};

/// What did not change is confirmed this often: more often would be a write for nothing.
const CONFIRMED: SignedDuration = SignedDuration::from_mins(10);

/// A condition of ours as one of the API.
///
/// It is dated by its source, else by memory under `key`, else by what was written before, else by now.
pub(super) fn condition(
    scene: &Scene<'_>,
    kind: &str,
    told: &report::Condition,
    key: Option<&str>,
    before: Option<&Conditions>,
) -> Condition {
    let report::Condition { status, reason: why, message, since } = told;
    let known = key.and_then(|key| scene.source.memory.conditions.get(key));
    let known = known.filter(|known| known.status == *status && known.reason == *why).map(|known| known.since);
    let status = Word::Known(word::truth(*status));
    let before = before.and_then(|before| before.of(kind)).filter(|before| before.status == status);
    let written = before.map(|before| before.last_transition_time);
    Condition {
        kind: kind.to_owned(),
        status,
        observed_generation: None,
        last_transition_time: since.or(known).or(written).unwrap_or(scene.now()),
        reason: reason(why),
        message: clip(message, scene.caps.message),
    }
}

/// A time that is rewritten only when the one that was written is old, or lies ahead because the clock was set back.
pub(super) fn confirmed(now: Timestamp, before: Option<Timestamp>) -> Timestamp {
    let fresh = |before: &Timestamp| {
        let age = now.duration_since(*before);
        age >= SignedDuration::ZERO && age < CONFIRMED
    };
    before.filter(fresh).unwrap_or(now)
}

/// An insight that was acquired when its body last changed.
pub(super) fn insight<Body: PartialEq>(
    scene: &Scene<'_>,
    before: &[Informer<Body>],
    uid: String,
    body: Body,
) -> Insight<Body> {
    let known = find(before, &uid).filter(|known| known.insight == body).map(|known| known.acquired_at);
    Insight { acquired_at: confirmed(scene.now(), known), uid, insight: body }
}

/// An insight by its identity.
pub(super) fn find<'a, Body>(informers: &'a [Informer<Body>], uid: &str) -> Option<&'a Insight<Body>> {
    informers.iter().flat_map(|informer| &informer.insights).find(|insight| insight.uid == uid)
}
