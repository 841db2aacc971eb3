//! How times are written in scripts and transcripts.

use jiff::SignedDuration;

/// A time since the beginning: hours, minutes and seconds.
pub(crate) fn clock(since: SignedDuration) -> String {
    let seconds = since.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A duration such as `90s`, `5m` or `2h`.
pub(crate) fn duration(text: &str) -> Option<SignedDuration> {
    let split = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (count, unit) = text.split_at(split);
    let count: i64 = count.parse().ok()?;
    // A year is more than any rehearsal needs, and keeps every sum of times within what a timestamp holds.
    let seconds = match unit {
        "s" => Some(count),
        "m" => count.checked_mul(60),
        "h" => count.checked_mul(3600),
        _ => None,
    };
    seconds.filter(|seconds| *seconds <= 366 * 24 * 3600).map(SignedDuration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_whole_seconds_minutes_or_hours() {
        let check = |text: &str, expect: Option<i64>| {
            assert_eq!(duration(text).map(|found| found.as_secs()), expect, "{text}");
        };
        check("90s", Some(90));
        check("5m", Some(300));
        check("2h", Some(7200));
        check("0s", Some(0));
        for text in ["", "5", "m", "-5m", "5 m", "1d", "9999999999999999999s", "999999h", "5µ"] {
            check(text, None);
        }
        assert_eq!(clock(SignedDuration::from_secs(3_725)), "01:02:05");
    }
}
