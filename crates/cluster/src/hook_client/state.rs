//! What of the management cluster decides who is asked: its ExtensionConfigs, and the labels of its namespaces.
//!
//! Looked at once. Whoever watches hands in what it sees instead.

use headway_api::cluster_api::{ExtensionConfig, RUNTIME_GROUP};
use headway_api::meta::Labels;
use k8s_openapi::api::core::v1::Namespace;
use kube::core::{ApiResource, DynamicObject, GroupVersionKind};
use kube::{Api, Client};

/// Newest first.
const VERSIONS: [&str; 2] = ["v1beta2", "v1alpha1"];

/// Why the state is not known.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The ExtensionConfigs cannot be listed.
    #[error("cannot list ExtensionConfigs")]
    Extensions {
        /// What the API server says.
        #[source]
        cause: Box<kube::Error>,
    },
    /// An ExtensionConfig cannot be read.
    #[error("cannot read the ExtensionConfig {name}")]
    Extension {
        /// Which.
        name: String,
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
    /// A namespace cannot be read.
    #[error("cannot read the namespace {name}")]
    Namespace {
        /// Which.
        name: String,
        /// What the API server says.
        #[source]
        cause: Box<kube::Error>,
    },
}

/// All ExtensionConfigs. A cluster that does not know the kind has none.
///
/// # Errors
///
/// When they cannot be read. Then it is not known who is to be asked, and what is registered stays.
pub async fn extension_configs(client: &Client) -> Result<Vec<ExtensionConfig>, StateError> {
    for version in VERSIONS {
        let api: Api<DynamicObject> = Api::all_with(client.clone(), &resource(version));
        let list = match api.list(&kube::api::ListParams::default()).await {
            Ok(list) => list,
            Err(kube::Error::Api(status)) if status.code == 404 => continue,
            Err(cause) => return Err(StateError::Extensions { cause: Box::new(cause) }),
        };
        return list.items.into_iter().map(read).collect();
    }
    Ok(Vec::new())
}

fn read(object: DynamicObject) -> Result<ExtensionConfig, StateError> {
    let name = object.metadata.name.clone().unwrap_or_default();
    let value = serde_json::to_value(object);
    value.and_then(serde_json::from_value).map_err(|cause| StateError::Extension { name, cause })
}

/// The labels of a namespace.
///
/// # Errors
///
/// When it cannot be read.
pub async fn namespace_labels(client: &Client, name: &str) -> Result<Labels, StateError> {
    let namespace = Api::<Namespace>::all(client.clone()).get(name).await;
    let namespace =
        namespace.map_err(|cause| StateError::Namespace { name: name.to_owned(), cause: Box::new(cause) })?;
    Ok(namespace.metadata.labels.unwrap_or_default().into_iter().collect())
}

/// The kind, in one of its versions.
pub(super) fn resource(version: &str) -> ApiResource {
    let kind = GroupVersionKind::gvk(RUNTIME_GROUP, version, "ExtensionConfig");
    ApiResource::from_gvk_with_plural(&kind, "extensionconfigs")
}
