//! Tables: cells in columns, aligned by spaces.
//!
//! The layout is that of the peer's tables (status-openshift.md, 10.4), where a column is as wide as the longest of
//! the cells that stand directly above one another. The crates for it count display columns and know no vertical tab,
//! so their bytes differ from the peer's; this is all that is needed.

use super::Dialect;

/// Between two columns.
const GAP: usize = 3;

/// Lays text out: a tab ends a cell, a line feed a line, a vertical tab is a tab, and a form feed ends the layout
/// with the line.
pub(super) fn lay_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut parts = text.split('\u{c}').peekable();
    while let Some(part) = parts.next() {
        let whole = if parts.peek().is_some() { format!("{part}\n") } else { part.to_owned() };
        lay_out_part(&whole, &mut out);
    }
    out
}

fn lay_out_part(text: &str, out: &mut String) {
    let lines: Vec<Vec<&str>> = text.split('\n').map(|line| line.split(['\t', '\u{b}']).collect()).collect();
    let mut widths: Vec<Vec<usize>> = lines.iter().map(|cells| vec![0; cells.len().saturating_sub(1)]).collect();
    fit(&lines, &mut widths, 0..lines.len(), 0);
    for (at, (cells, widths)) in lines.iter().zip(&widths).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        for (cell, width) in cells.iter().zip(widths) {
            out.push_str(cell);
            out.extend(std::iter::repeat_n(' ', width.saturating_sub(length(cell))));
        }
        out.push_str(cells.last().copied().unwrap_or_default());
    }
}

/// Sets the widths of one column, run by run, and of the columns to its right within each run.
fn fit(lines: &[Vec<&str>], widths: &mut [Vec<usize>], range: std::ops::Range<usize>, column: usize) {
    // A cell takes part when a tab ends it: the last cell of a line is in no column.
    let takes_part = |at: usize| lines.get(at).is_some_and(|cells| cells.len() > column + 1);
    let mut at = range.start;
    while at < range.end {
        if !takes_part(at) {
            at += 1;
            continue;
        }
        let start = at;
        while at < range.end && takes_part(at) {
            at += 1;
        }
        let cells = lines.get(start..at).unwrap_or_default();
        let longest = cells.iter().filter_map(|cells| cells.get(column)).map(|cell| length(cell)).max();
        for row in widths.iter_mut().take(at).skip(start) {
            if let Some(width) = row.get_mut(column) {
                *width = longest.unwrap_or(0) + GAP;
            }
        }
        fit(lines, widths, start..at, column + 1);
    }
}

/// Characters of a cell, those of colours left out.
fn length(cell: &str) -> usize {
    let mut count = 0;
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.find(|c| *c == 'm');
        } else {
            count += 1;
        }
    }
    count
}

/// A text on one line, as a cell: the first line that says something, cut to a length.
pub(super) fn cell(text: &str, most: usize) -> String {
    let mut lines = text.lines().map(clean).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_whole = lines.next().is_none() && first.chars().count() <= most;
    if is_whole {
        return first;
    }
    let cut: String = first.chars().take(most.saturating_sub(3)).collect();
    format!("{}...", cut.trim_end())
}

/// A name, version or the like in a cell: such words have no line breaks, unless somebody means harm.
pub(super) fn word(text: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Oc => text.to_owned(),
        Dialect::Headway => cell(text, WORD),
    }
}

/// The longest name that Kubernetes allows.
const WORD: usize = 253;

/// A line without what moves a terminal's cursor or breaks a table: control characters become spaces.
pub(super) fn clean(line: &str) -> String {
    let clean: String = line.chars().map(|c| if is_control(c) { ' ' } else { c }).collect();
    clean.trim().to_owned()
}

/// Whether a character would do something to a terminal instead of being shown.
fn is_control(c: char) -> bool {
    // Besides the control characters: line and paragraph separators, and marks that turn the writing direction.
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oc_10_4_columns_are_runs_of_cells() {
        let check = |text: &str, expect: &str| assert_eq!(lay_out(text), expect, "{text:?}");
        check("a\tb\tc\nlong\tx\ty", "a      b   c\nlong   x   y");
        // An empty column is as wide as the gap; the last cell is not padded.
        check("a\t\tc\nb\t\td", "a      c\nb      d");
        check("a\t", "a   ");
        // A line without a tab ends the table.
        check("aaaa\tb\nplain\nc\td", "aaaa   b\nplain\nc   d");
        // A column to the right is its own run.
        check("a\tbbbb\tc\nd\te\nf\tg\th", "a   bbbb   c\nd   e\nf   g   h");
        check("a\u{b}b\u{c}cc\td", "a   b\ncc   d");
        check("\u{1b}[31mred\u{1b}[0m\tx\nlonger\ty", "\u{1b}[31mred\u{1b}[0m      x\nlonger   y");
        check("", "");
    }

    #[test]
    fn oc_15_3_17_a_cell_is_one_line() {
        let check = |text: &str, most: usize, expect: &str| assert_eq!(cell(text, most), expect, "{text:?}");
        check("short", 20, "short");
        check("first\nsecond", 20, "first...");
        check("\n\n  only  \n\n", 20, "only");
        check("a\tb\u{1b}[31mc", 20, "a b [31mc");
        check("0123456789", 10, "0123456789");
        check("0123456789x", 10, "0123456...");
        check("a\u{202e}b\u{2028}c", 20, "a b c");
        check("", 20, "");
    }
}
