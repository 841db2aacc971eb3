//! Public reports about hosted clusters: A30 to A36 of cases/README.md.

use headway_api::report::Phase;
use serde_json::{Value, json};

use super::scenarios::moving;
use super::world::{NEW, OLD, ago, check, component, components, entry, lines, node, nodes, pool, side, told, told_of};

const CLUSTER: &str = "Completed False/NotProgressing 100% 4.17.9 to 4.18.3";

#[test]
fn case_a30_a_failure_in_place_names_the_node_and_the_pod_that_was_to_change_it() {
    let mut failed = moving();
    failed["spec"]["management"] = json!({"upgradeType": "InPlace"});
    failed["status"]["conditions"] =
        json!([told("UpdatingVersion", "False", "InplaceUpgradeFailed", "degraded node found", 15)]);
    let pod = json!({"metadata": {"name": "machine-config-daemon-a-1", "namespace": "mco"},
        "spec": {"nodeName": "a-1"}, "status": {"phase": "Failed"}});
    let report = told_of(&[
        ("/pools", json!([failed])),
        ("/nodes", json!([node("a-0", "1bb", "1bb", "Done"), node("a-1", "0aa", "1bb", "Degraded")])),
        ("/pods", json!([pod])),
        ("/seen/guest", true.into()),
    ]);
    let [insight] = report.insights.as_slice() else { panic!("{:#?}", report.insights) };
    assert_eq!(insight.summary, "The update in place failed on node a-1 of NodePool a: degraded node found");
    let named: Vec<String> =
        insight.resources.iter().map(|it| format!("{} {}", it.resource, it.qualified_name())).collect();
    assert_eq!(named, ["nodepools bay/a", "nodes a-1", "pods mco/machine-config-daemon-a-1"]);
    assert!(insight.description.contains("mco/machine-config-daemon-a-1, which is to change the node, is Failed"));
}

#[test]
fn a_summary_is_one_line_whatever_a_condition_says() {
    let mut failed = moving();
    let message = "the disk of the node is full\n".repeat(100);
    failed["status"]["conditions"] = json!([told("UpdatingVersion", "False", "InplaceUpgradeFailed", &message, 15)]);
    let report = told_of(&[("/pools", json!([failed]))]);
    let insight = &report.insights[0];
    assert_eq!((insight.summary.chars().count(), insight.summary.ends_with("...")), (300, true));
    assert!(insight.description.len() > 2_000, "the whole is in the description");
}

/// A pool that is done, with another condition.
fn with(condition: Value) -> Value {
    let mut changed = pool("a", NEW);
    changed["status"]["conditions"].as_array_mut().unwrap().push(condition);
    json!([changed])
}

#[test]
fn case_a31_a_configuration_is_no_version() {
    let rolls = [("/pools", with(told("UpdatingConfig", "True", "AsExpected", "Updating config in progress", 15)))];
    check(&rolls, &["NotUpdating NotUpdating", CLUSTER, "a Progressing ConfigUpdate 100% 3/3"]);
    assert_eq!(told_of(&rolls).hints, ["NodePool a is rolling out a configuration change, not a version update."]);
    let pending = [("/pools", with(told("ConfigUpdatePending", "True", "AsExpected", "a change waits", 15)))];
    check(&pending, &["NotUpdating NotUpdating", CLUSTER, "a Completed ConfigUpdatePending 100% 3/3"]);
    assert_eq!(
        told_of(&pending).hints,
        ["NodePool a has a configuration change pending that is not rolled out; its version stays as it is."]
    );
    // A version beside a configuration is a version.
    let mut both = moving();
    both["status"]["conditions"].as_array_mut().unwrap().push(told("UpdatingConfig", "True", "AsExpected", "", 15));
    check(&[("/pools", json!([both]))], &["Updating Updating", CLUSTER, "a Progressing Progressing 33% 1/3"]);
}

#[test]
fn case_a32_skew_is_told_with_the_order_that_helps() {
    let skew = told("SupportedVersionSkew", "False", "UnsupportedSkew", "4.14 is not within 3 minors of 4.18", 15);
    let mut old = pool("a", "4.14.2");
    old["status"]["conditions"] = json!([skew]);
    let report = told_of(&[("/pools", json!([old]))]);
    let [insight] = report.insights.as_slice() else { panic!("{:#?}", report.insights) };
    assert_eq!(insight.description, "4.14 is not within 3 minors of 4.18");
    assert!(insight.advice.contains("bring the NodePools forward first"), "{}", insight.advice);
}

#[test]
fn case_a33_progressing_that_stays_behind_is_no_update() {
    let claims = told("Progressing", "True", "Progressing", "is deploying, upgrading, or reconfiguring", 60);
    let claims = ("/hosted/0/status/conditions/1", claims);
    let done = ["NotUpdating NotUpdating", CLUSTER, "a Completed Updated 100% 3/3"];
    check(std::slice::from_ref(&claims), &done);
    assert!(told_of(std::slice::from_ref(&claims)).hints[0].contains("a known fault of HyperShift"));
    // As then, without a history of the pods: the components stand for it, and without them nothing does.
    let no_history = ("/hosted/0/status/controlPlaneVersion", Value::Null);
    check(&[claims.clone(), no_history.clone()], &done);
    check(
        &[claims, no_history, ("/components", json!([]))],
        &["CannotTell Unknown", "Unknown Unknown/CannotDetermine ?% 4.17.9 to 4.18.3", "a Completed Updated 100% 3/3"],
    );
}

/// The control plane is on its way, pods and guest.
fn underway() -> Vec<(&'static str, Value)> {
    let half = || side(NEW, vec![entry(NEW, 10, None), entry(OLD, 9_050, Some(9_000))]);
    vec![
        ("/hosted/0/status/controlPlaneVersion", half()),
        ("/hosted/0/status/version", half()),
        ("/components", components(4, 1)),
    ]
}

#[test]
fn case_a34_until_the_control_plane_is_done_nodes_are_compared_with_what_it_was() {
    let mut changes = underway();
    changes.push(("/pools", json!([pool("a", OLD)])));
    check(
        &changes,
        &[
            "Updating Updating",
            "Progressing True/ControlPlaneRollingOut 25% 4.17.9 to 4.18.3",
            "a Completed Updated 100% 3/3",
        ],
    );
    // One that was behind before is behind still.
    let mut changes = underway();
    changes.push(("/pools", json!([pool("a", "4.16.20")])));
    assert_eq!(lines(&told_of(&changes))[2], "a Pending Pending 0% 0/3");
    assert!(told_of(&changes).pools[0].updating.message.contains("the control plane is at 4.17.9"));
}

#[test]
fn case_a35_sixty_machines_in_one_condition() {
    let message = |order: &dyn Fn(usize) -> usize| {
        let lines = (0..60).map(|at| format!("Machine a-{:02}: R{}: since a while\n", order(at), order(at) % 9));
        lines.collect::<String>()
    };
    let of = |message: String| {
        let mut pool = moving();
        pool["status"]["conditions"].as_array_mut().unwrap().push(told(
            "AllNodesHealthy",
            "False",
            "R0, R1 (60)",
            &message,
            30,
        ));
        told_of(&[("/pools", json!([pool]))])
    };
    let (up, down) = (of(message(&|at| at)), of(message(&|at| 59 - at)));
    assert_eq!(up.pools[0].healthy, down.pools[0].healthy);
    assert!(up.pools[0].healthy.message.starts_with("7 × R0 (a-00, a-09, a-18 and 4 more); 7 × R1 ("));
    let [insight] = up.insights.as_slice() else { panic!("{:#?}", up.insights) };
    assert_eq!(insight.summary, "Nodes of NodePool a are not well: AllNodesHealthy is False");
    assert!(insight.description.contains("Machine a-59: R5: since a while"), "the whole is there for machines");
}

#[test]
fn case_a36_the_guests_half_alone_decides_nothing_that_the_other_does() {
    let half = |seen: bool| {
        told_of(&[
            ("/pools", json!([])),
            ("/seen/pools", seen.into()),
            ("/nodes", json!([node("a-0", "1bb", "1bb", "Done")])),
            ("/seen/guest", true.into()),
        ])
    };
    assert_eq!(lines(&half(true))[..1], ["NotUpdating NotUpdating"], "a cluster may have no pool");
    let unseen = half(false);
    assert_eq!(lines(&unseen)[..1], ["CannotTell Unknown"]);
    let gaps: Vec<String> = unseen.gaps.iter().map(ToString::to_string).collect();
    assert_eq!(gaps, ["HostedCluster/bay/tern: it was not looked which NodePools there are"]);
}

#[test]
fn replaced_nodes_are_told_by_their_machines() {
    let machine = |name: &str, version: &str, more: Value| {
        let mut machine = json!({"metadata": {"name": name, "namespace": "bay-tern", "annotations": {
                "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/release-version": version}},
            "status": {"nodeRef": {"name": format!("node-of-{name}")}, "conditions": [told("NodeHealthy", "True", "", "", 90)]}});
        for (place, value) in more.as_object().unwrap() {
            let (parent, key) = place.rsplit_once('/').unwrap();
            machine.pointer_mut(parent).unwrap()[key] = value.clone();
        }
        machine
    };
    let drains = json!({"/metadata/deletionTimestamp": ago(13), "/status/deletion": {"nodeDrainStartTime": ago(12)},
        "/status/conditions": [told("Deleting", "True", "DrainingNode", "* pod shop/db cannot leave", 12)]});
    let comes = json!({"/status/nodeRef": null, "/status/conditions": [told("InfrastructureReady", "False", "", "the quota is full", 3)]});
    let machines = json!([
        machine("m-old", OLD, json!({})),
        machine("m-done", NEW, json!({})),
        machine("m-goes", OLD, drains),
        machine("m-comes", NEW, comes),
        json!({"metadata": {"name": "other", "namespace": "bay-tern", "annotations": {"hypershift.openshift.io/nodePool": "bay/b"}}}),
    ]);
    let pod = json!({"metadata": {"name": "db", "namespace": "shop", "labels": {"app": "db"}},
        "spec": {"nodeName": "node-of-m-goes"}, "status": {"phase": "Running"}});
    let budget = json!({"metadata": {"name": "one", "namespace": "shop"},
        "spec": {"selector": {"matchLabels": {"app": "db"}}, "minAvailable": 1},
        "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}});
    // Which versions the nodes run is not counted by the pool: the machines tell.
    let mut counted = moving();
    counted["status"]["nodesInfo"] = Value::Null;
    let report = told_of(&[
        ("/pools", json!([counted])),
        ("/machines", machines),
        ("/pods", json!([pod])),
        ("/budgets", json!([budget])),
        ("/seen/guest", true.into()),
    ]);
    let units: Vec<String> =
        report.units.iter().map(|unit| format!("{} {} {}", unit.name, unit.assessment, unit.phase)).collect();
    assert_eq!(
        units,
        [
            "m-goes Progressing Draining",
            "m-comes Progressing Provisioning",
            "m-old Outdated Pending",
            "m-done Completed Updated"
        ]
    );
    assert_eq!(report.units[0].blocked_by[0].budget, "one");
    assert_eq!(report.units[1].message, "the quota is full");
    assert_eq!(report.units[1].version, None, "what is to come runs nowhere");
    assert_eq!(
        lines(&report)[2..],
        [
            "a Progressing Progressing 33% 1/4",
            "H-DRAIN-BLOCKED Warning: Node node-of-m-goes cannot be drained: pod shop/db is held by PodDisruptionBudget shop/one (0 disruptions allowed, 1 of 1 healthy needed)"
        ]
    );
    assert_eq!(report.pools[0].counts.draining, 1);
}

#[test]
fn a_node_that_contradicts_its_pool_decides() {
    let machine = |name: &str, version: &str| {
        json!({"metadata": {"name": name, "namespace": "bay-tern", "annotations": {
            "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/release-version": version}},
            "status": {"nodeRef": {"name": name}}})
    };
    let machines = json!([machine("m-0", NEW), machine("m-1", OLD), machine("m-2", NEW)]);
    check(&[("/machines", machines)], &["Updating Updating", CLUSTER, "a Progressing Progressing 67% 2/3"]);
    let mut sum = pool("a", NEW);
    sum["status"]["nodesInfo"]["nodeVersions"] = json!([nodes(NEW, 2), nodes(OLD, 1)]);
    check(&[("/pools", json!([sum]))], &["Updating Updating", CLUSTER, "a Progressing Progressing 67% 2/3"]);
}

#[test]
fn a_component_that_contradicts_the_histories_makes_the_answer_unknown() {
    let odd = json!([component("etcd", NEW, "True"), component("kube-apiserver", OLD, "True")]);
    check(
        &[("/components", odd)],
        &[
            "CannotTell Unknown",
            "Unknown Unknown/CannotDetermine 50% 4.17.9 to 4.18.3",
            "a Completed Updated 100% 3/3",
            "H-CV-CONTRADICT Warning: What tern says of its versions contradicts what was seen",
        ],
    );
}

#[test]
fn nodes_in_place_are_judged_as_those_of_a_standalone_cluster() {
    let mut in_place = moving();
    in_place["spec"]["management"] = json!({"upgradeType": "InPlace"});
    let set = json!({"metadata": {"name": "a", "namespace": "bay-tern", "annotations": {
        "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/nodePoolTargetConfigVersion": "1bb",
        "hypershift.openshift.io/nodePoolCurrentConfigVersion": "0aa"}}});
    let mut reboots = node("a-1", "0aa", "1bb", "Rebooting");
    reboots["metadata"]["labels"]["other"] = "x".into();
    let report = told_of(&[
        ("/pools", json!([in_place])),
        ("/sets", json!([set])),
        ("/nodes", json!([node("a-0", "1bb", "1bb", "Done"), reboots, node("a-2", "0aa", "0aa", "Done")])),
        ("/seen/guest", true.into()),
    ]);
    let units: Vec<(&str, Phase, Option<&str>)> =
        report.units.iter().map(|unit| (unit.name.as_str(), unit.phase, unit.version.as_deref())).collect();
    assert_eq!(
        units,
        [("a-1", Phase::Rebooting, Some(OLD)), ("a-2", Phase::Pending, Some(OLD)), ("a-0", Phase::Updated, Some(NEW))]
    );
    assert_eq!(lines(&report)[2..], ["a Progressing Progressing 33% 1/3"]);
}

#[test]
fn machines_that_do_not_come_have_failed_or_are_away() {
    let machine = |name: &str, status: Value| {
        let annotations =
            json!({"hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/release-version": NEW});
        let metadata =
            json!({"name": name, "namespace": "bay-tern", "annotations": annotations, "creationTimestamp": ago(25)});
        json!({"metadata": metadata, "status": status})
    };
    let waits =
        || json!({"conditions": [told("InfrastructureReady", "False", "Waiting", "quota of 8 cores exceeded", 24)]});
    let machines = json!([
        machine("m-0", waits()),
        machine("m-1", waits()),
        machine(
            "m-2",
            json!({"nodeRef": {"name": "n-2"}, "phase": "Failed", "failureMessage": "the instance is gone"})
        ),
        machine(
            "m-3",
            json!({"nodeRef": {"name": "n-3"}, "conditions": [told("NodeHealthy", "False", "", "kubelet is silent", 6)]})
        ),
    ]);
    let all = |changes: &[(&'static str, Value)]| {
        told_of(changes)
            .insights
            .iter()
            .map(|it| format!("{} {}: {}", it.rule, it.level, it.summary))
            .collect::<Vec<_>>()
    };
    let mut counted = moving();
    counted["status"]["conditions"].as_array_mut().unwrap().push(told("AllMachinesReady", "False", "", "2 of 4", 24));
    let changes = [("/pools", json!([counted])), ("/machines", machines)];
    assert_eq!(
        all(&changes),
        [
            "H-MACHINE-NOT-CREATED Error: 2 machines of NodePool a: each cannot be made: quota of 8 cores exceeded",
            "H-NODE-DEGRADED Error: Machine m-2 of NodePool a has failed: the instance is gone",
            "H-NODE-UNAVAILABLE Warning: Machine m-3 of NodePool a is not in service: kubelet is silent"
        ]
    );
    // Where nothing moves nothing is told.
    assert_eq!(all(&[("/pools", json!([pool("a", NEW)])), changes[1].clone()]), Vec::<String>::new());
}
