//! Every message that a real Cluster API sent, and what it was answered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;

struct Recorded {
    path: PathBuf,
    hook: Hook,
    side: Side,
    body: Vec<u8>,
}

/// The recordings, when this checkout lies beside them.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/cluster-api");
    if !folder.is_dir() {
        eprintln!("NOT CHECKED: the recorded messages are not at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// All recorded messages: files named `HOOK[.VARIANT].request.json` and `….response.json`.
fn recorded(folder: &Path) -> Vec<Recorded> {
    let mut paths: Vec<PathBuf> = ["hooks", "v1.12.5/hooks"]
        .iter()
        .flat_map(|part| fs::read_dir(folder.join(part)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            let (stem, side) = match (name.strip_suffix(".request.json"), name.strip_suffix(".response.json")) {
                (Some(stem), _) => (stem, Side::Request),
                (_, Some(stem)) => (stem, Side::Response),
                (None, None) => return None,
            };
            let hook = hook(stem.split('.').next().unwrap());
            let body = fs::read(&path).unwrap();
            Some(Recorded { path, hook, side, body })
        })
        .collect()
}

#[test]
fn ch_5_5_every_recorded_message_is_written_as_it_was_read() {
    let Some(folder) = folder() else { return };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut total = 0;
    for Recorded { path, hook, side, body } in recorded(&folder) {
        if hook.family() == Family::Topology {
            continue;
        }
        let expect: Value = serde_json::from_slice(&body).unwrap();
        let told = again(hook, side, &body).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(told, expect, "{}", path.display());
        *seen.entry(Kind { hook, side }.to_string()).or_default() += 1;
        total += 1;
    }
    let spoken: BTreeSet<String> = Hook::ALL
        .into_iter()
        .filter(|hook| hook.family() != Family::Topology)
        .flat_map(|hook| [Side::Request, Side::Response].map(|side| Kind { hook, side }.to_string()))
        .collect();
    assert_eq!(seen.keys().cloned().collect::<BTreeSet<_>>(), spoken, "each kind was recorded");
    assert_eq!(total, 114, "{seen:?}");
}

/// Whatever becomes of any one field, the message is read or refused with its kind, and never is there a panic.
#[test]
fn ch_5_5_recorded_messages_with_one_field_made_another() {
    let Some(folder) = folder() else { return };
    let others =
        [json!(null), json!(true), json!(-7), json!(1.5), json!("\u{0}x"), json!([{}]), json!({"version": {}})];
    let (mut read, mut refused) = (0, 0);
    for Recorded { path: _, hook, side, body } in recorded(&folder) {
        if hook.family() == Family::Topology {
            continue;
        }
        let message: serde_json::Map<String, Value> = serde_json::from_slice(&body).unwrap();
        for (key, other) in message.keys().flat_map(|key| others.iter().map(move |other| (key, other))) {
            let mut message = message.clone();
            message.insert(key.clone(), other.clone());
            match again(hook, side, &serde_json::to_vec(&message).unwrap()) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert_eq!(error.kind(), Kind { hook, side });
                    let field = error.field().unwrap_or_default();
                    assert!(field.starts_with(key.as_str()), "{key} made {other}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 300 && refused > 2000, "{read} {refused}");
}

#[test]
fn ch_5_5_requests_are_as_long_as_those_of_cluster_api() {
    let Some(folder) = folder() else { return };
    let index: Value = serde_json::from_slice(&fs::read(folder.join("hooks/index.json")).unwrap()).unwrap();
    let mut checked = 0;
    for (name, entry) in index.as_object().unwrap() {
        let hook = hook(name.split('.').next().unwrap());
        let (path, query) = entry["path"].as_str().unwrap().split_once('?').unwrap();
        assert_eq!(query, "timeout=10s", "{name}");
        assert_eq!(hook.path(path.rsplit('/').next().unwrap()), path, "{name}");
        if hook.family() == Family::Topology {
            continue;
        }
        let body = fs::read(folder.join(format!("hooks/{name}.request.json"))).unwrap();
        let written = serde_json::to_string(&Request::read(hook, &body).unwrap()).unwrap();
        assert_eq!(entry["headers"]["Content-Length"], written.len().to_string(), "{name}");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn ch_4_1_the_recorded_clusters_tell_what_planning_needs() {
    let Some(folder) = folder() else { return };
    let check =
        |file: &str, version: Option<&str>, target: &str, class: &str, control_plane: &str, workers: &[&str]| {
            let body = fs::read(folder.join(file)).unwrap();
            let name = Path::new(file).file_name().unwrap().to_str().unwrap().split('.').next().unwrap();
            let cluster = match Request::read(hook(name), &body).unwrap() {
                Request::Lifecycle(request) => request.cluster,
                Request::GenerateUpgradePlan(request) => request.cluster,
                other => panic!("{other:?} has no cluster"),
            };
            assert_eq!(cluster.object().api_version(), version, "{file}");
            assert_eq!(cluster.object().namespace(), Some("default"), "{file}");
            assert!(cluster.object().uid().is_some_and(|uid| uid.len() == 36), "{file}");
            assert_eq!(cluster.topology_version(), Some(target), "{file}");
            assert_eq!(cluster.class(), Some(ClassRef { namespace: Some("default"), name: class }), "{file}");
            let expect = ObjectRef {
                group: "controlplane.cluster.x-k8s.io",
                kind: "KubeadmControlPlane",
                namespace: Some("default"),
                name: control_plane,
            };
            assert_eq!(cluster.control_plane(), Some(expect), "{file}");
            assert_eq!(cluster.infrastructure().unwrap().group, "infrastructure.cluster.x-k8s.io", "{file}");
            let told: Vec<&str> = cluster.workers().map(|entry| entry.name).collect();
            assert_eq!(told, workers, "{file}");
        };
    let v1beta2 = Some("cluster.x-k8s.io/v1beta2");
    let hooks = "hooks/BeforeControlPlaneUpgrade.to-v1.32.0.request.json";
    check(hooks, v1beta2, "v1.34.0", "chain", "c1-sh5sw", &["md-0", "md-1"]);
    // A v1beta1 Cluster that does not say so, and a v1beta2 one, of one and the same version of Cluster API.
    let old = "v1.12.5/hooks/BeforeControlPlaneUpgrade.request.json";
    check(old, None, "v1.33.0", "planned", "o1-5zck2", &["md-0"]);
    let old = "v1.12.5/hooks/GenerateUpgradePlan.request.json";
    check(old, v1beta2, "v1.33.0", "planned", "o1-5zck2", &["md-0"]);
}

#[test]
fn ip_2_2_the_recorded_machines_and_patches_tell_what_bridging_needs() {
    let Some(folder) = folder() else { return };
    let read = |file: &str| fs::read(folder.join("hooks").join(file)).unwrap();

    let request = CanUpdateMachineRequest::read(&read("CanUpdateMachine.accepted.request.json")).unwrap();
    assert_eq!(request.current.kubernetes_version(), Some("v1.34.0"));
    assert_eq!(request.desired.kubernetes_version(), Some("v1.35.0"));
    assert_eq!(request.desired.cluster_name(), Some("c1"));
    let request = CanUpdateMachineSetRequest::read(&read("CanUpdateMachineSet.accepted.request.json")).unwrap();
    assert_eq!(request.current.kubernetes_version(), Some("v1.34.0"));
    assert_eq!(request.desired.kubernetes_version(), Some("v1.35.0"));

    let response = CanUpdateMachineResponse::read(&read("CanUpdateMachine.accepted.response.json")).unwrap();
    let patches = response.patches().unwrap();
    let patch = patches.machine.as_ref().unwrap();
    assert_eq!(patch.patch_type(), PatchType::Json);
    assert_eq!(patch.document()[0]["value"]["version"], "v1.35.0");
    assert_eq!(patches.bootstrap_config.as_ref().unwrap().document(), &Value::Array(Vec::new()));
    let declined = CanUpdateMachineResponse::read(&read("CanUpdateMachine.declined.response.json")).unwrap();
    assert_eq!(declined.patches().unwrap(), &MachinePatches::default());
}

#[test]
fn ch_5_2_the_recorded_handlers_keep_the_rules() {
    let Some(folder) = folder() else { return };
    let response = DiscoveryResponse::read(&fs::read(folder.join("hooks/Discovery.response.json")).unwrap()).unwrap();
    let registered = response.registered().unwrap();
    assert_eq!(registered.len(), response.handlers().len());
    let told: BTreeSet<Hook> = registered.iter().map(|handler| handler.hook).collect();
    let expect: BTreeSet<Hook> = Hook::ALL.into_iter().filter(|hook| *hook != Hook::Discovery).collect();
    assert_eq!(told, expect, "it serves every hook there is");
    assert!(registered.iter().all(|it| it.timeout_seconds == 10 && it.failure_policy == FailurePolicy::Fail));
    assert_eq!(registered[0].full_name("ext"), "before-cluster-create.ext");
}
