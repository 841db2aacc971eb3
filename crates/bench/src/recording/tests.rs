//! The recordings as a whole: the same bytes each time, objects of real weight, and nothing that another parser reads differently.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::cluster::{Kind, objects};
use super::seed::Seed;
use super::{Fleet, Form, Recording, Syntax, TARGET_VERSION, VERSION, fleet, yaml};

/// All files below a folder, by their path.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn written(nodes: u32, form: Form, syntax: Syntax) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    Recording { nodes, form, syntax }.write(folder.path()).unwrap();
    files(folder.path())
}

/// A digest of names and contents.
fn digest(files: &BTreeMap<String, Vec<u8>>) -> String {
    let sum = files
        .iter()
        .fold(Seed::of("digest"), |sum, (name, bytes)| bytes.iter().fold(sum.under(name), |sum, byte| sum.at(*byte)));
    sum.hex(16)
}

#[test]
fn the_bytes_are_those_of_this_version() {
    let expect = [
        (Form::Flat, Syntax::Yaml, "270344801fc57fde"),
        (Form::Flat, Syntax::Json, "dd48e807e959c85c"),
        (Form::MustGather, Syntax::Yaml, "8ce27cf04e5dfeda"),
        (Form::MustGather, Syntax::Json, "5d2cc69b8748bab3"),
    ];
    let found = expect.map(|(form, syntax, _)| (form, syntax, digest(&written(60, form, syntax))));
    let expect = expect.map(|(form, syntax, digest)| (form, syntax, digest.to_owned()));
    assert_eq!(
        (VERSION, found),
        (1, expect),
        "when the bytes change on purpose, raise VERSION and put the new digests here"
    );
}

#[test]
fn an_archive_is_the_folder() {
    let archive = written(20, Form::TarGz, Syntax::Yaml);
    let packed = archive.values().next().unwrap();
    let mut unpacked = BTreeMap::new();
    for entry in tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice())).entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        unpacked.insert(name, bytes);
    }
    assert!(unpacked == written(20, Form::MustGather, Syntax::Yaml), "the archive holds other files than the folder");
    assert!(archive == written(20, Form::TarGz, Syntax::Yaml), "an archive differs from the one made before");
}

#[test]
fn a_node_weighs_what_a_real_one_does() {
    let mut total = 0;
    for (kind, object) in objects(Fleet::of(400)) {
        if kind == Kind::Node {
            let weight = yaml::document(&object).len();
            assert!((14_000..=18_000).contains(&weight), "{} weighs {weight} bytes", object["metadata"]["name"]);
            total += weight;
        }
    }
    // A list of 5,000 is the 70 MB that the peer was measured on.
    assert!((13_900..15_000).contains(&(total / 400)), "{total} bytes for 400 nodes");
}

#[test]
fn a_rendered_config_weighs_what_a_real_one_does() {
    let configs: Vec<_> =
        objects(Fleet::of(10)).filter(|(kind, _)| *kind == Kind::Config).map(|(_, object)| object).collect();
    assert_eq!(configs.len(), 22);
    let heaviest = configs.iter().map(|object| yaml::document(object).len()).max().unwrap();
    assert!((180_000..200_000).contains(&heaviest), "{heaviest}");
}

#[test]
fn another_parser_reads_back_every_object() {
    for (_, object) in objects(Fleet::of(120)) {
        let text = yaml::document(&object);
        let read: Value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(read == object, "read back differently:\n{text}");
    }
}

#[test]
fn the_flat_lists_hold_the_objects_in_order() {
    let made: Vec<_> = objects(Fleet::of(30)).map(|(_, object)| object).collect();
    for syntax in [Syntax::Yaml, Syntax::Json] {
        let files = written(30, Form::Flat, syntax);
        let mut read = Vec::new();
        for kind in ["cv", "co", "mcp", "mc", "node"] {
            let text = std::str::from_utf8(&files[&format!("big-{kind}.yaml")]).unwrap();
            let list: Value = match syntax {
                Syntax::Yaml => serde_saphyr::from_str(text).unwrap(),
                Syntax::Json => serde_json::from_str(text).unwrap(),
            };
            assert_eq!(list["kind"], "List");
            read.extend(list["items"].as_array().unwrap().iter().cloned());
        }
        assert!(read == made, "{} lists differ from the objects", syntax.title());
    }
}

#[test]
fn the_pools_count_the_nodes_that_are_there() {
    let recorded: Vec<_> = objects(Fleet::of(500)).collect();
    assert_eq!(fleet::Release::Target.version(), TARGET_VERSION);
    for (_, pool) in recorded.iter().filter(|(kind, _)| *kind == Kind::Pool) {
        let name = pool["metadata"]["name"].as_str().unwrap();
        let own = format!("node-role.kubernetes.io/{name}");
        let nodes: Vec<_> = recorded
            .iter()
            .filter(|(kind, object)| {
                let labels = &object["metadata"]["labels"];
                *kind == Kind::Node
                    && labels.get(&own).is_some()
                    && (name != "worker" || labels.get("node-role.kubernetes.io/infra").is_none())
            })
            .map(|(_, object)| object)
            .collect();
        let annotated = |node: &&&Value, key: &str, value: &Value| {
            node["metadata"]["annotations"][format!("machineconfiguration.openshift.io/{key}")] == *value
        };
        let at_target = nodes
            .iter()
            .filter(|node| annotated(node, "currentConfig", &pool["spec"]["configuration"]["name"]))
            .count();
        let degraded = nodes.iter().filter(|node| annotated(node, "state", &Value::from("Degraded"))).count();
        assert_eq!(pool["status"]["machineCount"], nodes.len(), "{name}");
        assert_eq!(pool["status"]["updatedMachineCount"], at_target, "{name}");
        assert_eq!(pool["status"]["degradedMachineCount"], degraded, "{name}");
        assert!(
            name == "master" || (at_target > 0 && at_target < nodes.len()),
            "{name} is rolling: {at_target} of {}",
            nodes.len()
        );
    }
}
