//! Standard output for data, standard error for remarks.

use std::io::{self, Write};

use anyhow::Context;

use crate::failure::Failure;

/// Writes data to standard output.
pub(crate) fn write(data: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(data).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // Who reads has seen enough; `headway status | head -3` is no error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::ClosedPipe),
        Err(error) => Err(Failure::Told(anyhow::Error::new(error).context("cannot write to standard output"))),
    }
}

/// Writes one line to standard error. A closed standard error is nobody's error.
pub(crate) fn remark(line: &str) {
    let written = writeln!(io::stderr().lock(), "{line}").context("standard error is closed");
    drop(written);
}
