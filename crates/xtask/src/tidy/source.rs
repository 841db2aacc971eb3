//! What every Rust file keeps to: its first comment, its length, no unfinished
//! work, no test switched off in silence, and the process left to `main`.

use std::path::{Component, Path};

use super::Finding;
use super::paths::named;
use super::tokens::Source;

/// Longer than this, without its tests, a file says in its first comment why.
const LONG: usize = 500;

/// The words by which it says so.
const EXCUSE: &str = "long because";

/// Runs every check of this file.
pub(super) fn check(path: &Path, text: &str) -> Vec<Finding> {
    let source = Source::new(text);
    let mut findings = Vec::new();
    findings.extend(first_comment(path, text));
    findings.extend(length(path, text, &source));
    findings.extend(unfinished(path, &source));
    findings.extend(ignored_tests(path, &source));
    findings.extend(process(path, &source));
    findings
}

fn first_comment(path: &Path, text: &str) -> Option<Finding> {
    if text.starts_with("//! ") {
        return None;
    }
    Some(Finding::new(
        path,
        1,
        "the file does not say what it is for",
        "begin with a `//!` comment: its purpose, and what it leaves to others",
    ))
}

fn length(path: &Path, text: &str, source: &Source<'_>) -> Option<Finding> {
    if is_test_file(path) {
        return None;
    }
    let tests: usize = source.test_lines().iter().map(|it| it.clone().count()).sum();
    let lines = text.lines().count().saturating_sub(tests);
    let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect::<Vec<_>>().join(" ");
    if lines <= LONG || header.to_lowercase().contains(EXCUSE) {
        return None;
    }
    Some(Finding::new(
        path,
        1,
        format!("{lines} lines without tests, more than {LONG}"),
        format!("split it by noun, or say `{EXCUSE} …` in its first comment"),
    ))
}

fn unfinished(path: &Path, source: &Source<'_>) -> Vec<Finding> {
    named(source)
        .iter()
        .filter(|named| named.is_macro)
        .filter_map(|named| {
            let name = *named.segments.last()?;
            let unfinished = ["todo", "unimplemented", "dbg"].contains(&name);
            unfinished.then(|| {
                Finding::new(
                    path,
                    named.line,
                    format!("`{name}!` is unfinished work"),
                    "finish it, or return an error that says what cannot be done",
                )
            })
        })
        .collect()
}

/// An ignored test names the ring that runs it, in its reason or a comment on
/// its line or the one above.
fn ignored_tests(path: &Path, source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, attribute) in source.attributes() {
        let names_it = attribute.first().is_some_and(|it| it.is_word("ignore"))
            || (attribute.first().is_some_and(|it| it.is_word("cfg_attr"))
                && attribute.iter().any(|it| it.is_word("ignore")));
        let Some(first) = attribute.first().filter(|_| names_it) else {
            continue;
        };
        let in_reason = attribute.iter().any(|it| names_ring(it.text));
        let in_comment = source
            .comments
            .iter()
            .any(|(line, comment)| (*line == first.line || line + 1 == first.line) && names_ring(comment));
        if !in_reason && !in_comment {
            findings.push(Finding::new(
                path,
                first.line,
                "a test is ignored without saying which ring runs it",
                "write `#[ignore = \"ring 2: what it needs\"]`, or let it run",
            ));
        }
    }
    findings
}

fn names_ring(text: &str) -> bool {
    text.to_lowercase().match_indices("ring ").any(|(at, _)| text[at + 5..].starts_with(|c: char| c.is_ascii_digit()))
}

fn process(path: &Path, source: &Source<'_>) -> Vec<Finding> {
    let file = path.file_name().unwrap_or_default();
    let may = file == "main.rs"
        || file == "args.rs"
        || file == "build.rs"
        || path.starts_with("crates/xtask")
        || is_test_file(path);
    if may {
        return Vec::new();
    }
    let tests = source.test_lines();
    named(source)
        .iter()
        .filter(|named| !tests.iter().any(|lines| lines.contains(&named.line)))
        .filter_map(|named| {
            let holds = |pattern: &&&str| named.holds(pattern);
            if named.holds("process::exit") {
                return Some(Finding::new(
                    path,
                    named.line,
                    "`process::exit` outside main.rs",
                    "return an error or an exit code to main",
                ));
            }
            ["env::var", "env::var_os", "env::vars", "env::vars_os"].iter().find(holds).map(|name| {
                Finding::new(
                    path,
                    named.line,
                    format!("`{name}` outside main.rs and args.rs"),
                    "read it in args.rs and hand it down as a value",
                )
            })
        })
        .collect()
}

/// `tests/…` and the `tests.rs` of a module are test code from end to end.
fn is_test_file(path: &Path) -> bool {
    path.file_name().is_some_and(|it| it == "tests.rs")
        || path.components().any(|it| it == Component::Normal("tests".as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is what follows a good first line, so that lines count from 2.
    fn check(path: &str, text: &str, expect: &[&str]) {
        check_whole(path, &format!("//! For a test.\n{text}"), expect);
    }

    fn check_whole(path: &str, text: &str, expect: &[&str]) {
        let told: Vec<String> = super::check(Path::new(path), text)
            .iter()
            .map(|finding| format!("{}: {}", finding.line, finding.wrong))
            .collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn a_file_says_what_it_is_for() {
        check("a.rs", "fn f() {}", &[]);
        let refused = &["1: the file does not say what it is for"];
        check_whole("a.rs", "fn f() {}\n//! Too late.", refused);
        check_whole("a.rs", "// For a test.", refused);
        check_whole("a.rs", "//!\nfn f() {}", refused);
        check_whole("a.rs", "", refused);
    }

    #[test]
    fn a_long_file_says_why() {
        let lines = |count| "fn f() {}\n".repeat(count);
        let refused = &["1: 501 lines without tests, more than 500"];
        check("a.rs", &lines(499), &[]);
        check("a.rs", &lines(500), refused);
        check("a.rs", &format!("//! Long because it is a flat list.\n{}", lines(600)), &[]);
        check("a.rs", &format!("{}// Long because.\n", lines(499)), refused);
        check("a.rs", &format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", lines(499), lines(99)), &[]);
        check("a.rs", &format!("#[cfg(test)]\nuse b;\n{}", lines(500)), refused);
        check("tests/a.rs", &lines(900), &[]);
        check("src/a/tests.rs", &lines(900), &[]);
    }

    #[test]
    fn unfinished_work_is_refused() {
        check("a.rs", "// todo!()\nlet dbg = \"dbg!\"; if todo != 1 {}", &[]);
        check("a.rs", "todo!()", &["2: `todo!` is unfinished work"]);
        check("a.rs", "\nstd::unimplemented!(\"x\")", &["3: `unimplemented!` is unfinished work"]);
        check("tests/a.rs", "dbg!(x)", &["2: `dbg!` is unfinished work"]);
    }

    #[test]
    fn an_ignored_test_names_its_ring() {
        let refused = &["3: a test is ignored without saying which ring runs it"];
        check("a.rs", "#[test]\n#[ignore = \"ring 2: needs kube-apiserver\"]\nfn f() {}", &[]);
        check("a.rs", "// Ring 3 runs it.\n#[ignore]\nfn f() {}", &[]);
        check("a.rs", "#[ignore] // ring 2\nfn f() {}", &[]);
        check("a.rs", "fn ignore() {} #[doc = \"ignore\"] fn g() {}", &[]);
        check("a.rs", "#[test]\n#[ignore]\nfn f() {}", refused);
        check("a.rs", "#[test]\n#[ignore = \"flaky, during boring times\"]\nfn f() {}", refused);
        check("a.rs", "#[test]\n#[cfg_attr(unix, ignore)]\nfn f() {}", refused);
        check(
            "a.rs",
            "// ring 2\n#[test] #[ignore]\nfn f() {}\n\n#[ignore]\nfn g() {}",
            &["6: a test is ignored without saying which ring runs it"],
        );
    }

    #[test]
    fn the_process_belongs_to_main() {
        check("crates/cli/src/main.rs", "std::process::exit(1)", &[]);
        check("crates/cli/src/args.rs", "std::env::var_os(\"NO_COLOR\")", &[]);
        check("crates/xtask/src/ci.rs", "std::env::var(\"HOME\")", &[]);
        check("crates/cli/tests/a.rs", "std::env::var(\"HEADWAY_UPDATE\")", &[]);
        check("a.rs", "#[cfg(test)]\nmod t { fn f() { std::env::var(\"X\"); } }", &[]);
        check("a.rs", "env!(\"X\"); fn exit() {} std::env::args(); let var = 1;", &[]);
        check("a.rs", "process::exit(1)", &["2: `process::exit` outside main.rs"]);
        check("a.rs", "use std::process::{Command, exit};", &["2: `process::exit` outside main.rs"]);
        check("a.rs", "use std::env;\nenv::var(\"X\")", &["3: `env::var` outside main.rs and args.rs"]);
        check("a.rs", "std::env::vars_os()", &["2: `env::vars_os` outside main.rs and args.rs"]);
    }
}
