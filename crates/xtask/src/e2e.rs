//! `cargo xtask e2e`: ring 3, the tests that run on the real managers of Cluster API.
//!
//! Its first run compiles them; `cargo xtask test` needs none of them.

use std::process::Command;

use crate::{env, program};

/// How every test of ring 3 is named (tidy holds it).
const NAME: &str = "e2e_";

/// Runs ring 3.
pub(crate) fn run() -> anyhow::Result<()> {
    env::build_managers()?;
    program::run(&mut ring_3())
}

fn ring_3() -> Command {
    let mut command = program::cargo();
    command.args(["test", "--workspace", "--lib", "--bins", "--tests", "--", "--ignored"]);
    // One at a time: the managers of one keep two cores busy, and what these
    // tests wait for is measured in seconds.
    command.args(["--test-threads", "1", NAME]);
    command
}
