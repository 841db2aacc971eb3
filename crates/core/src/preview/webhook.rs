//! What the admission of Cluster API would say to a new target now (chained-upgrades.md, 6.1).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use headway_api::cluster_api::UNCHECKED_ANNOTATION;
use headway_api::preview::{Hold, HoldKind, Weight};

use super::Wish;
use super::scene::Scene;
use crate::admission;
use crate::version::KubeVersion;

/// What would be refused, rule by rule.
pub(super) fn refusals(scene: &Scene<'_>, wish: &Wish) -> Vec<Hold> {
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
    if let Some(why) = scene.class.and_then(|class| admission::beyond_one_minor(class, &old, &new)) {
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
    all.extend(unsettled(scene, &old));
    all
}

const LIST_ADVICE: &str = "add the version to spec.kubernetesVersions of the ClusterClass";

/// Why a version is none of the class, if so. Cluster API compares the texts.
fn not_listed(scene: &Scene<'_>, version: &str) -> Option<String> {
    admission::not_listed(scene.class?, &scene.class_name().unwrap_or_default(), version)
}

/// The control plane and the workers must have come to the old target. The nodes of pools without machines are known
/// to the workload cluster only.
fn unsettled(scene: &Scene<'_>, old: &KubeVersion) -> Vec<Hold> {
    let nodes = BTreeMap::new();
    let control_plane = scene.control_plane.and_then(|it| admission::control_plane_unsettled(scene, it, old));
    let groups = scene.groups.iter().filter_map(|group| admission::group_unsettled(group, old, &nodes));
    let told = control_plane.into_iter().chain(groups);
    told.map(|violation| refused(&violation.rule, Weight::Now, &violation.message, "")).collect()
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
