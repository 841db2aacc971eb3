//! Colours of words that a person looks for.

/// Whether words are coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Colour {
    /// No.
    #[default]
    Never,
    /// Yes.
    Always,
}

/// What a word means to the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Nothing to do.
    Plain,
    /// It went well.
    Good,
    /// It needs an eye.
    Warn,
    /// It needs a hand.
    Bad,
    /// A title.
    Title,
}

impl Colour {
    /// The text in the colour of its tone.
    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match (self, tone) {
            (Self::Never, _) | (_, Tone::Plain) => return text.to_owned(),
            (Self::Always, Tone::Good) => "32",
            (Self::Always, Tone::Warn) => "33",
            (Self::Always, Tone::Bad) => "31",
            (Self::Always, Tone::Title) => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
