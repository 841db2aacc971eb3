//! Files of the shared folder that were copied in: it is data for tests and
//! not ours to publish.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Files, Finding};

/// Two people who write so few bytes may well write the same: the peer's whole
/// output for an idle cluster is 29 of them.
const TELLING: usize = 128;

/// Finds files that are the same in both, byte for byte.
pub(super) fn check(ours: &Files, shared: &Files) -> Vec<Finding> {
    let by_bytes: BTreeMap<&[u8], &Path> =
        shared.iter().map(|(path, bytes)| (bytes.as_slice(), path.as_path())).collect();
    ours.iter()
        .filter(|(_, bytes)| bytes.len() >= TELLING)
        .filter_map(|(path, bytes)| {
            let origin = by_bytes.get(bytes.as_slice())?.display();
            Some(Finding::new(
                path,
                1,
                format!("this is a copy of shared/{origin}"),
                "write our own, or let the test read it where it is",
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ours: &str, shared: &str, expect: &[&str]) {
        let file = |path: &str, text: &str| Files::from([(path.into(), text.into())]);
        let told: Vec<String> = super::check(&file("a/b", ours), &file("c/d", shared))
            .iter()
            .map(|finding| finding.wrong.clone())
            .collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn only_telling_equal_files_are_copies() {
        let text = |length| "x".repeat(length);
        check(&text(TELLING), &text(TELLING), &["this is a copy of shared/c/d"]);
        check(&text(TELLING), &text(TELLING + 1), &[]);
        check(&text(TELLING - 1), &text(TELLING - 1), &[]);
        check("", "", &[]);
    }
}
