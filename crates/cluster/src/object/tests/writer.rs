//! Writes objects in the dialect of the fast reader, in every style that the dialect has.

use serde_json::{Map, Value};

/// Writes with choices taken from a list of bytes, over and over.
pub(super) struct Writer<'s> {
    out: String,
    choices: &'s [u8],
    taken: usize,
    line_end: &'static str,
    after: After,
}

/// What may be put after the last value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum After {
    #[default]
    Anything,
    /// It was a block text: a comment in a deeper column would be a part of it.
    Outermost,
    /// It keeps its line breaks, and would keep others too.
    Nothing,
}

/// How far a text may be changed for its style.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Key,
    Value,
}

impl<'s> Writer<'s> {
    pub(super) fn new(choices: &'s [u8]) -> Self {
        let mut writer = Self { out: String::new(), choices, taken: 0, line_end: "\n", after: After::Anything };
        if writer.pick(8) == 0 {
            writer.line_end = "\r\n";
        }
        writer
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn pick(&mut self, count: usize) -> usize {
        let choice = self.choices.get(self.taken % self.choices.len().max(1));
        self.taken += 1;
        // Later rounds over the same bytes choose differently.
        (usize::from(choice.copied().unwrap_or_default()) + self.taken / 97) % count
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub(super) fn end_line(&mut self) {
        self.out.push_str(self.line_end);
    }

    fn pad(&mut self, column: usize) {
        self.out.push_str(&" ".repeat(column));
    }

    /// Comments and blank lines, which mean nothing.
    pub(super) fn noise(&mut self) {
        let after = std::mem::take(&mut self.after);
        if after == After::Nothing {
            return;
        }
        match self.pick(16) {
            0 => {
                let widest = if after == After::Outermost { 1 } else { 7 };
                let column = self.pick(widest);
                self.pad(column);
                self.raw("# a: comment - \"with' [things");
                self.end_line();
            }
            1 => {
                let widest = if after == After::Outermost { 1 } else { 3 };
                let column = self.pick(widest);
                self.pad(column);
                self.end_line();
            }
            _ => {}
        }
    }

    /// The rest of a line after a value that ended on it.
    fn close(&mut self) {
        match self.pick(12) {
            0 => self.raw("  # note: it's"),
            1 => self.raw(" "),
            _ => {}
        }
        self.end_line();
    }

    /// A map whose keys stand in `column`. With `started` the first key is already indented.
    pub(super) fn map(&mut self, map: &Map<String, Value>, column: usize, started: bool) {
        for (index, (key, value)) in map.iter().enumerate() {
            if !(started && index == 0) {
                self.noise();
                self.pad(column);
            }
            self.key(key);
            self.raw(":");
            self.value(value, column);
        }
    }

    /// A list whose dashes stand in `column`. With `started` the first dash is already indented.
    pub(super) fn list(&mut self, items: &[Value], column: usize, started: bool) {
        for (index, item) in items.iter().enumerate() {
            if !(started && index == 0) {
                self.noise();
                self.pad(column);
            }
            self.raw("-");
            let spaces = 1 + usize::from(self.pick(10) == 0);
            match item {
                Value::Object(map) if !map.is_empty() => {
                    if self.pick(8) == 0 {
                        self.close();
                        self.pad(column + 2);
                    } else {
                        self.pad(spaces);
                    }
                    let column = self.column();
                    self.map(map, column, true);
                }
                Value::Array(items) if !items.is_empty() => {
                    self.pad(spaces);
                    let column = self.column();
                    self.list(items, column, true);
                }
                _ => self.leaf(item, column),
            }
        }
    }

    /// The column that the text written so far ends in.
    fn column(&self) -> usize {
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        line.trim_start_matches('\u{feff}').chars().count()
    }

    fn value(&mut self, value: &Value, column: usize) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                self.close();
                let deeper = column + 1 + [1, 1, 1, 3, 0][self.pick(5)];
                self.map(map, deeper, false);
            }
            Value::Array(items) if !items.is_empty() => {
                self.close();
                let deeper = column + [0, 0, 2, 2, 1][self.pick(5)];
                self.list(items, deeper, false);
            }
            _ => self.leaf(value, column),
        }
    }

    fn leaf(&mut self, value: &Value, parent: usize) {
        match value {
            Value::Null => {
                let text = [" null", " ~", "", " Null"][self.pick(4)];
                self.raw(text);
                self.close();
            }
            Value::Bool(_) | Value::Number(_) => {
                let text = format!(" {value}");
                self.raw(&text);
                self.close();
            }
            Value::Array(_) => {
                self.raw(" []");
                self.close();
            }
            Value::Object(_) => {
                self.raw(" {}");
                self.close();
            }
            Value::String(text) => {
                self.raw(" ");
                self.text(text, parent);
            }
        }
    }

    fn key(&mut self, key: &str) {
        let quoted = match self.pick(6) {
            0 if can_be_single(key) => format!("'{}'", key.replace('\'', "''")),
            1 => double(key),
            _ if can_be_plain(key, Place::Key) => key.to_owned(),
            _ => double(key),
        };
        self.raw(&quoted);
    }

    fn text(&mut self, text: &str, parent: usize) {
        let column = parent + 1 + self.pick(3);
        match self.pick(8) {
            0 | 1 if can_be_literal(text) => self.block('|', text, parent),
            2 if can_be_folded(text) => self.block('>', text, parent),
            3 if can_be_single(text) => {
                let quoted = format!("'{}'", text.replace('\'', "''"));
                self.folded(&quoted, column);
            }
            4 => {
                let quoted = double(text);
                self.folded(&quoted, column);
            }
            5 => {
                let quoted = double(text);
                self.raw(&quoted);
                self.close();
            }
            _ if can_be_plain(text, Place::Value) => self.folded(text, column),
            _ => {
                let quoted = double(text);
                self.folded(&quoted, column);
            }
        }
    }

    /// Breaks lines at single spaces between words, now and then.
    fn folded(&mut self, text: &str, column: usize) {
        let characters: Vec<char> = text.chars().collect();
        for (at, &character) in characters.iter().enumerate() {
            let may_break = character == ' '
                && at > 1
                && !matches!(characters[at - 1], ' ' | '\\')
                && characters.get(at + 1).is_some_and(|&next| !matches!(next, ' ' | '#'));
            if may_break && self.pick(4) == 0 {
                self.end_line();
                self.pad(column);
            } else {
                self.out.push(character);
            }
        }
        self.close();
    }

    fn block(&mut self, kind: char, text: &str, parent: usize) {
        let content = text.trim_end_matches('\n');
        let breaks = text.len() - content.len();
        let chomp = match breaks {
            0 => "-",
            1 => "",
            _ => "+",
        };
        let more = 1 + self.pick(4);
        let explicit = content.starts_with([' ', '\n']) || self.pick(5) == 0;
        self.out.push(kind);
        let indicator = if explicit { more.to_string() } else { String::new() };
        // The two indicators may stand in any order.
        if self.pick(2) == 0 {
            self.raw(&indicator);
            self.raw(chomp);
        } else {
            self.raw(chomp);
            self.raw(&indicator);
        }
        self.close();
        let indent = parent + more;
        for line in content.split('\n') {
            if !line.is_empty() {
                self.pad(indent);
                if kind == '>' {
                    self.words(line, indent);
                } else {
                    self.raw(line);
                }
            }
            self.end_line();
            if kind == '>' && !line.is_empty() {
                // A break of the text is a blank line more.
                self.end_line();
            }
        }
        if kind == '>' {
            // The last line has no break after it in the text.
            self.out.truncate(self.out.len() - self.line_end.len());
        }
        for _ in 1..breaks {
            self.end_line();
        }
        self.after = if breaks > 1 { After::Nothing } else { After::Outermost };
    }

    fn words(&mut self, line: &str, indent: usize) {
        let characters: Vec<char> = line.chars().collect();
        for (at, &character) in characters.iter().enumerate() {
            let may_break = character == ' '
                && at > 0
                && characters[at - 1] != ' '
                && characters.get(at + 1).is_some_and(|&next| next != ' ');
            if may_break && self.pick(4) == 0 {
                self.end_line();
                self.pad(indent);
            } else {
                self.out.push(character);
            }
        }
    }
}

fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn can_be_single(text: &str) -> bool {
    text.chars().all(is_printable) && !text.starts_with(' ') && !text.ends_with(' ')
}

fn can_be_literal(text: &str) -> bool {
    let content = text.trim_end_matches('\n');
    !content.trim().is_empty()
        && content.chars().all(|c| c == '\n' || is_printable(c))
        && !content.starts_with('\n')
        && !content.ends_with(' ')
}

fn can_be_folded(text: &str) -> bool {
    can_be_literal(text)
        && !text.contains("\n\n")
        && text.lines().all(|line| !line.is_empty() && !line.starts_with(' '))
}

fn can_be_plain(text: &str, place: Place) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let word = text.to_ascii_lowercase();
    let special = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let number_like =
        text.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '+' | '-' | '.' | '_' | 'x' | 'X' | 'o' | 'O'));
    let starts = first.is_alphanumeric() || matches!(first, '/' | '_' | '(');
    starts
        && text.chars().all(is_printable)
        && !text.ends_with(' ')
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && (place == Place::Key || !number_like)
        && !special.contains(&word.as_str())
        && text.len() < 900
}

fn double(text: &str) -> String {
    let mut out = String::from("\"");
    for (at, character) in text.char_indices() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\u{85}' => out.push_str("\\N"),
            '\u{2028}' => out.push_str("\\L"),
            // Spaces at the ends would be lost where a line is broken beside them.
            ' ' if at == 0 || at + 1 == text.len() => out.push_str("\\x20"),
            c if is_printable(c) => out.push(c),
            c if u32::from(c) <= 0xff => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if u32::from(c) <= 0xffff => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}
