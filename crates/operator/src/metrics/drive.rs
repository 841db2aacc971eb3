//! What is told to Prometheus of upgrades that are walked. No label holds the name of a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use headway_api::hooks::Lifecycle;
use headway_api::update::condition::kind;
use headway_api::update::word::Truth;
use headway_api::upgrade::status::{ClusterUpgradeStatus, PassedStep};
use headway_cluster::drive::Turned;
use headway_core::drive::{Said, WaitingOn};
use headway_core::fleet::Informer;
use headway_core::inform::InformerState;
use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::{Family, MetricConstructor};
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use super::{Labels, labels};
use crate::drive::Name;

/// The metrics of the role `drive`, and the two facts that the probes ask for.
pub(crate) struct DriveMetrics {
    /// When the loop last turned, in seconds since the epoch; 0 where the role is not here.
    beat: AtomicI64,
    ready: AtomicBool,
    informers_up: Gauge,
    upgrades: Family<Labels, Gauge>,
    waiting: Family<Labels, Gauge>,
    steps_left: Gauge,
    turns: Counter,
    turn_seconds: Histogram,
    lag_seconds: Histogram,
    moves: Family<Labels, Counter>,
    writes: Counter,
    hook_calls: Family<Labels, Counter>,
    hook_blocked: Family<Labels, Histogram, Buckets>,
    step_seconds: Family<Labels, Histogram, Buckets>,
    known: Mutex<BTreeMap<Name, Known>>,
}

/// Spans of steps and of hooks that hold them up: from seconds to days.
#[derive(Debug, Clone, Copy)]
struct Buckets;

impl MetricConstructor<Histogram> for Buckets {
    fn new_metric(&self) -> Histogram {
        Histogram::new(exponential_buckets(1.0, 3.0, 12))
    }
}

/// What is known of one upgrade.
#[derive(Debug, Clone, Default)]
struct Known {
    state: &'static str,
    reasons: BTreeSet<String>,
    left: u32,
    steps: BTreeSet<(String, Timestamp)>,
    blocked: BTreeMap<Lifecycle, Timestamp>,
}

impl DriveMetrics {
    pub(super) fn new() -> Self {
        Self {
            beat: AtomicI64::new(0),
            ready: AtomicBool::new(false),
            informers_up: Gauge::default(),
            upgrades: Family::default(),
            waiting: Family::default(),
            steps_left: Gauge::default(),
            turns: Counter::default(),
            turn_seconds: Histogram::new(exponential_buckets(0.0005, 2.0, 16)),
            lag_seconds: Histogram::new(exponential_buckets(0.001, 2.0, 16)),
            moves: Family::default(),
            writes: Counter::default(),
            hook_calls: Family::default(),
            hook_blocked: Family::new_with_constructor(Buckets),
            step_seconds: Family::new_with_constructor(Buckets),
            known: Mutex::default(),
        }
    }

    pub(super) fn register(&self, r: &mut Registry) {
        r.register("drive_informers_up", "Informers that see what they watch", self.informers_up.clone());
        r.register("drive_upgrades", "ClusterUpgrades by how far they are", self.upgrades.clone());
        r.register("drive_waiting", "ClusterUpgrades by what they wait for", self.waiting.clone());
        r.register(
            "drive_steps_left",
            "Steps of control planes that are left, of all together",
            self.steps_left.clone(),
        );
        r.register("drive_turns", "Turns of single clusters", self.turns.clone());
        r.register_with_unit("drive_turn", "How long a turn takes", Unit::Seconds, self.turn_seconds.clone());
        r.register_with_unit(
            "drive_lag",
            "How long a change waits until its cluster takes its turn",
            Unit::Seconds,
            self.lag_seconds.clone(),
        );
        r.register("drive_moves", "Versions that were written, by what they move", self.moves.clone());
        r.register("drive_status_writes", "Writes of the status of ClusterUpgrades", self.writes.clone());
        r.register("drive_hook_calls", "Questions to hooks, by hook and answer", self.hook_calls.clone());
        r.register_with_unit(
            "drive_hook_blocked",
            "How long a hook held an upgrade up",
            Unit::Seconds,
            self.hook_blocked.clone(),
        );
        r.register_with_unit(
            "drive_step",
            "How long a step took, by who moved",
            Unit::Seconds,
            self.step_seconds.clone(),
        );
    }

    /// The loop lives.
    pub(crate) fn beat(&self, now: Timestamp) {
        self.beat.store(now.as_second(), Ordering::Relaxed);
    }

    /// When the loop last said that it lives, in seconds since the epoch; `None` where there is none.
    pub(crate) fn last_beat(&self) -> Option<i64> {
        Some(self.beat.load(Ordering::Relaxed)).filter(|beat| *beat != 0)
    }

    /// Whether all that is needed was read.
    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// What the informers are like.
    pub(crate) fn saw(&self, informers: &[Informer], is_ready: bool) {
        self.ready.store(is_ready, Ordering::Relaxed);
        let up = informers.iter().filter(|informer| informer.state == InformerState::Synced).count();
        self.informers_up.set(i64::try_from(up).unwrap_or(i64::MAX));
    }

    /// A cluster waited so long for its turn.
    pub(crate) fn waited(&self, waited: Duration) {
        self.lag_seconds.observe(waited.as_secs_f64());
    }

    /// A turn was taken.
    pub(crate) fn turned(&self, name: &Name, turned: &Turned, took: Duration, now: Timestamp) {
        self.turns.inc();
        self.turn_seconds.observe(took.as_secs_f64());
        self.writes.inc_by(u64::try_from(turned.writes).unwrap_or(u64::MAX));
        for moved in &turned.moved {
            let who = if moved.group.is_some() { "workers" } else { "control-plane" };
            self.moves.get_or_create(&labels(&[("mover", who)])).inc();
        }
        for (call, said) in &turned.asked {
            let answer = match said {
                Said::Go => "go",
                Said::Wait { .. } => "wait",
                Said::Failed { .. } => "failed",
            };
            self.hook_calls.get_or_create(&labels(&[("hook", call.hook().name()), ("answer", answer)])).inc();
        }
        let Some(status) = &turned.upgrade.status else { return };
        let mut known = self.known();
        let before = known.remove(name);
        let blocked = self.blocked(before.as_ref(), turned, now);
        let steps = self.steps(before.as_ref(), status);
        let reasons = status.waiting_on.iter().map(|wait| wait.reason.clone()).collect();
        let left = status.plan.as_ref().map_or(0, |plan| plan.left);
        known.insert(name.clone(), Known { state: state(status), reasons, left, steps, blocked });
    }

    /// Counts the steps that came to their end. Those of before we came are not counted again.
    fn steps(&self, before: Option<&Known>, status: &ClusterUpgradeStatus) -> BTreeSet<(String, Timestamp)> {
        let passed: Vec<&PassedStep> = status.history.iter().flat_map(|passed| &passed.steps).collect();
        if let Some(before) = before {
            let is_new = |step: &&&PassedStep| !before.steps.contains(&(step.name.clone(), step.started_at));
            for step in passed.iter().filter(is_new) {
                let mover = if step.name.starts_with("workers/") { "workers" } else { "control-plane" };
                let took = step.completed_at.duration_since(step.started_at).as_secs_f64();
                self.step_seconds.get_or_create(&labels(&[("mover", mover)])).observe(took);
            }
        }
        passed.into_iter().map(|step| (step.name.clone(), step.started_at)).collect()
    }

    /// Counts for how long hooks held it up that do so no longer.
    fn blocked(&self, before: Option<&Known>, turned: &Turned, now: Timestamp) -> BTreeMap<Lifecycle, Timestamp> {
        let waits = turned.decision.iter().flat_map(|decision| &decision.waiting_on);
        let blocked: BTreeMap<Lifecycle, Timestamp> = waits
            .filter_map(|wait| match &wait.on {
                WaitingOn::Hook { hook, .. } | WaitingOn::HookFailed { hook, .. } => Some((*hook, wait.since?)),
                _ => None,
            })
            .collect();
        let answered = turned.asked.iter().filter(|(_, said)| *said == Said::Go);
        for (call, _) in answered {
            let since = before.and_then(|before| before.blocked.get(&call.hook()));
            if let (Some(since), false) = (since, blocked.contains_key(&call.hook())) {
                let held = now.duration_since(*since).as_secs_f64().max(0.0);
                self.hook_blocked.get_or_create(&labels(&[("hook", call.hook().name())])).observe(held);
            }
        }
        blocked
    }

    /// An upgrade is gone.
    pub(crate) fn forget(&self, name: &Name) {
        self.known().remove(name);
    }

    /// Counts what is known, before it is told.
    pub(super) fn count(&self) {
        let known = self.known();
        self.upgrades.clear();
        self.waiting.clear();
        for upgrade in known.values() {
            self.upgrades.get_or_create(&labels(&[("state", upgrade.state)])).inc();
            for reason in &upgrade.reasons {
                self.waiting.get_or_create(&labels(&[("reason", reason)])).inc();
            }
        }
        let left: u32 = known.values().map(|upgrade| upgrade.left).fold(0, u32::saturating_add);
        self.steps_left.set(left.into());
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Name, Known>> {
        // Nothing in here stops half way, so what another thread left behind is whole.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far an upgrade is, in a word.
fn state(status: &ClusterUpgradeStatus) -> &'static str {
    let holds = |kind: &str| status.conditions.of(kind).is_some_and(|condition| condition.status == Truth::True);
    if holds(kind::READY) {
        "done"
    } else if holds(kind::STALLED) {
        "stalled"
    } else if status.step.is_some() {
        "moving"
    } else {
        "waiting"
    }
}
