//! `headway status` of a running management cluster: found by what it serves, and told as a dump of it is.

use headway_testenv::Plane;
use serde_json::Value;

use super::command::of_cluster;
use super::planning::{KINDS, NAMESPACE, plane, status_of_dump};

fn items(text: &str) -> Value {
    let mut told: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"));
    let mut items = told["items"].take();
    // The moment is another one.
    for item in items.as_array_mut().unwrap() {
        item.as_object_mut().unwrap().remove("since");
    }
    items
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_running_management_cluster_is_told_as_a_dump_of_it() {
    let plane = plane();
    let kubeconfig = plane.kubeconfig();
    let ran = of_cluster(kubeconfig, &["-A", "-o", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let dump = plane.kubectl_text(&["get", "-A", "-o", "yaml", KINDS]).unwrap();
    assert_eq!(items(&ran.out), items(&status_of_dump(&dump, &["-A", "-o", "json"]).out));

    // The context has no namespace, so it is `default`, and nothing but what is served tells what is meant.
    let ran = of_cluster(kubeconfig, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.contains("No cluster in namespace default was found; -A looks in all namespaces."), "{}", ran.err);
    let ran = of_cluster(kubeconfig, &["-n", NAMESPACE]);
    let names: Vec<&str> = ran.out.lines().filter_map(|line| line.split_whitespace().next()).take(3).collect();
    assert_eq!(names, ["NAME", "gull", "tern"], "{}", ran.out);
    let ran = of_cluster(kubeconfig, &["tern", "-n", NAMESPACE]);
    assert!(ran.out.starts_with("= Control Plane of Cluster fleet/tern ="), "{} {}", ran.out, ran.err);
    let ran = of_cluster(kubeconfig, &["auk", "-n", NAMESPACE]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("no cluster fleet/auk was found; there is fleet/"), "{}", ran.err);
    for flags in [&["--watch"][..], &["--wait", "updated"]] {
        let ran = of_cluster(kubeconfig, flags);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
        assert!(ran.err.contains("do not look at the clusters that a management cluster keeps yet"), "{}", ran.err);
    }
    let nobody = plane.anonymous_kubeconfig().unwrap();
    let ran = of_cluster(&nobody, &["-A"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
}

#[test]
#[ignore = "ring 2: a real API server"]
fn a_running_cluster_that_keeps_no_others_says_so() {
    let plane = Plane::start().unwrap();
    for flags in [&["-A"][..], &["tern"], &["-n", "x"], &["-l", "a=b"]] {
        let ran = of_cluster(plane.kubeconfig(), flags);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
        assert!(ran.err.contains("this cluster keeps no others"), "{}", ran.err);
    }
}
