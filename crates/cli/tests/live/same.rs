//! A recording in a real API server reads as the recording itself.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use similar::TextDiff;

use super::command::{of_cluster, root, run};
use super::prometheus::{Prometheus, TOKEN, token_file};
use super::world::{World, recorded, world};

/// Examples that are about files and not about clusters.
const OF_FILES: [(&str, &str); 2] = [
    ("broken-folder", "half of its files are missing, and no API server has half of its kinds"),
    ("hosted-guest", "its cluster does not serve the kinds that the plane serves; see `reach`"),
];

/// Compares what is told of files with what is told of a cluster that holds their objects.
fn compare(world: &mut World, name: &str, from: &[PathBuf], at: Option<&str>, alerts: Option<&Path>) -> Option<String> {
    let mut recording: Vec<&str> = vec!["--from"];
    recording.extend(from.iter().map(|path| path.to_str().unwrap()));
    let given: Vec<&str> = at.into_iter().flat_map(|at| ["--at", at]).collect();
    let report = run(&[&recording[..], &given, &["-o", "json"]].concat());
    let report: Value = serde_json::from_str(&report.out).unwrap_or_else(|error| panic!("{name}: {error}"));
    let at = report["observedAt"].as_str().unwrap();
    world.hold(from);
    let folder = tempfile::tempdir().unwrap();
    let serving = world.plane.serving();
    let prometheus = alerts.map(|path| Prometheus::start(serving, fs::read(path).unwrap()));
    let url = prometheus.as_ref().map(Prometheus::url).unwrap_or_default();
    let token = token_file(folder.path(), TOKEN);
    let authority = serving.authority.to_str().unwrap();
    let of_alerts = ["--prometheus", &url, "--prometheus-token-file", &token, "--prometheus-ca-file", authority];
    let of_alerts = if prometheus.is_some() { &of_alerts[..] } else { &[] };
    let more = ["--at", at, "--details=all", "--exit-code"];
    let files = run(&[&recording[..], &more].concat());
    let live = of_cluster(world.plane.kubeconfig(), &[of_alerts, &more].concat());
    if (files.code, &files.out) == (live.code, &live.out) {
        return None;
    }
    let diff = TextDiff::from_lines(&files.out, &live.out);
    let diff = diff.unified_diff().header(&format!("{name} from files"), "live").to_string();
    Some(format!("{diff}exit codes {:?} and {:?}\n{}", files.code, live.code, live.err))
}

fn assert_none(differences: Vec<String>) {
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn examples_read_the_same_live_as_from_files() {
    let mut world = world();
    let mut differences = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut compared = 0;
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if OF_FILES.iter().any(|(other, _)| *other == name) {
            continue;
        }
        let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
        let after = |flag: &str| {
            let mut words = args.split_whitespace();
            words.by_ref().find(|word| *word == flag)?;
            words.next().map(str::to_owned)
        };
        let input = folder.join("input");
        let alerts = find(&input, &["alerts.json", "rules.json", "cobalt-alerts.json"]);
        differences.extend(compare(&mut world, name, &[input], after("--at").as_deref(), alerts.as_deref()));
        compared += 1;
    }
    assert!(compared > 15, "{compared} examples were compared");
    assert_none(differences);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn recorded_clusters_read_the_same_live_as_from_files() {
    let fixtures = root().join("../shared/fixtures/oc-status");
    let Ok(entries) = fs::read_dir(&fixtures) else {
        eprintln!("SKIPPED: there are no recorded clusters at {}", fixtures.display());
        return;
    };
    let mut world = world();
    let mut differences = Vec::new();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let versions = names.iter().filter(|path| path.to_str().is_some_and(|path| path.ends_with("-cv.yaml")));
    for version in versions {
        let name = version.file_name().unwrap().to_str().unwrap().strip_suffix("-cv.yaml").unwrap();
        let siblings: Vec<PathBuf> = names
            .iter()
            .filter(|path| is_sibling(path, name) && path.extension().unwrap() == "yaml")
            .cloned()
            .collect();
        // An API server tells objects in the order of their names, which not all of these files keep.
        let mut objects: Vec<Value> = siblings.iter().flat_map(|path| recorded(path)).collect();
        objects.sort_by_key(|object| object["metadata"]["name"].to_string());
        let folder = tempfile::tempdir().unwrap();
        let sorted = folder.path().join("all.json");
        fs::write(&sorted, json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string()).unwrap();
        let alerts = Some(fixtures.join(format!("{name}-alerts.json"))).filter(|path| path.exists());
        let from: Vec<PathBuf> = [Some(sorted), alerts.clone()].into_iter().flatten().collect();
        differences.extend(compare(&mut world, name, &from, None, alerts.as_deref()));
    }
    assert_none(differences);
}

fn is_sibling(path: &Path, name: &str) -> bool {
    let rest = path.file_name().and_then(|file| file.to_str()).and_then(|file| file.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with('-') && !rest[1..].starts_with(|c: char| c.is_ascii_digit()))
}

/// A file of one of these names below a folder.
fn find(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut inside: Vec<PathBuf> = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path()).collect();
    inside.sort();
    let is_named = |path: &&PathBuf| path.file_name().is_some_and(|name| names.iter().any(|other| name == *other));
    let here = inside.iter().find(is_named).cloned();
    here.or_else(|| inside.iter().filter(|path| path.is_dir()).find_map(|path| find(path, names)))
}
