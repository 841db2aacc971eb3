//! The fleet in a real API server, with the definitions of Cluster API's own modules.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use headway_testenv::Plane;
use kube::api::{Api, DynamicObject};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, Config};
use serde_json::{Value, json};

use super::objects::Size;
use crate::create;
use crate::operator::NAMESPACE;

/// So many requests at once: enough to keep all cores busy, most of them with the API server.
const AT_ONCE: usize = 64;

/// The definitions of the kinds that objects are made of, status and all.
const FILLED: [&str; 5] = [
    "clusters.cluster.x-k8s.io",
    "kubeadmcontrolplanes.controlplane.cluster.x-k8s.io",
    "machinedeployments.cluster.x-k8s.io",
    "machinesets.cluster.x-k8s.io",
    "machines.cluster.x-k8s.io",
];

/// The kinds that a status is told from, as kubectl names them.
const KINDS: &str = "clusters.cluster.x-k8s.io,clusterclasses.cluster.x-k8s.io,kubeadmcontrolplanes.controlplane.cluster.x-k8s.io,machinedeployments.cluster.x-k8s.io,machinepools.cluster.x-k8s.io,machinesets.cluster.x-k8s.io,machines.cluster.x-k8s.io,machinehealthchecks.cluster.x-k8s.io,extensionconfigs.runtime.cluster.x-k8s.io,namespaces";

/// The server.
pub(super) struct Server {
    plane: Plane,
    /// How long it took to fill it.
    pub(super) filled_in: Duration,
}

impl Server {
    /// Starts one and fills it.
    pub(super) fn start(size: Size) -> anyhow::Result<Self> {
        let plane = Plane::start()?;
        plane.apply_cluster_api_crds()?;
        create::install_our_kinds(&plane)?;
        for namespace in size.namespaces().chain([NAMESPACE.to_owned()]) {
            plane.kubectl_text(&["create", "namespace", &namespace])?;
        }
        // While status is no resource of its own, an object brings it along: half the requests.
        for definition in FILLED {
            without_subresources(&plane, definition)?;
        }
        let begun = Instant::now();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(fill(&plane, size))?;
        plane.apply_cluster_api_crds()?;
        Ok(Self { plane, filled_in: begun.elapsed() })
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

/// Takes the subresources out of all versions of a definition.
fn without_subresources(plane: &Plane, definition: &str) -> anyhow::Result<()> {
    let told: Value = serde_json::from_str(&plane.kubectl_text(&["get", "crd", definition, "-o", "json"])?)?;
    let versions = told["spec"]["versions"].as_array().context("a definition without versions")?;
    let with = versions.iter().enumerate().filter(|(_, version)| !version["subresources"].is_null());
    let removals: Vec<Value> =
        with.map(|(at, _)| json!({"op": "remove", "path": format!("/spec/versions/{at}/subresources")})).collect();
    let patch = Value::Array(removals).to_string();
    plane.kubectl_text(&["patch", "crd", definition, "--type", "json", "--patch", &patch])?;
    Ok(())
}

/// A client for what the kubeconfig of a plane leads to.
pub(super) async fn client(kubeconfig: &Path) -> anyhow::Result<Client> {
    let kubeconfig = Kubeconfig::read_from(kubeconfig)?;
    Ok(Client::try_from(Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?)?)
}

async fn fill(plane: &Plane, size: Size) -> anyhow::Result<()> {
    let client = client(plane.kubeconfig()).await?;
    // Tasks, so that objects are made and encoded on all threads.
    let made = stream::iter(size.objects()).map(|object| tokio::spawn(create(client.clone(), object)));
    made.buffer_unordered(AT_ONCE).map(|done| done?).try_collect().await
}

async fn create(client: Client, mut object: Value) -> anyhow::Result<()> {
    let api = api(client, &object);
    let status = object.as_object_mut().and_then(|object| object.remove("status"));
    create::create(&api, object, status).await
}

/// Where an object is.
pub(super) fn api(client: Client, object: &Value) -> Api<DynamicObject> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
    let namespace = text(&object["metadata"]["namespace"]);
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let resource = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, &kind), &plural(&kind));
    Api::namespaced_with(client, &namespace, &resource)
}

/// The resource of a kind.
pub(super) fn plural(kind: &str) -> String {
    let ending = if kind.ends_with('s') { "es" } else { "s" };
    format!("{}{ending}", kind.to_lowercase())
}
