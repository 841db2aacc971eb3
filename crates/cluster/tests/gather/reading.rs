//! Gathering in a test, and what to ask of the result.

use std::path::{Path, PathBuf};

use headway_api::gap::{Gap, GapKind};
use headway_cluster::gather::{self, GatherError, Gathered, Limits};
use headway_core::snapshot::{AlertsSeen, Snapshot};

/// Gathers, within the usual bounds.
pub(super) fn gather(path: &Path) -> Result<Gathered, GatherError> {
    gather::files(&[path.to_owned()], &Limits::default())
}

/// Gathers with a bound on the size of files.
pub(super) fn gather_bounded(path: &Path, max_file_size: u64) -> Result<Gathered, GatherError> {
    gather::files(&[path.to_owned()], &Limits { max_file_size, ..Limits::default() })
}

/// Gathers what must be there.
pub(super) fn gathered(path: &Path) -> Gathered {
    gather(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The snapshot without what it says about alerts, which not every form holds.
pub(super) fn without_alerts(gathered: Gathered) -> Snapshot {
    Snapshot { alerts: AlertsSeen::default(), ..gathered.snapshot }
}

/// The gaps as lines, the folder of the test left out.
pub(super) fn told(gaps: &[Gap], folder: &Path) -> Vec<String> {
    let folder = format!("{}/", folder.display());
    gaps.iter().map(|gap| gap.to_string().replace(&folder, "")).collect()
}

/// Asserts that there is a gap of a kind that says all of this.
pub(super) fn assert_gap(gaps: &[Gap], kind: GapKind, says: &[&str]) {
    let fits = |gap: &&Gap| gap.kind == kind && says.iter().all(|part| gap.to_string().contains(part));
    let lines: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    assert!(gaps.iter().any(|gap| fits(&gap)), "no gap says {says:?}: {lines:#?}");
}

/// Names of the nodes, in the order of the snapshot.
pub(super) fn nodes(gathered: &Gathered) -> Vec<&str> {
    gathered.snapshot.nodes.iter().map(|node| node.metadata.name.as_str()).collect()
}

/// Several paths at once.
pub(super) fn gather_all(paths: &[PathBuf]) -> Result<Gathered, GatherError> {
    gather::files(paths, &Limits::default())
}
