//! A must-gather folder: objects one per file or as lists, in folders by scope, group and kind; alerts and the time of
//! recording in files of their own (cases A01, A02).

use std::path::{Path, PathBuf};

use super::collect::{Collection, Input};
use super::plain::{entries, is_text};
use super::recognize::Kind;

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
pub(super) fn roots(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look(folder, DEPTH, &mut found);
    found
}

fn look(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if folder.join(CLUSTER).is_dir() || folder.join(NAMESPACES).is_dir() {
        found.push(folder.to_owned());
    } else if depth > 0 {
        for (path, _) in entries(folder).iter().filter(|(_, is_folder)| *is_folder) {
            look(path, depth - 1, found);
        }
    }
}

/// Reads must-gather folders.
pub(super) fn read(roots: &[PathBuf], all: &mut Collection) {
    for root in roots {
        let mut files = Vec::new();
        let cluster = root.join(CLUSTER);
        for kind in Kind::cluster_scoped() {
            of_kind(&cluster.join(kind.group_folder()), kind, &mut files, all);
        }
        for (namespace, _) in entries(&root.join(NAMESPACES)).iter().filter(|(_, is_folder)| *is_folder) {
            of_namespace(namespace, &mut files, all);
        }
        all.read_files(&files);
        all.alerts_of_must_gather(root.join("monitoring/prometheus/rules.json"));
        all.alerts_of_must_gather(root.join("monitoring/prometheus/alerts.json"));
        // Older must-gathers keep the time beside the image-named folder, not in it.
        let beside = root.parent().map(|parent| parent.join("timestamp"));
        for file in [Some(root.join("timestamp")), beside].into_iter().flatten().filter(|file| file.is_file()) {
            all.timestamp_file(&file);
        }
    }
    all.no_alerts("alerts not in this must-gather".into());
}

/// The files of a kind: a folder with one per object, or one with a list.
fn of_kind(group: &Path, kind: Kind, files: &mut Vec<Input>, all: &mut Collection) {
    let folder = group.join(kind.plural());
    if folder.is_dir() {
        all.seen(kind);
    }
    let objects = entries(&folder).into_iter().filter(|(path, is_folder)| !is_folder && is_text(path));
    files.extend(objects.map(|(path, _)| Input { path, kind: Some(kind) }));
    for extension in ["yaml", "json"] {
        let list = group.join(format!("{}.{extension}", kind.plural()));
        if list.is_file() {
            all.seen(kind);
            files.push(Input { path: list, kind: Some(kind) });
        }
    }
}

fn of_namespace(namespace: &Path, files: &mut Vec<Input>, all: &mut Collection) {
    of_kind(&namespace.join(Kind::Pod.group_folder()), Kind::Pod, files, all);
    of_kind(&namespace.join(Kind::PodDisruptionBudget.group_folder()), Kind::PodDisruptionBudget, files, all);
    if namespace.file_name().is_some_and(|name| name == MCO_NAMESPACE) {
        of_kind(&namespace.join(Kind::Deployment.group_folder()), Kind::Deployment, files, all);
    }
    for (pod, _) in entries(&namespace.join("pods")).iter().filter(|(_, is_folder)| *is_folder) {
        let name = pod.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = pod.join(format!("{name}.yaml"));
        if path.is_file() {
            all.seen(Kind::Pod);
            files.push(Input { path, kind: Some(Kind::Pod) });
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
}
