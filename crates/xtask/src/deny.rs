//! cargo-deny: installed once a version outside the checkout, then run without the network.
//!
//! What it forbids is in `deny.toml`. Security advisories are not checked:
//! their database cannot be reached where our CI runs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, bail};
use headway_testenv::Environment;

use crate::program;

/// The version that reads our `deny.toml`; a new one is a new folder in the cache.
const VERSION: &str = "0.20.2";

/// What it checks.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// cargo-deny on its way into the cache, or there already.
///
/// Guarantees: a binary that is there is whole, because cargo moves it into
/// place when it is finished. Two runs at once are safe: the second waits on
/// cargo's lock. Dropped before it is finished, the work is stopped.
pub(crate) struct Install {
    folder: PathBuf,
    work: Option<Child>,
}

impl Install {
    /// Starts to compile it in the background, unless it is in the cache.
    pub(crate) fn begin() -> anyhow::Result<Self> {
        let cache = std::path::absolute(Environment::read()?.cache).context("cannot tell where the cache is")?;
        let folder = cache.join(format!("cargo-deny-{VERSION}"));
        let mut install = Self { folder, work: None };
        if install.binary().exists() {
            return Ok(install);
        }
        println!("ci: cargo-deny {VERSION} is compiled meanwhile, once, into {}", install.folder.display());
        fs::create_dir_all(&install.folder).with_context(|| format!("cannot make {}", install.folder.display()))?;
        let log = File::create(install.log()).with_context(|| format!("cannot write {}", install.log().display()))?;
        let work = install.command().stdout(Stdio::null()).stderr(log).spawn();
        install.work = Some(work.context("cannot start cargo install")?);
        Ok(install)
    }

    /// The check as a person would run it.
    pub(crate) fn alone(&self) -> String {
        format!("{} check {}", self.binary().display(), CHECKS.join(" "))
    }

    /// Waits until it is there and says where.
    pub(crate) fn finish(mut self) -> anyhow::Result<PathBuf> {
        if let Some(mut work) = self.work.take() {
            let status = work.wait().context("cannot wait for cargo install")?;
            if !status.success() {
                let log = fs::read_to_string(self.log()).unwrap_or_default();
                bail!("cannot install cargo-deny, for which crates.io is needed once; cargo said:\n{}", log.trim_end());
            }
            // Half a gigabyte that nothing reads again; left over, it harms only the disk.
            let _ = fs::remove_dir_all(self.build());
        }
        Ok(self.binary())
    }

    /// Unoptimised and without debug information: 90 s on two idle cores. Its
    /// release profile asks for fat LTO in one unit, and a check that takes a
    /// second has nothing to gain from that.
    fn command(&self) -> Command {
        let mut command = program::cargo();
        command
            .args(["install", "cargo-deny", "--locked", "--debug"])
            .args(["--version", &format!("={VERSION}")])
            .arg("--root")
            .arg(&self.folder)
            .arg("--target-dir")
            .arg(self.build())
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_STRIP", "symbols")
            .env("CARGO_INCREMENTAL", "0");
        command
    }

    fn binary(&self) -> PathBuf {
        let name = format!("cargo-deny{}", std::env::consts::EXE_SUFFIX);
        self.folder.join("bin").join(name)
    }

    fn build(&self) -> PathBuf {
        self.folder.join("build")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("install.log")
    }
}

impl Drop for Install {
    fn drop(&mut self) {
        if let Some(work) = &mut self.work {
            // It may have ended by itself just now, which is as good.
            let _ = work.kill();
            let _ = work.wait();
        }
    }
}

/// The check itself, on the packages that cargo has already fetched.
pub(crate) fn check_command(binary: &Path) -> Command {
    let mut command = program::started_at_root(binary);
    command.args(["--offline", "--locked", "--log-level", "warn"]).arg("check").args(CHECKS);
    command
}
