//! The rules of the kinds that a schema alone cannot state, in CEL; the API server enforces them.
//!
//! A rule costs what it costs once, times every list around it, and the API server refuses a kind whose rules cost too
//! much together. So there is none on the members of a group of nodes, and those on the insights of pools, of which
//! there may be 256 times 4 times 256, compare as little as they can. `deploy` tests hold a fifth of the budget free.
//!
//! They are given to the schema as a value. kube's `KubeSchema` would take them as attributes, but compiles a second
//! copy of each type for it.

use serde_json::{Value, json};

/// A rule, and what to say when it does not hold.
type Rule = (&'static str, &'static str);

/// The value of `x-kubernetes-validations`.
fn list(rules: &[Rule]) -> Value {
    rules.iter().map(|(rule, message)| json!({ "rule": rule, "message": message })).collect()
}

/// Of the versions of an update.
pub(super) fn versions() -> Value {
    list(&[
        (
            "!has(self.previous) || !has(self.previous.metadata) || !self.previous.metadata.exists(m, m.key == 'Installation')",
            "the previous version cannot be an Installation",
        ),
        (
            "has(self.previous) || (has(self.target.metadata) && self.target.metadata.exists(m, m.key == 'Installation'))",
            "the previous version may be absent only if the target is an Installation",
        ),
        (
            "!has(self.target.metadata) || !self.target.metadata.exists(m, m.key == 'Partial')",
            "the target version cannot be Partial",
        ),
        (
            "!has(self.previous) || !has(self.target.metadata) || !self.target.metadata.exists(m, m.key == 'Installation')",
            "the target can be an Installation only if there is no previous version",
        ),
    ])
}

/// Of a pool in a list of pools.
pub(super) fn named_pool() -> Value {
    list(&[("self.name == self.resource.name", "name is the name of the resource")])
}

const CLUSTER_VERSION: Rule = (
    "self.type == 'ClusterVersion' ? has(self.clusterVersion) && has(self.clusterVersion.resource) && self.clusterVersion.resource.resource == 'clusterversions' : !has(self.clusterVersion)",
    "clusterVersion is set, with a resource of clusterversions, if and only if type is ClusterVersion",
);

const CLUSTER_OPERATOR: Rule = (
    "self.type == 'ClusterOperator' ? has(self.clusterOperator) && has(self.clusterOperator.resource) && self.clusterOperator.resource.resource == 'clusteroperators' : !has(self.clusterOperator)",
    "clusterOperator is set, with a resource of clusteroperators, if and only if type is ClusterOperator",
);

const MACHINE_CONFIG_POOL: Rule = (
    "self.type == 'MachineConfigPool' ? has(self.machineConfigPool) && has(self.machineConfigPool.resource) && self.machineConfigPool.resource.resource == 'machineconfigpools' : !has(self.machineConfigPool)",
    "machineConfigPool is set, with a resource of machineconfigpools, if and only if type is MachineConfigPool",
);

// The core group has no name: a reference to a Node has no group at all.
const NODE: Rule = (
    "self.type == 'Node' ? has(self.node) && has(self.node.resource) && self.node.resource.resource == 'nodes' && !has(self.node.resource.group) : !has(self.node)",
    "node is set, with a resource of nodes without a group, if and only if type is Node",
);

const HEALTH: Rule =
    ("self.type == 'Health' ? has(self.health) : !has(self.health)", "health is set if and only if type is Health");

/// Of an insight on the control plane.
pub(super) fn control_plane_insight() -> Value {
    list(&[CLUSTER_VERSION, CLUSTER_OPERATOR, MACHINE_CONFIG_POOL, NODE, HEALTH])
}

/// Of an insight on a pool.
pub(super) fn pool_insight() -> Value {
    list(&[MACHINE_CONFIG_POOL, NODE, HEALTH])
}

/// A group, and the resources of it that a reference may name.
type Allowed = (&'static str, &'static [&'static str]);

/// What a control plane can be.
const CLUSTERS: [Allowed; 3] = [
    ("config.openshift.io", &["clusterversions"]),
    ("hypershift.openshift.io", &["hostedclusters"]),
    ("cluster.x-k8s.io", &["clusters"]),
];

/// What a pool can be.
const POOLS: [Allowed; 4] = [
    ("machineconfiguration.openshift.io", &["machineconfigpools"]),
    ("hypershift.openshift.io", &["nodepools"]),
    ("controlplane.cluster.x-k8s.io", &["kubeadmcontrolplanes"]),
    ("cluster.x-k8s.io", &["machinedeployments", "machinepools"]),
];

/// Of a reference to what a control plane can be.
pub(super) fn of_cluster() -> Value {
    refers_to("the control plane", &CLUSTERS)
}

/// Of a reference to a pool.
pub(super) fn of_pool() -> Value {
    refers_to("a pool", &POOLS)
}

/// The resource decides which group is right. A choice costs as much as its dearest branch, where a list of pairs would
/// cost the sum of all, which the budget does not have.
fn refers_to(what: &str, allowed: &[Allowed]) -> Value {
    let choice = allowed.iter().rev().fold("false".to_owned(), |otherwise, (group, resources)| {
        let quoted: Vec<String> = resources.iter().map(|resource| format!("'{resource}'")).collect();
        let is_one = match quoted.as_slice() {
            [only] => format!("self.resource == {only}"),
            several => format!("self.resource in [{}]", several.join(", ")),
        };
        format!("{is_one} ? self.group == '{group}' : {otherwise}")
    });
    let names: Vec<String> = allowed
        .iter()
        .flat_map(|(group, resources)| resources.iter().map(move |resource| format!("{resource}.{group}")))
        .collect();
    json!([{
        "rule": format!("has(self.group) && ({choice})"),
        "message": format!("{what} is one of {}", names.join(", ")),
    }])
}
