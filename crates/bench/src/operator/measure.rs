//! One cluster from the start of the operator to the end of the update, against a real API server.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures::stream::{self, StreamExt as _, TryStreamExt as _};

use super::process::{Operator, Used};
use super::rollout::{self, IN_EARNEST, Step};
use super::witness::{DETAILS, LEASE, STATUS, Witness, Write};
use super::world::World;
use super::{Options, remark};
use crate::recording::{Fleet, Member, State};

/// For so long it is watched while nothing changes.
const REST: Duration = Duration::from_secs(60);

/// Before that, what the start brought may settle.
const SETTLE: Duration = Duration::from_secs(10);

/// The share of the update in which no operator is in trouble.
const QUIET: f32 = 0.6;

/// The share after which none comes into trouble any more: without an update there are no findings.
const WATCHED: f32 = 0.9;

/// Longer than this nobody waits for a status.
const PATIENCE: Duration = Duration::from_secs(60);

/// Operators whose trouble health is measured by; each is in trouble once.
const IN_TROUBLE: [&str; 12] = [
    "authentication",
    "console",
    "dns",
    "etcd",
    "image-registry",
    "ingress",
    "insights",
    "marketplace",
    "monitoring",
    "network",
    "service-ca",
    "storage",
];

/// What was measured.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) nodes: u32,
    /// From the start of the process to the first status that counts every node.
    pub(super) first: Duration,
    /// Memory after the start, once it has settled.
    pub(super) started: Used,
    /// While nothing changes and kubelets tell that they live.
    pub(super) rest: Span,
    /// While the update runs.
    pub(super) update: Span,
    /// Memory a minute after the update.
    pub(super) ended: Used,
    /// How much faster than in earnest they came.
    pub(super) factor: f64,
    /// From each change of a node to the write that tells it.
    pub(super) lags: Vec<Duration>,
    /// From the beginning or end of trouble to the write that tells it.
    pub(super) health: Vec<Duration>,
    /// Bytes of the largest write of each kind.
    pub(super) largest: BTreeMap<&'static str, usize>,
    /// From being told to stop to the end.
    pub(super) stop: Duration,
}

/// What a stretch of time cost.
#[derive(Debug, Default)]
pub(super) struct Span {
    pub(super) lasted: Duration,
    pub(super) processor: Duration,
    /// Signs of life of nodes.
    pub(super) heartbeats: usize,
    /// Writes by kind.
    pub(super) writes: BTreeMap<&'static str, usize>,
    /// Bytes of all of them.
    pub(super) bytes: usize,
}

impl Span {
    /// How often a kind was written.
    pub(super) fn count(&self, kind: &str) -> usize {
        self.writes.get(kind).copied().unwrap_or(0)
    }
}

/// Measures a cluster of that many nodes.
pub(super) fn measure(nodes: u32, program: &Path, options: &Options) -> anyhow::Result<Measured> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run(nodes, program, options))
}

async fn run(nodes: u32, program: &Path, options: &Options) -> anyhow::Result<Measured> {
    let fleet = Fleet::waiting(nodes);
    remark(&format!("{nodes} nodes: filling an API server"))?;
    let world = World::waiting(fleet).await?;
    let witness = Witness::begin(&world, fleet);
    // Its watches are to be there before anything is written.
    tokio::time::sleep(Duration::from_secs(2)).await;

    remark(&format!("{nodes} nodes: starting the operator"))?;
    let operator = Operator::start(program, world.plane.kubeconfig(), &world.alerts)?;
    let masters = Fleet::waiting(nodes).members().filter(|member| member.state == State::Done).count();
    let masters = u32::try_from(masters)?;
    let is_right = |write: &Write| write.counted == (nodes, masters) && write.ranks.iter().all(Option::is_some);
    let first = witness.wait("the first correct status", PATIENCE, is_right).await;
    let first = first.with_context(|| operator.log())?.saturating_duration_since(operator.started);
    tokio::time::sleep(SETTLE).await;
    let started = operator.used()?;

    remark(&format!("{nodes} nodes: at rest for {} s", REST.as_secs()))?;
    let meter = Meter::begin(&operator, &witness)?;
    let heartbeats = world.heartbeats(fleet, REST).await?;
    let rest = Span { heartbeats, ..meter.end(&operator, &witness)? };

    let steps = rollout::plan(fleet);
    remark(&format!("{nodes} nodes: {} changes in about {} s", steps.len(), options.update.as_secs()))?;
    let meter = Meter::begin(&operator, &witness)?;
    // Trouble makes writes come sooner, and so does not belong to the lag of progress.
    let quiet = options.update.mul_f32(QUIET);
    let begun = Instant::now();
    let (changed, health) = tokio::join!(update(&world, &steps, options.update), async {
        tokio::time::sleep(quiet).await;
        trouble(&world, &witness, begun + options.update.mul_f32(WATCHED)).await
    });
    let (changed, health) = (changed?, health?);
    let is_over = |write: &Write| write.counted == (nodes, nodes);
    witness.wait("the end of the update", PATIENCE, is_over).await.with_context(|| operator.log())?;
    let update = meter.end(&operator, &witness)?;
    let lags = lags(changed.steps.iter().filter(|(at, _)| at.duration_since(begun) < quiet), &witness)?;
    tokio::time::sleep(SETTLE).await;
    let ended = operator.used()?;

    let largest = {
        let seen = witness.seen();
        seen.bytes.iter().map(|(kind, all)| (*kind, all.iter().copied().max().unwrap_or(0))).collect()
    };
    let stop = operator.stop()?;
    let earnest = IN_EARNEST.as_secs_f64() / changed.lasted.as_secs_f64();
    Ok(Measured { nodes, first, started, rest, update, ended, factor: earnest, lags, health, largest, stop })
}

/// What was changed when.
struct Changed {
    steps: Vec<(Instant, Member)>,
    lasted: Duration,
}

/// Lets every step happen in its time, or later where the server is slower; those of one node stay in their order.
async fn update(world: &World, steps: &[Step], whole: Duration) -> anyhow::Result<Changed> {
    let mut by_node: BTreeMap<u32, Vec<&Step>> = BTreeMap::new();
    for step in steps {
        by_node.entry(step.member.index).or_default().push(step);
    }
    let begun = tokio::time::Instant::now();
    let done = Mutex::new(Vec::with_capacity(steps.len()));
    // No more requests at once than the server can serve: what is late comes when there is room.
    let room = tokio::sync::Semaphore::new(16);
    let nodes = stream::iter(by_node.into_values()).map(Ok::<_, anyhow::Error>);
    nodes
        .try_for_each_concurrent(None, |steps| async {
            for step in steps {
                tokio::time::sleep_until(begun + step.after(whole)).await;
                let _place = room.acquire().await?;
                let at =
                    world.step(step.member).await.with_context(|| format!("cannot change {}", step.member.name()))?;
                done.lock().unwrap_or_else(PoisonError::into_inner).push((at, step.member));
            }
            Ok(())
        })
        .await?;
    let steps = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Changed { steps, lasted: begun.elapsed() })
}

/// When each change was first told. What the node did meanwhile tells it as well.
fn lags<'s>(steps: impl Iterator<Item = &'s (Instant, Member)>, witness: &Witness) -> anyhow::Result<Vec<Duration>> {
    let seen = witness.seen();
    let mut lags = Vec::new();
    for (at, member) in steps {
        let index = usize::try_from(member.index)?;
        let rank = rollout::rank(member.state);
        let from = seen.statuses.partition_point(|write| write.at < *at);
        let mut later = seen.statuses.get(from..).unwrap_or_default().iter();
        let told = later.find(|write| write.ranks.get(index).copied().flatten().is_some_and(|known| known >= rank));
        let told = told.with_context(|| format!("that {} entered a state was never told", member.name()))?;
        lags.push(told.at.duration_since(*at));
    }
    lags.sort_unstable();
    Ok(lags)
}

/// Brings operators into trouble and out of it, one after the other, until a moment.
async fn trouble(world: &World, witness: &Witness, until: Instant) -> anyhow::Result<Vec<Duration>> {
    let mut lags = Vec::new();
    for name in IN_TROUBLE {
        if Instant::now() >= until {
            break;
        }
        for degraded in ["True", "False"] {
            let at = world.operator(name, degraded).await?;
            let tells = |write: &Write| {
                let is_told = write.findings.iter().any(|summary| summary.contains(name));
                write.at >= at && is_told == (degraded == "True")
            };
            let told = witness.wait(&format!("the trouble of {name}"), PATIENCE, tells).await?;
            lags.push(told.duration_since(at));
            // Not in step with the operator's own pauses.
            tokio::time::sleep(Duration::from_millis(700 + 37 * u64::try_from(name.len())?)).await;
        }
    }
    lags.sort_unstable();
    Ok(lags)
}

/// The state at the beginning of a stretch.
struct Meter {
    at: Instant,
    used: Used,
    bytes: BTreeMap<&'static str, usize>,
}

impl Meter {
    fn begin(operator: &Operator, witness: &Witness) -> anyhow::Result<Self> {
        let bytes = witness.seen().bytes.iter().map(|(kind, all)| (*kind, all.len())).collect();
        Ok(Self { at: Instant::now(), used: operator.used()?, bytes })
    }

    fn end(self, operator: &Operator, witness: &Witness) -> anyhow::Result<Span> {
        let lasted = self.at.elapsed();
        let processor = operator.used()?.processor.saturating_sub(self.used.processor);
        let seen = witness.seen();
        let mut span = Span { lasted, processor, ..Span::default() };
        for kind in [STATUS, DETAILS, LEASE] {
            let before = self.bytes.get(kind).copied().unwrap_or(0);
            let new = seen.bytes.get(kind).and_then(|all| all.get(before..)).unwrap_or_default();
            span.writes.insert(kind, new.len());
            span.bytes += new.iter().sum::<usize>();
        }
        Ok(span)
    }
}
