//! The small public cases beside a checkout: what the `expected.md` of each asks of `headway status`.
//!
//! They are read where they lie and never copied. Without them the tests say so loudly and assert nothing.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::program::{Answer, root, status};

/// Where they are, as seen from the root of the repository.
pub(crate) const FOLDER: &str = "../shared/cases";

/// The folders that are asserted on; a further one is a test that is missing.
const FOLDERS: [&str; 6] = [
    "dev-a02-mustgather-rules-alerts",
    "dev-a04-node-no-mcd-annotations",
    "dev-a08-from-incomplete",
    "dev-a10-paused-pool-after-cp-done",
    "dev-a13-drain-blocked-by-pdb",
    "dev-a19-mc-rollout-not-version",
];

/// What is asked of one recording.
#[derive(Clone, Copy, Default)]
struct Case<'a> {
    /// The recording, below [`FOLDER`].
    from: &'a str,
    /// `--at`, unless the recording has a time of its own.
    at: &'a str,
    /// Texts that the output must hold; columns are apart by one space.
    shows: &'a [&'a str],
    /// Texts that the output with all details must hold.
    details: &'a [&'a str],
    /// Texts that neither may hold.
    hides: &'a [&'a str],
    /// Places in the JSON, and the JSON that must stand there.
    json: &'a [(&'a str, &'a str)],
    /// The code with `--exit-code`.
    code: i32,
}

impl Case<'_> {
    fn run(&self, more: &[&str]) -> Answer {
        let from = format!("{FOLDER}/{}", self.from);
        let mut words = vec!["--from", &from];
        if !self.at.is_empty() {
            words.extend(["--at", self.at]);
        }
        words.extend(more);
        status(&words)
    }
}

/// Whether the cases are there.
pub(crate) fn present() -> bool {
    let present = root().join(FOLDER).is_dir();
    if !present {
        eprintln!("NOT TESTED: {FOLDER} is not beside this checkout, so none of its cases was run");
    }
    present
}

/// Lines whose columns are one space apart, however wide a table is laid out.
pub(crate) fn squeezed(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("\n")
}

fn check(case: &Case<'_>) {
    if !present() {
        return;
    }
    let text = case.run(&["--exit-code"]);
    let details = case.run(&["--details=all"]);
    let json = case.run(&["-o", "json"]);
    assert_eq!(text.code, case.code, "{}: exit code\n{}{}", case.from, text.out, text.err);
    assert_eq!((details.code, json.code), (0, 0), "{}: told without --exit-code", case.from);
    let (short, long) = (squeezed(&text.out), squeezed(&details.out));
    for wanted in case.shows {
        assert!(short.contains(wanted), "{}: not shown: {wanted}\n{short}", case.from);
    }
    for wanted in case.details {
        assert!(long.contains(wanted), "{}: not shown in detail: {wanted}\n{long}", case.from);
    }
    for unwanted in case.hides {
        assert!(!short.contains(unwanted), "{}: shown: {unwanted}\n{short}", case.from);
        assert!(!long.contains(unwanted), "{}: shown in detail: {unwanted}\n{long}", case.from);
    }
    let report: Value = serde_json::from_str(&json.out).expect("the report is JSON");
    for (place, wanted) in case.json {
        let wanted: Value = serde_json::from_str(wanted).expect("the table holds JSON");
        assert_eq!(report.pointer(place), Some(&wanted), "{}: {place}", case.from);
    }
}

#[test]
fn every_case_folder_is_asserted_on() {
    if !present() {
        return;
    }
    let entries = fs::read_dir(root().join(FOLDER)).expect("it is a folder");
    let names = entries.map(|entry| entry.expect("a folder that can be listed").file_name());
    let mut found: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    found.retain(|name| name.starts_with("dev-a"));
    found.sort();
    assert_eq!(found, FOLDERS);
}

const A02: Case<'_> = Case {
    from: "dev-a02-mustgather-rules-alerts",
    shows: &[
        "Target Version: 4.20.11 (from 4.20.4)",
        "Updating: machine-config\n",
        "Completion: 75% (3 operators updated, 1 updating, 0 waiting)",
        "Duration: 45m (",
        "cp-0 Progressing Updating 4.20.4",
        "w-0 Outdated Pending 4.20.4",
        "The pod disruption budget is preventing further disruption to pods. (PodDisruptionBudget shop/ledger)",
        "Pod not ready for more than 15 minutes.",
    ],
    details: &[
        "Alert known to affect updates has been firing since before the update started.",
        "Alert started firing during the update.",
    ],
    hides: &["KubeNodeNotReady", "a:b:c"],
    json: &[("/observedAt", r#""2026-05-04T08:44:51Z""#), ("/alerts/available", "true")],
    code: 4,
    at: "",
};

#[test]
fn case_a02_status_from_a_must_gather() {
    check(&A02);
}

#[test]
fn case_a02_the_folder_is_found_from_without_and_within() {
    if !present() {
        return;
    }
    let outer = root().join(FOLDER).join(A02.from).join("must-gather.local.100");
    let inner = fs::read_dir(&outer).expect("it is a folder").map(|entry| entry.expect("it can be listed").file_name());
    let inner: Vec<String> = inner.map(|name| name.to_string_lossy().into_owned()).collect();
    let [inner] = inner.as_slice() else {
        panic!("one image-named folder was to be in {}: {inner:?}", outer.display());
    };
    let middle = format!("{}/must-gather.local.100", A02.from);
    for from in [&middle, &format!("{middle}/{inner}")] {
        let case = Case { from, ..A02 };
        check(&case);
        for words in [&["--details=all", "--exit-code"][..], &["-o", "json"]] {
            assert_eq!(case.run(words), A02.run(words), "{from}");
        }
    }
}

#[test]
fn case_a02_missing_alerts_are_a_remark() {
    if !present() {
        return;
    }
    let copy = tempfile::tempdir().expect("a folder for the copy");
    copy_without(&root().join(FOLDER).join(A02.from), copy.path(), "rules.json");
    let from = copy.path().to_str().expect("the copy's path is text");
    let answer = status(&["--from", from]);
    assert_eq!(answer.code, 0);
    assert!(answer.err.contains("alerts not in this must-gather"), "{}", answer.err);
    assert!(!answer.out.contains("alerts not in this must-gather"), "{}", answer.out);
    assert!(squeezed(&answer.out).contains("cp-0 Progressing Updating 4.20.4"), "{}", answer.out);
}

/// Copies the files below a folder, but for those of a name.
fn copy_without(from: &Path, to: &Path, left_out: &str) {
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            fs::create_dir(&copy).expect("the copy is ours");
            copy_without(&path, &copy, left_out);
        } else if entry.file_name() != left_out {
            fs::write(&copy, fs::read(&path).expect("it can be read")).expect("the copy is ours");
        }
    }
}

#[test]
fn case_a04_a_node_that_the_daemon_never_took_up() {
    check(&Case {
        from: "dev-a04-node-no-mcd-annotations/in-cv.yaml",
        at: "2026-05-04T08:30:00Z",
        shows: &[
            "w-fresh Unavailable Pending ? ? Not ready",
            "worker Pending 0% (0/2)",
            "3m Warning Update Speed Node w-fresh is not ready",
            "cp-1 Progressing Rebooting",
        ],
        json: &[("/units/3/name", r#""w-fresh""#), ("/units/3/version", "null"), ("/units/3/updated", "false")],
        code: 4,
        ..Case::default()
    });
}

#[test]
fn case_a08_an_update_begun_from_an_unfinished_one() {
    check(&Case {
        from: "dev-a08-from-incomplete/in-cv.yaml",
        at: "2026-05-04T08:12:00Z",
        shows: &[
            "Target Version: 4.20.11 (from incomplete 4.20.9)",
            "Completion: 25% (1 operators updated, 1 updating, 2 waiting)",
            "Warning None Previous update to 4.20.9 never completed, last complete update was 4.20.4",
        ],
        json: &[("/cluster/versions/operators", r#"{"4.20.4": 2, "4.20.9": 1, "4.20.11": 1}"#)],
        code: 4,
        ..Case::default()
    });
}

#[test]
fn case_a10_a_paused_pool_is_not_finished() {
    check(&Case {
        from: "dev-a10-paused-pool-after-cp-done/in-cv.yaml",
        at: "2026-05-04T09:30:00Z",
        shows: &[
            "Update to 4.20.11 successfully completed at 2026-05-04T09:05:00Z (duration: 1h5m)",
            "worker Completed 100% (1/1)",
            "batch Excluded 0% (0/2)",
            "Warning Update Stalled Outdated nodes in a paused pool 'batch' will not be updated",
        ],
        hides: &["The cluster is not updating"],
        // Not finished, and not failed either.
        code: 4,
        ..Case::default()
    });
}

#[test]
fn case_a13_a_drain_names_pod_and_budget() {
    check(&Case {
        from: "dev-a13-drain-blocked-by-pdb/in-cv.yaml",
        shows: &[
            "w-1 Degraded Draining",
            "Node w-1 cannot be drained: pod shop/ledger-7c9d-x1 is held by PodDisruptionBudget shop/ledger (0 disruptions allowed, 2 of 2 healthy needed)",
        ],
        details: &["shop/ledger: minAvailable equals the replica count (2), so no eviction can ever pass"],
        hides: &["agent-aa", "ledger-lookalike-1", "no-selector", "ledger-7c9d-x2"],
        code: 5,
        ..Case::default()
    });
}

#[test]
fn case_a19_a_configuration_is_not_a_version() {
    check(&Case {
        from: "dev-a19-mc-rollout-not-version/in-cv.yaml",
        shows: &[
            "The cluster is not updating.",
            "Note: Pool worker is rolling out a configuration change (0/2 nodes done), not a version update.",
        ],
        hides: &["0%", "Est."],
        code: 0,
        ..Case::default()
    });
}
