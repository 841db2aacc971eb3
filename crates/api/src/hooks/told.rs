//! Texts of strangers, made fit to be shown: one line, and not longer than a person reads.

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
