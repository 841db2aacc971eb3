//! 4.6, 4.7 and 4.8: which hooks are asked with what, what is written, and what is still to be asked after it.

use headway_core::drive::Told;
use headway_sim::{Event, Planner, Stage};

use super::world::{played, texts, world};

/// The rows: all that happens at one moment is one, in lines; the last line is what is still to be asked.
fn rows(stage: &Stage) -> Vec<Vec<String>> {
    let mut rows: Vec<(_, Vec<String>, String)> = Vec::new();
    for moment in &stage.moments {
        let before = rows.last().map_or_else(|| "nothing".to_owned(), |(_, _, pending)| pending.clone());
        if rows.last().is_none_or(|(at, _, _)| *at != moment.at) {
            rows.push((moment.at, Vec::new(), before));
        }
        let Some((_, lines, pending)) = rows.last_mut() else { continue };
        match &moment.event {
            Event::Asked { call, .. } => lines.push(Told(call).to_string()),
            Event::Recorded(intents) => {
                *pending = intents.iter().map(|it| it.hook.name()).collect::<Vec<_>>().join(", ")
            }
            Event::Moved { mover, to, .. } => lines.push(format!("{mover} to {to}")),
            Event::Arrived { .. } | Event::Waiting(_) | Event::Settled => {}
            Event::Fault(told) => lines.push(format!("fault: {told}")),
        }
    }
    let rows = rows.into_iter().map(|(_, mut lines, pending)| {
        lines.push(pending);
        lines
    });
    rows.collect()
}

fn check(stage: &Stage, expect: &[&[&str]]) {
    let rows = rows(stage);
    for (at, (row, expect)) in rows.iter().zip(expect).enumerate() {
        assert_eq!(row, expect, "row {}", at + 1);
    }
    assert_eq!(rows.len(), expect.len(), "{:#?}", rows.get(expect.len()..));
}

const ALL_FOUR: &str = "AfterControlPlaneUpgrade, BeforeWorkersUpgrade, AfterWorkersUpgrade, AfterClusterUpgrade";

#[test]
fn ch_4_6_three_minors_and_one_step_of_the_workers() {
    let list = Planner::List(texts(&["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0"]));
    check(
        &played(world("v1.29.0", "v1.32.0", list, &["md-a", "md-b"])),
        &[
            &[
                "BeforeClusterUpgrade v1.29.0 -> v1.32.0, left [v1.30.0 v1.31.0 v1.32.0] workers [v1.32.0]",
                "BeforeControlPlaneUpgrade v1.29.0 -> v1.30.0, left [v1.30.0 v1.31.0 v1.32.0] workers [v1.32.0]",
                "control plane to v1.30.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &[
                "AfterControlPlaneUpgrade v1.30.0, left [v1.31.0 v1.32.0] workers [v1.32.0]",
                "BeforeControlPlaneUpgrade v1.30.0 -> v1.31.0, left [v1.31.0 v1.32.0] workers [v1.32.0]",
                "control plane to v1.31.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &[
                "AfterControlPlaneUpgrade v1.31.0, left [v1.32.0] workers [v1.32.0]",
                "BeforeControlPlaneUpgrade v1.31.0 -> v1.32.0, left [v1.32.0] workers [v1.32.0]",
                "control plane to v1.32.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.32.0, left [] workers [v1.32.0]",
                "BeforeWorkersUpgrade v1.29.0 -> v1.32.0, left [] workers [v1.32.0]",
                "MachineDeployment/md-a to v1.32.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.32.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &["AfterWorkersUpgrade v1.32.0, left [] workers []", "AfterClusterUpgrade v1.32.0", ""],
        ],
    );
}

#[test]
fn ch_4_7_an_extension_asks_for_every_step_of_the_workers() {
    let versions = texts(&["v1.30.0", "v1.31.0", "v1.32.0"]);
    let every = Planner::Extension { versions: versions.clone(), workers: versions, down: None };
    check(
        &played(world("v1.29.0", "v1.32.0", every, &["md-a", "md-b"])),
        &[
            &[
                "BeforeClusterUpgrade v1.29.0 -> v1.32.0, left [v1.30.0 v1.31.0 v1.32.0] workers [v1.30.0 v1.31.0 v1.32.0]",
                "BeforeControlPlaneUpgrade v1.29.0 -> v1.30.0, left [v1.30.0 v1.31.0 v1.32.0] workers [v1.30.0 v1.31.0 v1.32.0]",
                "control plane to v1.30.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.30.0, left [v1.31.0 v1.32.0] workers [v1.30.0 v1.31.0 v1.32.0]",
                "BeforeWorkersUpgrade v1.29.0 -> v1.30.0, left [v1.31.0 v1.32.0] workers [v1.30.0 v1.31.0 v1.32.0]",
                "MachineDeployment/md-a to v1.30.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.30.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &[
                "AfterWorkersUpgrade v1.30.0, left [v1.31.0 v1.32.0] workers [v1.31.0 v1.32.0]",
                "BeforeControlPlaneUpgrade v1.30.0 -> v1.31.0, left [v1.31.0 v1.32.0] workers [v1.31.0 v1.32.0]",
                "control plane to v1.31.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.31.0, left [v1.32.0] workers [v1.31.0 v1.32.0]",
                "BeforeWorkersUpgrade v1.30.0 -> v1.31.0, left [v1.32.0] workers [v1.31.0 v1.32.0]",
                "MachineDeployment/md-a to v1.31.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.31.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &[
                "AfterWorkersUpgrade v1.31.0, left [v1.32.0] workers [v1.32.0]",
                "BeforeControlPlaneUpgrade v1.31.0 -> v1.32.0, left [v1.32.0] workers [v1.32.0]",
                "control plane to v1.32.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.32.0, left [] workers [v1.32.0]",
                "BeforeWorkersUpgrade v1.31.0 -> v1.32.0, left [] workers [v1.32.0]",
                "MachineDeployment/md-a to v1.32.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.32.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &["AfterWorkersUpgrade v1.32.0, left [] workers []", "AfterClusterUpgrade v1.32.0", ""],
        ],
    );
}

#[test]
fn ch_4_8_four_minors_and_two_steps_of_the_workers() {
    let list = Planner::List(texts(&["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0", "v1.33.0"]));
    check(
        &played(world("v1.29.0", "v1.33.0", list, &["md-a", "md-b"])),
        &[
            &[
                "BeforeClusterUpgrade v1.29.0 -> v1.33.0, left [v1.30.0 v1.31.0 v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "BeforeControlPlaneUpgrade v1.29.0 -> v1.30.0, left [v1.30.0 v1.31.0 v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "control plane to v1.30.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &[
                "AfterControlPlaneUpgrade v1.30.0, left [v1.31.0 v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "BeforeControlPlaneUpgrade v1.30.0 -> v1.31.0, left [v1.31.0 v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "control plane to v1.31.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &[
                "AfterControlPlaneUpgrade v1.31.0, left [v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "BeforeControlPlaneUpgrade v1.31.0 -> v1.32.0, left [v1.32.0 v1.33.0] workers [v1.32.0 v1.33.0]",
                "control plane to v1.32.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.32.0, left [v1.33.0] workers [v1.32.0 v1.33.0]",
                "BeforeWorkersUpgrade v1.29.0 -> v1.32.0, left [v1.33.0] workers [v1.32.0 v1.33.0]",
                "MachineDeployment/md-a to v1.32.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.32.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &[
                "AfterWorkersUpgrade v1.32.0, left [v1.33.0] workers [v1.33.0]",
                "BeforeControlPlaneUpgrade v1.32.0 -> v1.33.0, left [v1.33.0] workers [v1.33.0]",
                "control plane to v1.33.0",
                ALL_FOUR,
            ],
            &[
                "AfterControlPlaneUpgrade v1.33.0, left [] workers [v1.33.0]",
                "BeforeWorkersUpgrade v1.32.0 -> v1.33.0, left [] workers [v1.33.0]",
                "MachineDeployment/md-a to v1.33.0",
                "AfterWorkersUpgrade, AfterClusterUpgrade",
            ],
            &["MachineDeployment/md-b to v1.33.0", "AfterWorkersUpgrade, AfterClusterUpgrade"],
            &["AfterWorkersUpgrade v1.33.0, left [] workers []", "AfterClusterUpgrade v1.33.0", ""],
        ],
    );
}

#[test]
fn ch_4_10_without_workers_the_steps_run_back_to_back() {
    let list = Planner::List(texts(&["v1.29.0", "v1.30.0", "v1.31.0"]));
    check(
        &played(world("v1.29.0", "v1.31.0", list, &[])),
        &[
            &[
                "BeforeClusterUpgrade v1.29.0 -> v1.31.0, left [v1.30.0 v1.31.0] workers []",
                "BeforeControlPlaneUpgrade v1.29.0 -> v1.30.0, left [v1.30.0 v1.31.0] workers []",
                "control plane to v1.30.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &[
                "AfterControlPlaneUpgrade v1.30.0, left [v1.31.0] workers []",
                "BeforeControlPlaneUpgrade v1.30.0 -> v1.31.0, left [v1.31.0] workers []",
                "control plane to v1.31.0",
                "AfterControlPlaneUpgrade, AfterClusterUpgrade",
            ],
            &["AfterControlPlaneUpgrade v1.31.0, left [] workers []", "AfterClusterUpgrade v1.31.0", ""],
        ],
    );
}
