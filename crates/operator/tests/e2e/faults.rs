//! What goes wrong around the operator, and what it makes of it.

use std::time::{Duration, Instant};

use headway_api::update::status::Status;

use super::program::{Operator, TestClock};
use super::world::{NOW, World, pool, rules};

pub(super) fn until(what: &str, is: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is() {
        assert!(begun.elapsed() < Duration::from_secs(45), "{what}: not within 45 s");
        std::thread::sleep(Duration::from_millis(100));
    }
}

pub(super) fn degraded_reason(status: &Status) -> Option<String> {
    let condition = status.conditions.of("Degraded")?;
    Some(condition.reason.clone())
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s55_without_the_kinds_it_waits_and_says_so() {
    let world = World::updating();
    world.uninstall();
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let refused = "headway_writes_total{object=\"updatestatuses\",result=\"not_served\"}";
    until("the refusal is counted", || running.metric(refused).is_some_and(|count| count >= 1.0));
    assert!(running.log().contains("are the CustomResourceDefinitions installed?"), "{}", running.log());
    assert_eq!(running.get("/healthz").unwrap().0, 200, "it lives");
    world.install();
    clock.pass(120);
    world.wait(&mut clock, "it is told once the kinds are there", |status| status.control_plane.is_some());
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s49_while_the_api_server_is_away_nothing_is_lost() {
    let world = World::updating();
    world.put(pool("worker", true));
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let before = world.wait(&mut clock, "it is told", |status| rules(status) == ["Warning H-POOL-PAUSED"]);
    world.plane.stop_apiserver().unwrap();
    for _ in 0..12 {
        clock.pass(15);
        std::thread::sleep(Duration::from_millis(300));
    }
    assert_eq!(running.get("/healthz").unwrap().0, 200, "it lives on:\n{}", running.log());
    until("it knows that it is blind", || {
        running.metric("headway_informer_up{informer=\"nodes\"}").is_some_and(|up| up == 0.0)
    });
    world.plane.start_apiserver().unwrap();
    for _ in 0..10 {
        clock.pass(15);
        std::thread::sleep(Duration::from_millis(500));
    }
    let status = world.wait(&mut clock, "it sees again", |status| {
        status.observed.as_ref().is_some_and(|observed| observed.at > before.observed.as_ref().unwrap().at)
            && degraded_reason(status).as_deref() == Some("AsExpected")
    });
    assert_eq!(rules(&status), ["Warning H-POOL-PAUSED"], "nothing was lost");
    let first = |status: &Status| super::world::health(status)[0].first_observed_at;
    assert_eq!(first(&status), first(&before), "no time moved");
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s54_two_at_once_write_as_one() {
    let world = World::updating();
    world.put(pool("worker", true));
    let mut clock = TestClock::at(NOW);
    let lease = ["--leader-elect=true", "--lease-seconds=6"];
    world.kubectl(&["create", "namespace", "headway-system"]);
    let first = Operator::start(&world, &clock, &[&lease[..], &["--identity=first"]].concat());
    let before = world.wait(&mut clock, "the first tells", |status| rules(status) == ["Warning H-POOL-PAUSED"]);
    let second = Operator::start(&world, &clock, &[&lease[..], &["--identity=second"]].concat());
    until("the second is ready and stands by", || {
        second.get("/readyz").is_some_and(|(code, _)| code == 200) && second.metric("headway_leader") == Some(0.0)
    });
    clock.pass(100);
    assert!(first.stop().success());
    until("the second takes over", || second.metric("headway_leader") == Some(1.0));
    clock.pass(400);
    let status = world.wait(&mut clock, "the second tells", |status| {
        status.observed.as_ref().is_some_and(|observed| observed.at > before.observed.as_ref().unwrap().at)
            && rules(status) == ["Warning H-POOL-PAUSED"]
    });
    let first = |status: &Status| super::world::health(status)[0].first_observed_at;
    assert_eq!(first(&status), first(&before), "what the first saw first is not forgotten");
    assert!(second.stop().success());
    world.kubectl(&["delete", "lease", "--all", "-n", "headway-system"]);
    world.kubectl(&["delete", "namespace", "headway-system", "--wait=false"]);
}
