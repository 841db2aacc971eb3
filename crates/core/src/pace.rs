//! When to write: often enough to be true, rarely enough to be cheap (update-status-api.md, D8, D12, 5.5).
//!
//! Pure: changes and moments in, the moment of the next write out. Changes that come together are written together;
//! what needs attention is written sooner than progress; where no update runs, hardly anything is.

use jiff::{SignedDuration, Timestamp};

/// How different what is known is from what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Not at all, or only in how old it is.
    None,
    /// In how far the update is.
    Progress,
    /// In what needs attention, or in whether an update runs at all.
    Health,
}

/// Whether an update runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// One runs.
    Active,
    /// None does.
    Idle,
}

/// The limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A change waits so long for others that belong to it.
    pub settle: SignedDuration,
    /// Two writes are so far apart during an update.
    pub active: SignedDuration,
    /// Two writes are so far apart when the second tells of health.
    pub health: SignedDuration,
    /// Two writes are so far apart while no update runs.
    pub idle: SignedDuration,
    /// Without any change, what is written is confirmed so often.
    pub confirm: SignedDuration,
}

impl Limits {
    /// Those of the details of pools: they are large, and nobody waits for them.
    pub const DETAILS: Self = Self {
        settle: SignedDuration::from_secs(1),
        active: SignedDuration::from_secs(15),
        health: SignedDuration::from_secs(15),
        idle: SignedDuration::from_secs(60),
        confirm: SignedDuration::from_hours(24),
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            settle: SignedDuration::from_secs(1),
            active: SignedDuration::from_secs(5),
            health: SignedDuration::from_secs(2),
            idle: SignedDuration::from_secs(60),
            confirm: SignedDuration::from_mins(5),
        }
    }
}

/// When to write one object.
#[derive(Debug, Clone)]
pub struct Pace {
    limits: Limits,
    wrote: Option<Timestamp>,
    /// Since when changes of each kind wait to be written.
    progress_since: Option<Timestamp>,
    health_since: Option<Timestamp>,
    mode: Mode,
    /// Not before this moment: the server asked for a pause.
    not_before: Option<Timestamp>,
}

impl Pace {
    /// Nothing was written yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, wrote: None, progress_since: None, health_since: None, mode: Mode::Active, not_before: None }
    }

    /// Takes note of how what is known now differs from what was written. A change that was undone before it was
    /// written waits no more.
    pub fn note(&mut self, change: Change, mode: Mode, now: Timestamp) {
        self.mode = mode;
        // What lies ahead of a clock that was set back would be waited for until the clock is there again: us_s57.
        self.wrote = self.wrote.map(|wrote| wrote.min(now));
        self.not_before = self.not_before.map(|pause| pause.min(later(now, self.limits.idle)));
        let keep = |since: Option<Timestamp>| Some(since.map_or(now, |since| since.min(now)));
        (self.progress_since, self.health_since) = match change {
            Change::None => (None, None),
            Change::Progress => (keep(self.progress_since), None),
            Change::Health => (keep(self.progress_since), keep(self.health_since)),
        };
    }

    /// Whether an update ran when last a change was noted.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Takes note of a write.
    pub fn wrote(&mut self, now: Timestamp) {
        (self.wrote, self.progress_since, self.health_since, self.not_before) = (Some(now), None, None, None);
    }

    /// Takes note that a write failed; the next one waits at least so long.
    pub fn failed(&mut self, now: Timestamp, pause: SignedDuration) {
        self.not_before = Some(later(now, pause));
    }

    /// When to write next.
    #[must_use]
    pub fn due(&self, now: Timestamp) -> Timestamp {
        let Limits { settle, active, health, idle, confirm } = self.limits;
        // A last write that lies ahead is a clock that was set back.
        let wrote = self.wrote.map(|wrote| wrote.min(now));
        let spaced = |since: Timestamp, spacing: SignedDuration| {
            let settled = later(since, settle);
            wrote.map_or(settled, |wrote| later(wrote, spacing).max(settled))
        };
        let progress = self.progress_since.map(|since| match self.mode {
            Mode::Active => spaced(since, active),
            Mode::Idle => spaced(since, idle),
        });
        let health = self.health_since.map(|since| spaced(since, health));
        let confirmation = wrote.map_or(now, |wrote| later(wrote, confirm));
        let due = [progress, health].into_iter().flatten().fold(confirmation, Timestamp::min);
        self.not_before.map_or(due, |pause| due.max(pause.min(later(now, idle))))
    }
}

fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.saturating_add(by).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millisecond(1_000_000_000 + millis).unwrap()
    }

    fn millis(at: Timestamp) -> i64 {
        at.as_millisecond() - 1_000_000_000
    }

    #[test]
    fn d8_changes_are_gathered_and_spaced() {
        let check = |notes: &[(i64, Change, Mode)], expect: i64| {
            let mut pace = Pace::new(Limits::default());
            pace.wrote(at(0));
            let mut now = 0;
            for (moment, change, mode) in notes {
                now = *moment;
                pace.note(*change, *mode, at(now));
            }
            assert_eq!(millis(pace.due(at(now))), expect, "{notes:?}");
        };
        use Change::{Health, None, Progress};
        use Mode::{Active, Idle};
        check(&[], 300_000);
        check(&[(100, Progress, Active)], 5_000);
        check(&[(100, Progress, Active), (4_900, Progress, Active)], 5_000);
        check(&[(20_000, Progress, Active)], 21_000);
        check(&[(100, Health, Active)], 2_000);
        check(&[(100, Progress, Active), (200, Health, Active)], 2_000);
        check(&[(30_000, Health, Active)], 31_000);
        check(&[(100, Progress, Idle)], 60_000);
        check(&[(100, Health, Idle)], 2_000);
        // What was undone is not written.
        check(&[(100, Progress, Active), (200, None, Active)], 300_000);
        check(&[(100, Health, Active), (200, Progress, Active)], 5_000);
    }

    #[test]
    fn the_first_write_waits_for_nothing_but_its_neighbours() {
        let mut pace = Pace::new(Limits::default());
        pace.note(Change::Progress, Mode::Active, at(0));
        assert_eq!(millis(pace.due(at(0))), 0, "there is nothing yet that anybody could read");
    }

    #[test]
    fn us_s54_a_failed_write_pauses_and_us_s57_a_clock_set_back_does_not() {
        let mut pace = Pace::new(Limits::default());
        pace.wrote(at(0));
        pace.note(Change::Health, Mode::Active, at(100));
        pace.failed(at(2_000), SignedDuration::from_secs(10));
        assert_eq!(millis(pace.due(at(2_000))), 12_000);
        pace.wrote(at(12_000));
        for waited in [0, 2_000, 4_000] {
            pace.note(Change::Progress, Mode::Active, at(waited - 3_600_000));
            assert_eq!(millis(pace.due(at(waited - 3_600_000))), -3_600_000 + 5_000, "after {waited} ms");
        }
        pace.failed(at(20_000), SignedDuration::from_secs(50));
        for waited in [0, 2_000, 59_000] {
            pace.note(Change::Progress, Mode::Active, at(waited - 3_600_000));
            assert_eq!(millis(pace.due(at(waited - 3_600_000))), -3_600_000 + 60_000, "after {waited} ms");
        }
    }
}
