//! A running cluster, watched: what each informer says when the server does this or that.

use std::sync::Arc;
use std::time::Duration;

use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Informers, Pace, Watching};
use headway_core::inform::{Kind, Msg, Source};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::super::cluster::node;
use super::wire::{Reply, Wire};

const NODES: &str = "/api/v1/nodes";

/// Fast, so that nothing in a test waits for long; beats are so rare that none comes unless it says something.
fn watching() -> Watching {
    let pace = Pace {
        beat: Duration::from_secs(600),
        alerts: Duration::from_millis(20),
        pods: Duration::from_millis(20),
        refused: Duration::from_millis(20),
        first_pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(5),
        streaming: Duration::from_millis(50),
        idle: Duration::from_secs(600),
        patience: Duration::from_secs(5),
    };
    Watching { prometheus: None, limits: Limits::default(), pace, clock: Arc::new(|| Timestamp::UNIX_EPOCH) }
}

/// What an informer says, as many messages of it.
fn said(wire: &Wire, source: Source, count: usize) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut informers = live::watch(&wire.cluster(), &watching());
        listen(&mut informers, source, count).await
    })
}

async fn listen(informers: &mut Informers, source: Source, count: usize) -> Vec<String> {
    let mut said = Vec::new();
    while said.len() < count {
        let next = tokio::time::timeout(Duration::from_secs(10), informers.next()).await;
        let Ok(Some(msg)) = next else { panic!("nothing more after {said:#?}") };
        if msg.source == source {
            said.push(told(&msg));
        }
    }
    said
}

fn told(Msg { epoch, kind, .. }: &Msg) -> String {
    match kind {
        Kind::Hello => format!("{epoch} hello"),
        Kind::Upsert { uid, fact: _, flaws } => {
            let flaws: Vec<String> = flaws.iter().map(|flaw| format!(" ({flaw})")).collect();
            format!("{epoch} {uid}{}", flaws.concat())
        }
        Kind::Remove { uid } => format!("{epoch} {uid} is gone"),
        Kind::Synced { known } => format!("{epoch} all: {}", known.iter().cloned().collect::<Vec<_>>().join(" ")),
        Kind::Beat { lag } => format!("{epoch} lag {}", if lag.is_zero() { "none" } else { "some" }),
        Kind::Failed(failure) => format!("{epoch} {:?}: {}", failure.kind, failure.message),
    }
}

fn check(replies: Vec<Reply>, expect: &[&str]) -> Wire {
    let wire = Wire::default().answers(NODES, replies);
    assert_eq!(said(&wire, Source::Nodes, expect.len()), expect);
    wire
}

/// A node at a version of the list, and a word about its configuration.
fn at(name: &str, version: u32, config: &str) -> Value {
    let mut value = node(name, "worker", config).value;
    value["metadata"]["resourceVersion"] = version.to_string().into();
    value
}

fn event(kind: &str, object: Value) -> Value {
    json!({"type": kind, "object": object})
}

fn added(name: &str, version: u32) -> Value {
    event("ADDED", at(name, version, "old"))
}

fn listed(version: u32) -> Value {
    let annotations = json!({"k8s.io/initial-events-end": "true"});
    event("BOOKMARK", json!({"metadata": {"resourceVersion": version.to_string(), "annotations": annotations}}))
}

fn error(code: u16) -> Value {
    event("ERROR", json!({"kind": "Status", "code": code, "message": "too old"}))
}

/// The list of two nodes, streamed.
fn two() -> Vec<Value> {
    vec![added("a", 1), added("b", 2), listed(2)]
}

const TWO: [&str; 4] = ["1 hello", "1 a", "1 b", "1 all: a b"];

fn after_two(more: &[&'static str]) -> Vec<&'static str> {
    TWO.into_iter().chain(["1 lag none"]).chain(more.iter().copied()).collect()
}

#[test]
fn a_list_is_streamed_and_then_what_changes() {
    let mut events = two();
    // A heartbeat: another version, and no fact that is read.
    let mut beat = at("a", 3, "old");
    beat["status"]["conditions"][0]["lastHeartbeatTime"] = "2026-05-04T08:20:00Z".into();
    events.extend([
        event("MODIFIED", beat),
        event("BOOKMARK", json!({"metadata": {"resourceVersion": "4"}})),
        event("MODIFIED", at("b", 5, "new")),
        event("DELETED", at("a", 6, "old")),
        added("c", 7),
    ]);
    let wire = check(vec![Reply::Open(events)], &after_two(&["1 b", "1 a is gone", "1 c"]));
    let asked = wire.asked(NODES);
    assert_eq!(asked.len(), 1, "{asked:?}");
    for part in ["watch=true", "sendInitialEvents=true", "resourceVersionMatch=NotOlderThan", "resourceVersion="] {
        assert!(asked[0].split('&').any(|own| own == part), "{part}: {asked:?}");
    }
}

#[test]
fn what_of_an_object_cannot_be_read_is_said_with_the_rest_of_it() {
    let mut broken = at("b", 2, "old");
    broken["status"]["conditions"] = json!("none");
    let mended = event("MODIFIED", at("b", 3, "old"));
    let replies = vec![Reply::Open(vec![added("a", 1), event("ADDED", broken), listed(2), mended])];
    let flaw = r#"1 b (nodes: Node/b: status.conditions: should be a list, is string "none"; left out)"#;
    check(replies, &["1 hello", "1 a", flaw, "1 all: a b", "1 lag none", "1 b"]);
}

#[test]
fn servers_that_do_not_stream_lists_are_asked_in_pages() {
    let pages = || vec![Reply::Page(vec![at("a", 1, "old")], Some("more")), Reply::Page(vec![at("b", 2, "old")], None)];
    let then = || Reply::Open(vec![event("MODIFIED", at("b", 6, "new"))]);
    let check_after = |first: Reply| {
        let replies = [first].into_iter().chain(pages()).chain([then()]).collect();
        let wire = Wire::default().answers(NODES, replies);
        let said = said(&wire, Source::Nodes, 6);
        // One that was silent had begun already.
        let said: Vec<&str> = said.iter().map(|said| said.split_once(' ').unwrap().1).collect();
        assert_eq!(said, ["hello", "a", "b", "all: a b", "lag none", "b"]);
        let asked = wire.asked(NODES);
        assert!(asked[1].contains("limit=500") && asked[2].contains("continue=more"), "{asked:?}");
        assert!(asked[3].contains("watch=true") && asked[3].contains("resourceVersion=5"), "{asked:?}");
    };
    check_after(Reply::Status(422, "sendInitialEvents: Forbidden: needs the WatchList feature gate"));
    check_after(Reply::Status(400, "sendInitialEvents is not known"));
    // May list, may not watch: that it says when it comes to it.
    check_after(Reply::Status(403, "nodes is forbidden"));
}

#[test]
fn a_server_that_knows_nothing_of_streaming_is_found_out() {
    let silent = Reply::Open(vec![added("a", 1)]);
    let list = Reply::Page(vec![at("a", 1, "old"), at("b", 2, "old")], None);
    check(
        vec![silent, list, Reply::Open(Vec::new())],
        &["1 hello", "1 a", "2 hello", "2 b", "2 all: a b", "2 lag none"],
    );
}

#[test]
fn a_watch_that_ends_goes_on_where_it_was() {
    let mut first = two();
    first.push(event("BOOKMARK", json!({"metadata": {"resourceVersion": "9"}})));
    let wire = check(
        vec![
            Reply::Ends(first),
            Reply::Refuse,
            Reply::Ends(vec![event("MODIFIED", at("b", 11, "new"))]),
            Reply::Open(vec![added("c", 12)]),
        ],
        &after_two(&["1 Unreachable: cannot watch nodes: the connection was refused", "1 lag none", "1 b", "1 c"]),
    );
    let versions: Vec<String> = wire
        .asked(NODES)
        .iter()
        .map(|asked| asked.rsplit_once("resourceVersion=").map(|(_, version)| version.to_owned()).unwrap())
        .collect();
    assert_eq!(versions, ["", "9", "9", "11"]);
}

#[test]
fn us_s50_after_an_expired_watch_the_list_tells_what_is_left() {
    let second = vec![added("b", 20), added("c", 21), listed(21)];
    let expect = after_two(&["2 hello", "2 c", "2 all: b c"]);
    // The history is gone while the watch is open, and when it is opened.
    let mut first = two();
    first.push(error(410));
    check(vec![Reply::Ends(first), Reply::Open(second.clone())], &expect);
    check(vec![Reply::Ends(two()), Reply::Status(410, "too old"), Reply::Open(second)], &expect);
}

#[test]
fn a_list_that_broke_off_is_begun_anew() {
    let half = vec![added("a", 1), added("z", 2)];
    check(
        vec![Reply::Ends(half), Reply::Open(two())],
        &[
            "1 hello",
            "1 a",
            "1 z",
            "1 Unreachable: cannot list nodes: the watch ended before the list was complete",
            "2 hello",
            "2 b",
            "2 all: a b",
        ],
    );
    check(
        vec![Reply::Text("{\"type\": \"ADDED\", \"object\": {]}\n"), Reply::Open(two())],
        &[
            "1 hello",
            "1 Unreachable: cannot list nodes: the answer cannot be read: key must be a string at line 1 column 30",
            "2 hello",
            "2 a",
            "2 b",
            "2 all: a b",
        ],
    );
}

#[test]
fn what_may_not_be_read_is_said_and_asked_for_again() {
    check(
        vec![
            Reply::Status(403, "nodes is forbidden"),
            Reply::Status(403, "nodes is forbidden"),
            Reply::Page(vec![at("a", 1, "old")], None),
            Reply::Status(403, "no watching"),
            Reply::Page(vec![at("a", 1, "old"), at("b", 1, "old")], None),
        ],
        &[
            "0 Forbidden: may not list nodes (nodes is forbidden)",
            "1 hello",
            "1 a",
            "1 all: a",
            "1 Forbidden: may not watch nodes (no watching)",
            "2 hello",
            "2 b",
            "2 all: a b",
        ],
    );
}

#[test]
fn a_kind_is_read_in_the_version_that_is_served() {
    let root = "/apis/machineconfiguration.openshift.io";
    let (v1, alpha) = (format!("{root}/v1/machineconfignodes"), format!("{root}/v1alpha1/machineconfignodes"));
    let mcn = json!({"type": "ADDED", "object": {"metadata": {"name": "a", "resourceVersion": "1"}}});
    let wire = Wire::default().answers(&alpha, vec![Reply::Open(vec![mcn.clone(), listed(1)])]);
    assert_eq!(said(&wire, Source::MachineConfigNodes, 3), ["1 hello", "1 a", "1 all: a"]);
    // Not served at all, and some time later it is.
    let wire = Wire::default().answers(&v1, vec![Reply::Status(404, "no"), Reply::Open(vec![mcn, listed(1)])]);
    let absent = "0 NotServed: machineconfignodes.machineconfiguration.openshift.io are not served by this cluster";
    assert_eq!(said(&wire, Source::MachineConfigNodes, 4), [absent, "1 hello", "1 a", "1 all: a"]);
}

#[test]
fn a_kind_that_goes_takes_its_objects_along() {
    check(
        vec![Reply::Ends(two()), Reply::Status(404, "no"), Reply::Open(vec![added("a", 1), listed(1)])],
        &after_two(&[
            "2 hello",
            "2 all: ",
            "2 NotServed: nodes are not served by this cluster",
            "3 hello",
            "3 a",
            "3 all: a",
        ]),
    );
}

#[test]
fn pods_and_budgets_are_looked_at_while_a_node_drains() {
    let pod = |name: &str| json!({"metadata": {"name": name, "namespace": "shop"}, "spec": {"nodeName": "w-1"}});
    let budget = json!({"type": "ADDED", "object": {"metadata": {"name": "all", "namespace": "shop"}}});
    let budgets = "/apis/policy/v1/poddisruptionbudgets";
    let wire = Wire::default()
        .answers(
            "/api/v1/pods",
            vec![
                Reply::Page(vec![pod("cart-0"), pod("cart-1")], None),
                Reply::Page(vec![pod("cart-1")], None),
                Reply::Status(403, "pods is forbidden"),
                Reply::Page(vec![pod("cart-1"), pod("cart-2")], None),
            ],
        )
        .answers(budgets, vec![Reply::Open(vec![budget, listed(1)])]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let drains = |nodes: &[&str]| nodes.iter().map(|node| (*node).to_owned()).collect();
    runtime.block_on(async {
        let mut informers = live::watch(&wire.cluster(), &watching());
        assert_eq!(listen(&mut informers, Source::Pods, 1).await, ["0 NotAsked: no node drains"]);
        assert_eq!(wire.asked("/api/v1/pods"), Vec::<String>::new());
        informers.drain(drains(&["w-1"]));
        assert_eq!(
            listen(&mut informers, Source::Pods, 8).await,
            [
                "1 hello",
                "1 shop/cart-0",
                "1 shop/cart-1",
                "1 all: shop/cart-0 shop/cart-1",
                "1 shop/cart-0 is gone",
                "1 Forbidden: may not list pods (pods is forbidden)",
                "1 shop/cart-2",
                "1 all: shop/cart-1 shop/cart-2",
            ]
        );
        assert!(wire.asked("/api/v1/pods").iter().all(|asked| asked.contains("spec.nodeName%3Dw-1")));
        informers.drain(drains(&[]));
        let rest = ["1 shop/cart-1 is gone", "1 shop/cart-2 is gone", "1 NotAsked: no node drains"];
        assert_eq!(listen(&mut informers, Source::Pods, 3).await, rest);
        assert_eq!(wire.asked(budgets).len(), 1);
    });
}

#[test]
fn alerts_are_asked_for_where_somebody_says_where() {
    let wire = Wire::default();
    assert_eq!(said(&wire, Source::Alerts, 1), ["0 NotAsked: alerts are not asked for"]);
}
