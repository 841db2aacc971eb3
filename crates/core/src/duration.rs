//! Lengths of time as Go writes them, and with it every duration field of Kubernetes: `4h`, `1h30m`, `1.5h`, `250ms`.
//!
//! The crate jiff reads most of them too, and further words that no other client of the same field would understand.

use headway_api::quoted::Quoted;
use jiff::SignedDuration;

/// A text is not a duration. The texts have no subject: whoever tells them names the object and the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// There is nothing.
    #[error("it is empty, and a duration is written as 4h or 1h30m")]
    Empty,
    /// Where a number should be there is none.
    #[error("{} is not a duration: a number is missing before {}", Quoted(value), Quoted(rest))]
    NoNumber {
        /// The whole.
        value: String,
        /// What stands where a number should.
        rest: String,
    },
    /// A number has no unit.
    #[error("{} is not a duration: {number} has no unit (h, m, s, ms, us or ns)", Quoted(value))]
    NoUnit {
        /// The whole.
        value: String,
        /// The number.
        number: String,
    },
    /// A unit is none of Go's.
    #[error("{} is not a duration: {} is none of the units h, m, s, ms, us and ns", Quoted(value), Quoted(unit))]
    Unit {
        /// The whole.
        value: String,
        /// What stands where a unit should.
        unit: String,
    },
    /// It is longer than Go can count.
    #[error("{} is longer than 292 years", Quoted(value))]
    TooLong {
        /// The whole.
        value: String,
    },
}

/// Reads a duration, with a sign if there is one.
///
/// # Errors
///
/// When Go would not read it.
pub fn read_go(value: &str) -> Result<SignedDuration, DurationError> {
    let too_long = || DurationError::TooLong { value: value.into() };
    let (sign, mut rest) = match value.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, value.strip_prefix('+').unwrap_or(value)),
    };
    if value.is_empty() {
        return Err(DurationError::Empty);
    }
    // The one number that needs no unit.
    if rest == "0" {
        return Ok(SignedDuration::ZERO);
    }
    if rest.is_empty() {
        return Err(DurationError::NoNumber { value: value.into(), rest: String::new() });
    }
    let mut nanos: i128 = 0;
    while !rest.is_empty() {
        let number = leading(rest, |c| c.is_ascii_digit() || c == '.');
        let unit = leading(&rest[number.len()..], |c| !c.is_ascii_digit() && c != '.');
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
            return Err(DurationError::NoNumber { value: value.into(), rest: rest.into() });
        }
        let one = match unit {
            "" => return Err(DurationError::NoUnit { value: value.into(), number: number.into() }),
            unit => nanos_of(unit).ok_or_else(|| DurationError::Unit { value: value.into(), unit: unit.into() })?,
        };
        let whole = if whole.is_empty() { 0 } else { whole.parse::<i64>().map_err(|_| too_long())? };
        nanos += i128::from(whole) * one + part_of(fraction, one);
        // Checked at each part, so that the sum of many cannot overflow either.
        i64::try_from(nanos).map_err(|_| too_long())?;
        rest = &rest[number.len() + unit.len()..];
    }
    Ok(SignedDuration::from_nanos(sign * i64::try_from(nanos).map_err(|_| too_long())?))
}

/// The longest beginning of which each character holds.
fn leading(text: &str, holds: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !holds(c)).unwrap_or(text.len())]
}

fn nanos_of(unit: &str) -> Option<i128> {
    Some(match unit {
        "ns" => 1,
        // The micro sign, and the Greek letter that looks like it.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// So many nanoseconds are the digits behind a point, of a unit of so many. What is below one is left away.
fn part_of(fraction: &str, one: i128) -> i128 {
    // An hour has fewer than 10^13 nanoseconds: of eighteen digits the last ones do not count any more, and the product
    // is far from overflowing.
    let (mut digits, mut scale) = (0_i128, 1_i128);
    for digit in fraction.bytes().take(18) {
        digits = digits * 10 + i128::from(digit - b'0');
        scale *= 10;
    }
    digits * one / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_reads_them() {
        let check = |value: &str, nanos: i64| {
            assert_eq!(read_go(value), Ok(SignedDuration::from_nanos(nanos)), "{value}");
        };
        let second = 1_000_000_000;
        check("0", 0);
        check("0s", 0);
        check("4h", 4 * 3600 * second);
        check("10m", 600 * second);
        check("1h30m", 5400 * second);
        check("30m1h", 5400 * second);
        check("1.5h", 5400 * second);
        check("1.5h30m", 7200 * second);
        check(".5s", second / 2);
        check("1.s", second);
        check("1.000000000000000000000000001s", second);
        check("0.3333333333333333333h", 1_199_999_999_999);
        check("-1m", -60 * second);
        check("+1m", 60 * second);
        check("250ms", second / 4);
        check("7us", 7_000);
        check("7\u{b5}s", 7_000);
        check("7\u{3bc}s", 7_000);
        check("9ns", 9);
        check("2562047h", 2_562_047 * 3600 * second);
    }

    #[test]
    fn what_go_does_not_read_is_refused_with_the_reason() {
        let check = |value: &str, expect: &str| {
            let told = read_go(value).map_err(|error| error.to_string());
            assert_eq!(told, Err(expect.to_owned()), "{value}");
        };
        let units = "is none of the units h, m, s, ms, us and ns";
        check("", "it is empty, and a duration is written as 4h or 1h30m");
        check("4", "\"4\" is not a duration: 4 has no unit (h, m, s, ms, us or ns)");
        check("1h30", "\"1h30\" is not a duration: 30 has no unit (h, m, s, ms, us or ns)");
        check("1d", &format!("\"1d\" is not a duration: \"d\" {units}"));
        check("4 hours", &format!("\"4 hours\" is not a duration: \" hours\" {units}"));
        check("PT4H", "\"PT4H\" is not a duration: a number is missing before \"PT4H\"");
        check("-", "\"-\" is not a duration: a number is missing before \"\"");
        check(".s", "\".s\" is not a duration: a number is missing before \".s\"");
        check("1.2.3s", "\"1.2.3s\" is not a duration: a number is missing before \"1.2.3s\"");
        check("1h-5m", &format!("\"1h-5m\" is not a duration: \"h-\" {units}"));
        check("\n", "\"\\n\" is not a duration: a number is missing before \"\\n\"");
        check("2562048h", "\"2562048h\" is longer than 292 years");
        check("99999999999999999999h", "\"99999999999999999999h\" is longer than 292 years");
        check("2562047h2562047h", "\"2562047h2562047h\" is longer than 292 years");
    }
}
