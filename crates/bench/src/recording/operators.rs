//! The cluster operators: all at the target and well, as they are once the control plane is done.

use serde_json::{Value, json};

use super::fleet::{Fleet, Release, Role, State};
use super::moment::{HOUR, ago};
use super::seed::Seed;

/// The operators of a release payload.
const NAMES: [&str; 33] = [
    "authentication",
    "baremetal",
    "cloud-controller-manager",
    "cloud-credential",
    "cluster-autoscaler",
    "config-operator",
    "console",
    "control-plane-machine-set",
    "csi-snapshot-controller",
    "dns",
    "etcd",
    "image-registry",
    "ingress",
    "insights",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-storage-version-migrator",
    "machine-api",
    "machine-approver",
    "machine-config",
    "marketplace",
    "monitoring",
    "network",
    "node-tuning",
    "olm",
    "openshift-apiserver",
    "openshift-controller-manager",
    "operator-lifecycle-manager",
    "operator-lifecycle-manager-catalog",
    "operator-lifecycle-manager-packageserver",
    "service-ca",
    "storage",
];

/// Every cluster operator.
pub(crate) fn operators(fleet: Fleet) -> Vec<Value> {
    NAMES.into_iter().zip(0_u32..).map(|(name, place)| operator(fleet, name, place)).collect()
}

fn operator(fleet: Fleet, name: &str, place: u32) -> Value {
    let target = Release::Target.version();
    let seed = Seed::of("operator").under(name);
    json!({
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterOperator",
        "metadata": {
            "annotations": {
                "exclude.release.openshift.io/internal-openshift-hosted": "true",
                "include.release.openshift.io/self-managed-high-availability": "true",
                "include.release.openshift.io/single-node-developer": "true",
            },
            "creationTimestamp": ago(9_200 * HOUR),
            "generation": 1,
            "name": name,
            "ownerReferences": [{
                "apiVersion": "config.openshift.io/v1",
                "controller": true,
                "kind": "ClusterVersion",
                "name": "version",
                "uid": Seed::of("cluster version").uuid(),
            }],
            "resourceVersion": seed.resource_version(),
            "uid": seed.uuid(),
        },
        "spec": {},
        "status": {
            "conditions": [
                condition("Degraded", "False", "All is well", 200 * HOUR),
                condition("Progressing", "False", &format!("Progressing: {name} is at {target}"), 4 * HOUR - 60 * place),
                condition("Available", "True", &format!("{name} answers in all its replicas"), 900 * HOUR),
                condition("Upgradeable", "True", "", 900 * HOUR),
            ],
            "extension": extension(fleet, name),
            "relatedObjects": related(name),
            "versions": [{"name": "operator", "version": target}, {"name": name, "version": Release::Target.kubelet()}],
        },
    })
}

fn condition(kind: &str, status: &str, message: &str, seconds: u32) -> Value {
    json!({"lastTransitionTime": ago(seconds), "message": message, "reason": "AsExpected", "status": status, "type": kind})
}

/// Only the machine-config operator tells more: one sentence for each pool.
fn extension(fleet: Fleet, name: &str) -> Value {
    if name != "machine-config" {
        return Value::Null;
    }
    let sentence = |role: Role| {
        let census = fleet.census(role);
        let done = census.count(&[State::Done]);
        let all = census.all();
        (role.name().to_owned(), json!(format!("{done} of {all} nodes run {}", role.rendered(Release::Target))))
    };
    Value::Object(Role::ALL.into_iter().map(sentence).collect())
}

/// Objects that an operator points at, more for some than for others.
fn related(name: &str) -> Vec<Value> {
    let seed = Seed::of("related").under(name);
    let mut related = vec![
        json!({"group": "operator.openshift.io", "name": "cluster", "resource": name}),
        json!({"group": "", "name": format!("openshift-{name}"), "resource": "namespaces"}),
        json!({"group": "", "name": format!("openshift-{name}-operator"), "resource": "namespaces"}),
    ];
    related.extend((0..seed.below(12)).map(|index| {
        json!({"group": "", "name": format!("{name}-{}", seed.at(index).hex(5)), "namespace": format!("openshift-{name}"), "resource": "configmaps"})
    }));
    related
}
