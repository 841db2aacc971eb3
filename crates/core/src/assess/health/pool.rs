//! Rules about pools.

use std::collections::BTreeMap;

use headway_api::insight::{Impact, Insight, Level, ResourceRef, Rule, Scope};
use headway_api::machine_config::MachineOsBuild;
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::{Phase, Truth};
use jiff::SignedDuration;

use super::super::pools::PoolView;
use super::{Scene, draft, node_ref, or_note, pool_ref, reference};
use crate::inform::Source;

/// How long a pool may stay behind after the control plane is done before that is worth a line.
const LAGGING: SignedDuration = SignedDuration::from_hours(24);

/// How long before it is worth a warning: certificates and skew begin to matter.
const LAGGING_WARNING: SignedDuration = SignedDuration::from_hours(7 * 24);

/// `H-POOL-PAUSED`: old nodes are held back (8.5).
pub(super) fn paused(view: &PoolView<'_>) -> Option<Insight> {
    if view.told.counts.excluded == 0 {
        return None;
    }
    let name = &view.told.name;
    Some(Insight {
        resources: vec![pool_ref(name)],
        summary: format!("Outdated nodes in a paused pool '{name}' will not be updated"),
        description: "Pool is paused, which stops all changes to the nodes in the pool, including updates. The nodes will not be updated until the pool is unpaused by the administrator.".into(),
        advice: format!(
            "When its workload may be disturbed: oc patch machineconfigpool/{name} --type merge --patch '{{\"spec\":{{\"paused\":false}}}}'"
        ),
        reference: reference::PAUSED.into(),
        ..draft(Rule::PoolPaused, Level::Warning, Impact::UpdateStalled, view.told.scope)
    })
}

/// `H-POOL-RENDER`: the pool's configuration or its image cannot be made, so its nodes have nothing to go to.
pub(super) fn render(scene: &Scene<'_, '_>, view: &PoolView<'_>) -> Option<Insight> {
    let name = &view.told.name;
    let conditions = &view.pool.status.conditions;
    let told = |kind: &str| conditions.iter().find(|c| c.kind == kind && c.status == ConditionStatus::True);
    let build = failed_build(scene, view);
    const CONFIG: &str = "The machine config that was added or changed last is the first to look at.";
    const IMAGE: &str = "The log of the build's job in openshift-machine-config-operator and the Containerfile in the MachineOSConfig are the first to look at.";
    let (what, first, condition): (&str, &str, &Condition) = if let Some(condition) = told("RenderDegraded") {
        ("configuration cannot be rendered", CONFIG, condition)
    } else if let Some((_, condition)) = build {
        ("image cannot be built", IMAGE, condition)
    } else {
        ("image cannot be built", IMAGE, told("ImageBuildDegraded")?)
    };
    let mut resources = vec![pool_ref(name)];
    let mut summary = format!("The {what} for pool {name}");
    if let Some((build, _)) = build.filter(|_| what.starts_with("image")) {
        let build = &build.metadata.name;
        resources.push(ResourceRef::cluster("machineconfiguration.openshift.io", "machineosbuilds", build));
        summary = format!("{summary}: MachineOSBuild {build} failed");
    }
    if !condition.reason.is_empty() {
        summary = format!("{summary} ({})", condition.reason);
    }
    Some(Insight {
        since: condition.last_transition_time,
        resources,
        summary,
        description: or_note(&condition.message, "<no message>"),
        advice: format!("Until this is mended no node of the pool can be updated. {first}"),
        reference: reference::MACHINE_CONFIG.into(),
        ..draft(Rule::PoolRender, Level::Error, Impact::UpdateStalled, view.told.scope)
    })
}

/// A failed build of the image for the configuration that the pool is to have.
fn failed_build<'s>(scene: &'s Scene<'_, '_>, view: &PoolView<'_>) -> Option<(&'s MachineOsBuild, &'s Condition)> {
    let snapshot = scene.world.snapshot;
    let wanted = &view.pool.spec.configuration.name;
    let is_of_pool = |build: &MachineOsBuild| {
        let config = &build.spec.machine_os_config.name;
        let config = snapshot.os_configs.iter().find(|known| known.metadata.name == *config);
        let labelled = build.metadata.labels.get("machineconfiguration.openshift.io/target-machine-config-pool");
        match (config, labelled) {
            (Some(config), _) => config.spec.machine_config_pool.name == view.told.name,
            (None, Some(pool)) => pool == view.told.name,
            (None, None) => false,
        }
    };
    let is_wanted = |build: &MachineOsBuild| {
        let of = &build.spec.machine_config.name;
        of.is_empty() || of == wanted
    };
    let builds = snapshot.os_builds.iter().filter(|build| is_of_pool(build) && is_wanted(build));
    let mut failed = None;
    for build in builds {
        let told =
            |kind: &str| build.status.conditions.iter().find(|c| c.kind == kind && c.status == ConditionStatus::True);
        if told("Succeeded").is_some() {
            return None;
        }
        failed = failed.or(told("Failed").map(|condition| (build, condition)));
    }
    failed
}

/// `H-POOL-LAGGING`: left behind long after the control plane was done, with nobody holding it back.
pub(super) fn lagging(scene: &Scene<'_, '_>, view: &PoolView<'_>) -> Option<Insight> {
    let completed = scene.cluster.told.completed_at.filter(|_| scene.cluster.completed)?;
    let moves = view.told.updating.status == Truth::True;
    if !view.has_known_outdated() || moves || view.told.paused || view.is_control_plane() {
        return None;
    }
    let lags = |limit: SignedDuration| scene.world.past(Source::ClusterVersions, completed, limit);
    if !lags(LAGGING) {
        return None;
    }
    let name = &view.told.name;
    let counts = &view.told.counts;
    let waiting = view.nodes.iter().filter(|node| node.unit.phase == Phase::Pending).count();
    Some(Insight {
        since: Some(completed),
        resources: vec![pool_ref(name)],
        summary: format!(
            "Pool {name} has {} of {} nodes on an old version, and none is being updated",
            counts.outdated, counts.total
        ),
        description: format!(
            "The control plane was updated at {completed}. The pool is not paused, {waiting} of its nodes wait for their turn."
        ),
        advice:
            "Look at the machine-config-controller: a node that is not available uses up the pool's maxUnavailable."
                .into(),
        reference: reference::MACHINE_CONFIG.into(),
        ..draft(
            Rule::PoolLagging,
            if lags(LAGGING_WARNING) { Level::Warning } else { Level::Info },
            Impact::None,
            view.told.scope,
        )
    })
}

/// `H-POOL-AMBIGUOUS`: several custom pools select a node, so its configuration is nobody's decision.
///
/// Nodes that the same pools select are one insight.
pub(super) fn ambiguous(scene: &Scene<'_, '_>) -> Vec<Insight> {
    let mut groups: BTreeMap<&[&str], Vec<&str>> = BTreeMap::new();
    for (node, pools) in &scene.pools.ambiguous {
        groups.entry(pools).or_default().push(&node.metadata.name);
    }
    let told = groups.into_iter().map(|(pools, mut nodes)| {
        nodes.sort_unstable();
        let who = match nodes.as_slice() {
            [only] => format!("Node {only} is"),
            more => format!("{} nodes are", more.len()),
        };
        let first = pools.first().copied().unwrap_or_default();
        Insight {
            resources: nodes.iter().map(|node| node_ref(node)).chain(pools.iter().map(|pool| pool_ref(pool))).collect(),
            summary: format!("{who} selected by several custom pools: {}", pools.join(", ")),
            description: format!(
                "A node can be in one custom pool only; the machine config operator refuses such a node. Counted under {first} here: {}.",
                nodes.join(", ")
            ),
            advice: "Remove the labels of all pools but one from the node.".into(),
            reference: reference::MACHINE_CONFIG.into(),
            ..draft(Rule::PoolAmbiguous, Level::Warning, Impact::Unknown, Scope::WorkerPool)
        }
    });
    told.collect()
}
