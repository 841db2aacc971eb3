//! The times of a schedule in a zone: the next after a moment, the last until it.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::schedule::Schedule;

/// So many years are looked through. The rarest day that there is, 29 February, comes again after eight, around a year
/// such as 2100: what does not come in nine never does.
const YEARS: i16 = 9;

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A direction in time.
#[derive(Clone, Copy)]
enum Way {
    On,
    Back,
}

impl Schedule {
    /// The first time after a moment.
    pub(super) fn next_after(&self, moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        self.find(moment, zone, Way::On)
    }

    /// The last time until a moment, that moment included.
    pub(super) fn last_until(&self, moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        self.find(moment, zone, Way::Back)
    }

    fn find(&self, moment: Timestamp, zone: &TimeZone, way: Way) -> Option<Timestamp> {
        let today = zone.to_datetime(moment).date();
        // From a day before on: where clocks are set about midnight, a time may fall into the next day.
        let mut date = way.against(today).unwrap_or(today);
        while (date.year() - today.year()).abs() <= YEARS {
            if let Some(found) = self.on(date, moment, zone, way) {
                // And for the same reason the next day may be first.
                let beside = way.along(date).and_then(|date| self.on(date, moment, zone, way));
                return way.first(beside.into_iter().chain([found]));
            }
            date = if self.names_month(date) { way.along(date)? } else { way.along_months(date)? };
        }
        None
    }

    /// The first time of a day in this direction from a moment.
    fn on(&self, date: Date, moment: Timestamp, zone: &TimeZone, way: Way) -> Option<Timestamp> {
        if !self.names_day(date) {
            return None;
        }
        let wanted = |at: &Timestamp| match way {
            Way::On => *at > moment,
            Way::Back => *at <= moment,
        };
        let Some(midnight) = plain(date, zone) else {
            return way.first(self.times().flat_map(|(hour, minute)| shown(date, hour, minute, zone)).filter(wanted));
        };
        let end = midnight.checked_add(DAY).unwrap_or(Timestamp::MAX);
        let over = match way {
            Way::On => end <= moment,
            Way::Back => midnight > moment,
        };
        if over {
            return None;
        }
        let at = |(hour, minute): (i8, i8)| {
            let since = SignedDuration::from_mins(i64::from(hour) * 60 + i64::from(minute));
            midnight.checked_add(since).ok()
        };
        match way {
            Way::On => self.times().filter_map(at).find(wanted),
            Way::Back => self.times().rev().filter_map(at).find(wanted),
        }
    }
}

impl Way {
    fn along(self, date: Date) -> Option<Date> {
        match self {
            Self::On => date.tomorrow().ok(),
            Self::Back => date.yesterday().ok(),
        }
    }

    fn against(self, date: Date) -> Option<Date> {
        match self {
            Self::On => Self::Back.along(date),
            Self::Back => Self::On.along(date),
        }
    }

    /// Over the rest of a month.
    fn along_months(self, date: Date) -> Option<Date> {
        match self {
            Self::On => date.last_of_month().tomorrow().ok(),
            Self::Back => date.first_of_month().yesterday().ok(),
        }
    }

    fn first(self, times: impl Iterator<Item = Timestamp>) -> Option<Timestamp> {
        match self {
            Self::On => times.min(),
            Self::Back => times.max(),
        }
    }
}

/// The beginning of a day in which no clock is set, which is nearly every one.
fn plain(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let midnight = |date: Date| zone.to_ambiguous_timestamp(date.at(0, 0, 0, 0)).unambiguous().ok();
    let (begins, ends) = (midnight(date)?, midnight(date.tomorrow().ok()?)?);
    (ends.duration_since(begins) == DAY).then_some(begins)
}

/// When clocks show a time: twice where they are set back, later where they never do.
fn shown(date: Date, hour: i8, minute: i8, zone: &TimeZone) -> impl Iterator<Item = Timestamp> {
    let time = || zone.to_ambiguous_timestamp(date.at(hour, minute, 0, 0));
    let second = if time().is_ambiguous() { time().later().ok() } else { None };
    time().compatible().ok().into_iter().chain(second)
}
