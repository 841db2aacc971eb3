//! Worlds for the tables.

use headway_api::hooks::Lifecycle;
use headway_api::plan::GroupKind;
use headway_core::version::KubeVersion;
use headway_sim::{Event, Machines, Planner, Pool, Stage, World};

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
        world.pools.push(Pool::new(GroupKind::MachineDeployment, name, &at, Machines::new(1, &at, now)));
    }
    world.extensions.answered = Lifecycle::OF_UPGRADE.into();
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
