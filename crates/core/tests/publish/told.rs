//! What a status tells at a glance: the flat summary and the conditions, for all forms of clusters.

use headway_api::insight::{Level, ResourceRef};
use headway_api::report::{
    Activity, Assessment, Condition, Counted, Form, Outcome, Phase, PoolAssessment, Position, Report, Tally, Truth,
    WaitingOn,
};
use headway_api::update::condition::kind;
use headway_api::update::word::{InsightType, Surface};
use headway_core::memory::Memory;
use headway_core::publish::{self, Source, Writer};

use super::fleet::{aws, condition, finding, minutes_ago, published, report, unit, writer};

/// A cluster of Cluster API on the first of two steps.
fn stepping() -> Report {
    let mut report = report(vec![("web", vec![unit("web-1".into(), "web", Phase::Pending)])], Vec::new());
    let cluster = &mut report.cluster;
    cluster.form = Form::ClusterApi;
    cluster.name = Some("checkout".into());
    cluster.namespace = Some("shop".into());
    cluster.assessment = Assessment::Progressing;
    cluster.updating = condition(Truth::True, "RollingOut", "1 of 3 machines are at v1.33.5");
    cluster.versions.previous = Some("v1.32.9".into());
    cluster.versions.target = Some("v1.34.2".into());
    cluster.versions.plan = vec!["v1.33.5".into(), "v1.34.2".into()];
    cluster.versions.position = Some(Position { step: 1, of: 2 });
    cluster.tally = Some(Tally { of: Counted::Machines, done: 1, total: 3 });
    cluster.completed_at = None;
    report.waiting_on = vec![WaitingOn {
        what: "machines of checkout-cp".into(),
        message: "KubeadmControlPlane/checkout-cp is rolling".into(),
        since: None,
    }];
    let group = ["controlplane.cluster.x-k8s.io", "cluster.x-k8s.io"];
    let resource = ["rke2controlplanes", "machinedeployments"];
    for (at, pool) in report.pools.iter_mut().enumerate() {
        pool.resource = Some(ResourceRef::namespaced(group[at], resource[at], "shop", &pool.name));
    }
    for unit in &mut report.units {
        unit.kind = "Machine";
    }
    report
}

#[test]
fn us_s72_a_summary_tells_the_step_and_what_comes_next() {
    let summary = published(&stepping()).status.summary.expect("a summary");
    assert_eq!(summary.from.as_deref(), Some("v1.32.9"));
    assert_eq!(summary.to.as_deref(), Some("v1.34.2"));
    assert_eq!(summary.step.as_deref(), Some("1/2"));
    assert_eq!(summary.next.as_deref(), Some("v1.33.5"));
    assert_eq!(summary.machines.as_deref(), Some("3/4"));
    assert_eq!(summary.waiting_on.as_deref(), Some("KubeadmControlPlane/checkout-cp is rolling"));
    assert_eq!(summary.since, Some(minutes_ago(120)));
    // At rest there is no step, and on the last one nothing comes next but the target.
    let mut last = stepping();
    last.cluster.versions.plan = vec!["v1.34.2".into()];
    last.cluster.versions.position = Some(Position { step: 2, of: 2 });
    let summary = published(&last).status.summary.expect("a summary");
    assert_eq!((summary.step.as_deref(), summary.next), (Some("2/2"), None));
    last.activity = Activity::NotUpdating;
    let summary = published(&last).status.summary.expect("a summary");
    assert_eq!((summary.step, summary.next), (None, None));
}

#[test]
fn us_8_a_summary_is_less_than_four_kilobytes() {
    let mut report = stepping();
    // Characters of four bytes, and those that take two as JSON.
    let long = format!("{}{}", "\u{1f680}".repeat(500), "\"\\\n".repeat(500));
    report.cluster.versions.target = Some(long.clone());
    report.cluster.versions.previous = Some(long.clone());
    report.cluster.versions.plan = vec![format!("v{long}"), long.clone()];
    report.cluster.versions.position = Some(Position { step: usize::MAX, of: usize::MAX });
    report.pools[0].counts.desired = Some(usize::MAX / 4);
    report.waiting_on[0].message.clone_from(&long);
    report.insights = vec![finding(1, &aws(1), "x")];
    report.insights[0].summary = long;
    let summary = published(&report).status.summary.expect("a summary");
    let size = serde_json::to_vec(&summary).expect("JSON").len();
    assert!(size < 4_096, "{size} bytes");
    assert!(summary.worst.is_some() && summary.waiting_on.is_some() && summary.next.is_some());
}

/// Changes a report that stands still, and tells which of Ready, Reconciling and Stalled hold and why.
fn check(what: &str, bend: impl Fn(&mut Report), expect: [(Truth, &str); 3]) {
    checked_by(what, &writer(), bend, expect);
}

fn checked_by(what: &str, writer: &Writer<'_>, bend: impl Fn(&mut Report), expect: [(Truth, &str); 3]) {
    let mut report = stepping();
    (report.activity, report.outcome) = (Activity::NotUpdating, Outcome::NotUpdating);
    report.cluster.assessment = Assessment::Completed;
    report.cluster.updating = condition(Truth::False, "NotUpdating", "");
    report.waiting_on.clear();
    for pool in &mut report.pools {
        pool.assessment = PoolAssessment::Completed;
        pool.updating = condition(Truth::False, "Updated", "");
    }
    bend(&mut report);
    let source = Source { report: &report, memory: &Memory::default(), writer, past: None };
    let status = publish::status(source, publish::Level::FULL).status;
    let told = [kind::READY, kind::RECONCILING, kind::STALLED].map(|kind| {
        let condition = status.conditions.of(kind).expect("it is told");
        assert_eq!(condition.observed_generation, Some(1), "{what}: {kind}");
        (condition.status.to_string(), condition.reason.clone())
    });
    assert_eq!(told, expect.map(|(truth, reason)| (truth.to_string(), reason.to_owned())), "{what}");
}

/// An update that runs.
fn updates(report: &mut Report, status: Truth, reason: &str) {
    (report.activity, report.outcome) = (Activity::Updating, Outcome::Updating);
    report.cluster.assessment = Assessment::Progressing;
    report.cluster.updating = condition(status, reason, "");
}

#[test]
fn us_8_conditions_are_what_gitops_reads() {
    use Truth::{False, True, Unknown};
    check("at rest", |_| {}, [(True, "UpToDate"), (False, "NotUpdating"), (False, "AsExpected")]);
    check(
        "on its way",
        |report| updates(report, True, "RollingOut"),
        [(False, "Updating"), (True, "Progressing"), (False, "AsExpected")],
    );
    check(
        "asked for",
        |report| updates(report, True, "Accepted"),
        [(False, "Updating"), (True, "Accepted"), (False, "AsExpected")],
    );
    check(
        "held by a hook",
        |report| updates(report, False, "Blocked"),
        [(False, "Updating"), (True, "Held"), (False, "AsExpected")],
    );
    check(
        "workers on their way, the control plane done",
        |report| {
            updates(report, False, "NotUpdating");
            report.pools[1].updating = condition(True, "Progressing", "");
        },
        [(False, "Updating"), (True, "Progressing"), (False, "AsExpected")],
    );
    check(
        "something needs attention",
        |report| {
            updates(report, True, "RollingOut");
            report.outcome = Outcome::NeedsAttention;
        },
        [(False, "Updating"), (True, "Progressing"), (False, "AsExpected")],
    );
    check(
        "failing",
        |report| {
            updates(report, True, "RollingOut");
            report.outcome = Outcome::Failing;
        },
        [(False, "Failing"), (False, "Stalled"), (True, "Failing")],
    );
    check(
        "stalled",
        |report| {
            updates(report, True, "RollingOut");
            report.outcome = Outcome::NeedsAttention;
            report.cluster.assessment = Assessment::Stalled;
        },
        [(False, "Updating"), (False, "Stalled"), (True, "Stalled")],
    );
    check(
        "it cannot be told whether it goes well",
        |report| {
            updates(report, True, "RollingOut");
            report.outcome = Outcome::CannotTell;
        },
        [(Unknown, "CannotTell"), (True, "Progressing"), (Unknown, "CannotTell")],
    );
    check(
        "nothing can be told",
        |report| (report.activity, report.outcome) = (Activity::Unknown, Outcome::CannotTell),
        [(Unknown, "CannotTell"), (Unknown, "CannotTell"), (Unknown, "CannotTell")],
    );
}

#[test]
fn who_does_not_see_does_not_call_it_ready() {
    use Truth::{False, True, Unknown};
    let told = |status: Truth| Condition { status, reason: "x".into(), message: "nodes: gone".into(), since: None };
    let expect = [(Unknown, "NotObserved"), (False, "NotUpdating"), (False, "AsExpected")];
    let mut starting = writer();
    starting.available = told(False);
    checked_by("starting", &starting, |_| {}, expect);
    let mut stale = writer();
    stale.degraded = told(True);
    checked_by("an informer is stale", &stale, |_| {}, expect);
}

#[test]
fn us_r7_what_is_told_of_a_kept_cluster_names_its_objects() {
    let mut report = stepping();
    report.insights = vec![finding(1, "web-1", "x")];
    report.insights[0].level = Level::Warning;
    report.insights[0].resources = vec![
        ResourceRef::namespaced("cluster.x-k8s.io", "machines", "shop", "web-1"),
        ResourceRef::namespaced("", "pods", "payments", "ledger-0"),
    ];
    let status = published(&report).status;
    let own = status.control_plane.as_ref().expect("a control plane");
    assert_eq!((own.resource.resource.as_str(), own.resource.name.as_str()), ("clusters", "checkout"));
    assert_eq!(own.resource.namespace.as_deref(), Some("shop"));
    assert_eq!(own.pool_resource.as_ref().map(|pool| pool.resource.as_str()), Some("rke2controlplanes"));
    let kinds: Vec<_> = own.insights().filter_map(|insight| insight.insight.kind.known()).collect();
    assert_eq!(kinds.first(), Some(&&InsightType::Cluster));
    assert!(kinds.contains(&&InsightType::ControlPlane) && !kinds.contains(&&InsightType::MachineConfigPool));
    let names: Vec<&str> = own.informers.iter().map(|informer| informer.name.as_str()).collect();
    assert_eq!(names, ["clusters", "machines", "rke2controlplanes"]);
    let pool = &status.worker_pools[0];
    assert_eq!(pool.resource.resource, "machinedeployments");
    // The finding stands with the pool of the machine that it names.
    let finding = pool.insights().find_map(|insight| insight.insight.health.as_ref()).expect("it stands there");
    let surfaces: Vec<_> = finding.scope.resources.iter().map(|told| told.cluster.clone()).collect();
    assert_eq!(surfaces, [None, Some(Surface::Workload.into())]);
    assert!(pool.node_groups.iter().all(|group| group.details.is_empty()), "there are no details of it");
}

#[test]
fn us_r7_a_component_and_an_operator_of_one_name_are_two() {
    let mut report = stepping();
    report.cluster.form = Form::Hosted;
    for pool in &mut report.pools {
        pool.resource = Some(ResourceRef::namespaced("hypershift.openshift.io", "nodepools", "shop", &pool.name));
    }
    let mut etcd = report.components[0].clone();
    etcd.name = "etcd".into();
    let part = ResourceRef::namespaced("hypershift.openshift.io", "controlplanecomponents", "shop-checkout", "etcd");
    let component = headway_api::report::Component { resource: Some(part), ..etcd.clone() };
    report.components = vec![component, etcd];
    let published = published(&report);
    assert_eq!(published.dropped, publish::Dropped::default());
    let own = published.status.control_plane.expect("a control plane");
    let told: Vec<(&str, Option<Surface>)> = own
        .insights()
        .filter_map(|insight| Some((insight.uid.as_str(), insight.insight.component()?)))
        .map(|(uid, told)| (uid, told.resource.as_ref().and_then(|found| found.cluster.clone()?.known().copied())))
        .collect();
    assert_eq!(told, [("cpc-etcd", None), ("co-etcd", Some(Surface::Hosted))]);
}
