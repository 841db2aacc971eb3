//! Access to a cluster: from a kubeconfig to a client, by kubectl's rules.

mod borrowed;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use kube::config::{AuthInfo, KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, Config};

pub use self::borrowed::BorrowedError;
use crate::cause::innermost;

/// Which cluster, and as whom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// A kubeconfig file; without one the usual places are looked at, and last the service account of a pod.
    pub kubeconfig: Option<PathBuf>,
    /// A context of the kubeconfig; without one its current context.
    pub context: Option<String>,
    /// A user to act as.
    pub act_as: Option<String>,
    /// Groups to act as.
    pub act_as_groups: Vec<String>,
    /// How long one request may take; without it as long as it takes.
    pub timeout: Option<Duration>,
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// There is no kubeconfig in the usual places, and this is not a pod.
    #[error("no kubeconfig was found, so there is no cluster to look at")]
    NoKubeconfig,
    /// The kubeconfig cannot be read.
    #[error("cannot read the kubeconfig {path}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        #[source]
        cause: io::Error,
    },
    /// The context that was asked for is not in the kubeconfig.
    #[error("context \"{0}\" does not exist")]
    NoSuchContext(String),
    /// Neither the kubeconfig nor the user says which context.
    #[error("the kubeconfig has no current context")]
    NoContext,
    /// Something in the kubeconfig cannot be used.
    #[error("the kubeconfig cannot be used")]
    Unusable(#[source] KubeconfigError),
    /// No client can be made of it.
    #[error("cannot connect as the kubeconfig says: {0}")]
    NoClient(String),
}

/// A cluster that can be asked.
#[derive(Clone)]
pub struct Cluster {
    client: Client,
    server: String,
    timeout: Option<Duration>,
    credentials: AuthInfo,
    roots: Vec<Vec<u8>>,
}

impl Cluster {
    /// Makes a client. Nothing is asked yet, unless a plugin of the kubeconfig gives the credentials.
    ///
    /// # Errors
    /// A kubeconfig that is not there, cannot be read, or does not have what was asked for.
    pub async fn connect(access: &Access) -> Result<Self, AccessError> {
        let Access { kubeconfig, context, act_as, act_as_groups, timeout } = access;
        let mut config = configuration(kubeconfig.clone(), context.clone()).await?;
        if act_as.is_some() {
            config.auth_info.impersonate.clone_from(act_as);
            config.auth_info.impersonate_groups = (!act_as_groups.is_empty()).then(|| act_as_groups.clone());
        }
        // The library would ask again for a quarter of an hour. Who waits in front of a screen wants to be told, and
        // who watches has a pause of his own.
        config.default_retry = false;
        Self::of_config(config, *timeout)
    }

    /// Makes a client of a kubeconfig that somebody else wrote, each request of which may take so long. Only the data in
    /// it is used.
    ///
    /// # Errors
    /// A kubeconfig that cannot be used, or that names programs or files.
    pub async fn of_kubeconfig(text: &[u8], timeout: Duration) -> Result<Self, BorrowedError> {
        let read = borrowed::read(text)?;
        let mut config = of_context(read, None).await?;
        config.connect_timeout = Some(timeout);
        config.read_timeout = Some(timeout);
        config.default_retry = false;
        Ok(Self::of_config(config, Some(timeout))?)
    }

    /// Makes a client of a configuration.
    ///
    /// # Errors
    /// Credentials that cannot be used.
    pub fn of_config(config: Config, timeout: Option<Duration>) -> Result<Self, AccessError> {
        let server = config.cluster_url.authority().map(ToString::to_string).unwrap_or_default();
        let credentials = config.auth_info.clone();
        let roots = config.root_cert.clone().unwrap_or_default();
        let client = Client::try_from(config).map_err(|error| AccessError::NoClient(innermost(&error)))?;
        Ok(Self { client, server, timeout, credentials, roots })
    }

    /// A cluster behind a client that is there already. Alerts are asked for without credentials.
    #[must_use]
    pub fn of_client(client: Client, server: impl Into<String>, timeout: Option<Duration>) -> Self {
        Self { client, server: server.into(), timeout, credentials: AuthInfo::default(), roots: Vec::new() }
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The namespace of the kubeconfig's context, or of the pod; `default` where neither says one.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// Host and port of the server.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.server
    }

    /// How long one request may take.
    pub(super) fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The same cluster, with a limit where it has none.
    pub(super) fn with_patience(&self, patience: Duration) -> Self {
        Self { timeout: self.timeout.or(Some(patience)), ..self.clone() }
    }

    /// As whom the server is asked.
    pub(super) fn credentials(&self) -> &AuthInfo {
        &self.credentials
    }

    /// The certificates that the server's own is held against.
    pub(super) fn roots(&self) -> &[Vec<u8>] {
        &self.roots
    }
}

async fn configuration(kubeconfig: Option<PathBuf>, context: Option<String>) -> Result<Config, AccessError> {
    let is_given = kubeconfig.is_some() || context.is_some();
    let read = match kubeconfig {
        Some(path) => Kubeconfig::read_from(path),
        None => Kubeconfig::read(),
    };
    let read = match read {
        Ok(read) => read,
        Err(error) if !is_given && is_absent(&error) => {
            return Config::incluster().map_err(|_| AccessError::NoKubeconfig);
        }
        Err(KubeconfigError::ReadConfig(cause, path)) => {
            return Err(AccessError::Unreadable { path: path.display().to_string(), cause });
        }
        Err(KubeconfigError::FindPath) => return Err(AccessError::NoKubeconfig),
        Err(error) => return Err(AccessError::Unusable(error)),
    };
    of_context(read, context).await
}

async fn of_context(read: Kubeconfig, context: Option<String>) -> Result<Config, AccessError> {
    let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
    Config::from_custom_kubeconfig(read, &options).await.map_err(|error| match error {
        KubeconfigError::CurrentContextNotSet => AccessError::NoContext,
        KubeconfigError::LoadContext(name) => AccessError::NoSuchContext(name),
        other => AccessError::Unusable(other),
    })
}

/// Whether the file is not there, rather than broken.
fn is_absent(error: &KubeconfigError) -> bool {
    match error {
        KubeconfigError::ReadConfig(cause, _) => cause.kind() == io::ErrorKind::NotFound,
        KubeconfigError::FindPath => true,
        _ => false,
    }
}
