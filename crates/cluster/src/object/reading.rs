//! Reading one object into a type, around whatever does not fit.

use super::erased::{Erased, Narrow, Read};
use super::fast::{self, Cause, Fault, Root};
use super::problem::{FieldProblem, plain_words};
use super::prune::{Pruned, Trail, render};
use super::{Parser, library};
use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny};
use std::marker::PhantomData;

/// How many fields may be left out one by one. After that whole parents go, so that an object in
/// which nothing fits is given up after a bounded number of readings.
const SINGLE_FIELDS: usize = 48;
const READINGS: usize = 64;

/// How often the end of a malformed object is cut off to save its beginning.
const CUTS: usize = 4;

/// What came of reading one object.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading<T> {
    /// The object, unless nothing of it could be read.
    pub value: Option<T>,
    /// What was left out.
    pub problems: Vec<FieldProblem>,
    /// Which reader it came through.
    pub route: Route,
}

/// Which reader an object went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The fast reader.
    Fast,
    /// The library, because the text is outside of the fast reader's dialect.
    HandedOver(&'static str),
    /// The library, as the caller wanted.
    Library,
    /// The JSON parser.
    Json,
}

/// How many YAML objects went to which reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// Through the fast reader.
    pub fast: u64,
    /// Through the library, because the fast reader was not certain.
    pub handed_over: u64,
}

impl Stats {
    /// Counts one object.
    pub fn count(&mut self, route: Route) {
        match route {
            Route::Fast => self.fast += 1,
            Route::HandedOver(_) => self.handed_over += 1,
            Route::Library | Route::Json => {}
        }
    }
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        let Self { fast, handed_over } = other;
        self.fast += fast;
        self.handed_over += handed_over;
    }
}

/// Why one attempt at reading failed.
enum Failure {
    /// A field does not fit; the line is counted within the object, from 0.
    Unfit { message: String, line: Option<usize> },
    /// The text itself is broken.
    Malformed { message: String, line: Option<usize> },
    /// Another reader has to do it.
    Outside(&'static str),
}

/// What came of reading a value that is kept elsewhere.
struct Told {
    read: bool,
    problems: Vec<FieldProblem>,
    route: Route,
}

pub(super) fn yaml<T: DeserializeOwned>(text: &[u8], root: Root, parser: Parser, line: usize) -> Reading<T> {
    // Checked first, because replacing is several times slower even when there is nothing to do.
    if let Ok(text) = std::str::from_utf8(text) {
        return yaml_text(text, root, parser, line);
    }
    let text = String::from_utf8_lossy(text);
    let mut reading = yaml_text(&text, root, parser, line);
    reading.problems.splice(0..0, replacement(&text, line));
    reading
}

fn yaml_text<T: DeserializeOwned>(text: &str, root: Root, parser: Parser, line: usize) -> Reading<T> {
    let fault = match parser {
        Parser::Fast => match fast::read(text, root, PhantomData::<T>) {
            Ok(value) => return Reading { value: Some(value), problems: Vec::new(), route: Route::Fast },
            Err(fault) => Some(fault),
        },
        Parser::Library => None,
    };
    behind(&mut |read| yaml_behind(text, root, line, fault.as_ref(), read))
}

pub(super) fn json<T: DeserializeOwned>(text: &str, line: usize) -> Reading<T> {
    let mut reading = match T::deserialize(&mut serde_json::Deserializer::from_str(text)) {
        Ok(value) => Reading { value: Some(value), problems: Vec::new(), route: Route::Json },
        Err(error) => behind(&mut |read| json_behind(text, line, &error, read)),
    };
    reading.problems.splice(0..0, replacement(text, line));
    reading
}

pub(super) fn tree<T: DeserializeOwned>(tree: &serde_json::Value, line: usize) -> Reading<T> {
    behind(&mut |read| tree_behind(tree, line, read))
}

/// Reads a `T` behind a pointer: `parse` is compiled for no type.
fn behind<'de, T: DeserializeOwned>(parse: &mut dyn FnMut(&mut Read<'_, 'de>) -> Told) -> Reading<T> {
    let mut value = None;
    let Told { read, problems, route } = parse(&mut |deserializer| {
        value = Some(T::deserialize(Narrow::new(deserializer))?);
        Ok(())
    });
    // The value may be there although what follows it in the text was refused.
    Reading { value: value.filter(|_| read), problems, route }
}

/// Reads what the fast reader, if it was asked, could not read as a whole.
fn yaml_behind<'de>(text: &'de str, root: Root, line: usize, fault: Option<&Fault>, read: &mut Read<'_, 'de>) -> Told {
    let mut route = Route::Library;
    if let Some(fault) = fault {
        let around = match fast_failure(text, fault) {
            Failure::Unfit { .. } => {
                around(line, read, |seed| fast::read(text, root, seed).map_err(|fault| fast_failure(text, &fault)))
            }
            failure @ (Failure::Malformed { .. } | Failure::Outside(_)) => Err(failure),
        };
        match around {
            Ok((read, problems)) => return Told { read, problems, route: Route::Fast },
            Err(Failure::Outside(reason)) => route = Route::HandedOver(reason),
            Err(Failure::Malformed { .. } | Failure::Unfit { .. }) => {}
        }
    }
    let (read, problems) = library(text, root, line, CUTS, read);
    Told { read, problems, route }
}

fn library<'de>(
    text: &'de str,
    root: Root,
    line: usize,
    cuts: usize,
    read: &mut Read<'_, 'de>,
) -> (bool, Vec<FieldProblem>) {
    let whole = library_attempt(text, root, Erased::new(read));
    let told = tolerant(whole, line, read, |seed| library_attempt(text, root, seed));
    let (message, at) = match told {
        Ok(told) => return told,
        Err(Failure::Unfit { message, line } | Failure::Malformed { message, line }) => (message, line),
        Err(Failure::Outside(reason)) => return (false, vec![whole_object(reason, line)]),
    };
    let shorter = shorter(text, root, line, at, cuts, read);
    let mut problems = vec![FieldProblem {
        path: String::new(),
        message: if shorter.is_some() { format!("the rest of the object is left out: {message}") } else { message },
        line: at.map(|at| line + at),
    }];
    let read = shorter.is_some();
    problems.extend(shorter.unwrap_or_default());
    (read, problems)
}

/// Reads what stands before the line that is broken, and gives what was left out of it.
fn shorter<'de>(
    text: &'de str,
    root: Root,
    line: usize,
    broken: Option<usize>,
    cuts: usize,
    read: &mut Read<'_, 'de>,
) -> Option<Vec<FieldProblem>> {
    let cuts = cuts.checked_sub(1)?;
    let broken = broken?;
    let kept: usize = text.split_inclusive('\n').take(broken).map(str::len).sum();
    // An error at the end of the text takes at least the last line with it.
    let kept = if kept >= text.len() {
        text.trim_end_matches('\n').rfind('\n').map_or(0, |newline| newline + 1)
    } else {
        kept
    };
    let text = text.get(..kept).filter(|text| !text.trim().is_empty())?;
    let (read, mut problems) = library(text, root, line, cuts, read);
    problems.retain(|problem| !problem.path.is_empty());
    read.then_some(problems)
}

fn json_behind<'de>(text: &'de str, line: usize, error: &serde_json::Error, read: &mut Read<'_, 'de>) -> Told {
    let told = tolerant(Err(json_failure(error)), line, read, |seed| {
        seed.deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| json_failure(&error))
    });
    let (read, problems) = match told {
        Ok(told) => told,
        Err(Failure::Unfit { message, line: at } | Failure::Malformed { message, line: at }) => {
            let problem = FieldProblem { path: String::new(), message, line: at.map(|at| line + at) };
            (false, vec![problem])
        }
        Err(Failure::Outside(reason)) => (false, vec![whole_object(reason, line)]),
    };
    Told { read, problems, route: Route::Json }
}

fn tree_behind<'de>(tree: &'de serde_json::Value, line: usize, read: &mut Read<'_, 'de>) -> Told {
    let unfit = |error: serde_json::Error| Failure::Unfit { message: error.to_string(), line: None };
    let whole = Erased::new(read).deserialize(tree).map_err(unfit);
    let (read, problems) = tolerant(whole, line, read, |seed| seed.deserialize(tree).map_err(unfit))
        .unwrap_or_else(|_| (false, vec![whole_object("the object does not fit", line)]));
    Told { read, problems, route: Route::HandedOver("a document of another form") }
}

fn whole_object(message: &str, line: usize) -> FieldProblem {
    FieldProblem { path: String::new(), message: message.to_owned(), line: Some(line) }
}

/// What stands for bytes that are not UTF-8, if there were any.
fn replacement(text: &str, line: usize) -> Option<FieldProblem> {
    let at = text.find('\u{fffd}')?;
    Some(FieldProblem {
        path: String::new(),
        message: "bytes that are not UTF-8 were replaced by \u{fffd}".to_owned(),
        line: Some(line + newlines(text, at)),
    })
}

fn newlines(text: &str, to: usize) -> usize {
    let before = text.as_bytes().get(..to).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count()
}

/// Goes on after the attempt at the whole: around what does not fit.
fn tolerant<'de>(
    whole: Result<(), Failure>,
    line: usize,
    read: &mut Read<'_, 'de>,
    attempt: impl FnMut(Pruned<'_, Erased<'_, '_, 'de>>) -> Result<(), Failure>,
) -> Result<(bool, Vec<FieldProblem>), Failure> {
    match whole {
        Ok(()) => Ok((true, Vec::new())),
        Err(Failure::Unfit { .. }) => around(line, read, attempt),
        Err(failure) => Err(failure),
    }
}

/// Reads again and again, each time without the fields that did not fit.
fn around<'de>(
    line: usize,
    read: &mut Read<'_, 'de>,
    mut attempt: impl FnMut(Pruned<'_, Erased<'_, '_, 'de>>) -> Result<(), Failure>,
) -> Result<(bool, Vec<FieldProblem>), Failure> {
    let mut trail = Trail::default();
    let mut problems = Vec::new();
    let mut whole = false;
    for reading in 0..READINGS {
        let (message, at) = match attempt(Pruned::new(&trail, Erased::new(read))) {
            Ok(()) => {
                whole = true;
                break;
            }
            Err(Failure::Unfit { message, line }) => (message, line),
            Err(failure) => return Err(failure),
        };
        let mut path = trail.take_failed();
        problems.push(FieldProblem {
            path: render(&path),
            message: plain_words(&message),
            line: at.map(|at| line + at),
        });
        if path.is_empty() {
            break;
        }
        let coarser = reading.saturating_sub(SINGLE_FIELDS);
        path.truncate(path.len().saturating_sub(coarser).max(1));
        trail.exclude(path);
    }
    problems.extend(trail.repeated().into_iter().map(|path| FieldProblem {
        path,
        message: "stands there more than once; the first one counts".to_owned(),
        line: None,
    }));
    Ok((whole, problems))
}

fn fast_failure(text: &str, fault: &Fault) -> Failure {
    match fault.cause() {
        Cause::Outside(reason) => Failure::Outside(reason),
        Cause::Unfit(message) => {
            Failure::Unfit { message: message.clone(), line: fault.offset().map(|at| newlines(text, at)) }
        }
    }
}

fn library_attempt<'de, S: DeserializeSeed<'de, Value = ()>>(
    text: &'de str,
    root: Root,
    seed: S,
) -> Result<(), Failure> {
    library::read(text, root, seed).map_err(|error| {
        // The library does not tell whether the text or the type is to blame.
        match library::read(text, root, PhantomData::<IgnoredAny>) {
            Ok(_) => Failure::Unfit { message: library::message(&error), line: library::line(&error) },
            Err(error) => Failure::Malformed { message: library::message(&error), line: library::line(&error) },
        }
    })
}

fn json_failure(error: &serde_json::Error) -> Failure {
    let message = error.to_string();
    let line = error.line().checked_sub(1);
    if error.is_data() { Failure::Unfit { message, line } } else { Failure::Malformed { message, line } }
}
