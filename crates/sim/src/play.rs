//! Playing a script: time goes on to whatever happens next, until nothing does.

use headway_core::drive::Halt;
use jiff::{SignedDuration, Timestamp};

use crate::driver::{Driver, Turn};
use crate::event::{Event, Moment};
use crate::watcher::{Broken, Watcher};
use crate::world::World;

/// More turns than any sound rehearsal takes; beyond it, something goes in a circle.
const TURNS: usize = 100_000;

/// No rehearsal looks further ahead than this: who asks for time for ever is waited for so long and no longer.
const AHEAD: SignedDuration = SignedDuration::from_hours(24 * 30);

/// A rehearsal that did not go well.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// It never came to rest.
    #[error("after {TURNS} turns it is still going on: this is a fault of headway")]
    Endless,
    /// A promise was not kept.
    #[error("a promise was not kept: this is a fault of headway")]
    Broken(#[source] Broken),
}

/// A world with whoever drives it, and all that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// The world.
    pub world: World,
    /// Who drives it.
    pub driver: Driver,
    /// Who watches.
    pub watcher: Watcher,
    /// All that happened.
    pub moments: Vec<Moment>,
}

impl Stage {
    /// A world of which nothing has happened.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { world, driver: Driver::default(), watcher: Watcher::default(), moments: Vec::new() }
    }

    /// Goes on until nothing happens any more, or until this time.
    ///
    /// # Errors
    ///
    /// When it never comes to rest, or a promise is not kept.
    pub fn run(&mut self, until: Option<Timestamp>) -> Result<(), PlayError> {
        let horizon = self.world.now.checked_add(AHEAD).unwrap_or(Timestamp::MAX);
        let until_or = until.unwrap_or(horizon);
        for _ in 0..TURNS {
            let mut events = self.world.pass();
            self.note(&mut events)?;
            let turn = self.driver.turn(&mut self.world, &mut events);
            self.note(&mut events)?;
            let Turn::Idle(next) = turn else { continue };
            let next = [next, self.world.next()].into_iter().flatten().filter(|next| *next > self.world.now).min();
            match next.filter(|next| *next <= until_or) {
                Some(next) => self.world.now = next,
                None => {
                    self.world.now = until.unwrap_or(self.world.now);
                    return Ok(());
                }
            }
        }
        Err(PlayError::Endless)
    }

    fn note(&mut self, events: &mut Vec<Event>) -> Result<(), PlayError> {
        for event in events.drain(..) {
            self.watcher.see(&event, &self.world);
            self.moments.push(Moment { at: self.world.now, event });
        }
        match self.watcher.broken.first() {
            Some(broken) => Err(PlayError::Broken(broken.clone())),
            None => Ok(()),
        }
    }

    /// Whether all is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.world.is_at_target() && self.world.intents.is_empty() && self.world.halt != Some(Halt::Deleting)
    }
}
