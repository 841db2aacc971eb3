//! A decision in the making: what is known, what was decided so far, and where it stopped.

use headway_api::hooks::{LifecycleCall, StepAhead, StepBehind, UpgradeStep};
use jiff::Timestamp;

use super::answers::Said;
use super::decision::{Decision, Effect};
use super::gate::StepId;
use super::intent::Intents;
use super::observed::Observed;
use super::waiting::{Wait, WaitingOn};
use crate::version::KubeVersion;

/// Nothing further is decided now; why is in the course.
pub(super) struct Stopped;

/// A decision in the making.
pub(super) struct Course<'a> {
    pub(super) observed: &'a Observed,
    /// What is to be asked, as it is to be stored.
    pub(super) intents: Intents,
    effects: Vec<Effect>,
    waiting_on: Vec<Wait>,
    rests_on: Vec<LifecycleCall>,
}

impl<'a> Course<'a> {
    pub(super) fn new(observed: &'a Observed) -> Self {
        Self {
            observed,
            intents: observed.intents.clone(),
            effects: Vec::new(),
            waiting_on: Vec::new(),
            rests_on: Vec::new(),
        }
    }

    /// Something is to be done.
    pub(super) fn act(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// Something is waited for.
    pub(super) fn wait(&mut self, wait: impl Into<Wait>) {
        self.waiting_on.push(wait.into());
    }

    /// Something is waited for, and before it nothing else is decided.
    pub(super) fn stop<T>(&mut self, wait: impl Into<Wait>) -> Result<T, Stopped> {
        self.wait(wait);
        Err(Stopped)
    }

    /// Passes when there is a plan.
    pub(super) fn planned(&mut self) -> Result<(), Stopped> {
        match &self.observed.planned.trouble {
            None => Ok(()),
            Some(trouble) => self.stop(WaitingOn::Plan { trouble: trouble.clone() }),
        }
    }

    /// Passes when something new may begin while the control plane is at this version: nobody asked to stop, and there
    /// is a plan.
    pub(super) fn begin_anything(&mut self, at: &KubeVersion) -> Result<(), Stopped> {
        match &self.observed.stop {
            None => self.planned(),
            Some(by) => self.stop(WaitingOn::Stopped { by: by.clone(), at: at.clone() }),
        }
    }

    /// Passes when every gate is open for a step that begins now; otherwise all that are closed are told.
    pub(super) fn pass(&mut self, step: &StepId) -> Result<(), Stopped> {
        let Observed { gates, target, now, .. } = self.observed;
        self.all_open(gates.closed(step, target, *now))
    }

    /// Passes when every gate is open for anything new within a step that has begun.
    pub(super) fn pass_within(&mut self) -> Result<(), Stopped> {
        self.all_open(self.observed.gates.closed_to_all(self.observed.now))
    }

    fn all_open(&mut self, mut closed: Vec<Wait>) -> Result<(), Stopped> {
        let is_open = closed.is_empty();
        self.waiting_on.append(&mut closed);
        if is_open { Ok(()) } else { Err(Stopped) }
    }

    /// Passes when nobody who answers a hook has anything against it.
    pub(super) fn ask(&mut self, call: LifecycleCall) -> Result<(), Stopped> {
        let hook = call.hook();
        if !self.observed.answered.contains(&hook) {
            return Ok(());
        }
        let (on, since, until) = match self.observed.answers.said(&call, self.observed.now) {
            None => {
                self.act(Effect::Ask(call));
                return Err(Stopped);
            }
            Some(Said::Go) => {
                self.rests_on.push(call);
                return Ok(());
            }
            Some(Said::Wait { since, until, message }) => {
                (WaitingOn::Hook { hook, message: message.clone() }, *since, *until)
            }
            Some(Said::Failed { since, until, message }) => {
                (WaitingOn::HookFailed { hook, message: message.clone() }, *since, *until)
            }
        };
        self.stop(Wait { on, since: Some(since), until: Some(until) })
    }

    /// A step that is about to begin, with what is left of the plan.
    pub(super) fn ahead(&self, from: &KubeVersion, to: &KubeVersion) -> StepAhead {
        let plan = &self.observed.planned.plan;
        StepAhead {
            from_kubernetes_version: from.to_string(),
            to_kubernetes_version: to.to_string(),
            control_plane_upgrades: steps(&plan.control_plane),
            workers_upgrades: steps(&plan.workers),
        }
    }

    /// A step that is done, with what is left of the plan.
    pub(super) fn behind(&self, at: &KubeVersion) -> StepBehind {
        let plan = &self.observed.planned.plan;
        StepBehind {
            kubernetes_version: at.to_string(),
            control_plane_upgrades: steps(&plan.control_plane),
            workers_upgrades: steps(&plan.workers),
        }
    }

    /// The decision: what is to be asked is stored before anything else is done.
    pub(super) fn decision(self) -> Decision {
        let Self { observed, intents, mut effects, waiting_on, rests_on } = self;
        if intents != observed.intents {
            effects.insert(0, Effect::Record { before: observed.intents.clone(), after: intents });
        }
        let next = waiting_on.iter().filter_map(|wait| wait.until).min_by(Timestamp::cmp);
        Decision { effects, waiting_on, rests_on, next }
    }
}

fn steps(versions: &[KubeVersion]) -> Vec<UpgradeStep> {
    versions.iter().map(|version| UpgradeStep { version: version.to_string() }).collect()
}
