//! What one informer told: the newest fact of each object, how sure it is that the object is there, and how far the
//! informer can be trusted. Which objects there are, and what is made of them, is left to the stores.

use std::collections::BTreeMap;

use headway_api::gap::Gap;
use jiff::{SignedDuration, Timestamp};

use super::message::{Epoch, Failure, FailureKind, Kind, Msg, Uid};
use super::store::{Informer, InformerState, Timing};

/// What one informer told.
#[derive(Debug, Clone)]
pub(crate) struct Channel<F> {
    epoch: Epoch,
    seq: u64,
    /// When its watch was last known to work.
    pub(crate) heard: Timestamp,
    /// The list of this epoch was complete.
    synced: bool,
    /// Some list was complete, so that an object that is not here is not there.
    pub(crate) synced_once: bool,
    pub(crate) failure: Option<Failure>,
    pub(crate) entries: BTreeMap<Uid, Entry<F>>,
    /// Some of them are to be dropped at their time. Where none is, nobody need look through all of them.
    expiring: bool,
}

/// One object.
#[derive(Debug, Clone)]
pub(crate) struct Entry<F> {
    pub(crate) fact: F,
    pub(crate) flaws: Vec<Gap>,
    standing: Standing,
}

/// How sure it is that an object is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Told in this epoch.
    Confirmed,
    /// Told in an epoch before.
    Unconfirmed,
    /// Not in the list of this epoch; dropped at this time.
    Expiring(Timestamp),
}

impl<F: PartialEq> Channel<F> {
    /// One that has told nothing yet.
    pub(crate) fn new(epoch: Epoch, at: Timestamp) -> Self {
        Self {
            epoch,
            seq: 0,
            heard: at,
            synced: false,
            synced_once: false,
            failure: None,
            entries: BTreeMap::new(),
            expiring: false,
        }
    }

    /// Takes a message in. Answers whether anything changed by it; each object that did is told to `moved`, as it was and
    /// as it is.
    pub(crate) fn apply<S>(
        &mut self,
        msg: Msg<S, F>,
        timing: Timing,
        moved: &mut impl FnMut(Option<Entry<F>>, Option<&Entry<F>>),
    ) -> bool {
        let Msg { source: _, epoch, seq, at, kind } = msg;
        let Timing { grace, lagging, .. } = timing;
        if epoch < self.epoch || (epoch == self.epoch && seq < self.seq) {
            return false;
        }
        if epoch > self.epoch {
            self.begin(epoch);
        }
        self.seq = seq;
        match kind {
            Kind::Hello => {
                self.begin(epoch);
                false
            }
            Kind::Upsert { uid, fact, flaws } => {
                self.hear(at);
                self.upsert(uid, fact, flaws, moved)
            }
            Kind::Remove { uid } => {
                self.hear(at);
                let gone = self.entries.remove(&uid);
                let was_there = gone.is_some();
                if was_there {
                    moved(gone, None);
                }
                was_there
            }
            Kind::Synced { known } => {
                self.hear(at);
                self.failure = None;
                let is_first = !self.synced_once;
                (self.synced, self.synced_once) = (true, true);
                let goes_at = at.saturating_add(grace).unwrap_or(Timestamp::MAX);
                for (uid, entry) in &mut self.entries {
                    entry.standing = match entry.standing {
                        _ if known.contains(uid) => Standing::Confirmed,
                        Standing::Unconfirmed => Standing::Expiring(goes_at),
                        other @ (Standing::Confirmed | Standing::Expiring(_)) => other,
                    };
                    self.expiring |= matches!(entry.standing, Standing::Expiring(_));
                }
                is_first
            }
            Kind::Beat { lag } => {
                // Who was not heard of for long, and what it told, is to be looked at again.
                let was_silent = self.silence(at) >= lagging;
                self.hear(at.saturating_sub(lag).unwrap_or(Timestamp::MIN));
                if lag.is_zero() && self.synced {
                    self.failure = None;
                }
                was_silent && lag < lagging
            }
            Kind::Failed(failure) => {
                let is_new = self.failure.as_ref() != Some(&failure);
                self.failure = Some(failure);
                is_new
            }
        }
    }

    /// Drops what is due, and tells it to `moved`. Answers whether anything was.
    pub(crate) fn expire(
        &mut self,
        now: Timestamp,
        timing: Timing,
        moved: &mut impl FnMut(Option<Entry<F>>, Option<&Entry<F>>),
    ) -> bool {
        let Timing { grace, lost, .. } = timing;
        self.set_back(now, grace);
        let is_lost = self.silence(now) >= lost;
        if is_lost {
            (self.synced, self.synced_once) = (false, false);
        } else if !self.expiring {
            return false;
        }
        let is_due =
            |_: &Uid, entry: &mut Entry<F>| is_lost || matches!(entry.standing, Standing::Expiring(at) if at <= now);
        let gone: Vec<(Uid, Entry<F>)> = self.entries.extract_if(.., is_due).collect();
        self.expiring = self.entries.values().any(|entry| matches!(entry.standing, Standing::Expiring(_)));
        let dropped = !gone.is_empty();
        gone.into_iter().for_each(|(_, entry)| moved(Some(entry), None));
        dropped
    }

    /// When an object goes that the last list did not tell of, or the informer's state changes, if nothing is told until
    /// then.
    pub(crate) fn next_deadline(&self, now: Timestamp, timing: Timing) -> Option<Timestamp> {
        let Timing { grace: _, lagging, stale, lost } = timing;
        let all = self.expiring.then(|| self.entries.values()).into_iter().flatten();
        let expiries = all.filter_map(|entry| match entry.standing {
            Standing::Expiring(at) => Some(at),
            Standing::Confirmed | Standing::Unconfirmed => None,
        });
        let heard = self.is_watching().then_some(self.heard);
        let silences =
            heard.into_iter().flat_map(|heard| [lagging, stale, lost].map(|limit| heard.saturating_add(limit)));
        let silences = silences.map(|at| at.unwrap_or(Timestamp::MAX)).filter(|at| *at > now);
        expiries.chain(silences).min()
    }

    /// How far the informer can be trusted.
    pub(crate) fn state(&self, now: Timestamp, timing: Timing) -> InformerState {
        let silence = self.silence(now);
        match self.refusal() {
            Some(FailureKind::NotAsked) => InformerState::Idle,
            Some(FailureKind::NotServed | FailureKind::Forbidden) => InformerState::Refused,
            Some(FailureKind::Unreachable) | None if silence >= timing.stale => InformerState::Stale,
            Some(FailureKind::Unreachable) | None if silence >= timing.lagging => InformerState::Lagging,
            Some(FailureKind::Unreachable) | None if self.synced => InformerState::Synced,
            Some(FailureKind::Unreachable) | None => InformerState::Starting,
        }
    }

    /// What is known of the informer, by what it watches.
    pub(crate) fn informer<S>(&self, source: S, now: Timestamp, timing: Timing) -> Informer<S> {
        Informer {
            source,
            state: self.state(now, timing),
            failure: self.failure.clone(),
            heard: self.heard,
            objects: self.entries.len(),
        }
    }

    /// For how long nothing was heard of it.
    pub(crate) fn silence(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.heard)
    }

    /// Why it tells nothing for good; a passing failure is none.
    pub(crate) fn refusal(&self) -> Option<FailureKind> {
        self.failure.as_ref().map(|failure| failure.kind).filter(|kind| match kind {
            FailureKind::NotServed | FailureKind::Forbidden | FailureKind::NotAsked => true,
            FailureKind::Unreachable => false,
        })
    }

    fn begin(&mut self, epoch: Epoch) {
        self.epoch = epoch;
        self.synced = false;
        for entry in self.entries.values_mut() {
            if entry.standing == Standing::Confirmed {
                entry.standing = Standing::Unconfirmed;
            }
        }
    }

    /// Time never runs backwards in here, whatever the sender's clock does.
    fn hear(&mut self, at: Timestamp) {
        self.heard = self.heard.max(at);
    }

    fn upsert(
        &mut self,
        uid: Uid,
        fact: F,
        flaws: Vec<Gap>,
        moved: &mut impl FnMut(Option<Entry<F>>, Option<&Entry<F>>),
    ) -> bool {
        let entry = Entry { fact, flaws, standing: Standing::Confirmed };
        if let Some(known) = self.entries.get_mut(&uid)
            && known.fact == entry.fact
            && known.flaws == entry.flaws
        {
            known.standing = Standing::Confirmed;
            return false;
        }
        moved(self.entries.remove(&uid), Some(&entry));
        self.entries.insert(uid, entry);
        true
    }

    /// After the clock was set back, what was counted from times that lie ahead counts from now: us_s57.
    fn set_back(&mut self, now: Timestamp, grace: SignedDuration) {
        self.heard = self.heard.min(now);
        if !self.expiring {
            return;
        }
        let latest = now.saturating_add(grace).unwrap_or(Timestamp::MAX);
        for entry in self.entries.values_mut() {
            if let Standing::Expiring(at) = &mut entry.standing {
                *at = latest.min(*at);
            }
        }
    }

    fn is_watching(&self) -> bool {
        self.refusal().is_none()
    }
}
