//! Extensions that answer hooks as the script has them.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::hooks::{Lifecycle, LifecycleCall};
use headway_core::drive::Said;
use headway_core::hook::step_of;
use jiff::{SignedDuration, Timestamp};

/// What an extension says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Nothing against it.
    Go,
    /// It asks for so much time.
    Wait(SignedDuration, String),
    /// It fails, and is asked again after so much time.
    Fail(SignedDuration, String),
}

/// How a hook is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behaviour {
    /// What is said.
    pub reply: Reply,
    /// How often for each step, and then `Go`; absent for as long as the script does not change it.
    pub times: Option<u32>,
}

/// The extensions of a world.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extensions {
    /// The hooks that somebody answers.
    pub answered: BTreeSet<Lifecycle>,
    behaviours: BTreeMap<Lifecycle, Behaviour>,
    /// How often each step of a hook was asked about.
    asked: BTreeMap<(Lifecycle, String), u32>,
}

impl Extensions {
    /// From now on a hook is answered so.
    pub fn behave(&mut self, hook: Lifecycle, behaviour: Behaviour) {
        self.answered.insert(hook);
        self.behaviours.insert(hook, behaviour);
    }

    /// Answers a call.
    pub fn answer(&mut self, call: &LifecycleCall, now: Timestamp) -> Said {
        let hook = call.hook();
        let asked = self.asked.entry((hook, step_of(call))).or_default();
        *asked += 1;
        let Some(Behaviour { reply, times }) = self.behaviours.get(&hook) else { return Said::Go };
        if times.is_some_and(|times| *asked > times) {
            return Said::Go;
        }
        let after = |pause: &SignedDuration| now.checked_add(*pause).unwrap_or(Timestamp::MAX);
        match reply {
            Reply::Go => Said::Go,
            Reply::Wait(pause, message) => Said::Wait { since: now, until: after(pause), message: message.clone() },
            Reply::Fail(pause, message) => Said::Failed { since: now, until: after(pause), message: message.clone() },
        }
    }
}
