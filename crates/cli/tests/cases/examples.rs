//! Our examples: every folder below `examples/`, found by looking, with all that is expected of it.
//!
//! A folder holds its recording, a `README.md` with the command, and what the command prints: `expected.txt`,
//! `expected-details.txt` (`--details=all`), `expected.json` (`-o json`), `expected.stderr` (the remarks, which are the
//! same for all three) and `exit-code` (with `--exit-code`). `args`, where there is one, holds further arguments, one a
//! line; the folder itself is read unless they name something else with `--from`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use headway_api::insight::Rule;
use serde_json::Value;
use similar::TextDiff;

use super::program::{Answer, root, status};

/// Set to 1, it makes the test write what is printed instead of comparing it.
pub(crate) const UPDATE: &str = "HEADWAY_UPDATE";

/// Compares what files hold, below folders of the repository, with what is printed now; or writes them.
#[track_caller]
pub(super) fn compare<const FILES: usize>(folders: impl Iterator<Item = (String, [(&'static str, String); FILES])>) {
    let update = std::env::var_os(UPDATE).is_some_and(|value| value == "1");
    let mut differences = String::new();
    for (folder, files) in folders {
        for (file, printed) in files {
            let title = format!("{folder}/{file}");
            let path = root().join(&title);
            let expected = fs::read_to_string(&path).unwrap_or_default();
            if expected == printed {
                continue;
            }
            if update {
                fs::write(&path, &printed).expect("the examples can be written");
                eprintln!("wrote {title}");
            } else {
                let diff = TextDiff::from_lines(&expected, &printed);
                let told = diff.unified_diff().header(&title, "printed now").to_string();
                writeln!(differences, "{told}").expect("a String takes all");
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{differences}\nIf what is printed now is right: {UPDATE}=1 cargo test -p headway-cli, and look at the diff in git"
    );
}

/// An example by the name of its folder.
struct Example {
    name: String,
    folder: PathBuf,
    args: Vec<String>,
}

impl Example {
    /// What the program says of the example, with further words.
    fn run(&self, more: &[&str]) -> Answer {
        let words: Vec<&str> = self.args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        status(&words)
    }

    /// The report on the example.
    fn report(&self) -> Value {
        serde_json::from_str(&self.run(&["-o", "json"]).out).expect("the report is JSON")
    }

    /// The command that its README shows.
    fn command(&self) -> String {
        format!("cargo run --release -- status {}", self.args.join(" "))
    }
}

/// All examples, in the order of their names. That there is none is a fault of the search, never an answer.
fn examples() -> Vec<Example> {
    let folder = root().join("examples");
    let entries = fs::read_dir(&folder).expect("the repository has a folder of examples");
    let paths = entries.map(|entry| entry.expect("a folder that can be listed").path());
    // Those of plans, of rehearsals and of management clusters are in folders of folders, and in tests of their own.
    let of_others = |path: &PathBuf| ["plan", "simulate", "management"].iter().any(|name| path.ends_with(name));
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir() && !of_others(path)).collect();
    folders.sort();
    assert!(!folders.is_empty(), "no example below {}", folder.display());
    folders.into_iter().map(example).collect()
}

fn example(folder: PathBuf) -> Example {
    let name = folder.file_name().expect("it was listed by name").to_string_lossy().into_owned();
    let further = fs::read_to_string(folder.join("args")).unwrap_or_default();
    let mut args: Vec<String> = further.lines().map(str::to_owned).collect();
    if !args.iter().any(|arg| arg == "--from") {
        args.splice(0..0, ["--from".to_owned(), format!("examples/{name}")]);
    }
    Example { name, folder, args }
}

#[test]
fn examples_print_what_is_expected() {
    let examples = examples();
    compare(examples.iter().map(|example| (format!("examples/{}", example.name), printed(example))));
}

/// What each file of an example is to hold.
fn printed(example: &Example) -> [(&'static str, String); 5] {
    let text = example.run(&[]);
    let details = example.run(&["--details=all"]);
    let json = example.run(&["-o", "json"]);
    let coded = example.run(&["--exit-code"]);
    let name = &example.name;
    for answer in [&text, &details, &json] {
        assert_eq!(answer.code, 0, "{name}: without --exit-code, what could be told was told\n{}", answer.err);
    }
    assert_eq!(details.err, text.err, "{name}: the remarks do not depend on the details");
    // JSON has remarks on all gaps; of those the text itself tells the serious ones.
    let untold = text.err.lines().find(|line| !json.err.lines().any(|known| known == *line));
    assert_eq!(untold, None, "{name}: a remark that JSON does not have");
    assert_eq!(coded.out, text.out, "{name}: --exit-code changes the code alone");
    [
        ("expected.txt", text.out),
        ("expected-details.txt", details.out),
        ("expected.json", json.out),
        ("expected.stderr", json.err),
        ("exit-code", format!("{}\n", coded.code)),
    ]
}

#[test]
fn examples_show_their_command() {
    for example in examples() {
        let readme = fs::read_to_string(example.folder.join("README.md")).expect("every example has a README.md");
        let command = example.command();
        assert!(readme.lines().any(|line| line == command), "{}: README.md does not show: {command}", example.name);
    }
}

/// The rules of a report's insights, and of those that were folded into them.
fn rules(report: &Value) -> BTreeSet<String> {
    let insights = report["insights"].as_array().expect("a list, be it empty");
    let related = insights.iter().filter_map(|insight| insight["related"].as_array()).flatten();
    let rules = insights.iter().chain(related).map(|told| told["rule"].as_str().expect("an id").to_owned());
    rules.collect()
}

/// What no recording shows: it takes somebody who watches.
const OF_WATCHING: [Rule; 1] = [Rule::Flapping];

/// What takes a management cluster. The examples of those do not show every rule yet.
const OF_MANAGEMENT: [Rule; 15] = [
    Rule::ClusterUnavailable,
    Rule::ClusterFailing,
    Rule::ClusterPaused,
    Rule::UpdateBlocked,
    Rule::PlanRefused,
    Rule::HookBlocking,
    Rule::ComponentUnavailable,
    Rule::ComponentDegraded,
    Rule::ComponentSlow,
    Rule::PoolDeferred,
    Rule::PoolInvalid,
    Rule::MachineNotCreated,
    Rule::VersionSkew,
    Rule::RemediationBlocked,
    Rule::CertificateExpiry,
];

#[test]
fn examples_show_every_rule() {
    let shown: BTreeSet<String> = examples().iter().flat_map(|example| rules(&example.report())).collect();
    let of_recordings = Rule::ALL.iter().filter(|rule| !OF_WATCHING.contains(rule) && !OF_MANAGEMENT.contains(rule));
    let all: BTreeSet<String> = of_recordings.map(|rule| rule.id().to_owned()).collect();
    assert_eq!(shown, all);
}

/// No two examples show the same. Where something is wrong, the sets of rules differ. Where nothing is, there is no
/// rule to differ by, and one that is made up only to differ would show a cluster that is not quiet; there, what a
/// person reads has to differ.
#[test]
fn examples_differ() {
    let mut by_rules: BTreeMap<BTreeSet<String>, String> = BTreeMap::new();
    let mut quiet: BTreeMap<String, String> = BTreeMap::new();
    for example in examples() {
        let rules = rules(&example.report());
        let twin = if rules.is_empty() {
            quiet.insert(example.run(&[]).out, example.name.clone())
        } else {
            by_rules.insert(rules, example.name.clone())
        };
        assert_eq!(twin, None, "{} shows what another one shows", example.name);
    }
    assert!(!quiet.is_empty() && !by_rules.is_empty(), "both kinds are needed");
}

/// A fault that reading the examples brought up: gaps and no finding made "Update is proceeding well" and exit code 3.
#[test]
fn a_broken_folder_is_never_called_well() {
    // At this moment the one operator that is degraded has been so for less than five minutes, which is no finding.
    let answer = status(&["--from", "examples/broken-folder", "--at", "2026-07-20T09:50:00Z", "--exit-code"]);
    assert_eq!(answer.code, 6, "{}", answer.out);
    assert!(answer.out.contains("What was observed is not enough to tell how the update goes"), "{}", answer.out);
    assert!(!answer.out.contains("well"), "{}", answer.out);
}

/// Another one: nodes that no machine config daemon runs on were "Unavailable", as if it were processing them.
#[test]
fn case_a03_nodes_of_a_hosted_cluster_serve() {
    let hosted = examples().into_iter().find(|example| example.name == "hosted-guest").expect("it is one of ours");
    let report = hosted.report();
    let units = report["units"].as_array().expect("a list");
    assert!(!units.is_empty());
    for unit in units {
        assert_eq!(unit["available"]["status"], "True", "{unit}");
        assert_eq!(unit["inService"], true, "{unit}");
    }
}
