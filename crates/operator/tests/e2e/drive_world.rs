//! A cluster of Cluster API without a topology, and whoever provides its machines: when a version is written, machines of
//! that version take the place of the old ones, one owner at a time, as the controllers of Cluster API would have it.

use std::time::{Duration, Instant};

use headway_api::upgrade::status::ClusterUpgradeStatus;
use serde_json::{Value, json};

use super::fleet_world::{NAMESPACE, empty as empty_fleet};
use super::program::{Operator, TestClock};
use super::world::World;

pub(super) const CORE: &str = "cluster.x-k8s.io/v1beta2";
const CONTROL_PLANE: &str = "controlplane.cluster.x-k8s.io/v1beta2";
const UPGRADE: &str = "headway.dev/v1alpha1";
const OWN_KINDS: &str = "clusterupgrades.headway.dev,machinesets";

/// Where the clusters are.
pub(super) const HERE: &str = NAMESPACE;

/// An empty management cluster.
pub(super) fn empty() -> World {
    let world = empty_fleet();
    if world.plane.kubectl_text(&["get", "crd", "clusterupgrades.headway.dev"]).is_err() {
        let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/crds");
        world.kubectl(&["apply", "--server-side", "-f", crds]);
        world.kubectl(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
    }
    world.kubectl(&["delete", OWN_KINDS, "--all", "--namespace", HERE]);
    world.kubectl(&["delete", "extensionconfigs.runtime.cluster.x-k8s.io", "--all"]);
    world
}

/// Makes a cluster of one control plane machine and these groups of one worker each, all at one version.
pub(super) fn make(world: &World, name: &str, version: &str, groups: &[&str]) {
    let labels = json!({ "cluster.x-k8s.io/cluster-name": name });
    let infrastructure =
        |kind: &str| json!({ "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": kind, "name": name });
    let control_plane = format!("{name}-cp");
    let mut all = vec![
        json!({ "apiVersion": CORE, "kind": "Cluster", "metadata": { "namespace": HERE, "name": name },
            "spec": {
                "controlPlaneRef": { "apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": control_plane },
                "infrastructureRef": infrastructure("DevCluster") },
            "status": { "phase": "Provisioned", "conditions": [condition("Available")] } }),
        json!({ "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane",
            "metadata": { "namespace": HERE, "name": control_plane, "labels": labels },
            "spec": { "replicas": 1, "version": version,
                "machineTemplate": { "spec": { "infrastructureRef": infrastructure("DevMachineTemplate") } } },
            "status": { "version": version, "replicas": 1, "readyReplicas": 1, "availableReplicas": 1,
                "upToDateReplicas": 1, "conditions": [condition("Available")] } }),
        machine(name, &control_plane, "control-plane", version),
    ];
    for group in groups {
        let own = json!({ "cluster.x-k8s.io/cluster-name": name, "cluster.x-k8s.io/deployment-name": group });
        let bootstrap = json!({ "configRef": { "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfigTemplate", "name": name } });
        all.push(json!({ "apiVersion": CORE, "kind": "MachineDeployment",
            "metadata": { "namespace": HERE, "name": group, "labels": labels },
            "spec": { "clusterName": name, "replicas": 1, "selector": { "matchLabels": own },
                "template": { "metadata": { "labels": own }, "spec": { "clusterName": name, "version": version,
                    "bootstrap": bootstrap, "infrastructureRef": infrastructure("DevMachineTemplate") } } },
            "status": { "phase": "Running", "replicas": 1, "readyReplicas": 1, "availableReplicas": 1,
                "upToDateReplicas": 1, "conditions": [condition("Available")] } }));
        all.push(machine(name, group, group, version));
    }
    world.create_all(&all);
}

/// Asks for an upgrade.
pub(super) fn ask(world: &World, name: &str, spec: &Value) {
    world.create_all(&[json!({ "apiVersion": UPGRADE, "kind": "ClusterUpgrade",
        "metadata": { "namespace": HERE, "name": name }, "spec": spec })]);
}

/// What is asked for, as it is now.
pub(super) fn upgrade(world: &World, name: &str) -> Value {
    let all = world.list(UPGRADE, "ClusterUpgrade", HERE);
    all.into_iter().find(|upgrade| upgrade["metadata"]["name"] == name).expect("it is there")
}

/// Changes what is asked for.
pub(super) fn change(world: &World, name: &str, spec: &Value) {
    world.merge(&upgrade(world, name), &json!({ "spec": spec }));
}

/// Its status.
pub(super) fn status(world: &World, name: &str) -> ClusterUpgradeStatus {
    serde_json::from_value(upgrade(world, name)["status"].clone()).unwrap_or_default()
}

/// A condition of its status, as `Status Reason`.
pub(super) fn told(status: &ClusterUpgradeStatus, kind: &str) -> String {
    let condition = status.conditions.of(kind);
    condition.map_or_else(|| "-".into(), |condition| format!("{} {}", condition.status, condition.reason))
}

/// Lets one owner of machines go on: the first whose machines are not what they should be. Answers whether there was one.
pub(super) fn provide(world: &World) -> bool {
    let machines = world.list(CORE, "Machine", HERE);
    for control_plane in world.list(CONTROL_PLANE, "KubeadmControlPlane", HERE) {
        let version = control_plane["spec"]["version"].as_str().unwrap().to_owned();
        if control_plane["status"]["version"] != json!(version) {
            renew(world, &machines, control_plane["metadata"]["name"].as_str().unwrap(), &version);
            world.merge(&control_plane, &json!({ "status": { "version": version, "upToDateReplicas": 1 } }));
            return true;
        }
    }
    for group in world.list(CORE, "MachineDeployment", HERE) {
        let (name, version) = (
            group["metadata"]["name"].as_str().unwrap(),
            group["spec"]["template"]["spec"]["version"].as_str().unwrap(),
        );
        if renew(world, &machines, name, version) {
            return true;
        }
    }
    false
}

/// What runs where: the control plane and the groups of a cluster, each `NAME VERSION`.
pub(super) fn versions(world: &World) -> Vec<String> {
    let mut all: Vec<String> = world
        .list(CONTROL_PLANE, "KubeadmControlPlane", HERE)
        .iter()
        .map(|it| format!("{} {}", it["metadata"]["name"].as_str().unwrap(), it["spec"]["version"].as_str().unwrap()))
        .collect();
    let groups = world.list(CORE, "MachineDeployment", HERE);
    all.extend(groups.iter().map(|it| {
        let version = it["spec"]["template"]["spec"]["version"].as_str().unwrap();
        format!("{} {version}", it["metadata"]["name"].as_str().unwrap())
    }));
    all
}

/// Lets time pass until something holds of an upgrade, ten times as fast as the wall's; machines come as they are asked
/// for.
pub(super) fn wait(
    world: &World,
    clock: &mut TestClock,
    running: &Operator,
    name: &str,
    what: &str,
    holds: impl Fn(&ClusterUpgradeStatus) -> bool,
) -> ClusterUpgradeStatus {
    let begun = Instant::now();
    loop {
        let now = status(world, name);
        if holds(&now) {
            return now;
        }
        if begun.elapsed() > Duration::from_secs(60) {
            let now = serde_json::to_string_pretty(&now).unwrap();
            panic!("{what}: not within a minute; {:#?}\n{now}\n{}", versions(world), running.log());
        }
        provide(world);
        std::thread::sleep(Duration::from_millis(100));
        clock.pass(1);
    }
}

/// The writes of versions by us so far, in their order: `NAME VERSION`.
pub(super) fn moves(world: &World) -> Vec<String> {
    let log = std::fs::read_to_string(world.plane.audit_log()).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_move = |event: &Value| {
        let uri = event["requestURI"].as_str().unwrap_or_default();
        event["stage"] == "ResponseComplete"
            && uri.contains("fieldManager=headway-drive")
            && !uri.contains("clusterupgrades")
            && event["responseStatus"]["code"] == 200
    };
    events.filter(is_move).map(|event| event["objectRef"]["name"].as_str().unwrap_or("?").to_owned()).collect()
}

/// How often the status of an upgrade was written.
pub(super) fn status_writes(world: &World, name: &str) -> usize {
    let log = std::fs::read_to_string(world.plane.audit_log()).unwrap();
    let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let is_it = |event: &Value| {
        event["stage"] == "ResponseComplete"
            && event["verb"] == "patch"
            && event["objectRef"]["resource"] == "clusterupgrades"
            && event["objectRef"]["subresource"] == "status"
            && event["objectRef"]["name"] == name
            && event["responseStatus"]["code"] == 200
    };
    events.filter(is_it).count()
}

fn renew(world: &World, machines: &[Value], owner: &str, version: &str) -> bool {
    let mut is_renewed = false;
    for machine in machines.iter().filter(|machine| machine["metadata"]["name"] == format!("{owner}-0")) {
        if machine["spec"]["version"] != json!(version) {
            world.merge(
                machine,
                &json!({ "spec": { "version": version }, "status": { "nodeInfo": { "kubeletVersion": version } } }),
            );
            is_renewed = true;
        }
    }
    is_renewed
}

fn condition(kind: &str) -> Value {
    json!({ "type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": super::world::ago(600) })
}

/// The machine of an owner.
fn machine(cluster: &str, owner: &str, of: &str, version: &str) -> Value {
    let name = format!("{owner}-0");
    let mut metadata =
        json!({ "namespace": HERE, "name": name, "labels": { "cluster.x-k8s.io/cluster-name": cluster } });
    if of == "control-plane" {
        metadata["labels"]["cluster.x-k8s.io/control-plane"] = json!("");
        metadata["ownerReferences"] = json!([{ "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane",
            "name": owner, "uid": "00000000-0000-4000-8000-000000000001" }]);
    } else {
        metadata["labels"]["cluster.x-k8s.io/deployment-name"] = json!(of);
    }
    json!({ "apiVersion": CORE, "kind": "Machine", "metadata": metadata,
        "spec": { "clusterName": cluster, "version": version, "bootstrap": { "dataSecretName": name },
            "infrastructureRef": { "apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevMachine", "name": name } },
        "status": { "phase": "Running", "nodeRef": { "name": name },
            "conditions": [condition("UpToDate"), condition("Ready"), condition("Available")],
            "nodeInfo": { "kubeletVersion": version, "architecture": "amd64", "operatingSystem": "linux", "osImage": "x",
                "kernelVersion": "6", "containerRuntimeVersion": "c", "bootID": "b", "machineID": "m", "systemUUID": "s",
                "kubeProxyVersion": "" } } })
}
