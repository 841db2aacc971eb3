//! When things happened in the invented cluster: seconds before the moment of recording.

use jiff::Timestamp;

/// 2026-05-04T08:44:51Z, when the recording was finished.
pub(crate) const RECORDED_AT: i64 = 1_777_884_291;

/// One hour, in seconds.
pub(crate) const HOUR: u32 = 3_600;

/// The moment that many seconds before the end of the recording, as Kubernetes writes it.
pub(crate) fn ago(seconds: u32) -> String {
    // Within 137 years of 2026, which jiff covers; the fallback is never taken.
    Timestamp::from_second(RECORDED_AT - i64::from(seconds)).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

/// The two lines of a must-gather's `timestamp` file: when it was started and when it was finished.
pub(crate) fn timestamp_file() -> &'static str {
    "2026-05-04 08:40:03.000000000 +0000 UTC m=+0.1\n2026-05-04 08:44:51.000000000 +0000 UTC m=+288.1\n"
}

#[cfg(test)]
mod tests {
    use super::{HOUR, ago, timestamp_file};

    #[test]
    fn the_end_of_the_recording_is_the_last_line_of_the_timestamp_file() {
        assert_eq!(ago(0), "2026-05-04T08:44:51Z");
        assert_eq!(ago(HOUR), "2026-05-04T07:44:51Z");
        assert!(timestamp_file().lines().last().is_some_and(|line| line.starts_with("2026-05-04 08:44:51.")));
    }
}
