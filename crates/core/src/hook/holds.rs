//! Who asked for time: until it is over, a hook is not asked again, however often anybody looks (chained-upgrades.md,
//! 4.2 and 10-13).

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use headway_api::hooks::{Hook, LifecycleCall, StepAhead, StepBehind, Verdict};
use jiff::Timestamp;

use super::registry::Fingerprint;

/// What a hook is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The uid of the cluster, or of the machine for hooks that are about one. Another cluster of the same name has
    /// another one.
    pub uid: String,
    /// The hook.
    pub hook: Hook,
    /// The step, such as [`step_of`] names it: what was asked of one step is not answered for the next.
    pub step: String,
    /// Who answers, with the generation of its configuration.
    pub handlers: Fingerprint,
}

/// The hooks that hold something up, one for each object and hook.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holds(BTreeMap<(String, Hook), Hold>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hold {
    step: String,
    handlers: Fingerprint,
    since: Timestamp,
    seconds: NonZeroU32,
    message: String,
}

/// What is left of a hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// As many seconds are left, rounded up: asked again after them, the hook is not asked too early.
    pub seconds: NonZeroU32,
    /// Why, as it was answered.
    pub message: String,
}

impl Holds {
    /// What holds the subject up at `now`; `None` when it is to be asked.
    ///
    /// A clock that was set back does not make a hold longer than what was asked for: the hook is asked again then.
    #[must_use]
    pub fn held(&self, subject: &Subject, now: Timestamp) -> Option<Held> {
        let Subject { uid, hook, step, handlers } = subject;
        let hold = self.0.get(&(uid.clone(), *hook))?;
        if hold.step != *step || hold.handlers != *handlers {
            return None;
        }
        let passed = now.duration_since(hold.since);
        if passed.is_negative() {
            return None;
        }
        // A second that has begun is not over.
        let passed = u32::try_from(passed.as_secs()).ok()?;
        let seconds = NonZeroU32::new(hold.seconds.get().checked_sub(passed)?)?;
        Some(Held { seconds, message: hold.message.clone() })
    }

    /// Remembers what the subject was answered at `now`: a time to wait, or nothing.
    pub fn record(&mut self, subject: &Subject, verdict: &Verdict, now: Timestamp) {
        let Subject { uid, hook, step, handlers } = subject;
        let key = (uid.clone(), *hook);
        match verdict {
            Verdict::Go { .. } => drop(self.0.remove(&key)),
            Verdict::Wait { seconds, asked: _, message } => {
                let (step, handlers) = (step.clone(), handlers.clone());
                let hold = Hold { step, handlers, since: now, seconds: *seconds, message: message.clone() };
                self.0.insert(key, hold);
            }
        }
    }

    /// Forgets an object that is gone.
    pub fn forget(&mut self, uid: &str) {
        self.0.retain(|(known, _), _| known != uid);
    }
}

/// The step that a call is about, by its versions; empty where there is none.
#[must_use]
pub fn step_of(call: &LifecycleCall) -> String {
    match call {
        LifecycleCall::BeforeClusterCreate
        | LifecycleCall::AfterControlPlaneInitialized
        | LifecycleCall::BeforeClusterDelete => String::new(),
        LifecycleCall::BeforeClusterUpgrade(step)
        | LifecycleCall::BeforeControlPlaneUpgrade(step)
        | LifecycleCall::BeforeWorkersUpgrade(step) => {
            let StepAhead { from_kubernetes_version, to_kubernetes_version, .. } = step;
            format!("{from_kubernetes_version} to {to_kubernetes_version}")
        }
        LifecycleCall::AfterControlPlaneUpgrade(StepBehind { kubernetes_version, .. })
        | LifecycleCall::AfterWorkersUpgrade(StepBehind { kubernetes_version, .. })
        | LifecycleCall::AfterClusterUpgrade { kubernetes_version } => kubernetes_version.clone(),
    }
}
