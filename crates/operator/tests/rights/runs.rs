//! An update from its middle to its end, watched by an operator that may do what the chart lets it do.

use std::collections::BTreeSet;

use headway_testenv::{Options, Plane};
use serde_json::Value;

use super::audit::{self, Request};
use super::chart::{self, NAME, NAMESPACE, Right};
use super::cluster::{self, NOW};
use super::program::Operator;

/// The chart as it comes, on a cluster that keeps no others.
const DEFAULT: &[&str] = &["--set=openshift.enabled=true,fleet.enabled=false"];

/// With everything that can be kept.
const INSIGHTS: &[&str] = &[
    "--set=openshift.enabled=true,fleet.enabled=false",
    "--set=roles.status.render={singleton,pool-details,insights}",
];

/// With alerts from elsewhere than OpenShift's route, where nobody answers either.
const PROMETHEUS: &[&str] =
    &["--set=openshift.enabled=true,fleet.enabled=false", "--set=prometheus.url=https://127.0.0.1:9"];

/// On a management cluster with control planes of one provider, whose clusters are asked themselves.
const FLEET: &[&str] =
    &["--set=fleet.enabled=true,fleet.controlPlanes={kubeadmcontrolplanes},fleet.workloads.enabled=true"];

/// What is read and kept of a fleet alone: other rights are those of a single cluster.
const OF_FLEET: [&str; 4] =
    ["cluster.x-k8s.io", "controlplane.cluster.x-k8s.io", "runtime.cluster.x-k8s.io", "hypershift.openshift.io"];

const KEPT: &str = "updatestatuses,poolupdatestatuses,clusterversionprogressinsights,clusteroperatorprogressinsights,\
                    machineconfigpoolprogressinsights,nodeprogressinsights,healthinsights";

/// Runs the operator through an update with the chart's rights. Answers those of its rights that were not needed.
fn unused(plane: &Plane, values: &[&str]) -> BTreeSet<Right> {
    chart::install(plane, values);
    let before = audit::requests(plane, &chart::account()).len();
    plane.kubectl_text(&["delete", KEPT, "--all"]).unwrap();
    plane.kubectl_text(&["delete", "lease", "--all", "--namespace", NAMESPACE]).unwrap();
    let now = watched(plane);
    let mut operator = Operator::start(plane, now);
    // It goes on with what it finds of its own, and its lease was given back.
    operator.wait("it leads again", |operator| operator.metric("headway_leader") == Some(1.0));
    cluster::put(plane, &cluster::update());
    operator.wait("it writes again", |_| names(plane, "poolupdatestatuses").contains("infra-0"));
    operator.stop();
    let requests = audit::requests(plane, &chart::account()).split_off(before);
    let denied = denied(&requests);
    assert!(denied.is_empty(), "denied with {values:?}: {denied:#?}");
    let is_unused = |right: &Right| !requests.iter().any(|request| request.needs(right));
    chart::rights(plane).into_iter().filter(is_unused).collect()
}

fn denied(requests: &[Request]) -> Vec<&Request> {
    requests.iter().filter(|request| request.is_denied()).collect()
}

/// An update as an operator watches it that then is stopped. Answers what its clock says.
fn watched(plane: &Plane) -> jiff::Timestamp {
    cluster::put(plane, &cluster::update());
    let mut operator = Operator::start(plane, NOW);
    operator.wait("everything is told", |_| {
        let requests = audit::requests(plane, &chart::account());
        let has_asked = |resource: &str| requests.iter().any(|request| request.is_of(resource));
        names(plane, "poolupdatestatuses") == BTreeSet::from(["infra-0".to_owned(), "worker-0".to_owned()])
            && ["pods", "poddisruptionbudgets"].into_iter().all(has_asked)
    });
    operator.wait("a drain that lasts and a pool that is paused are found", |_| {
        let told = findings(plane);
        told.contains("H-DRAIN-BLOCKED") && told.contains("H-POOL-PAUSED")
    });
    cluster::put(plane, &cluster::goes_on());
    operator.wait("the pool has resumed and the drain is over", |_| {
        let told = findings(plane);
        !told.contains("H-DRAIN-BLOCKED") && !told.contains("H-POOL-PAUSED")
    });
    // What is gone is no longer told of.
    plane.kubectl_text(&["delete", "clusteroperator", "dns"]).unwrap();
    plane.kubectl_text(&["delete", "machineconfigpool", "infra"]).unwrap();
    plane.kubectl_text(&["delete", "node", "i-0"]).unwrap();
    operator.wait("what is gone is no longer kept", |_| {
        let has = |plural: &str, name: &str| names(plane, plural).contains(name);
        !has("poolupdatestatuses", "infra-0")
            && !has("clusteroperatorprogressinsights", "dns")
            && !has("machineconfigpoolprogressinsights", "infra")
    });
    operator.stop()
}

/// The rules of the findings that are told of.
fn findings(plane: &Plane) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    cluster::list(plane, "updatestatuses").iter().for_each(|status| rules(status, &mut all));
    all
}

fn rules(told: &Value, all: &mut BTreeSet<String>) {
    match told {
        Value::Object(members) => {
            all.extend(members.get("ruleID").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| rules(member, all));
        }
        Value::Array(items) => items.iter().for_each(|item| rules(item, all)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The names of all objects of a kind of ours.
fn names(plane: &Plane, plural: &str) -> BTreeSet<String> {
    let all = cluster::list(plane, plural);
    all.iter().map(|object| object["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

fn told(rights: &BTreeSet<Right>) -> Vec<String> {
    rights.iter().map(ToString::to_string).collect()
}

fn plane(flags: &[&str]) -> Plane {
    let options = Options { apiserver_flags: flags.iter().map(|flag| (*flag).to_owned()).collect() };
    let plane = Plane::start_with(&options).unwrap();
    plane.apply_foreign_crds().unwrap();
    plane
}

/// A server that does not stream lists is asked for lists, and then watched.
#[test]
#[ignore = "ring 2: a real API server"]
fn the_chart_gives_every_right_that_is_needed_and_no_other() {
    let plane = plane(&["--feature-gates=WatchList=false"]);
    for values in [INSIGHTS, DEFAULT, PROMETHEUS] {
        assert_eq!(told(&unused(&plane, values)), Vec::<String>::new(), "not needed with {values:?}");
    }
    // The log would have said it.
    let kubeconfig = plane.account_kubeconfig(NAMESPACE, NAME).unwrap();
    let more = ["--kubeconfig", kubeconfig.to_str().unwrap(), "--namespace", NAMESPACE];
    assert!(plane.kubectl_text(&[&["get", "secrets"], &more[..]].concat()).is_err());
    assert_eq!(denied(&audit::requests(&plane, &chart::account())).len(), 1);
}

/// Whether it is one of those that the value for fleets asks for.
fn is_of_fleet(right: &Right) -> bool {
    OF_FLEET.contains(&right.group.as_str())
        || ["namespaces", "secrets"].contains(&right.resource.as_str())
        || right.resource.contains("clusterupdatestatuses")
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_fleet_needs_every_right_that_it_gets_and_no_other() {
    let plane = plane(&["--feature-gates=WatchList=false"]);
    plane.apply_cluster_api_crds().unwrap();
    chart::install(&plane, FLEET);
    cluster::put(&plane, &cluster::kept());
    let mut operator = Operator::start(&plane, NOW);
    let statuses = ["clusterupdatestatuses", "hostedclusterupdatestatuses"];
    operator.wait("each cluster has a status", |_| statuses.iter().all(|plural| !names(&plane, plural).is_empty()));
    operator.wait("one that is being updated is asked itself", |operator| {
        operator.metric("headway_fleet_workload_looks_total{outcome=\"kubeconfig\"}").is_some()
    });
    plane.kubectl_text(&["delete", "clusters.cluster.x-k8s.io,hostedclusters", "--all", "-n", "default"]).unwrap();
    operator.wait("it goes with its cluster", |_| statuses.iter().all(|plural| names(&plane, plural).is_empty()));
    operator.stop();
    let requests = audit::requests(&plane, &chart::account());
    let denied: Vec<&Request> = denied(&requests);
    assert!(denied.is_empty(), "{denied:#?}");
    let all = chart::rights(&plane);
    let asked = all.iter().filter(|right| is_of_fleet(right));
    let unused = asked.filter(|right| !requests.iter().any(|request| request.needs(right))).cloned().collect();
    assert_eq!(told(&unused), Vec::<String>::new(), "not needed");
    // Who is given none of them does not ask.
    let before = requests.len();
    chart::install(&plane, DEFAULT);
    let mut operator = Operator::start(&plane, NOW);
    operator.wait("it leads again", |operator| operator.metric("headway_leader") == Some(1.0));
    operator.stop();
    let requests = audit::requests(&plane, &chart::account()).split_off(before);
    let of_fleet: Vec<&Request> =
        requests.iter().filter(|request| all.iter().any(|right| is_of_fleet(right) && request.needs(right))).collect();
    assert!(of_fleet.is_empty(), "{of_fleet:#?}");
}

/// What drives clusters writes their versions, and of what is its own the status alone.
#[test]
#[ignore = "ring 2: a real API server"]
fn whoever_drives_needs_every_right_that_it_gets_and_no_other() {
    const DRIVE: &str = "headway-operator-drive";
    let plane = plane(&["--feature-gates=WatchList=false"]);
    plane.apply_cluster_api_crds().unwrap();
    chart::install(
        &plane,
        &["--set=roles.status.enabled=false,roles.drive.enabled=true,fleet.controlPlanes={kubeadmcontrolplanes}"],
    );
    cluster::make_to_drive(&plane);
    let mut operator = Operator::start_as(&plane, DRIVE, NOW);
    let upgrade = || chart::get(&plane, &["clusterupgrade", "a", "--namespace", "default"])["status"].clone();
    operator.wait("the control plane moves", |_| upgrade()["step"]["name"] == "control-plane/v1.34.0");
    cluster::renew(&plane, "server");
    operator.wait("the worker moves", |_| upgrade()["step"]["name"] == "workers/v1.34.0");
    cluster::renew(&plane, "worker");
    operator.wait("somebody is asked and does not answer", |_| {
        upgrade()["waitingOn"][0]["reason"] == "LifecycleHookFailed"
    });
    operator.stop();
    let requests = audit::requests(&plane, &chart::account_of(DRIVE));
    let denied: Vec<&Request> = denied(&requests);
    assert!(denied.is_empty(), "{denied:#?}");
    let is_unused = |right: &Right| !requests.iter().any(|request| request.needs(right));
    let all = chart::rights_of(&plane, DRIVE);
    let unused: Vec<String> = all.into_iter().filter(is_unused).map(|right| right.to_string()).collect();
    // Nothing here has a MachinePool.
    assert_eq!(unused, ["get machinepools.cluster.x-k8s.io", "patch machinepools.cluster.x-k8s.io"]);
}

/// Of a server that streams lists, no list of what is watched is asked for. All else is as with the other.
#[test]
#[ignore = "ring 2: a real API server"]
fn a_server_that_streams_lists_is_only_watched() {
    let plane = plane(&[]);
    let unused = unused(&plane, INSIGHTS);
    let all = chart::rights(&plane);
    let watched = all.iter().filter(|right| right.verb == "watch");
    let lists = watched.map(|right| Right { verb: "list".into(), ..right.clone() });
    assert_eq!(told(&unused), told(&lists.collect()));
}
