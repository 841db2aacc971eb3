//! Random walks.

use std::collections::BTreeSet;

use headway_api::hooks::Lifecycle;
use headway_api::plan::GroupKind;
use headway_core::drive::{Concurrency, Halt, Stage as Rollout};
use headway_core::version::KubeVersion;
use headway_sim::{Fault, Machines, Planner, PlayError, Pool, Stage, World};
use jiff::SignedDuration;

use super::chance::Chance;
use super::count::Counts;
use super::trouble::{self, heal};

/// A cluster at random, with a target that a plan leads to.
fn world(chance: &mut Chance) -> World {
    let now = "2026-05-04T12:00:00Z".parse().unwrap();
    let minor = 28 + chance.below(4);
    let hops = chance.below(6);
    let version = |minor: u64| -> KubeVersion { format!("v1.{minor}.0").parse().unwrap() };
    let at = version(minor);
    let mut world = World::new(&at, 1 + chance.index(3), now);
    // Two more than the target needs: it may be raised.
    let versions: Vec<String> = (minor - 3..=minor + hops + 2).map(|minor| version(minor).to_string()).collect();
    world.planner = match chance.below(4) {
        0 => Planner::Extension { versions: versions.clone(), workers: versions, down: None },
        1 => Planner::Extension { versions, workers: Vec::new(), down: None },
        2 if hops <= 1 => Planner::OneMinor,
        _ => Planner::List(versions),
    };
    world.target = version(minor + hops);
    for index in 0..chance.index(5) {
        let kind = *chance.pick(&[GroupKind::MachineDeployment, GroupKind::MachineDeployment, GroupKind::MachinePool]);
        let behind = if chance.once_in(3) { chance.below(4) } else { 0 };
        let at = version(minor - behind);
        let mut machines = Machines::new(1 + chance.index(3), &at, now);
        machines.takes = SignedDuration::from_secs(30 + 30 * i64::try_from(chance.below(4)).unwrap());
        machines.surge = chance.index(3);
        world.pools.push(Pool::new(kind, &format!("pool-{index}"), &at, machines));
    }
    world.pools.sort_by_key(|pool| pool.id.kind);
    world.concurrency = Concurrency::new(1 + chance.index(2));
    if chance.once_in(3) && world.pools.len() > 1 {
        let first: BTreeSet<_> = world.pools.iter().take(1).map(|pool| pool.id.clone()).collect();
        world.stages = vec![Rollout { name: "canary".into(), groups: first, concurrency: Concurrency::new(1) }];
    }
    for hook in Lifecycle::OF_UPGRADE {
        if !chance.once_in(4) {
            world.extensions.answered.insert(hook);
        }
    }
    world
}

/// One walk: trouble as it comes, one crash, and an end when all trouble is over.
fn walk(seed: u64, counts: &mut Counts) -> Result<(), (PlayError, Box<Stage>)> {
    let mut chance = Chance::new(seed);
    let world = world(&mut chance);
    let planner = world.planner.clone();
    let mut stage = Stage::new(world);
    stage.driver.faults.push(Fault::Crash(chance.index(30)));
    for _ in 0..chance.index(5) {
        for _ in 0..=chance.index(2) {
            let (name, trouble) = chance.pick(trouble::ALL);
            counts.note(format!("trouble {name}"));
            trouble(&mut stage, &mut chance);
        }
        let seconds = i64::try_from(chance.below(600)).unwrap();
        let until = stage.world.now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
        if let Err(error) = stage.run(Some(until)) {
            return Err((error, Box::new(stage)));
        }
        if chance.once_in(3) {
            heal(&mut stage, &planner);
        }
    }
    if chance.once_in(50) {
        stage.world.halt = Some(Halt::Deleting);
        let moves = stage.moments.len();
        if let Err(error) = stage.run(None) {
            return Err((error, Box::new(stage)));
        }
        let is_moved = |moment: &headway_sim::Moment| matches!(moment.event, headway_sim::Event::Moved { .. });
        assert!(!stage.moments[moves..].iter().any(is_moved), "seed {seed}: something moved while it is deleted");
        counts.see(&stage.moments);
        return Ok(());
    }
    heal(&mut stage, &planner);
    if let Err(error) = stage.run(None) {
        return Err((error, Box::new(stage)));
    }
    counts.see(&stage.moments);
    if !stage.is_done() {
        tell(&stage);
        panic!("seed {seed}: it came to rest before it was done");
    }
    Ok(())
}

fn tell(stage: &Stage) {
    let begin = stage.moments.first().map_or(stage.world.now, |moment| moment.at);
    for moment in &stage.moments {
        println!("{}", moment.line(begin));
    }
}

fn walks(seeds: std::ops::Range<u64>) {
    let mut counts = Counts::default();
    for seed in seeds {
        if let Err((error, stage)) = walk(seed, &mut counts) {
            tell(&stage);
            panic!("seed {seed}: {error}: {:?}", stage.watcher.broken.first());
        }
    }
    let troubles: Vec<&str> = trouble::ALL.iter().map(|(name, _)| *name).collect();
    counts.finish(&troubles);
}

#[test]
fn ch_11_a_thousand_random_walks_keep_every_promise_and_end() {
    walks(0..1_000);
}

#[test]
#[ignore = "soak: a hundred thousand walks"]
fn soak_ch_11_a_hundred_thousand_random_walks() {
    walks(1_000..101_000);
}
