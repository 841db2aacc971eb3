//! How long the caller waits, as it says in `?timeout=10s`.

use std::time::Duration;

use headway_api::hooks::{DEFAULT_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS};
use jiff::SignedDuration;

/// So much sooner than the caller gives up is an answer given, so that it is heard: what says why it failed is worth
/// more than a broken connection.
const MARGIN: Duration = Duration::from_millis(250);

const LONGEST: Duration = Duration::from_secs(MAX_TIMEOUT_SECONDS as u64);

const USUAL: Duration = Duration::from_secs(DEFAULT_TIMEOUT_SECONDS as u64);

/// How long to take at most. What is no time, or none that a handler may have, is the protocol's default or longest.
pub(super) fn patience(query: Option<&str>) -> Duration {
    let told = query.and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("timeout=")));
    let asked = told.and_then(|told| told.parse::<SignedDuration>().ok());
    let asked = asked.and_then(|asked| Duration::try_from(asked).ok()).filter(|asked| !asked.is_zero());
    let asked = asked.unwrap_or(USUAL).min(LONGEST);
    asked.saturating_sub(MARGIN).max(asked / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ch_5_5_the_caller_says_how_long_it_waits() {
        let check = |query: Option<&str>, millis: u64| {
            assert_eq!(patience(query), Duration::from_millis(millis), "{query:?}");
        };
        check(Some("timeout=10s"), 9_750);
        check(Some("a=b&timeout=1s"), 750);
        check(Some("timeout=1m30s"), 29_750);
        check(Some("timeout=100ms"), 50);
        for none in [None, Some(""), Some("timeout="), Some("timeout=-5s"), Some("timeout=0s"), Some("timeout=soon")] {
            check(none, 9_750);
        }
    }
}
