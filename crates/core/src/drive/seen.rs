//! What is seen of a cluster of Cluster API: objects as the facts that a decision is made from.
//!
//! Who stands where is told by machines and nodes first, and by the status of their owners where it says less: never
//! the other way round (chained-upgrades.md, 3.2 with 10-24 decided the right way).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use headway_api::cluster_api::{
    CONCURRENCY_ANNOTATION, Cluster, ControlPlane as Object, DEFER_ANNOTATION, HOLD_ANNOTATION, Machine,
    PAUSED_ANNOTATION,
};
use headway_api::plan::GroupKind;

use super::answers::Answers;
use super::gate::Gates;
use super::intent::Intents;
use super::observed::{Concurrency, ControlPlane, Deferral, Group, Halt, Observed, Standing};
use super::planned::Planned;
use crate::plan::{PlanError, Situation};
use crate::preview::{Deferral as OfEntry, Group as Seen, Inventory, Scene, paused_by, running_version};
use crate::version::{KubeVersion, oldest};

impl Observed {
    /// What is seen of a cluster that is to go to a target. The plan, the intents, the gates and what hooks answered are
    /// left empty: they are not the cluster's to tell, and who knows them adds them.
    ///
    /// # Errors
    ///
    /// When a version is none: rules V1 to V3. Then nothing can be decided.
    pub fn of(inventory: &Inventory, cluster: &Cluster, target: &str) -> Result<Self, PlanError> {
        let scene = Scene::of(inventory, cluster);
        let situation = Situation::read(&scene.facts(target))?;
        let control_plane = scene.control_plane.zip(situation.control_plane.as_ref());
        let mut groups: Vec<Group> = Vec::new();
        for known in &situation.groups {
            let Some(seen) = scene.groups.iter().find(|group| group.id == known.id) else { continue };
            let (standing, oldest) = group_standing(&scene, seen, &known.version);
            groups.push(Group {
                id: known.id.clone(),
                version: known.version.clone(),
                standing,
                oldest,
                course: known.course.clone(),
                deferral: deferral(&scene, seen),
                owner: None,
            });
        }
        let concurrency = cluster.metadata.annotations.get(CONCURRENCY_ANNOTATION).and_then(|text| text.parse().ok());
        Ok(Self {
            now: inventory.moment.at,
            target: situation.target.clone(),
            halt: halt(&scene),
            stop: None,
            control_plane: control_plane.map(|(object, version)| ControlPlane {
                name: scene.control_plane_name(),
                version: version.clone(),
                standing: control_plane_standing(&scene, object, version),
                owner: None,
            }),
            groups,
            concurrency: concurrency.map_or_else(Concurrency::default, Concurrency::new),
            stages: Vec::new(),
            gates: Gates::default(),
            forbidding: scene.forbidding().into_iter().map(str::to_owned).collect(),
            planned: Planned::default(),
            intents: Intents::default(),
            answered: BTreeSet::new(),
            answers: Answers::default(),
        })
    }
}

/// Why nothing is to be done with the cluster as it is.
fn halt(scene: &Scene<'_>) -> Option<Halt> {
    if scene.cluster.metadata.deletion_timestamp.is_some() {
        return Some(Halt::Deleting);
    }
    if let Some(by) = paused_by(scene.cluster) {
        return Some(Halt::Paused(format!("{by} of Cluster {}", scene.name())));
    }
    let is_paused = |object: &&Object| object.metadata.annotations.has(PAUSED_ANNOTATION);
    scene.control_plane.filter(is_paused)?;
    Some(Halt::Paused(format!("the annotation {PAUSED_ANNOTATION} of {}", scene.control_plane_name())))
}

/// Who put off the upgrade of a group: without a topology the objects themselves say it.
fn deferral(scene: &Scene<'_>, group: &Seen<'_>) -> Option<Deferral> {
    match group.deferral {
        Some(OfEntry::Own(annotation)) => return Some(Deferral::Own(annotation.to_owned())),
        Some(OfEntry::After(entry)) => return Some(Deferral::After(entry.to_owned())),
        None if scene.topology.is_some() => return None,
        None => {}
    }
    let has = |group: &Seen<'_>, key: &str| group.object.metadata.annotations.has(key);
    if let Some(key) = [DEFER_ANNOTATION, HOLD_ANNOTATION].into_iter().find(|key| has(group, key)) {
        return Some(Deferral::Own(key.to_owned()));
    }
    let alike = scene.groups.iter().filter(|other| other.id.kind == group.id.kind);
    let mut before = alike.take_while(|other| other.id != group.id);
    before.find(|other| has(other, HOLD_ANNOTATION)).map(|other| Deferral::After(other.id.name.clone()))
}

fn control_plane_standing(scene: &Scene<'_>, object: &Object, version: &KubeVersion) -> Standing {
    let status = &object.status;
    let told: Vec<&str> = match status.versions.as_slice() {
        [] if status.version.is_empty() => return Standing::Silent,
        [] => vec![&status.version],
        versions => versions.iter().map(|entry| entry.version.as_str()).collect(),
    };
    let behind: Vec<&str> = told.iter().copied().filter(|text| !runs(text, version)).collect();
    if !behind.is_empty() {
        return Standing::Rolling(format!("it reports {}", crate::assess::first_few(&behind)));
    }
    match by_machines(&scene.control_plane_machines, version, object.spec.replicas) {
        Some(standing) => standing,
        None if !scene.inventory.seen.machines => Standing::Unseen("no Machine was seen".into()),
        // A provider that has no Machines is taken at its word.
        None => Standing::Settled,
    }
}

fn group_standing(scene: &Scene<'_>, group: &Seen<'_>, version: &KubeVersion) -> (Standing, Option<KubeVersion>) {
    let Seen { object, machines, .. } = group;
    if !machines.is_empty() {
        let standing = by_machines(machines, version, object.spec.replicas);
        return (
            standing.unwrap_or(Standing::Settled),
            oldest(machines.iter().filter_map(|machine| running_version(machine))),
        );
    }
    if object.spec.replicas == Some(0) {
        return (Standing::Settled, None);
    }
    match group.id.kind {
        GroupKind::MachineDeployment if !scene.inventory.seen.machines => {
            (Standing::Unseen("no Machine was seen".into()), None)
        }
        GroupKind::MachineDeployment => (Standing::Rolling("it has no machines yet".into()), None),
        // Only its nodes tell, and of the workload cluster's nodes no version is read yet.
        GroupKind::MachinePool => (Standing::Unseen("it has no Machines that would tell".into()), None),
    }
}

/// Where machines stand: all run the version, and there are as many as there should be.
fn by_machines(machines: &[&Machine], version: &KubeVersion, desired: Option<u64>) -> Option<Standing> {
    if machines.is_empty() {
        return None;
    }
    let is_at = |machine: &&&Machine| {
        let wanted = KubeVersion::parse(&machine.spec.version);
        let is_wanted = wanted.is_ok_and(|wanted| wanted == *version);
        is_wanted && runs(&machine.status.node_info.kubelet_version, version)
    };
    let done = machines.iter().filter(is_at).count();
    let all = desired.and_then(|desired| usize::try_from(desired).ok()).unwrap_or(machines.len());
    if done == machines.len() && done >= all {
        return Some(Standing::Settled);
    }
    Some(Standing::Rolling(format!("{done} of {all} machines run it")))
}

/// Whether what is reported is the version that is wanted.
///
/// Distributions write their own tag behind the numbers, with `+` or with `-`, and leave it out as they like: so a build
/// does not count, and neither does what would be a pre-release and is none of Kubernetes' own.
fn runs(text: &str, wanted: &KubeVersion) -> bool {
    let Ok(told) = KubeVersion::parse(text) else { return false };
    if told.compare_numbers(wanted) != Ordering::Equal {
        return false;
    }
    let of_kubernetes = |version: &KubeVersion| -> String {
        let tag = version.prerelease();
        let is_known = ["alpha", "beta", "rc"].iter().any(|name| tag.starts_with(name));
        if is_known { tag.to_owned() } else { String::new() }
    };
    of_kubernetes(&told) == of_kubernetes(wanted)
}
