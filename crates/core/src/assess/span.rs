//! Differences of times, as far as a 64-bit count of nanoseconds reaches.

use jiff::{SignedDuration, Timestamp};

/// Go's zero time, 0001-01-01T00:00:00Z: what an unset time is to the peer.
pub const ZERO_TIME: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// `later - earlier`, which may be negative.
///
/// A difference beyond some 292 years is cut to that, as the peer does: it stands for "one of the two is not set".
#[must_use]
pub fn between(later: Timestamp, earlier: Timestamp) -> SignedDuration {
    let nanoseconds = later.as_nanosecond() - earlier.as_nanosecond();
    let cut = i64::try_from(nanoseconds).unwrap_or(if nanoseconds < 0 { i64::MIN } else { i64::MAX });
    SignedDuration::from_nanos(cut)
}

/// The nearest multiple of `unit`, halves away from zero.
#[must_use]
pub fn rounded(span: SignedDuration, unit: SignedDuration) -> SignedDuration {
    let unit = unit.as_nanos().max(1);
    let nanos = span.as_nanos();
    let half = if nanos < 0 { -(unit / 2) } else { unit / 2 };
    from_nanos((nanos + half) / unit * unit)
}

/// The next multiple of `unit` towards zero.
#[must_use]
pub fn truncated(span: SignedDuration, unit: SignedDuration) -> SignedDuration {
    let unit = unit.as_nanos().max(1);
    from_nanos(span.as_nanos() / unit * unit)
}

fn from_nanos(nanos: i128) -> SignedDuration {
    SignedDuration::from_nanos(i64::try_from(nanos).unwrap_or(if nanos < 0 { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_10_3_rounding_is_away_from_zero_and_truncation_towards_it() {
        let check = |millis: i64, round: i64, truncate: i64| {
            let span = SignedDuration::from_millis(millis);
            let unit = SignedDuration::from_secs(1);
            assert_eq!(rounded(span, unit).as_secs(), round, "{millis}");
            assert_eq!(truncated(span, unit).as_secs(), truncate, "{millis}");
        };
        check(0, 0, 0);
        check(1499, 1, 1);
        check(1500, 2, 1);
        check(-1499, -1, -1);
        check(-1500, -2, -1);
    }

    #[test]
    fn oc_10_3_differences_are_cut_at_292_years() {
        let now = "2026-05-04T08:00:00Z".parse().unwrap();
        assert_eq!(between(now, ZERO_TIME).as_hours(), 2_562_047);
        assert_eq!(between(ZERO_TIME, now).as_hours(), -2_562_047);
    }
}
