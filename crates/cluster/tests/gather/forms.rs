//! The same cluster in every form is the same snapshot.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::tempdir;

use super::cluster::{Files, IMAGE, Object, cluster, file, must_gather, must_gather_of_lists, under, write};
use super::reading::{gather_all, gathered, nodes, told, without_alerts};
use super::yaml;

/// Asserts that a form holds the cluster, whole.
fn check(form: &str, write: impl Fn(&Path, &[Object]) -> PathBuf) {
    let objects = cluster();
    let (plain, other) = (tempdir().unwrap(), tempdir().unwrap());
    let expect = without_alerts(gathered(&one_document(plain.path(), &objects)));
    assert_eq!(expect.gaps, Vec::new());
    let counts = (expect.operators.len(), expect.pools.len(), expect.nodes.len(), expect.pods.len());
    assert_eq!(counts, (2, 2, 3, 3));
    let found = gathered(&write(other.path(), &objects));
    assert_eq!(found.stats.handed_over, 0, "{form}: the fast reader takes all of it");
    let found = without_alerts(found);
    assert_eq!(told(&found.gaps, other.path()), Vec::<String>::new(), "{form}");
    assert_eq!(found, expect, "{form}");
}

fn one_document(folder: &Path, objects: &[Object]) -> PathBuf {
    let documents: Vec<String> = objects.iter().map(Object::yaml).collect();
    file(folder, "all.yaml", documents.join("---\n"))
}

fn values(objects: &[Object]) -> Vec<&Value> {
    objects.iter().map(|object| &object.value).collect()
}

/// The files of the flat form.
pub(super) fn flat(folder: &Path, objects: &[Object]) -> PathBuf {
    let suffixes = [
        ("ClusterVersion", "cv"),
        ("ClusterOperator", "co"),
        ("Node", "node"),
        ("MachineConfigPool", "mcp"),
        ("MachineConfig", "mc"),
        ("Deployment", "mco-deployment"),
        ("Pod", "pod"),
        ("PodDisruptionBudget", "pdb"),
    ];
    for (kind, suffix) in suffixes {
        let own: Vec<&Value> = objects.iter().filter(|object| object.kind == kind).map(|o| &o.value).collect();
        let text = match own.as_slice() {
            [only] if suffix == "cv" || suffix == "mco-deployment" => yaml::document(only),
            all => yaml::list("List", all),
        };
        file(folder, &format!("east-{suffix}.yaml"), text);
    }
    folder.join("east-cv.yaml")
}

#[test]
fn every_form_gives_the_same_snapshot() {
    check("flat", flat);
    check("one file per object", |folder, objects| {
        for (at, object) in objects.iter().enumerate() {
            file(folder, &format!("a/{at:02}.yml"), object.yaml());
        }
        folder.to_owned()
    });
    check("a List", |folder, objects| file(folder, "all.yaml", yaml::list("List", &values(objects))));
    check("typed lists", |folder, objects| {
        let kinds: Vec<&str> = objects.iter().map(|object| object.kind).collect();
        for kind in kinds {
            let mut own: Vec<Value> = objects.iter().filter(|o| o.kind == kind).map(|o| o.value.clone()).collect();
            let api = own[0]["apiVersion"].clone();
            for item in &mut own {
                item.as_object_mut().unwrap().retain(|key, _| key != "kind" && key != "apiVersion");
            }
            let list = json!({"apiVersion": api, "kind": format!("{kind}List"), "items": own, "metadata": {}});
            file(folder, &format!("{kind}.json"), list.to_string());
        }
        folder.to_owned()
    });
    check("a JSON List", |folder, objects| {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": values(objects)});
        file(folder, "all.json", serde_json::to_string_pretty(&list).unwrap())
    });
    check("JSON documents one after another", |folder, objects| {
        let lines: Vec<String> = objects.iter().map(|object| object.value.to_string()).collect();
        file(folder, "all.json", lines.join("\n"))
    });
    check("CRLF and a byte order mark", |folder, objects| {
        let documents: Vec<String> = objects.iter().map(Object::yaml).collect();
        let text = format!("\u{feff}{}", documents.join("---\n").replace('\n', "\r\n"));
        file(folder, "all.yaml", text)
    });
    check("a file whose name says nothing", |folder, objects| {
        let documents: Vec<String> = objects.iter().map(Object::yaml).collect();
        file(folder, "everything", documents.join("---\n"))
    });
}

#[test]
fn every_must_gather_gives_the_same_snapshot() {
    let folder = |name: &'static str| move |folder: &Path| folder.join(name);
    let one_per_object: fn(&[Object]) -> Files = must_gather;
    for (form, files) in [("one per object", one_per_object), ("lists", must_gather_of_lists)] {
        let at = |place: &dyn Fn(&Path) -> PathBuf, form: &str| {
            check(form, |folder, objects| {
                write(folder, &under(&format!("must-gather.local.1/{IMAGE}"), files(objects)));
                place(folder)
            });
        };
        at(&folder("must-gather.local.1"), &format!("{form}, the must-gather"));
        at(&|folder| folder.join("must-gather.local.1").join(IMAGE), &format!("{form}, the inner folder"));
        at(&|folder| folder.to_owned(), &format!("{form}, the grandparent"));
    }
}

#[test]
fn several_paths_are_one_recording() {
    let folder = tempdir().unwrap();
    let objects = cluster();
    let (nodes_of, rest): (Vec<Object>, Vec<Object>) = objects.into_iter().partition(|object| object.kind == "Node");
    let first = file(folder.path(), "rest.yaml", yaml::list("List", &values(&rest)));
    let second = file(folder.path(), "nodes.yaml", yaml::list("List", &values(&nodes_of)));
    let found = gather_all(&[second, first]).unwrap();
    assert_eq!(nodes(&found), ["cp-0", "w-0", "w-1"]);
    assert!(found.snapshot.cluster_version.is_some());
}

#[test]
fn kinds_that_say_nothing_are_skipped() {
    let folder = tempdir().unwrap();
    one_document(folder.path(), &cluster());
    let expect = gathered(folder.path()).snapshot;
    // Fields that would not fit any slice, were they read.
    file(folder.path(), "secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: [1]\nstatus: 7\n");
    file(folder.path(), "node.yaml", "apiVersion: example.com/v1\nkind: Node\nmetadata: 3\n");
    file(folder.path(), "deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n");
    file(folder.path(), "package.json", r#"{"name": "console", "version": "1.0.0"}"#);
    file(folder.path(), "notes.txt", "\u{0}");
    assert_eq!(gathered(folder.path()).snapshot, expect);
}

#[test]
fn the_order_does_not_depend_on_threads() {
    let folder = tempdir().unwrap();
    let names: Vec<String> = (0..600).map(|at| format!("w-{at:04}")).collect();
    for (at, name) in names.iter().enumerate() {
        // Files of different sizes, so that cores finish out of turn.
        let mut node = super::cluster::node(name, "worker", "old");
        node.value["status"]["images"] = vec![json!({"names": ["x"]}); (at * 7) % 90].into();
        file(folder.path(), &format!("{name}.yaml"), node.yaml());
    }
    let first = gathered(folder.path());
    assert_eq!(nodes(&first), names);
    for _ in 0..4 {
        assert_eq!(gathered(folder.path()), first);
    }
}
