//! Lines and indentation: the cursor of the fast reader.

use super::fault::{Cause, Fault};
use memchr::memchr;
use std::cell::Cell;

/// A cursor over the text of one object.
///
/// After every node it stands at the start of a line.
pub(in crate::object) struct Reader<'de> {
    text: &'de str,
    pub(super) pos: usize,
    pub(super) depth: u8,
    /// The indentation of the content line that starts at `pos`, when it was counted already.
    counted: Option<usize>,
    /// Whether lines end in CR LF anywhere in the text.
    carriage_returns: bool,
    /// Whether there is a tab anywhere in the text.
    pub(super) tabs: bool,
    /// What went wrong first. A seed may lose all but the words of a fault on its way through a type.
    stopped: Cell<Option<Stop>>,
}

/// Where reading stopped, and why if the text is to blame.
#[derive(Debug, Clone, Copy)]
struct Stop {
    at: usize,
    outside: Option<&'static str>,
}

/// One line: where its content ends and where the next line starts.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) end: usize,
    pub(super) next: usize,
}

impl<'de> Reader<'de> {
    /// # Errors
    /// When the text holds a character that the two readers might see differently.
    pub(super) fn new(text: &'de str) -> Result<Self, Fault> {
        let mut reader = Self {
            text,
            pos: 0,
            depth: 0,
            counted: None,
            carriage_returns: false,
            tabs: false,
            stopped: Cell::new(None),
        };
        if text.bytes().fold(false, |odd, byte| odd | is_odd(byte)) {
            reader.inspect()?;
        }
        Ok(reader)
    }

    /// Looks at every unusual byte: tabs and CR LF are noted, characters that are line breaks in
    /// one YAML version only, or not printable, are refused.
    fn inspect(&mut self) -> Result<(), Fault> {
        let bytes = self.text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            if !is_odd(byte) {
                continue;
            }
            let rest = &bytes[at + 1..];
            match byte {
                b'\t' => self.tabs = true,
                b'\r' if rest.first() == Some(&b'\n') => self.carriage_returns = true,
                0x00..=0x1f | 0x7f => return Err(Fault::outside("a control character", at)),
                // U+0080 to U+009F, with U+0085 among them.
                0xc2 if rest.first().is_some_and(|&second| second < 0xa0) => {
                    return Err(Fault::outside("a control character", at));
                }
                0xe2 if rest.starts_with(&[0x80, 0xa8]) || rest.starts_with(&[0x80, 0xa9]) => {
                    return Err(Fault::outside("a line or paragraph separator", at));
                }
                0xef if rest.starts_with(&[0xbb, 0xbf]) => {
                    return Err(Fault::outside("a byte order mark inside", at));
                }
                0xef if rest.starts_with(&[0xbf, 0xbe]) || rest.starts_with(&[0xbf, 0xbf]) => {
                    return Err(Fault::outside("not a character", at));
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn outside(&self, reason: &'static str) -> Fault {
        self.outside_at(reason, self.pos)
    }

    pub(super) fn outside_at(&self, reason: &'static str, at: usize) -> Fault {
        self.note(Stop { at, outside: Some(reason) });
        Fault::outside(reason, at)
    }

    /// Notes that the value at `at` failed, unless something deeper in it did so already.
    #[cold]
    pub(super) fn failed(&self, fault: Fault, at: usize) -> Fault {
        let outside = match fault.cause() {
            Cause::Outside(reason) => Some(*reason),
            Cause::Unfit(_) => None,
        };
        self.note(Stop { at, outside });
        fault
    }

    /// Notes a fault of a scalar, which does not know its reader, if the text is to blame.
    #[cold]
    pub(super) fn scalar_failed(&self, fault: Fault) -> Fault {
        match fault.cause() {
            Cause::Outside(_) => self.failed(fault, self.pos),
            Cause::Unfit(_) => fault,
        }
    }

    /// The fault that came up first, of which the seed may have kept no more than the words.
    #[cold]
    pub(super) fn first_fault(&self, fault: Fault, at: usize) -> Fault {
        match self.stopped.get() {
            Some(Stop { at, outside: Some(reason) }) => Fault::outside(reason, at),
            Some(Stop { at, outside: None }) => fault.at(at),
            None => fault.at(at),
        }
    }

    fn note(&self, stop: Stop) {
        if self.stopped.get().is_none() {
            self.stopped.set(Some(stop));
        }
    }

    pub(super) fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    /// The text between two offsets. Both always lie beside an ASCII character.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'de str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.pos)
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.bytes().get(at).copied()
    }

    pub(super) fn advance(&mut self, count: usize) {
        self.pos += count;
        self.counted = None;
    }

    pub(super) fn go_to(&mut self, pos: usize) {
        self.pos = pos;
        self.counted = None;
    }

    /// The line that `from` lies in.
    pub(super) fn line(&self, from: usize) -> Line {
        let bytes = self.bytes();
        let rest = bytes.get(from..).unwrap_or_default();
        match memchr(b'\n', rest) {
            None => Line { end: bytes.len(), next: bytes.len() },
            Some(length) => {
                let newline = from + length;
                let returned = self.carriage_returns && length > 0 && bytes[newline - 1] == b'\r';
                Line { end: newline - usize::from(returned), next: newline + 1 }
            }
        }
    }

    /// Spaces from `from` on.
    pub(super) fn spaces(&self, from: usize) -> usize {
        let rest = self.bytes().get(from..).unwrap_or_default();
        rest.iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Whether a line ends at `at`.
    pub(super) fn ends_at(&self, at: usize) -> bool {
        match self.byte(at) {
            None | Some(b'\n') => true,
            // A CR that is not before a LF was refused at the start.
            Some(byte) => byte == b'\r',
        }
    }

    /// From the start of a line: passes blank lines and comments, and gives the indentation of the
    /// next line with content. The cursor stays at the start of that line.
    pub(super) fn next_content(&mut self) -> Result<Option<usize>, Fault> {
        if let Some(indent) = self.counted {
            return Ok(Some(indent));
        }
        loop {
            let indent = self.spaces(self.pos);
            match self.byte(self.pos + indent) {
                None => {
                    self.pos += indent;
                    return Ok(None);
                }
                Some(b'\n') => self.pos += indent + 1,
                Some(b'\r') => self.pos += indent + 2,
                Some(b'#') => self.pos = self.line(self.pos).next,
                Some(b'\t') => return Err(self.outside("a tab in the indentation")),
                Some(_) => {
                    if indent == 0 && self.at_marker() {
                        return Err(self.outside("a document marker inside"));
                    }
                    self.counted = Some(indent);
                    return Ok(Some(indent));
                }
            }
        }
    }

    fn at_marker(&self) -> bool {
        let rest = self.bytes().get(self.pos..).unwrap_or_default();
        rest.starts_with(b"---") || rest.starts_with(b"...")
    }

    /// Whether a list item starts here: a dash, then space or the end of the line.
    pub(super) fn at_dash(&self) -> bool {
        self.peek() == Some(b'-') && (self.byte(self.pos + 1) == Some(b' ') || self.ends_at(self.pos + 1))
    }

    /// Passes the dash that stands in column `indent`; gives the column of what follows it.
    pub(super) fn pass_dash(&mut self, indent: usize) -> Result<usize, Fault> {
        self.advance(1);
        let spaces = self.pass_spaces()?;
        Ok(indent + 1 + spaces)
    }

    /// Passes the spaces after a dash or a colon.
    pub(super) fn pass_spaces(&mut self) -> Result<usize, Fault> {
        let spaces = self.spaces(self.pos);
        self.advance(spaces);
        match self.peek() {
            Some(b'\t') => Err(self.outside("a tab between words")),
            Some(_) | None => Ok(spaces),
        }
    }

    /// Passes what may follow a finished scalar: spaces, a comment, the end of the line.
    pub(super) fn end_line(&mut self, from: usize) -> Result<(), Fault> {
        let at = from + self.spaces(from);
        let comment = at > from && self.byte(at) == Some(b'#');
        if !comment && !self.ends_at(at) {
            return Err(self.outside_at("text after a value", at));
        }
        let next = self.line(at).next;
        self.go_to(next);
        Ok(())
    }

    /// Skips a node whose first byte, if it has one, is on the current line: every line deeper
    /// than `indent` belongs to it, and with `flush` also list items in that column.
    ///
    /// This is certain because no scalar of the block style may have a line that is not deeper
    /// than its parent; the library is told to insist on that too.
    pub(super) fn skip(&mut self, indent: isize, flush: Flush) -> Result<(), Fault> {
        let bytes = self.bytes();
        // From -1 for a whole document, so that a first column always counts as deeper.
        let deeper = usize::try_from(indent + 1).unwrap_or_default();
        let mut pos = self.line(self.pos).next;
        loop {
            let rest = &bytes[pos..];
            if rest.is_empty() {
                break;
            }
            let spaces = rest.iter().take(deeper).take_while(|&&byte| byte == b' ').count();
            if spaces < deeper {
                match rest.get(spaces) {
                    None | Some(b'\n' | b'\r' | b'#') => {}
                    Some(b'\t') => return Err(self.outside_at("a tab in the indentation", pos)),
                    Some(b'-') if flush == Flush::Allowed && spaces + 1 == deeper => {
                        if !(rest.get(spaces + 1) == Some(&b' ') || self.ends_at(pos + spaces + 1)) {
                            break;
                        }
                    }
                    Some(_) => break,
                }
            }
            pos = memchr(b'\n', rest).map_or(bytes.len(), |length| pos + length + 1);
        }
        self.go_to(pos);
        Ok(())
    }
}

/// Whether list items may stand in the column of their key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flush {
    Allowed,
    Refused,
}

/// Bytes that are not printable ASCII or a line feed.
fn is_odd(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\n') || byte >= 0x7f
}
