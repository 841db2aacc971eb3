//! A recording in a real API server reads as the recording itself: live, and through the operator.

use std::fs;
use std::path::{Path, PathBuf};

use headway_core::publish::CUT;
use serde_json::{Value, json};
use similar::TextDiff;

use super::command::{Ran, of_cluster, root, run};
use super::operator::{self, Operator};
use super::prometheus::{Prometheus, TOKEN, token_file};
use super::world::{World, recorded, world};

/// Examples that are about files and not about clusters.
const OF_FILES: [(&str, &str); 2] = [
    ("broken-folder", "half of its files are missing, and no API server has half of its kinds"),
    ("hosted-guest", "its cluster does not serve the kinds that the plane serves; see `reach`"),
];

/// Examples that who watches tells otherwise, with the line of each.
const WATCHED: [(&str, &str, &str); 1] = [
    // A finding whose source says no time began, for who watches, when it was first seen.
    ("forced-insight", "  Since:       -", "  Since:       now"),
];

/// What is compared.
struct Recorded<'a> {
    name: &'a str,
    from: &'a [PathBuf],
    /// The moment, where the recording does not say it.
    at: Option<&'a str>,
    alerts: Option<&'a Path>,
}

/// Compares what is told of files with what is told of a cluster that holds their objects, and with what an operator
/// has published that watches it.
fn compare(world: &mut World, recorded: &Recorded<'_>) -> Vec<String> {
    let Recorded { name, from, at, alerts } = *recorded;
    let mut recording: Vec<&str> = vec!["--from"];
    recording.extend(from.iter().map(|path| path.to_str().unwrap()));
    let given: Vec<&str> = at.into_iter().flat_map(|at| ["--at", at]).collect();
    let report = run(&[&recording[..], &given, &["-o", "json"]].concat());
    let report: Value = serde_json::from_str(&report.out).unwrap_or_else(|error| panic!("{name}: {error}"));
    let at = report["observedAt"].as_str().unwrap();
    world.hold(from);
    operator::forget(world);
    let folder = tempfile::tempdir().unwrap();
    let serving = world.plane.serving();
    let prometheus = alerts.map(|path| Prometheus::start(serving, fs::read(path).unwrap()));
    let url = prometheus.as_ref().map(Prometheus::url).unwrap_or_default();
    let token = token_file(folder.path(), TOKEN);
    let authority = serving.authority.to_str().unwrap();
    let of_alerts = ["--prometheus", &url, "--prometheus-token-file", &token, "--prometheus-ca-file", authority];
    let of_alerts = if prometheus.is_some() { &of_alerts[..] } else { &[] };
    let operator = Operator::start(world, at, of_alerts);
    let more = ["--details=all", "--exit-code"];
    let files = run(&[&recording[..], &["--at", at], &more].concat());
    let live = of_cluster(world.plane.kubeconfig(), &[of_alerts, &["--at", at], &more].concat());
    let mut differences = Vec::new();
    if (files.code, &files.out) != (live.code, &live.out) {
        differences.push(difference(name, "live", &files, &live));
    }
    operator.has_told(world, report["units"].as_array().unwrap().len());
    drop(operator);
    let published = of_cluster(world.plane.kubeconfig(), &[&["--source=api"], &more[..]].concat());
    let mut expected = files.out.clone();
    for (_, line, watched) in WATCHED.iter().filter(|(other, ..)| *other == name) {
        assert!(expected.contains(line), "{name}: {line}");
        expected = expected.replace(line, watched);
    }
    if files.code != published.code || !is_same(&expected, &published.out) {
        differences.push(difference(name, "published", &files, &published));
    }
    differences
}

/// Whether a text that was published is the one told of files. A line that an API's limit has cut is the same up to
/// where it ends in an ellipsis.
fn is_same(files: &str, published: &str) -> bool {
    let line = |(told, expected): (&str, &str)| match told.strip_suffix(CUT) {
        Some(told) => expected.starts_with(told),
        None => told == expected,
    };
    files.lines().count() == published.lines().count() && published.lines().zip(files.lines()).all(line)
}

fn difference(name: &str, way: &str, files: &Ran, other: &Ran) -> String {
    let diff = TextDiff::from_lines(&files.out, &other.out);
    let diff = diff.unified_diff().header(&format!("{name} from files"), way).to_string();
    format!("{diff}exit codes {:?} and {:?}\n{}", files.code, other.code, other.err)
}

fn assert_none(differences: Vec<String>) {
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn examples_read_the_same_through_the_operator_and_live_as_from_files() {
    let mut world = world();
    operator::install(&world);
    let mut differences = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut compared = 0;
    for folder in folders.iter().filter(|folder| folder.join("README.md").is_file()) {
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
        let (at, from) = (after("--at"), [input]);
        let recorded = Recorded { name, from: &from, at: at.as_deref(), alerts: alerts.as_deref() };
        differences.extend(compare(&mut world, &recorded));
        compared += 1;
    }
    assert!(compared > 15, "{compared} examples were compared");
    assert_none(differences);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn recorded_clusters_read_the_same_through_the_operator_and_live_as_from_files() {
    let fixtures = root().join("../shared/fixtures/oc-status");
    let Ok(entries) = fs::read_dir(&fixtures) else {
        eprintln!("SKIPPED: there are no recorded clusters at {}", fixtures.display());
        return;
    };
    let mut world = world();
    operator::install(&world);
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
        let recorded = Recorded { name, from: &from, at: None, alerts: alerts.as_deref() };
        differences.extend(compare(&mut world, &recorded));
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
