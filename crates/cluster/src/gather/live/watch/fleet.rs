//! Watching a management cluster: one informer for each kind that it serves, whatever the number of clusters that it
//! keeps. Kinds that come to be served later are noticed; that one is not served is no failure.

mod listing;
mod scout;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use headway_api::report::Form;
use headway_core::fleet::{Msg, Object, Source};
use headway_core::inform::{Failure, FailureKind};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::sleep;

use self::listing::FleetListing;
use self::scout::{Place, scout};
use super::super::access::Cluster;
use super::super::fault::Fault;
use super::informer::Informer;
use super::outbox::{Known, Outbox};
use super::pause::Pauses;
use super::pulse::Pulse;
use super::{CHANNEL, Context, Watching, beat};

/// The informers of a management cluster, and what they say. Dropping them ends them.
pub struct FleetInformers {
    messages: mpsc::Receiver<Msg>,
    _tasks: JoinSet<()>,
}

impl FleetInformers {
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
}

/// Starts the informers of a management cluster, on the runtime that this is called on. What says nothing of clusters of
/// these forms is not watched.
#[must_use]
pub fn watch_fleet(cluster: &Cluster, watching: &Watching, forms: &'static [Form]) -> FleetInformers {
    let (to, messages) = mpsc::channel(CHANNEL);
    let context = Context::new(cluster, watching);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { lead(&context, forms, &to).await });
    FleetInformers { messages, _tasks: tasks }
}

/// Looks again and again for what is served, and has each kind watched; all ends with it.
async fn lead(context: &Context, forms: &[Form], to: &mpsc::Sender<Msg>) {
    // Nobody asks what is served more often than what is not served is tried again.
    let silence = context.pace.refused.saturating_mul(3);
    let (outbox, pulse) = (Outbox::new(Source::Served), Pulse::new(context.now(), silence));
    tokio::select! {
        () = outbox.deliver(to) => {}
        () = beat(context, &outbox, &pulse) => {}
        () = follow(context, forms, (&outbox, &pulse), to) => {}
    }
}

async fn follow(
    context: &Context,
    forms: &[Form],
    (outbox, pulse): (&Outbox<Source, Object>, &Pulse),
    to: &mpsc::Sender<Msg>,
) {
    let mut informers = Crew { tasks: JoinSet::new(), versions: BTreeMap::new() };
    let mut told = BTreeMap::new();
    let mut pauses = Pauses::new(context.pace);
    outbox.hello(context.now());
    loop {
        let pause = match scout(&context.cluster, &context.limits).await {
            Ok(mut served) => {
                served.retain(|source, _| forms.iter().any(|form| source.is_of(*form)));
                pauses.reset();
                let now = context.now();
                for (source, place) in served.iter().filter(|(source, place)| told.get(*source) != Some(*place)) {
                    informers.watch(context, source, place, to);
                    let fact = Object::Served(place.version.as_str().into());
                    outbox.upsert(now, source.name().to_owned(), Known { fact, flaws: Vec::new() });
                }
                for gone in told.keys().filter(|source| !served.contains_key(*source)) {
                    outbox.remove(now, gone.name().to_owned());
                }
                told = served;
                if pulse.connect(now) {
                    outbox.synced(now, told.keys().map(|source| source.name().to_owned()).collect());
                }
                context.pace.refused
            }
            Err(fault) => {
                pulse.disconnect();
                outbox.failed(context.now(), failure(&fault));
                pauses.next()
            }
        };
        sleep(pause).await;
    }
}

/// The informers that were begun, each with the version that it asks for.
struct Crew {
    tasks: JoinSet<()>,
    versions: BTreeMap<Source, watch::Sender<String>>,
}

impl Crew {
    /// Has a kind watched where it is. What was watched once is watched on: when it is served again that is noticed.
    fn watch(&mut self, context: &Context, source: &Source, place: &Place, to: &mpsc::Sender<Msg>) {
        if let Some(version) = self.versions.get(source) {
            version.send_replace(place.version.clone());
            return;
        }
        let (tell, version) = watch::channel(place.version.clone());
        self.versions.insert(source.clone(), tell);
        let listing = FleetListing { source: source.clone(), group: place.group, version };
        self.tasks.spawn(inform(context.clone(), listing, to.clone()));
    }
}

fn failure(fault: &Fault) -> Failure {
    let message = format!("cannot find out which kinds are served: {fault}");
    Failure { kind: FailureKind::Unreachable, message }
}

/// Informs of one kind until nobody listens.
async fn inform(context: Context, listing: FleetListing, to: mpsc::Sender<Msg>) {
    let silence: Duration = context.pace.idle.saturating_mul(2);
    let pulse = Arc::new(Pulse::new(context.now(), silence));
    let outbox = Arc::new(Outbox::new(listing.source.clone()));
    let mut informer = Informer::new(context.clone(), listing, outbox.clone(), pulse.clone());
    tokio::select! {
        () = outbox.deliver(&to) => {}
        () = beat(&context, &outbox, &pulse) => {}
        () = informer.run() => {}
    }
}
