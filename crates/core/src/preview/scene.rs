//! One cluster with the objects that belong to it.

use headway_api::cluster_api::{
    BEFORE_UPGRADE_PREFIX, Cluster, ClusterClass, ControlPlane, DEFER_ANNOTATION, DEPLOYMENT_ENTRY_LABEL,
    DEPLOYMENT_LABEL, HOLD_ANNOTATION, Machine, OWNED_LABEL, PAUSED_ANNOTATION, PENDING_HOOKS_ANNOTATION,
    POOL_ENTRY_LABEL, POOL_LABEL, STEP_ANNOTATION, Topology, TopologyGroup, Workers,
};
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_api::preview::Unknown;

use super::belongings::Own;
use super::inventory::{Inventory, qualified};
use crate::plan::{Answer, Course, Facts, GroupFacts};
use crate::version::{Comparison, KubeVersion};

/// One cluster with the objects that belong to it.
pub(crate) struct Scene<'a> {
    pub(crate) inventory: &'a Inventory,
    pub(crate) cluster: &'a Cluster,
    pub(crate) topology: Option<&'a Topology>,
    pub(crate) class: Option<&'a ClusterClass>,
    pub(crate) control_plane: Option<&'a ControlPlane>,
    /// The machines of the control plane.
    pub(crate) control_plane_machines: Vec<&'a Machine>,
    /// The groups of workers that take part, MachineDeployments first, in the order of the topology.
    pub(crate) groups: Vec<Group<'a>>,
    /// Groups of workers that no topology keeps, though the cluster has one.
    pub(crate) strangers: Vec<Group<'a>>,
    /// Entries of the topology without an object.
    pub(crate) entries_without_object: Vec<(GroupKind, &'a str)>,
}

/// One group of workers.
pub(crate) struct Group<'a> {
    pub(crate) id: WorkerGroup,
    pub(crate) object: &'a Workers,
    pub(crate) entry: Option<&'a TopologyGroup>,
    /// Where its entry stands in the topology.
    at: usize,
    pub(crate) machines: Vec<&'a Machine>,
    /// Who put off its upgrade.
    pub(crate) deferral: Option<Deferral<'a>>,
}

impl<'a> Group<'a> {
    /// The version that its entry in the topology keeps it at, if any.
    pub(crate) fn pinned_to(&self) -> Option<&'a str> {
        self.entry.map(|entry| entry.version.as_str()).filter(|version| !version.is_empty())
    }
}

/// Why a group of workers is not upgraded for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deferral<'a> {
    /// It has the annotation itself.
    Own(&'static str),
    /// This entry before it has the annotation that holds all that follow.
    After(&'a str),
}

impl<'a> Scene<'a> {
    pub(crate) fn of(inventory: &'a Inventory, cluster: &'a Cluster) -> Self {
        Self::with(inventory, cluster, &Own::of(inventory, cluster))
    }

    /// The same, where the objects of the cluster are known already.
    pub(crate) fn with(inventory: &'a Inventory, cluster: &'a Cluster, own: &Own<'a>) -> Self {
        let topology = cluster.spec.topology.as_ref();
        let namespace = cluster.metadata.namespace.as_str();
        let class = topology.and_then(|topology| {
            let home = topology.class_namespace(namespace);
            inventory
                .classes
                .iter()
                .find(|class| class.metadata.name == topology.class_name() && class.metadata.namespace == home)
        });
        let control_plane = cluster.spec.control_plane_ref.as_ref().and_then(|reference| {
            let home = if reference.namespace.is_empty() { namespace } else { &reference.namespace };
            inventory.control_planes.iter().find(|control_plane| {
                control_plane.kind == reference.kind
                    && control_plane.metadata.name == reference.name
                    && control_plane.metadata.namespace == home
            })
        });
        let mut scene = Self {
            inventory,
            cluster,
            topology,
            class,
            control_plane,
            control_plane_machines: Vec::new(),
            groups: Vec::new(),
            strangers: Vec::new(),
            entries_without_object: Vec::new(),
        };
        scene.control_plane_machines = scene.machines_of_control_plane(own);
        scene.add_groups(GroupKind::MachineDeployment, &own.machine_deployments, own);
        scene.add_groups(GroupKind::MachinePool, &own.machine_pools, own);
        scene
    }

    fn add_groups(&mut self, kind: GroupKind, objects: &[&'a Workers], own: &Own<'a>) {
        let entries: &'a [TopologyGroup] = match (self.topology, kind) {
            (None, _) => &[],
            (Some(topology), GroupKind::MachineDeployment) => &topology.workers.machine_deployments,
            (Some(topology), GroupKind::MachinePool) => &topology.workers.machine_pools,
        };
        let label = match kind {
            GroupKind::MachineDeployment => DEPLOYMENT_ENTRY_LABEL,
            GroupKind::MachinePool => POOL_ENTRY_LABEL,
        };
        let mut groups: Vec<Group<'a>> = Vec::new();
        for object in objects.iter().copied() {
            let named = object.metadata.labels.get(label);
            let at = entries.iter().position(|entry| Some(entry.name.as_str()) == named);
            let group = Group {
                id: WorkerGroup { kind, name: object.metadata.name.clone() },
                object,
                entry: at.map(|at| &entries[at]),
                at: at.unwrap_or(usize::MAX),
                machines: machines_of_group(kind, object, own),
                deferral: at.and_then(|at| deferral(entries, at)),
            };
            if self.topology.is_some() && !object.metadata.labels.has(OWNED_LABEL) {
                self.strangers.push(group);
            } else {
                groups.push(group);
            }
        }
        for entry in entries {
            if !groups.iter().any(|group| group.entry.is_some_and(|known| known.name == entry.name)) {
                self.entries_without_object.push((kind, &entry.name));
            }
        }
        groups.sort_by_key(|group| group.at);
        self.groups.extend(groups);
    }

    fn machines_of_control_plane(&self, own: &Own<'a>) -> Vec<&'a Machine> {
        let Some(control_plane) = self.control_plane else { return Vec::new() };
        let is_owner = |machine: &&Machine| {
            let owners = &machine.metadata.owner_references;
            owners.iter().any(|owner| owner.kind == control_plane.kind && owner.name == control_plane.metadata.name)
        };
        own.machines.iter().copied().filter(is_owner).collect()
    }

    /// The cluster's name as it is told.
    pub(crate) fn name(&self) -> String {
        qualified(&self.cluster.metadata)
    }

    /// The version that the topology names.
    pub(crate) fn topology_version(&self) -> Option<&'a str> {
        self.topology.map(|topology| topology.version.as_str()).filter(|version| !version.is_empty())
    }

    /// The name of the class that the topology is made of.
    pub(crate) fn class_name(&self) -> Option<String> {
        let topology = self.topology?;
        let home = topology.class_namespace(&self.cluster.metadata.namespace);
        let name = topology.class_name();
        Some(if home.is_empty() { name.to_owned() } else { format!("{home}/{name}") })
    }

    /// The control plane as it is told: `KubeadmControlPlane/c1-cp`.
    pub(crate) fn control_plane_name(&self) -> String {
        match (self.control_plane, &self.cluster.spec.control_plane_ref) {
            (Some(found), _) => format!("{}/{}", found.kind, found.metadata.name),
            (None, Some(reference)) => format!("{}/{}", reference.kind, reference.name),
            (None, None) => "the control plane".into(),
        }
    }

    /// The versions that a plan is made from.
    pub(crate) fn facts(&self, target: &str) -> Facts {
        let course = |group: &Group<'_>| match group.entry {
            _ if group.object.metadata.deletion_timestamp.is_some() => Course::Leaving,
            None if self.topology.is_some() => Course::Leaving,
            Some(_) | None => group.pinned_to().map_or(Course::Follows, |version| Course::Pinned(version.to_owned())),
        };
        let groups = self.groups.iter().map(|group| GroupFacts {
            id: group.id.clone(),
            version: group.object.version().map(str::to_owned),
            course: course(group),
        });
        Facts {
            target: target.to_owned(),
            control_plane: self.control_plane.map(|it| it.spec.version.clone()).filter(|version| !version.is_empty()),
            groups: groups.collect(),
        }
    }

    /// The control plane's version, if it is one.
    pub(crate) fn control_plane_version(&self) -> Option<KubeVersion> {
        KubeVersion::parse(&self.control_plane?.spec.version).ok()
    }

    /// The plan that Cluster API made last, without what the control plane has taken since.
    pub(crate) fn recorded_plan(&self) -> Option<Answer> {
        let status = &self.cluster.status;
        let at = self.control_plane_version()?;
        let ahead = |version: &String| {
            let newer = |version: KubeVersion| version.compare(&at) == Comparison::Greater;
            KubeVersion::parse(version).is_ok_and(newer)
        };
        let all = status.control_plane.upgrade_plan.iter().map(|step| step.version.clone());
        let control_plane: Vec<String> = all.filter(ahead).collect();
        let workers: Vec<String> = status.workers.upgrade_plan.iter().map(|step| step.version.clone()).collect();
        (!control_plane.is_empty() || !workers.is_empty()).then_some(Answer { control_plane, workers })
    }

    /// The hooks that are still to be asked, as the Cluster's annotation has them.
    pub(crate) fn pending_hooks(&self) -> impl Iterator<Item = &'a str> {
        let text = self.cluster.metadata.annotations.get(PENDING_HOOKS_ANNOTATION).unwrap_or_default();
        text.split(',').map(str::trim).filter(|name| !name.is_empty())
    }

    /// Whether a hook is still to be asked.
    pub(crate) fn is_pending(&self, hook: &str) -> bool {
        self.pending_hooks().any(|pending| pending == hook)
    }

    /// The annotations that forbid an upgrade to begin (chained-upgrades.md, 4.4), by their keys, in order.
    pub(crate) fn forbidding(&self) -> Vec<&'a str> {
        let keys = self.cluster.metadata.annotations.iter().map(|(key, _)| key);
        let mut keys: Vec<&str> = keys.filter(|key| key.starts_with(BEFORE_UPGRADE_PREFIX)).collect();
        keys.sort_unstable();
        keys
    }

    /// The step that is recorded on the Cluster.
    pub(crate) fn recorded_step(&self) -> Option<&'a str> {
        self.cluster.metadata.annotations.get(STEP_ANNOTATION)
    }

    /// Whether Cluster API has begun with the upgrade, by what it records.
    pub(crate) fn has_begun(&self) -> bool {
        self.is_pending("AfterClusterUpgrade") || self.recorded_step().is_some()
    }

    /// What was not seen, and what follows from that.
    pub(crate) fn unknowns(&self) -> Vec<Unknown> {
        let mut all = Vec::new();
        let mut tell = |serious: bool, message: String| all.push(Unknown { serious, message });
        let seen = &self.inventory.seen;
        match (self.control_plane, &self.cluster.spec.control_plane_ref) {
            (None, Some(_)) => {
                let name = self.control_plane_name();
                tell(true, format!("where the control plane is: {name}, which the Cluster refers to, was not seen"));
            }
            (Some(control_plane), _) if control_plane.spec.version.is_empty() => {
                tell(true, format!("where the control plane is: {} has no spec.version", self.control_plane_name()));
            }
            (Some(_) | None, _) => {}
        }
        for (kind, was_seen) in
            [(GroupKind::MachineDeployment, seen.machine_deployments), (GroupKind::MachinePool, seen.machine_pools)]
        {
            let entries = self.entries_without_object.iter().filter(|(of, _)| *of == kind).count();
            if entries > 0 && !was_seen {
                let message = format!(
                    "where the workers are: the topology has {entries} {kind}s, and no {kind} was seen, so that none is in the plan"
                );
                tell(true, message);
            } else if self.topology.is_none() && kind == GroupKind::MachineDeployment && !was_seen {
                tell(true, "where the workers are: no MachineDeployment was seen".into());
            }
        }
        for group in self.groups.iter().filter(|group| group.object.version().is_none()) {
            tell(true, format!("where {} is: it has no spec.template.spec.version, and is left out", group.id));
        }
        if !seen.machines {
            tell(false, "which machines are at which version, and whether any is not well: no Machine was seen".into());
        } else if self.groups.iter().any(|group| group.id.kind == GroupKind::MachinePool && group.machines.is_empty()) {
            tell(
                false,
                "whether the nodes of MachinePools run what they are to: only the workload cluster tells".into(),
            );
        }
        if self.topology.is_some() && !seen.extensions {
            tell(false, "which hooks are asked, and by whom: no ExtensionConfig was seen".into());
        }
        if !seen.budgets {
            tell(false, "whether drains pass: no PodDisruptionBudget of the workload cluster was seen".into());
        }
        all
    }
}

/// What pauses a Cluster as a whole, by what it asks for itself.
pub(crate) fn paused_by(cluster: &Cluster) -> Option<&'static str> {
    if cluster.spec.paused {
        Some("spec.paused")
    } else if cluster.metadata.annotations.has(PAUSED_ANNOTATION) {
        Some("the annotation cluster.x-k8s.io/paused")
    } else {
        None
    }
}

fn machines_of_group<'a>(kind: GroupKind, object: &Workers, own: &Own<'a>) -> Vec<&'a Machine> {
    let (label, entry_label) = match kind {
        GroupKind::MachineDeployment => (DEPLOYMENT_LABEL, DEPLOYMENT_ENTRY_LABEL),
        GroupKind::MachinePool => (POOL_LABEL, POOL_ENTRY_LABEL),
    };
    let entry = object.metadata.labels.get(entry_label);
    let is_of = |machine: &&Machine| {
        let labels = &machine.metadata.labels;
        match (labels.get(label), labels.get(entry_label)) {
            (Some(name), _) => name == object.metadata.name,
            (None, Some(own)) => entry == Some(own),
            (None, None) => kind == GroupKind::MachineDeployment && is_of_set(machine, &object.metadata.name),
        }
    };
    own.machines.iter().copied().filter(is_of).collect()
}

/// Whether the MachineSet that owns a machine without labels is one of a MachineDeployment: such are named after it,
/// with a hash behind.
fn is_of_set(machine: &Machine, deployment: &str) -> bool {
    let is_named_after = |set: &str| {
        let hash = set.strip_prefix(deployment).and_then(|rest| rest.strip_prefix('-'));
        hash.is_some_and(|hash| !hash.is_empty() && !hash.contains('-'))
    };
    let owners = &machine.metadata.owner_references;
    owners.iter().any(|owner| owner.kind == "MachineSet" && is_named_after(&owner.name))
}

/// Whether somebody put off the upgrade of an entry.
fn deferral(entries: &[TopologyGroup], at: usize) -> Option<Deferral<'_>> {
    let has = |entry: &TopologyGroup, key: &str| entry.metadata.annotations.has(key);
    let own = &entries[at];
    if has(own, DEFER_ANNOTATION) {
        return Some(Deferral::Own(DEFER_ANNOTATION));
    }
    if has(own, HOLD_ANNOTATION) {
        return Some(Deferral::Own(HOLD_ANNOTATION));
    }
    let before = entries.iter().take(at).find(|entry| has(entry, HOLD_ANNOTATION));
    before.map(|entry| Deferral::After(&entry.name))
}
