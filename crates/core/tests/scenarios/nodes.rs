//! Scenarios of update-status-api.md, 7, about single nodes: S12, S27 to S36, S38.

use headway_api::node::Node;
use headway_api::report::Phase;
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::Snapshot;

use super::cluster::{
    Bend, False, Step, True, Unknown, ago, bent, condition, put, rolling, seconds_ago, set, updating, workers_rolling,
};
use super::told::check;

#[test]
fn us_s12_degraded_master_with_a_long_reason() {
    let reason = "x".repeat(1836);
    let snapshot = bent(rolling(), |s| {
        put(s.node("m-1"), Step::Degraded);
        s.node("m-1").metadata.annotations.reason = Some(reason.clone());
    });
    check(
        &snapshot,
        &[
            ("node m-1", &format!("Degraded Updating 4.20.1 ? {reason}")),
            ("pool master", "Degraded 33% (1/3), 3 available, 1 degraded"),
            ("health", "Error NODE-DEGRADED m-1"),
            ("description NODE-DEGRADED", &reason),
            ("impact NODE-DEGRADED", "Update Stalled ControlPlane"),
            ("since NODE-DEGRADED", "-"),
        ],
    );
}

/// Bends node `w-1` and compares its row, its conditions and the health.
#[track_caller]
fn check_node(snapshot: Snapshot, bend: impl FnOnce(&mut Node), row: &str, says: &str, health: &str) {
    let snapshot = bent(snapshot, |s| bend(s.node("w-1")));
    check(&snapshot, &[("node w-1", row), ("node w-1 says", says), ("health", health)]);
}

const WELL: &str = "True/AsExpected False/AsExpected";

#[test]
fn us_s27_pending_node() {
    check_node(updating(), |_| {}, "Outdated Pending 4.20.1 ?", WELL, "");
}

#[test]
fn us_s28_to_s30_phases_on_the_way() {
    let draining = "Progressing Draining 4.20.1 +10m";
    let updating_row = "Progressing Updating 4.20.1 +5m";
    let check = |bend: fn(&mut Node), row: &str| check_node(updating(), bend, row, WELL, "");
    // S28: asked to drain, and the daemon still says Done.
    check(
        |node| {
            put(node, Step::Draining);
            node.metadata.annotations.state = Some("Done".into());
        },
        draining,
    );
    // S29: asked to change and nothing else yet.
    check(|node| put(node, Step::Asked), draining);
    check(|node| put(node, Step::Draining), draining);
    // S30.
    check(|node| put(node, Step::Working), updating_row);
    check(|node| put(node, Step::Rebooting), "Progressing Rebooting 4.20.1 +5m");
    check(
        |node| {
            put(node, Step::Working);
            node.metadata.annotations.state = None;
        },
        updating_row,
    );
}

#[test]
fn us_s31_rebooting_node_is_not_ready() {
    let reboot = |node: &mut Node| {
        put(node, Step::Rebooting);
        set(&mut node.status.conditions, condition("Ready", Unknown, ago(3)));
    };
    check_node(updating(), reboot, "Progressing Rebooting 4.20.1 +5m", WELL, "");
}

#[test]
fn us_s32_to_s34_nodes_out_of_service() {
    let check = |condition, row: &str, says: &str, health: &str| {
        check_node(
            workers_rolling(),
            |node| {
                put(node, Step::New);
                set(&mut node.status.conditions, condition);
            },
            row,
            says,
            health,
        );
    };
    let (row, says) = ("Unavailable Updated 4.20.2 - Not ready", "False/NotReady False/AsExpected");
    let health = "Warning NODE-UNAVAILABLE w-1";
    check(condition("Ready", False, ago(4)), row, says, "");
    check(condition("Ready", False, ago(6)), row, says, health);
    check(condition("Ready", Unknown, ago(6)), row, says, health);
    let (row, says) = ("Unavailable Updated 4.20.2 - Disk pressure", "False/DiskPressure False/AsExpected");
    check(condition("DiskPressure", True, seconds_ago(59)), row, says, "");
    check(condition("DiskPressure", True, seconds_ago(61)), row, says, health);
    let (row, says) = ("Unavailable Updated 4.20.2 - Network unavailable", "False/NetworkUnavailable False/AsExpected");
    check(condition("NetworkUnavailable", True, seconds_ago(61)), row, says, health);
    check(condition("MemoryPressure", True, ago(600)), "Completed Updated 4.20.2 -", WELL, "");
}

#[test]
fn us_s33_cordoned_by_hand() {
    check_node(
        updating(),
        |node| node.spec.unschedulable = true,
        "Unavailable Pending 4.20.1 ? Node is marked unschedulable",
        "False/Unschedulable False/AsExpected",
        "",
    );
    let both = |node: &mut Node| {
        node.spec.unschedulable = true;
        set(&mut node.status.conditions, condition("Ready", False, ago(9)));
    };
    let row = "Unavailable Pending 4.20.1 ? Not ready | Node is marked unschedulable";
    check_node(updating(), both, row, "False/Multiple False/AsExpected", "Warning NODE-UNAVAILABLE w-1");
}

#[test]
fn us_s35_node_without_annotations() {
    let bare = |node: &mut Node| node.metadata.annotations = Default::default();
    check_node(updating(), bare, "Outdated Pending ? ?", WELL, "");
    // What the daemon has begun to write on it processes.
    let begun = |node: &mut Node| {
        bare(node);
        node.metadata.annotations.state = Some("Done".into());
    };
    let row = "Unavailable Pending ? ? Machine Config Daemon is processing the node";
    check_node(updating(), begun, row, "False/MCDWorking False/AsExpected", "");
}

#[test]
fn us_s36_no_desired_config_at_the_target() {
    let snapshot = bent(workers_rolling(), |s| {
        put(s.node("w-1"), Step::New);
        s.node("w-1").metadata.annotations.desired_config = None;
    });
    check(&snapshot, &[("pool worker", "Progressing 67% (2/3), 2 available"), ("health", "")]);
    assert!(
        assess(&snapshot, Rules::Headway).units.iter().any(|unit| unit.name == "w-1" && unit.phase == Phase::Updated)
    );
}

#[test]
fn us_s38_machine_config_deleted() {
    let snapshot = bent(rolling(), |s| {
        put(s.node("w-2"), Step::Draining);
        s.node("w-2").metadata.annotations.current_config = Some("rendered-worker-gone".into());
    });
    check(
        &snapshot,
        &[
            ("node w-2", "Unavailable Pending ? ? Node is marked unschedulable"),
            ("pool worker", "Progressing 33% (1/3), 1 available, 1 progressing, 1 draining, 1 unknown"),
            ("health", ""),
        ],
    );
}
