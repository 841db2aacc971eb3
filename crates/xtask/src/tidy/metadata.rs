//! What cargo says of the workspace: the parts of `cargo metadata` that tidy
//! and codegen use, and what each package sees when it is built.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use crate::program;

/// The workspace.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    /// The packages of the workspace, without those they depend on.
    pub(super) packages: Vec<Package>,
    /// Where cargo builds.
    pub(crate) target_directory: PathBuf,
}

/// A package of ours.
#[derive(Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest_path: PathBuf,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) targets: Vec<Target>,
}

/// A line of a manifest.
#[derive(Deserialize)]
pub(super) struct Dependency {
    /// The package's name, also where the manifest renames it.
    pub(super) name: String,
    #[serde(default)]
    pub(super) kind: Option<Kind>,
}

/// Absent for the dependencies of the program itself.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// Of its tests.
    Dev,
    /// Of its build script.
    Build,
}

/// A crate root, declared or found by cargo.
#[derive(Deserialize)]
pub(super) struct Target {
    pub(super) src_path: PathBuf,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn read() -> anyhow::Result<Self> {
        let json = program::output(program::cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
        serde_json::from_slice(&json).context("cannot understand the answer of cargo metadata")
    }
}

impl Package {
    /// Its folder, from the root of the checkout.
    pub(super) fn folder(&self, root: &Path) -> anyhow::Result<PathBuf> {
        let folder = self.manifest_path.parent().unwrap_or(root);
        below(root, folder)
    }

    /// The files from which all its modules are reached, from the root of the checkout.
    pub(super) fn roots(&self, root: &Path) -> anyhow::Result<Vec<PathBuf>> {
        self.targets.iter().map(|target| below(root, &target.src_path)).collect()
    }

    /// Every package that gets compiled into this one, with all features, on any platform.
    ///
    /// The graph in `cargo metadata` cannot tell: it joins the features that
    /// any crate of the workspace asks for, so that `cluster` asking for a
    /// client of kube would show that client under `api` too. `cargo tree -p`
    /// resolves one package alone. What only runs inside the compiler
    /// (procedural macros, build scripts) is left out.
    pub(super) fn seen(&self) -> anyhow::Result<BTreeSet<String>> {
        let tree = program::output(program::cargo().args([
            "tree",
            "--package",
            &self.name,
            "--edges",
            "normal,no-proc-macro",
            "--target",
            "all",
            "--all-features",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ]))?;
        Ok(names(&String::from_utf8_lossy(&tree)))
    }
}

/// The first word of each line is a package's name.
fn names(tree: &str) -> BTreeSet<String> {
    tree.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn below(root: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    path.strip_prefix(root)
        .map(Path::to_path_buf)
        .with_context(|| format!("{} lies outside the checkout", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_gives_each_name_once() {
        let tree = "headway-api v0.1.0 (/x/crates/api)\nserde v1.0.228\nserde v1.0.228 (*)\n";
        let expect = BTreeSet::from(["headway-api".to_owned(), "serde".to_owned()]);
        assert_eq!(names(tree), expect);
    }

    #[test]
    fn metadata_is_read_from_what_cargo_writes() {
        let json = r#"{"packages": [{"name": "a", "version": "0.1.0", "manifest_path": "/x/crates/a/Cargo.toml",
            "dependencies": [{"name": "b", "kind": null}, {"name": "c", "kind": "dev"}],
            "targets": [{"kind": ["lib"], "src_path": "/x/crates/a/src/lib.rs"}]}],
            "target_directory": "/x/target"}"#;
        let metadata: Metadata = serde_json::from_str(json).unwrap();
        let package = &metadata.packages[0];
        let root = Path::new("/x");
        assert_eq!(package.folder(root).unwrap(), Path::new("crates/a"));
        assert_eq!(package.roots(root).unwrap(), [Path::new("crates/a/src/lib.rs")]);
        assert!(package.dependencies[0].kind.is_none());
        assert!(package.dependencies[1].kind == Some(Kind::Dev));
        assert!(package.folder(Path::new("/y")).is_err());
    }
}
