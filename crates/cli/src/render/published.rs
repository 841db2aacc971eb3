//! What is printed of a report is printed of the objects that it is published as: from the report to the objects, to
//! JSON and back, and to a report again.

mod kept;

use std::fs;
use std::path::{Path, PathBuf};

use headway_api::report::{ClockSource, Condition, Report, Truth};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_cluster::gather::{self, Limits};
use headway_core::assess::{Rules, assess};
use headway_core::memory::Memory;
use headway_core::publish::{self, CUT, Level, Writer};
use headway_core::snapshot::{Moment, Snapshot, clock};
use jiff::Timestamp;

use super::{Columns, Details, Look, text};

/// The report on a recording, as the command line has it.
fn report(paths: &[PathBuf], at: Option<Timestamp>) -> Report {
    let gathered = gather::files(paths, &Limits::default()).expect("the recording can be read");
    let moment = match (at, gathered.recorded_at) {
        (Some(at), _) => Moment { at, source: ClockSource::Given },
        (None, Some(at)) => Moment { at, source: ClockSource::Recording },
        (None, None) => clock::from_facts(&gathered.snapshot),
    };
    assess(&Snapshot { moment, ..gathered.snapshot }, Rules::Headway)
}

fn writer() -> Writer<'static> {
    let well = |status: Truth| Condition { status, reason: "AsExpected".into(), message: String::new(), since: None };
    Writer {
        renderer: "headway-operator/test",
        generation: 1,
        available: well(Truth::True),
        degraded: well(Truth::False),
        informers: &[],
    }
}

/// The report that comes back from the objects, as their store gives them back.
fn through_the_api(report: &Report) -> Report {
    let memory = Memory::default();
    let writer = writer();
    let source = publish::Source { report, memory: &memory, writer: &writer, past: None };
    let published = publish::status(source, Level::FULL);
    assert_eq!(published.level, Level::FULL, "a recording of this size is told whole");
    let json = serde_json::to_string(&published.status).expect("a status is JSON");
    let status: Status = serde_json::from_str(&json).expect("what was written can be read");
    assert_eq!(status, published.status);
    let shards: Vec<PoolNodes> = publish::shards(source, |_| None)
        .into_iter()
        .map(|shard| serde_json::from_str(&serde_json::to_string(&shard.status).expect("JSON")).expect("it reads"))
        .collect();
    publish::read("UpdateStatus/cluster", &status, &shards.iter().collect::<Vec<_>>()).expect("it was written")
}

/// Whether a text is another one but for parts that were cut, of which what is there must agree.
fn agrees(whole: &str, told: &str) -> Result<(), String> {
    let mut whole = whole.lines().peekable();
    let mut told = told.lines().peekable();
    while let Some(line) = told.next() {
        let Some(expected) = whole.next() else {
            return Err(format!("more is told: {line}"));
        };
        if line == expected {
            continue;
        }
        match line.split_once(CUT) {
            Some((begin, _)) if expected.starts_with(begin) => {
                // Of a text of many lines, those after the cut are not there.
                let next = told.peek().copied();
                while whole.peek().is_some() && whole.peek().copied() != next {
                    whole.next();
                }
            }
            _ => return Err(format!("- {expected}\n+ {line}")),
        }
    }
    whole.next().map_or(Ok(()), |missing| Err(format!("not told: {missing}")))
}

const LOOKS: [(&str, Columns, bool); 4] = [
    ("status", Columns::Usual, false),
    ("status --details=all", Columns::Usual, true),
    ("status -o wide", Columns::Wide, false),
    ("status -o wide --details=all", Columns::Wide, true),
];

/// Compares what is printed of a recording and of what it is published as.
fn check(name: &str, paths: &[PathBuf], at: Option<Timestamp>) {
    let report = report(paths, at);
    let back = through_the_api(&report);
    assert_eq!((back.outcome, back.activity, back.clock), (report.outcome, report.activity, report.clock), "{name}");
    for (command, columns, all) in LOOKS {
        let details = Details { nodes: all, health: all, operators: all };
        let look = Look { details, columns, ..Look::default() };
        if let Err(difference) = agrees(&text(&report, &look), &text(&back, &look)) {
            panic!("{name}, {command}:\n{difference}");
        }
    }
    assert_eq!(back.gaps.len(), report.gaps.len(), "{name}: {:?}", back.gaps);
}

#[test]
fn examples_are_told_alike_through_the_api() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for entry in fs::read_dir(root.join("examples")).expect("the repository has a folder of examples") {
        let folder = entry.expect("a folder that can be listed").path();
        // Those of plans are elsewhere, in a folder of folders.
        if !folder.join("README.md").is_file() {
            continue;
        }
        let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
        let words: Vec<&str> = args.lines().collect();
        let value = |flag: &str| words.windows(2).find(|pair| pair[0] == flag).map(|pair| pair[1]);
        let paths = vec![value("--from").map_or(folder.clone(), |path| root.join(path))];
        let at = value("--at").map(|at| at.parse().expect("a time"));
        check(&folder.display().to_string(), &paths, at);
        seen += 1;
    }
    assert!(seen >= 20, "{seen} examples");
}

#[test]
fn recorded_clusters_are_told_alike_through_the_api() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/oc-status");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("NOT CHECKED: {} is not there", folder.display());
        return;
    };
    let mut seen = 0;
    for entry in entries {
        let path = entry.expect("a file that can be listed").path();
        if path.to_string_lossy().ends_with("-cv.yaml") {
            check(&path.display().to_string(), &[path], None);
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen} recordings");
}

#[test]
fn a_cut_text_agrees_up_to_the_cut() {
    assert_eq!(agrees("a\nlong line\nmore\nend", "a\nlong…\nend"), Ok(()));
    assert_eq!(agrees("a\nb", "a\nb"), Ok(()));
    assert!(agrees("a\nlong line", "a\nlonely…").is_err());
    assert!(agrees("a\nb", "a").is_err());
    assert!(agrees("a", "a\nb").is_err());
}
