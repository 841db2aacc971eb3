//! The fleet in a real API server, with the definitions of Cluster API's own modules.

use std::path::Path;
use std::process::Command;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use headway_testenv::Plane;
use kube::api::{Api, DynamicObject};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, Config};
use serde_json::Value;

use super::objects::Size;
use crate::create;

/// So many requests at once: enough to keep two cores busy.
const AT_ONCE: usize = 32;

/// The kinds that a status is told from, as kubectl names them.
const KINDS: &str = "clusters.cluster.x-k8s.io,clusterclasses.cluster.x-k8s.io,kubeadmcontrolplanes.controlplane.cluster.x-k8s.io,machinedeployments.cluster.x-k8s.io,machinepools.cluster.x-k8s.io,machinesets.cluster.x-k8s.io,machines.cluster.x-k8s.io,machinehealthchecks.cluster.x-k8s.io,extensionconfigs.runtime.cluster.x-k8s.io,namespaces";

/// The server.
pub(super) struct Server {
    plane: Plane,
}

impl Server {
    /// Starts one and fills it.
    pub(super) fn start(size: Size) -> anyhow::Result<Self> {
        let plane = Plane::start()?;
        plane.apply_cluster_api_crds()?;
        for namespace in size.namespaces() {
            plane.kubectl_text(&["create", "namespace", &namespace])?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(fill(&plane, size))?;
        Ok(Self { plane })
    }

    pub(super) fn kubeconfig(&self) -> &Path {
        self.plane.kubeconfig()
    }

    /// kubectl, which lists the kinds in pages of as many objects as we do.
    pub(super) fn get(&self, output: &str) -> Command {
        let mut command = self.plane.kubectl_command();
        command.args(["get", KINDS, "-A", "--chunk-size=500", "-o", output]);
        command
    }
}

async fn fill(plane: &Plane, size: Size) -> anyhow::Result<()> {
    let kubeconfig = Kubeconfig::read_from(plane.kubeconfig())?;
    let client = Client::try_from(Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?)?;
    stream::iter(size.objects()).map(Ok).try_for_each_concurrent(AT_ONCE, |object| create(&client, object)).await
}

async fn create(client: &Client, mut object: Value) -> anyhow::Result<()> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let namespace = text(&object["metadata"]["namespace"]);
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let resource = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, &kind), &plural(&kind));
    let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), &namespace, &resource);
    let status = object.as_object_mut().and_then(|object| object.remove("status"));
    create::create(&api, object, status).await
}

/// The resource of a kind.
pub(super) fn plural(kind: &str) -> String {
    let ending = if kind.ends_with('s') { "es" } else { "s" };
    format!("{}{ending}", kind.to_lowercase())
}
