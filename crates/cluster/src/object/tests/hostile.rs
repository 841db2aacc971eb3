//! Damaged texts: the fast reader agrees with the library or hands over.

use super::recordings;
use crate::object::{Parser, differential, split};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

/// A text of our own with everything that the dialect has.
const SAMPLE: &str = include_str!("sample.yaml");

/// The texts to damage: ours, and what was recorded if that is at hand, a few kilobytes each.
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut texts = vec![SAMPLE.as_bytes().to_vec(); 40];
    for (_, text) in recordings::yaml() {
        if text.len() < 6000 {
            texts.push(text);
        } else {
            // Cut at a line, so that some of it is still in order.
            let end = text[..6000].iter().rposition(|&byte| byte == b'\n').unwrap_or(5999);
            texts.push(text[..=end].to_vec());
        }
    }
    texts
});

/// One way to damage a text.
#[derive(Debug, Clone)]
enum Damage {
    Cut(Index),
    Remove(Index, usize),
    Repeat(Index, usize, Index),
    Replace(Index, u8),
    Insert(Index, &'static str),
    /// Changes the indentation of a line.
    Shift(Index, isize),
    RemoveLine(Index),
    MoveLine(Index, Index),
}

/// What means something to a YAML parser.
const PIECES: &[&str] = &[
    ":",
    ": ",
    "#",
    " #",
    "- ",
    "-",
    "'",
    "\"",
    "|",
    ">",
    "|2-\n",
    ">+\n",
    "{",
    "}",
    "[",
    "]",
    "{}",
    "[]",
    "&a ",
    "*a",
    "!",
    "!!str ",
    "%",
    "@",
    "`",
    "\t",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "\n  ",
    " ",
    "  ",
    "? ",
    "<<: ",
    "---\n",
    "\n---\n",
    "...\n",
    "\n...\n",
    "--- ",
    "\\",
    "\\\n",
    "''",
    "~",
    "null",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "\u{a0}",
    "é",
    ",",
    "=",
    "\nkind: X\n",
    "\nitems:\n",
    "\n# c\n",
    "\n    # c\n",
    "1e30755",
    "0x1f",
    "-.inf",
    "%YAML 1.2\n---\n",
    "key: |\n",
    "x: \"a\n",
    "x: 'a\n",
    "x: a\n  b\n",
    "\n\t",
    " \t",
    "\t ",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        1 => at().prop_map(Damage::Cut),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        1 => (at(), 1..80_usize, at()).prop_map(|(at, length, to)| Damage::Repeat(at, length, to)),
        1 => (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        6 => (at(), prop::sample::select(PIECES)).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        3 => (at(), -3..4_isize).prop_map(|(at, by)| Damage::Shift(at, by)),
        1 => at().prop_map(Damage::RemoveLine),
        1 => (at(), at()).prop_map(|(from, to)| Damage::MoveLine(from, to)),
    ]
}

fn apply(text: &mut Vec<u8>, damage: &Damage) {
    if text.is_empty() {
        return;
    }
    let line = |text: &[u8], at: &Index| {
        let at = at.index(text.len());
        let start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |n| n + 1);
        let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |n| at + n + 1);
        start..end
    };
    match damage {
        Damage::Cut(at) => text.truncate(at.index(text.len())),
        Damage::Remove(at, length) => {
            let start = at.index(text.len());
            let end = text.len().min(start + length);
            text.drain(start..end);
        }
        Damage::Repeat(at, length, to) => {
            let start = at.index(text.len());
            let piece = text[start..text.len().min(start + length)].to_vec();
            let to = to.index(text.len());
            text.splice(to..to, piece);
        }
        Damage::Replace(at, byte) => {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        Damage::Insert(at, piece) => {
            let at = at.index(text.len());
            text.splice(at..at, piece.bytes());
        }
        Damage::Shift(at, by) => {
            let start = line(text, at).start;
            if *by >= 0 {
                text.splice(start..start, std::iter::repeat_n(b' ', by.unsigned_abs()));
            } else {
                let spaces = text[start..].iter().take_while(|&&byte| byte == b' ').count();
                text.drain(start..start + spaces.min(by.unsigned_abs()));
            }
        }
        Damage::RemoveLine(at) => {
            text.drain(line(text, at));
        }
        Damage::MoveLine(from, to) => {
            let from = line(text, from);
            let moved: Vec<u8> = text.drain(from).collect();
            if !text.is_empty() {
                let to = line(text, to).start;
                text.splice(to..to, moved);
            }
        }
    }
}

proptest! {
    #[test]
    fn damaged_text_is_read_alike_or_handed_over(which in any::<Index>(), damages in vec(damage(), 1..6)) {
        let mut text = which.get(&TEXTS).clone();
        for damage in &damages {
            apply(&mut text, damage);
        }
        differential::check(&text).map_err(|told| {
            TestCaseError::fail(format!("{told}\nafter {damages:?} in\n{}", String::from_utf8_lossy(&text)))
        })?;
    }

    #[test]
    fn pieces_of_yaml_in_any_order_are_read_alike_or_handed_over(
        pieces in vec(
            prop_oneof![
                2 => prop::sample::select(PIECES).prop_map(str::to_owned),
                2 => prop::sample::select(&["a: ", "b:\n", "- c", "text", "  ", "\n", "\n  ", "items:\n", "kind: List\n", "- a: b\n", "  c: d\n", " x y ", "1", "\"q\"", "'s'"][..]).prop_map(str::to_owned),
            ],
            0..24,
        )
    ) {
        let text = pieces.concat();
        differential::check(text.as_bytes()).map_err(|told| TestCaseError::fail(format!("{told}\nin\n{text:?}")))?;
    }

    #[test]
    fn any_bytes_end(bytes in vec(any::<u8>(), 0..200)) {
        differential::check(&bytes).map_err(TestCaseError::fail)?;
        for object in split(&bytes, Parser::Library).flatten() {
            let _ = object.read::<serde_json::Value>();
        }
    }
}
