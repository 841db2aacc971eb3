//! A small cluster in the middle of an update, object by object, and where each form of recording keeps it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::yaml;

/// Files of a recording: names and contents.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// An object of the cluster.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) kind: &'static str,
    pub(super) namespace: Option<&'static str>,
    pub(super) name: String,
    pub(super) value: Value,
}

/// The name of the folder inside of a must-gather.
pub(super) const IMAGE: &str = "registry-example-com-mg-sha256-0a1b";

/// When the recording was made.
pub(super) const RECORDED_AT: &str = "2026-05-04T08:44:51.5Z";

impl Object {
    /// The file's text.
    pub(super) fn yaml(&self) -> String {
        yaml::document(&self.value)
    }

    /// The plural of the kind, as in folder names.
    pub(super) fn plural(&self) -> String {
        format!("{}s", self.kind.to_lowercase())
    }

    /// The folder of the API group below the image-named folder.
    pub(super) fn group(&self) -> String {
        let group = match self.kind {
            "ClusterVersion" | "ClusterOperator" => "config.openshift.io",
            "MachineConfigPool" | "MachineConfig" => "machineconfiguration.openshift.io",
            "Deployment" => "apps",
            "PodDisruptionBudget" => "policy",
            _ => "core",
        };
        match self.namespace {
            Some(namespace) => format!("namespaces/{namespace}/{group}"),
            None => format!("cluster-scoped-resources/{group}"),
        }
    }
}

/// All objects, by kind, namespace and name.
pub(super) fn cluster() -> Vec<Object> {
    let mut all = vec![version()];
    all.extend(["etcd", "machine-config"].map(operator));
    all.extend(["master", "worker"].map(pool));
    for pool in ["master", "worker"] {
        all.push(config(pool, "new", "4.15.3"));
        all.push(config(pool, "old", "4.14.9"));
    }
    all.extend([node("cp-0", "master", "new"), node("w-0", "worker", "new"), node("w-1", "worker", "old")]);
    all.push(deployment());
    all.extend([pod("bank", "vault-0"), pod("shop", "cart-0"), pod("shop", "cart-1")]);
    all.extend([budget("bank", "vault"), budget("shop", "cart")]);
    all
}

fn object(api: &str, kind: &'static str, namespace: Option<&'static str>, name: &str, rest: Value) -> Object {
    let mut value = json!({"apiVersion": api, "kind": kind, "metadata": {"name": name}});
    if let Some(namespace) = namespace {
        value["metadata"]["namespace"] = namespace.into();
    }
    let parts = [("labels", "/metadata/labels"), ("annotations", "/metadata/annotations")];
    for (field, content) in rest.as_object().into_iter().flatten() {
        match parts.iter().find(|(name, _)| name == field) {
            Some((name, _)) => value["metadata"][name] = content.clone(),
            None => value[field] = content.clone(),
        }
    }
    Object { kind, namespace, name: name.to_owned(), value }
}

fn condition(kind: &str, status: &str, minute: u32) -> Value {
    json!({"type": kind, "status": status, "reason": "AsExpected", "message": "as it\nshould be",
        "lastTransitionTime": format!("2026-05-04T08:{minute:02}:00Z")})
}

fn version() -> Object {
    let entry = |version: &str, state: &str, from: &str, to: Value| {
        json!({"version": version, "state": state, "startedTime": from, "completionTime": to,
            "image": format!("registry.example.com/release:{version}"), "verified": true})
    };
    let history = [
        entry("4.15.3", "Partial", "2026-05-04T08:00:00Z", Value::Null),
        entry("4.14.9", "Completed", "2026-02-01T08:00:00Z", "2026-02-01T09:00:00Z".into()),
    ];
    let status = json!({"desired": {"version": "4.15.3", "image": "registry.example.com/release:4.15.3"},
        "history": history, "observedGeneration": 3, "availableUpdates": null,
        "conditions": [condition("Available", "True", 1), condition("Failing", "False", 2),
            condition("Progressing", "True", 0)]});
    object("config.openshift.io/v1", "ClusterVersion", None, "version", json!({"spec": {}, "status": status}))
}

fn operator(name: &str) -> Object {
    let conditions = [condition("Available", "True", 5), condition("Progressing", "False", 30)];
    let status = json!({"conditions": conditions, "versions": [{"name": "operator", "version": "4.15.3"}]});
    let annotations = json!({"include.release.openshift.io/self-managed-high-availability": "true"});
    let rest = json!({"annotations": annotations, "status": status});
    object("config.openshift.io/v1", "ClusterOperator", None, name, rest)
}

fn pool(name: &str) -> Object {
    let selector = json!({"matchLabels": {format!("node-role.kubernetes.io/{name}"): ""}});
    let spec = json!({"configuration": {"name": format!("rendered-{name}-new")}, "nodeSelector": selector,
        "paused": false});
    let status = json!({"conditions": [condition("Updated", "False", 20)], "machineCount": 2});
    let rest = json!({"spec": spec, "status": status});
    object("machineconfiguration.openshift.io/v1", "MachineConfigPool", None, name, rest)
}

fn config(pool: &str, age: &str, version: &str) -> Object {
    let annotations = json!({"machineconfiguration.openshift.io/release-image-version": version});
    let rest = json!({"annotations": annotations, "spec": {"config": {"ignition": {"version": "3.4.0"}}}});
    object("machineconfiguration.openshift.io/v1", "MachineConfig", None, &format!("rendered-{pool}-{age}"), rest)
}

/// A node of a pool.
pub(super) fn node(name: &str, pool: &str, config: &str) -> Object {
    let annotations = json!({
        "machineconfiguration.openshift.io/currentConfig": format!("rendered-{pool}-{config}"),
        "machineconfiguration.openshift.io/desiredConfig": format!("rendered-{pool}-{config}"),
        "machineconfiguration.openshift.io/state": "Done",
    });
    let labels = json!({format!("node-role.kubernetes.io/{pool}"): "", "kubernetes.io/hostname": name});
    let status = json!({"conditions": [condition("Ready", "True", 15)], "capacity": {"cpu": "8"},
        "images": [{"names": ["registry.example.com/a@sha256:00"], "sizeBytes": 1234}]});
    object("v1", "Node", None, name, json!({"annotations": annotations, "labels": labels, "status": status}))
}

fn deployment() -> Object {
    let container = json!({"name": "machine-config-operator", "image": "registry.example.com/mco:4.15.3"});
    let spec = json!({"template": {"spec": {"containers": [container]}}});
    let namespace = Some("openshift-machine-config-operator");
    object("apps/v1", "Deployment", namespace, "machine-config-operator", json!({"spec": spec}))
}

fn pod(namespace: &'static str, name: &str) -> Object {
    let app = name.split('-').next().unwrap_or_default();
    let rest = json!({"labels": {"app": app}, "spec": {"nodeName": "w-1"}, "status": {"phase": "Running"}});
    object("v1", "Pod", Some(namespace), name, rest)
}

fn budget(namespace: &'static str, name: &str) -> Object {
    let spec = json!({"selector": {"matchLabels": {"app": name}}, "minAvailable": 1});
    let status = json!({"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1});
    let rest = json!({"spec": spec, "status": status});
    object("policy/v1", "PodDisruptionBudget", Some(namespace), name, rest)
}

/// Writes files below a folder.
pub(super) fn write(folder: &Path, files: &[(String, Vec<u8>)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Writes one file and gives its path.
pub(super) fn file(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    write(folder, &[(name.to_owned(), text.as_ref().to_vec())]);
    folder.join(name)
}

/// The files of a must-gather below its image-named folder, one per object.
pub(super) fn must_gather(objects: &[Object]) -> Files {
    let mut files = Vec::new();
    for object in objects {
        let place = format!("{}/{}/{}.yaml", object.group(), object.plural(), object.name);
        files.push((place, format!("---\n{}", object.yaml()).into_bytes()));
    }
    files.push(timestamp());
    files
}

/// The same with a list per kind (and namespace), as `oc adm inspect` writes them.
pub(super) fn must_gather_of_lists(objects: &[Object]) -> Files {
    let mut lists: Vec<(String, Vec<&Value>)> = Vec::new();
    for object in objects {
        let place = format!("{}/{}.yaml", object.group(), object.plural());
        match lists.iter_mut().find(|(known, _)| *known == place) {
            Some((_, items)) => items.push(&object.value),
            None => lists.push((place, vec![&object.value])),
        }
    }
    let mut files: Files =
        lists.into_iter().map(|(place, items)| (place, yaml::list("List", &items).into_bytes())).collect();
    files.push(timestamp());
    files
}

fn timestamp() -> (String, Vec<u8>) {
    let lines = "2026-05-04 08:40:03.1 +0000 UTC m=+0.1\n2026-05-04 10:44:51.5 +0200 CEST m=+288.4\n";
    ("timestamp".into(), lines.into())
}

/// Files under a folder's name.
pub(super) fn under(folder: &str, files: Files) -> Files {
    files.into_iter().map(|(name, text)| (format!("{folder}/{name}"), text)).collect()
}
