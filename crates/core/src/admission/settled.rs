//! Whether the parts of a cluster have come to its target: rules B6 to B8.

use std::collections::BTreeMap;

use headway_api::cluster_api::{ControlPlane, Machine};
use headway_api::plan::GroupKind;
use headway_api::quoted::Escaped;

use super::Violation;
use super::list::is_same;
use crate::preview::{Group, Scene, is_control_plane_rolling};
use crate::version::KubeVersion;

/// Why the control plane of a cluster that has one is not settled at a version.
pub(crate) fn control_plane_unsettled(
    scene: &Scene<'_>,
    control_plane: &ControlPlane,
    at: &KubeVersion,
) -> Option<Violation> {
    let name = scene.control_plane_name();
    let message = if control_plane.spec.version.is_empty() {
        format!("{name} has no version in its spec")
    } else if !is_same(&control_plane.spec.version, at) {
        let version = Escaped(&control_plane.spec.version);
        format!("{name} is at {version} and not yet at {at}")
    } else if is_provisioning(control_plane) {
        format!("{name} is not made yet: its status tells no version")
    } else if is_control_plane_rolling(scene) {
        format!("{name} is rolling: its status tells another version than {at}")
    } else {
        return None;
    };
    Some(refused("B6", message))
}

/// Why a group of workers is not settled at a version. A pinned one keeps a version of its own.
pub(crate) fn group_unsettled(
    group: &Group<'_>,
    at: &KubeVersion,
    nodes: &BTreeMap<String, String>,
) -> Option<Violation> {
    let message = match group.object.version() {
        None => format!("{} has no version in its template", group.id),
        Some(version) if group.pinned_to().is_none() && !is_same(version, at) => {
            format!("{} is at {} and not yet at {at}", group.id, Escaped(version))
        }
        Some(_) => rolling(group, nodes)?,
    };
    let rule = match group.id.kind {
        GroupKind::MachineDeployment => "B7",
        GroupKind::MachinePool => "B8",
    };
    Some(refused(rule, message))
}

/// Its status tells nothing that runs, or an entry without a version.
fn is_provisioning(control_plane: &ControlPlane) -> bool {
    let status = &control_plane.status;
    if status.versions.is_empty() {
        status.version.is_empty()
    } else {
        status.versions.iter().any(|it| it.version.is_empty())
    }
}

/// Which machine or node of a group is not at the version of the group's template.
fn rolling(group: &Group<'_>, nodes: &BTreeMap<String, String>) -> Option<String> {
    let text = group.object.version()?;
    let Ok(wanted) = KubeVersion::parse(text) else {
        return Some(format!("{} has {}, which is not a version, in its template", group.id, Escaped(text)));
    };
    if let Some(why) = group.machines.iter().find_map(|machine| behind(machine, &wanted)) {
        return Some(format!("{} is rolling: {why}", group.id));
    }
    let named = group.object.status.node_refs.iter().map(|node| &node.name);
    let late = named.filter_map(|name| Some((name, nodes.get(name)?))).find(|(_, runs)| !runs_numbers(runs, &wanted));
    let (name, runs) = late?;
    Some(format!("{} is rolling: Node/{name} runs {}", group.id, Escaped(runs)))
}

fn behind(machine: &Machine, wanted: &KubeVersion) -> Option<String> {
    let name = &machine.metadata.name;
    let (has, runs) = (&machine.spec.version, &machine.status.node_info.kubelet_version);
    if has.is_empty() {
        return Some(format!("Machine/{name} has no version"));
    }
    if !is_same(has, wanted) {
        return Some(format!("Machine/{name} is at {}", Escaped(has)));
    }
    (!runs.is_empty() && !runs_numbers(runs, wanted))
        .then(|| format!("the node of Machine/{name} runs {}", Escaped(runs)))
}

/// Kubelets of distributions leave out the build or write it otherwise, so that only their numbers count.
fn runs_numbers(runs: &str, wanted: &KubeVersion) -> bool {
    KubeVersion::parse(runs).is_ok_and(|runs| runs.compare_numbers(wanted).is_eq())
}

fn refused(rule: &str, message: String) -> Violation {
    Violation { rule: rule.to_owned(), field: super::cluster::VERSION_FIELD.to_owned(), message }
}
