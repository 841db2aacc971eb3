//! The figures as a Markdown table: a column for each number of nodes, so that it shows how each figure grows.

use std::fmt::Write as _;

use super::Result;
use super::figures::{AIMED_NODES, Aim, Figure, Unit};
use super::witness::{DETAILS, STATUS};

/// Why an aim is missed, where it is and we know; taken out when it is met.
const REASONS: &[(&str, &str)] = &[];

/// The table, and what was measured in which way.
pub(super) fn text(figures: &[Figure], results: &[Result]) -> String {
    let nodes: Vec<u32> = results.iter().map(|result| result.server.nodes).collect();
    format!("{}\n{}", table(figures, &nodes), surroundings(results))
}

fn table(figures: &[Figure], nodes: &[u32]) -> String {
    let mut out = String::from("| figure | aim at 5000 nodes |");
    for nodes in nodes {
        let _ = write!(out, " {nodes} nodes |");
    }
    out.push_str(" met |\n|---|---:|");
    out.push_str(&"---:|".repeat(nodes.len()));
    out.push_str("---|\n");
    for figure in figures {
        let aim = figure.aim.map_or_else(|| "-".to_owned(), |aim| told(aim, figure.unit));
        let _ = write!(out, "| {} | {aim} |", figure.name);
        for value in &figure.values {
            let value = value.map_or_else(|| "-".to_owned(), |value| amount(value, figure.unit));
            let _ = write!(out, " {value} |");
        }
        let _ = writeln!(out, " {} |", verdict(figure, nodes));
    }
    out
}

fn told(aim: Aim, unit: Unit) -> String {
    match aim {
        Aim::Under(most) => format!("< {}", amount(most, unit)),
        Aim::AtMost(most) => format!("≤ {}", amount(most, unit)),
    }
}

fn verdict(figure: &Figure, nodes: &[u32]) -> String {
    let aimed = nodes.iter().position(|nodes| *nodes == AIMED_NODES);
    let value = aimed.and_then(|at| figure.values.get(at).copied().flatten());
    match figure.aim.zip(value) {
        None => "-".to_owned(),
        Some((aim, value)) if aim.is_met(value) => "yes".to_owned(),
        Some(_) => REASONS
            .iter()
            .find(|(name, _)| *name == figure.name)
            .map_or_else(|| "**no**".to_owned(), |(_, reason)| format!("**no**: {reason}")),
    }
}

fn amount(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Megabytes => format!("{value:.1} MB"),
        Unit::Kilobytes => format!("{value:.0} KB"),
        Unit::Seconds => format!("{value:.2} s"),
        Unit::Percent => format!("{value:.1} %"),
        Unit::Rate => format!("{value:.3}"),
        Unit::Number => format!("{value:.0}"),
    }
}

fn surroundings(results: &[Result]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let build =
        if cfg!(debug_assertions) { "**a debug build: these figures mean nothing**" } else { "a release build" };
    let mut out = format!(
        "Measured: {build}, {cores} cores, which the API server and the simulation share; load at the end {load}. MB are millions of bytes.\n"
    );
    for Result { server, clock } in results {
        let _ = writeln!(
            out,
            "{} nodes: {} lags of nodes, {} of findings, {} signs of life of kubelets in {:.0} s at rest; in the compressed update {} writes of UpdateStatus, {} of details, {:.1} MB{}.",
            server.nodes,
            server.lags.len(),
            server.health.len(),
            server.rest.heartbeats,
            server.rest.lasted.as_secs_f64(),
            server.update.count(STATUS),
            server.update.count(DETAILS),
            amount_of(server.update.bytes),
            clock.as_ref().map_or_else(String::new, |clock| format!(
                "; on the driven clock {} changes, {} looks, {} writes of UpdateStatus, {} of details",
                clock.update.changes, clock.update.looks, clock.update.status, clock.update.details
            )),
        );
    }
    out
}

fn amount_of(bytes: usize) -> f64 {
    // Kilobytes fit: no run writes terabytes.
    f64::from(u32::try_from(bytes / 1_000).unwrap_or(u32::MAX)) / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_aim_values_and_verdict() {
        let check = |aim, values: [Option<f64>; 2], expect: &str| {
            let figure = Figure { name: "lag", aim, unit: Unit::Seconds, values: values.to_vec() };
            let text = table(&[figure], &[500, 5_000]);
            assert_eq!(text.lines().last(), Some(expect));
        };
        check(Some(Aim::Under(8.0)), [Some(1.0), Some(7.0)], "| lag | < 8.00 s | 1.00 s | 7.00 s | yes |");
        check(Some(Aim::Under(8.0)), [Some(1.0), Some(8.0)], "| lag | < 8.00 s | 1.00 s | 8.00 s | **no** |");
        check(Some(Aim::Under(8.0)), [Some(9.0), None], "| lag | < 8.00 s | 9.00 s | - | - |");
        check(None, [None, Some(2.0)], "| lag | - | - | 2.00 s | - |");
    }
}
