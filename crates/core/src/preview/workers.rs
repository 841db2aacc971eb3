//! What is to be told of groups of workers: whose upgrade is put off, which nobody keeps, and which move more often
//! than they had to.

use headway_api::cluster_api::CONCURRENCY_ANNOTATION;
use headway_api::plan::{GroupMoves, Mover, Plan, PlanReport, Reason, Stay, WorkerGroup};
use headway_api::preview::{Hold, HoldKind, Weight};

use super::scene::{Deferral, Scene};
use super::steps;
use crate::plan::{Situation, Source, explain};
use crate::version::{Comparison, KubeVersion, MAX_MINORS_BEHIND, check_skew};

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

/// The plan as Cluster API walks it: every group of workers takes what is left before it of the one list for all.
pub(super) fn by_one_list(situation: &Situation, source: &Source, plan: &Plan) -> PlanReport {
    let mut plan = plan.clone();
    for group in plan.groups.iter_mut().filter(|group| !group.moves.is_empty()) {
        group.moves = rest_of_list(&plan.workers, &group.from);
    }
    let mut report = explain(situation, source, &plan);
    for step in &mut report.steps {
        if let (Mover::Workers { .. }, Reason::WithinSkew { behind: ..=MAX_MINORS_BEHIND, .. }) =
            (&step.mover, &step.reason)
        {
            step.reason = Reason::OneList;
            step.refused.clear();
        }
    }
    report
}

/// What the one list costs beyond the fewest moves of each group.
pub(super) fn costs_of_one_list(plan: &Plan) -> Vec<String> {
    let mut all = Vec::new();
    for GroupMoves { group, from, moves, .. } in plan.groups.iter().filter(|group| !group.moves.is_empty()) {
        let together = rest_of_list(&plan.workers, from).len();
        if moves.len() < together {
            all.push(format!(
                "{group} could do with {} of its {together} moves: Cluster API has one list for all workers, by those that are furthest behind",
                moves.len()
            ));
        }
    }
    all
}

fn rest_of_list(list: &[KubeVersion], from: &KubeVersion) -> Vec<KubeVersion> {
    let is_behind = |entry: &&KubeVersion| matches!(entry.compare(from), Comparison::Less | Comparison::Equal);
    list.iter().skip_while(is_behind).cloned().collect()
}

/// What else is to be told of groups of workers.
pub(super) fn remarks(scene: &Scene<'_>, plan: &Plan) -> Vec<String> {
    let mut all = Vec::new();
    let moving = plan.groups.iter().filter(|group| !group.moves.is_empty()).count();
    if scene.topology.is_some() && moving > 1 {
        let told = scene.cluster.metadata.annotations.get(CONCURRENCY_ANNOTATION).and_then(|text| text.parse().ok());
        let at_a_time = match told {
            None | Some(0 | 1_u32) => "one at a time".to_owned(),
            Some(many) => format!("{many} at a time"),
        };
        all.push(format!(
            "in a step of several groups, MachineDeployments roll {at_a_time} in this order, and MachinePools {at_a_time} beside them"
        ));
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
