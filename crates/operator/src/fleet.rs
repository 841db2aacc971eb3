//! The keeper of a fleet: the one loop that takes in what the informers of a management cluster tell, looks at the
//! clusters of which something changed, and decides which status is written when.
//!
//! # Guarantees
//! Nothing is written before every informer of what is served has told all that is there, or has said that it may not;
//! nothing is deleted before that either. Nothing is written that was written already. What is refused of one cluster
//! holds up no other. Who does not lead writes nothing, and keeps looking, so that it can go on at once.

mod recall;
mod status;
mod workloads;
mod writer;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use headway_api::report::{Activity, Form};
use headway_cluster::gather::live::FleetInformers;
use headway_core::fleet::{Informer, Key, Msg, Observer, Owner};
use headway_core::inform::Timing;
use headway_core::pace::Mode;
use headway_core::publish::Level;
use jiff::{SignedDuration, Timestamp};
use kube::Client;
use tokio::sync::{mpsc, watch};
use tracing::{error, info, warn};

use self::status::Packed;
use self::workloads::Told;
pub(crate) use self::workloads::{Asking, NOT_TOLD, run as ask};
use self::writer::Task;
pub(crate) use self::writer::{AT_ONCE, Done, Job, run as write};
use crate::clock::Clock;
use crate::kept::{Kept, Next};
use crate::metrics::Metrics;
use crate::recall::patiently;
use crate::writer::Outcome;

/// So many clusters are looked at before the loop turns: each takes about a millisecond.
const LOOKS: usize = 32;

/// Facts that come together are looked at together.
const GATHER: Duration = Duration::from_millis(250);

/// The loop turns at least so often, and says with it that it lives.
const BEAT: Duration = Duration::from_secs(15);

/// For so long nothing of a kind is written that is not served, or that we may not write: so many refusals in a row, with
/// no write between them that was let through, are no matter of single clusters.
const REFUSALS: usize = AT_ONCE;
const BARRED: SignedDuration = SignedDuration::from_secs(30);

/// What the keeper of a fleet works with.
pub(crate) struct Tools {
    pub(crate) clock: Clock,
    pub(crate) client: Client,
    pub(crate) metrics: Arc<Metrics>,
    /// What informers tell.
    pub(crate) informers: FleetInformers,
    /// Whether we lead.
    pub(crate) leads: watch::Receiver<bool>,
    /// Whether to stop.
    pub(crate) stop: watch::Receiver<bool>,
    /// What is to be written.
    pub(crate) jobs: mpsc::Sender<Job>,
    /// What became of it.
    pub(crate) done: mpsc::Receiver<Done>,
    /// The clusters that are asked themselves.
    pub(crate) asking: Asking,
}

/// The keeper of a fleet.
pub(crate) struct Fleet {
    tools: Tools,
    observer: Observer,
    /// All statuses that are there or should be.
    kept: BTreeMap<Key, Status>,
    /// Clusters to look at.
    queue: VecDeque<Key>,
    /// Statuses whose cluster was not seen.
    lost: BTreeSet<Key>,
    /// Something was told since the last turn.
    is_dirty: bool,
    turned: Option<Instant>,
    in_flight: usize,
    /// How often in a row a write of a form was refused.
    refusals: BTreeMap<Form, usize>,
    /// Until when no status of clusters of a form is written.
    barred: BTreeMap<Form, Timestamp>,
    is_ready: bool,
    was_leading: bool,
    /// What last went wrong with a write, so that it is logged once and not for each cluster.
    trouble: BTreeMap<Form, String>,
    /// What the server has against the status of single clusters.
    refused: BTreeMap<Key, String>,
}

/// The status of one cluster.
struct Status {
    kept: Kept<Packed>,
    owner: Owner,
    /// The least that is left out: a level that the API server refused is not tried again.
    floor: Level,
}

impl Status {
    fn new(kept: Kept<Packed>) -> Self {
        Self { kept, owner: Owner::default(), floor: Level::FULL }
    }
}

impl Fleet {
    pub(crate) fn new(tools: Tools) -> Self {
        Self {
            tools,
            observer: Observer::new(Timing::default()),
            kept: BTreeMap::new(),
            queue: VecDeque::new(),
            lost: BTreeSet::new(),
            is_dirty: true,
            turned: None,
            in_flight: 0,
            refusals: BTreeMap::new(),
            barred: BTreeMap::new(),
            is_ready: false,
            was_leading: false,
            trouble: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Keeps the statuses until told to stop; the writes at hand are finished first.
    pub(crate) async fn run(mut self) {
        if !self.remember().await {
            return;
        }
        loop {
            let now = self.tools.clock.now();
            self.tools.metrics.fleet().beat(now);
            if *self.tools.stop.borrow() {
                return self.finish().await;
            }
            if *self.tools.leads.borrow() && !self.was_leading && self.turned.is_some() && !self.remember().await {
                return;
            }
            self.was_leading = *self.tools.leads.borrow();
            if self.gathering().is_zero() {
                self.turn(now);
            }
            if self.was_leading && self.is_ready {
                self.write(now);
                self.ask(now);
            }
            self.is_dirty |= self.is_ready && self.observer.next(now).is_some_and(|next| next <= now);
            let wake = self.wake(now);
            let pause = if self.is_dirty || !self.queue.is_empty() { self.gathering() } else { BEAT };
            let Tools { clock, informers, leads, stop, done, asking, .. } = &mut self.tools;
            tokio::select! {
                msg = informers.next() => match msg {
                    Some(msg) => self.take(msg),
                    // The informers never end by themselves; without them there is nothing to do.
                    None => return self.finish().await,
                },
                Some(done) = done.recv() => self.take_note(done),
                Some(told) = asking.told.recv() => self.take_answer(told),
                _ = leads.changed() => {}
                _ = stop.changed() => {}
                () = clock.wait_until(wake) => self.is_dirty = true,
                () = tokio::time::sleep(pause) => self.is_dirty = true,
            }
        }
    }

    /// Takes in a message, and with it those that wait behind it.
    fn take(&mut self, msg: Msg) {
        self.is_dirty |= self.observer.apply(msg);
        while let Some(msg) = self.tools.informers.next_now() {
            self.is_dirty |= self.observer.apply(msg);
        }
    }

    /// For how much longer facts are gathered before the next looks.
    fn gathering(&self) -> Duration {
        if self.queue.is_empty() {
            self.turned.map_or(Duration::ZERO, |turned| GATHER.saturating_sub(turned.elapsed()))
        } else {
            Duration::ZERO
        }
    }

    /// When something is to be done by the clock, if ever.
    fn wake(&self, now: Timestamp) -> Timestamp {
        let look = self.observer.next(now).filter(|_| self.is_ready);
        let writes = self.kept.iter().filter_map(|(key, status)| {
            let barred = self.barred.get(&key.form).copied().unwrap_or(Timestamp::MIN);
            Some(status.kept.due(now)?.max(barred))
        });
        // While as many are written as may be, the end of a write is what comes next.
        let leads = self.was_leading && self.is_ready;
        let may_write = leads && self.in_flight < AT_ONCE;
        let ask = self.tools.asking.workloads.next().filter(|_| leads);
        // What is due already is done at the next turn.
        let all = [look, writes.min().filter(|_| may_write), ask].into_iter().flatten();
        all.filter(|moment| *moment > now).fold(Timestamp::MAX, Timestamp::min)
    }

    /// Looks at some of the clusters whose turn it is.
    fn turn(&mut self, now: Timestamp) {
        (self.turned, self.is_dirty) = (Some(Instant::now()), false);
        let was_ready = self.is_ready;
        // Once all was read, what is told is worth looking at, also while a new kind is being read.
        self.is_ready |= self.observer.awaited(now).is_empty();
        let informers = self.observer.informers(now);
        self.tools.metrics.fleet().saw(&informers, self.is_ready, now);
        if !self.is_ready {
            return;
        }
        for key in self.observer.due(now) {
            self.look_again(key);
        }
        if !was_ready {
            info!(clusters = self.queue.len(), "all kinds of a management cluster that are served were read");
        }
        for _ in 0..LOOKS {
            let Some(key) = self.queue.pop_front() else { break };
            self.look(&key, &informers, now);
        }
        self.let_go(now);
    }

    /// Has a cluster looked at when its turn comes.
    fn look_again(&mut self, key: Key) {
        if !self.queue.contains(&key) {
            self.queue.push_back(key);
        }
    }

    /// Has those clusters asked themselves whose time has come.
    fn ask(&mut self, now: Timestamp) {
        for key in self.tools.asking.workloads.expire(now) {
            self.look_again(key);
        }
        let Asking { workloads, asks, .. } = &mut self.tools.asking;
        for ask in workloads.due(now) {
            // There is room: no more are under way than the channel holds.
            let _ = asks.try_send(ask);
        }
        self.tools.metrics.fleet().follows(workloads.count());
    }

    /// Takes in what came of asking a cluster.
    fn take_answer(&mut self, told: Told) {
        let Told { key, answer, took } = told;
        self.tools.metrics.fleet().asked(&answer, took);
        if self.tools.asking.workloads.take(&key, answer, self.tools.clock.now()) {
            self.look_again(key);
        }
    }

    /// Looks at one cluster, and finds out what its status should be.
    fn look(&mut self, key: &Key, informers: &[Informer], now: Timestamp) {
        let begun = Instant::now();
        let Some(sight) = self.observer.look(key, self.tools.asking.workloads.of(key), now) else {
            self.tools.metrics.fleet().forget(key);
            self.tools.asking.workloads.forget(key);
            if self.kept.contains_key(key) {
                self.lost.insert(key.clone());
            }
            return;
        };
        self.lost.remove(key);
        self.tools.metrics.fleet().looked_at(key, &sight.report, begun.elapsed());
        if self.tools.asking.workloads.follow(key, &sight.report, &sight.kubeconfig, now) {
            self.look_again(key.clone());
        }
        let status = self.kept.entry(key.clone()).or_insert_with(|| Status::new(Kept::new(status::LIMITS)));
        let Some(memory) = self.observer.memory(key) else { return };
        match status::render(&sight, memory, informers, status.kept.stands(), status.floor) {
            Ok(packed) => {
                let is_idle = sight.report.activity == Activity::NotUpdating;
                status.owner = sight.owner;
                status.kept.want(packed, if is_idle { Mode::Idle } else { Mode::Active }, now);
            }
            Err(cause) => error!(cluster = told(key), error = cause.to_string(), "cannot tell its status"),
        }
    }

    /// Lets go the statuses of clusters that are known to be gone. Their owner takes them along, where somebody collects
    /// what has none.
    fn let_go(&mut self, now: Timestamp) {
        let gone: Vec<Key> = self.lost.iter().filter(|key| self.observer.is_gone(key)).cloned().collect();
        for key in gone {
            self.lost.remove(&key);
            if let Some(status) = self.kept.get_mut(&key) {
                status.kept.unwant(Mode::Active, now);
            }
        }
    }

    /// Hands out what is due, as much of it as may be under way.
    fn write(&mut self, now: Timestamp) {
        self.barred.retain(|_, until| *until > now);
        let (kept, barred) = (&mut self.kept, &self.barred);
        let due = kept.iter_mut().filter(|(key, status)| {
            !barred.contains_key(&key.form) && status.kept.due(now).is_some_and(|due| due <= now)
        });
        let mut due: Vec<(&Key, &mut Status)> = due.collect();
        // What has waited longest comes first.
        due.sort_by_key(|(_, status)| status.kept.due(now));
        for (key, status) in due.into_iter().take(AT_ONCE.saturating_sub(self.in_flight)) {
            let task = match status.kept.begin() {
                Some(body) => Task::Apply { owner: status.owner.clone(), body },
                None => Task::Delete,
            };
            self.in_flight += 1;
            // There is room: no more are under way than the channel holds.
            let _ = self.tools.jobs.try_send(Job { key: key.clone(), task });
        }
    }

    /// Takes note of what became of a write.
    fn take_note(&mut self, done: Done) {
        let now = self.tools.clock.now();
        let Done { job: Job { key, task }, outcome, took } = done;
        self.in_flight = self.in_flight.saturating_sub(1);
        self.tools.metrics.fleet_wrote(&status::resource(key.form).plural, &outcome, took);
        self.log(&key, &outcome);
        match outcome {
            Outcome::NotServed | Outcome::Forbidden(_) => {
                let refusals = self.refusals.entry(key.form).or_default();
                *refusals += 1;
                if *refusals >= REFUSALS {
                    self.barred.insert(key.form, now.saturating_add(BARRED).unwrap_or(Timestamp::MAX));
                }
            }
            Outcome::Written | Outcome::TooLarge(_) | Outcome::Invalid(_) => {
                self.refusals.remove(&key.form);
            }
            Outcome::Failed { .. } => {}
        }
        let offered = match task {
            Task::Apply { body, .. } => Some(body),
            Task::Delete => None,
        };
        let Some(status) = self.kept.get_mut(&key) else { return };
        match status.kept.end(offered, &outcome, now) {
            Next::Keep => {}
            Next::Forget => {
                self.kept.remove(&key);
                self.refused.remove(&key);
            }
            Next::Smaller => match status.floor.next().filter(|_| matches!(outcome, Outcome::TooLarge(_))) {
                Some(next) => {
                    // It is looked at anew, and rendered one step down the ladder.
                    status.floor = next;
                    self.queue.push_back(key);
                }
                // That it is a little later changes nothing of what the server has against it.
                None => status.kept.pause(SignedDuration::ZERO, now),
            },
        }
    }

    /// Says what goes wrong: of one cluster what is its own, of a kind once, and once that it is over.
    fn log(&mut self, key: &Key, outcome: &Outcome) {
        let kind = status::resource(key.form).kind;
        match outcome {
            Outcome::Written => {
                if self.trouble.remove(&key.form).is_some() || self.refused.remove(key).is_some() {
                    info!(kind, cluster = told(key), "written again");
                }
            }
            Outcome::TooLarge(message) | Outcome::Invalid(message) => {
                if self.refused.insert(key.clone(), message.clone()).as_ref() != Some(message) {
                    warn!(kind, cluster = told(key), outcome = outcome.word(), message, "cannot write");
                }
            }
            Outcome::NotServed | Outcome::Forbidden(_) | Outcome::Failed { .. } => {
                // The message names the object, so that it differs for each.
                let word = outcome.word().to_owned();
                if self.trouble.insert(key.form, word.clone()).as_ref() != Some(&word) {
                    warn!(kind, cluster = told(key), outcome = word, message = outcome.message(), "cannot write");
                }
            }
        }
    }

    /// Reads back what was written before, by us or by another leader, however long that takes. Answers false when told
    /// to stop.
    async fn remember(&mut self) -> bool {
        let Tools { clock, client, metrics, stop, .. } = &mut self.tools;
        let trouble = "cannot read back the statuses of clusters; none is written until then";
        let beat = || metrics.fleet().beat(clock.now());
        let Some(recalled) = patiently(trouble, stop, beat, || recall::recall(client)).await else {
            return false;
        };
        let now = self.tools.clock.now();
        self.kept = BTreeMap::new();
        for (key, written) in recalled {
            self.observer.adopt(&key, recall::memory(written.as_ref()));
            let kept = match written {
                Some(written) => Kept::read_back(status::LIMITS, written, now),
                None => Kept::new(status::LIMITS),
            };
            self.kept.insert(key, Status::new(kept));
        }
        self.observer.doubt();
        true
    }

    /// Waits for the writes at hand.
    async fn finish(mut self) {
        while self.in_flight > 0 {
            match self.tools.done.recv().await {
                Some(done) => self.take_note(done),
                None => return,
            }
        }
    }
}

fn told(key: &Key) -> String {
    format!("{}/{}", key.namespace, key.name)
}
