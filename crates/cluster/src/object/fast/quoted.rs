//! Single- and double-quoted scalars.

use super::fault::Fault;
use super::lines::Reader;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

impl<'de> Reader<'de> {
    /// Reads the quoted scalar at the cursor, which may go on over lines deeper than `indent`.
    pub(super) fn quoted(&mut self, indent: isize) -> Result<Cow<'de, str>, Fault> {
        let (text, end) = match self.quoted_on_line()? {
            Some(found) => found,
            None if self.peek() == Some(b'"') => self.folded_double(indent)?,
            None => self.folded_single(indent)?,
        };
        self.end_line(end)?;
        Ok(text)
    }

    /// Reads the quoted scalar at the cursor if it ends on its line; gives also where it ends.
    pub(super) fn quoted_on_line(&self) -> Result<Option<(Cow<'de, str>, usize)>, Fault> {
        let start = self.pos + 1;
        let line = &self.bytes()[start..self.line(start).end];
        if self.peek() == Some(b'\'') {
            return Ok(self.single_on_line(start, line));
        }
        match memchr2(b'"', b'\\', line) {
            None => Ok(None),
            Some(length) if line[length] == b'"' => {
                let text = self.slice(start, start + length);
                Ok(Some((Cow::Borrowed(text), start + length + 1)))
            }
            Some(_) => self.escaped_on_line(start, line.len()),
        }
    }

    fn single_on_line(&self, start: usize, line: &[u8]) -> Option<(Cow<'de, str>, usize)> {
        let mut from = 0;
        let mut doubled = false;
        loop {
            let at = from + memchr(b'\'', &line[from..])?;
            if line.get(at + 1) != Some(&b'\'') {
                let text = self.slice(start, start + at);
                let text = if doubled { Cow::Owned(text.replace("''", "'")) } else { Cow::Borrowed(text) };
                return Some((text, start + at + 1));
            }
            doubled = true;
            from = at + 2;
        }
    }

    fn escaped_on_line(&self, start: usize, length: usize) -> Result<Option<(Cow<'de, str>, usize)>, Fault> {
        let end = start + length;
        let bytes = &self.bytes()[..end];
        let mut text = String::with_capacity(length.min(1024));
        let mut from = start;
        loop {
            let Some(found) = memchr2(b'"', b'\\', &bytes[from..]) else {
                return Ok(None);
            };
            let at = from + found;
            text.push_str(self.slice(from, at));
            if bytes[at] == b'"' {
                return Ok(Some((Cow::Owned(text), at + 1)));
            }
            if at + 1 >= end {
                return Ok(None);
            }
            from = self.escape(at, &mut text)?;
        }
    }

    /// Adds what the escape sequence at `at` stands for; gives where it ends.
    fn escape(&self, at: usize, text: &mut String) -> Result<usize, Fault> {
        let outside = |reason| Err(self.outside_at(reason, at));
        let Some(letter) = self.byte(at + 1) else {
            return outside("an escape sequence cut short");
        };
        let plain = match letter {
            b'0' => '\0',
            b'a' => '\x07',
            b'b' => '\x08',
            b't' => '\t',
            b'n' => '\n',
            b'v' => '\x0b',
            b'f' => '\x0c',
            b'r' => '\r',
            b'e' => '\x1b',
            b' ' => ' ',
            b'"' => '"',
            b'/' => '/',
            b'\\' => '\\',
            b'N' => '\u{85}',
            b'_' => '\u{a0}',
            b'L' => '\u{2028}',
            b'P' => '\u{2029}',
            b'x' | b'u' | b'U' => {
                let digits = match letter {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                let code = self.bytes().get(at + 2..at + 2 + digits).unwrap_or_default();
                let code = code.iter().try_fold(0_u32, |code, &digit| {
                    // At most eight digits, so the product stays within 32 bits.
                    Some((code << 4) | char::from(digit).to_digit(16)?)
                });
                let Some(character) = code.and_then(char::from_u32) else {
                    return outside("an escape sequence that is no character");
                };
                if self.bytes().len() < at + 2 + digits {
                    return outside("an escape sequence cut short");
                }
                text.push(character);
                return Ok(at + 2 + digits);
            }
            _ => return outside("an unknown escape sequence"),
        };
        text.push(plain);
        Ok(at + 2)
    }

    fn folded_single(&self, indent: isize) -> Result<(Cow<'de, str>, usize), Fault> {
        let mut text = String::new();
        let mut from = self.pos + 1;
        loop {
            let line = self.line(from);
            let bytes = &self.bytes()[..line.end];
            while let Some(found) = memchr(b'\'', &bytes[from..]) {
                let at = from + found;
                text.push_str(self.slice(from, at));
                if bytes.get(at + 1) != Some(&b'\'') {
                    return Ok((Cow::Owned(text), at + 1));
                }
                text.push('\'');
                from = at + 2;
            }
            text.push_str(self.slice(from, line.end));
            from = self.fold(&mut text, 0, line.next, indent)?;
        }
    }

    fn folded_double(&self, indent: isize) -> Result<(Cow<'de, str>, usize), Fault> {
        let mut text = String::new();
        let mut from = self.pos + 1;
        loop {
            let line = self.line(from);
            // What an escape sequence stands for is never trimmed at the end of a line.
            let mut keep = 0;
            let mut joined = false;
            loop {
                let bytes = &self.bytes()[..line.end];
                let Some(found) = memchr2(b'"', b'\\', &bytes[from..]) else {
                    text.push_str(self.slice(from, line.end));
                    break;
                };
                let at = from + found;
                text.push_str(self.slice(from, at));
                if bytes[at] == b'"' {
                    return Ok((Cow::Owned(text), at + 1));
                }
                if at + 1 == line.end {
                    joined = true;
                    break;
                }
                from = self.escape(at, &mut text)?;
                keep = text.len();
            }
            from = if joined { self.join(line.next, indent)? } else { self.fold(&mut text, keep, line.next, indent)? };
        }
    }

    /// Folds a line break into `text`: one break becomes a space, more become one break less.
    /// Gives where the next line's content starts.
    fn fold(&self, text: &mut String, keep: usize, mut next: usize, indent: isize) -> Result<usize, Fault> {
        text.truncate(keep + text[keep..].trim_end_matches(' ').len());
        if self.tabs {
            return Err(self.outside("tabs in a text of several lines"));
        }
        let mut breaks = 0;
        loop {
            let spaces = self.spaces(next);
            let at = next + spaces;
            if self.byte(at).is_none() {
                return Err(self.outside("an unfinished text"));
            }
            if self.ends_at(at) {
                breaks += 1;
                next = self.line(at).next;
                continue;
            }
            self.check_continuation(spaces, at, indent)?;
            if breaks == 0 {
                text.push(' ');
            }
            text.extend(std::iter::repeat_n('\n', breaks));
            return Ok(at);
        }
    }

    /// Passes a line break that a backslash takes away.
    fn join(&self, next: usize, indent: isize) -> Result<usize, Fault> {
        let spaces = self.spaces(next);
        let at = next + spaces;
        if self.tabs || self.byte(at).is_none() || self.ends_at(at) {
            return Err(self.outside("an unusual line break in a text"));
        }
        self.check_continuation(spaces, at, indent)?;
        Ok(at)
    }

    fn check_continuation(&self, spaces: usize, at: usize, indent: isize) -> Result<(), Fault> {
        match isize::try_from(spaces) {
            Ok(spaces) if spaces > indent => Ok(()),
            Ok(_) | Err(_) => Err(self.outside_at("a text that is not indented", at)),
        }
    }
}
