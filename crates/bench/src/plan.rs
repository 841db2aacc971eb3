//! `headway-bench plan`: how many plans a second, and how soon the hook server answers, how often, and what a client of
//! many clusters remembers.
//!
//! Server and client of the hooks share this process and its cores, over real TLS: what is measured is both.

use std::fmt::Write as _;
use std::time::Duration;

use crate::tell;

mod hooks;
mod plans;

pub(crate) use self::plans::rate;

/// What to measure.
#[derive(Debug)]
pub(crate) struct Options {
    /// For how long each figure is measured.
    pub(crate) span: Duration,
    /// How many clusters ask the server every five seconds.
    pub(crate) clusters: u32,
}

/// A line of the table.
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: String,
    /// What it should be, and whether it is.
    pub(crate) aim: Option<(&'static str, bool)>,
}

/// Measures and prints the table.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let mut figures = Vec::new();
    tell::remark("measuring plans")?;
    figures.extend(plans::measure(options.span)?);
    tell::remark("measuring hooks")?;
    figures.extend(hooks::measure(options)?);
    tell::answer(&table(&figures))
}

/// The table, and what it was measured on.
pub(crate) fn table(figures: &[Figure]) -> String {
    let mut out = String::from("| figure | value | aim | met |\n|---|---:|---:|---|\n");
    for Figure { name, value, aim } in figures {
        let (aim, met) = match aim {
            None => ("-", "-"),
            Some((aim, true)) => (*aim, "yes"),
            Some((aim, false)) => (*aim, "**no**"),
        };
        let _ = writeln!(out, "| {name} | {value} | {aim} | {met} |");
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let build =
        if cfg!(debug_assertions) { "**a debug build: these figures mean nothing**" } else { "a release build" };
    let _ = write!(out, "\nMeasured: {build}, {cores} cores, load at the end {load}.");
    out
}
