//! Texts of others within a sentence of ours.

use headway_api::meta::Condition;

/// All of a text on one line, its words one blank apart.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a condition says on one line: its message without the mark of a list, else its reason.
pub(super) fn said(told: &Condition) -> String {
    let line = on_one_line(&told.message);
    let line = line.trim_start_matches("* ");
    if !line.is_empty() {
        line.to_owned()
    } else if !told.reason.is_empty() {
        told.reason.clone()
    } else {
        format!("{}, without a reason", told.kind)
    }
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
