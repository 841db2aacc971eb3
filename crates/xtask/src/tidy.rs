//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! This file reads the checkout and prints what the checks found. Each check is
//! a pure function in its own file, with a table of what it accepts and refuses.

mod answers;
mod copies;
mod dependencies;
mod documents;
pub(crate) mod metadata;
mod modules;
mod paths;
mod purity;
mod series;
mod source;
mod tokens;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::program;
use metadata::{Metadata, Package};

/// Something that breaks a rule, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: PathBuf,
    line: usize,
    wrong: String,
    instead: String,
}

impl Finding {
    fn new(path: &Path, line: usize, wrong: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { path: path.to_path_buf(), line, wrong: wrong.into(), instead: instead.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, wrong, instead } = self;
        write!(f, "{}:{line}: {wrong}; {instead}", path.display())
    }
}

/// Files by their path below the folder they were read from.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Checks the whole checkout.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = program::root();
    let metadata = Metadata::read()?;
    let gitignore = fs::read_to_string(root.join(".gitignore")).context("cannot read .gitignore")?;
    let mut ignored = ignored_folders(&gitignore)?;
    // It may lie in the checkout under a name that git does not know.
    if let Ok(target) = metadata.target_directory.strip_prefix(&root) {
        ignored.push(target.to_path_buf());
    }
    let files = read_files(&root, &ignored)?;
    let texts: BTreeMap<&Path, String> = files
        .iter()
        .filter(|(path, _)| path.extension().is_some_and(|it| it == "rs" || it == "md"))
        .map(|(path, bytes)| (path.as_path(), String::from_utf8_lossy(bytes).into_owned()))
        .collect();

    let mut findings = Vec::new();
    for package in &metadata.packages {
        findings.extend(package_findings(&root, package, &texts)?);
    }
    for (path, text) in &texts {
        findings.extend(text_findings(path, text, &metadata, &files));
    }
    findings.extend(answers::check(texts.get(Path::new(answers::ANSWERS)).map_or("", String::as_str), &texts));
    findings.extend(series::check(&files));
    findings.extend(copy_findings(&root, &files)?);
    findings.sort();
    findings.dedup();

    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("tidy: {} files, nothing to put right", files.len());
            Ok(())
        }
        count => bail!("tidy found {count} things to put right"),
    }
}

fn package_findings(root: &Path, package: &Package, texts: &BTreeMap<&Path, String>) -> anyhow::Result<Vec<Finding>> {
    let folder = package.folder(root)?;
    let manifest_path = folder.join("Cargo.toml");
    let manifest = fs::read_to_string(root.join(&manifest_path))
        .with_context(|| format!("cannot read {}", manifest_path.display()))?;
    let seen = package.seen()?;
    let mut findings = dependencies::check(&manifest_path, &manifest, package, &seen);
    findings.extend(modules::check(&folder, &package.roots(root)?, texts));
    Ok(findings)
}

fn text_findings(path: &Path, text: &str, metadata: &Metadata, files: &Files) -> Vec<Finding> {
    let differences = files.get(Path::new(documents::DIFFERENCES)).map(|bytes| String::from_utf8_lossy(bytes));
    if path.extension().is_some_and(|it| it == "md") {
        return documents::links(path, text, files);
    }
    let mut findings = source::check(path, text);
    if let Some(differences) = &differences {
        findings.extend(documents::citations(path, text, differences));
    }
    if dependencies::is_pure(path, metadata) {
        findings.extend(purity::check(path, text));
    }
    findings
}

fn copy_findings(root: &Path, files: &Files) -> anyhow::Result<Vec<Finding>> {
    let shared = root.join("../shared");
    if !shared.is_dir() {
        eprintln!("tidy: ../shared is not here, so copies of its files go unseen");
        return Ok(Vec::new());
    }
    Ok(copies::check(files, &read_files(&shared, &[])?))
}

/// The folders that .gitignore names. Git itself is not asked: a checkout may
/// have come as an archive, on a machine without git.
fn ignored_folders(gitignore: &str) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![PathBuf::from(".git")];
    for line in gitignore.lines().map(str::trim) {
        match line.strip_prefix('/') {
            Some(folder) if !folder.contains(['*', '?', '[']) => folders.push(folder.into()),
            None if line.is_empty() || line.starts_with('#') => {}
            _ => bail!(".gitignore: tidy understands only folders from the root, such as `/target`, not `{line}`"),
        }
    }
    Ok(folders)
}

fn read_files(root: &Path, ignored: &[PathBuf]) -> anyhow::Result<Files> {
    let mut files = Files::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(root.join(&folder))
            .with_context(|| format!("cannot list {}", root.join(&folder).display()))?;
        for entry in entries {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let kind = entry.file_type()?;
            if ignored.contains(&path) {
                continue;
            }
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_file() {
                let bytes =
                    fs::read(entry.path()).with_context(|| format!("cannot read {}", entry.path().display()))?;
                files.insert(path, bytes);
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_where_what_and_what_instead() {
        let finding = Finding::new(Path::new("a/b.rs"), 3, "this is wrong", "do that");
        assert_eq!(finding.to_string(), "a/b.rs:3: this is wrong; do that");
    }

    #[test]
    fn only_folders_from_the_root_are_ignored() {
        let ignored = |text| ignored_folders(text).ok();
        let expect = [".git", "target", "fuzz/target"].map(PathBuf::from);
        assert_eq!(ignored("/target\n\n# ours\n/fuzz/target/\n"), Some(expect.to_vec()));
        assert_eq!(ignored("*.tmp"), None);
        assert_eq!(ignored("/x/*"), None);
        assert_eq!(ignored("!/x"), None);
    }
}
