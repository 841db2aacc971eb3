//! Holds a plane until somebody kills it: the tests of the plane are that somebody.

use std::process::ExitCode;
use std::thread::park;

use headway_testenv::{Pids, Plane};

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a test reads the processes from its output")]
fn main() -> ExitCode {
    let plane = match Plane::start() {
        Ok(plane) => plane,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let Pids { supervisor, etcd, apiserver } = plane.pids();
    println!("{supervisor} {etcd} {apiserver} {}", plane.kubeconfig().display());
    loop {
        park();
    }
}
