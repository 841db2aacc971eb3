//! Saying yes: which step is meant, what could be said instead, and the list that follows.

use headway_api::update::word::Word;
use headway_api::upgrade::spec::{Approval as Entry, Asked, Gates};
use headway_api::upgrade::status::{ClusterUpgradeStatus, PlanStatus, WaitStatus};
use headway_api::upgrade::{ClusterUpgrade, ClusterUpgradeSpec};
use headway_core::drive::{Approver, Ruling, approve, revoke};
use jiff::Timestamp;

const ALICE: &str = "alice@example.com";

fn now() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn entry(step: &str, by: &str) -> Entry {
    Entry { step: step.into(), by: by.into(), at: now() }
}

/// Asks for v1.33.0, with this asked of people, these steps waited for, and these approved.
fn upgrade(asked: Option<Asked>, waits: &[&str], approved: &[&str]) -> ClusterUpgrade {
    let mut upgrade = ClusterUpgrade::new("c1", ClusterUpgradeSpec::default());
    upgrade.metadata.namespace = Some("fleet".into());
    upgrade.spec.version = "1.33.0".into();
    upgrade.spec.gates = Some(Gates { approval: asked.map(Word::Known), ..Gates::default() });
    upgrade.spec.approvals = approved.iter().map(|step| entry(step, "bob")).collect();
    let wait = |step: &&str| WaitStatus {
        reason: "ApprovalRequired".into(),
        message: format!("{step} is not approved"),
        opens: String::new(),
        step: (*step).into(),
        since: None,
        until: None,
    };
    let hook = WaitStatus { step: String::new(), reason: "LifecycleHookBlocking".into(), ..wait(&"") };
    let list = |versions: &[&str]| versions.iter().map(|version| (*version).to_owned()).collect();
    let plan = PlanStatus {
        source: "VersionList".into(),
        left: 3,
        control_plane: list(&["v1.31.0", "v1.32.0", "v1.33.0"]),
        workers: list(&["v1.30.0", "v1.33.0"]),
    };
    upgrade.status = Some(ClusterUpgradeStatus {
        waiting_on: [hook].into_iter().chain(waits.iter().map(wait)).collect(),
        plan: Some(plan),
        ..ClusterUpgradeStatus::default()
    });
    upgrade
}

fn told(ruling: Result<Ruling, impl ToString>) -> String {
    match ruling {
        Err(error) => error.to_string(),
        Ok(Ruling::Already(entry)) => format!("{} by {}", entry.step, entry.by),
        Ok(Ruling::Write { step, approvals }) => {
            let all: Vec<String> = approvals.iter().map(|entry| format!("{} by {}", entry.step, entry.by)).collect();
            format!("{step}: [{}]", all.join(", "))
        }
    }
}

const AHEAD: &str =
    "workers/v1.30.0, control-plane/v1.31.0, control-plane/v1.32.0, control-plane/v1.33.0, workers/v1.33.0";

#[test]
fn the_step_that_is_meant_is_approved() {
    let check = |upgrade: &ClusterUpgrade, step: Option<&str>, expect: &str| {
        assert_eq!(told(approve(upgrade, step, Approver { name: ALICE, at: now() })), expect, "{step:?}");
    };
    let step = Some(Asked::PerStep);
    let cp = "control-plane/v1.31.0";
    let waits = upgrade(step, &[cp], &[]);
    check(&waits, None, "control-plane/v1.31.0: [control-plane/v1.31.0 by alice@example.com]");
    check(&waits, Some(cp), "control-plane/v1.31.0: [control-plane/v1.31.0 by alice@example.com]");
    // As the gate writes it.
    check(&waits, Some("workers/1.33.0"), "workers/v1.33.0: [workers/v1.33.0 by alice@example.com]");
    check(
        &waits,
        Some("workers/v1.32.0"),
        &format!(
            "workers/v1.32.0 is not on the way of ClusterUpgrade fleet/c1; what can be approved: control-plane/v1.31.0, {}",
            AHEAD.replace("control-plane/v1.31.0, ", "")
        ),
    );
    for wrong in ["", "control-plane", "control-plane/", "control-plane/x", "pools/v1.31.0", "workers/v1.31.0/x"] {
        check(
            &waits,
            Some(wrong),
            &format!("\"{wrong}\" is no step, such as control-plane/v1.31.0 or workers/v1.31.0, and no version"),
        );
    }
    // Those of others stay.
    check(
        &upgrade(step, &["workers/v1.33.0"], &[cp]),
        None,
        "workers/v1.33.0: [control-plane/v1.31.0 by bob, workers/v1.33.0 by alice@example.com]",
    );
    check(&upgrade(step, &["workers/v1.33.0"], &[cp]), Some(cp), "control-plane/v1.31.0 by bob");
    // What was approved since the status was written is not waited for.
    check(
        &upgrade(step, &[cp], &[cp]),
        None,
        &format!(
            "ClusterUpgrade fleet/c1 waits for no approval now; what can be approved: {}",
            AHEAD.replace("control-plane/v1.31.0, ", "")
        ),
    );
    check(
        &upgrade(step, &[], &[]),
        None,
        &format!("ClusterUpgrade fleet/c1 waits for no approval now; what can be approved: {AHEAD}"),
    );
    check(
        &upgrade(step, &["workers/v1.30.0", cp], &[]),
        None,
        "ClusterUpgrade fleet/c1 waits for 2 approvals: name one of workers/v1.30.0, control-plane/v1.31.0",
    );
    // Once for the whole way.
    let chain = Some(Asked::PerChain);
    check(&upgrade(chain, &["v1.33.0"], &[]), None, "v1.33.0: [v1.33.0 by alice@example.com]");
    check(&upgrade(chain, &[], &[]), Some("1.33.0"), "v1.33.0: [v1.33.0 by alice@example.com]");
    check(
        &upgrade(chain, &[], &[]),
        Some(cp),
        "control-plane/v1.31.0 is not on the way of ClusterUpgrade fleet/c1; what can be approved: v1.33.0",
    );
    // Nobody is asked.
    let nobody = "ClusterUpgrade fleet/c1 asks for no approval: its spec.gates.approval is not PerStep or PerChain";
    for asked in [None, Some(Asked::NotRequired)] {
        check(&upgrade(asked, &[], &[]), None, nobody);
        check(&upgrade(asked, &[], &[]), Some(cp), nobody);
    }
    // Before anybody looked at the cluster, whatever may be a step is taken.
    let mut new = upgrade(step, &[], &[]);
    new.status = None;
    check(&new, None, "ClusterUpgrade fleet/c1 waits for no approval now");
    check(&new, Some("workers/v1.29.0"), "workers/v1.29.0: [workers/v1.29.0 by alice@example.com]");
    // There is an end to it.
    let mut full = upgrade(step, &[cp], &[]);
    full.spec.approvals = (0..256).map(|at| entry(&format!("workers/v1.1.{at}"), "bob")).collect();
    check(
        &full,
        None,
        "ClusterUpgrade fleet/c1 has 256 approvals, and there may be no more: take old ones away with --revoke",
    );
}

#[test]
fn an_approval_is_taken_back() {
    let check = |approved: &[&str], step: Option<&str>, expect: &str| {
        assert_eq!(told(revoke(&upgrade(None, &[], approved), step)), expect, "{step:?}");
    };
    let (cp, workers) = ("control-plane/v1.31.0", "workers/v1.31.0");
    check(&[cp], None, "control-plane/v1.31.0: []");
    check(&[cp, workers], Some(cp), "control-plane/v1.31.0: [workers/v1.31.0 by bob]");
    check(&[cp, workers], Some("control-plane/1.31.0"), "control-plane/v1.31.0: [workers/v1.31.0 by bob]");
    // Whatever it is, it can be taken away.
    check(&["typo", workers], Some("typo"), "typo: [workers/v1.31.0 by bob]");
    check(
        &[cp, workers],
        None,
        "ClusterUpgrade fleet/c1 has several approvals: name one of control-plane/v1.31.0, workers/v1.31.0",
    );
    check(
        &[cp],
        Some(workers),
        "workers/v1.31.0 of ClusterUpgrade fleet/c1 is not approved; approved is control-plane/v1.31.0",
    );
    check(&[cp], Some("typo"), "\"typo\" is no step, such as control-plane/v1.31.0 or workers/v1.31.0, and no version");
    check(&[], None, "ClusterUpgrade fleet/c1 has no approvals");
    check(&[], Some(cp), "ClusterUpgrade fleet/c1 has no approvals");
}
