//! A plan as a script for `headway simulate`.

use std::fmt::Write;

use headway_api::plan::{Mover, PlanSource, WorkerGroup};
use headway_api::preview::Preview;

use super::line;

/// No rehearsal has more machines in a group.
const MOST: u64 = 1_000;

/// The script; `None` where there is no plan.
pub(crate) fn script(preview: &Preview) -> Option<String> {
    let plan = preview.plan.as_ref()?;
    let (from, to) = (preview.from.as_ref()?, preview.to.as_ref()?);
    let mut text = String::new();
    // Writing into a text cannot fail.
    if let Some(cluster) = &preview.cluster {
        let _ = writeln!(text, "# {}", line(cluster));
    }
    for hold in &preview.holds {
        let _ = writeln!(text, "# not rehearsed: {}", line(&hold.message));
    }
    let machines = machines(preview, |mover| matches!(mover, Mover::ControlPlane));
    let _ = writeln!(text, "control-plane {} {}", line(from), machines.unwrap_or(1));
    for group in &plan.groups {
        let WorkerGroup { kind, name } = &group.group;
        let command = match kind {
            headway_api::plan::GroupKind::MachineDeployment => "pool",
            headway_api::plan::GroupKind::MachinePool => "machine-pool",
        };
        let _ = writeln!(text, "{command} {} {} {}", line(name), machines_of(preview, &group.group), group.from);
    }
    let list = |versions: &[headway_api::version::KubeVersion]| {
        versions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    match &preview.source {
        // What an extension or Cluster API has the workers do is not what we would reckon.
        Some(PlanSource::Extension { .. } | PlanSource::ClusterStatus) => {
            let _ = writeln!(text, "extension {} workers {}", list(&plan.control_plane), list(&plan.workers));
        }
        Some(PlanSource::OneMinor | PlanSource::VersionList | PlanSource::ClusterClass { .. }) | None => {
            let _ = writeln!(text, "versions {} {}", line(from), list(&plan.control_plane));
        }
    }
    if !preview.hooks.is_empty() {
        let _ = writeln!(text, "hooks");
    }
    let _ = writeln!(text, "upgrade {}\nrun", line(to));
    Some(text)
}

/// How many machines the first step of somebody replaces.
fn machines(preview: &Preview, is_mover: impl Fn(&Mover) -> bool) -> Option<u64> {
    let step = preview.steps.iter().find(|step| is_mover(&step.step.mover))?;
    step.machines.map(|machines| machines.clamp(1, MOST))
}

/// How many machines a group has: its part of those that its step replaces, as a step tells only of all together.
fn machines_of(preview: &Preview, group: &WorkerGroup) -> u64 {
    let moves = |mover: &Mover| matches!(mover, Mover::Workers { groups } if groups.contains(group));
    let Some(step) = preview.steps.iter().find(|step| moves(&step.step.mover)) else { return 1 };
    let Mover::Workers { groups } = &step.step.mover else { return 1 };
    let count = u64::try_from(groups.len()).unwrap_or(u64::MAX);
    step.machines.map_or(1, |machines| (machines / count.max(1)).clamp(1, MOST))
}
