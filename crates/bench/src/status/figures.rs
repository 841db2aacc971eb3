//! The figures, each with what it should be: the aims of the issue, as data.

use super::Options;
use super::rounds::Result;
use crate::recording::{Form, Recording, Syntax};

/// What the peer needs for a flat node list of 70 MB: as given, not measured in this run.
pub(super) const PEER: &str =
    "oc: 6.0 s and 1.1 GB for a node list of 70 MB on this kind of machine, as given, not measured in this run";

/// The number of nodes that fixed aims are for: at any other, such a figure only informs.
const AIMED_NODES: u32 = 5_000;

/// One line of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    /// What it is called in [`super::misses`].
    pub(super) id: String,
    /// What it is called in the table.
    pub(super) name: String,
    /// What was measured, if it was.
    pub(super) value: Option<f64>,
    /// What it should not exceed, if there is an aim.
    pub(super) most: Option<f64>,
    /// What it is counted in.
    pub(super) unit: Unit,
}

/// What a figure is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// A ratio.
    Times,
    /// Milliseconds.
    Milliseconds,
    /// Millions of bytes.
    Megabytes,
    /// Thousands of bytes a node.
    KilobytesPerNode,
    /// Hundredths.
    Percent,
}

/// Whether a figure is what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Met {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It only informs.
    NoAim,
    /// Nobody knows.
    NotMeasured,
}

impl Figure {
    /// Compares value and aim.
    pub(super) fn met(&self) -> Met {
        match (self.value, self.most) {
            (None, _) => Met::NotMeasured,
            (Some(_), None) => Met::NoAim,
            (Some(value), Some(most)) if value <= most => Met::Yes,
            (Some(_), Some(_)) => Met::No,
        }
    }
}

/// All figures, in the order of the table.
pub(super) fn figures(results: &[Result], options: &Options) -> Vec<Figure> {
    let at = |form, syntax| find(results, Recording { nodes: options.nodes, form, syntax });
    let mut figures = Vec::new();
    for form in [Form::Flat, Form::MustGather] {
        for syntax in [Syntax::Yaml, Syntax::Json] {
            figures.push(ratio_to_reading(at(form, syntax), form, syntax));
        }
    }
    for syntax in [Syntax::Yaml, Syntax::Json] {
        figures.push(flat_peak(at(Form::Flat, syntax), syntax));
    }
    for (form, syntax) in
        [(Form::MustGather, Syntax::Yaml), (Form::MustGather, Syntax::Json), (Form::TarGz, Syntax::Yaml)]
    {
        figures.push(folder_peak(at(form, syntax), form, syntax));
    }
    figures.extend(against_peer(at(Form::Flat, Syntax::Yaml)));
    for form in [Form::Flat, Form::MustGather] {
        figures.push(against_library(at(form, Syntax::Yaml), form));
    }
    figures.extend(growth(results, options));
    figures.push(handed_over(results));
    figures
}

fn find(results: &[Result], recording: Recording) -> Option<&Result> {
    results.iter().find(|result| result.recording == recording)
}

fn ratio_to_reading(result: Option<&Result>, form: Form, syntax: Syntax) -> Figure {
    Figure {
        id: format!("reading-{}-{}", form.title(), syntax.extension()),
        name: format!("wall time, {} {}, against reading the bytes", form.title(), syntax.title()),
        value: result.map(|it| float(it.headway.wall_us) / float(it.read.wall_us.max(1))),
        most: Some(4.0),
        unit: Unit::Times,
    }
}

/// A list must be held in memory while it is read in pieces, so its aim moves with its size.
fn flat_peak(result: Option<&Result>, syntax: Syntax) -> Figure {
    Figure {
        id: format!("peak-flat-{}", syntax.extension()),
        name: format!("peak memory, flat {} (aim: its largest file and 40 MB)", syntax.title()),
        value: result.map(|it| megabytes(it.headway.peak)),
        most: result.map(|it| megabytes(it.largest) + 40.0),
        unit: Unit::Megabytes,
    }
}

fn folder_peak(result: Option<&Result>, form: Form, syntax: Syntax) -> Figure {
    Figure {
        id: format!("peak-{}-{}", form.title(), syntax.extension()),
        name: format!("peak memory, {} {}", form.title(), syntax.title()),
        value: result.map(|it| megabytes(it.headway.peak)),
        most: fixed_aim(result, 60.0),
        unit: Unit::Megabytes,
    }
}

/// A thirtieth of the peer's time, a tenth of its memory.
fn against_peer(result: Option<&Result>) -> [Figure; 2] {
    let figure = |id: &str, name: &str, value, most, unit| Figure {
        id: id.to_owned(),
        name: name.to_owned(),
        value,
        most: fixed_aim(result, most),
        unit,
    };
    [
        figure(
            "peer-time",
            "wall time, flat YAML (aim: 1/30 of the peer's 6.0 s)",
            result.map(|it| milliseconds(it.headway.wall_us)),
            200.0,
            Unit::Milliseconds,
        ),
        figure(
            "peer-memory",
            "peak memory, flat YAML (aim: 1/10 of the peer's 1.1 GB)",
            result.map(|it| megabytes(it.headway.peak)),
            110.0,
            Unit::Megabytes,
        ),
    ]
}

/// An aim in seconds or bytes, which says nothing at another size than it was set for.
fn fixed_aim(result: Option<&Result>, most: f64) -> Option<f64> {
    result.is_none_or(|it| it.recording.nodes == AIMED_NODES).then_some(most)
}

fn against_library(result: Option<&Result>, form: Form) -> Figure {
    Figure {
        id: format!("library-{}", form.title()),
        name: format!("wall time, {} YAML, against the general YAML parser", form.title()),
        value: result
            .and_then(|it| it.library.map(|library| float(it.headway.wall_us) / float(library.wall_us.max(1)))),
        most: None,
        unit: Unit::Times,
    }
}

/// From the main size to the largest: the time of a node, and what more nodes add to the peak.
fn growth(results: &[Result], options: &Options) -> Vec<Figure> {
    let largest = options.scale.iter().copied().max().unwrap_or(0);
    if largest <= options.nodes {
        return Vec::new();
    }
    let pair = |form| {
        let at = |nodes| find(results, Recording { nodes, form, syntax: Syntax::Yaml });
        at(options.nodes).zip(at(largest))
    };
    let span = format!("{} to {largest} nodes", options.nodes);
    let mut figures = Vec::new();
    for form in [Form::Flat, Form::MustGather] {
        let per_node = |it: &Result| float(it.headway.wall_us) / f64::from(it.recording.nodes);
        figures.push(Figure {
            id: format!("growth-{}", form.title()),
            name: format!("wall time of a node, {} YAML, {span}", form.title()),
            value: pair(form).map(|(small, large)| per_node(large) / per_node(small)),
            most: Some(1.25),
            unit: Unit::Times,
        });
    }
    figures.push(Figure {
        id: "growth-peak".to_owned(),
        name: format!("peak memory that a node adds, must-gather YAML, {span}"),
        value: pair(Form::MustGather).map(|(small, large)| {
            (float(large.headway.peak) - float(small.headway.peak)) / f64::from(largest - options.nodes) / 1e3
        }),
        // The facts kept of a node are its names, states and conditions: a quarter of its file would be too much.
        most: Some(4.0),
        unit: Unit::KilobytesPerNode,
    });
    figures
}

/// The worst of all YAML recordings, if any was asked.
fn handed_over(results: &[Result]) -> Figure {
    Figure {
        id: "handed-over".to_owned(),
        name: "share handed over to the general YAML parser".to_owned(),
        value: results.iter().filter_map(|it| it.handed_over).map(|share| share * 100.0).reduce(f64::max),
        most: Some(0.0),
        unit: Unit::Percent,
    }
}

/// Millions of bytes.
pub(super) fn megabytes(bytes: u64) -> f64 {
    float(bytes) / 1e6
}

/// Thousands of microseconds.
pub(super) fn milliseconds(micros: u64) -> f64 {
    float(micros) / 1e3
}

/// Sizes and times here are far below 2^53, where a float stops being exact.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "there is no lossless conversion, and the loss is nil below 2^53"
)]
fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
