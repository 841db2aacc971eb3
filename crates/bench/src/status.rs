//! `headway-bench status`: what `headway status` costs on large recordings, against reading the same bytes.
//!
//! Every measurement runs in a process of its own, so that its peak memory is its own; the rounds of the jobs
//! alternate, so that a busy moment of the machine hits all of them. Aims are the business of [`figures`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::recording::{Form, Recording, Syntax};
use crate::tell;

mod figures;
mod job;
mod library;
mod misses;
mod program;
mod rounds;
mod store;
mod table;

pub(crate) use job::{Job, Sample, read_all};
pub(crate) use program::headway;

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// Number of nodes for the figures that have an aim.
    pub(crate) nodes: u32,
    /// Numbers of nodes at which growth is measured.
    pub(crate) scale: Vec<u32>,
    /// Runs of each job.
    pub(crate) runs: u32,
    /// The `headway` to measure, when it is not the one beside this program.
    pub(crate) headway: Option<PathBuf>,
    /// Where recordings are kept between runs.
    pub(crate) cache: Option<PathBuf>,
}

/// Measures and prints the table.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let headway = headway(options.headway.as_deref())?;
    let store = store::Store::open(options.cache.as_deref())?;
    let mut results = Vec::new();
    for recording in wanted(options) {
        tell::remark(&format!("measuring {}", recording.name()))?;
        let entry = store.recording(&recording)?;
        program::check_answer(&headway, &entry)?;
        results.push(rounds::measure(recording, &entry, &headway, options)?);
    }
    let figures = figures::figures(&results, options);
    table::print(&figures, &results, options)
}

/// Does one job in this process and prints what it cost, as one line of JSON.
pub(crate) fn measure_here(job: &Job, recording: &Path) -> anyhow::Result<()> {
    let sample = job.run(recording)?;
    tell::answer(&serde_json::to_string(&sample)?)
}

/// Runs a command as the one child of this process and prints what it cost, as one line of JSON.
pub(crate) fn measure_command(program: &Path, arguments: &[OsString]) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments);
    tell::answer(&serde_json::to_string(&job::child(&mut command)?)?)
}

/// What a command costs: it is run as the one child of a process of its own, which inherits nothing of ours.
pub(crate) fn sample_of(command: &Command) -> anyhow::Result<Sample> {
    let own = std::env::current_exe().context("cannot tell where this program is")?;
    let mut measure = Command::new(own);
    measure.arg("measure-command").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => measure.env(name, value),
            None => measure.env_remove(name),
        };
    }
    let output = measure.output().context("cannot start this program")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("what was measured cannot be read")
}

/// All recordings to measure, small ones first: every form at the main size, and growth in YAML.
fn wanted(options: &Options) -> BTreeSet<Recording> {
    let mut wanted = BTreeSet::from([Recording { nodes: options.nodes, form: Form::TarGz, syntax: Syntax::Yaml }]);
    for form in [Form::Flat, Form::MustGather] {
        for syntax in [Syntax::Yaml, Syntax::Json] {
            wanted.insert(Recording { nodes: options.nodes, form, syntax });
        }
        wanted.extend(options.scale.iter().map(|nodes| Recording { nodes: *nodes, form, syntax: Syntax::Yaml }));
    }
    wanted
}
