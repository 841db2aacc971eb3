//! Every point at which whoever drives can die, in a world that has all kinds of steps: the end is always the same.

use headway_api::plan::{GroupKind, WorkerGroup};
use headway_core::plan::Course;
use headway_core::version::KubeVersion;
use headway_sim::{Behaviour, Event, Extensions, Fault, Machines, Mover, Planner, Pool, Reply, Stage, World};
use jiff::SignedDuration;

fn world() -> World {
    let at: KubeVersion = "v1.29.0".parse().unwrap();
    let now = "2026-05-04T12:00:00Z".parse().unwrap();
    let mut world = World::new(&at, 3, now);
    world.target = "v1.33.0".parse().unwrap();
    world.planner = Planner::List((29..=33).map(|minor| format!("v1.{minor}.0")).collect());
    for (kind, name) in
        [(GroupKind::MachineDeployment, "md-a"), (GroupKind::MachineDeployment, "md-b"), (GroupKind::MachinePool, "mp")]
    {
        world.pools.push(Pool {
            id: WorkerGroup { kind, name: name.into() },
            version: at.clone(),
            machines: Machines::new(2, &at, now),
            course: Course::Follows,
            deferral: None,
            unseen: None,
            owner: None,
        });
    }
    for hook in Extensions::HOOKS {
        let reply = Reply::Wait(SignedDuration::from_secs(5), "held".into());
        world.extensions.behave(hook, Behaviour { reply, times: Some(1) });
    }
    world
}

/// The versions that were written, in their order.
fn moves(stage: &Stage) -> Vec<(Mover, String)> {
    let moved = stage.moments.iter().filter_map(|moment| match &moment.event {
        Event::Moved { mover, to, .. } => Some((mover.clone(), to.to_string())),
        _ => None,
    });
    moved.collect()
}

/// The hooks that somebody said yes to, in their order, each once for each step.
fn passed(stage: &Stage) -> Vec<String> {
    let mut all: Vec<String> = stage
        .moments
        .iter()
        .filter_map(|moment| match &moment.event {
            Event::Asked { call, said: headway_core::drive::Said::Go } => {
                Some(format!("{} {}", call.hook(), headway_core::hook::step_of(call)))
            }
            _ => None,
        })
        .collect();
    all.dedup();
    all
}

#[test]
fn ch_11_wherever_it_dies_the_same_versions_are_written_and_no_hook_is_lost() {
    let play = |fault: Option<Fault>| {
        let mut stage = Stage::new(world());
        stage.driver.faults.extend(fault);
        stage.run(None).unwrap();
        assert!(stage.is_done(), "{fault:?}");
        stage
    };
    let whole = play(None);
    let effects = whole
        .moments
        .iter()
        .filter(|moment| matches!(moment.event, Event::Asked { .. } | Event::Recorded(_) | Event::Moved { .. }));
    let effects = effects.count();
    println!("{effects} points");
    assert!(effects > 50, "only {effects} points");
    for point in 0..effects {
        let fault = Fault::Crash(point);
        let stage = play(Some(fault));
        assert!(stage.moments.iter().any(|moment| matches!(moment.event, Event::Fault(_))), "{fault:?} did not come");
        assert_eq!(moves(&stage), moves(&whole), "{fault:?}");
        assert_eq!(passed(&stage), passed(&whole), "{fault:?}");
    }
}
