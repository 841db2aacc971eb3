//! `headway approve` against a real API server, with the chart's policy in it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::command::{Ran, root};

const NAMESPACE: &str = "fleet";
const CP: &str = "control-plane/v1.31.0";

/// The command, not run yet.
fn command(kubeconfig: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headway"));
    command.env_clear().env("HOME", "/nonexistent").arg("approve").args(arguments);
    command.args(["-n", NAMESPACE, "--kubeconfig"]).arg(kubeconfig);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn approve(plane: &Plane, arguments: &[&str]) -> Ran {
    let output = command(plane.kubeconfig(), arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// What it says where it does something, and where it does nothing.
fn check(plane: &Plane, arguments: &[&str], expect: Result<&str, &str>) {
    let ran = approve(plane, arguments);
    match expect {
        Ok(line) => assert_eq!((ran.code, ran.out.as_str()), (Some(0), format!("{line}\n").as_str()), "{}", ran.err),
        Err(part) => {
            assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{arguments:?}");
            assert!(ran.err.starts_with("error: ") && ran.err.contains(part), "{arguments:?}: {}", ran.err);
        }
    }
}

fn upgrade(plane: &Plane) -> Value {
    let text = plane.kubectl_text(&["get", "clusterupgrade", "c1", "-n", NAMESPACE, "-o", "json"]).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn patch(plane: &Plane, subresource: &str, body: &Value) {
    let body = body.to_string();
    let mut arguments = vec!["patch", "clusterupgrade", "c1", "-n", NAMESPACE, "--type=merge", "-p", &body];
    if !subresource.is_empty() {
        arguments.extend(["--subresource", subresource]);
    }
    plane.kubectl_text(&arguments).unwrap();
}

/// What the status waits for.
fn waits(plane: &Plane, steps: &[&str]) {
    let wait =
        |step: &&str| json!({"reason": "ApprovalRequired", "message": format!("{step} is not approved"), "step": step});
    let plan =
        json!({"source": "VersionList", "left": 2, "controlPlane": ["v1.31.0", "v1.32.0"], "workers": ["v1.32.0"]});
    let waiting_on: Vec<Value> = steps.iter().map(wait).collect();
    patch(plane, "status", &json!({"status": {"waitingOn": waiting_on, "plan": plan}}));
}

fn approved(plane: &Plane) -> Vec<(String, String)> {
    let object = upgrade(plane);
    let entries = object["spec"]["approvals"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries.iter().map(|entry| (text(&entry["step"]), text(&entry["by"]))).collect()
}

/// Serves our kinds, with the policy and two users: alice approves, bob edits.
fn install(plane: &Plane) {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    plane.apply_crds(&read("deploy/crds/clusterupgrades.headway.dev.yaml")).unwrap();
    let chart = root().join("deploy/helm/headway");
    let rendered = plane.helm_text(&[
        "template",
        "headway",
        chart.to_str().unwrap(),
        "--set",
        "roles.drive.enabled=true",
        "--show-only",
        "templates/drive/approval.yaml",
        "--show-only",
        "templates/drive/edit.yaml",
    ]);
    plane.apply(&rendered.unwrap()).unwrap();
    let binding = |role: &str, user: &str| {
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
            "metadata": {"name": format!("{role}-{user}"), "namespace": NAMESPACE},
            "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
        })
    };
    let objects = json!({"apiVersion": "v1", "kind": "List", "items": [
        binding("headway-approver", "alice"),
        binding("headway-edit", "bob"),
        {
            "apiVersion": "headway.dev/v1alpha1", "kind": "ClusterUpgrade",
            "metadata": {"name": "c1", "namespace": NAMESPACE},
            "spec": {"clusterName": "c1", "version": "v1.32.0", "gates": {"approval": "PerStep"}},
        },
    ]});
    plane.apply(&objects.to_string()).unwrap();
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_step_is_approved_by_whom_the_server_knows() {
    let plane = Plane::start().unwrap();
    check(&plane, &["c1"], Err("the server serves no clusterupgrades.headway.dev"));
    plane.kubectl_text(&["create", "namespace", NAMESPACE]).unwrap();
    install(&plane);
    check(&plane, &["c2"], Err("there is no ClusterUpgrade c2 in namespace fleet"));
    check(&plane, &["c1"], Err("ClusterUpgrade fleet/c1 waits for no approval now"));

    // A trial keeps nothing.
    waits(&plane, &[CP]);
    let before = upgrade(&plane);
    check(
        &plane,
        &["c1", "--dry-run=client"],
        Ok("clusterupgrade.headway.dev/c1 approved: control-plane/v1.31.0 (dry run)"),
    );
    check(
        &plane,
        &["c1", "--dry-run=server", "--as", "alice"],
        Ok("clusterupgrade.headway.dev/c1 approved: control-plane/v1.31.0 (server dry run)"),
    );
    assert_eq!(upgrade(&plane)["metadata"]["resourceVersion"], before["metadata"]["resourceVersion"]);

    // Who may not is told so, in the server's words; the policy counts as soon as the server has compiled it.
    let until = Instant::now() + Duration::from_secs(30);
    while approve(&plane, &["c1", "--as", "bob", "--dry-run=server"]).code == Some(0) {
        assert!(Instant::now() < until, "the policy does not come to count");
        std::thread::sleep(Duration::from_millis(100));
    }
    check(
        &plane,
        &["c1", "--as", "bob"],
        Err(
            "Error from server (Forbidden): clusterupgrades.headway.dev \"c1\" is forbidden: ValidatingAdmissionPolicy 'headway-approvals'",
        ),
    );
    check(
        &plane,
        &["c1", "--as", "bob"],
        Err("user \"bob\" cannot approve clusterupgrades.headway.dev \"c1\" in the namespace \"fleet\""),
    );
    check(&plane, &["c1", "--as", "eve"], Err("User \"eve\" cannot get resource \"clusterupgrades\""));
    assert_eq!(approved(&plane), []);

    // Who may does, and says when.
    let started = Timestamp::now();
    check(&plane, &["c1", "--as", "alice"], Ok("clusterupgrade.headway.dev/c1 approved: control-plane/v1.31.0"));
    let entry = upgrade(&plane)["spec"]["approvals"][0].clone();
    assert_eq!((entry["step"].as_str(), entry["by"].as_str()), (Some(CP), Some("alice")));
    let at: Timestamp = entry["at"].as_str().unwrap().parse().unwrap();
    assert!(at.duration_since(started).as_secs().abs() <= 60, "{at} and {started}");
    let again = approve(&plane, &["c1", CP]);
    assert_eq!(again.code, Some(0), "{}", again.err);
    let start = "clusterupgrade.headway.dev/c1 unchanged: control-plane/v1.31.0 was approved by alice at ";
    assert!(again.out.starts_with(start), "{}", again.out);
    check(
        &plane,
        &["c1"],
        Err("waits for no approval now; what can be approved: control-plane/v1.32.0, workers/v1.32.0"),
    );
    waits(&plane, &["control-plane/v1.32.0", "workers/v1.32.0"]);
    check(&plane, &["c1"], Err("waits for 2 approvals: name one of control-plane/v1.32.0, workers/v1.32.0"));
    check(&plane, &["c1", "workers/v1.33.0"], Err("workers/v1.33.0 is not on the way of ClusterUpgrade fleet/c1"));

    // And takes it back.
    check(&plane, &["c1", "--revoke", "--as", "bob"], Err("user \"bob\" cannot approve"));
    check(
        &plane,
        &["c1", "--revoke", "--as", "alice"],
        Ok("clusterupgrade.headway.dev/c1 revoked: control-plane/v1.31.0"),
    );
    check(&plane, &["c1", "--revoke"], Err("ClusterUpgrade fleet/c1 has no approvals"));
    patch(&plane, "", &json!({"spec": {"gates": {"approval": "NotRequired"}}}));
    check(&plane, &["c1"], Err("ClusterUpgrade fleet/c1 asks for no approval"));

    everybody_at_once(&plane);
}

/// Several who approve at the same time all come through, each with one entry.
fn everybody_at_once(plane: &Plane) {
    patch(plane, "", &json!({"spec": {"gates": {"approval": "PerStep"}}}));
    let steps = ["control-plane/v1.31.0", "control-plane/v1.32.0", "workers/v1.32.0"];
    waits(plane, &steps);
    let running: Vec<_> =
        steps.iter().map(|step| command(plane.kubeconfig(), &["c1", step, "--as", "alice"]).spawn().unwrap()).collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut approved = approved(plane);
    approved.sort();
    assert_eq!(approved, steps.map(|step| (step.to_owned(), "alice".to_owned())));
}
