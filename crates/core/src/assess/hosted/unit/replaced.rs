//! Nodes that are replaced: an old Machine goes, a new one comes, and the row is that of the Machine.

use std::collections::BTreeMap;

use headway_api::cluster_api::Machine;
use headway_api::hypershift::RELEASE_VERSION_ANNOTATION;
use headway_api::meta::ConditionStatus;
use headway_api::node::Node;
use headway_api::report::{Condition, Phase, Remaining, Truth, Unit, UnitAssessment};
use jiff::Timestamp;

use super::super::super::health::drain::blockers;
use super::super::super::nodes::condition;
use super::super::super::{machine, said};
use super::super::world::World;
use super::{Held, Place, Seen, trouble};

pub(super) fn view(world: &World<'_>, place: Place<'_>) -> Seen {
    let nodes: BTreeMap<&str, &Node> =
        world.nodes(place.pool).into_iter().map(|node| (node.metadata.name.as_str(), &**node)).collect();
    let machines = world.machines(place.pool);
    if machines.is_empty() {
        // Which release a node runs is not written on it.
        let version = only_version(place);
        let units = nodes.values().map(|node| of_node(place, node, version)).collect();
        return Seen { units, insights: Vec::new() };
    }
    let mut seen = Seen::default();
    let mut rows = Vec::new();
    for machine in machines {
        let name = machine.status.node_ref.as_ref().map(|node| node.name.as_str()).filter(|name| !name.is_empty());
        let node = name.and_then(|name| nodes.get(name).copied());
        let mut unit = of_machine(place, machine, name, node);
        if unit.phase == Phase::Draining {
            let held = name.map(|name| world.evictions.held(name)).unwrap_or_default();
            unit.blocked_by = blockers(held.iter());
            seen.insights.extend(trouble::drains(world, machine, &unit, &held));
        }
        rows.push((unit, machine));
    }
    seen.insights.extend(trouble::found(world, place.pool, &rows));
    seen.units.extend(rows.into_iter().map(|(unit, _)| unit));
    seen
}

/// The one version that the NodePool says its nodes run.
fn only_version<'a>(place: Place<'a>) -> Option<&'a str> {
    match place.pool.status.nodes_info.node_versions.as_slice() {
        [only] => Some(only.ocp_version.as_str()).filter(|version| !version.is_empty()),
        _ => None,
    }
}

fn of_node(place: Place<'_>, node: &Node, version: Option<&str>) -> Unit {
    let phase = match version {
        Some(version) if place.target == Some(version) => Phase::Updated,
        Some(_) => waits(place),
        None => Phase::Unknown,
    };
    let name = node.metadata.name.clone();
    row(place, Row { name, kind: "Node", node: None, phase, version: version.map(str::to_owned) }, available_node(node))
}

fn waits(place: Place<'_>) -> Phase {
    match place.held {
        Held::Yes => Phase::Paused,
        Held::No => Phase::Pending,
    }
}

fn of_machine(place: Place<'_>, machine: &Machine, name: Option<&str>, node: Option<&Node>) -> Unit {
    let version = machine.metadata.annotations.get(RELEASE_VERSION_ANNOTATION).filter(|version| !version.is_empty());
    let (phase, since, message) = phase(place, machine, name, version);
    let available = match node {
        Some(node) => available_node(node),
        None => available_machine(machine),
    };
    let available = if phase.moves() { condition(Truth::True, "AsExpected", String::new(), None) } else { available };
    let in_service = available.status == Truth::True && !phase.moves();
    let own = machine.metadata.name.clone();
    let other = name.filter(|name| *name != own).map(str::to_owned);
    // What a Machine that has no node is to become runs nowhere yet.
    let version = version.filter(|_| name.is_some()).map(str::to_owned);
    let unit = row(place, Row { name: own, kind: "Machine", node: other, phase, version }, available);
    let unit = Unit { since, in_service, message: if message.is_empty() { unit.message } else { message }, ..unit };
    let Some(why) = machine::failure(machine) else { return unit };
    Unit {
        assessment: UnitAssessment::Degraded,
        degraded: condition(Truth::True, "Failed", why.clone(), None),
        message: why,
        ..unit
    }
}

/// Where a machine is, since when, and what there is to say of it.
fn phase(
    place: Place<'_>,
    machine: &Machine,
    node: Option<&str>,
    version: Option<&str>,
) -> (Phase, Option<Timestamp>, String) {
    if let Some(leaving) = machine::leaving(machine) {
        return leaving;
    }
    if node.is_none() {
        return (Phase::Provisioning, machine.metadata.creation_timestamp, machine::awaited(machine));
    }
    match (version, place.target) {
        (Some(version), Some(target)) if version == target => (Phase::Updated, None, String::new()),
        (Some(_), Some(_)) => (waits(place), None, String::new()),
        (None, _) | (_, None) => (Phase::Unknown, None, "the release that it is made of is not known".into()),
    }
}

/// What is told of every row.
struct Row {
    name: String,
    kind: &'static str,
    node: Option<String>,
    phase: Phase,
    version: Option<String>,
}

fn row(place: Place<'_>, row: Row, available: Condition) -> Unit {
    let Row { name, kind, node, phase, version } = row;
    Unit {
        name,
        kind,
        node,
        pool: Some(place.pool.metadata.name.clone()),
        assessment: UnitAssessment::of(phase, available.status, Truth::False),
        phase,
        version,
        updated: phase == Phase::Updated,
        since: None,
        remaining: if phase == Phase::Updated { Remaining::Nothing } else { Remaining::Unknown },
        in_service: available.status == Truth::True,
        message: available.message.clone(),
        available,
        degraded: condition(Truth::False, "AsExpected", String::new(), None),
        current_config: None,
        desired_config: None,
        blocked_by: Vec::new(),
    }
}

/// What a node's own conditions say; of those only what is not well was kept.
fn available_node(node: &Node) -> Condition {
    let ready = node.status.conditions.iter().find(|it| it.kind == "Ready");
    match ready {
        Some(told) => condition(Truth::False, "NotReady", said(told), told.last_transition_time),
        None => condition(Truth::True, "AsExpected", String::new(), None),
    }
}

/// What a Machine says of its node.
fn available_machine(machine: &Machine) -> Condition {
    let told = ["NodeHealthy", "NodeReady", "Ready"].into_iter().find_map(|kind| machine.status.condition(kind));
    match told {
        Some(told) if told.status == ConditionStatus::True => condition(Truth::True, "AsExpected", String::new(), None),
        Some(told) if told.status == ConditionStatus::False => {
            condition(Truth::False, "NotReady", said(told), told.last_transition_time)
        }
        Some(_) | None => condition(Truth::Unknown, "CannotDetermine", String::new(), None),
    }
}
