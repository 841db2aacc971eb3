//! What happens, a line for each thing, with the time.

use std::collections::BTreeSet;

use headway_cluster::drive::Turned;
use headway_core::drive::{Decision, Effect, Said, Told as Call, Tone, WaitingOn};

use crate::failure::Failure;
use crate::{clock, output, render};

/// What was told so far, so that nothing is told twice.
#[derive(Debug, Default)]
pub(super) struct Told {
    has_begun: bool,
    /// What moves, as it was told last.
    moving: BTreeSet<String>,
    trouble: Option<String>,
}

impl Told {
    /// Whether a turn was taken.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Tells what a turn did, and what it came to.
    pub(super) fn turn(&mut self, turned: &Turned) -> Result<(), Failure> {
        self.has_begun = true;
        for (call, said) in &turned.asked {
            let answer = match said {
                Said::Go => "go".to_owned(),
                Said::Wait { message, .. } => format!("wait: {message}"),
                Said::Failed { message, .. } => format!("failed: {message}"),
            };
            line(&format!("asked {}: {answer}", Call(call)))?;
        }
        for happening in &turned.happenings {
            let mark = if happening.tone == Tone::Warning { "warning: " } else { "" };
            line(&format!("{mark}{}: {}", happening.reason, happening.note))?;
        }
        let is_move = |effect: &&Effect| matches!(effect, Effect::MoveControlPlane { .. } | Effect::MoveGroup { .. });
        let effects = turned.decision.iter().flat_map(|decision| &decision.effects).filter(is_move);
        for effect in effects.take(turned.moved.len()) {
            line(&format!("wrote {effect}"))?;
        }
        self.moves(turned.decision.as_ref())?;
        match &turned.trouble {
            Some(trouble) => self.trouble(&format!("cannot write the status: {trouble}"))?,
            None => self.trouble = None,
        }
        Ok(())
    }

    /// Tells of something that went wrong and is tried again, once.
    pub(super) fn trouble(&mut self, trouble: &str) -> Result<(), Failure> {
        if self.trouble.as_deref() == Some(trouble) {
            return Ok(());
        }
        self.trouble = Some(trouble.to_owned());
        line(&format!("warning: {trouble}"))
    }

    /// How far what runs is: no event tells it.
    fn moves(&mut self, decision: Option<&Decision>) -> Result<(), Failure> {
        let is_moving = |on: &&WaitingOn| matches!(on, WaitingOn::ControlPlane { .. } | WaitingOn::Workers { .. });
        let waits = decision.iter().flat_map(|decision| &decision.waiting_on).map(|wait| &wait.on).filter(is_moving);
        let moving: BTreeSet<String> = waits.map(ToString::to_string).collect();
        for text in moving.difference(&self.moving) {
            line(text)?;
        }
        self.moving = moving;
        Ok(())
    }
}

/// What would be done first, and what it would wait for.
pub(super) fn tried(decision: &Decision) -> String {
    let mut text = String::new();
    let mut tell = |line: &str| {
        text.push_str(&render::line(line));
        text.push('\n');
    };
    if decision.is_settled() {
        tell("there is nothing to do");
    }
    for effect in &decision.effects {
        tell(&format!("would do: {effect}"));
    }
    for wait in &decision.waiting_on {
        tell(&format!("would wait: {}; what would open it: {}", wait.on, wait.on.remedy()));
    }
    text
}

fn line(text: &str) -> Result<(), Failure> {
    let now = clock::now().strftime("%H:%M:%SZ");
    output::write(format!("{now}  {}\n", render::clean(text)).as_bytes())
}
