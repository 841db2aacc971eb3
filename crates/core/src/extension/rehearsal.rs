//! The test extension: one that answers what it is told to, for whoever tries a driver or Cluster API itself
//! (chained-upgrades.md, 8.1).
//!
//! A ConfigMap for each cluster, its script, says what is answered, and holds what was. Which script a call belongs to,
//! what it says, and what is written into it is decided here; reading and writing it is left to others.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use headway_api::hooks::{
    Cluster, GenerateUpgradePlanRequest, GenerateUpgradePlanResponse, Handler, Hook, Lifecycle, LifecycleCall,
    LifecycleRequest, LifecycleResponse, ReadError, Request, Response, Status, told,
};
use headway_api::quoted::{Quoted, with_causes};
use serde_json::Value;

use super::{Class, Known, handler_name, upgrade_plan};
use crate::version::KubeVersion;

/// The setting that must be there: it is a part of the script's name, so that several extensions can be tried at once.
pub const EXTENSION_CONFIG_NAME: &str = "extensionConfigName";

/// The setting that makes every lifecycle hook block of which the script says nothing.
pub const BLOCKING: &str = "defaultAllHandlersToBlocking";

/// How long it blocks then, in seconds: short, as somebody waits for it.
const BLOCKED_FOR: NonZeroU32 = NonZeroU32::MIN.saturating_add(4);

/// The longest name that the API server takes, and the longest key of a ConfigMap.
const MAX_NAME: usize = 253;

/// How many minors are made up where nobody names versions: more than anybody upgrades over, and few enough for two
/// wild numbers to cost nothing.
const MAX_MADE_UP: u64 = 100;

/// What the test extension serves: all lifecycle hooks, and the plan.
#[must_use]
pub fn handlers() -> Vec<Handler> {
    let served = Hook::ALL.into_iter().filter(|hook| matches!(hook, Hook::Lifecycle(_) | Hook::GenerateUpgradePlan));
    served.map(|hook| Handler::new(handler_name(hook), hook)).collect()
}

/// A call that the test extension answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call<'a> {
    /// A moment in the life of a cluster.
    Lifecycle(&'a LifecycleRequest),
    /// The question for a plan.
    GenerateUpgradePlan(&'a GenerateUpgradePlanRequest),
}

/// The ConfigMap that a call is answered from.
#[derive(Debug, Clone, PartialEq)]
pub struct Script<'a> {
    call: Call<'a>,
    /// Its namespace, which is the cluster's.
    pub namespace: &'a str,
    /// Its name.
    pub name: String,
    /// How the keys of this call begin, the most special first.
    beginnings: Vec<String>,
    usual: Usual,
}

/// What is answered to a lifecycle hook of which the script says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Usual {
    Go,
    Wait,
}

/// What is answered, and what is written into the script.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The answer.
    pub response: Response,
    /// Where it comes from.
    pub origin: Origin,
    /// Keys and values to be written.
    pub record: BTreeMap<String, String>,
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From this key of the script.
    Key(String),
    /// From the settings: the script says nothing.
    Settings,
    /// From our own planning.
    Planned,
}

/// Why a call is answered with Failure.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The setting is not there.
    #[error(
        "the settings of the ExtensionConfig lack {EXTENSION_CONFIG_NAME}: it must hold the ExtensionConfig's name"
    )]
    NoExtensionConfigName,
    /// A setting is neither true nor false.
    #[error("the setting {BLOCKING} is {}, neither \"true\" nor \"false\"", Quoted(value))]
    NotABoolean {
        /// What it is.
        value: String,
    },
    /// The cluster does not say who it is.
    #[error("the cluster of the request has no metadata.{field}")]
    Nameless {
        /// What it lacks.
        field: &'static str,
    },
    /// The namespace cannot be one.
    #[error("the cluster of the request is in the namespace {}, which can be none", Quoted(namespace))]
    Namespace {
        /// What it says.
        namespace: String,
    },
    /// Together the names make one that no ConfigMap can have.
    #[error("no ConfigMap can have the name {}: {why}", Quoted(name))]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        why: Unfit,
    },
    /// The versions of the call make a key that no ConfigMap can have.
    #[error("no ConfigMap can have the key {}: {why}", Quoted(key))]
    Key {
        /// The key.
        key: String,
        /// What is wrong with it.
        why: Unfit,
    },
    /// What the script says is no response.
    #[error("ConfigMap {script}: {key} cannot be answered")]
    Preloaded {
        /// Namespace and name.
        script: String,
        /// The key.
        key: String,
        /// Why.
        #[source]
        cause: Box<PreloadedError>,
    },
    /// There is no plan.
    #[error("the test extension has no plan")]
    Plan(#[source] super::Refusal),
}

/// Why a text is no response.
#[derive(Debug, thiserror::Error)]
pub enum PreloadedError {
    /// It is neither JSON nor YAML.
    #[error("it is neither JSON nor YAML: {}", told(cause))]
    Syntax {
        /// What is wrong with it.
        cause: String,
    },
    /// It is not the response of the hook.
    #[error(transparent)]
    Response(ReadError),
}

/// What is wrong with a name or a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// It is so many bytes long.
    Long(usize),
    /// It has characters that may not be in it.
    Characters,
}

impl<'a> Call<'a> {
    /// The call that a request is; `None` where the test extension does not serve its hook.
    #[must_use]
    pub fn of(request: &'a Request) -> Option<Self> {
        match request {
            Request::Lifecycle(request) => Some(Self::Lifecycle(request)),
            Request::GenerateUpgradePlan(request) => Some(Self::GenerateUpgradePlan(request)),
            Request::Discovery(_)
            | Request::CanUpdateMachine(_)
            | Request::CanUpdateMachineSet(_)
            | Request::UpdateMachine(_) => None,
        }
    }

    /// The hook.
    #[must_use]
    pub fn hook(self) -> Hook {
        match self {
            Self::Lifecycle(request) => request.hook().into(),
            Self::GenerateUpgradePlan(_) => Hook::GenerateUpgradePlan,
        }
    }

    /// The cluster.
    #[must_use]
    pub fn cluster(self) -> &'a Cluster {
        match self {
            Self::Lifecycle(LifecycleRequest { cluster, .. })
            | Self::GenerateUpgradePlan(GenerateUpgradePlanRequest { cluster, .. }) => cluster,
        }
    }

    /// The versions that it is about: where from and where to, where the cluster is, or none.
    #[must_use]
    pub fn versions(self) -> Vec<&'a str> {
        let call = match self {
            Self::Lifecycle(request) => &request.call,
            Self::GenerateUpgradePlan(request) => {
                return vec![&request.from_control_plane_kubernetes_version, &request.to_kubernetes_version];
            }
        };
        match call {
            LifecycleCall::BeforeClusterCreate
            | LifecycleCall::AfterControlPlaneInitialized
            | LifecycleCall::BeforeClusterDelete => Vec::new(),
            LifecycleCall::BeforeClusterUpgrade(step)
            | LifecycleCall::BeforeControlPlaneUpgrade(step)
            | LifecycleCall::BeforeWorkersUpgrade(step) => {
                vec![&step.from_kubernetes_version, &step.to_kubernetes_version]
            }
            LifecycleCall::AfterControlPlaneUpgrade(step) | LifecycleCall::AfterWorkersUpgrade(step) => {
                vec![&step.kubernetes_version]
            }
            LifecycleCall::AfterClusterUpgrade { kubernetes_version } => vec![kubernetes_version],
        }
    }

    /// Where it is to be answered from.
    ///
    /// # Errors
    ///
    /// When the settings, the cluster's name or the versions of the call do not make a script.
    pub fn script(self) -> Result<Script<'a>, Refusal> {
        let settings = match self {
            Self::Lifecycle(request) => &request.settings,
            Self::GenerateUpgradePlan(request) => &request.settings,
        };
        let extension = settings.get(EXTENSION_CONFIG_NAME).filter(|name| !name.is_empty());
        let extension = extension.ok_or(Refusal::NoExtensionConfigName)?;
        let usual = match settings.get(BLOCKING).map_or("", String::as_str) {
            "" | "false" => Usual::Go,
            "true" => Usual::Wait,
            value => return Err(Refusal::NotABoolean { value: value.to_owned() }),
        };
        let object = self.cluster().object();
        let namespace = object.namespace().ok_or(Refusal::Nameless { field: "namespace" })?;
        if unfit(namespace, is_of_name).is_some() {
            return Err(Refusal::Namespace { namespace: namespace.to_owned() });
        }
        let cluster = object.name().ok_or(Refusal::Nameless { field: "name" })?;
        let name = format!("{cluster}-{extension}-test-extension-hookresponses");
        if let Some(why) = unfit(&name, is_of_name) {
            return Err(Refusal::Name { name, why });
        }
        let general = self.hook().name().to_owned();
        let special = self.versions().iter().fold(general.clone(), |key, version| format!("{key}-{version}"));
        let special = special.replace('+', "_");
        let longest = recorded_at(&special);
        if let Some(why) = unfit(&longest, is_of_key) {
            return Err(Refusal::Key { key: longest, why });
        }
        let mut beginnings = vec![special, general];
        beginnings.dedup();
        Ok(Script { call: self, namespace, name, beginnings, usual })
    }

    /// That it failed, and why.
    #[must_use]
    pub fn failed(self, reason: &str) -> Response {
        match self {
            Self::Lifecycle(request) => Response::Lifecycle(LifecycleResponse::failed(request.hook(), reason)),
            Self::GenerateUpgradePlan(_) => Response::GenerateUpgradePlan(GenerateUpgradePlanResponse::failed(reason)),
        }
    }
}

impl Script<'_> {
    /// What is answered, when the ConfigMap holds this. One that is not there yet holds nothing.
    ///
    /// The key with the versions of the call goes before the one of the hook alone. What a key says is answered as it
    /// is; where it is no response, the answer is Failure, and that is recorded too.
    #[must_use]
    pub fn answer(&self, data: &BTreeMap<String, String>) -> Answer {
        let key = self.beginnings.iter().map(|beginning| preloaded_at(beginning));
        let preloaded = key.into_iter().find_map(|key| data.get(&key).map(|text| (key, text)));
        let (origin, answered) = match preloaded {
            Some((key, text)) => {
                let answered = self.read(text).map_err(|cause| Refusal::Preloaded {
                    script: self.to_string(),
                    key: key.clone(),
                    cause: Box::new(cause),
                });
                (Origin::Key(key), answered)
            }
            None => match self.call {
                Call::Lifecycle(request) => (Origin::Settings, Ok(self.usual(request.hook()))),
                Call::GenerateUpgradePlan(request) => {
                    (Origin::Planned, planned(request).map(Response::GenerateUpgradePlan))
                }
            },
        };
        let response = answered.unwrap_or_else(|refusal| self.call.failed(&with_causes(&refusal)));
        let status = recorded(&response);
        let record = self.beginnings.iter().map(|beginning| (recorded_at(beginning), status.clone())).collect();
        Answer { response, origin, record }
    }

    fn usual(&self, hook: Lifecycle) -> Response {
        Response::Lifecycle(match self.usual {
            Usual::Go => LifecycleResponse::go(hook, ""),
            Usual::Wait => {
                let key = preloaded_at(hook.name());
                let message = format!("the test extension blocks until ConfigMap {self} has a {key} that does not");
                LifecycleResponse::wait(hook, BLOCKED_FOR, message)
            }
        })
    }

    fn read(&self, text: &str) -> Result<Response, PreloadedError> {
        let body = json(text)?;
        let read = match self.call {
            Call::Lifecycle(request) => LifecycleResponse::read(request.hook(), &body).map(Response::Lifecycle),
            Call::GenerateUpgradePlan(_) => GenerateUpgradePlanResponse::read(&body).map(Response::GenerateUpgradePlan),
        };
        read.map_err(PreloadedError::Response)
    }
}

/// Namespace and name.
impl fmt::Display for Script<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Long(bytes) => write!(f, "it is {bytes} bytes long, more than {MAX_NAME}"),
            Self::Characters => f.write_str("it has characters that may not be in one"),
        }
    }
}

/// Where the answer to be given is.
fn preloaded_at(beginning: &str) -> String {
    format!("{beginning}-preloadedResponse")
}

/// Where the answer that was given is written.
fn recorded_at(beginning: &str) -> String {
    format!("{beginning}-actualResponseStatus")
}

/// What is written of an answer.
fn recorded(response: &Response) -> String {
    let seconds = match response {
        Response::Lifecycle(response) => response.retry_after_seconds(),
        Response::Discovery(_)
        | Response::GenerateUpgradePlan(_)
        | Response::CanUpdateMachine(_)
        | Response::CanUpdateMachineSet(_)
        | Response::UpdateMachine(_)
        | Response::Failure(_) => None,
    };
    let status: Status = response.status();
    match seconds {
        Some(seconds) => format!("Status: {status}, RetryAfterSeconds: {seconds}"),
        None => format!("Status: {status}"),
    }
}

/// A text of JSON or YAML as JSON, which responses are read from.
fn json(text: &str) -> Result<Vec<u8>, PreloadedError> {
    if text.trim().is_empty() || serde_json::from_str::<Value>(text).is_ok() {
        return Ok(text.trim().as_bytes().to_vec());
    }
    let value: Value =
        serde_saphyr::from_str(text).map_err(|error| PreloadedError::Syntax { cause: error.to_string() })?;
    serde_json::to_vec(&value).map_err(|error| PreloadedError::Syntax { cause: error.to_string() })
}

/// Our own plan: by the setting with versions, else with the first patch of every minor on the way.
fn planned(request: &GenerateUpgradePlanRequest) -> Result<GenerateUpgradePlanResponse, Refusal> {
    let class = request.cluster.class();
    let key = class.map(|class| (class.namespace.unwrap_or_default().to_owned(), class.name.to_owned()));
    // A test says which versions it wants in the settings: of the class no list is read.
    let classes = key.into_iter().map(|key| (key, Class::default())).collect();
    let known = Known { usual: made_up(request), catalogues: Some(BTreeMap::new()), classes: Some(classes) };
    upgrade_plan(request, &known).map_err(Refusal::Plan)
}

/// A list from where the control plane is to the target; `None` where there is no minor in between.
fn made_up(request: &GenerateUpgradePlanRequest) -> Option<Vec<String>> {
    let from = KubeVersion::parse(&request.from_control_plane_kubernetes_version).ok()?.minor();
    let to = KubeVersion::parse(&request.to_kubernetes_version).ok()?.minor();
    let between = to.minor.checked_sub(from.minor)?.checked_sub(1)?;
    if from.major != to.major || between > MAX_MADE_UP {
        return None;
    }
    let minors = (from.minor..to.minor).skip(1).map(|minor| format!("v{}.{minor}.0", to.major));
    Some(minors.chain([request.to_kubernetes_version.clone()]).collect())
}

fn unfit(text: &str, is_fit: fn(&str) -> bool) -> Option<Unfit> {
    match text.len() {
        bytes if bytes > MAX_NAME => Some(Unfit::Long(bytes)),
        _ if is_fit(text) => None,
        _ => Some(Unfit::Characters),
    }
}

/// Whether all that stands between dots is as names of objects want it.
fn is_of_name(text: &str) -> bool {
    let is_small = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_label = |label: &str| match label.as_bytes() {
        [only] => is_small(*only),
        [first, middle @ .., last] => {
            is_small(*first) && is_small(*last) && middle.iter().all(|byte| is_small(*byte) || *byte == b'-')
        }
        [] => false,
    };
    text.split('.').all(is_label)
}

fn is_of_key(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}
