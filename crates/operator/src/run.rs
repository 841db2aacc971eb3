//! Putting the parts together, and taking them apart in order: the last write, then the lease, then the probes.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use headway_api::report::Form;
use headway_cluster::drive::Driver;
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{self, Access, Cluster, Prometheus, Watching};
use headway_cluster::hook_client::{self, HookClient};
use headway_core::fleet::{FORMS, Policy, Workloads};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tracing::info;

use crate::args::{Args, Render, Role};
use crate::clock::Clock;
use crate::drive::{Drive, Events};
use crate::fleet::Fleet;
use crate::keeper::{Keeper, Tools};
use crate::lease::Lease;
use crate::metrics::{Leads, Metrics};
use crate::probes::Probed;
use crate::{admission, drive, extension, fleet, lease, probes, writer};

/// Runs until a signal says to stop.
///
/// # Errors
/// There is no way to reach the cluster, or the address for health and metrics is taken.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    // Two threads: one turns the loop, so that probes and the lease are answered while a large status is rendered.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(operate(Arc::new(args)))
}

async fn operate(args: Arc<Args>) -> anyhow::Result<()> {
    let clock = args.clock_file.clone().map_or(Clock::Wall, Clock::File);
    let access = Access { kubeconfig: args.kubeconfig.clone(), ..Access::default() };
    let cluster = Cluster::connect(&access).await?;
    let metrics = Arc::new(Metrics::new());
    let (stop, stopped) = watch::channel(false);

    let mut parts = JoinSet::new();
    let probed = Probed {
        roles: args.roles.clone(),
        keeps_fleet: args.render.contains(&Render::Clusters),
        metrics: metrics.clone(),
        clock: clock.clone(),
    };
    parts.spawn(probes::serve(args.listen, probed, stopped.clone()));
    if args.has(Role::Hooks) {
        let (args, client) = (args.clone(), cluster.client().clone());
        parts.spawn(extension::serve(args, client, clock.clone(), metrics.clone(), stopped.clone()));
    }
    if args.has(Role::Admission) {
        let (args, client) = (args.clone(), cluster.client().clone());
        parts.spawn(admission::serve(args, client, clock.clone(), metrics.clone(), stopped.clone()));
    }
    if args.has(Role::Status) {
        parts.spawn(keep_status(args.clone(), cluster.clone(), clock.clone(), metrics.clone(), stopped.clone()));
    }
    if args.has(Role::Drive) {
        parts.spawn(walk(args, cluster, clock, metrics, stopped));
    }

    let ended = |part: Option<Result<anyhow::Result<()>, JoinError>>| match part {
        Some(Ok(outcome)) => outcome,
        Some(Err(error)) => Err(error.into()),
        None => Ok(()),
    };
    // None of them ends by itself, but with an error.
    let mut outcome = tokio::select! {
        signal = told_to_stop() => signal,
        part = parts.join_next() => ended(part),
    };
    stop.send_replace(true);
    while outcome.is_ok() && !parts.is_empty() {
        outcome = ended(parts.join_next().await);
    }
    info!("stopped");
    outcome
}

/// The role `status`, until told to stop: then the last write is finished and the lease given back.
async fn keep_status(
    args: Arc<Args>,
    cluster: Cluster,
    clock: Clock,
    metrics: Arc<Metrics>,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let (release, released) = watch::channel(false);
    let (leads, leading) = watch::channel(false);
    let holding = {
        let (client, args) = (cluster.client().clone(), args.clone());
        let lease = Lease { name: "headway-operator-status".into(), field_manager: writer::FIELD_MANAGER };
        tokio::spawn(async move { lease::hold(client, &args, lease, leads, released).await })
    };
    let telling = tokio::spawn(tell_leading(leading.clone(), metrics.clone()));
    let mut keepers = JoinSet::new();
    if args.render.contains(&Render::Clusters) {
        let (cluster, clock, metrics) = (cluster.clone(), clock.clone(), metrics.clone());
        keepers.spawn(keep_fleet(args.clone(), cluster, clock, metrics, leading.clone(), stopped.clone()));
    }
    keepers.spawn(keep_cluster(args, cluster, clock, metrics, leading, stopped.clone()));
    // None of them ends before it is told to.
    while let Some(ended) = keepers.join_next().await {
        ended.context("a keeper failed")??;
        if !*stopped.borrow() {
            bail!("a keeper ended by itself");
        }
    }
    release.send_replace(true);
    holding.await.context("the lease failed")?;
    telling.abort();
    Ok(())
}

/// Keeps the status of the cluster itself, until told to stop.
async fn keep_cluster(
    args: Arc<Args>,
    cluster: Cluster,
    clock: Clock,
    metrics: Arc<Metrics>,
    leads: watch::Receiver<bool>,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let (jobs, to_do) = mpsc::channel(1);
    let (have_done, done) = mpsc::channel(1);
    let writing = tokio::spawn(writer::run(cluster.client().clone(), to_do, have_done));
    let tools = Tools {
        informers: live::watch(&cluster, &watching(&args, &clock)?),
        client: cluster.client().clone(),
        args,
        clock,
        metrics,
        leads,
        stop,
        jobs,
        done,
    };
    tokio::spawn(Keeper::new(tools).run()).await.context("the keeper failed")?;
    writing.await.context("the writer failed")
}

/// Keeps the status of each cluster that a management cluster keeps, until told to stop.
async fn keep_fleet(
    args: Arc<Args>,
    cluster: Cluster,
    clock: Clock,
    metrics: Arc<Metrics>,
    leads: watch::Receiver<bool>,
    stop: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let (jobs, to_do) = mpsc::channel(fleet::AT_ONCE);
    let (have_done, done) = mpsc::channel(fleet::AT_ONCE);
    let client = cluster.client().clone();
    let writing = tokio::spawn(fleet::write(client.clone(), to_do, have_done));
    let (asks, to_ask) = mpsc::channel(headway_core::fleet::AT_ONCE);
    let (have_told, told) = mpsc::channel(headway_core::fleet::AT_ONCE);
    let asking = tokio::spawn(fleet::ask(client.clone(), metrics.clone(), to_ask, have_told));
    let policy = if args.workloads { Policy::Ask } else { Policy::Leave(fleet::NOT_TOLD) };
    let tools = fleet::Tools {
        informers: live::watch_fleet(&cluster, &watching(&args, &clock)?, &FORMS),
        clock,
        client,
        metrics,
        leads,
        stop,
        jobs,
        done,
        asking: fleet::Asking { workloads: Workloads::new(policy), asks, told },
    };
    tokio::spawn(Fleet::new(tools).run()).await.context("the keeper of the fleet failed")?;
    asking.await.context("who asks clusters themselves failed")?;
    writing.await.context("a writer of the fleet failed")
}

/// The role `drive`, until told to stop: then the turns at hand are finished and the lease given back.
async fn walk(
    args: Arc<Args>,
    cluster: Cluster,
    clock: Clock,
    metrics: Arc<Metrics>,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let (release, released) = watch::channel(false);
    let (tell, leads) = watch::channel(false);
    let client = cluster.client().clone();
    let lease = Lease {
        name: format!("headway-operator-drive{}", args.shard.suffix()),
        field_manager: headway_cluster::drive::FIELD_MANAGER,
    };
    let holding = {
        let (client, args) = (client.clone(), args.clone());
        tokio::spawn(async move { lease::hold(client, &args, lease, tell, released).await })
    };
    let watching = watching(&args, &clock)?;
    let hooks = HookClient::new(hook_client::Options {
        cluster: Some(client.clone()),
        identity: None,
        clock: watching.clock.clone(),
        timing: hook_client::Timing::default(),
    });
    let (to, requests) = mpsc::channel(64);
    let following = tokio::spawn(drive::follow(client.clone(), to));
    let tools = drive::Tools {
        informers: live::watch_fleet(&cluster, &watching, &[Form::ClusterApi]),
        requests,
        shard: args.shard,
        leads,
        stop: stopped,
        driver: Arc::new(Driver::new(client.clone(), hooks.clone(), watching.clock.clone())),
        hooks,
        events: Events::new(client, &args.identity, clock.clone()),
        clock,
        metrics,
    };
    tokio::spawn(Drive::new(tools).run()).await.context("the role drive failed")?;
    following.abort();
    release.send_replace(true);
    holding.await.context("the lease failed")
}

fn watching(args: &Args, clock: &Clock) -> anyhow::Result<Watching> {
    let url = args.prometheus.as_deref().map(str::parse).transpose().context("--prometheus is not a URL")?;
    let prometheus =
        Prometheus { url, token_file: args.prometheus_token_file.clone(), ca_file: args.prometheus_ca_file.clone() };
    let clock = clock.clone();
    let usual = live::Pace::default();
    let pace = match clock {
        Clock::Wall => usual,
        // A clock that a test moves on leaves the informers behind; they catch up with their next sign of life. Nor
        // does a test wait a minute for what was refused.
        Clock::File(_) => live::Pace { beat: Duration::from_millis(500), refused: Duration::from_secs(2), ..usual },
    };
    Ok(Watching { prometheus: Some(prometheus), limits: Limits::default(), pace, clock: Arc::new(move || clock.now()) })
}

async fn tell_leading(mut leading: watch::Receiver<bool>, metrics: Arc<Metrics>) {
    loop {
        metrics.leads(if *leading.borrow_and_update() { Leads::Yes } else { Leads::No });
        if leading.changed().await.is_err() {
            return;
        }
    }
}

async fn told_to_stop() -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => info!(signal = "SIGTERM", "stopping"),
        _ = interrupt.recv() => info!(signal = "SIGINT", "stopping"),
    }
    Ok(())
}
