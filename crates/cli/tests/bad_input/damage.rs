//! What can happen to a text, byte by byte and line by line.

use super::chance::Chance;

/// A way of damaging a text.
pub(super) type Damage = fn(&[u8], &mut Chance) -> Vec<u8>;

/// All ways, by name.
pub(super) const ALL: [(&str, Damage); 20] = [
    ("cut at a byte", |text, chance| text[..chance.below(text.len() + 1)].to_vec()),
    ("cut at a line", |text, chance| lines_of(text)[..line(text, chance)].concat()),
    ("the beginning lost", |text, chance| text[chance.below(text.len() + 1)..].to_vec()),
    ("a line lost", |text, chance| edit(text, chance, |_| Vec::new())),
    ("a line twice", |text, chance| edit(text, chance, |line| line.repeat(2))),
    ("a value lost", |text, chance| value(text, chance, |_| Vec::new())),
    ("a value a number", |text, chance| value(text, chance, |_| b"17".to_vec())),
    ("a value a list", |text, chance| value(text, chance, |_| b"[]".to_vec())),
    ("a value a map", |text, chance| value(text, chance, |_| b"{}".to_vec())),
    ("a value a text", |text, chance| value(text, chance, |_| b"\"a text\"".to_vec())),
    ("a value null", |text, chance| value(text, chance, |_| b"null".to_vec())),
    ("an alias without an anchor", |text, chance| value(text, chance, |_| b"*nothing".to_vec())),
    ("a tag", |text, chance| value(text, chance, |value| [b"!!binary ", value].concat())),
    ("not UTF-8", |text, chance| insert(text, chance, b"\xff\xc3\x28")),
    ("NULs", |text, chance| insert(text, chance, &[0; 64])),
    ("tabs", |text, chance| edit(text, chance, |line| [b"\t", line].concat())),
    ("a block of zeros", |text, chance| {
        let mut text = text.to_vec();
        let start = chance.below(text.len() + 1);
        let end = text.len().min(start + 512);
        text[start..end].fill(0);
        text
    }),
    ("another version of the API", |text, _| replace(text, b"/v1\n", b"/v9\n")),
    ("a line somewhere else", |text, chance| {
        let mut lines = lines_of(text);
        let (from, to) = (line(text, chance), line(text, chance));
        if from < lines.len() {
            let line = lines.remove(from);
            lines.insert(to.min(lines.len()), line);
        }
        lines.concat()
    }),
    ("a document more", |text, chance| insert(text, chance, b"\n---\nkind: Node\n")),
];

fn lines_of(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn line(text: &[u8], chance: &mut Chance) -> usize {
    chance.below(lines_of(text).len() + 1)
}

/// Changes one line.
fn edit(text: &[u8], chance: &mut Chance, change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let hit = line(text, chance);
    let lines = lines_of(text).into_iter().enumerate();
    lines.flat_map(|(at, line)| if at == hit { change(line) } else { line.to_vec() }).collect()
}

/// Changes what follows the colon of one line.
fn value(text: &[u8], chance: &mut Chance, change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    edit(text, chance, |line| {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return line.to_vec() };
        let (key, value) = line.split_at(colon + 1);
        [key, b" ", &change(value.trim_ascii()), b"\n"].concat()
    })
}

fn insert(text: &[u8], chance: &mut Chance, what: &[u8]) -> Vec<u8> {
    let (before, after) = text.split_at(chance.below(text.len() + 1));
    [before, what, after].concat()
}

fn replace(text: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(what) {
            out.extend_from_slice(with);
            at += what.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}
