//! Alerts and dashboards ask for series that the operator has.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Files, Finding};

/// Where the operator names its metrics.
const METRICS: &str = "crates/operator/src/metrics.rs";

/// And parts of it.
const PARTS: &str = "crates/operator/src/metrics";

/// Where they are asked for.
const ASKING: &str = "deploy/helm/headway/files";

/// What all of their names begin with.
const PREFIX: &str = "headway_";

/// What the text format adds to the names of counters and histograms.
const ENDINGS: [&str; 4] = ["_total", "_bucket", "_sum", "_count"];

/// Finds names of series that the operator does not have.
pub(super) fn check(files: &Files) -> Vec<Finding> {
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    let Some(metrics) = files.get(Path::new(METRICS)).map(text) else {
        eprintln!("tidy: {METRICS} is not here, so the series of alerts and dashboards go unseen");
        return Vec::new();
    };
    let parts = files.iter().filter(|(path, _)| path.starts_with(PARTS)).map(|(_, bytes)| text(bytes));
    let known: BTreeSet<String> = parts.chain([metrics]).flat_map(|metrics| registered(&metrics)).collect();
    let mut findings = Vec::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with(ASKING)) {
        for (at, line) in text(bytes).lines().enumerate() {
            for name in asked(line) {
                let plain = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
                if !known.contains(name) && !known.contains(plain) {
                    findings.push(Finding::new(
                        path,
                        at + 1,
                        format!("{PREFIX}{name} is asked for, and {METRICS} has no such metric"),
                        "ask for one that it has",
                    ));
                }
            }
        }
    }
    findings
}

/// The names of a line, without the prefix.
fn asked(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices(PREFIX).map(|(at, _)| {
        let rest = &line[at + PREFIX.len()..];
        let end = rest.find(|it: char| !it.is_ascii_lowercase() && it != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

/// The names that are registered, with their units.
fn registered(metrics: &str) -> BTreeSet<String> {
    let calls = metrics.split(".register").skip(1).filter_map(|call| {
        let call = call.split(';').next()?;
        let name = call.split('"').nth(1)?;
        let unit = call.split("Unit::").nth(1).map(|unit| unit.split(|it: char| !it.is_alphanumeric()).next());
        Some(match unit.flatten() {
            Some(unit) => format!("{name}_{}", unit.to_lowercase()),
            None => name.to_owned(),
        })
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_series(asking: &str, expect: &[&str]) {
        let metrics = "r.register(\"writes\", \"Writes\", x);\nr.register_with_unit(\n \"lag\", \"It; lags\",\n \
                       Unit::Seconds, y,\n);\nself.register();"
            .replace("It; lags", "It lags");
        let files = Files::from([
            (METRICS.into(), metrics.into_bytes()),
            (Path::new(PARTS).join("part.rs"), b"r.register(\"parts\", \"Parts\", z);".to_vec()),
            (Path::new(ASKING).join("a.yaml"), asking.as_bytes().to_vec()),
            ("docs/a.md".into(), b"headway_other".to_vec()),
        ]);
        let told: Vec<String> = check(&files).iter().map(|it| it.wrong.clone()).collect();
        let expect: Vec<String> =
            expect.iter().map(|it| format!("{it} is asked for, and {METRICS} has no such metric")).collect();
        assert_eq!(told, expect);
    }

    #[test]
    fn series_that_are_there_may_be_asked_for() {
        check_series("rate(headway_writes_total{a=\"b\"}[5m])\nheadway_lag_seconds headway_lag_seconds_bucket", &[]);
        check_series("headway_parts", &[]);
        check_series("headway_lag", &["headway_lag"]);
        check_series("sum(headway_reads_total)", &["headway_reads_total"]);
    }
}
