//! Memory in our own objects: written with them, and read back after a restart.
//!
//! Most of it is what the objects tell anyway: since when an insight is there, when a node entered its phase. What
//! nobody would look for stands in `status.memory`.

use std::collections::BTreeMap;

use headway_api::report;
use headway_api::update::condition::{Condition, Conditions, kind};
use headway_api::update::container::{ControlPlane, WorkerPool};
use headway_api::update::health::HealthInsight;
use headway_api::update::limit;
use headway_api::update::memory::{self as written, Resolved};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::word::{CountOf, Word};
use jiff::Timestamp;

use super::text::{clip, is_label, length, number, object, reason};
use super::{Scene, word};
use crate::memory::{ConditionKnown, Gone, Known, Memory, NodeKnown, Progress, Subject};

/// What has to be remembered beside what the status tells.
pub(super) fn written(scene: &Scene<'_>) -> Option<written::Memory> {
    let memory = scene.source.memory;
    let mut resolved: Vec<Resolved> = memory.gone.iter().filter(|(uid, _)| is_uid(uid)).map(gone).collect();
    // Those that went last have the longest time to return.
    resolved.sort_by(|a, b| b.resolved_at.cmp(&a.resolved_at).then_with(|| a.uid.cmp(&b.uid)));
    resolved.truncate(length(limit::RESOLVED).min(scene.caps.transitions));
    let told = written::Memory {
        resolved,
        transitions: transitions(scene),
        progress: memory.progress.as_ref().filter(|progress| !progress.target.is_empty()).map(|progress| {
            written::Progress {
                target: clip(&progress.target, length(limit::VERSION)),
                updated: number(progress.updated),
                at: progress.at,
            }
        }),
        contradiction_since: memory.contradiction_since,
        updating_before: memory
            .contradiction_since
            .and(memory.updating.as_ref())
            .map(|updating| condition(scene, updating)),
    };
    (told != written::Memory::default()).then_some(told)
}

fn is_uid(uid: &str) -> bool {
    uid.len() <= length(limit::UID) && is_label(uid)
}

fn gone((uid, gone): (&String, &Gone)) -> Resolved {
    let Known { first_observed_at, since, occurrences } = gone.known;
    Resolved { uid: uid.clone(), resolved_at: gone.at, first_observed_at, since, occurrences }
}

/// The conditions that changed most. A single change is what the source itself still tells, and a node that restarts
/// for the update changes twice.
fn transitions(scene: &Scene<'_>) -> Vec<written::Transitions> {
    let changes = scene.source.memory.changes.iter();
    let mut all: Vec<written::Transitions> = changes
        .filter_map(|(subject, times)| {
            let (resource, condition, least) = match subject {
                Subject::Operator { name, condition } => {
                    (("config.openshift.io", "clusteroperators", name), Some(condition.clone()), 2)
                }
                Subject::Node { name } => (("", "nodes", name), None, 3),
            };
            let (group, resource, name) = resource;
            let fits = times.len() >= least && super::text::is_subdomain(name);
            fits.then(|| {
                let newest = times.len().saturating_sub(length(limit::TIMES));
                let times = times.iter().skip(newest).copied().collect();
                written::Transitions { resource: object(group, resource, name), condition, times }
            })
        })
        .collect();
    all.sort_by(|a, b| b.times.len().cmp(&a.times.len()).then_with(|| a.resource.cmp(&b.resource)));
    all.truncate(scene.caps.transitions);
    all
}

fn condition(scene: &Scene<'_>, updating: &report::Condition) -> Condition {
    Condition {
        kind: kind::UPDATING.into(),
        status: Word::Known(word::truth(updating.status)),
        observed_generation: None,
        last_transition_time: updating.since.unwrap_or(scene.now()),
        reason: reason(&updating.reason),
        message: clip(&updating.message, scene.caps.message),
    }
}

/// What the objects that were written remember. Without a status nothing was observed before.
#[must_use]
pub fn recall<'s>(status: Option<&Status>, shards: impl IntoIterator<Item = &'s PoolNodes>) -> Memory {
    let mut memory = Memory::default();
    let Some(status) = status else {
        return memory;
    };
    memory.looked_at = status.observed.as_ref().map(|observed| observed.at);
    if let Some(told) = &status.control_plane {
        for insight in told.insights() {
            let body = &insight.insight;
            if let Some(version) = body.whole() {
                conditions(&mut memory, "cluster", &version.conditions);
                memory.updating = version.conditions.of(kind::UPDATING).and_then(updating);
            }
            if let Some(operator) = body.component() {
                conditions(&mut memory, &format!("component/{}", operator.name), &operator.conditions);
            }
            if let Some(pool) = body.pool() {
                conditions(&mut memory, &format!("pool/{}", pool.name), &pool.conditions);
            }
        }
    }
    for insight in status.worker_pools.iter().flat_map(WorkerPool::insights) {
        if let Some(pool) = insight.insight.pool() {
            conditions(&mut memory, &format!("pool/{}", pool.name), &pool.conditions);
        }
    }
    for (uid, told) in status.findings() {
        memory.insights.insert(uid.to_owned(), finding(told));
    }
    let mut written = BTreeMap::<&str, usize>::new();
    for shard in shards {
        rows(&mut memory, shard);
        *written.entry(shard.pool.as_deref().unwrap_or_default()).or_default() += shard.nodes.len();
    }
    let is_written = |(pool, nodes): (&str, usize)| written.get(pool).copied().unwrap_or_default() >= nodes;
    memory.nodes_at = memory.looked_at.filter(|_| pools(status).all(is_written));
    if let Some(told) = &status.memory {
        beside(&mut memory, told);
    }
    memory
}

/// The pools that the status tells of, each with the number of its nodes; those of no pool have no name.
fn pools(status: &Status) -> impl Iterator<Item = (&str, usize)> {
    let own = status.control_plane.iter().flat_map(ControlPlane::insights);
    let own = own.filter_map(|insight| insight.insight.pool());
    let workers = status.worker_pools.iter().flat_map(WorkerPool::insights);
    let workers = workers.filter_map(|insight| insight.insight.pool());
    let pools = own.chain(workers).map(|pool| {
        let total = pool.summaries.iter().find(|one| one.kind == CountOf::Total);
        (pool.name.as_str(), total.map_or(0, |total| total.count as usize))
    });
    pools.chain(status.unpooled_nodes.iter().map(|unpooled| ("", unpooled.count as usize)))
}

fn conditions(memory: &mut Memory, of: &str, told: &Conditions) {
    for condition in told.iter() {
        let Some(status) = condition.status.known().and_then(|status| word::truth_back(*status)) else {
            continue;
        };
        let known = ConditionKnown { status, reason: condition.reason.clone(), since: condition.last_transition_time };
        memory.conditions.insert(format!("{of}/{}", condition.kind), known);
    }
}

fn updating(told: &Condition) -> Option<report::Condition> {
    let status = word::truth_back(*told.status.known()?)?;
    Some(report::Condition {
        status,
        reason: told.reason.clone(),
        message: told.message.clone(),
        since: Some(told.last_transition_time),
    })
}

fn finding(told: &HealthInsight) -> Known {
    Known {
        first_observed_at: told.first_observed_at.unwrap_or(told.started_at),
        since: told.since,
        occurrences: told.occurrences.unwrap_or(1),
    }
}

fn rows(memory: &mut Memory, shard: &PoolNodes) {
    let suffix = shard.name_suffix.as_deref().unwrap_or_default();
    let written = shard.observed.as_ref().map(|observed| observed.at);
    for row in &shard.nodes {
        let Some(phase) = row.phase.known().and_then(|phase| word::phase_back(*phase)) else {
            continue;
        };
        // A row without a time of its own was there when its shard was first written so.
        let Some(first_seen) = row.first_seen.or(row.since).or(written) else {
            continue;
        };
        let seen = |trouble: &Option<headway_api::update::node::Trouble>| -> Option<Timestamp> {
            trouble.as_ref().and_then(|trouble| trouble.since.or(trouble.first_seen))
        };
        let known = NodeKnown {
            phase,
            since: row.since,
            first_seen,
            unavailable_since: seen(&row.unavailable),
            degraded_since: seen(&row.degraded),
        };
        memory.nodes.insert(format!("{}{suffix}", row.name), known);
    }
}

fn beside(memory: &mut Memory, told: &written::Memory) {
    memory.gone = told
        .resolved
        .iter()
        .map(|resolved| {
            let Resolved { uid, resolved_at, first_observed_at, since, occurrences } = resolved;
            let known = Known { first_observed_at: *first_observed_at, since: *since, occurrences: *occurrences };
            (uid.clone(), Gone { at: *resolved_at, known })
        })
        .collect();
    memory.changes = told.transitions.iter().filter_map(subject).collect::<BTreeMap<_, _>>();
    memory.progress = told.progress.as_ref().map(|progress| Progress {
        target: progress.target.clone(),
        updated: progress.updated as usize,
        at: progress.at,
    });
    memory.contradiction_since = told.contradiction_since;
    if let Some(before) = &told.updating_before {
        memory.updating = updating(before);
    } else if told.contradiction_since.is_some() {
        memory.updating = None;
    }
}

fn subject(told: &written::Transitions) -> Option<(Subject, Vec<Timestamp>)> {
    let name = told.resource.name.clone();
    let subject = match (told.resource.resource.as_str(), &told.condition) {
        ("clusteroperators", Some(condition)) => Subject::Operator { name, condition: condition.clone() },
        ("nodes", None) => Subject::Node { name },
        _ => return None,
    };
    Some((subject, told.times.clone()))
}
