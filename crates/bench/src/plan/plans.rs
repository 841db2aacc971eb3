//! Plans a second, on one core: by a list of as many versions as the control plane visits, with one group of workers.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Context;
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_core::plan::{Course, Facts, GroupFacts, ListOrigin, Situation, Source, VersionList, explain, plan};

use super::Figure;

/// At ten versions, without the report.
const AIM: f64 = 100_000.0;

/// Measures at 1, 10 and 100 versions.
pub(super) fn measure(span: Duration) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for versions in [1, 10, 100] {
        let (situation, source) = upgrade(versions)?;
        let made = plan(&situation, &source).context("the upgrade that is measured has no plan")?;
        anyhow::ensure!(made.control_plane.len() == versions, "not every version is visited");
        let alone = rate(span, || {
            black_box(plan(black_box(&situation), black_box(&source)).is_ok());
        });
        let explained = rate(span, || {
            if let Ok(plan) = plan(black_box(&situation), black_box(&source)) {
                let _ = black_box(explain(&situation, &source, &plan));
            }
        });
        let word = if versions == 1 { "version" } else { "versions" };
        let name = |what: &str| format!("plans a second, {versions} {word}, {what}");
        figures.push(Figure {
            name: name("the plan alone"),
            value: format!("{alone:.0}"),
            aim: (versions == 10).then_some(("> 100000", alone > AIM)),
        });
        figures.push(Figure { name: name("with the report"), value: format!("{explained:.0}"), aim: None });
    }
    Ok(figures)
}

/// From one minor over as many.
fn upgrade(versions: usize) -> anyhow::Result<(Situation, Source)> {
    let version = |minor: usize| format!("v1.{minor}.3");
    let facts = Facts {
        target: version(20 + versions),
        control_plane: Some(version(20)),
        groups: vec![GroupFacts {
            id: WorkerGroup { kind: GroupKind::MachineDeployment, name: "md-0".to_owned() },
            version: Some(version(20)),
            course: Course::Follows,
        }],
    };
    let list = VersionList { origin: ListOrigin::Given, versions: (20..=20 + versions).map(version).collect() };
    Ok((Situation::read(&facts)?, Source::VersionList(list)))
}

/// How often something can be done in a second.
pub(crate) fn rate(span: Duration, mut work: impl FnMut()) -> f64 {
    let begun = Instant::now();
    let mut times = 0_u32;
    while begun.elapsed() < span {
        // The clock is looked at seldom: it would be measured too.
        for _ in 0..50 {
            work();
        }
        times += 50;
    }
    f64::from(times) / begun.elapsed().as_secs_f64()
}
