//! The figures, each with what it should be at 5,000 nodes: the aims of the issue, as data.

use std::time::Duration;

use super::measure::{Measured, Span};
use super::witness::{DETAILS, LEASE, STATUS};
use super::{Clocked, Result};

/// The number of nodes that aims are for.
pub(super) const AIMED_NODES: u32 = 5_000;

/// One line of the table.
#[derive(Debug)]
pub(super) struct Figure {
    /// What it is called.
    pub(super) name: &'static str,
    /// What it should stay below, or be at most.
    pub(super) aim: Option<Aim>,
    /// What it is counted in.
    pub(super) unit: Unit,
    /// A value for each number of nodes, where it was measured.
    pub(super) values: Vec<Option<f64>>,
}

/// What a figure should be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    /// Less than this.
    Under(f64),
    /// This, or less.
    AtMost(f64),
}

impl Aim {
    /// Whether a value is what it should be.
    pub(super) fn is_met(self, value: f64) -> bool {
        match self {
            Self::Under(most) => value < most,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// What a figure is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Millions of bytes.
    Megabytes,
    /// Thousands of bytes.
    Kilobytes,
    /// Seconds.
    Seconds,
    /// Hundredths.
    Percent,
    /// Events a second, or for each of something.
    Rate,
    /// A plain number.
    Number,
}

/// All figures, in the order of the table.
pub(super) fn figures(results: &[Result]) -> Vec<Figure> {
    use Aim::{AtMost, Under};
    use Unit::{Kilobytes, Megabytes, Number, Percent, Rate, Seconds};
    let server = |name, aim, unit, of: &dyn Fn(&Measured) -> Option<f64>| Figure {
        name,
        aim,
        unit,
        values: results.iter().map(|result| of(&result.server)).collect(),
    };
    let clock = |name, aim, unit, of: &dyn Fn(&Clocked) -> Option<f64>| Figure {
        name,
        aim,
        unit,
        values: results.iter().map(|result| of(result.clock.as_ref()?)).collect(),
    };
    vec![
        server("steady resident memory, at rest after the start", Some(Under(90.0)), Megabytes, &|it| {
            Some(number(it.started.resident) / 1e6)
        }),
        server("resident memory after the update", None, Megabytes, &|it| Some(number(it.ended.resident) / 1e6)),
        server("peak resident memory", None, Megabytes, &|it| Some(number(it.ended.peak) / 1e6)),
        server("from the start to the first correct status", Some(Under(5.0)), Seconds, &|it| {
            Some(it.first.as_secs_f64())
        }),
        server("from a node's change to the written status, median", None, Seconds, &|it| part(&it.lags, 50)),
        server("the same, 99th percentile", Some(Under(8.0)), Seconds, &|it| part(&it.lags, 99)),
        server("from a finding's cause to the written status, 99th percentile", Some(Under(4.0)), Seconds, &|it| {
            part(&it.health, 99)
        }),
        clock("writes of UpdateStatus a node's change, update of 2.2 h", Some(Under(0.1)), Rate, &|it| {
            Some(count(it.update.status) / count(it.update.changes.max(1)))
        }),
        clock("the same with the details of pools", None, Rate, &|it| {
            Some(count(it.update.status + it.update.details) / count(it.update.changes.max(1)))
        }),
        clock("bytes to etcd in an update of 2.2 h", None, Megabytes, &|it| Some(count(it.update.bytes) / 1e6)),
        clock("writes of UpdateStatus an hour, nothing moves in an update", Some(AtMost(60.0)), Number, &|it| {
            Some(count(it.held_up.status))
        }),
        clock("writes of UpdateStatus an hour, no update", Some(AtMost(60.0)), Number, &|it| {
            Some(count(it.idle.status))
        }),
        clock("writes of details an hour at rest", Some(AtMost(0.0)), Number, &|it| {
            Some(count(it.held_up.details + it.idle.details))
        }),
        server("writes of the lease an hour", None, Number, &|it| Some(hourly(&it.rest, writes(&it.rest, LEASE)))),
        server("largest object", Some(AtMost(1_000.0)), Kilobytes, &|it| {
            it.largest.values().max().map(|bytes| count(*bytes) / 1e3)
        }),
        server("processor at rest, seconds an hour, kubelets reporting", None, Number, &|it| {
            Some(hourly(&it.rest, it.rest.processor.as_secs_f64()))
        }),
        server("processor in the compressed update", None, Percent, &|it| {
            Some(100.0 * it.update.processor.as_secs_f64() / it.update.lasted.as_secs_f64())
        }),
        server("time factor of the compressed update", None, Number, &|it| Some(it.factor)),
        server("its writes a second", None, Rate, &|it| {
            let all = writes(&it.update, STATUS) + writes(&it.update, DETAILS);
            Some(all / it.update.lasted.as_secs_f64())
        }),
        server("from SIGTERM to the end", None, Seconds, &|it| Some(it.stop.as_secs_f64())),
    ]
}

fn writes(span: &Span, kind: &str) -> f64 {
    count(span.count(kind))
}

fn hourly(span: &Span, value: f64) -> f64 {
    value * 3_600.0 / span.lasted.as_secs_f64()
}

/// The value below which so many hundredths of all are.
fn part(sorted: &[Duration], hundredths: usize) -> Option<f64> {
    let at = (sorted.len() * hundredths).div_ceil(100).max(1) - 1;
    sorted.get(at).map(Duration::as_secs_f64)
}

fn count(number: usize) -> f64 {
    u64::try_from(number).map_or(f64::INFINITY, self::number)
}

/// Sizes and times here are far below 2^53, where a float stops being exact.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "there is no lossless conversion, and the loss is nil below 2^53"
)]
fn number(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let all: Vec<Duration> = (1..=200).map(Duration::from_secs).collect();
        assert_eq!(part(&all, 50), Some(100.0));
        assert_eq!(part(&all, 99), Some(198.0));
        assert_eq!(part(&all[..1], 99), Some(1.0));
        assert_eq!(part(&[], 99), None);
    }

    #[test]
    fn an_aim_is_met_or_not() {
        assert!(Aim::Under(5.0).is_met(4.9) && !Aim::Under(5.0).is_met(5.0));
        assert!(Aim::AtMost(12.0).is_met(12.0) && !Aim::AtMost(12.0).is_met(13.0));
    }
}
