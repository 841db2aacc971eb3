//! Runs each job several times, each time in a new process, and keeps the least time and the largest peak.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use super::job::{self, Job, Sample};
use super::{Options, library};
use crate::recording::{Form, Recording, Syntax};

/// What was measured on one recording.
#[derive(Debug, Clone, Copy)]
pub(super) struct Result {
    /// On what.
    pub(super) recording: Recording,
    /// Bytes of all its files.
    pub(super) bytes: u64,
    /// Bytes of its largest file.
    pub(super) largest: u64,
    /// Reading the bytes.
    pub(super) read: Sample,
    /// Our job.
    pub(super) headway: Sample,
    /// The same job through the general parser, where that was measured.
    pub(super) library: Option<Sample>,
    /// The share that our reader hands over to the general parser, where that was measured.
    pub(super) handed_over: Option<f64>,
}

/// Measures all jobs on one recording, round by round.
pub(super) fn measure(recording: Recording, entry: &Path, headway: &Path, options: &Options) -> anyhow::Result<Result> {
    let (bytes, largest) = job::sizes(entry)?;
    // The general parser takes seconds, so that once is enough: in YAML, at the main size.
    let ask_library =
        recording.syntax == Syntax::Yaml && recording.nodes == options.nodes && recording.form != Form::TarGz;
    let ours = Job::Headway(headway.to_owned());
    // Brings the files into the page cache; what it costs does not count.
    in_child(&Job::Read, entry)?;
    let (mut read, mut own, mut library) = (None, None, None);
    for _ in 0..options.runs {
        read = better(read, Some(in_child(&Job::Read, entry)?));
        own = better(own, Some(in_child(&ours, entry)?));
        if ask_library {
            library = better(library, Some(in_child(&Job::Library, entry)?));
        }
    }
    Ok(Result {
        recording,
        bytes,
        largest,
        read: read.context("reading was not measured")?,
        headway: own.context("headway was not measured")?,
        library,
        handed_over: if recording.syntax == Syntax::Yaml { Some(library::handed_over(entry)?) } else { None },
    })
}

/// Noise only ever adds time, so the least counts; a peak that occurs at all must be paid for, so the largest counts.
fn better(kept: Option<Sample>, new: Option<Sample>) -> Option<Sample> {
    match (kept, new) {
        (Some(kept), Some(new)) => Some(kept.with(new)),
        (one, other) => one.or(other),
    }
}

/// Runs one job in a new process of this same program.
fn in_child(job: &Job, recording: &Path) -> anyhow::Result<Sample> {
    let mut command = Command::new(std::env::current_exe().context("cannot tell where this program is")?);
    command.arg("measure");
    match job {
        Job::Read => command.arg("read"),
        Job::Library => command.arg("library"),
        Job::Headway(program) => command.arg("headway").arg("--headway").arg(program),
    };
    let output = command
        .arg(recording)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start a measurement")?;
    if !output.status.success() {
        bail!("a measurement on {} ended with {}", recording.display(), output.status);
    }
    serde_json::from_slice(&output.stdout).context("a measurement did not answer in JSON")
}

#[cfg(test)]
mod tests {
    use super::{Sample, better};

    #[test]
    fn the_least_time_and_the_largest_peak_count() {
        let sample = |wall_us, cpu_us, peak| Some(Sample { wall_us, cpu_us, peak });
        assert_eq!(better(sample(5, 9, 70), sample(6, 8, 80)), sample(5, 8, 80));
        assert_eq!(better(None, sample(1, 2, 3)), sample(1, 2, 3));
        assert_eq!(better(sample(1, 2, 3), None), sample(1, 2, 3));
    }
}
