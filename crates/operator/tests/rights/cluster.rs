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

/// A cluster of Cluster API that is being updated and a hosted one that is not, of which little is told.
pub(super) fn kept() -> Vec<Value> {
    let place = |name: &str| json!({ "namespace": "default", "name": name });
    let mut upgrading = condition("TopologyReconciled", "False");
    upgrading["reason"] = json!("ClusterUpgrading");
    vec![
        json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": place("a"),
            "spec": { "controlPlaneEndpoint": { "host": "10.0.0.1", "port": 6443 } },
            "status": { "conditions": [upgrading] } }),
        json!({ "apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster", "metadata": place("b"),
            "spec": { "release": { "image": "x" } }, "status": { "conditions": [condition("Available", "True")] } }),
    ]
}

/// A cluster of Cluster API without a topology that is to go one minor further, and an extension that does not answer.
/// Nobody keeps the fields of what is made.
pub(super) fn make_to_drive(plane: &Plane) {
    let here = |name: &str| json!({ "namespace": "default", "name": name, "labels": { "cluster.x-k8s.io/cluster-name": "a" } });
    let reference = |group: &str, kind: &str| json!({ "apiGroup": group, "kind": kind, "name": "a" });
    let infrastructure = |kind: &str| reference("infrastructure.cluster.x-k8s.io", kind);
    let own = json!({ "cluster.x-k8s.io/cluster-name": "a", "cluster.x-k8s.io/deployment-name": "a" });
    let hook = json!({ "apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": "AfterClusterUpgrade" });
    let mut server = machine("server", OLD_KUBERNETES);
    server["metadata"]["ownerReferences"] = json!([{ "apiVersion": "controlplane.cluster.x-k8s.io/v1beta2",
        "kind": "KubeadmControlPlane", "name": "a", "uid": "00000000-0000-4000-8000-000000000001" }]);
    let mut worker = machine("worker", OLD_KUBERNETES);
    worker["metadata"]["labels"] = own.clone();
    let all = [
        json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": here("a"), "spec": {
            "controlPlaneRef": reference("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"),
            "infrastructureRef": infrastructure("DevCluster") } }),
        json!({ "apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane", "metadata": here("a"),
            "spec": { "replicas": 1, "version": OLD_KUBERNETES,
                "machineTemplate": { "spec": { "infrastructureRef": infrastructure("DevMachineTemplate") } } },
            "status": { "version": OLD_KUBERNETES } }),
        json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment", "metadata": here("a"), "spec": {
            "clusterName": "a", "replicas": 1, "selector": { "matchLabels": own },
            "template": { "metadata": { "labels": own }, "spec": { "clusterName": "a", "version": OLD_KUBERNETES,
                "bootstrap": { "configRef": reference("bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate") },
                "infrastructureRef": infrastructure("DevMachineTemplate") } } } }),
        server,
        worker,
        json!({ "apiVersion": "runtime.cluster.x-k8s.io/v1beta2", "kind": "ExtensionConfig", "metadata": { "name": "silent" },
            "spec": { "clientConfig": { "url": "https://127.0.0.1:9", "caBundle": "eA==" } },
            "status": { "handlers": [{ "name": "after.silent", "requestHook": hook, "timeoutSeconds": 1, "failurePolicy": "Fail" }],
                "conditions": [condition("Discovered", "True")] } }),
        json!({ "apiVersion": "headway.dev/v1alpha1", "kind": "ClusterUpgrade", "metadata": { "namespace": "default", "name": "a" },
            "spec": { "clusterName": "a", "version": NEW_KUBERNETES } }),
    ];
    feed(plane, &all, &["create", "--filename=-"]);
    let with_status: Vec<Value> = all.iter().filter(|object| !object["status"].is_null()).cloned().collect();
    apply(plane, &with_status, &["--subresource=status"]);
}

/// The machine of the control plane, or the worker, runs what it is to run.
pub(super) fn renew(plane: &Plane, name: &str) {
    let spec = json!({ "spec": { "version": NEW_KUBERNETES } }).to_string();
    plane.kubectl_text(&["patch", "machine", name, "--type=merge", "--patch", &spec]).unwrap();
    apply(plane, &[machine(name, NEW_KUBERNETES)], &["--subresource=status"]);
    if name == "server" {
        let told = json!({ "status": { "version": NEW_KUBERNETES } }).to_string();
        let patch = ["patch", "kubeadmcontrolplane", "a", "--subresource=status", "--type=merge", "--patch", &told];
        plane.kubectl_text(&patch).unwrap();
    }
}

const OLD_KUBERNETES: &str = "v1.33.0";
const NEW_KUBERNETES: &str = "v1.34.0";

fn machine(name: &str, version: &str) -> Value {
    json!({ "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
        "metadata": { "namespace": "default", "name": name, "labels": { "cluster.x-k8s.io/cluster-name": "a" } },
        "spec": { "clusterName": "a", "version": version, "bootstrap": { "dataSecretName": name },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevMachine", "name": name } },
        "status": { "phase": "Running", "nodeInfo": { "kubeletVersion": version, "architecture": "amd64",
            "operatingSystem": "linux", "osImage": "x", "kernelVersion": "6", "containerRuntimeVersion": "c", "bootID": "b",
            "machineID": "m", "systemUUID": "s", "kubeProxyVersion": "" } } })
}

fn apply(plane: &Plane, objects: &[Value], more: &[&str]) {
    feed(plane, objects, &[&["apply", "--server-side", "--force-conflicts", "--filename=-"], more].concat());
}

fn feed(plane: &Plane, objects: &[Value], arguments: &[&str]) {
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": objects });
    let mut command = plane.kubectl_command();
    command.args(arguments);
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
