//! The `headway` that is measured: where it is, and whether it answers at all.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::job::status_command;
use crate::recording::TARGET_VERSION;

/// The program to measure: the one named, or the one built beside this one.
pub(crate) fn headway(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => std::env::current_exe().context("cannot tell where this program is")?.with_file_name("headway"),
    };
    if !path.is_file() {
        bail!(
            "there is no {}: build it with `cargo build --release --package headway-cli`, or name one with --headway",
            path.display()
        );
    }
    // The jobs run it by this path, wherever they are started.
    path.canonicalize().with_context(|| format!("cannot find {}", path.display()))
}

/// Runs the program once, unmeasured, and looks at what it says: a fast wrong answer must not give a figure.
pub(super) fn check_answer(program: &Path, recording: &Path) -> anyhow::Result<()> {
    let output =
        status_command(program, recording).output().with_context(|| format!("cannot start {}", program.display()))?;
    let told = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || !told.contains(TARGET_VERSION) {
        let remarks = String::from_utf8_lossy(&output.stderr);
        bail!(
            "{} status --from {} ended with {} and does not name {TARGET_VERSION}; it said: {}",
            program.display(),
            recording.display(),
            output.status,
            remarks.lines().next().unwrap_or("nothing")
        );
    }
    Ok(())
}
