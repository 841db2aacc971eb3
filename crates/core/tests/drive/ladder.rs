//! The control plane: rung by rung.

use headway_api::hooks::Lifecycle;
use headway_core::drive::{Halt, Said, Standing};

use super::scene::{Scene, check, failed, lines, wait};

#[test]
fn ch_3_3_without_hooks_the_ladder_moves_or_says_what_it_waits_for() {
    let mut nobody = Scene::new("v1.29.0", "v1.30.0");
    nobody.observed.control_plane = None;
    check(nobody, "wait: there is no control plane");

    check(
        Scene::new("v1.29.0", "v1.32.0").standing(Standing::Silent),
        "wait: KubeadmControlPlane/cp reports no version",
    );
    check(
        Scene::new("v1.30.0", "v1.32.0").standing(Standing::Rolling("1 of 3 machines".into())),
        "wait: KubeadmControlPlane/cp is on its way to v1.30.0: 1 of 3 machines",
    );
    check(
        Scene::new("v1.30.0", "v1.32.0").standing(Standing::Unseen("no Machine was seen".into())),
        "wait: what KubeadmControlPlane/cp runs cannot be seen: no Machine was seen",
    );
    check(Scene::new("v1.32.0", "v1.32.0"), "");
    check(
        Scene::new("v1.29.0", "v1.32.0"),
        "do still to be asked: AfterControlPlaneUpgrade@v1.30.0, AfterClusterUpgrade@v1.32.0
         do control plane from v1.29.0 to v1.30.0",
    );
    // A step that no group of workers takes brings no hooks of workers; the one that they take does.
    check(
        Scene::new("v1.30.0", "v1.32.0").pool("md-a", "v1.29.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0"),
        "do still to be asked: AfterControlPlaneUpgrade@v1.31.0, AfterClusterUpgrade@v1.32.0
         do control plane from v1.30.0 to v1.31.0",
    );
    check(
        Scene::new("v1.31.0", "v1.32.0").pool("md-a", "v1.29.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0"),
        "do still to be asked: AfterControlPlaneUpgrade@v1.32.0, BeforeWorkersUpgrade@v1.32.0, AfterWorkersUpgrade@v1.32.0, AfterClusterUpgrade@v1.32.0
         do control plane from v1.31.0 to v1.32.0",
    );
}

#[test]
fn ch_3_3_each_hook_holds_what_it_is_asked_before() {
    let check = |scene: &Scene, held: Lifecycle, expect: &str| {
        for (said, told) in [(wait("not yet"), "asks for time: not yet"), (failed("no disk"), "failed: no disk")] {
            let (calls, decision) = scene.answering(|hook| if hook == held { said.clone() } else { Said::Go });
            assert_eq!(calls.last().map(headway_api::hooks::LifecycleCall::hook), Some(held), "{calls:?}");
            let expect: Vec<&str> = expect.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let told = format!("wait: {held} {told}");
            let expect = expect.into_iter().chain([told.as_str()]).collect::<Vec<_>>().join("\n");
            assert_eq!(lines(&decision), expect);
            assert!(decision.next.is_some(), "it is asked again at a time");
        }
    };
    let before = Scene::new("v1.29.0", "v1.31.0").pool("md-a", "v1.29.0").with_hooks();
    check(&before, Lifecycle::BeforeClusterUpgrade, "");
    check(&before, Lifecycle::BeforeControlPlaneUpgrade, "");
    let after = Scene::new("v1.31.0", "v1.31.0").pool("md-a", "v1.29.0").with_hooks();
    let after = after.begun("v1.31.0", "v1.31.0", &["md-a"]);
    check(&after, Lifecycle::AfterControlPlaneUpgrade, "");
    check(&after, Lifecycle::BeforeWorkersUpgrade, "");
    let moved = Scene::new("v1.31.0", "v1.31.0").pool("md-a", "v1.31.0").with_hooks();
    let moved =
        moved.intent(Lifecycle::AfterWorkersUpgrade, "v1.31.0").intent(Lifecycle::AfterClusterUpgrade, "v1.31.0");
    check(&moved, Lifecycle::AfterWorkersUpgrade, "");
    check(&moved, Lifecycle::AfterClusterUpgrade, "");
}

#[test]
fn ch_4_1_all_that_is_asked_for_a_step_is_asked_in_order() {
    let calls = |scene: &Scene| -> Vec<String> {
        let (calls, decision) = scene.answering(|_| Said::Go);
        let mut all: Vec<String> = calls.iter().map(|call| headway_core::drive::Told(call).to_string()).collect();
        all.push(lines(&decision));
        all
    };
    let before = Scene::new("v1.29.0", "v1.31.0").pool("md-a", "v1.29.0").with_hooks();
    assert_eq!(
        calls(&before),
        [
            "BeforeClusterUpgrade v1.29.0 -> v1.31.0, left [v1.30.0 v1.31.0] workers [v1.31.0]",
            "BeforeControlPlaneUpgrade v1.29.0 -> v1.30.0, left [v1.30.0 v1.31.0] workers [v1.31.0]",
            "do still to be asked: AfterControlPlaneUpgrade@v1.30.0, AfterClusterUpgrade@v1.31.0\ndo control plane from v1.29.0 to v1.30.0",
        ]
    );
    let after = Scene::new("v1.31.0", "v1.31.0").pool("md-a", "v1.29.0").with_hooks();
    assert_eq!(
        calls(&after.begun("v1.31.0", "v1.31.0", &["md-a"])),
        [
            "AfterControlPlaneUpgrade v1.31.0, left [] workers [v1.31.0]",
            "BeforeWorkersUpgrade v1.29.0 -> v1.31.0, left [] workers [v1.31.0]",
            "do still to be asked: AfterWorkersUpgrade@v1.31.0, AfterClusterUpgrade@v1.31.0\ndo MachineDeployment/md-a from v1.29.0 to v1.31.0",
        ]
    );
    let moved = Scene::new("v1.31.0", "v1.31.0").pool("md-a", "v1.31.0").with_hooks();
    let moved =
        moved.intent(Lifecycle::AfterWorkersUpgrade, "v1.31.0").intent(Lifecycle::AfterClusterUpgrade, "v1.31.0");
    assert_eq!(
        calls(&moved),
        [
            "AfterWorkersUpgrade v1.31.0, left [] workers []",
            "AfterClusterUpgrade v1.31.0",
            "do still to be asked: nothing"
        ]
    );
}

#[test]
fn ch_4_4_annotations_forbid_only_the_beginning() {
    let mut scene = Scene::new("v1.29.0", "v1.31.0").with_hooks();
    scene.observed.forbidding = vec!["before-upgrade.hook.cluster.cluster.x-k8s.io/backup".into()];
    check(
        scene.clone(),
        "wait: the Cluster carries before-upgrade.hook.cluster.cluster.x-k8s.io/backup, so that no upgrade begins",
    );
    let (calls, _) = scene.intent(Lifecycle::AfterClusterUpgrade, "v1.31.0").answering(|_| Said::Go);
    assert_eq!(calls.len(), 1, "it has begun, and only the next step is asked for");
}

#[test]
fn ch_10_2_23_and_24_while_paused_or_deleted_nothing_is_done() {
    let mut scene = Scene::new("v1.29.0", "v1.31.0").with_hooks();
    scene.observed.halt = Some(Halt::Paused("spec.paused of the Cluster".into()));
    check(scene.clone(), "wait: it is paused by spec.paused of the Cluster");
    scene.observed.halt = Some(Halt::Deleting);
    check(scene, "wait: the cluster is being deleted");
}

#[test]
fn who_keeps_the_version_is_not_overruled() {
    let mut scene = Scene::new("v1.29.0", "v1.31.0").with_hooks();
    scene.observed.control_plane.as_mut().unwrap().owner = Some("argocd-controller".into());
    check(scene, "wait: argocd-controller keeps the version of KubeadmControlPlane/cp");
    let scene = Scene::new("v1.31.0", "v1.31.0").pool("md-a", "v1.30.0");
    let scene = scene.which(|group| group.owner = Some("flux".into())).pool("md-b", "v1.30.0");
    check(
        scene.begun("v1.31.0", "v1.31.0", &["md-a", "md-b"]),
        "do still to be asked: AfterWorkersUpgrade@v1.31.0, AfterClusterUpgrade@v1.31.0
         do MachineDeployment/md-b from v1.30.0 to v1.31.0
         wait: flux keeps the version of MachineDeployment/md-a",
    );
}
