//! A cluster in mid-update, as the operator finds it: a node that drains, one that is degraded, a pool that is paused, a
//! route to alerts that leads nowhere. What controllers would write, such as statuses, is written here.

use std::io::Write;
use std::process::Stdio;

use headway_testenv::Plane;
use jiff::Timestamp;
use kube::api::ListParams;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::request::Request;
use kube::{Client, Config};
use serde_json::{Value, json};

/// 2026-05-04T12:00:00Z: where the clock of every test begins.
pub(super) const NOW: Timestamp = Timestamp::constant(1_777_896_000, 0);

/// An hour before.
const BEGAN: &str = "2026-05-04T11:00:00Z";

const OLD: &str = "4.20.1";
const NEW: &str = "4.20.2";
const CONFIG: &str = "config.openshift.io/v1";
const MACHINE: &str = "machineconfiguration.openshift.io/v1";

/// The update under way.
pub(super) fn update() -> Vec<Value> {
    let mut all = vec![
        cluster_version(),
        operator("etcd", NEW),
        operator("dns", OLD),
        operator("machine-config", OLD),
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": { "name": "machine-config-operator", "namespace": "openshift-machine-config-operator" },
            "spec": {
                "selector": { "matchLabels": { "app": "it" } },
                "template": { "metadata": { "labels": { "app": "it" } }, "spec": { "containers": containers() } },
            },
        }),
        json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "shop", "namespace": "default", "labels": { "app": "shop" } },
            "spec": { "nodeName": "w-0", "containers": containers() },
            "status": { "phase": "Running" },
        }),
        json!({
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": { "name": "shop", "namespace": "default" },
            "spec": { "minAvailable": 1, "selector": { "matchLabels": { "app": "shop" } } },
            "status": { "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1 },
        }),
        // Port 9 is that of nobody.
        json!({
            "apiVersion": "route.openshift.io/v1", "kind": "Route",
            "metadata": { "name": "thanos-querier", "namespace": "openshift-monitoring" },
            "spec": { "host": "127.0.0.1:9" },
        }),
        pool("worker", "running"),
        pool("infra", "paused"),
        node("worker", "w-0", "Working"),
        node("worker", "w-1", "Degraded"),
        node("infra", "i-0", "Done"),
    ];
    for name in ["worker", "infra"] {
        for version in [OLD, NEW] {
            all.push(json!({
                "apiVersion": MACHINE, "kind": "MachineConfig", "metadata": {
                    "name": config(name, version),
                    "annotations": { "machineconfiguration.openshift.io/release-image-version": version },
                },
            }));
        }
    }
    all
}

/// The nodes are done, and the paused pool goes on.
pub(super) fn goes_on() -> Vec<Value> {
    vec![pool("infra", "running"), node("worker", "w-0", "New"), node("worker", "w-1", "New")]
}

/// Writes objects, and their statuses.
pub(super) fn put(plane: &Plane, objects: &[Value]) {
    apply(plane, objects, &[]);
    let with_status: Vec<Value> = objects.iter().filter(|object| !object["status"].is_null()).cloned().collect();
    apply(plane, &with_status, &["--subresource=status"]);
}

/// All objects of a kind of ours. They are asked for often, and so not by kubectl.
pub(super) fn list(plane: &Plane, plural: &str) -> Vec<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut list: Value = runtime.block_on(async {
        let kubeconfig = Kubeconfig::read_from(plane.kubeconfig()).unwrap();
        let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
        let place = Request::new(format!("/apis/update.openshift.io/v1alpha1/{plural}"));
        let request = place.list(&ListParams::default()).unwrap();
        Client::try_from(config).unwrap().request(request).await.unwrap()
    });
    list["items"].as_array_mut().map(std::mem::take).unwrap()
}

/// A cluster of Cluster API and a hosted one, of which little is told.
pub(super) fn kept() -> Vec<Value> {
    let place = |name: &str| json!({ "namespace": "default", "name": name });
    vec![
        json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": place("a"),
            "spec": { "controlPlaneEndpoint": { "host": "10.0.0.1", "port": 6443 } } }),
        json!({ "apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster", "metadata": place("b"),
            "spec": { "release": { "image": "x" } }, "status": { "conditions": [condition("Available", "True")] } }),
    ]
}

fn apply(plane: &Plane, objects: &[Value], more: &[&str]) {
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects });
    let mut command = plane.kubectl_command();
    command.args(["apply", "--server-side", "--force-conflicts", "--filename=-"]).args(more);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(list.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn containers() -> Value {
    json!([{ "name": "main", "image": "registry.example.com/main" }])
}

fn condition(kind: &str, status: &str) -> Value {
    json!({ "type": kind, "status": status, "lastTransitionTime": BEGAN, "reason": "AsExpected", "message": "" })
}

fn cluster_version() -> Value {
    json!({
        "apiVersion": CONFIG, "kind": "ClusterVersion", "metadata": { "name": "version" }, "spec": { "clusterID": "x" },
        "status": {
            "desired": { "version": NEW, "image": "image-2" },
            "history": [
                { "state": "Partial", "version": NEW, "image": "image-2", "startedTime": BEGAN },
                { "state": "Completed", "version": OLD, "image": "image-1", "startedTime": "2026-04-04T12:00:00Z",
                  "completionTime": "2026-04-04T13:00:00Z" },
            ],
            "conditions": [condition("Progressing", "True"), condition("Failing", "False")],
        },
    })
}

fn operator(name: &str, version: &str) -> Value {
    let mark = "include.release.openshift.io/self-managed-high-availability";
    json!({
        "apiVersion": CONFIG, "kind": "ClusterOperator", "metadata": { "name": name, "annotations": { mark: "true" } },
        "status": {
            "versions": [{ "name": "operator", "version": version }],
            "conditions": [condition("Available", "True"), condition("Progressing", "False"), condition("Degraded", "False")],
        },
    })
}

fn pool(name: &str, how: &str) -> Value {
    json!({
        "apiVersion": MACHINE, "kind": "MachineConfigPool", "metadata": { "name": name },
        "spec": {
            "paused": how == "paused",
            "nodeSelector": { "matchLabels": { (format!("node-role.kubernetes.io/{name}")): "" } },
            "configuration": { "name": config(name, NEW) },
        },
    })
}

fn config(pool: &str, version: &str) -> String {
    format!("rendered-{pool}-{version}")
}

/// A node on its way: `Done` with the old configuration, `Working` to drain, `Degraded`, or `New`.
fn node(pool: &str, name: &str, step: &str) -> Value {
    let (old, new) = (config(pool, OLD), config(pool, NEW));
    let (current, desired, state) = match step {
        "New" => (&new, &new, "Done"),
        "Working" | "Degraded" => (&old, &new, step),
        _ => (&old, &old, "Done"),
    };
    let key = |word: &str| format!("machineconfiguration.openshift.io/{word}");
    let drain = if step == "Working" { "drain" } else { "uncordon" };
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {
            "name": name,
            "labels": { (format!("node-role.kubernetes.io/{pool}")): "" },
            "annotations": {
                (key("currentConfig")): current, (key("desiredConfig")): desired, (key("state")): state,
                (key("desiredDrain")): format!("{drain}-{desired}"),
                (key("lastAppliedDrain")): format!("uncordon-{current}"),
            },
        },
        "spec": { "unschedulable": step == "Working" },
        "status": { "conditions": [condition("Ready", "True")] },
    })
}
