//! A real API server with the objects of a recording in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use futures::{StreamExt, stream};
use headway_cluster::object::{self, Parser};
use headway_testenv::Plane;
use http::Request;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::{Value, json};

/// The kinds that are read, with where the API server keeps them.
const KINDS: [(&str, &str); 11] = [
    ("ClusterVersion", "/apis/config.openshift.io/v1"),
    ("ClusterOperator", "/apis/config.openshift.io/v1"),
    ("MachineConfigPool", "/apis/machineconfiguration.openshift.io/v1"),
    ("MachineConfig", "/apis/machineconfiguration.openshift.io/v1"),
    ("MachineConfigNode", "/apis/machineconfiguration.openshift.io/v1"),
    ("MachineOSConfig", "/apis/machineconfiguration.openshift.io/v1"),
    ("MachineOSBuild", "/apis/machineconfiguration.openshift.io/v1"),
    ("Node", "/api/v1"),
    ("Pod", "/api/v1"),
    ("PodDisruptionBudget", "/apis/policy/v1"),
    ("Deployment", "/apis/apps/v1"),
];

/// Where the tests of alerts put more: a later test that finds it would trust and reach what it should not.
const OF_ALERTS: [&str; 2] = [
    "/api/v1/namespaces/openshift-config-managed/configmaps",
    "/apis/route.openshift.io/v1/namespaces/openshift-monitoring/routes",
];

/// A plane that serves OpenShift's kinds. The tests of this binary share it, one at a time.
pub(super) struct World {
    pub(super) plane: Plane,
    /// Namespaces that were made.
    namespaces: BTreeSet<String>,
}

/// The shared plane, for one test alone.
pub(super) fn world() -> MutexGuard<'static, World> {
    static WORLD: OnceLock<Mutex<World>> = OnceLock::new();
    let shared = WORLD.get_or_init(|| {
        let plane = Plane::start().unwrap();
        plane.apply_foreign_crds().unwrap();
        Mutex::new(World { plane, namespaces: BTreeSet::new() })
    });
    // A test that failed leaves objects behind, and the next one begins by putting them away.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// A plane of one test's own.
    pub(super) fn alone(plane: Plane) -> Self {
        Self { plane, namespaces: BTreeSet::new() }
    }

    /// Puts all objects away and the recorded ones in.
    pub(super) fn hold(&mut self, recordings: &[PathBuf]) {
        let objects: Vec<Value> = recordings.iter().flat_map(|path| recorded(path)).collect();
        self.hold_objects(&objects);
    }

    /// Puts all objects away and these in.
    pub(super) fn hold_objects(&mut self, objects: &[Value]) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let kubeconfig = self.plane.kubeconfig().to_owned();
        let wanted: BTreeSet<String> = objects.iter().filter_map(namespace).map(str::to_owned).collect();
        runtime.block_on(async {
            let client = client(&kubeconfig).await;
            clear(&client, &self.namespaces).await;
            for namespace in wanted.difference(&self.namespaces) {
                let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
                send(&client, "POST", "/api/v1/namespaces", "application/json", &body).await;
            }
            stream::iter(objects).map(|object| put(&client, object)).buffer_unordered(8).collect::<Vec<()>>().await;
        });
        self.namespaces.extend(wanted);
    }
}

/// A client that may do everything.
pub(super) async fn client(kubeconfig: &Path) -> Client {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

/// The objects of a recording that are of a kind that is read.
pub(super) fn recorded(path: &Path) -> Vec<Value> {
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        return inside.iter().flat_map(|path| recorded(path)).collect();
    }
    let text = fs::read(path).unwrap();
    let objects = object::split(&text, Parser::Fast).filter_map(Result::ok);
    let known = objects.filter(|object| KINDS.iter().any(|(kind, _)| object.kind.as_deref() == Some(kind)));
    known
        .map(|object| {
            let (api_version, kind) = (object.api_version.clone(), object.kind.clone());
            let mut value = object.read::<Value>().value.expect("a whole object");
            // Items of a typed list say neither.
            value["apiVersion"] = api_version.expect("a version").into_owned().into();
            value["kind"] = kind.expect("a kind").into_owned().into();
            value
        })
        .collect()
}

fn namespace(object: &Value) -> Option<&str> {
    object["metadata"]["namespace"].as_str()
}

/// Where an object's list is.
fn list_path(object: &Value) -> String {
    let kind = object["kind"].as_str().unwrap();
    let (_, root) = KINDS.iter().find(|(known, _)| *known == kind).unwrap();
    path_of(root, kind, namespace(object))
}

fn path_of(root: &str, kind: &str, namespace: Option<&str>) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    match namespace {
        Some(namespace) => format!("{root}/namespaces/{namespace}/{plural}"),
        None => format!("{root}/{plural}"),
    }
}

async fn clear(client: &Client, namespaces: &BTreeSet<String>) {
    let now = json!({"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0});
    let mut paths: Vec<String> = OF_ALERTS.map(str::to_owned).into();
    for (kind, root) in KINDS {
        let is_namespaced = matches!(kind, "Pod" | "PodDisruptionBudget" | "Deployment");
        if is_namespaced {
            paths.extend(namespaces.iter().map(|namespace| path_of(root, kind, Some(namespace))));
        } else {
            paths.push(path_of(root, kind, None));
        }
    }
    for path in paths {
        // A kind that is not served has no objects.
        if client.request_text(Request::get(&path).body(Vec::new()).unwrap()).await.is_err() {
            continue;
        }
        send(client, "DELETE", &path, "application/json", &now).await;
    }
}

/// Puts one object in, with its status.
pub(super) async fn put(client: &Client, object: &Value) {
    let path = list_path(object);
    let object = fit(object);
    send(client, "POST", &path, "application/json", &object).await;
    let one = format!("{path}/{}", object["metadata"]["name"].as_str().unwrap());
    if object["kind"] == "ClusterVersion" {
        raise_generation(client, &one, &object).await;
    }
    // A node comes with its status; of a Deployment nobody reads it.
    if object["status"].is_object() && object["kind"] != "Deployment" && object["kind"] != "Node" {
        let status = json!({"status": object["status"]});
        send(client, "PATCH", &format!("{one}/status"), "application/merge-patch+json", &status).await;
    }
}

/// What an API server takes: it gives versions itself, and some kinds must be whole to be taken.
fn fit(object: &Value) -> Value {
    let mut fit = object.clone();
    let recorded = &object["metadata"];
    let kept = ["name", "namespace", "labels", "annotations", "ownerReferences", "generation"];
    let mut metadata: serde_json::Map<String, Value> = kept
        .iter()
        .filter(|key| !recorded[**key].is_null())
        .map(|key| ((*key).to_owned(), recorded[*key].clone()))
        .collect();
    for owner in metadata.get_mut("ownerReferences").and_then(Value::as_array_mut).into_iter().flatten() {
        for (key, value) in [("apiVersion", "apps/v1"), ("uid", "00000000-0000-0000-0000-000000000000")] {
            if owner[key].is_null() {
                owner[key] = value.into();
            }
        }
    }
    fit["metadata"] = metadata.into();
    let spec = &mut fit["spec"];
    let containers = json!([{"name": "main", "image": "registry.example.com/main"}]);
    match object["kind"].as_str().unwrap() {
        "Pod" if spec["containers"].is_null() => spec["containers"] = containers,
        "Deployment" if spec["selector"].is_null() => {
            spec["selector"] = json!({"matchLabels": {"app": "it"}});
            spec["template"]["metadata"] = json!({"labels": {"app": "it"}});
        }
        _ => {}
    }
    fit
}

/// Changes the spec until the object has the generation that it was recorded with: a rule compares it.
async fn raise_generation(client: &Client, path: &str, object: &Value) {
    let generation = object["metadata"]["generation"].as_i64().unwrap_or(1);
    for number in 1..generation {
        // The last change leaves nothing behind.
        let mark = if number + 1 < generation { json!(number) } else { Value::Null };
        let change = json!({"spec": {"generationMark": mark}});
        send(client, "PATCH", path, "application/merge-patch+json", &change).await;
    }
}

pub(super) async fn send(client: &Client, method: &str, path: &str, content: &str, body: &Value) {
    let request = Request::builder().method(method).uri(path).header("content-type", content);
    let request = request.body(body.to_string().into_bytes()).unwrap();
    if let Err(error) = client.request_text(request).await {
        panic!("{method} {path}: {error}\n{body:#}");
    }
}
