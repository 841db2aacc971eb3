//! What was answered to hooks. It is kept in memory only: who forgets it asks again, which extensions must bear.

use std::collections::BTreeMap;

use headway_api::hooks::{Lifecycle, LifecycleCall};
use jiff::Timestamp;

use super::decision::Decision;
use crate::hook::step_of;

/// What was answered, at most one answer for each hook: an answer about one step is none about another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<Lifecycle, (String, Said)>);

/// What a hook came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// Nobody has anything against it.
    Go,
    /// Somebody asks for time.
    Wait {
        /// Since when.
        since: Timestamp,
        /// When to ask again, and not before.
        until: Timestamp,
        /// Why, as it was answered.
        message: String,
    },
    /// Somebody failed, or could not be asked.
    Failed {
        /// Since when.
        since: Timestamp,
        /// When to ask again, and not before.
        until: Timestamp,
        /// What happened.
        message: String,
    },
}

impl Answers {
    /// What was said to a call; `None` when it is to be asked.
    #[must_use]
    pub fn said(&self, call: &LifecycleCall, now: Timestamp) -> Option<&Said> {
        let (step, said) = self.0.get(&call.hook())?;
        let is_over = match said {
            Said::Go => false,
            // A clock that was set back does not make anybody wait longer: it is asked again.
            Said::Wait { since, until, .. } | Said::Failed { since, until, .. } => *until <= now || now < *since,
        };
        (*step == step_of(call) && !is_over).then_some(said)
    }

    /// Takes note of what was said to a call. Who holds it up again has held it up since the first time.
    pub fn hear(&mut self, call: &LifecycleCall, mut said: Said) {
        let step = step_of(call);
        let before = self.0.get(&call.hook()).filter(|(known, _)| *known == step);
        let first = before.and_then(|(_, said)| said.since());
        match &mut said {
            Said::Go => {}
            Said::Wait { since, .. } | Said::Failed { since, .. } => {
                *since = first.map_or(*since, |first| first.min(*since));
            }
        }
        self.0.insert(call.hook(), (step, said));
    }

    /// Forgets what a decision did not rest on: that nobody had anything against a step says nothing of a later time.
    /// Who asked for time is not asked early, whatever happens meanwhile.
    pub fn settle(&mut self, decision: &Decision) {
        let rests_on = |hook: &Lifecycle, step: &str| {
            decision.rests_on.iter().any(|call| call.hook() == *hook && step_of(call) == *step)
        };
        self.0.retain(|hook, (step, said)| *said != Said::Go || rests_on(hook, step));
    }

    /// Forgets what a hook was answered: those who answer it are others now.
    pub fn forget(&mut self, hook: Lifecycle) {
        self.0.remove(&hook);
    }
}

impl Said {
    /// Since when it holds something up.
    fn since(&self) -> Option<Timestamp> {
        match self {
            Self::Go => None,
            Self::Wait { since, .. } | Self::Failed { since, .. } => Some(*since),
        }
    }
}
