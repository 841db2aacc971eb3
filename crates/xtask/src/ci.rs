//! `cargo xtask ci`: what must pass before a change lands.
//!
//! Rust with rustfmt and clippy must be installed, and Go for the test
//! environment; crates.io and the Go module proxy must be reachable when
//! something is not in their caches. The first step that fails ends the run and
//! says how to run it alone.

use std::time::{Duration, Instant};

use anyhow::Context;

use crate::{codegen, deny, e2e, env, program, test, tidy};

/// Runs every step in order.
pub(crate) fn run() -> anyhow::Result<()> {
    let begun = Instant::now();
    // Compiled while the steps before it run: much of either is a single
    // thread, and two cores are idle half of that time.
    let cargo_deny = deny::Install::begin()?;

    // All platforms' packages, which cargo-deny asks for later without the
    // network. Fails as well when Cargo.lock is not what the manifests ask for.
    step("fetch", "cargo fetch --locked", || program::run(program::cargo().args(["fetch", "--locked"])))?;
    step("fmt", "cargo fmt --all", || program::run(program::cargo().args(["fmt", "--all", "--check"])))?;
    step("clippy", "cargo clippy --workspace --all-targets -- -D warnings", clippy)?;
    step("tidy", "cargo xtask tidy", tidy::run)?;
    step("go", "gofmt -l testenv; cd testenv && go vet ./...; cd argocd && go test ./...", env::check_sources)?;
    step("codegen", "cargo xtask codegen --check", || codegen::run(&codegen::Arguments { check: true }))?;
    step("deny", &cargo_deny.alone(), || program::run(&mut deny::check_command(&cargo_deny.finish()?)))?;
    step("test", "cargo xtask test", test::run)?;
    step("e2e", "cargo xtask e2e", e2e::run)?;

    println!("ci: all passed in {}", seconds(begun.elapsed()));
    Ok(())
}

fn step(name: &str, alone: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("ci: {name}");
    let begun = Instant::now();
    let outcome = work();
    let took = seconds(begun.elapsed());
    outcome.with_context(|| format!("ci stopped: {name} failed after {took}; alone it runs as `{alone}`"))?;
    println!("ci: {name} passed in {took}");
    Ok(())
}

fn clippy() -> anyhow::Result<()> {
    program::run(program::cargo().args(["clippy", "--workspace", "--all-targets"]).args(["--", "-D", "warnings"]))
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn a_step_that_fails_says_which_and_how_to_run_it() {
        let error = step("tidy", "cargo xtask tidy", || bail!("two things")).unwrap_err();
        let told = format!("{error:#}");
        assert!(told.starts_with("ci stopped: tidy failed after "), "{told}");
        assert!(told.ends_with("; alone it runs as `cargo xtask tidy`: two things"), "{told}");
        assert!(step("tidy", "cargo xtask tidy", || Ok(())).is_ok());
    }
}
