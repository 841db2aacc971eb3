//! What the admission of Cluster API would say to a new target now (chained-upgrades.md, 6.1).

use std::cmp::Ordering;

use headway_api::cluster_api::UNCHECKED_ANNOTATION;
use headway_api::plan::Mover;
use headway_api::preview::{Hold, HoldKind, Weight};

use super::Wish;
use super::scene::Scene;
use super::steps::Running;
use crate::version::KubeVersion;

/// What would be refused, rule by rule.
pub(super) fn refusals(scene: &Scene<'_>, wish: &Wish, running: &Running) -> Vec<Hold> {
    let Some(old) = scene.topology_version() else { return Vec::new() };
    let Some(to) = &wish.to else {
        // Without a wish nothing changes but what controllers write, and that is looked at as well (A4).
        let told = not_listed(scene, old).map(|why| {
            refused("A4", Weight::Stuck, &format!("every change of the Cluster is refused: {why}"), LIST_ADVICE)
        });
        return told.into_iter().collect();
    };
    let text = if to.starts_with('v') { to.clone() } else { format!("v{to}") };
    let mut all = Vec::new();
    let Ok(new) = KubeVersion::parse_strict(&text) else {
        return vec![refused("A2", Weight::Stuck, &format!("{text} is not written as v1.33.0 is"), "")];
    };
    if let Some(why) = not_listed(scene, &text) {
        all.push(refused("A4", Weight::Stuck, &why, LIST_ADVICE));
    }
    let Ok(old) = KubeVersion::parse(old) else { return all };
    if old == new || scene.cluster.metadata.annotations.has(UNCHECKED_ANNOTATION) {
        return all;
    }
    if new.compare_numbers(&old) == Ordering::Less {
        all.push(refused("B3", Weight::Stuck, &format!("{new} is older than the version of the topology, {old}"), ""));
        return all;
    }
    if let Some(why) = beyond_one_minor(scene, &old, &new) {
        all.push(refused(
            "B4",
            Weight::Stuck,
            &why,
            "let the ClusterClass name its versions in spec.kubernetesVersions",
        ));
        return all;
    }
    if scene.is_pending("AfterClusterUpgrade") {
        let why = "the hook AfterClusterUpgrade of the upgrade before is still pending";
        all.push(refused("B5", Weight::Now, why, ""));
        return all;
    }
    all.extend(unsettled(scene, &old, running));
    all
}

const LIST_ADVICE: &str = "add the version to spec.kubernetesVersions of the ClusterClass";

/// Why a version is none of the class, if so. Cluster API compares the texts.
fn not_listed(scene: &Scene<'_>, version: &str) -> Option<String> {
    let class = scene.class?;
    let list = &class.spec.kubernetes_versions;
    if list.is_empty() || list.iter().any(|listed| listed == version) {
        return None;
    }
    let read = KubeVersion::parse(version).ok()?;
    let same = list.iter().find(|listed| KubeVersion::parse(listed).is_ok_and(|listed| listed == read));
    let name = scene.class_name().unwrap_or_default();
    Some(match same {
        Some(same) => format!("ClusterClass/{name} lists {version} as {same}, and the texts are compared"),
        None => format!("ClusterClass/{name} does not list {version}"),
    })
}

/// Without a list and an extension only the next minor is let in; majors are refused by the same comparison.
fn beyond_one_minor(scene: &Scene<'_>, old: &KubeVersion, new: &KubeVersion) -> Option<String> {
    let class = scene.class?;
    if !class.spec.kubernetes_versions.is_empty() || class.extension().is_some() {
        return None;
    }
    let (from, to) = (old.minor(), new.minor());
    let is_beyond = to.major != from.major || to.minor > from.minor.saturating_add(1);
    is_beyond.then(|| {
        format!("{new} is more than one minor after {old}, and the ClusterClass has neither a list nor an extension")
    })
}

/// The control plane and the workers must have come to the old target.
fn unsettled(scene: &Scene<'_>, old: &KubeVersion, running: &Running) -> Vec<Hold> {
    let mut all = Vec::new();
    let is_at = |text: &str| KubeVersion::parse(text).is_ok_and(|version| version == *old);
    if let Some(control_plane) = scene.control_plane {
        let name = scene.control_plane_name();
        if !is_at(&control_plane.spec.version) {
            let why =
                format!("{name} is at {} and not at {old}, the version of the topology", control_plane.spec.version);
            all.push(refused("B6", Weight::Now, &why, ""));
        } else if running.control_plane
            || (control_plane.status.version.is_empty() && control_plane.status.versions.is_empty())
        {
            all.push(refused("B6", Weight::Now, &format!("{name} is rolling, or not made yet"), ""));
        }
    }
    let is_rolling = |name: &str| {
        running.steps.iter().any(|step| match &step.step.mover {
            Mover::Workers { groups } => groups.iter().any(|group| group.name == name),
            Mover::ControlPlane => false,
        })
    };
    for group in &scene.groups {
        let rule = match group.id.kind {
            headway_api::plan::GroupKind::MachineDeployment => "B7",
            headway_api::plan::GroupKind::MachinePool => "B8",
        };
        let is_pinned = group.entry.is_some_and(|entry| !entry.version.is_empty());
        if let Some(version) = group.object.version().filter(|version| !is_at(version) && !is_pinned) {
            let why = format!("{} is at {version} and not at {old}, the version of the topology", group.id);
            all.push(refused(rule, Weight::Now, &why, ""));
        } else if is_rolling(&group.id.name) {
            all.push(refused(rule, Weight::Now, &format!("{} is rolling", group.id), ""));
        }
    }
    all
}

fn refused(rule: &str, weight: Weight, why: &str, advice: &str) -> Hold {
    Hold {
        weight,
        kind: HoldKind::Webhook,
        name: format!("the admission of Cluster API (rule {rule})"),
        message: format!("Cluster API would refuse it now: {why} (rule {rule})"),
        since: None,
        advice: advice.to_owned(),
    }
}
