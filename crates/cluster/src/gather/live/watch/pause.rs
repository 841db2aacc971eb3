//! Pauses between tries: longer each time, and never the same for two informers.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use super::Pace;

/// The pauses of one informer.
pub(super) struct Pauses {
    pace: Pace,
    next: Duration,
    chance: RandomState,
    drawn: u64,
}

impl Pauses {
    pub(super) fn new(pace: Pace) -> Self {
        Self { pace, next: pace.first_pause, chance: RandomState::new(), drawn: 0 }
    }

    /// It works again: the next trouble is a new one.
    pub(super) fn reset(&mut self) {
        self.next = self.pace.first_pause;
    }

    /// The next pause: at least half as long as it is meant to be, so that a server that comes back is not asked by
    /// all at once, and never by one in a hurry.
    pub(super) fn next(&mut self) -> Duration {
        let meant = self.next;
        self.next = meant.saturating_mul(2).min(self.pace.longest_pause);
        // The keys of a hash map are the only chance there is in the standard library, and good enough for this.
        self.drawn += 1;
        let drawn = self.chance.hash_one(self.drawn) >> 32;
        let share = f64::from(u32::try_from(drawn).unwrap_or(u32::MAX)) / f64::from(u32::MAX);
        meant.mul_f64(0.5 + share / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_bound_and_begin_again() {
        let pace =
            Pace { first_pause: Duration::from_secs(1), longest_pause: Duration::from_secs(4), ..Pace::default() };
        let mut pauses = Pauses::new(pace);
        let mut check = |seconds: u64| {
            let (meant, pause) = (Duration::from_secs(seconds), pauses.next());
            assert!(pause >= meant / 2 && pause <= meant, "{pause:?} of {meant:?}");
        };
        for seconds in [1, 2, 4, 4, 4] {
            check(seconds);
        }
        pauses.reset();
        let pause = pauses.next();
        assert!(pause <= Duration::from_secs(1), "{pause:?}");
    }

    #[test]
    fn two_informers_do_not_keep_step() {
        let drawn = |mut pauses: Pauses| [pauses.next(), pauses.next(), pauses.next()];
        assert_ne!(drawn(Pauses::new(Pace::default())), drawn(Pauses::new(Pace::default())));
    }
}
