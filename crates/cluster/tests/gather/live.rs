//! A running cluster, looked at once: pages, refusals, what is missing and what is broken.

mod fleet;
mod hosted;
mod server;
mod watching;
mod wire;

use std::time::Duration;

use headway_cluster::gather::live::{self, LiveError, Prometheus};
use headway_cluster::gather::{Gathered, Limits};
use jiff::Timestamp;
use serde_json::json;
use tempfile::tempdir;

use self::server::{Instead, Server};
use super::cluster::{Object, cluster, file, node};
use super::reading::gathered;

const NOW: Timestamp = Timestamp::constant(1_777_880_000, 0);

/// The cluster with a node that drains.
fn draining() -> Vec<Object> {
    let mut all = cluster();
    let drains = all.iter_mut().find(|object| object.name == "w-1").unwrap();
    let annotations = &mut drains.value["metadata"]["annotations"];
    for (name, value) in [
        ("desiredConfig", "rendered-worker-new"),
        ("state", "Working"),
        ("desiredDrain", "drain-rendered-worker-new"),
        ("lastAppliedDrain", "uncordon-rendered-worker-old"),
    ] {
        annotations[format!("machineconfiguration.openshift.io/{name}")] = value.into();
    }
    let pool = all.iter_mut().find(|object| object.kind == "MachineConfigPool" && object.name == "worker").unwrap();
    pool.value["spec"]["configuration"] = json!({"name": "rendered-worker-new"});
    all
}

fn look(server: &Server) -> Result<Gathered, LiveError> {
    look_within(server, None)
}

fn look_within(server: &Server, timeout: Option<Duration>) -> Result<Gathered, LiveError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime
        .block_on(async { live::list(&server.cluster(timeout), &Prometheus::default(), &Limits::default(), NOW).await })
}

fn gaps(server: &Server) -> Vec<String> {
    look(server).unwrap().snapshot.gaps.iter().map(|gap| format!("{:?}: {gap}", gap.kind)).collect()
}

fn requests(server: &Server, start: &str) -> Vec<String> {
    server.asked().into_iter().map(|asked| asked.path).filter(|path| path.starts_with(start)).collect()
}

#[test]
fn a_running_cluster_gives_what_its_files_give() {
    let objects = draining();
    let folder = tempdir().unwrap();
    let documents: Vec<String> = objects.iter().map(Object::yaml).collect();
    let mut expect = gathered(&file(folder.path(), "all.yaml", documents.join("---\n"))).snapshot;
    let mut found = look(&Server::new(objects)).unwrap().snapshot;
    assert_eq!(found.gaps, Vec::new());
    // Only the reason why there are none differs.
    (expect.alerts, found.alerts) = Default::default();
    assert_eq!(found, expect);
}

#[test]
fn pods_and_budgets_are_asked_for_where_a_node_drains() {
    let quiet = Server::new(cluster());
    look(&quiet).unwrap();
    assert_eq!(requests(&quiet, "/api/v1/pods"), Vec::<String>::new());
    assert_eq!(requests(&quiet, "/apis/policy"), Vec::<String>::new());
    let busy = Server::new(draining());
    look(&busy).unwrap();
    assert_eq!(requests(&busy, "/api/v1/pods"), ["/api/v1/pods?&fieldSelector=spec.nodeName%3Dw-1&limit=500"]);
    assert_eq!(requests(&busy, "/apis/policy").len(), 1);
}

#[test]
fn of_machine_configs_only_the_metadata_is_asked_for() {
    let server = Server::new(cluster());
    look(&server).unwrap();
    for asked in server.asked() {
        let only_metadata = asked.accept.contains("as=PartialObjectMetadataList");
        assert_eq!(only_metadata, asked.path.contains("/machineconfigs?"), "{asked:?}");
    }
}

#[test]
fn lists_come_in_pages() {
    let mut objects = cluster();
    objects.extend((0..9).map(|number| node(&format!("x-{number}"), "worker", "new")));
    let whole = look(&Server::new(objects.clone())).unwrap();
    let server = Server::new(objects).pages_of(5);
    assert_eq!(look(&server).unwrap(), whole);
    let paths = ["limit=500", "limit=500&continue=5", "limit=500&continue=10"];
    assert_eq!(requests(&server, "/api/v1/nodes"), paths.map(|rest| format!("/api/v1/nodes?&{rest}")));
}

#[test]
fn a_list_that_expired_is_begun_anew_and_in_the_end_asked_for_whole() {
    let whole = look(&Server::new(cluster())).unwrap();
    let check = |times: usize, expect: &[&str]| {
        let second = "/api/v1/nodes?&limit=500&continue";
        let server = Server::new(cluster()).pages_of(2).instead(second, Instead::StatusAtFirst(410, times));
        assert_eq!(look(&server).unwrap(), whole, "{times}");
        let asked = requests(&server, "/api/v1/nodes?");
        assert_eq!(asked, expect.iter().map(|rest| format!("/api/v1/nodes?{rest}")).collect::<Vec<_>>());
    };
    let (first, second) = ("&limit=500", "&limit=500&continue=2");
    check(1, &[first, second, first, second]);
    check(9, &[first, second, first, second, first, second, ""]);
}

#[test]
fn what_may_not_be_read_is_a_gap_with_verb_and_resource() {
    let check = |path: &str, code: u16, expect: &[&str]| {
        let server = Server::new(draining()).instead(path, Instead::Status(code, "says the server"));
        assert_eq!(gaps(&server), expect, "{path}");
    };
    let (config, machine) = ("/apis/config.openshift.io/v1", "/apis/machineconfiguration.openshift.io/v1");
    check("/api/v1/nodes", 403, &["Refused: may not list nodes (says the server)"]);
    check("/api/v1/pods", 403, &["Optional: may not list pods (says the server)"]);
    check("/apis/policy/", 403, &["Optional: may not list poddisruptionbudgets.policy (says the server)"]);
    check("/apis/apps/", 403, &["Optional: may not get deployments.apps (says the server)"]);
    check(
        &format!("{machine}/machineconfigs"),
        403,
        &["Refused: may not list machineconfigs.machineconfiguration.openshift.io (says the server)"],
    );
    check(
        &format!("{config}/clusterversions"),
        500,
        &["Unreadable: cannot list clusterversions.config.openshift.io: the server answered 500: says the server"],
    );
    // Discovery itself may be forbidden: then the lists tell.
    check(
        config,
        403,
        &[
            "Refused: may not list clusterversions.config.openshift.io (says the server)",
            "Refused: may not list clusteroperators.config.openshift.io (says the server)",
        ],
    );
    // The Deployment is told of where there is one, and missed only by a rule that needs it.
    check("/apis/apps/", 404, &[]);
}

#[test]
fn kinds_that_are_not_served_are_no_error() {
    let expect = |kinds: &[&str]| -> Vec<String> {
        kinds.iter().map(|kind| format!("Optional: {kind} are not served by this cluster")).collect()
    };
    let plain = Server::new(cluster().into_iter().filter(|object| object.kind == "Node").collect());
    let (config, machine) = ("config.openshift.io", "machineconfiguration.openshift.io");
    let missing = [
        format!("clusterversions.{config}"),
        format!("clusteroperators.{config}"),
        format!("machineconfigpools.{machine}"),
        format!("machineconfigs.{machine}"),
    ];
    let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
    assert_eq!(gaps(&plain), expect(&missing));
    // A kind that went away between discovery and its list.
    let path = format!("/apis/{machine}/v1/machineconfigpools");
    let server = Server::new(cluster()).instead(&path, Instead::Status(404, "gone"));
    assert_eq!(gaps(&server), expect(&[&format!("machineconfigpools.{machine}")]));
}

#[test]
fn a_malformed_object_does_not_touch_the_others() {
    let mut objects = cluster();
    let broken = objects.iter_mut().find(|object| object.name == "w-0").unwrap();
    broken.value["status"]["conditions"] = json!("none");
    let found = look(&Server::new(objects)).unwrap().snapshot;
    let told: Vec<String> = found.gaps.iter().map(ToString::to_string).collect();
    assert_eq!(told, [r#"nodes: Node/w-0: status.conditions: should be a list, is string "none"; left out"#]);
    assert_eq!(found.nodes.len(), 3);
    let server = Server::new(cluster()).instead("/api/v1/nodes", Instead::Text("<html>Sign in</html>"));
    let told = gaps(&server);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("Unreadable: cannot list nodes: the answer cannot be read: "), "{told:?}");
}

#[test]
fn a_server_that_asks_for_patience_is_asked_again() {
    let whole = look(&Server::new(cluster())).unwrap();
    let server = Server::new(cluster()).instead("/api/v1/nodes", Instead::StatusAtFirst(429, 3));
    assert_eq!(look(&server).unwrap(), whole);
    let server = Server::new(cluster()).instead("/api/v1/nodes", Instead::StatusAtFirst(429, 4));
    assert_eq!(gaps(&server), ["Unreadable: cannot list nodes: the server answered 429: not now"]);
}

#[test]
fn a_cluster_of_which_nothing_is_seen_is_an_error() {
    let check = |instead: Instead, expect: &str| {
        let server = Server::new(cluster()).instead("/", instead);
        let error = look_within(&server, Some(Duration::from_millis(50))).unwrap_err();
        assert_eq!(error.to_string(), expect);
    };
    check(
        Instead::Refuse,
        "the connection to the server api.example.com:6443 was refused - did you specify the right host or port?",
    );
    check(Instead::Silence, "the server api.example.com:6443 did not answer within 0.05s");
    check(Instead::Status(401, "Unauthorized"), "you must be logged in to the server (Unauthorized)");
}

#[test]
fn a_list_that_fails_among_others_is_a_gap() {
    let check = |instead: Instead, expect: &str| {
        let server = Server::new(cluster()).instead("/api/v1/nodes", instead);
        let found = look_within(&server, Some(Duration::from_millis(50))).unwrap().snapshot;
        assert_eq!(found.gaps.iter().map(ToString::to_string).collect::<Vec<_>>(), [expect]);
        assert!(!found.seen.nodes && found.operators.len() == 2);
    };
    check(Instead::Refuse, "cannot list nodes: the connection was refused");
    check(Instead::Silence, "cannot list nodes: no answer within 0.05s");
}
