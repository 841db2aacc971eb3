//! The whole status: everything in its place, at the first level of the ladder at which it fits.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::gap::Gap;
use headway_api::insight::Insight as Finding;
use headway_api::report::{self, Unit};
use headway_api::update::limit;
use headway_api::update::note;
use headway_api::update::reference::ResourceRef;
use headway_api::update::status::Status;
use headway_api::update::word::Word;

use super::level::{HARD, Level, TARGET};
use super::parts::{self, Beside, Told};
use super::text::{clip, is_subdomain, length, number, some};
use super::{Dropped, Published, Scene, Source, condition, health, place, pool, recall, size, summary, word};
use crate::assess::by_pool;
use crate::group;

/// A report as a status that its store takes.
///
/// `floor` is the least that is left out: a level that the API server refused is not tried again. The ladder is also
/// not climbed back before the object would be well below its limit.
#[must_use]
pub fn status(source: Source<'_>, floor: Level) -> Published {
    let before = source.past.and_then(|past| past.observed.as_ref()).and_then(|observed| observed.truncation_level);
    let before = Level::new(before.unwrap_or(0));
    let mut level = floor;
    loop {
        let most = if level < before { TARGET } else { HARD };
        let next = level.next();
        // What is surely too large is not even made.
        if let Some(next) = next
            && size::at_least(source.report, level) > most
        {
            level = next;
            continue;
        }
        let scene = Scene { source, caps: level.caps() };
        let (status, dropped) = render(&scene, level);
        let bytes = size::object_size(&status);
        match next {
            Some(next) if bytes > most => level = next,
            Some(_) | None => return Published { status, level, dropped, bytes },
        }
    }
}

/// How large the object would be at a level, whether or not it would be written so.
#[must_use]
pub fn size_at(source: Source<'_>, level: Level) -> usize {
    let scene = Scene { source, caps: level.caps() };
    size::object_size(&render(&scene, level).0)
}

/// Whether two statuses say different things: the moment of looking alone is none.
#[must_use]
pub fn differs(one: &Status, other: &Status) -> bool {
    let mut other = other.clone();
    if let (Some(observed), Some(same)) = (&one.observed, &mut other.observed) {
        same.at = observed.at;
    }
    *one != other
}

/// The pools and their nodes that are told of.
struct Chosen<'r> {
    control_plane: Vec<Told<'r>>,
    workers: Vec<Told<'r>>,
    unpooled: &'r [Unit],
    /// Pools of workers that are not told of.
    omitted: usize,
}

impl<'r> Chosen<'r> {
    fn new(scene: &Scene<'r>) -> Self {
        let report = scene.report();
        let (pools, unpooled) = by_pool(report);
        let mut seen = BTreeSet::new();
        let total = pools.len();
        let told = pools.into_iter().filter_map(|(pool, units)| {
            let resource = place::pool(report, pool)?;
            // A control plane may have the name of a pool of workers, and two pools of workers may not have one name.
            seen.insert((pool::is_control_plane(pool), pool.name.as_str())).then_some(Told { pool, resource, units })
        });
        let (control_plane, mut workers): (Vec<_>, Vec<_>) = told.partition(|told| pool::is_control_plane(told.pool));
        if workers.len() > scene.caps.pools {
            let mut worst: Vec<usize> = (0..workers.len()).collect();
            worst.sort_by_key(|at| (pool::rank(workers[*at].pool), *at));
            let kept: BTreeSet<usize> = worst.into_iter().take(scene.caps.pools).collect();
            let mut at = 0;
            workers.retain(|_| {
                at += 1;
                kept.contains(&(at - 1))
            });
        }
        let omitted = total - control_plane.len() - workers.len();
        Self { control_plane, workers, unpooled, omitted }
    }
}

fn render(scene: &Scene<'_>, level: Level) -> (Status, Dropped) {
    let report = scene.report();
    let source = scene.source;
    let chosen = Chosen::new(scene);
    let mut dropped = Dropped { pools: chosen.omitted, ..Dropped::default() };
    let pools: Vec<(&str, &ResourceRef)> =
        chosen.workers.iter().map(|told| (told.pool.name.as_str(), &told.resource)).collect();
    let homes = health::homes(report, &pools);
    let findings = findings(scene, &homes, &mut dropped);
    let exceptional = exceptional(scene, &chosen, &mut dropped);
    let beside = Beside { findings: &findings, exceptional: &exceptional };

    let (control_plane, version) = parts::control_plane(scene, &chosen.control_plane, &beside, &mut dropped);
    let worker_pools =
        chosen.workers.iter().map(|told| parts::worker_pool(scene, told, &beside, &mut dropped)).collect();
    let unpooled_nodes = parts::unpooled(scene, chosen.unpooled, &mut dropped);
    let (gaps, gaps_omitted) = gaps(scene);
    let hints: Vec<String> =
        report.hints.iter().take(scene.caps.notes / 2).map(|hint| clip(hint, scene.caps.note)).collect();
    dropped.notes = gaps_omitted + report.hints.len() - hints.len();
    let status = Status {
        observed_generation: source.writer.generation,
        conditions: condition::conditions(scene, level, &dropped),
        observed: Some(summary::observed(scene, level)),
        summary: Some(summary::summary(scene, &version)),
        attention: health::attention(findings.iter().map(|(finding, home)| (*finding, *home))),
        waiting_on: waiting_on(scene),
        control_plane: Some(control_plane),
        worker_pools,
        worker_pools_omitted: (chosen.omitted > 0).then(|| number(chosen.omitted)),
        unpooled_nodes,
        hints,
        gaps,
        gaps_omitted: (gaps_omitted > 0).then(|| number(gaps_omitted)),
        alerts: Some(note::Alerts {
            available: report.alerts.available,
            message: some(&report.alerts.message, scene.caps.note),
        }),
        memory: recall::written(scene),
    };
    (status, dropped)
}

/// The findings that are told of, with the pool below which each stands.
fn findings<'r>(
    scene: &Scene<'r>,
    homes: &[Option<&'r str>],
    dropped: &mut Dropped,
) -> Vec<(&'r Finding, Option<&'r str>)> {
    let mut room: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let all = scene.report().insights.iter().zip(homes.iter().copied());
    let told: Vec<(&Finding, Option<&str>)> = all
        .filter(|(_, home)| {
            let used = room.entry(*home).or_default();
            *used += 1;
            *used <= length(limit::INSIGHTS)
        })
        .take(scene.caps.health)
        .collect();
    dropped.health = scene.report().insights.len() - told.len();
    told
}

/// The nodes that get an insight of their own, by name: the worst of each pool, then the worst of all.
fn exceptional<'r>(scene: &Scene<'r>, chosen: &Chosen<'r>, dropped: &mut Dropped) -> BTreeSet<&'r str> {
    let now = scene.now();
    let mut all: Vec<&Unit> = Vec::new();
    let mut worth = 0;
    for told in chosen.control_plane.iter().chain(&chosen.workers) {
        // The nodes of a pool are told worst first.
        let found: Vec<&Unit> = told.units.iter().filter(|unit| group::is_exceptional(unit, now)).collect();
        worth += found.len();
        let named = found.into_iter().filter(|unit| is_subdomain(&unit.name));
        all.extend(named.take(scene.caps.nodes_of_pool));
    }
    all.sort_by_key(|unit| unit.assessment);
    all.truncate(scene.caps.nodes);
    dropped.nodes = worth - all.len();
    all.into_iter().map(|unit| unit.name.as_str()).collect()
}

/// On what the update waits, the gravest first.
fn waiting_on(scene: &Scene<'_>) -> Vec<note::WaitingOn> {
    let told = scene.report().waiting_on.iter().filter(|waiting| !waiting.what.is_empty());
    told.take(scene.caps.notes.min(length(limit::WAITS)))
        .map(|report::WaitingOn { what, message, since }| note::WaitingOn {
            what: clip(what, length(limit::WAIT)),
            message: clip(message, scene.caps.note),
            since: *since,
        })
        .collect()
}

/// The gaps that are told of, the serious ones rather than others, and how many are not.
fn gaps(scene: &Scene<'_>) -> (Vec<note::Gap>, usize) {
    let all = &scene.report().gaps;
    let mut kept: Vec<usize> = (0..all.len()).collect();
    kept.sort_by_key(|at| (!all[*at].kind.is_serious(), *at));
    kept.truncate(scene.caps.notes);
    kept.sort_unstable();
    let most = scene.caps.note;
    let told: Vec<note::Gap> = kept
        .into_iter()
        .map(|at| {
            let Gap { kind, place, object, field, message } = &all[at];
            note::Gap {
                kind: Word::Known(word::gap(*kind)),
                place: some(place, most),
                object: some(object, most),
                field: some(field, most),
                message: clip(message, most),
            }
        })
        .collect();
    let omitted = all.len() - told.len();
    (told, omitted)
}
