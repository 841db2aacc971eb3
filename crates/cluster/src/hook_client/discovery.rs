//! Extensions are asked what they answer, at the start and whenever they change (chained-upgrades.md, 5.2 and 5.3).

use futures::future::join_all;
use headway_api::cluster_api::{ExtensionConfig, PAUSED_ANNOTATION};
use headway_api::hooks::{DiscoveryError, DiscoveryRequest, DiscoveryResponse, Hook, Registered};
use headway_api::quoted::with_causes;
use headway_core::hook::{CallFault, Settled, Trouble};
use tokio::time::{Instant, sleep_until};

use super::HookClient;
use super::authority::{AuthorityError, injected};
use super::caller::Call;

/// Why it is not known what an extension answers.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// It is paused, and nobody asks it.
    #[error("the extension {extension} is paused")]
    Paused {
        /// The name of its ExtensionConfig.
        extension: String,
    },
    /// The certificates that it is held against are missing.
    #[error("Discovery of {extension} failed")]
    Authority {
        /// The name of its ExtensionConfig.
        extension: String,
        /// What is wrong with them.
        #[source]
        cause: AuthorityError,
    },
    /// It gave no answer that counts.
    #[error("Discovery of {extension} failed")]
    Call {
        /// The name of its ExtensionConfig.
        extension: String,
        /// What went wrong.
        #[source]
        cause: CallFault,
    },
    /// It answered something that cannot be registered.
    #[error("Discovery of {extension} failed")]
    Answer {
        /// The name of its ExtensionConfig.
        extension: String,
        /// What is wrong with it.
        #[source]
        cause: DiscoveryError,
    },
}

/// What became of a discovery.
#[derive(Debug)]
pub struct Discovered {
    /// What was found, or why nothing was.
    pub found: Result<Vec<Registered>, DiscoverError>,
    /// Whether it counts.
    pub settled: Settled,
}

impl HookClient {
    /// Asks an extension that is new or has changed, or whose time it is again, what it answers.
    ///
    /// One that cannot be discovered keeps the handlers that are known of it; while none are, the clusters that it
    /// may be asked about wait. A paused one is not asked, and what is known of it stays.
    pub async fn discover(&self, config: ExtensionConfig) -> Discovered {
        self.registry().announce(config.clone());
        let (config, found) = self.found(config).await;
        let told = match &found {
            Ok(handlers) => Ok(handlers.clone()),
            Err(error) => Err(with_causes(error)),
        };
        let settled = self.registry().settle(config, told);
        Discovered { found, settled }
    }

    /// Takes in all ExtensionConfigs and discovers each, for as long as [`Timing`](super::Timing) says. What is wrong
    /// then is told, and is no reason to stop: those who depend on it wait, and all others go on.
    pub async fn warm_up(&self, configs: Vec<ExtensionConfig>) -> Vec<Trouble> {
        self.list(configs.clone());
        let end = Instant::now() + self.timing.warm_up;
        let mut left = configs;
        loop {
            let again = Instant::now() + self.timing.again;
            let tried = join_all(left.into_iter().map(|config| async {
                let discovered = self.discover(config.clone()).await;
                match (discovered.found, discovered.settled) {
                    (Err(DiscoverError::Paused { .. }), _) | (Ok(_), _) | (Err(_), Settled::Outdated) => None,
                    (Err(_), Settled::Taken) => Some(config),
                }
            }));
            left = tried.await.into_iter().flatten().collect();
            if left.is_empty() || again >= end {
                return self.troubles();
            }
            sleep_until(again).await;
        }
    }

    async fn found(&self, config: ExtensionConfig) -> (ExtensionConfig, Result<Vec<Registered>, DiscoverError>) {
        let extension = config.metadata.name.clone();
        if config.metadata.annotations.has(PAUSED_ANNOTATION) {
            return (config, Err(DiscoverError::Paused { extension }));
        }
        let config = match injected(self.cluster.as_ref(), config).await {
            Ok(config) => config,
            Err((config, cause)) => return (config, Err(DiscoverError::Authority { extension, cause })),
        };
        let found = match self.asked(&config).await {
            Ok(response) => response.registered().map_err(|error| match error {
                DiscoveryError::Failed(failed) => DiscoverError::Call { extension, cause: failed.into() },
                cause @ DiscoveryError::Faults { .. } => DiscoverError::Answer { extension, cause },
            }),
            Err(cause) => Err(DiscoverError::Call { extension, cause }),
        };
        (config, found)
    }

    async fn asked(&self, config: &ExtensionConfig) -> Result<DiscoveryResponse, CallFault> {
        let request = DiscoveryRequest { settings: config.spec.settings.clone() };
        let hook = Hook::Discovery;
        let body = super::ask::body(&request)?;
        let call = Call { config, hook, handler: "", patience: self.timing.discovery, body };
        Ok(DiscoveryResponse::read(&self.caller.call(call).await?)?)
    }
}
