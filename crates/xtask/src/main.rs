//! `cargo xtask`: everything that is done to this repository rather than by it.
//!
//! Each command has its own file. Of our crates only `headway-testenv` is used
//! here: cargo and the binaries are started as a person would start them.

// What a command tells is its product, and a person at a terminal reads it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal; it has no other way to speak")]

mod bench;
mod ci;
mod codegen;
mod deny;
mod e2e;
mod env;
mod program;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tasks of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Everything that must pass before a change lands; `.ci/run` calls this
    Ci,
    /// The tests of this repository, those that need an API server too
    Test,
    /// The tests that need the managers of Cluster API, which are compiled first
    E2e,
    /// The rules of the house that no compiler knows
    Tidy,
    /// Write the generated files below deploy/crds, deploy/manifests and docs/generated
    Codegen(codegen::Arguments),
    /// The real etcd and API server that tests run on: compile them, start one, stop it
    Env(env::Arguments),
    /// Run one benchmark of crates/bench, optimised
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Ci => ci::run(),
        Task::Test => test::run(),
        Task::E2e => e2e::run(),
        Task::Tidy => tidy::run(),
        Task::Codegen(arguments) => codegen::run(&arguments),
        Task::Env(arguments) => env::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
