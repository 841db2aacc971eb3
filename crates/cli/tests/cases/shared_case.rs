//! One of the small public cases beside a checkout that are about clusters of Cluster API, and what a command must say
//! of it.

use serde_json::Value;

use super::program::headway;
use super::shared::{FOLDER, present, squeezed};

/// What is asked of one recording.
pub(super) struct Case<'a> {
    /// The recording, below [`FOLDER`].
    pub(super) from: &'a str,
    /// `--at`, unless empty.
    pub(super) at: &'a str,
    /// Texts that the output must hold; columns are apart by one space.
    pub(super) shows: &'a [&'a str],
    /// Texts that it may not hold.
    pub(super) hides: &'a [&'a str],
    /// Places in the JSON, and the JSON that must stand there.
    pub(super) json: &'a [(&'a str, &'a str)],
    /// The code with `--exit-code`.
    pub(super) code: i32,
}

impl Case<'_> {
    /// Runs a command, whose flags besides are for the text alone.
    #[track_caller]
    pub(super) fn check(&self, command: &[&str]) {
        if !present() {
            return;
        }
        let from = format!("{FOLDER}/{}", self.from);
        let mut words = vec!["--from", &from];
        if !self.at.is_empty() {
            words.extend(["--at", self.at]);
        }
        let text = headway(&[command, &words, &["--exit-code"]].concat());
        assert_eq!(text.code, self.code, "{}{}", text.out, text.err);
        let shown = squeezed(&text.out);
        for wanted in self.shows {
            assert!(shown.contains(wanted), "not shown: {wanted}\n{shown}");
        }
        for unwanted in self.hides {
            assert!(!shown.contains(unwanted), "shown: {unwanted}\n{shown}");
        }
        let json = headway(&[&command[..1], &words, &["-o", "json"]].concat());
        assert_eq!(json.code, 0, "told without --exit-code");
        let document: Value = serde_json::from_str(&json.out).expect("the document is JSON");
        for (place, wanted) in self.json {
            let wanted: Value = serde_json::from_str(wanted).expect("the table holds JSON");
            assert_eq!(document.pointer(place), Some(&wanted), "{place}");
        }
    }
}
