//! A plane does what it is told while its clients look on.

use headway_testenv::{Error, Options, Plane};

const CONFIG: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, namespace: default}, data: {a: b}}";

fn data(plane: &Plane) -> Result<String, Error> {
    let arguments = ["get", "configmap", "kept", "-n", "default", "-o", "jsonpath={.data.a}", "--request-timeout=10s"];
    plane.kubectl_text(&arguments)
}

/// A write, since a read may be answered from memory.
fn write(plane: &Plane, value: &str) -> Result<String, Error> {
    let patch = format!("{{\"data\":{{\"a\":\"{value}\"}}}}");
    plane.kubectl_text(&["patch", "configmap", "kept", "-n", "default", "-p", &patch, "--request-timeout=3s"])
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn the_api_server_stops_and_comes_back_with_its_data() {
    let plane = Plane::start().unwrap();
    plane.apply(CONFIG).unwrap();
    let server = plane.server().to_owned();

    plane.stop_apiserver().unwrap();
    assert_eq!(plane.pids().apiserver, 0);
    assert!(data(&plane).is_err());
    let twice = plane.stop_apiserver().unwrap_err().to_string();
    assert!(twice.starts_with("the test plane failed to stop-apiserver: kube-apiserver does not run"), "{twice}");
    plane.start_apiserver().unwrap();
    assert_eq!(data(&plane).unwrap(), "b");
    assert_eq!(plane.server(), server);

    plane.kill_apiserver().unwrap();
    assert!(data(&plane).is_err());
    plane.start_apiserver().unwrap();
    assert_eq!(data(&plane).unwrap(), "b");
    let twice = plane.start_apiserver().unwrap_err().to_string();
    assert_eq!(twice, "the test plane failed to start-apiserver: kube-apiserver is running already");

    let before = plane.pids();
    plane.restart_apiserver().unwrap();
    assert_eq!(data(&plane).unwrap(), "b");
    let after = plane.pids();
    assert_ne!(after.apiserver, before.apiserver);
    assert_eq!((after.supervisor, after.etcd), (before.supervisor, before.etcd));
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn a_pause_holds_every_write_until_it_ends() {
    let plane = Plane::start().unwrap();
    plane.apply(CONFIG).unwrap();

    plane.pause_etcd().unwrap();
    assert!(write(&plane, "c").is_err());
    plane.resume_etcd().unwrap();
    write(&plane, "d").unwrap();
    assert_eq!(data(&plane).unwrap(), "d");

    plane.pause_apiserver().unwrap();
    assert!(write(&plane, "e").is_err());
    plane.resume_apiserver().unwrap();
    write(&plane, "f").unwrap();
    assert_eq!(data(&plane).unwrap(), "f");

    // Paused, it hears no request to end, and ends all the same.
    plane.pause_apiserver().unwrap();
    plane.restart_apiserver().unwrap();
    assert_eq!(data(&plane).unwrap(), "f");
}

/// The events of all ConfigMaps from an old version on: the first of them.
fn first_event(plane: &Plane, version: &str) -> serde_json::Value {
    let url = format!("/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion={version}");
    let told = plane.kubectl_text(&["get", "--raw", &url]).unwrap();
    told.lines().next().map_or(serde_json::Value::Null, |line| serde_json::from_str(line).unwrap())
}

/// The version of the ConfigMap before its last change.
fn changed(plane: &Plane) -> String {
    plane.apply(CONFIG).unwrap();
    let version = ["get", "configmap", "kept", "-n", "default", "-o", "jsonpath={.metadata.resourceVersion}"];
    let version = plane.kubectl_text(&version).unwrap();
    write(plane, "c").unwrap();
    assert_eq!(first_event(plane, &version)["object"]["data"]["a"], "c");
    version
}

fn assert_gone(event: &serde_json::Value) {
    assert_eq!(event["type"], "ERROR", "{event}");
    assert_eq!(event["object"]["code"], 410, "{event}");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn history_that_is_compacted_is_gone_after_a_restart() {
    let plane = Plane::start().unwrap();
    let version = changed(&plane);
    plane.compact().unwrap();
    plane.restart_apiserver().unwrap();
    assert_gone(&first_event(&plane, &version));
    assert_eq!(data(&plane).unwrap(), "c");
}

/// This is also how further flags are seen to reach the API server.
#[test]
#[ignore = "ring 2: starts an API server"]
fn history_that_is_compacted_is_gone_at_once_without_a_watch_cache() {
    let apiserver_flags = vec!["--watch-cache=false".to_owned()];
    let plane = Plane::start_with(&Options { apiserver_flags }).unwrap();
    let version = changed(&plane);
    plane.compact().unwrap();
    assert_gone(&first_event(&plane, &version));
}
