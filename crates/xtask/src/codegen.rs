//! `cargo xtask codegen`: files that the program writes about itself, kept in git.
//!
//! The program's hidden command `internal-docs FOLDER` writes them below FOLDER
//! as if that were the checkout, and touches nothing outside of it; what they
//! say is its business. Here the folders that hold generated files and nothing
//! else are made equal to those, or with `--check` found to be.

mod manifests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use similar::TextDiff;

use crate::program;
use crate::tidy::metadata::Metadata;

/// The folders of the checkout that hold what the program writes, and nothing else.
const GENERATED: [&str; 2] = ["deploy/crds", "docs/generated"];

/// Write, or only compare.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Change nothing; fail with the difference when a file is out of date
    #[arg(long)]
    pub(crate) check: bool,
}

/// Generated files as data: each file's path in the checkout, and its bytes.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Asks the program for its files, then writes them or compares them.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut fresh = generate()?;
    let root = program::root();
    let mut kept = read_generated(&root)?;
    // The chart takes the definitions along only by a link, so what it gives by default does not depend on them.
    if let Some(manifests) = manifests::render(&root)? {
        fresh.extend(manifests);
        kept.append(&mut read_tree(&root, Path::new(manifests::FOLDER))?);
    }
    let differences = compare(&kept, &fresh);
    if arguments.check { check(&differences) } else { write(&root, &differences) }
}

fn generate() -> anyhow::Result<Tree> {
    let target = Metadata::read()?.target_directory;
    let folder = target.join("codegen");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // As the tests compile it, with all of the workspace: alone, its dependencies would be compiled a second time with
    // fewer of their features, which takes minutes.
    program::run(program::cargo().args(["test", "--workspace", "--no-run", "--quiet"]))?;
    let headway = target.join("debug").join(format!("headway{}", std::env::consts::EXE_SUFFIX));
    program::run(Command::new(headway).arg("internal-docs").arg(&folder))?;
    let tree = read_tree(&folder, Path::new(""))?;
    for generated in GENERATED {
        if !tree.keys().any(|path| path.starts_with(generated)) {
            bail!("internal-docs wrote no file to {}", folder.join(generated).display());
        }
    }
    // A file elsewhere would be written on every run and compared on none.
    match tree.keys().find(|path| !GENERATED.iter().any(|generated| path.starts_with(generated))) {
        Some(stray) => bail!("internal-docs wrote {}, which is in none of {}", stray.display(), GENERATED.join(", ")),
        None => Ok(tree),
    }
}

/// The generated files as the checkout has them.
fn read_generated(root: &Path) -> anyhow::Result<Tree> {
    let mut tree = Tree::new();
    for generated in GENERATED {
        tree.append(&mut read_tree(root, Path::new(generated))?);
    }
    Ok(tree)
}

fn check(differences: &[Difference]) -> anyhow::Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    for difference in differences {
        print!("{difference}");
    }
    bail!("{} generated files are out of date; run `cargo xtask codegen` and commit what it changes", differences.len())
}

fn write(root: &Path, differences: &[Difference]) -> anyhow::Result<()> {
    for difference in differences {
        let path = root.join(&difference.path);
        match &difference.fresh {
            Some(bytes) => {
                let parent = path.parent().unwrap_or(root);
                fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
                fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
                println!("wrote {}", path.display());
            }
            None => {
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
                println!("removed {}", path.display());
            }
        }
    }
    Ok(())
}

/// The files below a folder of a root, by their paths below the root.
fn read_tree(root: &Path, folder: &Path) -> anyhow::Result<Tree> {
    let mut tree = Tree::new();
    let mut waiting = vec![root.join(folder)];
    while let Some(next) = waiting.pop() {
        if !next.exists() {
            continue;
        }
        let entries = fs::read_dir(&next).with_context(|| format!("cannot list {}", next.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                tree.insert(path.strip_prefix(root)?.to_path_buf(), bytes);
            }
        }
    }
    Ok(tree)
}

/// One file that is not as the program writes it. `None` means that there is no such file.
#[derive(Debug, PartialEq)]
struct Difference {
    path: PathBuf,
    kept: Option<Vec<u8>>,
    fresh: Option<Vec<u8>>,
}

fn compare(kept: &Tree, fresh: &Tree) -> Vec<Difference> {
    let paths: BTreeSet<&PathBuf> = kept.keys().chain(fresh.keys()).collect();
    paths
        .into_iter()
        .filter(|path| kept.get(*path) != fresh.get(*path))
        .map(|path| Difference { path: path.clone(), kept: kept.get(path).cloned(), fresh: fresh.get(path).cloned() })
        .collect()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, kept, fresh } = self;
        let path = path.display();
        match (kept, fresh) {
            (_, None) => writeln!(f, "{path}: no longer generated"),
            (None, Some(_)) => writeln!(f, "{path}: not there yet"),
            (Some(kept), Some(fresh)) => {
                let (kept, fresh) = (String::from_utf8_lossy(kept), String::from_utf8_lossy(fresh));
                let diff = TextDiff::from_lines(kept.as_ref(), fresh.as_ref());
                let mut unified = diff.unified_diff();
                unified.header(&format!("{path}"), "as generated now");
                write!(f, "{unified}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kept: &[(&str, &str)], fresh: &[(&str, &str)], expect: &str) {
        let tree = |files: &[(&str, &str)]| {
            files.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect::<Tree>()
        };
        let told: String = compare(&tree(kept), &tree(fresh)).iter().map(Difference::to_string).collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn differences_are_told_file_by_file() {
        check(&[], &[], "");
        check(&[("man/a.1", "x\n")], &[("man/a.1", "x\n")], "");
        check(&[("a", "x\n")], &[("b", "x\n")], "a: no longer generated\nb: not there yet\n");
        check(
            &[("a", "same\nold\n")],
            &[("a", "same\nnew\n")],
            "--- a\n+++ as generated now\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_compared_too() {
        let one = Tree::from([(PathBuf::from("a"), vec![0xff])]);
        let other = Tree::from([(PathBuf::from("a"), vec![0xfe])]);
        assert_eq!(compare(&one, &other).len(), 1);
        assert_eq!(compare(&one, &one), []);
    }
}
