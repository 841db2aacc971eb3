//! The aims hold and fail where they should, on invented measurements.

use super::super::job::Sample;
use super::super::misses::REASONS;
use super::super::{Options, wanted};
use super::{Figure, Met, Result, figures};

fn options() -> Options {
    Options { nodes: 5_000, scale: vec![1_000, 5_000, 20_000], runs: 5, headway: None, cache: None }
}

/// As [`measured_at`], at the size that the aims are for.
fn measured(micros: u64, bytes: u64) -> Vec<Figure> {
    measured_at(5_000, micros, bytes)
}

/// Measurements of a program that needs so many microseconds and bytes a node; reading takes 10 us, a node is 16 KB.
fn measured_at(nodes: u32, micros: u64, bytes: u64) -> Vec<Figure> {
    let options = Options { nodes, ..options() };
    let results: Vec<_> = wanted(&options)
        .into_iter()
        .map(|recording| {
            let nodes = u64::from(recording.nodes);
            Result {
                recording,
                bytes: 16_000 * nodes,
                largest: 16_000 * nodes,
                read: Sample { wall_us: 10 * nodes, cpu_us: 10 * nodes, peak: 5_000_000 },
                headway: Sample { wall_us: micros * nodes, cpu_us: micros * nodes, peak: 10_000_000 + bytes * nodes },
                library: None,
                handed_over: None,
            }
        })
        .collect();
    figures(&results, &options)
}

/// The ids of the figures that are as asked.
fn check(micros: u64, bytes: u64, met: Met, expect: &[&str]) {
    let figures = measured(micros, bytes);
    let found: Vec<_> = figures.iter().filter(|figure| figure.met() == met).map(|figure| figure.id.as_str()).collect();
    assert_eq!(found, expect, "{micros} us and {bytes} bytes a node");
}

#[test]
fn a_fast_and_small_program_meets_every_aim() {
    check(40, 4_000, Met::No, &[]);
    check(40, 4_000, Met::NotMeasured, &["library-flat", "library-must-gather", "handed-over"]);
}

#[test]
fn a_slow_program_misses_the_times() {
    check(
        41,
        1_000,
        Met::No,
        &[
            "reading-flat-yaml",
            "reading-flat-json",
            "reading-must-gather-yaml",
            "reading-must-gather-json",
            "peer-time",
        ],
    );
}

#[test]
fn a_large_program_misses_the_peaks() {
    // 10 MB and 22 KB for each of 5,000 nodes: 120 MB, where files of 80 MB allow 120.
    check(
        40,
        22_000,
        Met::No,
        &["peak-must-gather-yaml", "peak-must-gather-json", "peak-tar.gz-yaml", "peer-memory", "growth-peak"],
    );
}

#[test]
fn a_cost_that_grows_faster_than_the_nodes_is_seen() {
    let options = options();
    let results: Vec<_> = wanted(&options)
        .into_iter()
        .map(|recording| {
            let nodes = u64::from(recording.nodes);
            let sample = Sample { wall_us: nodes * nodes, cpu_us: 1, peak: 1 };
            Result {
                recording,
                bytes: 1,
                largest: 1,
                read: sample,
                headway: sample,
                library: Some(sample),
                handed_over: Some(0.5),
            }
        })
        .collect();
    let figures = figures(&results, &options);
    let value = |id: &str| figures.iter().find(|figure| figure.id == id).and_then(|figure| figure.value);
    assert_eq!(value("growth-flat"), Some(4.0));
    assert_eq!(value("growth-must-gather"), Some(4.0));
    assert_eq!(value("handed-over"), Some(50.0));
    assert_eq!(value("library-flat"), Some(1.0));
}

#[test]
fn a_fixed_aim_is_not_met_by_measuring_less() {
    let without: Vec<_> = measured_at(100, 40, 4_000)
        .into_iter()
        .filter(|figure| figure.met() == Met::NoAim)
        .map(|figure| figure.id)
        .collect();
    assert_eq!(
        without,
        ["peak-must-gather-yaml", "peak-must-gather-json", "peak-tar.gz-yaml", "peer-time", "peer-memory"]
    );
}

#[test]
fn every_reason_belongs_to_a_figure() {
    let figures = measured(40, 4_000);
    for (id, _) in REASONS.iter().chain(&[("handed-over", "")]) {
        assert!(figures.iter().any(|figure| figure.id == *id), "{id} is the reason of no figure");
    }
}
