//! An invented fleet: clusters of Cluster API, one in ten of them in the middle of an upgrade, with all the conditions
//! that Cluster API writes.

use serde_json::{Value, json};

/// The namespace of each is this with its number.
pub(crate) const NAMESPACE: &str = "fleet-";

/// The moment of which the recording is.
pub(crate) const NOW: &str = "2026-06-10T12:00:00Z";

/// How many clusters share a namespace.
const IN_NAMESPACE: usize = 50;

const OLD: &str = "v1.33.5";
const NEW: &str = "v1.34.2";

/// How large a fleet is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Clusters.
    pub(crate) clusters: usize,
    /// Groups of workers of each.
    pub(crate) pools: usize,
    /// Machines of each, three of them of the control plane.
    pub(crate) machines: usize,
}

impl Size {
    /// The namespaces.
    pub(crate) fn namespaces(self) -> impl Iterator<Item = String> {
        (0..self.clusters.div_ceil(IN_NAMESPACE)).map(|at| format!("{NAMESPACE}{at:03}"))
    }

    /// The machines of control planes that are not replaced yet, in the order in which they will be: the next one of each
    /// cluster that is being upgraded, then the last one of each. Each as it is when it is replaced.
    pub(crate) fn replacements(self) -> impl Iterator<Item = Value> {
        (1..3).flat_map(move |machine| {
            let upgrading = (0..self.clusters).map(One::new).filter(One::is_upgrading);
            upgrading.map(move |one| one.machine_that_runs("cp", machine, NEW))
        })
    }

    /// All objects, the clusters first.
    pub(crate) fn objects(self) -> impl Iterator<Item = Value> {
        let classes = self.namespaces().map(|namespace| class(&namespace));
        classes.chain((0..self.clusters).flat_map(move |at| self.cluster(at)))
    }

    fn cluster(self, at: usize) -> Vec<Value> {
        let one = One::new(at);
        let mut all = vec![one.cluster(self.pools), one.control_plane()];
        all.extend((0..3).map(|machine| one.machine("cp", machine)));
        let workers = self.machines.saturating_sub(3);
        for pool in 0..self.pools {
            let (first, end) = (workers * pool / self.pools, workers * (pool + 1) / self.pools);
            all.push(one.deployment(pool, end - first));
            all.push(one.machine_set(pool, end - first));
            all.extend((first..end).map(|machine| one.machine(&format!("md-{pool}"), machine)));
        }
        all
    }
}

/// One cluster.
struct One {
    at: usize,
    namespace: String,
    name: String,
}

impl One {
    fn new(at: usize) -> Self {
        Self { at, namespace: format!("{NAMESPACE}{:03}", at / IN_NAMESPACE), name: format!("c{at:04}") }
    }

    /// Whether its control plane is on the way: one of three machines is there.
    fn is_upgrading(&self) -> bool {
        self.at.is_multiple_of(10)
    }

    fn metadata(&self, name: &str) -> Value {
        json!({"name": name, "namespace": self.namespace, "creationTimestamp": "2026-06-01T08:00:00Z",
            "uid": format!("00000000-0000-4000-8000-{:012}", self.at), "generation": 4,
            "labels": {"cluster.x-k8s.io/cluster-name": self.name, "topology.cluster.x-k8s.io/owned": ""}})
    }

    fn cluster(&self, pools: usize) -> Value {
        let entries: Vec<Value> = (0..pools)
            .map(|pool| json!({"class": "default-worker", "name": format!("md-{pool}"), "replicas": 4}))
            .collect();
        let upgrading = self.is_upgrading();
        let message = "Cluster is upgrading to v1.34.2\n  * KubeadmControlPlane upgrading to version v1.34.2";
        let reconciled = if upgrading {
            condition("TopologyReconciled", "False", "ClusterUpgrading", message)
        } else {
            condition("TopologyReconciled", "True", "ReconcileSucceeded", "")
        };
        let mut conditions = vec![reconciled];
        conditions.extend(holding(&[
            "Available",
            "RemoteConnectionProbe",
            "InfrastructureReady",
            "ControlPlaneInitialized",
            "ControlPlaneAvailable",
            "WorkersAvailable",
            "ControlPlaneMachinesReady",
            "WorkerMachinesReady",
            "ControlPlaneMachinesUpToDate",
            "WorkerMachinesUpToDate",
        ]));
        let mut metadata = self.metadata(&self.name);
        if upgrading {
            metadata["annotations"] = json!({"runtime.cluster.x-k8s.io/pending-hooks": "AfterClusterUpgrade",
                "topology.internal.cluster.x-k8s.io/upgrade-step": NEW});
        }
        json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": metadata,
            "spec": {
                "clusterNetwork": {"pods": {"cidrBlocks": ["192.168.0.0/16"]}, "services": {"cidrBlocks": ["10.128.0.0/12"]}},
                "controlPlaneEndpoint": {"host": "10.0.0.1", "port": 6443},
                "controlPlaneRef": {"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane",
                    "name": format!("{}-cp", self.name)},
                "infrastructureRef": {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": "DevCluster", "name": self.name},
                "topology": {"classRef": {"name": "prod"}, "version": if upgrading { NEW } else { OLD },
                    "controlPlane": {"replicas": 3}, "workers": {"machineDeployments": entries}}},
            "status": {"phase": "Provisioned", "conditions": conditions}})
    }

    fn control_plane(&self) -> Value {
        let upgrading = self.is_upgrading();
        let rolling = if upgrading { "True" } else { "False" };
        let mut conditions = vec![condition("RollingOut", rolling, "RollingOut", "")];
        conditions.extend(holding(&[
            "Available",
            "CertificatesAvailable",
            "EtcdClusterHealthy",
            "ControlPlaneComponentsHealthy",
            "MachinesReady",
            "Initialized",
        ]));
        json!({"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane",
            "metadata": self.metadata(&format!("{}-cp", self.name)),
            "spec": {"replicas": 3, "version": if upgrading { NEW } else { OLD },
                "machineTemplate": {"spec": {"infrastructureRef": reference("DevMachineTemplate", &self.name)}}},
            "status": {"version": OLD, "replicas": 3, "readyReplicas": 3, "availableReplicas": 3,
                "upToDateReplicas": if upgrading { 1 } else { 3 }, "conditions": conditions}})
    }

    fn deployment(&self, pool: usize, replicas: usize) -> Value {
        let name = format!("{}-md-{pool}", self.name);
        let mut metadata = self.metadata(&name);
        metadata["labels"]["topology.cluster.x-k8s.io/deployment-name"] = json!(format!("md-{pool}"));
        let labels = json!({"cluster.x-k8s.io/cluster-name": self.name, "cluster.x-k8s.io/deployment-name": name});
        json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment", "metadata": metadata,
            "spec": {"clusterName": self.name, "replicas": replicas, "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"clusterName": self.name, "version": OLD,
                    "bootstrap": {"configRef": reference("KubeadmConfigTemplate", &name)},
                    "infrastructureRef": reference("DevMachineTemplate", &name)}}},
            "status": {"phase": "Running", "replicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
                "upToDateReplicas": replicas, "conditions": holding(&["Available", "MachinesReady", "MachinesUpToDate"])}})
    }

    /// The one MachineSet of a MachineDeployment: its version has not changed yet.
    fn machine_set(&self, pool: usize, replicas: usize) -> Value {
        let group = format!("{}-md-{pool}", self.name);
        let mut metadata = self.metadata(&format!("{group}-x7k2p"));
        metadata["labels"]["cluster.x-k8s.io/deployment-name"] = json!(group);
        metadata["ownerReferences"] = json!([{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
            "name": group, "uid": "00000000-0000-4000-8000-000000000001", "controller": true}]);
        let labels = json!({"cluster.x-k8s.io/cluster-name": self.name, "cluster.x-k8s.io/deployment-name": group});
        json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet", "metadata": metadata,
            "spec": {"clusterName": self.name, "replicas": replicas, "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels}, "spec": {"clusterName": self.name, "version": OLD,
                    "bootstrap": {"configRef": reference("KubeadmConfigTemplate", &group)},
                    "infrastructureRef": reference("DevMachineTemplate", &group)}}},
            "status": {"replicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
                "upToDateReplicas": replicas, "conditions": holding(&["MachinesReady", "MachinesUpToDate"])}})
    }

    fn machine(&self, pool: &str, at: usize) -> Value {
        let is_new = pool == "cp" && self.is_upgrading() && at == 0;
        self.machine_that_runs(pool, at, if is_new { NEW } else { OLD })
    }

    fn machine_that_runs(&self, pool: &str, at: usize, version: &str) -> Value {
        let is_of_control_plane = pool == "cp";
        let group = format!("{}-{pool}", self.name);
        let name = format!("{group}-{at:03}");
        let mut metadata = self.metadata(&name);
        let owner = if is_of_control_plane {
            metadata["labels"]["cluster.x-k8s.io/control-plane"] = json!("");
            json!({"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2", "kind": "KubeadmControlPlane", "name": group})
        } else {
            metadata["labels"]["cluster.x-k8s.io/deployment-name"] = json!(group);
            json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet", "name": format!("{group}-x7k2p")})
        };
        metadata["ownerReferences"] = json!([owner]);
        metadata["ownerReferences"][0]["uid"] = json!("00000000-0000-4000-8000-000000000001");
        metadata["ownerReferences"][0]["controller"] = json!(true);
        let is_old = is_of_control_plane && self.is_upgrading() && version == OLD;
        let mut conditions = vec![if is_old {
            condition("UpToDate", "False", "NotUpToDate", "* Version v1.33.5, v1.34.2 required")
        } else {
            condition("UpToDate", "True", "UpToDate", "")
        }];
        conditions.extend(holding(&[
            "Available",
            "Ready",
            "BootstrapConfigReady",
            "InfrastructureReady",
            "NodeHealthy",
            "NodeReady",
            "HealthCheckSucceeded",
        ]));
        conditions.push(condition("Deleting", "False", "NotDeleting", ""));
        conditions.push(condition("Updating", "False", "NotUpdating", ""));
        json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine", "metadata": metadata,
            "spec": {"clusterName": self.name, "version": version, "providerID": format!("dev://{name}"),
                "bootstrap": {"configRef": reference("KubeadmConfig", &name), "dataSecretName": name},
                "infrastructureRef": reference("DevMachine", &name)},
            "status": {"phase": "Running", "nodeRef": {"name": name}, "conditions": conditions,
                "initialization": {"bootstrapDataSecretCreated": true, "infrastructureProvisioned": true},
                "nodeInfo": {"kubeletVersion": version, "architecture": "amd64", "operatingSystem": "linux",
                    "osImage": "Flatcar Container Linux", "kernelVersion": "6.6.30", "containerRuntimeVersion": "containerd://1.7.20",
                    "bootID": "00000000-0000-4000-8000-000000000003", "machineID": "00000000000040008000000000000003",
                    "systemUUID": "00000000-0000-4000-8000-000000000003", "kubeProxyVersion": ""}}})
    }
}

fn class(namespace: &str) -> Value {
    let template = |kind: &str| {
        let group = if kind.starts_with("Kubeadm") { "bootstrap" } else { "infrastructure" };
        json!({"templateRef": {"apiVersion": format!("{group}.cluster.x-k8s.io/v1beta2"), "kind": kind, "name": "prod"}})
    };
    json!({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "ClusterClass",
        "metadata": {"name": "prod", "namespace": namespace},
        "spec": {"kubernetesVersions": [OLD, NEW], "infrastructure": template("DevClusterTemplate"),
            "controlPlane": {"templateRef": {"apiVersion": "controlplane.cluster.x-k8s.io/v1beta2",
                "kind": "KubeadmControlPlaneTemplate", "name": "prod"}},
            "workers": {"machineDeployments": [{"class": "default-worker", "bootstrap": template("KubeadmConfigTemplate"),
                "infrastructure": template("DevMachineTemplate")}]}}})
}

fn reference(kind: &str, name: &str) -> Value {
    let group = if kind.starts_with("Kubeadm") { "bootstrap" } else { "infrastructure" };
    json!({"apiGroup": format!("{group}.cluster.x-k8s.io"), "kind": kind, "name": name})
}

fn condition(kind: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": message, "observedGeneration": 4,
        "lastTransitionTime": "2026-06-10T11:50:00Z"})
}

/// Conditions that hold, each by a reason of its own name.
fn holding(kinds: &[&str]) -> Vec<Value> {
    kinds.iter().map(|kind| condition(kind, "True", kind, "")).collect()
}
