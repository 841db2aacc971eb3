//! Saying things: the answer on standard output, remarks on standard error.

use std::io::{self, Write as _};

use anyhow::Context as _;

/// Says something on standard output, with an end of line.
pub(crate) fn answer(text: &str) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{text}").context("cannot write to standard output")
}

/// Says something on standard error, with an end of line.
pub(crate) fn remark(text: &str) -> anyhow::Result<()> {
    writeln!(io::stderr(), "{text}").context("cannot write to standard error")
}
