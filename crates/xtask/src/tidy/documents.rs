//! What is cited exists: files that documents link to, and the numbered
//! differences from the peer that tests name.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::{Files, Finding};

/// Where our differences from the peer are numbered.
pub(super) const DIFFERENCES: &str = "docs/differences.md";

/// How a test cites one, before the number.
const CITATION: &str = "differences.md D";

/// Finds links in a document that lead to no file of the checkout.
pub(super) fn links(path: &Path, text: &str, files: &Files) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, target) in targets(text) {
        let is_elsewhere = target.contains("://") || target.starts_with("mailto:");
        let target = target.split(['#', '?']).next().unwrap_or_default();
        if is_elsewhere || target.is_empty() {
            continue;
        }
        if !resolve(path, target).is_some_and(|it| exists(&it, files)) {
            findings.push(Finding::new(
                path,
                line,
                format!("the link to `{target}` leads to no file of this repository"),
                "link to a file that is here, or write the name without a link",
            ));
        }
    }
    findings
}

/// Finds citations of a difference that has no entry.
pub(super) fn citations(path: &Path, text: &str, differences: &str) -> Vec<Finding> {
    let entries: BTreeSet<u32> = differences.lines().filter_map(entry).collect();
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for (begin, _) in line.match_indices(CITATION) {
            let Some(number) = leading_number(&line[begin + CITATION.len()..]) else {
                continue;
            };
            if !entries.contains(&number) {
                findings.push(Finding::new(
                    path,
                    at + 1,
                    format!("D{number} is cited, but {DIFFERENCES} has no entry D{number}"),
                    "number the difference there, or cite the entry that is meant",
                ));
            }
        }
    }
    findings
}

/// An entry is a line that begins with its number, whatever marks it:
/// `## D3. Title`, `- **D3** text`, `| D3 | text |`.
fn entry(line: &str) -> Option<u32> {
    let text = line.trim_start_matches(['#', '-', '*', '|', ' ', '[', '`']);
    leading_number(text.strip_prefix('D')?)
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// Each link's target and line, outside code.
fn targets(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        if line.starts_with('[')
            && let Some((_, target)) = line.split_once("]: ")
        {
            found.push((at + 1, first_word(target)));
        }
        for (begin, _) in line.match_indices("](") {
            let is_code = line[..begin].matches('`').count() % 2 == 1;
            if let Some((target, _)) = line[begin + 2..].split_once(')')
                && !is_code
            {
                found.push((at + 1, first_word(target)));
            }
        }
    }
    found
}

/// A target may be in angle brackets and followed by a title.
fn first_word(target: &str) -> &str {
    let word = target.split_whitespace().next().unwrap_or_default();
    word.trim_start_matches('<').trim_end_matches('>')
}

/// The file from the root of the checkout; none if the target leaves it.
fn resolve(document: &Path, target: &str) -> Option<PathBuf> {
    let mut path = match target.starts_with('/') {
        true => PathBuf::new(),
        false => document.parent()?.to_path_buf(),
    };
    for part in Path::new(target).components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => {
                if !path.pop() {
                    return None;
                }
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some(path)
}

/// A file, or a folder with files in it.
fn exists(path: &Path, files: &Files) -> bool {
    path.as_os_str().is_empty() || files.keys().any(|file| file.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(|finding| format!("{}: {}", finding.line, finding.wrong)).collect()
    }

    /// A document `docs/a.md` beside `docs/b.md`, with `crates/x/src/lib.rs` and `README.md` above.
    fn check_links(text: &str, expect: &[&str]) {
        let files: Files = ["docs/a.md", "docs/b.md", "crates/x/src/lib.rs", "README.md"]
            .iter()
            .map(|path| (PathBuf::from(path), Vec::new()))
            .collect();
        assert_eq!(told(&links(Path::new("docs/a.md"), text, &files)), expect);
    }

    #[test]
    fn links_to_files_here_are_accepted() {
        check_links("[b](b.md), [b](./b.md#part) and [me](#part)", &[]);
        check_links("[x](../crates/x), ![x](../crates/x/src/lib.rs \"title\")", &[]);
        check_links("[r](/README.md) [root](..) [web](https://example.com/x.md)", &[]);
        check_links("[b]: b.md\n[m](mailto:a@b.c) [a](<b.md>)", &[]);
        check_links("```\n[x](gone.md)\n```\n`[x](gone.md)`", &[]);
    }

    #[test]
    fn links_to_nowhere_are_refused() {
        let refused = |target| format!("1: the link to `{target}` leads to no file of this repository");
        for target in ["gone.md", "../b.md", "../../shared/x.md", "/docs", "../crates/y", "b"] {
            let expect = refused(target);
            let expect: &[&str] = if target == "/docs" { &[] } else { &[&expect] };
            check_links(&format!("[x]({target})"), expect);
        }
        check_links("[x](gone.md#part)", &[&refused("gone.md")]);
        check_links("[x]: gone.md", &[&refused("gone.md")]);
        check_links("```\n```\n`a` [x](gone.md)", &["3: the link to `gone.md` leads to no file of this repository"]);
    }

    /// The citations are of these numbers, on line 2.
    fn check_citations(numbers: &str, differences: &str, expect: &[&str]) {
        let text = format!("//! x\n// {CITATION}{numbers}");
        assert_eq!(told(&citations(Path::new("a.rs"), &text, differences)), expect);
    }

    #[test]
    fn cited_differences_have_an_entry() {
        check_citations("3", "## D3. Title", &[]);
        check_citations("3, and so on", "- **D3** text", &[]);
        check_citations("12", "| D12 | text |", &[]);
        check_citations("one", "", &[]);
        let refused = &["2: D3 is cited, but docs/differences.md has no entry D3"];
        check_citations("3", "## D31. Title\nas D3 says\nD", refused);
        check_citations("3", "", refused);
    }
}
