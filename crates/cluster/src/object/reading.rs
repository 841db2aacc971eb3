//! Reading one object into a type, around whatever does not fit.

use super::erased;
use super::fast::{self, Cause, Root};
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

pub(super) fn yaml<T: DeserializeOwned>(text: &[u8], root: Root, parser: Parser, line: usize) -> Reading<T> {
    // Checked first, because replacing is several times slower even when there is nothing to do.
    if let Ok(text) = std::str::from_utf8(text) {
        return yaml_text(text, root, parser, line, CUTS);
    }
    let text = String::from_utf8_lossy(text);
    let mut reading = yaml_text(&text, root, parser, line, CUTS);
    let at = text.find('\u{fffd}').unwrap_or_default();
    reading.problems.insert(0, replacement_at(&text, at, line));
    reading
}

fn yaml_text<T: DeserializeOwned>(text: &str, root: Root, parser: Parser, line: usize, cuts: usize) -> Reading<T> {
    let mut route = Route::Library;
    if parser == Parser::Fast {
        match tolerant(line, |seed| fast_attempt(text, root, seed)) {
            Ok((value, problems)) => {
                return Reading { value, problems, route: Route::Fast };
            }
            Err(Failure::Outside(reason)) => route = Route::HandedOver(reason),
            Err(Failure::Malformed { .. } | Failure::Unfit { .. }) => {}
        }
    }
    let (value, problems) = match tolerant(line, |seed| library_attempt(text, root, seed)) {
        Ok(read) => read,
        Err(Failure::Unfit { message, line: at } | Failure::Malformed { message, line: at }) => {
            let reading = shorter(text, root, line, at, cuts);
            let mut problems = vec![FieldProblem {
                path: String::new(),
                message: if reading.is_some() {
                    format!("the rest of the object is left out: {message}")
                } else {
                    message
                },
                line: at.map(|at| line + at),
            }];
            let mut value = None;
            if let Some(shorter) = reading {
                problems.extend(shorter.problems);
                value = shorter.value;
            }
            (value, problems)
        }
        Err(Failure::Outside(reason)) => (None, vec![whole(reason, line)]),
    };
    Reading { value, problems, route }
}

/// Reads what stands before the line that is broken.
fn shorter<T: DeserializeOwned>(
    text: &str,
    root: Root,
    line: usize,
    broken: Option<usize>,
    cuts: usize,
) -> Option<Reading<T>> {
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
    let mut reading: Reading<T> = yaml_text(text, root, Parser::Library, line, cuts);
    reading.problems.retain(|problem| !problem.path.is_empty());
    reading.value.is_some().then_some(reading)
}

pub(super) fn json<T: DeserializeOwned>(text: &str, line: usize) -> Reading<T> {
    let (value, mut problems) = match tolerant(line, |seed| json_attempt(text, seed)) {
        Ok(read) => read,
        Err(Failure::Unfit { message, line: at } | Failure::Malformed { message, line: at }) => {
            let problem = FieldProblem { path: String::new(), message, line: at.map(|at| line + at) };
            (None, vec![problem])
        }
        Err(Failure::Outside(reason)) => (None, vec![whole(reason, line)]),
    };
    if let Some(at) = text.find('\u{fffd}') {
        problems.insert(0, replacement_at(text, at, line));
    }
    Reading { value, problems, route: Route::Json }
}

pub(super) fn tree<T: DeserializeOwned>(tree: &serde_json::Value, line: usize) -> Reading<T> {
    let (value, problems) = tolerant(line, |seed| {
        let read = match seed {
            Seed::Whole(seed) => erased::through(seed, |seed| seed.deserialize(tree)),
            Seed::Pruned(seed) => erased::through(seed, |seed| seed.deserialize(tree)),
        };
        read.map_err(|error| Failure::Unfit { message: error.to_string(), line: None })
    })
    .unwrap_or_else(|_| (None, vec![whole("the object does not fit", line)]));
    Reading { value, problems, route: Route::HandedOver("a document of another form") }
}

fn whole(message: &str, line: usize) -> FieldProblem {
    FieldProblem { path: String::new(), message: message.to_owned(), line: Some(line) }
}

fn replacement_at(text: &str, at: usize, line: usize) -> FieldProblem {
    FieldProblem {
        path: String::new(),
        message: "bytes that are not UTF-8 were replaced by \u{fffd}".to_owned(),
        line: Some(line + newlines(text, at)),
    }
}

fn newlines(text: &str, to: usize) -> usize {
    let before = text.as_bytes().get(..to).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count()
}

/// What an attempt reads: everything, or what the trail leaves.
enum Seed<'t, T> {
    Whole(PhantomData<T>),
    Pruned(Pruned<'t, T>),
}

/// Reads again and again, each time without the fields that did not fit.
fn tolerant<T: DeserializeOwned>(
    line: usize,
    mut attempt: impl FnMut(Seed<'_, T>) -> Result<T, Failure>,
) -> Result<(Option<T>, Vec<FieldProblem>), Failure> {
    match attempt(Seed::Whole(PhantomData)) {
        Ok(value) => return Ok((Some(value), Vec::new())),
        Err(Failure::Unfit { .. }) => {}
        Err(failure) => return Err(failure),
    }
    let mut trail = Trail::default();
    let mut problems = Vec::new();
    let mut value = None;
    for reading in 0..READINGS {
        let (message, at) = match attempt(Seed::Pruned(Pruned::new(&trail))) {
            Ok(read) => {
                value = Some(read);
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
    Ok((value, problems))
}

fn fast_attempt<T: DeserializeOwned>(text: &str, root: Root, seed: Seed<'_, T>) -> Result<T, Failure> {
    let read = match seed {
        Seed::Whole(seed) => fast::read(text, root, seed),
        Seed::Pruned(seed) => fast::read(text, root, seed),
    };
    read.map_err(|fault| match fault.cause() {
        Cause::Outside(reason) => Failure::Outside(reason),
        Cause::Unfit(message) => {
            Failure::Unfit { message: message.clone(), line: fault.offset().map(|at| newlines(text, at)) }
        }
    })
}

fn library_attempt<T: DeserializeOwned>(text: &str, root: Root, seed: Seed<'_, T>) -> Result<T, Failure> {
    let read = match seed {
        Seed::Whole(seed) => erased::through(seed, |seed| library::read(text, root, seed)),
        Seed::Pruned(seed) => erased::through(seed, |seed| library::read(text, root, seed)),
    };
    read.map_err(|error| {
        // The library does not tell whether the text or the type is to blame.
        match library::read(text, root, PhantomData::<IgnoredAny>) {
            Ok(_) => Failure::Unfit { message: library::message(&error), line: library::line(&error) },
            Err(error) => Failure::Malformed { message: library::message(&error), line: library::line(&error) },
        }
    })
}

fn json_attempt<T: DeserializeOwned>(text: &str, seed: Seed<'_, T>) -> Result<T, Failure> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = match seed {
        Seed::Whole(seed) => seed.deserialize(&mut deserializer),
        Seed::Pruned(seed) => erased::through(seed, |seed| seed.deserialize(&mut deserializer)),
    };
    read.map_err(|error| {
        let message = error.to_string();
        let line = error.line().checked_sub(1);
        if error.is_data() { Failure::Unfit { message, line } } else { Failure::Malformed { message, line } }
    })
}
