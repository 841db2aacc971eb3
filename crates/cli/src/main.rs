//! `headway`: what an update of a cluster is doing, whether it goes well, and what to do.
//!
//! Table of contents: arguments in `args`, the commands in files of their names, printing in `render`, errors and
//! exit codes in `failure`, time in `clock`, the way to a cluster in `access`.

mod access;
mod approve;
mod args;
mod clock;
mod completion;
mod drive;
mod extension;
mod failure;
mod gaps;
mod internal_docs;
mod output;
mod plan;
mod render;
mod simulate;
mod status;

use std::process::ExitCode;

use crate::args::Command;
use crate::failure::Failure;

/// Halves the time that turning text into objects takes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match args::parse() {
        Ok(args) => args,
        Err(error) => return failure::of_usage(&error),
    };
    let result = match args.command {
        Command::Status(args) => status::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Drive(args) => drive::run(&args),
        Command::Approve(args) => approve::run(&args),
        Command::Extension(args) => extension::run(&args),
        Command::Completion(args) => completion::run(&args),
        Command::InternalDocs(args) => internal_docs::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Told(error)) => failure::tell(&error),
    }
}
