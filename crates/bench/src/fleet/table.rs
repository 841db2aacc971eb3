//! The figures, each with what it should be.

use std::fmt::Write as _;
use std::time::Duration;

use super::operator::Span;
use super::{Measured, Options, operator};
use crate::status::Sample;
use crate::tell;

/// `headway status` of the running cluster takes at most so many times what kubectl takes.
const LIVE: f64 = 1.5;

/// The operator's resident memory, in millions of bytes.
const MEMORY: f64 = 200.0;

/// Prints the table.
pub(super) fn print(measured: &Measured, options: &Options) -> anyhow::Result<()> {
    let mut out = String::from("| figure | value | aim | met |\n|---|---:|---:|---|\n");
    let cells = of_status(measured).into_iter().chain(of_operator(&measured.operator));
    for Cells { name, value, aim } in cells {
        let (aim, met) = aim.map_or(("-".into(), "-"), |(aim, met)| (aim, if met { "yes" } else { "**no**" }));
        let _ = writeln!(out, "| {name} | {value} | {aim} | {met} |");
    }
    out.push_str(&surroundings(measured, options));
    tell::answer(&out)
}

/// A line of the table.
struct Cells {
    name: &'static str,
    value: String,
    /// What it should be, and whether it is.
    aim: Option<(String, bool)>,
}

fn of_status(measured: &Measured) -> Vec<Cells> {
    let Measured { bytes, read, recorded, get, tables, live, filled_in: _, operator: _ } = measured;
    let ratio = |one: &Sample, other: &Sample| one.seconds() / other.seconds();
    let against = ratio(live, get);
    let row = |name: &'static str, value: String| Cells { name, value, aim: None };
    vec![
        row("running: `headway status -A`", seconds(live)),
        row("running: `kubectl get -o json` of the same kinds", seconds(get)),
        Cells {
            name: "running: times what kubectl takes",
            value: format!("{against:.2}"),
            aim: Some((format!("at most {LIVE}"), against <= LIVE)),
        },
        row("running: times what `kubectl get` takes for tables", format!("{:.2}", ratio(live, tables))),
        row("running: peak memory", megabytes(live.peak())),
        row("running: peak memory of kubectl", megabytes(get.peak())),
        row("recorded: size in MB", format!("{:.0}", number(*bytes) / 1e6)),
        row("recorded: `headway status -A --from`", seconds(recorded)),
        row("recorded: times what reading the bytes takes", format!("{:.2}", ratio(recorded, read))),
        row("recorded: peak memory", megabytes(recorded.peak())),
    ]
}

fn of_operator(measured: &operator::Measured) -> Vec<Cells> {
    let operator::Measured { first, all, started, rest, update, changes, lags, ended, largest } = measured;
    let row = |name: &'static str, value: String| Cells { name, value, aim: None };
    let memory = |name: &'static str, bytes: u64| Cells {
        name,
        value: megabytes(bytes),
        aim: Some((format!("< {MEMORY:.0} MB"), number(bytes) / 1e6 < MEMORY)),
    };
    let busy = |span: &Span| format!("{:.1} %", 100.0 * span.processor.as_secs_f64() / span.lasted.as_secs_f64());
    let count = |count: usize| u64::try_from(count).map_or(f64::INFINITY, number);
    vec![
        row("operator: from the start to the first status", told(*first)),
        row("operator: from the start to a status of every cluster", told(*all)),
        memory("operator: resident memory at rest after the start", started.resident),
        memory("operator: resident memory after the changes", ended.resident),
        row("operator: peak memory", megabytes(ended.peak)),
        row("operator: writes in a minute without changes", rest.writes.to_string()),
        row("operator: writes a change", format!("{:.2}", count(update.writes) / count(*changes).max(1.0))),
        row("operator: from a change to the written status, median", part(lags, 50)),
        row("operator: the same, 99th percentile", part(lags, 99)),
        row("operator: processor at rest", busy(rest)),
        row("operator: processor with two changes a second", busy(update)),
        row("operator: largest status", format!("{:.1} KB", count(*largest) / 1e3)),
    ]
}

fn surroundings(measured: &Measured, options: &Options) -> String {
    let (size, operator) = (options.size, &measured.operator);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let build =
        if cfg!(debug_assertions) { "**a debug build: these figures mean nothing**" } else { "a release build" };
    format!(
        "\nMeasured: {build}, {cores} cores, which the API server shares; load at the end {load}. {} clusters, each with {} pools and {} machines, {} objects, written in {:.0} s; {} changes. Least time and largest peak of {} runs.",
        size.clusters,
        size.pools,
        size.machines,
        size.objects().count(),
        measured.filled_in.as_secs_f64(),
        operator.changes,
        options.runs,
    )
}

/// The value below which so many hundredths of all are.
fn part(sorted: &[Duration], hundredths: usize) -> String {
    let at = (sorted.len() * hundredths).div_ceil(100).max(1) - 1;
    sorted.get(at).map_or("-".to_owned(), |lag| told(*lag))
}

fn told(span: Duration) -> String {
    format!("{:.2} s", span.as_secs_f64())
}

fn seconds(sample: &Sample) -> String {
    format!("{:.2} s", sample.seconds())
}

fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", number(bytes) / 1e6)
}

fn number(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "figures are told with three digits")]
    let number = count as f64;
    number
}
