//! Certificates that an ExtensionConfig takes out of a Secret (chained-upgrades.md, 5.1).
//!
//! They are put into the copy that is used here. Cluster API writes them into the object itself; we write nothing.

use headway_api::cluster_api::{ExtensionConfig, INJECT_CA_ANNOTATION};
use headway_api::quoted::Quoted;
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, Client};

/// The key of the Secret.
const KEY: &str = "ca.crt";

/// Why there are no certificates.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    /// The annotation does not name a Secret.
    #[error("the annotation {INJECT_CA_ANNOTATION} is {}, not NAMESPACE/NAME", Quoted(value))]
    Annotation {
        /// What it says.
        value: String,
    },
    /// There is no cluster that could be asked.
    #[error("the Secret {namespace}/{name} cannot be read without a cluster")]
    NoCluster {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// It is not there, or may not be read.
    #[error("cannot read the Secret {namespace}/{name}")]
    Secret {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
        /// What the API server says.
        #[source]
        cause: Box<kube::Error>,
    },
    /// It is there and has no certificates.
    #[error("the Secret {namespace}/{name} has no {KEY}")]
    NoCertificates {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
}

/// The ExtensionConfig with the certificates of its Secret; as it is where it names none.
pub(super) async fn injected(
    cluster: Option<&Client>,
    mut config: ExtensionConfig,
) -> Result<ExtensionConfig, (ExtensionConfig, AuthorityError)> {
    let Some(value) = config.metadata.annotations.get(INJECT_CA_ANNOTATION).map(str::to_owned) else {
        return Ok(config);
    };
    match certificates(cluster, value).await {
        Ok(ca_bundle) => {
            config.spec.client_config.ca_bundle = ca_bundle;
            Ok(config)
        }
        Err(error) => Err((config, error)),
    }
}

async fn certificates(cluster: Option<&Client>, value: String) -> Result<String, AuthorityError> {
    let named = value
        .split_once('/')
        .filter(|(namespace, name)| !namespace.is_empty() && !name.is_empty() && !name.contains('/'));
    let Some((namespace, name)) = named else { return Err(AuthorityError::Annotation { value }) };
    let (namespace, name) = (namespace.to_owned(), name.to_owned());
    let Some(client) = cluster else { return Err(AuthorityError::NoCluster { namespace, name }) };
    let secret = match Api::<Secret>::namespaced(client.clone(), &namespace).get(&name).await {
        Ok(secret) => secret,
        Err(cause) => return Err(AuthorityError::Secret { namespace, name, cause: Box::new(cause) }),
    };
    let found = secret.data.and_then(|mut data| data.remove(KEY)).filter(|pem| !pem.0.is_empty());
    // As the ExtensionConfig itself would have them.
    match found.and_then(|pem| serde_json::to_value(pem).ok()) {
        Some(serde_json::Value::String(text)) => Ok(text),
        Some(_) | None => Err(AuthorityError::NoCertificates { namespace, name }),
    }
}
