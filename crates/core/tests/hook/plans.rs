//! Which answers of extensions that plan are kept (2.4, 10-14).

use headway_core::hook::{Fingerprint, PLAN_TTL, PlanQuestion, Plans};
use headway_core::plan::{Answer, Extension, ExtensionError, Facts, Situation};
use jiff::{SignedDuration, Timestamp};

use super::said::handler;

fn situation() -> Situation {
    let (target, control_plane) = ("v1.33.0".to_owned(), Some("v1.31.0".to_owned()));
    Situation::read(&Facts { target, control_plane, groups: Vec::new() }).unwrap()
}

fn question() -> PlanQuestion {
    let handler = Fingerprint::of(&[handler("a:GenerateUpgradePlan")]);
    PlanQuestion::new("cluster-1", "ns/class", handler, &situation().question().unwrap())
}

fn extension(answer: Result<&str, ExtensionError>) -> Extension {
    let answer = answer.map(|versions| Answer {
        control_plane: versions.split_whitespace().map(str::to_owned).collect(),
        workers: Vec::new(),
    });
    Extension { name: "a.ext".into(), answer }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
}

#[test]
fn ch_2_4_a_plan_is_kept_for_ten_minutes() {
    let mut plans = Plans::default();
    assert_eq!(plans.known(&question(), at(0)), None);
    let made = plans.settle(question(), &situation(), extension(Ok("v1.32.0 v1.33.0")), at(0));
    assert_eq!(made.unwrap().control_plane.len(), 2);
    let is_known = |seconds: i64| plans.known(&question(), at(seconds)).is_some();
    assert!(is_known(0) && is_known(599));
    assert!(!is_known(600) && !is_known(-1));
    assert_eq!(PLAN_TTL, SignedDuration::from_secs(600));
}

#[test]
fn ch_b14_what_is_no_plan_is_not_kept() {
    let check = |answer: Result<&str, ExtensionError>, rule: &str| {
        let mut plans = Plans::default();
        // A good one of before does not outlast it either.
        plans.settle(question(), &situation(), extension(Ok("v1.32.0 v1.33.0")), at(0)).unwrap();
        let error = plans.settle(question(), &situation(), extension(answer.clone()), at(1)).unwrap_err();
        assert_eq!(error.rule().to_string(), rule, "{answer:?}");
        assert_eq!(plans.known(&question(), at(1)), None, "{answer:?}");
        // The next look asks again, and a mended extension is heard at once.
        assert!(plans.settle(question(), &situation(), extension(Ok("v1.32.0 v1.33.0")), at(2)).is_ok());
        assert!(plans.known(&question(), at(2)).is_some());
    };
    // Empty, as a failurePolicy of Ignore makes it with Cluster API.
    check(Ok(""), "C4");
    check(Ok("v1.33.0"), "C3");
    check(Ok("v1.32.0"), "C4");
    // ch_b8: short, and without its v.
    check(Ok("1.32.0 1.33.0"), "X1");
    check(Ok("v1.32 v1.33"), "X1");
    check(Ok("v1.32.0 v1.32.0 v1.33.0"), "C2");
    check(Ok("v1.32.0 v1.31.0 v1.32.0 v1.33.0"), "C2");
    check(Err(ExtensionError::Failed("it cannot be reached".into())), "X2");
}

#[test]
fn ch_b14_a_plan_is_of_one_question() {
    let mut plans = Plans::default();
    plans.settle(question(), &situation(), extension(Ok("v1.32.0 v1.33.0")), at(0)).unwrap();
    let check = |change: &dyn Fn(&mut PlanQuestion)| {
        let mut other = question();
        change(&mut other);
        assert_eq!(plans.known(&other, at(1)), None, "{other:?}");
    };
    check(&|it| it.uid = "cluster-2".into());
    check(&|it| it.class = "ns/other".into());
    check(&|it| it.handler = Fingerprint::of(&[handler("b:GenerateUpgradePlan")]));
    check(&|it| it.from_control_plane = "v1.32.0".into());
    check(&|it| it.from_workers = "v1.31.0".into());
    check(&|it| it.to = "v1.34.0".into());
    assert!(plans.known(&question(), at(1)).is_some());
    plans.forget("cluster-1");
    assert_eq!(plans, Plans::default());
}
