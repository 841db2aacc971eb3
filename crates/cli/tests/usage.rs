//! The command on the command line: what a kubectl user expects of flags, files, pipes, terminals and exit codes.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test says what it means by failing, and says so when it cannot run"
)]

mod usage {
    mod approving;
    mod command;
    mod driving;
    mod exit_codes;
    mod extension;
    mod flags;
    mod fleet;
    mod hostile;
    mod paths;
    mod pipes;
    mod planning;
    mod reaching;
    mod recording;
    mod simulating;
    mod terminal;
}
