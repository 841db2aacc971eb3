//! The store: the newest fact of each object, and how far each informer can be trusted.
//!
//! Guarantees: messages of different informers may come in any order and give the same snapshot; nothing that is there
//! disappears while its informer restarts; nothing that is gone stays longer than the grace period after its informer
//! has seen the whole list. Time comes in with every call; what must be looked at later is told by
//! [`Store::next_deadline`].

use std::collections::BTreeMap;

use headway_api::gap::{Gap, GapKind};
use jiff::{SignedDuration, Timestamp};

use super::channel::Channel;
use super::message::{Fact, Failure, FailureKind, Msg, Source};
use crate::snapshot::{AlertsSeen, Moment, Seen, Snapshot};

/// How long the store waits for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// From the end of a new list to dropping what it did not confirm. A list may be read from a server that is
    /// behind.
    pub grace: SignedDuration,
    /// Without a word for so long an informer lags.
    pub lagging: SignedDuration,
    /// Without a word for so long what it told is stale: kept, and no longer aged.
    pub stale: SignedDuration,
    /// Without a word for so long what it told is dropped: nobody can say any more what is there.
    pub lost: SignedDuration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            grace: SignedDuration::from_secs(60),
            lagging: SignedDuration::from_secs(45),
            stale: SignedDuration::from_secs(120),
            lost: SignedDuration::from_hours(24),
        }
    }
}

/// How far an informer can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InformerState {
    /// It has not yet told all that is there.
    Starting,
    /// It tells all that is there.
    Synced,
    /// It has been silent for a while.
    Lagging,
    /// It has been silent for so long that what it told may be wrong.
    Stale,
    /// It cannot tell anything: the kind is not served, or may not be read.
    Refused,
    /// It has nothing to do.
    Idle,
}

/// What is known of an informer, of those of a cluster as long as nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Informer<S = Source> {
    /// What it watches.
    pub source: S,
    /// How far it can be trusted.
    pub state: InformerState,
    /// Why, where it failed.
    pub failure: Option<Failure>,
    /// When its watch was last known to work.
    pub heard: Timestamp,
    /// How many objects it told of.
    pub objects: usize,
}

/// The newest fact of each object.
#[derive(Debug, Clone, Default)]
pub struct Store {
    timing: Timing,
    channels: BTreeMap<Source, Channel<Fact>>,
}

impl Store {
    /// An empty store.
    #[must_use]
    pub fn new(timing: Timing) -> Self {
        Self { timing, channels: BTreeMap::new() }
    }

    /// Takes a message in. Answers whether any fact changed by it.
    pub fn apply(&mut self, msg: Msg) -> bool {
        let channel = self.channels.entry(msg.source).or_insert_with(|| Channel::new(msg.epoch, msg.at));
        channel.apply(msg, self.timing, &mut |_, _| {})
    }

    /// Drops what is due. Answers whether anything was.
    pub fn expire(&mut self, now: Timestamp) -> bool {
        let timing = self.timing;
        let mut dropped = false;
        for channel in self.channels.values_mut() {
            dropped |= channel.expire(now, timing, &mut |_, _| {});
        }
        dropped
    }

    /// When [`Store::expire`] or the informers' states have something new to say, if nothing is told until then.
    #[must_use]
    pub fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        self.channels.values().filter_map(|channel| channel.next_deadline(now, self.timing)).min()
    }

    /// What is known of each informer that has said anything.
    #[must_use]
    pub fn informers(&self, now: Timestamp) -> Vec<Informer> {
        self.channels.iter().map(|(source, channel)| channel.informer(*source, now, self.timing)).collect()
    }

    /// The essential sources that have neither told all that is there nor said that they cannot.
    #[must_use]
    pub fn awaited(&self) -> Vec<Source> {
        let is_awaited = |source: &Source| match self.channels.get(source) {
            Some(channel) => !channel.synced_once && channel.refusal().is_none(),
            None => true,
        };
        Source::ALL.into_iter().filter(|source| source.is_essential()).filter(is_awaited).collect()
    }

    /// The sources that a status can do without, and that have told neither what is there nor why they cannot. Pods and
    /// their budgets are asked for while a node drains, and then what was said before of there being no need is no
    /// answer.
    #[must_use]
    pub fn pending(&self, drains: bool) -> Vec<Source> {
        let is_asked = |source: &Source| {
            !source.is_essential() && (drains || !matches!(source, Source::Pods | Source::PodDisruptionBudgets))
        };
        let is_pending = |source: &Source| match self.channels.get(source) {
            Some(channel) => {
                let failure = channel.failure.as_ref().map(|failure| failure.kind);
                let has_failed = failure.is_some_and(|kind| kind != FailureKind::NotAsked || *source == Source::Alerts);
                !channel.synced_once && !has_failed
            }
            None => true,
        };
        Source::ALL.into_iter().filter(is_asked).filter(is_pending).collect()
    }

    /// All that is known, to be judged at a moment.
    #[must_use]
    pub fn snapshot(&self, moment: Moment) -> Snapshot {
        let mut snapshot = Snapshot { moment, ..Snapshot::default() };
        for (source, channel) in &self.channels {
            for (uid, entry) in &channel.entries {
                put(&mut snapshot, uid, &entry.fact);
                snapshot.gaps.extend_from_slice(&entry.flaws);
            }
            if channel.state(moment.at, self.timing) == InformerState::Stale {
                snapshot.as_of.insert(*source, channel.heard);
            }
            if channel.synced_once {
                see(&mut snapshot.seen, *source);
            }
            if let Some(gap) = self.gap(*source, channel, moment.at) {
                snapshot.gaps.push(gap);
            }
            if *source == Source::Alerts
                && channel.entries.is_empty()
                && let Some(failure) = &channel.failure
            {
                snapshot.alerts = AlertsSeen::Nothing(failure.message.clone());
            }
        }
        snapshot
    }

    /// What is not seen through an informer.
    fn gap(&self, source: Source, channel: &Channel<Fact>, now: Timestamp) -> Option<Gap> {
        let kind = if source.is_essential() { GapKind::Missing } else { GapKind::Optional };
        match (channel.state(now, self.timing), &channel.failure) {
            (InformerState::Stale, failure) => {
                let seconds = channel.silence(now).as_secs();
                let why = failure.as_ref().map(|failure| format!(": {}", failure.message)).unwrap_or_default();
                Some(Gap::of_input(kind, format!("what is known of {source} is {seconds} s old{why}")))
            }
            // Alerts say themselves why they are not there.
            (InformerState::Refused, Some(failure))
                if failure.kind == FailureKind::Forbidden && source != Source::Alerts =>
            {
                Some(Gap::of_input(kind, failure.message.clone()))
            }
            (InformerState::Starting, Some(failure)) if source != Source::Alerts => {
                Some(Gap::of_input(kind, format!("{source} cannot be read: {}", failure.message)))
            }
            _ => None,
        }
    }
}

fn put(snapshot: &mut Snapshot, uid: &str, fact: &Fact) {
    match fact {
        // There is one, named `version`; of several the first by name counts.
        Fact::ClusterVersion(o) => {
            snapshot.cluster_version.get_or_insert_with(|| *o.clone());
        }
        Fact::ClusterOperator(o) => snapshot.operators.push(*o.clone()),
        Fact::MachineConfigPool(o) => snapshot.pools.push(*o.clone()),
        Fact::MachineConfig(release) => {
            snapshot.machine_configs.insert(uid.to_owned(), release.clone());
        }
        Fact::Node(o) => snapshot.nodes.push(o.clone()),
        Fact::MachineConfigNode(o) => {
            snapshot.machine_config_nodes.insert(uid.to_owned(), o.clone());
        }
        Fact::MachineOsConfig(o) => snapshot.os_configs.push(*o.clone()),
        Fact::MachineOsBuild(o) => snapshot.os_builds.push(*o.clone()),
        Fact::McoImage(image) => snapshot.mco_image.clone_from(image),
        Fact::Pod(o) => snapshot.pods.push(o.clone()),
        Fact::PodDisruptionBudget(o) => snapshot.budgets.push(o.clone()),
        Fact::Alerts(alerts) => snapshot.alerts = alerts.clone(),
    }
}

fn see(seen: &mut Seen, source: Source) {
    match source {
        Source::MachineConfigPools => seen.pools = true,
        Source::MachineConfigs => seen.machine_configs = true,
        Source::Nodes => seen.nodes = true,
        Source::Pods => seen.pods = true,
        Source::PodDisruptionBudgets => seen.budgets = true,
        Source::ClusterVersions
        | Source::ClusterOperators
        | Source::MachineConfigNodes
        | Source::MachineOsConfigs
        | Source::MachineOsBuilds
        | Source::Deployments
        | Source::Alerts => {}
    }
}
