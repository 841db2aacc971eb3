//! A must-gather folder: objects one per file or as lists, in folders by scope, group and kind; alerts and the time of
//! recording in files of their own (cases A01, A02).

use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};

use super::collect::{Collection, Input};
use super::folder::{Entry, Folders, is_file, is_text};
use super::recognize::{GROUPS_OF_KEPT_CLUSTERS, Kind};
use super::source::shown;

/// The folder by which a must-gather is recognized.
const CLUSTER: &str = "cluster-scoped-resources";

/// The folder of the namespaces.
const NAMESPACES: &str = "namespaces";

/// How far below the folder that was given the image-named folder may be.
const DEPTH: usize = 3;

/// What a place in a must-gather is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Objects of a kind, be it none.
    Objects(Kind),
    /// The answer of Prometheus about its rules, with their alerts.
    Rules,
    /// The answer of Prometheus about its alerts: less is in it than in that about rules.
    Alerts,
    /// When the recording was made.
    Timestamp,
}

/// The folders at or below a folder that are must-gathers themselves, in the order of their names.
pub(super) fn roots(folder: &Path, folders: &mut Folders) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look(folder, DEPTH, folders, &mut found);
    found
}

fn look(folder: &Path, depth: usize, folders: &mut Folders, found: &mut Vec<PathBuf>) {
    if folder.join(CLUSTER).is_dir() || folder.join(NAMESPACES).is_dir() {
        found.push(folder.to_owned());
    } else if depth > 0 {
        for entry in folders.entries(folder).iter().filter(|entry| entry.is_folder) {
            look(&entry.path, depth - 1, folders, found);
        }
    }
}

/// Reads must-gather folders.
pub(super) fn read(roots: &[PathBuf], all: &mut Collection) {
    for root in roots {
        let mut reading = Reading { folders: Folders::below(root), files: Vec::new(), all };
        let cluster = root.join(CLUSTER);
        for kind in Kind::cluster_scoped() {
            reading.of_kind(&cluster.join(kind.group_folder()), kind);
        }
        for namespace in reading.folders.entries(&root.join(NAMESPACES)).iter().filter(|entry| entry.is_folder) {
            reading.of_namespace(&namespace.path);
        }
        let Reading { folders, files, .. } = reading;
        all.gaps(folders.gaps);
        all.read_files(&files);
        all.alerts_of_must_gather(root.join("monitoring/prometheus/rules.json"));
        all.alerts_of_must_gather(root.join("monitoring/prometheus/alerts.json"));
        // Older must-gathers keep the time beside the image-named folder, not in it.
        let beside = root.parent().map(|parent| parent.join("timestamp"));
        for file in [Some(root.join("timestamp")), beside].into_iter().flatten().filter(|file| is_file(file)) {
            all.timestamp_file(&file);
        }
    }
    all.no_alerts("alerts not in this must-gather".into());
}

/// One must-gather on the way of being read.
struct Reading<'a> {
    folders: Folders,
    files: Vec<Input>,
    all: &'a mut Collection,
}

impl Reading<'_> {
    /// The files of a kind: a folder with one per object, or one with a list.
    fn of_kind(&mut self, group: &Path, kind: Kind) {
        let folder = group.join(kind.plural());
        if folder.is_dir() {
            self.all.seen(kind);
        }
        for Entry { path, is_folder } in self.folders.entries(&folder) {
            if is_text(&path) && is_folder {
                self.all.gap(Gap::of_place(GapKind::Refused, shown(&path), "refused: not a file"));
            } else if is_text(&path) {
                self.files.push(Input { path, kind: Some(kind) });
            }
        }
        for extension in ["yaml", "json"] {
            let list = group.join(format!("{}.{extension}", kind.plural()));
            if is_file(&list) {
                self.all.seen(kind);
                self.files.push(Input { path: list, kind: Some(kind) });
            }
        }
    }

    fn of_namespace(&mut self, namespace: &Path) {
        if GROUPS_OF_KEPT_CLUSTERS.iter().any(|group| namespace.join(group).is_dir()) {
            self.all.keeps_others();
        }
        for kind in [Kind::Pod, Kind::PodDisruptionBudget] {
            self.of_kind(&namespace.join(kind.group_folder()), kind);
        }
        if namespace.file_name().is_some_and(|name| name == MCO_NAMESPACE) {
            self.of_kind(&namespace.join(Kind::Deployment.group_folder()), Kind::Deployment);
        }
        for pod in self.folders.entries(&namespace.join("pods")).iter().filter(|entry| entry.is_folder) {
            let mut name = pod.path.file_name().unwrap_or_default().to_owned();
            name.push(".yaml");
            let path = pod.path.join(name);
            if is_file(&path) {
                self.all.seen(Kind::Pod);
                self.files.push(Input { path, kind: Some(Kind::Pod) });
            }
        }
    }
}

/// The namespace of the machine config operator.
const MCO_NAMESPACE: &str = "openshift-machine-config-operator";

/// What a path inside of an archive is for, if anything; the folders above the must-gather do not matter.
pub(super) fn role_of(path: &str) -> Option<Role> {
    let parts: Vec<&str> = path.split('/').collect();
    let start = parts.iter().position(|part| matches!(*part, CLUSTER | NAMESPACES | "monitoring" | "timestamp"))?;
    let object = |file: &str| file.ends_with(".yaml") || file.ends_with(".json");
    let named = |part: &str, kind: Kind| {
        part == kind.plural() || [".yaml", ".json"].iter().any(|end| part.strip_suffix(end) == Some(&kind.plural()))
    };
    match parts.get(start..)? {
        ["timestamp"] => Some(Role::Timestamp),
        ["monitoring", "prometheus", "rules.json"] => Some(Role::Rules),
        ["monitoring", "prometheus", "alerts.json"] => Some(Role::Alerts),
        [scope, group, rest @ ..] if *scope == CLUSTER => {
            let kind = Kind::cluster_scoped()
                .find(|kind| kind.group_folder() == *group && named(rest.first().unwrap_or(&""), *kind))?;
            (rest.len() <= 2 && object(rest.last()?)).then_some(Role::Objects(kind))
        }
        [_, _, "pods", pod, file] if file.strip_suffix(".yaml") == Some(pod) => Some(Role::Objects(Kind::Pod)),
        [_, namespace, group, rest @ ..] => {
            let kinds = [Kind::Pod, Kind::PodDisruptionBudget, Kind::Deployment];
            let kind = kinds
                .into_iter()
                .find(|kind| kind.group_folder() == *group && named(rest.first().unwrap_or(&""), *kind))?;
            let wanted = kind != Kind::Deployment || *namespace == MCO_NAMESPACE;
            (wanted && rest.len() <= 2 && object(rest.last()?)).then_some(Role::Objects(kind))
        }
        _ => None,
    }
}

/// Whether a path inside of an archive is that of an object of a cluster that is kept.
pub(super) fn is_of_kept_cluster(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    parts.windows(3).any(|parts| matches!(parts, [NAMESPACES, _, group] if GROUPS_OF_KEPT_CLUSTERS.contains(group)))
}

/// The kind whose objects a folder inside of an archive is for.
pub(super) fn kind_of_folder(path: &str) -> Option<Kind> {
    match role_of(&format!("{}/x.yaml", path.trim_end_matches('/')))? {
        Role::Objects(kind) if path.trim_end_matches('/').ends_with(&format!("/{}", kind.plural())) => Some(kind),
        Role::Objects(_) | Role::Rules | Role::Alerts | Role::Timestamp => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_archives_have_the_roles_of_files_in_folders() {
        let check = |path: &str, expect: Option<Role>| assert_eq!(role_of(path), expect, "{path}");
        let objects = |kind: Kind| Some(Role::Objects(kind));
        check("mg/img/timestamp", Some(Role::Timestamp));
        check("timestamp", Some(Role::Timestamp));
        check("mg/img/monitoring/prometheus/rules.json", Some(Role::Rules));
        check("img/monitoring/prometheus/status/rules.json", None);
        check("img/cluster-scoped-resources/core/nodes/w-0.yaml", objects(Kind::Node));
        check("img/cluster-scoped-resources/core/nodes.yaml", objects(Kind::Node));
        check("img/cluster-scoped-resources/core/nodes/logs/x.log", None);
        check("img/cluster-scoped-resources/core/persistentvolumes/a.yaml", None);
        check(
            "img/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml",
            objects(Kind::ClusterVersion),
        );
        check("img/namespaces/shop/core/pods.yaml", objects(Kind::Pod));
        check("img/namespaces/shop/pods/a-1/a-1.yaml", objects(Kind::Pod));
        check("img/namespaces/shop/pods/a-1/c/c/logs/current.log", None);
        check("img/namespaces/shop/policy/poddisruptionbudgets/a.yaml", objects(Kind::PodDisruptionBudget));
        check("img/namespaces/shop/apps/deployments.yaml", None);
        check("img/namespaces/openshift-machine-config-operator/apps/deployments.yaml", objects(Kind::Deployment));
        check("img/version", None);
    }

    #[test]
    fn objects_of_kept_clusters_are_noticed_by_their_folder() {
        let check = |path: &str, expect: bool| assert_eq!(is_of_kept_cluster(path), expect, "{path}");
        check("img/namespaces/fleet/cluster.x-k8s.io/clusters/a.yaml", true);
        check("img/namespaces/clusters/hypershift.openshift.io/hostedclusters.yaml", true);
        check("img/namespaces/fleet/core/pods.yaml", false);
        check("img/cluster-scoped-resources/cluster.x-k8s.io/x.yaml", false);
    }

    #[test]
    fn folders_in_archives_say_which_kind_was_looked_at() {
        let check = |path: &str, expect: Option<Kind>| assert_eq!(kind_of_folder(path), expect, "{path}");
        check("img/cluster-scoped-resources/core/nodes/", Some(Kind::Node));
        check("img/cluster-scoped-resources/core/nodes", Some(Kind::Node));
        check("img/cluster-scoped-resources/core/", None);
        check("img/cluster-scoped-resources/core/nodes/w-0", None);
        check("img/namespaces/shop/core/pods/", Some(Kind::Pod));
        check("img/namespaces/shop/pods/", None);
        check("img/", None);
    }
}
