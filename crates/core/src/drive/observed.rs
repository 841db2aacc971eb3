//! All that a decision may know of one cluster.

use std::collections::BTreeSet;

use headway_api::hooks::Lifecycle;
use headway_api::plan::WorkerGroup;
use jiff::Timestamp;

use super::answers::Answers;
use super::gate::Gates;
use super::intent::Intents;
use super::planned::Planned;
use crate::plan::{self, Course, Situation};
use crate::version::KubeVersion;

/// One cluster at one moment, with what is wanted of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// The moment.
    pub now: Timestamp,
    /// Where everything is to end.
    pub target: KubeVersion,
    /// Why nothing at all is to be done now.
    pub halt: Option<Halt>,
    /// Whether nothing new is to begin after what has begun: `spec.stop`.
    pub stop: Option<String>,
    /// The control plane; absent when there is none.
    pub control_plane: Option<ControlPlane>,
    /// The groups of workers in the order in which they move, MachineDeployments before MachinePools.
    pub groups: Vec<Group>,
    /// How many groups may be on their way at once.
    pub concurrency: Concurrency,
    /// The stages in which groups move, one after the other; groups of none come last.
    pub stages: Vec<Stage>,
    /// What must hold before something new begins.
    pub gates: Gates,
    /// The annotations that forbid an upgrade to begin (chained-upgrades.md, 4.4), by their keys.
    pub forbidding: Vec<String>,
    /// The plan.
    pub planned: Planned,
    /// What is still to be asked, as it is stored.
    pub intents: Intents,
    /// The hooks that somebody answers; all others pass.
    pub answered: BTreeSet<Lifecycle>,
    /// What was answered.
    pub answers: Answers,
}

/// Why nothing is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// The cluster or the request is paused; by what, in words.
    Paused(String),
    /// The cluster is being deleted.
    Deleting,
}

/// A control plane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlPlane {
    /// As people name it: `KubeadmControlPlane/c1-cp`.
    pub name: String,
    /// `spec.version`.
    pub version: KubeVersion,
    /// Whether it runs what it is to run.
    pub standing: Standing,
    /// Who owns the field of the version, where that is neither us nor somebody who gave it up.
    pub owner: Option<String>,
}

/// Whether something runs what it is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Settled,
    /// It is on its way; the versions that run, as they are told, or other words for how far it is.
    Rolling(String),
    /// It reports no version at all: it comes up for the first time, or whoever reports is not there.
    Silent,
    /// What it runs could not be seen, and why.
    Unseen(String),
}

/// One group of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Which it is.
    pub id: WorkerGroup,
    /// `spec.template.spec.version`.
    pub version: KubeVersion,
    /// Whether its machines run that.
    pub standing: Standing,
    /// The oldest version that a machine of it runs, where its machines were seen.
    pub oldest: Option<KubeVersion>,
    /// What becomes of it. One that leaves holds nothing up but what its machines could not stand beside.
    pub course: Course<KubeVersion>,
    /// Who put off its upgrade, if anybody.
    pub deferral: Option<Deferral>,
    /// Who owns the field of the version, where that is neither us nor somebody who gave it up.
    pub owner: Option<String>,
}

/// Who put off the upgrade of a group of workers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deferral {
    /// It carries this annotation itself.
    Own(String),
    /// This group or entry before it carries the annotation that holds all that follow.
    After(String),
}

/// Groups that move before others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Its groups.
    pub groups: BTreeSet<WorkerGroup>,
    /// How many of them may be on their way at once, whatever their kind.
    pub concurrency: Concurrency,
}

/// How many groups may be on their way at once, of each kind (chained-upgrades.md, 3.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency(usize);

impl Concurrency {
    /// So many; at least one.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self(groups.max(1))
    }

    /// How many.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

impl Default for Concurrency {
    fn default() -> Self {
        Self(1)
    }
}

impl Observed {
    /// Where the cluster is and where it is to go: what its plan is made from.
    #[must_use]
    pub fn situation(&self) -> Situation {
        let groups = self.groups.iter().map(|group| {
            let Group { id, version, course, .. } = group;
            plan::Group { id: id.clone(), version: version.clone(), course: course.clone() }
        });
        Situation {
            target: self.target.clone(),
            control_plane: self.control_plane.as_ref().map(|control_plane| control_plane.version.clone()),
            groups: groups.collect(),
        }
    }
}

impl Group {
    /// Whether it follows the control plane.
    pub(super) fn follows(&self) -> bool {
        self.course == Course::Follows
    }

    /// Whether it is on its way.
    pub(super) fn is_rolling(&self) -> bool {
        matches!(self.standing, Standing::Rolling(_) | Standing::Silent)
    }
}
