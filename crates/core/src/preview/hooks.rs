//! Hooks: which will be asked on the way, who answers them, and which hold the cluster now (chained-upgrades.md, 4).

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::Lifecycle;
use headway_api::meta::Labels;
use headway_api::plan::Plan;
use headway_api::preview::{AskedHook, Handler};

use super::scene::Scene;
use crate::version::KubeVersion;

/// The hook that plans.
const PLANS: &str = "GenerateUpgradePlan";

/// The hooks that will be asked on the way of a plan, by whoever was seen to answer them.
pub(super) fn asked(scene: &Scene<'_>, plan: &Plan) -> Vec<AskedHook> {
    if scene.topology.is_none() {
        return Vec::new();
    }
    let target = plan.control_plane.last().or(plan.workers.last()).cloned();
    let mut all = Vec::new();
    if let Some(name) = scene.class.and_then(|class| class.extension()) {
        let named = handlers(scene, PLANS).into_iter().filter(|handler| handler.name == name);
        all.push(AskedHook { hook: PLANS.into(), at: target.clone().into_iter().collect(), handlers: named.collect() });
    }
    for hook in Lifecycle::OF_UPGRADE.map(Lifecycle::name) {
        let at = steps_of(scene, plan, hook, target.as_ref());
        let handlers = handlers(scene, hook);
        if !at.is_empty() && !handlers.is_empty() {
            all.push(AskedHook { hook: hook.into(), at, handlers });
        }
    }
    all
}

/// The versions at whose steps a hook is asked.
fn steps_of(scene: &Scene<'_>, plan: &Plan, hook: &str, target: Option<&KubeVersion>) -> Vec<KubeVersion> {
    let is_pending = scene.is_pending(hook);
    let now = scene.control_plane_version().filter(|_| is_pending);
    // Worker hooks are only asked at steps that begin with one of the control plane.
    let worker_steps = || plan.workers.iter().filter(|version| plan.control_plane.contains(version)).cloned();
    match hook {
        "BeforeClusterUpgrade" if scene.is_pending("AfterClusterUpgrade") || plan.control_plane.is_empty() => {
            Vec::new()
        }
        "BeforeClusterUpgrade" => target.cloned().into_iter().collect(),
        "BeforeControlPlaneUpgrade" => plan.control_plane.clone(),
        "AfterControlPlaneUpgrade" => now.into_iter().chain(plan.control_plane.iter().cloned()).collect(),
        "BeforeWorkersUpgrade" | "AfterWorkersUpgrade" => now.into_iter().chain(worker_steps()).collect(),
        "AfterClusterUpgrade" if is_pending || !plan.control_plane.is_empty() => {
            target.cloned().or(now).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Who answers a hook for this cluster, in the order of their names.
pub(super) fn handlers(scene: &Scene<'_>, hook: &str) -> Vec<Handler> {
    let mut all: Vec<Handler> = Vec::new();
    for extension in scene.inventory.extensions.iter().filter(|extension| reaches(scene, extension)) {
        for handler in extension.status.handlers.iter().filter(|handler| handler.request_hook.hook == hook) {
            all.push(Handler {
                name: handler.name.clone(),
                extension: extension.metadata.name.clone(),
                failure_policy: handler.failure_policy.clone(),
            });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Whether an extension is asked about clusters of this namespace.
fn reaches(scene: &Scene<'_>, extension: &ExtensionConfig) -> bool {
    let Some(selector) = &extension.spec.namespace_selector else { return true };
    let name = scene.cluster.metadata.namespace.as_str();
    match scene.inventory.namespaces.iter().find(|namespace| namespace.metadata.name == name) {
        Some(namespace) => selector.matches(&namespace.metadata.labels),
        // Every namespace has this one.
        None => selector.matches(&[(NAME_LABEL, name)].into_iter().collect::<Labels>()),
    }
}

const NAME_LABEL: &str = "kubernetes.io/metadata.name";

/// Extensions of which it cannot be told whether they are asked: their selector speaks of labels that were not seen.
pub(super) fn uncertain<'a>(scene: &Scene<'a>) -> impl Iterator<Item = &'a ExtensionConfig> {
    let name = scene.cluster.metadata.namespace.as_str();
    let is_known = scene.inventory.namespaces.iter().any(|namespace| namespace.metadata.name == name);
    scene.inventory.extensions.iter().filter(move |extension| {
        let Some(selector) = &extension.spec.namespace_selector else { return false };
        let keys = selector.match_labels.iter().map(|(key, _)| key);
        let mut keys = keys.chain(selector.match_expressions.iter().map(|requirement| requirement.key.as_str()));
        !is_known && keys.any(|key| key != NAME_LABEL)
    })
}

/// A hook that holds the cluster, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blocking {
    pub(super) hook: &'static str,
    pub(super) said: String,
}

/// The hooks that hold the cluster, out of the message of its condition TopologyReconciled (7.2): one line has them
/// all, as `HOOK: MESSAGE; HOOK: MESSAGE`. Messages are of strangers and may hold semicolons of their own.
pub(super) fn blocking(message: &str) -> Vec<Blocking> {
    let mut all: Vec<Blocking> = Vec::new();
    for line in message.lines().map(str::trim).filter(|line| line.to_lowercase().contains("blocking")) {
        let mut starts: Vec<(usize, &'static str)> = Vec::new();
        for hook in Lifecycle::OF_UPGRADE.map(Lifecycle::name) {
            starts.extend(line.match_indices(hook).filter(|(at, _)| begins(line, *at, hook)).map(|(at, _)| (at, hook)));
        }
        starts.sort_unstable();
        for (nth, (at, hook)) in starts.iter().enumerate() {
            let end = starts.get(nth + 1).map_or(line.len(), |(next, _)| *next);
            let said = line.get(at + hook.len()..end).unwrap_or_default();
            let said = said.trim_start_matches(['"', ':', ' ']).trim_end_matches([';', ' ']);
            if !all.iter().any(|known| known.hook == *hook) {
                all.push(Blocking { hook, said: said.to_owned() });
            }
        }
    }
    all
}

/// Whether the name of a hook stands where one begins, and not within a message or a longer name.
fn begins(line: &str, at: usize, hook: &str) -> bool {
    let before = line.get(..at).unwrap_or_default();
    let after = line.get(at + hook.len()..).unwrap_or_default();
    let opens = before.ends_with(": ") || before.ends_with("; ") || before.ends_with('"');
    opens && (after.is_empty() || after.starts_with([':', ';', '"']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ch_7_2_blocking_hooks_are_read_out_of_the_condition() {
        let check = |message: &str, expect: &[(&str, &str)]| {
            let told = blocking(message);
            let told: Vec<(&str, &str)> = told.iter().map(|it| (it.hook, it.said.as_str())).collect();
            assert_eq!(told, expect, "{message}");
        };
        check("", &[]);
        check("Cluster is upgrading to v1.34.2\n  * MachineDeployment BeforeClusterUpgrade pending", &[]);
        check(
            "Cluster is upgrading to v1.34.2\n  * Following hooks are blocking upgrade: BeforeClusterUpgrade: wait a while",
            &[("BeforeClusterUpgrade", "wait a while")],
        );
        check(
            "  * Following hooks are blocking upgrade: AfterControlPlaneUpgrade; BeforeWorkersUpgrade: a; b: c",
            &[("AfterControlPlaneUpgrade", ""), ("BeforeWorkersUpgrade", "a; b: c")],
        );
        check(
            "* Following hooks are blocking upgrade: BeforeClusterUpgrade: ask about AfterClusterUpgrade first",
            &[("BeforeClusterUpgrade", "ask about AfterClusterUpgrade first")],
        );
        // As releases before 1.12 wrote it.
        check("hook \"AfterControlPlaneUpgrade\" is blocking", &[("AfterControlPlaneUpgrade", "is blocking")]);
    }
}
