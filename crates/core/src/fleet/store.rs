//! The store of a fleet: the newest fact of each object of a management cluster, by the cluster that it belongs to, and
//! which clusters have changed since they were last looked at.
//!
//! Guarantees: messages of different informers may come in any order and give the same view of each cluster; a change
//! makes those clusters dirty that it can say something of, and no other; what a view costs does not depend on how many
//! clusters there are.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::cluster_api::{Cluster, ControlPlane};
use headway_api::gap::{Gap, GapKind};
use headway_api::hypershift::control_plane_namespace;
use headway_api::report::Form;
use jiff::Timestamp;

use super::member;
use super::source::{Msg, Object, Source};
use crate::inform::{self, Channel, Entry, FailureKind, InformerState, Timing};

/// Which cluster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Its form: [`Form::ClusterApi`] or [`Form::Hosted`].
    pub form: Form,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// What is known of an informer of a management cluster.
pub type Informer = inform::Informer<Source>;

/// An object that is kept, with what of it could not be read.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) object: Object,
    pub(super) flaws: Vec<Gap>,
}

/// Namespace and name of a cluster.
type Home = (String, String);

/// The newest fact of each object.
#[derive(Debug, Clone, Default)]
pub(super) struct Store {
    timing: Timing,
    channels: BTreeMap<Source, Channel<Object>>,
    /// What says of which cluster it is, in the order of kinds and names.
    homes: BTreeMap<Home, Vec<Held>>,
    /// Hosted clusters, by the namespaces of their control planes.
    hosts: BTreeMap<String, BTreeSet<Key>>,
    /// Clusters, by the namespace and the name of the control plane that they refer to.
    references: BTreeMap<Home, BTreeSet<Key>>,
    /// The states that the informers were in.
    states: BTreeMap<Source, InformerState>,
    /// Clusters of which something has changed.
    pub(super) dirty: BTreeSet<Key>,
}

impl Store {
    pub(super) fn new(timing: Timing) -> Self {
        Self { timing, ..Self::default() }
    }

    /// Takes a message in. Answers whether anything changed by it.
    pub(super) fn apply(&mut self, msg: Msg) -> bool {
        let (source, timing) = (msg.source.clone(), self.timing);
        let mut channel = self.channels.remove(&source).unwrap_or_else(|| Channel::new(msg.epoch, msg.at));
        let changed = channel.apply(msg, timing, &mut |was, is| self.moved(was, is));
        self.channels.insert(source, channel);
        changed
    }

    /// Drops what is due, and takes note of informers that are no longer what they were.
    pub(super) fn expire(&mut self, now: Timestamp) {
        let timing = self.timing;
        let mut channels = std::mem::take(&mut self.channels);
        for (source, channel) in &mut channels {
            channel.expire(now, timing, &mut |was, is| self.moved(was, is));
            let state = channel.state(now, timing);
            if self.states.insert(source.clone(), state) != Some(state) {
                for form in [Form::ClusterApi, Form::Hosted].into_iter().filter(|form| source.is_of(*form)) {
                    self.dirty.extend(self.keys(form));
                }
            }
        }
        self.channels = channels;
    }

    /// When [`Store::expire`] has something new to say, if nothing is told until then.
    pub(super) fn next_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        self.channels.values().filter_map(|channel| channel.next_deadline(now, self.timing)).min()
    }

    /// The sources that are served, as far as is known, and have neither told all that is there nor said for a while that
    /// they cannot.
    pub(super) fn awaited(&self, now: Timestamp) -> Vec<Source> {
        let is_awaited = |source: &Source| match self.channels.get(source) {
            Some(channel) => {
                // What fails and goes on failing must not hold up what can be told: its failure is a gap then.
                let has_failed = channel.failure.is_some() && channel.silence(now) >= self.timing.lagging;
                !channel.synced_once && channel.refusal().is_none() && !has_failed
            }
            None => true,
        };
        let served = self.channels.get(&Source::Served).into_iter().flat_map(|channel| channel.entries.keys());
        let fixed = Source::FIXED.into_iter().filter(|source| *source != Source::Served);
        let named = served.map(|name| {
            fixed
                .clone()
                .find(|source| source.name() == name)
                .unwrap_or_else(|| Source::ControlPlanes(name.as_str().into()))
        });
        std::iter::once(Source::Served).chain(named).filter(is_awaited).collect()
    }

    /// What is known of each informer that has said anything.
    pub(super) fn informers(&self, now: Timestamp) -> Vec<Informer> {
        self.channels.iter().map(|(source, channel)| channel.informer(source.clone(), now, self.timing)).collect()
    }

    /// Whether it is known which clusters of a form there are: all were told, and may be told of.
    pub(super) fn knows_members(&self, form: Form) -> bool {
        let source = if form == Form::Hosted { Source::HostedClusters } else { Source::Clusters };
        self.channels.get(&source).is_some_and(|channel| channel.synced_once && channel.refusal().is_none())
    }

    /// In which version of its group a source is served.
    pub(super) fn version(&self, source: &Source) -> Option<&str> {
        match &self.channels.get(&Source::Served)?.entries.get(source.name())?.fact {
            Object::Served(version) => Some(version),
            _ => None,
        }
    }

    /// Whether a source has told all that is there, at least once.
    pub(super) fn has_seen(&self, source: &Source) -> bool {
        self.channels.get(source).is_some_and(|channel| channel.synced_once)
    }

    /// The objects of one source that are shared by all clusters.
    pub(super) fn shared(&self, source: &Source) -> impl Iterator<Item = &Entry<Object>> {
        self.channels.get(source).into_iter().flat_map(|channel| channel.entries.values())
    }

    /// What says that it is of a cluster.
    pub(super) fn at_home(&self, namespace: &str, name: &str) -> &[Held] {
        self.homes.get(&(namespace.to_owned(), name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// All that is in a namespace.
    pub(super) fn in_namespace<'s>(&'s self, namespace: &'s str) -> impl Iterator<Item = &'s Held> {
        let all = self.homes.range((namespace.to_owned(), String::new())..);
        all.take_while(move |((of, _), _)| of == namespace).flat_map(|(_, held)| held)
    }

    /// The control plane that a cluster refers to, wherever it is.
    pub(super) fn control_plane(&self, cluster: &Cluster) -> Option<&Entry<Object>> {
        let uid = control_plane_of(cluster).map(|(namespace, name)| format!("{namespace}/{name}"))?;
        let kind = cluster.spec.control_plane_ref.as_ref().map(|reference| reference.kind.as_str())?;
        let is_it = |entry: &&Entry<Object>| matches!(&entry.fact, Object::ControlPlane(o) if o.kind == kind);
        let channels = self.channels.iter().filter(|(source, _)| matches!(source, Source::ControlPlanes(_)));
        channels.filter_map(|(_, channel)| channel.entries.get(&uid)).find(is_it)
    }

    /// The Cluster or HostedCluster of a name, if it is a cluster of its own.
    pub(super) fn member(&self, key: &Key) -> Option<&Held> {
        let is_it = |held: &&Held| match (&held.object, key.form) {
            (Object::Cluster(cluster), Form::ClusterApi) => {
                !member::is_marked_as_hosted(cluster) && !self.hosts.contains_key(&key.namespace)
            }
            (Object::HostedCluster(_), Form::Hosted) => true,
            _ => false,
        };
        self.at_home(&key.namespace, &key.name).iter().find(is_it)
    }

    /// What cannot be seen of clusters of a form, by its source.
    pub(super) fn gaps(&self, form: Form, now: Timestamp) -> impl Iterator<Item = (&Source, Gap)> {
        let channels = self.channels.iter().filter(move |(source, _)| source.is_of(form));
        channels.filter_map(move |(source, channel)| Some((source, self.gap(source, channel, now)?)))
    }

    fn gap(&self, source: &Source, channel: &Channel<Object>, now: Timestamp) -> Option<Gap> {
        let (kind, message) = match (channel.state(now, self.timing), &channel.failure) {
            (InformerState::Stale, failure) => {
                let seconds = channel.silence(now).as_secs();
                let why = failure.as_ref().map(|failure| format!(": {}", failure.message)).unwrap_or_default();
                (GapKind::Missing, format!("what is known of {source} is {seconds} s old{why}"))
            }
            (InformerState::Refused, Some(failure)) if failure.kind == FailureKind::Forbidden => {
                (GapKind::Refused, failure.message.clone())
            }
            (InformerState::Refused | InformerState::Starting | InformerState::Lagging, Some(failure))
                if !channel.synced_once || failure.kind == FailureKind::NotServed =>
            {
                (GapKind::Unreadable, failure.message.clone())
            }
            _ => return None,
        };
        Some(Gap::of_input(if source.is_detail() { GapKind::Optional } else { kind }, message))
    }

    /// Takes note that an object is not what it was.
    fn moved(&mut self, was: Option<Entry<Object>>, is: Option<&Entry<Object>>) {
        if let Some(was) = &was {
            self.touch(&was.fact);
            self.leave(&was.fact);
        }
        if let Some(is) = is {
            self.enter(is);
            self.touch(&is.fact);
        }
    }

    fn enter(&mut self, entry: &Entry<Object>) {
        match &entry.fact {
            Object::HostedCluster(o) => {
                let (namespace, key) = host(&o.metadata.namespace, &o.metadata.name);
                self.hosts.entry(namespace).or_default().insert(key);
            }
            Object::Cluster(o) => {
                if let Some(home) = control_plane_of(o) {
                    let key = key(Form::ClusterApi, &o.metadata.namespace, &o.metadata.name);
                    self.references.entry(home).or_default().insert(key);
                }
            }
            _ => {}
        }
        let Some((namespace, name)) = entry.fact.home() else { return };
        let all = self.homes.entry((namespace.to_owned(), name.to_owned())).or_default();
        let held = Held { object: entry.fact.clone(), flaws: entry.flaws.clone() };
        let at = all.partition_point(|known| known.object.rank() < held.object.rank());
        all.insert(at, held);
    }

    fn leave(&mut self, object: &Object) {
        match object {
            Object::HostedCluster(o) => {
                let (namespace, key) = host(&o.metadata.namespace, &o.metadata.name);
                remove(&mut self.hosts, &namespace, &key);
            }
            Object::Cluster(o) => {
                if let Some(home) = control_plane_of(o) {
                    let key = key(Form::ClusterApi, &o.metadata.namespace, &o.metadata.name);
                    remove(&mut self.references, &home, &key);
                }
            }
            _ => {}
        }
        let Some((namespace, name)) = object.home() else { return };
        let home = (namespace.to_owned(), name.to_owned());
        if let Some(all) = self.homes.get_mut(&home) {
            // Two control planes of different kinds may have one name.
            all.retain(|held| held.object != *object);
            if all.is_empty() {
                self.homes.remove(&home);
            }
        }
    }

    /// Marks the clusters of which an object can say something.
    fn touch(&mut self, object: &Object) {
        match object {
            Object::Served(_) => {}
            Object::ExtensionConfig(_) => self.dirty.extend(self.keys(Form::ClusterApi)),
            Object::Namespace(o) => self.touch_clusters_in(&o.metadata.name),
            Object::ClusterClass(o) => {
                let is_of_class = |cluster: &Cluster| {
                    cluster.spec.topology.as_ref().is_some_and(|topology| {
                        topology.class_name() == o.metadata.name
                            && topology.class_namespace(&cluster.metadata.namespace) == o.metadata.namespace
                    })
                };
                let of_class = self
                    .clusters()
                    .filter(|cluster| is_of_class(cluster))
                    .map(|cluster| key(Form::ClusterApi, &cluster.metadata.namespace, &cluster.metadata.name));
                let of_class: Vec<Key> = of_class.collect();
                self.dirty.extend(of_class);
            }
            Object::HostedCluster(o) => {
                let (within, key) = host(&o.metadata.namespace, &o.metadata.name);
                self.dirty.insert(key);
                // The Cluster in there is its own, or is one again.
                self.touch_clusters_in(&within);
            }
            Object::HostedControlPlane(o) => self.touch_hosts_of(&o.metadata.namespace),
            Object::ControlPlaneComponent(o) => self.touch_hosts_of(&o.metadata.namespace),
            Object::NodePool(o) => {
                self.dirty.insert(key(Form::Hosted, &o.metadata.namespace, &o.spec.cluster_name));
            }
            Object::ControlPlane(o) => {
                let ControlPlane { metadata, .. } = &**o;
                let referring = self.references.get(&(metadata.namespace.clone(), metadata.name.clone()));
                self.dirty.extend(referring.into_iter().flatten().cloned());
                self.touch_home(object);
            }
            Object::Machine(o) => {
                self.touch_hosts_of(&o.metadata.namespace);
                self.touch_home(object);
            }
            Object::MachineSet(o) => {
                self.touch_hosts_of(&o.metadata.namespace);
                self.touch_home(object);
            }
            Object::Cluster(_)
            | Object::MachineDeployment(_)
            | Object::MachinePool(_)
            | Object::MachineHealthCheck(_) => self.touch_home(object),
        }
    }

    fn touch_home(&mut self, object: &Object) {
        if let Some((namespace, name)) = object.home().filter(|(_, name)| !name.is_empty()) {
            self.dirty.insert(key(Form::ClusterApi, namespace, name));
        }
    }

    fn touch_hosts_of(&mut self, namespace: &str) {
        self.dirty.extend(self.hosts.get(namespace).into_iter().flatten().cloned());
    }

    fn touch_clusters_in(&mut self, namespace: &str) {
        let keys = self.in_namespace(namespace).filter_map(|held| match &held.object {
            Object::Cluster(o) => Some(key(Form::ClusterApi, namespace, &o.metadata.name)),
            _ => None,
        });
        let keys: Vec<Key> = keys.collect();
        self.dirty.extend(keys);
    }

    fn clusters(&self) -> impl Iterator<Item = &Cluster> {
        self.homes.values().flatten().filter_map(|held| match &held.object {
            Object::Cluster(o) => Some(&**o),
            _ => None,
        })
    }

    /// All clusters of a form that are there.
    fn keys(&self, form: Form) -> Vec<Key> {
        let held = self.homes.values().flatten();
        let keys = held.filter_map(|held| match (&held.object, form) {
            (Object::Cluster(o), Form::ClusterApi) => Some(key(form, &o.metadata.namespace, &o.metadata.name)),
            (Object::HostedCluster(o), Form::Hosted) => Some(key(form, &o.metadata.namespace, &o.metadata.name)),
            _ => None,
        });
        keys.collect()
    }
}

fn key(form: Form, namespace: &str, name: &str) -> Key {
    Key { form, namespace: namespace.to_owned(), name: name.to_owned() }
}

/// The namespace of a hosted cluster's control plane, and the key of the cluster.
fn host(namespace: &str, name: &str) -> (String, Key) {
    (control_plane_namespace(namespace, name), key(Form::Hosted, namespace, name))
}

/// Namespace and name of the control plane that a cluster refers to.
fn control_plane_of(cluster: &Cluster) -> Option<Home> {
    let reference = cluster.spec.control_plane_ref.as_ref()?;
    let own = &cluster.metadata.namespace;
    let namespace = if reference.namespace.is_empty() { own } else { &reference.namespace };
    Some((namespace.clone(), reference.name.clone()))
}

fn remove<K: Ord>(index: &mut BTreeMap<K, BTreeSet<Key>>, at: &K, key: &Key) {
    if let Some(keys) = index.get_mut(at) {
        keys.remove(key);
        if keys.is_empty() {
            index.remove(at);
        }
    }
}
