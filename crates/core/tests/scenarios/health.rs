//! Health rules of update-status-api.md, 3.6, in the parts that no scenario of its section 7 reaches: drains, requests
//! that are not taken up, MachineConfigNodes, folding.

use std::sync::Arc;

use headway_api::apps::{IntOrString, Pod};
use headway_api::machine_config::MachineConfigNode;
use headway_api::meta::{ConditionStatus, OwnerReference};
use headway_api::openshift::DesiredUpdate;
use headway_core::snapshot::{AlertsSeen, Snapshot};

use super::cluster::{
    Bend, False, NEW, Step, True, Unknown, ago, bent, condition, hold, idle, put, rolling, said, updating,
    workers_rolling,
};
use super::told::check;
use super::workers::alert;

/// A node that drains, with one pod that a budget holds.
fn held(bend: impl FnOnce(&mut Snapshot)) -> Snapshot {
    bent(rolling(), |s| {
        hold(s, "w-1");
        bend(s);
    })
}

const BLOCKED: &str = "Warning DRAIN-BLOCKED w-1,shop/shop-0,shop/all";

#[test]
fn us_3_6_pods_that_leave_without_asking() {
    let check_pod =
        |bend: fn(&mut Pod), health: &str| check(&held(|s| bend(Arc::make_mut(&mut s.pods[0]))), &[("health", health)]);
    check_pod(|_| {}, BLOCKED);
    check_pod(|pod| pod.status.phase = "Succeeded".into(), "");
    check_pod(|pod| pod.status.phase = "Failed".into(), "");
    check_pod(|pod| pod.status.phase = "Pending".into(), "");
    check_pod(|pod| pod.metadata.deletion_timestamp = Some(ago(1)), "");
    check_pod(|pod| pod.metadata.annotations.mirror = Some("hash".into()), "");
    check_pod(|pod| pod.spec.node_name = "w-2".into(), "");
    check_pod(|pod| pod.spec.node_name.clear(), "");
    let owner = |kind: &str, controller| OwnerReference { kind: kind.into(), name: "x".into(), controller };
    check(
        &held(|s| Arc::make_mut(&mut s.pods[0]).metadata.owner_references = vec![owner("DaemonSet", true)]),
        &[("health", "")],
    );
    check(
        &held(|s| Arc::make_mut(&mut s.pods[0]).metadata.owner_references = vec![owner("DaemonSet", false)]),
        &[("health", BLOCKED)],
    );
    check(
        &held(|s| Arc::make_mut(&mut s.pods[0]).metadata.owner_references = vec![owner("ReplicaSet", true)]),
        &[("health", BLOCKED)],
    );
}

#[test]
fn us_3_6_pods_that_are_not_ready() {
    let check_unready = |policy: &str, healthy: i64, health: &str| {
        let snapshot = held(|s| {
            Arc::make_mut(&mut s.pods[0]).status.conditions = vec![condition("Ready", False, ago(9))];
            Arc::make_mut(&mut s.budgets[0]).spec.unhealthy_pod_eviction_policy = policy.into();
            Arc::make_mut(&mut s.budgets[0]).status.as_mut().unwrap().current_healthy = healthy;
        });
        check(&snapshot, &[("health", health)]);
    };
    check_unready("AlwaysAllow", 0, "");
    check_unready("", 0, BLOCKED);
    check_unready("IfHealthyBudget", 1, "");
}

#[test]
fn us_3_6_what_holds_a_drain_and_what_would_let_it_pass() {
    let never = held(|s| Arc::make_mut(&mut s.budgets[0]).spec.min_available = Some(IntOrString("1".into())));
    check(
        &never,
        &[
            (
                "summary DRAIN-BLOCKED",
                "Node w-1 cannot be drained: pod shop/shop-0 is held by PodDisruptionBudget shop/all (0 disruptions \
                 allowed, 1 of 1 healthy needed)",
            ),
            (
                "advice DRAIN-BLOCKED",
                "shop/all: minAvailable equals the replica count (1), so no eviction can ever pass: lower it, or add a \
                 replica.",
            ),
        ],
    );
    let later = held(|s| {
        let status = Arc::make_mut(&mut s.budgets[0]).status.as_mut().unwrap();
        (status.desired_healthy, status.current_healthy, status.expected_pods) = (2, 2, 3);
    });
    check(
        &later,
        &[(
            "advice DRAIN-BLOCKED",
            "shop/all: 2 of the 2 pods it needs are healthy: the drain goes on when one more is.",
        )],
    );
    let two = held(|s| {
        let mut second = (*s.budgets[0]).clone();
        second.metadata.name = "also".into();
        second.status.as_mut().unwrap().disruptions_allowed = 1;
        s.budgets.push(second.into());
    });
    check(
        &two,
        &[(
            "resources DRAIN-BLOCKED",
            "nodes w-1; pods shop/shop-0; poddisruptionbudgets.policy shop/all; poddisruptionbudgets.policy shop/also",
        )],
    );
}

#[test]
fn us_3_6_folding_of_what_a_budget_causes() {
    let snapshot = held(|s| {
        let notes = &mut s.node("w-1").metadata.annotations;
        notes.state = Some("Degraded".into());
        notes.reason = Some("failed to drain node: w-1 after 1 hour".into());
        let mut limit = alert("PodDisruptionBudgetAtLimit", "warning", ago(600));
        limit.labels.insert("poddisruptionbudget".into(), "all".into());
        s.alerts = AlertsSeen::Answer(vec![limit]);
        s.operator_says("machine-config", said("Degraded", True, ago(6), "RequiredPoolsFailed", "1 node is degraded"));
    });
    check(
        &snapshot,
        &[
            ("health", "Error DRAIN-BLOCKED w-1,shop/shop-0,shop/all"),
            (
                "related DRAIN-BLOCKED",
                "H-NODE-DEGRADED Node w-1 is degraded; \
                 H-ALERT Alert is firing: Summary of PodDisruptionBudgetAtLimit (PodDisruptionBudget shop/all); \
                 H-CO-DEGRADED Cluster Operator machine-config is degraded (RequiredPoolsFailed)",
            ),
        ],
    );
}

#[test]
fn us_3_6_what_is_worse_than_its_cause_is_not_folded() {
    let snapshot = bent(updating(), |s| {
        s.cv_says(said("Failing", True, ago(21), "ClusterOperatorDegraded", "Cluster operator dns is degraded"));
        s.operator_says("dns", condition("Degraded", True, ago(21)));
    });
    check(&snapshot, &[("health", "Error CV-FAILING version; Warning CO-DEGRADED dns")]);
}

#[test]
fn us_3_6_gate_no_health_without_an_update() {
    let sick = |s: &mut Snapshot| {
        s.operator_says("dns", condition("Degraded", True, ago(60)));
        s.operator_says("etcd", condition("Available", False, ago(60)));
        s.alerts = AlertsSeen::Answer(vec![alert("PodDisruptionBudgetAtLimit", "warning", ago(600))]);
    };
    check(&bent(idle(), sick), &[("outcome", "NotUpdating/NotUpdating"), ("health", "")]);
    let expect = "Error CO-UNAVAILABLE etcd; Error CO-DEGRADED dns; Warning ALERT shop/PodDisruptionBudgetAtLimit";
    check(&bent(workers_rolling(), sick), &[("health", expect)]);
}

#[test]
fn us_3_6_scope_of_an_alert_is_that_of_its_node() {
    let check_scope = |node: &str, impact: &str| {
        let mut one = alert("Some", "warning", ago(3));
        one.labels.insert("node".into(), node.into());
        check(&bent(updating(), |s| s.alerts = AlertsSeen::Answer(vec![one])), &[("impact ALERT", impact)]);
    };
    check_scope("w-1", "Unknown WorkerPool");
    check_scope("m-1", "Unknown ControlPlane");
    check_scope("gone", "Unknown ControlPlane");
}

#[test]
fn requests_that_are_not_taken_up() {
    let check_request = |version: &str, image: &str, accepted: Option<ConditionStatus>, health: &str, summary: &str| {
        let snapshot = bent(idle(), |s| {
            let asked = DesiredUpdate { version: version.into(), image: image.into(), ..DesiredUpdate::default() };
            s.cv().spec.desired_update = Some(asked);
            s.cv().metadata.generation = Some(3);
            s.cv().status.observed_generation = Some(if summary == "-" { 3 } else { 2 });
            if let Some(status) = accepted {
                s.cv_says(said("ReleaseAccepted", status, ago(3), "RetrievePayload", "signature"));
            }
        });
        check(&snapshot, &[("health", health), ("summary CV-NOT-ACCEPTED", summary)]);
    };
    check_request(NEW, "image-2", None, "", "-");
    check_request(NEW, "", Some(True), "", "-");
    let waits = "The update to 4.20.3 was asked for and has not been taken up";
    check_request("4.20.3", "", None, "Warning CV-NOT-ACCEPTED version", waits);
    let waits = "The update to image-3 was asked for and has not been taken up";
    check_request("", "image-3", Some(True), "Warning CV-NOT-ACCEPTED version", waits);
    let refused = "The update to 4.20.3 was not accepted (RetrievePayload)";
    check_request("4.20.3", "", Some(False), "Error CV-NOT-ACCEPTED version", refused);
}

/// Node `w-1` is on its way, and its MachineConfigNode says this.
fn with_step(kind: &str, status: ConditionStatus) -> Snapshot {
    bent(rolling(), |s| {
        put(s.node("w-1"), Step::Working);
        let mut mcn = MachineConfigNode::default();
        mcn.status.conditions = vec![condition(kind, status, ago(7))];
        s.machine_config_nodes.insert("w-1".into(), Arc::new(mcn));
    })
}

#[test]
fn us_3_4_steps_of_a_machine_config_node() {
    let check_step = |kind: &str, status, row: &str| check(&with_step(kind, status), &[("node w-1", row)]);
    let working = "Progressing Updating 4.20.1 +5m";
    check_step("Drained", Unknown, "Progressing Draining 4.20.1 +10m");
    check_step("Cordoned", Unknown, "Progressing Draining 4.20.1 +10m");
    check_step("AppliedFilesAndOS", Unknown, working);
    check_step("AppliedOSImage", Unknown, working);
    check_step("ImagePulledFromRegistry", Unknown, working);
    check_step("RebootedNode", Unknown, "Progressing Rebooting 4.20.1 +5m");
    check_step("RebootedNode", False, working);
    check_step("Drained", True, working);
    // The step says since when the drain goes on.
    let blocked = bent(with_step("Drained", Unknown), |s| hold(s, "w-1"));
    check(&blocked, &[("health", "")]);
    let later = bent(blocked, |s| s.moment.at = ago(-4));
    check(&later, &[("health", BLOCKED), ("since DRAIN-BLOCKED", "2026-05-04T11:53:00Z")]);
}

#[test]
fn us_3_4_degraded_by_a_machine_config_node() {
    let snapshot = bent(with_step("NodeDegraded", True), |s| {
        put(s.node("w-1"), Step::Degraded);
        s.node("w-1").metadata.annotations.reason = None;
    });
    check(
        &snapshot,
        &[
            ("health", "Error NODE-DEGRADED w-1"),
            ("description NODE-DEGRADED", "What NodeDegraded says."),
            ("since NODE-DEGRADED", "2026-05-04T11:53:00Z"),
        ],
    );
}
