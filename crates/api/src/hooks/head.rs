//! What all messages have in common: their kind, and of responses the status, the message, and the time asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use serde::{Serialize, Serializer};

use super::fields::{Fields, ReadError};
use super::{API_VERSION, Hook, told};

/// The longest that a hook is left alone, one day: as long as Cluster API remembers that it was asked to wait.
pub const MAX_RETRY_SECONDS: u32 = 24 * 60 * 60;

/// Which message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The hook.
    pub hook: Hook,
    /// Who sends it.
    pub side: Side,
}

/// The two directions of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// To the extension.
    Request,
    /// From the extension.
    Response,
}

/// How a call went, as the extension says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Status {
    /// The rest of the response counts.
    Success,
    /// Nothing but the message counts.
    Failure,
}

/// What an answer that can ask for time says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is held up; of UpdateMachine: the update is done.
    Go {
        /// What the extension says to it, fit to be shown; often empty.
        message: String,
    },
    /// Ask again later.
    Wait {
        /// After so many seconds, which are from 1 to [`MAX_RETRY_SECONDS`].
        seconds: NonZeroU32,
        /// What the extension wrote. Where it differs from `seconds`, it was out of bounds.
        asked: i32,
        /// Why, fit to be shown; often empty.
        message: String,
    },
}

/// The extension answered that it failed. No `failurePolicy` passes over that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{hook} was answered with Failure: {}", if message.is_empty() { "no reason is given" } else { message })]
pub struct Failed {
    /// The hook that was asked.
    pub hook: Hook,
    /// Why, fit to be shown; empty where no reason is given.
    pub message: String,
}

/// The response of any hook that says Failure: what a server answers to what it cannot read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    hook: Hook,
    head: Head,
}

impl Failure {
    /// A failure of `hook`, with the reason.
    #[must_use]
    pub fn new(hook: Hook, message: impl Into<String>) -> Self {
        Self { hook, head: Head::failure(message) }
    }

    /// The reason, fit to be shown.
    #[must_use]
    pub fn reason(&self) -> String {
        told(self.head.message())
    }
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { hook, head } = self;
        // Cluster API marks the field as required where there is one.
        let retry_after_seconds = hook.is_retryable().then_some(0);
        Message::response(*hook, head, RetryAfter { retry_after_seconds }).serialize(serializer)
    }
}

/// Status and message of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Head {
    pub(super) status: Status,
    /// As it was written: Cluster API leaves an empty one out, others write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

impl Head {
    pub(super) fn success(message: impl Into<String>) -> Self {
        Self::new(Status::Success, message.into())
    }

    pub(super) fn failure(message: impl Into<String>) -> Self {
        Self::new(Status::Failure, message.into())
    }

    fn new(status: Status, message: String) -> Self {
        Self { status, message: Some(message).filter(|message| !message.is_empty()) }
    }

    /// Begins to read a response; the rest of its fields is still to be read.
    pub(super) fn of_body(hook: Hook, body: &[u8]) -> Result<(Self, Fields), ReadError> {
        let mut fields = Fields::of_body(Kind { hook, side: Side::Response }, body)?;
        Ok((Self::read(&mut fields)?, fields))
    }

    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        let status = match fields.required_text("status")?.as_str() {
            "Success" => Status::Success,
            "Failure" => Status::Failure,
            value => return Err(ReadError::UnknownStatus { kind: fields.kind(), value: value.to_owned() }),
        };
        let head = Self { status, message: None };
        Ok(Self { message: head.unless_failed(fields.raw_text("message"))?, ..head })
    }

    /// A part of the rest of a response. Where the extension failed, one that does not fit is left out: what is said
    /// of a failure must not become a lesser fault by being said badly.
    pub(super) fn unless_failed<T: Default>(&self, part: Result<T, ReadError>) -> Result<T, ReadError> {
        match self.status {
            Status::Success => part,
            Status::Failure => Ok(part.unwrap_or_default()),
        }
    }

    pub(super) fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// Success, or the failure that it says.
    pub(super) fn check(&self, hook: Hook) -> Result<(), Failed> {
        match self.status {
            Status::Success => Ok(()),
            Status::Failure => Err(Failed { hook, message: told(self.message()) }),
        }
    }

    /// What it says together with `retryAfterSeconds`.
    ///
    /// A negative number holds up as any other that is not 0: Cluster API's two readers of it disagree, and taking it
    /// for 0 would report an end that nobody reported. It is asked again after a second, the shortest time there is.
    pub(super) fn verdict(&self, hook: Hook, retry_after_seconds: i32) -> Result<Verdict, Failed> {
        self.check(hook)?;
        let message = told(self.message());
        if retry_after_seconds == 0 {
            return Ok(Verdict::Go { message });
        }
        let seconds = u32::try_from(retry_after_seconds)
            .ok()
            .and_then(NonZeroU32::new)
            .map_or(NonZeroU32::MIN, |seconds| seconds.min(LONGEST));
        Ok(Verdict::Wait { seconds, asked: retry_after_seconds, message })
    }
}

const LONGEST: NonZeroU32 = NonZeroU32::MIN.saturating_add(MAX_RETRY_SECONDS - 1);

/// Seconds as they are written: the protocol has 32 bits with a sign for them.
pub(super) fn retry_after(seconds: NonZeroU32) -> i32 {
    i32::try_from(seconds.min(LONGEST).get()).unwrap_or(i32::MAX)
}

/// A message as it is written: what it is, what all of its side have in common, and the rest of its fields.
#[derive(Serialize)]
pub(super) struct Message<'a, B> {
    kind: String,
    #[serde(rename = "apiVersion")]
    api_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<&'a BTreeMap<String, String>>,
    #[serde(flatten)]
    head: Option<&'a Head>,
    #[serde(flatten)]
    body: B,
}

impl<'a, B> Message<'a, B> {
    pub(super) fn request(hook: Hook, settings: &'a BTreeMap<String, String>, body: B) -> Self {
        let settings = Some(settings).filter(|settings| !settings.is_empty());
        let kind = Kind { hook, side: Side::Request }.to_string();
        Self { kind, api_version: API_VERSION, settings, head: None, body }
    }

    pub(super) fn response(hook: Hook, head: &'a Head, body: B) -> Self {
        let kind = Kind { hook, side: Side::Response }.to_string();
        Self { kind, api_version: API_VERSION, settings: None, head: Some(head), body }
    }
}

/// The rest of a response that may ask for time.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RetryAfter {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_seconds: Option<i32>,
}

/// As the field `kind` says it, such as `BeforeClusterUpgradeRequest`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hook, side } = self;
        write!(f, "{hook}{side}")
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request => "Request",
            Self::Response => "Response",
        })
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Success => "Success",
            Self::Failure => "Failure",
        })
    }
}
