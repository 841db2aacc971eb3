//! Whether a watch works, and since when it has not.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

/// The pulse of one watch.
pub(super) struct Pulse {
    beat: Mutex<Beat>,
    /// A live watch is never silent for so long, in real time: a clock that is set on does not make it silent.
    silence: Duration,
}

#[derive(Debug, Clone, Copy)]
struct Beat {
    connected: bool,
    heard: Timestamp,
    heard_at: Instant,
}

impl Pulse {
    pub(super) fn new(now: Timestamp, silence: Duration) -> Self {
        Self { beat: Mutex::new(Beat { connected: false, heard: now, heard_at: Instant::now() }), silence }
    }

    /// Something was heard.
    pub(super) fn hear(&self, now: Timestamp) {
        let mut beat = self.beat();
        // A clock that is set back does not make what was heard older.
        beat.heard = beat.heard.max(now);
        beat.heard_at = Instant::now();
    }

    /// The watch works. Answers whether it did not before.
    pub(super) fn connect(&self, now: Timestamp) -> bool {
        self.hear(now);
        !std::mem::replace(&mut self.beat().connected, true)
    }

    /// The watch does not work.
    pub(super) fn disconnect(&self) {
        self.beat().connected = false;
    }

    /// For how long nothing was heard; zero while nothing being heard means that nothing happens.
    pub(super) fn lag(&self, now: Timestamp) -> SignedDuration {
        let Beat { connected, heard, heard_at } = *self.beat();
        if connected && heard_at.elapsed() < self.silence {
            return SignedDuration::ZERO;
        }
        // By a clock that was set back no time has passed; really it has. A millisecond, so that a watch that was lost
        // just now is told from one that works.
        let really = SignedDuration::try_from(heard_at.elapsed()).unwrap_or(SignedDuration::MAX);
        now.duration_since(heard).max(really).max(SignedDuration::from_millis(1))
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.beat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn us_s20_a_clock_that_is_set_on_silences_no_watch() {
        let at = |seconds: i64| Timestamp::from_second(1_000_000 + seconds).unwrap();
        let pulse = Pulse::new(at(0), Duration::from_secs(3600));
        pulse.connect(at(0));
        assert_eq!(pulse.lag(at(36_000)), SignedDuration::ZERO, "it works, and nothing happens");
        pulse.disconnect();
        assert_eq!(pulse.lag(at(36_000)), SignedDuration::from_secs(36_000));
        std::thread::sleep(Duration::from_millis(5));
        let lag = pulse.lag(at(-3600));
        assert!(lag >= SignedDuration::from_millis(5) && lag < SignedDuration::from_mins(30), "us_s57: {lag}");
        let deaf = Pulse::new(at(0), Duration::ZERO);
        deaf.connect(at(0));
        assert_eq!(deaf.lag(at(7)), SignedDuration::from_secs(7), "silent for longer than a live watch is");
    }
}
