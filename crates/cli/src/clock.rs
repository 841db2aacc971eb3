//! The one place where time enters.

use jiff::Timestamp;

/// Now, by the wall clock.
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}
