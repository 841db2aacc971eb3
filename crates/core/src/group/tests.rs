//! What holds of groups whatever the nodes are, and how some are told.

use headway_api::report::{Condition, Remaining, UnitAssessment};
use proptest::prelude::*;

use super::*;

fn condition(status: Truth, reason: &str) -> Condition {
    Condition { status, reason: reason.into(), message: String::new(), since: None }
}

/// A node at its target and well.
fn unit(name: &str) -> Unit {
    Unit {
        name: name.into(),
        kind: "Node",
        node: None,
        pool: Some("worker".into()),
        assessment: UnitAssessment::Completed,
        phase: Phase::Updated,
        version: Some("4.17.20".into()),
        updated: true,
        since: None,
        remaining: Remaining::Nothing,
        available: condition(Truth::True, AS_EXPECTED),
        in_service: true,
        degraded: condition(Truth::False, AS_EXPECTED),
        message: String::new(),
        current_config: None,
        desired_config: None,
        blocked_by: Vec::new(),
    }
}

fn degraded(name: &str, reason: &str) -> Unit {
    Unit {
        phase: Phase::Draining,
        version: Some("4.16.0-ec.2".into()),
        degraded: condition(Truth::True, "Degraded"),
        message: reason.into(),
        ..unit(name)
    }
}

/// Groups as `key count [names]`.
fn told(units: &[Unit], most: usize) -> Vec<String> {
    let told = |group: &Group<'_>| {
        let names: Vec<&str> = group.members.iter().map(|unit| unit.name.as_str()).collect();
        format!("{} {} [{}]", group.key(), group.members.len(), names.join(" "))
    };
    groups(units, most).iter().map(told).collect()
}

#[test]
fn nodes_in_one_state_are_one_group() {
    let pending = |name: &str| Unit { phase: Phase::Pending, version: Some("4.16.0-ec.2".into()), ..unit(name) };
    let lost = Unit { available: condition(Truth::False, "NotReady"), message: "Not ready".into(), ..unit("w-3") };
    let units = [
        unit("w-10"),
        unit("w-9"),
        pending("w-1"),
        degraded("w-7", "failed to drain node: w-7 after 1h"),
        degraded("w-6", "failed to drain node: w-6 after 2h"),
        lost,
        Unit { version: None, ..unit("w-2") },
    ];
    assert_eq!(
        told(&units, 32),
        [
            "draining-degraded-4.16.0-ec.2-d6198360 2 [w-6 w-7]",
            "completed-unavailable-4.17.20-ca0d9eda 1 [w-3]",
            "pending-4.16.0-ec.2 1 [w-1]",
            "completed-4.17.20 2 [w-9 w-10]",
            "completed-no-version 1 [w-2]",
        ]
    );
}

#[test]
fn too_many_groups_are_put_together_by_what_they_are() {
    let mut units: Vec<Unit> =
        (b'a'..=b'z').map(|c| degraded(&format!("w-{}", c as char), &"x".repeat(1 + usize::from(c)))).collect();
    units.extend([unit("w-1"), unit("w-2")]);
    let told = told(&units, 4);
    assert_eq!(told.len(), 4, "{told:?}");
    assert_eq!(told[0].split(' ').take(2).collect::<Vec<_>>(), ["draining-degraded-other", "24"]);
    assert_eq!(told[3], "completed-4.17.20 2 [w-1 w-2]");
}

#[test]
fn a_node_is_exceptional_when_something_is_wrong_or_takes_long() {
    let now: Timestamp = "2026-05-04T08:00:00Z".parse().unwrap();
    let check = |unit: Unit, expect: bool| assert_eq!(is_exceptional(&unit, now), expect, "{unit:?}");
    let moving = |minutes: i64| Unit {
        phase: Phase::Rebooting,
        since: Some(now - SignedDuration::from_mins(minutes)),
        ..unit("w")
    };
    check(unit("w"), false);
    check(degraded("w", "x"), true);
    check(Unit { available: condition(Truth::False, "NotReady"), ..unit("w") }, true);
    check(moving(30), false);
    check(moving(31), true);
    check(Unit { phase: Phase::Pending, ..moving(31) }, false);
    check(Unit { since: None, ..moving(31) }, false);
}

fn any_unit() -> impl Strategy<Value = Unit> {
    let phases = [Phase::Draining, Phase::Updating, Phase::Rebooting, Phase::Paused, Phase::Pending, Phase::Updated];
    let version = prop::option::of(prop::sample::select(vec!["4.17.20", "4.16.1", "4.16.0-a-very-long-pre-release"]));
    ("[a-c]-[0-9]{1,3}", prop::sample::select(phases.to_vec()), any::<(bool, bool)>(), version, "[a-f]{0,2}").prop_map(
        |(name, phase, (bad, out), version, message)| Unit {
            phase,
            version: version.map(str::to_owned),
            degraded: condition(if bad { Truth::True } else { Truth::False }, "Degraded"),
            available: condition(if out { Truth::False } else { Truth::True }, "NotReady"),
            message: if bad || out { message } else { String::new() },
            ..unit(&name)
        },
    )
}

proptest! {
    #[test]
    fn us_5_3_every_node_is_in_one_group(units in prop::collection::vec(any_unit(), 0..300), most in 6usize..40) {
        let groups = groups(&units, most);
        prop_assert!(groups.len() <= most);
        prop_assert_eq!(groups.iter().map(|group| group.members.len()).sum::<usize>(), units.len());
        let mut keys: Vec<String> = groups.iter().map(Group::key).collect();
        prop_assert!(keys.iter().all(|key| key.len() <= KEY), "{:?}", keys);
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), groups.len(), "two groups with one key");
        for group in &groups {
            prop_assert!(group.members.iter().all(|unit| unit.phase == group.phase));
            let sorted = group.members.windows(2).all(|pair| compare(&pair[0].name, &pair[1].name).is_le());
            prop_assert!(sorted);
        }
    }

    #[test]
    fn us_5_3_a_group_says_only_what_holds_for_all(units in prop::collection::vec(any_unit(), 0..100), most in 6usize..12) {
        for group in groups(&units, most) {
            for unit in &group.members {
                prop_assert!(group.version.is_none() || group.version == unit.version.as_deref());
                prop_assert!(group.available == Truth::Unknown || group.available == unit.available.status);
                prop_assert!(group.degraded == Truth::Unknown || group.degraded == unit.degraded.status);
            }
        }
    }
}
