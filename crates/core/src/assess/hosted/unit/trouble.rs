//! What is wrong with machines that come and go: those that cannot be emptied, do not come, have failed or are away.

use std::collections::BTreeMap;

use headway_api::cluster_api::{GROUP, Machine};
use headway_api::hypershift::NodePool;
use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::report::Unit;

use super::super::super::health::drain::{ERROR, GRACE, Held, advice, resources_of, sentence};
use super::super::super::health::{draft, node_ref, one_line, reference};
use super::super::super::machine::{self, Trouble};
use super::super::super::names::{first_few, first_lines};
use super::super::world::World;

/// The longest line of a list.
const LINE: usize = 300;

/// `H-MACHINE-NOT-CREATED`, `H-NODE-DEGRADED` and `H-NODE-UNAVAILABLE`: one insight for all machines of one cause.
pub(super) fn found(world: &World<'_>, pool: &NodePool, rows: &[(Unit, &Machine)]) -> Vec<Insight> {
    let of = |rule: Rule, troubles: Vec<Trouble<'_>>| {
        let mut groups: BTreeMap<String, Vec<Trouble<'_>>> = BTreeMap::new();
        for trouble in troubles {
            groups.entry(trouble.cause.clone()).or_default().push(trouble);
        }
        groups.into_values().map(|group| tell(world, pool, rule, &group)).collect::<Vec<_>>()
    };
    let now = world.now();
    let not_made = rows.iter().filter_map(|(unit, machine)| machine::not_made(now, unit, machine)).collect();
    let failed = rows.iter().filter_map(|(unit, _)| machine::degraded(unit)).collect();
    let away = rows.iter().filter_map(|(unit, machine)| machine::away(now, unit, machine)).collect();
    [of(Rule::MachineNotCreated, not_made), of(Rule::NodeDegraded, failed), of(Rule::NodeUnavailable, away)].concat()
}

fn tell(world: &World<'_>, pool: &NodePool, rule: Rule, group: &[Trouble<'_>]) -> Insight {
    let (level, impact, what) = match rule {
        Rule::MachineNotCreated => (Level::Error, Impact::UpdateStalled, "cannot be made"),
        Rule::NodeDegraded => (Level::Error, Impact::UpdateStalled, "has failed"),
        _ => (Level::Warning, Impact::UpdateSpeed, "is not in service"),
    };
    let mut names: Vec<&str> = group.iter().map(|it| it.unit.name.as_str()).collect();
    names.sort_unstable();
    let first = group.first().map(|it| it.message.as_str()).unwrap_or_default();
    let pool = &pool.metadata.name;
    let summary = match names.as_slice() {
        [only] => format!("Machine {only} of NodePool {pool} {what}: {first}"),
        several => format!("{} machines of NodePool {pool}: each {what}: {first}", several.len()),
    };
    let lines: Vec<String> = group.iter().map(|it| format!("{}: {}", it.unit.name, it.message)).collect();
    Insight {
        since: group.iter().filter_map(|it| it.since).min(),
        resources: names.iter().map(|name| ResourceRef::namespaced(GROUP, "machines", &world.namespace, name)).collect(),
        summary: one_line(&summary, LINE),
        description: format!("{}.\n{}", first_few(&names), first_lines(&lines)),
        advice: match rule {
            Rule::MachineNotCreated => "A quota, a missing image or a network without room is the usual cause: the infrastructure's object of the Machine tells which.".into(),
            _ => String::new(),
        },
        reference: reference::HYPERSHIFT.into(),
        ..draft(rule, level, impact, Scope::WorkerPool)
    }
}

/// `H-DRAIN-BLOCKED`: a machine whose node has been draining for too long, with the pods that cannot leave where the
/// guest's were seen.
pub(super) fn drains(world: &World<'_>, machine: &Machine, unit: &Unit, held: &[Held<'_>]) -> Option<Insight> {
    let level = if world.lasts(unit.since, ERROR) {
        Level::Error
    } else if world.lasts(unit.since, GRACE) {
        Level::Warning
    } else {
        return None;
    };
    let node = unit.node.as_deref().unwrap_or(&unit.name);
    let metadata = &machine.metadata;
    let mut resources =
        vec![ResourceRef::namespaced(GROUP, "machines", &metadata.namespace, &metadata.name), node_ref(node)];
    resources.extend(resources_of(held));
    let more = match held.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let (summary, description, way_out) = match held.first() {
        Some(first) => {
            let lines: Vec<String> = held.iter().map(|held| format!("{}.", sentence(held))).collect();
            (format!("Node {node} cannot be drained: {}{more}", sentence(first)), lines.join("\n"), advice(held))
        }
        None => {
            let told = if unit.message.is_empty() { "What holds it up is not told." } else { &unit.message };
            let way_out = "The pods of the node and the budgets of the guest tell what cannot leave.".to_owned();
            (format!("Node {node} of Machine {} is still being drained", metadata.name), told.to_owned(), way_out)
        }
    };
    Some(Insight {
        since: unit.since,
        resources,
        summary,
        description,
        advice: way_out,
        reference: reference::BUDGETS.into(),
        ..draft(
            Rule::DrainBlocked,
            level,
            if level == Level::Error { Impact::UpdateStalled } else { Impact::UpdateSpeed },
            Scope::WorkerPool,
        )
    })
}
