//! Gathering from a running cluster: API answers in, a snapshot with its gaps out.
//!
//! Two users of the same slices: [`list`] looks once and gives what the files of a recording give, and [`watch`] keeps
//! telling what changes. What may not be read or is not served is a gap with the verb and the resource in it; only a
//! cluster of which nothing at all can be seen is an error.

mod access;
mod alerts;
mod call;
mod discovery;
mod draining;
mod fault;
mod inventory;
mod pages;
mod published;
mod request;
mod resource;
mod watch;
mod workload;

use futures::future::join_all;
use jiff::Timestamp;

pub use self::access::{Access, AccessError, BorrowedError, Cluster};
pub use self::alerts::Prometheus;
pub(crate) use self::call::{CallError, call};
use self::discovery::Served;
use self::fault::Fault;
pub use self::fault::LiveError;
pub use self::inventory::{Purpose, Scope, inventory, keeps_others};
pub use self::published::{Publication, Published, published};
use self::resource::Listing;
pub(super) use self::watch::Known;
pub use self::watch::{Clock, FleetInformers, Informers, Pace, Watching, watch, watch_fleet};
pub use self::workload::workload;
use super::collect::{Collection, Found};
use super::recognize::Kind;
use super::{Gathered, Limits};

/// What a running cluster turned out to be.
#[derive(Debug)]
pub enum Seen {
    /// A cluster of its own form, or one that serves nothing of what is looked for.
    Cluster(Box<Gathered>),
    /// A management cluster, which has no status of its own and keeps others. They have not been looked at.
    Management,
}

/// Looks at a cluster once, unless it is a management cluster.
///
/// # Guarantees
/// Those of [`list`]. An OpenShift cluster is not asked whether it keeps others too.
///
/// # Errors
/// Those of [`list`].
pub async fn look_at(
    cluster: &Cluster,
    prometheus: &Prometheus,
    limits: &Limits,
    now: Timestamp,
) -> Result<Seen, LiveError> {
    let served = discovery::discover(cluster).await?;
    if served.listing(Kind::ClusterVersion).is_none() && keeps_others(cluster, limits).await? {
        return Ok(Seen::Management);
    }
    let gathered = list_served(cluster, &served, prometheus, limits, now).await?;
    // The kind may be there without being used.
    let has_status = gathered.snapshot.cluster_version.is_some() || !gathered.snapshot.operators.is_empty();
    let is_whole = !gathered.snapshot.gaps.iter().any(|gap| gap.kind.is_serious());
    if !has_status && is_whole && keeps_others(cluster, limits).await? {
        return Ok(Seen::Management);
    }
    Ok(Seen::Cluster(Box::new(gathered)))
}

/// Looks at a cluster once.
///
/// `now` is the moment of looking; it decides which nodes drain, and so of which the pods are asked for.
///
/// # Guarantees
/// Reads only. A list is of one moment, however many pages it has. The same cluster gives the same order.
///
/// # Errors
/// A cluster that cannot be reached, does not answer in time, or does not know who asks.
pub async fn list(
    cluster: &Cluster,
    prometheus: &Prometheus,
    limits: &Limits,
    now: Timestamp,
) -> Result<Gathered, LiveError> {
    let served = discovery::discover(cluster).await?;
    list_served(cluster, &served, prometheus, limits, now).await
}

async fn list_served(
    cluster: &Cluster,
    served: &Served,
    prometheus: &Prometheus,
    limits: &Limits,
    now: Timestamp,
) -> Result<Gathered, LiveError> {
    let lists = look(cluster, served, Kind::of_cluster(), limits);
    let (all, alerts) = futures::join!(lists, alerts::ask(cluster, prometheus, limits));
    let mut all = all?;
    all.alerts(alerts.map_err(|none| none.message));
    draining::look(cluster, &mut all, now).await;
    Ok(all.whole())
}

/// Looks at the ClusterVersion alone: little, and there for everybody who may see anything of an OpenShift cluster.
///
/// # Errors
/// Those of [`list`].
pub async fn version_alone(cluster: &Cluster, limits: &Limits) -> Result<Gathered, LiveError> {
    let served = discovery::discover(cluster).await?;
    Ok(look(cluster, &served, [Kind::ClusterVersion].into_iter(), limits).await?.whole())
}

/// Lists kinds side by side, and puts them together in their order.
async fn look(
    cluster: &Cluster,
    served: &Served,
    kinds: impl Iterator<Item = Kind>,
    limits: &Limits,
) -> Result<Collection, LiveError> {
    let mut all = Collection::new(*limits);
    let kinds: Vec<(Kind, Option<Listing>)> = kinds.map(|kind| (kind, served.listing(kind))).collect();
    let lists = join_all(kinds.iter().map(|(_, listing)| async {
        match listing {
            Some(listing) => Some(pages::list(cluster, listing, limits).await),
            None => None,
        }
    }));
    let (mut reached, mut unreached) = (false, None);
    for ((kind, listing), outcome) in kinds.iter().zip(lists.await) {
        let verb = listing.as_ref().map_or("list", Listing::verb);
        reached |= match outcome {
            Some(Ok(pages)) => {
                take(&mut all, *kind, pages);
                true
            }
            Some(Err(fault)) => {
                all.gap(fault::gap(*kind, verb, &fault));
                let is_answer = !fault.is_of_connection();
                unreached = unreached.or(Some(fault).filter(Fault::is_of_connection));
                is_answer
            }
            None => {
                all.gaps(fault::not_served(*kind).into_iter().collect());
                true
            }
        };
    }
    match unreached {
        Some(fault) if !reached => Err(fault.of_cluster(cluster)),
        Some(_) | None => Ok(all),
    }
}

/// Asks whether a cluster has no status of its own and keeps others. Who wants to watch it is told at once when it
/// cannot be looked at.
///
/// # Errors
/// Those of [`list`].
pub async fn is_management(cluster: &Cluster, limits: &Limits) -> Result<bool, LiveError> {
    let served = discovery::discover(cluster).await?;
    Ok(served.listing(Kind::ClusterVersion).is_none() && keeps_others(cluster, limits).await?)
}

/// Takes in the pages of a list.
fn take(all: &mut Collection, kind: Kind, pages: Vec<Found>) {
    all.seen(kind);
    for page in pages {
        all.add(page);
    }
}
