//! What an informer has to say and has not said yet.
//!
//! The watch puts in and never waits; the sender takes out as fast as the consumer takes in. What is put in twice of
//! one object is said once, as it is now: so an outbox never holds more than there are objects, and loses nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use headway_api::gap::Gap;
use headway_core::inform::{Epoch, Fact, Failure, Kind, Msg, Source, Uid};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Notify, mpsc};

/// What is known of an object.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::gather) struct Known<F = Fact> {
    /// What it is like.
    pub(in crate::gather) fact: F,
    /// What of it could not be read.
    pub(in crate::gather) flaws: Vec<Gap>,
}

impl From<Fact> for Known {
    fn from(fact: Fact) -> Self {
        Self { fact, flaws: Vec::new() }
    }
}

/// The outbox of one informer.
pub(super) struct Outbox<S = Source, F = Fact> {
    pending: Mutex<Pending<S, F>>,
    filled: Notify,
}

impl<S: Clone, F> Outbox<S, F> {
    pub(super) fn new(source: S) -> Self {
        Self { pending: Mutex::new(Pending::new(source)), filled: Notify::new() }
    }

    /// Says that the informer begins anew.
    pub(super) fn hello(&self, at: Timestamp) {
        self.put(|pending| pending.hello(at));
    }

    /// Says what is known of an object.
    pub(super) fn upsert(&self, at: Timestamp, uid: Uid, known: Known<F>) {
        self.put(|pending| pending.change(at, uid, Change::Is(known)));
    }

    /// Says that an object was deleted.
    pub(super) fn remove(&self, at: Timestamp, uid: Uid) {
        self.put(|pending| pending.change(at, uid, Change::Gone));
    }

    /// Says nothing more of an object that is not in the new list: its end is told by the list.
    pub(super) fn forget(&self, uid: &Uid) {
        self.pending().changes.remove(uid);
    }

    /// Says that all there is was told.
    pub(super) fn synced(&self, at: Timestamp, known: BTreeSet<Uid>) {
        self.put(|pending| {
            pending.failed = None;
            pending.queue.push_back(Entry::Synced(at, known));
        });
    }

    /// Says that nothing can be seen, and why.
    pub(super) fn failed(&self, at: Timestamp, failure: Failure) {
        self.put(|pending| pending.failed = Some((at, failure)));
    }

    /// Says that the informer lives, and for how long it has seen nothing.
    pub(super) fn beat(&self, at: Timestamp, lag: SignedDuration) {
        self.put(|pending| {
            if lag.is_zero() {
                pending.failed = None;
            }
            pending.beat = Some((at, lag));
        });
    }

    /// Hands everything to the consumer, until that one is gone.
    pub(super) async fn deliver(&self, to: &mpsc::Sender<Msg<S, F>>) {
        loop {
            while self.pending().is_empty() {
                self.filled.notified().await;
            }
            let Ok(place) = to.reserve().await else { return };
            if let Some(msg) = self.pending().next() {
                place.send(msg);
            }
        }
    }

    fn put(&self, change: impl FnOnce(&mut Pending<S, F>)) {
        change(&mut self.pending());
        self.filled.notify_one();
    }

    fn pending(&self) -> MutexGuard<'_, Pending<S, F>> {
        // Nothing in here stops half way, so what another thread left behind is whole.
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Pending<S, F> {
    source: S,
    epoch: Epoch,
    seq: u64,
    hello: Option<Timestamp>,
    /// The order in which things are said.
    queue: VecDeque<Entry>,
    changes: BTreeMap<Uid, (Timestamp, Change<F>)>,
    failed: Option<(Timestamp, Failure)>,
    beat: Option<(Timestamp, SignedDuration)>,
}

/// A place in the queue.
enum Entry {
    /// Whatever is to be said of this object; nothing when it was forgotten.
    Change(Uid),
    Synced(Timestamp, BTreeSet<Uid>),
}

enum Change<F> {
    Is(Known<F>),
    Gone,
}

impl<S: Clone, F> Pending<S, F> {
    fn new(source: S) -> Self {
        Self {
            source,
            epoch: 0,
            seq: 0,
            hello: None,
            queue: VecDeque::new(),
            changes: BTreeMap::new(),
            failed: None,
            beat: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.hello.is_none() && self.queue.is_empty() && self.failed.is_none() && self.beat.is_none()
    }

    /// What is still to be said of objects holds in the new epoch too; that a list of the old one was complete does
    /// not.
    fn hello(&mut self, at: Timestamp) {
        (self.epoch, self.seq) = (self.epoch + 1, 0);
        self.hello = Some(at);
        self.queue.retain(|entry| matches!(entry, Entry::Change(_)));
    }

    fn change(&mut self, at: Timestamp, uid: Uid, change: Change<F>) {
        if self.changes.insert(uid.clone(), (at, change)).is_none() {
            self.queue.push_back(Entry::Change(uid));
        }
    }

    /// What is said next.
    fn next(&mut self) -> Option<Msg<S, F>> {
        if let Some(at) = self.hello.take() {
            return Some(self.say(at, Kind::Hello));
        }
        while let Some(entry) = self.queue.pop_front() {
            match entry {
                Entry::Synced(at, known) => return Some(self.say(at, Kind::Synced { known })),
                Entry::Change(uid) => match self.changes.remove(&uid) {
                    Some((at, Change::Is(Known { fact, flaws }))) => {
                        return Some(self.say(at, Kind::Upsert { uid, fact, flaws }));
                    }
                    Some((at, Change::Gone)) => return Some(self.say(at, Kind::Remove { uid })),
                    None => {}
                },
            }
        }
        if let Some((at, failure)) = self.failed.take() {
            return Some(self.say(at, Kind::Failed(failure)));
        }
        let (at, lag) = self.beat.take()?;
        Some(self.say(at, Kind::Beat { lag }))
    }

    fn say(&mut self, at: Timestamp, kind: Kind<F>) -> Msg<S, F> {
        self.seq += 1;
        Msg { source: self.source.clone(), epoch: self.epoch, seq: self.seq, at, kind }
    }
}

#[cfg(test)]
mod tests {
    use headway_core::inform::FailureKind;

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// What is said after some things were put in while nobody listened.
    fn check(put: impl FnOnce(&Outbox), expect: &[&str]) {
        let outbox = Outbox::new(Source::MachineConfigs);
        put(&outbox);
        let said: Vec<String> = std::iter::from_fn(|| outbox.pending().next()).map(|msg| told(&msg)).collect();
        assert_eq!(said, expect);
        assert!(outbox.pending().is_empty());
    }

    fn told(Msg { source: _, epoch, seq, at: _, kind }: &Msg) -> String {
        let what = match kind {
            Kind::Hello => "hello".to_owned(),
            Kind::Upsert { uid, fact: Fact::MachineConfig(release), flaws: _ } => {
                format!("{uid} is {}", release.as_deref().unwrap_or_default())
            }
            Kind::Upsert { uid, .. } => format!("{uid} is something else"),
            Kind::Remove { uid } => format!("{uid} is gone"),
            Kind::Synced { known } => format!("all: {}", known.iter().cloned().collect::<Vec<_>>().join(" ")),
            Kind::Beat { lag } => format!("beat {}", lag.as_secs()),
            Kind::Failed(failure) => format!("failed: {}", failure.message),
        };
        format!("{epoch}.{seq} {what}")
    }

    fn is(outbox: &Outbox, uid: &str, release: &str) {
        outbox.upsert(NOW, uid.into(), Fact::MachineConfig(Some(release.into())).into());
    }

    fn all(outbox: &Outbox, uids: &[&str]) {
        outbox.synced(NOW, uids.iter().map(|uid| (*uid).to_owned()).collect());
    }

    fn fail(outbox: &Outbox, message: &str) {
        outbox.failed(NOW, Failure { kind: FailureKind::Unreachable, message: message.into() });
    }

    #[test]
    fn us_3_7_what_changes_often_is_said_once_as_it_is() {
        check(
            |outbox| {
                outbox.hello(NOW);
                is(outbox, "a", "1");
                is(outbox, "b", "1");
                is(outbox, "a", "2");
                is(outbox, "a", "3");
            },
            &["1.1 hello", "1.2 a is 3", "1.3 b is 1"],
        );
        check(
            |outbox| {
                for number in 0..10_000 {
                    is(outbox, "a", &number.to_string());
                }
            },
            &["0.1 a is 9999"],
        );
    }

    #[test]
    fn us_3_7_the_end_of_an_object_is_said_and_so_is_its_return() {
        check(
            |outbox| {
                is(outbox, "a", "1");
                outbox.remove(NOW, "a".into());
            },
            &["0.1 a is gone"],
        );
        check(
            |outbox| {
                outbox.remove(NOW, "a".into());
                is(outbox, "a", "2");
            },
            &["0.1 a is 2"],
        );
    }

    #[test]
    fn us_3_7_a_list_is_complete_after_its_objects() {
        check(
            |outbox| {
                outbox.hello(NOW);
                is(outbox, "a", "1");
                all(outbox, &["a", "b"]);
                is(outbox, "c", "1");
                is(outbox, "a", "2");
            },
            &["1.1 hello", "1.2 a is 2", "1.3 all: a b", "1.4 c is 1"],
        );
    }

    #[test]
    fn us_3_7_a_new_beginning_keeps_what_is_known_and_drops_what_is_not() {
        check(
            |outbox| {
                outbox.hello(NOW);
                is(outbox, "a", "1");
                is(outbox, "b", "1");
                all(outbox, &["a", "b"]);
                outbox.hello(NOW);
                outbox.forget(&"b".to_owned());
                is(outbox, "c", "1");
                all(outbox, &["a", "c"]);
            },
            &["2.1 hello", "2.2 a is 1", "2.3 c is 1", "2.4 all: a c"],
        );
    }

    #[test]
    fn us_3_7_a_slow_consumer_stops_no_watch_and_misses_nothing() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let outbox = std::sync::Arc::new(Outbox::new(Source::MachineConfigs));
            let (to, mut messages) = mpsc::channel(2);
            let sender = tokio::spawn({
                let outbox = outbox.clone();
                async move { outbox.deliver(&to).await }
            });
            for round in 0..1_000 {
                for uid in ["a", "b", "c"] {
                    is(&outbox, uid, &round.to_string());
                }
                tokio::task::yield_now().await;
            }
            outbox.remove(NOW, "b".into());
            let mut said = Vec::new();
            while let Ok(Some(msg)) = tokio::time::timeout(std::time::Duration::from_millis(50), messages.recv()).await
            {
                said.push(told(&msg).split_once(' ').unwrap().1.to_owned());
            }
            assert!(said.len() <= 6, "two in the channel, one on its way, one of each object: {said:?}");
            for last in ["a is 999", "b is gone", "c is 999"] {
                assert!(said.iter().any(|said| said == last), "{last}: {said:?}");
            }
            sender.abort();
        });
    }

    #[test]
    fn failures_and_beats_are_said_as_they_are_now() {
        check(
            |outbox| {
                fail(outbox, "one");
                outbox.beat(NOW, SignedDuration::from_secs(3));
                fail(outbox, "two");
                outbox.beat(NOW, SignedDuration::from_secs(18));
            },
            &["0.1 failed: two", "0.2 beat 18"],
        );
        // What passed before anybody heard of it needs not be told.
        check(
            |outbox| {
                fail(outbox, "one");
                outbox.beat(NOW, SignedDuration::ZERO);
            },
            &["0.1 beat 0"],
        );
        check(
            |outbox| {
                fail(outbox, "one");
                all(outbox, &[]);
            },
            &["0.1 all: "],
        );
    }
}
