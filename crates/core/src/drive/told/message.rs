//! How far an upgrade is, in one text for people: the headline, and a line for each thing that moves or waits
//! (chained-upgrades.md, 7.2).

use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::upgrade::limit;
use headway_api::version::KubeVersion;

use super::super::decision::Decision;
use super::super::observed::{Group, Observed, Standing};
use super::super::waiting::{Wait, WaitingOn};
use crate::publish::{clip, length};

/// So many names are told; of more, how many more there are.
const NAMES: usize = 3;

/// The text. What changes from look to look is not in it, so that it is written only when something happens.
pub(super) fn of(observed: &Observed, decision: &Decision, waits: &[Wait]) -> String {
    let target = &observed.target;
    if waits.is_empty() && decision.effects.is_empty() {
        return format!("everything runs {target}");
    }
    let mut lines = hooks(waits);
    control_plane(observed, &mut lines);
    for kind in [GroupKind::MachineDeployment, GroupKind::MachinePool] {
        workers(observed, kind, waits, &mut lines);
    }
    let gates = waits.iter().filter(|wait| !is_told(&wait.on));
    lines.extend(gates.map(|wait| format!("{}; what would open it: {}", wait.on, wait.on.remedy())));
    let mut text = format!("upgrading to {target}");
    for line in lines {
        text.push_str("\n  * ");
        text.push_str(&line.replace('\n', " "));
    }
    clip(&text, 4 * length(limit::MESSAGE))
}

/// The hooks that hold it up, in one line.
fn hooks(waits: &[Wait]) -> Vec<String> {
    let all: Vec<String> = waits
        .iter()
        .filter_map(|wait| match &wait.on {
            WaitingOn::Hook { hook, message } if message.is_empty() => Some(hook.to_string()),
            WaitingOn::Hook { hook, message } | WaitingOn::HookFailed { hook, message } => {
                Some(format!("{hook}: {message}"))
            }
            _ => None,
        })
        .collect();
    if all.is_empty() { Vec::new() } else { vec![all.join("; ")] }
}

/// What has a line of its own, as far as it is told: the others are gates.
fn is_told(on: &WaitingOn) -> bool {
    matches!(
        on,
        WaitingOn::Hook { .. }
            | WaitingOn::HookFailed { .. }
            | WaitingOn::ControlPlane { .. }
            | WaitingOn::Workers { .. }
            | WaitingOn::Turn { .. }
            | WaitingOn::Stage { .. }
            | WaitingOn::Deferred { .. }
    )
}

fn control_plane(observed: &Observed, lines: &mut Vec<String>) {
    let Some(control_plane) = &observed.control_plane else { return };
    let ahead = &observed.planned.plan.control_plane;
    let name = &control_plane.name;
    match &control_plane.standing {
        Standing::Rolling(_) => {
            lines.push(format!(
                "{name} upgrading to {}{}",
                control_plane.version,
                pending(ahead, &control_plane.version)
            ));
        }
        Standing::Settled | Standing::Silent | Standing::Unseen(_) if !ahead.is_empty() => {
            lines.push(format!("{name} pending upgrade to {}", list(ahead)));
        }
        Standing::Settled | Standing::Silent | Standing::Unseen(_) => {}
    }
}

/// The groups of a kind: those on their way, those that are put off, and those that wait. One is told once.
fn workers(observed: &Observed, kind: GroupKind, waits: &[Wait], lines: &mut Vec<String>) {
    let put_off: Vec<&WorkerGroup> = waits
        .iter()
        .filter_map(|wait| match &wait.on {
            WaitingOn::Deferred { group, .. } => Some(group),
            _ => None,
        })
        .collect();
    let ahead = |group: &Group| -> Vec<KubeVersion> {
        let planned = observed.planned.plan.groups.iter().find(|planned| planned.group == group.id);
        planned.map_or_else(Vec::new, |planned| planned.moves.clone())
    };
    let mut rolling: Vec<(String, String)> = Vec::new();
    let mut deferred: Vec<(String, String)> = Vec::new();
    let mut waiting: Vec<(String, String)> = Vec::new();
    for group in observed.groups.iter().filter(|group| group.id.kind == kind && group.follows()) {
        let (name, moves) = (group.id.name.clone(), ahead(group));
        if group.is_rolling() {
            rolling.push((format!("upgrading to {}{}", group.version, pending(&moves, &group.version)), name));
        } else if put_off.contains(&&group.id) {
            deferred.push((format!("deferred, pending upgrade to {}", list(&moves)), name));
        } else if !moves.is_empty() {
            waiting.push((format!("pending upgrade to {}", list(&moves)), name));
        }
    }
    for mut groups in [rolling, deferred, waiting] {
        groups.sort();
        for same in groups.chunk_by(|(one, _), (other, _)| one == other) {
            let names: Vec<&str> = same.iter().map(|(_, name)| name.as_str()).collect();
            let what = same.first().map(|(what, _)| what.as_str()).unwrap_or_default();
            lines.push(format!("{} {what}", named(kind, &names)));
        }
    }
}

fn named(kind: GroupKind, names: &[&str]) -> String {
    let told = names.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len() {
        1 => format!("{kind} {told}"),
        2 | NAMES => format!("{kind}s {told}"),
        more => format!("{kind}s {told} ({} more)", more - NAMES),
    }
}

/// What comes after a version.
fn pending(ahead: &[KubeVersion], at: &KubeVersion) -> String {
    let others: Vec<KubeVersion> = ahead.iter().filter(|version| *version != at).cloned().collect();
    if others.is_empty() { String::new() } else { format!(" ({} pending)", list(&others)) }
}

fn list(versions: &[KubeVersion]) -> String {
    versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
