//! Source files that no `mod` declares: a forgotten test passes for ever.
//!
//! The roots are what cargo finds by itself or is told (`cargo metadata`), so
//! a file directly in `tests/` is one unless its manifest says otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Finding;
use super::tokens::{Kind, Source, Token};

/// The folders of a package that hold nothing but sources.
const FOLDERS: &[&str] = &["src", "tests", "benches", "examples"];

/// Holds the sources of one package against what its roots reach.
pub(super) fn check(package: &Path, roots: &[PathBuf], texts: &BTreeMap<&Path, String>) -> Vec<Finding> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<(PathBuf, Place)> = roots.iter().map(|root| (root.clone(), Place::OfItsFolder)).collect();
    while let Some((path, place)) = waiting.pop() {
        let Some(text) = texts.get(path.as_path()) else {
            continue;
        };
        if reached.insert(path.clone()) {
            waiting.extend(declared(&path, &place, text));
        }
    }
    texts
        .keys()
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .filter(|path| FOLDERS.iter().any(|it| path.starts_with(package.join(it))))
        .filter(|path| !reached.contains(**path))
        .map(|path| {
            Finding::new(
                path,
                1,
                "no module declares this file, so it is never compiled",
                "declare it with `mod` where it belongs, or remove it",
            )
        })
        .collect()
}

/// Where the modules lie that a file declares.
#[derive(PartialEq)]
enum Place {
    /// Beside it: a root, a `mod.rs`, or a file that `#[path]` named.
    OfItsFolder,
    /// In a folder of its own name.
    OfItsName,
}

fn declared(path: &Path, place: &Place, text: &str) -> Vec<(PathBuf, Place)> {
    let source = Source::new(text);
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder = match place {
        Place::OfItsFolder => beside.to_path_buf(),
        Place::OfItsName => beside.join(path.file_stem().unwrap_or_default()),
    };
    let mut found = Vec::new();
    for declaration in declarations(&source.tokens) {
        let inner: PathBuf = declaration.inside.iter().collect();
        if let Some(named) = declaration.path {
            // Rust looks beside the file, but for a module inside another where its own would be.
            let from = if declaration.inside.is_empty() { beside } else { &folder };
            found.push((from.join(inner).join(named), Place::OfItsFolder));
        } else {
            let folder = folder.join(inner);
            let name = declaration.name;
            found.push((folder.join(format!("{name}.rs")), Place::OfItsName));
            found.push((folder.join(name).join("mod.rs"), Place::OfItsFolder));
        }
    }
    found
}

/// `mod name;`, the modules written out around it, and its `#[path]`.
struct Declaration<'a> {
    name: &'a str,
    inside: Vec<&'a str>,
    path: Option<&'a str>,
}

fn declarations<'a>(tokens: &[Token<'a>]) -> Vec<Declaration<'a>> {
    let mut found = Vec::new();
    // One entry for each open brace: the name of the module it opens, if it does.
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut path = None;
    for (at, token) in tokens.iter().enumerate() {
        let next = |distance: usize| tokens.get(at + distance);
        let back = |distance: usize| at.checked_sub(distance).map(|at| &tokens[at]);
        if token.is_mark("{") {
            let is_module = back(2).is_some_and(|it| it.is_word("mod"));
            open.push(back(1).filter(|_| is_module).map(|it| it.text));
            path = None;
        } else if token.is_mark("}") {
            open.pop();
        } else if token.is_mark(";") {
            path = None;
        } else if token.is_word("path")
            && back(1).is_some_and(|it| it.is_mark("["))
            && let Some(literal) = next(2)
            && literal.kind == Kind::Literal
        {
            path = Some(literal.text.trim_matches('"'));
        } else if token.is_word("mod")
            && let (Some(name), Some(end)) = (next(1), next(2))
            && name.kind == Kind::Word
            && end.is_mark(";")
        {
            let inside = open.iter().copied().flatten().collect();
            let name = name.text;
            found.push(Declaration { name, inside, path });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The roots are `src/lib.rs` and every file given as `ROOT path`.
    fn check(files: &[(&str, &str)], expect: &[&str]) {
        let mut roots = vec![PathBuf::from("crates/a/src/lib.rs")];
        let mut texts = BTreeMap::new();
        for (path, text) in files {
            let name = path.trim_start_matches("ROOT ");
            if name != *path {
                roots.push(PathBuf::from(name));
            }
            texts.insert(Path::new(name), (*text).to_owned());
        }
        let told: Vec<String> = super::check(Path::new("crates/a"), &roots, &texts)
            .iter()
            .map(|finding| finding.path.display().to_string())
            .collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn declared_files_are_accepted() {
        check(
            &[
                ("crates/a/src/lib.rs", "mod b; pub(crate) mod c; #[cfg(test)] mod d;"),
                ("crates/a/src/b.rs", "mod e;"),
                ("crates/a/src/b/e.rs", ""),
                ("crates/a/src/c/mod.rs", "mod f;"),
                ("crates/a/src/c/f.rs", ""),
                ("crates/a/src/d.rs", ""),
            ],
            &[],
        );
        check(
            &[
                ("crates/a/src/lib.rs", "mod tests { fn f() {} mod x; }\n#[path = \"other/y.rs\"] mod z;"),
                ("crates/a/src/tests/x.rs", ""),
                ("crates/a/src/other/y.rs", "mod w;"),
                ("crates/a/src/other/w.rs", ""),
            ],
            &[],
        );
        check(
            &[
                ("crates/a/src/lib.rs", ""),
                ("ROOT crates/a/tests/it.rs", "mod part;"),
                ("crates/a/tests/part.rs", ""),
                ("ROOT crates/a/tests/folder/main.rs", "mod piece;"),
                ("crates/a/tests/folder/piece.rs", ""),
                ("crates/b/src/elsewhere.rs", ""),
                ("crates/a/README.md", ""),
            ],
            &[],
        );
    }

    #[test]
    fn forgotten_files_are_refused() {
        check(
            &[("crates/a/src/lib.rs", "// mod b;\nconst X: &str = \"mod b;\"; use b;"), ("crates/a/src/b.rs", "")],
            &["crates/a/src/b.rs"],
        );
        check(
            &[
                ("crates/a/src/lib.rs", "mod b;"),
                ("crates/a/src/b.rs", ""),
                ("crates/a/src/b/c.rs", "mod d;"),
                ("crates/a/src/b/c/d.rs", ""),
            ],
            &["crates/a/src/b/c/d.rs", "crates/a/src/b/c.rs"],
        );
        // With `autotests = false`, or in a folder without `main.rs`, nothing runs it.
        check(
            &[("crates/a/src/lib.rs", ""), ("crates/a/tests/it.rs", ""), ("crates/a/tests/b/c.rs", "")],
            &["crates/a/tests/b/c.rs", "crates/a/tests/it.rs"],
        );
        check(
            &[
                ("crates/a/src/lib.rs", "mod tests { } mod x;"),
                ("crates/a/src/tests/x.rs", ""),
                ("crates/a/src/x.rs", ""),
            ],
            &["crates/a/src/tests/x.rs"],
        );
    }
}
