//! One YAML document: where its list items begin and end, and of which kind they are.

use super::glimpse::{Glimpse, is_disguised, key_and_value, line_at};
use super::tree;
use crate::object::fast::Root;
use crate::object::json::is_list;
use crate::object::problem::Problem;
use crate::object::{Parser, RawObject, Source};
use memchr::memchr;
use std::collections::VecDeque;

/// The YAML documents of a text, one after another.
#[derive(Debug, Clone)]
pub(super) struct Yaml<'a> {
    text: &'a [u8],
    pos: usize,
    line: usize,
    parser: Parser,
    /// The text has line breaks that only YAML knows: nothing is split.
    strange: bool,
}

type Found<'a> = VecDeque<Result<RawObject<'a>, Problem>>;

impl<'a> Yaml<'a> {
    pub(super) fn new(text: &'a [u8], parser: Parser) -> Self {
        Self { text, pos: 0, line: 1, parser, strange: has_lone_return(text) }
    }

    /// Adds the objects of the next document to `found`. False when there is none.
    pub(super) fn next(&mut self, found: &mut Found<'a>) -> bool {
        if self.pos >= self.text.len() {
            return false;
        }
        let mut scan = Scan::new(self.text, self.pos, self.line);
        if self.strange {
            scan.take_all();
        } else {
            scan.run();
        }
        self.pos = scan.next;
        self.line = scan.next_line;
        let text = &self.text[scan.start..scan.end];
        let parser = self.parser;
        let header = std::mem::take(&mut scan.header).resolve(text, Root::Document, parser);
        match scan.outcome(header.kind.as_deref()) {
            Outcome::Empty => {}
            Outcome::Strange => match tree::read(text, scan.start_line, parser) {
                Ok(objects) => found.extend(objects),
                Err(problem) => found.push_back(Err(problem)),
            },
            Outcome::Object => found.push_back(Ok(RawObject {
                api_version: header.api_version,
                kind: header.kind,
                line: scan.start_line,
                index: None,
                parser,
                source: Source::Yaml { text, root: Root::Document },
            })),
            Outcome::List => {
                for (index, item) in scan.items.into_iter().enumerate() {
                    let text = &self.text[item.start..item.end];
                    let mut own = item.header.resolve(text, Root::Item, parser);
                    own.inherit(&header);
                    found.push_back(Ok(RawObject {
                        api_version: own.api_version,
                        kind: own.kind,
                        line: item.line,
                        index: Some(index),
                        parser,
                        source: Source::Yaml { text, root: Root::Item },
                    }));
                }
            }
        }
        true
    }
}

/// What a document turned out to be.
enum Outcome {
    Empty,
    Object,
    List,
    /// Not of the form that can be split by its lines.
    Strange,
}

/// An item of a list.
struct Item<'a> {
    start: usize,
    end: usize,
    line: usize,
    /// The column of its keys, once that is known.
    column: Option<usize>,
    header: Glimpse<'a>,
}

/// Where in the document a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between the outermost keys.
    Keys,
    /// After `items:`, before its first item.
    ItemsAhead,
    /// In a list whose dashes stand in this column.
    Items(usize),
}

/// The pass over the lines of one document.
struct Scan<'a> {
    text: &'a [u8],
    start: usize,
    start_line: usize,
    end: usize,
    next: usize,
    next_line: usize,
    /// The column of the outermost keys, or of the dashes of a bare list.
    root: Option<usize>,
    state: State,
    bare: bool,
    has_items: bool,
    /// The last key was `items`, with a value on its line.
    items_closed: bool,
    strange: bool,
    header: Glimpse<'a>,
    items: Vec<Item<'a>>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a [u8], start: usize, line: usize) -> Self {
        Self {
            text,
            start,
            start_line: line,
            end: text.len(),
            next: text.len(),
            next_line: line,
            root: None,
            state: State::Keys,
            bare: false,
            has_items: false,
            items_closed: false,
            strange: false,
            header: Glimpse::default(),
            items: Vec::new(),
        }
    }

    fn outcome(&self, kind: Option<&str>) -> Outcome {
        if self.strange {
            Outcome::Strange
        } else if self.root.is_none() {
            Outcome::Empty
        } else if self.bare || (self.has_items && is_list(kind)) {
            Outcome::List
        } else {
            Outcome::Object
        }
    }

    /// Leaves the rest of the text to the library, its document markers too.
    fn take_all(&mut self) {
        self.strange = true;
        self.end = self.text.len();
        self.next = self.text.len();
    }

    fn run(&mut self) {
        let mut pos = self.start;
        let mut line = self.start_line;
        while pos < self.text.len() {
            let rest = &self.text[pos..];
            if let State::Items(dash) = self.state
                && is_deep(rest, dash)
            {
                self.item_line(pos, dash);
            } else if let Some(marker) = marker(rest) {
                if self.root.is_some() || self.strange || marker == Marker::End {
                    self.end = pos;
                    // The end marker belongs to this document, the start marker to the next.
                    let skipped = marker == Marker::End;
                    self.next = if skipped { next_line(self.text, pos) } else { pos };
                    self.next_line = line + usize::from(skipped);
                    self.close_item(pos);
                    return;
                }
                if marker == Marker::StartWithContent {
                    self.strange = true;
                    self.start = pos;
                    self.start_line = line;
                } else if !self.strange {
                    self.start = next_line(self.text, pos);
                    self.start_line = line + 1;
                }
                if marker == Marker::StartWithContent {
                    // Another start marker ends this document.
                    self.root = Some(0);
                }
            } else if !self.strange {
                if self.root.is_none() && rest.starts_with(b"%") {
                    self.take_all();
                    return;
                }
                self.outer_line(pos, line);
            }
            pos = next_line(self.text, pos);
            line += 1;
        }
        self.next_line = line;
        self.close_item(self.end);
    }

    /// A line that is not inside of a list item.
    fn outer_line(&mut self, pos: usize, line: usize) {
        let rest = &self.text[pos..];
        let column = rest.iter().take_while(|&&byte| byte == b' ').count();
        let content = &rest[column..];
        match content.first() {
            None | Some(b'\n' | b'#') => return,
            Some(b'\r') if content.get(1) == Some(&b'\n') => return,
            // The mark is no part of the key after it, wherever the text has it.
            Some(0xef) if content.starts_with("\u{feff}".as_bytes()) => {
                self.strange = true;
                return;
            }
            Some(b'\t' | b'\r') => {
                self.strange = true;
                return;
            }
            Some(_) => {}
        }
        let dash = content[0] == b'-' && matches!(content.get(1), None | Some(b' ' | b'\n' | b'\r'));
        let Some(root) = self.root else {
            self.root = Some(column);
            if dash {
                self.bare = true;
                self.state = State::Items(column);
                self.open_item(pos, line, column);
            } else {
                self.outer_key(pos + column);
            }
            return;
        };
        match self.state {
            State::ItemsAhead if dash && column >= root => {
                self.state = State::Items(column);
                self.open_item(pos, line, column);
                return;
            }
            State::ItemsAhead if column > root => {
                self.strange = true;
                return;
            }
            State::Items(dashes) if dash && column == dashes => {
                self.close_item(pos);
                self.open_item(pos, line, column);
                return;
            }
            State::Items(_) if column == root && !self.bare => {
                self.close_item(pos);
                self.state = State::Keys;
            }
            State::Items(_) => {
                self.strange = true;
                return;
            }
            State::ItemsAhead => self.state = State::Keys,
            State::Keys => {}
        }
        match column.cmp(&root) {
            std::cmp::Ordering::Less => self.strange = true,
            // Inside of a value, as are the items of a list under its key.
            std::cmp::Ordering::Greater => {
                self.header.deeper_line(content);
                self.strange |= self.items_closed;
            }
            std::cmp::Ordering::Equal if dash => {}
            std::cmp::Ordering::Equal => self.outer_key(pos + column),
        }
    }

    fn outer_key(&mut self, at: usize) {
        let line = line_at(self.text, at);
        let Some((key, value)) = key_and_value(line) else {
            self.strange = true;
            return;
        };
        self.items_closed = false;
        self.header.close();
        match key {
            b"items" if self.has_items => self.strange = true,
            b"items" => {
                self.has_items = true;
                match value {
                    b"" => self.state = State::ItemsAhead,
                    b"[]" | b"null" | b"~" => self.items_closed = true,
                    _ => self.strange = true,
                }
            }
            _ if is_disguised(key) => self.strange = true,
            _ => self.header.field(key, value),
        }
    }

    fn open_item(&mut self, pos: usize, line: usize, dash: usize) {
        let text = self.text;
        let after = &text[pos + dash + 1..];
        let spaces = after.iter().take_while(|&&byte| byte == b' ').count();
        let first = after.get(spaces).copied();
        let mut item = Item { start: pos, end: text.len(), line, column: None, header: Glimpse::default() };
        if !matches!(first, None | Some(b'\n' | b'\r' | b'#')) {
            item.column = Some(dash + 1 + spaces);
            item.header.line(line_at(text, pos + dash + 1 + spaces));
        }
        self.items.push(item);
    }

    fn close_item(&mut self, end: usize) {
        if let (State::Items(_), Some(item)) = (self.state, self.items.last_mut()) {
            item.end = end;
        }
    }

    /// A line of the current item: only its outermost keys are of interest.
    fn item_line(&mut self, pos: usize, dash: usize) {
        let text = self.text;
        let Some(item) = self.items.last_mut() else {
            return;
        };
        if item.header.is_settled() {
            return;
        }
        let rest = &text[pos + dash + 1..];
        let column = match item.column {
            Some(column) => {
                let more = column - dash - 1;
                let is_there = rest.get(..more).is_some_and(|rest| rest.iter().all(|&b| b == b' '));
                if !is_there || matches!(rest.get(more), None | Some(b' ')) {
                    item.header.deeper_line(line_at(rest, 0).trim_ascii_start());
                    return;
                }
                column
            }
            None => {
                let more = rest.iter().take_while(|&&byte| byte == b' ').count();
                if matches!(rest.get(more), None | Some(b'\n' | b'\r' | b'#')) {
                    return;
                }
                *item.column.insert(dash + 1 + more)
            }
        };
        item.header.line(line_at(text, pos + column));
    }
}

/// Whether a line is deeper than column `dash`, so that it belongs to the item there.
fn is_deep(line: &[u8], dash: usize) -> bool {
    line.get(..=dash).is_some_and(|start| start.iter().all(|&byte| byte == b' '))
}

/// Whether there is a CR without a LF, which is a line break to YAML and to nobody else.
fn has_lone_return(text: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', text).any(|at| text.get(at + 1) != Some(&b'\n'))
}

fn next_line(text: &[u8], pos: usize) -> usize {
    memchr(b'\n', &text[pos..]).map_or(text.len(), |length| pos + length + 1)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Marker {
    Start,
    StartWithContent,
    End,
}

fn marker(line: &[u8]) -> Option<Marker> {
    let (kind, rest) = if let Some(rest) = line.strip_prefix(b"---") {
        (Marker::Start, rest)
    } else {
        (Marker::End, line.strip_prefix(b"...")?)
    };
    match rest.first() {
        None | Some(b'\n' | b'\r') => Some(kind),
        Some(b' ' | b'\t') => {
            let rest = line_at(rest, 0).trim_ascii_start();
            if rest.is_empty() || rest[0] == b'#' { Some(kind) } else { Some(Marker::StartWithContent) }
        }
        Some(_) => None,
    }
}
