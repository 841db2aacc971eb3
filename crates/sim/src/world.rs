//! A cluster of plain data: what is there, what is asked for, and what is stored.

use headway_api::plan::{GroupKind, Plan, WorkerGroup};
use headway_core::drive::{
    Answers, Concurrency, ControlPlane, Deferral, Gates, Group, Halt, Intents, Observed, Planned, Stage, Standing,
    Window,
};
use headway_core::plan::{Answer, Course, Extension, ExtensionError, ListOrigin, Source, VersionList};
use headway_core::version::{Comparison, KubeVersion};
use jiff::Timestamp;

use crate::event::{Event, Mover};
use crate::extension::Extensions;
use crate::machines::Machines;

/// A cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The moment.
    pub now: Timestamp,
    /// Where everything is to end.
    pub target: KubeVersion,
    /// Why nothing is to be done.
    pub halt: Option<Halt>,
    /// Whether to stop after what has begun.
    pub stop: bool,
    /// `spec.version` of the control plane.
    pub version: KubeVersion,
    /// Its machines.
    pub machines: Machines,
    /// Whether it is not there.
    pub is_missing: bool,
    /// Whether it reports nothing.
    pub is_silent: bool,
    /// Whoever keeps its version, if not we.
    pub owner: Option<String>,
    /// The groups of workers.
    pub pools: Vec<Pool>,
    /// Who names the versions.
    pub planner: Planner,
    /// How many groups move at once.
    pub concurrency: Concurrency,
    /// The stages in which they move.
    pub stages: Vec<Stage>,
    /// What must hold before something new begins.
    pub gates: Gates,
    /// Annotations that forbid the upgrade to begin.
    pub forbidding: Vec<String>,
    /// The extensions.
    pub extensions: Extensions,
    /// Stored: what is still to be asked.
    pub intents: Intents,
    /// Stored: the plan that was good last.
    pub accepted: Option<Plan>,
    /// Who was told to move and has not arrived.
    under_way: Vec<Mover>,
}

/// A group of workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Which.
    pub id: WorkerGroup,
    /// `spec.template.spec.version`.
    pub version: KubeVersion,
    /// Its machines.
    pub machines: Machines,
    /// What becomes of it.
    pub course: Course<KubeVersion>,
    /// Who put off its upgrade.
    pub deferral: Option<Deferral>,
    /// Why its machines cannot be seen.
    pub unseen: Option<String>,
    /// Whoever keeps its version, if not we.
    pub owner: Option<String>,
}

/// Who names the versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planner {
    /// Nobody: one minor at a time.
    OneMinor,
    /// A list.
    List(Vec<String>),
    /// An extension.
    Extension {
        /// The versions that it takes the control plane through.
        versions: Vec<String>,
        /// Those that it takes the workers through; empty leaves them to us.
        workers: Vec<String>,
        /// Why it does not answer.
        down: Option<String>,
    },
}

impl World {
    /// A cluster of which all is at one version, with nothing to do.
    #[must_use]
    pub fn new(version: &KubeVersion, control_plane: usize, now: Timestamp) -> Self {
        Self {
            now,
            target: version.clone(),
            halt: None,
            stop: false,
            version: version.clone(),
            machines: Machines::new(control_plane, version, now),
            is_missing: false,
            is_silent: false,
            owner: None,
            pools: Vec::new(),
            planner: Planner::OneMinor,
            concurrency: Concurrency::default(),
            stages: Vec::new(),
            gates: Gates::default(),
            forbidding: Vec::new(),
            extensions: Extensions::default(),
            intents: Intents::default(),
            accepted: None,
            under_way: Vec::new(),
        }
    }

    /// What is seen of it, with the answers that somebody remembers.
    #[must_use]
    pub fn observe(&self, answers: Answers) -> Observed {
        let standing = match self.is_silent {
            true => Standing::Silent,
            false => self.machines.standing(&self.version, self.now),
        };
        let control_plane = ControlPlane {
            name: "control plane".into(),
            version: self.version.clone(),
            standing,
            owner: self.owner.clone(),
        };
        let mut observed = Observed {
            now: self.now,
            target: self.target.clone(),
            halt: self.halt.clone(),
            stop: self.stop.then(|| "spec.stop".to_owned()),
            control_plane: (!self.is_missing).then_some(control_plane),
            groups: self.pools.iter().map(|pool| pool.seen(self.now)).collect(),
            concurrency: self.concurrency,
            stages: self.stages.clone(),
            gates: self.gates.clone(),
            forbidding: self.forbidding.clone(),
            planned: Planned::default(),
            intents: self.intents.clone(),
            answered: self.extensions.answered.clone(),
            answers,
        };
        let source = self.planner.source(&observed);
        observed.planned = Planned::of(&observed.situation(), &source, self.accepted.as_ref());
        observed
    }

    /// Takes note that a version was written.
    pub(crate) fn told(&mut self, mover: Mover) {
        if !self.under_way.contains(&mover) {
            self.under_way.push(mover);
        }
    }

    /// Lets machines go on as the time has come to, and tells who has arrived.
    pub fn pass(&mut self) -> Vec<Event> {
        let now = self.now;
        if matches!(self.gates.window, Window::Closed { opens: Some(opens), .. } if opens <= now) {
            self.gates.window = Window::Always;
        }
        self.machines.roll(&self.version, now);
        for pool in &mut self.pools {
            pool.machines.roll(&pool.version, now);
        }
        let mut arrived = Vec::new();
        let under_way = std::mem::take(&mut self.under_way);
        for mover in under_way {
            let found = match &mover {
                Mover::ControlPlane => Some((&self.version, &self.machines)),
                Mover::Group(id) => {
                    let pool = self.pools.iter().find(|pool| pool.id == *id);
                    pool.map(|pool| (&pool.version, &pool.machines))
                }
            };
            // One that is gone never arrives.
            let Some((version, machines)) = found else { continue };
            if machines.standing(version, now) == Standing::Settled {
                arrived.push(Event::Arrived { mover, version: version.clone() });
                self.gates.still_since = Some(now);
            } else {
                self.under_way.push(mover);
            }
        }
        arrived
    }

    /// When something happens by itself.
    #[must_use]
    pub fn next(&self) -> Option<Timestamp> {
        let pools = self.pools.iter().filter_map(|pool| pool.machines.next(self.now));
        pools.chain(self.machines.next(self.now)).min()
    }

    /// Whether everything is at the target and runs it.
    #[must_use]
    pub fn is_at_target(&self) -> bool {
        let is_there = |version: &KubeVersion, machines: &Machines| {
            *version == self.target && machines.standing(version, self.now) == Standing::Settled
        };
        let mut following = self.pools.iter().filter(|pool| pool.course == Course::Follows);
        is_there(&self.version, &self.machines) && following.all(|pool| is_there(&pool.version, &pool.machines))
    }
}

impl Pool {
    /// One that follows the control plane, all machines of which run this version.
    #[must_use]
    pub fn new(kind: GroupKind, name: &str, version: &KubeVersion, machines: Machines) -> Self {
        Self {
            id: WorkerGroup { kind, name: name.to_owned() },
            version: version.clone(),
            machines,
            course: Course::Follows,
            deferral: None,
            unseen: None,
            owner: None,
        }
    }

    fn seen(&self, now: Timestamp) -> Group {
        let Self { id, version, machines, course, deferral, unseen, owner } = self;
        let standing = match unseen {
            Some(why) => Standing::Unseen(why.clone()),
            None => machines.standing(version, now),
        };
        Group {
            id: id.clone(),
            version: version.clone(),
            standing,
            oldest: machines.oldest(),
            course: course.clone(),
            deferral: deferral.clone(),
            owner: owner.clone(),
        }
    }
}

impl Planner {
    /// What it says to the question that the cluster raises now.
    fn source(&self, observed: &Observed) -> Source {
        match self {
            Self::OneMinor => Source::OneMinor,
            Self::List(versions) => {
                Source::VersionList(VersionList { origin: ListOrigin::Given, versions: versions.clone() })
            }
            Self::Extension { versions, workers, down } => {
                let answer = match down {
                    Some(why) => Err(ExtensionError::Failed(why.clone())),
                    None => Ok(answer(versions, workers, observed)),
                };
                Source::Extension(Extension { name: "generate-upgrade-plan.rehearsal".into(), answer })
            }
        }
    }
}

/// An extension answers what of its lists is left for the cluster as it is.
fn answer(versions: &[String], workers: &[String], observed: &Observed) -> Answer {
    let situation = observed.situation();
    let left = |list: &[String], from: Option<&KubeVersion>| -> Vec<String> {
        let is_left = |text: &&String| {
            let Ok(version) = text.parse::<KubeVersion>() else { return true };
            let is_ahead = from.is_some_and(|from| version.compare(from) == Comparison::Greater);
            is_ahead && version.compare(&situation.target) != Comparison::Greater
        };
        list.iter().filter(is_left).cloned().collect()
    };
    let is_there = situation.control_plane.as_ref() == Some(&situation.target);
    let control_plane = if is_there { Vec::new() } else { left(versions, situation.control_plane.as_ref()) };
    let min = situation.min_workers();
    // Workers go only where the control plane is or will be.
    let is_passed = |text: &String| {
        let at = situation.control_plane.as_ref();
        let version = text.parse::<KubeVersion>().ok();
        version.zip(at).is_some_and(|(version, at)| version.compare(at) == Comparison::Less)
    };
    let mut workers = if min == Some(&situation.target) { Vec::new() } else { left(workers, min) };
    workers.retain(|text| !is_passed(text));
    Answer { control_plane, workers }
}
