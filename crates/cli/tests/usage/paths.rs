//! Paths that hold no recording: the message says what was found there, and what to do.

use std::path::Path;

use super::command::{Ran, assert_failed, run, status};
use super::recording::{of_text, write};

#[test]
fn a_missing_path_is_named() {
    let ran = run(&["status", "--from", "no/such/thing"]);
    assert_failed(&ran, &["the path \"no/such/thing\" does not exist"]);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    let ran = run(&["status", "--from", ""]);
    assert_failed(&ran, &["a value is required for '--from <PATH>...'"]);
    let ran = run(&["status", "--from", "/dev/null/x"]);
    assert_failed(&ran, &["/dev/null/x", "ot a directory"]);
}

/// Runs on a folder with these files.
fn of_files(files: &[(&str, &[u8])]) -> (Ran, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(&folder.path().join(name), text);
    }
    (status(folder.path(), &[]), folder.path().display().to_string())
}

#[test]
fn folders_without_a_recording_say_what_they_hold() {
    let check = |files: &[(&str, &[u8])], says: &[&str]| {
        let (ran, folder) = of_files(files);
        assert_failed(&ran, says);
        assert!(ran.err.contains(&folder), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    };
    check(&[], &["no YAML or JSON file and no must-gather found"]);
    check(&[("README.md", b"# x"), (".git/config", b"x")], &["no YAML or JSON file"]);
    // A folder of another product.
    let package: &[u8] = br#"{"name": "console", "dependencies": {"react": "19"}}"#;
    check(&[("package.json", package), ("tsconfig.json", b"{}")], &["no Kubernetes object found in 2 file(s)"]);
    let deployment = b"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n";
    let service = b"apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n";
    check(
        &[("a.yaml", deployment), ("b.yml", service), ("package.json", package)],
        &["1 object(s) in 3 file(s)", "no ClusterVersion, ClusterOperator, MachineConfigPool or Node"],
    );
    check(&[("a.yaml", b"a: [1,\n  b\n"), ("b.yaml", b"\xff\xfe\x00")], &["a.yaml"]);
    check(&[("a.yaml", b"")], &["a.yaml", "empty"]);
}

#[test]
fn a_single_file_of_something_else_says_so() {
    let check = |name: &str, text: &[u8], says: &[&str]| {
        let recording = of_text(name, text);
        assert_failed(&status(&recording.path, &[]), &[&[name], says].concat());
    };
    check("x.yaml", b"hello", &["a text where an object was expected"]);
    check("x.json", b"[1, 2]", &["a number where an object was expected"]);
    check("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", &[]);
    check("x.tar.gz", b"no archive at all: [", &[]);
    check("x.tgz", b"\x1f\x8b\x08", &[]);
    check("x.tar", b"", &["empty"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    // Permissions do not bind root, so the file is a link that leads to itself.
    let folder = tempfile::tempdir().unwrap();
    let circle = folder.path().join("circle.yaml");
    std::os::unix::fs::symlink("circle.yaml", &circle).unwrap();
    assert_failed(&status(&circle, &[]), &["circle.yaml", "symbolic link"]);
    let flat = folder.path().join("x-cv.yaml");
    write(&flat, b"apiVersion: v1\nkind: ConfigMap\n");
    assert_failed(&status(&flat, &[]), &["x-cv.yaml"]);
    assert_failed(&status(Path::new("/proc/self/mem"), &[]), &["/proc/self/mem", "cannot be read"]);
}

#[test]
fn names_cannot_write_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("a\u{1b}[31mred\nsecond line\u{202e}.yaml"), b"kind: [");
    let ran = status(folder.path(), &[]);
    assert_failed(&ran, &["red"]);
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{:?}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{:?}", ran.err);
    let ran = run(&["status", "--from", "\u{1b}]0;title\u{7}"]);
    assert_failed(&ran, &["does not exist"]);
    assert!(!ran.err.contains(['\u{1b}', '\u{7}']), "{:?}", ran.err);
}

#[test]
fn files_beyond_the_bound_are_refused_by_name() {
    let recording = of_text("large.yaml", "x: y\n".repeat(1_000).as_bytes());
    for size in ["1000", "1k", "1KiB", "1000B"] {
        let ran = status(&recording.path, &["--max-file-size", size]);
        assert_failed(&ran, &["large.yaml", "refused: larger than", "--max-file-size"]);
    }
}
