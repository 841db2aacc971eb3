//! Compiling the managers of Cluster API, once a version.
//!
//! They are a group of their own, which only ring 3 asks for: they take as
//! long to compile as all other programs together.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use headway_testenv::Environment;
use headway_testenv::cluster_api::{Manager, version};

use super::build::{self, move_into_place, unfinished};
use super::cluster_api::{Missing, fetch, missing, module, package, unpacked};
use super::go::Go;

/// The module whose source is not compiled as it is.
const CHANGED: &str = "sigs.k8s.io/cluster-api/test";

/// The in-memory provider listens for its developers at a port that cannot be
/// chosen, so that a machine could run only one. With 0, the kernel gives it a
/// free one. Nothing else of Cluster API is changed.
const CHANGE: Change = Change {
    file: "infrastructure/inmemory/pkg/server/mux.go",
    from: "DefaultDebugPort = 19000",
    to: "DefaultDebugPort = 0",
};

struct Change {
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

/// Everything that ring 3 runs on: compiles and fetches what is missing.
///
/// Guarantees: as for the other programs, one that is there is whole, and two
/// runs at once are safe.
pub(crate) fn build_managers() -> anyhow::Result<()> {
    fetch(&build::build()?)?;
    let environment = Environment::read()?;
    let Some(Missing { managers, folder, _held }) = missing(&environment, Manager::program)? else {
        return Ok(());
    };
    let log = folder.join("build-cluster-api.log");
    let names: Vec<&str> = managers.iter().map(|manager| manager.name()).collect();
    println!("env: compiling, once, the managers of Cluster API {}: {}", version(), names.join(", "));
    println!("env: the first time that is up to ten minutes; progress in {}", log.display());
    let begun = Instant::now();
    let output = unfinished(&folder)?;
    let go = Go::find(&module())?;
    let modfile = changed_module(&go, output.path())?;
    for manager in managers {
        let written = output.path().join(manager.name());
        let mut command = go.command(&module());
        command.args(["build", "-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags", &linker_flags()]);
        command.arg("-modfile").arg(&modfile).arg("-o").arg(&written).arg(package(manager).0);
        build::run(&mut command, &log)?;
        move_into_place(&written, &manager.program(&environment.cache))?;
    }
    println!("env: compiled in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// A manager tells its version in the name it calls itself by.
fn linker_flags() -> String {
    format!("-s -w -X sigs.k8s.io/cluster-api/version.gitVersion={}", version())
}

/// Copies the module that is changed, for Go refuses to have files of its
/// cache replaced, and gives a `go.mod` that takes the copy.
fn changed_module(go: &Go, folder: &Path) -> anyhow::Result<PathBuf> {
    let copy = folder.join("changed");
    copy_folder(&unpacked(go, &module(), CHANGED)?, &copy)?;
    let file = copy.join(CHANGE.file);
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    write(&file, &changed(&text, &CHANGE)?)?;

    let modfile = folder.join("go.mod");
    let ours = module().join("go.mod");
    let text = fs::read_to_string(&ours).with_context(|| format!("cannot read {}", ours.display()))?;
    write(&modfile, format!("{text}\nreplace {CHANGED} => {}\n", copy.display()))?;
    let (sums, copied) = (module().join("go.sum"), folder.join("go.sum"));
    fs::copy(&sums, &copied).with_context(|| format!("cannot copy {}", sums.display()))?;
    Ok(modfile)
}

fn changed(text: &str, change: &Change) -> anyhow::Result<String> {
    let Change { file, from, to } = change;
    if text.matches(from).count() != 1 {
        bail!("Cluster API has changed: `{from}` is not once in {file} of {CHANGED}");
    }
    Ok(text.replacen(from, to, 1))
}

/// Files that may be written, unlike those in Go's cache.
fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let unreadable = || format!("cannot read {}", from.display());
    for entry in fs::read_dir(from).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().with_context(unreadable)?.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            write(&copy, text)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_changed_must_be_there_once() {
        let change = Change { file: "a.go", from: "= 1", to: "= 0" };
        assert_eq!(changed("x = 1\n", &change).unwrap(), "x = 0\n");
        for text in ["x = 2\n", "x = 1\ny = 1\n"] {
            let told = changed(text, &change).unwrap_err().to_string();
            assert!(told.starts_with("Cluster API has changed: `= 1` is not once in a.go"), "{told}");
        }
    }

    #[test]
    fn a_folder_is_copied_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/b/c"), "text").unwrap();
        copy_folder(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("a/b/c")).unwrap(), "text");
        let told = copy_folder(&folder.path().join("gone"), &to).unwrap_err().to_string();
        assert!(told.starts_with("cannot read "), "{told}");
    }
}
