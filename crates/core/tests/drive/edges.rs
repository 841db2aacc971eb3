//! What happens in the middle of a way: targets that change, plans that go, writes that were never done.

use headway_api::hooks::Lifecycle;
use headway_api::plan::{GroupKind, GroupMoves, Plan, WorkerGroup};
use headway_core::drive::{Said, Standing};
use headway_core::plan::{Extension, ExtensionError, Source};

use super::scene::{Scene, check, lines, version};

fn hooks_of(scene: &Scene) -> (Vec<&'static str>, String) {
    let (calls, decision) = scene.answering(|_| Said::Go);
    (calls.iter().map(|call| call.hook().name()).collect(), lines(&decision))
}

#[test]
fn ch_10_7_what_was_recorded_for_a_write_that_failed_is_not_asked() {
    // The control plane is still where it was: nothing was done, and nothing is over.
    let scene = Scene::new("v1.29.0", "v1.31.0").pool("md-a", "v1.29.0").with_hooks();
    let (hooks, told) = hooks_of(&scene.begun("v1.30.0", "v1.31.0", &["md-a"]));
    assert_eq!(hooks, ["BeforeControlPlaneUpgrade"]);
    assert!(told.ends_with("do control plane from v1.29.0 to v1.30.0"), "{told}");
}

#[test]
fn ch_9098_a_target_is_taken_back_before_anything_moved() {
    let scene = Scene::new("v1.29.0", "v1.29.0").pool("md-a", "v1.29.0").with_hooks();
    let (hooks, told) = hooks_of(&scene.begun("v1.30.0", "v1.31.0", &["md-a"]));
    assert!(hooks.is_empty(), "{hooks:?}");
    assert_eq!(told, "do still to be asked: nothing");
}

#[test]
fn ch_10_2_19_a_chain_stops_where_it_is() {
    // The workers take the version at which the control plane stands, and the upgrade is over there.
    let scene = Scene::new("v1.30.0", "v1.30.0").pool("md-a", "v1.29.0").with_hooks();
    let scene = scene.intent(Lifecycle::AfterClusterUpgrade, "v1.33.0");
    let (hooks, told) = hooks_of(&scene);
    assert_eq!(hooks, ["BeforeWorkersUpgrade"]);
    assert_eq!(
        told,
        "do still to be asked: AfterWorkersUpgrade@v1.30.0, AfterClusterUpgrade@v1.30.0\ndo MachineDeployment/md-a from v1.29.0 to v1.30.0"
    );
    let moved = Scene::new("v1.30.0", "v1.30.0").pool("md-a", "v1.30.0").with_hooks();
    let moved =
        moved.intent(Lifecycle::AfterWorkersUpgrade, "v1.30.0").intent(Lifecycle::AfterClusterUpgrade, "v1.30.0");
    assert_eq!(hooks_of(&moved).0, ["AfterWorkersUpgrade", "AfterClusterUpgrade"]);
}

#[test]
fn stop_lets_what_has_begun_finish_and_nothing_new_begin() {
    let stopped = |mut scene: Scene| {
        scene.observed.stop = Some("spec.stop".into());
        scene
    };
    check(stopped(Scene::new("v1.29.0", "v1.31.0").with_hooks()), "wait: it stays at v1.29.0: spec.stop");
    let scene = Scene::new("v1.31.0", "v1.32.0").list(&["v1.31.0", "v1.32.0"]).pool("md-a", "v1.28.0").with_hooks();
    check(stopped(scene.clone()), "wait: it stays at v1.31.0: spec.stop");
    // The step of the workers was recorded with that of the control plane: it is part of what has begun.
    let (hooks, told) = hooks_of(&stopped(scene.begun("v1.31.0", "v1.32.0", &["md-a"])));
    assert_eq!(hooks, ["AfterControlPlaneUpgrade", "BeforeWorkersUpgrade"]);
    assert!(told.ends_with("do MachineDeployment/md-a from v1.28.0 to v1.31.0"), "{told}");
}

#[test]
fn ch_10_2_20_a_target_that_is_raised_in_the_middle_is_announced_again() {
    let scene = Scene::new("v1.30.0", "v1.33.0").with_hooks().intent(Lifecycle::AfterClusterUpgrade, "v1.31.0");
    let (hooks, told) = hooks_of(&scene);
    assert_eq!(hooks, ["BeforeClusterUpgrade", "BeforeControlPlaneUpgrade"]);
    assert!(told.contains("AfterClusterUpgrade@v1.33.0"), "{told}");
    // One that is lowered to a version ahead is less than what was announced.
    let scene = Scene::new("v1.30.0", "v1.31.0").with_hooks().intent(Lifecycle::AfterClusterUpgrade, "v1.33.0");
    let (hooks, told) = hooks_of(&scene);
    assert_eq!(hooks, ["BeforeControlPlaneUpgrade"]);
    assert!(told.contains("AfterClusterUpgrade@v1.31.0"), "{told}");
}

fn down() -> Source {
    let answer = Err(ExtensionError::Failed("connection refused".into()));
    Source::Extension(Extension { name: "plan.ext".into(), answer })
}

fn last_plan() -> Plan {
    let group = WorkerGroup { kind: GroupKind::MachineDeployment, name: "md-a".into() };
    Plan {
        control_plane: ["v1.30.0", "v1.31.0", "v1.32.0"].map(version).into(),
        workers: ["v1.31.0", "v1.32.0"].map(version).into(),
        groups: vec![GroupMoves {
            group,
            from: version("v1.29.0"),
            moves: ["v1.31.0", "v1.32.0"].map(version).into(),
            stays: None,
        }],
    }
}

#[test]
fn ch_10_2_10_while_the_source_is_down_only_the_pickup_waits() {
    let mut scene = Scene::new("v1.31.0", "v1.32.0").pool("md-a", "v1.29.0").with_hooks().source(down());
    scene.last = Some(last_plan());
    let begun = scene.clone().begun("v1.31.0", "v1.32.0", &["md-a"]);
    let (hooks, told) = hooks_of(&begun);
    assert_eq!(hooks, ["AfterControlPlaneUpgrade", "BeforeWorkersUpgrade"], "what has begun goes on");
    assert!(told.ends_with("do MachineDeployment/md-a from v1.29.0 to v1.31.0"), "{told}");
    check(
        begun.clone().standing(Standing::Rolling(String::new())),
        "wait: KubeadmControlPlane/cp is on its way to v1.31.0",
    );
    let mut done = Scene::new("v1.31.0", "v1.32.0").pool("md-a", "v1.31.0").with_hooks().source(down());
    done.last = Some(last_plan());
    let (hooks, told) = hooks_of(&done.intent(Lifecycle::AfterClusterUpgrade, "v1.32.0"));
    assert!(hooks.is_empty(), "{hooks:?}");
    assert!(told.starts_with("wait: ") && told.contains("connection refused"), "{told}");
}

#[test]
fn ch_10_2_5_and_8_a_list_that_lost_a_version_holds_the_next_step_and_says_so() {
    let scene = Scene::new("v1.30.0", "v1.33.0").list(&["v1.29.0", "v1.30.0", "v1.32.0", "v1.33.0"]).with_hooks();
    let (hooks, told) = hooks_of(&scene.intent(Lifecycle::AfterClusterUpgrade, "v1.33.0"));
    assert!(hooks.is_empty(), "{hooks:?}");
    assert!(told.starts_with("wait: ") && told.contains("v1.32.0"), "{told}");
}

#[test]
fn ch_10_2_11_what_a_plan_says_later_does_not_change_a_step_that_has_begun() {
    // The list now takes the workers straight to the target; the step at v1.30.0 was begun with md-a.
    let scene = Scene::new("v1.30.0", "v1.31.0").pool("md-a", "v1.29.0").pool("md-b", "v1.29.0").with_hooks();
    let (hooks, told) = hooks_of(&scene.begun("v1.30.0", "v1.31.0", &["md-a"]));
    assert_eq!(hooks, ["AfterControlPlaneUpgrade", "BeforeWorkersUpgrade"]);
    assert!(told.ends_with("do MachineDeployment/md-a from v1.29.0 to v1.30.0"), "{told}");
}

#[test]
fn a_step_whose_workers_are_all_gone_is_neither_begun_nor_over() {
    let scene = Scene::new("v1.30.0", "v1.31.0").with_hooks();
    let (hooks, told) = hooks_of(&scene.begun("v1.30.0", "v1.31.0", &["md-a"]));
    assert_eq!(hooks, ["AfterControlPlaneUpgrade", "BeforeControlPlaneUpgrade"]);
    assert!(!told.contains("Workers"), "{told}");
}

#[test]
fn a_downgrade_moves_nothing() {
    let scene = Scene::new("v1.31.0", "v1.30.0").pool("md-a", "v1.31.0").with_hooks();
    let (hooks, told) = hooks_of(&scene);
    assert!(hooks.is_empty(), "{hooks:?}");
    assert!(told.starts_with("wait: ") && !told.contains("do "), "{told}");
}
