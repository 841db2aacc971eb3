//! The way to a cluster that is kept: by the kubeconfig in a Secret beside it.

use std::time::Duration;

use headway_api::quoted::with_causes;
use headway_cluster::gather::live::{BorrowedError, Cluster};
use headway_core::fleet::Kubeconfig;
use k8s_openapi::api::core::v1::Secret;
use kube::Client;
use kube::api::Api;

/// Why there is no way.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KubeconfigError {
    /// The right is missing.
    #[error("may not get Secret {0}")]
    Forbidden(String),
    /// Nobody has named the Secret yet.
    #[error("no Secret with a kubeconfig is named")]
    NotNamed,
    /// There is no such Secret.
    #[error("there is no Secret {0}")]
    NotThere(String),
    /// The management cluster does not answer.
    #[error("cannot get Secret {place}: {why}")]
    NotRead {
        /// Which.
        place: String,
        /// What the server says.
        why: String,
    },
    /// It is another kind of Secret.
    #[error("Secret {place} has no key {key}")]
    NoKey {
        /// Which.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// What is in it is not used.
    #[error("in Secret {place}")]
    NotUsed {
        /// Which.
        place: String,
        /// Why.
        #[source]
        cause: BorrowedError,
    },
}

/// Makes a client for a cluster. Nothing is asked of it yet; each request may take so long.
pub(crate) async fn connect(
    management: &Client,
    namespace: &str,
    kubeconfig: &Kubeconfig,
    timeout: Duration,
) -> Result<Cluster, KubeconfigError> {
    let Kubeconfig { secret, key } = kubeconfig;
    if secret.is_empty() {
        return Err(KubeconfigError::NotNamed);
    }
    let place = format!("{namespace}/{secret}");
    let secrets: Api<Secret> = Api::namespaced(management.clone(), namespace);
    let found = match secrets.get(secret).await {
        Ok(found) => found,
        Err(kube::Error::Api(status)) if status.code == 403 => return Err(KubeconfigError::Forbidden(place)),
        Err(kube::Error::Api(status)) if status.code == 404 => return Err(KubeconfigError::NotThere(place)),
        Err(kube::Error::Api(status)) => return Err(KubeconfigError::NotRead { place, why: status.message }),
        Err(error) => return Err(KubeconfigError::NotRead { place, why: with_causes(&error) }),
    };
    let Some(text) = found.data.and_then(|mut data| data.remove(*key)) else {
        return Err(KubeconfigError::NoKey { place, key });
    };
    Cluster::of_kubeconfig(&text.0, timeout).await.map_err(|cause| KubeconfigError::NotUsed { place, cause })
}
