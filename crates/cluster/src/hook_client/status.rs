//! The status of an ExtensionConfig, written by whoever drives topologies in Cluster API's place.

use headway_api::cluster_api::ExtensionConfig;
use headway_api::quoted::with_causes;
use headway_core::hook::discovered_status;
use jiff::Timestamp;
use kube::api::{Patch, PatchParams};
use kube::core::DynamicObject;
use kube::{Api, Client};
use serde_json::json;

use super::discovery::Discovered;
use super::state::resource;

/// Who writes (design, section 8).
const MANAGER: &str = "headway-drive";

/// The version in which the status is as it is written here.
const VERSION: &str = "v1beta2";

/// Why the status is not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the status of the ExtensionConfig {extension}")]
pub struct StatusError {
    /// Which.
    pub extension: String,
    /// What the API server says; that the object is another one by now is a conflict.
    #[source]
    pub cause: Box<kube::Error>,
}

/// Writes what a discovery found into the status of `config`. Never to be called beside Cluster API, which does it.
///
/// # Guarantees
///
/// Named fields under our own field manager, and only of the object with the uid of `config`: of another one of the
/// same name, nothing is changed.
///
/// # Errors
///
/// When the API server does not take it.
pub async fn write_status(
    client: &Client,
    config: &ExtensionConfig,
    discovered: &Discovered,
    now: Timestamp,
) -> Result<(), StatusError> {
    let found = match &discovered.found {
        Ok(handlers) => Ok(handlers.clone()),
        Err(error) => Err(with_causes(error)),
    };
    let name = &config.metadata.name;
    let kind = resource(VERSION);
    let applied = json!({
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {"name": name, "uid": config.metadata.uid},
        "status": discovered_status(config, &found, now),
    });
    let api: Api<DynamicObject> = Api::all_with(client.clone(), &kind);
    let written = api.patch_status(name, &PatchParams::apply(MANAGER).force(), &Patch::Apply(&applied)).await;
    written.map(drop).map_err(|cause| StatusError { extension: name.clone(), cause: Box::new(cause) })
}
