//! What a path holds: which form of recording, and the bytes of a file within the bounds.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use headway_api::gap::{Gap, GapKind};

use super::{GatherError, Limits, must_gather, plain};

/// The forms of recordings.
pub(super) enum Form {
    /// A file `NAME-cv.yaml` with its siblings.
    Flat,
    /// Folders that hold `cluster-scoped-resources`, in order.
    MustGather(Vec<PathBuf>),
    /// A tar archive, no longer compressed.
    Archive(Box<dyn Read>),
    /// Files of YAML and JSON, in order.
    Plain(Vec<PathBuf>),
    /// A text that is no file of its own: where it comes from, and its bytes, or why there are none.
    Text(String, Result<Vec<u8>, Gap>),
}

/// Finds out what a path holds.
pub(super) fn form_of(path: &Path, limits: &Limits) -> Result<Form, GatherError> {
    if path.as_os_str() == "-" {
        return of_stream("standard input", Box::new(io::stdin()), limits).map_err(GatherError::Stdin);
    }
    let no_such_path = |_| GatherError::NoSuchPath { path: shown(path) };
    let meta = fs::metadata(path).map_err(no_such_path)?;
    if meta.is_dir() {
        let roots = must_gather::roots(path);
        return Ok(if roots.is_empty() { Form::Plain(plain::files_below(path)) } else { Form::MustGather(roots) });
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.contains(super::flat::SUFFIX) {
        return Ok(Form::Flat);
    }
    let compressed_or_tar = [".tar", ".tar.gz", ".tgz", ".gz"].iter().any(|end| name.ends_with(end));
    if !compressed_or_tar {
        return Ok(Form::Plain(vec![path.to_owned()]));
    }
    let place = shown(path);
    match File::open(path).and_then(|file| of_stream(&place, Box::new(file), limits)) {
        Ok(form) => Ok(form),
        Err(error) => Ok(Form::Text(place.clone(), Err(unreadable(&place, &error)))),
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

/// A file's bytes, or the gap that it is.
pub(super) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, Gap> {
    let place = shown(path);
    let file = File::open(path).map_err(|error| unreadable(&place, &error))?;
    let size = file.metadata().map_or(0, |meta| meta.len());
    if size > limits.max_file_size {
        return Err(too_large(&place, limits));
    }
    read_bounded(file, usize::try_from(size).unwrap_or(0), &place, limits)
}

/// A stream's bytes, read in pieces: a file that shrinks or grows meanwhile does no harm.
pub(super) fn read_bounded(stream: impl Read, expected: usize, place: &str, limits: &Limits) -> Result<Vec<u8>, Gap> {
    // One byte more than expected, so that the end is seen without growing the buffer.
    let mut text = Vec::with_capacity(expected + 1);
    let bound = limits.max_file_size.saturating_add(1);
    stream.take(bound).read_to_end(&mut text).map_err(|error| unreadable(place, &error))?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > limits.max_file_size {
        return Err(too_large(place, limits));
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

/// A path as it is told.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}
