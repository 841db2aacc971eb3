//! Watching a real API server: streamed and paged lists, an absence, a history that is forgotten.
//!
//! Ring 2: `cargo xtask test` runs these; a plain `cargo test` leaves them out.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test says what it means by failing")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt, stream};
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Access, Cluster, Informers, Pace, Prometheus, Watching};
use headway_core::inform::{FailureKind, Kind, Msg, Source, Store, Timing};
use headway_core::snapshot::{Moment, Snapshot};
use headway_testenv::{Options, Plane};
use http::Request;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

async fn cluster(plane: &Plane) -> Cluster {
    let access = Access { kubeconfig: Some(plane.kubeconfig().to_owned()), ..Access::default() };
    Cluster::connect(&access).await.unwrap()
}

fn watching() -> Watching {
    let pace = Pace { beat: Duration::from_secs(1), longest_pause: Duration::from_secs(1), ..Pace::default() };
    Watching { prometheus: None, limits: Limits::default(), pace, clock: Arc::new(Timestamp::now) }
}

async fn send(cluster: &Cluster, method: &str, path: &str, content: &str, body: Value) {
    let request = Request::builder().method(method).uri(path).header("content-type", content);
    let request = request.body(body.to_string().into_bytes()).unwrap();
    cluster.client().request_text(request).await.unwrap();
}

async fn create_nodes(cluster: &Cluster, count: usize) {
    let create = |number: usize| async move {
        let labels = json!({"node-role.kubernetes.io/worker": ""});
        let node = json!({"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": format!("w-{number:05}"), "labels": labels}});
        send(cluster, "POST", "/api/v1/nodes", "application/json", node).await;
    };
    stream::iter(0..count).map(create).buffer_unordered(16).collect::<Vec<()>>().await;
}

async fn annotate(cluster: &Cluster, node: &str, state: &str) {
    let annotations = json!({"machineconfiguration.openshift.io/state": state});
    let change = json!({"metadata": {"annotations": annotations}});
    send(cluster, "PATCH", &format!("/api/v1/nodes/{node}"), "application/merge-patch+json", change).await;
}

/// Listens until a message of the nodes' informer is the one.
async fn until(informers: &mut Informers, store: &mut Store, mut is_it: impl FnMut(&Msg) -> bool) -> Msg {
    let listen = async {
        loop {
            let msg = informers.next().await.unwrap();
            store.apply(msg.clone());
            if msg.source == Source::Nodes && is_it(&msg) {
                return msg;
            }
        }
    };
    tokio::time::timeout(PATIENCE, listen).await.unwrap_or_else(|_| panic!("it never came"))
}

fn is_synced(msg: &Msg) -> bool {
    matches!(msg.kind, Kind::Synced { .. })
}

fn state_of(store: &Store, node: &str) -> Option<String> {
    let snapshot = store.snapshot(Moment::default());
    let found = snapshot.nodes.iter().find(|known| known.metadata.name == node);
    found.and_then(|node| node.metadata.annotations.state.clone())
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// More than two pages.
const NODES: usize = 1_100;

/// What a watch knows when its lists are complete, and what one look sees.
async fn watched_and_seen(plane: &Plane) -> (Snapshot, Snapshot) {
    let cluster = cluster(plane).await;
    create_nodes(&cluster, NODES).await;
    let mut informers = live::watch(&cluster, &watching());
    let mut store = Store::new(Timing::default());
    until(&mut informers, &mut store, is_synced).await;
    let seen = live::list(&cluster, &Prometheus::default(), &Limits::default(), Timestamp::now()).await.unwrap();
    (store.snapshot(Moment::default()), seen.snapshot)
}

#[test]
#[ignore = "ring 2: a real API server"]
fn streamed_lists_paged_lists_and_one_look_see_the_same_nodes() {
    run(async {
        let (watched, seen) = watched_and_seen(&Plane::start().unwrap()).await;
        assert_eq!(watched.nodes.len(), NODES);
        assert_eq!(watched.nodes, seen.nodes);
        // A server that refuses to stream lists.
        let options = Options { apiserver_flags: vec!["--feature-gates=WatchList=false".into()] };
        let (paged, _) = watched_and_seen(&Plane::start_with(&options).unwrap()).await;
        let names = |snapshot: &Snapshot| -> Vec<String> {
            snapshot.nodes.iter().map(|node| node.metadata.name.clone()).collect()
        };
        assert_eq!(names(&paged), names(&watched));
    });
}

#[test]
#[ignore = "ring 2: a real API server"]
fn us_s49_s50_a_watch_lives_through_absence_and_forgotten_history() {
    // Without its cache the server depends on the store's history alone.
    let options = Options { apiserver_flags: vec!["--watch-cache=false".into()] };
    let plane = Plane::start_with(&options).unwrap();
    run(async {
        let cluster = cluster(&plane).await;
        create_nodes(&cluster, 3).await;
        let mut informers = live::watch(&cluster, &watching());
        let mut store = Store::new(Timing::default());
        let first = until(&mut informers, &mut store, is_synced).await.epoch;
        // The server goes: nothing is lost, and it is said.
        plane.kill_apiserver().unwrap();
        let msg = until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Failed(_))).await;
        let Kind::Failed(failure) = msg.kind else { panic!("{msg:?}") };
        assert_eq!(failure.kind, FailureKind::Unreachable);
        assert!(failure.message.starts_with("cannot watch nodes: "), "{}", failure.message);
        until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Beat { lag } if lag.as_secs() > 1)).await;
        assert_eq!(store.snapshot(Moment::default()).nodes.len(), 3);
        // It comes back and remembers: the watch goes on where it was.
        plane.start_apiserver().unwrap();
        until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Beat { lag } if lag.is_zero())).await;
        annotate(&cluster, "w-00001", "Working").await;
        let msg = until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Upsert { .. })).await;
        assert_eq!(msg.epoch, first, "no new list was needed");
        assert_eq!(state_of(&store, "w-00001").as_deref(), Some("Working"));
        // Things happen that the watch does not hear of, and while the server is away all history is forgotten: a new
        // list, by which also what went meanwhile goes.
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "another"}});
        send(&cluster, "POST", "/api/v1/namespaces", "application/json", namespace).await;
        plane.kill_apiserver().unwrap();
        plane.compact().unwrap();
        plane.start_apiserver().unwrap();
        let msg = until(&mut informers, &mut store, is_synced).await;
        assert!(msg.epoch > first, "the history was not forgotten");
        annotate(&cluster, "w-00002", "Rebooting").await;
        until(&mut informers, &mut store, |msg| matches!(&msg.kind, Kind::Upsert { uid, .. } if uid == "w-00002"))
            .await;
        assert_eq!(state_of(&store, "w-00002").as_deref(), Some("Rebooting"));
        assert_eq!(state_of(&store, "w-00001").as_deref(), Some("Working"));
        send(&cluster, "DELETE", "/api/v1/nodes/w-00000", "application/json", json!({})).await;
        until(&mut informers, &mut store, |msg| matches!(&msg.kind, Kind::Remove { uid } if uid == "w-00000")).await;
        assert_eq!(store.snapshot(Moment::default()).nodes.len(), 2);
    });
}

#[test]
#[ignore = "ring 2: a real API server"]
fn rights_that_are_taken_away_are_missed_and_those_given_are_used() {
    let plane = Plane::start().unwrap();
    let may = |verbs: &str| {
        plane
            .apply(&format!(
                "apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: eyes, namespace: default}}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: eyes}}\nrules:\n- {{apiGroups: [\"\"], resources: [nodes], verbs: [{verbs}]}}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {{name: eyes}}\nroleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: eyes}}\nsubjects:\n- {{kind: ServiceAccount, name: eyes, namespace: default}}\n"
            ))
            .unwrap();
    };
    may("list");
    let kubeconfig = plane.account_kubeconfig("default", "eyes").unwrap();
    run(async {
        let admin = cluster(&plane).await;
        create_nodes(&admin, 2).await;
        let access = Access { kubeconfig: Some(kubeconfig), ..Access::default() };
        let own = Cluster::connect(&access).await.unwrap();
        let watching = watching();
        let pace = Pace { refused: Duration::from_secs(1), ..watching.pace };
        let mut informers = live::watch(&own, &Watching { pace, ..watching });
        let mut store = Store::new(Timing::default());
        // May list and may not watch: it sees what is there, and says what it lacks.
        until(&mut informers, &mut store, is_synced).await;
        let msg = until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Failed(_))).await;
        let Kind::Failed(failure) = msg.kind else { panic!("{msg:?}") };
        assert_eq!(failure.kind, FailureKind::Forbidden);
        assert!(failure.message.starts_with("may not watch nodes (nodes is forbidden: "), "{}", failure.message);
        may("list, watch");
        until(&mut informers, &mut store, |msg| matches!(msg.kind, Kind::Beat { lag } if lag.is_zero())).await;
        annotate(&admin, "w-00001", "Done").await;
        until(&mut informers, &mut store, |msg| matches!(&msg.kind, Kind::Upsert { uid, .. } if uid == "w-00001"))
            .await;
        let said: BTreeSet<Source> = store.informers(Timestamp::now()).iter().map(|informer| informer.source).collect();
        assert_eq!(said, Source::ALL.into_iter().collect(), "every informer says how it is");
    });
}
