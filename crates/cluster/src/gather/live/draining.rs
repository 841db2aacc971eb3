//! What may hold up a drain: the pods on the nodes that drain, and the budgets. Of other nodes nobody asks.

use futures::{StreamExt, stream};
use headway_api::report::ClockSource;
use headway_core::assess::{self, Rules};
use headway_core::snapshot::{Moment, Snapshot};
use jiff::Timestamp;

use super::super::collect::Collection;
use super::super::recognize::Kind;
use super::access::Cluster;
use super::resource::Listing;
use super::{fault, pages, take};

/// How many nodes' pods are asked for at a time: a tenth of a large cluster may drain at once.
const AT_A_TIME: usize = 8;

/// Looks for what holds up the drains, if there are any.
pub(super) async fn look(cluster: &Cluster, all: &mut Collection, now: Timestamp) {
    let nodes = draining(all.snapshot(), now);
    if nodes.is_empty() {
        return;
    }
    let limits = all.limits();
    let listing = Listing::of(Kind::PodDisruptionBudget, "v1");
    let budgets = pages::list(cluster, &listing, &limits);
    let pods = stream::iter(&nodes)
        .map(|node| async { pages::list(cluster, &Listing::of_pods_on(node), &limits).await })
        .buffered(AT_A_TIME)
        .collect::<Vec<_>>();
    let (budgets, pods) = futures::join!(budgets, pods);
    match budgets {
        Ok(found) => take(all, Kind::PodDisruptionBudget, found),
        Err(refusal) => all.gap(fault::gap(Kind::PodDisruptionBudget, "list", &refusal)),
    }
    // One list that may not be read is told once, not for each node; and pods of some nodes are not all pods.
    let mut whole = Vec::new();
    for found in pods {
        match found {
            Ok(pages) => whole.extend(pages),
            Err(refusal) => return all.gap(fault::gap(Kind::Pod, "list", &refusal)),
        }
    }
    take(all, Kind::Pod, whole);
}

/// The nodes that drain, as the assessment has it.
fn draining(snapshot: &Snapshot, now: Timestamp) -> Vec<String> {
    let moment = Moment { at: now, source: ClockSource::Now };
    let report = assess::assess(&Snapshot { moment, ..snapshot.clone() }, Rules::Headway);
    report.draining().map(str::to_owned).collect()
}
