//! Whether a watch works, and since when it has not.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// The pulse of one watch.
pub(super) struct Pulse {
    beat: Mutex<Beat>,
    /// A live watch is never silent for so long.
    silence: SignedDuration,
}

#[derive(Debug, Clone, Copy)]
struct Beat {
    connected: bool,
    heard: Timestamp,
}

impl Pulse {
    pub(super) fn new(now: Timestamp, silence: SignedDuration) -> Self {
        Self { beat: Mutex::new(Beat { connected: false, heard: now }), silence }
    }

    /// Something was heard.
    pub(super) fn hear(&self, now: Timestamp) {
        let mut beat = self.beat();
        // A clock that is set back does not make what was heard older.
        beat.heard = beat.heard.max(now);
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
        let Beat { connected, heard } = *self.beat();
        let silent = now.duration_since(heard).max(SignedDuration::ZERO);
        // A millisecond, so that a watch that was lost just now is told from one that works.
        if connected && silent < self.silence {
            SignedDuration::ZERO
        } else {
            silent.max(SignedDuration::from_millis(1))
        }
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.beat.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
