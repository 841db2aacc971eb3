//! Servers that are not there, not the right ones, silent, or without the kinds of OpenShift.

use std::fs;
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use serde_json::Value;

use super::command::{of_cluster, root, run};
use super::world::{World, world};

fn assert_told(ran: &super::command::Ran, says: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    assert!(ran.err.contains(says), "{says:?} is not in {:?}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_cluster_without_openshift_says_what_it_lacks() {
    let plane = Plane::start().unwrap();
    let ran = of_cluster(plane.kubeconfig(), &["-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["outcome"], "CannotTell");
    for resource in ["clusterversions.config.openshift.io", "machineconfigs.machineconfiguration.openshift.io"] {
        let says = format!("{resource} are not served by this cluster");
        assert!(ran.out.contains(&says), "{says:?} is not in {}", ran.out);
    }
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_server_that_goes_away_or_says_nothing_is_told() {
    let plane = Plane::start().unwrap();
    let server = plane.server().trim_start_matches("https://").to_owned();
    plane.pause_apiserver().unwrap();
    let start = Instant::now();
    let ran = of_cluster(plane.kubeconfig(), &["--request-timeout=1s"]);
    assert_told(&ran, &format!("the server {server} did not answer within 1s"));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    plane.resume_apiserver().unwrap();
    plane.stop_apiserver().unwrap();
    let refused = "was refused - did you specify the right host or port?";
    assert_told(&of_cluster(plane.kubeconfig(), &[]), &format!("the connection to the server {server} {refused}"));
    plane.start_apiserver().unwrap();
    assert_eq!(of_cluster(plane.kubeconfig(), &[]).code, Some(0));
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_server_with_a_stranger_s_certificate_is_not_believed() {
    let world = world();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    let own = fs::read_to_string(world.plane.kubeconfig()).unwrap();
    let config: Value = serde_saphyr::from_str(&own).unwrap();
    let mut config = config;
    let cluster = &mut config["clusters"][0]["cluster"];
    cluster["certificate-authority-data"] = Value::Null;
    cluster["certificate-authority"] = world.plane.serving().authority.to_str().unwrap().into();
    fs::write(&path, config.to_string()).unwrap();
    let server = world.plane.server().trim_start_matches("https://");
    let says = format!("unable to connect to the server {server}: ");
    let ran = run(&["--kubeconfig", path.to_str().unwrap()]);
    assert_told(&ran, &says);
    assert!(ran.err.contains("certificate signed by unknown authority"), "{}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_hosted_guest_reads_the_same_live_as_from_files() {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    let mut world = World::alone(plane);
    let names = world.plane.kubectl_text(&["get", "crds", "-o", "name"]).unwrap();
    let machines: Vec<&str> =
        names.lines().filter(|name| name.ends_with("machineconfiguration.openshift.io")).collect();
    assert!(!machines.is_empty());
    world.plane.kubectl_text(&[&["delete", "--wait=true"], machines.as_slice()].concat()).unwrap();
    let input = root().join("examples/hosted-guest/input");
    world.hold(std::slice::from_ref(&input));
    let more = ["--at", "2026-07-02T09:50:00Z", "--details=all", "--exit-code"];
    let files = run(&[&["--from", input.to_str().unwrap()], &more[..]].concat());
    let live = of_cluster(world.plane.kubeconfig(), &more);
    assert_eq!((live.code, live.out), (files.code, files.out), "{}", live.err);
}
