//! The groups of workers: who moves beside whom.

use headway_api::hooks::Lifecycle;
use headway_api::plan::GroupKind;
use headway_core::drive::{Concurrency, Deferral, Standing};

use super::scene::{Scene, check};

/// A step of the workers at v1.31.0 that nobody has anything against any more.
fn step() -> Scene {
    Scene::new("v1.31.0", "v1.31.0").intent(Lifecycle::AfterClusterUpgrade, "v1.31.0")
}

fn moving(scene: Scene) -> Scene {
    scene.intent(Lifecycle::AfterWorkersUpgrade, "v1.31.0")
}

#[test]
fn ch_3_4_so_many_move_at_once_of_each_kind() {
    let pools = || moving(step()).pool("md-a", "v1.30.0").pool("md-b", "v1.30.0").pool("md-c", "v1.30.0");
    check(
        pools(),
        "do MachineDeployment/md-a from v1.30.0 to v1.31.0
         wait: MachineDeployment/md-b waits for its turn: one moves at a time
         wait: MachineDeployment/md-c waits for its turn: one moves at a time",
    );
    let mut two = pools();
    two.observed.concurrency = Concurrency::new(2);
    check(
        two,
        "do MachineDeployment/md-a from v1.30.0 to v1.31.0
         do MachineDeployment/md-b from v1.30.0 to v1.31.0
         wait: MachineDeployment/md-c waits for its turn: 2 move at a time",
    );
    // One that is on its way has its place; pools are counted apart.
    check(
        moving(step()).pool("md-a", "v1.31.0").rolls().pool("md-b", "v1.30.0").group(
            GroupKind::MachinePool,
            "mp",
            "v1.30.0",
        ),
        "do MachinePool/mp from v1.30.0 to v1.31.0
         wait: MachineDeployment/md-b waits for its turn: one moves at a time
         wait: MachineDeployment/md-a on the way to v1.31.0",
    );
    // Who still rolls from before is not moved on in the middle of it.
    check(moving(step()).pool("md-a", "v1.30.0").rolls(), "wait: MachineDeployment/md-a on the way to v1.31.0");
}

#[test]
fn ch_10_2_14_and_15_a_deferral_is_the_reason_when_it_is_the_only_one() {
    let told = "wait: MachineDeployment/md-b is deferred by its annotation topology.cluster.x-k8s.io/defer-upgrade and does not move to v1.31.0";
    check(moving(step()).pool("md-a", "v1.31.0").pool("md-b", "v1.30.0").deferred(), told);
    // In the middle of a chain, with one that has done its step and has others before it.
    let chain = Scene::new("v1.31.0", "v1.35.0").intent(Lifecycle::AfterClusterUpgrade, "v1.35.0");
    check(
        chain
            .intent(Lifecycle::AfterWorkersUpgrade, "v1.31.0")
            .pool("md-a", "v1.31.0")
            .pool("md-b", "v1.28.0")
            .deferred(),
        told,
    );
    let held = moving(step()).pool("md-a", "v1.30.0").which(|group| {
        group.deferral = Some(Deferral::After("md-0".into()));
    });
    check(held, "wait: MachineDeployment/md-a is deferred by the hold of md-0 before it and does not move to v1.31.0");
}

#[test]
fn ch_10_2_13_groups_that_leave_hold_nothing_up_but_what_they_cannot_stand_beside() {
    let scene = Scene::new("v1.29.0", "v1.31.0").pool("md-old", "v1.29.0").rolls().leaves();
    check(
        scene,
        "do still to be asked: AfterControlPlaneUpgrade@v1.30.0, AfterClusterUpgrade@v1.31.0
         do control plane from v1.29.0 to v1.30.0",
    );
    let scene = Scene::new("v1.32.0", "v1.33.0").pool("md-old", "v1.30.0").leaves();
    check(
        scene.which(|group| group.oldest = Some("v1.29.0".parse().unwrap())),
        "wait: MachineDeployment/md-old at v1.29.0 does not fit the control plane at v1.33.0: it is 4 minors behind the control plane, and 3 are allowed",
    );
}

#[test]
fn ch_10_25_only_what_needs_the_workload_cluster_waits_for_it() {
    let unseen = || Standing::Unseen("the workload cluster does not answer".into());
    let scene = moving(step()).group(GroupKind::MachinePool, "mp", "v1.30.0").which(|group| group.standing = unseen());
    check(
        scene.pool("md-a", "v1.30.0"),
        "do MachineDeployment/md-a from v1.30.0 to v1.31.0
         wait: what MachinePool/mp runs cannot be seen: the workload cluster does not answer",
    );
    let scene = Scene::new("v1.30.0", "v1.31.0").group(GroupKind::MachinePool, "mp", "v1.30.0");
    check(
        scene.which(|group| group.standing = unseen()),
        "wait: what MachinePool/mp runs cannot be seen: the workload cluster does not answer",
    );
}

#[test]
fn ch_4_9_workers_that_move_first_are_announced_and_asked_for() {
    let scene = Scene::new("v1.31.0", "v1.32.0").list(&["v1.31.0", "v1.32.0"]).pool("md-a", "v1.28.0").with_hooks();
    let (calls, decision) = scene.answering(|_| headway_core::drive::Said::Go);
    let hooks: Vec<&str> = calls.iter().map(|call| call.hook().name()).collect();
    assert_eq!(hooks, ["BeforeClusterUpgrade", "BeforeWorkersUpgrade"]);
    assert_eq!(
        super::scene::lines(&decision),
        "do still to be asked: AfterWorkersUpgrade@v1.31.0, AfterClusterUpgrade@v1.32.0\ndo MachineDeployment/md-a from v1.28.0 to v1.31.0"
    );
}
