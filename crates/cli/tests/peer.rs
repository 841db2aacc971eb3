//! The text beside that of the peer, `oc adm upgrade status`: equal with `--compat oc`, and explained without it.
//!
//! The recorded clusters lie in `../shared/fixtures/oc-status`; where that folder is not there, these tests say so.

// Clippy takes what is shared between tests for test code only below this attribute.
#[cfg(test)]
mod peer {
    pub(crate) mod explained;
    pub(crate) mod fixtures;
}

use std::collections::BTreeSet;

use peer::explained::{self, Side};
use peer::fixtures;
use similar::{ChangeTag, TextDiff};

#[test]
fn oc_compat_is_equal_byte_for_byte() {
    let Some(examples) = fixtures::all() else { return };
    let mut equal = 0;
    for example in &examples {
        let printed = fixtures::headway(example, &["--compat", "oc"]);
        let diff = TextDiff::from_lines(&example.recorded, &printed);
        let diff = diff.unified_diff().header("recorded", "printed").to_string();
        assert!(printed == example.recorded, "{} --details={}\n{diff}", example.name, example.details);
        equal += 1;
    }
    assert_eq!(equal, 26, "all recorded texts are compared");
}

#[test]
fn every_changed_line_is_explained() {
    let Some(examples) = fixtures::all() else { return };
    let documented = fixtures::documented_numbers();
    let mut used = BTreeSet::new();
    let mut unexplained = Vec::new();
    for example in &examples {
        let printed = fixtures::headway(example, &[]);
        // Columns are as wide as their cells, so a row that goes changes all others by their spaces alone. Spaces are
        // held by the test above, whose text comes out of the same code.
        let (recorded, printed) = (fixtures::narrow(&example.recorded), fixtures::narrow(&printed));
        let diff = TextDiff::from_lines(&recorded, &printed);
        for change in diff.iter_all_changes() {
            let side = match change.tag() {
                ChangeTag::Equal => continue,
                ChangeTag::Delete => Side::Gone,
                ChangeTag::Insert => Side::New,
            };
            let line = change.value().trim_end_matches('\n');
            if line.trim().is_empty() {
                // Blank lines come and go with their paragraphs.
                continue;
            }
            match explained::by(example, side, line) {
                Some(number) => {
                    used.insert(number);
                }
                None => unexplained.push(format!("{} --details={}: {side}{line}", example.name, example.details)),
            }
        }
    }
    assert!(unexplained.is_empty(), "no entry of docs/differences.md explains:\n{}", unexplained.join("\n"));
    for number in explained::numbers() {
        assert!(documented.contains(&number), "docs/differences.md has no D{number}");
        assert!(used.contains(&number), "nothing is explained by the patterns of D{number}: remove them");
    }
}

#[test]
fn oc_details_are_independent_parts() {
    let Some(examples) = fixtures::all() else { return };
    let example = examples.iter().find(|example| example.name == "4.14.1-degraded").expect("a recorded example");
    let with = |details: &str| fixtures::run(example, details, &["--compat", "oc"]);
    assert!(with("operators").contains("\nUpdating Cluster Operators\n"));
    assert!(!with("nodes").contains("Updating Cluster Operators"));
    assert!(with("health").contains("\n  Reference:   "));
    assert!(!with("operators").contains("\n  Reference:   "));
}
