//! Gathering: files or a running cluster in, a snapshot with its gaps out.
//!
//! [`live`] asks a running cluster; all else here reads files.
//! One function per form of recording: [`flat`](fn@files) siblings of `NAME-cv.yaml`, a must-gather folder, the same
//! in an archive, and any set of YAML and JSON files. What cannot be read is a gap and never an error, unless nothing
//! at all could be read.

mod archive;
mod collect;
mod flat;
mod folder;
pub mod inventory;
pub mod live;
mod metered;
mod must_gather;
mod plain;
mod recognize;
mod recording;
mod source;

use std::io;
use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};
use headway_core::snapshot::Snapshot;
use jiff::Timestamp;

use self::collect::Collection;
pub use self::recording::{Recording, recording};
use self::source::Form;
pub use crate::object::{Parser, Stats};

/// What bounds the reading, and how it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Files and archive entries that are larger, in bytes, are refused.
    pub max_file_size: u64,
    /// Which parser reads YAML; the library alone only for comparison.
    pub parser: Parser,
    /// What becomes of an object that is found twice.
    pub duplicates: Duplicates,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_file_size: 1 << 30, parser: Parser::Fast, duplicates: Duplicates::First }
    }
}

/// What becomes of an object that is found twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    /// The first one counts, the other is a gap if it differs.
    First,
    /// Both count, as they do for the peer.
    All,
}

/// What was gathered.
#[derive(Debug, Clone, PartialEq)]
pub struct Gathered {
    /// The snapshot; its moment is not set yet.
    pub snapshot: Snapshot,
    /// When the recording says that it was made.
    pub recorded_at: Option<Timestamp>,
    /// How many YAML objects went to which reader.
    pub stats: Stats,
    /// Whether there are objects of clusters that this one keeps: it is a management cluster too.
    pub keeps_others: bool,
}

/// Why nothing could be gathered.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// A path that was named is not there.
    #[error("the path \"{path}\" does not exist")]
    NoSuchPath {
        /// The path as it was given.
        path: String,
    },
    /// A path that was named cannot be looked at.
    #[error("cannot read {path}")]
    Unreadable {
        /// The path as it was given.
        path: String,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
    /// Standard input could not be read.
    #[error("cannot read standard input")]
    Stdin(#[source] io::Error),
    /// There is nothing that a status could be told from.
    #[error("{}", nothing(.0, "no ClusterVersion, ClusterOperator, MachineConfigPool or Node among them"))]
    Nothing(Nothing),
    /// There is no Cluster that an upgrade could be planned for.
    #[error("{}", nothing(.0, "no Cluster of cluster.x-k8s.io among them"))]
    NoCluster(Nothing),
    /// What is not a file had to be read a second time.
    #[error("{path} is an archive of a management cluster, which is read twice, and what is not a file cannot be")]
    Once {
        /// The path as it was given.
        path: String,
    },
    /// There is no ClusterClass whose versions could be checked.
    #[error("{}", nothing(.0, "no ClusterClass of cluster.x-k8s.io among them"))]
    NoClusterClass(Nothing),
    /// There is no cluster that a management cluster would keep.
    #[error("{}", nothing(.0, "no Cluster of cluster.x-k8s.io and no HostedCluster among them"))]
    NoMember(Nothing),
}

/// What was found instead of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nothing {
    /// The paths as they were given.
    pub paths: Vec<String>,
    /// How many files were read.
    pub files: usize,
    /// How many objects of kinds that say nothing about an update were found.
    pub other_objects: usize,
    /// What could not be read.
    pub gaps: Vec<Gap>,
}

fn nothing(found: &Nothing, missing: &str) -> String {
    let Nothing { paths, files, other_objects, gaps } = found;
    let place = paths.join(", ");
    let what = match (files, other_objects) {
        (0, _) => format!("{place}: no YAML or JSON file and no must-gather found"),
        (files, 0) => format!("{place}: no Kubernetes object found in {files} file(s)"),
        (files, others) => format!("{place}: {others} object(s) in {files} file(s), but {missing}"),
    };
    let first = gaps.iter().find(|gap| gap.kind != GapKind::Optional);
    match first {
        Some(gap) if gaps.len() == 1 => format!("{what} ({gap})"),
        Some(gap) => format!("{what} ({gap}; {} more)", gaps.len() - 1),
        None => what,
    }
}

/// Gathers what was recorded in files and folders; `-` is standard input.
///
/// # Errors
/// A path that does not exist, a standard input that cannot be read, or nothing in all of it that says anything about
/// an update.
pub fn files(paths: &[PathBuf], limits: &Limits) -> Result<Gathered, GatherError> {
    let mut all = Collection::new(*limits);
    for path in paths {
        read(path, source::form_of(path, limits)?, &mut all);
    }
    finish(paths, all)
}

/// Reads what a path holds.
fn read(path: &Path, form: Form, all: &mut Collection) {
    match form {
        Form::Flat => flat::read(path, all),
        Form::MustGather(roots, gaps) => {
            all.gaps(gaps);
            must_gather::read(&roots, all);
        }
        Form::Archive(stream) => archive::read(&source::shown(path), stream, all),
        Form::Plain(files, gaps) => {
            all.gaps(gaps);
            plain::read(&files, all);
        }
        Form::Text(place, text) => plain::read_text(&place, text, all),
    }
}

fn finish(paths: &[PathBuf], all: Collection) -> Result<Gathered, GatherError> {
    let shown: Vec<String> = paths.iter().map(|path| source::shown(path)).collect();
    all.finish().map_err(|found| GatherError::Nothing(Nothing { paths: shown, ..found }))
}
