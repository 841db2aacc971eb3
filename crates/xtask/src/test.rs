//! `cargo xtask test`: the test rings, from the one that needs nothing outwards.
//!
//! Ring 1 is `cargo test --workspace`: no cluster, no network, seconds.
//! A ring that needs more is a further step at the end of `run`, after ring 1,
//! so that the cheap failure is always seen first.

use crate::program;

/// Runs ring 1.
pub(crate) fn run() -> anyhow::Result<()> {
    program::run(program::cargo().args(["test", "--workspace"]))
}
