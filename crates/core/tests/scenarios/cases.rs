//! Public reports, cases/README.md part (a), that have no folder of their own and that one snapshot can answer.
//!
//! Widths, cuts and streams (parts of A05, A06, A27) are tested where text is made. A30 to A37 are of hosted clusters
//! (issue 6), A42 and A43 of the controller (issue 4).

use std::sync::Arc;

use headway_api::machine_config::{MachineOsBuild, MachineOsConfig};
use headway_api::node::Node;
use headway_api::openshift::OperandVersion;
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::Snapshot;

use super::cluster::{
    Bend, False, NEW, OLD, OPERATORS, Step, True, Unknown, ago, at, bent, condition, config, custom, idle, put, roles,
    rolling, said, set, updating, workers_rolling,
};
use super::told::{check, line};

#[test]
fn case_a03_guest_of_a_hosted_control_plane() {
    let guest = |snapshot: Snapshot| {
        bent(snapshot, |s| {
            s.pools.clear();
            s.machine_configs.clear();
            s.seen.pools = false;
            s.seen.machine_configs = false;
            s.nodes.retain(|node| node.metadata.name.starts_with('w'));
            for node in &mut s.nodes {
                Arc::make_mut(node).metadata.annotations = Default::default();
            }
        })
    };
    let hint = "This is the guest side of a hosted control plane: it has no machine config pools. Its version, its \
                operators and whether its nodes are in service are told here. Which release the nodes run and are to \
                run is known to the NodePools on the management cluster; there, ask with headway status NAME -n \
                NAMESPACE for the HostedCluster.";
    // With what tells which HostedCluster it is, and which pools it has.
    let named = bent(guest(idle()), |s| {
        s.cv().spec.cluster_id = "0b1c".into();
        for (at, pool) in [(0, "blue"), (1, "blue"), (2, "red")] {
            let labels = &mut Arc::make_mut(&mut s.nodes[at]).metadata.labels;
            *labels = [("hypershift.openshift.io/nodePool", pool)].into_iter().collect();
        }
    });
    let told = hint
        .replace("NodePools on", "NodePools (blue with 2 nodes, red with 1 node) on")
        .replace("HostedCluster.", "HostedCluster whose spec.clusterID is 0b1c.");
    check(&named, &[("form", "Hosted"), ("hints", &told)]);
    let expect =
        [("form", "Hosted"), ("pools", ""), ("nodes", "w-0; w-1; w-2"), ("hints", hint), ("gaps", ""), ("health", "")];
    check(&guest(updating()), &expect);
    check(&guest(updating()), &[("outcome", "Updating/Updating"), ("done", "50% (4/8), 1 updating, 3 waiting")]);
    check(&guest(idle()), &expect);
    // A few workers without anything else are no guest, but a recording that lacks nearly everything.
    check(&bent(guest(idle()), |s| s.cluster_version = None), &[("form", "Unknown"), ("hints", "")]);
}

#[test]
fn case_a05_reason_of_many_lines() {
    let reason = format!("unexpected error\n  on node\n{}", "lookup registry: no such host\n".repeat(66));
    let snapshot = bent(rolling(), |s| {
        put(s.node("w-1"), Step::Degraded);
        s.node("w-1").metadata.annotations.reason = Some(reason.clone());
    });
    check(
        &snapshot,
        &[
            ("node w-1", format!("Degraded Updating 4.20.1 ? {reason}").trim_end()),
            ("summary NODE-DEGRADED", "Node w-1 is degraded"),
            ("description NODE-DEGRADED", &reason),
        ],
    );
    // Of many nodes with one reason the first line is told.
    let many = bent(snapshot, |s| {
        for number in 3..9 {
            let mut node = super::cluster::node(&format!("w-{number}"));
            put(&mut node, Step::Degraded);
            node.metadata.annotations.reason = Some(reason.clone());
            s.nodes.push(Arc::new(node));
        }
    });
    check(&many, &[("summary NODE-DEGRADED", "7 nodes of pool worker are degraded: unexpected error...")]);
}

#[test]
fn case_a06_operators_with_long_and_empty_texts() {
    let reason = "A_ReasonOfFortyCharactersWithoutAnyBreak";
    let snapshot = bent(updating(), |s| {
        s.operator_says("network", said("Progressing", True, ago(5), reason, "one\ntwo\nthree"));
        s.operator_says("dns", said("Progressing", True, ago(5), "", ""));
    });
    check(
        &snapshot,
        &[
            ("done", "50% (4/8), 2 updating, 2 waiting"),
            ("co network message", "one\ntwo\nthree"),
            ("co dns", "True/Progressing True/AsExpected"),
            ("co dns message", ""),
        ],
    );
    let report = assess(&snapshot, Rules::Headway);
    assert!(report.components.iter().any(|c| c.name == "network" && c.progressing_reason == reason));
}

#[test]
fn case_a07_old_failure_of_a_quiet_cluster() {
    let snapshot =
        bent(idle(), |s| s.cv_says(said("Failing", True, ago(9000), "MultipleErrors", "Error while reconciling")));
    check(
        &snapshot,
        &[
            ("outcome", "NotUpdating/NotUpdating"),
            ("health", ""),
            ("hints", "ClusterVersion says that it is failing (MultipleErrors), although no update is running."),
        ],
    );
}

#[test]
fn case_a09_slow_is_not_failing() {
    let snapshot = bent(updating(), |s| {
        let words = "waiting on image-registry over 30 minutes which is longer than expected";
        s.cv_says(said("Failing", Unknown, ago(1), "SlowClusterOperator", words));
        s.operator_says("network", condition("Progressing", False, ago(6)));
        s.operator_says("image-registry", condition("Progressing", True, ago(31)));
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/NeedsAttention"),
            ("assessment", "Progressing"),
            ("health", "Warning CV-FAILING version; Warning CO-SLOW image-registry"),
            (
                "summary CV-FAILING",
                "Cluster Version version may be failing to proceed with the update (SlowClusterOperator)",
            ),
        ],
    );
}

#[test]
fn case_a12_failed_image_build_is_no_success() {
    let snapshot = bent(idle(), |s| {
        for name in ["w-0", "w-1", "w-2"] {
            put(s.node(name), Step::Old);
        }
        set(&mut s.pool("worker").status.conditions, condition("Updating", True, ago(30)));
        let mut of_worker = MachineOsConfig::default();
        of_worker.metadata.name = "layered".into();
        of_worker.spec.machine_config_pool.name = "worker".into();
        s.os_configs.push(of_worker);
        let mut build = MachineOsBuild::default();
        build.metadata.name = "layered-2".into();
        build.spec.machine_os_config.name = "layered".into();
        build.spec.machine_config.name = config("worker", NEW);
        build.status.conditions = vec![said("Failed", True, ago(20), "Failed", "no space left on device")];
        s.os_builds.push(build);
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Failing"),
            ("pool worker", "Pending 0% (0/3), 3 available"),
            ("health", "Error POOL-RENDER worker,layered-2"),
            (
                "summary POOL-RENDER",
                "The image cannot be built for pool worker: MachineOSBuild layered-2 failed (Failed)",
            ),
            ("description POOL-RENDER", "no space left on device"),
        ],
    );
    let older = bent(snapshot.clone(), |s| s.os_builds[0].spec.machine_config.name = config("worker", OLD));
    check(&older, &[("health", "")]);
    let repaired = bent(snapshot, |s| {
        let mut build = s.os_builds[0].clone();
        build.status.conditions = vec![condition("Succeeded", True, ago(1))];
        s.os_builds.push(build);
    });
    check(&repaired, &[("health", "")]);
}

#[test]
fn case_a16_two_operators_wait_for_a_pod() {
    let words = "DaemonSet \"/openshift-network/prepuller\" is not available (awaiting 1 nodes)";
    let snapshot = bent(rolling(), |s| {
        at(s.operator("network"), OLD);
        s.operator_says("network", said("Progressing", True, ago(180), "Deploying", words));
        s.operator_says("machine-config", condition("Progressing", False, ago(600)));
        s.cv().status.history[0].started_time = Some(ago(200));
    });
    check(
        &snapshot,
        &[
            ("done", "75% (6/8), 1 updating, 1 waiting"),
            ("health", "Error UPDATE-STALLED version,network,machine-config; Warning CO-SLOW network"),
            ("description UPDATE-STALLED", &format!("network: {words}\nmachine-config: What Progressing says.")),
            ("summary CO-SLOW", "Cluster Operator network has been updating for more than 30 minutes"),
            ("description CO-SLOW", words),
            ("since CO-SLOW", "2026-05-04T09:00:00Z"),
        ],
    );
}

#[test]
fn case_a17_hours_without_an_end() {
    let snapshot = bent(updating(), |s| {
        s.cv().status.history[0].started_time = Some(ago(22 * 60));
        for name in OPERATORS {
            s.operator_says(name, condition("Progressing", False, ago(21 * 60 + 30)));
        }
        s.operator_says("dns", said("Available", False, ago(21 * 60), "NoPods", "no pod answers"));
    });
    check(
        &snapshot,
        &[
            ("outcome", "Updating/Failing"),
            ("assessment", "Stalled"),
            ("left", "Overdue -62149s of 17040s"),
            (
                "health",
                "Error UPDATE-STALLED version,network,dns,image-registry,machine-config; Error CO-UNAVAILABLE dns",
            ),
            ("summary UPDATE-STALLED", "The update to 4.20.2 is stalled, waiting for network and 3 others"),
            ("summary CO-UNAVAILABLE", "Cluster Operator dns is unavailable (NoPods)"),
            ("since CO-UNAVAILABLE", "2026-05-03T15:00:00Z"),
        ],
    );
    assert!(assess(&snapshot, Rules::Headway).cluster.estimate.is_some_and(|left| left.completed_at.is_none()));
}

#[test]
fn case_a18_multi_arch_keeps_the_version() {
    let snapshot = bent(rolling(), |s| {
        s.cv().status.history[1].version = NEW.into();
        s.cv().status.desired.architecture = "Multi".into();
        for version in s.machine_configs.values_mut() {
            *version = Some(NEW.into());
        }
        for name in OPERATORS {
            at(s.operator(name), NEW);
        }
        let image = OperandVersion { name: "operator-image".into(), version: "mco-1".into() };
        s.operator("machine-config").status.versions.push(image);
        s.mco_image = Some("mco-2".into());
    });
    let expect = [
        ("outcome", "Updating/Updating"),
        ("versions", "MultiArchitecture 4.20.2 from 4.20.2 for Multi"),
        ("assessment", "Progressing"),
        ("done", "88% (7/8), 1 updating"),
        ("pool worker", "Progressing 33% (1/3), 2 available, 1 progressing, 1 draining"),
    ];
    check(&snapshot, &expect);
    // Without the Deployment only the image could tell, so nothing is told of the operator.
    let no_image = bent(snapshot, |s| s.mco_image = None);
    check(&no_image, &[("assessment", "Progressing"), ("done", "88% (7/8), 1 unknown")]);
}

#[test]
fn case_a20_why_a_node_is_out_of_service() {
    let check = |bend: fn(&mut Node), row: &str, health: &str| {
        let snapshot = bent(workers_rolling(), |s| bend(s.node("w-0")));
        check(&snapshot, &[("node w-0", &format!("Unavailable Updated 4.20.2 - {row}")), ("health", health)]);
    };
    let down = "Warning NODE-UNAVAILABLE w-0";
    check(|node| set(&mut node.status.conditions, condition("Ready", False, ago(9))), "Not ready", down);
    check(|node| set(&mut node.status.conditions, condition("DiskPressure", True, ago(9))), "Disk pressure", down);
    check(
        |node| set(&mut node.status.conditions, condition("NetworkUnavailable", True, ago(9))),
        "Network unavailable",
        down,
    );
    check(|node| node.spec.unschedulable = true, "Node is marked unschedulable", "");
    let busy = "Machine Config Daemon is processing the node";
    check(|node| node.metadata.annotations.state = Some("Working".into()), busy, "");
    check(
        |node| {
            node.metadata.annotations.current_image = Some("a".into());
            node.metadata.annotations.desired_image = Some("b".into());
        },
        busy,
        "",
    );
    check(
        |node| {
            node.spec.unschedulable = true;
            set(&mut node.status.conditions, condition("DiskPressure", True, ago(9)));
            set(&mut node.status.conditions, condition("Ready", False, ago(9)));
        },
        "Disk pressure | Not ready | Node is marked unschedulable",
        down,
    );
}

#[test]
fn case_a21_cordoned_by_hand_is_not_an_update() {
    let snapshot = bent(idle(), |s| {
        s.node("w-1").spec.unschedulable = true;
        set(&mut s.pool("worker").status.conditions, condition("Updating", True, ago(30)));
    });
    check(
        &snapshot,
        &[
            ("outcome", "NotUpdating/NotUpdating"),
            ("pool worker", "Completed 100% (3/3), 2 available"),
            ("hints", "1 node is cordoned: w-1."),
            ("health", ""),
        ],
    );
}

#[test]
fn case_a22_nodes_of_two_pools_count_once() {
    let snapshot = bent(updating(), |s| {
        s.pools.extend(["infra", "gpu"].map(custom));
        s.node("w-0").metadata.labels = roles(&["worker", "infra"]);
        s.node("w-1").metadata.labels = roles(&["worker", "infra", "gpu"]);
    });
    let expect = [
        ("pool worker", "Pending 0% (0/1), 1 available"),
        ("pool infra", "Pending 0% (0/1), 1 available"),
        ("pool gpu", "Pending 0% (0/1), 1 available"),
        ("node w-1 pool", "gpu"),
        ("health", "Warning POOL-AMBIGUOUS w-1,gpu,infra"),
    ];
    check(&snapshot, &expect);
    check(&bent(snapshot, |s| s.pools.reverse()), &expect);
}

#[test]
fn case_a41_invalid_spec() {
    let words = "spec.capabilities.additionalEnabledCapabilities: Unsupported value";
    let invalid = |s: &mut Snapshot| s.cv_says(said("Invalid", True, ago(3), "InvalidClusterVersion", words));
    for (snapshot, outcome) in [(updating(), "Updating/Failing"), (idle(), "NotUpdating/NeedsAttention")] {
        check(
            &bent(snapshot, invalid),
            &[
                ("outcome", outcome),
                ("health", "Error CV-INVALID version"),
                ("summary CV-INVALID", "Cluster Version version is invalid (InvalidClusterVersion)"),
                ("description CV-INVALID", words),
            ],
        );
    }
}

#[test]
fn case_a41_change_that_nobody_looked_at() {
    let check_generations = |asked, seen, health: &str| {
        let snapshot = bent(updating(), |s| {
            s.cv().metadata.generation = asked;
            s.cv().status.observed_generation = seen;
        });
        check(&snapshot, &[("health", health)]);
    };
    check_generations(Some(8), Some(7), "Warning CV-INVALID version");
    check_generations(Some(8), Some(8), "");
    check_generations(Some(8), None, "");
    check_generations(None, Some(8), "");
}

#[test]
fn case_a45_empty_or_foreign_operators() {
    let none = bent(idle(), |s| s.operators.clear());
    check(
        &none,
        &[
            ("outcome", "Unknown/CannotTell"),
            ("done", "- (0/0)"),
            ("gaps", "Missing no ClusterOperators: how far the control plane is cannot be told"),
        ],
    );
    let unmarked = bent(idle(), |s| s.operators.iter_mut().for_each(|operator| operator.metadata.platform.0 = false));
    let gap = "Missing none of the ClusterOperators is annotated as part of a release: how far the control plane is \
               cannot be told";
    check(&unmarked, &[("outcome", "Unknown/CannotTell"), ("gaps", gap)]);
    let foreign = bent(idle(), |s| s.operators.iter_mut().for_each(|operator| at(operator, "4.16.9")));
    check(
        &foreign,
        &[
            ("outcome", "Unknown/CannotTell"),
            ("health", "Warning CV-CONTRADICT version"),
            (
                "summary CV-CONTRADICT",
                "ClusterVersion says that 4.20.2 is complete, but 8 of 8 operators report another version: etcd, \
                 kube-apiserver, authentication, console, network and 3 more",
            ),
        ],
    );
    // What else is missing is named, and nothing is a success.
    type Drop = fn(&mut Snapshot);
    let drops: [(Drop, &str); 3] = [
        (|s| (s.nodes.clear(), s.seen.nodes = false).1, "no Nodes"),
        (|s| (s.pools.clear(), s.seen.pools = false).1, "no MachineConfigPools"),
        (|s| (s.machine_configs.clear(), s.seen.machine_configs = false).1, "no MachineConfigs"),
    ];
    for (drop, gap) in drops {
        let report = assess(&bent(idle(), drop), Rules::Headway);
        assert_eq!(line(&report, "outcome"), "Unknown/CannotTell", "{gap}");
        assert!(line(&report, "gaps").contains(gap), "{}", line(&report, "gaps"));
    }
}
