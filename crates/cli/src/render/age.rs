//! Durations as people read them, in the peer's form (status-openshift.md, 10.1 and 10.2).

use headway_core::assess::span;
use jiff::{SignedDuration, Timestamp};

/// A duration as Go prints it: `1h0m5s`, `1.5ms`, `0s`.
fn go(span: SignedDuration) -> String {
    let nanos = span.as_nanos();
    let (sign, size) = if nanos < 0 { ("-", nanos.unsigned_abs()) } else { ("", nanos.unsigned_abs()) };
    let text = match size {
        0 => return "0s".into(),
        1..1_000 => format!("{size}ns"),
        1_000..1_000_000 => format!("{}µs", decimal(size, 1_000)),
        1_000_000..1_000_000_000 => format!("{}ms", decimal(size, 1_000_000)),
        _ => {
            let seconds = size / 1_000_000_000;
            let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
            let last = decimal(size % 60_000_000_000, 1_000_000_000);
            match (hours, minutes) {
                (0, 0) => format!("{last}s"),
                (0, minutes) => format!("{minutes}m{last}s"),
                (hours, minutes) => format!("{hours}h{minutes}m{last}s"),
            }
        }
    };
    format!("{sign}{text}")
}

/// A quotient without the zeros at its end.
fn decimal(size: u128, unit: u128) -> String {
    let digits = unit.ilog10() as usize;
    let fraction = format!("{:0digits$}", size % unit);
    let fraction = fraction.trim_end_matches('0');
    let whole = size / unit;
    if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") }
}

/// A duration of whole seconds cut short: `1h1m1s`, `1h10m`, `10h`, `now`.
pub(super) fn short(span: SignedDuration) -> String {
    let text = go(span);
    if text == "0s" {
        "now".into()
    } else if let Some(hours) = text.strip_suffix("h0m0s") {
        format!("{hours}h")
    } else if let Some(minutes) = text.strip_suffix("m0s") {
        format!("{minutes}m")
    } else {
        text
    }
}

/// A duration cut short as the peer does it: a fraction is cut off as text, so that 0.37 ms become six minutes
/// (oc_15_3_11).
pub(super) fn short_as_oc(span: SignedDuration) -> String {
    let text = go(span);
    match text.split_once('.') {
        Some((whole, _)) => {
            // What is before the point is digits with units, and at its end digits, which become seconds.
            seconds_of(&format!("{whole}s")).map_or(text, short_as_oc)
        }
        None => short(span),
    }
}

/// Reads `[-][Hh][Mm]Ss` back.
fn seconds_of(text: &str) -> Option<SignedDuration> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut seconds = 0_i64;
    let mut digits = String::new();
    for c in text.chars() {
        let unit = match c {
            '0'..='9' => {
                digits.push(c);
                continue;
            }
            'h' => 3_600,
            'm' => 60,
            's' => 1,
            _ => return None,
        };
        seconds = seconds.checked_add(digits.parse::<i64>().ok()?.checked_mul(unit)?)?;
        digits.clear();
    }
    Some(SignedDuration::from_secs(sign * seconds))
}

/// How long ago something was, in whole seconds and never below zero.
pub(super) fn since(now: Timestamp, at: Option<Timestamp>) -> String {
    let Some(at) = at else { return "-".into() };
    let age = span::between(now, at).max(SignedDuration::ZERO);
    short(span::truncated(age, SECOND))
}

/// How long ago something was as the peer says it: moments to come have a minus (9.3).
pub(super) fn since_as_oc(now: Timestamp, at: Option<Timestamp>) -> String {
    let Some(at) = at else { return "-".into() };
    short_as_oc(span::truncated(span::between(now, at), SECOND))
}

/// A long duration in whole minutes, a short one in whole seconds (6.6).
pub(super) fn rounded(span: SignedDuration) -> String {
    let unit = if span > SignedDuration::from_mins(10) { SignedDuration::from_mins(1) } else { SECOND };
    short(span::rounded(span, unit))
}

/// One second.
pub(super) const SECOND: SignedDuration = SignedDuration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_10_1_durations_as_go_prints_them() {
        let check = |nanos: i64, expect: &str| assert_eq!(go(SignedDuration::from_nanos(nanos)), expect);
        check(0, "0s");
        check(7, "7ns");
        check(368_975, "368.975µs");
        check(500_000_000, "500ms");
        check(1_500_000, "1.5ms");
        check(45_000_000_000, "45s");
        check(-45_500_000_000, "-45.5s");
        check(300_000_000_000, "5m0s");
        check(3_605_000_000_000, "1h0m5s");
        check(86_934_000_000_000, "24h8m54s");
        check(i64::MAX, "2562047h47m16.854775807s");
    }

    #[test]
    fn oc_10_2_short_durations() {
        let check = |seconds: i64, expect: &str| assert_eq!(short(SignedDuration::from_secs(seconds)), expect);
        check(3_661, "1h1m1s");
        check(4_200, "1h10m");
        check(3_610, "1h0m10s");
        check(36_600, "10h10m");
        check(36_000, "10h");
        check(45, "45s");
        check(0, "now");
        check(-60, "-1m");
    }

    #[test]
    fn oc_15_3_11_fractions_become_seconds_for_the_peer() {
        let check = |nanos: i64, expect: &str| assert_eq!(short_as_oc(SignedDuration::from_nanos(nanos)), expect);
        check(368_975, "6m8s");
        check(1_500_000, "1s");
        check(500_000_000, "500ms");
        check(89_000_368_975, "1m29s");
        check(3_600_000_368_975, "1h");
        check(300_000_368_975, "5m");
    }

    #[test]
    fn case_a04_ages_are_never_negative() {
        let now: Timestamp = "2026-05-04T08:00:00Z".parse().unwrap();
        let later: Timestamp = "2026-05-04T08:01:59.5Z".parse().unwrap();
        assert_eq!(since(now, Some(later)), "now");
        assert_eq!(since_as_oc(now, Some(later)), "-1m59s");
        assert_eq!(since(later, Some(now)), "1m59s");
        assert_eq!(since(now, None), "-");
    }

    #[test]
    fn durations_are_told_in_minutes_above_ten() {
        let check = |seconds: i64, expect: &str| assert_eq!(rounded(SignedDuration::from_secs(seconds)), expect);
        check(599, "9m59s");
        check(600, "10m");
        check(629, "10m");
        check(630, "11m");
        check(7_130, "1h59m");
    }
}
