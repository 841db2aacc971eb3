//! The split form: one object for each insight, for who wants one row a thing and field selectors.

use std::collections::BTreeSet;

use headway_api::report::Unit;
use headway_api::update::cluster_operator::ClusterOperatorInsight;
use headway_api::update::cluster_version::ClusterVersionInsight;
use headway_api::update::health::HealthInsight;
use headway_api::update::node::NodeInsight;
use headway_api::update::pool::MachineConfigPoolInsight;

use super::level::Level;
use super::text::is_subdomain;
use super::{Scene, Source, cluster, health, node, pool};
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
    let name = cluster::resource(report).name;
    let version = cluster::version(&scene, find(&past.cluster_version, &name));
    all.cluster_version.push((name, version));
    for component in cluster::told_operators(&scene).0 {
        let name = component.name.clone();
        let told = cluster::operator(&scene, component, find(&past.cluster_operators, &name));
        all.cluster_operators.push((name, told));
    }
    let mut interesting: Vec<(&Unit, &headway_api::report::Pool)> = Vec::new();
    for (of, units) in by_pool(report).0 {
        if !is_subdomain(&of.name) || all.pools.iter().any(|(known, _)| *known == of.name) {
            continue;
        }
        let told = pool::insight(&scene, of, find(&past.pools, &of.name));
        all.pools.push((of.name.clone(), told));
        let wanted = |unit: &&Unit| match which {
            Nodes::All => true,
            Nodes::Interesting => group::is_exceptional(unit, report.observed_at),
        };
        interesting.extend(units.iter().filter(wanted).filter(|unit| is_subdomain(&unit.name)).map(|unit| (unit, of)));
    }
    if which == Nodes::Interesting {
        interesting.sort_by_key(|(unit, _)| unit.assessment);
        interesting.truncate(INTERESTING);
    }
    // Objects have names: of two things of one name the first is told.
    let mut seen = BTreeSet::new();
    for (unit, of) in interesting.into_iter().filter(|(unit, _)| seen.insert(&unit.name)) {
        let told = node::insight(&scene, unit, of, find(&past.nodes, &unit.name));
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
