//! Every point at which whoever drives can die, in a world that has all kinds of steps: the end is always the same.

use std::fs;
use std::path::Path;

use headway_api::hooks::Lifecycle;
use headway_api::plan::GroupKind;
use headway_core::version::KubeVersion;
use headway_sim::{
    Behaviour, Event, Fault, Machines, Moment, Mover, Planner, Pool, Reply, Script, Stage, World, rehearse_with,
};
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
        world.pools.push(Pool::new(kind, name, &at, Machines::new(2, &at, now)));
    }
    for hook in Lifecycle::OF_UPGRADE {
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

/// How often something was done: before each of them it can die.
fn effects(stage: &Stage) -> usize {
    let is_effect =
        |moment: &&Moment| matches!(moment.event, Event::Asked { .. } | Event::Recorded(_) | Event::Moved { .. });
    stage.moments.iter().filter(is_effect).count()
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
    let effects = effects(&whole);
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

/// Where everything is at the end.
fn end(stage: &Stage) -> Vec<String> {
    let pools = stage.world.pools.iter().map(|pool| format!("{} {}", pool.id, pool.version));
    pools.chain([stage.world.version.to_string(), stage.world.intents.to_string()]).collect()
}

#[test]
fn ch_11_wherever_it_dies_in_any_script_the_end_is_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/simulate");
    let begin = "2026-05-04T12:00:00Z".parse().unwrap();
    let mut scripts: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    scripts.retain(|script| script.is_dir());
    scripts.sort();
    for path in scripts {
        let script = Script::read(&fs::read_to_string(path.join("script.txt")).unwrap()).unwrap();
        let play = |faults: &[Fault]| {
            let mut transcript = String::new();
            let played = rehearse_with(&script, begin, faults, &mut transcript);
            played.unwrap_or_else(|error| panic!("{}: {faults:?}: {error:?}\n{transcript}", path.display()))
        };
        let whole = play(&[]);
        let points = effects(&whole);
        println!("{points:>4} points of {}", path.display());
        assert!(points > 0, "{}", path.display());
        for point in 0..points {
            let stage = play(&[Fault::Crash(point)]);
            assert_eq!(end(&stage), end(&whole), "{}: point {point}", path.display());
        }
    }
}
