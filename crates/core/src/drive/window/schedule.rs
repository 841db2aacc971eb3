//! Schedules in the five fields of cron: minute, hour, day of month, month, day of week.
//!
//! What a CronJob of Kubernetes understands is understood, and means the same: lists, ranges, steps, names, `@daily` and
//! its like, `?` for `*`; where both fields of days say something, either of them names a day. Sunday may be 7 as well.
//!
//! Our own, and no crate: those for jiff read the time zones of the machine, add times in ways that panic at the end of
//! time, and cannot tell when a window opened last.

use headway_api::quoted::Quoted;
use jiff::civil::Date;

/// Times of the week and year, in no zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Schedule {
    minutes: u64,
    hours: u64,
    days: Days,
    months: u64,
}

/// Which days, within the months.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Days {
    /// Those that both fields name; one of them names all.
    Both { of_month: u64, of_week: u64 },
    /// Those that one of the fields names.
    Either { of_month: u64, of_week: u64 },
}

/// A text is not a schedule. The texts have no subject: whoever tells them names the object and the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// There are more or fewer fields.
    #[error(
        "{} has {count} fields, and a schedule has 5: minute, hour, day of month, month, day of week",
        Quoted(value)
    )]
    Fields {
        /// The whole.
        value: String,
        /// How many there are.
        count: usize,
    },
    /// The zone stands in the schedule.
    #[error("{} names a time zone, which belongs in timeZone", Quoted(value))]
    Zone {
        /// What names it.
        value: String,
    },
    /// It is a word that nobody knows.
    #[error("{} is none of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually", Quoted(value))]
    Word {
        /// The word.
        value: String,
    },
    /// A value is neither a number of the field nor a name.
    #[error("{} is no {field}, which is {from} to {to}", Quoted(value))]
    Value {
        /// The value.
        value: String,
        /// What it stands for.
        field: &'static str,
        /// The least that is one.
        from: u8,
        /// The greatest that is one.
        to: u8,
    },
    /// A range has its end before its beginning.
    #[error("{} of the {field} ends before it begins: write two ranges with a comma", Quoted(value))]
    Backwards {
        /// The range.
        value: String,
        /// What it stands for.
        field: &'static str,
    },
    /// A step is no number, zero, or so wide that it is never made.
    #[error("{} of the {field} has a step that is not 1 to {to}", Quoted(value))]
    Step {
        /// The range with its step.
        value: String,
        /// What it stands for.
        field: &'static str,
        /// The widest that is one.
        to: u8,
    },
}

/// One of the five fields.
struct Field {
    name: &'static str,
    from: u8,
    to: u8,
    /// Names of values, from `from` on.
    names: &'static [&'static str],
}

const MINUTE: Field = Field { name: "minute", from: 0, to: 59, names: &[] };
const HOUR: Field = Field { name: "hour", from: 0, to: 23, names: &[] };
const DAY: Field = Field { name: "day of month", from: 1, to: 31, names: &[] };
const MONTH: Field = Field {
    name: "month",
    from: 1,
    to: 12,
    names: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
const WEEKDAY: Field =
    Field { name: "day of week", from: 0, to: 7, names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

/// Words for whole schedules.
const WORDS: &[(&str, &str)] = &[
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

impl Schedule {
    pub(super) fn read(text: &str) -> Result<Self, ScheduleError> {
        let text = text.trim();
        if let Some(first) = text.split_whitespace().next().filter(|first| first.contains('=')) {
            return Err(ScheduleError::Zone { value: first.into() });
        }
        let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        let fields: Vec<&str> = match word {
            Some((_, meaning)) => meaning,
            None if text.starts_with('@') => return Err(ScheduleError::Word { value: text.into() }),
            None => text,
        }
        .split_whitespace()
        .collect();
        let [minute, hour, of_month, month, of_week] = fields[..] else {
            return Err(ScheduleError::Fields { value: text.into(), count: fields.len() });
        };
        let (minutes, hours, months) = (MINUTE.read(minute)?, HOUR.read(hour)?, MONTH.read(month)?);
        let names_all = is_any(of_month) || is_any(of_week);
        let (of_month, of_week) = (DAY.read(of_month)?, WEEKDAY.read(of_week)?);
        // Sunday is the day before Monday and the day after Saturday.
        let of_week = (of_week | of_week >> 7) & 0x7f;
        let days = if names_all { Days::Both { of_month, of_week } } else { Days::Either { of_month, of_week } };
        Ok(Self { minutes, hours, days, months })
    }

    /// Whether some day of a month can have a time of it.
    pub(super) fn names_month(&self, date: Date) -> bool {
        holds(self.months, date.month())
    }

    /// Whether a day has a time of it.
    pub(super) fn names_day(&self, date: Date) -> bool {
        let (day, weekday) = (date.day(), date.weekday().to_sunday_zero_offset());
        self.names_month(date)
            && match self.days {
                Days::Both { of_month, of_week } => holds(of_month, day) && holds(of_week, weekday),
                Days::Either { of_month, of_week } => holds(of_month, day) || holds(of_week, weekday),
            }
    }

    /// The hours and minutes of a day, in their order.
    pub(super) fn times(&self) -> impl DoubleEndedIterator<Item = (i8, i8)> {
        let hours = (0..24).filter(|hour| holds(self.hours, *hour));
        hours.flat_map(|hour| (0..60).filter(|minute| holds(self.minutes, *minute)).map(move |minute| (hour, minute)))
    }
}

fn holds(set: u64, value: i8) -> bool {
    set >> value & 1 == 1
}

fn is_any(text: &str) -> bool {
    // As for CronJobs: a step makes it a choice.
    text.split(',').any(|part| matches!(part, "*" | "?"))
}

impl Field {
    /// The values that a field names, a bit for each.
    fn read(&self, text: &str) -> Result<u64, ScheduleError> {
        text.split(',').try_fold(0, |all, part| Ok(all | self.part(part)?))
    }

    fn part(&self, part: &str) -> Result<u64, ScheduleError> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(self.step(part, step)?)),
            None => (part, None),
        };
        let (from, to) = match range.split_once('-') {
            _ if is_any(range) => (self.from, self.last()),
            Some((from, to)) => self.range(range, from, to)?,
            None => {
                let from = self.value(range)?;
                // A beginning with a step goes on to the end.
                (from, if step.is_some() { self.last().max(from) } else { from })
            }
        };
        let every = usize::from(step.unwrap_or(1));
        Ok((from..=to).step_by(every).fold(0, |set, value| set | 1 << value))
    }

    fn range(&self, range: &str, from: &str, to: &str) -> Result<(u8, u8), ScheduleError> {
        let (from, mut to) = (self.value(from)?, self.value(to)?);
        // Of a week that ends with Sunday.
        if self.to == 7 && to == 0 && from > 0 {
            to = 7;
        }
        if to < from {
            return Err(ScheduleError::Backwards { value: range.into(), field: self.name });
        }
        Ok((from, to))
    }

    fn step(&self, part: &str, step: &str) -> Result<u8, ScheduleError> {
        let to = self.last() - self.from;
        let read = digits(step).filter(|step| (1..=to).contains(step));
        read.ok_or_else(|| ScheduleError::Step { value: part.into(), field: self.name, to })
    }

    fn value(&self, text: &str) -> Result<u8, ScheduleError> {
        let named = (self.from..).zip(self.names).find(|(_, name)| name.eq_ignore_ascii_case(text));
        let value = named.map(|(value, _)| value).or_else(|| digits(text));
        let Self { name, from, to, names: _ } = *self;
        value.filter(|value| (from..=to).contains(value)).ok_or_else(|| ScheduleError::Value {
            value: text.into(),
            field: name,
            from,
            to,
        })
    }

    /// The greatest value that is not another name of the least.
    fn last(&self) -> u8 {
        if self.to == 7 { 6 } else { self.to }
    }
}

/// A number without a sign, which the standard library would let pass.
fn digits(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
