//! The split form: one object for each insight, for who wants one row a thing and field selectors.
//!
//! Its kinds are of clusters that are seen from within: those of a fleet have none yet.

use std::collections::BTreeSet;

use headway_api::report::Unit;
use headway_api::update::cluster_operator::ClusterOperatorInsight;
use headway_api::update::cluster_version::ClusterVersionInsight;
use headway_api::update::health::HealthInsight;
use headway_api::update::node::NodeInsight;
use headway_api::update::pool::MachineConfigPoolInsight;

use super::level::Level;
use super::parts::Told;
use super::text::is_subdomain;
use super::{Scene, Source, cluster, health, node, place, pool};
use crate::assess::by_pool;
use crate::group;

/// Which nodes get an object of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nodes {
    /// Those with trouble, and those that take long.
    #[default]
    Interesting,
    /// All.
    All,
}

/// The statuses of all objects of the split form, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Insights {
    /// `ClusterVersionProgressInsight`.
    pub cluster_version: Vec<(String, ClusterVersionInsight)>,
    /// `ClusterOperatorProgressInsight`.
    pub cluster_operators: Vec<(String, ClusterOperatorInsight)>,
    /// `MachineConfigPoolProgressInsight`.
    pub pools: Vec<(String, MachineConfigPoolInsight)>,
    /// `NodeProgressInsight`, for nodes of some pool.
    pub nodes: Vec<(String, NodeInsight)>,
    /// `HealthInsight`.
    pub health: Vec<(String, HealthInsight)>,
}

/// How many objects of nodes there are at most when not all are asked for: with the others, fewer than a thousand.
const INTERESTING: usize = 800;

/// All insights of a report. `past` are those that were last written: what has not changed keeps its times.
#[must_use]
pub fn insights(source: Source<'_>, which: Nodes, past: &Insights) -> Insights {
    let scene = Scene { source, caps: Level::FULL.caps() };
    let report = source.report;
    let mut all = Insights::default();
    let resource = place::cluster(report);
    let version = cluster::version(&scene, &resource, find(&past.cluster_version, &resource.name));
    all.cluster_version.push((resource.name, version));
    for component in cluster::told_operators(&scene).0 {
        let name = component.name.clone();
        let object = place::component(report, component);
        let told = cluster::operator(&scene, component, object, find(&past.cluster_operators, &name));
        all.cluster_operators.push((name, told));
    }
    let mut interesting: Vec<(&Unit, Told<'_>)> = Vec::new();
    for (pool, units) in by_pool(report).0 {
        let Some(resource) = place::pool(report, pool) else { continue };
        if all.pools.iter().any(|(known, _)| *known == pool.name) {
            continue;
        }
        let of = Told { pool, resource, units };
        let told = pool::insight(&scene, &of, find(&past.pools, &pool.name));
        all.pools.push((pool.name.clone(), told));
        let wanted = |unit: &&Unit| match which {
            Nodes::All => true,
            Nodes::Interesting => group::is_exceptional(unit, report.observed_at),
        };
        interesting
            .extend(units.iter().filter(wanted).filter(|unit| is_subdomain(&unit.name)).map(|unit| (unit, of.clone())));
    }
    if which == Nodes::Interesting {
        interesting.sort_by_key(|(unit, _)| unit.assessment);
        interesting.truncate(INTERESTING);
    }
    // Objects have names: of two things of one name the first is told.
    let mut seen = BTreeSet::new();
    for (unit, of) in interesting.into_iter().filter(|(unit, _)| seen.insert(&unit.name)) {
        let object = place::unit(report, unit);
        let told = node::insight(&scene, unit, object, &of, find(&past.nodes, &unit.name));
        all.nodes.push((unit.name.clone(), told));
    }
    let mut seen = BTreeSet::new();
    for finding in report.insights.iter().filter(|finding| seen.insert(&finding.uid)) {
        let told = health::insight(&scene, finding, find(&past.health, &finding.uid));
        all.health.push((finding.uid.clone(), told));
    }
    all
}

fn find<'p, T>(past: &'p [(String, T)], name: &str) -> Option<&'p T> {
    past.iter().find(|(known, _)| known == name).map(|(_, told)| told)
}
