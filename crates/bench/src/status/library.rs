//! What is asked of `headway-cluster` itself: the same job through the general parser, and how much is handed to it.

use std::path::Path;

use headway_cluster::gather::{self, Gathered, Limits, Parser};
use headway_core::assess::{self, Rules};

/// Gathers and assesses the recording with the general YAML parser instead of ours.
///
/// What was gathered is handed back, so that its release is not measured.
pub(super) fn gather(recording: &Path) -> anyhow::Result<Gathered> {
    let limits = Limits { parser: Parser::Library, ..Limits::default() };
    let gathered = gather::files(&[recording.to_owned()], &limits)?;
    std::hint::black_box(assess::assess(&gathered.snapshot, Rules::Headway));
    Ok(gathered)
}

/// Of the YAML objects of the recording, the share that our reader hands over to the general parser, between 0 and 1.
pub(super) fn handed_over(recording: &Path) -> anyhow::Result<f64> {
    let stats = gather::files(&[recording.to_owned()], &Limits::default())?.stats;
    let all = stats.fast + stats.handed_over;
    anyhow::ensure!(all > 0, "{}: no YAML object was read", recording.display());
    #[expect(clippy::cast_precision_loss, reason = "counts of objects are far below 2^52")]
    Ok(stats.handed_over as f64 / all as f64)
}
