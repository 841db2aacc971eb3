//! Maintenance windows: whether now is a time for something new, by schedules, durations and time zones.
//!
//! A window opens whenever the clocks of its zone show a time of its schedule, and stays open for its duration, however
//! the clocks are set meanwhile. Where clocks are set back, a time comes twice, and the window opens both times. Where
//! they are set forward, a time that is left out comes as much later as the clocks jump: 02:30 as 03:30. So no window
//! falls out, and windows that follow one another in summer do so in the nights of the change.
//!
//! Schedules are read in `schedule`, and their times in `starts`.

mod schedule;
mod starts;

use headway_api::quoted::Quoted;
use headway_api::upgrade::spec::MaintenanceWindow;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};

use super::gate::Window;
use super::request::Refusal;
use crate::duration::{DurationError, read_go};
use schedule::Schedule;
pub use schedule::ScheduleError;

/// A window of a year is open whenever its schedule is not yet over: longer ones are mistakes, such as h for m.
const LONGEST: SignedDuration = SignedDuration::from_hours(365 * 24);

/// So many windows that follow one another are looked at, so that a window each minute costs no more than this. Whoever
/// is told the end of the last one looks again then.
const FOLLOWED: usize = 1_000;

/// All windows of a cluster. Without any, it is always time.
#[derive(Debug, Clone, Default)]
pub struct Calendar {
    slots: Vec<Slot>,
}

/// One window, read.
#[derive(Debug, Clone)]
struct Slot {
    schedule: Schedule,
    zone: TimeZone,
    lasts: SignedDuration,
}

/// A window that nobody can read, by its field.
///
/// As a [`Refusal`] it lets nothing begin: whoever wrote it meant to hold something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("spec.gates.windows[{index}].{}: {trouble}", trouble.field())]
pub struct CalendarError {
    /// Which.
    pub index: usize,
    /// What is the matter with it.
    pub trouble: WindowTrouble,
}

/// What is the matter with a window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WindowTrouble {
    /// The schedule is none.
    #[error("{0}")]
    Schedule(ScheduleError),
    /// The duration is none.
    #[error("{0}")]
    Duration(DurationError),
    /// The window never opens.
    #[error("{} is no time at all", Quoted(.0))]
    NoTime(String),
    /// The window is longer than a year.
    #[error("{} is longer than a year", Quoted(.0))]
    TooLong(String),
    /// There is no such time zone.
    #[error("{} is no name of the time zone database, such as Europe/Berlin or UTC", Quoted(.0))]
    TimeZone(String),
}

impl Calendar {
    /// Reads windows, in the order in which they are asked for.
    ///
    /// # Errors
    ///
    /// With the first that is wrong, by its field.
    pub fn read(asked: &[MaintenanceWindow]) -> Result<Self, CalendarError> {
        let read = |(index, asked)| Slot::read(asked).map_err(|trouble| CalendarError { index, trouble });
        Ok(Self { slots: asked.iter().enumerate().map(read).collect::<Result<_, _>>()? })
    }

    /// Whether a moment is a time for something new.
    #[must_use]
    pub fn at(&self, now: Timestamp) -> Window {
        if self.slots.is_empty() {
            return Window::Always;
        }
        // All windows of a slot are equally long: of those that have begun, the last to begin is the last to end.
        let ends =
            self.slots.iter().filter_map(|slot| slot.schedule.last_until(now, &slot.zone).map(|at| slot.end(at)));
        match ends.max() {
            Some(end) if end > now => Window::Open { until: self.follow(now, end) },
            since => {
                let opens = self.slots.iter().filter_map(|slot| slot.schedule.next_after(now, &slot.zone)).min();
                Window::Closed { since, opens }
            }
        }
    }

    /// The end of all windows that overlap or adjoin the one with this end.
    fn follow(&self, now: Timestamp, mut end: Timestamp) -> Timestamp {
        let next_of = |slot: &Slot, at| slot.schedule.next_after(at, &slot.zone);
        let mut ahead: Vec<_> = self.slots.iter().map(|slot| (slot, next_of(slot, now))).collect();
        for _ in 0..FOLLOWED {
            let begins = |next: Option<Timestamp>| next.is_some_and(|at| at <= end);
            let Some((slot, next)) = ahead.iter_mut().find(|(_, next)| begins(*next)) else { break };
            // Of all that begin by then, the last is the last to end.
            let Some(last) = slot.schedule.last_until(end, &slot.zone) else { break };
            *next = next_of(slot, last);
            end = end.max(slot.end(last));
        }
        end
    }
}

impl Slot {
    fn read(asked: &MaintenanceWindow) -> Result<Self, WindowTrouble> {
        let MaintenanceWindow { schedule, duration, time_zone } = asked;
        let schedule = Schedule::read(schedule).map_err(WindowTrouble::Schedule)?;
        let lasts = read_go(duration).map_err(WindowTrouble::Duration)?;
        if !lasts.is_positive() {
            return Err(WindowTrouble::NoTime(duration.clone()));
        }
        if lasts > LONGEST {
            return Err(WindowTrouble::TooLong(duration.clone()));
        }
        let zone = match time_zone.as_str() {
            "" => TimeZone::UTC,
            name => zone(name).ok_or_else(|| WindowTrouble::TimeZone(name.into()))?,
        };
        Ok(Self { schedule, zone, lasts })
    }

    fn end(&self, start: Timestamp) -> Timestamp {
        start.checked_add(self.lasts).unwrap_or(Timestamp::MAX)
    }
}

/// A zone by its name, from the database within: that of the machine may be another, or missing.
fn zone(name: &str) -> Option<TimeZone> {
    // `Etc/Unknown` is the database's word for none.
    TimeZoneDatabase::bundled().get(name).ok().filter(|zone| !zone.is_unknown())
}

impl WindowTrouble {
    /// The field of the window.
    fn field(&self) -> &'static str {
        match self {
            Self::Schedule(_) => "schedule",
            Self::Duration(_) | Self::NoTime(_) | Self::TooLong(_) => "duration",
            Self::TimeZone(_) => "timeZone",
        }
    }
}

impl From<CalendarError> for Refusal {
    fn from(CalendarError { index, trouble }: CalendarError) -> Self {
        Self::field(format!("spec.gates.windows[{index}].{}", trouble.field()), trouble.to_string())
    }
}
