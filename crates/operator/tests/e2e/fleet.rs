//! The clusters that a management cluster keeps: each has a status of its own, which follows what is seen of it.

use serde_json::json;

use super::fleet_world::{Is, NEW, clock, empty, pass, put, put_hosted, statuses, told, wait};
use super::program::Operator;
use super::world::World;

const A: &str = "ClusterUpdateStatus/a Updating=False";
const B: &str = "ClusterUpdateStatus/b Updating=False";
const C: &str = "ClusterUpdateStatus/c Updating=False";
const TERN: &str = "HostedClusterUpdateStatus/tern Updating=False";

/// Two clusters of Cluster API and a hosted one, none of which is updated.
fn quiet() -> World {
    let world = empty();
    put(&world, "a", Is::Old);
    put(&world, "b", Is::Old);
    put_hosted(&world);
    world
}

/// The writes of statuses of single clusters.
fn writes(world: &World) -> Vec<String> {
    world.writes().into_iter().filter(|write| write.contains("clusterupdatestatuses")).collect()
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn each_cluster_has_a_status_that_follows_it_and_goes_with_it() {
    let world = quiet();
    let mut clock = clock();
    let running = Operator::start(&world, &clock, &[]);
    wait(&world, &mut clock, &running, &[A, B, TERN]);
    let owner =
        world.kubectl(&["get", "cluster.cluster.x-k8s.io", "a", "-n", "fleet", "-o", "jsonpath={.metadata.uid}"]);
    let path = "jsonpath={.metadata.ownerReferences[0].uid} {.metadata.ownerReferences[0].blockOwnerDeletion}";
    let owned = world.kubectl(&["get", "clusterupdatestatus", "a", "-n", "fleet", "-o", path]);
    assert_eq!(owned, format!("{owner} false"));

    // One is upgraded, and only its own status is written.
    let before = writes(&world).len();
    put(&world, "b", Is::Rolling);
    wait(&world, &mut clock, &running, &[A, "ClusterUpdateStatus/b Updating=True", TERN]);
    let told = statuses(&world);
    assert_eq!(told["ClusterUpdateStatus/b"].summary.as_ref().unwrap().to.as_deref(), Some(NEW));
    let of_others = writes(&world).split_off(before);
    let of_others: Vec<_> = of_others.iter().filter(|write| !write.contains("/b/status")).collect();
    assert!(of_others.is_empty(), "{of_others:#?}");
    let table = world.kubectl(&["get", "clusterupdatestatus", "-A"]);
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.lines().any(|row| row.starts_with("fleet") && row.contains(" b ") && row.contains(NEW)), "{table}");

    put(&world, "b", Is::New);
    put(&world, "c", Is::New);
    wait(&world, &mut clock, &running, &[A, B, C, TERN]);

    // Nobody collects here what has no owner.
    world.kubectl(&["delete", "cluster.cluster.x-k8s.io", "a", "-n", "fleet"]);
    wait(&world, &mut clock, &running, &[B, C, TERN]);
    let metric = |name: &str| running.metric(name);
    assert_eq!(metric("headway_fleet_clusters{form=\"capi\",assessment=\"Completed\"}"), Some(2.0));
    assert_eq!(metric("headway_fleet_clusters{form=\"hosted\",assessment=\"Completed\"}"), Some(1.0));
    assert_eq!(metric("headway_fleet_informer_up{informer=\"machines\"}"), Some(1.0));
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn who_begins_anew_writes_nothing_anew_and_who_was_killed_misses_nothing() {
    let world = quiet();
    let mut clock = clock();
    let running = Operator::start(&world, &clock, &[]);
    wait(&world, &mut clock, &running, &[A, B, TERN]);
    // What changed while it was first written has been written too.
    pass(&mut clock, 10);
    assert!(running.stop().success());
    let before = writes(&world);
    let running = Operator::start(&world, &clock, &[]);
    while !running.is_ready() {
        pass(&mut clock, 1);
    }
    pass(&mut clock, 20);
    assert_eq!(writes(&world).split_off(before.len()), Vec::<String>::new(), "{}", running.log());
    running.kill();
    put(&world, "b", Is::Rolling);
    world.kubectl(&["delete", "cluster.cluster.x-k8s.io", "a", "-n", "fleet"]);
    let running = Operator::start(&world, &clock, &[]);
    wait(&world, &mut clock, &running, &["ClusterUpdateStatus/b Updating=True", TERN]);
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn a_status_that_is_refused_holds_up_no_other() {
    let world = quiet();
    // Whoever may write statuses may not write that of b.
    world.apply(&json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": "not-b" },
        "spec": {
            "matchConstraints": { "resourceRules": [{ "apiGroups": ["update.openshift.io"], "apiVersions": ["*"],
                "operations": ["CREATE", "UPDATE"], "resources": ["clusterupdatestatuses", "clusterupdatestatuses/status"] }] },
            "validations": [{ "expression": "object.metadata.name != 'b'", "message": "not b" }],
        },
    }));
    world.apply(&json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": { "name": "not-b" }, "spec": { "policyName": "not-b", "validationActions": ["Deny"] },
    }));
    // A server learns of a policy by a watch of its own.
    let denied = || {
        let b = json!({ "apiVersion": "update.openshift.io/v1alpha1", "kind": "ClusterUpdateStatus",
            "metadata": { "namespace": "fleet", "name": "b" }, "spec": {} });
        let taken = world.try_apply(&b);
        if taken {
            world.kubectl(&["delete", "clusterupdatestatus", "b", "-n", "fleet"]);
        }
        !taken
    };
    while !denied() {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let mut clock = clock();
    let running = Operator::start(&world, &clock, &[]);
    wait(&world, &mut clock, &running, &[A, TERN]);
    put(&world, "a", Is::Rolling);
    wait(&world, &mut clock, &running, &["ClusterUpdateStatus/a Updating=True", TERN]);
    assert!(running.log().contains("fleet/b"), "it is named:\n{}", running.log());
    world.kubectl(&["delete", "validatingadmissionpolicybinding,validatingadmissionpolicy", "not-b"]);
    put(&world, "b", Is::Rolling);
    put(&world, "a", Is::New);
    wait(&world, &mut clock, &running, &[A, "ClusterUpdateStatus/b Updating=True", TERN]);
    assert_eq!(told(&world).len(), 3);
    assert!(running.stop().success());
}
