//! What drives a world: it looks, decides and does, and forgets what is not stored when it dies.

use headway_api::hooks::Lifecycle;
use headway_core::drive::{Answers, Decision, Effect, WaitingOn, decide};
use headway_core::version::KubeVersion;
use jiff::{SignedDuration, Timestamp};

use crate::event::{Event, Mover};
use crate::world::World;

/// After a write that failed, or after it died, it looks again so much later.
const PAUSE: SignedDuration = SignedDuration::from_secs(1);

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The next write meets a conflict.
    Conflict,
    /// A webhook refuses the next write.
    Refused,
    /// The process dies after so many further effects, 0 being before the next.
    Crash(usize),
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// Something was done: look again.
    Acted,
    /// Something went wrong, or nothing is to be done: look again at this time, or when something happens.
    Idle(Option<Timestamp>),
}

/// What drives a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Driver {
    answers: Answers,
    /// What is going to go wrong.
    pub faults: Vec<Fault>,
    /// What was last told of waiting.
    told: Vec<WaitingOn>,
    is_settled: bool,
}

impl Driver {
    /// Looks once, and does what is decided.
    pub fn turn(&mut self, world: &mut World, events: &mut Vec<Event>) -> Turn {
        let observed = world.observe(self.answers.clone());
        let decision = decide(&observed);
        self.answers.settle(&decision);
        if observed.planned.trouble.is_none() {
            world.accepted = Some(observed.planned.plan.clone());
        }
        let again = Turn::Idle(world.now.checked_add(PAUSE).ok());
        self.is_settled &= decision.effects.is_empty();
        for effect in &decision.effects {
            if self.dies() {
                self.answers = Answers::default();
                events.push(Event::Fault(format!("the process dies before: {effect}")));
                return again;
            }
            if let Some(why) = self.fails(effect) {
                events.push(Event::Fault(format!("{why}: {effect}")));
                return again;
            }
            if let Err(why) = self.apply(world, effect, events) {
                events.push(Event::Fault(why));
                return again;
            }
        }
        if !decision.effects.is_empty() {
            return Turn::Acted;
        }
        self.tell(&decision, events);
        Turn::Idle(decision.next)
    }

    /// Tells what is waited for where there is nothing to do, whenever that changes.
    fn tell(&mut self, decision: &Decision, events: &mut Vec<Event>) {
        let waits: Vec<WaitingOn> = decision.waiting_on.iter().map(|wait| wait.on.clone()).collect();
        if waits != self.told && !waits.is_empty() {
            events.push(Event::Waiting(waits.clone()));
        }
        if decision.is_settled() && !self.is_settled {
            events.push(Event::Settled);
        }
        (self.told, self.is_settled) = (waits, decision.is_settled());
    }

    /// An extension is another now: what it said before says nothing any more.
    pub fn forget(&mut self, hook: Lifecycle) {
        self.answers.forget(hook);
    }

    /// Whether it dies now.
    fn dies(&mut self) -> bool {
        let Some(at) = self.faults.iter().position(|fault| matches!(fault, Fault::Crash(_))) else { return false };
        match &mut self.faults[at] {
            Fault::Crash(0) => {
                self.faults.remove(at);
                true
            }
            Fault::Crash(left) => {
                *left -= 1;
                false
            }
            Fault::Conflict | Fault::Refused => false,
        }
    }

    /// Why a write fails, if it does.
    fn fails(&mut self, effect: &Effect) -> Option<&'static str> {
        if matches!(effect, Effect::Ask(_)) {
            return None;
        }
        let at = self.faults.iter().position(|fault| matches!(fault, Fault::Conflict | Fault::Refused))?;
        match self.faults.remove(at) {
            Fault::Conflict => Some("somebody else wrote first"),
            Fault::Refused => Some("a webhook refuses"),
            Fault::Crash(_) => None,
        }
    }

    fn apply(&mut self, world: &mut World, effect: &Effect, events: &mut Vec<Event>) -> Result<(), String> {
        match effect {
            Effect::Record { before, after } => {
                if world.intents != *before {
                    return Err(format!("what is stored is not {before}"));
                }
                world.intents = after.clone();
                events.push(Event::Recorded(after.clone()));
            }
            Effect::Ask(call) => {
                let said = world.extensions.answer(call, world.now);
                self.answers.hear(call, said.clone());
                events.push(Event::Asked { call: call.clone(), said });
            }
            Effect::MoveControlPlane { from, to } => {
                write(&mut world.version, from, to)?;
                moved(world, Mover::ControlPlane, from, to, events);
            }
            Effect::MoveGroup { group, from, to } => {
                let pool = world.pools.iter_mut().find(|pool| pool.id == *group);
                let pool = pool.ok_or_else(|| format!("{group} is gone"))?;
                write(&mut pool.version, from, to)?;
                moved(world, Mover::Group(group.clone()), from, to, events);
            }
        }
        Ok(())
    }
}

fn write(version: &mut KubeVersion, from: &KubeVersion, to: &KubeVersion) -> Result<(), String> {
    if version != from {
        return Err(format!("{version} stands where {from} was expected"));
    }
    *version = to.clone();
    Ok(())
}

fn moved(world: &mut World, mover: Mover, from: &KubeVersion, to: &KubeVersion, events: &mut Vec<Event>) {
    world.told(mover.clone());
    events.push(Event::Moved { mover, from: from.clone(), to: to.clone() });
}
