//! A plane in the background for a developer: `up` starts it, `down` stops it.
//!
//! What runs is written to a file below cargo's target folder, so each
//! checkout has at most one, and `down` stops nothing but that.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use headway_testenv::Program;
use serde::{Deserialize, Serialize};

use super::build;
use crate::tidy::metadata::Metadata;

/// How long the supervisor may take to end what it runs; it kills, so it takes a moment.
const PATIENCE: Duration = Duration::from_secs(30);

/// The plane that `up` started.
#[derive(Serialize, Deserialize)]
struct Running {
    pid: u32,
    executable: PathBuf,
    kubeconfig: PathBuf,
    server: String,
}

/// The parts of the supervisor's first line that we pass on.
#[derive(Deserialize)]
struct Ready {
    kubeconfig: PathBuf,
    server: String,
}

impl Running {
    /// A process may have got the number of another: it is ours only while it
    /// runs the program that we started.
    fn is_alive(&self) -> bool {
        fs::read_link(format!("/proc/{}/exe", self.pid)).is_ok_and(|path| path == self.executable)
    }

    fn tell(&self) {
        eprintln!("env: {} is up as process {}; `cargo xtask env down` stops it", self.server, self.pid);
        println!("export KUBECONFIG={}", self.kubeconfig.display());
    }
}

/// Starts one, unless there is one.
pub(super) fn up() -> anyhow::Result<()> {
    let folder = folder()?;
    if let Some(running) = read(&folder)?
        && running.is_alive()
    {
        running.tell();
        return Ok(());
    }
    let programs = build()?;
    // What is left of one that was killed.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let executable = programs.path(Program::Supervisor);
    let log = folder.join("supervisor.log");
    let written = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut child = Command::new(&executable)
        .args(["run", "--until-signal", "--dir"])
        .arg(folder.join("plane"))
        .arg("--etcd")
        .arg(programs.path(Program::Etcd))
        .arg("--kube-apiserver")
        .arg(programs.path(Program::KubeApiserver))
        .env_clear()
        // A group of its own: a Ctrl-C here is not meant for it.
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(written)
        .spawn()
        .with_context(|| format!("cannot start {}", executable.display()))?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line).context("cannot read from the supervisor")?;
    }
    let Ok(ready) = serde_json::from_str::<Ready>(&line) else {
        let _ = child.wait();
        bail!("the API server did not start:\n{}", fs::read_to_string(&log).unwrap_or_default().trim_end());
    };
    let executable = fs::canonicalize(&executable).with_context(|| format!("cannot find {}", executable.display()))?;
    let running = Running { pid: child.id(), executable, kubeconfig: ready.kubeconfig, server: ready.server };
    write(&folder, &running)?;
    running.tell();
    eprintln!(
        "env: kubectl {}, helm {}",
        programs.path(Program::Kubectl).display(),
        programs.path(Program::Helm).display()
    );
    Ok(())
}

/// Stops it, if it is the one that `up` started.
pub(super) fn down() -> anyhow::Result<()> {
    let folder = folder()?;
    let Some(running) = read(&folder)? else {
        println!("env: nothing is up");
        return Ok(());
    };
    if running.is_alive() {
        terminate(running.pid)?;
        let begun = Instant::now();
        while running.is_alive() {
            if begun.elapsed() > PATIENCE {
                bail!("process {} still runs after {} s; see {}", running.pid, PATIENCE.as_secs(), folder.display());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        println!("env: {} is down", running.server);
    } else {
        println!("env: {} was down already", running.server);
    }
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// By the shell's own kill: std has no call for it.
fn terminate(pid: u32) -> anyhow::Result<()> {
    let status = Command::new("/bin/sh").args(["-c", "kill -TERM \"$0\"", &pid.to_string()]).status();
    match status.context("cannot start /bin/sh")?.success() {
        true => Ok(()),
        false => bail!("cannot stop process {pid}"),
    }
}

fn folder() -> anyhow::Result<PathBuf> {
    Ok(Metadata::read()?.target_directory.join("testenv"))
}

fn state(folder: &Path) -> PathBuf {
    folder.join("up.json")
}

fn read(folder: &Path) -> anyhow::Result<Option<Running>> {
    let path = state(folder);
    match fs::read(&path) {
        Ok(text) => {
            serde_json::from_slice(&text).map(Some).with_context(|| format!("cannot understand {}", path.display()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn write(folder: &Path, running: &Running) -> anyhow::Result<()> {
    let path = state(folder);
    let text = serde_json::to_vec(running).context("cannot write down what runs")?;
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
