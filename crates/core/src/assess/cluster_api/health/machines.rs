//! What is wrong with machines: those that cannot be made, changed, emptied or replaced.

use std::collections::BTreeMap;

use headway_api::cluster_api::Machine;
use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule};
use headway_api::meta::ConditionStatus;
use headway_api::report::{Phase, Unit};
use jiff::SignedDuration;

use super::super::pool::PoolView;
use super::super::{World, objects};
use super::{HEALTH_CHECKS, UPGRADES};
use crate::assess::health::drain::{self, Held};
use crate::assess::health::{draft, node_ref, one_line, reference};
use crate::assess::machine::{self, Trouble};
use crate::assess::names::first_lines;
use crate::assess::said;

/// How long before their end certificates are spoken of.
const EXPIRY: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The longest line of a list.
const LINE: usize = 300;

/// Everything that is found of the machines of a pool.
pub(super) fn found(world: &World<'_>, pool: &PoolView<'_>) -> Vec<Insight> {
    let now = world.now();
    let degraded: Vec<_> = pool.units.iter().filter_map(machine::degraded).collect();
    let away: Vec<_> = rows(pool).filter_map(|(unit, machine)| machine::away(now, unit, machine)).collect();
    let not_made: Vec<_> = rows(pool).filter_map(|(unit, machine)| machine::not_made(now, unit, machine)).collect();
    let mut all = Vec::new();
    all.extend(grouped(world, pool, &degraded, Rule::NodeDegraded));
    all.extend(grouped(world, pool, &away, Rule::NodeUnavailable));
    all.extend(grouped(world, pool, &not_made, Rule::MachineNotCreated));
    all.extend(grouped(world, pool, &not_remediated(pool), Rule::RemediationBlocked));
    all.extend(drains(world, pool));
    all.extend(expiring(world, pool));
    all
}

fn rows<'p>(pool: &'p PoolView<'_>) -> impl Iterator<Item = (&'p Unit, &'p Machine)> {
    pool.units.iter().zip(pool.machines.iter().copied())
}

/// Machines whose replacement is refused: Cluster API says by whom and why (cases B17, B18).
fn not_remediated<'p>(pool: &'p PoolView<'_>) -> Vec<Trouble<'p>> {
    let trouble = |(unit, machine): (&'p Unit, &'p Machine)| {
        let told = machine.status.condition("OwnerRemediated").filter(|it| it.status == ConditionStatus::False)?;
        // That it is about to be done is no trouble.
        let is_held =
            told.reason.contains("Cannot") || told.reason.contains("Deferred") || told.reason.contains("Failed");
        is_held.then(|| Trouble {
            unit,
            cause: told.reason.clone(),
            message: said(told),
            since: told.last_transition_time,
        })
    };
    rows(pool).filter_map(trouble).collect()
}

/// One insight for all machines of a pool with the same trouble.
fn grouped(world: &World<'_>, pool: &PoolView<'_>, troubles: &[Trouble<'_>], rule: Rule) -> Vec<Insight> {
    let mut groups: BTreeMap<&str, Vec<&Trouble<'_>>> = BTreeMap::new();
    for trouble in troubles {
        groups.entry(&trouble.cause).or_default().push(trouble);
    }
    groups.into_iter().map(|(reason, group)| tell(world, pool, rule, reason, &group)).collect()
}

fn tell(world: &World<'_>, pool: &PoolView<'_>, rule: Rule, reason: &str, group: &[&Trouble<'_>]) -> Insight {
    let (level, impact, what, reference) = match rule {
        Rule::MachineNotCreated => (Level::Error, Impact::UpdateStalled, "cannot be made", UPGRADES),
        Rule::RemediationBlocked => (Level::Warning, Impact::UpdateSpeed, "is not replaced", HEALTH_CHECKS),
        Rule::NodeUnavailable => (Level::Warning, Impact::UpdateSpeed, "is unavailable", HEALTH_CHECKS),
        _ => (Level::Error, Impact::UpdateStalled, "is degraded", HEALTH_CHECKS),
    };
    let first = group.first().map_or("", |trouble| trouble.message.as_str());
    let who = match group {
        [only] => format!("Machine {}", only.unit.name),
        several => format!("{} machines of {}", several.len(), pool.told.name),
    };
    let what = if group.len() > 1 { what.replacen("is ", "are ", 1) } else { what.to_owned() };
    let lines: Vec<String> =
        group.iter().map(|trouble| format!("{}: {}", trouble.unit.name, trouble.message)).collect();
    let mut resources: Vec<ResourceRef> = Vec::new();
    if rule == Rule::MachineNotCreated {
        resources.push(pool.reference());
    }
    resources.extend(group.iter().map(|trouble| objects::machine(world, &trouble.unit.name)));
    Insight {
        uid: format!("{}/{reason}", pool.told.name),
        since: group.iter().filter_map(|trouble| trouble.since).min(),
        summary: one_line(&format!("{who} {what}: {first}"), LINE),
        description: first_lines(&lines),
        reference: reference.into(),
        resources,
        ..draft(rule, level, impact, pool.told.scope)
    }
}

/// `H-DRAIN-BLOCKED`: a machine whose node has been emptied of pods for too long, with the pods and their budgets
/// where the workload cluster was seen, else in Cluster API's words.
fn drains(world: &World<'_>, pool: &PoolView<'_>) -> Vec<Insight> {
    let mut all = Vec::new();
    for (unit, machine) in rows(pool).filter(|(unit, _)| unit.phase == Phase::Draining) {
        let level = if world.is_past(unit.since, drain::ERROR) {
            Level::Error
        } else if world.is_past(unit.since, drain::GRACE) {
            Level::Warning
        } else {
            continue;
        };
        let node = machine.status.node_ref.as_ref().map(|node| node.name.as_str()).unwrap_or_default();
        let held: Vec<Held<'_>> = world.evictions.as_ref().map(|it| it.held(node)).unwrap_or_default();
        let told = machine.status.condition("Deleting").map(said).unwrap_or_default();
        let why = held.first().map_or_else(|| told.clone(), drain::sentence);
        let mut lines: Vec<String> = held.iter().map(|held| format!("{}.", drain::sentence(held))).collect();
        lines.push(told);
        lines.retain(|line| !line.is_empty());
        let mut resources = vec![objects::machine(world, &unit.name)];
        if !node.is_empty() {
            resources.push(node_ref(node));
        }
        resources.extend(drain::resources_of(&held));
        let impact = if level == Level::Error { Impact::UpdateStalled } else { Impact::UpdateSpeed };
        all.push(Insight {
            since: unit.since,
            summary: one_line(&format!("Machine {} is not drained: {why}", unit.name), LINE),
            description: lines.join("\n"),
            advice: drain::advice(&held),
            reference: reference::BUDGETS.into(),
            resources,
            ..draft(Rule::DrainBlocked, level, impact, pool.told.scope)
        });
    }
    all
}

/// `H-CERTIFICATE-EXPIRY`: an upgrade renews them, and one that waits does not.
fn expiring(world: &World<'_>, pool: &PoolView<'_>) -> Option<Insight> {
    let soon = |machine: &&Machine| {
        let end = machine.status.certificates_expiry_date;
        end.is_some_and(|end| crate::assess::span::between(end, world.now()) < EXPIRY)
    };
    let machines: Vec<&Machine> = pool.machines.iter().copied().filter(soon).collect();
    let first = machines.iter().filter_map(|machine| machine.status.certificates_expiry_date).min()?;
    let day = first.strftime("%Y-%m-%d");
    Some(Insight {
        summary: format!("Certificates of {} machines of {} end on {day}", machines.len(), pool.told.name),
        description: "They are made anew when the machine is replaced.".into(),
        reference: UPGRADES.into(),
        resources: machines.iter().map(|machine| objects::machine(world, &machine.metadata.name)).collect(),
        ..draft(Rule::CertificateExpiry, Level::Info, Impact::None, pool.told.scope)
    })
}
