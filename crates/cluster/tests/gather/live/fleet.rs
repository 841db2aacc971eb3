//! A management cluster, watched: which kinds are found, and what the informer of each says.

use std::sync::Arc;
use std::time::Duration;

use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, FleetInformers, Pace, Watching};
use headway_core::fleet::{Msg, Source};
use headway_core::inform::Kind;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::wire::{Reply, Wire};

const GROUP: &str = "/apis/cluster.x-k8s.io/v1beta2";
const OLDER: &str = "/apis/cluster.x-k8s.io/v1beta1";
const CLUSTERS: &str = "/apis/cluster.x-k8s.io/v1beta2/clusters";

/// What the group of Cluster API serves in a version.
const SERVED: &str = r#"{"kind": "APIResourceList", "resources": [{"name": "clusters", "kind": "Cluster"},
    {"name": "clusters/status", "kind": "Cluster"}, {"name": "machines", "kind": "Machine"}]}"#;

fn watching() -> Watching {
    let pace = Pace {
        beat: Duration::from_secs(600),
        refused: Duration::from_millis(20),
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        streaming: Duration::from_millis(50),
        idle: Duration::from_secs(600),
        patience: Duration::from_secs(5),
        ..Pace::default()
    };
    Watching { prometheus: None, limits: Limits::default(), pace, clock: Arc::new(|| Timestamp::UNIX_EPOCH) }
}

/// What an informer says, as many messages of it.
async fn listen(informers: &mut FleetInformers, source: &Source, count: usize) -> Vec<String> {
    let mut said = Vec::new();
    while said.len() < count {
        let next = tokio::time::timeout(Duration::from_secs(10), informers.next()).await;
        let Ok(Some(msg)) = next else { panic!("nothing more after {said:#?}") };
        if msg.source == *source {
            said.push(told(&msg));
        }
    }
    said
}

fn told(Msg { kind, .. }: &Msg) -> String {
    match kind {
        Kind::Hello => "hello".to_owned(),
        Kind::Upsert { uid, fact: _, flaws } => {
            let flaws: Vec<String> = flaws.iter().map(|flaw| format!(" ({flaw})")).collect();
            format!("{uid}{}", flaws.concat())
        }
        Kind::Remove { uid } => format!("{uid} is gone"),
        Kind::Synced { known } => format!("all: {}", known.iter().cloned().collect::<Vec<_>>().join(" ")),
        Kind::Beat { lag } => format!("lag {}", if lag.is_zero() { "none" } else { "some" }),
        Kind::Failed(failure) => format!("{:?}: {}", failure.kind, failure.message),
    }
}

fn check(wire: &Wire, expect: &[(Source, &[&str])]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for (source, expect) in expect {
            let mut informers = live::watch_fleet(&wire.cluster(), &watching(), &headway_core::fleet::FORMS);
            assert_eq!(listen(&mut informers, source, expect.len()).await, *expect, "{source}");
        }
    });
}

fn event(kind: &str, name: &str, version: u32) -> Value {
    let metadata = json!({"namespace": "fleet", "name": name, "resourceVersion": version.to_string()});
    let object = json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": metadata});
    json!({"type": kind, "object": object})
}

fn listed(version: u32) -> Value {
    let annotations = json!({"k8s.io/initial-events-end": "true"});
    json!({"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": version.to_string(), "annotations": annotations}}})
}

#[test]
fn what_is_served_is_found_and_watched() {
    let mut bent = event("ADDED", "b", 2);
    bent["object"]["spec"] = json!({"paused": "perhaps"});
    let events = vec![event("ADDED", "a", 1), bent, listed(2), event("DELETED", "a", 3)];
    let wire = Wire::default()
        .answers(GROUP, vec![Reply::Text(SERVED)])
        .answers(CLUSTERS, vec![Reply::Open(events)])
        .answers("/apis/cluster.x-k8s.io/v1beta2/machines", vec![Reply::Status(403, "no machines")]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut informers = live::watch_fleet(&wire.cluster(), &watching(), &headway_core::fleet::FORMS);
        let said = listen(&mut informers, &Source::Served, 4).await;
        assert_eq!(said, ["hello", "clusters", "machines", "all: clusters machines"]);
        let said = listen(&mut informers, &Source::Clusters, 6).await;
        assert_eq!(
            said,
            [
                "hello",
                "fleet/a",
                "fleet/b (clusters.cluster.x-k8s.io:1: Cluster/fleet/b: spec.paused: should be a boolean, is string \"perhaps\"; left out)",
                "all: fleet/a fleet/b",
                "lag none",
                "fleet/a is gone",
            ]
        );
    });
    assert_eq!(wire.asked(CLUSTERS).len(), 1, "the list is the beginning of the watch");
}

#[test]
fn what_may_not_be_read_is_named() {
    let machines = "/apis/cluster.x-k8s.io/v1beta2/machines";
    let refuse = || Reply::Status(403, "no machines");
    let wire = Wire::default()
        .answers(GROUP, vec![Reply::Text(SERVED)])
        .answers(CLUSTERS, vec![])
        .answers(machines, vec![refuse(), refuse()]);
    check(&wire, &[(Source::Machines, &["Forbidden: may not list machines.cluster.x-k8s.io (no machines)"])]);
}

#[test]
fn kinds_that_come_to_be_served_are_noticed_and_so_is_another_version() {
    let nothing = || Reply::Status(404, "no such group");
    let wire = Wire::default()
        .answers(GROUP, vec![nothing(), nothing(), Reply::Text(SERVED)])
        .answers(OLDER, vec![nothing(), Reply::Text(SERVED)])
        .answers(CLUSTERS, vec![])
        .answers("/apis/cluster.x-k8s.io/v1beta1/clusters", vec![]);
    check(&wire, &[(Source::Served, &["hello", "all: ", "clusters", "machines", "clusters", "machines"])]);
}

#[test]
fn a_server_that_does_not_say_what_it_serves_is_asked_again() {
    let wire = Wire::default()
        .answers(GROUP, vec![Reply::Refuse, Reply::Text(SERVED)])
        .answers(CLUSTERS, vec![])
        .answers("/apis/cluster.x-k8s.io/v1beta2/machines", vec![]);
    let failed = "Unreachable: cannot find out which kinds are served: the connection was refused";
    check(&wire, &[(Source::Served, &["hello", failed, "clusters", "machines", "all: clusters machines"])]);
}

#[test]
fn control_planes_of_every_provider_are_watched() {
    let group = "/apis/controlplane.cluster.x-k8s.io";
    let version = r#"{"kind": "APIGroup", "preferredVersion": {"version": "v1beta2"}}"#;
    let kinds = r#"{"kind": "APIResourceList", "resources": [
        {"name": "kubeadmcontrolplanes", "kind": "KubeadmControlPlane"},
        {"name": "kubeadmcontrolplanes/scale", "kind": "Scale"},
        {"name": "kubeadmcontrolplanetemplates", "kind": "KubeadmControlPlaneTemplate"},
        {"name": "rke2controlplanes", "kind": "RKE2ControlPlane"}]}"#;
    let path = "/apis/controlplane.cluster.x-k8s.io/v1beta2/rke2controlplanes";
    let object = json!({"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "RKE2ControlPlane",
        "metadata": {"namespace": "fleet", "name": "cp", "resourceVersion": "1"}});
    let events = vec![json!({"type": "ADDED", "object": object}), listed(1)];
    let wire = Wire::default()
        .answers(GROUP, vec![Reply::Text(SERVED), Reply::Text(SERVED)])
        .answers(group, vec![Reply::Text(version), Reply::Text(version)])
        .answers("/apis/controlplane.cluster.x-k8s.io/v1beta2", vec![Reply::Text(kinds), Reply::Text(kinds)])
        .answers(CLUSTERS, vec![])
        .answers("/apis/cluster.x-k8s.io/v1beta2/machines", vec![])
        .answers("/apis/controlplane.cluster.x-k8s.io/v1beta2/kubeadmcontrolplanes", vec![])
        .answers(path, vec![Reply::Open(events)]);
    let rke2 = Source::ControlPlanes("rke2controlplanes".into());
    check(&wire, &[(rke2, &["hello", "fleet/cp", "all: fleet/cp"])]);
}
