//! Gates: each says what it waits for, since when and what would open it, and holds only what is new.

use std::collections::BTreeSet;

use headway_api::hooks::Lifecycle;
use headway_api::insight::{Level, Rule};
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_core::drive::{
    Approval, Concern, Concurrency, Gates, HealthGate, Said, Stage, Standing, Wait, WaitingOn, Window,
};
use jiff::{SignedDuration, Timestamp};

use super::scene::{Scene, check, lines, now, wait};

fn before(minutes: i64) -> Timestamp {
    now().checked_sub(SignedDuration::from_mins(minutes)).unwrap()
}

fn after(minutes: i64) -> Timestamp {
    before(-minutes)
}

fn gated(scene: Scene, gates: Gates) -> Scene {
    let mut scene = scene.with_hooks();
    scene.observed.gates = gates;
    scene
}

/// A chain of which one step is done.
fn chain() -> Scene {
    Scene::new("v1.30.0", "v1.32.0").pool("md-a", "v1.29.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0")
}

/// A step of the workers in which one has still to move.
fn step() -> Scene {
    let scene = Scene::new("v1.32.0", "v1.32.0").pool("md-a", "v1.32.0").rolls().pool("md-b", "v1.29.0");
    let mut scene =
        scene.intent(Lifecycle::AfterWorkersUpgrade, "v1.32.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0");
    scene.observed.concurrency = Concurrency::new(2);
    scene
}

fn asked(scene: &Scene) -> usize {
    scene.answering(|_| Said::Go).0.len()
}

fn concern(rule: Rule, level: Level, summary: &str) -> Concern {
    Concern { uid: summary.into(), rule, level, since: Some(before(5)), summary: summary.into() }
}

fn health(level: Level, except: &[Rule], seen: Result<Vec<Concern>, String>) -> Gates {
    let except = except.iter().copied().collect();
    Gates { health: Some(HealthGate { level, except, seen }), ..Gates::default() }
}

#[test]
fn health_holds_the_next_step_and_the_next_group_and_not_what_runs() {
    let bad = || {
        Ok(vec![
            concern(Rule::PoolPaused, Level::Warning, "md-a is paused"),
            concern(Rule::NodeDegraded, Level::Error, "node-1 is degraded"),
        ])
    };
    let told = "wait: Error H-NODE-DEGRADED: node-1 is degraded";
    check(gated(chain(), health(Level::Error, &[], bad())), told);
    check(gated(chain(), health(Level::Warning, &[], bad())), &format!("{told}; and 1 more"));
    check(
        gated(step(), health(Level::Error, &[], bad())),
        &format!("{told}\nwait: MachineDeployment/md-a on the way to v1.32.0"),
    );
    // No hook is asked for what does not begin.
    assert_eq!(asked(&gated(chain(), health(Level::Error, &[], bad()))), 0);
    assert_eq!(asked(&gated(chain(), health(Level::Critical, &[], bad()))), 1);
    assert_eq!(asked(&gated(chain(), health(Level::Error, &[Rule::NodeDegraded], bad()))), 1);
    // What is over is told all the same.
    let over = Scene::new("v1.32.0", "v1.32.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0");
    assert_eq!(asked(&gated(over, health(Level::Error, &[], bad()))), 1);
    check(
        gated(chain(), health(Level::Critical, &[], Err("no Machine was seen".into()))),
        "wait: whether the cluster is well cannot be told: no Machine was seen",
    );
}

#[test]
fn a_step_waits_until_all_has_stood_still_for_a_while() {
    let soak = |since: Option<Timestamp>| Gates {
        soak: SignedDuration::from_mins(30),
        still_since: since,
        ..Gates::default()
    };
    let told = "wait: everything has to stand still for a while after the last step";
    let scene = gated(chain(), soak(Some(before(29))));
    check(scene.clone(), told);
    let decision = scene.decide();
    assert_eq!(decision.next, Some(after(1)), "it is looked at again when the time is over");
    assert_eq!(decision.waiting_on[0].since, Some(before(29)));
    assert_eq!(asked(&gated(chain(), soak(Some(before(30))))), 1);
    assert_eq!(asked(&gated(chain(), soak(None))), 1, "before the first step there is nothing to wait for");
    // The clock was set back: from now on, and not for longer than asked for.
    assert_eq!(gated(chain(), soak(Some(after(600)))).decide().next, Some(after(30)));
    // Within a step nothing is waited for.
    let within = gated(step(), soak(Some(before(1)))).decide();
    assert!(lines(&within).starts_with("do MachineDeployment/md-b"), "{}", lines(&within));
}

#[test]
fn somebody_says_yes_once_or_to_each_step() {
    let approved = |approval, steps: &[&str]| Gates {
        approval,
        approved: steps.iter().map(|&step| step.to_owned()).collect(),
        ..Gates::default()
    };
    check(gated(chain(), approved(Approval::PerStep, &["v1.32.0"])), "wait: control-plane/v1.31.0 is not approved");
    assert_eq!(asked(&gated(chain(), approved(Approval::PerStep, &["control-plane/v1.31.0"]))), 1);
    check(
        gated(chain(), approved(Approval::PerChain, &["control-plane/v1.31.0", "v1.33.0"])),
        "wait: v1.32.0 is not approved",
    );
    assert_eq!(asked(&gated(chain(), approved(Approval::PerChain, &["v1.32.0"]))), 1);
    let workers = Scene::new("v1.32.0", "v1.32.0").pool("md-a", "v1.29.0").begun("v1.32.0", "v1.32.0", &["md-a"]);
    let (calls, decision) = gated(workers, approved(Approval::PerStep, &[])).answering(|_| Said::Go);
    assert_eq!(calls.len(), 1, "what is over is told: {calls:?}");
    assert!(lines(&decision).ends_with("wait: workers/v1.32.0 is not approved"), "{}", lines(&decision));
}

#[test]
fn outside_of_a_window_nothing_new_starts_and_what_runs_finishes() {
    let closed = |opens| Gates { window: Window::Closed { since: Some(before(60)), opens }, ..Gates::default() };
    check(gated(chain(), closed(None)), "wait: the maintenance window is closed");
    assert_eq!(gated(chain(), closed(Some(after(90)))).decide().next, Some(after(90)));
    check(
        gated(step(), closed(None)),
        "wait: the maintenance window is closed\nwait: MachineDeployment/md-a on the way to v1.32.0",
    );
    let open = |until| Gates { window: Window::Open { until }, ..Gates::default() };
    assert_eq!(asked(&gated(chain(), open(after(1)))), 1);
    assert_eq!(asked(&gated(chain(), open(now()))), 0, "it closed while nobody looked");
}

#[test]
fn all_gates_that_are_closed_are_told_at_once() {
    let gates = Gates {
        soak: SignedDuration::from_mins(30),
        still_since: Some(before(1)),
        approval: Approval::PerChain,
        window: Window::Closed { since: None, opens: Some(after(45)) },
        ..health(Level::Error, &[], Err("nobody looked yet".into()))
    };
    let decision = gated(chain(), gates).decide();
    let told: Vec<String> = decision.waiting_on.iter().map(|wait| wait.on.remedy()).collect();
    assert_eq!(
        told,
        [
            "the next maintenance window",
            "the state of the cluster can be told",
            "somebody who may approves v1.32.0",
            "time"
        ]
    );
    assert_eq!(decision.next, Some(after(29)));
}

#[test]
fn a_yes_of_an_extension_does_not_outlive_a_gate_that_closed() {
    let mut scene = gated(chain(), Gates::default());
    let (calls, decision) = scene.answering(|_| Said::Go);
    let Some(call) = calls.last() else { panic!("nothing was asked") };
    scene.observed.answers.hear(call, Said::Go);
    scene.observed.answers.settle(&decision);
    assert!(scene.observed.answers.said(call, now()).is_some(), "the decision rests on it");
    scene.observed.gates.window = Window::Closed { since: None, opens: None };
    let closed = scene.decide();
    scene.observed.answers.settle(&closed);
    assert_eq!(scene.observed.answers.said(call, now()), None);
    // Who asked for time is not asked early for all that.
    scene.observed.answers.hear(call, wait("later"));
    scene.observed.answers.settle(&closed);
    assert!(scene.observed.answers.said(call, now()).is_some());
}

#[test]
fn stages_move_one_after_the_other() {
    let id = |name: &str| WorkerGroup { kind: GroupKind::MachineDeployment, name: name.into() };
    let stage = |name: &str, groups: &[&str], concurrency| Stage {
        name: name.into(),
        groups: groups.iter().map(|group| id(group)).collect::<BTreeSet<_>>(),
        concurrency: Concurrency::new(concurrency),
    };
    let scene = |a: &str, b: &str| {
        let scene = Scene::new("v1.32.0", "v1.32.0").pool("md-a", a).pool("md-b", b).pool("md-c", "v1.31.0");
        let mut scene =
            scene.intent(Lifecycle::AfterWorkersUpgrade, "v1.32.0").intent(Lifecycle::AfterClusterUpgrade, "v1.32.0");
        scene.observed.stages = vec![stage("canary", &["md-b"], 1), stage("rest", &["md-a", "md-c"], 2)];
        scene
    };
    check(
        scene("v1.31.0", "v1.31.0"),
        "do MachineDeployment/md-b from v1.31.0 to v1.32.0
         wait: MachineDeployment/md-a waits for the stage canary
         wait: MachineDeployment/md-c waits for the stage canary",
    );
    let mut rolling = scene("v1.31.0", "v1.32.0");
    rolling.observed.groups[1].standing = Standing::Rolling(String::new());
    check(
        rolling,
        "wait: MachineDeployment/md-a waits for the stage canary
         wait: MachineDeployment/md-c waits for the stage canary
         wait: MachineDeployment/md-b on the way to v1.32.0",
    );
    check(
        scene("v1.31.0", "v1.32.0"),
        "do MachineDeployment/md-a from v1.31.0 to v1.32.0
         do MachineDeployment/md-c from v1.31.0 to v1.32.0",
    );
}

#[test]
fn what_is_waited_for_is_waited_for_since_the_first_time() {
    let first = Wait { on: WaitingOn::Approval { step: "v1.32.0".into() }, since: Some(before(10)), until: None };
    let carry = |on: WaitingOn| {
        let mut wait = Wait::from(on);
        wait.carry(std::slice::from_ref(&first), now());
        wait.since
    };
    assert_eq!(carry(WaitingOn::Approval { step: "v1.32.0".into() }), Some(before(10)));
    assert_eq!(carry(WaitingOn::Approval { step: "v1.33.0".into() }), Some(now()));
    assert_eq!(carry(WaitingOn::Window), Some(now()));
}
