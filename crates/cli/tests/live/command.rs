//! The binary, with no environment but what a test gives it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

/// The root of the repository.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// `headway status` with arguments, not run yet.
pub(super) fn status(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headway"));
    command.env_clear().env("HOME", "/nonexistent").current_dir(root()).arg("status").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `headway status`.
pub(super) fn run(arguments: &[&str]) -> Ran {
    let output = status(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs it against a running cluster.
pub(super) fn of_cluster(kubeconfig: &Path, more: &[&str]) -> Ran {
    run(&[&["--kubeconfig", kubeconfig.to_str().unwrap()], more].concat())
}
