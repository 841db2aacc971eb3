//! `headway extension test` on the command line: what it cannot begin with is said.

use std::net::TcpListener;
use std::path::Path;

use super::command::{assert_failed, run};

fn kubeconfig(folder: &Path) -> String {
    let path = folder.join("config");
    let text = "apiVersion: v1\nkind: Config\ncurrent-context: east\ncontexts:\n- name: east\n  context: {cluster: east, user: me}\nclusters:\n- name: east\n  cluster: {server: \"https://127.0.0.1:9\"}\nusers:\n- name: me\n  user: {token: t}\n";
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn ch_8_1_what_the_test_extension_cannot_begin_with_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = kubeconfig(folder.path());
    let check = |arguments: &[&str], says: &[&str]| {
        assert_failed(&run(&[&["extension", "test"], arguments].concat()), says);
    };
    check(&["--listen", "nowhere"], &["'nowhere'", "--listen <ADDRESS>"]);
    check(&["--tls-dir", "x", "--write-ca", "y"], &["cannot be used with"]);
    check(&["--tls-dir", "x", "--tls-name", "y"], &["cannot be used with"]);
    check(&[], &["no kubeconfig was found", "; set KUBECONFIG, or give --kubeconfig\n"]);
    let with =
        |more: &[&'static str]| [&["--kubeconfig", kubeconfig.as_str(), "--listen", "127.0.0.1:0"], more].concat();
    check(&with(&["--tls-dir", "/nowhere"]), &["cannot read /nowhere/tls.crt: No such file or directory"]);
    check(&with(&["--write-ca", "/nowhere/ca.crt"]), &["cannot write /nowhere/ca.crt of --write-ca: No such file"]);
    check(&with(&["--tls-name", "ä.example"]), &["no certificate can be made for the name", "ä.example"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let says = format!("cannot listen on {address}: Address already in use");
    check(&["--kubeconfig", &kubeconfig, "--listen", &address], &[&says]);
}

#[test]
fn an_extension_without_a_command_says_which_there_are() {
    let ran = run(&["extension"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("Usage: headway extension <COMMAND>") && ran.err.contains("  test "), "{}", ran.err);
}
