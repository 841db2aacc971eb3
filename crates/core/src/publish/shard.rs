//! The details of pools: every node with its times, a thousand to an object.

use std::collections::BTreeSet;

use headway_api::report::{self, Pool, Report, Truth, Unit};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::limit;
use headway_api::update::reference::ResourceRef;
use headway_api::update::shard::PoolNodes;
use headway_api::update::word::Word;
use headway_api::update::{GROUP, SINGLETON};
use sha2::{Digest, Sha256};

use super::level::{HARD, Level};
use super::node::{self, RowCaps};
use super::place::Seen;
use super::text::{is_subdomain, length, nodes, number, object, some};
use super::{Scene, Source, carry, size, summary, word};
use crate::assess::by_pool;
use crate::group;

/// A shard, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// The name of its object: the pool's and a number, the first being 0.
    pub name: String,
    /// Its status.
    pub status: PoolNodes,
}

/// The details of all pools, and of the nodes of no pool. `past` are the statuses as they were last written, by name.
#[must_use]
pub fn shards<'p>(source: Source<'_>, past: impl Fn(&str) -> Option<&'p PoolNodes>) -> Vec<Shard> {
    let scene = Scene { source, caps: Level::FULL.caps() };
    let (pools, unpooled) = by_pool(source.report);
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    for (pool, units) in pools {
        if is_subdomain(&pool.name) && seen.insert(&pool.name) {
            all.extend(of_pool(&scene, Some(pool), units, &past));
        }
    }
    all.extend(of_pool(&scene, None, unpooled, &past));
    all
}

fn of_pool<'p>(
    scene: &Scene<'_>,
    pool: Option<&Pool>,
    units: &[Unit],
    past: &impl Fn(&str) -> Option<&'p PoolNodes>,
) -> Vec<Shard> {
    // By name, so that a node stays in its shard whatever happens to it. A name that the API cannot hold is in none.
    let fits = |unit: &&Unit| !unit.name.is_empty() && unit.name.chars().count() <= length(limit::NAME);
    let mut sorted: Vec<&Unit> = units.iter().filter(fits).collect();
    sorted.sort_by(|a, b| group::compare(&a.name, &b.name));
    let base = base(scene.report(), pool.map(|pool| pool.name.as_str()));
    let chunks: Vec<&[&Unit]> = sorted.chunks(length(limit::SHARD_NODES)).collect();
    let count = chunks.len();
    let shard = |(at, chunk): (usize, &&[&Unit])| {
        let name = format!("{base}-{at}");
        let status = fit(scene, pool, chunk, (at, count), units.len(), past(&name));
        Shard { name, status }
    };
    chunks.iter().enumerate().map(shard).collect()
}

/// How far a shard is cut, step by step, until it fits. With the last step a thousand rows of the longest names fit.
const LADDER: [RowCaps; 4] = [
    RowCaps { message: 1_024, blockers: 16, configuration: 253 },
    RowCaps { message: 256, blockers: 4, configuration: 253 },
    RowCaps { message: 64, blockers: 1, configuration: 64 },
    RowCaps { message: 0, blockers: 0, configuration: 0 },
];

fn fit(
    scene: &Scene<'_>,
    pool: Option<&Pool>,
    units: &[&Unit],
    (at, count): (usize, usize),
    total: usize,
    past: Option<&PoolNodes>,
) -> PoolNodes {
    let names = units.iter().map(|unit| unit.name.as_str());
    let suffix = group::shared_suffix(names);
    let configuration = pool.map(|pool| pool.configuration.as_str()).filter(|told| !told.is_empty());
    let configuration = configuration.filter(|told| told.chars().count() <= length(limit::NAME));
    let make = |step: usize, caps: RowCaps| {
        let cut = report::Condition {
            status: if step == 0 { Truth::False } else { Truth::True },
            reason: if step == 0 { "Complete" } else { "SizeBudget" }.into(),
            message: if step == 0 { String::new() } else { "messages and configurations were cut".into() },
            since: None,
        };
        let mut status = PoolNodes {
            observed_generation: scene.source.writer.generation,
            conditions: Conditions(vec![carry::condition(
                scene,
                kind::TRUNCATED,
                &cut,
                None,
                past.map(|past| &past.conditions),
            )]),
            observed: Some(summary::observed(scene, Level::FULL)),
            pool: pool.map(|pool| pool.name.clone()),
            scope_type: pool.map(|pool| Word::Known(word::scope(pool.scope))),
            shard: number(at),
            shards: number(count),
            total: nodes(total),
            configuration: some(configuration.unwrap_or_default(), length(limit::NAME)),
            name_suffix: suffix.map(str::to_owned),
            nodes: units.iter().map(|unit| node::row(scene, unit, configuration, suffix, caps)).collect(),
        };
        // A shard that says the same was made when it was first said.
        if let Some(past) = past
            && same(past, &status)
        {
            status.observed.clone_from(&past.observed);
        }
        status
    };
    let mut status = make(0, LADDER[0]);
    let mut steps = LADDER.into_iter().enumerate().skip(1);
    while size::json_size(&status) + MARGIN > HARD {
        match steps.next() {
            Some((step, caps)) => status = make(step, caps),
            None => break,
        }
    }
    status
}

/// The envelope of a shard, and the record of who owns its handful of fields.
const MARGIN: usize = 4_096;

fn same(past: &PoolNodes, fresh: &PoolNodes) -> bool {
    let timeless = |status: &PoolNodes| PoolNodes { observed: None, ..status.clone() };
    timeless(past) == timeless(fresh)
}

/// The first shard of a pool, as what a group of nodes points at.
pub(super) fn first(report: &Report, pool: Option<&str>) -> Option<ResourceRef> {
    // Of the clusters of a fleet there are no details.
    if Seen::of(report) != Seen::Within {
        return None;
    }
    let name = format!("{}-0", base(report, pool));
    is_subdomain(&name).then(|| object(GROUP, "poolupdatestatuses", &name))
}

/// What the names of a pool's shards begin with.
fn base(report: &Report, pool: Option<&str>) -> String {
    match pool {
        Some(pool) if pool.len() <= LONGEST => pool.to_owned(),
        Some(pool) => {
            let digest: String = Sha256::digest(pool).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            let start: String = pool.chars().take(LONGEST - 17).collect();
            format!("{}-{digest}", start.trim_end_matches(['.', '-']))
        }
        None => {
            // No pool is called so, unless somebody wants to know: then we are called otherwise.
            let mut base = format!("{SINGLETON}-no-pool");
            while report.pools.iter().any(|pool| pool.name == base) {
                base.push_str("-x");
            }
            base
        }
    }
}

/// A longer name leaves no room for the number of a shard.
const LONGEST: usize = 240;
