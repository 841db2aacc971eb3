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

// What the other forms have: which object it is, its resource says.

const HOSTED_CLUSTER: Rule = (
    "self.type == 'HostedCluster' ? has(self.hostedCluster) : !has(self.hostedCluster)",
    "hostedCluster is set if and only if type is HostedCluster",
);

const CLUSTER: Rule = (
    "self.type == 'Cluster' ? has(self.cluster) : !has(self.cluster)",
    "cluster is set if and only if type is Cluster",
);

const CONTROL_PLANE_COMPONENT: Rule = (
    "self.type == 'ControlPlaneComponent' ? has(self.controlPlaneComponent) : !has(self.controlPlaneComponent)",
    "controlPlaneComponent is set if and only if type is ControlPlaneComponent",
);

const CONTROL_PLANE: Rule = (
    "self.type == 'ControlPlane' ? has(self.controlPlane) : !has(self.controlPlane)",
    "controlPlane is set if and only if type is ControlPlane",
);

const NODE_POOL: Rule = (
    "self.type == 'NodePool' ? has(self.nodePool) : !has(self.nodePool)",
    "nodePool is set if and only if type is NodePool",
);

const MACHINE_DEPLOYMENT: Rule = (
    "self.type == 'MachineDeployment' ? has(self.machineDeployment) : !has(self.machineDeployment)",
    "machineDeployment is set if and only if type is MachineDeployment",
);

const MACHINE_POOL: Rule = (
    "self.type == 'MachinePool' ? has(self.machinePool) : !has(self.machinePool)",
    "machinePool is set if and only if type is MachinePool",
);

const MACHINE: Rule = (
    "self.type == 'Machine' ? has(self.machine) : !has(self.machine)",
    "machine is set if and only if type is Machine",
);

/// What insights on the control plane can be about.
pub(super) const CONTROL_PLANE_TYPES: [&str; 10] = [
    "ClusterVersion",
    "HostedCluster",
    "Cluster",
    "ClusterOperator",
    "ControlPlaneComponent",
    "MachineConfigPool",
    "ControlPlane",
    "Node",
    "Machine",
    "Health",
];

/// Of an insight on the control plane.
pub(super) fn control_plane_insight() -> Value {
    list(&[
        CLUSTER_VERSION,
        HOSTED_CLUSTER,
        CLUSTER,
        CLUSTER_OPERATOR,
        CONTROL_PLANE_COMPONENT,
        MACHINE_CONFIG_POOL,
        CONTROL_PLANE,
        NODE,
        MACHINE,
        HEALTH,
    ])
}

/// What insights on a pool can be about.
pub(super) const POOL_TYPES: [&str; 7] =
    ["MachineConfigPool", "NodePool", "MachineDeployment", "MachinePool", "Node", "Machine", "Health"];

/// Of an insight on a pool.
pub(super) fn pool_insight() -> Value {
    list(&[MACHINE_CONFIG_POOL, NODE_POOL, MACHINE_DEPLOYMENT, MACHINE_POOL, NODE, MACHINE, HEALTH])
}

/// A group, and the resources of it that a reference may name.
type Allowed = (&'static str, &'static [&'static str]);

/// What a cluster can be.
const CLUSTERS: [Allowed; 3] = [
    ("config.openshift.io", &["clusterversions"]),
    ("hypershift.openshift.io", &["hostedclusters"]),
    ("cluster.x-k8s.io", &["clusters"]),
];

/// What a pool can be.
const POOLS: [Allowed; 3] = [
    ("machineconfiguration.openshift.io", &["machineconfigpools"]),
    ("hypershift.openshift.io", &["nodepools"]),
    ("cluster.x-k8s.io", &["machinedeployments", "machinepools"]),
];

/// Or a control plane of Cluster API, of which every provider has a kind of its own.
const CONTROL_PLANES: &str = "controlplane.cluster.x-k8s.io";

/// Of a reference to what a control plane can be.
pub(super) fn of_cluster() -> Value {
    refers_to("the control plane", &CLUSTERS, None)
}

/// Of a reference to a pool.
pub(super) fn of_pool() -> Value {
    refers_to("a pool", &POOLS, Some(CONTROL_PLANES))
}

/// The resource decides which group is right; of one group all resources may be. A choice costs as much as its dearest branch, where a list of pairs would
/// cost the sum of all, which the budget does not have.
fn refers_to(what: &str, allowed: &[Allowed], whole_group: Option<&str>) -> Value {
    let otherwise = whole_group.map_or("false".to_owned(), |group| format!("self.group == '{group}'"));
    let choice = allowed.iter().rev().fold(otherwise, |otherwise, (group, resources)| {
        let quoted: Vec<String> = resources.iter().map(|resource| format!("'{resource}'")).collect();
        let is_one = match quoted.as_slice() {
            [only] => format!("self.resource == {only}"),
            several => format!("self.resource in [{}]", several.join(", ")),
        };
        format!("{is_one} ? self.group == '{group}' : {otherwise}")
    });
    let names = allowed
        .iter()
        .flat_map(|(group, resources)| resources.iter().map(move |resource| format!("{resource}.{group}")));
    let names: Vec<String> = names.chain(whole_group.map(|group| format!("*.{group}"))).collect();
    json!([{
        "rule": format!("has(self.group) && ({choice})"),
        "message": format!("{what} is one of {}", names.join(", ")),
    }])
}
