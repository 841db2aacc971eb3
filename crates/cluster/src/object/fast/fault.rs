//! Why the fast reader stopped, and where.

use std::fmt;

/// A byte offset that is not known yet.
const UNKNOWN: usize = usize::MAX;

/// The reason for stopping. Boxed, because results pass through every level of the text.
#[derive(Debug)]
pub(in crate::object) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    cause: Cause,
    at: usize,
}

/// What kind of reason it is.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::object) enum Cause {
    /// The text is not in the dialect, or not certainly so: the library has to read it.
    Outside(&'static str),
    /// The text was understood and does not fit the type that was asked for.
    Unfit(String),
}

impl Fault {
    pub(super) fn outside(reason: &'static str, at: usize) -> Self {
        Self(Box::new(Inner { cause: Cause::Outside(reason), at }))
    }

    /// Fills in where the value stands, unless something deeper has said so already.
    pub(super) fn at(mut self, at: usize) -> Self {
        if self.0.at == UNKNOWN {
            self.0.at = at;
        }
        self
    }

    pub(in crate::object) fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// The byte of the text at which the reader stopped, when it is known.
    pub(in crate::object) fn offset(&self) -> Option<usize> {
        (self.0.at != UNKNOWN).then_some(self.0.at)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.cause {
            Cause::Outside(reason) => f.write_str(reason),
            Cause::Unfit(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Fault {}

impl serde::de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner { cause: Cause::Unfit(message.to_string()), at: UNKNOWN }))
    }
}
