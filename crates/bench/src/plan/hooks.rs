//! The hook server under the questions of many clusters, asked by our own client over TLS.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Cluster, Failure, Handler, Hook, LifecycleCall, Object, Request, Response, StepAhead};
use headway_api::meta::Labels;
use headway_api::plan::{GroupKind, WorkerGroup};
use headway_cluster::hook_client::{About, HookClient, Options as Asking, Timing};
use headway_core::extension::{self, Class, Known};
use headway_core::plan::{Course, Facts, GroupFacts, Situation};
use headway_serve::certificate::Authority;
use headway_serve::hooks::{Extension, router};
use headway_serve::listen::Listener;
use headway_serve::tls::Tls;
use jiff::Timestamp;
use k8s_openapi::ByteString;
use serde_json::{Value, json};

use super::{Figure, Options};

/// How often a cluster asks.
const EVERY: Duration = Duration::from_secs(5);

/// At 500 clusters.
const SOON: Duration = Duration::from_millis(5);

/// From there on the server is taken to be too slow.
const LATE: Duration = Duration::from_millis(50);

/// Registered with a client.
const REGISTERED: u32 = 1_000;

/// Answers as the operator does.
struct Answering(Known);

impl Extension for Answering {
    fn handlers(&self) -> Vec<Handler> {
        extension::handlers()
    }

    async fn answer(&self, _handler: &str, request: Request) -> Response {
        match request {
            Request::Lifecycle(request) => Response::Lifecycle(extension::gate(&request)),
            Request::GenerateUpgradePlan(request) => match extension::upgrade_plan(&request, &self.0) {
                Ok(response) => Response::GenerateUpgradePlan(response),
                Err(refusal) => Failure::new(Hook::GenerateUpgradePlan, refusal.to_string()).into(),
            },
            other => Failure::new(other.hook(), "not served").into(),
        }
    }

    fn answered(&self, _hook: Hook, _response: &Response, _took: Duration) {}
}

/// Measures on a runtime of its own.
pub(super) fn measure(options: &Options) -> anyhow::Result<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(ask(options))
}

async fn ask(options: &Options) -> anyhow::Result<Vec<Figure>> {
    let authority = Authority::new(Timestamp::now())?;
    let tls = Tls::new(&authority.issue(&["localhost".to_owned()], Timestamp::now())?.pem, None)?;
    let listener = Listener::bind(([127, 0, 0, 1], 0).into())?;
    let port = listener.address().port();
    let class = Class { versions: (29..=33).map(|minor| format!("v1.{minor}.0")).collect() };
    let classes = BTreeMap::from([(("default".to_owned(), "prod".to_owned()), class)]);
    let known = Known { classes: Some(classes), ..Known::default() };
    let serving =
        tokio::spawn(
            async move { listener.serve(&tls, router(Arc::new(Answering(known))), std::future::pending()).await },
        );
    let client = client(port, &authority).await?;

    let mut figures = Vec::new();
    // Before all else: what the load leaves free would take these in unseen. The first is for what is made once.
    plan(&client, REGISTERED).await?;
    let before = resident()?;
    for at in 0..REGISTERED {
        let planned = plan(&client, at).await;
        planned.with_context(|| format!("cluster {at} gets no plan"))?;
    }
    let after = resident()?;
    figures.push(Figure {
        name: format!("memory that {REGISTERED} clusters add, each with a plan that is remembered"),
        value: format!("{:.1} MB", after.saturating_sub(before) as f64 / 1_000_000.0),
        aim: None,
    });

    let usual = f64::from(options.clusters) / EVERY.as_secs_f64();
    let late = percentile(&client, usual, options.span).await?;
    figures.push(Figure {
        name: format!("a hook's answer, 99th percentile, {} clusters asking every 5 s", options.clusters),
        value: format!("{:.2} ms", late.as_secs_f64() * 1_000.0),
        aim: Some(("< 5 ms", late < SOON)),
    });
    let (mut rate, mut borne) = (usual, None);
    while rate < 100_000.0 {
        rate *= 1.5;
        if percentile(&client, rate, options.span).await? > LATE {
            break;
        }
        borne = Some(rate);
    }
    figures.push(Figure {
        name: "hooks a second that are answered within 50 ms at the 99th percentile".to_owned(),
        value: borne.map_or_else(|| "none of the rates tried".to_owned(), |rate| format!("{rate:.0}")),
        aim: None,
    });

    serving.abort();
    Ok(figures)
}

async fn client(port: u16, authority: &Authority) -> anyhow::Result<Arc<HookClient>> {
    let timing = Timing::default();
    let client = HookClient::new(Asking { cluster: None, identity: None, clock: Arc::new(Timestamp::now), timing });
    let config: ExtensionConfig = serde_json::from_value(json!({
        "metadata": {"name": "headway", "uid": "extension", "generation": 1},
        "spec": {"clientConfig": {
            "url": format!("https://localhost:{port}"),
            "caBundle": ByteString(authority.certificate.clone().into_bytes()),
        }},
    }))?;
    let troubles = client.warm_up(vec![config]).await;
    let reasons: Vec<String> = troubles.into_iter().map(|trouble| trouble.reason).collect();
    anyhow::ensure!(reasons.is_empty(), "the extension is not discovered: {}", reasons.join("; "));
    Ok(client)
}

fn cluster(at: u32) -> Cluster {
    let Value::Object(fields) = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": format!("cluster-{at}"), "namespace": "default", "uid": format!("uid-{at}")},
        "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.33.0"}},
    }) else {
        return Cluster::default();
    };
    Cluster::new(Object::new(fields))
}

/// Asks at a steady rate for a while: so late the hundredth part of the answers is, at least. A question that had to
/// wait for its turn counts from when its turn was.
async fn percentile(client: &Arc<HookClient>, rate: f64, span: Duration) -> anyhow::Result<Duration> {
    let pause = Duration::from_secs_f64(1.0 / rate);
    // Connections are made before.
    once(client, 0).await?;
    let mut asked = Vec::new();
    let begun = Instant::now();
    let mut at = 0_u32;
    while begun.elapsed() < span {
        let turn = begun + pause * at;
        tokio::time::sleep_until(turn.into()).await;
        let client = client.clone();
        asked.push(tokio::spawn(async move {
            once(&client, at).await?;
            anyhow::Ok(turn.elapsed())
        }));
        at += 1;
    }
    let mut took = Vec::with_capacity(asked.len());
    for asked in asked {
        took.push(asked.await??);
    }
    took.sort_unstable();
    took.get(took.len().saturating_sub(1) * 99 / 100).copied().context("nothing was asked")
}

async fn once(client: &HookClient, at: u32) -> anyhow::Result<()> {
    let (cluster, namespace) = (cluster(at), Labels::default());
    let call = LifecycleCall::BeforeControlPlaneUpgrade(StepAhead {
        from_kubernetes_version: "v1.29.0".to_owned(),
        to_kubernetes_version: "v1.30.0".to_owned(),
        control_plane_upgrades: Vec::new(),
        workers_upgrades: Vec::new(),
    });
    client.ask(About { cluster: &cluster, namespace: &namespace }, &call).await.map(drop).map_err(Into::into)
}

async fn plan(client: &HookClient, at: u32) -> anyhow::Result<()> {
    let (cluster, namespace) = (cluster(at), Labels::default());
    let group = GroupFacts {
        id: WorkerGroup { kind: GroupKind::MachineDeployment, name: "md-0".to_owned() },
        version: Some("v1.29.0".to_owned()),
        course: Course::Follows,
    };
    let facts = Facts { target: "v1.33.0".to_owned(), control_plane: Some("v1.29.0".to_owned()), groups: vec![group] };
    let situation = Situation::read(&facts)?;
    client
        .plan("generate-upgrade-plan.headway", About { cluster: &cluster, namespace: &namespace }, &situation)
        .await?;
    Ok(())
}

/// Resident memory of this process, in bytes.
fn resident() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status").context("cannot read /proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS in /proc/self/status")?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().context("VmRSS is no number")?;
    Ok(kilobytes * 1024)
}
