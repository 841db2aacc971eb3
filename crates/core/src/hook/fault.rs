//! What goes wrong between us and an extension. Which extension and which hook it was is part of every error.

use headway_api::hooks::{Failed, Hook, MAX_BODY_BYTES, ReadError};
use headway_api::quoted::Quoted;

use super::registry::LookupError;

/// Why a hook has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    /// Who answers it is not known, or whoever was named does not.
    #[error("{hook} cannot be asked")]
    Lookup {
        /// The hook.
        hook: Hook,
        /// What is in the way.
        #[source]
        cause: LookupError,
    },
    /// A handler gave no answer that counts.
    #[error("{hook} of {handler} failed")]
    Call {
        /// The hook.
        hook: Hook,
        /// The full name of the handler, which ends with that of its extension.
        handler: String,
        /// What went wrong.
        #[source]
        cause: CallFault,
    },
}

/// What went wrong with a call. Texts hold no moments and no numbers of connections: they end up in conditions, which
/// are written anew whenever they change.
#[derive(Debug, thiserror::Error)]
pub enum CallFault {
    /// Where it is cannot be made out.
    #[error("its clientConfig cannot be used: {0}")]
    ClientConfig(String),
    /// The certificate that we show cannot be used.
    #[error("our client certificate cannot be used: {0}")]
    Identity(String),
    /// It took too long.
    #[error("no answer within {seconds}s")]
    Late {
        /// As long as it was waited for.
        seconds: u64,
    },
    /// There is no connection to it, or it was lost.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// It is not who it should be.
    #[error("its certificate is refused: {0}")]
    Untrusted(String),
    /// It answered something else than 200.
    #[error("it answered {code}{}", begins(start))]
    Status {
        /// The status of HTTP.
        code: u16,
        /// How the body begins, on one line.
        start: String,
    },
    /// It sent us elsewhere.
    #[error("it answered {code}, and a redirect{} is not followed", to(location))]
    Redirect {
        /// The status of HTTP.
        code: u16,
        /// To where; may be empty.
        location: String,
    },
    /// It answered more than anyone takes.
    #[error("it answered more than {} MiB", MAX_BODY_BYTES / (1024 * 1024))]
    TooLarge,
    /// It answered something that is no answer.
    #[error(transparent)]
    Unreadable(ReadError),
    /// It answered that it failed.
    #[error("it answered with Failure: {}", if message.is_empty() { "no reason is given" } else { message })]
    Failed {
        /// Why, fit to be shown; empty where no reason is given.
        message: String,
    },
}

impl CallFault {
    /// Whether `failurePolicy: Ignore` may pass over it: an outage, and nothing that was said or that is wrong on our
    /// side.
    #[must_use]
    pub fn is_ignorable(&self) -> bool {
        match self {
            Self::ClientConfig(_) | Self::Identity(_) | Self::Failed { .. } => false,
            Self::Late { .. }
            | Self::Unreachable(_)
            | Self::Untrusted(_)
            | Self::Status { .. }
            | Self::Redirect { .. }
            | Self::TooLarge => true,
            Self::Unreadable(error) => error.is_ignorable(),
        }
    }
}

impl From<ReadError> for CallFault {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error)
    }
}

impl From<Failed> for CallFault {
    fn from(Failed { hook: _, message }: Failed) -> Self {
        Self::Failed { message }
    }
}

fn begins(start: &str) -> String {
    if start.is_empty() { String::new() } else { format!(", which begins with {}", Quoted(start)) }
}

fn to(location: &str) -> String {
    if location.is_empty() { String::new() } else { format!(" to {}", Quoted(location)) }
}
