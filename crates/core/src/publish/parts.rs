//! The parts of a status that have insights: the control plane, and each pool of workers.

use std::collections::BTreeSet;

use headway_api::insight::Insight as Finding;
use headway_api::report::{Pool, Unit};
use headway_api::update::cluster_version::ClusterVersionInsight;
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::container::{ControlPlane, UnpooledNodes, WorkerPool};
use headway_api::update::insight::{ControlPlaneInsight, Informer, Insight, PoolInsight};
use headway_api::update::limit;
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::Word;

use super::text::{length, nodes};
use super::{Dropped, Scene, carry, cluster, health, node, place, pool, shard, summary, word};
use crate::inform::InformerState;

/// A pool that is told of, its object, and its nodes.
#[derive(Clone)]
pub(super) struct Told<'r> {
    pub(super) pool: &'r Pool,
    pub(super) resource: ResourceRef,
    pub(super) units: &'r [Unit],
}

/// What is told beside the pools themselves.
pub(super) struct Beside<'f, 'r> {
    /// The findings, each with the pool below which it stands.
    pub(super) findings: &'f [(&'r Finding, Option<&'r str>)],
    /// The nodes that get an insight of their own.
    pub(super) exceptional: &'f BTreeSet<&'r str>,
}

impl<'f, 'r> Beside<'f, 'r> {
    fn findings_of<'h>(&'h self, home: Option<&'h str>) -> impl Iterator<Item = &'r Finding> + 'h
    where
        'f: 'h,
        'r: 'h,
    {
        self.findings.iter().filter(move |(_, at)| *at == home).map(|(finding, _)| *finding)
    }
}

/// The control plane, and what is told of it as a whole.
pub(super) fn control_plane(
    scene: &Scene<'_>,
    pools: &[Told<'_>],
    beside: &Beside<'_, '_>,
    dropped: &mut Dropped,
) -> (ControlPlane, ClusterVersionInsight) {
    let report = scene.report();
    let past = scene.source.past.and_then(|past| past.control_plane.as_ref());
    let before = past.map_or(&[][..], |past| past.informers.as_slice());
    let known = |uid: &str| carry::find(before, uid).map(|known| &known.insight);
    let mut informers = Informers { scene, before, all: Vec::new() };

    let resource = place::cluster(report);
    let uid = node::uid(place::sign(Some(&resource)), &resource.name);
    let version = cluster::version(scene, &resource, known(&uid).and_then(ControlPlaneInsight::whole));
    informers.add(&resource.resource, uid, version.clone().into());

    let (components, untold) = cluster::told_operators(scene);
    dropped.operators = untold;
    for component in components {
        let object = place::component(report, component);
        let uid = node::uid(place::sign(object.as_ref()), &component.name);
        let informer = place::informer(object.as_ref()).to_owned();
        let told = cluster::operator(scene, component, object, known(&uid).and_then(ControlPlaneInsight::component));
        informers.add(&informer, uid, told.into());
    }

    let mut node_groups = Vec::new();
    for told in pools {
        let name = told.pool.name.as_str();
        let uid = node::uid(place::sign(Some(&told.resource)), name);
        let insight = pool::insight(scene, told, known(&uid).and_then(ControlPlaneInsight::pool));
        informers.add(&told.resource.resource, uid, insight.into());
        for unit in told.units.iter().filter(|unit| beside.exceptional.contains(unit.name.as_str())) {
            let object = place::unit(report, unit);
            let uid = node::uid(place::sign(Some(&object)), &unit.name);
            let informer = object.resource.clone();
            let insight = node::insight(scene, unit, object, told, known(&uid).and_then(ControlPlaneInsight::unit));
            informers.add(&informer, uid, insight.into());
        }
        let at = pool::Place {
            pool: Some(name),
            before: past.map_or(&[][..], |past| &past.node_groups),
            details: shard::first(report, Some(name)),
        };
        node_groups.extend(pool::groups(scene, told.units, &at, dropped));
    }
    node_groups.truncate(length(limit::CONTROL_PLANE_GROUPS));
    for finding in beside.findings_of(None) {
        let was = known(&finding.uid).and_then(|known| known.health.as_deref());
        informers.add(HEALTH, finding.uid.clone(), health::insight(scene, finding, was).into());
    }

    let conditions = past.map(|past| &past.conditions);
    let updating = summary::control_plane_updating(report);
    let told = ControlPlane {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, &updating, None, conditions),
            carry::condition(scene, kind::HEALTHY, &report.cluster.healthy, Some("cluster/Healthy"), conditions),
        ]),
        resource,
        pool_resource: pools.first().map(|told| told.resource.clone()),
        operators: Some(cluster::operators(&report.cluster.operators)),
        informers: informers.all,
        node_groups,
    };
    (told, version)
}

/// A pool of workers.
pub(super) fn worker_pool(
    scene: &Scene<'_>,
    told: &Told<'_>,
    beside: &Beside<'_, '_>,
    dropped: &mut Dropped,
) -> WorkerPool {
    let name = told.pool.name.as_str();
    let past = scene.source.past.and_then(|past| past.worker_pools.iter().find(|past| past.name == name));
    let before = past.map_or(&[][..], |past| past.informers.as_slice());
    let known = |uid: &str| carry::find(before, uid).map(|known| &known.insight);
    let mut informers = Informers { scene, before, all: Vec::new() };

    let uid = node::uid(place::sign(Some(&told.resource)), name);
    let insight = pool::insight(scene, told, known(&uid).and_then(PoolInsight::pool));
    let conditions = insight.conditions.clone();
    informers.add(&told.resource.resource, uid, insight.into());
    for unit in told.units.iter().filter(|unit| beside.exceptional.contains(unit.name.as_str())) {
        let object = place::unit(scene.report(), unit);
        let uid = node::uid(place::sign(Some(&object)), &unit.name);
        let informer = object.resource.clone();
        let insight = node::insight(scene, unit, object, told, known(&uid).and_then(PoolInsight::unit));
        informers.add(&informer, uid, insight.into());
    }
    for finding in beside.findings_of(Some(name)) {
        let was = known(&finding.uid).and_then(|known| known.health.as_deref());
        informers.add(HEALTH, finding.uid.clone(), health::insight(scene, finding, was).into());
    }
    let at = pool::Place {
        pool: None,
        before: past.map_or(&[][..], |past| &past.node_groups),
        details: shard::first(scene.report(), Some(name)),
    };
    let node_groups = pool::groups(scene, told.units, &at, dropped);
    let resource = told.resource.clone();
    WorkerPool { name: name.to_owned(), resource, conditions, informers: informers.all, node_groups }
}

/// Nodes that no pool selects.
pub(super) fn unpooled(scene: &Scene<'_>, units: &[Unit], dropped: &mut Dropped) -> Option<UnpooledNodes> {
    let past = scene.source.past.and_then(|past| past.unpooled_nodes.as_ref());
    let at = pool::Place {
        pool: None,
        before: past.map_or(&[][..], |past| &past.node_groups),
        details: shard::first(scene.report(), None),
    };
    let node_groups = pool::groups(scene, units, &at, dropped);
    (!units.is_empty()).then(|| UnpooledNodes { count: nodes(units.len()), node_groups })
}

/// The informer of findings, which see through all others.
const HEALTH: &str = "health";

/// Insights by who found them, in the order in which they are told.
struct Informers<'s, 'a, Body> {
    scene: &'s Scene<'a>,
    before: &'s [Informer<Body>],
    all: Vec<Informer<Body>>,
}

impl<Body: PartialEq> Informers<'_, '_, Body> {
    /// Adds an insight to those of its informer; one has room for so many.
    fn add(&mut self, informer: &str, uid: String, body: Body) {
        let told = carry::insight(self.scene, self.before, uid, body);
        match self.all.iter_mut().find(|known| known.name == informer) {
            Some(known) if known.insights.len() < length(limit::INSIGHTS) => known.insights.push(told),
            Some(_) => {}
            None => self.all.push(self.of_one(informer, told)),
        }
    }

    fn of_one(&self, name: &str, told: Insight<Body>) -> Informer<Body> {
        let state = self.scene.source.writer.informers.iter().find(|informer| informer.source.name() == name);
        let state = state.map(|informer| informer.state).filter(|state| *state != InformerState::Synced);
        Informer {
            name: name.to_owned(),
            state: state.map(|state| Word::Known(word::informer(state))),
            insights: vec![told],
        }
    }
}
