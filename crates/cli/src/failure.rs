//! Errors as people see them, and their exit code: 1 for all, as kubectl has it (design, section 8).

use std::process::ExitCode;

use clap::error::ErrorKind;

use crate::{output, render};

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads what is written: no error.
    ClosedPipe,
    /// Something to tell.
    Told(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Told(error)
    }
}

/// Prints an error with its causes on one line.
pub(crate) fn tell(error: &anyhow::Error) -> ExitCode {
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    output::remark(&format!("error: {}", render::clean(&chain.join(": "))));
    ExitCode::from(1)
}

/// Prints what clap has to say: help and version are no errors, all else is one of usage.
pub(crate) fn of_usage(error: &clap::Error) -> ExitCode {
    // The stream may be closed; there is nobody left to tell.
    drop(error.print());
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}
