//! Watching a cluster: one informer for each kind of object, each a task of its own, all telling one consumer what
//! changes (update-status-api.md, 3.7).
//!
//! No informer waits for another, and none for the consumer: what was not taken in yet is told once, as it is when it
//! is taken in. What an informer cannot see it says, and goes on trying.

mod alarms;
mod fleet;
mod informer;
mod outbox;
mod pause;
mod pods;
mod pulse;
mod stream;
mod subject;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use headway_core::inform::{Failure, FailureKind, Msg, Source};
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

pub use self::fleet::{FleetInformers, watch_fleet};
use self::informer::Informer;
pub(in crate::gather) use self::outbox::Known;
use self::outbox::Outbox;
use self::pulse::Pulse;
use super::super::Limits;
use super::super::recognize::Kind;
use super::access::Cluster;
use super::alerts::Prometheus;
use super::resource::Listing;

/// Where time comes from: there is one clock, in the program.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What to watch, and how.
#[derive(Clone)]
pub struct Watching {
    /// Where alerts come from; without it nobody asks for them.
    pub prometheus: Option<Prometheus>,
    /// What bounds an answer.
    pub limits: Limits,
    /// How fast everything goes.
    pub pace: Pace,
    /// What time it is.
    pub clock: Clock,
}

/// How fast everything goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between two signs of life of an informer.
    pub beat: Duration,
    /// Between two questions about alerts.
    pub alerts: Duration,
    /// Between two questions about the pods of nodes that drain. A drain is slow for minutes before anybody says so.
    pub pods: Duration,
    /// Between two tries at what is not served or may not be read.
    pub refused: Duration,
    /// After the first failure.
    pub first_pause: Duration,
    /// After many.
    pub longest_pause: Duration,
    /// For so long a server that streams a list may be silent before the list is complete. One that does not know of
    /// streaming says nothing of the kind, and would be silent until the watch ends.
    pub streaming: Duration,
    /// After so much silence a watch is begun anew from where it was: servers say something about once a minute.
    pub idle: Duration,
    /// How long a list, a page or the beginning of a watch may take, where the cluster's own limit is none.
    pub patience: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            beat: Duration::from_secs(15),
            alerts: Duration::from_secs(30),
            pods: Duration::from_secs(30),
            refused: Duration::from_secs(180),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(15),
            streaming: Duration::from_secs(10),
            idle: Duration::from_secs(90),
            patience: Duration::from_secs(60),
        }
    }
}

/// Messages that wait for the consumer; beyond that they wait where they come from, one for each object.
const CHANNEL: usize = 4_096;

/// The informers of a cluster, and what they say. Dropping them ends them.
pub struct Informers {
    messages: mpsc::Receiver<Msg>,
    draining: watch::Sender<BTreeSet<String>>,
    _tasks: JoinSet<()>,
}

impl Informers {
    /// The next message. There is always one to come: every informer tells from time to time that it lives.
    ///
    /// # Guarantees
    /// Cancelling it loses nothing.
    pub async fn next(&mut self) -> Option<Msg> {
        self.messages.recv().await
    }

    /// A message that is there already.
    pub fn next_now(&mut self) -> Option<Msg> {
        self.messages.try_recv().ok()
    }

    /// Says which nodes drain: only of those are the pods asked for, and only while there are some the budgets.
    pub fn drain(&self, nodes: BTreeSet<String>) {
        self.draining.send_if_modified(|known| {
            let is_new = *known != nodes;
            *known = nodes;
            is_new
        });
    }
}

/// Starts the informers of a cluster, on the runtime that this is called on.
#[must_use]
pub fn watch(cluster: &Cluster, watching: &Watching) -> Informers {
    let (to, messages) = mpsc::channel(CHANNEL);
    let (draining, drains) = watch::channel(BTreeSet::new());
    let mut tasks = JoinSet::new();
    let context = Context::new(cluster, watching);
    for source in Source::ALL {
        let informing = Informing::new(context.clone(), source);
        let work = (informing, to.clone(), drains.clone(), watching.prometheus.clone());
        tasks.spawn(async move {
            let (informing, to, drains, prometheus) = work;
            informing.run(&to, drains, prometheus).await;
        });
    }
    Informers { messages, draining, _tasks: tasks }
}

/// What every informer needs.
#[derive(Clone)]
struct Context {
    cluster: Cluster,
    limits: Limits,
    pace: Pace,
    clock: Clock,
}

impl Context {
    fn new(cluster: &Cluster, watching: &Watching) -> Self {
        Self {
            cluster: cluster.with_patience(watching.pace.patience),
            limits: watching.limits,
            pace: watching.pace,
            clock: watching.clock.clone(),
        }
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

/// One informer with its surroundings: what it says is delivered, and that it lives is told.
struct Informing {
    context: Context,
    source: Source,
    outbox: Arc<Outbox>,
    pulse: Arc<Pulse>,
}

impl Informing {
    fn new(context: Context, source: Source) -> Self {
        let pulse = Arc::new(Pulse::new(context.now(), context.pace.idle.saturating_mul(2)));
        Self { context, source, outbox: Arc::new(Outbox::new(source)), pulse }
    }

    /// Informs until nobody listens.
    async fn run(
        self,
        to: &mpsc::Sender<Msg>,
        drains: watch::Receiver<BTreeSet<String>>,
        prometheus: Option<Prometheus>,
    ) {
        tokio::select! {
            () = self.outbox.deliver(to) => {}
            () = beat(&self.context, &self.outbox, &self.pulse) => {}
            () = self.inform(drains, prometheus) => {}
        }
    }

    async fn inform(&self, drains: watch::Receiver<BTreeSet<String>>, prometheus: Option<Prometheus>) {
        match self.source {
            Source::ClusterVersions => self.of(Kind::ClusterVersion).run().await,
            Source::ClusterOperators => self.of(Kind::ClusterOperator).run().await,
            Source::MachineConfigPools => self.of(Kind::MachineConfigPool).run().await,
            Source::MachineConfigs => self.of(Kind::MachineConfig).run().await,
            Source::Nodes => self.of(Kind::Node).run().await,
            Source::MachineConfigNodes => self.of(Kind::MachineConfigNode).run().await,
            Source::MachineOsConfigs => self.of(Kind::MachineOsConfig).run().await,
            Source::MachineOsBuilds => self.of(Kind::MachineOsBuild).run().await,
            Source::Deployments => self.of(Kind::Deployment).run().await,
            Source::PodDisruptionBudgets => self.budgets(drains).await,
            Source::Pods => pods::inform(self, drains).await,
            Source::Alerts => alarms::inform(self, prometheus).await,
        }
    }

    fn of(&self, kind: Kind) -> Informer<Listing> {
        let listing = Listing::newest(kind);
        Informer::new(self.context.clone(), listing, self.outbox.clone(), self.pulse.clone())
    }

    /// Budgets are watched while a node drains.
    async fn budgets(&self, mut drains: watch::Receiver<BTreeSet<String>>) {
        let mut informer = self.of(Kind::PodDisruptionBudget);
        loop {
            self.rest("no node drains");
            wait_for(&mut drains, |nodes| !nodes.is_empty()).await;
            tokio::select! {
                () = informer.run() => {}
                () = wait_for(&mut drains, BTreeSet::is_empty) => informer.stop(),
            }
        }
    }

    /// Says that nothing is asked for, and why.
    fn rest(&self, why: &str) {
        self.pulse.disconnect();
        self.outbox.failed(self.context.now(), Failure { kind: FailureKind::NotAsked, message: why.to_owned() });
    }
}

/// Tells from time to time that an informer lives.
async fn beat<S: Clone, F>(context: &Context, outbox: &Outbox<S, F>, pulse: &Pulse) {
    loop {
        sleep(context.pace.beat).await;
        let now = context.now();
        outbox.beat(now, pulse.lag(now));
    }
}

/// Waits until the nodes that drain are so. When nobody tells any more, nothing changes any more either.
async fn wait_for(drains: &mut watch::Receiver<BTreeSet<String>>, are: impl FnMut(&BTreeSet<String>) -> bool) {
    if drains.wait_for(are).await.is_err() {
        std::future::pending::<()>().await;
    }
}
