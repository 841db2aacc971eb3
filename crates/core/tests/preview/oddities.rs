//! Clusters of Cluster API of which something is missing, old or strange: nothing is called done that was not seen.

use headway_api::gap::GapKind;
use headway_api::report::{Activity, Assessment, Change, Outcome, Phase, PoolAssessment, Report};
use headway_core::preview::{Inventory, Seen, Workload};
use serde_json::{Value, json};

use super::machines::{machine, report, report_of, settled, with};
use super::world::{inventory, workers};

/// The report of the settled cluster, changed.
fn changed(changes: &[(&'static str, Value)]) -> Report {
    let mut all = settled();
    all.extend_from_slice(changes);
    report(&all)
}

/// The serious gaps of a report.
fn missing(report: &Report) -> Vec<String> {
    let serious = report.gaps.iter().filter(|gap| gap.kind == GapKind::Missing);
    serious.map(|gap| format!("{}: {}", gap.object, gap.message)).collect()
}

#[test]
fn us_6_3_kinds_that_were_not_seen_are_no_proof() {
    let check = |forget: fn(&mut Inventory), expect: &str| {
        let mut seen = inventory(&settled());
        forget(&mut seen);
        let told = report_of(seen);
        assert_eq!((told.activity, told.outcome), (Activity::Unknown, Outcome::CannotTell), "{expect}");
        let gaps = missing(&told);
        assert!(gaps.iter().any(|gap| gap.contains(expect)), "{expect} is not among {gaps:#?}");
    };
    check(|seen| seen.control_planes.clear(), "KubeadmControlPlane/cp, which the Cluster refers to, was not seen");
    check(
        |seen| {
            seen.machine_deployments.clear();
            seen.seen = Seen { machine_deployments: false, ..seen.seen };
        },
        "the topology has 2 MachineDeployments, and no MachineDeployment was seen",
    );
    check(
        |seen| {
            seen.machines.clear();
            seen.seen = Seen { machines: false, ..seen.seen };
        },
        "KubeadmControlPlane/cp: none of its machines was seen",
    );
}

#[test]
fn us_6_3_a_cluster_without_a_control_plane_is_told_as_far_as_it_goes() {
    let told = changed(&[("/clusters/0/spec/controlPlaneRef", Value::Null), ("/controlPlanes", json!([]))]);
    assert_eq!((told.activity, told.cluster.assessment), (Activity::Unknown, Assessment::Unknown));
    assert_eq!(told.outcome, Outcome::CannotTell);
    assert!(missing(&told)[0].contains("it refers to no control plane"), "{:?}", missing(&told));
    let pools: Vec<(&str, PoolAssessment)> =
        told.pools.iter().map(|pool| (pool.name.as_str(), pool.assessment)).collect();
    assert_eq!(pools, [("a", PoolAssessment::Completed), ("b", PoolAssessment::Completed)]);
}

#[test]
fn us_6_3_machines_without_nodes_are_on_their_way_or_not_known() {
    let check = |changes: &[(&str, Value)], phase: Phase, activity: Activity| {
        let strange = with(machine("a-0", "a", "v1.32.0"), changes);
        let mut machines = Vec::from_iter((0..3).map(|at| machine(&format!("cp-{at}"), "cp", "v1.32.0")));
        machines.extend([strange, machine("a-1", "a", "v1.32.0")]);
        machines.extend((0..2).map(|at| machine(&format!("b-{at}"), "b", "v1.32.0")));
        let told = changed(&[("/machines", json!(machines)), ("/clusters/0/status/conditions", json!([]))]);
        let unit = told.units.iter().find(|unit| unit.name == "a-0").unwrap();
        assert_eq!((unit.phase, told.activity), (phase, activity), "{changes:?}");
        assert_ne!(told.outcome, Outcome::NotUpdating, "{changes:?}");
    };
    check(&[("/status", json!({}))], Phase::Provisioning, Activity::Updating);
    check(&[("/status/nodeInfo", Value::Null)], Phase::Unknown, Activity::Unknown);
    check(&[("/status/nodeInfo/kubeletVersion", json!("latest"))], Phase::Unknown, Activity::Unknown);
    check(&[("/spec/version", json!("v1.31.0"))], Phase::Pending, Activity::Updating);
}

#[test]
fn us_6_3_kubelets_of_distributions_are_at_the_version_of_their_numbers() {
    let check = |kubelet: &str, expect: Phase| {
        let machines: Vec<Value> = ["cp-0", "cp-1", "cp-2", "a-0", "a-1", "b-0", "b-1"]
            .into_iter()
            .map(|name| {
                let of = name.split('-').next().unwrap();
                with(machine(name, of, "v1.32.0"), &[("/status/nodeInfo/kubeletVersion", json!(kubelet))])
            })
            .collect();
        let told = changed(&[("/machines", json!(machines))]);
        assert!(told.units.iter().all(|unit| unit.phase == expect), "{kubelet}: {:?}", told.units[0].phase);
    };
    check("v1.32.0", Phase::Updated);
    check("v1.32.0+rke2r1", Phase::Updated);
    check("v1.32.0-eks-5e0fdde", Phase::Updated);
    check("v1.32.0+k0s.0", Phase::Updated);
    check("v1.31.9-eks-5e0fdde", Phase::Updating);
}

#[test]
fn us_6_3_reasons_that_break_the_pattern_are_read() {
    let strange = json!([{"type": "TopologyReconciled", "status": "False", "reason": "not a reason, but a sentence: no!",
        "message": "line one\n\n\nline two", "severity": "Error", "lastTransitionTime": null}]);
    let told = changed(&[("/clusters/0/status/conditions", strange)]);
    assert_eq!(told.activity, Activity::NotUpdating, "the machines decide");
    let bad = json!([{"type": "Ready", "status": "False", "reason": "x ".repeat(2000), "message": "\n".repeat(2048)}]);
    let told =
        changed(&[("/machines/3/status/conditions", bad), ("/clusters/0/spec/topology/version", json!("v1.33.0"))]);
    let unit = told.units.iter().find(|unit| unit.name == "a-0").unwrap();
    assert!(!unit.available.message.contains('\n'), "{:?}", unit.available);
}

#[test]
fn us_6_3_objects_of_v1beta1_say_the_same() {
    let told = changed(&[
        (
            "/clusters/0/status",
            json!({"conditions": [{"type": "Ready", "status": "True"}],
            "v1beta2": {"conditions": [{"type": "TopologyReconciled", "status": "False", "reason": "ControlPlaneUpgradePending"}]}}),
        ),
        (
            "/controlPlanes/0/status",
            json!({"version": "v1.32.0", "updatedReplicas": 3, "readyReplicas": 3, "replicas": 3}),
        ),
    ]);
    assert_eq!(told.activity, Activity::Updating, "it says that it upgrades");
    assert_eq!(told.cluster.healthy.reason, "AsExpected");
    // Without machines, the counts of the older version are taken, and are no proof of what the nodes run.
    let mut seen = inventory(&settled());
    seen.machines.clear();
    let status = json!({"replicas": 2, "updatedReplicas": 1, "availableReplicas": 2});
    for group in &mut seen.machine_deployments {
        group.status = serde_json::from_value(status.clone()).unwrap();
    }
    let told = report_of(seen);
    let counts: Vec<(usize, usize)> = told.pools.iter().map(|it| (it.counts.total, it.counts.outdated)).collect();
    assert_eq!(counts[1..], [(2, 1), (2, 1)]);
    assert_eq!(told.pools[1].completion_percent, Some(50));
}

#[test]
fn us_6_3_an_api_that_is_not_reached_takes_nothing_away() {
    let mut seen = inventory(&settled());
    let workload = Workload { unreachable: "dial tcp: connection refused".into(), ..Workload::default() };
    seen.workloads.insert(("bay".into(), "gull".into()), workload);
    let told = report_of(seen);
    assert_eq!(told.outcome, Outcome::NotUpdating);
    assert!(told.gaps.iter().any(|gap| gap.message.contains("connection refused")), "{:?}", told.gaps);
}

#[test]
fn us_6_3_objects_of_another_cluster_of_the_same_name_are_not_taken() {
    let mut seen = inventory(&settled());
    let mut twin = seen.clusters[0].clone();
    twin.metadata.namespace = "lake".into();
    twin.spec.topology.as_mut().unwrap().version = "v1.33.0".into();
    seen.clusters.push(twin);
    assert_eq!(report_of(seen.clone()).outcome, Outcome::NotUpdating);
    seen.clusters.swap(0, 1);
    let told = report_of(seen);
    assert_eq!(told.cluster.namespace.as_deref(), Some("lake"));
    assert!(told.pools.is_empty() && told.units.is_empty(), "{:?}", told.pools);
    assert_eq!(told.outcome, Outcome::CannotTell);
}

#[test]
fn us_6_3_control_planes_of_other_providers_are_read_by_their_contract() {
    let check = |kind: &str, spec: Value, status: Value, assessment: Assessment| {
        let own = settled();
        let machines: Vec<Value> =
            ["a-0", "a-1", "b-0", "b-1"].into_iter().map(|name| machine(name, &name[..1], "v1.32.0")).collect();
        let version = spec["version"].as_str().unwrap().to_owned();
        let mut changes = own;
        changes.extend([
            ("/classes/0/spec", json!({})),
            ("/clusters/0/spec/topology/version", json!(version)),
            ("/machineDeployments", json!([workers("a", &version), workers("b", &version)])),
            ("/clusters/0/spec/controlPlaneRef/kind", json!(kind)),
            ("/controlPlanes/0/kind", json!(kind)),
            ("/controlPlanes/0/spec", spec),
            ("/controlPlanes/0/status", status),
            ("/machines", json!(machines)),
        ]);
        let told = report(&changes);
        assert_eq!(told.cluster.assessment, assessment, "{kind}");
        told
    };
    // Without machines of its own: hosted by somebody else (k0smotron, managed ones).
    let there = json!({"version": "v1.32.0", "conditions": []});
    check("K0smotronControlPlane", json!({"version": "v1.32.0"}), there, Assessment::Completed);
    let behind = json!({"version": "v1.31.0"});
    let told = check("K0smotronControlPlane", json!({"version": "v1.32.0"}), behind, Assessment::Progressing);
    assert_eq!(told.pools[0].assessment, PoolAssessment::Pending);
    // With replicas, and no machine seen: its own word is no proof.
    let counted = json!({"version": "v1.32.0+rke2r1", "replicas": 3, "updatedReplicas": 3});
    check("RKE2ControlPlane", json!({"version": "v1.32.0+rke2r1", "replicas": 3}), counted, Assessment::Unknown);
    let fresh = json!({});
    let told = check("TalosControlPlane", json!({"version": "v1.32.0", "replicas": 3}), fresh, Assessment::Pending);
    assert_eq!(told.cluster.versions.change, Change::Installation);
}
