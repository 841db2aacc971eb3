//! Who watches a fleet: messages of informers in; which clusters to look at, and at any moment a report on one of them
//! out, with all that memory adds.
//!
//! A change makes only its own cluster due. Nothing that is known of one cluster holds up another. Time comes in with
//! every call.

use std::collections::BTreeMap;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::report::{Activity, Form, Report};
use jiff::{SignedDuration, Timestamp};

use super::member::{self, Member};
use super::source::{Msg, Object, Source};
use super::store::{Informer, Key, Store};
use super::view;
use super::workloads::Kubeconfig;
use crate::assess::Look;
use crate::inform::Timing;
use crate::memory::Memory;
use crate::preview::{Inventory, Workload};

/// Two looks at one cluster are so far apart: what changes together is looked at together.
const APART: SignedDuration = SignedDuration::from_secs(1);

/// A cluster that is being updated is looked at so often, though nothing changes: spans grow into findings.
const MOVING: SignedDuration = SignedDuration::from_secs(30);

/// The same of one that is not, and of which something is to be told.
const TROUBLED: SignedDuration = SignedDuration::from_mins(2);

/// The same of one of which nothing is to be told.
const QUIET: SignedDuration = SignedDuration::from_mins(10);

/// Who watches a fleet.
#[derive(Debug, Clone, Default)]
pub struct Observer {
    store: Store,
    members: BTreeMap<Key, Watched>,
}

/// What is known of one cluster beside its objects.
#[derive(Debug, Clone, Default)]
struct Watched {
    memory: Memory,
    looked: Option<Timestamp>,
    /// When to look again if nothing changes.
    next: Option<Timestamp>,
}

/// What was seen at one look at one cluster.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The report.
    pub report: Report,
    /// The object that the cluster is.
    pub owner: Owner,
    /// What the report was made of.
    pub inventory: Inventory,
    /// By which Secret the cluster itself is asked.
    pub kubeconfig: Kubeconfig,
}

/// The object that a cluster is, as an owner reference has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owner {
    /// Its `apiVersion`, as it is served.
    pub api_version: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its uid.
    pub uid: String,
}

impl Observer {
    /// One that has heard nothing yet.
    #[must_use]
    pub fn new(timing: Timing) -> Self {
        Self { store: Store::new(timing), members: BTreeMap::new() }
    }

    /// Takes a message in. Answers whether anything changed by it.
    pub fn apply(&mut self, msg: Msg) -> bool {
        self.store.apply(msg)
    }

    /// The sources that have neither told all that is there nor said that they cannot: until they have, a report says
    /// less than there is.
    #[must_use]
    pub fn awaited(&self, now: Timestamp) -> Vec<Source> {
        self.store.awaited(now)
    }

    /// How far each informer can be trusted.
    #[must_use]
    pub fn informers(&self, now: Timestamp) -> Vec<Informer> {
        self.store.informers(now)
    }

    /// Takes over what was remembered of a cluster: what began earlier counts, and the higher count.
    pub fn adopt(&mut self, key: &Key, memory: Memory) {
        let watched = self.members.entry(key.clone()).or_default();
        if watched.looked.is_none() {
            watched.memory = memory;
        } else {
            watched.memory.adopt(memory);
        }
        self.store.dirty.insert(key.clone());
    }

    /// What is remembered of a cluster, to be stored.
    #[must_use]
    pub fn memory(&self, key: &Key) -> Option<&Memory> {
        self.members.get(key).map(|watched| &watched.memory)
    }

    /// Looks at all clusters again.
    pub fn doubt(&mut self) {
        self.store.dirty.extend(self.members.keys().cloned());
    }

    /// The clusters to look at now: those of which something changed, and those whose time has come. One that is no
    /// longer there is among them once.
    pub fn due(&mut self, now: Timestamp) -> Vec<Key> {
        self.store.expire(now);
        let timed = self.members.iter().filter(|(_, watched)| watched.next.is_some_and(|next| next <= now));
        let timed: Vec<Key> = timed.map(|(key, _)| key.clone()).collect();
        self.store.dirty.extend(timed);
        // What never was a cluster of its own, and is none now, is nothing to look at.
        let Self { store, members } = self;
        let (due, rest): (Vec<Key>, Vec<Key>) =
            std::mem::take(&mut store.dirty).into_iter().partition(|key| match members.get(key) {
                Some(watched) => watched.may_look(now),
                None => true,
            });
        store.dirty.extend(rest);
        due.into_iter().filter(|key| members.contains_key(key) || store.member(key).is_some()).collect()
    }

    /// When [`Observer::due`] has something new to say, if nothing is told until then.
    #[must_use]
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let waiting = self.store.dirty.iter().filter_map(|key| self.members.get(key)?.looked);
        let waiting = waiting.map(|looked| looked.saturating_add(APART).unwrap_or(Timestamp::MAX));
        let timed = self.members.values().filter_map(|watched| watched.next);
        waiting.chain(timed).chain(self.store.next_deadline(now)).min()
    }

    /// Looks at one cluster. `None` when there is none of that name, or it is no cluster of its own: what was remembered
    /// of it is forgotten.
    pub fn look(&mut self, key: &Key, workload: Option<&Workload>, now: Timestamp) -> Option<Sight> {
        let Some(held) = self.store.member(key) else {
            self.members.remove(key);
            return None;
        };
        let (owner, kubeconfig) = (self.owner(&held.object), kubeconfig(&held.object));
        let inventory = view::inventory(&self.store, key, workload, now);
        let hosted = inventory.hosted_clusters.first().map(Member::Hosted);
        let member = hosted.or_else(|| inventory.clusters.first().map(Member::ClusterApi))?;
        let report = member::report(&inventory, &member);
        let watched = self.members.entry(key.clone()).or_default();
        let mut look = Look { report, next: None, contradiction: None };
        watched.memory.remember(&mut look, &[]);
        let report = look.report;
        let pause = match report.activity {
            Activity::Updating => MOVING,
            Activity::NotUpdating | Activity::Unknown if !report.insights.is_empty() => TROUBLED,
            Activity::NotUpdating | Activity::Unknown => QUIET,
        };
        watched.looked = Some(now);
        watched.next = now.saturating_add(pause).ok();
        Some(Sight { report, owner, kubeconfig, inventory })
    }

    /// Whether it is sure that there is no such cluster: of its form all were told.
    #[must_use]
    pub fn is_gone(&self, key: &Key) -> bool {
        self.store.member(key).is_none() && self.store.knows_members(key.form)
    }

    /// The ExtensionConfigs, once all were told.
    #[must_use]
    pub fn extensions(&self) -> Option<Vec<ExtensionConfig>> {
        let source = Source::ExtensionConfigs;
        // A cluster that does not serve them has none.
        let is_served = self.store.version(&source).is_some();
        if !self.store.has_seen(&source) && (is_served || !self.store.has_seen(&Source::Served)) {
            return None;
        }
        let all = self.store.shared(&source).filter_map(|entry| match &entry.fact {
            Object::ExtensionConfig(config) => Some((**config).clone()),
            _ => None,
        });
        Some(all.collect())
    }

    fn owner(&self, object: &Object) -> Owner {
        let (source, group, kind, metadata) = match object {
            Object::HostedCluster(o) => {
                (Source::HostedClusters, headway_api::hypershift::GROUP, "HostedCluster", &o.metadata)
            }
            Object::Cluster(o) => (Source::Clusters, headway_api::cluster_api::GROUP, "Cluster", &o.metadata),
            _ => return Owner::default(),
        };
        let version = self.store.version(&source).unwrap_or("v1beta1");
        let (name, uid) = (metadata.name.clone(), metadata.uid.clone());
        Owner { api_version: format!("{group}/{version}"), kind, name, uid }
    }
}

impl Watched {
    /// Whether it was not looked at just now. A last look that lies ahead is a clock that was set back.
    fn may_look(&self, now: Timestamp) -> bool {
        self.looked.is_none_or(|looked| looked > now || now.duration_since(looked) >= APART)
    }
}

fn kubeconfig(object: &Object) -> Kubeconfig {
    match object {
        Object::HostedCluster(o) => Kubeconfig::of_hosted_cluster(&o.status.kubeconfig.name),
        Object::Cluster(o) => Kubeconfig::of_cluster(&o.metadata.name),
        _ => Kubeconfig::default(),
    }
}

/// The forms of clusters that a management cluster keeps.
pub const FORMS: [Form; 2] = [Form::ClusterApi, Form::Hosted];
