//! Why each step is there, what was refused, and the order in which a plan is walked.

use headway_api::plan::{Mover, PlanReport};
use headway_core::plan::{Source, explain, plan};
use serde_json::json;

use super::said::{ONE, answer, class, situation};

fn report(source: &Source, target: &str, control_plane: &str, workers: &str) -> PlanReport {
    let situation = situation(target, control_plane, workers);
    let plan = plan(&situation, source).unwrap();
    explain(&situation, source, &plan)
}

/// Each step in a line, what was refused for it below.
#[track_caller]
fn check(source: Source, target: &str, control_plane: &str, workers: &str, expect: &[&str]) {
    let report = report(&source, target, control_plane, workers);
    let mut told = Vec::new();
    for step in &report.steps {
        let mover = match &step.mover {
            Mover::ControlPlane => "cp".to_owned(),
            Mover::Workers { groups } => groups.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join("+"),
        };
        told.push(format!("{mover} {} > {} ({}): {}", step.from, step.to, step.change, step.reason));
        told.extend(step.refused.iter().map(|refused| format!("  not {}: {}", refused.version, refused.why)));
    }
    told.extend(report.remarks.iter().map(ToString::to_string));
    assert_eq!(told, expect);
}

#[test]
fn case_b31_in_the_order_in_which_it_is_walked() {
    check(
        class("v1.30.6 v1.31.2 v1.31.9 v1.32.5 v1.33.4 v1.34.1 v1.35.0"),
        "v1.35.0",
        "v1.30.6",
        "md-a=v1.30.6",
        &[
            "cp v1.30.6 > v1.31.9 (minor): every minor is visited, and this is the last version listed for v1.31",
            "  not v1.31.2: the list has a later version of the same minor",
            "cp v1.31.9 > v1.32.5 (minor): every minor is visited, and this is the last version listed for v1.32",
            "cp v1.32.5 > v1.33.4 (minor): every minor is visited, and this is the last version listed for v1.33",
            "md-a v1.30.6 > v1.33.4 (minor): the workers would be 4 minors behind when the control plane takes v1.34.1",
            "  not v1.31.9: not needed yet: the workers are 1 minor behind it",
            "  not v1.32.5: not needed yet: the workers are 2 minors behind it",
            "  not v1.34.1: too late: the workers would be 4 minors behind it",
            "cp v1.33.4 > v1.34.1 (minor): every minor is visited, and this is the last version listed for v1.34",
            "cp v1.34.1 > v1.35.0 (minor): the target",
            "md-a v1.33.4 > v1.35.0 (minor): the target",
            "  not v1.34.1: not needed yet: the workers are 1 minor behind it",
        ],
    );
}

#[test]
fn what_becomes_of_the_other_entries_of_a_list() {
    check(
        class("v1.31.0 v1.31.5 v1.32.2 v1.32.0 v1.31.7 v1.33.0 v1.33.1 v1.33.2 v1.34.0"),
        "v1.33.0",
        "v1.31.0",
        "",
        &[
            "cp v1.31.0 > v1.32.0 (minor): every minor is visited, and this is the last version listed for v1.32",
            "  not v1.31.5: the control plane is at this minor already, and the target is in a later one",
            "  not v1.32.2: the list has a later version of the same minor",
            "  not v1.31.7: the list has it behind a later minor",
            "cp v1.32.0 > v1.33.0 (minor): the target",
            "  not v1.33.1: it is newer than the target",
            "  not v1.33.2: it is newer than the target",
        ],
    );
}

#[test]
fn workers_first_and_revisions() {
    check(
        ONE,
        "v1.32.0",
        "v1.31.0",
        "a=v1.28.0 mp-b=v1.28.0 c=v1.31.0",
        &[
            "a+mp-b v1.28.0 > v1.31.0 (minor): the workers would be 4 minors behind when the control plane takes v1.32.0",
            "  not v1.32.0: too late: the workers would be 4 minors behind it",
            "cp v1.31.0 > v1.32.0 (minor): the target",
            "a+mp-b+c v1.31.0 > v1.32.0 (minor): the target",
        ],
    );
    check(
        ONE,
        "v1.31.4+rke2r2",
        "v1.31.4+rke2r1",
        "a=v1.31.4+rke2r1 b=v1.31.3",
        &[
            "cp v1.31.4+rke2r1 > v1.31.4+rke2r2 (build): the target",
            "a v1.31.4+rke2r1 > v1.31.4+rke2r2 (build): the target",
            "b v1.31.3 > v1.31.4+rke2r2 (patch): the target",
            "  not v1.31.4+rke2r1: not needed yet: the workers are 0 minors behind it",
        ],
    );
    check(ONE, "v1.31.0", "v1.31.0-rc.1", "", &["cp v1.31.0-rc.1 > v1.31.0 (pre-release): the target"]);
}

#[test]
fn what_an_extension_answered() {
    check(
        answer("v1.31.0 v1.32.0", "v1.31.0 v1.32.0"),
        "v1.32.0",
        "v1.30.0",
        "a=v1.30.0",
        &[
            "cp v1.30.0 > v1.31.0 (minor): the extension answered so",
            "a v1.30.0 > v1.31.0 (minor): the extension answered so",
            "cp v1.31.0 > v1.32.0 (minor): the target",
            "a v1.31.0 > v1.32.0 (minor): the target",
        ],
    );
}

#[test]
fn what_else_is_to_be_known() {
    check(
        ONE,
        "v1.32.0",
        "v1.31.0",
        "gone=v1.28.0- old=v1.27.0- fit=v1.30.0- late=v1.31.5 p=v1.30.0@v1.30.0",
        &[
            "cp v1.31.0 > v1.32.0 (minor): the target",
            "late v1.31.5 > v1.32.0 (minor): the target",
            "MachineDeployment/gone is being deleted and must be gone before the control plane takes v1.32.0",
            "MachineDeployment/old at v1.27.0 is being deleted, and does not fit the control plane as it is",
            "MachineDeployment/late at v1.31.5 has a later patch than the control plane",
        ],
    );
}

#[test]
fn nothing_to_do() {
    check(ONE, "v1.32.0", "v1.32.0", "a=v1.32.0", &[]);
    check(ONE, "v1.32.0", "", "", &[]);
}

#[test]
fn what_machines_read() {
    let report = report(&class("1.30 1.31 1.31.1 1.32"), "v1.31.1", "v1.30", "mp-a=v1.30 p=v1.30@1.30");
    let version = "v1.31.1";
    let expect = json!({
        "source": {"kind": "ClusterClass", "name": "prod"},
        "from": "v1.30.0",
        "to": version,
        "plan": {
            "controlPlane": [version],
            "workers": [version],
            "groups": [
                {"kind": "MachinePool", "name": "mp-a", "from": "v1.30.0", "moves": [version]},
                {"kind": "MachineDeployment", "name": "p", "from": "v1.30.0", "moves": [],
                 "stays": {"because": "Pinned", "version": "v1.30.0"}},
            ],
        },
        "steps": [
            {"mover": "ControlPlane", "from": "v1.30.0", "to": version, "change": "Minor", "reason": {"because": "Target"},
             "refused": [{"version": "v1.31.0", "because": "Superseded"}]},
            {"mover": "Workers", "groups": [{"kind": "MachinePool", "name": "mp-a"}], "from": "v1.30.0", "to": version,
             "change": "Minor", "reason": {"because": "Target"}},
        ],
        "remarks": [],
    });
    assert_eq!(serde_json::to_value(&report).unwrap(), expect);
}
