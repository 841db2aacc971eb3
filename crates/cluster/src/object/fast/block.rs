//! Block scalars: `|` keeps line breaks, `>` folds them.

use super::fault::Fault;
use super::lines::Reader;
use std::borrow::Cow;

/// What happens to the line breaks at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Literal,
    Folded,
}

struct Header {
    kind: Kind,
    chomp: Chomp,
    /// Columns deeper than the parent, when the text says so.
    indent: Option<usize>,
}

impl<'de> Reader<'de> {
    /// Reads the block scalar at the cursor, whose lines are deeper than `parent`.
    pub(super) fn block(&mut self, parent: isize) -> Result<Cow<'de, str>, Fault> {
        let header = self.block_header()?;
        let Ok(parent) = usize::try_from(parent) else {
            return Err(self.outside("a block text as a whole document"));
        };
        let indent = match header.indent {
            Some(more) => parent + more,
            None => match self.block_indent(parent)? {
                Some(indent) => indent,
                None => return self.empty_block(&header, parent),
            },
        };
        self.block_lines(&header, parent, indent)
    }

    fn block_header(&mut self) -> Result<Header, Fault> {
        let kind = match self.peek() {
            Some(b'|') => Kind::Literal,
            _ => Kind::Folded,
        };
        let mut header = Header { kind, chomp: Chomp::Clip, indent: None };
        self.advance(1);
        for _ in 0..2 {
            match self.peek() {
                Some(b'-') if header.chomp == Chomp::Clip => header.chomp = Chomp::Strip,
                Some(b'+') if header.chomp == Chomp::Clip => header.chomp = Chomp::Keep,
                Some(digit @ b'1'..=b'9') if header.indent.is_none() => {
                    header.indent = Some(usize::from(digit - b'0'));
                }
                _ => break,
            }
            self.advance(1);
        }
        self.end_line(self.pos)?;
        Ok(header)
    }

    /// The indentation of the first line with content, if it is deeper than `parent`.
    fn block_indent(&self, parent: usize) -> Result<Option<usize>, Fault> {
        let mut pos = self.pos;
        let mut widest = 0;
        loop {
            let spaces = self.spaces(pos);
            let at = pos + spaces;
            if self.byte(at).is_none() {
                return Ok(None);
            }
            if self.ends_at(at) {
                widest = widest.max(spaces);
                pos = self.line(at).next;
                continue;
            }
            if spaces <= parent {
                return Ok(None);
            }
            if widest > spaces {
                return Err(self.outside("a block text that starts with a deeper blank line"));
            }
            return Ok(Some(spaces));
        }
    }

    fn empty_block(&mut self, header: &Header, parent: usize) -> Result<Cow<'de, str>, Fault> {
        if header.chomp == Chomp::Keep {
            return Err(self.outside("an empty block text that keeps its line breaks"));
        }
        if let Some(indent) = self.next_content()?
            && indent > parent
        {
            return Err(self.outside("a comment in an empty block text"));
        }
        Ok(Cow::Borrowed(""))
    }

    fn block_lines(&mut self, header: &Header, parent: usize, indent: usize) -> Result<Cow<'de, str>, Fault> {
        let bytes = self.bytes();
        let mut text = String::new();
        // Line breaks seen since the last content, and whether that content was more indented.
        let mut breaks = 0;
        let mut after_deeper = false;
        let mut pos = self.pos;
        loop {
            let rest = bytes.get(pos..).unwrap_or_default();
            let spaces = rest.iter().take(indent).take_while(|&&byte| byte == b' ').count();
            let at = pos + spaces;
            let Some(byte) = self.byte(at) else {
                break;
            };
            let line = self.line(at);
            if line.next == line.end {
                // Whether its last line break is there is seen differently by different parsers.
                return Err(self.outside("a block text at the end, without a line break"));
            }
            if at >= line.end {
                breaks += 1;
                pos = line.next;
                continue;
            }
            if spaces < indent {
                if spaces > parent || byte == b'\t' {
                    return Err(self.outside("a block text with an outdented line"));
                }
                break;
            }
            let deeper = matches!(byte, b' ' | b'\t');
            self.join_lines(header.kind, &mut text, breaks, after_deeper || deeper);
            text.push_str(self.slice(at, line.end));
            breaks = 1;
            after_deeper = deeper;
            pos = line.next;
        }
        self.go_to(pos);
        if text.is_empty() && breaks > 0 {
            return Err(self.outside("a block text of blank lines"));
        }
        let keep = match header.chomp {
            Chomp::Strip => 0,
            Chomp::Clip => breaks.min(1),
            Chomp::Keep => breaks,
        };
        text.extend(std::iter::repeat_n('\n', keep));
        Ok(Cow::Owned(text))
    }

    /// Adds the line breaks between two lines with content.
    fn join_lines(&self, kind: Kind, text: &mut String, breaks: usize, deeper: bool) {
        let first = text.is_empty();
        let count = match kind {
            Kind::Folded if !first && !deeper => {
                if breaks == 1 {
                    text.push(' ');
                }
                breaks.saturating_sub(1)
            }
            Kind::Literal | Kind::Folded => breaks,
        };
        text.extend(std::iter::repeat_n('\n', count));
    }
}
