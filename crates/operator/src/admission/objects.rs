//! What the judges must see, read from the API server when they ask.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use headway_api::cluster_api::CLUSTER_NAME_LABEL;
use headway_api::quoted::with_causes;
use headway_serve::admission::{Objects, Reference, Selection, Unreadable};
use kube::api::{Api, ApiResource, DynamicObject, ListParams};
use kube::{Client, discovery};
use serde_json::Value;
use tokio::sync::Mutex;

use super::workload;

/// How many objects come in a page.
const PAGE: u32 = 500;

/// How soon an API server is asked again that cannot answer just now: it says so for a moment when it is asked for the
/// first objects of a kind. Whoever waits for the judgement ends it.
const AGAIN: Duration = Duration::from_millis(200);

/// The API server.
pub(super) struct Live {
    client: Client,
    /// How kinds are served, by group and kind, as long as nothing says that it has changed.
    resources: Mutex<BTreeMap<(String, String), ApiResource>>,
}

impl Live {
    pub(super) fn new(client: Client) -> Self {
        Self { client, resources: Mutex::default() }
    }

    /// How a kind is served; asked once.
    async fn resource(&self, group: &str, kind: &str) -> Result<ApiResource, Unreadable> {
        let key = (group.to_owned(), kind.to_owned());
        if let Some(known) = self.resources.lock().await.get(&key) {
            return Ok(known.clone());
        }
        let served = discovery::group(&self.client, group).await.map_err(|error| told(&error))?;
        let Some((resource, _)) = served.recommended_kind(kind) else {
            return Err(Unreadable(format!("the API server does not serve {kind} of {group}")));
        };
        self.resources.lock().await.insert(key, resource.clone());
        Ok(resource)
    }

    async fn forget(&self, group: &str, kind: &str) {
        self.resources.lock().await.remove(&(group.to_owned(), kind.to_owned()));
    }

    fn api(&self, resource: &ApiResource, namespace: Option<&str>) -> Api<DynamicObject> {
        match namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, resource),
            None => Api::all_with(self.client.clone(), resource),
        }
    }
}

impl Objects for Live {
    async fn get(&self, reference: &Reference) -> Result<Option<Value>, Unreadable> {
        let Reference { group, kind, namespace, name } = reference;
        let resource = self.resource(group, kind).await?;
        let api = self.api(&resource, namespace.as_deref());
        match patiently(|| api.get(name)).await {
            Ok(found) => value(found).map(Some),
            // Where the kind itself is not served any more, nothing says that the object is not there.
            Err(kube::Error::Api(status)) if status.reason == "NotFound" => Ok(None),
            Err(error) => {
                self.forget(group, kind).await;
                Err(told(&error))
            }
        }
    }

    async fn list(&self, selection: &Selection) -> Result<Vec<Value>, Unreadable> {
        let Selection { group, kind, namespace, cluster } = selection;
        let resource = self.resource(group, kind).await?;
        let api = self.api(&resource, namespace.as_deref());
        let mut params = ListParams::default().limit(PAGE);
        if let Some(cluster) = cluster {
            params = params.labels(&format!("{CLUSTER_NAME_LABEL}={cluster}"));
        }
        let mut all = Vec::new();
        loop {
            let page = match patiently(|| api.list(&params)).await {
                Ok(page) => page,
                Err(error) => {
                    self.forget(group, kind).await;
                    return Err(told(&error));
                }
            };
            let next = page.metadata.continue_.filter(|next| !next.is_empty());
            // The items of a list do not say of which kind they are.
            for mut item in page.items {
                item.types.get_or_insert_with(|| kube::api::TypeMeta {
                    api_version: resource.api_version.clone(),
                    kind: resource.kind.clone(),
                });
                all.push(value(item)?);
            }
            match next {
                Some(next) => params = params.continue_token(&next),
                None => return Ok(all),
            }
        }
    }

    async fn kubelets(
        &self,
        namespace: &str,
        cluster: &str,
        nodes: &BTreeSet<String>,
    ) -> Result<BTreeMap<String, String>, Unreadable> {
        let found = workload::kubelets(&self.client, namespace, cluster, nodes).await;
        found.map_err(|error| Unreadable(format!("{error:#}")))
    }
}

fn value(object: DynamicObject) -> Result<Value, Unreadable> {
    serde_json::to_value(object).map_err(|error| Unreadable(error.to_string()))
}

/// Asks again while the API server cannot answer just now.
async fn patiently<T, F>(ask: impl Fn() -> F) -> kube::Result<T>
where
    F: Future<Output = kube::Result<T>>,
{
    loop {
        match ask().await {
            Err(kube::Error::Api(status)) if matches!(status.code, 429 | 503 | 504) => {
                tokio::time::sleep(AGAIN).await;
            }
            answered => return answered,
        }
    }
}

fn told(error: &kube::Error) -> Unreadable {
    Unreadable(match error {
        // Its own text shows the whole answer as a programmer would see it.
        kube::Error::Api(status) => format!("the API server answers {}: {}", status.code, status.message),
        other => with_causes(other),
    })
}
