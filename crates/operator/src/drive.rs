//! The role `drive`: walks the upgrades that ClusterUpgrades ask for.
//!
//! One loop takes in what the informers of the management cluster tell and what is asked for, and lets each cluster take
//! a turn when something about it changed. The turns run side by side, one for each cluster at a time, so that a hook
//! that takes its time holds up its own cluster and no other.
//!
//! # Guarantees
//! Nothing is decided before every informer has told all that is there or has said that it may not, and nothing by who
//! does not lead. What was moved is seen before anything else is decided of that cluster.

mod events;
mod requests;
mod shard;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use headway_api::cluster_api::ExtensionConfig;
use headway_api::plan::GroupKind;
use headway_api::report::Form;
use headway_api::update::word::Word;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::spec::Driver as Who;
use headway_cluster::drive::{Driver, Moved, Remembered, Seen, Turned};
use headway_cluster::gather::live::FleetInformers;
use headway_cluster::hook_client::HookClient;
use headway_core::fleet::{Informer, Key, Observer, Sight};
use headway_core::inform::{InformerState, Timing};
use headway_core::preview::Inventory;
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tracing::{info, warn};

pub(crate) use self::events::Events;
pub(crate) use self::requests::{Request, follow};
pub(crate) use self::shard::Shard;
use crate::clock::Clock;
use crate::metrics::Metrics;

/// So many clusters take their turns at once.
const AT_ONCE: usize = 64;

/// For so long what was moved is waited for before it is looked at again all the same: the API server then says what is
/// so.
const PATIENCE: Duration = Duration::from_secs(10);

/// The loop turns at least so often, and says with it that it lives.
const BEAT: Duration = Duration::from_secs(15);

/// What the role works with.
pub(crate) struct Tools {
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    /// What informers tell.
    pub(crate) informers: FleetInformers,
    /// What is asked for.
    pub(crate) requests: mpsc::Receiver<Request>,
    /// Which of the clusters are ours.
    pub(crate) shard: Shard,
    /// Whether we lead.
    pub(crate) leads: watch::Receiver<bool>,
    /// Whether to stop.
    pub(crate) stop: watch::Receiver<bool>,
    /// What walks.
    pub(crate) driver: Arc<Driver>,
    /// Whom it asks.
    pub(crate) hooks: Arc<HookClient>,
    /// Where it is told.
    pub(crate) events: Events,
}

/// Namespace and name of a ClusterUpgrade.
pub(crate) type Name = (String, String);

/// The role.
pub(crate) struct Drive {
    tools: Tools,
    observer: Observer,
    walks: BTreeMap<Name, Walk>,
    working: JoinSet<Done>,
    extensions: Option<Vec<ExtensionConfig>>,
    /// All that is asked for was read once.
    is_listed: bool,
    is_ready: bool,
    /// No informer has been silent for so long that what it told may be wrong.
    is_current: bool,
}

/// One upgrade.
struct Walk {
    upgrade: ClusterUpgrade,
    remembered: Remembered,
    /// It takes its turn.
    is_busy: bool,
    /// Since when there is something new.
    dirty: Option<Instant>,
    /// When to look again though nothing changes.
    next: Option<Timestamp>,
    /// What was moved and is not seen yet, and since when.
    awaited: Option<(Vec<Moved>, Instant)>,
    /// What last went wrong, so that it is told once.
    trouble: Option<String>,
}

/// A turn that was taken.
struct Done {
    name: Name,
    turned: Turned,
    remembered: Remembered,
    took: Duration,
}

impl Drive {
    pub(crate) fn new(tools: Tools) -> Self {
        Self {
            tools,
            observer: Observer::new(Timing::default()),
            walks: BTreeMap::new(),
            working: JoinSet::new(),
            extensions: None,
            is_listed: false,
            is_ready: false,
            is_current: true,
        }
    }

    /// Walks until told to stop; the turns at hand are finished first, since each leaves everything in order.
    pub(crate) async fn run(mut self) {
        loop {
            let now = self.tools.clock.now();
            self.tools.metrics.drive().beat(now);
            if *self.tools.stop.borrow() {
                while self.working.join_next().await.is_some() {}
                return;
            }
            self.look(now);
            if self.is_ready && self.is_current && *self.tools.leads.borrow() {
                self.go(now);
            }
            let wake = self.wake(now);
            let Tools { clock, informers, requests, leads, stop, .. } = &mut self.tools;
            tokio::select! {
                msg = informers.next() => match msg {
                    Some(msg) => {
                        self.observer.apply(msg);
                        while let Some(msg) = self.tools.informers.next_now() {
                            self.observer.apply(msg);
                        }
                    }
                    // The informers never end by themselves.
                    None => return,
                },
                Some(request) = requests.recv() => self.take(request),
                Some(done) = self.working.join_next(), if !self.working.is_empty() => match done {
                    Ok(done) => self.take_note(done),
                    // A turn that panicked is a fault of ours, of which the runtime has told.
                    Err(error) => warn!(error = error.to_string(), "a turn failed"),
                },
                _ = leads.changed() => {}
                _ = stop.changed() => {}
                () = clock.wait_until(wake) => {}
                () = tokio::time::sleep(BEAT) => {}
            }
        }
    }

    /// Takes in what is asked for.
    fn take(&mut self, request: Request) {
        match request {
            Request::Listed(all) => {
                let names: BTreeSet<Name> = all.iter().map(name_of).collect();
                let metrics = &self.tools.metrics;
                self.walks.retain(|name, _| {
                    let is_there = names.contains(name);
                    if !is_there {
                        metrics.drive().forget(name);
                    }
                    is_there
                });
                for upgrade in all {
                    self.ask(upgrade);
                }
                self.is_listed = true;
            }
            Request::Applied(upgrade) => self.ask(*upgrade),
            Request::Deleted(name) => {
                let gone = self.walks.remove(&name).map(|walk| key_of(&walk.upgrade));
                self.tools.metrics.drive().forget(&name);
                // Another one of the same cluster may be next.
                for walk in self.walks.values_mut().filter(|walk| Some(key_of(&walk.upgrade)) == gone) {
                    walk.touch();
                }
            }
        }
    }

    fn ask(&mut self, upgrade: ClusterUpgrade) {
        let name = name_of(&upgrade);
        match self.walks.get_mut(&name) {
            Some(walk) if walk.upgrade.metadata.uid == upgrade.metadata.uid => {
                if is_newer(&upgrade, &walk.upgrade) {
                    walk.upgrade = upgrade;
                    walk.touch();
                }
            }
            _ => {
                self.walks.insert(name, Walk::new(upgrade));
            }
        }
    }

    /// Finds out of which clusters something changed, and who answers hooks.
    fn look(&mut self, now: Timestamp) {
        let changed: BTreeSet<Key> = self.observer.due(now).into_iter().collect();
        for walk in self.walks.values_mut().filter(|walk| changed.contains(&key_of(&walk.upgrade))) {
            walk.touch();
        }
        let extensions = self.observer.extensions();
        if extensions.is_some() && extensions != self.extensions {
            self.tools.hooks.read_only(extensions.clone().unwrap_or_default());
            self.extensions = extensions;
            self.walks.values_mut().for_each(Walk::touch);
        }
        let informers = self.observer.informers(now);
        let was_ready = self.is_ready;
        self.is_ready |= self.is_listed && self.extensions.is_some() && self.observer.awaited(now).is_empty();
        self.tools.metrics.drive().saw(&informers, self.is_ready);
        let stale: Vec<&str> =
            informers.iter().filter(|informer| is_stale(informer)).map(|informer| informer.source.name()).collect();
        if self.is_ready && self.is_current != stale.is_empty() {
            match stale.is_empty() {
                true => info!("what is watched is heard of again"),
                false => warn!(stale = stale.join(", "), "not heard of for long; nothing is begun until it is"),
            }
        }
        self.is_current = stale.is_empty();
        if self.is_ready && !was_ready {
            info!(upgrades = self.walks.len(), "all that is needed to walk upgrades was read");
        }
    }

    /// Lets clusters take their turns.
    fn go(&mut self, now: Timestamp) {
        let is_due = |walk: &Walk| !walk.is_busy && (walk.dirty.is_some() || walk.next.is_some_and(|next| next <= now));
        let ours = |name: &Name, walk: &Walk| is_due(walk) && self.tools.shard.has(name) && is_operators(&walk.upgrade);
        let mut due: Vec<(Option<Instant>, Name)> = self
            .walks
            .iter()
            .filter(|(name, walk)| ours(name, walk))
            .map(|(name, walk)| (walk.dirty, name.clone()))
            .collect();
        // What has waited longest comes first.
        due.sort_by_key(|(dirty, _)| dirty.unwrap_or_else(Instant::now));
        for (_, name) in due {
            if self.working.len() >= AT_ONCE {
                return;
            }
            self.begin(&name, now);
        }
    }

    fn begin(&mut self, name: &Name, now: Timestamp) {
        let rival = self.rival(name);
        let Some(walk) = self.walks.get_mut(name) else { return };
        let sight = self.observer.look(&key_of(&walk.upgrade), None, now);
        let waited = walk.dirty.take().map(|dirty| dirty.elapsed());
        walk.next = None;
        if let Some((moved, since)) = &walk.awaited {
            let is_seen = sight.as_ref().is_none_or(|sight| moved.iter().all(|moved| sees(&sight.inventory, moved)));
            if !is_seen && since.elapsed() < PATIENCE {
                // The change that is waited for makes it dirty.
                walk.next = now.saturating_add(jiff::SignedDuration::from_secs(1)).ok();
                return;
            }
            walk.awaited = None;
        }
        if let Some(waited) = waited {
            self.tools.metrics.drive().waited(waited);
        }
        let (report, inventory) = match sight {
            Some(Sight { report, inventory, owner: _, kubeconfig: _ }) => (Some(report), inventory),
            None => (None, Inventory::default()),
        };
        let seen = Seen { upgrade: walk.upgrade.clone(), inventory, report, rival };
        walk.is_busy = true;
        let (driver, events, mut remembered) =
            (self.tools.driver.clone(), self.tools.events.clone(), walk.remembered.clone());
        let name = name.clone();
        self.working.spawn(async move {
            let begun = Instant::now();
            let turned = driver.turn(seen, &mut remembered).await;
            let took = begun.elapsed();
            events.tell(&turned.upgrade, &turned.happenings).await;
            Done { name, turned, remembered, took }
        });
    }

    /// Another one of the same cluster that is older.
    fn rival(&self, name: &Name) -> Option<String> {
        let walk = self.walks.get(name)?;
        let age = |walk: &Walk| walk.upgrade.metadata.creation_timestamp.as_ref().map(|time| time.0);
        let key = key_of(&walk.upgrade);
        let others = self.walks.iter().filter(|(other, walk)| *other != name && key_of(&walk.upgrade) == key);
        let older = others.filter(|(other, rival)| (age(rival), *other) < (age(walk), name));
        older.min_by_key(|(other, rival)| (age(rival), *other)).map(|((_, other), _)| other.clone())
    }

    /// Takes note of a turn.
    fn take_note(&mut self, done: Done) {
        let Done { name, turned, remembered, took } = done;
        self.tools.metrics.drive().turned(&name, &turned, took, self.tools.clock.now());
        let Some(walk) = self.walks.get_mut(&name) else { return };
        walk.is_busy = false;
        if walk.upgrade.metadata.uid != turned.upgrade.metadata.uid {
            // It was made anew meanwhile.
            walk.touch();
            return;
        }
        walk.remembered = remembered;
        if is_newer(&turned.upgrade, &walk.upgrade) {
            walk.upgrade = turned.upgrade;
        }
        walk.next = turned.next;
        walk.awaited = (!turned.moved.is_empty()).then(|| (turned.moved, Instant::now()));
        let (namespace, upgrade) = (&name.0, &name.1);
        for (call, said) in &turned.asked {
            info!(namespace, upgrade, hook = call.hook().name(), said = events::word(said), "asked a hook");
        }
        if turned.trouble != walk.trouble {
            if let Some(trouble) = &turned.trouble {
                warn!(namespace, upgrade, trouble, "cannot write the status");
            }
            walk.trouble = turned.trouble;
        }
    }

    /// When something is to be done by the clock, if ever.
    fn wake(&self, now: Timestamp) -> Timestamp {
        let look = self.observer.next(now);
        let walks = self.walks.values().filter(|walk| !walk.is_busy).filter_map(|walk| walk.next);
        // What is due already is done when one of those at hand has ended.
        walks.chain(look).filter(|moment| *moment > now).fold(Timestamp::MAX, Timestamp::min)
    }
}

impl Walk {
    fn new(upgrade: ClusterUpgrade) -> Self {
        let dirty = Some(Instant::now());
        let remembered = Remembered::default();
        Self { upgrade, remembered, is_busy: false, dirty, next: None, awaited: None, trouble: None }
    }

    /// There is something new.
    fn touch(&mut self) {
        self.dirty.get_or_insert_with(Instant::now);
    }
}

/// Whether what an informer tells may be wrong by now, and matters for where a cluster stands.
fn is_stale(informer: &Informer) -> bool {
    let Informer { source, state, .. } = informer;
    *state == InformerState::Stale && source.is_of(Form::ClusterApi) && !source.is_detail()
}

/// Whether it is for the operator to walk it.
fn is_operators(upgrade: &ClusterUpgrade) -> bool {
    upgrade.metadata.deletion_timestamp.is_none()
        && upgrade.spec.driver.as_ref().is_none_or(|who| *who == Word::Known(Who::Operator))
}

/// Whether one is a later version of an object than the other.
fn is_newer(one: &ClusterUpgrade, other: &ClusterUpgrade) -> bool {
    let version = |upgrade: &ClusterUpgrade| upgrade.metadata.resource_version.clone().unwrap_or_default();
    let (one, other) = (version(one), version(other));
    match (one.parse::<u64>(), other.parse::<u64>()) {
        (Ok(one), Ok(other)) => one > other,
        // A server that numbers otherwise is taken at its word: what it told last is what is so.
        _ => one != other,
    }
}

/// Whether what was moved is seen as it is since then.
fn sees(inventory: &Inventory, moved: &Moved) -> bool {
    let workers = |all: &[headway_api::cluster_api::Workers]| {
        all.iter().find(|workers| workers.metadata.name == moved.name).map(|workers| workers.metadata.generation)
    };
    let generation = match moved.group.as_ref().map(|group| group.kind) {
        None => inventory
            .control_planes
            .iter()
            .find(|control_plane| control_plane.metadata.name == moved.name)
            .map(|control_plane| control_plane.metadata.generation),
        Some(GroupKind::MachineDeployment) => workers(&inventory.machine_deployments),
        Some(GroupKind::MachinePool) => workers(&inventory.machine_pools),
    };
    // One that is gone is not waited for.
    generation.is_none_or(|generation| generation >= moved.generation)
}

fn name_of(upgrade: &ClusterUpgrade) -> Name {
    let metadata = &upgrade.metadata;
    (metadata.namespace.clone().unwrap_or_default(), metadata.name.clone().unwrap_or_default())
}

fn key_of(upgrade: &ClusterUpgrade) -> Key {
    Key {
        form: Form::ClusterApi,
        namespace: upgrade.metadata.namespace.clone().unwrap_or_default(),
        name: upgrade.spec.cluster_name.clone(),
    }
}
