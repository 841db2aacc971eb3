//! What the sources of a pure crate may not name: clocks, I/O, environment,
//! chance, waiting. Its dependencies are judged in `dependencies`.

use std::path::Path;

use super::Finding;
use super::paths::{Named, named};
use super::tokens::Source;

/// A reason to refuse, the paths that show it, and the way out.
struct Ban {
    wrong: &'static str,
    paths: &'static [&'static str],
    macros: &'static [&'static str],
    instead: &'static str,
}

const BANS: &[Ban] = &[
    Ban {
        wrong: "reads a clock",
        paths: &["Timestamp::now", "Zoned::now", "SystemTime", "Instant", "TimeZone::system", "TimeZone::try_system"],
        macros: &[],
        instead: "take the time from the snapshot (`observed_at`)",
    },
    Ban {
        wrong: "does I/O",
        // `std::path` is here because a path asks the disk without naming
        // `std::fs`: `path.exists()`.
        paths: &["std::fs", "std::net", "std::io", "std::process", "std::thread", "std::path", "std::os"],
        macros: &["print", "println", "eprint", "eprintln"],
        instead: "gather it into the snapshot before, or return it for the caller to act on",
    },
    Ban { wrong: "reads the environment", paths: &["std::env"], macros: &[], instead: "make it a field of the input" },
    Ban {
        wrong: "depends on chance",
        paths: &["rand::", "fastrand::", "getrandom::", "RandomState", "HashMap", "HashSet", "hash_map", "hash_set"],
        macros: &[],
        instead: "same input, same bytes out: use BTreeMap, BTreeSet, or a value from the input",
    },
    Ban {
        wrong: "waits",
        paths: &["async", "await", "tokio::", "futures::"],
        macros: &[],
        instead: "return what to wait for as a value",
    },
];

/// Finds every such name, in tests inside the crate too.
pub(super) fn check(path: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for named in named(&Source::new(text)) {
        for ban in BANS.iter().filter(|ban| ban.covers(&named)) {
            let what = named.segments.join("::");
            findings.push(Finding::new(
                path,
                named.line,
                format!("`{what}` {} in a pure crate", ban.wrong),
                ban.instead,
            ));
        }
    }
    findings
}

impl Ban {
    fn covers(&self, named: &Named<'_>) -> bool {
        if named.is_macro {
            let name = named.segments.last().copied().unwrap_or_default();
            return self.macros.contains(&name);
        }
        self.paths.iter().any(|pattern| named.holds(pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[&str]) {
        let told: Vec<String> = super::check(Path::new("a.rs"), text)
            .iter()
            .map(|finding| format!("{}: {}", finding.line, finding.wrong))
            .collect();
        assert_eq!(told, expect, "for {text}");
    }

    #[test]
    fn thinking_is_accepted() {
        check("use std::collections::{BTreeMap, BTreeSet};", &[]);
        check("use jiff::{Timestamp, tz::TimeZone}; fn f(now: Timestamp) { now.since(x) }", &[]);
        check("const V: &str = env!(\"CARGO_PKG_VERSION\");", &[]);
        check("// std::fs and HashMap in a comment\nlet x = \"SystemTime\";", &[]);
        check("let rand = 1; let io = rand + env; write!(f, \"{io}\")", &[]);
        check("use std::process_things; use std::fmt::{self, Write};", &[]);
        check("let instant = TimeZone::get(\"Europe/Berlin\");", &[]);
    }

    #[test]
    fn clocks_are_refused() {
        check("\nlet a = jiff::Timestamp::now();", &["2: `jiff::Timestamp::now` reads a clock in a pure crate"]);
        check("Zoned::now()", &["1: `Zoned::now` reads a clock in a pure crate"]);
        check("use std::time::{Duration, SystemTime};", &["1: `std::time::SystemTime` reads a clock in a pure crate"]);
        check("Instant::now()", &["1: `Instant::now` reads a clock in a pure crate"]);
        check("TimeZone::system()", &["1: `TimeZone::system` reads a clock in a pure crate"]);
    }

    #[test]
    fn io_is_refused_however_it_is_imported() {
        check("std::fs::read(x)", &["1: `std::fs::read` does I/O in a pure crate"]);
        check("use std::{\n fmt,\n io::{self},\n};", &["3: `std::io` does I/O in a pure crate"]);
        check("use std::net::TcpStream;", &["1: `std::net::TcpStream` does I/O in a pure crate"]);
        check("use std::process::Command;", &["1: `std::process::Command` does I/O in a pure crate"]);
        check("std::thread::sleep(x)", &["1: `std::thread::sleep` does I/O in a pure crate"]);
        check("use std::path::Path;", &["1: `std::path::Path` does I/O in a pure crate"]);
        check("println!(\"x\")", &["1: `println` does I/O in a pure crate"]);
        check("#[cfg(test)] mod t { fn f() { std::eprint!(\"x\") } }", &["1: `std::eprint` does I/O in a pure crate"]);
    }

    #[test]
    fn environment_chance_and_waiting_are_refused() {
        check("use std::env;", &["1: `std::env` reads the environment in a pure crate"]);
        check("rand::random()", &["1: `rand::random` depends on chance in a pure crate"]);
        check("let m: HashMap<A, B>;", &["1: `HashMap` depends on chance in a pure crate"]);
        check(
            "use std::collections::{BTreeMap, HashSet};",
            &["1: `std::collections::HashSet` depends on chance in a pure crate"],
        );
        check("use std::hash::RandomState;", &["1: `std::hash::RandomState` depends on chance in a pure crate"]);
        check("async fn f() {}", &["1: `async` waits in a pure crate"]);
        check("x.await", &["1: `await` waits in a pure crate"]);
        check("use tokio::sync::mpsc;", &["1: `tokio::sync::mpsc` waits in a pure crate"]);
    }
}
