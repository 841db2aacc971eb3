//! What a path holds: which form of recording, and the bytes of a file within the bounds.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use headway_api::gap::{Gap, GapKind};

use super::folder::{Folders, is_text};
use super::{GatherError, Limits, must_gather};

/// The forms of recordings.
pub(super) enum Form {
    /// A file `NAME-cv.yaml` with its siblings.
    Flat,
    /// Folders that hold `cluster-scoped-resources`, in order, and what could not be seen on the way to them.
    MustGather(Vec<PathBuf>, Vec<Gap>),
    /// A tar archive, no longer compressed.
    Archive(Box<dyn Read>),
    /// Files of YAML and JSON, in order, and what could not be seen on the way to them.
    Plain(Vec<PathBuf>, Vec<Gap>),
    /// A text that is no file of its own: where it comes from, and its bytes.
    Text(String, Result<Vec<u8>, Cut>),
}

/// A text that could not be read, or not to its end.
pub(super) struct Cut {
    /// What came before.
    pub(super) before: Vec<u8>,
    /// What is told of the rest.
    pub(super) gap: Box<Gap>,
}

impl From<Gap> for Cut {
    fn from(gap: Gap) -> Self {
        Self { before: Vec::new(), gap: Box::new(gap) }
    }
}

/// Finds out what a path holds.
pub(super) fn form_of(path: &Path, limits: &Limits) -> Result<Form, GatherError> {
    if path.as_os_str() == STDIN {
        return of_stream(&shown(path), Box::new(io::stdin()), limits).map_err(GatherError::Stdin);
    }
    let meta = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => GatherError::NoSuchPath { path: shown(path) },
        _ => GatherError::Unreadable { path: shown(path), cause: error },
    })?;
    if meta.is_dir() {
        let mut folders = Folders::below(path);
        let roots = must_gather::roots(path, &mut folders);
        if !roots.is_empty() {
            return Ok(Form::MustGather(roots, folders.gaps));
        }
        let mut folders = Folders::below(path);
        let files = folders.texts(path);
        return Ok(Form::Plain(files, folders.gaps));
    }
    if meta.is_file() && super::flat::is_flat(path) {
        return Ok(Form::Flat);
    }
    if meta.is_file() && is_text(path) {
        return Ok(Form::Plain(vec![path.to_owned()], Vec::new()));
    }
    // Archives, and pipes such as the shell makes of `<(oc get …)`: the first bytes tell what they hold.
    let place = shown(path);
    match File::open(path).and_then(|file| of_stream(&place, Box::new(file), limits)) {
        Ok(form) => Ok(form),
        Err(error) => Ok(Form::Text(place.clone(), Err(unreadable(&place, &error).into()))),
    }
}

/// Looks at the first bytes of a stream: gzip, tar or text.
fn of_stream(place: &str, stream: Box<dyn Read>, limits: &Limits) -> io::Result<Form> {
    let (head, stream) = peek(stream)?;
    if head.starts_with(&[0x1f, 0x8b]) {
        // The end of a cut-off archive is an error of its own, told where it is met.
        let (head, stream) = peek(Box::new(MultiGzDecoder::new(stream)))?;
        return of_plain_stream(place, &head, stream, limits);
    }
    of_plain_stream(place, &head, stream, limits)
}

fn of_plain_stream(place: &str, head: &[u8], stream: Box<dyn Read>, limits: &Limits) -> io::Result<Form> {
    if head.get(257..262) == Some(b"ustar") {
        return Ok(Form::Archive(stream));
    }
    Ok(Form::Text(place.to_owned(), read_bounded(stream, 0, place, limits)))
}

/// The first block of a stream, and the stream with the block still in it.
fn peek(mut stream: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut head = Vec::new();
    stream.by_ref().take(512).read_to_end(&mut head)?;
    Ok((head.clone(), Box::new(io::Cursor::new(head).chain(stream))))
}

/// A file's bytes, or the gap that it is. Opening a pipe would wait for whoever writes to it, so only files are.
pub(super) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, Gap> {
    let place = shown(path);
    let meta = fs::metadata(path).map_err(|error| unreadable(&place, &error))?;
    if !meta.is_file() {
        return Err(Gap::of_place(GapKind::Refused, place, "refused: not a file"));
    }
    if meta.len() > limits.max_file_size {
        return Err(too_large(&place, limits));
    }
    let file = File::open(path).map_err(|error| unreadable(&place, &error))?;
    read_bounded(file, usize::try_from(meta.len()).unwrap_or(0), &place, limits).map_err(|cut| *cut.gap)
}

/// A stream's bytes, read in pieces: a file that shrinks or grows meanwhile does no harm.
pub(super) fn read_bounded(stream: impl Read, expected: usize, place: &str, limits: &Limits) -> Result<Vec<u8>, Cut> {
    // One byte more than expected, so that the end is seen without growing the buffer.
    let mut text = Vec::with_capacity(expected + 1);
    let bound = limits.max_file_size.saturating_add(1);
    if let Err(error) = stream.take(bound).read_to_end(&mut text) {
        return Err(Cut { before: text, gap: Box::new(unreadable(place, &error)) });
    }
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > limits.max_file_size {
        return Err(too_large(place, limits).into());
    }
    Ok(text)
}

/// The gap of a file or entry beyond the bound.
pub(super) fn too_large(place: &str, limits: &Limits) -> Gap {
    let message = format!("refused: larger than {} bytes; raise --max-file-size to read it", limits.max_file_size);
    Gap::of_place(GapKind::Refused, place, message)
}

/// The gap of a file that cannot be read.
pub(super) fn unreadable(place: &str, error: &io::Error) -> Gap {
    Gap::of_place(GapKind::Unreadable, place, format!("cannot be read: {}", words(error)))
}

/// What the system says, as kubectl's users know it: `no such file or directory`.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The path that is standard input.
const STDIN: &str = "-";

/// A path as it is told.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str() == STDIN { "standard input".into() } else { path.display().to_string() }
}
