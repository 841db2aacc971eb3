//! Nodes: from the details of the pools where they are there, else from the groups.

use std::collections::BTreeMap;

use headway_api::gap::GapKind;
use headway_api::report::{Blocker, Condition, Phase, Pool, Remaining, Truth, Unit, UnitAssessment};
use headway_api::update::group::NodeGroup;
use headway_api::update::node::{NodeRow, Trouble};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::word::{self as words, Word};

use super::super::node::ends_with_nothing;
use super::super::place::MACHINE;
use super::super::word;
use super::Reader;
use crate::assess::unit_order;
use crate::group::AS_EXPECTED;

impl Reader<'_> {
    /// All nodes: pool by pool, then those of no pool; worst first within each.
    pub(super) fn units(&mut self, status: &Status, pools: &[Pool], shards: &[&PoolNodes]) -> Vec<Unit> {
        let mut all = Vec::new();
        let mut homes: Vec<Option<&Pool>> = pools.iter().map(Some).collect();
        homes.push(None);
        for pool in homes {
            let name = pool.map(|pool| pool.name.as_str());
            let of_pool: Vec<&&PoolNodes> = shards.iter().filter(|shard| shard.pool.as_deref() == name).collect();
            let groups = groups(status, name);
            let expected = match pool {
                // Whoever knew the number of nodes and no node left none out.
                Some(_) if of_pool.is_empty() && groups.is_empty() => 0,
                Some(pool) => pool.counts.total,
                None => status.unpooled_nodes.as_ref().map_or(0, |nodes| nodes.count as usize),
            };
            let mut units = if of_pool.is_empty() {
                self.of_groups(name, &groups)
            } else {
                let rows = of_pool.iter().flat_map(|shard| shard.nodes.iter().map(move |row| (row, **shard)));
                rows.map(|(row, shard)| self.of_row(name, row, shard)).collect()
            };
            self.compare_counts(name, expected, units.len(), !of_pool.is_empty());
            units.sort_by(unit_order);
            all.append(&mut units);
        }
        all
    }

    fn compare_counts(&mut self, pool: Option<&str>, expected: usize, seen: usize, with_details: bool) {
        if expected == seen {
            return;
        }
        let place = pool.map_or("no pool".to_owned(), |pool| format!("pool {pool}"));
        let message = if with_details {
            format!(
                "{expected} nodes are counted in {place}, and its details list {seen}: they were written at different moments"
            )
        } else {
            format!("{expected} nodes are counted in {place}, and {seen} of them are named; there are no details of it")
        };
        let gap = self.remark(GapKind::Optional, message);
        self.strange.push(gap);
    }

    fn phase(&mut self, field: &str, told: &Word<words::Phase>) -> (Phase, String) {
        match self.word(field, told, word::phase_back) {
            Some(phase) => (phase, String::new()),
            // It is neither done nor known to be on its way.
            None => (Phase::Pending, format!("its phase is {told}, which this version of headway does not know")),
        }
    }

    fn of_row(&mut self, pool: Option<&str>, row: &NodeRow, shard: &PoolNodes) -> Unit {
        let suffix = shard.name_suffix.as_deref().unwrap_or_default();
        let name = format!("{}{suffix}", row.name);
        let (phase, strange) = self.phase(&format!("Node {name}.phase"), &row.phase);
        let message = row.message.clone().unwrap_or(strange);
        let trouble = |trouble: &Option<Trouble>, good: Truth, bad: Truth| match trouble {
            None => as_expected(good),
            Some(Trouble { reason, since, first_seen: _ }) => {
                Condition { status: bad, reason: reason.clone(), message: message.clone(), since: *since }
            }
        };
        let available = trouble(&row.unavailable, Truth::True, Truth::False);
        let degraded = trouble(&row.degraded, Truth::False, Truth::True);
        let known = |config: &Option<String>| config.clone().filter(|config| !config.is_empty());
        let current_config = match &row.current_config {
            Some(_) => known(&row.current_config),
            None => shard.configuration.clone(),
        };
        let desired_config = match &row.desired_config {
            Some(_) => known(&row.desired_config),
            None => current_config.clone(),
        };
        Unit {
            name,
            kind: "Node",
            node: None,
            pool: pool.map(str::to_owned),
            assessment: UnitAssessment::of(phase, available.status, degraded.status),
            phase,
            version: row.version.clone(),
            updated: phase == Phase::Updated,
            since: row.since,
            remaining: match row.minutes {
                Some(0) => Remaining::Nothing,
                Some(minutes) => Remaining::Minutes(minutes),
                None if ends_with_nothing(phase) => Remaining::Nothing,
                None => Remaining::Unknown,
            },
            available,
            in_service: !row.out_of_service,
            degraded,
            message,
            current_config,
            desired_config,
            blocked_by: row
                .blocked_by
                .iter()
                .map(|told| Blocker {
                    namespace: told.namespace.clone(),
                    pod: told.pod.clone(),
                    budget: told.budget.clone(),
                })
                .collect(),
        }
    }

    fn of_groups(&mut self, pool: Option<&str>, groups: &[&NodeGroup]) -> Vec<Unit> {
        let mut units = BTreeMap::new();
        for group in groups {
            let field = format!("nodeGroups[{}].phase", group.key);
            let (phase, strange) = self.phase(&field, &group.phase);
            let message = group.message.clone().unwrap_or(strange);
            let condition = |told: &Word<words::Truth>, good: Truth| {
                let status = told.known().and_then(|told| word::truth_back(*told)).unwrap_or(Truth::Unknown);
                if status == good {
                    return as_expected(good);
                }
                Condition { status, reason: group.reason.clone(), message: message.clone(), since: None }
            };
            let available = condition(&group.available, Truth::True);
            let degraded = condition(&group.degraded, Truth::False);
            let kind = match &group.kind {
                Some(kind) if *kind == words::UnitKind::Machine => MACHINE,
                Some(_) | None => "Node",
            };
            let suffix = group.name_suffix.as_deref().unwrap_or_default();
            for name in &group.node_names {
                let name = format!("{name}{suffix}");
                let unit = Unit {
                    name: name.clone(),
                    kind,
                    node: None,
                    pool: pool.map(str::to_owned),
                    assessment: UnitAssessment::of(phase, available.status, degraded.status),
                    phase,
                    version: group.version.clone(),
                    updated: phase == Phase::Updated,
                    since: None,
                    remaining: if ends_with_nothing(phase) { Remaining::Nothing } else { Remaining::Unknown },
                    available: available.clone(),
                    in_service: available.status == Truth::True,
                    degraded: degraded.clone(),
                    message: message.clone(),
                    current_config: None,
                    desired_config: None,
                    blocked_by: Vec::new(),
                };
                units.insert(name, unit);
            }
        }
        units.into_values().collect()
    }
}

/// The groups of a pool, wherever it stands.
fn groups<'s>(status: &'s Status, pool: Option<&str>) -> Vec<&'s NodeGroup> {
    let Some(pool) = pool else {
        return status.unpooled_nodes.iter().flat_map(|nodes| &nodes.node_groups).collect();
    };
    let own = status.control_plane.iter().flat_map(|told| &told.node_groups);
    let own = own.filter(|group| group.pool.as_deref() == Some(pool));
    let workers = status.worker_pools.iter().filter(|told| told.name == pool).flat_map(|told| &told.node_groups);
    own.chain(workers).collect()
}

fn as_expected(status: Truth) -> Condition {
    Condition { status, reason: AS_EXPECTED.into(), message: String::new(), since: None }
}
