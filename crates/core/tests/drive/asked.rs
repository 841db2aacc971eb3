//! What a ClusterUpgrade asks for and what its status tells: what is refused with its field, what is remembered, and what
//! people read while a chain is walked (chained-upgrades.md, 7.2).

use std::collections::BTreeMap;

use headway_api::cluster_api::Cluster;
use headway_api::hooks::Lifecycle;
use headway_api::plan::PlanSource;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::status::{ClusterUpgradeStatus, Mode};
use headway_core::drive::{
    Account, Answers, Change, Decision, Effect, Hooks, Observed, PlanFrom, Planned, Refusal, Said, Sighting, change,
    decide, happenings, last_plan, observe, plan_from, refused, status,
};
use headway_core::plan::Source;
use headway_core::preview::Inventory;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::scene::now;
use super::seen::inventory;

fn upgrade(spec: &Value, status: &Value) -> ClusterUpgrade {
    let mut all = json!({ "clusterName": "gull", "version": "v1.33.0",
        "plan": { "kubernetesVersions": ["v1.31.0", "v1.32.0", "v1.33.0"] } });
    for (key, value) in spec.as_object().unwrap() {
        all[key] = value.clone();
    }
    let mut object = json!({ "apiVersion": "headway.dev/v1alpha1", "kind": "ClusterUpgrade",
        "metadata": { "name": "chain", "namespace": "bay", "generation": 3 }, "spec": all });
    if !status.is_null() {
        object["status"] = status.clone();
    }
    serde_json::from_value(object).unwrap()
}

fn see<'a>(
    upgrade: &'a ClusterUpgrade,
    inventory: &'a Inventory,
    owners: &'a BTreeMap<String, String>,
) -> Sighting<'a> {
    Sighting { upgrade, inventory, report: None, owners, rival: None }
}

#[test]
fn what_cannot_be_gone_by_is_refused_with_its_field() {
    let (seen, _) = inventory(&[]);
    let owners = BTreeMap::new();
    let check = |spec: &Value, status: &Value, expect: &str| {
        let upgrade = upgrade(spec, status);
        let told = match observe(&see(&upgrade, &seen, &owners), Hooks::default()) {
            Ok(_) => match plan_from(&upgrade) {
                Ok(_) => "walked".to_owned(),
                Err(refusal) => format!("{}: {refusal}", refusal.reason()),
            },
            Err(refusal) => format!("{}: {refusal}", refusal.reason()),
        };
        assert_eq!(told, expect, "{spec} {status}");
    };
    let spec = |spec: &Value, expect: &str| check(spec, &Value::Null, expect);
    spec(&json!({}), "walked");
    spec(&json!({"clusterName": "tern"}), "ClusterNotFound: there is no Cluster tern in the namespace bay");
    spec(&json!({"version": ""}), "InvalidSpec: spec.version: there is no version to go to");
    spec(&json!({"version": "soon"}), "InvalidSpec: spec.version: \"soon\" is not a version: `soon` is not a number");
    spec(
        &json!({"plan": {"kubernetesVersions": ["v1.32.0"], "extension": "a.b"}}),
        "InvalidSpec: spec.plan: it has both kubernetesVersions and an extension",
    );
    spec(&json!({"plan": {}}), "InvalidSpec: spec.plan: it has neither kubernetesVersions nor an extension");
    spec(
        &json!({"gates": {"soak": "soon"}}),
        "InvalidSpec: spec.gates.soak: \"soon\" is not a duration: a number is missing before \"soon\"",
    );
    spec(&json!({"gates": {"soak": "-1h"}}), "InvalidSpec: spec.gates.soak: \"-1h\" is negative");
    spec(
        &json!({"gates": {"approval": "Sometimes"}}),
        "InvalidSpec: spec.gates.approval: \"Sometimes\" is not known here",
    );
    spec(
        &json!({"gates": {"health": {"level": "Unknown"}}}),
        "InvalidSpec: spec.gates.health.level: Unknown is no level to hold against",
    );
    spec(
        &json!({"gates": {"health": {"exceptions": ["H-NODE-DEGRADED", "H-NONE"]}}}),
        "InvalidSpec: spec.gates.health.exceptions[1]: \"H-NONE\" is no rule",
    );
    spec(
        &json!({"gates": {"windows": [{"schedule": "0 22 * * *", "duration": "4h"}, {"schedule": "0 22 * *", "duration": "4h"}]}}),
        "InvalidSpec: spec.gates.windows[1].schedule: \"0 22 * *\" has 4 fields, and a schedule has 5: minute, hour, day of month, month, day of week",
    );
    let group = |kind: &str, name: &str| json!({"kind": kind, "name": name});
    spec(
        &json!({"stages": [{"name": "one", "groups": [group("MachineDeployment", "a")]}, {"name": "two", "groups": [group("MachineDeployment", "a")]}]}),
        "InvalidSpec: spec.stages[1].groups[0]: MachineDeployment/a is in the stage one already",
    );
    spec(
        &json!({"stages": [{"name": "one", "groups": [group("DaemonSet", "a")]}]}),
        "InvalidSpec: spec.stages[0].groups[0]: DaemonSet is no kind of workers",
    );
    // What somebody wrote into the status is not gone by either.
    let intent = |hook: &str, version: &str| json!({"intents": [{"hook": hook, "version": version}]});
    check(&json!({}), &intent("AfterWorkersUpgrade", "v1.32.0"), "walked");
    check(
        &json!({}),
        &intent("BeforeClusterDelete", "v1.32.0"),
        "InvalidSpec: status.intents[0].hook: \"BeforeClusterDelete\" is no hook of an upgrade",
    );
    check(
        &json!({}),
        &intent("AfterWorkersUpgrade", ""),
        "InvalidSpec: status.intents[0].version: \"\" is not a version: it is empty",
    );
}

#[test]
fn who_would_fight_is_refused() {
    let owners = BTreeMap::new();
    let asked = upgrade(&json!({}), &Value::Null);
    let (seen, _) = inventory(&[("/cluster/spec/topology", json!({"version": "v1.31.0"}))]);
    let refusal = observe(&see(&asked, &seen, &owners), Hooks::default()).unwrap_err();
    assert_eq!(refusal.reason(), "DrivenByTopology");
    let (seen, _) = inventory(&[]);
    let rival = Sighting { rival: Some("older"), ..see(&asked, &seen, &owners) };
    let refusal = observe(&rival, Hooks::default()).unwrap_err();
    assert_eq!(refusal.to_string(), "the ClusterUpgrade older drives the Cluster gull already; the older one counts");
    let told = refused(&asked, &refusal, now());
    let conditions: Vec<String> =
        told.conditions.iter().map(|it| format!("{}={} {}", it.kind, it.status, it.reason)).collect();
    assert_eq!(
        conditions,
        [
            "Accepted=False AlreadyDriven",
            "Ready=False AlreadyDriven",
            "Reconciling=False AlreadyDriven",
            "Stalled=True AlreadyDriven"
        ]
    );
    assert_eq!(change(None, &told), Change::News);
    let mut later = asked.clone();
    later.status = Some(told.clone());
    let again = refused(&later, &refusal, now().checked_add(SignedDuration::from_mins(1)).unwrap());
    assert_eq!(change(Some(&told), &again), Change::Nothing, "nothing is written twice");
}

/// A chain that is walked in memory: what is decided is done to the objects, machines come at once.
struct Walk {
    upgrade: ClusterUpgrade,
    inventory: Inventory,
    answers: Answers,
    /// Who answers hooks.
    says: fn(Lifecycle) -> Said,
    owners: BTreeMap<String, String>,
    lines: Vec<String>,
}

impl Walk {
    fn new(spec: &Value, says: fn(Lifecycle) -> Said) -> Self {
        let (inventory, _) = inventory(&[]);
        let upgrade = upgrade(spec, &Value::Null);
        Self { upgrade, inventory, answers: Answers::default(), says, owners: BTreeMap::new(), lines: Vec::new() }
    }

    fn look(&self) -> (Observed, PlanSource) {
        let hooks = Hooks { answered: Lifecycle::OF_UPGRADE.into_iter().collect(), answers: self.answers.clone() };
        let mut observed = observe(&see(&self.upgrade, &self.inventory, &self.owners), hooks).unwrap();
        let PlanFrom::List(list) = plan_from(&self.upgrade).unwrap() else { panic!("it is a list") };
        let source = Source::VersionList(list);
        observed.planned = Planned::of(&observed.situation(), &source, last_plan(&self.upgrade).as_ref());
        (observed, source.name())
    }

    /// Goes on until nothing is left to do. The statuses that were told, each with what happened.
    fn go(&mut self) -> ClusterUpgradeStatus {
        for _ in 0..64 {
            let (observed, source) = self.look();
            let decision = decide(&observed);
            self.answers.settle(&decision);
            let told = self.tell(&observed, &decision, &source);
            for effect in &decision.effects {
                self.apply(effect);
            }
            if decision.effects.is_empty() {
                return told;
            }
            self.inventory.moment.at = self.inventory.moment.at.checked_add(SignedDuration::from_mins(1)).unwrap();
        }
        panic!("it never ends: {:#?}", self.lines)
    }

    fn tell(&mut self, observed: &Observed, decision: &Decision, source: &PlanSource) -> ClusterUpgradeStatus {
        let account =
            Account { upgrade: &self.upgrade, mode: Mode::Direct, observed, decision, source, hindered: None };
        let told = status(account);
        let before = self.upgrade.status.as_ref();
        let news = happenings(before, &told);
        self.lines.extend(news.iter().map(|it| format!("{}: {}", it.reason, it.note)));
        // What is told is read back as it was written.
        let text = serde_json::to_string(&told).unwrap();
        assert_eq!(serde_json::from_str::<ClusterUpgradeStatus>(&text).unwrap(), told);
        self.upgrade.status = Some(told.clone());
        told
    }

    fn apply(&mut self, effect: &Effect) {
        match effect {
            // It is in the status.
            Effect::Record { .. } => {}
            Effect::Ask(call) => self.answers.hear(call, (self.says)(call.hook())),
            Effect::MoveControlPlane { to, .. } => {
                let control_plane = &mut self.inventory.control_planes[0];
                control_plane.spec.version = to.to_string();
                control_plane.status.version = to.to_string();
                self.renew("cp-1", &to.to_string());
            }
            Effect::MoveGroup { group, to, .. } => {
                let all = &mut self.inventory.machine_deployments;
                let found = all.iter_mut().find(|it| it.metadata.name == group.name).unwrap();
                found.spec.template.spec.version = to.to_string();
                self.renew(&group.name, &to.to_string());
            }
        }
    }

    fn renew(&mut self, machine: &str, version: &str) {
        let machine = self.inventory.machines.iter_mut().find(|it| it.metadata.name == machine).unwrap();
        machine.spec.version = version.to_owned();
        machine.status.node_info.kubelet_version = version.to_owned();
    }

    fn cluster(&mut self) -> &mut Cluster {
        &mut self.inventory.clusters[0]
    }
}

fn ready(status: &ClusterUpgradeStatus) -> String {
    let ready = status.conditions.of("Ready").unwrap();
    format!("{} {}: {}", ready.status, ready.reason, ready.message)
}

#[test]
fn ch_7_2_a_chain_is_told_from_its_beginning_to_its_end() {
    let mut walk = Walk::new(&json!({}), |_| Said::Go);
    let end = walk.go();
    assert_eq!(ready(&end), "True UpToDate: everything runs v1.33.0");
    assert_eq!(
        walk.lines,
        [
            "StepStarted: control-plane/v1.32.0 begins",
            "StepCompleted: control-plane/v1.32.0 is done, after 1m",
            "StepStarted: control-plane/v1.33.0 begins",
            "StepCompleted: control-plane/v1.33.0 is done, after 1m",
            "StepStarted: workers/v1.33.0 begins",
            "StepCompleted: workers/v1.33.0 is done, after 2m",
            "UpgradeCompleted: everything runs v1.33.0",
        ]
    );
    let [passed] = end.history.as_slice() else { panic!("{:?}", end.history) };
    assert_eq!((passed.from.as_str(), passed.to.as_str(), passed.steps.len()), ("v1.31.0", "v1.33.0", 3));
    assert!(passed.completed_at.is_some() && end.intents.is_empty() && end.step.is_none());
    // Looked at again, nothing is new.
    let again = walk.go();
    assert_eq!(change(Some(&end), &again), Change::Nothing);
}

#[test]
fn ch_7_2_whatever_holds_it_is_in_the_message() {
    let wait = |hook: Lifecycle| match hook {
        Lifecycle::BeforeWorkersUpgrade => Said::Wait {
            since: now(),
            until: now().checked_add(SignedDuration::from_hours(9)).unwrap(),
            message: "two\nlines".into(),
        },
        _ => Said::Go,
    };
    let mut walk = Walk::new(&json!({}), wait);
    let told = walk.go();
    assert_eq!(
        ready(&told),
        "False LifecycleHookBlocking: upgrading to v1.33.0\n  * BeforeWorkersUpgrade: two lines\n  * MachineDeployments a, b pending upgrade to v1.33.0"
    );
    let failed = |hook: Lifecycle| match hook {
        Lifecycle::BeforeClusterUpgrade => Said::Failed {
            since: now(),
            until: now().checked_add(SignedDuration::from_hours(9)).unwrap(),
            message: "no disk".into(),
        },
        _ => Said::Go,
    };
    let told = Walk::new(&json!({}), failed).go();
    assert_eq!(
        ready(&told),
        "False LifecycleHookFailed: upgrading to v1.33.0\n  * BeforeClusterUpgrade: no disk\n  * KubeadmControlPlane/cp pending upgrade to v1.32.0, v1.33.0\n  * MachineDeployments a, b pending upgrade to v1.33.0"
    );
    assert_eq!(told.conditions.of("Stalled").unwrap().reason, "LifecycleHookFailed");

    // Gates say what would open them; an approval names its step.
    let mut walk = Walk::new(&json!({"gates": {"approval": "PerStep", "soak": "30m"}}), |_| Said::Go);
    let told = walk.go();
    assert_eq!(
        ready(&told).lines().last(),
        Some(
            "  * control-plane/v1.32.0 is not approved; what would open it: somebody who may approves control-plane/v1.32.0"
        )
    );
    assert_eq!(told.waiting_on[0].step, "control-plane/v1.32.0");
    walk.upgrade.spec = upgrade(
        &json!({"gates": {"approval": "PerStep", "soak": "30m"}, "approvals": [
            {"step": "control-plane/v1.32.0", "by": "ann", "at": "2026-05-04T12:00:00Z"},
            {"step": "control-plane/v1.33.0", "by": "ann", "at": "2026-05-04T12:00:00Z"}]}),
        &Value::Null,
    )
    .spec;
    let told = walk.go();
    assert_eq!(told.waiting_on[0].reason, "Soaking");
    let still = told.still_since.unwrap();
    assert_eq!(told.waiting_on[0].until, still.checked_add(SignedDuration::from_mins(30)).ok());
    // Whoever takes over waits no longer than that, and a new step forgets it.
    walk.inventory.moment.at = still.checked_add(SignedDuration::from_mins(30)).unwrap();
    let told = walk.go();
    let reasons: Vec<&str> = told.waiting_on.iter().map(|wait| wait.reason.as_str()).collect();
    assert_eq!(reasons, ["ApprovalRequired", "Soaking"]);
    assert!(told.still_since.unwrap() > still, "{told:#?}");

    walk.cluster().spec.paused = true;
    assert_eq!(walk.go().waiting_on[0].message, "it is paused by spec.paused of Cluster bay/gull");
}

#[test]
fn since_when_it_waits_is_remembered_while_the_words_change() {
    let mut walk = Walk::new(&json!({"paused": true}), |_| Said::Go);
    let first = walk.go();
    let since = first.waiting_on[0].since;
    assert_eq!(since, Some(now()));
    walk.inventory.moment.at = now().checked_add(SignedDuration::from_hours(3)).unwrap();
    let later = walk.go();
    assert_eq!((later.waiting_on[0].since, change(Some(&first), &later)), (since, Change::Nothing));
}

#[test]
fn a_version_that_another_keeps_is_waited_for() {
    let mut walk = Walk::new(&json!({}), |_| Said::Go);
    walk.owners.insert("KubeadmControlPlane/cp".into(), "kustomize-controller".into());
    let told = walk.go();
    assert_eq!(told.waiting_on[0].message, "kustomize-controller keeps the version of KubeadmControlPlane/cp");
    assert_eq!(told.conditions.of("Stalled").unwrap().status.to_string(), "True");
    assert!(matches!(plan_from(&walk.upgrade), Ok(PlanFrom::List(_))));
    assert!(!matches!(Refusal::field("a", "b"), Refusal::Rival { .. }));
}
