//! The binary in a sealed world: no environment but what a test gives it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ran {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

/// The command without its environment, and without a home: a kubeconfig there would lead to a real cluster.
pub(super) fn sealed(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", "/nonexistent").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The built binary.
pub(super) const HEADWAY: &str = env!("CARGO_BIN_EXE_headway");

/// Runs the binary with arguments.
pub(super) fn run(arguments: &[&str]) -> Ran {
    ended(&mut with(arguments), b"")
}

/// The binary with arguments, not run yet.
pub(super) fn with(arguments: &[&str]) -> Command {
    let mut command = sealed(HEADWAY);
    command.args(arguments);
    command
}

/// Runs `headway status --from PATH` with more arguments.
pub(super) fn status(path: &Path, more: &[&str]) -> Ran {
    let mut command = sealed(HEADWAY);
    command.args(["status", "--from"]).arg(path).args(more);
    ended(&mut command, b"")
}

/// Runs the binary with something to read.
pub(super) fn fed(arguments: &[&str], input: &[u8]) -> Ran {
    ended(with(arguments).stdin(Stdio::piped()), input)
}

/// Waits for a command that is fed with some input.
pub(super) fn ended(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the binary was built for this test");
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not want all of its input is no failure.
        drop(stdin.write_all(input));
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("what is printed is UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Asserts that a run failed as a usage or input error does, and says all of this.
pub(super) fn assert_failed(ran: &Ran, says: &[&str]) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    for part in says {
        assert!(ran.err.contains(part), "{part:?} is not in {:?}", ran.err);
    }
}
