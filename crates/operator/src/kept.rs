//! One object that is kept in the API: what it should say, what was written, and when to write it next.

use headway_core::pace::{Change, Limits, Mode, Pace};
use jiff::{SignedDuration, Timestamp};

use crate::rendering::Body;
use crate::writer::Outcome;

/// What an object says.
pub(crate) trait Content: Clone + PartialEq {
    /// How what is known differs from what was written.
    fn change_from(&self, written: &Self) -> Change;

    /// When what it says was seen, where it says so.
    fn observed_at(&self) -> Option<Timestamp>;
}

/// An object that is kept.
pub(crate) struct Kept<B = Body> {
    pace: Pace,
    /// The status as it was last written, or read back.
    written: Option<B>,
    wanted: Wanted<B>,
    /// Is being written at this moment.
    pub(crate) in_flight: bool,
    /// What the server refused: not offered again.
    refused: Option<B>,
    failures: u32,
}

/// What an object should say.
#[derive(Debug, Clone, PartialEq)]
enum Wanted<B> {
    /// Nobody has looked yet.
    Unknown,
    /// This.
    Body(B),
    /// It should not be there.
    Nothing,
}

/// The longest pause after a failed write.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_secs(60);

impl<B: Content> Kept<B> {
    /// One that is not there yet.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            pace: Pace::new(limits),
            written: None,
            wanted: Wanted::Unknown,
            in_flight: false,
            refused: None,
            failures: 0,
        }
    }

    /// One that was read back: nothing is written because we began anew. Where it does not say when it was written,
    /// that counts as now.
    pub(crate) fn read_back(limits: Limits, written: B, now: Timestamp) -> Self {
        let mut kept = Self::new(limits);
        kept.pace.wrote(written.observed_at().unwrap_or(now));
        kept.written = Some(written);
        kept
    }

    /// What was written last of an object that is to stay.
    pub(crate) fn stands(&self) -> Option<&B> {
        self.written.as_ref().filter(|_| !self.is_to_go())
    }

    /// Whether it should not be there.
    pub(crate) fn is_to_go(&self) -> bool {
        self.wanted == Wanted::Nothing
    }

    /// Takes note of what it should say. One that was to go and returns is told anew, whatever becomes of its deletion.
    pub(crate) fn want(&mut self, wanted: B, mode: Mode, now: Timestamp) {
        if self.is_to_go() {
            self.written = None;
        }
        self.wanted = Wanted::Body(wanted);
        self.pace.note(self.difference(), mode, now);
    }

    /// Takes note that it should not be there.
    pub(crate) fn unwant(&mut self, mode: Mode, now: Timestamp) {
        self.wanted = Wanted::Nothing;
        self.pace.note(self.difference(), mode, now);
    }

    /// How what it should say differs from what was written.
    fn difference(&self) -> Change {
        match (&self.wanted, &self.written) {
            (Wanted::Unknown, _) => Change::None,
            (Wanted::Body(wanted), Some(written)) => wanted.change_from(written),
            (Wanted::Body(_), None) | (Wanted::Nothing, _) => Change::Health,
        }
    }

    /// When to write it next; `None` while it is being written, or when the server would only refuse it again.
    pub(crate) fn due(&self, now: Timestamp) -> Option<Timestamp> {
        let has_work = match &self.wanted {
            Wanted::Unknown => false,
            Wanted::Body(wanted) => self.refused.as_ref() != Some(wanted),
            Wanted::Nothing => true,
        };
        (!self.in_flight && has_work).then(|| self.pace.due(now))
    }

    /// Hands out what to write; `None` is to delete it.
    pub(crate) fn begin(&mut self) -> Option<B> {
        self.in_flight = true;
        match &self.wanted {
            Wanted::Body(wanted) => Some(wanted.clone()),
            Wanted::Unknown | Wanted::Nothing => None,
        }
    }

    /// Takes note of what became of a write; `offered` is what was to be written, `None` in a deletion.
    pub(crate) fn end(&mut self, offered: Option<B>, outcome: &Outcome, now: Timestamp) -> Next {
        self.in_flight = false;
        match outcome {
            Outcome::Written if offered.is_none() && self.is_to_go() => Next::Forget,
            Outcome::Written => {
                self.written = offered;
                (self.refused, self.failures) = (None, 0);
                self.pace.wrote(now);
                // What changed while the write was under way is still to be told.
                self.pace.note(self.difference(), self.pace.mode(), now);
                Next::Keep
            }
            Outcome::TooLarge(_) | Outcome::Invalid(_) => {
                self.refused = offered;
                Next::Smaller
            }
            Outcome::NotServed | Outcome::Forbidden(_) | Outcome::Failed { .. } => {
                let asked = match outcome {
                    Outcome::Failed { pause, .. } => pause.unwrap_or(SignedDuration::ZERO),
                    _ => SignedDuration::ZERO,
                };
                self.pause(asked, now);
                Next::Keep
            }
        }
    }

    /// Waits before it is written again: longer each time, and no less than asked for.
    pub(crate) fn pause(&mut self, asked: SignedDuration, now: Timestamp) {
        self.failures = self.failures.saturating_add(1);
        let growing = SignedDuration::from_secs(1_i64 << self.failures.min(6));
        self.pace.failed(now, growing.max(asked).min(LONGEST_PAUSE));
    }
}

/// What becomes of an object after a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// It is kept.
    Keep,
    /// It is gone, and is to be.
    Forget,
    /// It must be made smaller before it is offered again.
    Smaller,
}

#[cfg(test)]
mod tests {
    use headway_api::update::health::HealthInsight;
    use serde_json::json;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + seconds).unwrap()
    }

    fn body(summary: &str) -> Body {
        let insight: HealthInsight = serde_json::from_value(json!({
            "startedAt": "2026-05-04T12:00:00Z",
            "scope": { "type": "WorkerPool" },
            "impact": { "level": "Warning", "type": "None", "summary": summary },
            "remediation": { "reference": "" },
        }))
        .unwrap();
        Body::Health(Box::new(insight))
    }

    fn kept() -> Kept {
        let mut kept = Kept::new(Limits::default());
        kept.want(body("first"), Mode::Active, at(0));
        kept
    }

    #[test]
    fn what_changes_while_it_is_written_is_due_soon_after() {
        let mut kept = kept();
        let offered = kept.begin();
        kept.want(body("second"), Mode::Active, at(1));
        assert_eq!(kept.due(at(1)), None, "one write at a time");
        assert_eq!(kept.end(offered, &Outcome::Written, at(2)), Next::Keep);
        assert_eq!(kept.due(at(2)), Some(at(4)), "two seconds after the write, and not when it would be confirmed");
        assert_eq!(kept.begin(), Some(body("second")));
    }

    #[test]
    fn what_should_go_while_it_is_written_goes_soon_after() {
        let mut kept = kept();
        let offered = kept.begin();
        kept.unwant(Mode::Active, at(1));
        assert_eq!(kept.end(offered, &Outcome::Written, at(2)), Next::Keep);
        assert_eq!(kept.due(at(2)), Some(at(4)));
        assert_eq!(kept.begin(), None, "it is deleted");
        assert_eq!(kept.end(None, &Outcome::Written, at(5)), Next::Forget);
    }

    #[test]
    fn what_returns_while_it_is_deleted_is_told_anew() {
        let mut kept = kept();
        let offered = kept.begin();
        kept.end(offered, &Outcome::Written, at(0));
        kept.unwant(Mode::Active, at(10));
        assert_eq!((kept.begin(), kept.stands()), (None, None));
        kept.want(body("first"), Mode::Active, at(11));
        assert_eq!(kept.end(None, &Outcome::Written, at(12)), Next::Keep);
        assert_eq!(kept.due(at(12)), Some(at(14)));
        assert_eq!(kept.begin(), Some(body("first")));
    }
}
