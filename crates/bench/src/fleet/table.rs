//! The figures, each with what it should be.

use std::fmt::Write as _;

use super::{Measured, Options};
use crate::status::Sample;
use crate::tell;

/// `headway status` of the running cluster takes at most so many times what kubectl takes.
const LIVE: f64 = 1.5;

/// Prints the table.
pub(super) fn print(measured: &Measured, options: &Options) -> anyhow::Result<()> {
    let Measured { bytes, read, recorded, get, tables, live } = measured;
    let size = options.size;
    let mut out = String::from("| figure | value | aim | met |\n|---|---:|---:|---|\n");
    let mut row = |name: &str, value: String, aim: Option<bool>| {
        let (aim, met) = match aim {
            None => ("-", "-"),
            Some(true) => ("at most 1.5", "yes"),
            Some(false) => ("at most 1.5", "**no**"),
        };
        let _ = writeln!(out, "| {name} | {value} | {aim} | {met} |");
    };
    let ratio = |one: &Sample, other: &Sample| one.seconds() / other.seconds();
    let against = ratio(live, get);
    row("running: `headway status -A`", seconds(live), None);
    row("running: `kubectl get -o json` of the same kinds", seconds(get), None);
    row("running: times what kubectl takes", format!("{against:.2}"), Some(against <= LIVE));
    row("running: times what `kubectl get` takes for tables", format!("{:.2}", ratio(live, tables)), None);
    row("running: peak memory", megabytes(live), None);
    row("running: peak memory of kubectl", megabytes(get), None);
    row("recorded: size in MB", format!("{:.0}", number(*bytes) / 1e6), None);
    row("recorded: `headway status -A --from`", seconds(recorded), None);
    row("recorded: times what reading the bytes takes", format!("{:.2}", ratio(recorded, read)), None);
    row("recorded: peak memory", megabytes(recorded), None);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let build =
        if cfg!(debug_assertions) { "**a debug build: these figures mean nothing**" } else { "a release build" };
    let _ = write!(
        out,
        "\nMeasured: {build}, {cores} cores; {} clusters, each with {} pools and {} machines.",
        size.clusters, size.pools, size.machines
    );
    tell::answer(&out)
}

fn seconds(sample: &Sample) -> String {
    format!("{:.2} s", sample.seconds())
}

fn megabytes(sample: &Sample) -> String {
    format!("{:.0} MB", number(sample.peak()) / 1e6)
}

fn number(count: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "figures are told with three digits")]
    let number = count as f64;
    number
}
