//! What is to be told of groups of workers: whose upgrade is put off, which nobody keeps, and which move more often
//! than they had to.

use headway_api::plan::{Plan, Stay, WorkerGroup};
use headway_api::preview::{Hold, HoldKind, Weight};

use super::scene::{Deferral, Scene};
use super::steps;
use crate::version::{Comparison, KubeVersion, check_skew};

/// Groups whose upgrade somebody put off, though the plan moves them.
pub(super) fn deferred(scene: &Scene<'_>, plan: &Plan) -> Vec<Hold> {
    let mut all = Vec::new();
    for group in &scene.groups {
        let Some(deferral) = group.deferral else { continue };
        let Some(first) = moves_of(plan, &group.id).first() else { continue };
        let is_last = plan.workers.last() == Some(first);
        let by = match deferral {
            Deferral::Own(annotation) => format!("the annotation {annotation}"),
            Deferral::After(entry) => {
                format!("the annotation topology.cluster.x-k8s.io/hold-upgrade-sequence on the entry {entry} before it")
            }
        };
        let waits = if is_last {
            "it stays where it is, and until it has moved the hook AfterClusterUpgrade is not asked and no other upgrade can begin"
                .to_owned()
        } else {
            format!("the control plane waits at {first} until it has moved")
        };
        let weight = match scene.control_plane_version() {
            Some(version) if version == *first => Weight::Now,
            Some(_) | None => Weight::Later,
        };
        let machines = match steps::machines_of_group(scene, &group.id) {
            Some(1) => " (1 machine)".to_owned(),
            Some(machines) => format!(" ({machines} machines)"),
            None => String::new(),
        };
        all.push(Hold {
            weight,
            kind: HoldKind::Deferred,
            name: format!("the deferral of {}", group.id),
            message: format!("{} is deferred by {by}: {waits}", group.id),
            since: None,
            advice: format!(
                "without the annotation it moves to {first}{machines} as soon as the control plane is there"
            ),
        });
    }
    all
}

/// Groups that belong to the cluster and not to its topology, and that the way of the control plane leaves behind.
pub(super) fn strangers(scene: &Scene<'_>, plan: &Plan) -> Vec<Hold> {
    let now = scene.control_plane_version();
    let way: Vec<&KubeVersion> = now.iter().chain(&plan.control_plane).collect();
    let mut all = Vec::new();
    for group in &scene.strangers {
        let Some(version) = group.object.version().and_then(|text| KubeVersion::parse(text).ok()) else { continue };
        let unfit = way.iter().find_map(|at| check_skew(at.minor(), version.minor()).err().map(|skew| (at, skew)));
        let Some((at, skew)) = unfit else { continue };
        all.push(Hold {
            weight: Weight::Later,
            kind: HoldKind::Stranger,
            name: group.id.to_string(),
            message: format!(
                "{} at {version} is not kept by the topology, so that nothing here moves it, and does not fit the control plane at {at}: {skew}",
                group.id
            ),
            since: None,
            advice: format!("upgrade it before the control plane takes {at}"),
        });
    }
    all
}

/// What the one list of Cluster API costs beyond the fewest moves of each group.
pub(super) fn remarks(scene: &Scene<'_>, plan: &Plan) -> Vec<String> {
    let mut all = Vec::new();
    if scene.topology.is_some() {
        for group in &plan.groups {
            let together =
                plan.workers.iter().filter(|entry| entry.compare(&group.from) == Comparison::Greater).count();
            if group.moves.len() < together && !group.moves.is_empty() {
                all.push(format!(
                    "{} could do with {} of the {together} moves: Cluster API has one list for all workers, by those that are furthest behind",
                    group.group,
                    group.moves.len()
                ));
            }
        }
    }
    for (kind, entry) in &scene.entries_without_object {
        if scene.groups.iter().any(|group| group.id.kind == *kind) {
            all.push(format!(
                "the {kind} of the entry {entry} is not there yet: it is made at the target, once the control plane is"
            ));
        }
    }
    let standing = plan.groups.iter().filter_map(|group| match &group.stays {
        Some(stay @ Stay::Pinned { .. }) => Some(format!("{} is {stay}, and is not moved", group.group)),
        Some(Stay::AtTarget | Stay::Leaving) | None => None,
    });
    all.extend(standing);
    all
}

fn moves_of<'a>(plan: &'a Plan, id: &WorkerGroup) -> &'a [KubeVersion] {
    plan.groups.iter().find(|group| group.group == *id).map_or(&[], |group| &group.moves)
}
