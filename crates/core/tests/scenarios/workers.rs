//! Scenarios of update-status-api.md, 7, about pools and what holds them up: S7, S11, S37, S39 to S47,
//! S53, S57, S74.

use std::sync::Arc;

use headway_api::node::Node;
use headway_api::prometheus::Alert;
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::{AlertsSeen, Snapshot};
use jiff::Timestamp;

use super::cluster::{
    Bend, False, NEW, NOW, Step, True, ago, bent, condition, config, cordoned, custom, hold, idle, node, put, roles,
    rolling, said, set, updating, workers_rolling,
};
use super::told::{check, line};

/// A worker with the role of a custom pool.
fn custom_node(name: &str, pool: &str, step: Step) -> Node {
    let mut node = node(name);
    node.metadata.labels = roles(&["worker", pool]);
    put(&mut node, step);
    node
}

/// An alert that has been firing since a moment.
pub(super) fn alert(name: &str, severity: &str, since: Timestamp) -> Alert {
    let labels = [("alertname", name), ("namespace", "shop"), ("severity", severity)];
    let mut alert = Alert {
        labels: labels.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
        state: "firing".into(),
        active_at: Some(since),
        ..Alert::default()
    };
    alert.annotations.summary = format!("Summary of {name}");
    alert
}

#[test]
fn us_s07_two_pools_drain_one_node_each() {
    let snapshot = bent(updating(), |s| {
        s.nodes.retain(|node| node.metadata.name != "w-2");
        s.pools.push(custom("infra"));
        s.nodes.push(Arc::new(custom_node("i-0", "infra", Step::Draining)));
        s.nodes.push(Arc::new(custom_node("i-1", "infra", Step::Old)));
        put(s.node("w-0"), Step::Draining);
    });
    let expect = "Progressing 0% (0/2), 1 available, 1 progressing, 1 draining";
    check(&snapshot, &[("pool worker", expect), ("pool infra", expect), ("health", "")]);
}

#[test]
fn us_s11_many_nodes_with_one_cause_are_one_insight() {
    let snapshot = bent(idle(), |s| {
        s.nodes.truncate(3);
        for number in 0..59 {
            let mut worker = node(&format!("worker-{number:02}"));
            let step = match number {
                0..22 => Step::New,
                22..34 => Step::Draining,
                _ => Step::Old,
            };
            put(&mut worker, step);
            if (22..29).contains(&number) {
                let notes = &mut worker.metadata.annotations;
                notes.state = Some("Degraded".into());
                notes.reason = Some(format!("failed to drain node: worker-{number} after 1 hour, 100{number} tries"));
            }
            s.nodes.push(Arc::new(worker));
        }
        set(&mut s.node("worker-58").status.conditions, condition("Ready", False, ago(30)));
        s.node("worker-56").spec.unschedulable = true;
        s.node("worker-57").spec.unschedulable = true;
        s.cv_says(condition("Failing", True, ago(0)));
    });
    let names: Vec<String> = (22..29).map(|number| format!("worker-{number}")).collect();
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Failing"),
            ("assessment", "Completed"),
            ("pool worker", "Degraded 37% (22/59), 44 available, 5 progressing, 12 draining, 7 degraded"),
            ("pool worker says", "True/Progressing False/NodesDegraded"),
            (
                "health",
                &format!(
                    "Error NODE-DEGRADED {}; Warning CV-FAILING version; Warning NODE-UNAVAILABLE worker-58",
                    names.join(",")
                ),
            ),
            (
                "summary NODE-DEGRADED",
                "7 nodes of pool worker are degraded: failed to drain node: <node> after 1 hour, # tries",
            ),
        ],
    );
    // Five nodes keep a line each.
    let five = bent(snapshot, |s| {
        for name in &names[..2] {
            put(s.node(name), Step::Draining);
        }
    });
    let report = assess(&five, Rules::Headway);
    assert_eq!(report.insights.iter().filter(|insight| insight.rule.id() == "H-NODE-DEGRADED").count(), 5);
}

#[test]
fn us_s37_configuration_change_outside_an_update() {
    let snapshot = bent(idle(), |s| {
        s.machine_configs.insert("rendered-worker-tuned".into(), Some(NEW.into()));
        s.pool("worker").spec.configuration.name = "rendered-worker-tuned".into();
        for name in ["w-0", "w-1", "w-2"] {
            let notes = &mut s.node(name).metadata.annotations;
            notes.current_config = Some("rendered-worker-tuned".into());
            notes.desired_config = notes.current_config.clone();
        }
        s.node("w-1").metadata.annotations.current_config = Some(config("worker", NEW));
    });
    check(
        &snapshot,
        &[
            ("outcome", "NotUpdating/NotUpdating"),
            ("pool worker", "Completed 100% (3/3), 2 available"),
            ("health", ""),
            ("hints", "Pool worker is rolling out a configuration change (2/3 nodes done), not a version update."),
        ],
    );
}

#[test]
fn us_s39_which_pool_a_node_belongs_to() {
    let check_pool = |labels: &[&str], pool: &str, health: &str, hint: &str| {
        let snapshot = bent(updating(), |s| {
            s.pools.extend(["zeta", "infra", "arbiter"].map(custom));
            s.node("w-1").metadata.labels = roles(labels);
        });
        check(&snapshot, &[("node w-1 pool", pool), ("health", health), ("hints", hint)]);
    };
    check_pool(&["master", "infra"], "master", "", "");
    check_pool(&["infra", "worker"], "infra", "", "");
    check_pool(&["zeta", "infra", "worker"], "infra", "Warning POOL-AMBIGUOUS w-1,infra,zeta", "");
    check_pool(&["arbiter", "worker"], "arbiter", "", "");
    check_pool(&["worker"], "worker", "", "");
    check_pool(&["other"], "-", "", "1 node belongs to no pool and cannot be judged: w-1.");
}

#[test]
fn us_3_3_arbiter_comes_before_custom_pools() {
    let snapshot = bent(updating(), |s| {
        s.pools.extend(["alpha", "arbiter"].map(custom));
        s.node("w-1").metadata.labels = roles(&["alpha", "arbiter"]);
    });
    check(
        &snapshot,
        &[
            ("node w-1 pool", "arbiter"),
            ("health", ""),
            ("pool arbiter scope", "ControlPlane"),
            ("pool alpha scope", "WorkerPool"),
        ],
    );
}

#[test]
fn us_3_3_a_pool_of_control_plane_nodes_is_of_the_control_plane() {
    let snapshot = bent(updating(), |s| {
        s.pools.push(custom("big"));
        s.node("w-1").metadata.labels = roles(&["big", "control-plane"]);
        s.node("w-2").metadata.labels = roles(&["big", "control-plane"]);
    });
    check(&snapshot, &[("pool big scope", "ControlPlane"), ("pool worker scope", "WorkerPool")]);
    let mixed = bent(snapshot, |s| s.node("w-2").metadata.labels = roles(&["big", "worker"]));
    check(&mixed, &[("pool big scope", "WorkerPool")]);
}

#[test]
fn us_s40_selector_moves_ten_nodes() {
    let before = bent(updating(), |s| {
        s.pools.push(custom("infra"));
        s.nodes.extend((0..10).map(|number| Arc::new(custom_node(&format!("x-{number}"), "other", Step::Old))));
    });
    check(&before, &[("pool worker", "Pending 0% (0/13), 13 available"), ("pool infra", "Empty - (0/0), 0 available")]);
    let after = bent(before, |s| s.pool("infra").spec.node_selector.as_mut().unwrap().match_labels = roles(&["other"]));
    check(
        &after,
        &[("pool worker", "Pending 0% (0/3), 3 available"), ("pool infra", "Pending 0% (0/10), 10 available")],
    );
    assert_eq!(assess(&after, Rules::Headway).units.len(), 16);
}

#[test]
fn us_s41_paused_and_unpaused() {
    let paused = bent(updating(), |s| s.pool("worker").spec.paused = true);
    check(
        &paused,
        &[("pool worker", "Excluded 0% (0/3), 3 available, 3 excluded"), ("health", "Warning POOL-PAUSED worker")],
    );
    let again = bent(paused.clone(), |s| s.pool("worker").spec.paused = false);
    check(&again, &[("pool worker", "Pending 0% (0/3), 3 available"), ("health", "")]);
    let later = bent(paused.clone(), |s| put(s.node("w-0"), Step::New));
    let uid = |snapshot| assess(snapshot, Rules::Headway).insights[0].uid.clone();
    assert_eq!(uid(&paused), uid(&later));
}

#[test]
fn us_s42_node_deleted_while_it_drains() {
    let snapshot = bent(rolling(), |s| {
        hold(s, "w-1");
        cordoned(s.node("w-1"), ago(11));
    });
    check(&snapshot, &[("health", "Warning DRAIN-BLOCKED w-1,shop/shop-0,shop/all")]);
    let gone = bent(snapshot, |s| s.nodes.retain(|node| node.metadata.name != "w-1"));
    check(&gone, &[("health", ""), ("node w-1", "-"), ("pool worker", "Progressing 50% (1/2), 2 available")]);
}

#[test]
fn us_s43_new_node_joins_at_the_target() {
    let snapshot = bent(rolling(), |s| {
        let mut new = node("w-3");
        put(&mut new, Step::New);
        s.nodes.push(Arc::new(new));
    });
    check(&snapshot, &[("pool worker", "Progressing 50% (2/4), 3 available, 1 progressing, 1 draining")]);
}

#[test]
fn us_s44_pool_that_cannot_be_rendered() {
    let check = |kind: &str, says: &str, health: &str| {
        let snapshot =
            bent(updating(), |s| set(&mut s.pool("worker").status.conditions, condition(kind, True, ago(3))));
        check(&snapshot, &[("pool worker says", says), ("health", health)]);
    };
    check("RenderDegraded", "False/Pending False/PoolDegraded", "Error POOL-RENDER worker");
    check("ImageBuildDegraded", "False/Pending False/PoolDegraded", "Error POOL-RENDER worker");
    check("Degraded", "False/Pending False/PoolDegraded", "");
    check("Updating", "False/Pending True/AsExpected", "");
}

#[test]
fn us_s45_drain_held_up_by_a_budget() {
    let check = |minutes: i64, health: &str, impact: &str| {
        let snapshot = bent(rolling(), |s| {
            hold(s, "w-1");
            cordoned(s.node("w-1"), ago(minutes));
        });
        check(&snapshot, &[("health", health), ("impact DRAIN-BLOCKED", impact)]);
    };
    check(9, "", "-");
    check(11, "Warning DRAIN-BLOCKED w-1,shop/shop-0,shop/all", "Update Speed WorkerPool");
    check(60, "Warning DRAIN-BLOCKED w-1,shop/shop-0,shop/all", "Update Speed WorkerPool");
    check(61, "Error DRAIN-BLOCKED w-1,shop/shop-0,shop/all", "Update Stalled WorkerPool");
    let drained = bent(rolling(), |s| {
        hold(s, "w-1");
        cordoned(s.node("w-1"), ago(61));
        put(s.node("w-1"), Step::Working);
    });
    super::told::check(&drained, &[("health", "")]);
}

#[test]
fn us_s46_operator_folded_into_its_nodes() {
    let snapshot = bent(rolling(), |s| {
        for number in 3..9 {
            let mut worker = node(&format!("w-{number}"));
            put(&mut worker, Step::Degraded);
            s.nodes.push(Arc::new(worker));
        }
        s.operator_says(
            "machine-config",
            said("Degraded", True, ago(6), "RequiredPoolsFailed", "6 nodes are degraded"),
        );
    });
    check(
        &snapshot,
        &[
            ("health", "Error NODE-DEGRADED w-3,w-4,w-5,w-6,w-7,w-8"),
            (
                "related NODE-DEGRADED",
                "H-CO-DEGRADED Cluster Operator machine-config is degraded (RequiredPoolsFailed)",
            ),
        ],
    );
}

#[test]
fn us_s47_which_alerts_count() {
    let yesterday = ago(24 * 60);
    let mut pending = alert("Pending", "critical", ago(3));
    pending.state = "pending".into();
    let budget = alert("PodDisruptionBudgetAtLimit", "warning", yesterday);
    let old = alert("Old", "warning", yesterday);
    let info = alert("Info", "info", ago(3));
    let snapshot = bent(updating(), |s| s.alerts = AlertsSeen::Answer(vec![budget, old, info, pending]));
    check(
        &snapshot,
        &[("health", "Warning ALERT shop/PodDisruptionBudgetAtLimit"), ("since ALERT", "2026-05-03T12:00:00Z")],
    );
}

#[test]
fn us_s53_a_pool_of_1025_nodes() {
    let snapshot = bent(updating(), |s| {
        s.nodes.truncate(3);
        s.nodes.extend((0..1025).map(|number| Arc::new(node(&format!("w-{number:04}")))));
        put(s.node("w-0000"), Step::New);
        for number in 1..=20 {
            put(s.node(&format!("w-{number:04}")), Step::Degraded);
        }
    });
    check(
        &snapshot,
        &[("pool worker", "Degraded 0% (1/1025), 1025 available, 20 degraded"), ("omitted NODE-DEGRADED", "4")],
    );
}

#[test]
fn us_s57_clock_jumps_back() {
    let snapshot = bent(rolling(), |s| {
        s.moment.at = ago(60);
        hold(s, "w-1");
        cordoned(s.node("w-1"), ago(11));
    });
    check(
        &snapshot,
        &[("took", "0s"), ("assessment", "Progressing"), ("health", ""), ("done", "88% (7/8), 1 updating")],
    );
    let report = assess(&snapshot, Rules::Headway);
    let left = report.cluster.estimate.unwrap();
    assert!(left.remaining_seconds >= 0 && left.total_seconds >= 0, "{left:?}");
    assert_eq!(line(&report, "pool worker"), line(&assess(&rolling(), Rules::Headway), "pool worker"));
}

#[test]
fn us_s74_forced_by_annotation() {
    let force = |s: &mut Snapshot| s.cv().metadata.annotations.force_insight = Some("please".into());
    for snapshot in [idle(), updating(), workers_rolling()] {
        let forced = bent(snapshot, force);
        check(&forced, &[("health", "Info FORCED version"), ("impact FORCED", "None ControlPlane")]);
        let later = bent(forced.clone(), |s| s.moment.at = NOW + jiff::SignedDuration::from_secs(1));
        assert_eq!(assess(&forced, Rules::Headway).insights, assess(&later, Rules::Headway).insights);
    }
}

#[test]
fn us_3_3_shares_round_half_up_and_stop_at_99() {
    let check_share = |done: usize, total: usize, expect: &str| {
        let snapshot = bent(updating(), |s| {
            s.nodes.truncate(3);
            s.nodes.extend((0..total).map(|number| Arc::new(node(&format!("w-{number:04}")))));
            for number in 0..done {
                put(s.node(&format!("w-{number:04}")), Step::New);
            }
        });
        let report = assess(&snapshot, Rules::Headway);
        assert!(line(&report, "pool worker").contains(expect), "{}", line(&report, "pool worker"));
    };
    check_share(1, 8, " 13% (1/8)");
    check_share(1, 200, " 1% (1/200)");
    check_share(1, 201, " 0% (1/201)");
    check_share(299, 300, " 99% (299/300)");
    check_share(300, 300, " 100% (300/300)");
}

#[test]
fn us_3_6_pool_left_behind() {
    let check = |hours: i64, health: &str| {
        let snapshot = bent(idle(), |s| {
            s.ends(ago(hours * 60));
            s.cv().status.history[0].started_time = Some(ago(hours * 60 + 60));
            put(s.node("w-2"), Step::Old);
        });
        check(&snapshot, &[("health", health)]);
    };
    check(24, "");
    check(25, "Info POOL-LAGGING worker");
    check(7 * 24, "Info POOL-LAGGING worker");
    check(7 * 24 + 1, "Warning POOL-LAGGING worker");
    let paused = bent(idle(), |s| {
        s.ends(ago(25 * 60));
        put(s.node("w-2"), Step::Old);
        s.pool("worker").spec.paused = true;
    });
    super::told::check(&paused, &[("health", "Warning POOL-PAUSED worker")]);
}
