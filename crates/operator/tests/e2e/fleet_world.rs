//! A management cluster: clusters of Cluster API and a hosted one, written to the same API server as the rest.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use headway_api::update::status::Status;
use serde_json::{Value, json};

use super::program::{Operator, TestClock};
use super::world::{NOW, World, ago};

pub(super) const OLD: &str = "v1.33.5";
pub(super) const NEW: &str = "v1.34.2";

/// Where the clusters of Cluster API are.
pub(super) const NAMESPACE: &str = "fleet";

/// Where the hosted one is, and its control plane.
const BAY: [&str; 2] = ["bay", "bay-tern"];

const CORE: &str = "cluster.x-k8s.io/v1beta2";
const CONTROL_PLANE: &str = "controlplane.cluster.x-k8s.io/v1beta2";
const HYPERSHIFT: &str = "hypershift.openshift.io/v1beta1";

/// The kinds that a test leaves behind.
const KINDS: &str = "clusterupdatestatuses,hostedclusterupdatestatuses,clusters.cluster.x-k8s.io,machinedeployments,machines,\
                     kubeadmcontrolplanes,hostedclusters,nodepools,controlplanecomponents";

/// Whether a control plane's machines run what they are to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    Old,
    Rolling,
    New,
}

/// An empty management cluster.
pub(super) fn empty() -> World {
    let world = World::empty();
    world.plane.apply_cluster_api_crds().unwrap();
    world.install();
    // What a test that failed left of a policy would refuse what the next one waits for.
    world.kubectl(&[
        "delete",
        "--ignore-not-found",
        "validatingadmissionpolicybinding,validatingadmissionpolicy",
        "not-b",
    ]);
    for machine in world.kubectl(&["get", "machines", "-n", NAMESPACE, "-o", HELD]).split_whitespace() {
        undrain(&world, machine);
    }
    for namespace in [NAMESPACE].iter().chain(&BAY) {
        world.apply(&json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": namespace } }));
        world.kubectl(&["delete", KINDS, "--all", "--namespace", namespace]);
    }
    world
}

/// Writes a cluster of Cluster API with one machine of its control plane and two workers.
pub(super) fn put(world: &World, name: &str, is: Is) {
    world.put_all(&cluster(name, is));
}

/// The machines that something holds.
const HELD: &str = "jsonpath={range .items[?(@.metadata.finalizers)]}{.metadata.name} {end}";

/// Has a machine go, which has drained its node for a quarter of an hour.
pub(super) fn drain(world: &World, machine: &str) {
    let place = ["machine", machine, "-n", NAMESPACE];
    let patch = |fields: &Value, more: &[&str]| {
        let fields = fields.to_string();
        world.kubectl(&[&["patch"], &place[..], &["--type=merge", "--patch", &fields], more].concat());
    };
    patch(&json!({ "metadata": { "finalizers": ["headway.dev/test"] } }), &[]);
    world.kubectl(&[&["delete", "--wait=false"], &place[..]].concat());
    let mut deleting = condition("Deleting", "True");
    deleting["reason"] = json!("DrainingNode");
    let status = json!({ "phase": "Deleting", "deletion": { "nodeDrainStartTime": ago(900) },
        "conditions": [condition("UpToDate", "True"), deleting] });
    patch(&json!({ "status": status }), &["--subresource=status"]);
}

/// Lets a machine that goes be gone.
pub(super) fn undrain(world: &World, machine: &str) {
    let fields = json!({ "metadata": { "finalizers": null } }).to_string();
    world.kubectl(&["patch", "machine", machine, "-n", NAMESPACE, "--type=merge", "--patch", &fields]);
}

/// Writes a hosted cluster.
pub(super) fn put_hosted(world: &World) {
    world.put_all(&hosted());
}

/// The statuses of all clusters, by kind and name.
pub(super) fn statuses(world: &World) -> BTreeMap<String, Status> {
    let mut all = BTreeMap::new();
    for kind in ["ClusterUpdateStatus", "HostedClusterUpdateStatus"] {
        for object in world.all(kind) {
            let Ok(status) = serde_json::from_value(object.data["status"].clone()) else { continue };
            all.insert(format!("{kind}/{}", object.metadata.name.unwrap()), status);
        }
    }
    all
}

/// The names of all statuses that are there, with what they say in short.
pub(super) fn told(world: &World) -> Vec<String> {
    let word = |status: &Status, kind: &str| {
        let condition = status.conditions.of(kind).map(|condition| serde_json::to_value(condition).unwrap());
        condition.map_or("-".to_owned(), |condition| condition["status"].as_str().unwrap_or("?").to_owned())
    };
    let all = statuses(world);
    let tell = |(name, status): (&String, &Status)| format!("{name} Updating={}", word(status, "Updating"));
    all.iter().map(tell).collect()
}

/// Waits until the statuses are as they should be, while the operator's clock goes ten times as fast as the wall's.
pub(super) fn wait(world: &World, clock: &mut TestClock, running: &Operator, expect: &[&str]) {
    let begun = Instant::now();
    loop {
        let told = told(world);
        if told == expect {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(45), "{told:#?}\nand not {expect:#?}\n{}", running.log());
        std::thread::sleep(Duration::from_millis(100));
        clock.pass(1);
    }
}

/// Lets so many seconds pass on the operator's clock, and some on the wall's.
pub(super) fn pass(clock: &mut TestClock, seconds: i64) {
    for _ in 0..seconds {
        std::thread::sleep(Duration::from_millis(100));
        clock.pass(1);
    }
}

pub(super) fn clock() -> TestClock {
    TestClock::at(NOW)
}

fn condition(kind: &str, status: &str) -> Value {
    json!({ "type": kind, "status": status, "reason": kind, "message": "", "lastTransitionTime": ago(60) })
}

fn labels(cluster: &str) -> Value {
    json!({ "cluster.x-k8s.io/cluster-name": cluster, "topology.cluster.x-k8s.io/owned": "" })
}

/// All objects of a cluster, the machines last.
fn cluster(name: &str, is: Is) -> Vec<Value> {
    let wanted = if is == Is::Old { OLD } else { NEW };
    let runs = if is == Is::New { NEW } else { OLD };
    let infrastructure =
        |kind: &str| json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": kind, "name": name });
    let metadata =
        |suffix: &str| json!({ "namespace": NAMESPACE, "name": format!("{name}{suffix}"), "labels": labels(name) });
    let deployment = format!("{name}-md");
    let own = json!({ "cluster.x-k8s.io/cluster-name": name, "cluster.x-k8s.io/deployment-name": deployment });
    let bootstrap = json!({ "configRef": { "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfigTemplate", "name": name } });
    let mut group = metadata("-md");
    group["labels"]["topology.cluster.x-k8s.io/deployment-name"] = json!("md");
    let reconciled = if is == Is::Rolling { "False" } else { "True" };
    let mut reconciled = condition("TopologyReconciled", reconciled);
    if is == Is::Rolling {
        reconciled["reason"] = json!("ClusterUpgrading");
    }
    let mut all = vec![
        json!({ "apiVersion": CORE, "kind": "Cluster", "metadata": { "namespace": NAMESPACE, "name": name },
            "spec": {
                "controlPlaneRef": { "apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": format!("{name}-cp") },
                "infrastructureRef": infrastructure("DevCluster"),
                "topology": { "classRef": { "name": "prod" }, "version": wanted, "controlPlane": { "replicas": 1 },
                    "workers": { "machineDeployments": [{ "class": "w", "name": "md", "replicas": 2 }] } } },
            "status": { "phase": "Provisioned", "conditions": [reconciled, condition("Available", "True")] } }),
        json!({ "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane", "metadata": metadata("-cp"),
            "spec": { "replicas": 1, "version": wanted,
                "machineTemplate": { "spec": { "infrastructureRef": infrastructure("DevMachineTemplate") } } },
            "status": { "version": runs, "replicas": 1, "readyReplicas": 1, "availableReplicas": 1,
                "upToDateReplicas": i32::from(is != Is::Rolling),
                "conditions": [condition("RollingOut", if is == Is::Rolling { "True" } else { "False" }), condition("Available", "True")] } }),
        json!({ "apiVersion": CORE, "kind": "MachineDeployment", "metadata": group,
            "spec": { "clusterName": name, "replicas": 2, "selector": { "matchLabels": own },
                "template": { "metadata": { "labels": own }, "spec": { "clusterName": name, "version": runs,
                    "bootstrap": bootstrap, "infrastructureRef": infrastructure("DevMachineTemplate") } } },
            "status": { "phase": "Running", "replicas": 2, "readyReplicas": 2, "availableReplicas": 2,
                "upToDateReplicas": 2, "conditions": [condition("Available", "True")] } }),
    ];
    all.push(machine(name, "-cp-0", "control-plane", runs));
    all.extend(["-md-0", "-md-1"].map(|suffix| machine(name, suffix, &deployment, runs)));
    all
}

/// A machine of a MachineDeployment, or of the control plane.
fn machine(cluster: &str, suffix: &str, of: &str, version: &str) -> Value {
    let name = format!("{cluster}{suffix}");
    let mut metadata = json!({ "namespace": NAMESPACE, "name": name, "labels": labels(cluster) });
    if of == "control-plane" {
        metadata["labels"]["cluster.x-k8s.io/control-plane"] = json!("");
        metadata["ownerReferences"] = json!([{ "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane",
            "name": format!("{cluster}-cp"), "uid": "00000000-0000-4000-8000-000000000001" }]);
    } else {
        metadata["labels"]["cluster.x-k8s.io/deployment-name"] = json!(of);
    }
    json!({ "apiVersion": CORE, "kind": "Machine", "metadata": metadata,
        "spec": { "clusterName": cluster, "version": version, "bootstrap": { "dataSecretName": name },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevMachine", "name": name } },
        "status": { "phase": "Running", "nodeRef": { "name": name },
            "conditions": [condition("UpToDate", "True"), condition("Ready", "True"), condition("Available", "True")],
            "nodeInfo": { "kubeletVersion": version, "architecture": "amd64", "operatingSystem": "linux", "osImage": "x",
                "kernelVersion": "6", "containerRuntimeVersion": "c", "bootID": "b", "machineID": "m", "systemUUID": "s",
                "kubeProxyVersion": "" } } })
}

fn hosted() -> Vec<Value> {
    let [namespace, within] = BAY;
    let image = "quay.io/openshift-release-dev/ocp-release:4.18.3-x86_64";
    let version = json!({ "desired": { "version": "4.18.3", "image": image }, "history": [
        { "state": "Completed", "version": "4.18.3", "image": image, "startedTime": ago(9000), "completionTime": ago(3000) }] });
    vec![
        json!({ "apiVersion": HYPERSHIFT, "kind": "HostedCluster", "metadata": { "namespace": namespace, "name": "tern" },
            "spec": { "release": { "image": image } },
            "status": { "version": version, "controlPlaneVersion": version,
                "conditions": [condition("Available", "True"), condition("Progressing", "False")] } }),
        json!({ "apiVersion": HYPERSHIFT, "kind": "ControlPlaneComponent", "metadata": { "namespace": within, "name": "etcd" },
            "status": { "version": "4.18.3", "conditions": [condition("RolloutComplete", "True"), condition("Available", "True")] } }),
        json!({ "apiVersion": HYPERSHIFT, "kind": "NodePool", "metadata": { "namespace": namespace, "name": "w" },
            "spec": { "clusterName": "tern", "replicas": 2, "release": { "image": image },
                "management": { "upgradeType": "Replace" } },
            "status": { "replicas": 2, "version": "4.18.3",
                "nodesInfo": { "nodeVersions": [{ "ocpVersion": "4.18.3", "kubelet": "v1.31.5", "readyNodeCount": 2, "unreadyNodeCount": 0 }] },
                "conditions": [condition("Ready", "True"), condition("UpdatingVersion", "False")] } }),
    ]
}
