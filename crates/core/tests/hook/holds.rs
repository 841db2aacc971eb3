//! When to ask again (4.2, 10-13, 10-17).

use std::num::NonZeroU32;

use headway_api::hooks::{Hook, Lifecycle, LifecycleCall, StepAhead, StepBehind, Verdict};
use headway_core::hook::{Fingerprint, Held, Holds, Subject, step_of};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::said::handler;

fn subject() -> Subject {
    Subject {
        uid: "cluster-1".into(),
        hook: Lifecycle::BeforeClusterUpgrade.into(),
        step: "v1.31.0 to v1.32.0".into(),
        handlers: Fingerprint::of(&[handler("a:BeforeClusterUpgrade")]),
    }
}

fn wait(seconds: u32) -> Verdict {
    let seconds = NonZeroU32::new(seconds).unwrap();
    Verdict::Wait { seconds, asked: 0, message: "soon".into() }
}

fn at(millis: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_hours(100_000) + SignedDuration::from_millis(millis)
}

#[test]
fn ch_4_2_what_is_left_of_a_hold() {
    let mut holds = Holds::default();
    assert_eq!(holds.held(&subject(), at(0)), None);
    holds.record(&subject(), &wait(30), at(0));
    let check = |millis: i64, expect: Option<u32>| {
        let held = holds.held(&subject(), at(millis));
        let expect = expect.and_then(NonZeroU32::new).map(|seconds| Held { seconds, message: "soon".into() });
        assert_eq!(held, expect, "after {millis} ms");
    };
    check(0, Some(30));
    check(1, Some(30));
    check(999, Some(30));
    check(1_000, Some(29));
    check(29_999, Some(1));
    check(30_000, None);
    check(1_000_000_000, None);
    // A clock that was set back.
    check(-1, None);
    check(-1_000_000, None);
}

#[test]
fn ch_b13_a_hold_is_of_one_cluster_hook_step_and_configuration() {
    let mut holds = Holds::default();
    holds.record(&subject(), &wait(30), at(0));
    let check = |change: &dyn Fn(&mut Subject)| {
        let mut other = subject();
        change(&mut other);
        assert_eq!(holds.held(&other, at(1)), None, "{other:?}");
    };
    check(&|it| it.uid = "cluster-2".into());
    check(&|it| it.hook = Lifecycle::BeforeControlPlaneUpgrade.into());
    check(&|it| it.step = "v1.31.0 to v1.33.0".into());
    check(&|it| it.handlers = Fingerprint::default());
    check(&|it| it.handlers = Fingerprint::of(&[handler("b:BeforeClusterUpgrade")]));
    assert!(holds.held(&subject(), at(1)).is_some());
}

#[test]
fn a_hold_ends_with_an_answer_and_with_its_cluster() {
    let mut holds = Holds::default();
    holds.record(&subject(), &wait(30), at(0));
    holds.record(&subject(), &Verdict::Go { message: String::new() }, at(1));
    assert_eq!(holds, Holds::default());
    holds.record(&subject(), &wait(30), at(0));
    holds.forget("cluster-2");
    assert!(holds.held(&subject(), at(1)).is_some());
    holds.forget("cluster-1");
    assert_eq!(holds, Holds::default());
}

#[test]
fn ch_b13_steps_are_told_apart() {
    let ahead = |to: &str| StepAhead {
        from_kubernetes_version: "v1.31.0".into(),
        to_kubernetes_version: to.into(),
        control_plane_upgrades: Vec::new(),
        workers_upgrades: Vec::new(),
    };
    let behind = StepBehind {
        kubernetes_version: "v1.32.0".into(),
        control_plane_upgrades: Vec::new(),
        workers_upgrades: Vec::new(),
    };
    assert_eq!(step_of(&LifecycleCall::BeforeClusterUpgrade(ahead("v1.33.0"))), "v1.31.0 to v1.33.0");
    assert_eq!(step_of(&LifecycleCall::BeforeWorkersUpgrade(ahead("v1.32.0"))), "v1.31.0 to v1.32.0");
    assert_eq!(step_of(&LifecycleCall::AfterWorkersUpgrade(behind)), "v1.32.0");
    assert_eq!(step_of(&LifecycleCall::BeforeClusterDelete), "");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// However often and whenever the controller wakes: between two calls lies at least what was asked for, and the
    /// first look after that time calls.
    #[test]
    fn ch_5_6_a_hook_is_asked_once_per_interval(
        pauses in prop::collection::vec(0_i64..4_000, 1..300),
        answers in prop::collection::vec(1_u32..90, 1..20),
    ) {
        let (subject, mut holds, mut now, mut asked) = (subject(), Holds::default(), 0_i64, 0_usize);
        let mut free = None;
        for pause in pauses {
            now += pause;
            let is_free = free.is_none_or(|free| now >= free);
            match holds.held(&subject, at(now)) {
                Some(held) => {
                    prop_assert!(!is_free, "held at {now}, free since {free:?}");
                    // Who comes back after that time finds it free, and no second earlier than needed.
                    let again = now + i64::from(held.seconds.get()) * 1_000;
                    prop_assert!(free.is_some_and(|free| again >= free && again < free + 1_000));
                }
                None => {
                    prop_assert!(is_free, "asked at {now}, before {free:?}");
                    let seconds = answers[asked % answers.len()];
                    asked += 1;
                    holds.record(&subject, &wait(seconds), at(now));
                    free = Some(now + i64::from(seconds) * 1_000);
                }
            }
        }
        prop_assert!(asked > 0);
        let other = Subject { hook: Hook::UpdateMachine, ..subject };
        prop_assert!(holds.held(&other, at(now)).is_none());
    }
}
