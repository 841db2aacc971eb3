//! Following the ClusterUpgrades: what is asked for, as it comes and goes.

use std::pin::pin;

use futures::TryStreamExt;
use headway_api::quoted::with_causes;
use headway_api::upgrade::ClusterUpgrade;
use kube::runtime::watcher::{self, Event};
use kube::runtime::{WatchStreamExt, watcher as watch_all};
use kube::{Api, Client};
use tokio::sync::mpsc;
use tracing::warn;

use super::{Name, name_of};

/// A change of what is asked for.
#[derive(Debug, Clone)]
pub(crate) enum Request {
    /// All that there is.
    Listed(Vec<ClusterUpgrade>),
    /// One that is new or has changed.
    Applied(Box<ClusterUpgrade>),
    /// One that is gone.
    Deleted(Name),
}

/// Tells of all ClusterUpgrades, until nobody listens.
pub(crate) async fn follow(client: Client, to: mpsc::Sender<Request>) {
    let api: Api<ClusterUpgrade> = Api::all(client);
    let mut events = pin!(watch_all(api, watcher::Config::default()).default_backoff());
    let mut listed = Vec::new();
    loop {
        let event = match events.try_next().await {
            Ok(Some(event)) => event,
            Ok(None) => return,
            Err(error) => {
                // What was read stays known; before that, nothing is.
                warn!(kind = "ClusterUpgrade", error = with_causes(&error), "cannot be watched; it is tried again");
                continue;
            }
        };
        let request = match event {
            Event::Init => {
                listed.clear();
                continue;
            }
            Event::InitApply(upgrade) => {
                listed.push(upgrade);
                continue;
            }
            Event::InitDone => Request::Listed(std::mem::take(&mut listed)),
            Event::Apply(upgrade) => Request::Applied(Box::new(upgrade)),
            Event::Delete(upgrade) => Request::Deleted(name_of(&upgrade)),
        };
        if to.send(request).await.is_err() {
            return;
        }
    }
}
