//! What only somebody who watches can tell: thresholds that pass without an event, memory, silent informers, a clock
//! that is set back.

use std::collections::BTreeSet;
use std::sync::Arc;

use headway_api::meta::Condition;
use headway_core::assess::{Rules, assess};
use headway_core::inform::{Failure, FailureKind, InformerState, Kind, Msg, Source, Store, Timing};
use headway_core::snapshot::Snapshot;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::cluster::hold;
use super::cluster::{
    Bend, False, NOW, Step, True, ago, bent, condition, idle, put, rolling, seconds_ago, updating, workers_rolling,
};
use super::told::line;
use super::watch::{Watch, facts};

fn after(seconds: i64) -> Timestamp {
    NOW.checked_add(SignedDuration::from_secs(seconds)).unwrap()
}

fn seconds_until(next: Option<Timestamp>, now: Timestamp) -> i64 {
    next.unwrap().duration_since(now).as_secs()
}

fn health(watch: &mut Watch) -> String {
    line(&watch.look().report, "health")
}

/// No operator is on its way, so that none gets slow while time passes.
fn calm() -> Snapshot {
    bent(updating(), |s| s.operator_says("network", condition("Progressing", False, ago(20))))
}

#[test]
fn us_s20_thresholds_of_an_operator_pass_without_an_event() {
    let degraded = bent(calm(), |s| s.operator_says("etcd", condition("Degraded", True, seconds_ago(4 * 60 + 59))));
    let mut watch = Watch::of(&degraded);
    watch.check(&[("health", "")]);
    let next = watch.look().next;
    assert_eq!(seconds_until(next, watch.now), 1, "the timer is set for five minutes");
    watch.wait(2);
    watch.check(&[("health", "Warning CO-DEGRADED etcd")]);
    watch.wait(35 * 60);
    assert!(health(&mut watch).contains("Error CO-DEGRADED etcd"));
}

#[test]
fn d10_the_next_moment_is_that_of_the_first_change() {
    // Whatever stands in the report changes at the moment that was told, and not before.
    let cases: [(&str, Snapshot); 5] = [
        ("operator", bent(updating(), |s| s.operator_says("dns", condition("Available", False, ago(1))))),
        (
            "node",
            bent(updating(), |s| {
                super::cluster::set(&mut s.node("w-1").status.conditions, condition("Ready", False, ago(2)));
            }),
        ),
        ("failing", bent(updating(), |s| s.cv_says(condition("Failing", True, ago(3))))),
        (
            "lagging",
            bent(workers_rolling(), |s| {
                put(s.node("w-1"), Step::Old);
                s.ends(ago(24 * 60 - 1));
            }),
        ),
        ("slow", bent(updating(), |s| s.operator_says("network", condition("Progressing", True, ago(29))))),
    ];
    for (name, snapshot) in cases {
        let at = |moment: Timestamp| {
            let mut snapshot = snapshot.clone();
            snapshot.moment.at = moment;
            let report = assess(&snapshot, Rules::Headway);
            format!("{} {}", line(&report, "health"), line(&report, "assessment"))
        };
        let mut watch = Watch::of(&snapshot);
        let mut moment = NOW;
        let mut changed = false;
        for _ in 0..20 {
            watch.wait_until(moment);
            let Some(next) = watch.look().next.filter(|next| *next < after(3600)) else {
                break;
            };
            // The estimate is in whole seconds; the moment at which it turns is known to a fifth of one.
            let before = next.checked_sub(SignedDuration::from_millis(201)).unwrap().max(moment);
            assert_eq!(at(moment), at(before), "{name}: nothing changes before {next}");
            changed |= at(next) != at(before);
            moment = next;
        }
        assert!(changed, "{name}: some threshold lies within the hour");
    }
}

#[test]
fn us_s26_a_condition_that_flaps_is_one_insight() {
    let flip = |minute: i64, status| condition("Degraded", status, after(minute * 60));
    let mut watch = Watch::of(&calm());
    for minute in 0..6 {
        watch.check(&[("health", "")]);
        let status = if minute % 2 == 0 { True } else { False };
        watch.sees(&bent(calm(), |s| s.operator_says("etcd", flip(minute, status))));
        watch.look();
        watch.wait(60);
    }
    let told = "Warning FLAPPING etcd";
    let summary = "Condition Degraded of Cluster Operator etcd changed 6 times in 30 minutes";
    watch.check(&[("health", told), ("summary FLAPPING", summary)]);
    assert!(watch.remembered("H-FLAPPING").ends_with("6 times"), "{}", watch.remembered("H-FLAPPING"));
    watch.wait(25 * 60);
    assert!(!health(&mut watch).contains("FLAPPING"), "after half an hour without it is over");
}

#[test]
fn us_s15_a_contradiction_must_last_before_it_replaces_what_was_known() {
    let done = bent(updating(), |s| s.cv().status.history[0].state = "Completed".into());
    let mut watch = Watch::of(&updating());
    watch.check(&[("updating", "True/ClusterVersionProgressing")]);
    watch.sees(&done);
    watch.check(&[("updating", "True/ClusterVersionProgressing"), ("health", "")]);
    watch.wait(31);
    watch.check(&[("updating", "Unknown/CannotDetermineUpdating")]);
    assert!(health(&mut watch).contains("CV-CONTRADICT"));
    // Who has not seen better has nothing to hold on to.
    Watch::of(&done).check(&[("updating", "Unknown/CannotDetermineUpdating")]);
}

#[test]
fn us_s25_a_deleted_operator_goes_at_once() {
    let mut watch = Watch::of(&updating());
    watch.check(&[("done", "50% (4/8), 1 updating, 3 waiting")]);
    watch.sees(&bent(updating(), |s| s.operators.retain(|operator| operator.metadata.name != "dns")));
    watch.check(&[("done", "57% (4/7), 1 updating, 2 waiting"), ("co dns", "-")]);
}

#[test]
fn us_s41_a_paused_pool_comes_and_goes_under_one_identity() {
    let paused = bent(rolling(), |s| s.pool("worker").spec.paused = true);
    let mut watch = Watch::of(&rolling());
    assert_eq!(watch.remembered("H-POOL-PAUSED"), "0 of them");
    watch.wait(10);
    watch.sees(&paused);
    let first = watch.remembered("H-POOL-PAUSED");
    assert!(first.ends_with(" first at 10, 1 times"), "{first}");
    watch.wait(60);
    watch.sees(&rolling());
    assert_eq!(watch.remembered("H-POOL-PAUSED"), "0 of them");
    watch.wait(60);
    watch.sees(&paused);
    assert_eq!(watch.remembered("H-POOL-PAUSED"), first.replace("1 times", "2 times"), "it is the same one again");
    watch.wait(60);
    watch.sees(&rolling());
    watch.look();
    watch.wait(31 * 60);
    watch.sees(&paused);
    assert!(watch.remembered("H-POOL-PAUSED").ends_with(", 1 times"), "after half an hour it is another");
}

#[test]
fn us_s45_a_drain_without_a_date_is_dated_by_who_saw_it_begin() {
    let mut watch = Watch::of(&bent(rolling(), |s| put(s.node("w-1"), Step::Old)));
    watch.look();
    watch.wait(60);
    let blocked = bent(rolling(), |s| hold(s, "w-1"));
    watch.sees(&blocked);
    watch.check(&[("health", "")]);
    watch.wait(10 * 60 + 1);
    let told = health(&mut watch);
    assert!(told.starts_with("Warning DRAIN-BLOCKED w-1"), "{told}");
    watch.wait(50 * 60);
    assert!(health(&mut watch).contains("Error DRAIN-BLOCKED"));
    watch.sees(&bent(rolling(), |s| put(s.node("w-1"), Step::Working)));
    assert!(!health(&mut watch).contains("DRAIN-BLOCKED"));
}

#[test]
fn us_s48_who_remembers_goes_on_where_he_stopped() {
    let paused = bent(rolling(), |s| s.pool("worker").spec.paused = true);
    let mut watch = Watch::of(&paused);
    watch.wait(100);
    watch.sees(&bent(paused.clone(), |s| put(s.node("m-2"), Step::Draining)));
    let before = watch.look().report;
    let memory = watch.observer.memory().clone();
    let told = bent(paused, |s| put(s.node("m-2"), Step::Draining));
    let mut again = Watch::with(&told, memory, watch.now);
    let after = again.look().report;
    assert_eq!(before.units, after.units, "no time of a node moves");
    let times = |report: &headway_api::report::Report| {
        let times = report.insights.iter().map(|i| (i.uid.clone(), i.since, i.first_observed_at, i.occurrences));
        times.collect::<Vec<_>>()
    };
    assert_eq!(times(&before), times(&after), "nor one of an insight, nor a count");
    assert_eq!(times(&after).len(), 1);
}

#[test]
fn us_s49_what_a_silent_informer_told_is_kept_and_does_not_age() {
    let not_ready = |s: &mut Snapshot| {
        super::cluster::set(&mut s.node("w-2").status.conditions, condition("Ready", False, ago(1)));
    };
    let mut watch = Watch::of(&bent(updating(), not_ready));
    watch.silent.insert(Source::Nodes);
    watch.wait(180);
    let sight = watch.look();
    let nodes = sight.informers.iter().find(|informer| informer.source == Source::Nodes).unwrap();
    assert_eq!(nodes.state, InformerState::Stale);
    assert_eq!(sight.report.units.len(), 6, "nothing is lost");
    assert!(line(&sight.report, "gaps").contains("what is known of nodes is 180 s old"), "the gap is told");
    watch.wait(600);
    watch.check(&[("health", "")]);
    // Back again, the node has been away for more than five minutes.
    watch.silent.clear();
    watch.wait(15);
    watch.check(&[("gaps", ""), ("health", "Warning NODE-UNAVAILABLE w-2")]);
    watch.silent.insert(Source::Nodes);
    watch.wait(25 * 3600);
    assert_eq!(watch.look().report.units.len(), 0, "after a day nobody can say what is there");
}

#[test]
fn us_s50_what_a_restarted_informer_does_not_find_goes_after_the_grace_period() {
    let mut watch = Watch::of(&updating());
    watch.say(Source::Nodes, Kind::Hello);
    assert_eq!(watch.look().report.units.len(), 6, "nothing is dropped at a restart");
    let known = ["m-0", "m-1", "m-2", "w-0"].map(String::from).into_iter().collect();
    watch.say(Source::Nodes, Kind::Synced { known });
    watch.now = after(59);
    assert_eq!(watch.look().report.units.len(), 6);
    let next = watch.look().next.unwrap();
    assert!(next <= after(60), "somebody looks when the grace period is over: {next}");
    watch.now = after(60);
    assert_eq!(watch.look().report.units.len(), 4, "no message was needed");
}

#[test]
fn us_s57_a_clock_set_back_turns_nothing_round() {
    let degraded = bent(updating(), |s| s.operator_says("etcd", condition("Degraded", True, ago(6))));
    let told = "Warning CO-DEGRADED etcd";
    let mut watch = Watch::of(&degraded);
    watch.check(&[("health", told)]);
    let first = watch.remembered("H-CO-DEGRADED");
    watch.now = after(-3600);
    watch.check(&[("health", told)]);
    assert_eq!(watch.remembered("H-CO-DEGRADED"), first);
    let report = watch.look().report;
    assert!(report.cluster.duration_seconds.is_some_and(|took| !took.0.is_negative()), "no time is below zero");
    // What is new by the new clock is judged by the new clock.
    let dns = condition("Degraded", True, after(-3600));
    let both = bent(degraded, |s| s.operator_says("dns", dns));
    watch.sees(&both);
    watch.check(&[("health", told)]);
    watch.wait(301);
    assert_eq!(health(&mut watch).matches("CO-DEGRADED").count(), 2);
    // And what is mended goes.
    watch.sees(&updating());
    watch.check(&[("health", "")]);
}

#[test]
fn us_s57_a_clock_set_back_makes_nothing_wait_an_hour_longer() {
    let mut watch = Watch::of(&updating());
    watch.say(Source::Nodes, Kind::Hello);
    watch.say(Source::Nodes, Kind::Synced { known: ["m-0".to_owned()].into() });
    watch.now = after(-3600);
    assert_eq!(watch.look().report.units.len(), 6, "the grace period begins anew");
    watch.now = after(-3600 + 60);
    assert_eq!(watch.look().report.units.len(), 1);
    let state = |watch: &mut Watch| {
        let sight = watch.look();
        sight.informers.iter().find(|informer| informer.source == Source::ClusterOperators).unwrap().state
    };
    assert_eq!(state(&mut watch), InformerState::Lagging, "nobody has said anything for a minute by the new clock");
    watch.now = after(-3600 + 121);
    assert_eq!(state(&mut watch), InformerState::Stale);
}

#[test]
fn us_s74_a_forced_insight_keeps_its_time() {
    let forced = bent(idle(), |s| s.cv().metadata.annotations.force_insight = Some("x".into()));
    let mut watch = Watch::of(&forced);
    let told = "Info FORCED version";
    watch.check(&[("health", told), ("since FORCED", "2026-05-04T12:00:00Z")]);
    watch.wait(300);
    watch.check(&[("health", told), ("since FORCED", "2026-05-04T12:00:00Z")]);
}

#[test]
fn messages_of_an_older_epoch_are_not_heard() {
    let mut watch = Watch::of(&updating());
    let old = watch.observer.clone();
    watch.say(Source::ClusterOperators, Kind::Hello);
    let late = Msg {
        source: Source::ClusterOperators,
        epoch: 1,
        seq: u64::MAX,
        at: watch.now,
        kind: Kind::Remove { uid: "etcd".into() },
    };
    assert!(!watch.observer.apply(late));
    assert_eq!(line(&watch.look().report, "done"), line(&old.clone().look(NOW).report, "done"));
}

/// The conditions that a random flip may take.
fn flip(number: usize, seconds: i64) -> Condition {
    let kinds = ["Available", "Degraded", "Progressing"];
    condition(kinds[number % 3], if number.is_multiple_of(2) { True } else { False }, after(seconds))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_interleaving_of_informers_gives_the_same_report(order in proptest::collection::vec(any::<u32>(), 40)) {
        let snapshot = bent(rolling(), |s| hold(s, "w-1"));
        let straight = Watch::of(&snapshot).look().report;
        // Each informer's messages stay in their order; which informer speaks next is drawn.
        let mut queues: Vec<Vec<Kind>> = Vec::new();
        for source in Source::ALL {
            let of_source: Vec<_> = facts(&snapshot).into_iter().filter(|((of, _), _)| *of == source).collect();
            let known = of_source.iter().map(|((_, uid), _)| uid.clone()).collect();
            let upserts = of_source.into_iter().map(|((_, uid), fact)| Kind::Upsert { uid, fact, flaws: Vec::new() });
            let mut queue: Vec<Kind> = std::iter::once(Kind::Hello).chain(upserts).collect();
            queue.push(Kind::Synced { known });
            queue.reverse();
            queues.push(queue);
        }
        let mut watch = Watch::of(&Snapshot::default());
        watch.observer = headway_core::observer::Observer::default();
        let mut turn = 0;
        while queues.iter().any(|queue| !queue.is_empty()) {
            let at = order[turn % order.len()] as usize + turn;
            let source = Source::ALL[at % Source::ALL.len()];
            if let Some(kind) = queues[at % Source::ALL.len()].pop() {
                watch.say(source, kind);
            }
            turn += 1;
        }
        let woven = watch.look().report;
        prop_assert_eq!(&woven.units, &straight.units);
        prop_assert_eq!(&woven.insights, &straight.insights);
        prop_assert_eq!(&woven.cluster, &straight.cluster);
    }

    #[test]
    fn a_restart_at_any_moment_loses_no_count_and_no_time(cut in 0_usize..12, flips in proptest::collection::vec(0_usize..6, 12)) {
        let mut state = updating();
        let mut through = Watch::of(&state);
        let mut cut_short = Watch::of(&state);
        for (step, number) in flips.into_iter().enumerate() {
            state.operator_says("etcd", flip(number, i64::try_from(step).unwrap() * 100));
            state.pool("worker").spec.paused = number % 2 == 0;
            for watch in [&mut through, &mut cut_short] {
                watch.wait(100);
                watch.sees(&state);
                watch.look();
            }
            if step == cut {
                let memory = cut_short.observer.memory().clone();
                cut_short = Watch::with(&state, memory, cut_short.now);
            }
        }
        let (through, cut_short) = (through.look().report, cut_short.look().report);
        prop_assert_eq!(through.insights, cut_short.insights);
        prop_assert_eq!(through.units, cut_short.units);
    }

    #[test]
    fn an_old_node_is_one_node(name in "[a-z]{1,8}") {
        let mut watch = Watch::of(&bent(updating(), |s| {
            let mut node = super::cluster::node("w-9");
            node.metadata.name = name.clone();
            s.nodes.push(Arc::new(node));
        }));
        prop_assert_eq!(watch.look().report.units.len(), 7);
    }
}

#[test]
fn what_is_not_essential_is_waited_for_until_it_is_told_or_refused() {
    use FailureKind::{NotAsked, NotServed, Unreachable};
    let check = |source: Source, says: &[Kind], expect: [bool; 2]| {
        let mut store = Store::new(Timing::default());
        for (seq, kind) in (1..).zip(says) {
            store.apply(Msg { source, epoch: 1, seq, at: NOW, kind: kind.clone() });
        }
        let is_pending = [false, true].map(|drains| store.pending(drains).contains(&source));
        assert_eq!(is_pending, expect, "{source} after {says:?}, without and with drains");
    };
    let failed = |kind| Kind::Failed(Failure { kind, message: "no".into() });
    let synced = || Kind::Synced { known: BTreeSet::new() };
    check(Source::Pods, &[], [false, true]);
    check(Source::Pods, &[failed(NotAsked)], [false, true]);
    check(Source::Pods, &[failed(NotAsked), Kind::Hello], [false, true]);
    check(Source::Pods, &[Kind::Hello, failed(Unreachable)], [false, false]);
    check(Source::Pods, &[Kind::Hello, synced()], [false, false]);
    check(Source::Alerts, &[], [true, true]);
    check(Source::Alerts, &[Kind::Hello], [true, true]);
    check(Source::Alerts, &[failed(NotAsked)], [false, false]);
    check(Source::Alerts, &[Kind::Hello, failed(NotServed)], [false, false]);
    check(Source::Alerts, &[Kind::Hello, synced()], [false, false]);
    check(Source::MachineConfigNodes, &[], [true, true]);
    check(Source::MachineConfigNodes, &[failed(NotServed)], [false, false]);
    check(Source::Deployments, &[Kind::Hello, synced()], [false, false]);
    check(Source::Nodes, &[], [false, false]);
}
