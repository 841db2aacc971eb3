//! One object that is kept in the API: what it should say, what was written, and when to write it next.

use headway_core::pace::{Change, Limits, Mode, Pace};
use jiff::{SignedDuration, Timestamp};

use crate::rendering::Body;
use crate::writer::Outcome;

/// An object that is kept.
pub(crate) struct Kept {
    pace: Pace,
    /// The status as it was last written, or read back.
    written: Option<Body>,
    /// The status as it should be; `None` before the first look, and for an object that should not be there.
    wanted: Option<Body>,
    /// Should not be there.
    is_unwanted: bool,
    /// Is being written at this moment.
    pub(crate) in_flight: bool,
    /// What the server refused: not offered again.
    refused: Option<Body>,
    failures: u32,
}

/// The longest pause after a failed write.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(60);

impl Kept {
    /// One that is not there yet.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            pace: Pace::new(limits),
            written: None,
            wanted: None,
            is_unwanted: false,
            in_flight: false,
            refused: None,
            failures: 0,
        }
    }

    /// One that was read back: nothing is written because we began anew. Where it does not say when it was written,
    /// that counts as now.
    pub(crate) fn read_back(limits: Limits, written: Body, now: Timestamp) -> Self {
        let mut kept = Self::new(limits);
        kept.pace.wrote(written.observed_at().unwrap_or(now));
        kept.written = Some(written);
        kept
    }

    /// What was written last.
    pub(crate) fn written(&self) -> Option<&Body> {
        self.written.as_ref()
    }

    /// Takes note of what it should say.
    pub(crate) fn want(&mut self, wanted: Body, mode: Mode, now: Timestamp) {
        let change = match &self.written {
            Some(written) => wanted.change_from(written),
            None => Change::Health,
        };
        self.pace.note(change, mode, now);
        self.wanted = Some(wanted);
    }

    /// The same object, which should not be there any more.
    pub(crate) fn unwanted(mut self, mode: Mode, now: Timestamp) -> Self {
        self.pace.note(Change::Health, mode, now);
        (self.wanted, self.is_unwanted) = (None, true);
        self
    }

    /// When to write it next; `None` while it is being written, or when the server would only refuse it again.
    pub(crate) fn due(&self, now: Timestamp) -> Option<Timestamp> {
        let is_refused = self.wanted.is_some() && self.refused == self.wanted;
        let has_work = self.wanted.is_some() || self.is_unwanted;
        (!self.in_flight && !is_refused && has_work).then(|| self.pace.due(now))
    }

    /// Hands out what to write.
    pub(crate) fn begin(&mut self) -> Option<Body> {
        self.in_flight = true;
        self.wanted.clone()
    }

    /// Takes note of what became of a write. Answers whether it must be made smaller.
    pub(crate) fn end(&mut self, offered: Option<Body>, outcome: &Outcome, now: Timestamp) -> Smaller {
        self.in_flight = false;
        match outcome {
            Outcome::Written => {
                self.written = offered;
                (self.refused, self.failures) = (None, 0);
                self.pace.wrote(now);
                Smaller::No
            }
            Outcome::TooLarge(_) | Outcome::Invalid(_) => {
                self.refused = offered;
                Smaller::Yes
            }
            Outcome::NotServed | Outcome::Forbidden(_) | Outcome::Failed { .. } => {
                self.failures = self.failures.saturating_add(1);
                let growing = SignedDuration::from_secs(1_i64 << self.failures.min(6));
                let asked = match outcome {
                    Outcome::Failed { pause, .. } => pause.unwrap_or(SignedDuration::ZERO),
                    _ => SignedDuration::ZERO,
                };
                self.pace.failed(now, growing.max(asked).min(LONGEST_PAUSE));
                Smaller::No
            }
        }
    }
}

/// Whether an object must be made smaller before it is offered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Smaller {
    /// It must.
    Yes,
    /// It need not.
    No,
}
