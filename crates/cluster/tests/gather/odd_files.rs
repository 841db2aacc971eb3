//! Files and folders that are not what their names say. Permissions do not bind root, so nothing here rests on them.

use std::fs;
use std::path::Path;

use headway_api::gap::GapKind;
use headway_cluster::gather::{GatherError, Gathered};
use tempfile::tempdir;

use super::cluster::{IMAGE, cluster, file, must_gather, node, under, write};
use super::forms::flat;
use super::reading::{assert_gap, gather, gathered, nodes, told};

/// A plain folder and a must-gather, each with something strange among the nodes.
fn with(strange: impl Fn(&Path)) -> [Gathered; 2] {
    let plain = tempdir().unwrap();
    for object in cluster() {
        file(plain.path(), &format!("nodes/{}-{}.yaml", object.plural(), object.name), object.yaml());
    }
    strange(&plain.path().join("nodes"));
    let gather = tempdir().unwrap();
    write(gather.path(), &under(IMAGE, must_gather(&cluster())));
    strange(&gather.path().join(IMAGE).join("cluster-scoped-resources/core/nodes"));
    [gathered(plain.path()), gathered(gather.path())]
}

#[test]
fn what_is_no_file_is_told_and_not_waited_for() {
    let check = |kind: GapKind, says: &[&str], strange: &dyn Fn(&Path)| {
        for found in with(strange) {
            assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"], "{says:?}");
            assert_gap(&found.snapshot.gaps, kind, says);
            assert_eq!(found.snapshot.gaps.len(), 1, "{:?}", found.snapshot.gaps);
        }
    };
    let link = |to: &'static str, name: &'static str| move |at: &Path| symlink(Path::new(to), &at.join(name));
    check(GapKind::Unreadable, &["w-2.yaml", "no such file"], &link("nowhere", "w-2.yaml"));
    check(GapKind::Unreadable, &["w-2.yaml", "symbolic link"], &link("w-2.yaml", "w-2.yaml"));
    check(GapKind::Refused, &["w-2.yaml", "not a file"], &link("/dev/zero", "w-2.yaml"));
    check(GapKind::Refused, &["w-2.yaml", "a link to a folder"], &link("/", "w-2.yaml"));
    check(GapKind::Refused, &["others", "a link to a folder"], &link("/", "others"));
    check(GapKind::Refused, &["w-2.yaml", "not a file"], &|at| fifo(&at.join("w-2.yaml")));
    check(GapKind::Unreadable, &["w-2.yaml", "empty"], &|at| drop(file(at, "w-2.yaml", "")));
    check(GapKind::Unreadable, &["w-2.yaml", "empty"], &|at| drop(file(at, "w-2.yaml", "\n\n")));
    check(GapKind::Unreadable, &["w-2.yaml"], &|at| drop(file(at, "w-2.yaml", vec![0; 4_096])));
}

fn symlink(to: &Path, at: &Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

fn fifo(at: &Path) {
    let made = std::process::Command::new("mkfifo").arg(at).status().expect("mkfifo is part of every Unix");
    assert!(made.success());
}

#[test]
fn links_to_files_are_read() {
    for found in with(|at| {
        let target = file(&at.join("../.kept"), "w-9.yaml", node("w-9", "worker", "old").yaml());
        symlink(&target, &at.join("w-9.yaml"));
    }) {
        assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1", "w-9"]);
        assert_eq!(found.snapshot.gaps, Vec::new());
    }
}

#[test]
fn circles_of_links_end() {
    let folder = tempdir().unwrap();
    file(folder.path(), "a/b/node.yaml", node("w-0", "worker", "old").yaml());
    symlink(Path::new(".."), &folder.path().join("a/b/up"));
    symlink(Path::new("a"), &folder.path().join("again"));
    symlink(folder.path(), &folder.path().join("a/top"));
    let found = gathered(folder.path());
    assert_eq!(nodes(&found), ["w-0"]);
    // What is read anyway is no gap; the top is told, as what lies above it would be.
    let gaps = told(&found.snapshot.gaps, folder.path());
    assert_eq!(gaps, ["a/top: refused: a link to a folder, which is not followed"]);
}

#[test]
fn folders_may_be_deep() {
    let check = |depth: usize, found: bool| {
        let folder = tempdir().unwrap();
        let deep = vec!["d"; depth].join("/");
        file(folder.path(), "top.yaml", node("w-0", "worker", "old").yaml());
        file(folder.path(), &format!("{deep}/node.yaml"), node("w-1", "worker", "old").yaml());
        let gathered = gathered(folder.path());
        assert_eq!(nodes(&gathered).contains(&"w-1"), found, "{depth}");
        if !found {
            assert_gap(&gathered.snapshot.gaps, GapKind::Refused, &["d/d/d", "256 folders deep"]);
        }
    };
    check(64, true);
    check(255, true);
    check(300, false);
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let strange = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    // Plain files in a folder, and the folder itself.
    let top = tempdir().unwrap();
    let folder = top.path().join(strange(b"caf\xe9"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(strange(b"w-\xff.yaml")), node("w-0", "worker", "old").yaml()).unwrap();
    fs::write(folder.join(strange(b"w-\xfe.yaml")), "kind: [").unwrap();
    let found = gathered(&folder);
    assert_eq!(nodes(&found), ["w-0"]);
    assert_gap(&found.snapshot.gaps, GapKind::Unreadable, &["caf\u{fffd}/w-\u{fffd}.yaml"]);
    // The flat form finds its siblings by their bytes.
    let top = tempdir().unwrap();
    flat(top.path(), &cluster());
    for entry in fs::read_dir(top.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = [b"\xe9ast", &path.file_name().unwrap().as_bytes()[4..]].concat();
        fs::rename(&path, top.path().join(OsStr::from_bytes(&name))).unwrap();
    }
    let found = gathered(&top.path().join(strange(b"\xe9ast-cv.yaml")));
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
    assert_eq!(found.snapshot.gaps, Vec::new());
}

#[test]
fn siblings_of_the_flat_form_are_told_when_they_lack() {
    let check = |change: &dyn Fn(&Path), kind: GapKind, says: &[&str]| {
        let folder = tempdir().unwrap();
        let path = flat(folder.path(), &cluster());
        change(folder.path());
        let found = gathered(&path);
        assert_gap(&found.snapshot.gaps, kind, says);
        assert_eq!(found.snapshot.gaps.len(), 1, "{:?}", found.snapshot.gaps);
    };
    let gone = |name: &'static str| move |folder: &Path| fs::remove_file(folder.join(name)).unwrap();
    check(&gone("east-co.yaml"), GapKind::Unreadable, &["east-co.yaml", "no such file"]);
    check(&gone("east-mc.yaml"), GapKind::Unreadable, &["east-mc.yaml", "no such file"]);
    let replaced = |name: &'static str| {
        move |folder: &Path| {
            fs::remove_file(folder.join(name)).unwrap();
            symlink(Path::new("nowhere"), &folder.join(name));
        }
    };
    check(&replaced("east-pod.yaml"), GapKind::Unreadable, &["east-pod.yaml", "no such file"]);
    check(
        &|folder| drop(file(folder, "east-node.yaml", "")),
        GapKind::Unreadable,
        &["east-node.yaml", "Node", "empty"],
    );
}

#[test]
fn paths_that_cannot_be_read_are_errors() {
    let folder = tempdir().unwrap();
    let check = |name: &str, is: fn(&GatherError) -> bool, says: &str| {
        let error = gather(&folder.path().join(name)).unwrap_err();
        assert!(is(&error) && error.to_string().contains(says), "{name}: {error}");
    };
    symlink(Path::new("nowhere"), &folder.path().join("dangling.yaml"));
    symlink(Path::new("circle.yaml"), &folder.path().join("circle.yaml"));
    file(folder.path(), "file.yaml", "x: y\n");
    fs::create_dir(folder.path().join("empty")).unwrap();
    check("none", |e| matches!(e, GatherError::NoSuchPath { .. }), "none\" does not exist");
    check("dangling.yaml", |e| matches!(e, GatherError::NoSuchPath { .. }), "does not exist");
    check("circle.yaml", |e| matches!(e, GatherError::Unreadable { .. }), "circle.yaml");
    check("file.yaml/x", |e| matches!(e, GatherError::Unreadable { .. }), "file.yaml/x");
    check("empty", |e| matches!(e, GatherError::Nothing(_)), "no YAML or JSON file");
    check("file.yaml", |e| matches!(e, GatherError::Nothing(_)), "no Kubernetes object");
}
