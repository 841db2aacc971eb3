//! How a cluster is reached, and what is said when it is not: in kubectl's words where it has some.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::command::{assert_failed, ended, run, with};

/// Writes a kubeconfig for a server.
fn kubeconfig(folder: &Path, server: &str) -> PathBuf {
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: east\ncontexts:\n- name: east\n  context: {{cluster: east, user: me}}\nclusters:\n- name: east\n  cluster: {{server: \"{server}\"}}\nusers:\n- name: me\n  user: {{token: t}}\n"
    );
    let path = folder.join("config");
    std::fs::write(&path, text).unwrap();
    path
}

/// A port at which nobody listens.
fn dead_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn without_a_kubeconfig_it_is_said_what_to_give() {
    let hints = ["no kubeconfig was found", "KUBECONFIG", "--kubeconfig", "--from"];
    assert_failed(&run(&["status"]), &hints);
    let gone = ["cannot read the kubeconfig /nowhere/config: ", "o such file or directory"];
    assert_failed(&run(&["status", "--kubeconfig", "/nowhere/config"]), &gone);
}

#[test]
fn what_is_wrong_with_a_kubeconfig_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = kubeconfig(folder.path(), "https://127.0.0.1:1");
    let given = path.to_str().unwrap();
    let check = |text: Option<&str>, more: &[&str], says: &[&str]| {
        if let Some(text) = text {
            std::fs::write(&path, text).unwrap();
        }
        assert_failed(&run(&[&["status", "--kubeconfig", given], more].concat()), says);
    };
    check(None, &["--context", "west"], &["context \"west\" does not exist"]);
    check(Some("apiVersion: v1\nkind: Config\n"), &[], &["has no current context", "--context"]);
    check(Some("current-context: [\n"), &[], &["the kubeconfig cannot be used"]);
    let lost = "current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: []\nusers: []\n";
    check(Some(lost), &[], &["the kubeconfig cannot be used", "b"]);
}

#[test]
fn a_server_that_nobody_runs_is_told_as_kubectl_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = format!("127.0.0.1:{}", dead_port());
    let path = kubeconfig(folder.path(), &format!("https://{server}"));
    let says = format!("the connection to the server {server} was refused - did you specify the right host or port?");
    assert_failed(&run(&["status", "--kubeconfig", path.to_str().unwrap()]), &[&says]);
    // The same through the environment, which is how kubectl is told too.
    assert_failed(&ended(with(&["status"]).env("KUBECONFIG", &path), b""), &[&says]);
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".kube")).unwrap();
    std::fs::copy(&path, home.path().join(".kube/config")).unwrap();
    assert_failed(&ended(with(&["status"]).env("HOME", home.path()), b""), &[&says]);
    let lost = kubeconfig(folder.path(), "https://nowhere.invalid:6443");
    let says = "unable to connect to the server nowhere.invalid:6443: ";
    assert_failed(&run(&["status", "--kubeconfig", lost.to_str().unwrap()]), &[says]);
}

#[test]
fn a_server_that_does_not_answer_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    let path = kubeconfig(folder.path(), &format!("http://{server}"));
    let start = Instant::now();
    let ran = run(&["status", "--kubeconfig", path.to_str().unwrap(), "--request-timeout", "300ms"]);
    assert_failed(&ran, &[&format!("the server {server} did not answer within 0.3s")]);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_server_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    // Speaks, but not TLS. It ends with the test.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            drop(stream.read(&mut [0; 1024]));
            drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"));
        }
    });
    let path = kubeconfig(folder.path(), &format!("https://{server}"));
    let ran = run(&["status", "--kubeconfig", path.to_str().unwrap()]);
    assert_failed(&ran, &[&format!("unable to connect to the server {server}: ")]);
}

#[test]
fn what_goes_to_a_cluster_does_not_go_with_a_recording() {
    for more in [
        &["--context", "east"][..],
        &["--kubeconfig", "x"],
        &["--as", "me"],
        &["--request-timeout", "3s"],
        &["--prometheus", "https://x"],
    ] {
        let ran = run(&[&["status", "--from", "x"], more].concat());
        assert_failed(&ran, &["cannot be used with", more[0]]);
    }
    for (flags, other) in [
        (&["--from", "x", "--watch"][..], "--watch"),
        (&["--from", "x", "--wait=updated"], "--wait"),
        (&["--watch", "--at", "2026-05-04T08:30:00Z"], "--at"),
        (&["--watch", "--compat", "oc"], "--compat"),
        (&["--timeout", "3s"], "--wait <STATE>"),
        (&["--wait", "done"], "updated, healthy"),
        (&["--from", "x", "--source=api"], "--source"),
        (&["--source=api", "--at", "2026-05-04T08:30:00Z"], "without --at"),
        (&["--source=api", "--compat", "oc"], "without --compat"),
        (&["--source=api", "--watch"], "leave out --source=api"),
        (&["--source", "files"], "auto, api, objects"),
    ] {
        assert_failed(&run(&[&["status"], flags].concat()), &[other]);
    }
    assert_failed(&run(&["status", "--as-group", "us"]), &["--as <USER>"]);
    assert_failed(&run(&["status", "--request-timeout", "soon"]), &["'soon'", "30s or 2m"]);
    assert_failed(&run(&["status", "--request-timeout=-3s"]), &["'-3s'", "30s or 2m"]);
    assert_failed(&run(&["status", "--prometheus", "thanos"]), &["'thanos'", "https://"]);
}
