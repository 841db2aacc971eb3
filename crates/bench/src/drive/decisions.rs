//! Decisions a second, on one core: of a chain over three minors, at every moment of it.

use std::hint::black_box;
use std::time::Duration;

use anyhow::ensure;
use headway_api::plan::{GroupKind, PlanSource};
use headway_api::upgrade::status::Mode;
use headway_api::upgrade::{ClusterUpgrade, ClusterUpgradeSpec};
use headway_core::drive::{Account, Answers, Observed, decide, status};
use headway_core::version::KubeVersion;
use headway_sim::{Driver, Machines, Planner, Pool, Turn, World};
use jiff::Timestamp;

use crate::plan::{Figure, rate};

/// With ten pools, the decision alone.
const AIM: f64 = 20_000.0;

/// Measures at 1, 10 and 100 pools.
pub(super) fn measure(span: Duration) -> anyhow::Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for pools in [1, 10, 100] {
        let moments = moments(pools)?;
        let mut at = 0;
        let mut next = || {
            at = (at + 1) % moments.len();
            &moments[at]
        };
        let alone = rate(span, || {
            let _ = black_box(decide(black_box(next())));
        });
        let upgrade = ClusterUpgrade::new("c", ClusterUpgradeSpec::default());
        let source = PlanSource::VersionList;
        let told = rate(span, || {
            let observed = next();
            let decision = decide(observed);
            let account = Account {
                upgrade: &upgrade,
                mode: Mode::Direct,
                observed,
                decision: &decision,
                source: &source,
                hindered: None,
            };
            let _ = black_box(status(account));
        });
        let word = if pools == 1 { "pool" } else { "pools" };
        let name = |what: &str| format!("decisions a second, {pools} {word}, {what}");
        figures.push(Figure {
            name: name("the decision alone"),
            value: format!("{alone:.0}"),
            aim: (pools == 10).then_some(("> 20000", alone > AIM)),
        });
        figures.push(Figure { name: name("with the status"), value: format!("{told:.0}"), aim: None });
    }
    Ok(figures)
}

/// What is seen of a cluster from the beginning of a chain to its end.
fn moments(pools: usize) -> anyhow::Result<Vec<Observed>> {
    let now = Timestamp::UNIX_EPOCH;
    let version = |minor: usize| format!("v1.{minor}.0");
    let from: KubeVersion = version(30).parse()?;
    let mut world = World::new(&from, 3, now);
    world.target = version(33).parse()?;
    world.planner = Planner::List((30..=33).map(version).collect());
    for at in 0..pools {
        let machines = Machines::new(3, &from, now);
        world.pools.push(Pool::new(GroupKind::MachineDeployment, &format!("md-{at}"), &from, machines));
    }
    let (mut driver, mut events, mut moments) = (Driver::default(), Vec::new(), Vec::new());
    while !world.is_at_target() {
        ensure!(moments.len() < 100_000, "the chain that is measured never ends");
        moments.push(world.observe(Answers::default()));
        if let Turn::Idle(next) = driver.turn(&mut world, &mut events) {
            let Some(next) = [next, world.next()].into_iter().flatten().min() else { break };
            world.now = next;
            world.pass();
        }
    }
    ensure!(world.is_at_target(), "the chain that is measured does not come to its end");
    Ok(moments)
}
