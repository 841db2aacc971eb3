//! `headway-bench drive`: how many decisions a second, with what is told of them.

use std::time::Duration;

use crate::plan::{Figure, table};
use crate::tell;

mod decisions;

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// For how long each figure is measured.
    pub(crate) span: Duration,
}

/// Measures and prints the table.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    tell::remark("measuring decisions")?;
    let figures: Vec<Figure> = decisions::measure(options.span)?;
    tell::answer(&table(&figures))
}
