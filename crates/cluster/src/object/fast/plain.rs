//! Plain scalars, and the keys of maps.

use super::fault::Fault;
use super::lines::Reader;
use super::typing::{Scalar, Style};
use memchr::memchr2_iter;
use std::borrow::Cow;

/// YAML allows no more for a key that is not marked by `?`; a little less, to be certain.
const LONGEST_KEY: usize = 1000;

impl<'de> Reader<'de> {
    /// Reads the plain scalar at the cursor, which may go on over lines deeper than `indent`.
    pub(super) fn plain(&mut self, indent: isize) -> Result<Cow<'de, str>, Fault> {
        let (first, mut commented) = self.plain_line()?;
        let mut text = Cow::Borrowed(first);
        while !commented {
            let Some(breaks) = self.continues(indent) else {
                return Ok(text);
            };
            let more;
            (more, commented) = self.plain_line()?;
            let text = text.to_mut();
            if breaks == 0 {
                text.push(' ');
            }
            text.extend(std::iter::repeat_n('\n', breaks));
            text.push_str(more);
        }
        match self.next_content()? {
            Some(next) if is_deeper(next, indent) => Err(self.outside("a comment within a text")),
            Some(_) | None => Ok(text),
        }
    }

    /// Reads what the current line holds of a plain scalar, and whether a comment follows.
    fn plain_line(&mut self) -> Result<(&'de str, bool), Fault> {
        let start = self.pos;
        let line = self.line(start);
        let bytes = &self.bytes()[start..line.end];
        if self.tabs && bytes.contains(&b'\t') {
            return Err(self.outside("a tab in a plain text"));
        }
        let mut end = bytes.len();
        let mut commented = false;
        for at in memchr2_iter(b':', b'#', bytes) {
            if bytes[at] == b':' {
                if matches!(bytes.get(at + 1), None | Some(b' ')) {
                    return Err(self.outside_at("a colon in a plain text", start + at));
                }
            } else if at > 0 && bytes[at - 1] == b' ' {
                end = at;
                commented = true;
                break;
            }
        }
        self.go_to(line.next);
        let text = self.slice(start, start + end);
        Ok((text.trim_end_matches(' '), commented))
    }

    /// From the start of a line: if a plain scalar goes on, moves to its next content and gives the
    /// number of blank lines before.
    fn continues(&mut self, indent: isize) -> Option<usize> {
        let mut pos = self.pos;
        let mut blank = 0;
        loop {
            let spaces = self.spaces(pos);
            let at = pos + spaces;
            match self.byte(at)? {
                b'\n' | b'\r' => {
                    blank += 1;
                    pos = self.line(at).next;
                }
                b'#' => return None,
                _ if is_deeper(spaces, indent) => {
                    self.go_to(at);
                    return Some(blank);
                }
                _ => return None,
            }
        }
    }

    /// Reads the key at the cursor, with its colon and the spaces after it.
    pub(super) fn key(&mut self) -> Result<Scalar<'de>, Fault> {
        let (text, style, end) = match self.peek() {
            Some(b'"' | b'\'') => {
                let Some((text, end)) = self.quoted_on_line()? else {
                    return Err(self.outside("a key of several lines"));
                };
                if self.byte(end) != Some(b':') {
                    return Err(self.outside("a quoted key without a colon"));
                }
                (text, Style::Quoted, end)
            }
            Some(first) if may_start_key(first) => {
                let Some(end) = self.plain_key_end() else {
                    return Err(self.outside("a line that is not `key: value`"));
                };
                let text = self.slice(self.pos, end);
                (Cow::Borrowed(text), Style::Plain, end)
            }
            Some(_) | None => return Err(self.outside("an unusual key")),
        };
        if end - self.pos > LONGEST_KEY {
            return Err(self.outside("a very long key"));
        }
        let key = Scalar { text, style };
        if key.is_null() {
            return Err(self.outside("a special key"));
        }
        self.go_to(end + 1);
        if !self.ends_at(self.pos) && self.pass_spaces()? == 0 {
            return Err(self.outside("a key without a space after it"));
        }
        Ok(key)
    }

    /// Whether the cursor stands at a key.
    pub(super) fn at_key(&self) -> Result<bool, Fault> {
        Ok(match self.peek() {
            Some(b'"' | b'\'') => {
                self.quoted_on_line()?.is_some_and(|(_, end)| self.byte(end + self.spaces(end)) == Some(b':'))
            }
            Some(_) => self.plain_key_end().is_some(),
            None => false,
        })
    }

    /// Where the plain key at the cursor has its colon.
    fn plain_key_end(&self) -> Option<usize> {
        let rest = &self.bytes()[self.pos..];
        let mut previous = b':';
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                b':' if matches!(rest.get(at + 1), None | Some(b' ' | b'\n' | b'\r' | b'\t')) => {
                    // A space before the colon is allowed by YAML and written by nobody.
                    return (previous != b' ').then_some(self.pos + at);
                }
                b'\n' | b'\t' => return None,
                b'#' if previous == b' ' => return None,
                _ => previous = byte,
            }
        }
        None
    }
}

fn is_deeper(spaces: usize, indent: isize) -> bool {
    isize::try_from(spaces).is_ok_and(|spaces| spaces > indent)
}

/// Bytes that begin a plain key in every reader's view. Anything else is left to the library.
fn may_start_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'$' | b'(' | b'+') || byte >= 0x80
}
