//! Texts of strangers, made fit to be shown: one line, and not longer than a person reads.

use std::fmt;

/// As many characters of a message are shown: it ends up in conditions, which are read in a terminal.
pub const MAX_TOLD_CHARS: usize = 512;

/// A message as it is shown to people: control characters are spaces, and what is too long is cut.
#[must_use]
pub fn told(message: &str) -> String {
    let mut rest = message.trim().chars();
    let mut text: String =
        rest.by_ref().take(MAX_TOLD_CHARS).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if rest.next().is_some() {
        text.push('…');
    }
    text
}

/// A value within a sentence: quoted, escaped and cut.
pub(super) struct Quoted<'a>(pub(super) &'a str);

/// As much as fits a line beside the sentence around it.
const QUOTED_CHARS: usize = 80;

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.chars();
        let head: String = rest.by_ref().take(QUOTED_CHARS).collect();
        let cut = if rest.next().is_some() { "…" } else { "" };
        write!(f, "\"{}{cut}\"", head.escape_debug())
    }
}
