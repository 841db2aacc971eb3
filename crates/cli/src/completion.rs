//! `headway completion`: completion scripts for shells.

use std::process::ExitCode;

use clap::CommandFactory;

use crate::args::{Args, Completion};
use crate::failure::Failure;
use crate::output;

/// Writes the script for a shell.
pub(crate) fn run(args: &Completion) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "headway", &mut script);
    output::write(&script)?;
    Ok(ExitCode::SUCCESS)
}
