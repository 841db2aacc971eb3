//! What every Rust file keeps to: its first comment, its length, no unfinished
//! work, no test switched off in silence, and the process left to `main`.

use std::path::{Component, Path};

use super::Finding;
use super::paths::named;
use super::tokens::Source;
use crate::test::OTHER_RINGS;

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

/// An ignored test says in its reason what runs it, and its name agrees:
/// `cargo xtask test` tells them apart by their names, the only thing that the
/// test runner lets it choose by.
fn ignored_tests(path: &Path, source: &Source<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, attribute) in source.attributes() {
        let conditional = attribute.first().is_some_and(|it| it.is_word("cfg_attr"));
        let Some(word) = attribute.iter().position(|it| it.is_word("ignore")).filter(|at| *at == 0 || conditional)
        else {
            continue;
        };
        let line = attribute[word].line;
        let reason = attribute.get(word + 1).filter(|it| it.is_mark("=")).and_then(|_| attribute.get(word + 2));
        let Some(ring) = reason.and_then(|reason| Ring::of(reason.text)) else {
            findings.push(Finding::new(
                path,
                line,
                "a test is ignored without saying which ring runs it",
                "write `#[ignore = \"ring 2: what it needs\"]` (or `ring 3:`, `soak:`), or let it run",
            ));
            continue;
        };
        let mut rest = source.tokens[at..].iter().skip_while(|it| !it.is_word("fn")).skip(1);
        let name = rest.next().map_or("", |it| it.text);
        if Ring::named(name) != ring {
            findings.push(Finding::new(
                path,
                line,
                format!("the name `{name}` does not fit its ring"),
                format!("{}; `cargo xtask test` chooses by these names", ring.rule()),
            ));
        }
    }
    findings
}

/// What runs a test that is ignored by default.
#[derive(Clone, Copy, PartialEq)]
enum Ring {
    /// `cargo xtask test`.
    Two,
    /// `cargo xtask e2e`.
    Three,
    /// A person, for hours.
    Soak,
}

impl Ring {
    /// By the text of the reason, with its quotes: it begins with the ring, and goes on.
    fn of(reason: &str) -> Option<Self> {
        let reason = reason.trim_matches('"');
        [("ring 2: ", Self::Two), ("ring 3: ", Self::Three), ("soak: ", Self::Soak)]
            .into_iter()
            .find_map(|(begin, ring)| reason.strip_prefix(begin).filter(|rest| !rest.trim().is_empty()).map(|_| ring))
    }

    fn named(name: &str) -> Self {
        let [soak, e2e] = OTHER_RINGS;
        match name {
            _ if name.contains(soak) => Self::Soak,
            _ if name.contains(e2e) => Self::Three,
            _ => Self::Two,
        }
    }

    fn rule(self) -> String {
        let [soak, e2e] = OTHER_RINGS;
        match self {
            Self::Two => format!("leave `{soak}` and `{e2e}` out of it"),
            Self::Three => format!("begin it with `{e2e}`"),
            Self::Soak => format!("begin it with `{soak}`"),
        }
    }
}

fn process(path: &Path, source: &Source<'_>) -> Vec<Finding> {
    let file = path.file_name().unwrap_or_default();
    let may = file == "main.rs"
        || file == "args.rs"
        || file == "build.rs"
        || path.starts_with("crates/xtask")
        // Its callers are tests of other crates: they have no command line to say on where the programs are.
        || path == Path::new("crates/testenv/src/environment.rs")
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
        check("a.rs", "#[test]\n#[ignore = \"ring 2: needs kube-apiserver\"]\nfn f() {}", &[]);
        check("a.rs", "#[ignore = \"ring 3: needs managers\"]\nfn e2e_f() {}", &[]);
        check("a.rs", "#[ignore = \"soak: an hour\"]\n#[test]\nfn soak_f() {}", &[]);
        check("a.rs", "#[cfg_attr(unix, ignore = \"ring 2: x\")] fn f() {}", &[]);
        check("a.rs", "fn ignore() {} #[doc = \"ignore\"] fn g() {}", &[]);
        let refused = &["3: a test is ignored without saying which ring runs it"];
        for reason in
            ["", " = \"flaky\"", " = \"ring 2\"", " = \"ring 2: \"", " = \"ring 1: x\"", " = \"see ring 2: x\""]
        {
            check("a.rs", &format!("#[test]\n#[ignore{reason}]\nfn f() {{}}"), refused);
        }
        check("a.rs", "// Ring 3 runs it.\n#[ignore]\nfn f() {}", refused);
        check("a.rs", "#[test]\n#[cfg_attr(unix, ignore)]\nfn f() {}", refused);
    }

    #[test]
    fn the_name_of_an_ignored_test_tells_its_ring() {
        let check_name = |ring: &str, name: &str, expect: &[&str]| {
            check("a.rs", &format!("#[test]\n#[ignore = \"{ring}: x\"]\n#[cfg(unix)]\nfn {name}() {{}}"), expect);
        };
        check_name("ring 2", "us_s20_soaked", &[]);
        check_name("ring 2", "soak_kills", &["3: the name `soak_kills` does not fit its ring"]);
        check_name("ring 2", "e2e_upgrade", &["3: the name `e2e_upgrade` does not fit its ring"]);
        check_name("ring 3", "upgrade", &["3: the name `upgrade` does not fit its ring"]);
        check_name("ring 3", "e2e_soak_x", &["3: the name `e2e_soak_x` does not fit its ring"]);
        check_name("soak", "e2e_kills", &["3: the name `e2e_kills` does not fit its ring"]);
    }

    #[test]
    fn the_process_belongs_to_main() {
        check("crates/cli/src/main.rs", "std::process::exit(1)", &[]);
        check("crates/cli/src/args.rs", "std::env::var_os(\"NO_COLOR\")", &[]);
        check("crates/xtask/src/ci.rs", "std::env::var(\"HOME\")", &[]);
        check("crates/cli/tests/a.rs", "std::env::var(\"HEADWAY_UPDATE\")", &[]);
        check("crates/testenv/src/environment.rs", "std::env::var_os(\"HOME\")", &[]);
        check(
            "crates/testenv/src/plane.rs",
            "std::env::var_os(\"X\")",
            &["2: `env::var_os` outside main.rs and args.rs"],
        );
        check("a.rs", "#[cfg(test)]\nmod t { fn f() { std::env::var(\"X\"); } }", &[]);
        check("a.rs", "env!(\"X\"); fn exit() {} std::env::args(); let var = 1;", &[]);
        check("a.rs", "process::exit(1)", &["2: `process::exit` outside main.rs"]);
        check("a.rs", "use std::process::{Command, exit};", &["2: `process::exit` outside main.rs"]);
        check("a.rs", "use std::env;\nenv::var(\"X\")", &["3: `env::var` outside main.rs and args.rs"]);
        check("a.rs", "std::env::vars_os()", &["2: `env::vars_os` outside main.rs and args.rs"]);
    }
}
