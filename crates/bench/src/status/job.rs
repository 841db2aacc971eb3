//! The jobs that are measured, each run in a process that does nothing else.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use nix::sys::resource::{Usage, UsageWho, getrusage};
use serde::{Deserialize, Serialize};

use super::library;

/// One of the things that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Job {
    /// Read every byte of the recording into memory, one file at a time.
    Read,
    /// Gather the recording through the general YAML parser.
    Library,
    /// `headway status` from start to end, by the program at that path.
    Headway(PathBuf),
}

/// What one run of a job cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sample {
    /// Wall time, in microseconds.
    pub(super) wall_us: u64,
    /// Time of all processors, of the program and of the kernel for it, in microseconds.
    pub(super) cpu_us: u64,
    /// The most memory that was resident at once, in bytes.
    pub(super) peak: u64,
}

impl Sample {
    /// The least time and the largest peak of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            wall_us: self.wall_us.min(other.wall_us),
            cpu_us: self.cpu_us.min(other.cpu_us),
            peak: self.peak.max(other.peak),
        }
    }

    /// Wall time, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        Duration::from_micros(self.wall_us).as_secs_f64()
    }

    /// The most memory, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }
}

/// What reading every byte below a folder costs, and how many there are.
pub(crate) fn read_all(folder: &Path) -> anyhow::Result<(Sample, u64)> {
    let mut total = 0;
    let sample = here(|| {
        total = read(folder)?;
        Ok(())
    })?;
    Ok((sample, total))
}

impl Job {
    /// Runs the job and tells what it cost.
    ///
    /// Memory is that of the whole process: run one job in each.
    pub(super) fn run(&self, recording: &Path) -> anyhow::Result<Sample> {
        match self {
            Self::Read => here(|| read(&root(recording))),
            Self::Library => here(|| library::gather(recording)),
            Self::Headway(program) => child(&mut status_command(program, recording)),
        }
    }
}

/// The folder that holds all files of a recording, when `--from` is given one of them.
fn root(recording: &Path) -> PathBuf {
    let is_flat = recording.extension().is_some_and(|extension| extension == "yaml");
    if is_flat { recording.parent().unwrap_or(recording).to_owned() } else { recording.to_owned() }
}

/// Runs work in this process.
fn here<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<Sample> {
    let before = cpu(UsageWho::RUSAGE_SELF)?;
    let start = Instant::now();
    let kept = work()?;
    let wall = start.elapsed();
    let cpu = cpu(UsageWho::RUSAGE_SELF)?.saturating_sub(before);
    black_box(kept);
    Ok(Sample { wall_us: micros(wall), cpu_us: micros(cpu), peak: own_peak()? })
}

/// Runs the program as the one child of this process.
///
/// A child starts with the peak that this process has at that time, so it must not have done anything large before.
pub(super) fn child(command: &mut Command) -> anyhow::Result<Sample> {
    let start = Instant::now();
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let wall = start.elapsed();
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    let usage = usage(UsageWho::RUSAGE_CHILDREN)?;
    // Linux counts in KiB.
    let peak = u64::try_from(usage.max_rss())?.saturating_mul(1024);
    Ok(Sample { wall_us: micros(wall), cpu_us: micros(cpu_of(&usage)?), peak })
}

/// The command that is measured, in a sealed world.
pub(super) fn status_command(program: &Path, recording: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["status", "--from"]).arg(recording).stdin(Stdio::null()).env_clear();
    command
}

/// Reads a file, or every file below a folder, and keeps none; gives the number of bytes.
pub(super) fn read(path: &Path) -> anyhow::Result<u64> {
    let mut total = 0;
    if path.is_dir() {
        let folder = fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
        for entry in folder {
            total += read(&entry?.path())?;
        }
    } else {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        total += u64::try_from(black_box(bytes).len())?;
    }
    Ok(total)
}

/// The size of the recording and of its largest file.
pub(super) fn sizes(recording: &Path) -> anyhow::Result<(u64, u64)> {
    let mut open = vec![root(recording)];
    let (mut total, mut largest) = (0, 0);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else {
            let size = fs::metadata(&path)?.len();
            total += size;
            largest = largest.max(size);
        }
    }
    Ok((total, largest))
}

fn usage(who: UsageWho) -> anyhow::Result<Usage> {
    getrusage(who).context("cannot ask the system what was used")
}

fn cpu(who: UsageWho) -> anyhow::Result<Duration> {
    cpu_of(&usage(who)?)
}

fn cpu_of(usage: &Usage) -> anyhow::Result<Duration> {
    let mut sum = Duration::ZERO;
    for time in [usage.user_time(), usage.system_time()] {
        sum += Duration::new(u64::try_from(time.tv_sec())?, u32::try_from(time.tv_usec())?.saturating_mul(1_000));
    }
    Ok(sum)
}

/// The most memory that this program itself ever held; unlike `getrusage`, without that of the process it came from.
fn own_peak() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status").context("peak memory is read from Linux's /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("/proc/self/status has no VmHWM")?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim_end().parse().context("VmHWM is not a number")?;
    Ok(kib * 1024)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
