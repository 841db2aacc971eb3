//! Which objects there should be, and what they should say. Nothing here judges: `core::publish` renders.

use std::collections::BTreeMap;
use std::fmt::Display;

use headway_api::report::{self, Activity, Truth};
use headway_api::update::cluster_operator::ClusterOperatorInsight;
use headway_api::update::cluster_version::ClusterVersionInsight;
use headway_api::update::health::HealthInsight;
use headway_api::update::node::NodeInsight;
use headway_api::update::pool::MachineConfigPoolInsight;
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::{SINGLETON, kind};
use headway_core::inform::{Informer, InformerState};
use headway_core::memory::Memory;
use headway_core::observer::Sight;
use headway_core::pace::{Change, Mode};
use headway_core::publish::{self, Insights, Level, Nodes, Source, Writer};
use jiff::Timestamp;
use kube::Resource;
use kube::core::ApiResource;
use serde_json::Value;

use crate::args::{Args, NodeInsights, Render};
use crate::kept::Content;

/// What the operator calls itself in what it writes.
pub(crate) const RENDERER: &str = concat!("headway-operator/", env!("CARGO_PKG_VERSION"));

/// An object of ours.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its name.
    pub(crate) name: String,
}

/// The kinds that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `UpdateStatus`.
    UpdateStatus,
    /// `PoolUpdateStatus`.
    PoolUpdateStatus,
    /// `ClusterVersionProgressInsight`.
    ClusterVersion,
    /// `ClusterOperatorProgressInsight`.
    ClusterOperator,
    /// `MachineConfigPoolProgressInsight`.
    MachineConfigPool,
    /// `NodeProgressInsight`.
    Node,
    /// `HealthInsight`.
    Health,
}

impl Kind {
    /// All kinds.
    pub(crate) const ALL: [Self; 7] = [
        Self::UpdateStatus,
        Self::PoolUpdateStatus,
        Self::ClusterVersion,
        Self::ClusterOperator,
        Self::MachineConfigPool,
        Self::Node,
        Self::Health,
    ];

    /// Its resource.
    pub(crate) fn resource(self) -> ApiResource {
        fn of<K: Resource<DynamicType = ()>>() -> ApiResource {
            ApiResource::erase::<K>(&())
        }
        match self {
            Self::UpdateStatus => of::<kind::UpdateStatus>(),
            Self::PoolUpdateStatus => of::<kind::PoolUpdateStatus>(),
            Self::ClusterVersion => of::<kind::ClusterVersionProgressInsight>(),
            Self::ClusterOperator => of::<kind::ClusterOperatorProgressInsight>(),
            Self::MachineConfigPool => of::<kind::MachineConfigPoolProgressInsight>(),
            Self::Node => of::<kind::NodeProgressInsight>(),
            Self::Health => of::<kind::HealthInsight>(),
        }
    }

    /// Whether it is kept by these arguments.
    pub(crate) fn is_rendered(self, args: &Args) -> bool {
        args.render.contains(&match self {
            Self::UpdateStatus => Render::Singleton,
            Self::PoolUpdateStatus => Render::PoolDetails,
            Self::ClusterVersion | Self::ClusterOperator | Self::MachineConfigPool | Self::Node | Self::Health => {
                Render::Insights
            }
        })
    }
}

/// The one `UpdateStatus`.
pub(crate) fn singleton() -> Key {
    Key { kind: Kind::UpdateStatus, name: SINGLETON.to_owned() }
}

/// The status of an object of ours.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    /// Of `UpdateStatus`.
    Status(Box<Status>),
    /// Of `PoolUpdateStatus`.
    Pool(Box<PoolNodes>),
    /// Of `ClusterVersionProgressInsight`.
    ClusterVersion(Box<ClusterVersionInsight>),
    /// Of `ClusterOperatorProgressInsight`.
    ClusterOperator(Box<ClusterOperatorInsight>),
    /// Of `MachineConfigPoolProgressInsight`.
    MachineConfigPool(Box<MachineConfigPoolInsight>),
    /// Of `NodeProgressInsight`.
    Node(Box<NodeInsight>),
    /// Of `HealthInsight`.
    Health(Box<HealthInsight>),
}

impl Body {
    /// Reads back what was written. What cannot be read is as if it were not there: it will be written anew.
    pub(crate) fn read(kind: Kind, status: Value) -> Option<Self> {
        fn of<T: serde::de::DeserializeOwned>(status: Value) -> Option<Box<T>> {
            serde_json::from_value(status).ok().map(Box::new)
        }
        match kind {
            Kind::UpdateStatus => of(status).map(Self::Status),
            Kind::PoolUpdateStatus => of(status).map(Self::Pool),
            Kind::ClusterVersion => of(status).map(Self::ClusterVersion),
            Kind::ClusterOperator => of(status).map(Self::ClusterOperator),
            Kind::MachineConfigPool => of(status).map(Self::MachineConfigPool),
            Kind::Node => of(status).map(Self::Node),
            Kind::Health => of(status).map(Self::Health),
        }
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Result<Value, serde_json::Error> {
        match self {
            Self::Status(body) => serde_json::to_value(body),
            Self::Pool(body) => serde_json::to_value(body),
            Self::ClusterVersion(body) => serde_json::to_value(body),
            Self::ClusterOperator(body) => serde_json::to_value(body),
            Self::MachineConfigPool(body) => serde_json::to_value(body),
            Self::Node(body) => serde_json::to_value(body),
            Self::Health(body) => serde_json::to_value(body),
        }
    }
}

impl Content for Body {
    fn observed_at(&self) -> Option<Timestamp> {
        match self {
            Self::Status(status) => status.observed.as_ref(),
            Self::Pool(pool) => pool.observed.as_ref(),
            Self::ClusterVersion(_)
            | Self::ClusterOperator(_)
            | Self::MachineConfigPool(_)
            | Self::Node(_)
            | Self::Health(_) => None,
        }
        .map(|observed| observed.at)
    }

    fn change_from(&self, written: &Self) -> Change {
        match (self, written) {
            (Self::Status(new), Self::Status(old)) => publish::change(new, old),
            (Self::Pool(new), Self::Pool(old)) => publish::shard_change(new, old),
            (Self::Health(new), Self::Health(old)) if new != old => Change::Health,
            (new, old) if new == old => Change::None,
            _ => Change::Progress,
        }
    }
}

/// All objects that there should be, and what they should say.
pub(crate) struct Rendered {
    /// By their keys.
    pub(crate) objects: BTreeMap<Key, Body>,
    /// How far the singleton was cut.
    pub(crate) level: Level,
    /// How large the singleton is in its store.
    pub(crate) bytes: usize,
    /// Whether an update runs.
    pub(crate) mode: Mode,
}

/// Renders what was seen. `past` are the bodies as they were last written.
pub(crate) fn render(
    args: &Args,
    sight: &Sight,
    memory: &Memory,
    floor: Level,
    past: &BTreeMap<&Key, &Body>,
) -> Rendered {
    let writer = Writer {
        renderer: RENDERER,
        generation: 1,
        available: available(sight),
        degraded: degraded(sight.informers.iter(), |source| source.is_essential()),
        informers: &sight.informers,
    };
    let written = match past.get(&singleton()) {
        Some(Body::Status(status)) => Some(&**status),
        _ => None,
    };
    let source = Source { report: &sight.report, memory, writer: &writer, past: written };
    let published = publish::status(source, floor);
    let (level, bytes) = (published.level, published.bytes);
    let mut objects = BTreeMap::new();
    if Kind::UpdateStatus.is_rendered(args) {
        objects.insert(singleton(), Body::Status(Box::new(published.status)));
    }
    if Kind::PoolUpdateStatus.is_rendered(args) {
        let of = |name: &str| match past.get(&Key { kind: Kind::PoolUpdateStatus, name: name.to_owned() }) {
            Some(Body::Pool(nodes)) => Some(&**nodes),
            _ => None,
        };
        for shard in publish::shards(source, of) {
            let key = Key { kind: Kind::PoolUpdateStatus, name: shard.name };
            objects.insert(key, Body::Pool(Box::new(shard.status)));
        }
    }
    if Kind::Health.is_rendered(args) {
        split(args, source, &written_insights(past), &mut objects);
    }
    let mode = if sight.report.activity == Activity::NotUpdating { Mode::Idle } else { Mode::Active };
    Rendered { objects, level, bytes, mode }
}

fn split(args: &Args, source: Source<'_>, past: &Insights, objects: &mut BTreeMap<Key, Body>) {
    let which = match args.node_insights {
        NodeInsights::Interesting => Nodes::Interesting,
        NodeInsights::All => Nodes::All,
    };
    let Insights { cluster_version, cluster_operators, pools, nodes, health } = publish::insights(source, which, past);
    let mut put = |kind: Kind, name: String, body: Body| {
        objects.insert(Key { kind, name }, body);
    };
    for (name, body) in cluster_version {
        put(Kind::ClusterVersion, name, Body::ClusterVersion(Box::new(body)));
    }
    for (name, body) in cluster_operators {
        put(Kind::ClusterOperator, name, Body::ClusterOperator(Box::new(body)));
    }
    for (name, body) in pools {
        put(Kind::MachineConfigPool, name, Body::MachineConfigPool(Box::new(body)));
    }
    for (name, body) in nodes {
        put(Kind::Node, name, Body::Node(Box::new(body)));
    }
    for (name, body) in health {
        put(Kind::Health, name, Body::Health(Box::new(body)));
    }
}

/// The insights as they were last written: what has not changed keeps the times that it has there.
fn written_insights(past: &BTreeMap<&Key, &Body>) -> Insights {
    let mut all = Insights::default();
    for (key, body) in past {
        let name = key.name.clone();
        match body {
            Body::Status(_) | Body::Pool(_) => {}
            Body::ClusterVersion(body) => all.cluster_version.push((name, (**body).clone())),
            Body::ClusterOperator(body) => all.cluster_operators.push((name, (**body).clone())),
            Body::MachineConfigPool(body) => all.pools.push((name, (**body).clone())),
            Body::Node(body) => all.nodes.push((name, (**body).clone())),
            Body::Health(body) => all.health.push((name, (**body).clone())),
        }
    }
    all
}

/// The operator lives and sees the cluster.
fn available(sight: &Sight) -> report::Condition {
    let (status, reason, message) = if sight.awaited.is_empty() {
        (Truth::True, "AsExpected", String::new())
    } else {
        let names: Vec<&str> = sight.awaited.iter().map(|source| source.name()).collect();
        (Truth::False, "Starting", format!("Not yet read: {}.", names.join(", ")))
    };
    report::Condition { status, reason: reason.to_owned(), message, since: None }
}

/// Something that is watched cannot be seen.
pub(crate) fn degraded<'i, S: Display + 'i>(
    informers: impl Iterator<Item = &'i Informer<S>>,
    counts: impl Fn(&S) -> bool,
) -> report::Condition {
    let is_blind = |informer: &&Informer<S>| match informer.state {
        InformerState::Stale => true,
        InformerState::Refused => counts(&informer.source),
        InformerState::Starting | InformerState::Synced | InformerState::Lagging | InformerState::Idle => false,
    };
    let blind: Vec<&Informer<S>> = informers.filter(is_blind).collect();
    let told = blind.iter().map(|informer| match &informer.failure {
        Some(failure) => format!("{}: {}", informer.source, failure.message),
        None => {
            format!("{}: nothing was heard since {}", informer.source, informer.heard.strftime("%Y-%m-%dT%H:%M:%SZ"))
        }
    });
    let message = told.collect::<Vec<_>>().join("; ");
    let reason = match blind.as_slice() {
        [] => return report::Condition { status: Truth::False, reason: "AsExpected".into(), message, since: None },
        all if all.iter().any(|informer| informer.state == InformerState::Stale) => "InformerStale",
        _ => "InformerRefused",
    };
    report::Condition { status: Truth::True, reason: reason.into(), message, since: None }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use headway_api::machine_config::MachineConfigPool;
    use headway_api::meta::{Condition, ConditionStatus, LabelSelector, PlatformMark};
    use headway_api::node::Node;
    use headway_api::openshift::{ClusterOperator, ClusterVersion, History};
    use headway_core::inform::{self, Fact, Msg, Source as From};
    use headway_core::observer::Observer;
    use jiff::{SignedDuration, Timestamp};

    use super::*;

    fn condition(kind: &str, status: ConditionStatus) -> Condition {
        Condition { kind: kind.into(), status, reason: "Because".into(), ..Condition::default() }
    }

    /// An update of one operator, one paused pool and one node; no condition says since when it holds.
    fn facts() -> Vec<(From, &'static str, Fact)> {
        let mut version = ClusterVersion::default();
        version.metadata.name = "version".into();
        version.status.desired.version = "4.20.2".into();
        version.status.history =
            vec![History { state: "Partial".into(), version: "4.20.2".into(), ..History::default() }];
        version.status.conditions = vec![condition("Progressing", ConditionStatus::True)];
        let mut operator = ClusterOperator::default();
        operator.metadata.name = "dns".into();
        operator.metadata.platform = PlatformMark(true);
        operator.status.conditions = vec![condition("Available", ConditionStatus::True)];
        let mut pool = MachineConfigPool::default();
        pool.metadata.name = "worker".into();
        pool.spec.paused = true;
        pool.spec.configuration.name = "new".into();
        pool.spec.node_selector = Some(LabelSelector::default());
        let mut node = Node::default();
        node.metadata.name = "w-0".into();
        for config in [&mut node.metadata.annotations.current_config, &mut node.metadata.annotations.desired_config] {
            *config = Some("old".into());
        }
        vec![
            (From::ClusterVersions, "version", Fact::ClusterVersion(Box::new(version))),
            (From::ClusterOperators, "dns", Fact::ClusterOperator(Box::new(operator))),
            (From::MachineConfigPools, "worker", Fact::MachineConfigPool(Box::new(pool))),
            (From::MachineConfigs, "old", Fact::MachineConfig(Some("4.20.1".into()))),
            (From::Nodes, "w-0", Fact::Node(node.into())),
        ]
    }

    #[test]
    fn what_has_not_changed_is_not_written_again() {
        let args = Args::parse_from(["x", "--render=singleton,pool-details,insights", "--node-insights=all"]);
        let now: Timestamp = "2026-05-04T12:00:00Z".parse().unwrap();
        let mut observer = Observer::default();
        for (source, uid, fact) in facts() {
            let upsert = inform::Kind::Upsert { uid: uid.into(), fact, flaws: Vec::new() };
            let synced = inform::Kind::Synced { known: [uid.to_owned()].into() };
            for (seq, kind) in [(1, upsert), (2, synced)] {
                observer.apply(Msg { source, epoch: 1, seq, at: now, kind });
            }
        }
        let mut render_at = |moment: Timestamp, past: &BTreeMap<&Key, &Body>| {
            let sight = observer.look(moment);
            render(&args, &sight, observer.memory(), Level::FULL, past).objects
        };
        let first = render_at(now, &BTreeMap::new());
        let kinds: std::collections::BTreeSet<Kind> = first.keys().map(|key| key.kind).collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), Kind::ALL, "an object of every kind");
        let later = now.checked_add(SignedDuration::from_secs(30)).unwrap();
        let second = render_at(later, &first.iter().collect());
        assert!(first.keys().eq(second.keys()));
        for (key, body) in &second {
            assert_eq!(body.change_from(&first[key]), Change::None, "{key:?}: {body:?}\nbefore: {:?}", first[key]);
        }
    }
}
