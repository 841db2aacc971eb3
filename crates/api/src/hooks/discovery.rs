//! The messages of Discovery, and the rules that what an extension says of itself must keep (chained-upgrades.md, 5.2).

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

use super::fields::{Fields, ReadError};
use super::head::{Failed, Head, Message, Status};
use super::{API_VERSION, Hook};
use crate::quoted::Quoted;

/// How long a handler has for an answer when it does not say.
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 10;

/// The longest that a handler may ask for.
pub const MAX_TIMEOUT_SECONDS: u32 = 30;

/// As many handlers fit the status of an ExtensionConfig.
pub const MAX_HANDLERS: usize = 512;

/// The question what an extension serves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiscoveryRequest {
    /// The settings of its ExtensionConfig.
    pub settings: BTreeMap<String, String>,
}

/// What an extension serves, as it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscoveryResponse {
    head: Head,
    handlers: Option<Vec<Handler>>,
}

/// One handler, as the extension describes it. [`DiscoveryResponse::registered`] tells whether it can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    /// Its name within the extension.
    pub name: String,
    /// What it serves.
    request_hook: RequestHook,
    /// How long it has for an answer; absent is [`DEFAULT_TIMEOUT_SECONDS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<i32>,
    /// `Fail` or `Ignore`; absent and empty are `Fail`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_policy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestHook {
    api_version: String,
    hook: String,
}

/// One handler that keeps the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// Its name within the extension; together with the ExtensionConfig's it is known as `NAME.CONFIG`.
    pub name: String,
    /// What it serves.
    pub hook: Hook,
    /// How long it has for an answer, from 1 to [`MAX_TIMEOUT_SECONDS`].
    pub timeout_seconds: u32,
    /// What a call that fails means.
    pub failure_policy: FailurePolicy,
}

/// What a call that fails means. It never makes a success of an answer that says something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum FailurePolicy {
    /// As if the handler had nothing against it.
    Ignore,
    /// The call failed, and nothing goes on.
    Fail,
}

/// The id of a rule for handlers. It never changes its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HandlerRule {
    /// The name is a DNS label (RFC 1123): it becomes part of a path and of a longer name.
    D1,
    /// No two handlers have one name.
    D2,
    /// The timeout is from 0 to 30 seconds.
    D3,
    /// The failure policy is `Ignore` or `Fail`.
    D4,
    /// The hook is one of Cluster API's, of a version that is spoken.
    D5,
    /// There are no more handlers than the status of an ExtensionConfig holds.
    D6,
}

/// What is wrong with one handler.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HandlerFault {
    /// Rule D1.
    #[error("handlers[{index}]: the name {} is not a DNS label (rule D1)", Quoted(name))]
    Name {
        /// Its place.
        index: usize,
        /// Its name.
        name: String,
    },
    /// Rule D2.
    #[error("handlers[{index}]: {} is the name of handlers[{first}] already (rule D2)", Quoted(name))]
    Twice {
        /// Its place.
        index: usize,
        /// Its name.
        name: String,
        /// The place of the one before it.
        first: usize,
    },
    /// Rule D3.
    #[error(
        "handlers[{index}] {}: timeoutSeconds is {seconds}, not from 0 to {MAX_TIMEOUT_SECONDS} (rule D3)",
        Quoted(name)
    )]
    Timeout {
        /// Its place.
        index: usize,
        /// Its name.
        name: String,
        /// What it asks for.
        seconds: i32,
    },
    /// Rule D4.
    #[error(
        "handlers[{index}] {}: failurePolicy is {}, neither Fail nor Ignore (rule D4)",
        Quoted(name),
        Quoted(value)
    )]
    Policy {
        /// Its place.
        index: usize,
        /// Its name.
        name: String,
        /// What it says.
        value: String,
    },
    /// Rule D5.
    #[error(
        "handlers[{index}] {}: there is no hook {} of {} (rule D5)",
        Quoted(name),
        Quoted(hook),
        Quoted(api_version)
    )]
    Hook {
        /// Its place.
        index: usize,
        /// Its name.
        name: String,
        /// The group and version that it names.
        api_version: String,
        /// The hook that it names.
        hook: String,
    },
    /// Rule D6.
    #[error("there are {count} handlers, more than {MAX_HANDLERS} (rule D6)")]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

/// Why nothing of an extension is registered: it is all or nothing, as with Cluster API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscoveryError {
    /// The extension says that it failed.
    #[error(transparent)]
    Failed(Failed),
    /// Handlers break rules.
    #[error("the answer to Discovery cannot be registered: {}", listed(faults))]
    Faults {
        /// Every rule that is broken, in the order of the handlers; never empty.
        faults: Vec<HandlerFault>,
    },
}

impl DiscoveryRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When it is none, or a field does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(Hook::Discovery, body)?;
        Ok(Self { settings: fields.texts("settings")? })
    }
}

impl Serialize for DiscoveryRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { settings } = self;
        Message::request(Hook::Discovery, settings, ()).serialize(serializer)
    }
}

impl DiscoveryResponse {
    /// An extension that serves these.
    #[must_use]
    pub fn new(handlers: Vec<Handler>) -> Self {
        Self { head: Head::success(""), handlers: Some(handlers).filter(|handlers| !handlers.is_empty()) }
    }

    /// Reads a response. Whether its handlers can be is not looked at: see [`registered`](Self::registered).
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(Hook::Discovery, body)?;
        let handlers = head.unless_failed(fields.list("handlers", Handler::read))?;
        Ok(Self { head, handlers })
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// The handlers, as they are described.
    #[must_use]
    pub fn handlers(&self) -> &[Handler] {
        self.handlers.as_deref().unwrap_or_default()
    }

    /// The handlers, if they all keep the rules.
    ///
    /// # Errors
    ///
    /// When the extension failed, or a handler breaks a rule; then all that is wrong is told.
    pub fn registered(&self) -> Result<Vec<Registered>, DiscoveryError> {
        self.head.check(Hook::Discovery).map_err(DiscoveryError::Failed)?;
        let handlers = self.handlers();
        let count = handlers.len();
        if count > MAX_HANDLERS {
            return Err(DiscoveryError::Faults { faults: vec![HandlerFault::TooMany { count }] });
        }
        let mut first_of = BTreeMap::new();
        let mut faults = Vec::new();
        let mut registered = Vec::new();
        for (index, handler) in handlers.iter().enumerate() {
            let first = *first_of.entry(handler.name.as_str()).or_insert(index);
            if first != index {
                faults.push(HandlerFault::Twice { index, name: handler.name.clone(), first });
            }
            match handler.check(index) {
                Ok(handler) => registered.push(handler),
                Err(found) => faults.extend(found),
            }
        }
        if faults.is_empty() { Ok(registered) } else { Err(DiscoveryError::Faults { faults }) }
    }
}

impl Serialize for DiscoveryResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Body<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            handlers: Option<&'a [Handler]>,
        }
        let Self { head, handlers } = self;
        Message::response(Hook::Discovery, head, Body { handlers: handlers.as_deref() }).serialize(serializer)
    }
}

impl Handler {
    /// A handler of `hook` with the default timeout and failure policy, which are left unsaid.
    #[must_use]
    pub fn new(name: impl Into<String>, hook: Hook) -> Self {
        let request_hook = RequestHook { api_version: API_VERSION.to_owned(), hook: hook.name().to_owned() };
        Self { name: name.into(), request_hook, timeout_seconds: None, failure_policy: None }
    }

    /// The group and version of what it serves.
    #[must_use]
    pub fn api_version(&self) -> &str {
        &self.request_hook.api_version
    }

    /// The name of what it serves.
    #[must_use]
    pub fn hook(&self) -> &str {
        &self.request_hook.hook
    }

    /// What is missing is empty: the rules refuse it, and say whose it is.
    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        let name = fields.text("name")?.unwrap_or_default();
        let request_hook = match fields.fields("requestHook")? {
            None => RequestHook { api_version: String::new(), hook: String::new() },
            Some(mut inner) => RequestHook {
                api_version: inner.text("apiVersion")?.unwrap_or_default(),
                hook: inner.text("hook")?.unwrap_or_default(),
            },
        };
        Ok(Self {
            name,
            request_hook,
            timeout_seconds: fields.int32("timeoutSeconds")?,
            failure_policy: fields.raw_text("failurePolicy")?,
        })
    }

    /// Every rule for one handler alone.
    fn check(&self, index: usize) -> Result<Registered, Vec<HandlerFault>> {
        let Self { name, request_hook: RequestHook { api_version, hook }, timeout_seconds, failure_policy } = self;
        let name = name.clone();
        let mut faults = Vec::new();
        if !is_dns_label(&name) {
            faults.push(HandlerFault::Name { index, name: name.clone() });
        }
        let timeout = self.timeout();
        if let (None, Some(seconds)) = (timeout, *timeout_seconds) {
            faults.push(HandlerFault::Timeout { index, name: name.clone(), seconds });
        }
        let policy = FailurePolicy::read(failure_policy.as_deref().unwrap_or_default());
        if let (None, Some(value)) = (policy, failure_policy) {
            faults.push(HandlerFault::Policy { index, name: name.clone(), value: value.clone() });
        }
        let found = Hook::find(api_version, hook);
        if found.is_none() {
            let (api_version, hook) = (api_version.clone(), hook.clone());
            faults.push(HandlerFault::Hook { index, name: name.clone(), api_version, hook });
        }
        match (faults.is_empty(), found, timeout, policy) {
            (true, Some(hook), Some(timeout_seconds), Some(failure_policy)) => {
                Ok(Registered { name, hook, timeout_seconds, failure_policy })
            }
            _ => Err(faults),
        }
    }

    /// Seconds within the bounds. The protocol allows 0 and does not say what it means; here it is the default, because
    /// no call may be without an end.
    fn timeout(&self) -> Option<u32> {
        match u32::try_from(self.timeout_seconds.unwrap_or_default()) {
            Ok(0) => Some(DEFAULT_TIMEOUT_SECONDS),
            Ok(seconds) if seconds <= MAX_TIMEOUT_SECONDS => Some(seconds),
            Ok(_) | Err(_) => None,
        }
    }
}

impl Registered {
    /// The name by which everyone else knows it.
    #[must_use]
    pub fn full_name(&self, extension_config: &str) -> String {
        format!("{}.{extension_config}", self.name)
    }
}

impl FailurePolicy {
    fn read(text: &str) -> Option<Self> {
        match text {
            "" | "Fail" => Some(Self::Fail),
            "Ignore" => Some(Self::Ignore),
            _ => None,
        }
    }
}

impl HandlerFault {
    /// The rule that is broken.
    #[must_use]
    pub fn rule(&self) -> HandlerRule {
        match self {
            Self::Name { .. } => HandlerRule::D1,
            Self::Twice { .. } => HandlerRule::D2,
            Self::Timeout { .. } => HandlerRule::D3,
            Self::Policy { .. } => HandlerRule::D4,
            Self::Hook { .. } => HandlerRule::D5,
            Self::TooMany { .. } => HandlerRule::D6,
        }
    }
}

impl fmt::Display for HandlerRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::D1 => "D1",
            Self::D2 => "D2",
            Self::D3 => "D3",
            Self::D4 => "D4",
            Self::D5 => "D5",
            Self::D6 => "D6",
        })
    }
}

impl fmt::Display for FailurePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ignore => "Ignore",
            Self::Fail => "Fail",
        })
    }
}

/// The first few of them: the sentence ends up in a condition.
fn listed(faults: &[HandlerFault]) -> String {
    const TOLD: usize = 5;
    let mut told: Vec<String> = faults.iter().take(TOLD).map(ToString::to_string).collect();
    match faults.len().saturating_sub(TOLD) {
        0 => {}
        more => told.push(format!("and {more} more")),
    }
    told.join("; ")
}

/// Lower case letters, digits and dashes, the last not at an end; at most 63.
pub(crate) fn is_dns_label(text: &str) -> bool {
    const LONGEST: usize = 63;
    let is_inner = |byte: u8| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_inner) && !text.starts_with('-') && !text.ends_with('-')
}
