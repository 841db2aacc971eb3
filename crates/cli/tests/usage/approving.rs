//! `headway approve` as a command: flags and what is said without a cluster. With one: `live`.

use super::command::{assert_failed, run};

#[test]
fn wrong_flags_are_exit_code_1_with_a_hint() {
    let check = |arguments: &[&str], says: &[&str]| assert_failed(&run(&[&["approve"], arguments].concat()), says);
    check(&[], &["<NAME>", "try '--help'"]);
    check(&["c1", "workers/v1.31.0", "more"], &["unexpected argument 'more'"]);
    check(&["c1", "--dry-run=maybe"], &["'maybe'", "none, client, server"]);
    check(&["c1", "--from", "x"], &["unexpected argument '--from'"]);
    check(&["c1", "--request-timeout", "soon"], &["not a time to wait"]);
    check(&["c1"], &["no kubeconfig was found", "; set KUBECONFIG, or give --kubeconfig"]);
    check(&["c1", "--kubeconfig", "/nowhere/config"], &["cannot read the kubeconfig /nowhere/config"]);
}

#[test]
fn a_server_that_nobody_runs_is_told_as_kubectl_tells_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    let text = "current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\n\
                clusters: [{name: b, cluster: {server: \"http://127.0.0.1:1\"}}]\nusers: [{name: c, user: {token: t}}]\n";
    std::fs::write(&path, text).unwrap();
    let ran = run(&["approve", "c1", "--kubeconfig", path.to_str().unwrap()]);
    assert_failed(
        &ran,
        &["the connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?"],
    );
}
