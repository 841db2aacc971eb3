//! Cluster API out of its published Go modules, once a version.
//!
//! As the programs of the test environment, it is for tests only: nothing of
//! it is part of what Headway distributes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};
use headway_testenv::cluster_api::{Manager, version};
use headway_testenv::{Environment, Program, Programs};

use super::build::{claim, move_into_place, unfinished};
use super::go::Go;
use crate::program;

/// What kustomize notes for a tool that makes certificates; here, none does.
const INJECTION: &str = "cert-manager.io/inject-ca-from";

/// Writes down what an installation of each manager consists of, where it is
/// not written yet: seconds, for which no manager is compiled.
///
/// Guarantees: as for the programs, what is there is whole, and two runs at
/// once are safe.
pub(crate) fn fetch(programs: &Programs) -> anyhow::Result<()> {
    let environment = Environment::read()?;
    let Some(Missing { managers, folder, _held }) = missing(&environment, Manager::manifests)? else {
        return Ok(());
    };
    println!("env: fetching, once, the manifests of Cluster API {}", version());
    let begun = Instant::now();
    let module = module();
    let go = Go::find(&module)?;
    let rendering = unfinished(&folder)?;
    for manager in managers {
        let source = unpacked(&go, &module, package(manager).module())?.join(package(manager).folder());
        let written = rendering.path().join(manager.name());
        let kubectl = programs.path(Program::Kubectl);
        fs::write(&written, render(&kubectl, &source.join("config/default"), rendering.path())?)
            .with_context(|| format!("cannot write {}", written.display()))?;
        move_into_place(&written, &manager.manifests(&environment.cache))?;
    }
    println!("env: fetched in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Managers of which something is missing.
pub(super) struct Missing {
    pub(super) managers: Vec<Manager>,
    /// The folder that everything is kept in, for us alone as long as this is held.
    pub(super) folder: PathBuf,
    pub(super) _held: File,
}

/// The managers that have nothing yet at their place in the cache; `None` when none is missing. Waits for another run
/// that makes it, and then finds its work.
pub(super) fn missing(
    environment: &Environment,
    place: fn(Manager, &Path) -> PathBuf,
) -> anyhow::Result<Option<Missing>> {
    let missing = || {
        let is_missing = |manager: &Manager| !place(*manager, &environment.cache).is_file();
        Manager::ALL.into_iter().filter(is_missing).collect::<Vec<_>>()
    };
    if missing().is_empty() {
        return Ok(None);
    }
    let (folder, held) = claim(environment)?;
    let managers = missing();
    Ok((!managers.is_empty()).then_some(Missing { managers, folder, _held: held }))
}

/// Its versions are others than those of Kubernetes' own programs, so it is a
/// module beside theirs.
pub(super) fn module() -> PathBuf {
    program::root().join("testenv").join("cluster-api")
}

/// The main package of a manager; its manifests lie below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Package(pub(super) &'static str);

pub(super) fn package(manager: Manager) -> Package {
    Package(match manager {
        Manager::Core => "sigs.k8s.io/cluster-api/core",
        Manager::Bootstrap => "sigs.k8s.io/cluster-api/bootstrap/kubeadm",
        Manager::ControlPlane => "sigs.k8s.io/cluster-api/controlplane/kubeadm",
        Manager::Infrastructure => "sigs.k8s.io/cluster-api/test/infrastructure/docker",
    })
}

impl Package {
    fn module(self) -> &'static str {
        let test = "sigs.k8s.io/cluster-api/test";
        if self.0.starts_with(test) { test } else { "sigs.k8s.io/cluster-api" }
    }

    /// Below the folder of its module.
    fn folder(self) -> &'static str {
        self.0[self.module().len()..].trim_start_matches('/')
    }
}

/// Where Go has unpacked a module, which it downloads when it lacks it.
pub(super) fn unpacked(go: &Go, module: &Path, wanted: &str) -> anyhow::Result<PathBuf> {
    program::output(go.command(module).args(["mod", "download", wanted]))
        .context("cannot fetch Cluster API, for which the Go module proxy is needed once")?;
    let told = program::output(go.command(module).args(["list", "-m", "-f", "{{.Dir}}", wanted]))?;
    Ok(PathBuf::from(String::from_utf8_lossy(&told).trim()))
}

/// All objects as JSON, one after the other: kubectl reads YAML as an API
/// server would, so that no reader of ours can differ.
fn render(kubectl: &Path, source: &Path, folder: &Path) -> anyhow::Result<Vec<u8>> {
    let sealed = || {
        let mut command = Command::new(kubectl);
        command.current_dir(folder).env_clear().env("HOME", folder).env("PATH", "/usr/bin:/bin");
        command
    };
    let yaml = folder.join("rendered.yaml");
    fs::write(&yaml, program::output(sealed().arg("kustomize").arg(source))?)
        .with_context(|| format!("cannot write {}", yaml.display()))?;
    let mut annotate = sealed();
    annotate.args(["annotate", "--local", "--output=json", &format!("{INJECTION}-"), "--filename"]).arg(&yaml);
    let json = program::output(&mut annotate)?;
    if json.is_empty() {
        bail!("kubectl made no object of {}", source.display());
    }
    Ok(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_a_folder_of_its_module() {
        let check = |manager, module, folder| {
            assert_eq!((package(manager).module(), package(manager).folder()), (module, folder));
        };
        check(Manager::Core, "sigs.k8s.io/cluster-api", "core");
        check(Manager::Bootstrap, "sigs.k8s.io/cluster-api", "bootstrap/kubeadm");
        check(Manager::ControlPlane, "sigs.k8s.io/cluster-api", "controlplane/kubeadm");
        check(Manager::Infrastructure, "sigs.k8s.io/cluster-api/test", "infrastructure/docker");
    }

    #[test]
    fn every_package_is_a_tool_of_our_module() {
        let text = fs::read_to_string(module().join("go.mod")).unwrap();
        for manager in Manager::ALL {
            assert!(text.lines().any(|line| line.trim() == package(manager).0), "{manager}");
        }
    }
}
