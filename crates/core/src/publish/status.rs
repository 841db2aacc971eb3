//! The whole status: everything in its place, at the first level of the ladder at which it fits.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::gap::Gap;
use headway_api::insight::Insight as Finding;
use headway_api::report::{self, Pool, Truth, Unit};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::container::{ControlPlane, UnpooledNodes, WorkerPool};
use headway_api::update::insight::{ControlPlaneInsight, Informer, Insight, PoolInsight};
use headway_api::update::limit;
use headway_api::update::note;
use headway_api::update::status::Status;
use headway_api::update::word::{InsightType, Word};

use super::level::{HARD, Level, TARGET};
use super::text::{clip, is_subdomain, length, nodes, number, some};
use super::{
    Dropped, Published, Scene, Source, carry, cluster, health, node, pool, recall, shard, size, summary, word,
};
use crate::assess::by_pool;
use crate::group;
use crate::inform;

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
    control_plane: Vec<(&'r Pool, &'r [Unit])>,
    workers: Vec<(&'r Pool, &'r [Unit])>,
    unpooled: &'r [Unit],
    /// Pools of workers that are not told of.
    omitted: usize,
}

impl<'r> Chosen<'r> {
    fn new(scene: &Scene<'r>) -> Self {
        let (pools, unpooled) = by_pool(scene.report());
        let mut seen = BTreeSet::new();
        let total = pools.len();
        let (control_plane, mut workers): (Vec<_>, Vec<_>) = pools
            .into_iter()
            .filter(|(pool, _)| is_subdomain(&pool.name) && seen.insert(pool.name.as_str()))
            .partition(|(pool, _)| pool::is_control_plane(pool));
        if workers.len() > scene.caps.pools {
            let mut worst: Vec<usize> = (0..workers.len()).collect();
            worst.sort_by_key(|at| (pool::rank(workers[*at].0), *at));
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
    let names: Vec<&str> = chosen.workers.iter().map(|(pool, _)| pool.name.as_str()).collect();
    let homes = health::homes(report, &names);
    let findings = findings(scene, &homes, &mut dropped);
    let exceptional = exceptional(scene, &chosen, &mut dropped);

    let past = source.past.and_then(|past| past.control_plane.as_ref());
    let (control_plane, version) = control_plane(scene, &chosen, &findings, &exceptional, past, &mut dropped);
    let worker_pools: Vec<WorkerPool> = chosen
        .workers
        .iter()
        .map(|(pool, units)| worker_pool(scene, pool, units, &findings, &exceptional, &mut dropped))
        .collect();
    let unpooled_nodes = unpooled(scene, chosen.unpooled, &mut dropped);
    let (gaps, gaps_omitted) = gaps(scene);
    let hints: Vec<String> =
        report.hints.iter().take(scene.caps.notes / 2).map(|hint| clip(hint, scene.caps.note)).collect();
    dropped.notes = gaps_omitted + report.hints.len() - hints.len();
    let status = Status {
        observed_generation: source.writer.generation,
        conditions: conditions(scene, level, &dropped),
        observed: Some(summary::observed(scene, level)),
        summary: Some(summary::summary(scene, &version)),
        attention: health::attention(findings.iter().map(|(finding, home)| (*finding, *home))),
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
    for (_, units) in chosen.control_plane.iter().chain(&chosen.workers) {
        // The nodes of a pool are told worst first.
        let found: Vec<&Unit> = units.iter().filter(|unit| group::is_exceptional(unit, now)).collect();
        worth += found.len();
        let named = found.into_iter().filter(|unit| is_subdomain(&unit.name));
        all.extend(named.take(scene.caps.nodes_of_pool));
    }
    all.sort_by_key(|unit| unit.assessment);
    all.truncate(scene.caps.nodes);
    dropped.nodes = worth - all.len();
    all.into_iter().map(|unit| unit.name.as_str()).collect()
}

/// The body of an insight on the control plane of which one member is set.
fn body(kind: InsightType) -> ControlPlaneInsight {
    ControlPlaneInsight {
        kind: kind.into(),
        cluster_version: None,
        cluster_operator: None,
        machine_config_pool: None,
        node: None,
        health: None,
    }
}

type Findings<'f, 'r> = &'f [(&'r Finding, Option<&'r str>)];

fn control_plane<'r>(
    scene: &Scene<'r>,
    chosen: &Chosen<'r>,
    findings: Findings<'_, 'r>,
    exceptional: &BTreeSet<&str>,
    past: Option<&ControlPlane>,
    dropped: &mut Dropped,
) -> (ControlPlane, headway_api::update::cluster_version::ClusterVersionInsight) {
    let report = scene.report();
    let before = past.map_or(&[][..], |past| past.informers.as_slice());
    let known = |uid: &str| carry::find(before, uid).map(|known| &known.insight);
    let mut informers = Vec::new();

    let resource = cluster::resource(report);
    let uid = node::uid("cv", &resource.name);
    let version = cluster::version(scene, known(&uid).and_then(|known| known.cluster_version.as_deref()));
    let told =
        ControlPlaneInsight { cluster_version: Some(Box::new(version.clone())), ..body(InsightType::ClusterVersion) };
    informers.push(informer(scene, inform::Source::ClusterVersions, vec![carry::insight(scene, before, uid, told)]));

    let (operators, untold) = cluster::told_operators(scene);
    dropped.operators = untold;
    let operators = operators.into_iter().map(|component| {
        let uid = node::uid("co", &component.name);
        let was = known(&uid).and_then(|known| known.cluster_operator.as_deref());
        let told = cluster::operator(scene, component, was);
        let told = ControlPlaneInsight { cluster_operator: Some(Box::new(told)), ..body(InsightType::ClusterOperator) };
        carry::insight(scene, before, uid, told)
    });
    informers.push(informer(scene, inform::Source::ClusterOperators, operators.collect()));

    let mut pools = Vec::new();
    let mut nodes = Vec::new();
    let mut node_groups = Vec::new();
    for (of, units) in &chosen.control_plane {
        let uid = node::uid("mcp", &of.name);
        let told = pool::insight(scene, of, known(&uid).and_then(|known| known.machine_config_pool.as_deref()));
        let told =
            ControlPlaneInsight { machine_config_pool: Some(Box::new(told)), ..body(InsightType::MachineConfigPool) };
        pools.push(carry::insight(scene, before, uid, told));
        for unit in units.iter().filter(|unit| exceptional.contains(unit.name.as_str())) {
            let uid = node::uid("node", &unit.name);
            let told = node::insight(scene, unit, of, known(&uid).and_then(|known| known.node.as_deref()));
            let told = ControlPlaneInsight { node: Some(Box::new(told)), ..body(InsightType::Node) };
            nodes.push(carry::insight(scene, before, uid, told));
        }
        let place = pool::Place {
            pool: Some(&of.name),
            before: past.map_or(&[][..], |past| &past.node_groups),
            details: shard::first(report, Some(&of.name)),
        };
        node_groups.extend(pool::groups(scene, units, &place, dropped));
    }
    node_groups.truncate(length(limit::CONTROL_PLANE_GROUPS));
    pools.truncate(length(limit::INSIGHTS));
    nodes.truncate(length(limit::INSIGHTS));
    informers.push(informer(scene, inform::Source::MachineConfigPools, pools));
    informers.push(informer(scene, inform::Source::Nodes, nodes));

    let own = findings.iter().filter(|(_, home)| home.is_none()).map(|(finding, _)| {
        let was = known(&finding.uid).and_then(|known| known.health.as_deref());
        let told = Box::new(health::insight(scene, finding, was));
        let told = ControlPlaneInsight { health: Some(told), ..body(InsightType::Health) };
        carry::insight(scene, before, finding.uid.clone(), told)
    });
    informers.push(Informer { name: HEALTH.into(), state: None, insights: own.collect() });
    informers.retain(|informer| !informer.insights.is_empty());

    let conditions = past.map(|past| &past.conditions);
    let updating = summary::control_plane_updating(report);
    let told = ControlPlane {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, &updating, None, conditions),
            carry::condition(scene, kind::HEALTHY, &report.cluster.healthy, Some("cluster/Healthy"), conditions),
        ]),
        resource,
        pool_resource: chosen.control_plane.first().map(|(pool, _)| pool::resource(&pool.name)),
        operators: Some(cluster::operators(&report.cluster.operators)),
        informers,
        node_groups,
    };
    (told, version)
}

/// The informer of findings, which see through all others.
const HEALTH: &str = "health";

fn informer<Body>(scene: &Scene<'_>, source: inform::Source, insights: Vec<Insight<Body>>) -> Informer<Body> {
    let state = scene.source.writer.informers.iter().find(|informer| informer.source == source);
    let state = state.map(|informer| informer.state).filter(|state| *state != inform::InformerState::Synced);
    Informer { name: source.name().into(), state: state.map(|state| Word::Known(word::informer(state))), insights }
}

fn worker_pool<'r>(
    scene: &Scene<'r>,
    of: &Pool,
    units: &[Unit],
    findings: Findings<'_, 'r>,
    exceptional: &BTreeSet<&str>,
    dropped: &mut Dropped,
) -> WorkerPool {
    let past = scene.source.past.and_then(|past| past.worker_pools.iter().find(|past| past.name == of.name));
    let before = past.map_or(&[][..], |past| past.informers.as_slice());
    let known = |uid: &str| carry::find(before, uid).map(|known| &known.insight);
    let empty =
        |kind: InsightType| PoolInsight { kind: kind.into(), machine_config_pool: None, node: None, health: None };

    let uid = node::uid("mcp", &of.name);
    let told = pool::insight(scene, of, known(&uid).and_then(|known| known.machine_config_pool.as_deref()));
    let conditions = told.conditions.clone();
    let told = PoolInsight { machine_config_pool: Some(Box::new(told)), ..empty(InsightType::MachineConfigPool) };
    let pools = vec![carry::insight(scene, before, uid, told)];
    let nodes = units.iter().filter(|unit| exceptional.contains(unit.name.as_str())).map(|unit| {
        let uid = node::uid("node", &unit.name);
        let told = node::insight(scene, unit, of, known(&uid).and_then(|known| known.node.as_deref()));
        carry::insight(scene, before, uid, PoolInsight { node: Some(Box::new(told)), ..empty(InsightType::Node) })
    });
    let own = findings.iter().filter(|(_, home)| *home == Some(of.name.as_str())).map(|(finding, _)| {
        let was = known(&finding.uid).and_then(|known| known.health.as_deref());
        let told =
            PoolInsight { health: Some(Box::new(health::insight(scene, finding, was))), ..empty(InsightType::Health) };
        carry::insight(scene, before, finding.uid.clone(), told)
    });
    let mut informers = vec![
        informer(scene, inform::Source::MachineConfigPools, pools),
        informer(scene, inform::Source::Nodes, nodes.collect()),
        Informer { name: HEALTH.into(), state: None, insights: own.collect() },
    ];
    informers.retain(|informer| !informer.insights.is_empty());
    let place = pool::Place {
        pool: None,
        before: past.map_or(&[][..], |past| &past.node_groups),
        details: shard::first(scene.report(), Some(&of.name)),
    };
    WorkerPool {
        name: of.name.clone(),
        resource: pool::resource(&of.name),
        conditions,
        informers,
        node_groups: pool::groups(scene, units, &place, dropped),
    }
}

fn unpooled(scene: &Scene<'_>, units: &[Unit], dropped: &mut Dropped) -> Option<UnpooledNodes> {
    let past = scene.source.past.and_then(|past| past.unpooled_nodes.as_ref());
    let place = pool::Place {
        pool: None,
        before: past.map_or(&[][..], |past| &past.node_groups),
        details: shard::first(scene.report(), None),
    };
    let node_groups = pool::groups(scene, units, &place, dropped);
    (!units.is_empty()).then(|| UnpooledNodes { count: nodes(units.len()), node_groups })
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

fn conditions(scene: &Scene<'_>, level: Level, dropped: &Dropped) -> Conditions {
    let report = scene.report();
    let before = scene.source.past.map(|past| &past.conditions);
    let truncated = if level > Level::FULL {
        let what = [format!("{level} leaves out {}", level.meaning()), dropped.told()];
        let message = what.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(": ");
        (Truth::True, "SizeBudget", message)
    } else if *dropped != Dropped::default() {
        (Truth::True, "Limits", format!("there is no room for {}", dropped.told()))
    } else {
        (Truth::False, "Complete", String::new())
    };
    let (status, reason, message) = truncated;
    let truncated = report::Condition { status, reason: reason.into(), message, since: None };
    let writer = scene.source.writer;
    let all = [
        (kind::UPDATING, &summary::updating(report)),
        (kind::HEALTHY, &summary::healthy(report)),
        (kind::AVAILABLE, &writer.available),
        (kind::DEGRADED, &writer.degraded),
        (kind::TRUNCATED, &truncated),
    ];
    all.into_iter()
        .map(|(kind, told)| {
            let condition = carry::condition(scene, kind, told, None, before);
            headway_api::update::condition::Condition {
                observed_generation: Some(writer.generation).filter(|generation| *generation >= 0),
                ..condition
            }
        })
        .collect()
}
