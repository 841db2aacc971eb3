//! Groups of workers that are at different versions, pinned or on their way out.

use headway_api::plan::Plan;
use headway_core::plan::{Choice, PlanError, Source, choose, plan, worker_moves};

use super::said::{ONE, answer, class, facts, list, situation, told};
use headway_core::plan::{Course, GroupFacts, Situation};

/// What all workers take together, then each group by itself.
#[track_caller]
fn check(source: Source, target: &str, control_plane: &str, workers: &str, together: &str, groups: &[&str]) {
    let plan = plan(&situation(target, control_plane, workers), &source).unwrap();
    assert_eq!(list(&plan.workers), together);
    assert_eq!(by_group(&plan), groups);
}

#[track_caller]
fn refuse(source: Source, target: &str, control_plane: &str, workers: &str, expect: &str) -> PlanError {
    let made = plan(&situation(target, control_plane, workers), &source);
    assert_eq!(told(&made), expect);
    made.unwrap_err()
}

fn by_group(plan: &Plan) -> Vec<String> {
    let text = |moves: &headway_api::plan::GroupMoves| match &moves.stays {
        Some(stay) => format!("{}: {stay}", moves.group.name),
        None => format!("{}: {}", moves.group.name, list(&moves.moves)),
    };
    plan.groups.iter().map(text).collect()
}

fn minors(from: u64, to: u64) -> Source {
    class(&(from..=to).map(|minor| format!("v1.{minor}.0")).collect::<Vec<_>>().join(" "))
}

#[test]
fn each_group_moves_as_late_as_it_may() {
    check(
        minors(31, 35),
        "v1.35.0",
        "v1.31.0",
        "md-a=v1.28.0 md-b=v1.29.0 mp-c=v1.31.0 md-d=v1.35.0-",
        "v1.31.0 v1.34.0 v1.35.0",
        &[
            "md-a: v1.31.0 v1.34.0 v1.35.0",
            // Two moves where the common list would need three.
            "md-b: v1.32.0 v1.35.0",
            "mp-c: v1.34.0 v1.35.0",
            "md-d: being deleted",
        ],
    );
    let plan = plan(&situation("v1.35.0", "v1.31.0", "a=v1.28.0 b=v1.29.0"), &minors(31, 35)).unwrap();
    assert_eq!(worker_moves(&plan), 5);
}

#[test]
fn ch_p26_by_group() {
    let groups = ["md: v1.34.1", "mp: v1.33.1 v1.34.1"];
    check(answer("v1.34.1", ""), "v1.34.1", "v1.33.1", "md=v1.33.1 mp=v1.30.0", "v1.33.1 v1.34.1", &groups);
    check(ONE, "v1.34.1", "v1.34.1", "md=v1.34.1 mp=v1.33.1", "v1.34.1", &["md: at the target", "mp: v1.34.1"]);
    check(ONE, "v1.34.1", "v1.34.1", "md=v1.34.1", "", &["md: at the target"]);
}

#[test]
fn a_list_that_was_answered_is_taken_from_where_a_group_is() {
    let steps = "v1.31.0 v1.32.0 v1.33.0";
    check(
        answer(steps, steps),
        "v1.33.0",
        "v1.30.0",
        "a=v1.30.0 b=v1.28.0",
        steps,
        &["a: v1.31.0 v1.32.0 v1.33.0", "b: v1.31.0 v1.32.0 v1.33.0"],
    );
    let workers = "v1.31.1 v1.33.1";
    check(
        answer("v1.32.0 v1.33.1", workers),
        "v1.33.1",
        "v1.31.1",
        "md=v1.31.1 mp=v1.30.0 late=v1.31.5",
        workers,
        &["md: v1.33.1", "mp: v1.31.1 v1.33.1", "late: v1.33.1"],
    );
    // What follows is judged from the group that is furthest behind, wherever it stands.
    refuse(answer("v1.34.0", "v1.34.0"), "v1.34.0", "v1.33.0", "a=v1.33.0 b=v1.30.0", "W4 [0] v1.34.0");
}

#[test]
fn pinned_groups_stay_and_count_for_skew_only() {
    check(ONE, "v1.32.0", "v1.31.0", "a=v1.31.0 p=v1.29.0@v1.29.0", "v1.32.0", &["a: v1.32.0", "p: pinned to v1.29.0"]);
    check(ONE, "v1.32.0", "v1.31.0", "p=v1.31.0@v1.31.0", "", &["p: pinned to v1.31.0"]);
    check(ONE, "v1.32.0", "v1.32.0", "p=v1.31.0@v1.31.0", "", &["p: pinned to v1.31.0"]);
    // Both where it is and where it is pinned to.
    check(ONE, "v1.32.0", "v1.31.0", "p=v1.29.0@v1.31.0", "", &["p: pinned to v1.31.0"]);
    let error = refuse(minors(31, 34), "v1.34.0", "v1.31.0", "a=v1.31.0 p=v1.30.0@v1.30.0", "W11 [2] v1.30.0");
    assert_eq!(
        error.to_string(),
        "MachineDeployment/p stays at v1.30.0, to which it is pinned, and does not fit the control plane at v1.34.0: \
         raise or remove the pin (rule W11)"
    );
    refuse(ONE, "v1.32.0", "v1.31.0", "p=v1.27.0@v1.31.0", "W11 v1.27.0");
    refuse(ONE, "v1.32.0", "v1.31.0", "p=v1.31.0@v1.32.0", "W8 v1.32.0");
    refuse(answer("v1.32.0", "v1.32.0"), "v1.32.0", "v1.31.0", "p=v1.31.0@v1.31.0", "W6 [0] v1.32.0");
    // Also when nothing is left to do.
    refuse(ONE, "v1.32.0", "v1.32.0", "p=v1.28.0@v1.28.0", "W11 v1.28.0");
    refuse(ONE, "v1.32.0", "v1.32.0", "p=v1.33.0@v1.33.0", "W8 v1.33.0");
}

#[test]
fn groups_that_leave_are_not_moved_and_hold_nothing_back() {
    check(
        minors(30, 33),
        "v1.33.0",
        "v1.30.0",
        "a=v1.30.0 gone=v1.27.0-",
        "v1.33.0",
        &["a: v1.33.0", "gone: being deleted"],
    );
    check(ONE, "v1.31.0", "v1.31.0", "a=v1.31.0 gone=v1.27.0-", "", &["a: at the target", "gone: being deleted"]);
}

#[test]
fn groups_without_a_version_are_left_out() {
    let mut facts = facts("v1.32.0", "v1.31.0", "a=v1.31.0 b=v1.31.0");
    facts.groups[0].version = None;
    facts.groups[1].version = Some(String::new());
    assert_eq!(Situation::read(&facts).unwrap().groups, []);
}

#[test]
fn the_workers_furthest_behind() {
    let check = |control_plane: &str, workers: &[&str], expect: &str| {
        let mut names: Vec<String> = workers.iter().enumerate().map(|(at, text)| format!("md-{at}={text}")).collect();
        for _ in 0..workers.len().max(1) {
            let situation = situation("v1.32.0", control_plane, &names.join(" "));
            let told = situation.min_workers().map(ToString::to_string).unwrap_or_default();
            assert_eq!(told, expect, "{names:?}");
            names.rotate_left(1.min(workers.len()));
        }
    };
    check("v1.31.0", &[], "");
    check("v1.31.0", &["v1.30.2", "v1.30.1", "v1.31.0"], "v1.30.1");
    check("v1.31.0", &["v1.30.2", "v1.28.1-", "v1.28.1@v1.28.1"], "v1.30.2");
    // Of builds without an order, one is at the control plane's version and the other is behind.
    check("v1.31.0+b", &["v1.31.0+b", "v1.31.0+c", "v1.31.0+b"], "v1.31.0+c");
    check("v1.31.0+b", &["v1.31.0+z", "v1.31.0+b", "v1.31.0+a"], "v1.31.0+a");
    check("v1.31.0+b", &["v1.31.0+a.10", "v1.31.0+a.9", "v1.31.0+b"], "v1.31.0+a.9");
}

#[test]
fn groups_at_builds_without_an_order() {
    // The control plane is at +b, and whoever is not is behind.
    check(ONE, "v1.31.0+b", "v1.31.0+b", "a=v1.31.0+a c=v1.31.0+c", "v1.31.0+b", &["a: v1.31.0+b", "c: v1.31.0+b"]);
    // It is to go on to +c: whether +a is older than that, nothing tells.
    refuse(ONE, "v1.31.0+c", "v1.31.0+b", "a=v1.31.0+a b=v1.31.0+b", "W3 [0] v1.31.0+c");
    refuse(answer("v1.31.0+c", "v1.31.0+c"), "v1.31.0+c", "v1.31.0+b", "b=v1.31.0+b a=v1.31.0+a", "W3 [0] v1.31.0+c");
}

#[test]
fn what_is_asked_of_a_source() {
    let check = |target: &str, control_plane: &str, workers: &str, expect: &str| {
        let situation = situation(target, control_plane, workers);
        let told = situation.question().map_or_else(String::new, |question| {
            let workers = question.from_workers.map(ToString::to_string).unwrap_or_default();
            format!("{} {workers} {}", question.from_control_plane, question.to)
        });
        assert_eq!(told, expect);
    };
    check("v1.33.0", "v1.31.0", "a=v1.30.0 b=v1.29.0 c=v1.28.0-", "v1.31.0 v1.29.0 v1.33.0");
    check("v1.33.0", "v1.31.0", "", "v1.31.0  v1.33.0");
    check("v1.33.0", "v1.33.0", "a=v1.32.0", "v1.33.0 v1.32.0 v1.33.0");
    check("v1.33.0", "v1.33.0", "a=v1.33.0 b=v1.30.0-", "");
    check("v1.33.0+7", "v1.33.0+007", "", "");
    check("v1.33.0", "", "a=v1.33.0", "");
}

#[test]
fn which_source_a_class_asks_for() {
    let check = |versions: &[String], extension: Option<&str>, expect: Choice<'_>| {
        assert_eq!(choose(versions, extension), expect);
    };
    let versions = ["v1.31.0".to_owned()];
    check(&[], None, Choice::OneMinor);
    check(&versions, None, Choice::VersionList(&versions));
    check(&versions, Some("plan.ext"), Choice::Extension("plan.ext"));
    check(&[], Some("plan.ext"), Choice::Extension("plan.ext"));
    check(&versions, Some(""), Choice::VersionList(&versions));
}

#[test]
fn ch_2_3_a_version_that_cannot_be_read_names_its_group() {
    let mut facts = facts("v1.32.0", "v1.31.0", "mp-a=v1.31.0");
    let check = |facts: &headway_core::plan::Facts, expect: &str| {
        assert_eq!(Situation::read(facts).unwrap_err().to_string(), expect);
    };
    facts.groups[0].version = Some("V1.31".into());
    check(&facts, "the version of MachinePool/mp-a, \"V1.31\", is not a version (rule V3)");
    facts.groups[0] =
        GroupFacts { course: Course::Pinned("x".into()), version: Some("1.31".into()), ..facts.groups[0].clone() };
    check(&facts, "the version of MachinePool/mp-a, \"x\", is not a version (rule V3)");
    facts.target = "next\n".into();
    check(&facts, "the target \"next\\n\" is not a version (rule V1)");
}
