//! `cargo xtask bench NAME`: one benchmark, optimised as the released binary is without LTO.

use crate::{env, program};

/// Which benchmark to run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Name of the benchmark
    name: String,
    /// Handed to the benchmark as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Builds it and the program that it measures, and runs it; what it prints is its own.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    if matches!(arguments.name.as_str(), "operator" | "fleet") {
        env::build()?;
    }
    let measured: &[&str] = match arguments.name.as_str() {
        "operator" => &["headway-operator"],
        "fleet" => &["headway-cli", "headway-operator"],
        // Measured within the bench's own process.
        "plan" | "drive" => &[],
        _ => &["headway-cli"],
    };
    // One at a time: what the bench asks of a crate is not to be in the program that is measured.
    for package in measured.iter().chain(&["headway-bench"]) {
        program::run(program::cargo().args(["build", "--release", "--quiet", "-p", package]))?;
    }
    program::run(
        program::cargo()
            .args(["run", "--release", "--quiet", "-p", "headway-bench", "--"])
            .arg(&arguments.name)
            .args(&arguments.arguments),
    )
}
