//! One terminal at a time: a Lease beside the ClusterUpgrade.

use std::time::Duration;

use headway_api::quoted::Escaped;
use k8s_openapi::api::coordination::v1::Lease;
use kube::api::Api;
use kube_lease_manager::{LeaseManager, LeaseManagerBuilder, LeaseManagerError};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::Place;
use crate::gather::live::Cluster;

/// A terminal that is gone without giving it back keeps others waiting for so long.
const SECONDS: u64 = 15;

/// It is renewed so long before its end, so that one lost answer loses nothing.
const GRACE: u64 = 5;

/// So long it is waited for: a little more than what a terminal that died leaves of it.
const PATIENCE: Duration = Duration::from_secs(SECONDS + 5);

/// The Lease, held until it is given back.
#[derive(Debug)]
pub struct Hold {
    holds: watch::Receiver<bool>,
    renewing: JoinHandle<Result<LeaseManager, LeaseManagerError>>,
}

/// Why it is not held.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Another terminal holds it.
    #[error("{holder} walks ClusterUpgrade {name} from another terminal; it holds the Lease {lease}")]
    Held {
        /// Who.
        holder: String,
        /// The namespace and name of the ClusterUpgrade.
        name: String,
        /// The name of the Lease.
        lease: String,
    },
    /// The server said no.
    #[error("cannot take the Lease {lease} in the namespace {namespace}, which keeps two terminals apart")]
    Lease {
        /// Its name.
        lease: String,
        /// Its namespace.
        namespace: String,
        /// Why.
        #[source]
        cause: LeaseManagerError,
    },
}

/// Takes the Lease.
///
/// # Guarantees
/// It is renewed by a task of its own until it is given back or whoever holds it ends.
///
/// # Errors
/// Somebody else holds it, and goes on to.
pub async fn hold(cluster: &Cluster, place: Place<'_>, identity: &str) -> Result<Hold, HoldError> {
    let lease = format!("headway-drive-{}", place.name);
    let namespace = place.namespace.to_owned();
    let built = LeaseManagerBuilder::new(cluster.client().clone(), &lease)
        .with_namespace(place.namespace)
        .with_identity(identity)
        .with_field_manager(super::FIELD_MANAGER)
        .with_duration(SECONDS)
        .with_grace(GRACE)
        .build()
        .await;
    let manager = match built {
        Ok(manager) => manager,
        Err(cause) => return Err(HoldError::Lease { lease, namespace, cause }),
    };
    match timeout(PATIENCE, manager.changed()).await {
        Ok(Ok(true)) => {}
        Ok(Err(cause)) => return Err(HoldError::Lease { lease, namespace, cause }),
        Ok(Ok(false)) | Err(_) => {
            let api: Api<Lease> = Api::namespaced(cluster.client().clone(), place.namespace);
            let holder = api.get(&lease).await.ok().and_then(|lease| lease.spec).and_then(|spec| spec.holder_identity);
            let holder = Escaped(holder.as_deref().unwrap_or("somebody")).to_string();
            return Err(HoldError::Held { holder, name: place.told(), lease });
        }
    }
    let (holds, renewing) = manager.watch().await;
    Ok(Hold { holds, renewing })
}

impl Hold {
    /// Whether it is still held.
    #[must_use]
    pub fn is_held(&self) -> bool {
        *self.holds.borrow()
    }

    /// Gives it back. Whether that was heard does not matter: it ends by itself.
    pub async fn give_back(self) {
        let Self { holds, renewing } = self;
        drop(holds);
        // The task gives it back when nobody listens any more.
        drop(timeout(Duration::from_secs(5), renewing).await);
    }
}
