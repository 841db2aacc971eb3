//! `headway drive` against a real API server with the kinds of Cluster API; machines are played by the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use serde_json::{Value, json};

use super::command::{Ran, root};

const NAMESPACE: &str = "fleet";
const CORE: &str = "cluster.x-k8s.io/v1beta2";
const CONTROL_PLANE: &str = "controlplane.cluster.x-k8s.io/v1beta2";

/// The command, not run yet.
fn command(plane: &Plane, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headway"));
    command.env_clear().env("HOME", "/nonexistent").args(["drive", "gull"]).args(arguments);
    command.args(["-n", NAMESPACE, "--kubeconfig"]).arg(plane.kubeconfig());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn drive(plane: &Plane, arguments: &[&str]) -> Ran {
    ended(command(plane, arguments).spawn().unwrap())
}

fn ended(child: Child) -> Ran {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn refused(ran: &Ran, part: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains(part), "{}", ran.err);
}

fn condition(kind: &str) -> Value {
    json!({"type": kind, "status": "True", "reason": kind, "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"})
}

fn metadata(name: &str) -> Value {
    json!({"namespace": NAMESPACE, "name": name, "labels": {"cluster.x-k8s.io/cluster-name": "gull"}})
}

fn infrastructure(kind: &str) -> Value {
    json!({"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": kind, "name": "gull"})
}

fn machine(owner: &str, version: &str) -> Value {
    let name = format!("{owner}-0");
    let mut metadata = metadata(&name);
    if owner == "gull-cp" {
        metadata["labels"]["cluster.x-k8s.io/control-plane"] = json!("");
        metadata["ownerReferences"] = json!([{
            "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane", "name": owner,
            "uid": "00000000-0000-4000-8000-000000000001",
        }]);
    } else {
        metadata["labels"]["cluster.x-k8s.io/deployment-name"] = json!(owner);
    }
    json!({
        "apiVersion": CORE, "kind": "Machine", "metadata": metadata,
        "spec": {
            "clusterName": "gull", "version": version, "bootstrap": {"dataSecretName": name},
            "infrastructureRef": infrastructure("DevMachine"),
        },
        "status": {
            "phase": "Running", "nodeRef": {"name": name},
            "conditions": [condition("UpToDate"), condition("Ready"), condition("Available")],
            "nodeInfo": {
                "kubeletVersion": version, "architecture": "amd64", "operatingSystem": "linux", "osImage": "x",
                "kernelVersion": "6", "containerRuntimeVersion": "c", "bootID": "b", "machineID": "m",
                "systemUUID": "s", "kubeProxyVersion": "",
            },
        },
    })
}

/// A cluster of one control plane machine and one worker.
fn cluster(version: &str) -> Vec<Value> {
    let counts = json!({
        "version": version, "replicas": 1, "readyReplicas": 1, "availableReplicas": 1, "upToDateReplicas": 1,
        "conditions": [condition("Available")],
    });
    let mut of_group = counts.clone();
    of_group.as_object_mut().unwrap().remove("version");
    of_group["phase"] = json!("Running");
    let own = json!({"cluster.x-k8s.io/cluster-name": "gull", "cluster.x-k8s.io/deployment-name": "gull-a"});
    vec![
        json!({
            "apiVersion": CORE, "kind": "Cluster", "metadata": {"namespace": NAMESPACE, "name": "gull"},
            "spec": {
                "controlPlaneRef": {
                    "apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": "gull-cp",
                },
                "infrastructureRef": infrastructure("DevCluster"),
            },
            "status": {"phase": "Provisioned", "conditions": [condition("Available")]},
        }),
        json!({
            "apiVersion": CONTROL_PLANE, "kind": "KubeadmControlPlane", "metadata": metadata("gull-cp"),
            "spec": {
                "replicas": 1, "version": version,
                "machineTemplate": {"spec": {"infrastructureRef": infrastructure("DevMachineTemplate")}},
            },
            "status": counts,
        }),
        json!({
            "apiVersion": CORE, "kind": "MachineDeployment", "metadata": metadata("gull-a"),
            "spec": {
                "clusterName": "gull", "replicas": 1, "selector": {"matchLabels": own},
                "template": {"metadata": {"labels": own}, "spec": {
                    "clusterName": "gull", "version": version,
                    "bootstrap": {"configRef": {
                        "apiGroup": "bootstrap.cluster.x-k8s.io", "kind": "KubeadmConfigTemplate", "name": "gull",
                    }},
                    "infrastructureRef": infrastructure("DevMachineTemplate"),
                }},
            },
            "status": of_group,
        }),
        machine("gull-cp", version),
        machine("gull-a", version),
    ]
}

fn patch(plane: &Plane, what: &str, body: &Value) {
    let text = body.to_string();
    let mut arguments = vec!["patch", what, "-n", NAMESPACE, "--type=merge", "-p", &text];
    if body.get("spec").is_some() {
        plane.kubectl_text(&arguments).unwrap();
    }
    if body.get("status").is_some() {
        arguments.push("--subresource=status");
        plane.kubectl_text(&arguments).unwrap();
    }
}

/// Makes an object as who goes away afterwards: whoever applies it keeps its version.
fn create(plane: &Plane, object: &Value) {
    let mut command = plane.kubectl_command();
    let mut child = command.args(["create", "-f", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(object.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn start(version: &str) -> Plane {
    let plane = Plane::start().unwrap();
    plane.apply_cluster_api_crds().unwrap();
    let definition = root().join("deploy/crds/clusterupgrades.headway.dev.yaml");
    plane.apply_crds(&std::fs::read_to_string(definition).unwrap()).unwrap();
    plane.kubectl_text(&["create", "namespace", NAMESPACE]).unwrap();
    for mut object in cluster(version) {
        let status = object.as_object_mut().unwrap().remove("status").unwrap();
        create(&plane, &object);
        let kind = object["kind"].as_str().unwrap();
        let of = format!("{kind}/{}", object["metadata"]["name"].as_str().unwrap());
        patch(&plane, &of, &json!({"status": status}));
    }
    plane
}

fn get(plane: &Plane, what: &str) -> Value {
    serde_json::from_str(&plane.kubectl_text(&["get", what, "-n", NAMESPACE, "-o", "json"]).unwrap()).unwrap()
}

/// The versions that are asked for: of the control plane, and of the workers.
fn versions(plane: &Plane) -> (String, String) {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let group = get(plane, "machinedeployment/gull-a");
    (
        text(&get(plane, "kubeadmcontrolplane/gull-cp")["spec"]["version"]),
        text(&group["spec"]["template"]["spec"]["version"]),
    )
}

/// Machines become what is asked for.
fn provide(plane: &Plane) {
    let (control_plane, workers) = versions(plane);
    for (owner, version) in [("gull-cp", &control_plane), ("gull-a", &workers)] {
        let of = format!("machine/{owner}-0");
        if get(plane, &of)["spec"]["version"] != json!(version) {
            let status = json!({"nodeInfo": {"kubeletVersion": version}});
            patch(plane, &of, &json!({"spec": {"version": version}, "status": status}));
            if owner == "gull-cp" {
                patch(plane, "kubeadmcontrolplane/gull-cp", &json!({"status": {"version": version}}));
            }
        }
    }
}

/// Lets machines come until it ends.
fn to_its_end(plane: &Plane, mut child: Child) -> Ran {
    let until = Instant::now() + Duration::from_secs(120);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > until {
            child.kill().unwrap();
            let ran = ended(child);
            panic!("it does not end\n{}\n{}\n{:#}", ran.out, ran.err, get(plane, "clusterupgrade/gull"));
        }
        provide(plane);
        std::thread::sleep(Duration::from_millis(200));
    }
    ended(child)
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_cluster_is_driven_from_a_terminal() {
    let plane = start("v1.31.0");
    refused(
        &drive(&plane, &[]),
        "there is no ClusterUpgrade fleet/gull, and no version to make one for: name it with --to",
    );
    refused(&drive(&plane, &["--hand-over"]), "there is no ClusterUpgrade fleet/gull");

    // A trial writes nothing.
    let ran = drive(&plane, &["--to", "v1.32.0", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("would do: control plane from v1.31.0 to v1.32.0"), "{}", ran.out);
    assert!(plane.kubectl_text(&["get", "clusterupgrades,leases", "-n", NAMESPACE, "-o", "name"]).unwrap().is_empty());
    let ran = drive(&plane, &["--to", "v1.33.0", "--versions", "v1.31.0,v1.33.0", "--dry-run"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("would wait: ") && ran.out.contains("v1.33.0"), "{}", ran.out);

    // One turn begins the first step.
    let ran = drive(&plane, &["--to", "v1.32.0", "--once"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(
        ran.out.contains("  wrote control plane from v1.31.0 to v1.32.0\n"),
        "{}{:#}",
        ran.out,
        get(&plane, "clusterupgrade/gull")
    );
    assert_eq!(versions(&plane), ("v1.32.0".into(), "v1.31.0".into()));
    assert_eq!(get(&plane, "clusterupgrade/gull")["spec"]["driver"], "Terminal");

    // Ctrl-C ends it in good order, and gives the Lease back; another terminal does not come in between.
    let mut first = command(&plane, &[]).spawn().unwrap();
    let mut lines = BufReader::new(first.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert!(line.contains("is on its way to v1.32.0"), "{line}");
    refused(
        &drive(&plane, &[]),
        "walks ClusterUpgrade fleet/gull from another terminal; it holds the Lease headway-drive-gull",
    );
    let sent = Command::new("kill").args(["-INT", &first.id().to_string()]).status().unwrap();
    assert!(sent.success());
    drop(lines.read_to_string(&mut line));
    let ran = ended(first);
    assert_eq!(ran.code, Some(130), "{}", ran.err);
    assert!(ran.err.contains("To go on: headway drive gull -n fleet; or for the operator"), "{}", ran.err);

    // The same command goes on, to the end.
    let begun = Instant::now();
    let ran = to_its_end(&plane, command(&plane, &[]).spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(begun.elapsed() < Duration::from_secs(60), "the Lease was given back");
    assert!(ran.out.contains("  wrote MachineDeployment/gull-a from v1.31.0 to v1.32.0\n"), "{}", ran.out);
    assert_eq!(versions(&plane), ("v1.32.0".into(), "v1.32.0".into()));
    plane.kubectl_text(&["wait", "-n", NAMESPACE, "cu/gull", "--for=condition=Ready", "--timeout=5s"]).unwrap();

    // What the operator walks is left to it, unless it is taken over.
    let ran = drive(&plane, &["--hand-over"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "clusterupgrade.headway.dev/gull handed over to the operator\n")
    );
    refused(&drive(&plane, &["--once"]), "the operator walks ClusterUpgrade fleet/gull: take it over with --take-over");
    let further = ["--take-over", "--to", "v1.34.0", "--versions", "v1.33.0,v1.34.0"];
    let ran = to_its_end(&plane, command(&plane, &further).spawn().unwrap());
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let wrote: Vec<&str> =
        ran.out.lines().filter_map(|line| line.split_once("  wrote ")).map(|(_, what)| what).collect();
    assert_eq!(
        wrote,
        [
            "control plane from v1.32.0 to v1.33.0",
            "control plane from v1.33.0 to v1.34.0",
            "MachineDeployment/gull-a from v1.32.0 to v1.34.0",
        ],
        "{}",
        ran.out
    );

    // Back is no way, and is said.
    let ran = drive(&plane, &["--to", "v1.33.0", "--once"]);
    assert_eq!((ran.code, versions(&plane).0.as_str()), (Some(4), "v1.34.0"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("PlanRefused"), "{}", ran.out);
}
