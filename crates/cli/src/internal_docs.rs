//! `headway internal-docs`: the documents that are made from the code, for `cargo xtask codegen`.

use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::args::{Args, InternalDocs};
use crate::failure::Failure;

/// Writes the man pages.
pub(crate) fn run(args: &InternalDocs) -> Result<ExitCode, Failure> {
    let folder = args.out.join("man");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    clap_mangen::generate_to(Args::command(), &folder)
        .with_context(|| format!("cannot write below {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
