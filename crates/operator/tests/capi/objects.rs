//! What a test gives Cluster API: a class of clusters whose machines are made in memory, a cluster of it, an extension.

use serde_json::{Value, json};

const CLUSTER: &str = "cluster.x-k8s.io/v1beta2";
const INFRASTRUCTURE: &str = "infrastructure.cluster.x-k8s.io/v1beta2";
const CONTROL_PLANE: &str = "controlplane.cluster.x-k8s.io/v1beta2";
const BOOTSTRAP: &str = "bootstrap.cluster.x-k8s.io/v1beta2";

/// The namespace of everything here.
pub(super) const NAMESPACE: &str = "default";

fn object(version: &str, kind: &str, name: &str, spec: &Value) -> Value {
    json!({"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": NAMESPACE}, "spec": spec})
}

fn template(version: &str, kind: &str, name: &str) -> Value {
    json!({"templateRef": {"apiVersion": version, "kind": kind, "name": name}})
}

/// One after the other, as kubectl reads them.
fn stream(objects: &[Value]) -> String {
    objects.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A class of clusters, and the templates that it is made of. `versions` is what the class says about versions.
pub(super) fn class(name: &str, versions: &Value) -> String {
    let at_once = json!({"provisioning": {"startupDuration": "1s", "startupJitter": "0.2"}});
    let machine = |name: &str| {
        let backend = json!({"inMemory": {"vm": at_once, "node": at_once, "apiServer": at_once, "etcd": at_once}});
        object(INFRASTRUCTURE, "DevMachineTemplate", name, &json!({"template": {"spec": {"backend": backend}}}))
    };
    let (servers, workers) = (format!("{name}-control-plane"), format!("{name}-worker"));
    // Its schema takes no empty object.
    let node = json!({"nodeRegistration": {"criSocket": "unix:///run/containerd/containerd.sock"}});
    let mut spec = json!({
        "infrastructure": template(INFRASTRUCTURE, "DevClusterTemplate", name),
        "controlPlane": template(CONTROL_PLANE, "KubeadmControlPlaneTemplate", name),
        "workers": {"machineDeployments": [{
            "class": "worker",
            "bootstrap": template(BOOTSTRAP, "KubeadmConfigTemplate", name),
            "infrastructure": template(INFRASTRUCTURE, "DevMachineTemplate", &workers),
        }]},
    });
    spec["controlPlane"]["machineInfrastructure"] = template(INFRASTRUCTURE, "DevMachineTemplate", &servers);
    for (field, value) in versions.as_object().into_iter().flatten() {
        spec[field] = value.clone();
    }
    let memory = json!({"template": {"spec": {"backend": {"inMemory": {}}}}});
    let kubeadm = json!({"template": {"spec": {"kubeadmConfigSpec": {
        "clusterConfiguration": {"apiServer": {"certSANs": ["localhost"]}},
        "initConfiguration": node,
        "joinConfiguration": node,
    }}}});
    stream(&[
        object(INFRASTRUCTURE, "DevClusterTemplate", name, &memory),
        object(CONTROL_PLANE, "KubeadmControlPlaneTemplate", name, &kubeadm),
        object(BOOTSTRAP, "KubeadmConfigTemplate", name, &json!({"template": {"spec": {"joinConfiguration": node}}})),
        machine(&servers),
        machine(&workers),
        object(CLUSTER, "ClusterClass", name, &spec),
    ])
}

/// A cluster without a class: one machine that serves, and groups of one that works.
pub(super) fn plain(name: &str, version: &str, groups: &[&str]) -> String {
    let at_once = json!({"provisioning": {"startupDuration": "1s", "startupJitter": "0.2"}});
    let backend = json!({"inMemory": {"vm": at_once, "node": at_once, "apiServer": at_once, "etcd": at_once}});
    let node = json!({"nodeRegistration": {"criSocket": "unix:///run/containerd/containerd.sock"}});
    let reference = |group: &str, kind: &str| json!({"apiGroup": group, "kind": kind, "name": name});
    let infrastructure = |kind: &str| reference("infrastructure.cluster.x-k8s.io", kind);
    let mut all = vec![
        object(INFRASTRUCTURE, "DevCluster", name, &json!({"backend": {"inMemory": {}}})),
        object(INFRASTRUCTURE, "DevMachineTemplate", name, &json!({"template": {"spec": {"backend": backend}}})),
        object(BOOTSTRAP, "KubeadmConfigTemplate", name, &json!({"template": {"spec": {"joinConfiguration": node}}})),
        object(
            CONTROL_PLANE,
            "KubeadmControlPlane",
            name,
            &json!({
                "replicas": 1, "version": version,
                "machineTemplate": {"spec": {"infrastructureRef": infrastructure("DevMachineTemplate")}},
                "kubeadmConfigSpec": {
                    "clusterConfiguration": {"apiServer": {"certSANs": ["localhost"]}},
                    "initConfiguration": node,
                    "joinConfiguration": node,
                },
            }),
        ),
        object(
            CLUSTER,
            "Cluster",
            name,
            &json!({
                "clusterNetwork": {
                    "services": {"cidrBlocks": ["10.128.0.0/12"]},
                    "pods": {"cidrBlocks": ["192.168.0.0/16"]},
                    "serviceDomain": "cluster.local",
                },
                "controlPlaneRef": reference("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"),
                "infrastructureRef": infrastructure("DevCluster"),
            }),
        ),
    ];
    for group in groups {
        let own = json!({"cluster.x-k8s.io/cluster-name": name, "cluster.x-k8s.io/deployment-name": group});
        all.push(object(
            CLUSTER,
            "MachineDeployment",
            group,
            &json!({
                "clusterName": name, "replicas": 1, "selector": {"matchLabels": own},
                "template": {"metadata": {"labels": own}, "spec": {
                    "clusterName": name, "version": version,
                    "bootstrap": {"configRef": reference("bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate")},
                    "infrastructureRef": infrastructure("DevMachineTemplate"),
                }},
            }),
        ));
    }
    // The provider writes into the annotations of its objects, and falls when there are none.
    for object in &mut all {
        object["metadata"]["annotations"] = json!({"headway.dev/of-test": ""});
        object["metadata"]["labels"] = json!({"cluster.x-k8s.io/cluster-name": name});
    }
    stream(&all)
}

/// What is asked for: a cluster is taken to a version, by these on the way.
pub(super) fn upgrade(cluster: &str, version: &str, by: &[&str]) -> String {
    let spec = json!({"clusterName": cluster, "version": version, "plan": {"kubernetesVersions": by}});
    object("headway.dev/v1alpha1", "ClusterUpgrade", cluster, &spec).to_string()
}

/// A cluster of the class with one machine that serves and one that works.
pub(super) fn cluster(name: &str, class: &str, version: &str) -> String {
    let workers = json!({"machineDeployments": [{"class": "worker", "name": "all", "replicas": 1}]});
    let spec = json!({
        "clusterNetwork": {
            "services": {"cidrBlocks": ["10.128.0.0/12"]},
            "pods": {"cidrBlocks": ["192.168.0.0/16"]},
            "serviceDomain": "cluster.local",
        },
        "topology": {
            "classRef": {"name": class},
            "version": version,
            "controlPlane": {"replicas": 1},
            "workers": workers,
        },
    });
    object(CLUSTER, "Cluster", name, &spec).to_string()
}

/// The extension's registration, for the clusters of our namespace.
pub(super) fn extension(name: &str, url: &str, bundle: &str, settings: &Value) -> Value {
    json!({
        "apiVersion": "runtime.cluster.x-k8s.io/v1beta2",
        "kind": "ExtensionConfig",
        "metadata": {"name": name},
        "spec": {
            "clientConfig": {"url": url, "caBundle": bundle},
            "settings": settings,
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": NAMESPACE}},
        },
    })
}
