//! Runs the binary in a sealed world: no environment, no terminal, no input, and the root of the repository as the
//! current folder, so that paths print alike wherever it lies.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the program said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Standard output: data.
    pub(crate) out: String,
    /// Standard error: remarks.
    pub(crate) err: String,
    /// The exit code.
    pub(crate) code: i32,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the crate lies two folders below the root")
}

/// Runs `headway status` with further words.
pub(crate) fn status(words: &[&str]) -> Answer {
    headway(&[&["status"], words].concat())
}

/// Runs `headway` with words.
pub(crate) fn headway(words: &[&str]) -> Answer {
    let output = Command::new(env!("CARGO_BIN_EXE_headway"))
        .args(words)
        .env_clear()
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .expect("cargo has built the binary");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all that is printed is UTF-8");
    let code = output.status.code().expect("no signal ended the program");
    Answer { out: text(output.stdout), err: text(output.stderr), code }
}
