//! The keeper: the one loop that takes in what informers tell, looks, and decides what is written when.
//!
//! # Guarantees
//! Nothing is written before every essential informer has told all that is there, or has said that it may not; nothing
//! is deleted before that either. Nothing is written that was written already. Who does not lead writes nothing, and
//! keeps looking, so that it can go on at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use headway_api::report::Phase;
use headway_cluster::gather::live::Informers;
use headway_core::inform::{Msg, Timing};
use headway_core::observer::{Observer, Sight};
use headway_core::pace::Limits;
use headway_core::publish::Level;
use jiff::{SignedDuration, Timestamp};
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tracing::{info, warn};

use crate::args::Args;
use crate::clock::Clock;
use crate::kept::{Kept, Next};
use crate::metrics::Metrics;
use crate::recall::{Recalled, patiently, recall};
use crate::rendering::{self, Key, Kind, singleton};
use crate::writer::{Done, Job, Outcome};

/// Facts that come together are looked at together. A matter of load, and so of real time, whatever the clock says.
const GATHER: Duration = Duration::from_millis(500);

/// A look at many nodes takes long, so that the next one waits so many times as long: a twentieth of a core is enough.
const LOOKS_APART: u32 = 20;

/// Longer than this no facts are gathered: what needs attention is told within four seconds.
const LONGEST_GATHER: Duration = Duration::from_millis(1_500);

/// The loop turns at least so often, and says with it that it lives.
const BEAT: Duration = Duration::from_secs(15);

/// For so long after the start the first status waits for sources that it can do without.
const PATIENCE: Duration = Duration::from_secs(5);

/// Insights say one thing each, and are written when it changes.
const INSIGHTS: Limits = Limits {
    settle: SignedDuration::from_secs(1),
    active: SignedDuration::from_secs(5),
    health: SignedDuration::from_secs(2),
    idle: SignedDuration::from_secs(5),
    confirm: SignedDuration::from_hours(24),
};

/// What a keeper works with.
pub(crate) struct Tools {
    pub(crate) args: Arc<Args>,
    pub(crate) clock: Clock,
    pub(crate) client: Client,
    pub(crate) metrics: Arc<Metrics>,
    /// What informers tell.
    pub(crate) informers: Informers,
    /// Whether we lead.
    pub(crate) leads: watch::Receiver<bool>,
    /// Whether to stop.
    pub(crate) stop: watch::Receiver<bool>,
    /// What is to be written, one at a time.
    pub(crate) jobs: mpsc::Sender<Job>,
    /// What became of it.
    pub(crate) done: mpsc::Receiver<Done>,
}

/// The keeper.
pub(crate) struct Keeper {
    tools: Tools,
    observer: Observer,
    /// All objects of ours that are there or should be.
    kept: BTreeMap<Key, Kept>,
    owner: Option<String>,
    floor: Level,
    looked: Option<Instant>,
    /// What the clock said at the last look.
    looked_at: Option<Timestamp>,
    /// How long the last look took.
    took: Duration,
    /// Something is known that was not looked at.
    is_dirty: bool,
    next_look: Option<Timestamp>,
    is_ready: bool,
    was_leading: bool,
    begun: Instant,
    /// What last went wrong with a write, so that it is logged once and not every minute.
    trouble: BTreeMap<Kind, String>,
}

impl Keeper {
    pub(crate) fn new(tools: Tools) -> Self {
        Self {
            tools,
            observer: Observer::default(),
            kept: BTreeMap::new(),
            owner: None,
            floor: Level::FULL,
            looked: None,
            looked_at: None,
            took: Duration::ZERO,
            is_dirty: true,
            next_look: None,
            is_ready: false,
            was_leading: false,
            begun: Instant::now(),
            trouble: BTreeMap::new(),
        }
    }

    /// Keeps the status until told to stop; the write at hand is finished first.
    pub(crate) async fn run(mut self) {
        if !self.remember().await {
            return;
        }
        loop {
            let now = self.tools.clock.now();
            self.tools.metrics.beat(now);
            if *self.tools.stop.borrow() {
                return self.finish().await;
            }
            if *self.tools.leads.borrow() && !self.was_leading && !self.take_over().await {
                return;
            }
            self.was_leading = *self.tools.leads.borrow();
            let gathered = self.gathering().is_zero();
            // Until all was read, somebody looks who else would wait for an event.
            self.is_dirty |= !self.is_ready;
            // What was to be done at times that lie ahead now, after the clock was set back, is found out anew: us_s57.
            self.is_dirty |= self.looked_at.is_some_and(|looked| now < looked);
            if gathered && (self.is_dirty || self.next_look.is_some_and(|next| next <= now)) {
                self.look(now);
            }
            if self.was_leading && self.is_ready {
                self.write(now);
            }
            let wake = self.wake(now);
            let gathering = if self.is_dirty { self.gathering() } else { BEAT };
            let Tools { clock, informers, leads, stop, done, .. } = &mut self.tools;
            tokio::select! {
                msg = informers.next() => match msg {
                    Some(msg) => self.take(msg),
                    // The informers never end by themselves; without them there is nothing to do.
                    None => return self.finish().await,
                },
                Some(done) = done.recv() => self.take_note(done),
                _ = leads.changed() => {}
                _ = stop.changed() => {}
                () = clock.wait_until(wake) => {}
                () = tokio::time::sleep(gathering) => {}
            }
        }
    }

    /// Takes in a message, and with it all that wait behind it.
    fn take(&mut self, msg: Msg) {
        self.is_dirty |= self.observer.apply(msg);
        while let Some(msg) = self.tools.informers.next_now() {
            self.is_dirty |= self.observer.apply(msg);
        }
    }

    /// For how much longer facts are gathered before the next look.
    fn gathering(&self) -> Duration {
        let pause = (self.took * LOOKS_APART).clamp(GATHER, LONGEST_GATHER);
        self.looked.map_or(Duration::ZERO, |looked| pause.saturating_sub(looked.elapsed()))
    }

    /// When something is to be done by the clock, if ever.
    fn wake(&self, now: Timestamp) -> Timestamp {
        let look = self.next_look.filter(|next| *next > now);
        let writes = self.kept.values().filter_map(|kept| kept.due(now));
        let writes = writes.min().filter(|_| self.was_leading && self.is_ready);
        [look, writes].into_iter().flatten().fold(Timestamp::MAX, Timestamp::min)
    }

    /// Looks, and finds out what should be written.
    fn look(&mut self, now: Timestamp) {
        let begun = Instant::now();
        let sight = self.observer.look(now);
        let was_ready = self.is_ready;
        (self.looked, self.looked_at) = (Some(begun), Some(now));
        (self.is_dirty, self.next_look) = (false, sight.next);
        // What is read last must not seem to have gone; what never comes must not hold up the rest.
        let is_settled = self.is_ready || sight.pending.is_empty() || self.begun.elapsed() > PATIENCE;
        self.is_ready = sight.awaited.is_empty() && is_settled;
        if self.is_ready && !was_ready {
            info!(nodes = sight.report.units.len(), "all sources were read");
        }
        self.tools.metrics.saw(&sight, self.is_ready);
        let drains = sight.report.units.iter().filter(|unit| unit.phase == Phase::Draining);
        self.tools.informers.drain(drains.map(|unit| unit.name.clone()).collect::<BTreeSet<_>>());
        if self.is_ready {
            self.render(&sight, now);
        }
        self.took = begun.elapsed();
        self.tools.metrics.looked(self.took);
    }

    fn render(&mut self, sight: &Sight, now: Timestamp) {
        let past = self.kept.iter().filter_map(|(key, kept)| Some((key, kept.stands()?))).collect();
        let rendered = rendering::render(&self.tools.args, sight, self.observer.memory(), self.floor, &past);
        self.tools.metrics.rendered(&rendered);
        for (key, kept) in &mut self.kept {
            if !rendered.objects.contains_key(key) {
                kept.unwant(rendered.mode, now);
            }
        }
        for (key, body) in rendered.objects {
            let limits = limits(key.kind);
            self.kept.entry(key).or_insert_with(|| Kept::new(limits)).want(body, rendered.mode, now);
        }
    }

    /// Hands the writer what is due, one object at a time: the singleton first, as it owns the others, and what is to
    /// go last.
    fn write(&mut self, now: Timestamp) {
        if self.tools.jobs.capacity() == 0 {
            return;
        }
        let must_own = self.owner.is_none() && Kind::UpdateStatus.is_rendered(&self.tools.args);
        let is_due = |(key, kept): &(&Key, &mut Kept)| {
            (key.kind == Kind::UpdateStatus || !must_own) && kept.due(now).is_some_and(|due| due <= now)
        };
        let Some((key, kept)) = self.kept.iter_mut().filter(is_due).min_by_key(|(_, kept)| kept.is_to_go()) else {
            return;
        };
        let (key, body) = (key.clone(), kept.begin());
        let job = match body {
            Some(body) => Job::Apply { metadata: self.metadata(&key), key, body },
            None => Job::Delete { key },
        };
        // There is room: the capacity was looked at, and nobody else sends.
        let _ = self.tools.jobs.try_send(job);
    }

    /// Labels, and the owner of all but the owner.
    fn metadata(&self, key: &Key) -> Value {
        let mut metadata = json!({ "labels": { "app.kubernetes.io/managed-by": "headway-operator" } });
        if let (Some(owner), true) = (&self.owner, key.kind != Kind::UpdateStatus) {
            let resource = Kind::UpdateStatus.resource();
            metadata["ownerReferences"] = json!([{
                "apiVersion": resource.api_version, "kind": resource.kind, "name": singleton().name, "uid": owner,
            }]);
        }
        metadata
    }

    /// Takes note of what became of a write.
    fn take_note(&mut self, done: Done) {
        let now = self.tools.clock.now();
        let Done { job, outcome, took, uid } = done;
        let key = job.key().clone();
        self.tools.metrics.wrote(key.kind, &outcome, took);
        self.log(&key, &outcome);
        if key == singleton() && uid.is_some() {
            self.owner = uid;
        }
        let offered = match job {
            Job::Apply { body, .. } => Some(body),
            Job::Delete { .. } => None,
        };
        let Some(kept) = self.kept.get_mut(&key) else {
            return;
        };
        match kept.end(offered, &outcome, now) {
            Next::Keep => {}
            Next::Forget => {
                self.kept.remove(&key);
            }
            Next::Smaller if key == singleton() => {
                // It is looked at anew, and rendered one step down the ladder.
                self.floor = self.floor.next().unwrap_or(Level::LAST);
                self.is_dirty = true;
            }
            Next::Smaller => {}
        }
    }

    /// Says once what goes wrong, and once that it is over.
    fn log(&mut self, key: &Key, outcome: &Outcome) {
        let kind = key.kind.resource().kind;
        match outcome {
            Outcome::Written => {
                if self.trouble.remove(&key.kind).is_some() {
                    info!(kind, name = key.name, "written again");
                }
            }
            _ => {
                let told = outcome.message().to_owned();
                if self.trouble.insert(key.kind, told.clone()).as_ref() != Some(&told) {
                    warn!(kind, name = key.name, outcome = outcome.word(), message = told, "cannot write");
                }
            }
        }
    }

    /// Reads back what was written before, however long that takes. Answers false when told to stop.
    async fn remember(&mut self) -> bool {
        match self.read_back().await {
            Some(recalled) => {
                self.observer = Observer::new(Timing::default(), recalled.memory());
                self.adopt(recalled);
                true
            }
            None => false,
        }
    }

    /// Takes over from another leader: what it wrote is what was written last. Answers false when told to stop.
    async fn take_over(&mut self) -> bool {
        info!("leading");
        // Whoever began alone has just read it.
        if self.looked.is_none() {
            return true;
        }
        match self.read_back().await {
            Some(recalled) => {
                self.observer.adopt(recalled.memory());
                self.adopt(recalled);
                self.is_dirty = true;
                true
            }
            None => false,
        }
    }

    fn adopt(&mut self, recalled: Recalled) {
        let now = self.tools.clock.now();
        self.owner = recalled.owner;
        self.kept = BTreeMap::new();
        for (key, body) in recalled.bodies {
            let limits = limits(key.kind);
            let kept = body.map_or_else(|| Kept::new(limits), |body| Kept::read_back(limits, body, now));
            self.kept.insert(key, kept);
        }
    }

    async fn read_back(&mut self) -> Option<Recalled> {
        let Tools { args, clock, client, metrics, stop, .. } = &mut self.tools;
        let trouble = "cannot read back what was written; nothing is written until then";
        patiently(trouble, stop, || metrics.beat(clock.now()), || recall(client, args)).await
    }

    /// Waits for the write at hand.
    async fn finish(mut self) {
        if self.kept.values().any(|kept| kept.in_flight) {
            info!("finishing the write at hand");
            if let Some(done) = self.tools.done.recv().await {
                self.take_note(done);
            }
        }
    }
}

fn limits(kind: Kind) -> Limits {
    match kind {
        Kind::UpdateStatus => Limits::default(),
        Kind::PoolUpdateStatus => Limits::DETAILS,
        Kind::ClusterVersion | Kind::ClusterOperator | Kind::MachineConfigPool | Kind::Node | Kind::Health => INSIGHTS,
    }
}
