//! Objects of Cluster API as its schemas want them, one cluster a test.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use super::desk::{Desk, Mode};

/// A cluster with its class, control plane and workers, all of the same name.
pub(super) struct World {
    desk: &'static Desk,
    name: &'static str,
}

/// A class whose parts are of kinds that nobody serves: nobody looks.
pub(super) fn class(name: &str, versions: &[&str]) -> Value {
    let template = |kind: &str| json!({"templateRef": {"apiVersion": "x.io/v1", "kind": kind, "name": "t"}});
    let workers =
        |class: &str| json!([{"class": class, "bootstrap": template("Boot"), "infrastructure": template("Box")}]);
    let mut spec = json!({"infrastructure": template("Net"), "controlPlane": template("Kcp"),
        "workers": {"machineDeployments": workers("small"), "machinePools": workers("pooled")}});
    if !versions.is_empty() {
        spec["kubernetesVersions"] = json!(versions);
    }
    object("cluster.x-k8s.io/v1beta2", "ClusterClass", name, spec)
}

/// A Cluster of the class of its name.
pub(super) fn cluster(name: &str, version: &str) -> Value {
    let spec = json!({
        "controlPlaneRef": {"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": name},
        "topology": {"classRef": {"name": name}, "version": version, "workers": {
            "machineDeployments": [{"name": "a", "class": "small"}],
            "machinePools": [{"name": "p", "class": "pooled"}]}}});
    object("cluster.x-k8s.io/v1beta2", "Cluster", name, spec)
}

fn object(api_version: &str, kind: &str, name: &str, spec: Value) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": "default"}, "spec": spec})
}

fn machine_spec(cluster: &str, version: &str) -> Value {
    json!({"clusterName": cluster, "version": version, "bootstrap": {"dataSecretName": "boot"},
        "infrastructureRef": {"apiGroup": "x.io", "kind": "Box", "name": "t"}})
}

impl World {
    /// A cluster that has come to a version, with a list for its class.
    pub(super) fn settled(mode: Mode, name: &'static str, version: &str, list: &[&str]) -> Self {
        Self::running(mode, name, version, version, list)
    }

    /// A cluster whose parts are at one version and whose target is another.
    pub(super) fn running(mode: Mode, name: &'static str, at: &str, target: &str, list: &[&str]) -> Self {
        let world = Self { desk: Desk::of(mode), name };
        world.apply(&class(name, list));
        world.apply(&cluster(name, target));
        world.control_plane(at, at);
        world.workers("MachineDeployment", "a", at);
        world.machine(at, at);
        world
    }

    /// A cluster of which only these objects are there.
    pub(super) fn of(mode: Mode, name: &'static str, objects: &[Value]) -> Self {
        let world = Self { desk: Desk::of(mode), name };
        objects.iter().for_each(|object| world.apply(object));
        world
    }

    /// Writes an object as it is.
    #[track_caller]
    pub(super) fn apply(&self, object: &Value) {
        self.desk.plane.apply(&object.to_string()).unwrap_or_else(|error| panic!("{error}\n{}", self.desk.log()));
    }

    /// The control plane, where it is to be and where its status says that it is; empty for nowhere.
    pub(super) fn control_plane(&self, version: &str, status: &str) {
        let template = json!({"spec": {"infrastructureRef": {"apiGroup": "x.io", "kind": "Box", "name": "t"}}});
        let spec = json!({"version": version, "machineTemplate": template});
        let kind = "KubeadmControlPlane";
        self.apply(&object("controlplane.cluster.x-k8s.io/v1beta2", kind, self.name, spec));
        let version = if status.is_empty() { Value::Null } else { json!(status) };
        self.status(kind, self.name, json!({"replicas": 1, "version": version}));
    }

    /// A group of workers of the topology, named after its entry.
    pub(super) fn workers(&self, kind: &str, entry: &str, version: &str) {
        let label = match kind {
            "MachinePool" => "topology.cluster.x-k8s.io/pool-name",
            _ => "topology.cluster.x-k8s.io/deployment-name",
        };
        let labels =
            json!({"topology.cluster.x-k8s.io/owned": "", "cluster.x-k8s.io/cluster-name": self.name, label: entry});
        let mut spec = json!({"clusterName": self.name, "template": {"spec": machine_spec(self.name, version)}});
        if kind == "MachineDeployment" {
            spec["selector"] = json!({"matchLabels": {"of": self.name}});
            spec["template"]["metadata"] = json!({"labels": {"of": self.name}});
        }
        let mut group = object("cluster.x-k8s.io/v1beta2", kind, &self.named(entry), spec);
        group["metadata"]["labels"] = labels;
        self.apply(&group);
    }

    /// The one machine of the MachineDeployment, and what its node runs.
    pub(super) fn machine(&self, version: &str, runs: &str) {
        let name = self.named("a-0");
        let mut machine = object("cluster.x-k8s.io/v1beta2", "Machine", &name, machine_spec(self.name, version));
        machine["metadata"]["labels"] =
            json!({"cluster.x-k8s.io/cluster-name": self.name, "cluster.x-k8s.io/deployment-name": self.named("a")});
        self.apply(&machine);
        let info = json!({"machineID": "", "systemUUID": "", "bootID": "", "kernelVersion": "", "osImage": "",
            "containerRuntimeVersion": "", "kubeProxyVersion": "", "operatingSystem": "", "architecture": "",
            "kubeletVersion": runs});
        self.status("Machine", &name, json!({ "nodeInfo": info }));
    }

    /// The name of a part.
    pub(super) fn named(&self, part: &str) -> String {
        format!("{}-{part}", self.name)
    }

    pub(super) fn status(&self, kind: &str, name: &str, status: Value) {
        let patch = json!({ "status": status }).to_string();
        self.kubectl(&["patch", kind, name, "--subresource=status", "--type=merge", "--patch", &patch]);
    }

    #[track_caller]
    pub(super) fn kubectl(&self, arguments: &[&str]) -> String {
        self.desk.plane.kubectl_text(arguments).unwrap()
    }

    /// Tries a change of the Cluster, and says what comes of it.
    #[track_caller]
    pub(super) fn check(&self, change: Value, expect: &str) {
        self.check_of("Cluster", change, expect);
    }

    /// Tries another target.
    #[track_caller]
    pub(super) fn check_target(&self, to: &str, expect: &str) {
        self.check(json!({"spec": {"topology": {"version": to}}}), expect);
    }

    /// Tries another list of the class.
    #[track_caller]
    pub(super) fn check_list(&self, list: Value, expect: &str) {
        self.check_of("ClusterClass", json!({"spec": {"kubernetesVersions": list}}), expect);
    }

    #[track_caller]
    fn check_of(&self, kind: &str, change: Value, expect: &str) {
        let change = change.to_string();
        let arguments = ["patch", kind, self.name, "--type=merge", "--dry-run=server", "--patch", &change];
        let told = told(&self.desk.plane.kubectl(&arguments).unwrap());
        assert_eq!(told.0, expect, "{change}: {}\n{}", told.1, self.desk.log());
    }
}

/// Tries to create an object: the rules that refuse it.
#[track_caller]
pub(super) fn check_new(mode: Mode, object: &Value, expect: &str) {
    let desk = Desk::of(mode);
    let mut kubectl = desk.plane.kubectl_command();
    let kubectl = kubectl.args(["create", "--dry-run=server", "--output=json", "--filename", "-"]);
    let mut child = kubectl.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(object.to_string().as_bytes()).unwrap();
    let told = told(&child.wait_with_output().unwrap());
    assert_eq!(told.0, expect, "{object}: {}\n{}", told.1, desk.log());
}

/// The rules that an answer names, each once, or `ok`, `ok+` with a warning, `schema` where Cluster API's own schema
/// refuses; and the answer itself.
fn told(output: &std::process::Output) -> (String, String) {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut rules: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("Warning:"))
        .flat_map(|line| line.split("(rule ").skip(1))
        .filter_map(|rest| rest.split_once(')').map(|(rule, _)| rule))
        .collect();
    rules.sort_unstable();
    rules.dedup();
    let word = if output.status.success() {
        if text.contains("Warning:") { "ok+".into() } else { "ok".into() }
    } else if rules.is_empty() {
        "schema".into()
    } else {
        rules.join(" ")
    };
    (word, text)
}
