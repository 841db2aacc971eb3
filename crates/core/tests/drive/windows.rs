//! Maintenance windows: schedules in zones, nights in which clocks are set, and what cannot be read.

use headway_api::upgrade::spec::MaintenanceWindow;
use headway_core::drive::{Calendar, Refusal, Window};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};

/// Schedule, duration and time zone.
type Asked = (&'static str, &'static str, &'static str);

fn window((schedule, duration, time_zone): Asked) -> MaintenanceWindow {
    MaintenanceWindow { schedule: schedule.into(), duration: duration.into(), time_zone: time_zone.into() }
}

fn calendar(asked: &[Asked]) -> Result<Calendar, String> {
    let asked: Vec<_> = asked.iter().copied().map(window).collect();
    Calendar::read(&asked).map_err(|error| {
        // In both of its forms it is told in the same words.
        assert_eq!(Refusal::from(error.clone()).to_string(), error.to_string());
        error.to_string()
    })
}

fn told(window: Window) -> String {
    let time = |at: Option<Timestamp>| at.map_or("?".into(), |at| format!("{at:.0}"));
    match window {
        Window::Always => "always".into(),
        Window::Open { until } => format!("open until {until:.0}"),
        Window::Closed { since, opens } => format!("closed {} to {}", time(since), time(opens)),
    }
}

/// At each of these moments, what the calendar says.
fn check(asked: &[Asked], moments: &[(&str, &str)]) {
    let calendar = calendar(asked).unwrap();
    for (now, expect) in moments {
        assert_eq!(told(calendar.at(now.parse().unwrap())), *expect, "{asked:?} at {now}");
    }
}

#[test]
fn a_window_opens_and_closes() {
    check(&[], &[("2026-06-01T00:00:00Z", "always")]);
    check(
        &[("0 22 * * 1-5", "4h", "Europe/Berlin")],
        &[
            // Friday, a summer evening.
            ("2026-06-05T19:59:59Z", "closed 2026-06-05T00:00:00Z to 2026-06-05T20:00:00Z"),
            ("2026-06-05T20:00:00Z", "open until 2026-06-06T00:00:00Z"),
            ("2026-06-05T23:59:59Z", "open until 2026-06-06T00:00:00Z"),
            ("2026-06-06T00:00:00Z", "closed 2026-06-06T00:00:00Z to 2026-06-08T20:00:00Z"),
            // A winter evening.
            ("2026-12-01T20:30:00Z", "closed 2026-12-01T01:00:00Z to 2026-12-01T21:00:00Z"),
        ],
    );
    check(&[("@daily", "90m", "")], &[("2026-06-05T01:00:00Z", "open until 2026-06-05T01:30:00Z")]);
    check(&[("30 4 * * *", "45s", "UTC")], &[("2026-06-05T04:30:44Z", "open until 2026-06-05T04:30:45Z")]);
    // A year of a window each year: it goes on for as long as anybody looks.
    check(&[("0 0 1 1 *", "8760h", "UTC")], &[("2025-03-01T00:00:00Z", "open until 2028-12-31T00:00:00Z")]);
}

#[test]
fn windows_that_overlap_or_adjoin_are_one() {
    check(
        &[("0 20 * * *", "2h", "UTC"), ("0 22 * * *", "1h", "UTC"), ("30 22 * * *", "1h", "UTC")],
        &[
            ("2026-06-05T20:00:00Z", "open until 2026-06-05T23:30:00Z"),
            ("2026-06-05T23:30:00Z", "closed 2026-06-05T23:30:00Z to 2026-06-06T20:00:00Z"),
        ],
    );
    // One within another, and one that ends before another which began earlier.
    check(
        &[("0 20 * * *", "5h", "UTC"), ("0 21 * * *", "1h", "UTC")],
        &[
            ("2026-06-05T21:30:00Z", "open until 2026-06-06T01:00:00Z"),
            ("2026-06-06T02:00:00Z", "closed 2026-06-06T01:00:00Z to 2026-06-06T20:00:00Z"),
        ],
    );
    // A minute is missing.
    check(
        &[("0 20 * * *", "119m", "UTC"), ("0 22 * * *", "1h", "UTC")],
        &[("2026-06-05T20:00:00Z", "open until 2026-06-05T21:59:00Z")],
    );
    check(
        &[("* 9-16 * * 1-5", "1m", "UTC"), ("0 17 5 6 *", "1h", "UTC")],
        &[("2026-06-05T09:00:30Z", "open until 2026-06-05T18:00:00Z")],
    );
    // In two zones.
    check(
        &[("0 2 * * *", "1h", "Europe/Berlin"), ("0 21 * * *", "2h", "America/New_York")],
        &[("2026-06-05T00:30:00Z", "open until 2026-06-05T03:00:00Z")],
    );
}

#[test]
fn ends_of_months_and_leap_days() {
    check(
        &[("0 0 31 * *", "24h", "UTC")],
        &[
            ("2026-04-15T00:00:00Z", "closed 2026-04-01T00:00:00Z to 2026-05-31T00:00:00Z"),
            ("2026-05-31T12:00:00Z", "open until 2026-06-01T00:00:00Z"),
        ],
    );
    check(
        &[("0 0 29 2 *", "1h", "UTC")],
        &[
            ("2026-01-01T00:00:00Z", "closed 2024-02-29T01:00:00Z to 2028-02-29T00:00:00Z"),
            ("2096-03-01T00:00:00Z", "closed 2096-02-29T01:00:00Z to 2104-02-29T00:00:00Z"),
        ],
    );
    // Either field of days names a day; `*/2` is a choice, as for CronJobs.
    check(
        &[("0 0 13 * 5", "1h", "UTC")],
        &[
            ("2026-06-06T00:00:00Z", "closed 2026-06-05T01:00:00Z to 2026-06-12T00:00:00Z"),
            ("2026-06-12T12:00:00Z", "closed 2026-06-12T01:00:00Z to 2026-06-13T00:00:00Z"),
        ],
    );
    check(
        &[("0 0 */20 * 5", "1h", "UTC")],
        &[("2026-06-19T12:00:00Z", "closed 2026-06-19T01:00:00Z to 2026-06-21T00:00:00Z")],
    );
    check(
        &[("0 0 ? 6 fri-SUN", "1h", "UTC")],
        &[("2026-06-01T00:00:00Z", "closed 2025-06-29T01:00:00Z to 2026-06-05T00:00:00Z")],
    );
    check(
        &[("10/20 6 * Jan,DEC 7", "1m", "UTC")],
        &[
            ("2026-12-06T06:10:30Z", "open until 2026-12-06T06:11:00Z"),
            ("2026-12-06T06:11:00Z", "closed 2026-12-06T06:11:00Z to 2026-12-06T06:30:00Z"),
        ],
    );
}

#[test]
fn what_never_comes_is_told_as_never() {
    for never in ["0 0 31 2 *", "0 0 30,31 feb ?", "0 0 31 4,6,9,11 *"] {
        check(&[(never, "1h", "Europe/Berlin")], &[("2026-06-05T00:00:00Z", "closed ? to ?")]);
    }
    check(
        &[("@yearly", "1h", "UTC")],
        &[
            ("9999-12-30T00:00:00Z", "closed 9999-01-01T01:00:00Z to ?"),
            ("-009999-01-03T00:00:00Z", "closed ? to -009998-01-01T00:00:00Z"),
        ],
    );
}

#[test]
fn where_clocks_are_set_forward_a_time_that_is_left_out_comes_later() {
    // Berlin, 29 March 2026: from 02:00 to 03:00, at 01:00 UTC.
    check(
        &[("30 2 * * *", "1h", "Europe/Berlin")],
        &[
            ("2026-03-29T01:29:59Z", "closed 2026-03-28T02:30:00Z to 2026-03-29T01:30:00Z"),
            ("2026-03-29T01:30:00Z", "open until 2026-03-29T02:30:00Z"),
            ("2026-03-29T02:30:00Z", "closed 2026-03-29T02:30:00Z to 2026-03-30T00:30:00Z"),
        ],
    );
    // A duration is a duration: four hours from one o'clock end at six.
    check(&[("0 1 * * 0", "4h", "Europe/Berlin")], &[("2026-03-29T03:59:00Z", "open until 2026-03-29T04:00:00Z")]);
    // New York, 8 March 2026, at 07:00 UTC.
    check(
        &[("30 2 8 3 *", "1h", "America/New_York")],
        &[
            ("2026-03-08T07:15:00Z", "closed 2025-03-08T08:30:00Z to 2026-03-08T07:30:00Z"),
            ("2026-03-08T08:00:00Z", "open until 2026-03-08T08:30:00Z"),
        ],
    );
    // Those that follow one another do so.
    check(&[("0 * 29 3 *", "1h", "Europe/Berlin")], &[("2026-03-28T23:00:00Z", "open until 2026-03-29T22:00:00Z")]);
}

#[test]
fn where_clocks_are_set_back_a_time_that_comes_twice_opens_twice() {
    // Berlin, 25 October 2026: from 03:00 to 02:00, at 01:00 UTC.
    check(
        &[("30 2 * * *", "15m", "Europe/Berlin")],
        &[
            ("2026-10-25T00:30:00Z", "open until 2026-10-25T00:45:00Z"),
            ("2026-10-25T01:00:00Z", "closed 2026-10-25T00:45:00Z to 2026-10-25T01:30:00Z"),
            ("2026-10-25T01:30:00Z", "open until 2026-10-25T01:45:00Z"),
            ("2026-10-25T01:45:00Z", "closed 2026-10-25T01:45:00Z to 2026-10-26T01:30:00Z"),
        ],
    );
    // New York, 1 November 2026, at 06:00 UTC: the two are one if they are long enough.
    check(&[("30 1 * * *", "1h", "America/New_York")], &[("2026-11-01T05:30:00Z", "open until 2026-11-01T07:30:00Z")]);
    check(&[("0 * 25 10 *", "1h", "Europe/Berlin")], &[("2026-10-24T22:00:00Z", "open until 2026-10-25T23:00:00Z")]);
}

#[test]
fn clocks_that_are_set_at_midnight_by_half_an_hour_and_by_a_day() {
    // Havana, 10 March 2024: from 00:00 to 01:00, at 05:00 UTC; 3 November from 01:00 to 00:00.
    check(
        &[("15 0 * * *", "10m", "America/Havana")],
        &[
            ("2024-03-10T05:20:00Z", "open until 2024-03-10T05:25:00Z"),
            ("2024-11-03T04:30:00Z", "closed 2024-11-03T04:25:00Z to 2024-11-03T05:15:00Z"),
        ],
    );
    // Lord Howe, 4 October 2026: from 02:00 to 02:30, at 15:30 UTC of the day before.
    check(
        &[("15 2 * * *", "10m", "Australia/Lord_Howe")],
        &[("2026-10-03T15:46:00Z", "open until 2026-10-03T15:55:00Z")],
    );
    // Apia had no 30 December 2011.
    check(
        &[("0 12 30 12 *", "10m", "Pacific/Apia")],
        &[("2011-12-30T21:55:00Z", "closed 2010-12-30T22:10:00Z to 2011-12-30T22:00:00Z")],
    );
}

/// The same by another way: minute by minute, what clocks show, and what they would show had they not been set.
#[test]
fn windows_are_open_when_clocks_say_so() {
    let minute = SignedDuration::from_mins(1);
    let zone_of = |name: &str| TimeZoneDatabase::bundled().get(name).unwrap();
    let shows = |at: Timestamp, zone: &TimeZone, ahead: SignedDuration| {
        let shown = zone.to_datetime(at).checked_sub(ahead).unwrap();
        (shown.hour(), shown.minute())
    };
    let nights = [
        ("Europe/Berlin", "2026-03-28T12:00:00Z"),
        ("Europe/Berlin", "2026-10-24T12:00:00Z"),
        ("America/New_York", "2026-03-08T00:00:00Z"),
        ("America/New_York", "2026-10-31T20:00:00Z"),
        ("America/Havana", "2024-03-09T20:00:00Z"),
        ("America/Havana", "2024-11-02T20:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-03T06:00:00Z"),
        ("Australia/Lord_Howe", "2026-04-04T06:00:00Z"),
        ("Asia/Kathmandu", "2026-04-04T06:00:00Z"),
        ("America/Santiago", "2026-09-05T20:00:00Z"),
    ];
    type Shown = fn((i8, i8)) -> bool;
    let schedules: [(&'static str, Shown); 5] = [
        ("30 2 * * *", |shown| shown == (2, 30)),
        ("*/15 0-3 * * *", |(hour, minute)| hour <= 3 && minute % 15 == 0),
        ("59 23 * * *", |shown| shown == (23, 59)),
        ("15,45 0,1 * * *", |(hour, minute)| hour <= 1 && (minute == 15 || minute == 45)),
        ("0 0 * * *", |shown| shown == (0, 0)),
    ];
    let mut opened = 0;
    for (zone, begin) in nights {
        for (schedule, holds) in schedules {
            for lasts in [10, 100] {
                let (zone_name, zone) = (zone, zone_of(zone));
                let length = format!("{lasts}m");
                let mut asked = window((schedule, "", zone_name));
                asked.duration.clone_from(&length);
                let calendar = Calendar::read(&[asked]).unwrap();
                let mut now: Timestamp = begin.parse().unwrap();
                let (mut left, mut jumped, mut since_jump) = (0, SignedDuration::ZERO, 0);
                for _ in 0..24 * 60 {
                    let offset = |at: Timestamp| SignedDuration::from_secs(zone.to_offset(at).seconds().into());
                    let ahead = offset(now) - offset(now - minute);
                    if ahead.is_positive() {
                        (jumped, since_jump) = (ahead, 0);
                    }
                    let left_out = since_jump < jumped.as_mins() && holds(shows(now, &zone, jumped));
                    if left_out || holds(shows(now, &zone, SignedDuration::ZERO)) {
                        left = lasts;
                        opened += 1;
                    }
                    // What began before the first minute is not counted here; and looking each time takes long.
                    let looked_at = left >= lasts - 1 || (-1..=1).contains(&left) || now.as_second() % 600 == 0;
                    if looked_at && (left > 0 || now.duration_since(begin.parse().unwrap()).as_mins() >= lasts) {
                        let open = matches!(calendar.at(now), Window::Open { .. });
                        assert_eq!(open, left > 0, "{schedule} for {lasts}m in {zone_name} at {now}");
                    }
                    left -= 1;
                    since_jump += 1;
                    now += minute;
                }
            }
        }
    }
    // Each schedule in each night, and some times twice.
    assert!(opened > 10 * 5 * 2, "{opened}");
}

#[test]
fn what_cannot_be_read_is_told_by_its_field() {
    let check = |asked: Asked, expect: &str| {
        let good = ("0 22 * * *", "4h", "");
        let error = calendar(&[good, asked]).map(|_| ());
        assert_eq!(error, Err(format!("spec.gates.windows[1].{expect}")), "{asked:?}");
    };
    let schedule = |schedule: &'static str, expect: &str| check((schedule, "1h", ""), &format!("schedule: {expect}"));
    let fields = "fields, and a schedule has 5: minute, hour, day of month, month, day of week";
    schedule("", &format!("\"\" has 0 {fields}"));
    schedule("22", &format!("\"22\" has 1 {fields}"));
    schedule("0 0 22 * * 1", &format!("\"0 0 22 * * 1\" has 6 {fields}"));
    schedule("TZ=Europe/Berlin 0 22 * * *", "\"TZ=Europe/Berlin\" names a time zone, which belongs in timeZone");
    schedule("CRON_TZ=UTC 0 22 * * *", "\"CRON_TZ=UTC\" names a time zone, which belongs in timeZone");
    schedule("@often", "\"@often\" is none of @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually");
    schedule("60 22 * * *", "\"60\" is no minute, which is 0 to 59");
    schedule("0 24 * * *", "\"24\" is no hour, which is 0 to 23");
    schedule("0 0 0 * *", "\"0\" is no day of month, which is 1 to 31");
    schedule("0 0 32 * *", "\"32\" is no day of month, which is 1 to 31");
    schedule("0 0 L * *", "\"L\" is no day of month, which is 1 to 31");
    schedule("0 0 15W * *", "\"15W\" is no day of month, which is 1 to 31");
    schedule("0 0 * 13 *", "\"13\" is no month, which is 1 to 12");
    schedule("0 0 * juni *", "\"juni\" is no month, which is 1 to 12");
    schedule("0 0 * * 8", "\"8\" is no day of week, which is 0 to 7");
    schedule("0 0 * * 5#2", "\"5#2\" is no day of week, which is 0 to 7");
    schedule("0,,5 0 * * *", "\"\" is no minute, which is 0 to 59");
    schedule("+5 0 * * *", "\"+5\" is no minute, which is 0 to 59");
    schedule("-5 0 * * *", "\"\" is no minute, which is 0 to 59");
    schedule("1-2-3 0 * * *", "\"2-3\" is no minute, which is 0 to 59");
    schedule("999999999999 0 * * *", "\"999999999999\" is no minute, which is 0 to 59");
    schedule("0 22-2 * * *", "\"22-2\" of the hour ends before it begins: write two ranges with a comma");
    schedule("*/0 0 * * *", "\"*/0\" of the minute has a step that is not 1 to 59");
    schedule("*/90 0 * * *", "\"*/90\" of the minute has a step that is not 1 to 59");
    schedule("*/ 0 * * *", "\"*/\" of the minute has a step that is not 1 to 59");
    schedule("*/2/3 0 * * *", "\"*/2/3\" of the minute has a step that is not 1 to 59");

    let duration =
        |duration: &'static str, expect: &str| check(("0 22 * * *", duration, ""), &format!("duration: {expect}"));
    duration("", "it is empty, and a duration is written as 4h or 1h30m");
    duration("4", "\"4\" is not a duration: 4 has no unit (h, m, s, ms, us or ns)");
    duration("0s", "\"0s\" is no time at all");
    duration("-4h", "\"-4h\" is no time at all");
    duration("8760h1ns", "\"8760h1ns\" is longer than a year");

    let zone = |zone: &'static str| {
        let expect = format!("timeZone: \"{zone}\" is no name of the time zone database, such as Europe/Berlin or UTC");
        check(("0 22 * * *", "4h", zone), &expect);
    };
    for wrong in ["Europe/Entenhausen", "CEST", "+02:00", "Etc/Unknown", "Local", "../etc/passwd"] {
        zone(wrong);
    }
}
