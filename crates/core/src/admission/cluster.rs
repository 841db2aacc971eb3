//! Writes of a Cluster (chained-upgrades.md, 6.1).

use std::collections::BTreeSet;

use headway_api::cluster_api::{
    ADOPTED_ANNOTATION, CONCURRENCY_ANNOTATION, Cluster, ClusterClass, PENDING_HOOKS_ANNOTATION, Topology,
    UNCHECKED_ANNOTATION,
};
use headway_api::plan::GroupKind;
use headway_api::quoted::{Quoted, with_causes};

use super::list::{beyond_one_minor, lists};
use super::observed::Sight;
use super::rebase::misfits;
use super::revert::cannot_revert;
use super::settled::{control_plane_unsettled, group_unsettled};
use super::{Came, ClusterWrite, Judgement, Mode, Need, Observed, Verdict, Violation};
use crate::preview::Scene;
use crate::version::{Comparison, KubeVersion};

pub(super) const VERSION_FIELD: &str = "spec.topology.version";
const CLASS_FIELD: &str = "spec.topology.classRef";

/// Judges a write of a Cluster.
///
/// One that is being deleted is let in whatever it says: nothing must keep its finalizers from being taken away. One
/// without a topology is nothing to us.
pub fn judge_cluster(write: ClusterWrite<'_>, mode: Mode, observed: &Observed) -> Judgement {
    let new = write.new;
    let Some(topology) = new.spec.topology.as_ref().filter(|_| new.metadata.deletion_timestamp.is_none()) else {
        return Judgement::Decided(Verdict::default());
    };
    let mut case = Case { mode, observed, new, topology, verdict: Verdict::default(), needs: BTreeSet::new() };
    case.judge(write.old);
    if case.needs.is_empty() { Judgement::Decided(case.verdict) } else { Judgement::Needs(case.needs) }
}

/// One write on its way through the rules.
struct Case<'a> {
    mode: Mode,
    observed: &'a Observed,
    new: &'a Cluster,
    topology: &'a Topology,
    verdict: Verdict,
    needs: BTreeSet<Need>,
}

impl<'a> Case<'a> {
    fn judge(&mut self, old: Option<&Cluster>) {
        self.concurrency(old);
        let before = old.and_then(|old| old.spec.topology.as_ref()).filter(|it| !it.class_name().is_empty());
        let Some(version) = self.form(before) else { return };
        let Some(before) = before else {
            if old.is_some() && !self.adopted() {
                return;
            }
            if let Some(class) = self.class(Came::Before) {
                self.listed(class, &version);
            }
            return;
        };
        let own = &self.new.metadata.namespace;
        let class_of = |topology: &'a Topology| (topology.class_namespace(own), topology.class_name());
        let is_rebased = (before.class_namespace(own), before.class_name()) != class_of(self.topology);
        if before.version == self.topology.version && !is_rebased {
            return;
        }
        let class = self.class(Came::Now);
        if let Some(class) = class {
            self.listed(class, &version);
        }
        if is_rebased {
            self.rebased(before, class);
        }
        self.moved(&before.version, &version, class);
    }

    /// A3: how many groups at a time.
    fn concurrency(&mut self, old: Option<&Cluster>) {
        let Some(text) = self.new.metadata.annotations.get(CONCURRENCY_ANNOTATION) else { return };
        // Cluster API reads it as an int of Go, which takes a sign before it.
        let digits = text.strip_prefix('+').unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && digits.parse::<i64>().is_ok_and(|number| number >= 1) {
            return;
        }
        let before = old.and_then(|old| old.metadata.annotations.get(CONCURRENCY_ANNOTATION));
        self.verdict.hold(
            Came::of(before, text),
            Violation {
                rule: "A3".into(),
                field: format!("metadata.annotations[{CONCURRENCY_ANNOTATION}]"),
                message: format!("{} is not a whole number of at least 1", Quoted(text)),
            },
        );
    }

    /// A1 and A2: a class is named, and the version is one in its full form. `None` when either is not so.
    fn form(&mut self, before: Option<&Topology>) -> Option<KubeVersion> {
        let name = self.topology.class_name();
        if name.is_empty() {
            self.verdict.refuse("A1", format!("{CLASS_FIELD}.name"), "no ClusterClass is named");
        }
        let text = self.topology.version.as_str();
        match KubeVersion::parse_strict(text) {
            Ok(version) => Some(version).filter(|_| !name.is_empty()),
            Err(error) => {
                let came = Came::of(before.map(|it| it.version.as_str()), text);
                let message = format!("{} is not a version such as v1.33.0: {}", Quoted(text), with_causes(&error));
                let violation = Violation { rule: "A2".into(), field: VERSION_FIELD.into(), message };
                self.verdict.hold(came, violation);
                None
            }
        }
    }

    /// T1: a topology comes to a cluster that has managed without.
    fn adopted(&mut self) -> bool {
        let is_wanted = self.new.metadata.annotations.has(ADOPTED_ANNOTATION);
        if !is_wanted {
            self.verdict.refuse(
                "T1",
                CLASS_FIELD,
                format!("a topology cannot be given to a Cluster that is there already, save with the annotation {ADOPTED_ANNOTATION}"),
            );
        }
        is_wanted
    }

    /// R1: the class that is named. Whoever creates a cluster may bring the class later.
    fn class(&mut self, created: Came) -> Option<&'a ClusterClass> {
        let (namespace, name) =
            (self.topology.class_namespace(&self.new.metadata.namespace), self.topology.class_name());
        let need = Need::Class { namespace: namespace.into(), name: name.into() };
        self.look(&need, "R1", CLASS_FIELD)?;
        let found = self.observed.class(namespace, name);
        if found.is_none() {
            let text = format!("{need} was not found");
            match created {
                Came::Before => self.verdict.warn(format!("{text}, so what it says of versions is not looked at")),
                Came::Now => self.verdict.refuse("R1", CLASS_FIELD, text),
            }
        }
        found
    }

    /// A4: the class has the version.
    fn listed(&mut self, class: &ClusterClass, version: &KubeVersion) {
        if !lists(&class.spec.kubernetes_versions, version) {
            let text = format!("ClusterClass/{} does not list {version}", class.metadata.name);
            self.verdict.refuse("A4", VERSION_FIELD, text);
        }
    }

    /// R1 and R2: from one class to another.
    fn rebased(&mut self, before: &Topology, class: Option<&ClusterClass>) {
        let (namespace, name) = (before.class_namespace(&self.new.metadata.namespace), before.class_name());
        let need = Need::Class { namespace: namespace.into(), name: name.into() };
        if self.look(&need, "R1", CLASS_FIELD).is_none() {
            return;
        }
        match (self.observed.class(namespace, name), class) {
            (None, _) => {
                let text = format!("{need}, which the Cluster is made of now, was not found");
                self.verdict.refuse("R1", CLASS_FIELD, text);
            }
            (Some(old), Some(new)) => {
                for misfit in misfits(old, new, self.topology) {
                    let text = format!("ClusterClass/{} does not fit the Cluster: {misfit}", new.metadata.name);
                    self.verdict.refuse("R2", CLASS_FIELD, text);
                }
            }
            (Some(_), None) => {}
        }
    }

    /// B1 to B8: from one version to another.
    fn moved(&mut self, before: &str, new: &KubeVersion, class: Option<&ClusterClass>) {
        if before == self.topology.version {
            return;
        }
        if self.new.metadata.annotations.has(UNCHECKED_ANNOTATION) {
            self.verdict.warn(format!(
                "the change of the version is not checked: the Cluster has the annotation {UNCHECKED_ANNOTATION}"
            ));
            return;
        }
        let old = match KubeVersion::parse(before) {
            Ok(old) if old == *new => return,
            Ok(old) => old,
            Err(error) => {
                let text = format!("the version until now, {}, is not one: {}", Quoted(before), with_causes(&error));
                self.verdict.refuse("B2", VERSION_FIELD, text);
                return;
            }
        };
        if self.reverted(&old, new) || self.barred(&old, new, class) {
            return;
        }
        self.settled(&old);
    }

    /// Takes a target back, where that is possible; whether nothing else is left to judge.
    fn reverted(&mut self, old: &KubeVersion, new: &KubeVersion) -> bool {
        let is_older = new.compare(old) == Comparison::Less;
        if self.mode == Mode::Topology && new.compare(old) != Comparison::Greater {
            let Some(scene) = self.scenery("B3") else { return true };
            match cannot_revert(&scene, new, &self.observed.nodes) {
                Ok(()) => {
                    self.verdict.warn(format!("the target {old} is taken back before the upgrade to it has begun"));
                    return true;
                }
                Err(why) if is_older => {
                    let text = format!("{new} is older than {old}, and the target cannot be taken back: {why}");
                    self.verdict.refuse("B3", VERSION_FIELD, text);
                    return true;
                }
                // Another build that is neither older nor newer goes through the rules like a newer one.
                Err(_) => return false,
            }
        }
        if is_older {
            self.verdict.refuse("B3", VERSION_FIELD, format!("{new} is older than {old}"));
        }
        is_older
    }

    /// B4 and B5, either of which ends the judgement.
    fn barred(&mut self, old: &KubeVersion, new: &KubeVersion, class: Option<&ClusterClass>) -> bool {
        if new.minor().major != old.minor().major {
            self.verdict.refuse(
                "B4",
                VERSION_FIELD,
                format!("{new} changes the major of {old}, and no upgrade goes there"),
            );
            return true;
        }
        if let Some(why) = class.and_then(|class| beyond_one_minor(class, old, new)) {
            self.verdict.refuse("B4", VERSION_FIELD, why);
            return true;
        }
        let pending = self.new.metadata.annotations.get(PENDING_HOOKS_ANNOTATION).unwrap_or_default();
        let is_pending = pending.split(',').any(|hook| hook.trim() == "AfterClusterUpgrade");
        if is_pending {
            let text = format!(
                "the upgrade to {old} is not over: the hook AfterClusterUpgrade is still pending, see the annotation {PENDING_HOOKS_ANNOTATION}"
            );
            self.verdict.refuse("B5", VERSION_FIELD, text);
        }
        is_pending
    }

    /// B6 to B8, all of which are told.
    fn settled(&mut self, old: &KubeVersion) {
        let Some(scene) = self.scenery("B6") else { return };
        match scene.control_plane {
            Some(control_plane) => {
                self.verdict.violations.extend(control_plane_unsettled(&scene, control_plane, old));
            }
            None => {
                let text = format!("{} was not found, so that it is not at {old}", scene.control_plane_name());
                self.verdict.refuse("B6", VERSION_FIELD, text);
            }
        }
        // What is being deleted is on its way out, and must not hold up the rest.
        let staying = scene.groups.iter().filter(|group| group.object.metadata.deletion_timestamp.is_none());
        for group in staying {
            self.verdict.violations.extend(group_unsettled(group, old, &self.observed.nodes));
        }
    }

    /// The cluster with all that belongs to it, once it was looked at; `rule` is told where it could not be.
    fn scenery(&mut self, rule: &str) -> Option<Scene<'a>> {
        let Cluster { metadata, spec, .. } = self.new;
        let (namespace, cluster) = (metadata.namespace.clone(), metadata.name.clone());
        let mut wanted = vec![
            (Need::Machines { namespace: namespace.clone(), cluster: cluster.clone() }, "B7"),
            (group_need(GroupKind::MachineDeployment, &namespace, &cluster), "B7"),
            (group_need(GroupKind::MachinePool, &namespace, &cluster), "B8"),
        ];
        if let Some(reference) = &spec.control_plane_ref {
            let home = if reference.namespace.is_empty() { &namespace } else { &reference.namespace };
            let need = Need::ControlPlane {
                group: reference.group().to_owned(),
                kind: reference.kind.clone(),
                namespace: home.clone(),
                name: reference.name.clone(),
            };
            wanted.push((need, rule));
        }
        self.looked(wanted)?;
        let scene = Scene::of(&self.observed.inventory, self.new);
        // Pools without Machines of their own name their nodes, which only the workload cluster knows.
        let pools = scene.groups.iter().filter(|group| {
            group.id.kind == GroupKind::MachinePool
                && group.machines.is_empty()
                && group.object.metadata.deletion_timestamp.is_none()
        });
        let names: BTreeSet<String> =
            pools.flat_map(|group| group.object.status.node_refs.iter().map(|node| node.name.clone())).collect();
        if !names.is_empty() {
            self.looked(vec![(Need::Nodes { namespace, cluster, names }, "B8")])?;
        }
        Some(scene)
    }

    /// Whether all of these were looked at; what was not is asked for or told.
    fn looked(&mut self, wanted: Vec<(Need, &str)>) -> Option<()> {
        let seen = wanted.iter().filter(|(need, rule)| self.look(need, rule, VERSION_FIELD).is_some()).count();
        (seen == wanted.len()).then_some(())
    }

    /// Whether something was seen; if not, it is asked for or told.
    fn look(&mut self, need: &Need, rule: &str, field: &str) -> Option<()> {
        match self.observed.sight(need) {
            Sight::Seen => Some(()),
            Sight::Unseen(why) => {
                self.verdict.unseen(self.mode, rule, field, &need.to_string(), why);
                None
            }
            Sight::NotYet => {
                self.needs.insert(need.clone());
                None
            }
        }
    }
}

fn group_need(kind: GroupKind, namespace: &str, cluster: &str) -> Need {
    Need::Groups { kind, namespace: namespace.into(), cluster: cluster.into() }
}
