//! Prints the figures as a Markdown table, and below it what was measured, for those who want to look closer.

use std::fmt::Write as _;

use super::Options;
use super::figures::{Figure, Met, PEER, Unit, megabytes, milliseconds};
use super::job::Sample;
use super::misses;
use super::rounds::Result;
use crate::tell::answer;

/// Prints everything.
pub(super) fn print(figures: &[Figure], results: &[Result], options: &Options) -> anyhow::Result<()> {
    let text = format!("{}\n{}", aims(figures), raw(results, options));
    answer(text.trim_end())
}

fn aims(figures: &[Figure]) -> String {
    let mut out = String::from("| figure | value | aim | met |\n|---|---:|---:|---|\n");
    for figure in figures {
        let value = figure.value.map_or_else(|| "not measured".to_owned(), |value| amount(value, figure.unit));
        let aim = figure.most.map_or_else(|| "-".to_owned(), |most| format!("≤ {}", amount(most, figure.unit)));
        line(&mut out, &[&figure.name, &value, &aim, &verdict(figure)]);
    }
    out
}

fn verdict(figure: &Figure) -> String {
    match figure.met() {
        Met::Yes => "yes".to_owned(),
        Met::No => misses::reason(&figure.id).map_or_else(|| "**no**".to_owned(), |reason| format!("**no**: {reason}")),
        Met::NoAim | Met::NotMeasured => "-".to_owned(),
    }
}

fn raw(results: &[Result], options: &Options) -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let build =
        if cfg!(debug_assertions) { "**a debug build: these figures mean nothing**" } else { "a release build" };
    let mut out = format!(
        "Measured: {build}, {cores} cores, warm files, least time and largest peak of {} runs. MB are millions of bytes.\nThe peer is {PEER}.\n\n",
        options.runs
    );
    out.push_str("| recording | nodes | MB | job | wall ms | CPU ms | peak MB | wall ÷ reading | CPU ÷ reading |\n|---|---:|---:|---|---:|---:|---:|---:|---:|\n");
    for result in results {
        let jobs = [
            ("read the bytes", Some(result.read)),
            ("general YAML parser", result.library),
            ("headway status", Some(result.headway)),
        ];
        for (job, sample) in jobs {
            if let Some(sample) = sample {
                raw_line(&mut out, result, job, sample);
            }
        }
    }
    out
}

fn raw_line(out: &mut String, result: &Result, job: &str, sample: Sample) {
    let times = |micros: u64, base: u64| format!("{:.2}", milliseconds(micros) / milliseconds(base.max(1)));
    line(
        out,
        &[
            &format!("{} {}", result.recording.form.title(), result.recording.syntax.title()),
            &result.recording.nodes.to_string(),
            &format!("{:.1}", megabytes(result.bytes)),
            job,
            &format!("{:.1}", milliseconds(sample.wall_us)),
            &format!("{:.1}", milliseconds(sample.cpu_us)),
            &format!("{:.1}", megabytes(sample.peak)),
            &times(sample.wall_us, result.read.wall_us),
            &times(sample.cpu_us, result.read.cpu_us),
        ],
    );
}

fn line(out: &mut String, cells: &[&str]) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

fn amount(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Times => format!("{value:.2} times"),
        Unit::Milliseconds => format!("{value:.0} ms"),
        Unit::Megabytes => format!("{value:.1} MB"),
        Unit::KilobytesPerNode => format!("{value:.2} KB"),
        Unit::Percent => format!("{value:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Figure, Unit, aims};

    /// The one line that a figure makes.
    fn check(value: Option<f64>, most: Option<f64>, unit: Unit, expect: &str) {
        let figure = Figure { id: "id".to_owned(), name: "name".to_owned(), value, most, unit };
        assert_eq!(aims(&[figure]).lines().last(), Some(expect));
    }

    #[test]
    fn lines_of_the_table() {
        check(Some(2.5), Some(4.0), Unit::Times, "| name | 2.50 times | ≤ 4.00 times | yes |");
        check(Some(4.01), Some(4.0), Unit::Times, "| name | 4.01 times | ≤ 4.00 times | **no** |");
        check(Some(61.0), None, Unit::Megabytes, "| name | 61.0 MB | - | - |");
        check(None, Some(0.0), Unit::Percent, "| name | not measured | ≤ 0.00 % | - |");
    }
}
