//! Texts of strangers within a sentence of ours: on one line, escaped, and cut. And errors in one sentence with what
//! caused them.

use std::error::Error;
use std::fmt;
use std::iter::successors;

/// As much of a text is shown as fits a line beside the sentence around it, in characters.
const CHARS: usize = 80;

/// A text with what is not printable escaped; of a long one the beginning, and `…`.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.chars();
        let head: String = rest.by_ref().take(CHARS).collect();
        let cut = if rest.next().is_some() { "…" } else { "" };
        write!(f, "{}{cut}", head.escape_debug())
    }
}

/// The same in double quotes.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", Escaped(self.0))
    }
}

/// An error and its causes, the outermost first.
#[must_use]
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let told: Vec<String> = successors(Some(error), |error| (*error).source()).map(ToString::to_string).collect();
    told.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_cut() {
        let check = |text: &str, expect: &str| {
            assert_eq!(Escaped(text).to_string(), expect);
            assert_eq!(Quoted(text).to_string(), format!("\"{expect}\""));
        };
        check("", "");
        check("v1.33.0", "v1.33.0");
        check("a\n\"b\"\u{1b}[31m", "a\\n\\\"b\\\"\\u{1b}[31m");
        check(&"x".repeat(80), &"x".repeat(80));
        check(&"é".repeat(81), &format!("{}…", "é".repeat(80)));
    }
}
