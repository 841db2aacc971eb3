//! Compiling the programs of the test environment, once a version.
//!
//! They are for tests only: nothing that is compiled here is part of what
//! Headway distributes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};
use headway_testenv::{Environment, Missing, Program, Programs, Versions};
use tempfile::TempDir;

use super::go::Go;
use crate::program;

/// Compiles what is missing and gives all of them.
///
/// Guarantees: a program that is there is whole, because it is moved into
/// place when it is finished. Two runs at once are safe: the second waits for
/// the first and finds its work.
pub(crate) fn build() -> anyhow::Result<Programs> {
    let environment = Environment::read()?;
    if let Ok(programs) = Programs::find(environment.clone()) {
        return Ok(programs);
    }
    let (folder, _held) = claim(&environment)?;

    let missing = Missing::of(&environment);
    refuse_named(&environment, &missing)?;
    if !missing.programs.is_empty() {
        compile(&folder, &missing)?;
    }
    Ok(Programs::find(environment)?)
}

/// The folder that everything is kept in, for us alone as long as the file is held.
pub(super) fn claim(environment: &Environment) -> anyhow::Result<(PathBuf, File)> {
    let folder = std::path::absolute(environment.cache.join("testenv")).context("cannot tell where the cache is")?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let held = lock(&folder.join("lock"))?;
    Ok((folder, held))
}

/// A folder in it for what is not finished; it goes with the value.
pub(super) fn unfinished(folder: &Path) -> anyhow::Result<TempDir> {
    let made = tempfile::Builder::new().prefix(".building-").tempdir_in(folder);
    made.with_context(|| format!("cannot make a folder in {}", folder.display()))
}

/// Waits for another run that compiles; the kernel lets go of the lock when
/// its holder ends.
fn lock(path: &Path) -> anyhow::Result<File> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    if file.try_lock().is_err() {
        println!("env: another run compiles the test environment; waiting for it");
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    }
    Ok(file)
}

/// What a variable promises to be in a folder, we do not put there.
fn refuse_named(environment: &Environment, missing: &Missing) -> anyhow::Result<()> {
    for (program, path) in &missing.programs {
        if *path != program.compiled(&environment.cache) {
            let variable = if environment.programs.is_some() { "HEADWAY_TESTENV" } else { "KUBEBUILDER_ASSETS" };
            bail!(
                "{variable} names a folder without {program}: {} is not there; unset it to have it compiled",
                path.display()
            );
        }
    }
    Ok(())
}

fn compile(folder: &Path, missing: &Missing) -> anyhow::Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("the test environment runs on Linux only: its supervisor asks the kernel to end what it leaves behind");
    }
    let module = program::root().join("testenv");
    let go = Go::find(&module)?;
    let names: Vec<&str> = missing.programs.iter().map(|(program, _)| program.name()).collect();
    let log = folder.join("build.log");
    println!("env: compiling, once, below {}: {}", folder.display(), names.join(", "));
    if missing.programs.iter().any(|(program, _)| *program == Program::KubeApiserver) {
        println!("env: the first time that is ten minutes on two idle cores; progress in {}", log.display());
    }
    let begun = Instant::now();
    let output = unfinished(folder)?;
    let mut command = go.command(&module);
    command.args([
        "build",
        "-mod=readonly",
        "-buildvcs=false",
        "-trimpath",
        "-ldflags",
        &linker_flags(&Versions::current()),
    ]);
    command.arg("-o").arg(format!("{}/", output.path().display()));
    command.args(missing.programs.iter().map(|(program, _)| package(*program)));
    run(&mut command, &log)?;
    for (program, path) in &missing.programs {
        move_into_place(&output.path().join(compiled_name(*program)), path)?;
    }
    println!("env: compiled in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The main package of each.
fn package(program: Program) -> &'static str {
    match program {
        Program::Supervisor => "headway.dev/testenv/supervisor",
        Program::Etcd => "go.etcd.io/etcd/server/v3",
        Program::KubeApiserver => "k8s.io/kubernetes/cmd/kube-apiserver",
        Program::Kubectl => "k8s.io/kubernetes/cmd/kubectl",
        Program::Helm => "helm.sh/helm/v4/cmd/helm",
    }
}

/// Go names a program after the last word of its package.
fn compiled_name(program: Program) -> &'static str {
    match program {
        Program::Supervisor => "supervisor",
        Program::Etcd => "server",
        Program::KubeApiserver | Program::Kubectl | Program::Helm => program.name(),
    }
}

/// Without its version in it, an API server calls itself v0.0.0-master, and
/// clients that compare versions refuse it. A program that does not have a
/// variable ignores it, so one line does for all.
fn linker_flags(versions: &Versions) -> String {
    let Versions { kubernetes, helm, etcd: _ } = versions;
    let mut numbers = kubernetes.trim_start_matches('v').split('.');
    let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    let kubernetes = [
        ("gitVersion", kubernetes.as_str()),
        ("gitMajor", major),
        ("gitMinor", minor),
        ("gitTreeState", "clean"),
        // It was compiled from a module, which does not tell its commit.
        ("gitCommit", "0000000000000000000000000000000000000000"),
        ("buildDate", "2026-01-01T00:00:00Z"),
    ];
    let set: String =
        kubernetes.map(|(name, value)| format!(" -X k8s.io/component-base/version.{name}={value}")).concat();
    format!("-s -w{set} -X helm.sh/helm/v4/internal/version.version={helm}")
}

/// Keeps what Go tells, which is hundreds of lines of downloads, in a file.
pub(super) fn run(command: &mut Command, log: &Path) -> anyhow::Result<()> {
    let written = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let status =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(written).status().context("cannot start go")?;
    if !status.success() {
        let told = fs::read_to_string(log).unwrap_or_default();
        let lines: Vec<&str> = told.lines().filter(|line| !line.starts_with("go: downloading ")).collect();
        let end = lines[lines.len().saturating_sub(20)..].join("\n");
        bail!(
            "cannot compile the test environment, for which the Go module proxy is needed once; go ended with {status} \
             and said:\n{end}"
        );
    }
    Ok(())
}

pub(super) fn move_into_place(from: &Path, to: &Path) -> anyhow::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::rename(from, to).with_context(|| format!("cannot move {} to {}", from.display(), to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_stamped() {
        let versions = Versions { etcd: "v3.6.16".into(), kubernetes: "v1.36.3".into(), helm: "v4.2.4".into() };
        let flags = linker_flags(&versions);
        for expect in
            ["version.gitVersion=v1.36.3 ", "version.gitMajor=1 ", "version.gitMinor=36 ", "/version.version=v4.2.4"]
        {
            assert!(flags.contains(expect), "{expect} in {flags}");
        }
    }

    #[test]
    fn a_named_folder_is_not_filled() {
        let check = |environment: Environment, expect: Option<&str>| {
            let told = refuse_named(&environment, &Missing::of(&environment)).err().map(|error| error.to_string());
            assert_eq!(told.as_deref(), expect);
        };
        let nowhere = || Some(PathBuf::from("/nowhere"));
        let cache = PathBuf::from("/nowhere/cache");
        check(Environment { programs: None, assets: None, cache: cache.clone(), keep: None }, None);
        check(
            Environment { programs: None, assets: nowhere(), cache: cache.clone(), keep: None },
            Some(
                "KUBEBUILDER_ASSETS names a folder without etcd: /nowhere/etcd is not there; unset it to have it compiled",
            ),
        );
        check(
            Environment { programs: nowhere(), assets: None, cache, keep: None },
            Some(
                "HEADWAY_TESTENV names a folder without headway-testenv: /nowhere/headway-testenv is not there; unset it to have it compiled",
            ),
        );
    }
}
