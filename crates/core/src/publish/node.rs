//! Nodes: those that are worth an insight of their own, and the rows of a pool's details.

use headway_api::insight;
use headway_api::report::{self, Blocker, Phase, Remaining, Truth, Unit};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::limit;
use headway_api::update::node::{self, NodeInsight, NodeRow, Trouble};
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::Word;
use jiff::SignedDuration;
use sha2::{Digest, Sha256};

use super::parts::Told;
use super::text::{clip, is_label, is_version, length, some};
use super::{Scene, carry, place, word};
use crate::memory::NodeKnown;

/// The identity of an insight on an object: its kind and name, where both fit a label; else a digest of the name, for
/// `a.b` and `a-b` are two objects.
pub(super) fn uid(kind: &str, name: &str) -> String {
    let plain = format!("{kind}-{name}");
    if plain.len() <= length(limit::UID) && is_label(&plain) {
        return plain;
    }
    let digest: String = Sha256::digest(name).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let fits = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
    let readable: String = name.chars().filter(fits).take(30).collect();
    format!("{kind}-{}-{digest}", readable.trim_matches('-'))
}

/// The progress of a node or machine of a pool, whose names are both names.
pub(super) fn insight(
    scene: &Scene<'_>,
    unit: &Unit,
    object: ResourceRef,
    of: &Told<'_>,
    before: Option<&NodeInsight>,
) -> NodeInsight {
    let before = before.map(|before| &before.conditions);
    let phase = word::phase(unit.phase);
    let since = unit.since.or_else(|| known(scene, unit).map(|known| known.first_seen));
    let updating = report::Condition {
        status: if unit.phase.moves() { Truth::True } else { Truth::False },
        reason: phase.to_string(),
        message: String::new(),
        since,
    };
    let minutes = match unit.remaining {
        Remaining::Minutes(minutes) => Some(SignedDuration::from_mins(i64::from(minutes))),
        Remaining::Nothing | Remaining::Unknown => None,
    };
    // Counted from when the phase began, not from now: else it would move with every look.
    let done = minutes.zip(since).and_then(|(minutes, since)| since.checked_add(minutes).ok());
    NodeInsight {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, &updating, None, before),
            carry::condition(scene, "Available", &unit.available, None, before),
            carry::condition(scene, kind::DEGRADED, &unit.degraded, None, before),
        ]),
        name: unit.name.clone(),
        resource: Some(object),
        pool_resource: of.resource.clone(),
        scope_type: Word::Known(word::scope(of.pool.scope)),
        assessment: Some(unit.assessment.to_string()),
        phase: Some(Word::Known(phase)),
        phase_started_at: unit.since,
        version: unit.version.clone().filter(|version| is_version(version)),
        estimated_completed_at: done,
        estimated_to_complete: None,
        message: some(&unit.message, scene.caps.group_message),
        node: some(unit.node.as_deref().unwrap_or_default(), length(limit::NAME)),
        machine: None,
        details: details(scene, unit),
    }
}

/// What holds up the drain of a node.
fn details(scene: &Scene<'_>, unit: &Unit) -> Vec<ResourceRef> {
    let mut all = Vec::new();
    for Blocker { namespace, pod, budget } in &unit.blocked_by {
        for (group, resource, name) in [("", "pods", pod), ("policy", "poddisruptionbudgets", budget)] {
            let held = insight::ResourceRef::namespaced(group, resource, namespace, name);
            all.extend(place::reference(scene.report(), &held));
        }
    }
    all.dedup();
    all.truncate(scene.caps.resources);
    all
}

fn known<'a>(scene: &Scene<'a>, unit: &Unit) -> Option<&'a NodeKnown> {
    scene.source.memory.nodes.get(&unit.name).filter(|known| known.phase == unit.phase)
}

/// How much of a row is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowCaps {
    /// Characters of the message.
    pub(super) message: usize,
    /// Pods that hold up the drain.
    pub(super) blockers: usize,
    /// Characters of the configurations; longer ones are not told.
    pub(super) configuration: usize,
}

/// A row of the details of a pool. `configuration` is the pool's, `suffix` what all names end in.
pub(super) fn row(
    scene: &Scene<'_>,
    unit: &Unit,
    configuration: Option<&str>,
    suffix: Option<&str>,
    caps: RowCaps,
) -> NodeRow {
    let known = known(scene, unit);
    let first_seen = known.map(|known| known.first_seen).filter(|first| unit.since != Some(*first));
    let trouble = |condition: &report::Condition, seen: Option<jiff::Timestamp>| Trouble {
        reason: clip(&condition.reason, 64),
        since: condition.since,
        first_seen: seen.filter(|seen| condition.since != Some(*seen)),
    };
    let (current_config, desired_config) = configurations(unit, configuration, caps);
    let name = unit.name.strip_suffix(suffix.unwrap_or_default()).unwrap_or(&unit.name);
    NodeRow {
        name: name.to_owned(),
        phase: Word::Known(word::phase(unit.phase)),
        since: unit.since,
        first_seen,
        version: unit.version.as_ref().map(|version| clip(version, length(limit::VERSION))),
        minutes: match unit.remaining {
            Remaining::Minutes(minutes) => Some(minutes),
            Remaining::Nothing if !ends_with_nothing(unit.phase) => Some(0),
            Remaining::Nothing | Remaining::Unknown => None,
        },
        unavailable: (unit.available.status != Truth::True)
            .then(|| trouble(&unit.available, known.and_then(|known| known.unavailable_since))),
        degraded: (unit.degraded.status != Truth::False)
            .then(|| trouble(&unit.degraded, known.and_then(|known| known.degraded_since))),
        out_of_service: !unit.in_service,
        message: some(&unit.message, caps.message),
        current_config,
        desired_config,
        blocked_by: unit.blocked_by.iter().take(caps.blockers).map(blocker).collect(),
    }
}

/// Whether a node in this phase that tells no minutes has nothing left to do.
pub(super) fn ends_with_nothing(phase: Phase) -> bool {
    match phase {
        Phase::Paused | Phase::Updated => true,
        Phase::Draining
        | Phase::Updating
        | Phase::Rebooting
        | Phase::Provisioning
        | Phase::Deleting
        | Phase::Pending
        | Phase::Unknown => false,
    }
}

fn configurations(unit: &Unit, pool: Option<&str>, caps: RowCaps) -> (Option<String>, Option<String>) {
    let told = |config: &Option<String>| match config {
        Some(config) if config.chars().count() <= caps.configuration => config.clone(),
        Some(_) | None => String::new(),
    };
    let (current, desired) = (told(&unit.current_config), told(&unit.desired_config));
    let desired_config = (desired != current).then_some(desired);
    let current_config = (Some(current.as_str()) != pool).then_some(current);
    (current_config, desired_config)
}

fn blocker(blocker: &Blocker) -> node::Blocker {
    let name = |text: &str| clip(text, length(limit::NAME));
    node::Blocker { namespace: name(&blocker.namespace), pod: name(&blocker.pod), budget: name(&blocker.budget) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn us_2_3_identities_of_nodes_fit_and_differ() {
        assert_eq!(uid("node", "w-1"), "node-w-1");
        assert_eq!(uid("pool", "worker"), "pool-worker");
        let long = format!("ip-10-0-0-1.{}", "x".repeat(60));
        let all: Vec<String> =
            ["a.b", "a-b", &long, &long.replace('.', "-"), "Ünï", ""].map(|name| uid("node", name)).into();
        for (at, one) in all.iter().enumerate() {
            assert!(one.len() <= length(limit::UID) && is_label(one), "{one}");
            assert!(all.iter().skip(at + 1).all(|other| other != one), "{one}");
        }
    }
}
