//! The peer's rules about nodes and pools, status-openshift.md, 4 and 5: what its recorded examples do not pin.
//!
//! Not here: that *updating* needs two different configurations (5.3) cannot be seen, since equal configurations at the
//! target are *updated*; rows kept past the tenth (7.1) are a matter of the text.

use std::sync::Arc;

use headway_api::meta::{LabelRequirement, LabelSelector};
use headway_api::node::Node;
use headway_core::assess::refusal_of_peer;
use headway_core::snapshot::Snapshot;

use super::cluster::{
    Bend, False, NEW, OLD, Step, True, Unknown, ago, bent, condition, config, custom, idle, put, roles, rolling, set,
    updating,
};
use super::told::check_oc;

/// Bends node `w-1` and compares its row.
#[track_caller]
fn check_row(snapshot: Snapshot, bend: impl FnOnce(&mut Node), row: &str) {
    check_oc(&bent(snapshot, |s| bend(s.node("w-1"))), &[("node w-1", row)]);
}

/// Some text for an annotation.
fn text(value: &str) -> Option<String> {
    Some(value.into())
}

#[test]
fn oc_4_the_master_pool_is_not_an_outdated_pool() {
    check_oc(&idle(), &[("outcome", "NotUpdating/NotUpdating")]);
    let master = bent(idle(), |s| put(s.node("m-1"), Step::Old));
    check_oc(&master, &[("outcome", "NotUpdating/NotUpdating"), ("health", "")]);
    let worker = bent(idle(), |s| put(s.node("w-1"), Step::Old));
    check_oc(&worker, &[("outcome", "Updating/Updating"), ("assessment", "Completed")]);
    let paused = bent(worker, |s| s.pool("worker").spec.paused = true);
    check_oc(&paused, &[("health", "Warning POOL-PAUSED worker")]);
}

#[test]
fn oc_4_what_the_peer_refuses() {
    let check = |bend: fn(&mut Snapshot), expect: Option<&str>| {
        assert_eq!(refusal_of_peer(&bent(updating(), bend)).as_deref(), expect);
    };
    let server = "no cluster operator information available - you must be connected to an OpenShift version 4 server";
    check(|_| {}, None);
    check(|s| s.operators.clear(), Some(server));
    check(
        |s| s.cv().status.conditions.clear(),
        Some("no current Progressing info, see `oc describe clusterversion` for more details."),
    );
    check(
        |s| {
            let near = LabelRequirement { key: "a".into(), operator: "Near".into(), values: Vec::new() };
            s.pool("worker").spec.node_selector =
                Some(LabelSelector { match_expressions: vec![near], ..LabelSelector::default() });
        },
        Some("failed to get label selector from the pool: worker"),
    );
}

#[test]
fn oc_5_1_which_pool_a_node_belongs_to() {
    let check = |labels: &[&str], pool: &str| {
        let snapshot = bent(updating(), |s| {
            s.pools.extend(["zeta", "arbiter", "infra"].map(custom));
            s.node("w-1").metadata.labels = roles(labels);
        });
        check_oc(&snapshot, &[("node w-1 pool", pool)]);
    };
    check(&["zeta", "master"], "master");
    check(&["worker", "infra"], "infra");
    // The peer asks custom pools at random; here in list order.
    check(&["worker", "infra", "zeta"], "zeta");
    check(&["infra", "arbiter"], "arbiter");
    check(&["worker"], "worker");
    check(&["other"], "-");
}

#[test]
fn oc_5_1_selectors() {
    let check = |selector: Option<LabelSelector>, total: &str| {
        let snapshot = bent(updating(), |s| {
            let mut pool = custom("infra");
            pool.spec.node_selector = selector;
            s.pools.push(pool);
        });
        check_oc(&snapshot, &[("pool infra", total)]);
    };
    check(None, "Empty - (0/0), 0 available");
    check(Some(LabelSelector::default()), "Pending 0% (0/3), 3 available");
}

#[test]
fn oc_5_2_version_of_a_node() {
    let check = |bend: fn(&mut Snapshot)| check_oc(&bent(updating(), bend), &[("node w-1", "Outdated Pending ? ?")]);
    check(|s| drop(s.machine_configs.remove(&config("worker", OLD))));
    check(|s| drop(s.machine_configs.insert(config("worker", OLD), None)));
    check(|s| drop(s.machine_configs.insert(config("worker", OLD), Some(String::new()))));
}

#[test]
fn oc_5_3_updated_compares_with_the_newest_entry_of_the_history() {
    let snapshot = bent(rolling(), |s| s.cv().status.desired.version = "4.20.9".into());
    check_oc(&snapshot, &[("node w-0", "Completed Updated 4.20.2 -"), ("done", "0% (0/8), 1 updating, 7 waiting")]);
    let no_history = bent(rolling(), |s| s.cv().status.history.clear());
    check_oc(&no_history, &[("node w-0", "Outdated Pending 4.20.2 ?")]);
}

#[test]
fn oc_5_3_updating_needs_the_pools_configuration() {
    check_row(rolling(), |_| {}, "Progressing Draining 4.20.1 +10m");
    let other = bent(rolling(), |s| s.pool("worker").spec.configuration.name = "rendered-worker-other".into());
    check_row(other, |_| {}, "Unavailable Pending 4.20.1 ? Node is marked unschedulable");
}

#[test]
fn oc_5_3_updating_needs_desired_at_target() {
    let other = bent(rolling(), |s| {
        s.machine_configs.insert(config("worker", NEW), Some("4.19.9".into()));
    });
    check_row(other, |_| {}, "Unavailable Pending 4.20.1 ? Node is marked unschedulable");
    let unknown = bent(rolling(), |s| drop(s.machine_configs.remove(&config("worker", NEW))));
    check_row(unknown, |_| {}, "Unavailable Pending 4.20.1 ? Node is marked unschedulable");
    let from_nowhere = bent(rolling(), |s| drop(s.machine_configs.remove(&config("worker", OLD))));
    check_row(from_nowhere, |_| {}, "Unavailable Pending ? ? Node is marked unschedulable");
}

#[test]
fn oc_5_3_degraded_needs_a_desired_config() {
    let check = |desired: Option<&str>, state: &str, row: &str| {
        let bend = |node: &mut Node| {
            let notes = &mut node.metadata.annotations;
            notes.desired_config = desired.map(str::to_owned);
            notes.state = text(state);
            notes.reason = text("why");
        };
        check_row(updating(), bend, row);
    };
    let desired = config("worker", OLD);
    check(Some(&desired), "Degraded", "Degraded Pending 4.20.1 ? why");
    check(Some(&desired), "Unreconcilable", "Degraded Pending 4.20.1 ? why");
    check(Some(""), "Degraded", "Outdated Pending 4.20.1 ?");
    check(None, "Unreconcilable", "Outdated Pending 4.20.1 ?");
    check(Some(&desired), "Done", "Outdated Pending 4.20.1 ?");
}

#[test]
fn oc_5_4_bad_conditions() {
    let check = |kind: &str, status, row: &str| {
        check_row(updating(), |node| set(&mut node.status.conditions, condition(kind, status, ago(9))), row);
    };
    let well = "Outdated Pending 4.20.1 ?";
    check("Ready", True, well);
    check("Ready", False, "Unavailable Pending 4.20.1 ? Not ready");
    check("Ready", Unknown, "Unavailable Pending 4.20.1 ? Not ready");
    check("DiskPressure", False, well);
    check("DiskPressure", Unknown, "Unavailable Pending 4.20.1 ? Disk pressure");
    check("NetworkUnavailable", True, "Unavailable Pending 4.20.1 ? Network unavailable");
    check("PIDPressure", True, well);
    check("MemoryPressure", Unknown, well);
    check_row(updating(), |node| node.status.conditions.clear(), well);
    let all = |node: &mut Node| {
        node.status.conditions = vec![condition("NetworkUnavailable", True, ago(9)), condition("Ready", False, ago(9))];
        node.spec.unschedulable = true;
    };
    let row = "Unavailable Pending 4.20.1 ? Network unavailable | Not ready | Node is marked unschedulable";
    check_row(updating(), all, row);
}

#[test]
fn oc_5_4_done_needs_state_and_images() {
    let check = |bend: fn(&mut headway_api::node::NodeAnnotations), row: &str| {
        check_row(updating(), |node| bend(&mut node.metadata.annotations), row);
    };
    let done = "Outdated Pending 4.20.1 ?";
    let busy = "Unavailable Pending 4.20.1 ? Machine Config Daemon is processing the node";
    check(|_| {}, done);
    check(|notes| notes.state = text("Working"), busy);
    check(|notes| notes.state = None, busy);
    check(|notes| notes.desired_config = None, busy);
    check(|notes| notes.desired_config = text("rendered-worker-other"), busy);
    check(|notes| notes.current_image = text("a"), busy);
    check(|notes| (notes.current_image, notes.desired_image) = (text(""), text("")), busy);
    // With a desired image nothing makes the node unavailable in a pool that is not layered.
    check(|notes| notes.desired_image = text("a"), done);
    check(|notes| (notes.current_image, notes.desired_image) = (text("a"), text("a")), done);
}

#[test]
fn oc_5_4_degraded_but_not_done_is_available() {
    let snapshot = bent(rolling(), |s| put(s.node("w-1"), Step::Degraded));
    check_oc(
        &snapshot,
        &[
            ("pool worker", "Degraded 33% (1/3), 3 available, 1 degraded"),
            ("node w-1 says", "True/AsExpected True/Degraded"),
        ],
    );
}

#[test]
fn oc_5_4_a_desired_image_makes_a_node_available() {
    let check = |image: Option<&str>, row: &str| {
        let bend = |node: &mut Node| {
            set(&mut node.status.conditions, condition("Ready", False, ago(30)));
            node.metadata.annotations.desired_image = image.map(str::to_owned);
        };
        let snapshot = bent(updating(), |s| bend(s.node("w-1")));
        let health = if row.starts_with("Unavailable") { "Warning NODE-UNAVAILABLE w-1" } else { "" };
        check_oc(&snapshot, &[("node w-1", row), ("health", health)]);
    };
    check(None, "Unavailable Pending 4.20.1 ? Not ready");
    check(Some(""), "Unavailable Pending 4.20.1 ? Not ready");
    check(Some("a"), "Outdated Pending 4.20.1 ?");
}

#[test]
fn oc_5_4_layered_pools_compare_the_image() {
    let check = |label: bool, newest: Option<&str>, image: Option<&str>, row: &str| {
        let snapshot = bent(updating(), |s| {
            set(&mut s.node("w-1").status.conditions, condition("Ready", False, ago(30)));
            s.node("w-1").metadata.annotations.desired_image = image.map(str::to_owned);
            let meta = &mut s.pool("worker").metadata;
            meta.annotations.newest_image = newest.map(str::to_owned);
            if label {
                meta.labels = [("machineconfiguration.openshift.io/layering-enabled", "")].into_iter().collect();
            }
        });
        let health = if row.starts_with("Unavailable") { "Warning NODE-UNAVAILABLE w-1" } else { "" };
        check_oc(&snapshot, &[("node w-1", row), ("health", health)]);
    };
    let (down, well) = ("Unavailable Pending 4.20.1 ? Not ready", "Outdated Pending 4.20.1 ?");
    check(true, Some("a"), Some("a"), down);
    check(true, Some("a"), Some("b"), well);
    check(true, Some("a"), None, well);
    // Without the label or without the newest image the pool is not layered.
    check(false, Some("a"), Some("a"), well);
    check(true, None, Some("a"), well);
    check(true, Some(""), None, down);
}

#[test]
fn oc_5_5_phases() {
    let check = |state: &str, wanted: Option<&str>, applied: Option<&str>, row: &str| {
        let bend = |node: &mut Node| {
            let notes = &mut node.metadata.annotations;
            notes.state = text(state);
            notes.desired_drain = wanted.map(str::to_owned);
            notes.last_applied_drain = applied.map(str::to_owned);
        };
        check_row(rolling(), bend, row);
    };
    let draining = "Progressing Draining 4.20.1 +10m";
    let working = "Progressing Updating 4.20.1 +5m";
    check("Working", Some("drain-x"), Some("uncordon-x"), draining);
    check("Rebooting", Some("drain-x"), Some("drain-y"), draining);
    check("Working", Some("drain-x"), Some("drain-x"), working);
    // Only a request to drain drains, unless the daemon says Done.
    check("Working", Some("uncordon-x"), Some("drain-x"), working);
    check("Working", Some("drainage-x"), Some("drain-x"), working);
    check("Done", Some("uncordon-x"), Some("drain-x"), draining);
    check("Done", Some("drain-x"), Some("drain-x"), draining);
    // Both annotations are needed.
    check("Working", Some("drain-x"), None, working);
    check("Working", Some("drain-x"), Some(""), working);
    check("Rebooting", Some("drain-x"), Some("drain-x"), "Progressing Rebooting 4.20.1 +5m");
    check("", None, None, working);
    check("Any", None, None, working);
    // On the way and Done counts as updated, by mistake.
    check("Done", None, None, "Completed Updated 4.20.1 -");
}

#[test]
fn oc_5_6_overrides_and_messages() {
    let rename = |s: &mut Snapshot, name: &str| {
        let node = s.node("w-1");
        node.metadata.name = name.into();
        put(node, Step::Degraded);
        node.metadata.annotations.reason = Some(format!("{name}: no space on {name}"));
        set(&mut node.status.conditions, condition("Ready", False, ago(30)));
    };
    // Degraded beats unavailable; the own name goes from eight bytes on.
    let short = bent(rolling(), |s| rename(s, "w-12345"));
    check_oc(&short, &[("node w-12345", "Degraded Updating 4.20.1 ? w-12345: no space on w-12345")]);
    let long = bent(rolling(), |s| rename(s, "w-123456"));
    check_oc(&long, &[("node w-123456", "Degraded Updating 4.20.1 ? <node>: no space on <node>")]);
    let done = |node: &mut Node| {
        put(node, Step::New);
        node.metadata.annotations.state = text("Degraded");
    };
    check_row(rolling(), done, "Degraded Updated 4.20.2 -");
    check_row(rolling(), |node| node.metadata.annotations.reason = text("ignored"), "Progressing Draining 4.20.1 +10m");
}

#[test]
fn oc_5_6_rows_go_by_assessment_then_phase_then_name() {
    let snapshot = bent(rolling(), |s| {
        let steps = [Step::Rebooting, Step::Working, Step::Draining, Step::Old, Step::New, Step::Degraded];
        for (number, step) in steps.into_iter().enumerate() {
            let mut node = super::cluster::node(&format!("x-{number}"));
            put(&mut node, step);
            s.nodes.push(Arc::new(node));
        }
        set(&mut s.node("w-2").status.conditions, condition("Ready", False, ago(1)));
        s.nodes.retain(|node| !node.metadata.name.starts_with('m'));
    });
    check_oc(&snapshot, &[("nodes", "x-5; w-2; w-1; x-2; x-1; x-0; x-3; w-0; x-4")]);
}

#[test]
fn oc_5_7_counts_and_assessment() {
    let check = |steps: [Step; 3], paused: bool, pool: &str| {
        let snapshot = bent(updating(), |s| {
            s.pool("worker").spec.paused = paused;
            for (name, step) in ["w-0", "w-1", "w-2"].into_iter().zip(steps) {
                put(s.node(name), step);
            }
        });
        check_oc(&snapshot, &[("pool worker", pool)]);
    };
    use Step::{Degraded, Draining, New, Old, Rebooting, Working};
    check([New, New, New], true, "Completed 100% (3/3), 3 available");
    check([Old, Old, Old], false, "Pending 0% (0/3), 3 available");
    check([Old, Old, Old], true, "Excluded 0% (0/3), 3 available, 3 excluded");
    check([Degraded, Old, New], true, "Degraded 33% (1/3), 3 available, 1 excluded, 1 degraded");
    check([Degraded, Old, New], false, "Degraded 33% (1/3), 3 available, 1 degraded");
    // A node on the way in a paused pool goes on.
    check([Draining, Old, New], true, "Excluded 33% (1/3), 2 available, 1 progressing, 1 draining, 1 excluded");
    check([Rebooting, Working, Draining], false, "Progressing 0% (0/3), 0 available, 3 progressing, 1 draining");
}

#[test]
fn oc_5_7_pending_comes_before_degraded() {
    let snapshot = bent(updating(), |s| s.node("w-1").metadata.annotations.state = text("Degraded"));
    check_oc(&snapshot, &[("pool worker", "Pending 0% (0/3), 3 available, 1 degraded")]);
}
