//! What the status of a cluster of Cluster API says: scenarios S66 to S73 of update-status-api.md, section 7, and what
//! else its section 6.3 asks for.

use std::sync::Arc;

use headway_api::insight::{Level, Rule};
use headway_api::report::{Activity, Assessment, Outcome, Phase, PoolAssessment};
use headway_core::preview::Workload;
use serde_json::{Value, json};

use super::machines::{
    ago, all, coming, condition, control_plane_done, control_plane_done_with_all_new, find, going, machine, old,
    phases, pools, report, report_of, settled, three, two, with,
};
use super::world::{inventory, reconciled, workers};

#[test]
fn us_s66_the_control_plane_rolls_and_the_workers_wait() {
    let cp = vec![machine("cp-0", "cp", "v1.32.0"), old("cp-1", "cp"), old("cp-2", "cp")];
    let told = report(&[
        ("/controlPlanes/0/spec/version", json!("v1.32.0")),
        ("/clusters/0/metadata/annotations/topology.internal.cluster.x-k8s.io~1upgrade-step", json!("v1.32.0")),
        ("/clusters/0/status/conditions", reconciled("ClusterUpgrading", "")),
        ("/machines", all(&[cp, two("a", "v1.31.0"), two("b", "v1.31.0")])),
    ]);
    assert_eq!(pools(&told), ["cp Progressing 33% (1/3 of 3)", "a Pending 0% (0/2 of 2)", "b Pending 0% (0/2 of 2)"]);
    assert_eq!((told.activity, told.outcome), (Activity::Updating, Outcome::Updating), "{:?}", told.insights);
    assert_eq!(told.cluster.assessment, Assessment::Progressing);
    assert_eq!(told.cluster.started_at, Some("2026-05-04T07:00:00Z".parse().unwrap()));
    assert_eq!(told.cluster.completion_percent, Some(14));
}

#[test]
fn us_s67_surge_never_inflates_what_is_done() {
    let a = vec![
        machine("a-0", "a", "v1.32.0"),
        coming("a-1", "a", 3),
        old("a-2", "a"),
        going("a-3", "a", "WaitingForInfrastructureDeletion", 2),
    ];
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
    changes.push(("/machineDeployments/0/spec/replicas", json!(3)));
    let told = report(&changes);
    assert_eq!(pools(&told)[1], "a Progressing 33% (1/3 of 4)");
    let mut seen = phases(&told, "a");
    seen.sort();
    assert_eq!(seen, [Phase::Provisioning, Phase::Deleting, Phase::Pending, Phase::Updated]);
    assert_eq!(told.cluster.completion_percent, Some(75), "6 of the 8 machines that there are to be");
}

#[test]
fn us_s68_a_drain_that_lasts_is_told_with_what_holds_it() {
    let check = |minutes: i64, expect: Option<Level>| {
        let a = vec![machine("a-0", "a", "v1.32.0"), going("a-1", "a", "DrainingNode", minutes)];
        let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
        changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
        let told = report(&changes);
        let drain = find(&told, Rule::DrainBlocked);
        assert_eq!(drain.map(|it| it.level), expect, "{minutes}");
        assert_eq!(phases(&told, "a")[0], Phase::Draining, "{minutes}");
        if let Some(drain) = drain {
            assert!(drain.summary.contains("Pod shop/cart-0: cannot evict pod"), "{}", drain.summary);
            assert_eq!(drain.since, Some(ago(minutes).parse().unwrap()));
            let named: Vec<String> = drain.resources.iter().map(|it| format!("{} {}", it.resource, it.name)).collect();
            assert_eq!(named, ["machines a-1", "nodes node-a-1"]);
        }
    };
    check(9, None);
    check(12, Some(Level::Warning));
    check(61, Some(Level::Error));
}

#[test]
fn us_s68_the_workload_cluster_tells_the_pod_and_its_budget() {
    let a = vec![machine("a-0", "a", "v1.32.0"), going("a-1", "a", "DrainingNode", 12)];
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
    let mut seen = inventory(&changes);
    let pod = json!({"metadata": {"name": "cart-0", "namespace": "shop", "labels": {"app": "cart"}},
        "spec": {"nodeName": "node-a-1"}, "status": {"phase": "Running"}});
    let budget = json!({"metadata": {"name": "cart", "namespace": "shop"},
        "spec": {"selector": {"matchLabels": {"app": "cart"}}, "minAvailable": 1},
        "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}});
    let workload = Workload {
        pods: vec![Arc::new(serde_json::from_value(pod).unwrap())],
        budgets: vec![Arc::new(serde_json::from_value(budget).unwrap())],
        ..Workload::default()
    };
    seen.workloads.insert(("bay".into(), "gull".into()), workload);
    let told = report_of(seen);
    let drain = find(&told, Rule::DrainBlocked).unwrap();
    assert_eq!(
        drain.summary,
        "Machine a-1 is not drained: pod shop/cart-0 is held by PodDisruptionBudget shop/cart (0 disruptions allowed, 1 of 1 healthy needed)"
    );
    assert!(drain.advice.contains("minAvailable equals the replica count (1)"), "{}", drain.advice);
    let unit = told.units.iter().find(|unit| unit.name == "a-1").unwrap();
    let blocked: Vec<(&str, &str)> = unit.blocked_by.iter().map(|it| (it.pod.as_str(), it.budget.as_str())).collect();
    assert_eq!(blocked, [("cart-0", "cart")]);
    assert_eq!(unit.node.as_deref(), Some("node-a-1"));
}

#[test]
fn us_s69_a_deferred_pool_is_excluded_and_the_cluster_is_not_done() {
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), two("a", "v1.31.0"), two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.31.0"), workers("b", "v1.32.0")])));
    let deferred = json!({"annotations": {"topology.cluster.x-k8s.io/defer-upgrade": ""}});
    changes.push(("/clusters/0/spec/topology/workers/machineDeployments/0/metadata", deferred));
    let told = report(&changes);
    assert_eq!(pools(&told)[1..], ["a Excluded 0% (0/2 of 2)", "b Completed 100% (2/2 of 2)"]);
    assert_eq!(phases(&told, "a"), [Phase::Paused, Phase::Paused]);
    assert_eq!((told.activity, told.outcome), (Activity::Updating, Outcome::Updating));
    let levels: Vec<(Rule, Level)> = told.insights.iter().map(|it| (it.rule, it.level)).collect();
    assert_eq!(levels, [(Rule::PoolDeferred, Level::Info)], "deferred is not failed");
    assert!(
        told.insights[0].description.contains("2 machines are moved to v1.32.0"),
        "{}",
        told.insights[0].description
    );
}

#[test]
fn us_s70_machines_that_cannot_be_made_stall_the_update() {
    let check = |reason: &str, minutes: i64, expect: Option<Level>| {
        let told = json!({"type": "InfrastructureReady", "status": "False", "reason": reason,
            "message": "quota of 20 cores exceeded", "lastTransitionTime": ago(minutes)});
        let new = with(coming("a-1", "a", minutes), &[("/status/conditions", json!([told]))]);
        let a = vec![old("a-0", "a"), new, old("a-2", "a")];
        let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
        changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
        let told = report(&changes);
        let found = find(&told, Rule::MachineNotCreated);
        assert_eq!(found.map(|it| it.level), expect, "{reason} {minutes}");
        if let Some(found) = found {
            assert_eq!(told.outcome, Outcome::Failing, "{reason} {minutes}");
            assert!(found.summary.contains("quota of 20 cores exceeded"), "{}", found.summary);
            let named: Vec<String> = found.resources.iter().map(|it| format!("{} {}", it.resource, it.name)).collect();
            assert_eq!(named, ["machinedeployments a", "machines a-1"]);
        }
    };
    check("NotReady", 3, None);
    check("NotReady", 21, Some(Level::Error));
    check("InstanceProvisionFailed", 1, Some(Level::Error));
}

#[test]
fn us_s71_a_paused_cluster_is_told_once() {
    let check = |place: &str, value: Value| {
        let told = report(&[
            (place, value),
            ("/machines", all(&[three("cp", "v1.31.0"), two("a", "v1.31.0"), two("b", "v1.31.0")])),
        ]);
        assert_eq!(told.cluster.assessment, Assessment::Paused, "{place}");
        assert_eq!(told.cluster.updating.reason, "Paused", "{place}");
        assert!(
            told.pools.iter().all(|pool| pool.assessment == PoolAssessment::Excluded),
            "{place}: {:?}",
            pools(&told)
        );
        assert!(told.units.iter().all(|unit| unit.phase == Phase::Paused), "{place}");
        let levels: Vec<(Rule, Level)> = told.insights.iter().map(|it| (it.rule, it.level)).collect();
        assert_eq!(levels, [(Rule::ClusterPaused, Level::Warning)], "{place}");
        assert_eq!(told.outcome, Outcome::NeedsAttention, "{place}");
    };
    check("/clusters/0/spec/paused", json!(true));
    check("/clusters/0/metadata/annotations/cluster.x-k8s.io~1paused", json!(""));
    check("/clusters/0/status/conditions", json!([condition("Paused", true, "Paused", 5)]));
}

#[test]
fn us_6_3_a_health_check_that_replaces_nothing_is_told() {
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), two("a", "v1.31.0"), two("b", "v1.31.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.31.0"), workers("b", "v1.31.0")])));
    let check = |cluster: &str, holds: bool, expect: Option<&str>| {
        let mut seen = inventory(&changes);
        let health_check = json!({"metadata": {"name": "nodes", "namespace": "bay"}, "spec": {"clusterName": cluster},
            "status": {"expectedMachines": 4, "currentHealthy": 1, "conditions": [
                {"type": "RemediationAllowed", "status": if holds { "True" } else { "False" },
                    "reason": "TooManyUnhealthy", "message": "at most 40% may be unhealthy", "lastTransitionTime": ago(9)}]}});
        seen.health_checks.push(serde_json::from_value(health_check).unwrap());
        let told = report_of(seen);
        let found = find(&told, Rule::RemediationBlocked);
        assert_eq!(found.map(|it| it.summary.as_str()), expect, "{cluster} {holds}");
        assert!(found.is_none_or(|it| it.level == Level::Warning && it.since.is_some()));
    };
    check("gull", true, None);
    check("tern", false, None);
    let told =
        "MachineHealthCheck nodes replaces no machine (1 of 4 machines are healthy): at most 40% may be unhealthy";
    check("gull", false, Some(told));
}

#[test]
fn us_s72_a_chain_tells_its_steps_and_counts_the_one_that_is_under_way() {
    let cp = vec![machine("cp-0", "cp", "v1.32.0"), machine("cp-1", "cp", "v1.32.0"), old("cp-2", "cp")];
    let told = report(&[
        ("/clusters/0/spec/topology/version", json!("v1.33.0")),
        ("/clusters/0/metadata/annotations/topology.internal.cluster.x-k8s.io~1upgrade-step", json!("v1.32.0")),
        ("/controlPlanes/0/spec/version", json!("v1.32.0")),
        ("/machines", all(&[cp, two("a", "v1.31.0"), two("b", "v1.31.0")])),
    ]);
    let versions = &told.cluster.versions;
    assert_eq!(versions.plan, ["v1.32.0", "v1.33.0"]);
    assert_eq!(versions.position.map(|it| (it.step, it.of)), Some((1, 2)));
    assert_eq!((versions.previous.as_deref(), versions.target.as_deref()), (Some("v1.31.0"), Some("v1.33.0")));
    assert_eq!(told.cluster.completion_percent, Some(67), "of the machines that this step moves");
}

#[test]
fn us_s73_an_update_in_place_that_failed_is_an_error_of_the_machine() {
    let failed = json!({"type": "Updating", "status": "True", "reason": "InPlaceUpdateFailed",
        "message": "UpdateMachine failed: disk full", "lastTransitionTime": ago(4)});
    let bad = with(old("a-0", "a"), &[("/status/conditions", json!([failed])), ("/spec/version", json!("v1.32.0"))]);
    let a = vec![bad, machine("a-1", "a", "v1.32.0")];
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
    let told = report(&changes);
    assert_eq!(pools(&told)[1], "a Degraded 50% (1/2 of 2)");
    let found = find(&told, Rule::NodeDegraded).unwrap();
    assert_eq!((found.level, told.outcome), (Level::Error, Outcome::Failing));
    assert_eq!(found.summary, "Machine a-0 is degraded: UpdateMachine failed: disk full");
}

#[test]
fn case_c02_a_new_spec_is_not_a_new_kubelet() {
    let lagging = with(machine("a-0", "a", "v1.32.0"), &[("/status/nodeInfo/kubeletVersion", json!("v1.31.0"))]);
    let a = vec![lagging, machine("a-1", "a", "v1.32.0")];
    let mut changes = control_plane_done(all(&[three("cp", "v1.32.0"), a, two("b", "v1.32.0")]));
    changes.push(("/machineDeployments", json!([workers("a", "v1.32.0"), workers("b", "v1.32.0")])));
    changes.push(("/clusters/0/metadata/annotations", json!({})));
    changes.push((
        "/clusters/0/status/conditions",
        json!([condition("TopologyReconciled", true, "ReconcileSucceeded", 5)]),
    ));
    let told = report(&changes);
    assert_eq!(pools(&told)[1], "a Progressing 50% (1/2 of 2)");
    let unit = told.units.iter().find(|unit| unit.name == "a-0").unwrap();
    assert_eq!((unit.phase, unit.message.as_str()), (Phase::Updating, "spec v1.32.0, kubelet v1.31.0"));
    assert_eq!(told.activity, Activity::Updating, "whatever the topology says");
}

#[test]
fn case_b26_the_last_hook_is_not_the_end() {
    let told = report(&control_plane_done_with_all_new());
    assert_eq!(told.activity, Activity::Updating);
    assert_eq!(told.cluster.completion_percent, Some(99));
    let found = find(&told, Rule::HookBlocking).unwrap();
    assert!(found.summary.contains("AfterClusterUpgrade"), "{}", found.summary);
}

#[test]
fn us_6_3_a_cluster_at_rest_is_at_rest() {
    let told = report(&settled());
    assert_eq!((told.activity, told.outcome), (Activity::NotUpdating, Outcome::NotUpdating), "{:?}", told.gaps);
    assert_eq!((told.cluster.assessment, told.cluster.completion_percent), (Assessment::Completed, Some(100)));
    assert!(told.insights.is_empty() && told.waiting_on.is_empty());
    assert_eq!(told.cluster.healthy.reason, "AsExpected");
}

#[test]
fn us_6_3_more_machines_of_the_same_version_are_no_update() {
    let mut changes = settled();
    let machines =
        all(&[three("cp", "v1.32.0"), two("a", "v1.32.0"), vec![coming("a-2", "a", 3)], two("b", "v1.32.0")]);
    changes.push(("/machines", machines));
    changes.push(("/machineDeployments/0/spec/replicas", json!(3)));
    let told = report(&changes);
    assert_eq!((told.activity, told.outcome), (Activity::NotUpdating, Outcome::NotUpdating));
    assert_eq!(pools(&told)[1], "a Completed 67% (2/3 of 3)");
    assert_eq!(told.pools[1].updating.reason, "Scaling");
}

#[test]
fn case_a19_machines_that_are_replaced_for_another_reason_are_no_upgrade() {
    let mut changes = settled();
    let rotated = with(
        old("a-0", "a"),
        &[("/spec/version", json!("v1.32.0")), ("/status/nodeInfo/kubeletVersion", json!("v1.32.0"))],
    );
    let machines = all(&[three("cp", "v1.32.0"), vec![rotated, machine("a-1", "a", "v1.32.0")], two("b", "v1.32.0")]);
    changes.push(("/machines", machines));
    let told = report(&changes);
    assert_eq!(told.activity, Activity::Updating);
    assert_eq!(told.cluster.versions.previous, None);
    assert!(told.hints.iter().any(|hint| hint.contains("no version is being updated")), "{:?}", told.hints);
}

#[test]
fn us_6_3_an_update_on_which_nothing_changes_is_stalled() {
    let check = |minutes: i64, expect: Assessment| {
        let told = json!([condition("UpToDate", false, "NotUpToDate", minutes)]);
        let slow = |name: &str| with(old(name, "cp"), &[("/status/conditions", told.clone())]);
        let cp = vec![machine("cp-0", "cp", "v1.32.0"), slow("cp-1"), slow("cp-2")];
        let reconciled = condition("TopologyReconciled", false, "ClusterUpgrading", minutes);
        let told = report(&[
            ("/controlPlanes/0/spec/version", json!("v1.32.0")),
            ("/clusters/0/metadata/annotations/topology.internal.cluster.x-k8s.io~1upgrade-step", json!("v1.32.0")),
            ("/clusters/0/status/conditions", json!([reconciled])),
            ("/machines", all(&[cp, two("a", "v1.31.0"), two("b", "v1.31.0")])),
        ]);
        assert_eq!(told.cluster.assessment, expect, "{minutes}");
        assert_eq!(find(&told, Rule::UpdateStalled).is_some(), expect == Assessment::Stalled, "{minutes}");
    };
    check(29, Assessment::Progressing);
    check(31, Assessment::Stalled);
}
