//! Extensions of Cluster API, asked: discovery, calls over HTTPS, and what is remembered of answers.
//!
//! The protocol is chained-upgrades.md, section 5; what answers mean is `core::hook`, which knows neither clocks nor
//! connections. Here a call is made and its outcome handed over.
//!
//! # Guarantees
//!
//! Every call ends: by an answer, or when the time of its handler is over. No answer takes more than 20 MiB of memory,
//! of whichever status. No redirect is followed. Each extension has connections of its own, and nothing is locked while
//! one is waited for, so that a slow, broken or hostile one is felt by nobody but the clusters that it is asked about.
//! A hook that asked for time is not asked again before it is over. No error ends the process.
//!
//! # Caveats
//!
//! A hook may be asked again although it was answered, as after a restart: extensions must bear that. Two calls of one
//! hook for one cluster at the same time are both made; whoever drives a cluster does one thing after another. Nothing
//! is written, but by [`write_status`], which is for whoever drives topologies; beside Cluster API that is its work.

mod address;
mod ask;
mod authority;
mod caller;
mod discovery;
mod plan;
mod state;
mod status;
mod trust;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Hook, Lifecycle};
use headway_api::meta::Labels;
use headway_core::hook::{Holds, Plans, Registry, Trouble};
use jiff::Timestamp;

pub use self::ask::About;
pub use self::authority::AuthorityError;
use self::caller::Caller;
pub use self::discovery::{DiscoverError, Discovered};
pub use self::state::{StateError, extension_configs, namespace_labels};
pub use self::status::{StatusError, write_status};
pub use self::trust::IdentityFiles;
use crate::gather::live::Clock;

/// How to ask.
#[derive(Clone)]
pub struct Options {
    /// The management cluster, whose Secrets hold certificates; without it, an extension that names one is in trouble.
    pub cluster: Option<kube::Client>,
    /// The certificate that is shown to extensions that ask for one.
    pub identity: Option<IdentityFiles>,
    /// What time it is.
    pub clock: Clock,
    /// How long things take.
    pub timing: Timing,
}

/// How long things take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// As long an extension has to tell what it answers.
    pub discovery: Duration,
    /// As long it is tried at the start to discover all of them.
    pub warm_up: Duration,
    /// Between two tries at the start.
    pub again: Duration,
}

/// As with Cluster API.
impl Default for Timing {
    fn default() -> Self {
        Self { discovery: Duration::from_secs(10), warm_up: Duration::from_secs(60), again: Duration::from_secs(2) }
    }
}

/// Asks extensions.
pub struct HookClient {
    cluster: Option<kube::Client>,
    caller: Caller,
    clock: Clock,
    timing: Timing,
    registry: Mutex<Registry>,
    holds: Mutex<Holds>,
    plans: Mutex<Plans>,
}

impl HookClient {
    /// One that knows no extensions yet: until [`list`](Self::list) or [`warm_up`](Self::warm_up), every hook waits.
    #[must_use]
    pub fn new(options: Options) -> Arc<Self> {
        let Options { cluster, identity, clock, timing } = options;
        Arc::new(Self {
            cluster,
            caller: Caller::new(identity),
            clock,
            timing,
            registry: Mutex::default(),
            holds: Mutex::default(),
            plans: Mutex::default(),
        })
    }

    /// Takes in all ExtensionConfigs that there are. They are still to be discovered.
    pub fn list(&self, configs: Vec<ExtensionConfig>) {
        self.caller.retain(|name| configs.iter().any(|config| config.metadata.name == name));
        self.registry().list(configs);
    }

    /// Takes in all ExtensionConfigs that there are, with what their status says that they answer: whoever else discovers
    /// them writes it there. What that was before is forgotten.
    pub fn read_only(&self, configs: Vec<ExtensionConfig>) {
        self.caller.retain(|name| configs.iter().any(|config| config.metadata.name == name));
        let mut registry = Registry::default();
        registry.list(configs);
        *self.registry() = registry;
    }

    /// Forgets an extension whose ExtensionConfig was deleted.
    pub fn remove(&self, extension: &str) {
        self.registry().remove(extension);
        self.caller.retain(|name| name != extension);
    }

    /// Forgets what was answered about a cluster that is gone.
    pub fn forget_cluster(&self, uid: &str) {
        lock(&self.holds).forget(uid);
        lock(&self.plans).forget(uid);
    }

    /// The hooks of an upgrade that somebody answers for clusters of a namespace with these labels. What is not known may
    /// be answered: asking says what is the matter. Without labels, all are as soon as there is any extension.
    #[must_use]
    pub fn answered(&self, namespace: Option<&Labels>) -> BTreeSet<Lifecycle> {
        let registry = self.registry();
        let may_answer = |hook: &Lifecycle| match namespace {
            Some(namespace) => {
                !matches!(registry.matching(Hook::Lifecycle(*hook), namespace), Ok(all) if all.is_empty())
            }
            None => !registry.is_empty(),
        };
        Lifecycle::OF_UPGRADE.into_iter().filter(may_answer).collect()
    }

    /// The extensions that are not what their ExtensionConfigs say.
    #[must_use]
    pub fn troubles(&self) -> Vec<Trouble> {
        self.registry().troubles().collect()
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        lock(&self.registry)
    }

    fn now(&self) -> Timestamp {
        (self.clock)()
    }
}

/// What is locked is whole after each statement, so one that was left by a panic can be used on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
