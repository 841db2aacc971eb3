//! `cargo xtask test`: the test rings, from the one that needs nothing outwards.
//!
//! Ring 1 is `cargo test --workspace`: no cluster, no network, seconds. Ring 2
//! is the tests that start a real API server; they are marked as ignored, so
//! that ring 1 leaves them out, and tidy holds that nothing else is.
//! Ring 3 needs more and is a command of its own: `e2e.rs`.

use std::process::Command;
use std::thread::available_parallelism;

use crate::{env, program};

/// What an ignored test is named after when it is not of ring 2 (tidy holds
/// it): soak tests run for hours, those of ring 3 need managers (`e2e.rs`).
pub(crate) const OTHER_RINGS: [&str; 2] = ["soak_", "e2e_"];

/// Each test of ring 2 may run an API server of its own, which takes 350 MB
/// and keeps a core busy while it starts: more at once only wait for each other.
const MOST_AT_ONCE: usize = 4;

/// Runs rings 1 and 2.
pub(crate) fn run() -> anyhow::Result<()> {
    program::run(program::cargo().args(["test", "--workspace"]))?;
    env::fetch_cluster_api(&env::build()?)?;
    program::run(&mut ring_2())
}

fn ring_2() -> Command {
    let threads = available_parallelism().map_or(1, |cores| cores.get().min(MOST_AT_ONCE));
    let mut command = program::cargo();
    // No examples in comments: among those, "ignored" has another meaning.
    command.args(["test", "--workspace", "--lib", "--bins", "--tests", "--", "--ignored"]);
    command.arg("--test-threads").arg(threads.to_string());
    command.args(OTHER_RINGS.iter().flat_map(|name| ["--skip", name]));
    command
}
