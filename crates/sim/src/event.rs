//! What happens in a rehearsal.

use std::fmt;

use headway_api::hooks::LifecycleCall;
use headway_api::plan::WorkerGroup;
use headway_core::drive::{Intents, Said, Told, WaitingOn};
use headway_core::version::KubeVersion;
use jiff::Timestamp;

use crate::words;

/// An event with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Timestamp,
    /// What.
    pub event: Event,
}

/// Who moves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mover {
    /// The control plane.
    ControlPlane,
    /// A group of workers.
    Group(WorkerGroup),
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A hook was asked and answered.
    Asked {
        /// What was asked.
        call: LifecycleCall,
        /// What was said.
        said: Said,
    },
    /// What is still to be asked was stored.
    Recorded(Intents),
    /// A version was written.
    Moved {
        /// Whose.
        mover: Mover,
        /// The version that it had.
        from: KubeVersion,
        /// The version that it has.
        to: KubeVersion,
    },
    /// All machines of it run its version.
    Arrived {
        /// Who.
        mover: Mover,
        /// The version.
        version: KubeVersion,
    },
    /// Something went wrong, in words.
    Fault(String),
    /// What is waited for has changed: all of it.
    Waiting(Vec<WaitingOn>),
    /// There is nothing to do and nothing to wait for.
    Settled,
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControlPlane => f.write_str("control plane"),
            Self::Group(group) => group.fmt(f),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked { call, said } => {
                write!(f, "ask    {}: ", Told(call))?;
                match said {
                    Said::Go => f.write_str("go"),
                    Said::Wait { since: _, until: _, message } => write!(f, "wait, {message}"),
                    Said::Failed { since: _, until: _, message } => write!(f, "failed, {message}"),
                }
            }
            Self::Recorded(intents) => write!(f, "record {intents}"),
            Self::Moved { mover, from, to } => write!(f, "move   {mover} from {from} to {to}"),
            Self::Arrived { mover, version } => write!(f, "done   {mover} runs {version}"),
            Self::Fault(told) => write!(f, "fault  {told}"),
            Self::Waiting(waits) => {
                let told: Vec<String> = waits.iter().map(ToString::to_string).collect();
                // Under the first, behind the time.
                write!(f, "wait   {}", told.join("\n                "))
            }
            Self::Settled => f.write_str("settled"),
        }
    }
}

/// As a line of a transcript: the time since the beginning before it.
impl Moment {
    /// The line.
    #[must_use]
    pub fn line(&self, begin: Timestamp) -> String {
        format!("{} {}", words::clock(self.at.duration_since(begin)), self.event)
    }
}
