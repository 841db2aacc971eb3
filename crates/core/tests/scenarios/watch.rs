//! Somebody who watches the cluster of `cluster`: its informers tell what changes, a clock is set, and one looks.

use std::collections::{BTreeMap, BTreeSet};

use headway_core::inform::{Fact, Kind, Msg, Source, Timing};
use headway_core::memory::Memory;
use headway_core::observer::{Observer, Sight};
use headway_core::snapshot::Snapshot;
use jiff::{SignedDuration, Timestamp};

use super::cluster::NOW;
use super::told::line;

/// The watch, and what its informers told last.
pub(super) struct Watch {
    pub(super) observer: Observer,
    pub(super) now: Timestamp,
    told: BTreeMap<(Source, String), Fact>,
    seq: u64,
    epoch: u64,
    /// Informers that say nothing any more.
    pub(super) silent: BTreeSet<Source>,
}

impl Watch {
    /// Begins to watch at [`NOW`]; every informer tells all that is there.
    pub(super) fn of(snapshot: &Snapshot) -> Self {
        Self::with(snapshot, Memory::default(), NOW)
    }

    /// The same by somebody who remembers.
    pub(super) fn with(snapshot: &Snapshot, memory: Memory, now: Timestamp) -> Self {
        let observer = Observer::new(Timing::default(), memory);
        let mut watch = Self { observer, now, told: BTreeMap::new(), seq: 0, epoch: 1, silent: BTreeSet::new() };
        for source in Source::ALL {
            watch.say(source, Kind::Hello);
        }
        watch.sees(snapshot);
        for source in Source::ALL {
            watch.synced(source);
        }
        watch
    }

    /// Says that the list of a source is complete.
    pub(super) fn synced(&mut self, source: Source) {
        let of_source = self.told.keys().filter(|(of, _)| *of == source);
        let known = of_source.map(|(_, uid)| uid.clone()).collect();
        self.say(source, Kind::Synced { known });
    }

    /// The informers tell what has changed against what they told before.
    pub(super) fn sees(&mut self, snapshot: &Snapshot) {
        let facts = facts(snapshot);
        let gone: Vec<_> = self.told.keys().filter(|key| !facts.contains_key(key)).cloned().collect();
        for (source, uid) in gone {
            self.say(source, Kind::Remove { uid });
        }
        for ((source, uid), fact) in &facts {
            if self.told.get(&(*source, uid.clone())) != Some(fact) {
                self.say(*source, Kind::Upsert { uid: uid.clone(), fact: fact.clone(), flaws: Vec::new() });
            }
        }
        self.told = facts;
    }

    /// Lets time pass, with a beat of every informer that is not silent every 15 seconds.
    pub(super) fn wait(&mut self, seconds: i64) {
        self.wait_until(self.now.checked_add(SignedDuration::from_secs(seconds)).unwrap());
    }

    /// The same until a moment.
    pub(super) fn wait_until(&mut self, end: Timestamp) {
        while self.now < end {
            let step = SignedDuration::from_secs(15).min(end.duration_since(self.now));
            self.now = self.now.checked_add(step).unwrap();
            for source in Source::ALL {
                if !self.silent.contains(&source) {
                    self.say(source, Kind::Beat { lag: SignedDuration::ZERO });
                }
            }
        }
    }

    /// An informer says something.
    pub(super) fn say(&mut self, source: Source, kind: Kind) {
        self.seq += 1;
        if kind == Kind::Hello {
            self.epoch += 1;
        }
        self.observer.apply(Msg { source, epoch: self.epoch, seq: self.seq, at: self.now, kind });
    }

    /// Looks.
    pub(super) fn look(&mut self) -> Sight {
        self.observer.look(self.now)
    }

    /// Looks and compares; the keys are those of `told`.
    #[track_caller]
    pub(super) fn check(&mut self, expect: &[(&str, &str)]) {
        let sight = self.look();
        for (key, expect) in expect {
            assert_eq!(line(&sight.report, key), *expect, "{key} at {}", self.now);
        }
    }

    /// What is remembered of the one insight of a rule, as `first observed, occurrences`; seconds count from [`NOW`].
    pub(super) fn remembered(&mut self, rule: &str) -> String {
        let report = self.look().report;
        let of_rule: Vec<_> = report.insights.iter().filter(|insight| insight.rule.id() == rule).collect();
        let [only] = of_rule.as_slice() else {
            return format!("{} of them", of_rule.len());
        };
        let first = only.first_observed_at.unwrap().duration_since(NOW).as_secs();
        format!("{} first at {first}, {} times", only.uid, only.occurrences.unwrap())
    }
}

/// A snapshot as what informers would tell.
pub(super) fn facts(snapshot: &Snapshot) -> BTreeMap<(Source, String), Fact> {
    let mut all = BTreeMap::new();
    let mut put = |source: Source, uid: &str, fact: Fact| {
        all.insert((source, uid.to_owned()), fact);
    };
    if let Some(cv) = &snapshot.cluster_version {
        put(Source::ClusterVersions, "version", Fact::ClusterVersion(Box::new(cv.clone())));
    }
    for operator in &snapshot.operators {
        let fact = Fact::ClusterOperator(Box::new(operator.clone()));
        put(Source::ClusterOperators, &operator.metadata.name, fact);
    }
    for pool in &snapshot.pools {
        let fact = Fact::MachineConfigPool(Box::new(pool.clone()));
        put(Source::MachineConfigPools, &pool.metadata.name, fact);
    }
    for (name, release) in &snapshot.machine_configs {
        put(Source::MachineConfigs, name, Fact::MachineConfig(release.clone()));
    }
    for node in &snapshot.nodes {
        put(Source::Nodes, &node.metadata.name, Fact::Node(node.clone()));
    }
    for pod in &snapshot.pods {
        let uid = format!("{}/{}", pod.metadata.namespace, pod.metadata.name);
        put(Source::Pods, &uid, Fact::Pod(pod.clone()));
    }
    for budget in &snapshot.budgets {
        let uid = format!("{}/{}", budget.metadata.namespace, budget.metadata.name);
        put(Source::PodDisruptionBudgets, &uid, Fact::PodDisruptionBudget(budget.clone()));
    }
    put(Source::Deployments, "openshift-machine-config-operator", Fact::McoImage(snapshot.mco_image.clone()));
    put(Source::Alerts, "alerts", Fact::Alerts(snapshot.alerts.clone()));
    all
}
