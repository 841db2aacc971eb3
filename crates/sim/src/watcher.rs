//! The promises of an upgrade, held against every event of a rehearsal (chained-upgrades.md, section 11).

use std::collections::BTreeMap;

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_core::drive::{Said, Standing};
use headway_core::hook::step_of;
use headway_core::plan::Course;
use headway_core::version::{Comparison, KubeVersion, check_skew};
use jiff::Timestamp;

use crate::event::{Event, Mover};
use crate::world::World;

/// A promise that was not kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{promise}: {told}")]
pub struct Broken {
    /// What was promised.
    pub promise: &'static str,
    /// What happened.
    pub told: String,
}

/// Sees every event, with the world as it is after it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Watcher {
    /// The steps to which nobody had anything against, since each was last begun.
    passed: BTreeMap<Lifecycle, String>,
    /// Who asked for time, and until when.
    holds: BTreeMap<(Lifecycle, String), Timestamp>,
    /// What must be asked before all is over, because it was begun.
    owed: Vec<(Lifecycle, String)>,
    has_moved: bool,
    /// What was not kept.
    pub broken: Vec<Broken>,
}

impl Watcher {
    /// Sees an event.
    pub fn see(&mut self, event: &Event, world: &World) {
        match event {
            Event::Asked { call, said } => self.asked(call, said, world),
            Event::Moved { mover, from, to } => self.moved(mover, from, to, world),
            // Who dies forgets how long others asked to be left alone.
            Event::Fault(_) => self.holds.clear(),
            Event::Settled => self.settled(world),
            Event::Recorded(_) | Event::Arrived { .. } | Event::Waiting(_) => {}
        }
        self.machines(world);
    }

    fn hold(&mut self, promise: &'static str, holds: Holds, told: impl FnOnce() -> String) {
        if holds == Holds::No {
            self.broken.push(Broken { promise, told: told() });
        }
    }

    /// Promises that nothing is left to be asked of what was begun.
    fn hold_owed(&mut self, promise: &'static str) {
        let owed: Vec<String> = self.owed.iter().map(|(hook, step)| format!("{hook} {step}")).collect();
        self.hold(promise, owed.is_empty().into(), || owed.join(", "));
    }

    fn moved(&mut self, mover: &Mover, from: &KubeVersion, to: &KubeVersion, world: &World) {
        self.has_moved = true;
        let told = || format!("{mover} from {from} to {to}");
        let is_forward = matches!(to.compare(from), Comparison::Greater | Comparison::Different);
        self.hold("versions only go forward", is_forward.into(), told);
        match mover {
            Mover::ControlPlane => {
                let (a, b) = (from.minor(), to.minor());
                let is_next = a.major == b.major && b.minor.saturating_sub(a.minor) <= 1;
                self.hold("the control plane never skips a minor", is_next.into(), told);
                let step = format!("{from} to {to}");
                let upgrade = self.has_passed(world, Lifecycle::BeforeClusterUpgrade, None);
                self.hold("nothing moves before the upgrade is announced", upgrade, told);
                let before = self.has_passed(world, Lifecycle::BeforeControlPlaneUpgrade, Some(&step));
                self.hold("the control plane moves only after it was asked for", before, told);
                self.passed.remove(&Lifecycle::BeforeControlPlaneUpgrade);
                self.passed.remove(&Lifecycle::BeforeWorkersUpgrade);
                self.owe(world, Lifecycle::AfterControlPlaneUpgrade, to);
            }
            Mover::Group(id) => {
                self.hold("workers move to the version of the control plane", (*to == world.version).into(), told);
                let stands = world.machines.standing(&world.version, world.now) == Standing::Settled;
                self.hold("workers move only beside a control plane that stands", stands.into(), told);
                let pool = world.pools.iter().find(|pool| pool.id == *id);
                let may = pool.is_some_and(|pool| {
                    pool.deferral.is_none() && pool.owner.is_none() && pool.course == Course::Follows
                });
                self.hold("who is deferred, pinned, kept by others or leaves is not moved", may.into(), told);
                let before = self.has_passed(world, Lifecycle::BeforeWorkersUpgrade, None);
                self.hold("workers move only after it was asked for", before, told);
                self.owe(world, Lifecycle::AfterWorkersUpgrade, to);
            }
        }
        let what_runs = world.halt.is_none();
        self.hold("nothing moves while it is paused or deleted", what_runs.into(), told);
    }

    /// A step was begun, after which a hook is to be asked.
    fn owe(&mut self, world: &World, hook: Lifecycle, version: &KubeVersion) {
        let step = (hook, version.to_string());
        if world.extensions.answered.contains(&hook) && !self.owed.contains(&step) {
            self.owed.push(step);
        }
    }

    fn has_passed(&self, world: &World, hook: Lifecycle, step: Option<&str>) -> Holds {
        if !world.extensions.answered.contains(&hook) {
            return Holds::Yes;
        }
        let passed = self.passed.get(&hook);
        passed.is_some_and(|known| step.is_none_or(|step| known == step)).into()
    }

    fn asked(&mut self, call: &LifecycleCall, said: &Said, world: &World) {
        let (hook, step) = (call.hook(), step_of(call));
        let told = || format!("{hook} {step}");
        let key = (hook, step.clone());
        let is_early = self.holds.get(&key).is_some_and(|until| world.now < *until);
        self.hold("nobody is asked again before the time that was asked for", (!is_early).into(), told);
        let stands = world.machines.standing(&world.version, world.now) == Standing::Settled;
        self.hold("hooks are asked while the control plane stands", stands.into(), told);
        match call {
            LifecycleCall::AfterControlPlaneUpgrade(behind) | LifecycleCall::AfterWorkersUpgrade(behind) => {
                let is_there = behind.kubernetes_version == world.version.to_string();
                self.hold("what is over is told at its version", is_there.into(), told);
            }
            LifecycleCall::AfterClusterUpgrade { .. } => {
                self.hold("an upgrade is over when all is at the target", world.is_at_target().into(), told);
                self.hold_owed("an upgrade is over when all its steps are");
            }
            _ => {}
        }
        match said {
            Said::Go => {
                self.holds.remove(&key);
                self.owed.retain(|owed| *owed != key);
                self.passed.insert(hook, step);
            }
            Said::Wait { until, .. } | Said::Failed { until, .. } => {
                self.passed.remove(&hook);
                self.holds.insert(key, *until);
            }
        }
    }

    fn settled(&mut self, world: &World) {
        let told = || format!("control plane at {}, target {}", world.version, world.target);
        self.hold("it is settled when all is at the target", world.is_at_target().into(), told);
        self.hold_owed("no hook is lost");
        let is_over = !self.has_moved
            || self.has_passed(world, Lifecycle::AfterClusterUpgrade, Some(&world.target.to_string())) == Holds::Yes;
        self.hold("the end of an upgrade is told", is_over.into(), told);
        self.hold("nothing is left to be asked", world.intents.is_empty().into(), || world.intents.to_string());
        self.has_moved = false;
        self.passed.clear();
    }

    /// No machine stands beside one that it does not fit.
    fn machines(&mut self, world: &World) {
        let (Some(oldest), newest) = (world.machines.oldest(), &world.version) else { return };
        for pool in &world.pools {
            for machine in &pool.machines.all {
                let told = || format!("{} at {} beside {oldest} to {newest}", pool.id, machine.version);
                let is_ahead = machine.version.minor() > oldest.minor();
                self.hold("no worker is ahead of the control plane", (!is_ahead).into(), told);
                let fits = check_skew(newest.minor(), machine.version.minor()).is_ok();
                self.hold("no worker is more than three minors behind", fits.into(), told);
            }
        }
    }
}

/// Whether a promise is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Yes,
    No,
}

impl From<bool> for Holds {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}
