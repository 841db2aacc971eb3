//! The operator on the same API server: from its start to a status of each cluster, a rest, and then one machine after
//! another that is replaced.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::objects::Size;
use super::server::{Server, api, client};
use crate::operator::{Operator, Used, follow};
use crate::tell;

/// For so long it is watched while nothing changes: longer than a look at a cluster that is being updated is apart.
const REST: Duration = Duration::from_secs(60);

/// Before that, what the start brought may settle.
const SETTLE: Duration = Duration::from_secs(15);

/// A machine is replaced so often.
const EACH: Duration = Duration::from_millis(500);

/// Longer than this nobody waits for a status.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was measured.
pub(super) struct Measured {
    /// From the start of the process to the first status.
    pub(super) first: Duration,
    /// The same to the status of the last cluster.
    pub(super) all: Duration,
    /// Memory once that has settled.
    pub(super) started: Used,
    /// While nothing changes.
    pub(super) rest: Span,
    /// While machines are replaced.
    pub(super) update: Span,
    /// How many were.
    pub(super) changes: usize,
    /// From each replacement to the write that tells it, the shortest first.
    pub(super) lags: Vec<Duration>,
    /// Memory after that.
    pub(super) ended: Used,
    /// Bytes of the largest status.
    pub(super) largest: usize,
}

/// What a stretch of time cost.
pub(super) struct Span {
    pub(super) lasted: Duration,
    pub(super) processor: Duration,
    pub(super) writes: usize,
}

/// One write of a status.
struct Write {
    at: Instant,
    cluster: String,
    has_status: bool,
    bytes: usize,
}

/// Everything that was written.
#[derive(Clone, Default)]
struct Witness {
    writes: Arc<Mutex<Vec<Write>>>,
}

/// Measures the operator on a server that is filled.
pub(super) fn measure(server: &Server, program: &Path, size: Size) -> anyhow::Result<Measured> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run(server, program, size))
}

async fn run(server: &Server, program: &Path, size: Size) -> anyhow::Result<Measured> {
    let client = client(server.kubeconfig()).await?;
    let witness = Witness::begin(&client);
    // Its watch is to be there before anything is written.
    sleep(Duration::from_secs(2)).await;
    tell::remark("starting the operator")?;
    let operator = Operator::start(program, server.kubeconfig(), "http://127.0.0.1:9")?;
    let (first, all) = witness.wait(&operator, size.clusters).await?;
    sleep(SETTLE).await;
    let started = operator.used()?;
    tell::remark("the operator at rest")?;
    let meter = Meter::begin(&operator, &witness)?;
    sleep(REST).await;
    let rest = meter.end(&operator, &witness)?;
    tell::remark("replacing machines")?;
    let meter = Meter::begin(&operator, &witness)?;
    let changed = replace(&client, size).await?;
    sleep(SETTLE).await;
    let update = meter.end(&operator, &witness)?;
    let ended = operator.used()?;
    let lags = lags(&changed, &witness.writes())?;
    let largest = witness.writes().iter().map(|write| write.bytes).max().unwrap_or(0);
    operator.stop()?;
    Ok(Measured { first, all, started, rest, update, changes: changed.len(), lags, ended, largest })
}

impl Witness {
    /// Begins to watch.
    fn begin(client: &Client) -> Self {
        let witness = Self::default();
        let kind = GroupVersionKind::gvk("update.openshift.io", "v1alpha1", "ClusterUpdateStatus");
        let resource = ApiResource::from_gvk_with_plural(&kind, "clusterupdatestatuses");
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
        let all = witness.clone();
        tokio::spawn(async move {
            let take = |object: &DynamicObject| {
                let write = Write {
                    at: Instant::now(),
                    cluster: object.metadata.name.clone().unwrap_or_default(),
                    has_status: object.data["status"].is_object(),
                    bytes: serde_json::to_vec(object).map_or(0, |text| text.len()),
                };
                all.writes().push(write);
            };
            // That no more is seen shows in what is waited for.
            if let Err(error) = follow(&api, take).await {
                let _ = tell::remark(&format!("what is written can no longer be watched: {error:#}"));
            }
        });
        witness
    }

    fn writes(&self) -> MutexGuard<'_, Vec<Write>> {
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until each cluster has a status. Answers after how long the first had one, and the last.
    async fn wait(&self, operator: &Operator, clusters: usize) -> anyhow::Result<(Duration, Duration)> {
        let begun = operator.started;
        loop {
            let mut told: BTreeMap<String, Instant> = BTreeMap::new();
            for write in self.writes().iter().filter(|write| write.has_status) {
                told.entry(write.cluster.clone()).or_insert(write.at);
            }
            if told.len() >= clusters {
                let since = |at: Option<&Instant>| at.map(|at| at.saturating_duration_since(begun)).unwrap_or_default();
                return Ok((since(told.values().min()), since(told.values().max())));
            }
            if begun.elapsed() > PATIENCE {
                bail!("{} of {clusters} clusters have a status after {PATIENCE:?}: {}", told.len(), operator.log());
            }
            operator.used()?;
            sleep(Duration::from_millis(200)).await;
        }
    }
}

/// The state at the beginning of a stretch.
struct Meter {
    at: Instant,
    used: Used,
    writes: usize,
}

impl Meter {
    fn begin(operator: &Operator, witness: &Witness) -> anyhow::Result<Self> {
        Ok(Self { at: Instant::now(), used: operator.used()?, writes: witness.writes().len() })
    }

    fn end(self, operator: &Operator, witness: &Witness) -> anyhow::Result<Span> {
        Ok(Span {
            lasted: self.at.elapsed(),
            processor: operator.used()?.processor.saturating_sub(self.used.processor),
            writes: witness.writes().len() - self.writes,
        })
    }
}

/// Replaces machines of control planes, one after the other. Answers of which cluster one was replaced when.
async fn replace(client: &Client, size: Size) -> anyhow::Result<Vec<(String, Instant)>> {
    let mut changed = Vec::new();
    let mut ticks = tokio::time::interval(EACH);
    for machine in size.replacements() {
        ticks.tick().await;
        let name = machine["metadata"]["name"].as_str().context("a machine without a name")?;
        let cluster = machine["spec"]["clusterName"].as_str().context("a machine without a cluster")?;
        let api = api(client.clone(), &machine);
        let patch = |fields: Value| Patch::Merge(fields);
        api.patch(name, &PatchParams::default(), &patch(json!({"spec": {"version": machine["spec"]["version"]}})))
            .await?;
        let at = Instant::now();
        api.patch_status(name, &PatchParams::default(), &patch(json!({"status": machine["status"]}))).await?;
        changed.push((cluster.to_owned(), at));
    }
    Ok(changed)
}

/// From each change of a cluster to the next write of its status, which no other change of it is near.
fn lags(changed: &[(String, Instant)], writes: &[Write]) -> anyhow::Result<Vec<Duration>> {
    let lag = |(cluster, at): &(String, Instant)| {
        let told = writes.iter().find(|write| write.cluster == *cluster && write.at >= *at);
        let told = told.with_context(|| format!("that a machine of {cluster} was replaced was never told"))?;
        Ok(told.at.duration_since(*at))
    };
    let mut all: Vec<Duration> = changed.iter().map(lag).collect::<anyhow::Result<_>>()?;
    all.sort_unstable();
    Ok(all)
}
