//! `headway plan` of a running management cluster: Cluster API's own kinds, and the same answer as of a dump of it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use headway_testenv::Plane;
use serde_json::{Value, json};

use super::command::{Ran, root};

pub(super) const NAMESPACE: &str = "fleet";

/// The kinds that are looked at, as kubectl names them.
pub(super) const KINDS: &str =
    "cluster,clusterclass,kubeadmcontrolplane,machinedeployment,machinepool,machine,extensionconfig,namespace";

fn plan(arguments: &[&str], input: &str) -> Ran {
    fed("plan", arguments, input)
}

/// Runs `headway status` of a dump.
pub(super) fn status_of_dump(dump: &str, more: &[&str]) -> Ran {
    fed("status", &[more, &["--from", "-"]].concat(), dump)
}

fn fed(what: &str, arguments: &[&str], input: &str) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headway"));
    command.env_clear().env("HOME", "/nonexistent").current_dir(root()).arg(what).args(arguments);
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = streams.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn live(kubeconfig: &Path, more: &[&str]) -> Ran {
    plan(&[&["--kubeconfig", kubeconfig.to_str().unwrap()], more].concat(), "")
}

fn labels(of: &str) -> Value {
    json!({"cluster.x-k8s.io/cluster-name": of, "topology.cluster.x-k8s.io/owned": ""})
}

/// A cluster in the middle of nothing, of a class with five minors.
fn objects(name: &str) -> Vec<Value> {
    let meta = |name: String, labels: Value| json!({"name": name, "namespace": NAMESPACE, "labels": labels});
    let infrastructure = json!({"apiGroup": "infrastructure.example.test", "kind": "Any", "name": "any"});
    let machine = |version: &str| {
        json!({
            "clusterName": name, "version": version,
            "bootstrap": {"dataSecretName": "any"}, "infrastructureRef": infrastructure,
        })
    };
    let mut workers = labels(name);
    workers["topology.cluster.x-k8s.io/deployment-name"] = "md".into();
    vec![
        json!({
            "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": meta(name.to_owned(), json!({})),
            "spec": {
                "infrastructureRef": infrastructure,
                "controlPlaneRef": {
                    "apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": format!("{name}-cp"),
                },
                "topology": {
                    "classRef": {"name": "coast", "namespace": "classes"}, "version": "v1.33.0",
                    "workers": {"machineDeployments": [{"class": "usual", "name": "md"}]},
                },
            },
        }),
        json!({
            "apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
            "metadata": meta(format!("{name}-cp"), labels(name)),
            "spec": {
                "replicas": 3, "version": "v1.29.0", "machineTemplate": {"spec": {"infrastructureRef": infrastructure}},
            },
        }),
        json!({
            "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
            "metadata": meta(format!("{name}-md"), workers),
            "spec": {
                "clusterName": name, "replicas": 2, "selector": {"matchLabels": {"md": name}},
                "template": {"metadata": {"labels": {"md": name}}, "spec": machine("v1.29.0")},
            },
        }),
        json!({
            "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
            "metadata": meta(format!("{name}-md-0"), labels(name)), "spec": machine("v1.29.0"),
        }),
    ]
}

fn class() -> Value {
    let template = json!({"templateRef": {"apiVersion": "example.test/v1", "kind": "Any", "name": "any"}});
    let versions = ["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"];
    json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "ClusterClass",
        "metadata": {"name": "coast", "namespace": "classes"},
        "spec": {"infrastructure": template, "controlPlane": template, "kubernetesVersions": versions},
    })
}

pub(super) fn plane() -> Plane {
    let plane = Plane::start().unwrap();
    plane.apply_cluster_api_crds().unwrap();
    for namespace in [NAMESPACE, "classes"] {
        plane.kubectl_text(&["create", "namespace", namespace]).unwrap();
    }
    plane.apply(&class().to_string()).unwrap();
    let extension = json!({
        "apiVersion": "runtime.cluster.x-k8s.io/v1beta2", "kind": "ExtensionConfig", "metadata": {"name": "window"},
        "spec": {"clientConfig": {"url": "https://127.0.0.1:9/"}},
    });
    plane.apply(&extension.to_string()).unwrap();
    for name in ["tern", "gull"] {
        objects(name).iter().for_each(|object| plane.apply(&object.to_string()).unwrap());
        let status = json!({"status": {"version": "v1.29.0", "replicas": 3}}).to_string();
        let of = format!("kubeadmcontrolplane/{name}-cp");
        let patch = ["patch", &of, "-n", NAMESPACE, "--subresource=status", "--type=merge", "-p", &status];
        plane.kubectl_text(&patch).unwrap();
    }
    plane
}

/// Without the moment, which differs, and without gaps, which name where something came from.
fn told(ran: &Ran) -> Value {
    let mut told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{} {}", ran.out, ran.err));
    let fields = told.as_object_mut().unwrap();
    for field in ["observedAt", "clock", "gaps"] {
        fields.remove(field);
    }
    told
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_running_cluster_is_planned_as_a_dump_of_it() {
    let plane = plane();
    let ran = live(plane.kubeconfig(), &["--cluster", "tern", "-n", NAMESPACE, "-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let dump = plane.kubectl_text(&["get", "-A", "-o", "yaml", KINDS]).unwrap();
    let recorded = plan(&["--from", "-", "--cluster", "tern", "-n", NAMESPACE, "-o", "json"], &dump);
    assert_eq!(told(&ran), told(&recorded));
    let steps = &told(&ran)["plan"]["workers"];
    assert_eq!(*steps, json!(["v1.32.0", "v1.33.0"]), "{}", ran.out);

    // Another target; and what is not there.
    let ran = live(plane.kubeconfig(), &["--cluster", "tern", "-n", NAMESPACE, "--to", "v1.30.0"]);
    assert!(ran.out.contains("to v1.30.0"), "{}", ran.out);
    let ran = live(plane.kubeconfig(), &["--cluster", "auk", "-n", NAMESPACE]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("fleet/tern") && ran.err.contains("auk"), "{}", ran.err);
    // The context has no namespace, so it is `default`.
    let ran = live(plane.kubeconfig(), &["--cluster", "tern"]);
    assert!(ran.code == Some(1) && ran.err.contains("no Cluster in namespace default"), "{}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn what_may_not_be_read_of_a_running_cluster_is_said() {
    let plane = plane();
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
        "metadata": {"name": "clusters", "namespace": NAMESPACE},
        "rules": [{
            "apiGroups": ["cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"],
            "resources": ["clusters", "kubeadmcontrolplanes", "machinedeployments"], "verbs": ["list"],
        }],
    });
    plane.apply(&role.to_string()).unwrap();
    plane.kubectl_text(&["create", "serviceaccount", "viewer", "-n", NAMESPACE]).unwrap();
    let subject = format!("--serviceaccount={NAMESPACE}:viewer");
    plane.kubectl_text(&["create", "rolebinding", "viewer", "-n", NAMESPACE, "--role=clusters", &subject]).unwrap();
    let viewer = plane.account_kubeconfig(NAMESPACE, "viewer").unwrap();
    let ran = live(&viewer, &["--cluster", "tern", "-n", NAMESPACE, "-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["verdict"], "CannotTell", "the class was not seen: {}", ran.out);
    for resource in ["clusterclasses.cluster.x-k8s.io", "machines.cluster.x-k8s.io"] {
        let says = format!("may not list {resource}");
        assert!(ran.out.contains(&says), "{says:?} is not in {}", ran.out);
    }
    let nobody = plane.anonymous_kubeconfig().unwrap();
    let ran = live(&nobody, &["--cluster", "tern", "-n", NAMESPACE]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_cluster_without_cluster_api_is_said_to_be_none_of_its() {
    let plane = Plane::start().unwrap();
    let ran = live(plane.kubeconfig(), &["--cluster", "tern"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("cluster.x-k8s.io is not served"), "{}", ran.err);
}
