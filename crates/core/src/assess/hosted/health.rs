//! Health insights of hosted clusters (update-status-api.md, 3.6 and 6.2).

mod cluster;
mod parts;
mod pools;

use headway_api::hypershift::GROUP;
use headway_api::insight::{Insight, ResourceRef, Rule};
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::{Activity, Assessment};

use super::super::health::one_line;
use super::Scene;
use super::pool::{self, PoolView};
use super::world::World;

/// Where to read about updates of hosted clusters.
const UPDATES: &str = super::super::health::reference::HYPERSHIFT;

/// Everything that is found. Health is told of updates, not of clusters at rest (R26); what is refused, out of bounds or
/// contradicts itself is told in any case.
pub(super) fn found(scene: &Scene<'_, '_>, assessment: Assessment) -> Vec<Insight> {
    // Conditions of HyperShift may say a thousand characters (cases A35); the whole is in the description.
    let cut = |it: Insight| Insight { summary: one_line(&it.summary, LINE), ..it };
    rules(scene, assessment).into_iter().map(cut).collect()
}

/// The longest line of a list.
const LINE: usize = 300;

fn rules(scene: &Scene<'_, '_>, assessment: Assessment) -> Vec<Insight> {
    let mut all = Vec::new();
    all.extend(cluster::blocked(scene));
    all.extend(cluster::contradiction(scene));
    all.extend(scene.pools.iter().filter_map(|pool| pools::skewed(scene, pool)));
    if scene.activity == Activity::NotUpdating {
        all.extend(scene.pools.iter().filter_map(|pool| pools::paused(scene, pool)));
        return all;
    }
    all.extend(cluster::paused(scene));
    all.extend(cluster::failing(scene));
    all.extend(cluster::partial(scene));
    all.extend(cluster::unavailable(scene));
    all.extend(cluster::stalled(scene, assessment));
    all.extend(scene.components.iter().flat_map(|it| parts::found(scene, it)));
    let of_operators = |it: &&Insight| matches!(it.rule, Rule::CoUnavailable | Rule::CoDegraded | Rule::CoSlow);
    all.extend(scene.guest.into_iter().flat_map(|report| &report.insights).filter(of_operators).cloned());
    for pool in scene.pools {
        all.extend(pools::paused(scene, pool));
        all.extend(pools::found(scene, pool));
    }
    all
}

/// What says that the update fails, whichever side it is on.
pub(super) fn failing<'a>(world: &World<'a>) -> Option<&'a Condition> {
    let of = |kind: &str, status: ConditionStatus| world.says(kind, status);
    of("ClusterVersionFailing", ConditionStatus::True)
        .or_else(|| of("ClusterVersionSucceeding", ConditionStatus::False))
        .or_else(|| of("Degraded", ConditionStatus::True))
}

fn cluster_ref(scene: &Scene<'_, '_>) -> ResourceRef {
    let metadata = &scene.world.cluster.metadata;
    ResourceRef::namespaced(GROUP, "hostedclusters", &metadata.namespace, &metadata.name)
}

fn pool_ref(pool: &PoolView<'_>) -> ResourceRef {
    pool::reference(pool.object)
}
