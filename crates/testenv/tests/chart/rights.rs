//! The rights that the chart asks for, as the API server has them.

use std::collections::BTreeSet;

use headway_testenv::Plane;
use serde_json::Value;

use super::values::{ALL, NAMESPACE, OPENSHIFT, chart};

/// The verbs that change nothing.
const READING: [&str; 3] = ["get", "list", "watch"];

/// What a role that only observes may change: its own kinds, its lease, and events.
const WRITABLE: [&str; 3] = ["update.openshift.io", "coordination.k8s.io", "events.k8s.io"];

fn words(list: &Value) -> BTreeSet<&str> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// Invariant 10: the observer never writes to what it observes.
#[test]
#[ignore = "ring 2: starts an API server"]
fn the_observer_may_not_write_to_what_it_observes() {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    for namespace in OPENSHIFT {
        plane.kubectl_text(&["create", "namespace", namespace]).unwrap();
    }
    let chart = chart();
    let install = ["install", "headway", chart.to_str().unwrap(), "--namespace", NAMESPACE, "--create-namespace"];
    plane.helm_text(&[&install, ALL].concat()).unwrap();

    let roles = plane
        .kubectl_text(&["get", "clusterroles,roles", "-A", "-l", "app.kubernetes.io/part-of=headway", "-o", "json"])
        .unwrap();
    let roles: Value = serde_json::from_str(&roles).unwrap();
    let roles = roles["items"].as_array().unwrap();
    assert_eq!(roles.len(), 6, "one for the cluster, one for viewers, one in each of four namespaces");
    for role in roles {
        let name = &role["metadata"]["name"];
        for rule in role["rules"].as_array().unwrap() {
            let (groups, verbs, resources) =
                (words(&rule["apiGroups"]), words(&rule["verbs"]), words(&rule["resources"]));
            for all in [&groups, &verbs, &resources] {
                assert!(!all.contains("*"), "{name}: {rule}");
            }
            for group in &groups {
                let writes = verbs.iter().any(|verb| !READING.contains(verb));
                assert!(!writes || WRITABLE.contains(group), "{name} may write: {rule}");
            }
            assert!(!resources.contains("secrets"), "{name}: {rule}");
        }
        // In the namespaces of others, no more than one named object.
        let namespace = role["metadata"]["namespace"].as_str().unwrap_or_default();
        if OPENSHIFT.contains(&namespace) {
            for rule in role["rules"].as_array().unwrap() {
                assert_eq!(rule["resourceNames"].as_array().map(Vec::len), Some(1), "{namespace}: {rule}");
            }
        }
    }
    may(&plane);
}

/// What the account may do, as the server decides it.
fn may(plane: &Plane) {
    let check = |may: &str, verb: &str, what: &[&str]| {
        let account = format!("--as=system:serviceaccount:{NAMESPACE}:headway-operator-status");
        let arguments = [&["auth", "can-i", verb], what, &[account.as_str()]].concat();
        let ran = plane.kubectl(&arguments).unwrap();
        // After "no" come the roles that are bound and not there: cluster-monitoring-view is OpenShift's.
        let answer = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(answer.split_whitespace().next(), Some(may), "{verb} {what:?}");
    };
    check("yes", "watch", &["clusterversions.config.openshift.io"]);
    check("yes", "list", &["pods", "-A"]);
    check("yes", "patch", &["updatestatuses.update.openshift.io", "--subresource=status"]);
    check("yes", "patch", &["lease/headway-operator-status", "-n", NAMESPACE]);
    check("yes", "get", &["route/thanos-querier", "-n", "openshift-monitoring"]);
    check("no", "patch", &["clusterversions.config.openshift.io"]);
    check("no", "patch", &["nodes"]);
    check("no", "delete", &["updatestatuses.update.openshift.io"]);
    check("no", "create", &["pods/eviction", "-n", "default"]);
    check("no", "patch", &["lease/other", "-n", NAMESPACE]);
    check("no", "create", &["lease", "-n", "kube-system"]);
    check("no", "get", &["secrets", "-n", NAMESPACE]);
    check("no", "list", &["deployments", "-n", "openshift-machine-config-operator"]);
}
