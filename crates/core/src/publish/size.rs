//! How large an object is in its store: exactly, when it is made, and at least, before it is made.

use headway_api::gap::Gap;
use headway_api::report::{Report, Unit};
use headway_api::update::condition::{Condition, Conditions};
use headway_api::update::status::Status;
use serde::Serialize;

use super::level::Level;

/// Name, times, owner and the empty spec of an object, and the commas between.
const ENVELOPE: usize = 1_024;

/// The bytes of an object with this status: the status as JSON, the envelope, and the record of who owns which field.
#[must_use]
pub fn object_size(status: &Status) -> usize {
    json_size(status) + managed_fields(status) + ENVELOPE
}

/// The bytes of a value as JSON.
pub(super) fn json_size(value: &impl Serialize) -> usize {
    // Our types have texts for keys and finite numbers: they can be written. What could not would be refused.
    serde_json::to_vec(value).map_or(usize::MAX / 2, |bytes| bytes.len())
}

/// The bytes of `metadata.managedFields` after a server-side apply by one manager.
///
/// A little more than it is: the tests on a real API server compare. The record has an entry for each field outside of lists, and for each member of a list that has keys. The lists of
/// insights, groups, names, gaps and remarks are owned as wholes.
#[must_use]
pub fn managed_fields(status: &Status) -> usize {
    // `"k:{\"type\":\"Updating\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},…},`
    let condition = |one: &Condition| 112 + one.kind.len() + if one.observed_generation.is_some() { 24 } else { 0 };
    let conditions = |conditions: &Conditions| conditions.iter().map(condition).sum::<usize>();
    // `"k:{\"name\":\"nodes\"}":{".":{},"f:insights":{},"f:name":{},"f:state":{}},`
    let informer = |name: &str| 72 + name.len();
    // `"k:{\"name\":\"worker\"}":{".":{},"f:conditions":{},"f:informers":{},…,"f:resource":{…}},`
    let pools = status.worker_pools.iter().map(|pool| {
        let informers: usize = pool.informers.iter().map(|one| informer(&one.name)).sum();
        170 + pool.name.len() + conditions(&pool.conditions) + informers
    });
    let control_plane = status.control_plane.iter().map(|told| {
        let informers: usize = told.informers.iter().map(|one| informer(&one.name)).sum();
        340 + conditions(&told.conditions) + informers
    });
    1_400 + conditions(&status.conditions) + pools.sum::<usize>() + control_plane.sum::<usize>()
}

/// Fewer bytes than the object of a report can have at a level. It adds up lengths of texts and counts of entries,
/// each with the least that is written around it, so that levels which are far too large need not be made.
pub(super) fn at_least(report: &Report, level: Level) -> usize {
    let caps = level.caps();
    // A character is at least one byte. Control characters and quotes take more, which may be ignored here.
    let text = |text: &str, most: usize| text.len().min(most);
    let health: usize = report
        .insights
        .iter()
        .take(caps.health.min(256))
        .map(|insight| 300 + text(&insight.summary, 256) + text(&insight.description, caps.description))
        .sum();
    let components: usize = report
        .components
        .iter()
        .take(if report.components.len() > caps.components { 0 } else { caps.components })
        .map(|component| 300 + text(&component.updating.message, caps.message))
        .sum();
    let names: usize = if caps.names >= report.units.len() { report.units.iter().map(name).sum() } else { 0 };
    let notes = |gap: &Gap| text(&gap.message, caps.note) + text(&gap.object, caps.note);
    let gaps: usize =
        report.gaps.iter().take(if report.gaps.len() > caps.notes { 0 } else { caps.notes }).map(notes).sum();
    health + components + names + gaps
}

/// What a name takes without its domain, which may be told once for all.
fn name(unit: &Unit) -> usize {
    unit.name.split('.').next().unwrap_or_default().len().min(253) + 3
}
