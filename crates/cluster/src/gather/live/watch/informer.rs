//! An informer: what one kind of object is like, told as it changes, through lost connections and expired watches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use headway_core::inform::{Failure, FailureKind, Uid};
use jiff::SignedDuration;
use tokio::time::{Instant, sleep};

use super::super::fault::Fault;
use super::super::pages::{self, Page};
use super::super::resource::Asked;
use super::outbox::{Known, Outbox};
use super::pause::Pauses;
use super::pulse::Pulse;
use super::stream::{Event, Stream};
use super::subject::Subject;
use super::{Context, Pace};

/// The informer of one kind.
pub(super) struct Informer<K: Subject> {
    context: Context,
    /// Where the kind's objects are, in the version that is served as far as that is known.
    subject: K,
    how: How,
    outbox: Arc<Outbox<K::Source, K::Fact>>,
    pulse: Arc<Pulse>,
    /// What was told of each object: what is the same is not told again.
    kept: BTreeMap<Uid, Known<K::Fact>>,
    /// Up to which version of the list everything was told; without one a new list is due.
    version: Option<String>,
    /// How many lists in a row took so long that the server forgot their moment.
    expired: usize,
}

/// How a list comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Object by object, as the beginning of the watch: neither side ever holds the list.
    Streamed,
    /// In pages, from servers that do not stream lists.
    Paged,
}

impl<K: Subject> Informer<K> {
    pub(super) fn new(
        context: Context,
        subject: K,
        outbox: Arc<Outbox<K::Source, K::Fact>>,
        pulse: Arc<Pulse>,
    ) -> Self {
        Self { context, subject, how: How::Streamed, outbox, pulse, kept: BTreeMap::new(), version: None, expired: 0 }
    }

    /// Informs, for ever.
    pub(super) async fn run(&mut self) {
        let mut pauses = Pauses::new(self.context.pace);
        loop {
            let began = Instant::now();
            let outcome = self.round().await;
            let lasted = began.elapsed();
            if lasted >= self.context.pace.longest_pause {
                pauses.reset();
            }
            let pause = match outcome {
                Err(fault) => self.after(fault, &mut pauses),
                // A watch that ends as it began would be begun as fast as the server can end it.
                Ok(()) if lasted < self.context.pace.first_pause => Some(pauses.next()),
                Ok(()) => None,
            };
            if let Some(pause) = pause {
                sleep(pause).await;
            }
        }
    }

    /// Says of all objects that they are gone; they are no longer asked for.
    pub(super) fn stop(&mut self) {
        self.version = None;
        for uid in std::mem::take(&mut self.kept).into_keys() {
            self.outbox.remove(self.context.now(), uid);
        }
    }

    /// Lists, or goes on with the watch, until something ends it.
    async fn round(&mut self) -> Result<(), Fault> {
        if let Some(version) = self.version.clone() {
            let stream = self.open(&self.subject.watch(&version)).await?;
            return self.follow(stream).await;
        }
        if self.how == How::Streamed {
            match self.stream().await? {
                Some(stream) => return self.follow(stream).await,
                None => self.how = How::Paged,
            }
        }
        self.list().await
    }

    /// Has the list streamed; `None` where the server does not do that.
    async fn stream(&mut self) -> Result<Option<Stream>, Fault> {
        let mut stream = match self.open(&self.subject.stream()).await {
            Ok(stream) => stream,
            // Older servers refuse what they do not know, and a list is another right than a watch.
            Err(Fault::Forbidden(_) | Fault::Status { code: 400 | 422, .. }) => return Ok(None),
            Err(fault) => return Err(fault),
        };
        self.begin();
        let mut listed = BTreeSet::new();
        loop {
            match stream.next(self.context.pace.streaming).await {
                Ok(Some(Event::Is { uid, text, .. })) => {
                    self.pulse.hear(self.context.now());
                    self.put(self.subject.read(text, &self.context.limits));
                    listed.insert(uid);
                }
                Ok(Some(Event::Gone { uid, .. })) => {
                    self.remove(&uid);
                    listed.remove(&uid);
                }
                Ok(Some(Event::Nothing { .. })) => {}
                Ok(Some(Event::Listed { version })) => {
                    self.complete(listed, version);
                    return Ok(Some(stream));
                }
                // Servers that know nothing of streaming leave out what they do not know, and wait for changes.
                Err(Fault::TimedOut(_)) => return Ok(None),
                Ok(None) => return Err(Fault::Unreachable("the watch ended before the list was complete".into())),
                Err(fault) => return Err(fault),
            }
        }
    }

    /// Lists in pages.
    async fn list(&mut self) -> Result<(), Fault> {
        // A list that expired again and again is asked for in one piece, which cannot.
        let limit = (self.expired < pages::TRIES).then_some(pages::PAGE);
        let mut token = None;
        let mut listed = BTreeSet::new();
        loop {
            let Context { cluster, limits, .. } = &self.context;
            let request = self.subject.page(limit, token.as_deref());
            let page = pages::one(cluster, request, |text| self.subject.read(text, limits), limits);
            let Page { found, next, version } = page.await?;
            if token.is_none() {
                self.begin();
            }
            self.pulse.hear(self.context.now());
            listed.extend(found.iter().map(|(uid, _)| uid.clone()));
            self.put(found);
            token = next;
            if token.is_none() {
                self.complete(listed, version);
                return Ok(());
            }
        }
    }

    /// Goes on with a watch until it ends.
    async fn follow(&mut self, mut stream: Stream) -> Result<(), Fault> {
        self.connected();
        loop {
            let (version, change) = match stream.next(self.context.pace.idle).await {
                Ok(Some(Event::Is { version, text, .. })) => {
                    (version, Some(Ok(self.subject.read(text, &self.context.limits))))
                }
                Ok(Some(Event::Gone { uid, version })) => (version, Some(Err(uid))),
                Ok(Some(Event::Nothing { version } | Event::Listed { version })) => (version, None),
                // A live server says something about once a minute. Whether this one lives, asking it again tells.
                Ok(None) | Err(Fault::TimedOut(_)) => return Ok(()),
                Err(fault) => return Err(fault),
            };
            self.pulse.hear(self.context.now());
            self.version = Some(version);
            match change {
                Some(Ok(page)) => self.put(page),
                Some(Err(uid)) => self.remove(&uid),
                None => {}
            }
        }
    }

    async fn open(&self, request: &Result<Asked, kube::core::request::Error>) -> Result<Stream, Fault> {
        let request = request.as_ref().map_err(|error| Fault::of_client(error))?;
        Stream::open(&self.context.cluster, request, &self.context.limits).await
    }

    fn begin(&self) {
        let now = self.context.now();
        self.pulse.hear(now);
        self.outbox.hello(now);
    }

    fn complete(&mut self, listed: BTreeSet<Uid>, version: String) {
        let outbox = &self.outbox;
        self.kept.retain(|uid, _| {
            let stays = listed.contains(uid);
            if !stays {
                outbox.forget(uid);
            }
            stays
        });
        self.expired = 0;
        self.version = Some(version);
        self.outbox.synced(self.context.now(), listed);
    }

    fn put(&mut self, found: Vec<(Uid, Known<K::Fact>)>) {
        let now = self.context.now();
        for (uid, known) in found {
            if self.kept.get(&uid) != Some(&known) {
                self.kept.insert(uid.clone(), known.clone());
                self.outbox.upsert(now, uid, known);
            }
        }
    }

    fn remove(&mut self, uid: &Uid) {
        if self.kept.remove(uid).is_some() {
            self.outbox.remove(self.context.now(), uid.clone());
        }
    }

    /// Says that the watch works again, if that is news.
    fn connected(&self) {
        let now = self.context.now();
        if self.pulse.connect(now) {
            self.outbox.beat(now, SignedDuration::ZERO);
        }
    }

    /// The kind is no longer served, and with it its objects are gone.
    fn vanish(&mut self) {
        if !self.kept.is_empty() {
            self.begin();
            self.complete(BTreeSet::new(), String::new());
        }
        self.version = None;
    }

    fn fail(&self, kind: FailureKind, fault: &Fault) {
        self.pulse.disconnect();
        let verb = if self.version.is_some() { "watch" } else { "list" };
        let message = self.subject.obstacle(verb, fault);
        self.outbox.failed(self.context.now(), Failure { kind, message });
    }

    /// What becomes of a fault: how long to wait before the next round, if at all.
    fn after(&mut self, fault: Fault, pauses: &mut Pauses) -> Option<Duration> {
        let Pace { refused, .. } = self.context.pace;
        match fault {
            Fault::Gone(_) => {
                self.version = None;
                self.expired += 1;
                Some(pauses.next())
            }
            Fault::NotFound(_) if self.subject.next_version() => None,
            Fault::NotFound(_) => {
                self.vanish();
                self.fail(FailureKind::NotServed, &fault);
                Some(refused)
            }
            Fault::Forbidden(_) => {
                self.fail(FailureKind::Forbidden, &fault);
                self.version = None;
                Some(refused)
            }
            Fault::Unauthorized
            | Fault::Status { .. }
            | Fault::TimedOut(_)
            | Fault::Refused
            | Fault::Unreachable(_)
            | Fault::Unreadable(_) => {
                self.fail(FailureKind::Unreachable, &fault);
                Some(pauses.next())
            }
        }
    }
}
