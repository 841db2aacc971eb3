//! The recorded clusters, and what `headway` prints of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One recorded text.
pub(crate) struct Example {
    /// The example's name.
    pub(crate) name: String,
    /// What `--details` was.
    pub(crate) details: &'static str,
    /// The file to give.
    pub(crate) input: PathBuf,
    /// What the peer printed.
    pub(crate) recorded: String,
}

/// All recorded texts; `None`, and a loud word, where they are not there.
pub(crate) fn all() -> Option<Vec<Example>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = root.join("shared/fixtures/oc-status");
    if !folder.is_dir() {
        assert!(!root.join("shared").is_dir(), "../shared is there, and has no fixtures/oc-status");
        eprintln!("NOT TESTED: {} is not there, so nothing was compared with the peer", folder.display());
        return None;
    }
    let mut all = Vec::new();
    let entries = std::fs::read_dir(&folder).expect("the folder can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for file in names {
        for (suffix, details) in [(".output", "none"), (".detailed-output", "all")] {
            if let Some(name) = file.strip_suffix(suffix) {
                all.push(Example {
                    name: name.to_owned(),
                    details,
                    input: folder.join(format!("{name}-cv.yaml")),
                    recorded: std::fs::read_to_string(folder.join(&file)).expect("a recorded text"),
                });
            }
        }
    }
    Some(all)
}

/// What `headway status` prints of an example, with the details of the recorded text.
pub(crate) fn headway(example: &Example, args: &[&str]) -> String {
    run(example, example.details, args)
}

/// What `headway status` prints of an example.
pub(crate) fn run(example: &Example, details: &str, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_headway"))
        .env_clear()
        .args(["status", "--details", details, "--from"])
        .arg(&example.input)
        .args(args)
        .output()
        .expect("headway runs");
    assert!(output.status.success(), "{}: {}", example.name, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text with columns three spaces apart, and without spaces at the ends of lines.
pub(crate) fn narrow(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        out.push_str(&line[..indent]);
        let cells: Vec<&str> = line.trim().split("   ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        out.push_str(&cells.join("   "));
        out.push('\n');
    }
    out
}

/// The numbers of the entries of docs/differences.md.
pub(crate) fn documented_numbers() -> BTreeSet<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/differences.md");
    let text = std::fs::read_to_string(path).expect("docs/differences.md");
    let numbers: Vec<u8> =
        text.lines().filter_map(|line| line.strip_prefix("| D")?.split(' ').next()?.parse().ok()).collect();
    let all: BTreeSet<u8> = numbers.iter().copied().collect();
    assert_eq!(all.len(), numbers.len(), "a number is given once");
    all
}
