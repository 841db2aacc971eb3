//! What holds an upgrade up: now, or on the way (chained-upgrades.md, 3, 4 and 10).

use headway_api::apps::PodDisruptionBudget;
use headway_api::cluster_api::{BEFORE_UPGRADE_PREFIX, Machine, PAUSED_ANNOTATION, STEP_ANNOTATION};
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::plan::{Mover, Plan};
use headway_api::preview::{Handler, Hold, HoldKind, StepState, Weight};
use jiff::Timestamp;

use super::hooks::{self, Blocking};
use super::scene::{Scene, paused_by};
use super::steps::Running;
use super::{Wish, webhook, workers};
use crate::assess::on_one_line;

/// Everything that holds it up, the gravest first.
pub(super) fn all(scene: &Scene<'_>, plan: &Plan, running: &Running, wish: &Wish) -> Vec<Hold> {
    let mut all = Vec::new();
    all.extend(of_cluster(scene));
    all.extend(of_hooks(scene, plan, running));
    all.extend(of_control_plane(scene, running));
    all.extend(of_rolling_workers(running));
    all.extend(workers::deferred(scene, plan));
    all.extend(workers::strangers(scene, plan));
    all.extend(webhook::refusals(scene, wish));
    if !plan.is_empty() || !running.steps.is_empty() {
        all.extend(scene.inventory.budgets.iter().filter_map(of_budget));
    }
    all.sort_by_key(|hold| hold.weight);
    all
}

/// What is to be known of the state besides.
pub(super) fn remarks(scene: &Scene<'_>, running: &Running) -> Vec<String> {
    let mut all = Vec::new();
    let differs = scene.topology_version().zip(scene.control_plane).is_some_and(|(topology, control_plane)| {
        topology != control_plane.spec.version && scene.recorded_step() != Some(control_plane.spec.version.as_str())
    });
    if differs && !running.control_plane {
        all.push(
            "until the first step is recorded, no machine of the cluster can be made or replaced: the version of the topology differs from that of the control plane"
                .into(),
        );
    }
    for extension in hooks::uncertain(scene) {
        all.push(format!(
            "whether ExtensionConfig/{} is asked is not known: its selector speaks of labels of Namespace/{}, which was not seen",
            extension.metadata.name, scene.cluster.metadata.namespace
        ));
    }
    for extension in &scene.inventory.extensions {
        let discovered = extension.status.condition("Discovered");
        if discovered.is_some_and(|condition| condition.status == ConditionStatus::False) {
            all.push(format!(
                "ExtensionConfig/{} is not discovered: it goes on to be asked as it was before, if at all",
                extension.metadata.name
            ));
        }
    }
    all
}

fn hold(weight: Weight, kind: HoldKind, name: impl Into<String>, message: impl Into<String>) -> Hold {
    Hold { weight, kind, name: name.into(), message: message.into(), since: None, advice: String::new() }
}

fn of_cluster(scene: &Scene<'_>) -> Vec<Hold> {
    let mut all = Vec::new();
    let metadata = &scene.cluster.metadata;
    let name = format!("Cluster/{}", scene.name());
    if metadata.deletion_timestamp.is_some() {
        let message = format!("{name} is being deleted, and is upgraded no more");
        all.push(Hold {
            since: metadata.deletion_timestamp,
            ..hold(Weight::Stuck, HoldKind::Deleting, "its deletion", message)
        });
    }
    if let Some(by) = paused_by(scene.cluster) {
        let message = format!("{name} is paused by {by}: nothing moves until that is taken away");
        all.push(hold(Weight::Now, HoldKind::Paused, "a pause of the cluster", message));
    }
    let control_plane = scene.control_plane.map(|it| &it.metadata.annotations);
    if control_plane.is_some_and(|annotations| annotations.has(PAUSED_ANNOTATION)) {
        let message = format!("{} is paused by the annotation {PAUSED_ANNOTATION}", scene.control_plane_name());
        all.push(hold(Weight::Now, HoldKind::Paused, "a pause of the control plane", message));
    }
    let condition = reconciled(scene);
    if let Some(condition) =
        condition.filter(|it| matches!(it.reason.as_str(), "ReconcileFailed" | "TopologyReconcileFailed"))
    {
        let message = format!("Cluster API fails to reconcile {name}: {}", said(&condition.message));
        let failed = hold(Weight::Stuck, HoldKind::ReconcileFailed, "an error of Cluster API", message);
        all.push(Hold { since: condition.last_transition_time, ..failed });
    }
    let is_behind = scene.class.is_some_and(|class| {
        class.metadata.generation.zip(class.status.observed_generation).is_some_and(|(now, seen)| now != seen)
    });
    let told = condition.filter(|condition| condition.reason == "ClusterClassNotReconciled");
    if is_behind || told.is_some() {
        let class = scene.class_name().unwrap_or_default();
        let message = format!("ClusterClass/{class} has changed, and its controller has not looked at it since");
        let waits = hold(Weight::Now, HoldKind::ClassNotReconciled, format!("ClusterClass/{class}"), message);
        all.push(Hold { since: told.and_then(|condition| condition.last_transition_time), ..waits });
    }
    all
}

/// The condition by which Cluster API tells how the topology does, unless it says that all is well.
fn reconciled<'a>(scene: &Scene<'a>) -> Option<&'a Condition> {
    let condition = scene.cluster.status.condition("TopologyReconciled")?;
    (condition.status == ConditionStatus::False).then_some(condition)
}

fn of_hooks(scene: &Scene<'_>, plan: &Plan, running: &Running) -> Vec<Hold> {
    let mut all = Vec::new();
    let keys = scene.forbidding();
    let is_pending = scene.is_pending("AfterClusterUpgrade");
    let is_to_begin = !plan.control_plane.is_empty() && !is_pending && scene.topology.is_some();
    if is_to_begin && !keys.is_empty() {
        let (word, is) = if keys.len() == 1 { ("annotation", "is") } else { ("annotations", "are") };
        let message = format!("the upgrade does not begin while the {word} {} {is} on the Cluster", keys.join(", "));
        let held = hold(Weight::Now, HoldKind::Annotation, format!("the {word} {}", keys.join(", ")), message);
        all.push(Hold { advice: "remove it to let the upgrade begin; Cluster API looks at once".into(), ..held });
    }
    let condition = reconciled(scene);
    let blocking = condition.map(|condition| hooks::blocking(&condition.message)).unwrap_or_default();
    for Blocking { hook, said: message } in blocking {
        // The annotations are told by Cluster API in the name of this hook.
        if hook == "BeforeClusterUpgrade" && !keys.is_empty() && message.contains(BEFORE_UPGRADE_PREFIX) {
            continue;
        }
        let since = condition.and_then(|condition| condition.last_transition_time);
        all.push(held_by_hook(hook, &said(&message), &hooks::handlers(scene, hook), since));
    }
    let is_told = |hook: &str| all.iter().any(|hold| hold.name == format!("hook {hook}"));
    let is_there = scene.control_plane.is_some() && plan.is_empty() && running.steps.is_empty();
    if is_pending && is_there && !is_told("AfterClusterUpgrade") {
        let message = "all are at the target, and the hook AfterClusterUpgrade of this upgrade is still to be answered: until then no other upgrade can begin";
        all.push(hold(Weight::Now, HoldKind::PendingHook, "hook AfterClusterUpgrade", message));
    }
    all
}

/// An extension that wants to wait. That is how hooks are meant, and no failure.
fn held_by_hook(hook: &str, said: &str, handlers: &[Handler], since: Option<Timestamp>) -> Hold {
    let by = match handlers {
        [] => "none of the ExtensionConfigs that were seen registers it".to_owned(),
        some => {
            let told: Vec<String> = some
                .iter()
                .map(|Handler { name, extension, failure_policy: _ }| {
                    format!("registered by ExtensionConfig `{extension}` (handler {name})")
                })
                .collect();
            told.join("; ")
        }
    };
    let said = if said.is_empty() { "it gives no reason".to_owned() } else { format!("it says \"{said}\"") };
    let name = format!("hook {hook}");
    let message = format!("{name}, {by}: {said}");
    Hold { since, ..hold(Weight::Now, HoldKind::Hook, name, message) }
}

fn of_control_plane(scene: &Scene<'_>, running: &Running) -> Vec<Hold> {
    let Some(control_plane) = scene.control_plane else { return Vec::new() };
    let mut all = Vec::new();
    let name = scene.control_plane_name();
    let status = &control_plane.status;
    if status.version.is_empty() && status.versions.is_empty() {
        let message = format!("{name} reports no version yet: it is being made, and nothing moves before that is done");
        all.push(hold(Weight::Now, HoldKind::Provisioning, "the control plane, which is being made", message));
    }
    let since = status
        .condition("RollingOut")
        .filter(|condition| condition.status == ConditionStatus::True)
        .and_then(|condition| condition.last_transition_time);
    let version = &control_plane.spec.version;
    if running.control_plane {
        if let Some(message) = no_upgrade_step(scene, &name, version) {
            let name = "the control plane, which may not make machines";
            all.push(Hold {
                since,
                advice: NO_STEP_ADVICE.into(),
                ..hold(Weight::Stuck, HoldKind::NoUpgradeStep, name, message)
            });
        }
        let step = running.steps.first();
        let done = step.and_then(|step| step.done.zip(step.machines));
        let progress = done.map(|(done, all)| format!(": {done} of {all} machines are there")).unwrap_or_default();
        let message = format!("{name} is rolling to {version}{progress}");
        all.push(Hold {
            since,
            ..hold(Weight::Work, HoldKind::ControlPlaneRolling, "the control plane, which is rolling", message)
        });
    }
    let unwell: Vec<String> = scene.control_plane_machines.iter().filter_map(|machine| unwell(machine)).collect();
    let short = status.ready_replicas.zip(control_plane.spec.replicas).filter(|(ready, wanted)| ready < wanted);
    let what = match (unwell.as_slice(), short) {
        ([], None) => None,
        ([], Some((ready, wanted))) => Some(format!("{ready} of {wanted} machines are ready")),
        (some, _) => Some(some.join(", ")),
    };
    // While it rolls, a machine that comes or goes is part of the work.
    if let Some(what) = what.filter(|_| !running.control_plane) {
        let message = format!("{name} is not stable: {what}; no step begins and no hook is asked before it is");
        all.push(hold(Weight::Now, HoldKind::ControlPlaneUnhealthy, "the control plane, which is not stable", message));
    }
    all
}

const NO_STEP_ADVICE: &str = "seen with Cluster API 1.12 while its RuntimeSDK gate is off, and mended by cluster-api#13517: update Cluster API, or turn the gate on";

/// Why the control plane may not make machines, if so: it takes that an upgrade is about to begin, unless the step in
/// which it is stands on the Cluster (3.6).
fn no_upgrade_step(scene: &Scene<'_>, name: &str, version: &str) -> Option<String> {
    let topology = scene.topology_version()?;
    let step = match scene.recorded_step() {
        _ if topology == version => return None,
        Some(step) if step == version => return None,
        Some(step) => format!("the upgrade step that is recorded is {step}"),
        None => format!("no upgrade step is recorded on the Cluster (annotation {STEP_ANNOTATION})"),
    };
    Some(format!(
        "machines of the control plane may not be created: the spec version {version} of {name} differs from the topology version {topology}, and {step}"
    ))
}

/// What is wrong with a machine, in a few words.
fn unwell(machine: &Machine) -> Option<String> {
    let name = &machine.metadata.name;
    if machine.metadata.deletion_timestamp.is_some() {
        return Some(format!("machine {name} is being deleted"));
    }
    let conditions = ["Ready", "Available"].iter().filter_map(|kind| machine.status.condition(kind));
    let wrong = conditions.into_iter().find(|condition| condition.status == ConditionStatus::False)?;
    let why = [&wrong.reason, &wrong.message].into_iter().find(|text| !text.is_empty()).map(|text| said(text));
    Some(format!(
        "machine {name} is not {}{}",
        wrong.kind.to_lowercase(),
        why.map(|why| format!(" ({why})")).unwrap_or_default()
    ))
}

fn of_rolling_workers(running: &Running) -> Vec<Hold> {
    let mut all = Vec::new();
    for step in running.steps.iter().filter(|step| step.state == StepState::UnderWay) {
        let Mover::Workers { .. } = step.step.mover else { continue };
        let progress = step.done.zip(step.machines).map(|(done, all)| format!(": {done} of {all} machines are there"));
        let message = format!("{} is rolling to {}{}", step.step.mover, step.step.to, progress.unwrap_or_default());
        all.push(hold(
            Weight::Work,
            HoldKind::WorkersRolling,
            format!("{}, which is rolling", step.step.mover),
            message,
        ));
    }
    all
}

/// A budget that lets no pod go. Which nodes its pods are on is not looked at: in an upgrade every node drains.
fn of_budget(budget: &PodDisruptionBudget) -> Option<Hold> {
    let status = budget.status.as_ref()?;
    let pods = status.expected_pods;
    if status.disruptions_allowed > 0 || pods <= 0 {
        return None;
    }
    let name = format!("PodDisruptionBudget {}/{}", budget.metadata.namespace, budget.metadata.name);
    let (healthy, needed) = (status.current_healthy, status.desired_healthy);
    let (message, advice) = if needed >= pods {
        (
            format!(
                "{name} can never let a pod go: it wants {needed} of its {pods} pods, so no node with one of them drains"
            ),
            "let the budget allow one pod to be away, or run one more",
        )
    } else {
        (format!("{name} lets no pod go now: {healthy} of its {pods} pods are healthy, and it wants {needed}"), "")
    };
    Some(Hold { advice: advice.into(), ..hold(Weight::Later, HoldKind::Budget, name, message) })
}

/// How much of a stranger's message is told.
const SAID_CHARS: usize = 1_000;

/// A message on one line; very long ones are cut.
fn said(text: &str) -> String {
    let line = on_one_line(text);
    let mut chars = line.chars();
    let head: String = chars.by_ref().take(SAID_CHARS).collect();
    if chars.next().is_some() { head + "…" } else { head }
}
