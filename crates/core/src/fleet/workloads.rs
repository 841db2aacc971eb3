//! Which clusters of a fleet are asked themselves, when, and what came of it: those that are being updated, for what
//! holds up their drains and, of hosted ones, what runs in them.
//!
//! # Guarantees
//! A cluster that is not being updated is not asked. No more than [`AT_ONCE`] are asked at a time, those that have waited
//! longest first. One that cannot be asked is left alone for longer and longer, and holds up no other. What was seen
//! outlives a failure for a while: an API that is out of reach takes nothing away.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::report::{Activity, Report};
use jiff::{SignedDuration, Timestamp};

use super::store::Key;
use crate::preview::Workload;

/// So many clusters are asked at a time: enough for hundreds of them within a minute, and little enough memory for their
/// answers.
pub const AT_ONCE: usize = 16;

/// A cluster in which something drains is asked so often.
const DRAINING: SignedDuration = SignedDuration::from_secs(30);

/// The same of one in which nothing does.
const CALM: SignedDuration = SignedDuration::from_secs(60);

/// Nobody is asked again sooner, whatever has changed.
const LEAST: SignedDuration = SignedDuration::from_secs(5);

/// The longest that one which could not be asked is left alone.
const MOST: SignedDuration = SignedDuration::from_mins(10);

/// For so long what was seen stands while nothing more can be seen: a look is every minute, so that this is no guess yet
/// of a cluster whose API is away for a restart, and after it nobody knows any more.
const STANDS: SignedDuration = SignedDuration::from_mins(10);

/// For so long what was seen is kept when an update is over: a report that is told without it might have the update go on,
/// and would be back and forth.
const LINGERS: SignedDuration = SignedDuration::from_mins(2);

/// Whether clusters are asked at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// They are.
    Ask,
    /// They are not, for a reason that reports give.
    Leave(&'static str),
}

/// The Secret with the kubeconfig of a cluster, in the cluster's namespace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kubeconfig {
    /// Its name; empty where none is named yet.
    pub secret: String,
    /// The key of the text in it.
    pub key: &'static str,
}

impl Kubeconfig {
    /// That of a Cluster of Cluster API.
    #[must_use]
    pub fn of_cluster(name: &str) -> Self {
        Self { secret: format!("{name}-kubeconfig"), key: "value" }
    }

    /// That of a HostedCluster, which names the Secret.
    #[must_use]
    pub fn of_hosted_cluster(secret: &str) -> Self {
        Self { secret: secret.to_owned(), key: "kubeconfig" }
    }
}

/// A question to a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Which cluster.
    pub key: Key,
    /// By which Secret.
    pub kubeconfig: Kubeconfig,
    /// Of which nodes the pods are wanted, beside those that are cordoned.
    pub drains: BTreeSet<String>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// What was seen.
    Seen(Box<Workload>),
    /// Nothing was.
    Unseen {
        /// At what it failed.
        at: Failed,
        /// In words.
        message: String,
    },
}

/// At what a question failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failed {
    /// The Secret may not be read.
    Forbidden,
    /// There is no kubeconfig, or none that is used.
    Kubeconfig,
    /// The cluster does not answer, or not as it should.
    Unreachable,
}

/// All clusters that are asked.
#[derive(Debug, Clone)]
pub struct Workloads {
    policy: Policy,
    followed: BTreeMap<Key, Followed>,
    /// Those that have been asked and have not answered, be they followed still or not.
    under_way: BTreeSet<Key>,
}

/// One of them.
#[derive(Debug, Clone)]
struct Followed {
    kubeconfig: Kubeconfig,
    drains: BTreeSet<String>,
    state: State,
    /// What is told of it; absent before the first answer.
    told: Option<Workload>,
    /// When something of it was last seen.
    seen: Option<Timestamp>,
    failures: u32,
}

/// Where a cluster is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is asked at this moment, or as soon as it has answered what it was asked before.
    Due(Timestamp),
    /// Its update is over; at this moment what was seen is dropped.
    Over(Timestamp),
    /// Nobody is asked.
    Left,
}

impl Workloads {
    /// None is asked yet.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy, followed: BTreeMap::new(), under_way: BTreeSet::new() }
    }

    /// What was last seen of a cluster, or why nothing was.
    #[must_use]
    pub fn of(&self, key: &Key) -> Option<&Workload> {
        self.followed.get(key)?.told.as_ref()
    }

    /// How many clusters are asked again and again.
    #[must_use]
    pub fn count(&self) -> usize {
        self.followed.values().filter(|it| matches!(it.state, State::Due(_))).count()
    }

    /// Takes note of a report. Answers whether a new one would say more.
    pub fn follow(&mut self, key: &Key, report: &Report, kubeconfig: &Kubeconfig, now: Timestamp) -> bool {
        let drains: BTreeSet<String> = report.draining().map(str::to_owned).collect();
        match (self.followed.get_mut(key), report.activity) {
            (None, Activity::Updating) => {
                let followed = Followed::new(self.policy, kubeconfig.clone(), drains, now);
                let is_told = followed.told.is_some();
                self.followed.insert(key.clone(), followed);
                return is_told;
            }
            (None, Activity::NotUpdating | Activity::Unknown) => {}
            (Some(followed), Activity::NotUpdating) => followed.is_over(now),
            // Not to see whether it is being updated is no end of an update.
            (Some(followed), Activity::Updating | Activity::Unknown) => {
                followed.goes_on(self.policy, report.activity, now);
                if drains.iter().any(|node| !followed.drains.contains(node)) {
                    followed.hurry(now);
                }
                followed.drains = drains;
                followed.kubeconfig.clone_from(kubeconfig);
            }
        }
        false
    }

    /// Forgets a cluster that is gone.
    pub fn forget(&mut self, key: &Key) {
        self.followed.remove(key);
    }

    /// Drops what is no longer to be told. Answers of which clusters.
    pub fn expire(&mut self, now: Timestamp) -> Vec<Key> {
        let is_past = |it: &Followed| matches!(it.state, State::Over(end) if end <= now);
        let gone: Vec<Key> = self.followed.iter().filter(|(_, it)| is_past(it)).map(|(key, _)| key.clone()).collect();
        for key in &gone {
            self.followed.remove(key);
        }
        gone
    }

    /// Whom to ask now. Each is asked once, until it has answered.
    pub fn due(&mut self, now: Timestamp) -> Vec<Ask> {
        let room = AT_ONCE.saturating_sub(self.under_way.len());
        let mut due: Vec<(Timestamp, &Key, &Followed)> = self.waiting().filter(|(at, ..)| *at <= now).collect();
        due.sort_by_key(|(at, key, _)| (*at, *key));
        let ask = |(_, key, it): (Timestamp, &Key, &Followed)| Ask {
            key: key.clone(),
            kubeconfig: it.kubeconfig.clone(),
            drains: it.drains.clone(),
        };
        let asks: Vec<Ask> = due.into_iter().take(room).map(ask).collect();
        self.under_way.extend(asks.iter().map(|ask| ask.key.clone()));
        asks
    }

    /// Takes in an answer. Answers whether the cluster is to be looked at again for it.
    pub fn take(&mut self, key: &Key, answer: Answer, now: Timestamp) -> bool {
        self.under_way.remove(key);
        let Some(followed) = self.followed.get_mut(key) else { return false };
        let before = followed.told.clone();
        followed.take(answer, now);
        before != followed.told
    }

    /// When [`Workloads::due`] or [`Workloads::expire`] has something to say, if nothing happens until then.
    #[must_use]
    pub fn next(&self) -> Option<Timestamp> {
        let ends = self.followed.values().filter_map(|it| match it.state {
            State::Over(at) => Some(at),
            State::Due(_) | State::Left => None,
        });
        let is_full = self.under_way.len() >= AT_ONCE;
        let due = self.waiting().map(|(at, ..)| at).filter(|_| !is_full);
        ends.chain(due).min()
    }

    /// Those that are to be asked, and when.
    fn waiting(&self) -> impl Iterator<Item = (Timestamp, &Key, &Followed)> {
        let idle = self.followed.iter().filter(|(key, _)| !self.under_way.contains(*key));
        idle.filter_map(|(key, it)| match it.state {
            State::Due(at) => Some((at, key, it)),
            State::Over(_) | State::Left => None,
        })
    }
}

impl Followed {
    fn new(policy: Policy, kubeconfig: Kubeconfig, drains: BTreeSet<String>, now: Timestamp) -> Self {
        let (state, told) = match policy {
            Policy::Ask => (State::Due(now), None),
            Policy::Leave(why) => (State::Left, Some(Workload { unreachable: why.into(), ..Workload::default() })),
        };
        Self { kubeconfig, drains, state, told, seen: None, failures: 0 }
    }

    fn is_over(&mut self, now: Timestamp) {
        if !matches!(self.state, State::Over(_)) {
            self.state = State::Over(later(now, LINGERS));
        }
    }

    /// An update that was over a moment ago goes on.
    fn goes_on(&mut self, policy: Policy, activity: Activity, now: Timestamp) {
        if matches!(self.state, State::Over(_)) && activity == Activity::Updating {
            self.state = match policy {
                Policy::Ask => State::Due(self.seen.map_or(now, |seen| later(seen, CALM).max(now))),
                Policy::Leave(_) => State::Left,
            };
        }
    }

    /// Is asked soon, unless it could not be asked.
    fn hurry(&mut self, now: Timestamp) {
        if let State::Due(at) = self.state
            && self.failures == 0
        {
            let least = self.seen.map_or(now, |seen| later(seen, LEAST));
            self.state = State::Due(at.min(least.max(now)));
        }
    }

    fn take(&mut self, answer: Answer, now: Timestamp) {
        let pause = match answer {
            Answer::Seen(workload) => {
                (self.seen, self.failures, self.told) = (Some(now), 0, Some(*workload));
                if self.drains.is_empty() { CALM } else { DRAINING }
            }
            Answer::Unseen { at: _, message } => {
                self.failures = self.failures.saturating_add(1);
                let stands = self.seen.is_some_and(|seen| now.duration_since(seen) < STANDS);
                let known = self.told.take().filter(|_| stands).unwrap_or_default();
                self.told = Some(Workload { unreachable: message, ..known });
                let factor = 2_i32.saturating_pow(self.failures.saturating_sub(1).min(8));
                DRAINING.saturating_mul(factor).min(MOST)
            }
        };
        if matches!(self.state, State::Due(_)) {
            self.state = State::Due(later(now, pause));
        }
    }
}

fn later(moment: Timestamp, span: SignedDuration) -> Timestamp {
    moment.saturating_add(span).unwrap_or(Timestamp::MAX)
}
