//! What the operator would write in an update of real length: its scheduler and its rendering on a driven clock, without
//! a server.
//!
//! The loop is the keeper's: facts that come together are looked at together, and what is due is written. A write takes
//! no time here.

use std::collections::BTreeMap;

use anyhow::Context as _;
use headway_api::report::{Activity, Condition, Truth};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_core::inform::Kind as Said;
use headway_core::inform::{Fact, Failure, FailureKind, Msg, Source as Informer, Timing};
use headway_core::memory::Memory;
use headway_core::observer::{Observer, Sight};
use headway_core::pace::{Change, Limits, Mode, Pace};
use headway_core::publish::{self, Level, Source, Writer};
use headway_core::snapshot::AlertsSeen;
use jiff::{SignedDuration, Timestamp};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::objects::{as_of, node_as_of};
use super::rollout::{self, IN_EARNEST, Step};
use crate::recording::{Fleet, Kind, RECORDED_AT, objects};

/// The keeper gathers facts for so long before it looks: half a second to one and a half, by how long a look takes.
const GATHER: SignedDuration = SignedDuration::from_secs(1);

/// Informers say so often that they live.
const BEAT: SignedDuration = SignedDuration::from_secs(15);

/// Name, times, owner and who owns which field, around the status of the details of a pool.
const ENVELOPE: usize = 1_024;

/// What would be written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Written {
    /// Changes of nodes.
    pub(super) changes: usize,
    /// How often `UpdateStatus`.
    pub(super) status: usize,
    /// How often a `PoolUpdateStatus`.
    pub(super) details: usize,
    /// Bytes of all of them, as they lie in their store.
    pub(super) bytes: usize,
    /// How often it was looked.
    pub(super) looks: usize,
}

/// An update of real length.
pub(super) fn update(nodes: u32) -> anyhow::Result<Written> {
    let fleet = Fleet::waiting(nodes);
    let steps = rollout::plan(fleet);
    let length = SignedDuration::try_from(IN_EARNEST)?;
    let (written, observer) = run(fleet, &steps, length)?;
    anyhow::ensure!(observer == Some(Activity::NotUpdating), "the update did not come to its end");
    Ok(written)
}

/// An hour in which nothing changes.
pub(super) fn hour(fleet: Fleet) -> anyhow::Result<Written> {
    Ok(run(fleet, &[], SignedDuration::from_hours(1))?.0)
}

fn run(fleet: Fleet, steps: &[Step], length: SignedDuration) -> anyhow::Result<(Written, Option<Activity>)> {
    let begin = Timestamp::from_second(RECORDED_AT)?;
    let end = begin.checked_add(length)?.checked_add(SignedDuration::from_secs(30))?;
    let mut keeper = Keeper::begin(fleet, begin)?;
    // What is written at the start is written once in a life.
    keeper.turn(begin);
    keeper.written = Written::default();
    let mut steps = steps.iter().peekable();
    let mut now = begin;
    let mut beat = begin;
    while now < end {
        while let Some(step) = steps.next_if(|step| moment(begin, step) <= now) {
            keeper.step(step, now)?;
        }
        if beat <= now {
            keeper.beat(now);
            beat = now.checked_add(BEAT)?;
        }
        keeper.turn(now);
        let next = steps.peek().map(|step| moment(begin, step));
        now = [Some(keeper.wake(now)), next, Some(beat)].into_iter().flatten().fold(end, Timestamp::min);
    }
    Ok((keeper.written, keeper.activity))
}

fn moment(begin: Timestamp, step: &Step) -> Timestamp {
    let after = SignedDuration::try_from(step.after(IN_EARNEST)).unwrap_or(SignedDuration::MAX);
    begin.saturating_add(after).unwrap_or(Timestamp::MAX)
}

/// One object that is kept.
struct Kept<T> {
    pace: Pace,
    written: Option<T>,
    wanted: T,
}

/// The keeper's loop, turn by turn.
struct Keeper {
    observer: Observer,
    status: Option<Kept<Status>>,
    details: BTreeMap<String, Kept<PoolNodes>>,
    looked: Option<Timestamp>,
    next_look: Option<Timestamp>,
    is_dirty: bool,
    seq: u64,
    written: Written,
    activity: Option<Activity>,
}

impl Keeper {
    fn begin(fleet: Fleet, now: Timestamp) -> anyhow::Result<Self> {
        let mut keeper = Self {
            observer: Observer::new(Timing::default(), Memory::default()),
            status: None,
            details: BTreeMap::new(),
            looked: None,
            next_look: None,
            is_dirty: true,
            seq: 0,
            written: Written::default(),
            activity: None,
        };
        let mut known: BTreeMap<Informer, Vec<String>> = BTreeMap::new();
        for (kind, object) in objects(fleet).filter(|(kind, _)| *kind != Kind::Node) {
            let (source, uid, fact) = fact(kind, as_of(object, now))?;
            known.entry(source).or_default().push(uid.clone());
            keeper.say(source, now, Said::Upsert { uid, fact, flaws: Vec::new() });
        }
        for member in fleet.members() {
            let (source, uid, fact) = fact(Kind::Node, node_as_of(member, now))?;
            known.entry(source).or_default().push(uid.clone());
            keeper.say(source, now, Said::Upsert { uid, fact, flaws: Vec::new() });
        }
        let alerts = Fact::Alerts(AlertsSeen::Answer(Vec::new()));
        keeper.say(Informer::Alerts, now, Said::Upsert { uid: "alerts".into(), fact: alerts, flaws: Vec::new() });
        for source in Informer::ALL {
            let known = known.remove(&source).unwrap_or_default().into_iter();
            match source {
                Informer::MachineConfigNodes | Informer::MachineOsConfigs | Informer::MachineOsBuilds => {
                    let failure = Failure { kind: FailureKind::NotServed, message: "not served".into() };
                    keeper.say(source, now, Said::Failed(failure));
                }
                Informer::Alerts => keeper.say(source, now, Said::Synced { known: ["alerts".into()].into() }),
                Informer::ClusterVersions
                | Informer::ClusterOperators
                | Informer::MachineConfigPools
                | Informer::MachineConfigs
                | Informer::Nodes
                | Informer::Deployments
                | Informer::Pods
                | Informer::PodDisruptionBudgets => keeper.say(source, now, Said::Synced { known: known.collect() }),
            }
        }
        Ok(keeper)
    }

    fn say(&mut self, source: Informer, at: Timestamp, kind: Said) {
        self.seq += 1;
        self.is_dirty |= self.observer.apply(Msg { source, epoch: 1, seq: self.seq, at, kind });
    }

    fn beat(&mut self, now: Timestamp) {
        for source in Informer::ALL {
            self.say(source, now, Said::Beat { lag: SignedDuration::ZERO });
        }
    }

    fn step(&mut self, step: &Step, now: Timestamp) -> anyhow::Result<()> {
        let (source, uid, fact) = fact(Kind::Node, node_as_of(step.member, now))?;
        self.written.changes += 1;
        self.say(source, now, Said::Upsert { uid, fact, flaws: Vec::new() });
        Ok(())
    }

    fn gathered(&self) -> Timestamp {
        self.looked.map_or(Timestamp::MIN, |looked| looked.saturating_add(GATHER).unwrap_or(Timestamp::MAX))
    }

    fn turn(&mut self, now: Timestamp) {
        let is_due = self.is_dirty || self.next_look.is_some_and(|next| next <= now);
        if is_due && self.gathered() <= now {
            let sight = self.observer.look(now);
            (self.looked, self.is_dirty, self.next_look) = (Some(now), false, sight.next);
            self.written.looks += 1;
            self.render(&sight, now);
        }
        if let Some(kept) = self.status.as_mut().filter(|kept| kept.pace.due(now) <= now) {
            self.written.status += 1;
            self.written.bytes += publish::object_size(&kept.wanted);
            kept.written = Some(kept.wanted.clone());
            kept.pace.wrote(now);
        }
        for kept in self.details.values_mut().filter(|kept| kept.pace.due(now) <= now) {
            self.written.details += 1;
            self.written.bytes += serde_json::to_vec(&kept.wanted).map_or(0, |text| text.len() + ENVELOPE);
            kept.written = Some(kept.wanted.clone());
            kept.pace.wrote(now);
        }
    }

    fn render(&mut self, sight: &Sight, now: Timestamp) {
        let condition = |status| Condition { status, reason: "AsExpected".into(), message: String::new(), since: None };
        let writer = Writer {
            renderer: "headway-bench",
            generation: 1,
            available: condition(Truth::True),
            degraded: condition(Truth::False),
            informers: &sight.informers,
        };
        self.activity = Some(sight.report.activity);
        let mode = if sight.report.activity == Activity::NotUpdating { Mode::Idle } else { Mode::Active };
        let past = self.status.as_ref().and_then(|kept| kept.written.as_ref());
        let source = Source { report: &sight.report, memory: self.observer.memory(), writer: &writer, past };
        let status = publish::status(source, Level::FULL).status;
        let shards = publish::shards(source, |name| self.details.get(name)?.written.as_ref());
        match &mut self.status {
            Some(kept) => kept.want(status, mode, now, publish::change),
            None => self.status = Some(Kept::new(Limits::default(), status)),
        }
        for shard in shards {
            match self.details.get_mut(&shard.name) {
                Some(kept) => kept.want(shard.status, mode, now, publish::shard_change),
                None => {
                    self.details.insert(shard.name, Kept::new(Limits::DETAILS, shard.status));
                }
            }
        }
    }

    /// When something is to be done at the latest.
    fn wake(&self, now: Timestamp) -> Timestamp {
        let dirty = self.is_dirty.then(|| self.gathered());
        let look = self.next_look.map(|next| next.max(self.gathered()));
        let status = self.status.iter().map(|kept| kept.pace.due(now));
        let details = self.details.values().map(|kept| kept.pace.due(now));
        [dirty, look].into_iter().flatten().chain(status).chain(details).fold(Timestamp::MAX, Timestamp::min)
    }
}

impl<T> Kept<T> {
    fn new(limits: Limits, wanted: T) -> Self {
        Self { pace: Pace::new(limits), written: None, wanted }
    }

    fn want(&mut self, wanted: T, mode: Mode, now: Timestamp, change: impl Fn(&T, &T) -> Change) {
        let change = self.written.as_ref().map_or(Change::Health, |written| change(&wanted, written));
        self.pace.note(change, mode, now);
        self.wanted = wanted;
    }
}

/// What an informer would tell of an object.
fn fact(kind: Kind, object: Value) -> anyhow::Result<(Informer, String, Fact)> {
    let uid = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let (source, fact) = match kind {
        Kind::Version => (Informer::ClusterVersions, Fact::ClusterVersion(Box::new(read(object)?))),
        Kind::Operator => (Informer::ClusterOperators, Fact::ClusterOperator(Box::new(read(object)?))),
        Kind::Pool => (Informer::MachineConfigPools, Fact::MachineConfigPool(Box::new(read(object)?))),
        Kind::Config => {
            let release = &object["metadata"]["annotations"]["machineconfiguration.openshift.io/release-image-version"];
            (Informer::MachineConfigs, Fact::MachineConfig(release.as_str().map(str::to_owned)))
        }
        Kind::Node => (Informer::Nodes, Fact::Node(std::sync::Arc::new(read(object)?))),
    };
    Ok((source, uid, fact))
}

fn read<T: DeserializeOwned>(object: Value) -> anyhow::Result<T> {
    serde_json::from_value(object).context("an object of the recording cannot be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn us_d12_at_rest_the_status_is_confirmed_and_hardly_ever_written_otherwise() {
        for fleet in [Fleet::waiting(60), Fleet::finished(60)] {
            let Written { status, details, .. } = hour(fleet).unwrap();
            assert!((12..=60).contains(&status), "{status} writes: every five minutes at least, every minute at most");
            assert_eq!(details, 0, "{fleet:?}");
        }
    }

    #[test]
    fn us_s51_an_update_on_a_driven_clock_is_written_to_its_end() {
        let Written { changes, status, looks, .. } = update(60).unwrap();
        assert_eq!(changes, 57 * 4);
        assert!(status > 50 && status <= 2 * changes && looks > changes / 2, "{status} writes, {looks} looks");
    }
}
