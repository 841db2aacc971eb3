//! The event tables of chained-upgrades.md, row by row.

use headway_sim::{Event, Extensions, Machines, Planner, Pool, Stage, World};
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_core::plan::Course;
use headway_core::version::KubeVersion;

fn world(target: &str, planner: Planner) -> World {
    let at: KubeVersion = "v1.29.0".parse().unwrap();
    let now = "2026-05-04T12:00:00Z".parse().unwrap();
    let mut world = World::new(&at, 1, now);
    world.target = target.parse().unwrap();
    world.planner = planner;
    for name in ["md-a", "md-b"] {
        world.pools.push(Pool {
            id: WorkerGroup { kind: GroupKind::MachineDeployment, name: name.into() },
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

#[test]
fn try_it() {
    let list = ["v1.29.0", "v1.30.0", "v1.31.0", "v1.32.0"].map(str::to_owned).to_vec();
    let mut stage = Stage::new(world("v1.32.0", Planner::List(list)));
    let begin = stage.world.now;
    let result = stage.run(None);
    for moment in &stage.moments {
        eprintln!("{}", moment.line(begin));
    }
    result.unwrap();
    assert!(stage.is_done());
    assert!(matches!(stage.moments.last().map(|moment| &moment.event), Some(Event::Settled)));
}
