//! Recordings of this repository as reports, and who publishes them in tests.

use std::fs;
use std::path::{Path, PathBuf};

use headway_api::report::{ClockSource, Condition, Report, Truth};
use headway_cluster::gather::{self, Limits};
use headway_core::assess::{Rules, assess};
use headway_core::publish::Writer;
use headway_core::snapshot::{Moment, Snapshot, clock};
use jiff::Timestamp;

/// The checkout.
pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The report on a recording.
fn report(paths: &[PathBuf], at: Option<Timestamp>) -> Report {
    let gathered = gather::files(paths, &Limits::default()).unwrap();
    let moment = match at.or(gathered.recorded_at) {
        Some(at) => Moment { at, source: ClockSource::Given },
        None => clock::from_facts(&gathered.snapshot),
    };
    assess(&Snapshot { moment, ..gathered.snapshot }, Rules::Headway)
}

/// An example of ours by the name of its folder.
pub(super) fn example(folder: &Path) -> Report {
    let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
    let words: Vec<&str> = args.lines().collect();
    let value = |flag: &str| words.windows(2).find(|pair| pair[0] == flag).map(|pair| pair[1]);
    let path = value("--from").map_or(folder.to_path_buf(), |path| root().join(path));
    report(&[path], value("--at").map(|at| at.parse().unwrap()))
}

pub(super) fn writer() -> Writer<'static> {
    let well = |status: Truth| Condition { status, reason: "AsExpected".into(), message: String::new(), since: None };
    Writer {
        renderer: "headway-operator/test",
        generation: 1,
        available: well(Truth::True),
        degraded: well(Truth::False),
        informers: &[],
    }
}
