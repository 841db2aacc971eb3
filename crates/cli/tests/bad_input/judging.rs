//! Reading and judging a damaged recording, and what must hold whatever the damage.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use headway_api::report::{ClockSource, Outcome, Report};
use headway_cluster::gather::{self, Limits};
use headway_core::assess::{self, Rules};
use headway_core::snapshot::{Moment, Snapshot, clock};

use super::originals::Original;

/// How long one recording of at most a few megabytes may take, in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Gathers and judges; the error is that of the gathering.
///
/// By the peer's rules it is judged too: only that it ends matters there.
pub(super) fn judge(from: &Path) -> Result<Report, String> {
    let gathered = gather::files(&[from.to_owned()], &Limits::default()).map_err(|error| error.to_string())?;
    let moment = clock::of_peer(&gathered.snapshot);
    let snapshot = Snapshot { moment, ..gathered.snapshot };
    if assess::refusal_of_peer(&snapshot).is_none() {
        drop(assess::assess(&snapshot, Rules::Oc { grace: moment.at }));
    }
    let moment = match gathered.recorded_at {
        Some(at) => Moment { at, source: ClockSource::Recording },
        None => clock::from_facts(&snapshot),
    };
    Ok(assess::assess(&Snapshot { moment, ..snapshot }, Rules::Headway))
}

/// Judges a damaged recording and asserts what must hold of every one. A panic, in whatever thread, fails the test.
pub(super) fn check(damaged: &Original, whole: Outcome, what: &str) -> Result<Report, String> {
    let folder = tempfile::tempdir().unwrap();
    let from = damaged.write(folder.path());
    let start = Instant::now();
    let judged = judge(&from);
    assert!(start.elapsed() < PATIENCE, "{what} took {:?}", start.elapsed());
    match &judged {
        Err(error) => assert!(error.contains(&folder.path().display().to_string()), "{what}: names no path: {error}"),
        Ok(report) => {
            let serious: Vec<String> =
                report.gaps.iter().filter(|gap| gap.kind.is_serious()).map(ToString::to_string).collect();
            let success = report.outcome == Outcome::NotUpdating;
            assert!(!success || serious.is_empty(), "{what}: success with {serious:#?}");
            assert!(!success || whole == Outcome::NotUpdating, "{what}: {whole:?} became success");
            for gap in &report.gaps {
                assert!(!gap.message.is_empty() && !gap.message.contains('\n'), "{what}: {gap:?}");
            }
        }
    }
    judged
}

/// Runs the binary on a recording in each form of output, and asserts how it ends.
pub(super) fn run(damaged: &Original, what: &str) {
    let folder = tempfile::tempdir().unwrap();
    let from = damaged.write(folder.path());
    for more in [&["--details", "all"][..], &["-o", "wide"], &["-o", "json"], &["--compat", "oc", "--details", "all"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_headway"))
            .env_clear()
            .args(["status", "--from"])
            .arg(&from)
            .args(more)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked"), "{what} {more:?}: {err}");
        match output.status.code() {
            Some(0) => assert!(!output.stdout.is_empty(), "{what} {more:?}"),
            Some(1) => assert!(output.stdout.is_empty() && err.contains("error: "), "{what} {more:?}: {err}"),
            other => panic!("{what} {more:?}: {other:?}: {err}"),
        }
    }
}
