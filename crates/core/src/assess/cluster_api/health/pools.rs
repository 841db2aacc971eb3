//! What is wrong with a pool, or holds it back.

use headway_api::insight::{Impact, Insight, Level, Rule, Scope};
use headway_api::plan::GroupKind;

use super::super::World;
use super::super::pool::{PoolView, why_deferred};
use super::UPGRADES;
use crate::assess::health::draft;
use crate::version::{KubeVersion, check_skew};

fn named(world: &World<'_>, pool: &PoolView<'_>) -> String {
    match pool.group {
        Some(group) => group.id.to_string(),
        None => world.scene.control_plane_name(),
    }
}

/// `H-POOL-PAUSED`: a pool with old machines that is paused by itself.
pub(super) fn paused(world: &World<'_>, pool: &PoolView<'_>) -> Option<Insight> {
    if world.paused.is_some() || !pool.told.paused || !pool.is_outdated() {
        return None;
    }
    let name = named(world, pool);
    let left = pool.told.counts.outdated;
    Some(Insight {
        summary: format!("{name} is paused, and its upgrade will not go on"),
        description: format!(
            "{left} of its machines are not at the version that it takes, and stay so until the pause is taken away."
        ),
        advice: format!("take the pause of {name} away when it is no longer meant"),
        reference: UPGRADES.into(),
        resources: vec![pool.reference()],
        ..draft(Rule::PoolPaused, Level::Warning, Impact::UpdateStalled, pool.told.scope)
    })
}

/// `H-POOL-DEFERRED`: somebody put off its upgrade. That is meant so, and no failure (cases B15).
pub(super) fn deferred(pool: &PoolView<'_>) -> Option<Insight> {
    let group = pool.group.filter(|_| pool.is_outdated())?;
    let by = why_deferred(group)?;
    let to = pool.wanted.as_ref()?;
    let count = pool.desired().unwrap_or(pool.told.counts.total);
    let machines = if count == 1 { "1 machine".to_owned() } else { format!("{count} machines") };
    let (kind, name) = match group.id.kind {
        GroupKind::MachineDeployment => ("MachineDeployment", &group.id.name),
        GroupKind::MachinePool => ("MachinePool", &group.id.name),
    };
    Some(Insight {
        summary: format!("The upgrade of {kind} {name} to {to} is put off by {by}"),
        description: format!(
            "Until the annotation is taken away it stays where it is, and the upgrade of the cluster does not end. Without it, {machines} are moved to {to} as soon as the control plane is there."
        ),
        advice: "take the annotation away when the pool may move".into(),
        reference: UPGRADES.into(),
        resources: vec![pool.reference()],
        ..draft(Rule::PoolDeferred, Level::Info, Impact::None, Scope::WorkerPool)
    })
}

/// `H-VERSION-SKEW`: a group whose machines do not fit their control plane.
pub(super) fn skewed(world: &World<'_>, pool: &PoolView<'_>) -> Option<Insight> {
    let group = pool.group?;
    let control_plane = world.scene.control_plane_version()?;
    let versions = pool.units.iter().filter_map(|unit| unit.version.as_deref());
    let lowest = versions
        .chain(group.object.version())
        .filter_map(|text| KubeVersion::parse(text).ok())
        .min_by(|a, b| a.compare_numbers(b))?;
    let skew = check_skew(control_plane.minor(), lowest.minor()).err()?;
    let name = named(world, pool);
    Some(Insight {
        summary: format!("{name} at {lowest} does not fit the control plane at {control_plane}: {skew}"),
        description: format!(
            "Kubernetes does not support workers at {lowest} beside an API server at {control_plane}: {skew}."
        ),
        advice: format!("upgrade {name} before the control plane goes on"),
        reference: "https://kubernetes.io/releases/version-skew-policy/".into(),
        resources: vec![pool.reference()],
        ..draft(Rule::VersionSkew, Level::Warning, Impact::Unknown, Scope::WorkerPool)
    })
}
