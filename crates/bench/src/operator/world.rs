//! A cluster in a real API server: the recording's objects, which a simulation changes.

use std::time::Duration;

use anyhow::Context as _;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use headway_testenv::Plane;
use jiff::Timestamp;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, Config};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::objects::{as_of, heartbeat, node_as_of, patches};
use super::process::NAMESPACE;
use crate::create;
use crate::recording::{Fleet, Kind, Member, objects};

/// So many requests at once: enough to keep two cores busy.
const AT_ONCE: usize = 24;

/// A kubelet tells that it lives so often when nothing changes.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(300);

/// The cluster.
pub(super) struct World {
    pub(super) plane: Plane,
    pub(super) client: Client,
    /// Since when no node has changed.
    begun: Timestamp,
    /// Where it answers that no alert fires.
    pub(super) alerts: String,
}

impl World {
    /// A cluster whose control plane is done and whose other nodes have not begun.
    pub(super) async fn waiting(fleet: Fleet) -> anyhow::Result<Self> {
        let plane = Plane::start()?;
        plane.apply_foreign_crds()?;
        create::install_our_kinds(&plane)?;
        plane.kubectl_text(&["create", "namespace", NAMESPACE])?;
        let kubeconfig = Kubeconfig::read_from(plane.kubeconfig())?;
        let client =
            Client::try_from(Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await?)?;
        let world = Self { plane, client, begun: Timestamp::now(), alerts: no_alerts().await? };
        world.fill(fleet).await?;
        Ok(world)
    }

    async fn fill(&self, fleet: Fleet) -> anyhow::Result<()> {
        let all = objects(fleet).filter(|(kind, _)| *kind != Kind::Node).map(|(_, object)| as_of(object, self.begun));
        let nodes = fleet.members().map(|member| node_as_of(member, self.begun));
        stream::iter(all.chain(nodes)).map(Ok).try_for_each_concurrent(AT_ONCE, |object| self.create(object)).await
    }

    async fn create(&self, mut object: Value) -> anyhow::Result<()> {
        let (version, kind) = (text(&object["apiVersion"]), text(&object["kind"]));
        let is_foreign = kind != "Node";
        let status = if is_foreign { object.as_object_mut().and_then(|object| object.remove("status")) } else { None };
        let api = self.api(&version, &kind);
        // What the server gives it, nobody may ask for.
        for given in ["resourceVersion", "uid", "managedFields", "ownerReferences"] {
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove(given);
            }
        }
        create::create(&api, object, status).await
    }

    /// Lets a node enter its state.
    pub(super) async fn step(&self, member: Member) -> anyhow::Result<std::time::Instant> {
        let (name, nodes) = (member.name(), self.api("v1", "Node"));
        let (status, rest) = patches(member, Timestamp::now());
        if let Some(status) = status {
            nodes.patch_status(&name, &PatchParams::default(), &Patch::Merge(&status)).await?;
        }
        let at = std::time::Instant::now();
        nodes.patch(&name, &PatchParams::default(), &Patch::Merge(&rest)).await?;
        Ok(at)
    }

    /// Nodes that do not change tell that they live, as often as kubelets do, for a while.
    pub(super) async fn heartbeats(&self, fleet: Fleet, lasting: Duration) -> anyhow::Result<usize> {
        let members: Vec<Member> = fleet.members().collect();
        let each = HEARTBEAT / u32::try_from(members.len())?;
        let nodes = self.api("v1", "Node");
        let mut ticks = tokio::time::interval(each);
        let begun = tokio::time::Instant::now();
        let mut told = 0;
        for member in members.into_iter().cycle() {
            tokio::time::timeout_at(begun + lasting, ticks.tick()).await.ok();
            if begun.elapsed() >= lasting {
                break;
            }
            let patch = Patch::Merge(heartbeat(member, self.begun, Timestamp::now()));
            nodes.patch_status(&member.name(), &PatchParams::default(), &patch).await?;
            told += 1;
        }
        Ok(told)
    }

    /// Says of an operator that it is degraded, since when it is worth telling, or that it is not.
    pub(super) async fn operator(&self, name: &str, degraded: &str) -> anyhow::Result<std::time::Instant> {
        let api = self.api("config.openshift.io/v1", "ClusterOperator");
        let object = api.get_status(name).await?;
        let mut conditions = object.data["status"]["conditions"].clone();
        for condition in conditions.as_array_mut().into_iter().flatten().filter(|one| one["type"] == "Degraded") {
            let since = Timestamp::now().saturating_sub(jiff::SignedDuration::from_mins(10))?;
            condition["status"] = json!(degraded);
            condition["lastTransitionTime"] = json!(super::objects::seconds(since));
        }
        let at = std::time::Instant::now();
        let patch = Patch::Merge(json!({ "status": { "conditions": conditions } }));
        api.patch_status(name, &PatchParams::default(), &patch).await?;
        Ok(at)
    }

    /// The objects of a kind that is not in a namespace.
    pub(super) fn api(&self, version: &str, kind: &str) -> Api<DynamicObject> {
        let (group, version) = version.split_once('/').unwrap_or(("", version));
        Api::all_with(self.client.clone(), &ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind)))
    }

    /// The leases beside the operator.
    pub(super) fn leases(&self) -> Api<DynamicObject> {
        let leases = ApiResource::from_gvk(&GroupVersionKind::gvk("coordination.k8s.io", "v1", "Lease"));
        Api::namespaced_with(self.client.clone(), NAMESPACE, &leases)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A Prometheus where no alert fires, until the runtime ends.
async fn no_alerts() -> anyhow::Result<String> {
    let socket = TcpListener::bind("127.0.0.1:0").await.context("there is no free port")?;
    let address = socket.local_addr().context("there is no free port")?;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = socket.accept().await {
            tokio::spawn(async move {
                let body = r#"{"status":"success","data":{"alerts":[]}}"#;
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                // Who asks and goes away is told nothing.
                let mut asked = [0; 4_096];
                if stream.read(&mut asked).await.is_ok() {
                    let _ = stream.write_all(answer.as_bytes()).await;
                }
            });
        }
    });
    Ok(format!("http://{address}"))
}
