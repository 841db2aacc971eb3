//! The machines of a control plane or of a pool, and how they are replaced one after the other.

use headway_core::drive::Standing;
use headway_core::version::{KubeVersion, oldest};
use jiff::{SignedDuration, Timestamp};

/// One machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// What its kubelet runs, or will run.
    pub version: KubeVersion,
    /// When it is ready; `None` when it never will be.
    pub ready_at: Option<Timestamp>,
}

/// The machines of one owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machines {
    /// Those that are there, new ones behind.
    pub all: Vec<Machine>,
    /// How many there are to be.
    pub desired: usize,
    /// How many may be there beyond that; at least one.
    pub surge: usize,
    /// How long one takes to become ready.
    pub takes: SignedDuration,
    /// Whether new ones become ready at all.
    pub are_broken: bool,
}

impl Machines {
    /// So many machines, all of which run this version.
    #[must_use]
    pub fn new(count: usize, version: &KubeVersion, now: Timestamp) -> Self {
        let machine = Machine { version: version.clone(), ready_at: Some(now) };
        Self {
            all: vec![machine; count],
            desired: count,
            surge: 1,
            takes: SignedDuration::from_secs(60),
            are_broken: false,
        }
    }

    /// Goes on with replacing: old ones go as new ones are ready, new ones are made as there is room.
    pub fn roll(&mut self, target: &KubeVersion, now: Timestamp) {
        let ready = |machine: &Machine| machine.ready_at.is_some_and(|at| at <= now);
        loop {
            let new = self.all.iter().filter(|machine| machine.version == *target);
            let (ready_new, all_new) = (new.clone().filter(|machine| ready(machine)).count(), new.count());
            let old = self.all.len() - all_new;
            // As many old ones stay as it takes to have as many ready ones as desired.
            if old > 0 && ready_new + old > self.desired {
                let Some(at) = self.all.iter().position(|machine| machine.version != *target) else { return };
                self.all.remove(at);
            } else if all_new < self.desired && self.all.len() < self.desired + self.surge.max(1) {
                let ready_at = if self.are_broken { None } else { now.checked_add(self.takes).ok() };
                self.all.push(Machine { version: target.clone(), ready_at });
            } else {
                return;
            }
        }
    }

    /// Mends those that would never become ready.
    pub fn mend(&mut self, now: Timestamp) {
        self.are_broken = false;
        for machine in self.all.iter_mut().filter(|machine| machine.ready_at.is_none()) {
            machine.ready_at = now.checked_add(self.takes).ok();
        }
    }

    /// Whether they run what they are to run.
    #[must_use]
    pub fn standing(&self, target: &KubeVersion, now: Timestamp) -> Standing {
        let is_done = |machine: &&Machine| machine.version == *target && machine.ready_at.is_some_and(|at| at <= now);
        let done = self.all.iter().filter(is_done).count();
        if done >= self.desired && self.all.len() == done {
            return Standing::Settled;
        }
        Standing::Rolling(format!("{done} of {} machines run it", self.desired))
    }

    /// The oldest version that one of them runs.
    #[must_use]
    pub fn oldest(&self) -> Option<KubeVersion> {
        oldest(self.all.iter().map(|machine| machine.version.clone()))
    }

    /// When the next one becomes ready.
    #[must_use]
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        self.all.iter().filter_map(|machine| machine.ready_at).filter(|at| *at > now).min()
    }
}
