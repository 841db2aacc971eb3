//! What holds an upgrade up, now and on the way.

use serde_json::json;

use super::world::{check, inventory, machine, preview, reconciled, workers};

const STEP: &str = "/clusters/0/metadata/annotations/topology.internal.cluster.x-k8s.io~1upgrade-step";
const PENDING: &str = "/clusters/0/metadata/annotations/runtime.cluster.x-k8s.io~1pending-hooks";
const CP: &str = "/controlPlanes/0/spec/version";

#[test]
fn nothing_holds_a_cluster_that_is_well() {
    check(&[], &["Ready"]);
    let done = workers("a", "v1.32.0");
    let at_target = [
        (CP, json!("v1.32.0")),
        ("/controlPlanes/0/status/version", json!("v1.32.0")),
        ("/machineDeployments", json!([done, workers("b", "v1.32.0")])),
    ];
    check(&at_target, &["NothingToDo"]);
    // Cases B26 and ch_adm_b5: the machines are done, the last hook is not.
    let pending = [&at_target[..], &[(PENDING, json!("AfterClusterUpgrade"))]].concat();
    let message = "Now PendingHook: all are at the target, and the hook AfterClusterUpgrade of this upgrade is still to be answered: until then no other upgrade can begin";
    check(&pending, &["Held", message]);
}

#[test]
fn ch_3_6_a_control_plane_that_may_not_make_machines() {
    let rolling = [(CP, json!("v1.32.0")), ("/clusters/0/spec/topology/version", json!("v1.33.0"))];
    let work = "Work ControlPlaneRolling: KubeadmControlPlane/cp is rolling to v1.32.0";
    let stuck = "Stuck NoUpgradeStep: machines of the control plane may not be created: the spec version v1.32.0 of KubeadmControlPlane/cp differs from the topology version v1.33.0, and";
    let none = format!(
        "{stuck} no upgrade step is recorded on the Cluster (annotation topology.internal.cluster.x-k8s.io/upgrade-step)"
    );
    check(&rolling, &["Stuck", &none, work]);
    let other = [&rolling[..], &[(STEP, json!("v1.31.0"))]].concat();
    check(&other, &["Stuck", &format!("{stuck} the upgrade step that is recorded is v1.31.0"), work]);
    let own = [&rolling[..], &[(STEP, json!("v1.32.0"))]].concat();
    check(&own, &["UnderWay", work]);
    // The last step is the target itself.
    check(&[(CP, json!("v1.32.0"))], &["UnderWay", work]);
}

#[test]
fn a_rolling_control_plane_is_a_step_of_its_own() {
    let preview = preview(
        &[
            (CP, json!("v1.32.0")),
            (STEP, json!("v1.32.0")),
            ("/clusters/0/spec/topology/version", json!("v1.34.0")),
            ("/controlPlanes/0/status", json!({"versions": [{"version": "v1.31.0"}, {"version": "v1.32.0"}]})),
            (
                "/machines",
                json!([
                    machine("0", "cp", "v1.32.0", "v1.32.0"),
                    machine("1", "cp", "v1.32.0", ""),
                    machine("2", "cp", "v1.31.0", "v1.31.0")
                ]),
            ),
        ],
        "",
    );
    let step = &preview.steps[0];
    assert_eq!((step.done, step.machines, step.step.from.to_string()), (Some(1), Some(3), "v1.31.0".into()));
    let position = preview.position.unwrap();
    assert_eq!((position.step, position.of), (1, 3));
    assert_eq!(preview.machines.control_plane, Some(9));
    assert!(preview.begun);
}

#[test]
fn case_b06_a_control_plane_that_is_not_stable() {
    let mut sick = machine("cp-1", "cp", "v1.31.0", "v1.31.0");
    sick["status"]["conditions"] = json!([{"type": "Ready", "status": "False", "reason": "NodeNotReady"}]);
    let rest = "no step begins and no hook is asked before it is";
    let message = format!(
        "Now ControlPlaneUnhealthy: KubeadmControlPlane/cp is not stable: machine cp-1 is not ready (NodeNotReady); {rest}"
    );
    check(&[("/machines", json!([sick]))], &["Held", &message]);
    let message =
        format!("Now ControlPlaneUnhealthy: KubeadmControlPlane/cp is not stable: 2 of 3 machines are ready; {rest}");
    check(&[("/controlPlanes/0/status/readyReplicas", json!(2))], &["Held", &message]);
    let message = "Now Provisioning: KubeadmControlPlane/cp reports no version yet: it is being made, and nothing moves before that is done";
    check(&[("/controlPlanes/0/status", json!({}))], &["Held", message]);
}

#[test]
fn case_b15_deferred_groups() {
    let defer = json!({"topology.cluster.x-k8s.io/defer-upgrade": "whatever"});
    let hold = json!({"topology.cluster.x-k8s.io/hold-upgrade-sequence": ""});
    let entries = |first: &serde_json::Value, second: &serde_json::Value| {
        let entry = |name: &str, annotations: &serde_json::Value| json!({"name": name, "metadata": {"annotations": annotations}});
        json!([entry("a", first), entry("b", second)])
    };
    const ENTRIES: &str = "/clusters/0/spec/topology/workers/machineDeployments";
    let end = "it stays where it is, and until it has moved the hook AfterClusterUpgrade is not asked and no other upgrade can begin";
    let told = |name: &str, by: &str| {
        format!(
            "Later Deferred: MachineDeployment/{name} is deferred by the annotation topology.cluster.x-k8s.io/{by}: {end}"
        )
    };
    check(&[(ENTRIES, entries(&json!({}), &defer))], &["Held", &told("b", "defer-upgrade")]);
    let both = [told("a", "hold-upgrade-sequence"), told("b", "hold-upgrade-sequence on the entry a before it")];
    check(&[(ENTRIES, entries(&hold, &json!({})))], &["Held", &both[0], &both[1]]);
    check(&[(ENTRIES, entries(&json!({}), &hold))], &["Held", &told("b", "hold-upgrade-sequence")]);

    // ch_e10_2_14: in the middle of a chain the control plane waits, and it is there already.
    let preview = preview(
        &[
            (ENTRIES, entries(&json!({}), &defer)),
            ("/machineDeployments", json!([workers("a", "v1.31.0"), workers("b", "v1.28.0")])),
        ],
        "",
    );
    assert!(preview.holds[0].message.ends_with("the control plane waits at v1.31.0 until it has moved"));
    assert_eq!(preview.holds[0].weight.to_string(), "Now");
    assert_eq!(
        preview.holds[0].advice,
        "without the annotation it moves to v1.31.0 (2 machines) as soon as the control plane is there"
    );
}

#[test]
fn workers_that_roll_are_a_step_of_their_own() {
    let machines = json!([machine("a-0", "a", "v1.31.0", "v1.31.0"), machine("a-1", "a", "v1.30.0", "v1.30.0")]);
    let changes = [("/machines", machines)];
    check(
        &changes,
        &["UnderWay", "Work WorkersRolling: MachineDeployment/a is rolling to v1.31.0: 1 of 2 machines are there"],
    );
    // A kubelet that leaves the build out runs what it is to run.
    let version = "v1.31.0+rke2r1";
    let at = [
        ("/machineDeployments", json!([workers("a", version)])),
        ("/machines", json!([machine("a-0", "a", version, "v1.31.0")])),
        ("/classes/0/spec/kubernetesVersions", json!([version, "v1.32.0"])),
        (CP, json!(version)),
        ("/controlPlanes/0/status/version", json!(version)),
    ];
    assert_eq!(preview(&at, "").steps.len(), 2);
}

#[test]
fn pauses_deletions_and_errors() {
    check(
        &[("/clusters/0/spec/paused", json!(true))],
        &["Held", "Now Paused: Cluster/bay/gull is paused by spec.paused: nothing moves until that is taken away"],
    );
    let going = [("/clusters/0/metadata/deletionTimestamp", json!("2026-05-04T08:00:00Z"))];
    check(&going, &["Stuck", "Stuck Deleting: Cluster/bay/gull is being deleted, and is upgraded no more"]);
    // Case B08: what the extension said is shown.
    let failed = [(
        "/clusters/0/status/conditions",
        reconciled("ReconcileFailed", "failed to call\n extension plan.acme:  got failure"),
    )];
    check(
        &failed,
        &[
            "Stuck",
            "Stuck ReconcileFailed: Cluster API fails to reconcile Cluster/bay/gull: failed to call extension plan.acme: got failure",
        ],
    );
    let class = [("/classes/0/metadata/generation", json!(3)), ("/classes/0/status", json!({"observedGeneration": 2}))];
    check(
        &class,
        &[
            "Held",
            "Now ClassNotReconciled: ClusterClass/bay/sea has changed, and its controller has not looked at it since",
        ],
    );
}

#[test]
fn budgets_and_strangers() {
    let budget = |desired: u64, healthy: u64, allowed: u64| {
        json!([{"metadata": {"name": "db", "namespace": "shop"},
            "status": {"expectedPods": 3, "desiredHealthy": desired, "currentHealthy": healthy, "disruptionsAllowed": allowed}}])
    };
    let name = "Later Budget: PodDisruptionBudget shop/db";
    let never = format!("{name} can never let a pod go: it wants 3 of its 3 pods, so no node with one of them drains");
    check(&[("/budgets", budget(3, 3, 0))], &["Held", &never]);
    check(
        &[("/budgets", budget(2, 2, 0))],
        &["Held", &format!("{name} lets no pod go now: 2 of its 3 pods are healthy, and it wants 2")],
    );
    check(&[("/budgets", budget(2, 3, 1))], &["Ready"]);

    // ch_e10_2_26.
    let mut stranger = workers("x", "v1.28.0");
    stranger["metadata"]["labels"] = json!({});
    let message = "Later Stranger: MachineDeployment/x at v1.28.0 is not kept by the topology, so that nothing here moves it, and does not fit the control plane at v1.32.0: it is 4 minors behind the control plane, and 3 are allowed";
    check(
        &[("/machineDeployments", json!([workers("a", "v1.31.0"), workers("b", "v1.31.0"), stranger]))],
        &["Held", message],
    );
}

#[test]
fn the_newest_condition_is_the_moment() {
    let changes = [("/clusters/0/status/conditions", reconciled("ClusterUpgrading", ""))];
    assert_eq!(inventory(&changes).newest().at.to_string(), "2026-05-04T07:00:00Z");
    assert_eq!(
        inventory(&[]).newest().clock.to_string(),
        "nothing: no object has a time, so no age below means anything"
    );
}
