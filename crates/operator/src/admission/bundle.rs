//! Telling the API server whom to trust: the `caBundle` of our webhook configurations.

use std::time::Duration;

use anyhow::Context;
use k8s_openapi::ByteString;
use k8s_openapi::api::admissionregistration::v1::{MutatingWebhookConfiguration, ValidatingWebhookConfiguration};
use kube::api::{Api, Patch, PatchParams};
use kube::core::ClusterResourceScope;
use kube::{Client, Resource};
use serde::de::DeserializeOwned;
use serde_json::json;
use tracing::{info, warn};

use crate::identity::Identity;

const MANAGER: &str = "headway-admission";

/// How often it is looked at. Whoever applies the configurations anew may take the bundle away with it.
const EVERY: Duration = Duration::from_secs(30);

/// How soon it is tried again while it could not be put there.
const AGAIN: Duration = Duration::from_secs(2);

/// Puts what we are trusted by into the configurations of a name, until it is dropped.
pub(super) async fn keep(client: Client, name: String, identity: Identity) {
    let mut told_before = String::new();
    loop {
        let done = match identity.authority().await {
            Ok(authority) => put(&client, &name, &authority).await,
            Err(error) => Err(error),
        };
        let pause = match done {
            Ok(()) => {
                told_before.clear();
                EVERY
            }
            Err(error) => {
                let told = format!("{error:#}");
                if told != told_before {
                    warn!(
                        configuration = name,
                        error = told,
                        "the API server is not told whom to trust; it is tried again"
                    );
                    told_before = told;
                }
                AGAIN
            }
        };
        tokio::time::sleep(pause).await;
    }
}

async fn put(client: &Client, name: &str, authority: &[u8]) -> anyhow::Result<()> {
    let validating = put_one::<ValidatingWebhookConfiguration>(client, name, authority).await?;
    let mutating = put_one::<MutatingWebhookConfiguration>(client, name, authority).await?;
    // Beside Cluster API there is no mutating one.
    anyhow::ensure!(validating || mutating, "there is no webhook configuration {name}");
    Ok(())
}

/// What the two kinds have in common.
trait Configuration:
    Resource<DynamicType = (), Scope = ClusterResourceScope> + Clone + DeserializeOwned + std::fmt::Debug
{
    /// The webhooks' names, each with the bundle that it has.
    fn bundles(&self) -> Vec<(&str, Option<&ByteString>)>;
}

impl Configuration for ValidatingWebhookConfiguration {
    fn bundles(&self) -> Vec<(&str, Option<&ByteString>)> {
        let webhooks = self.webhooks.iter().flatten();
        webhooks.map(|webhook| (webhook.name.as_str(), webhook.client_config.ca_bundle.as_ref())).collect()
    }
}

impl Configuration for MutatingWebhookConfiguration {
    fn bundles(&self) -> Vec<(&str, Option<&ByteString>)> {
        let webhooks = self.webhooks.iter().flatten();
        webhooks.map(|webhook| (webhook.name.as_str(), webhook.client_config.ca_bundle.as_ref())).collect()
    }
}

/// Whether there is such a configuration.
async fn put_one<K: Configuration>(client: &Client, name: &str, authority: &[u8]) -> anyhow::Result<bool> {
    let api: Api<K> = Api::all(client.clone());
    let kind = K::kind(&());
    let found = api.get_opt(name).await.with_context(|| format!("cannot read {kind}/{name}"))?;
    let Some(found) = found else { return Ok(false) };
    let bundles = found.bundles();
    if bundles.iter().all(|(_, bundle)| bundle.is_some_and(|bundle| bundle.0 == authority)) {
        return Ok(true);
    }
    let bundle = ByteString(authority.to_vec());
    let webhooks: Vec<_> =
        bundles.iter().map(|(name, _)| json!({"name": name, "clientConfig": {"caBundle": bundle}})).collect();
    let patch = json!({
        "apiVersion": K::api_version(&()), "kind": kind, "metadata": {"name": name}, "webhooks": webhooks,
    });
    let params = PatchParams::apply(MANAGER).force();
    api.patch(name, &params, &Patch::Apply(&patch)).await.with_context(|| format!("cannot write {kind}/{name}"))?;
    info!(kind = kind.as_ref(), name, "the API server was told whom to trust");
    Ok(true)
}
