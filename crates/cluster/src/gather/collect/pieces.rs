//! A large YAML list, read in pieces: while one piece is parsed the next one is read, and no more than a few are ever
//! in memory.
//!
//! Pieces are cut in front of items, and each gets the list's head in front of it, so that a piece is a list like any
//! other. All that is not plainly such a list is left to the reading of whole files, and so is a list in which
//! anything is wrong: there its place can be told by line.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use super::super::Limits;
use super::super::recognize::Kind;
use super::super::source::shown;
use super::text::{self, Found};
use crate::object::Parser;

/// Smaller files are read whole: their memory does not matter.
const LARGE: u64 = 8 << 20;

/// The size of a piece: small enough that all of them stay in the processor's cache, large enough that their heads
/// cost nothing.
const PIECE: usize = 1 << 20;

/// The longest head of a list that is carried along.
const HEAD: usize = 4 << 10;

/// Reads a file in pieces; `None` when it has to be read whole.
pub(super) fn read(path: &Path, kind: Option<Kind>, limits: &Limits) -> Option<Found> {
    let size = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    if size < LARGE || size > limits.max_file_size || limits.parser != Parser::Fast {
        return None;
    }
    // What grows beyond the bound while it is read is refused where files are read whole.
    let mut file = File::open(path).ok()?.take(limits.max_file_size);
    let mut first = Vec::with_capacity(PIECE);
    file.by_ref().take(PIECE as u64).read_to_end(&mut first).ok()?;
    let list = List::of(&first, kind)?;
    let found = side_by_side(&list, first, file, |piece| text::parse(&shown(path), piece, kind, limits))?;
    found.into_iter().reduce(text::joined)
}

/// The form of a list.
struct List {
    /// Everything down to `items:`.
    head: Vec<u8>,
    /// A line feed and what begins an item: spaces and a dash.
    item: Vec<u8>,
    /// What makes a piece a list where the list's own kind stands behind its items, in the last piece.
    foot: &'static [u8],
}

impl List {
    /// Looks for a list whose items say what they are, or need not.
    fn of(text: &[u8], kind: Option<Kind>) -> Option<Self> {
        let starts = memchr::memmem::find(text.get(..HEAD.min(text.len()))?, b"\nitems:\n")?;
        let head = text.get(..starts + b"\nitems:\n".len())?;
        let rest = text.get(head.len()..)?;
        let indent = rest.iter().take_while(|byte| **byte == b' ').count();
        if rest.get(indent..indent + 2) != Some(b"- ") {
            return None;
        }
        let mut item = vec![b'\n'];
        item.extend(rest.get(..indent + 2)?);
        let has_kind = head.starts_with(b"kind: ") || memchr::memmem::find(head, b"\nkind: ").is_some();
        let list = Self { head: head.to_vec(), item, foot: if has_kind { b"" } else { b"kind: List\n" } };
        let first = list.next_item(rest).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
        let mut own_kind = vec![b'\n'];
        own_kind.extend(std::iter::repeat_n(b' ', indent + 2));
        own_kind.extend(b"kind: ");
        let named = kind.is_some() || memchr::memmem::find(first, &own_kind).is_some();
        let plain = !holds_documents(list.head.get(1..)?);
        (named && plain).then_some(list)
    }

    /// Where the next item begins, after the one at the start.
    fn next_item(&self, text: &[u8]) -> Option<usize> {
        memchr::memmem::find(text, &self.item).map(|at| at + 1)
    }

    /// Where the last item begins.
    fn last_item(&self, text: &[u8]) -> Option<usize> {
        memchr::memmem::rfind(text, &self.item).map(|at| at + 1)
    }
}

/// Whether a text holds the end of a document: then what follows is no item of the list.
fn holds_documents(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"\n---").is_some() || memchr::memmem::find(text, b"\n...").is_some()
}

/// Cuts the file into pieces on this core, and parses them on all. `None` when anything is not as expected.
fn side_by_side(
    list: &List,
    first: Vec<u8>,
    mut file: impl Read,
    parse: impl Fn(&[u8]) -> Found + Sync,
) -> Option<Vec<Found>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (to_parse, pieces) = sync_channel::<(usize, Vec<u8>)>(cores);
    let (give_back, used) = channel::<Vec<u8>>();
    let (tell, parsed) = channel::<(usize, Found)>();
    let pieces = Mutex::new(pieces);
    let whole = std::thread::scope(|scope| {
        for _ in 0..cores {
            let (give_back, tell) = (give_back.clone(), tell.clone());
            let (pieces, parse) = (&pieces, &parse);
            scope.spawn(move || {
                while let Some((at, piece)) = next(pieces) {
                    let found = parse(&piece);
                    // Who listens may have given up; then nothing of this is wanted any more.
                    if tell.send((at, found)).is_err() || give_back.send(piece).is_err() {
                        break;
                    }
                }
            });
        }
        drop((give_back, tell));
        cut(list, first, &mut file, &to_parse, &used).inspect(|()| drop(to_parse))
    });
    whole?;
    let mut found: Vec<(usize, Found)> = parsed.into_iter().collect();
    found.sort_by_key(|(at, _)| *at);
    let clean = found.iter().all(|(_, found)| found.is_clean());
    clean.then(|| found.into_iter().map(|(_, found)| found).collect())
}

fn next(pieces: &Mutex<Receiver<(usize, Vec<u8>)>>) -> Option<(usize, Vec<u8>)> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Reads on, and hands over pieces that end in front of an item.
fn cut(
    list: &List,
    first: Vec<u8>,
    file: &mut impl Read,
    to_parse: &SyncSender<(usize, Vec<u8>)>,
    used: &Receiver<Vec<u8>>,
) -> Option<()> {
    let mut piece = first;
    let mut at = 0;
    loop {
        let items = piece.get(list.head.len()..)?;
        if holds_documents(items) {
            return None;
        }
        let last = list.last_item(items).map(|last| last + list.head.len());
        let Some(last) = last.filter(|_| piece.len() >= PIECE) else {
            // One item larger than a piece, or the end.
            let before = piece.len();
            file.by_ref().take(PIECE as u64).read_to_end(&mut piece).ok()?;
            if piece.len() == before {
                return to_parse.send((at, piece)).ok();
            }
            continue;
        };
        let mut next = used.try_recv().unwrap_or_else(|_| Vec::with_capacity(2 * PIECE));
        next.clear();
        next.extend_from_slice(&list.head);
        next.extend_from_slice(piece.get(last..)?);
        piece.truncate(last);
        piece.extend_from_slice(list.foot);
        to_parse.send((at, piece)).ok()?;
        piece = next;
        at += 1;
        let room = PIECE.saturating_sub(piece.len()).max(PIECE / 4);
        file.by_ref().take(room as u64).read_to_end(&mut piece).ok()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of nodes of about a kilobyte each.
    fn nodes(count: usize, indent: &str, kind: &str) -> String {
        let mut text = String::from("apiVersion: v1\nitems:\n");
        for at in 0..count {
            let noise = "x".repeat(900 + at % 97);
            text.push_str(&format!(
                "{indent}- apiVersion: v1\n{indent}  {kind}: Node\n{indent}  metadata:\n{indent}    name: node-{at}\n{indent}  note: |\n{indent}    - not an item\n{indent}    {noise}\n"
            ));
        }
        text.push_str("kind: List\nmetadata: {}\n");
        text
    }

    fn read_text(text: &str, kind: Option<Kind>) -> Option<Found> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nodes.yaml");
        std::fs::write(&path, text).unwrap();
        read(&path, kind, &Limits::default())
    }

    #[test]
    fn large_lists_in_pieces_are_the_same_as_whole() {
        for indent in ["", "  "] {
            let text = nodes(12_000, indent, "kind");
            let whole = text::parse("whole", text.as_bytes(), None, &Limits::default());
            let pieces = read_text(&text, None).expect("the list is read in pieces");
            assert_eq!(pieces.objects.len(), 12_000);
            assert!(pieces.names().eq(whole.names()), "the order is that of the list");
            assert_eq!(pieces.stats, whole.stats);
        }
    }

    #[test]
    fn what_is_not_plainly_a_list_is_read_whole() {
        let list = nodes(12_000, "", "kind");
        let check = |text: &str, kind: Option<Kind>, expect: bool| {
            assert_eq!(read_text(text, kind).is_some(), expect, "{:?}", text.get(..60));
        };
        check(&list, None, true);
        // Small ones; items without a kind of their own, unless it is known; further documents; anything wrong.
        check(&nodes(100, "", "kind"), None, false);
        check(&nodes(12_000, "", "sort"), None, false);
        check(&nodes(12_000, "", "sort"), Some(Kind::Node), true);
        check(&format!("{list}---\n{list}"), None, false);
        check(&list.replacen("name: node-11000", "name: [", 1), None, false);
        check(&list.replacen("\nitems:", "\nthings:", 1), None, false);
        check(&format!("[{}]", "1,".repeat(5 << 20)), None, false);
    }
}
