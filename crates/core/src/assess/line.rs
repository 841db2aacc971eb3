//! Texts of others within a sentence of ours.

/// All of a text on one line, its words one blank apart.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_and_blanks_become_one_blank() {
        let check = |text: &str, expect: &str| assert_eq!(on_one_line(text), expect, "{text:?}");
        check("", "");
        check(" \r\n\n\t", "");
        check("  two\n\nlines \t of text\n", "two lines of text");
    }
}
