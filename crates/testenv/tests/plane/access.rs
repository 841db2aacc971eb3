//! Who may do what on a plane, and what is written down of it.
//! None of these tests changes what another sees, so they share a plane.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use headway_testenv::{Error, Plane, Versions};
use serde_json::Value;

fn plane() -> &'static Plane {
    static PLANE: OnceLock<Plane> = OnceLock::new();
    PLANE.get_or_init(|| Plane::start().unwrap())
}

/// What kubectl says as somebody else: its output or its complaint.
fn as_user(kubeconfig: &Path, arguments: &[&str]) -> Result<String, String> {
    let ran = plane().kubectl_command().arg("--kubeconfig").arg(kubeconfig).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if ran.status.success() { Ok(text(ran.stdout)) } else { Err(text(ran.stderr)) }
}

/// Waits for a line of the audit log: it is written a moment after the answer.
fn audited(wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        let log = std::fs::read_to_string(plane().audit_log()).unwrap();
        // The last line may be half written.
        if let Some(event) = log.lines().filter_map(|line| serde_json::from_str(line).ok()).find(&wanted) {
            return Some(event);
        }
        sleep(Duration::from_millis(50));
    }
    None
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn programs_tell_their_versions() {
    let Versions { kubernetes, helm, etcd: _ } = Versions::current();
    let version: Value =
        serde_json::from_str(&plane().kubectl_text(&["version", "--output", "json"]).unwrap()).unwrap();
    assert_eq!(version["serverVersion"]["gitVersion"], *kubernetes);
    assert_eq!(version["clientVersion"]["gitVersion"], *kubernetes);
    assert_eq!(version["serverVersion"]["minor"], kubernetes.split('.').nth(1).unwrap());
    assert_eq!(plane().helm_text(&["version", "--template", "{{.Version}}"]).unwrap(), helm);
    assert_eq!(plane().helm_text(&["list", "--short"]).unwrap(), "");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn failures_of_kubectl_are_told_with_the_command() {
    let failed = plane().kubectl_text(&["get", "widgets"]).unwrap_err();
    let Error::Failed { line, told, .. } = failed else { panic!("{failed}") };
    assert_eq!(line, "kubectl get widgets");
    assert_eq!(told, "error: the server doesn't have a resource type \"widgets\"");
    assert!(!plane().kubectl(&["get", "widgets"]).unwrap().status.success());
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn without_credentials_nothing_is_allowed() {
    let kubeconfig = plane().anonymous_kubeconfig().unwrap();
    let refused = as_user(&kubeconfig, &["get", "--raw", "/api/v1/nodes"]).unwrap_err();
    assert!(refused.contains("User \"system:anonymous\" cannot list resource \"nodes\""), "{refused}");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn an_account_may_do_what_its_role_says() {
    let plane = plane();
    plane.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: reader, namespace: default}}").unwrap();
    let kubeconfig = plane.account_kubeconfig("default", "reader").unwrap();
    let list = ["get", "configmaps", "--namespace", "default", "--output", "name"];
    let refused = as_user(&kubeconfig, &list).unwrap_err();
    let user = "User \"system:serviceaccount:default:reader\" cannot list resource \"configmaps\"";
    assert!(refused.contains(user), "{refused}");

    plane
        .apply(
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: default},\n\
             rules: [{apiGroups: [''], resources: [configmaps], verbs: [list]}]}\n---\n\
             {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: reader, namespace: default},\n\
             roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader},\n\
             subjects: [{kind: ServiceAccount, name: reader, namespace: default}]}\n",
        )
        .unwrap();
    // The authorizer learns of a binding through a watch of its own.
    let begun = Instant::now();
    while as_user(&kubeconfig, &list).is_err() && begun.elapsed() < Duration::from_secs(10) {
        sleep(Duration::from_millis(50));
    }
    as_user(&kubeconfig, &list).unwrap();
    let refused = as_user(&kubeconfig, &["get", "secrets", "--namespace", "default"]).unwrap_err();
    assert!(refused.contains("cannot list resource \"secrets\""), "{refused}");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn every_request_is_in_the_audit_log_and_the_probes_of_the_supervisor_are_not() {
    let kubeconfig = plane().anonymous_kubeconfig().unwrap();
    as_user(&kubeconfig, &["get", "--raw", "/api/v1/namespaces/audited/pods"]).unwrap_err();
    let event = audited(|event| event["objectRef"]["namespace"] == "audited").unwrap();
    assert_eq!(event["user"]["username"], "system:anonymous");
    assert_eq!(event["verb"], "list");
    assert_eq!(event["annotations"]["authorization.k8s.io/decision"], "forbid");
    assert_eq!(event["responseStatus"]["code"], 403);

    let log = std::fs::read_to_string(plane().audit_log()).unwrap();
    // The API server asks itself whether it is ready, too.
    assert!(!log.contains("headway-testenv"));
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn an_api_server_that_does_not_start_says_why() {
    let flags = vec!["--no-such-flag".to_owned()];
    let error = Plane::start_with(&headway_testenv::Options { apiserver_flags: flags }).unwrap_err();
    let Error::Start { told } = error else { panic!("{error}") };
    assert!(told.contains("kube-apiserver does not run, it ended with exit status 1"), "{told}");
    assert!(told.contains("unknown flag: --no-such-flag"), "{told}");
}

/// The certificate for servers of a test is one that OpenSSL's rules accept too.
#[test]
#[ignore = "ring 2: starts an API server"]
fn certificates_are_of_version_3() {
    let serving = plane().serving();
    for file in [&serving.certificate, &serving.authority, &plane().authority().to_path_buf()] {
        let Ok(ran) = std::process::Command::new("openssl")
            .args([OsStr::new("x509"), "-noout".as_ref(), "-text".as_ref(), "-in".as_ref(), file.as_ref()])
            .output()
        else {
            eprintln!("openssl is not here: the version of the certificates goes unseen");
            return;
        };
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.contains("Version: 3 (0x2)"), "{text}");
        assert!(text.contains("X509v3 Basic Constraints: critical"), "{text}");
    }
}
