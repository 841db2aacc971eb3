//! `headway-bench`: measures Headway, and makes the data that it is measured on.
//!
//! Everything it says goes to standard output as Markdown; remarks go to standard error.

use std::process::ExitCode;

use clap::Parser as _;

mod args;
mod create;
mod drive;
mod fleet;
mod operator;
mod plan;
mod recording;
mod status;
mod tell;

/// The program's own, so that the general parser is not compared with another allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = args::Args::parse();
    // The one place that looks at the environment: where recordings are kept between runs.
    let cache = std::env::var_os("HEADWAY_CACHE").map(std::path::PathBuf::from);
    let done = match args.command {
        args::Command::MakeRecording(it) => it.recording().write(&it.out),
        args::Command::Status(it) => status::run(&it.options(cache)),
        args::Command::Operator(it) => operator::run(&it.options()),
        args::Command::Fleet(it) => fleet::run(&it.options()),
        args::Command::Drive(it) => drive::run(&it.options()),
        args::Command::Plan(it) => plan::run(&it.options()),
        args::Command::MeasureCommand(it) => status::measure_command(&it.program, &it.arguments),
        args::Command::Measure(it) => status::measure_here(&it.job(), &it.recording),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => args::complain(&error),
    }
}
