//! Which clusters are asked themselves, when, and what of it is told: a script of what happens, and what comes of it.

use headway_api::report::{Activity, Condition, Form, Phase, Remaining, Report, Truth, Unit, UnitAssessment};
use headway_core::fleet::{AT_ONCE, Answer, Failed, Key, Kubeconfig, Policy, Workloads};
use headway_core::preview::Workload;
use jiff::{SignedDuration, Timestamp};

use super::rows::updating;

const NOW: Timestamp = Timestamp::constant(1_777_881_600, 0);

/// Something that happens, some seconds after [`NOW`].
enum Event {
    /// A report on a cluster: what it does, and which nodes drain.
    Told(&'static str, Activity, &'static [&'static str]),
    /// It has answered, and of so many nodes.
    Seen(&'static str, usize),
    /// It could not be asked.
    Unseen(&'static str, &'static str),
    /// It is gone.
    Gone(&'static str),
    /// Nothing: it is only looked who is due.
    Wait,
}

use Event::{Gone, Seen, Told, Unseen, Wait};

fn key(name: &str) -> Key {
    Key { form: Form::ClusterApi, namespace: "fleet".into(), name: name.into() }
}

/// A report on a cluster that does something, in which machines of nodes drain.
fn report_of(activity: Activity, drains: &[&str]) -> Report {
    let condition = || Condition { status: Truth::True, reason: "X".into(), message: String::new(), since: None };
    let unit = |node: &&str| Unit {
        name: format!("machine-of-{node}"),
        kind: "Machine",
        node: Some((*node).to_owned()),
        pool: None,
        assessment: UnitAssessment::Progressing,
        phase: Phase::Draining,
        version: None,
        updated: false,
        since: None,
        remaining: Remaining::Unknown,
        in_service: false,
        message: String::new(),
        available: condition(),
        degraded: condition(),
        current_config: None,
        desired_config: None,
        blocked_by: Vec::new(),
    };
    Report { activity, units: drains.iter().map(unit).collect(), ..updating() }
}

/// What a cluster is known by: of how many nodes, and why not of more.
fn known(all: &Workloads, name: &str) -> String {
    match all.of(&key(name)) {
        None => "-".into(),
        Some(workload) if workload.unreachable.is_empty() => workload.nodes.len().to_string(),
        Some(workload) => format!("{} {}", workload.nodes.len(), workload.unreachable),
    }
}

/// Lets things happen and says, of each moment, who is asked then, and in the end what is known of `a`.
fn check(policy: Policy, script: &[(i64, Event)], asked: &[&str], last: &str) {
    let mut all = Workloads::new(policy);
    let mut told = Vec::new();
    for (seconds, event) in script {
        let now = NOW + SignedDuration::from_secs(*seconds);
        match event {
            Told(name, activity, drains) => {
                let report = report_of(*activity, drains);
                all.follow(&key(name), &report, &Kubeconfig::of_cluster(name), now);
            }
            Seen(name, nodes) => {
                let nodes = vec![std::sync::Arc::default(); *nodes];
                let workload = Workload { nodes, ..Workload::default() };
                all.take(&key(name), Answer::Seen(Box::new(workload)), now);
            }
            Unseen(name, message) => {
                let answer = Answer::Unseen { at: Failed::Unreachable, message: (*message).into() };
                all.take(&key(name), answer, now);
            }
            Gone(name) => all.forget(&key(name)),
            Wait => {}
        }
        let gone = all.expire(now);
        told.extend(gone.iter().map(|key| format!("{seconds} {} is dropped", key.name)));
        told.extend(all.due(now).iter().map(|ask| {
            let drains: Vec<&str> = ask.drains.iter().map(String::as_str).collect();
            format!("{seconds} {} {}", ask.key.name, drains.join(",")).trim_end().to_owned()
        }));
    }
    assert_eq!(told, asked);
    assert_eq!(known(&all, "a"), last);
}

const MOVES: Activity = Activity::Updating;
const RESTS: Activity = Activity::NotUpdating;

#[test]
fn only_who_is_being_updated_is_asked_and_not_too_often() {
    // Nobody knows whether it is, or it is not.
    check(Policy::Ask, &[(0, Told("a", RESTS, &[])), (1, Told("a", Activity::Unknown, &[]))], &[], "-");
    // Asked once until it has answered, then after a minute.
    let calm = [(0, Told("a", MOVES, &[])), (50, Told("a", MOVES, &[])), (51, Seen("a", 3)), (110, Wait), (111, Wait)];
    check(Policy::Ask, &calm, &["0 a", "111 a"], "3");
    // While something drains every half minute, and at once when another drain begins.
    let drains = [
        (0, Told("a", MOVES, &["n1"])),
        (1, Seen("a", 3)),
        (30, Wait),
        (31, Wait),
        (32, Seen("a", 3)),
        (33, Told("a", MOVES, &["n1", "n2"])),
        (37, Wait),
    ];
    check(Policy::Ask, &drains, &["0 a n1", "31 a n1", "37 a n1,n2"], "3");
}

#[test]
fn who_is_done_is_not_asked_any_more_and_then_forgotten() {
    let done = [
        (0, Told("a", MOVES, &[])),
        (1, Seen("a", 3)),
        (5, Told("a", RESTS, &[])),
        (100, Wait),
        (125, Wait),
        (126, Told("a", RESTS, &[])),
    ];
    check(Policy::Ask, &done, &["0 a", "125 a is dropped"], "-");
    // Not to see whether it goes on is no end.
    let blind = [(0, Told("a", MOVES, &[])), (1, Seen("a", 3)), (5, Told("a", Activity::Unknown, &[])), (61, Wait)];
    check(Policy::Ask, &blind, &["0 a", "61 a"], "3");
    // What goes to and fro is not asked at each turn.
    let restless = [
        (0, Told("a", MOVES, &[])),
        (1, Seen("a", 3)),
        (2, Told("a", RESTS, &[])),
        (3, Told("a", MOVES, &[])),
        (4, Told("a", RESTS, &[])),
        (5, Told("a", MOVES, &[])),
        (60, Wait),
        (61, Wait),
    ];
    check(Policy::Ask, &restless, &["0 a", "61 a"], "3");
    check(Policy::Ask, &[(0, Told("a", MOVES, &[])), (1, Gone("a")), (2, Seen("a", 3))], &["0 a"], "-");
}

#[test]
fn us_s64_who_cannot_be_asked_is_left_alone_for_longer_and_what_was_seen_stands_for_a_while() {
    let mut script = vec![(0, Told("a", MOVES, &["n1"])), (1, Seen("a", 3)), (31, Wait), (32, Unseen("a", "no route"))];
    script.extend([(61, Wait), (62, Wait), (63, Unseen("a", "no route")), (122, Wait), (123, Wait)]);
    let asked = ["0 a n1", "31 a n1", "62 a n1", "123 a n1"];
    check(Policy::Ask, &script, &asked, "3 no route");
    // Another drain makes nobody ask who does not answer.
    script.extend([(124, Unseen("a", "no route")), (125, Told("a", MOVES, &["n1", "n2"])), (243, Wait), (244, Wait)]);
    let asked = [&asked[..], &["244 a n1,n2"]].concat();
    check(Policy::Ask, &script, &asked, "3 no route");
    script.extend([(602, Unseen("a", "no route")), (841, Wait), (842, Wait)]);
    let asked = [&asked[..], &["842 a n1,n2"]].concat();
    check(Policy::Ask, &script, &asked, "0 no route");
    // It is back, and nothing is held against it.
    script.extend([(843, Seen("a", 2)), (873, Wait)]);
    check(Policy::Ask, &script, &[&asked[..], &["873 a n1,n2"]].concat(), "2");
}

#[test]
fn who_may_not_ask_says_so_and_asks_nobody() {
    let leave = Policy::Leave("not told to");
    check(leave, &[(0, Told("a", RESTS, &[]))], &[], "-");
    let moves = [(0, Told("a", MOVES, &["n1"])), (600, Wait)];
    check(leave, &moves, &[], "0 not told to");
    let done = [(0, Told("a", MOVES, &[])), (5, Told("a", RESTS, &[])), (125, Wait)];
    check(leave, &done, &["125 a is dropped"], "-");
}

#[test]
fn no_more_than_a_few_are_asked_at_a_time_and_who_has_waited_longest_comes_first() {
    let mut all = Workloads::new(Policy::Ask);
    for at in 0..AT_ONCE + 3 {
        let name = format!("c{:02}", AT_ONCE + 3 - at);
        let now = NOW + SignedDuration::from_secs(i64::try_from(at).unwrap());
        all.follow(&key(&name), &report_of(MOVES, &[]), &Kubeconfig::of_cluster(&name), now);
    }
    let now = NOW + SignedDuration::from_mins(1);
    let asked: Vec<String> = all.due(now).into_iter().map(|ask| ask.key.name).collect();
    assert_eq!(asked.len(), AT_ONCE);
    assert_eq!(asked[0], format!("c{:02}", AT_ONCE + 3));
    assert_eq!((all.due(now), all.next()), (Vec::new(), None), "while all are busy nothing is waited for");
    let unseen = || Answer::Unseen { at: Failed::Unreachable, message: String::new() };
    all.take(&key(&asked[3]), unseen(), now);
    let next: Vec<String> = all.due(now).into_iter().map(|ask| ask.key.name).collect();
    assert_eq!(next, ["c03"]);
    // One that is gone takes its place along until it has answered.
    all.forget(&key("c03"));
    assert_eq!(all.due(now), []);
    all.take(&key("c03"), unseen(), now);
    assert_eq!(all.due(now).len(), 1);
    assert_eq!(all.count(), AT_ONCE + 2);
}
