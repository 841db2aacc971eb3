//! Keeping up to date what the extension answers from: ClusterClasses, catalogues, and the usual catalogue.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;

use anyhow::Context;
use futures::TryStreamExt;
use headway_api::cluster_api::GROUP;
use headway_api::quoted::with_causes;
use headway_core::extension::{self, Class, Known};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, ApiResource, NotUsed, Object};
use kube::core::GroupVersionKind;
use kube::runtime::watcher::{self, Event};
use kube::runtime::{WatchStreamExt, watcher as watch_all};
use kube::{Client, Resource};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tracing::{info, warn};

use crate::args::Args;
use crate::identity::FILES;

/// The label of a ConfigMap that is a catalogue; what it says does not matter.
const CATALOGUE: &str = "headway.dev/version-catalogue";

/// Its key.
const VERSIONS: &str = "versions";

/// What matters of the spec of a ClusterClass.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClassSpec {
    kubernetes_versions: Option<Vec<String>>,
}

type ClusterClass = Object<ClassSpec, NotUsed>;

/// Begins to learn. What is not read yet is not known.
///
/// # Errors
///
/// The usual catalogue is named and cannot be read.
pub(super) fn keep(args: &Args, client: &Client, learned: watch::Sender<Arc<Known>>) -> anyhow::Result<JoinSet<()>> {
    let mut working = JoinSet::new();
    let learned = Arc::new(learned);
    if let Some(file) = &args.version_catalogue {
        let usual = read(file)?;
        learned.send_modify(|known| Arc::make_mut(known).usual = Some(usual));
        working.spawn(follow(file.clone(), learned.clone()));
    }

    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk(GROUP, "v1beta2", "ClusterClass"));
    let classes: Api<ClusterClass> = Api::all_with(client.clone(), &kind);
    let learn = {
        let learned = learned.clone();
        move |classes: &BTreeMap<Key, Class>| {
            learned.send_modify(|known| Arc::make_mut(known).classes = Some(classes.clone()));
        }
    };
    let class = |class: ClusterClass| Class { versions: class.spec.kubernetes_versions.unwrap_or_default() };
    working.spawn(learn_all("ClusterClass", classes, watcher::Config::default(), class, learn));

    let catalogues: Api<ConfigMap> = Api::namespaced(client.clone(), &args.namespace);
    let learn = move |catalogues: &BTreeMap<Key, Vec<String>>| {
        let by_name = catalogues.iter().map(|((_, name), versions)| (name.clone(), versions.clone())).collect();
        learned.send_modify(|known| Arc::make_mut(known).catalogues = Some(by_name));
    };
    let versions = |map: ConfigMap| {
        map.data.and_then(|data| data.get(VERSIONS).map(|text| extension::split(text))).unwrap_or_default()
    };
    let labelled = watcher::Config::default().labels(CATALOGUE);
    working.spawn(learn_all("ConfigMap", catalogues, labelled, versions, learn));
    Ok(working)
}

/// Namespace and name.
type Key = (String, String);

/// Watches a kind for ever and tells all that there is of it, when it has been read and whenever it changes.
async fn learn_all<K, V>(
    kind: &'static str,
    api: Api<K>,
    config: watcher::Config,
    value: impl Fn(K) -> V,
    learn: impl Fn(&BTreeMap<Key, V>),
) where
    K: Resource + Clone + DeserializeOwned + std::fmt::Debug + Send + 'static,
{
    let (mut all, mut new) = (BTreeMap::new(), BTreeMap::new());
    let mut events = pin!(watch_all(api, config).default_backoff());
    loop {
        let event = match events.try_next().await {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(error) => {
                // What was read stays known; before that, nothing is.
                warn!(kind, error = with_causes(&error), "cannot be watched; it is tried again");
                continue;
            }
        };
        match event {
            Event::Init => new.clear(),
            Event::InitApply(object) => {
                new.insert(key(&object), value(object));
            }
            Event::InitDone => {
                all = std::mem::take(&mut new);
                info!(kind, count = all.len(), "was read");
                learn(&all);
            }
            Event::Apply(object) => {
                all.insert(key(&object), value(object));
                learn(&all);
            }
            Event::Delete(object) => {
                all.remove(&key(&object));
                learn(&all);
            }
        }
    }
}

fn key(object: &impl Resource) -> Key {
    let meta = object.meta();
    (meta.namespace.clone().unwrap_or_default(), meta.name.clone().unwrap_or_default())
}

fn read(file: &Path) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read {} of --version-catalogue", file.display()))?;
    Ok(extension::split(&text))
}

/// Reads the usual catalogue again when its file changes. While it cannot be read, what it said before holds.
async fn follow(file: PathBuf, learned: Arc<watch::Sender<Arc<Known>>>) {
    loop {
        tokio::time::sleep(FILES).await;
        match read(&file) {
            Ok(usual) => {
                learned.send_if_modified(|known| {
                    let is_new = known.usual.as_ref() != Some(&usual);
                    if is_new {
                        Arc::make_mut(known).usual = Some(usual);
                        info!(file = %file.display(), "the catalogue of versions was replaced");
                    }
                    is_new
                });
            }
            Err(error) => warn!(error = format!("{error:#}"), "the catalogue of versions stays as it was"),
        }
    }
}
