//! The chart as it is installed: its rights, its account, and how it starts the operator.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use headway_testenv::Plane;
use serde_json::Value;

/// The namespace that everything is installed to.
pub(super) const NAMESPACE: &str = "headway-system";

/// The name of the account, and of all else that is the role's.
pub(super) const NAME: &str = "headway-operator-status";

/// OpenShift's own namespaces that the chart has rights in.
const OPENSHIFT: [&str; 3] = ["openshift-machine-config-operator", "openshift-monitoring", "openshift-config-managed"];

/// One verb on one resource.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Right {
    /// Where; everywhere without one.
    pub(super) namespace: Option<String>,
    pub(super) group: String,
    pub(super) resource: String,
    /// On which object; on all without one.
    pub(super) name: Option<String>,
    pub(super) verb: String,
}

impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { namespace, group, resource, name, verb } = self;
        write!(f, "{verb} {resource}")?;
        if !group.is_empty() {
            write!(f, ".{group}")?;
        }
        name.iter().try_for_each(|name| write!(f, " {name}"))?;
        namespace.iter().try_for_each(|namespace| write!(f, " in {namespace}"))
    }
}

/// The account of the role `status` as the server names who asks.
pub(super) fn account() -> String {
    account_of(NAME)
}

/// That of a role.
pub(super) fn account_of(name: &str) -> String {
    format!("system:serviceaccount:{NAMESPACE}:{name}")
}

/// Installs the chart, or changes what is installed.
pub(super) fn install(plane: &Plane, values: &[&str]) {
    let chart = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/headway"));
    if plane.kubectl_text(&["get", "namespace", NAMESPACE]).is_err() {
        for namespace in OPENSHIFT {
            plane.kubectl_text(&["create", "namespace", namespace]).unwrap();
        }
    }
    let place = ["--namespace", NAMESPACE, "--create-namespace"];
    let command = ["upgrade", "--install", "headway", chart.to_str().unwrap()];
    plane.helm_text(&[&command, &place[..], values].concat()).unwrap();
    let kinds = ["wait", "--for=condition=Established", "--timeout=60s", "crd", "--all"];
    plane.kubectl_text(&kinds).unwrap();
}

/// The arguments of the container of a role.
pub(super) fn arguments(plane: &Plane, name: &str) -> Vec<String> {
    let deployment = get(plane, &["deployment", name, "--namespace", NAMESPACE]);
    let arguments = deployment["spec"]["template"]["spec"]["containers"][0]["args"].as_array().unwrap();
    arguments.iter().map(|argument| argument.as_str().unwrap().to_owned()).collect()
}

/// What the account of the role `status` may do.
pub(super) fn rights(plane: &Plane) -> BTreeSet<Right> {
    rights_of(plane, NAME)
}

/// What the account of a role may do by the roles that are bound to it, beyond what everybody may.
pub(super) fn rights_of(plane: &Plane, name: &str) -> BTreeSet<Right> {
    let bindings = get(plane, &["rolebindings,clusterrolebindings", "--all-namespaces"]);
    let mut all = BTreeSet::new();
    let is_ours = |binding: &&Value| {
        let subjects = binding["subjects"].as_array().map_or(&[][..], Vec::as_slice);
        subjects.iter().any(|subject| subject["kind"] == "ServiceAccount" && subject["name"] == name)
    };
    let bindings: Vec<&Value> = bindings["items"].as_array().unwrap().iter().filter(is_ours).collect();
    assert!(bindings.len() > 1, "{bindings:?}");
    for binding in bindings {
        let namespace = binding["metadata"]["namespace"].as_str();
        let role = binding["roleRef"]["name"].as_str().unwrap();
        // OpenShift's own: what it opens is the door of the monitoring, not the API server's.
        if role == "cluster-monitoring-view" {
            continue;
        }
        let kind = binding["roleRef"]["kind"].as_str().unwrap();
        let role = match namespace {
            Some(namespace) => get(plane, &[kind, role, "--namespace", namespace]),
            None => get(plane, &[kind, role]),
        };
        for rule in role["rules"].as_array().unwrap() {
            all.extend(of_rule(rule, namespace));
        }
    }
    all
}

fn of_rule(rule: &Value, namespace: Option<&str>) -> Vec<Right> {
    let words = |key: &str| -> Vec<String> {
        let all = rule[key].as_array().map_or(&[][..], Vec::as_slice);
        all.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let named: Vec<Option<String>> = words("resourceNames").into_iter().map(Some).collect();
    let names = if named.is_empty() { vec![None] } else { named };
    let mut all = Vec::new();
    for group in words("apiGroups") {
        for resource in words("resources") {
            for verb in words("verbs") {
                all.extend(names.iter().map(|name| Right {
                    namespace: namespace.map(str::to_owned),
                    group: group.clone(),
                    resource: resource.clone(),
                    name: name.clone(),
                    verb: verb.clone(),
                }));
            }
        }
    }
    all
}

/// What kubectl gets.
pub(super) fn get(plane: &Plane, what: &[&str]) -> Value {
    serde_json::from_str(&plane.kubectl_text(&[&["get", "--output=json"], what].concat()).unwrap()).unwrap()
}
