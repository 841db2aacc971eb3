//! What an answer means, or its absence, and what those of several handlers mean together (chained-upgrades.md, 4.5
//! and 5.6).

use std::fmt;
use std::num::NonZeroU32;

use headway_api::hooks::{FailurePolicy, Family, Hook, Verdict, told};
use headway_api::quoted::with_causes;

use super::fault::{CallFault, HookError};
use super::registry::{Handler, Trouble};

/// What one handler is understood to say.
#[derive(Debug)]
pub enum Heard {
    /// What it answered.
    Answer(Verdict),
    /// It did not answer, and its `failurePolicy` passes over that: as if it had nothing against it. Nothing of a
    /// response that was broken is kept.
    Passed(HookError),
}

/// What a hook comes to.
#[derive(Debug)]
pub struct Outcome {
    /// What all of the handlers say together.
    pub verdict: Verdict,
    /// What is to be told beside it, in the order of the handlers.
    pub notes: Vec<Note>,
}

/// Something that does not change the outcome and must not go unsaid.
#[derive(Debug)]
pub enum Note {
    /// A failure that was passed over.
    Passed(HookError),
    /// The extension was asked as it was known, since its last discovery failed.
    Trouble(Trouble),
}

/// What is heard of a handler that was asked `hook`.
///
/// # Errors
///
/// When it said that it failed, when nothing was heard and its `failurePolicy` is `Fail`, and when nothing was heard to
/// a hook whose success reports something: that an update is done, or what the plan is. An outage reports nothing.
pub fn hear(handler: &Handler, hook: Hook, answer: Result<Verdict, CallFault>) -> Result<Heard, HookError> {
    let cause = match answer {
        Ok(verdict) => return Ok(Heard::Answer(verdict)),
        Err(cause) => cause,
    };
    let is_passed = match handler.failure_policy() {
        FailurePolicy::Ignore => cause.is_ignorable() && !reports(hook),
        FailurePolicy::Fail => false,
    };
    let error = HookError::Call { hook, handler: handler.name.clone(), cause };
    if is_passed { Ok(Heard::Passed(error)) } else { Err(error) }
}

/// Whether a success reports something, and does not only have nothing against what is to come.
fn reports(hook: Hook) -> bool {
    match hook.family() {
        Family::Lifecycle => false,
        Family::InPlace => hook == Hook::UpdateMachine,
        Family::Discovery | Family::UpgradePlan | Family::Topology => true,
    }
}

impl Outcome {
    /// Puts together what handlers were heard to say, in their order: whoever asks for the shortest time decides when
    /// all are asked again, and every message is told.
    #[must_use]
    pub fn of(heard: Vec<(Handler, Heard)>) -> Self {
        let mut shortest: Option<(NonZeroU32, i32)> = None;
        let (mut messages, mut notes) = (Vec::new(), Vec::new());
        for (handler, heard) in heard {
            if let Some(reason) = handler.trouble {
                notes.push(Note::Trouble(Trouble { extension: handler.config.metadata.name.clone(), reason }));
            }
            let message = match heard {
                Heard::Answer(Verdict::Go { message }) => message,
                Heard::Answer(Verdict::Wait { seconds, asked, message }) => {
                    if shortest.is_none_or(|(least, _)| seconds < least) {
                        shortest = Some((seconds, asked));
                    }
                    message
                }
                Heard::Passed(error) => {
                    notes.push(Note::Passed(error));
                    continue;
                }
            };
            if !message.is_empty() {
                messages.push(message);
            }
        }
        let message = told(&messages.join(", "));
        let verdict = match shortest {
            Some((seconds, asked)) => Verdict::Wait { seconds, asked, message },
            None => Verdict::Go { message },
        };
        Self { verdict, notes }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed(error) => write!(f, "{}; its failurePolicy passes over that", with_causes(error)),
            Self::Trouble(Trouble { extension, reason }) => {
                write!(f, "the extension {extension} is asked as it was known before: {reason}")
            }
        }
    }
}
