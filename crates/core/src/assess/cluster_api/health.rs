//! Health insights of clusters of Cluster API (update-status-api.md, 3.6 and 6.3).

mod cluster;
mod machines;
mod pools;

use headway_api::insight::{Impact, Insight, Level};
use headway_api::report::Activity;

use super::World;
use super::pool::PoolView;

/// Where to read about upgrades of clusters.
const UPGRADES: &str = "https://cluster-api.sigs.k8s.io/tasks/upgrading-clusters";

/// Where to read about hooks.
const HOOKS: &str = "https://cluster-api.sigs.k8s.io/tasks/experimental-features/runtime-sdk/implement-lifecycle-hooks";

/// Where to read about health checks and remediation.
const HEALTH_CHECKS: &str = "https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/healthchecking";

/// Everything that is found. Health is told of updates, not of clusters at rest (R26).
pub(super) fn found(world: &World<'_>, pools: &[PoolView<'_>], activity: Activity) -> Vec<Insight> {
    if activity == Activity::NotUpdating {
        return Vec::new();
    }
    let mut all = Vec::new();
    all.extend(cluster::paused(world));
    all.extend(cluster::refused(world));
    all.extend(cluster::held(world));
    all.extend(cluster::unavailable(world));
    all.extend(cluster::components(world));
    all.extend(cluster::health_checks(world));
    for pool in pools {
        all.extend(pools::paused(world, pool));
        all.extend(pools::deferred(pool));
        all.extend(pools::skewed(world, pool));
        all.extend(machines::found(world, pool));
    }
    // Where it is told already why nothing goes on, that nothing does is no news.
    if !all.iter().any(|it| it.level >= Level::Error && it.impact == Impact::UpdateStalled) {
        all.extend(cluster::stalled(world, pools));
    }
    all
}
