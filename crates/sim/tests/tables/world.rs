//! Worlds for the tables.

use headway_api::plan::{GroupKind, WorkerGroup};
use headway_core::plan::Course;
use headway_core::version::KubeVersion;
use headway_sim::{Event, Extensions, Machines, Planner, Pool, Stage, World};

pub(crate) fn texts(versions: &[&str]) -> Vec<String> {
    versions.iter().map(|&version| version.to_owned()).collect()
}

/// A cluster that is to be upgraded, with pools of the same version.
pub(crate) fn world(from: &str, to: &str, planner: Planner, pools: &[&str]) -> World {
    let at: KubeVersion = from.parse().unwrap();
    let now = "2026-05-04T12:00:00Z".parse().unwrap();
    let mut world = World::new(&at, 1, now);
    world.target = to.parse().unwrap();
    world.planner = planner;
    for name in pools {
        world.pools.push(Pool {
            id: WorkerGroup { kind: GroupKind::MachineDeployment, name: (*name).into() },
            version: at.clone(),
            machines: Machines::new(1, &at, now),
            course: Course::Follows,
            deferral: None,
            unseen: None,
            owner: None,
        });
    }
    world.extensions.answered = Extensions::HOOKS.into();
    world
}

/// Plays it to its end.
pub(crate) fn played(world: World) -> Stage {
    let mut stage = Stage::new(world);
    stage.run(None).unwrap();
    assert!(stage.is_done(), "{:?}", stage.moments.last());
    assert_eq!(stage.moments.last().map(|moment| &moment.event), Some(&Event::Settled));
    stage
}
