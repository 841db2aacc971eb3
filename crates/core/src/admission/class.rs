//! Writes of a ClusterClass (chained-upgrades.md, 6.2, with the corrections of section 10: majors count, clusters that
//! are on their way keep the versions they need, and an extension that plans is one).

use std::collections::BTreeSet;

use headway_api::cluster_api::{Cluster, ClusterClass, handler_and_config};
use headway_api::hooks::Hook;
use headway_api::plan::GroupKind;
use headway_api::preview::Severity;
use headway_api::quoted::{Escaped, Quoted, with_causes};

use super::list::{is_same, lists};
use super::observed::Sight;
use super::{Came, ClassWrite, Judgement, Mode, Need, Observed, Verdict, Violation};
use crate::preview::{Scene, faults_of_list, qualified, unreachable};
use crate::version::KubeVersion;

const LIST_FIELD: &str = "spec.kubernetesVersions";
const EXTENSION_FIELD: &str = "spec.upgrade.external.generateUpgradePlanExtension";

/// Judges a write of a ClusterClass. One that is being deleted is let in whatever it says.
pub fn judge_class(write: ClassWrite<'_>, mode: Mode, observed: &Observed) -> Judgement {
    if write.new.metadata.deletion_timestamp.is_some() {
        return Judgement::Decided(Verdict::default());
    }
    let mut case = Case { mode, observed, new: write.new, verdict: Verdict::default(), needs: BTreeSet::new() };
    case.list(write.old);
    case.extension(write.old);
    if let Some(old) = write.old {
        case.users(old);
    }
    if case.needs.is_empty() { Judgement::Decided(case.verdict) } else { Judgement::Needs(case.needs) }
}

/// One write on its way through the rules.
struct Case<'a> {
    mode: Mode,
    observed: &'a Observed,
    new: &'a ClusterClass,
    verdict: Verdict,
    needs: BTreeSet<Need>,
}

impl<'a> Case<'a> {
    /// The list by itself.
    fn list(&mut self, old: Option<&ClusterClass>) {
        let list = &self.new.spec.kubernetes_versions;
        let came = Came::of(old.map(|old| &old.spec.kubernetes_versions), list);
        for fault in faults_of_list(list) {
            let field = fault.index.map_or_else(|| LIST_FIELD.to_owned(), |index| format!("{LIST_FIELD}[{index}]"));
            let violation = Violation { rule: fault.rule, field, message: fault.message };
            match (fault.severity, came) {
                (Severity::Error, came) => self.verdict.hold(came, violation),
                (Severity::Warning | Severity::Note, Came::Now) => self.verdict.warn(violation.to_string()),
                (Severity::Warning | Severity::Note, Came::Before) => {}
            }
        }
    }

    /// E1 and E2: the extension that plans has a name of the right shape, and it is there.
    fn extension(&mut self, old: Option<&ClusterClass>) {
        let Some(name) = self.new.extension() else { return };
        let came = Came::of(old.and_then(ClusterClass::extension), name);
        let violation =
            |rule: &str, message: String| Violation { rule: rule.into(), field: EXTENSION_FIELD.into(), message };
        let Some((_, config)) = handler_and_config(name) else {
            let text = format!("{} is not of the form HANDLER.EXTENSIONCONFIG", Quoted(name));
            self.verdict.hold(came, violation("E1", text));
            return;
        };
        // What was there before is looked at by whoever calls it.
        if came == Came::Before || !self.look(&Need::Extension { name: config.into() }, "E2", EXTENSION_FIELD) {
            return;
        }
        let extensions = &self.observed.inventory.extensions;
        let Some(found) = extensions.iter().find(|it| it.metadata.name == config) else {
            self.verdict.violations.push(violation("E2", format!("ExtensionConfig/{config} was not found")));
            return;
        };
        let handlers = &found.status.handlers;
        if handlers.is_empty() {
            let text = format!("ExtensionConfig/{config} is not discovered yet, so whether it has {name} is not known");
            self.verdict.warn(violation("E2", text).to_string());
            return;
        }
        match handlers.iter().find(|handler| handler.name == name) {
            None => {
                let text = format!("ExtensionConfig/{config} has no handler {name}");
                self.verdict.violations.push(violation("E2", text));
            }
            Some(handler) if handler.request_hook.hook != Hook::GenerateUpgradePlan.name() => {
                let hook = Escaped(&handler.request_hook.hook);
                let text = format!("the handler {name} answers {hook} and not GenerateUpgradePlan");
                self.verdict.violations.push(violation("E2", text));
            }
            Some(_) => {}
        }
    }

    /// A4 and K1: the clusters of the class keep the versions that they need.
    fn users(&mut self, old: &ClusterClass) {
        let (before, now) = (&old.spec.kubernetes_versions, &self.new.spec.kubernetes_versions);
        let gone: Vec<KubeVersion> = before
            .iter()
            .filter_map(|text| KubeVersion::parse(text).ok())
            .filter(|it| now.is_empty() || !lists(now, it))
            .collect();
        // Adding versions to a list takes nothing from anybody; making the first list does.
        let is_first = before.is_empty() && !now.is_empty();
        if gone.is_empty() && !is_first {
            return;
        }
        if !self.look(&Need::Clusters, "A4", LIST_FIELD) {
            return;
        }
        let own = &self.new.metadata;
        for cluster in &self.observed.inventory.clusters {
            let Some(topology) = &cluster.spec.topology else { continue };
            let home = topology.class_namespace(&cluster.metadata.namespace);
            let uses = topology.class_name() == own.name && home == own.namespace;
            if !uses || cluster.metadata.deletion_timestamp.is_some() {
                continue;
            }
            let target = topology.version.as_str();
            if !now.is_empty() && !KubeVersion::parse(target).is_ok_and(|target| lists(now, &target)) {
                let text = format!(
                    "Cluster {} has the target {}, which is not in the list",
                    qualified(&cluster.metadata),
                    Escaped(target)
                );
                self.verdict.refuse("A4", LIST_FIELD, text);
            } else if !gone.is_empty() {
                self.on_its_way(cluster, target, before, &gone);
            }
        }
    }

    /// K1: a cluster that is on its way keeps the versions at which its parts are, and its way to the target.
    fn on_its_way(&mut self, cluster: &'a Cluster, target: &str, before: &[String], gone: &[KubeVersion]) {
        let Some(scene) = self.scene(cluster) else { return };
        let Ok(goal) = KubeVersion::parse(target) else { return };
        let control_plane = scene.control_plane.map(|it| (scene.control_plane_name(), it.spec.version.as_str()));
        let groups = scene.groups.iter().filter(|group| group.pinned_to().is_none());
        let groups = groups.filter_map(|group| Some((group.id.to_string(), group.object.version()?)));
        let parts: Vec<(String, &str)> = control_plane.into_iter().chain(groups).collect();
        let is_running = scene.has_begun() || parts.iter().any(|(_, version)| !is_same(version, &goal));
        if !is_running || parts.is_empty() {
            return;
        }
        let name = qualified(&cluster.metadata);
        for (part, version) in &parts {
            if let Some(gone) = gone.iter().find(|gone| is_same(version, gone)) {
                let text =
                    format!("{gone} cannot be taken away: Cluster {name} is on its way to {goal}, and {part} is at it");
                self.verdict.refuse("K1", LIST_FIELD, text);
            }
        }
        if self.new.extension().is_some() {
            return;
        }
        let Some(error) = unreachable(&scene, target, &self.new.spec.kubernetes_versions) else { return };
        let text = format!("Cluster {name} is on its way to {goal} and cannot reach it so: {}", with_causes(&error));
        // A way that was barred before is not barred by this write.
        let came = if unreachable(&scene, target, before).is_some() { Came::Before } else { Came::Now };
        self.verdict.hold(came, Violation { rule: "K1".into(), field: LIST_FIELD.into(), message: text });
    }

    /// A cluster with its control plane and workers, once they were looked at.
    fn scene(&mut self, cluster: &'a Cluster) -> Option<Scene<'a>> {
        let (namespace, name) = (cluster.metadata.namespace.clone(), cluster.metadata.name.clone());
        let mut wanted = vec![
            Need::Groups { kind: GroupKind::MachineDeployment, namespace: namespace.clone(), cluster: name.clone() },
            Need::Groups { kind: GroupKind::MachinePool, namespace: namespace.clone(), cluster: name },
        ];
        if let Some(reference) = &cluster.spec.control_plane_ref {
            let namespace = if reference.namespace.is_empty() { namespace } else { reference.namespace.clone() };
            let (kind, name) = (reference.kind.clone(), reference.name.clone());
            wanted.push(Need::ControlPlane { group: reference.group().to_owned(), kind, namespace, name });
        }
        let seen = wanted.iter().filter(|need| self.look(need, "K1", LIST_FIELD)).count();
        (seen == wanted.len()).then(|| Scene::of(&self.observed.inventory, cluster))
    }

    /// Whether something was seen; if not, it is asked for or told.
    fn look(&mut self, need: &Need, rule: &str, field: &str) -> bool {
        match self.observed.sight(need) {
            Sight::Seen => return true,
            Sight::Unseen(why) => self.verdict.unseen(self.mode, rule, field, &need.to_string(), why),
            Sight::NotYet => {
                self.needs.insert(need.clone());
            }
        }
        false
    }
}
