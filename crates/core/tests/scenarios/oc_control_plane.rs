//! The peer's rules about the control plane, status-openshift.md, 6: what its recorded examples do not pin.

use headway_api::openshift::OperandVersion;
use headway_core::snapshot::Snapshot;

use super::cluster::{
    Bend, False, NEW, OLD, OPERATORS, True, Unknown, ago, at, bent, condition, entry, operator, rolling, said,
    seconds_ago, updating,
};
use super::told::check_oc;

#[test]
fn oc_2_2_the_last_condition_of_an_operator_counts_and_the_first_of_the_cluster_version() {
    let snapshot = bent(updating(), |s| {
        s.operator("dns").status.conditions.push(condition("Available", False, ago(30)));
        s.operator("dns").status.conditions.push(condition("Progressing", True, ago(4)));
        s.cv().status.conditions.push(condition("Failing", True, ago(30)));
        s.cv().status.conditions.push(condition("Progressing", False, ago(30)));
    });
    check_oc(
        &snapshot,
        &[
            ("sick", "1 unavailable, 0 degraded"),
            ("done", "50% (4/8), 2 updating, 2 waiting"),
            ("health", "Error CO-UNAVAILABLE dns"),
        ],
    );
}

#[test]
fn oc_6_2_unavailable_and_degraded_counts_once() {
    let snapshot = bent(updating(), |s| {
        s.operator_says("dns", condition("Available", False, ago(6)));
        s.operator_says("dns", condition("Degraded", True, ago(6)));
        s.operator_says("etcd", condition("Degraded", True, ago(6)));
        s.operator_says("console", condition("Available", Unknown, ago(6)));
        s.operator("network").status.conditions.retain(|condition| condition.kind != "Available");
    });
    check_oc(
        &snapshot,
        &[
            ("sick", "3 unavailable, 1 degraded"),
            ("health", "Warning CO-DEGRADED etcd; Warning CO-UNAVAILABLE dns; Warning CO-DEGRADED dns"),
        ],
    );
}

#[test]
fn oc_6_2_operators_go_by_the_desired_version() {
    let snapshot = bent(updating(), |s| s.cv().status.history[0].version = "4.20.9".into());
    check_oc(&snapshot, &[("done", "50% (4/8), 1 updating, 3 waiting"), ("versions", "Version 4.20.9 from 4.20.1")]);
    let snapshot = bent(updating(), |s| s.cv().status.desired.version = "4.20.9".into());
    check_oc(&snapshot, &[("done", "0% (0/8), 1 updating, 7 waiting"), ("versions", "Version 4.20.2 from 4.20.1")]);
}

#[test]
fn oc_6_2_progressing_unknown_is_not_waiting() {
    let snapshot = bent(updating(), |s| {
        s.operator_says("dns", condition("Progressing", Unknown, ago(20)));
        s.operator("image-registry").status.conditions.retain(|condition| condition.kind != "Progressing");
    });
    check_oc(&snapshot, &[("done", "50% (4/8), 1 updating, 1 waiting, 2 unknown")]);
}

#[test]
fn oc_6_2_the_image_of_machine_config() {
    let check = |name: &str, image: Option<&str>, deployed: Option<&str>, done: &str| {
        let snapshot = bent(updating(), |s| {
            at(s.operator(name), NEW);
            let entry = |image: &str| OperandVersion { name: "operator-image".into(), version: image.into() };
            s.operator(name).status.versions.extend(image.map(entry));
            s.mco_image = deployed.map(str::to_owned);
        });
        check_oc(&snapshot, &[("done", done)]);
    };
    // 62.5 is rounded to even.
    let (yes, no) = ("62% (5/8), 1 updating, 2 waiting", "50% (4/8), 1 updating, 3 waiting");
    check("machine-config", None, None, yes);
    check("machine-config", None, Some("a"), yes);
    check("machine-config", Some("a"), Some("a"), yes);
    check("machine-config", Some("a"), Some("b"), no);
    check("machine-config", Some("a"), None, no);
    check("machine-config", Some(""), None, yes);
    check("dns", Some("a"), Some("b"), yes);
}

#[test]
fn oc_6_5_target_versions() {
    let check = |bend: fn(&mut Snapshot), versions: &str| check_oc(&bent(updating(), bend), &[("versions", versions)]);
    check(|_| {}, "Version 4.20.2 from 4.20.1");
    check(|s| s.cv().status.history.truncate(1), "Installation 4.20.2 from -");
    check(
        |s| {
            s.cv().status.history.truncate(1);
            s.cv().status.history[0].state = "Completed".into();
            s.cv().status.history[0].completion_time = Some(ago(5));
        },
        "Installation 4.20.2 from -",
    );
    check(|s| s.cv().status.history[1].state = "Partial".into(), "Version 4.20.2 from 4.20.1 (partial)");
    check(|s| s.cv().status.history[1].version = NEW.into(), "MultiArchitecture 4.20.2 from 4.20.2");
    check(
        |s| {
            s.cv().status.history[1].version = NEW.into();
            s.cv().status.history[1].image = "image-2".into();
        },
        "Version 4.20.2 from 4.20.2",
    );
    check(|s| s.cv().status.history.clear(), "Version - from -");
}

/// A start so many minutes ago, and the last progress so many minutes after it.
fn timed(snapshot: &mut Snapshot, started: i64, progress: i64) {
    snapshot.cv().status.history[0].started_time = Some(ago(started));
    for operator in &mut snapshot.operators {
        super::cluster::set(&mut operator.status.conditions, condition("Progressing", False, ago(started + 60)));
    }
    snapshot.operator_says("dns", condition("Progressing", False, ago(started - progress)));
}

#[test]
fn oc_6_6_the_curve_below_a_quarter() {
    let snapshot = bent(updating(), |s| {
        s.operators = OPERATORS.iter().map(|name| operator(name)).collect();
        at(s.operator("etcd"), NEW);
        timed(s, 30, 20);
    });
    // c(1/8) is .238071, so 20 minutes project to 84m0s; 54m0s are left, and a fifth more.
    check_oc(&snapshot, &[("left", "Known 3900s of 5700s"), ("done", "12% (1/8), 7 waiting")]);
    let burst = bent(snapshot, |s| timed(s, 30, 5));
    // Five minutes are not enough for the curve: one hour of baseline.
    check_oc(&burst, &[("left", "Known 2160s of 3960s")]);
}

#[test]
fn oc_6_6_the_last_progress_is_of_any_operator() {
    // 20 minutes after the start, by an operator that is not updated; and not by one that is not of the release.
    let snapshot = bent(updating(), |s| {
        timed(s, 40, 20);
        let mut foreign = operator("foreign");
        foreign.metadata.platform.0 = false;
        foreign.status.conditions = vec![condition("Progressing", True, ago(1))];
        s.operators.push(foreign);
    });
    // c(1/2) is .390394.
    check_oc(&snapshot, &[("left", "Known 840s of 3240s")]);
    let none = bent(updating(), |s| timed(s, 40, -5));
    check_oc(&none, &[("left", "Known 4500s of 6900s")]);
    // Machine-config alone, on the way, counts alone.
    check_oc(&rolling(), &[("left", "Known 1860s of 4260s")]);
    let waiting = bent(rolling(), |s| s.operator_says("machine-config", condition("Progressing", False, ago(10))));
    check_oc(&waiting, &[("left", "Known 1860s of 4260s")]);
    let flapping = |s: &mut Snapshot| s.operator_says("network", condition("Progressing", False, ago(5)));
    check_oc(&bent(rolling(), flapping), &[("left", "Known 1860s of 4260s")]);
    check_oc(&bent(waiting, flapping), &[("left", "Known 2640s of 5040s")]);
    // Any other operator that is alone counts with the rest.
    let other = bent(rolling(), |s| {
        at(s.operator("machine-config"), NEW);
        at(s.operator("dns"), OLD);
        s.operator_says("machine-config", condition("Progressing", False, ago(5)));
        s.operator_says("dns", condition("Progressing", True, ago(10)));
    });
    check_oc(&other, &[("left", "Known 2640s of 5040s")]);
}

#[test]
fn oc_6_6_the_baseline_leaves_out_the_installation() {
    let check = |entries: &[(&str, i64)], left: &str| {
        let snapshot = bent(updating(), |s| {
            timed(s, 4, 2);
            s.cv().status.history.truncate(1);
            for (state, minutes) in entries {
                let old = entry(state, OLD, "image-1", ago(9000 + minutes), Some(ago(9000)));
                s.cv().status.history.push(old);
            }
        });
        check_oc(&snapshot, &[("left", left)]);
    };
    let hour = "Known 4020s of 4260s";
    check(&[], hour);
    check(&[("Completed", 100)], hour);
    check(&[("Completed", 100), ("Completed", 10)], "Known 6900s of 7140s");
    check(&[("Partial", 5), ("Completed", 100), ("Completed", 10)], "Known 6900s of 7140s");
    check(&[("Completed", 30), ("Completed", 100), ("Completed", 10)], "Known 1860s of 2100s");
    check(&[("Partial", 5), ("Completed", 10)], hour);
}

#[test]
fn oc_6_6_assessment_and_edges_of_the_estimate() {
    // By the baseline of one hour: what is over is divided by 1.2.
    let check = |seconds: i64, assessment: &str, left: &str| {
        let snapshot = bent(updating(), |s| {
            timed(s, 40, -1);
            s.cv().status.history[0].started_time = Some(seconds_ago(seconds));
            for name in &OPERATORS[..4] {
                at(s.operator(name), OLD);
            }
        });
        check_oc(&snapshot, &[("assessment", assessment), ("left", left)]);
    };
    check(3000, "Progressing", "Known 720s of 3720s");
    check(3599, "Progressing", "Known 1s of 3600s");
    // A zero estimate is not told.
    check(3600, "Progressing", "-");
    check(3601, "Progressing", "-");
    check(3602, "Progressing - Slow", "Known -1s of 3600s");
    check(3600 + 720, "Progressing - Slow", "Known -600s of 3720s");
    check(3600 + 722, "Stalled", "Overdue -601s of 3720s");
}

#[test]
fn oc_6_6_without_history_or_start() {
    let snapshot = bent(updating(), |s| s.cv().status.history.clear());
    check_oc(&snapshot, &[("left", "Known 4320s of 4320s"), ("took", "-"), ("assessment", "Progressing")]);
    let no_start = bent(updating(), |s| s.cv().status.history[0].started_time = None);
    check_oc(&no_start, &[("took", "9223372036s")]);
}

#[test]
fn oc_6_3_completion() {
    let all = |s: &mut Snapshot| {
        for name in OPERATORS {
            at(s.operator(name), NEW);
        }
    };
    check_oc(
        &bent(updating(), all),
        &[("assessment", "Completed"), ("ended", "2026-05-04T12:00:00Z"), ("took", "2400s")],
    );
    let ended = bent(updating(), |s| {
        all(s);
        s.ends(ago(5));
    });
    // Only while a pool is outdated is there a status at all.
    check_oc(&ended, &[("outcome", "Updating/Updating"), ("ended", "2026-05-04T11:55:00Z"), ("took", "2100s")]);
    let no_history = bent(updating(), |s| {
        all(s);
        s.cv().status.history.clear();
    });
    check_oc(&no_history, &[("ended", "0001-01-01T00:00:00Z")]);
}

#[test]
fn oc_6_7_operators_on_the_way_keep_reason_and_message() {
    let snapshot = bent(updating(), |s| s.operator_says("network", said("Progressing", True, ago(5), "", "one\ntwo")));
    check_oc(&snapshot, &[("co network", "True/Progressing True/AsExpected"), ("co network message", "one\ntwo")]);
}
