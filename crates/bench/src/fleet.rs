//! `headway-bench fleet`: what `headway status` costs on a management cluster of many clusters, against reading the same
//! bytes of a recording, and against `kubectl get` of the same kinds from a real API server; and what the operator costs
//! there, and how soon it tells.
//!
//! Every measurement runs in a process of its own; the rounds alternate, so that a busy moment hits all of them.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::status::{Sample, headway, read_all, sample_of};
use crate::tell;

mod objects;
mod operator;
mod recording;
mod server;
mod table;

pub(crate) use objects::Size;

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// How large the fleet is.
    pub(crate) size: Size,
    /// Runs of each job.
    pub(crate) runs: u32,
    /// The `headway` to measure, when it is not the one beside this program.
    pub(crate) headway: Option<PathBuf>,
    /// The same of `headway-operator`.
    pub(crate) operator: Option<PathBuf>,
}

/// What was measured.
pub(crate) struct Measured {
    /// Bytes of the recording.
    bytes: u64,
    /// Reading every byte of it.
    read: Sample,
    /// `headway status` of it.
    recorded: Sample,
    /// `kubectl get -o json` of the kinds, one after the other in pages of 500.
    get: Sample,
    /// The same as tables for people.
    tables: Sample,
    /// `headway status -A` of the running cluster.
    live: Sample,
    /// How long the API server took to be filled.
    filled_in: Duration,
    /// The operator there.
    operator: operator::Measured,
}

/// Measures and prints the table.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let headway = headway(options.headway.as_deref())?;
    let program = crate::operator::program(options.operator.as_deref())?;
    let folder = tempfile::tempdir().context("cannot make a folder for the recording")?;
    tell::remark("writing the recording")?;
    recording::write(options.size, folder.path())?;
    let mut status = Command::new(&headway);
    status.args(["status", "-A", "--at", objects::NOW, "--from"]).arg(folder.path());
    check(&mut status, options.size)?;
    tell::remark("measuring the recording")?;
    let (mut read, mut recorded) = (None, None);
    let mut bytes = 0;
    for _ in 0..options.runs {
        let (sample, total) = read_all(folder.path())?;
        bytes = total;
        keep(&mut read, sample);
        keep(&mut recorded, sample_of(&status)?);
    }
    tell::remark("filling a real API server; this takes minutes")?;
    let server = server::Server::start(options.size)?;
    let mut live = Command::new(&headway);
    live.args(["status", "-A", "--kubeconfig"]).arg(server.kubeconfig());
    check(&mut live, options.size)?;
    tell::remark("measuring the API server")?;
    let (mut get, mut tables, mut told) = (None, None, None);
    for _ in 0..options.runs {
        keep(&mut get, sample_of(&server.get("json"))?);
        keep(&mut told, sample_of(&live)?);
        keep(&mut tables, sample_of(&server.get("wide"))?);
    }
    let operator = operator::measure(&server, &program, options.size)?;
    let missing = || anyhow::anyhow!("nothing was measured: --runs is 0");
    let measured = Measured {
        bytes,
        read: read.ok_or_else(missing)?,
        recorded: recorded.ok_or_else(missing)?,
        get: get.ok_or_else(missing)?,
        tables: tables.ok_or_else(missing)?,
        live: told.ok_or_else(missing)?,
        filled_in: server.filled_in,
        operator,
    };
    table::print(&measured, options)
}

/// Noise only ever adds time, so the least counts; a peak that occurs at all must be paid for, so the largest counts.
fn keep(kept: &mut Option<Sample>, new: Sample) {
    *kept = Some(kept.map_or(new, |kept| kept.with(new)));
}

/// Runs the program once, unmeasured, and looks at what it says: a fast wrong answer must not give a figure.
fn check(command: &mut Command, size: Size) -> anyhow::Result<()> {
    let output = command.output().context("cannot start headway")?;
    let told = String::from_utf8_lossy(&output.stdout);
    let rows = told.lines().filter(|line| line.contains(objects::NAMESPACE)).count();
    if !output.status.success() || rows != size.clusters {
        let remarks = String::from_utf8_lossy(&output.stderr);
        let first = remarks.lines().next().unwrap_or("nothing");
        bail!("{command:?} ended with {} and {rows} rows of {}; it said: {first}", output.status, size.clusters);
    }
    Ok(())
}
