//! What goes wrong or is changed on the way, and how it is over.

use std::collections::BTreeSet;

use headway_api::hooks::Lifecycle;
use headway_api::insight::{Level, Rule};
use headway_core::drive::{Approval, Concern, Concurrency, Deferral, Halt, HealthGate, Window};
use headway_core::plan::Course;
use headway_core::version::KubeVersion;
use headway_sim::{Behaviour, Fault, Planner, Reply, Stage};
use jiff::SignedDuration;

use super::chance::Chance;

type Trouble = (&'static str, fn(&mut Stage, &mut Chance));

/// All troubles, by name.
pub(crate) const ALL: &[Trouble] = &[
    ("hook asks for time", |stage, chance| {
        behave(stage, chance, Reply::Wait(SignedDuration::from_secs(20), "held".into()))
    }),
    ("hook fails", |stage, chance| behave(stage, chance, Reply::Fail(SignedDuration::from_secs(10), "no".into()))),
    ("conflict", |stage, _| stage.driver.faults.push(Fault::Conflict)),
    ("webhook refuses", |stage, _| stage.driver.faults.push(Fault::Refused)),
    ("control plane never ready", |stage, _| stage.world.machines.are_broken = true),
    ("workers never ready", |stage, chance| {
        if let Some(pool) = pool(stage, chance) {
            pool.machines.are_broken = true;
        }
    }),
    ("source down", |stage, _| match &mut stage.world.planner {
        Planner::Extension { down, .. } => *down = Some("connection refused".into()),
        Planner::List(versions) => {
            let at = versions.len() / 2;
            versions.remove(at);
        }
        Planner::OneMinor => {}
    }),
    ("paused", |stage, _| stage.world.halt = Some(Halt::Paused("spec.paused".into()))),
    ("stopped", |stage, _| stage.world.stop = true),
    ("deferred", |stage, chance| {
        if let Some(pool) = pool(stage, chance) {
            pool.deferral = Some(Deferral::Own("topology.cluster.x-k8s.io/defer-upgrade".into()));
        }
    }),
    ("pool is deleted", |stage, chance| {
        if let Some(pool) = pool(stage, chance) {
            pool.course = Course::Leaving;
        }
    }),
    ("pool is kept by others", |stage, chance| {
        if let Some(pool) = pool(stage, chance) {
            pool.owner = Some("flux".into());
        }
    }),
    ("control plane is kept by others", |stage, _| stage.world.owner = Some("flux".into())),
    ("workload cluster does not answer", |stage, chance| {
        if let Some(pool) = pool(stage, chance) {
            pool.unseen = Some("no route to host".into());
        }
    }),
    ("control plane reports nothing", |stage, _| stage.world.is_silent = true),
    ("control plane is gone", |stage, _| stage.world.is_missing = true),
    ("annotation", |stage, _| stage.world.forbidding = vec!["before-upgrade.hook.cluster.cluster.x-k8s.io/x".into()]),
    ("more at once", |stage, chance| stage.world.concurrency = Concurrency::new(1 + chance.index(3))),
    ("soak", |stage, _| stage.world.gates.soak = SignedDuration::from_mins(7)),
    ("approval", |stage, chance| {
        stage.world.gates.approval = *chance.pick(&[Approval::PerChain, Approval::PerStep]);
    }),
    ("window", |stage, chance| {
        let opens = stage.world.now.checked_add(SignedDuration::from_mins(30)).ok();
        stage.world.gates.window =
            *chance.pick(&[Window::Closed { since: None, opens }, Window::Open { until: stage.world.now }]);
    }),
    ("unhealthy", |stage, _| {
        let concern = Concern {
            uid: "x".into(),
            rule: Rule::NodeDegraded,
            level: Level::Error,
            since: None,
            summary: "node-1 is degraded".into(),
        };
        health(stage, Ok(vec![concern]));
    }),
    ("health not known", |stage, _| health(stage, Err("no Machine was seen".into()))),
    ("target is raised", |stage, _| {
        // Only as far as the list goes.
        if let Some(next) = next_minor(&stage.world.target)
            && knows(&stage.world.planner, &next)
        {
            stage.world.target = next;
        }
    }),
    ("target is lowered to where it stands", |stage, _| stage.world.target = stage.world.version.clone()),
];

fn pool<'a>(stage: &'a mut Stage, chance: &mut Chance) -> Option<&'a mut headway_sim::Pool> {
    let pools = &mut stage.world.pools;
    if pools.is_empty() {
        return None;
    }
    let at = chance.index(pools.len());
    pools.get_mut(at)
}

fn behave(stage: &mut Stage, chance: &mut Chance, reply: Reply) {
    let hook: Lifecycle = *chance.pick(&Lifecycle::OF_UPGRADE);
    let times = Some(1 + u32::try_from(chance.below(3)).unwrap());
    if stage.world.extensions.answered.contains(&hook) {
        stage.world.extensions.behave(hook, Behaviour { reply, times });
    }
}

fn health(stage: &mut Stage, seen: Result<Vec<Concern>, String>) {
    stage.world.gates.health = Some(HealthGate { level: Level::Error, except: BTreeSet::new(), seen });
}

pub(crate) fn next_minor(version: &KubeVersion) -> Option<KubeVersion> {
    let minor = version.minor();
    format!("v{}.{}.0", minor.major, minor.minor + 1).parse().ok()
}

fn knows(planner: &Planner, version: &KubeVersion) -> bool {
    match planner {
        Planner::OneMinor => false,
        Planner::List(versions) | Planner::Extension { versions, .. } => versions.contains(&version.to_string()),
    }
}

/// All that went wrong is over.
pub(crate) fn heal(stage: &mut Stage, planner: &Planner) {
    let world = &mut stage.world;
    let now = world.now;
    world.planner = planner.clone();
    world.machines.mend(now);
    for pool in &mut world.pools {
        pool.machines.mend(now);
        pool.deferral = None;
        pool.owner = None;
        pool.unseen = None;
    }
    // Those that were to be deleted are gone.
    world.pools.retain(|pool| pool.course != Course::Leaving);
    (world.halt, world.owner, world.stop) = (None, None, false);
    (world.is_missing, world.is_silent) = (false, false);
    world.forbidding.clear();
    let still_since = world.gates.still_since;
    world.gates = headway_core::drive::Gates { still_since, ..Default::default() };
    for hook in Lifecycle::OF_UPGRADE {
        if world.extensions.answered.contains(&hook) {
            world.extensions.behave(hook, Behaviour { reply: Reply::Go, times: None });
        }
    }
    stage.driver.faults.retain(|fault| matches!(fault, Fault::Crash(_)));
}
