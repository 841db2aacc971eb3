//! Who answers a hook for the clusters of a namespace (chained-upgrades.md, 5.2 to 5.4).
//!
//! Plain data. An extension is asked where and as the newest of its ExtensionConfig says; which handlers it has is what
//! was discovered last, be it by us or, as its status tells, by others before us. A discovery that fails changes no
//! handler and is told as a [`Trouble`].

use std::collections::BTreeMap;
use std::sync::Arc;

use headway_api::cluster_api::{ExtensionConfig, ExtensionHandler};
use headway_api::hooks::{self, DiscoveryResponse, FailurePolicy, Hook, MAX_TIMEOUT_SECONDS, Registered};
use headway_api::meta::{ConditionStatus, Labels};

/// The extensions of a management cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry {
    /// Without a list, nobody knows that there is nobody to ask.
    is_listed: bool,
    /// By the name of their ExtensionConfig.
    extensions: BTreeMap<String, Extension>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Extension {
    config: Arc<ExtensionConfig>,
    /// `None` until they were discovered once.
    handlers: Option<Vec<Registered>>,
    trouble: Option<String>,
}

/// A handler to be asked, and what is needed for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// Its full name, `HANDLER.EXTENSIONCONFIG`.
    pub name: String,
    /// What was discovered of it.
    pub registered: Registered,
    /// Where it is and what it is told.
    pub config: Arc<ExtensionConfig>,
    /// Why the last discovery of its extension failed; the handler is an older one then.
    pub trouble: Option<String>,
}

/// Why an extension is not what its ExtensionConfig says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trouble {
    /// The name of the ExtensionConfig.
    pub extension: String,
    /// What is wrong with it.
    pub reason: String,
}

/// What became of a discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// It counts.
    Taken,
    /// The ExtensionConfig has changed or gone meanwhile, and nothing was changed.
    Outdated,
}

/// Why it cannot be told who to ask.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// The extensions were not listed yet.
    #[error("the ExtensionConfigs were not listed yet")]
    NotListed,
    /// There are extensions that may answer and were never discovered.
    #[error("it is not known what these extensions answer: {}", listed(extensions))]
    Undiscovered {
        /// Which, and why; never empty.
        extensions: Vec<Trouble>,
    },
    /// The handler that was named is not there.
    #[error("no extension has a handler {name}")]
    NoSuchHandler {
        /// Its full name.
        name: String,
    },
    /// The handler that was named answers something else.
    #[error("the handler {name} answers {answers}")]
    OtherHook {
        /// Its full name.
        name: String,
        /// What it answers.
        answers: Hook,
    },
    /// The handler that was named is not for this namespace.
    #[error("the namespaceSelector of the extension of {name} leaves out the cluster's namespace")]
    OtherNamespace {
        /// Its full name.
        name: String,
    },
}

/// The state of the configuration that an answer belongs to. Of two that are equal, the same handlers are asked in the
/// same way.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(Vec<(String, String, i64)>);

impl Registry {
    /// Takes in a whole list. Extensions that are not in it are gone.
    pub fn list(&mut self, configs: Vec<ExtensionConfig>) {
        self.is_listed = true;
        self.extensions.retain(|name, _| configs.iter().any(|config| config.metadata.name == *name));
        for config in configs {
            self.announce(config);
        }
    }

    /// Takes in an ExtensionConfig that is new or has changed. From now on it is asked as this says; what it answers
    /// is left as it is known. One that is no newer than what is known changes nothing of that.
    pub fn announce(&mut self, config: ExtensionConfig) {
        let name = config.metadata.name.clone();
        let known = self.extensions.remove(&name).filter(|known| known.config.metadata.uid == config.metadata.uid);
        let (known_config, handlers, trouble) = match known {
            Some(Extension { config, handlers, trouble }) => (Some(config), handlers, trouble),
            None => (None, None, Some("it was not discovered yet".to_owned())),
        };
        let (handlers, trouble) = match handlers {
            Some(handlers) => (Some(handlers), trouble),
            // What somebody else has discovered meanwhile.
            None => match handlers_in_status(&config) {
                Some(handlers) => (Some(handlers), None),
                None => (None, trouble),
            },
        };
        // The known one may hold certificates that were put into it.
        let config = match known_config.filter(|known| known.metadata.generation >= config.metadata.generation) {
            Some(known) => known,
            None => Arc::new(config),
        };
        self.extensions.insert(name, Extension { config, handlers, trouble });
    }

    /// Takes in what a discovery found, or why it found nothing. `config` is what was discovered, with the certificates
    /// that were put into it.
    pub fn settle(&mut self, config: ExtensionConfig, found: Result<Vec<Registered>, String>) -> Settled {
        let Some(known) = self.extensions.get_mut(&config.metadata.name) else { return Settled::Outdated };
        let (new, old) = (&config.metadata, &known.config.metadata);
        if new.uid != old.uid || new.generation != old.generation {
            return Settled::Outdated;
        }
        known.config = Arc::new(config);
        match found {
            Ok(handlers) => (known.handlers, known.trouble) = (Some(handlers), None),
            Err(reason) => known.trouble = Some(reason),
        }
        Settled::Taken
    }

    /// Forgets an extension whose ExtensionConfig was deleted. What waited for it goes on: this is the way out when an
    /// extension never comes back.
    pub fn remove(&mut self, name: &str) {
        self.extensions.remove(name);
    }

    /// Whether it is known that there is nobody to ask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_listed && self.extensions.is_empty()
    }

    /// Everyone who answers a hook for clusters of a namespace with these labels, by their full names.
    ///
    /// # Errors
    ///
    /// When somebody may answer it of whom nothing is known. That holds up the namespaces that it selects, and no
    /// others; all of them only where its selector itself cannot be read, which admission refuses.
    pub fn matching(&self, hook: Hook, namespace: &Labels) -> Result<Vec<Handler>, LookupError> {
        if !self.is_listed {
            return Err(LookupError::NotListed);
        }
        let (mut handlers, mut unknown) = (Vec::new(), Vec::new());
        for (name, extension) in &self.extensions {
            match extension.answers(namespace) {
                Ok(Some(registered)) => {
                    let answering = registered.iter().filter(|registered| registered.hook == hook);
                    handlers.extend(answering.map(|registered| extension.handler(registered)));
                }
                Ok(None) => {}
                Err(reason) => unknown.push(Trouble { extension: name.clone(), reason }),
            }
        }
        if !unknown.is_empty() {
            return Err(LookupError::Undiscovered { extensions: unknown });
        }
        handlers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(handlers)
    }

    /// The one handler of that full name.
    ///
    /// # Errors
    ///
    /// When it is not there, or not for this hook or namespace.
    pub fn named(&self, name: &str, hook: Hook, namespace: &Labels) -> Result<Handler, LookupError> {
        if !self.is_listed {
            return Err(LookupError::NotListed);
        }
        let absent = || LookupError::NoSuchHandler { name: name.to_owned() };
        let (_, config) = name.split_once('.').ok_or_else(absent)?;
        let extension = self.extensions.get(config).ok_or_else(absent)?;
        let registered = match extension.answers(namespace) {
            Ok(Some(registered)) => registered,
            Ok(None) => return Err(LookupError::OtherNamespace { name: name.to_owned() }),
            Err(reason) => {
                let unknown = Trouble { extension: config.to_owned(), reason };
                return Err(LookupError::Undiscovered { extensions: vec![unknown] });
            }
        };
        let is_named = |registered: &&Registered| registered.full_name(config) == name;
        match registered.iter().find(is_named) {
            Some(registered) if registered.hook == hook => Ok(extension.handler(registered)),
            Some(registered) => Err(LookupError::OtherHook { name: name.to_owned(), answers: registered.hook }),
            None => Err(absent()),
        }
    }

    /// What is wrong, by the names of the extensions: those that were never discovered, and those whose last discovery
    /// failed.
    pub fn troubles(&self) -> impl Iterator<Item = Trouble> {
        self.extensions.iter().filter_map(|(name, extension)| {
            extension.trouble.clone().map(|reason| Trouble { extension: name.clone(), reason })
        })
    }
}

impl Extension {
    /// What it answers for that namespace: `None` when it is not asked there, else its handlers, or why they are not
    /// known.
    fn answers(&self, namespace: &Labels) -> Result<Option<&[Registered]>, String> {
        if let Some(selector) = &self.config.spec.namespace_selector {
            selector.check().map_err(|bad| format!("its namespaceSelector cannot be used: {bad}"))?;
            if !selector.matches(namespace) {
                return Ok(None);
            }
        }
        match &self.handlers {
            Some(handlers) => Ok(Some(handlers)),
            None => Err(self.trouble.clone().unwrap_or_default()),
        }
    }

    fn handler(&self, registered: &Registered) -> Handler {
        Handler {
            name: registered.full_name(&self.config.metadata.name),
            registered: registered.clone(),
            config: Arc::clone(&self.config),
            trouble: self.trouble.clone(),
        }
    }
}

impl Fingerprint {
    /// That of the handlers, in their order.
    #[must_use]
    pub fn of(handlers: &[Handler]) -> Self {
        let state = |handler: &Handler| {
            let metadata = &handler.config.metadata;
            (handler.name.clone(), metadata.uid.clone(), metadata.generation.unwrap_or_default())
        };
        Self(handlers.iter().map(state).collect())
    }
}

/// The handlers that somebody discovered before us. None at all counts only from an extension that says itself that it
/// has none.
fn handlers_in_status(config: &ExtensionConfig) -> Option<Vec<Registered>> {
    let suffix = format!(".{}", config.metadata.name);
    let read = |handler: &ExtensionHandler| {
        let hook = Hook::find(&handler.request_hook.api_version, &handler.request_hook.hook)?;
        let mut read = hooks::Handler::new(handler.name.strip_suffix(&suffix)?, hook);
        let seconds = handler.timeout_seconds.map(|seconds| seconds.min(MAX_TIMEOUT_SECONDS.into()));
        read.timeout_seconds = seconds.and_then(|seconds| i32::try_from(seconds).ok());
        read.failure_policy = Some(handler.failure_policy.clone()).filter(|policy| !policy.is_empty());
        Some(read)
    };
    let handlers: Option<Vec<hooks::Handler>> = config.status.handlers.iter().map(read).collect();
    let registered = DiscoveryResponse::new(handlers?).registered().ok()?;
    let is_discovered =
        config.status.condition("Discovered").is_some_and(|condition| condition.status == ConditionStatus::True);
    (is_discovered || !registered.is_empty()).then_some(registered)
}

impl Handler {
    /// What a call that fails means.
    #[must_use]
    pub fn failure_policy(&self) -> FailurePolicy {
        self.registered.failure_policy
    }
}

/// The first few of them: the sentence ends up in a condition.
fn listed(extensions: &[Trouble]) -> String {
    const TOLD: usize = 3;
    let told = extensions.iter().take(TOLD).map(|Trouble { extension, reason }| format!("{extension}: {reason}"));
    let mut told: Vec<String> = told.collect();
    match extensions.len().saturating_sub(TOLD) {
        0 => {}
        more => told.push(format!("and {more} more")),
    }
    told.join("; ")
}
