//! What holds of every report, tried on randomly bent clusters.

use std::sync::Arc;

use std::collections::BTreeSet;

use headway_api::meta::{Condition, ConditionStatus, LabelRequirement, LabelSelector};
use headway_api::openshift::OperandVersion;
use headway_api::report::{Activity, Form, Report};
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::{AlertsSeen, Snapshot};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use super::cluster::hold;
use super::cluster::{
    False, NEW, NOW, OLD, Step, True, Unknown, config, custom, entry, idle, node, put, roles, rolling, said,
    seconds_ago, set, updating, workers_rolling,
};
use super::told::OC;
use super::workers::alert;

/// One bend: which, two choices, and a number of seconds before now.
type Twist = (u8, usize, usize, i64);

fn twists() -> impl Strategy<Value = (u8, Vec<Twist>)> {
    (0u8..4, prop::collection::vec((0u8..34, 0usize..64, 0usize..8, -4000i64..90_000), 0..14))
}

fn bend_all(base: u8, twists: &[Twist]) -> Snapshot {
    let mut snapshot = match base {
        0 => updating(),
        1 => rolling(),
        2 => workers_rolling(),
        _ => idle(),
    };
    for twist in twists {
        bend(&mut snapshot, *twist);
    }
    snapshot
}

const STATUSES: [ConditionStatus; 4] = [True, False, Unknown, ConditionStatus::Other];
const STEPS: [Step; 7] =
    [Step::Old, Step::Asked, Step::Draining, Step::Working, Step::Rebooting, Step::New, Step::Degraded];
const TEXTS: [&str; 8] =
    ["", "x", "Done", "Degraded", "drain-x", "line\nline of w-0", "operator dns is degraded", "ünï\u{7f}cödé"];

/// A condition with a chosen status, text and time; sometimes without a time.
fn some_condition(kind: &str, a: usize, b: usize, seconds: i64) -> Condition {
    let mut condition = said(kind, STATUSES[b % 4], seconds_ago(seconds), TEXTS[a % 8], TEXTS[b]);
    if a % 7 == 6 {
        condition.last_transition_time = None;
    }
    condition
}

fn bend(s: &mut Snapshot, (which, a, b, seconds): Twist) {
    let time = seconds_ago(seconds);
    let text = || (a % 5 != 4).then(|| TEXTS[b].to_owned());
    let nodes = s.nodes.len();
    let operators = s.operators.len();
    match which {
        0 => s.moment.at = time,
        1 => s.cluster_version = None,
        2..=4 => {
            let kinds = ["Progressing", "Failing", "Invalid", "ReleaseAccepted", "Progressing", "Failing"];
            let Some(cv) = s.cluster_version.as_mut() else { return };
            match b {
                7 => cv.status.conditions.retain(|condition| condition.kind != kinds[a % 6]),
                _ => set(&mut cv.status.conditions, some_condition(kinds[a % 6], a, b, seconds)),
            }
        }
        5 => {
            let Some(cv) = s.cluster_version.as_mut() else { return };
            cv.status.history.truncate(a % 4);
        }
        6..=7 => {
            let Some(cv) = s.cluster_version.as_mut() else { return };
            let at = a % (cv.status.history.len() + 1);
            let state = ["Partial", "Completed", "", "Other"][b % 4];
            let version = [NEW, OLD, "", "4.19.9"][a / 4 % 4];
            let end = (b > 3).then_some(NOW);
            cv.status.history.insert(at, entry(state, version, TEXTS[b], time, end));
            if a % 3 == 2 {
                cv.status.history[at].started_time = None;
            }
        }
        8 => {
            let Some(cv) = s.cluster_version.as_mut() else { return };
            cv.status.desired.version = [NEW, OLD, "", "4.21.0"][b % 4].into();
            cv.status.desired.architecture = ["", "Multi"][a % 2].into();
        }
        9..=12 if operators > 0 => {
            let kind = ["Available", "Degraded", "Progressing"][b % 3];
            let status = &mut s.operators[a % operators].status;
            status.conditions.push(some_condition(kind, a, b, seconds));
        }
        13..=14 if operators > 0 => {
            let name = ["operator", "operator-image"][b % 2].into();
            let version = [NEW, OLD, "", "image"][b / 2].into();
            s.operators[a % operators].status.versions = vec![OperandVersion { name, version }];
        }
        15 if operators > 0 => drop(s.operators.remove(a % operators)),
        16 if operators > 0 => s.operators[a % operators].metadata.platform.0 = b % 2 == 0,
        17..=20 if nodes > 0 => put(Arc::make_mut(&mut s.nodes[a % nodes]), STEPS[b % 7]),
        21 if nodes > 0 => {
            let kind = ["Ready", "DiskPressure", "NetworkUnavailable"][b % 3];
            Arc::make_mut(&mut s.nodes[a % nodes]).status.conditions.push(some_condition(kind, a, b, seconds));
        }
        22 if nodes > 0 => {
            let notes = &mut Arc::make_mut(&mut s.nodes[a % nodes]).metadata.annotations;
            let field = match seconds.rem_euclid(8) {
                0 => &mut notes.current_config,
                1 => &mut notes.desired_config,
                2 => &mut notes.state,
                3 => &mut notes.reason,
                4 => &mut notes.desired_drain,
                5 => &mut notes.last_applied_drain,
                6 => &mut notes.current_image,
                _ => &mut notes.desired_image,
            };
            *field = text();
        }
        23 if nodes > 0 => Arc::make_mut(&mut s.nodes[a % nodes]).spec.unschedulable = b % 2 == 0,
        24 if nodes > 0 => drop(s.nodes.remove(a % nodes)),
        25 => s.nodes.extend((0..a % 24).map(|number| {
            let mut node = node(&format!("worker-{nodes}-{number}"));
            put(&mut node, STEPS[b % 7]);
            Arc::new(node)
        })),
        26 if nodes > 0 => {
            let roles_of =
                [vec!["worker", "infra"], vec!["infra", "gpu"], vec!["master", "gpu"], vec!["arbiter"], vec![]];
            Arc::make_mut(&mut s.nodes[a % nodes]).metadata.labels = roles(&roles_of[b % 5]);
        }
        27 => {
            for name in ["infra", "gpu", "arbiter"].into_iter().take(1 + a % 3) {
                if !s.pools.iter().any(|pool| pool.metadata.name == name) {
                    s.pools.push(custom(name));
                }
            }
        }
        28 if !s.pools.is_empty() => {
            let at = a % s.pools.len();
            match b {
                0 | 1 => s.pools[at].spec.paused = b == 0,
                2 => drop(s.pools.remove(at)),
                3 => s.pools[at].spec.node_selector = None,
                4 => s.pools[at].spec.node_selector = Some(LabelSelector::default()),
                5 => {
                    let bad = LabelRequirement { key: "k".into(), operator: TEXTS[a % 8].into(), values: Vec::new() };
                    s.pools[at].spec.node_selector =
                        Some(LabelSelector { match_expressions: vec![bad], ..LabelSelector::default() });
                }
                6 => s.pools[at].status.conditions.push(some_condition("RenderDegraded", a, 0, seconds)),
                _ => s.pools[at].spec.configuration.name = config("worker", OLD),
            }
        }
        29 => {
            let role = ["master", "worker"][a % 2];
            let version = [Some(NEW.to_owned()), Some(String::new()), None, Some("4.19.9".into())][b % 4].clone();
            match b {
                7 => drop(s.machine_configs.remove(&config(role, OLD))),
                _ => drop(s.machine_configs.insert(config(role, [OLD, NEW][a / 2 % 2]), version)),
            }
        }
        30 => match b {
            0 => (s.seen.nodes, s.nodes) = (false, Vec::new()),
            1 => (s.seen.pools, s.pools) = (false, Vec::new()),
            2 => (s.seen.machine_configs, s.machine_configs) = (false, Default::default()),
            3 => s.operators.clear(),
            _ => s.mco_image = text(),
        },
        31 => {
            let name = ["Some", "PodDisruptionBudgetAtLimit", "", "MCCDrainError"][b % 4];
            let mut new = alert(name, ["warning", "critical", "info", "error"][a % 4], time);
            new.labels.insert("poddisruptionbudget".into(), TEXTS[b].into());
            new.annotations.summary = TEXTS[a % 8].into();
            let mut all = s.alerts.as_slice().to_vec();
            all.push(new);
            s.alerts = AlertsSeen::Answer(all);
        }
        32 if nodes > 0 => {
            let name = s.nodes[a % nodes].metadata.name.clone();
            hold(s, &name);
            if let Some(pod) = s.pods.last_mut().map(Arc::make_mut) {
                pod.metadata.name = format!("shop-{seconds}");
            }
        }
        _ => {
            if let Some(cv) = s.cluster_version.as_mut() {
                cv.metadata.annotations.force_insight = text();
            }
        }
    }
}

fn is_uid(uid: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=63).contains(&uid.len())
        && uid.chars().all(|c| inner(c) || c == '-')
        && uid.starts_with(inner)
        && uid.ends_with(inner)
}

fn check_insights(report: &Report) {
    for insight in &report.insights {
        assert!(!insight.summary.is_empty(), "{insight:?}");
        assert!(!insight.description.is_empty(), "{insight:?}");
        assert!(!insight.reference.is_empty(), "{insight:?}");
        assert!(is_uid(&insight.uid), "{insight:?}");
        assert!((1..=16).contains(&insight.resources.len()), "{insight:?}");
    }
}

fn check_counts(snapshot: &Snapshot, report: &Report) {
    let unpooled = report.units.iter().filter(|unit| unit.pool.is_none()).count();
    let pooled: usize = report.pools.iter().map(|pool| pool.counts.total).sum();
    assert_eq!(pooled + unpooled, snapshot.nodes.len());
    assert_eq!(report.units.len(), snapshot.nodes.len());
    for pool in &report.pools {
        let counts = &pool.counts;
        let parts = [counts.available, counts.progressing, counts.outdated, counts.degraded, counts.version_unknown];
        assert!(parts.into_iter().all(|part| part <= counts.total), "{counts:?}");
        assert!(counts.draining + counts.excluded <= counts.outdated, "{counts:?}");
    }
    let told = &report.cluster.operators;
    assert_eq!(told.updated + told.updating + told.waiting + told.unknown, told.total);
    assert_eq!(told.total, report.components.len());
}

fn check_percentages(report: &Report, rules: Rules) {
    let counts = &report.cluster.operators;
    let of_pools = report.pools.iter().map(|pool| (pool.completion_percent, pool.counts.outdated == 0));
    let of_operators = (report.cluster.completion_percent, counts.updated == counts.total);
    for (percent, all) in of_pools.chain([of_operators]) {
        assert!(percent.is_none_or(|percent| percent <= 100));
        // These pools are too small for the peer's rounding to reach 100 early.
        assert!(percent != Some(100) || all, "{rules:?}: {percent:?}");
    }
}

/// Never success from missing data.
fn check_success(snapshot: &Snapshot, report: &Report) {
    if report.activity != Activity::NotUpdating {
        return;
    }
    let hosted = report.cluster.form == Form::Hosted;
    assert!(snapshot.cluster_version.is_some() && !report.components.is_empty());
    assert!(snapshot.seen.nodes);
    assert!(snapshot.seen.pools || hosted);
    assert!(snapshot.seen.machine_configs || hosted || snapshot.nodes.is_empty());
    let target = report.cluster.versions.target.as_ref();
    assert!(target.is_some());
    for unit in report.units.iter().filter(|unit| unit.pool.is_some()) {
        assert!(unit.version.is_none() || unit.version.as_ref() == target, "{unit:?}");
    }
    assert_eq!(report.cluster.operators.updated, report.cluster.operators.total);
}

fn check_times(report: &Report) {
    assert!(report.cluster.duration_seconds.is_none_or(|took| took.0 >= SignedDuration::ZERO));
    let end = report.cluster.estimate.and_then(|left| left.completed_at);
    assert!(end.is_none_or(|end: Timestamp| end >= report.observed_at));
}

/// The parts of a report that do not depend on the order of the input.
fn counts_of(report: &Report) -> String {
    let pools: BTreeSet<String> = report
        .pools
        .iter()
        .map(|pool| format!("{} {:?} {:?} {:?}", pool.name, pool.counts, pool.assessment, pool.completion_percent))
        .collect();
    format!(
        "{:?} {:?} {:?} {pools:?} {}",
        report.activity,
        report.cluster.operators,
        report.cluster.assessment,
        report.insights.len()
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_report_is_sound((base, twists) in twists()) {
        let snapshot = bend_all(base, &twists);
        for rules in [Rules::Headway, OC] {
            let report = assess(&snapshot, rules);
            prop_assert_eq!(&report, &assess(&snapshot, rules), "one snapshot, one report");
            check_insights(&report);
            check_counts(&snapshot, &report);
            check_percentages(&report, rules);
        }
        let report = assess(&snapshot, Rules::Headway);
        check_success(&snapshot, &report);
        check_times(&report);
        let uids: BTreeSet<&str> = report.insights.iter().map(|insight| insight.uid.as_str()).collect();
        prop_assert_eq!(uids.len(), report.insights.len(), "{:?}", report.insights);
    }

    #[test]
    fn counts_do_not_depend_on_the_order_of_the_input((base, twists) in twists()) {
        let snapshot = bend_all(base, &twists);
        let mut turned = snapshot.clone();
        turned.nodes.reverse();
        turned.operators.reverse();
        for rules in [Rules::Headway, OC] {
            prop_assert_eq!(counts_of(&assess(&snapshot, rules)), counts_of(&assess(&turned, rules)));
        }
        // The peer asks custom pools in the order of the list.
        turned.pools.reverse();
        prop_assert_eq!(counts_of(&assess(&snapshot, Rules::Headway)), counts_of(&assess(&turned, Rules::Headway)));
    }
}
