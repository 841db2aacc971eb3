//! A look at a cluster that a management cluster keeps: its nodes and budgets, the pods of nodes that drain, and of the
//! guest of a hosted control plane its ClusterVersion and ClusterOperators.
//!
//! Many such clusters are asked from one place, and none of them is trusted: answers and lists have an end, whatever the
//! cluster says.

use std::collections::BTreeSet;

use futures::{StreamExt, stream};
use headway_api::gap::{Gap, GapKind};
use headway_api::report::Form;
use headway_core::preview::Workload;

use super::super::Limits;
use super::super::inventory::{self, Collected};
use super::super::recognize::Kind;
use super::access::Cluster;
use super::fault::{self, Fault, LiveError};
use super::pages::{self, Page};
use super::resource::Listing;

/// Objects in a page. A node weighs 20 KB with the names of its images, so that a page is some megabytes at most.
const PAGE: u32 = 100;

/// A page that is larger, in bytes, is not read.
const PAGE_SIZE: u64 = 16 << 20;

/// Pages of a list: more objects than that no cluster has that is kept.
const PAGES: usize = 60;

/// Of so many nodes at most the pods are asked for, those whose drains were asked about first.
const NODES: usize = 32;

/// How many nodes' pods are asked for at a time.
const AT_A_TIME: usize = 4;

/// Looks once. `drains` are nodes whose pods are wanted, beside those of nodes that are cordoned.
///
/// # Guarantees
/// Reads only, and no more than some megabytes at a time. What may not be read is a gap.
///
/// # Errors
/// A cluster that cannot be reached, does not answer in time or as an API server does, or does not know who asks.
pub async fn workload(cluster: &Cluster, form: Form, drains: &BTreeSet<String>) -> Result<Workload, LiveError> {
    let limits = Limits { max_file_size: PAGE_SIZE, ..Limits::default() };
    let mut look = Look { cluster, limits, collected: Collected::new(limits), gaps: Vec::new() };
    let kinds: &[Kind] = match form {
        Form::Hosted => &[Kind::Node, Kind::PodDisruptionBudget, Kind::ClusterVersion, Kind::ClusterOperator],
        Form::ClusterApi | Form::Standalone | Form::Unknown => &[Kind::Node, Kind::PodDisruptionBudget],
    };
    for kind in kinds {
        if let Err(fault) = look.list(&Listing::newest(*kind)).await {
            look.note(*kind, fault)?;
        }
    }
    look.pods(drains).await?;
    Ok(look.whole())
}

/// A look on its way.
struct Look<'a> {
    cluster: &'a Cluster,
    limits: Limits,
    collected: Collected,
    gaps: Vec<Gap>,
}

impl Look<'_> {
    /// Takes in all objects of a list.
    async fn list(&mut self, listing: &Listing) -> Result<(), Fault> {
        for found in list(self.cluster, listing, &self.limits).await? {
            self.collected.add(found);
        }
        Ok(())
    }

    /// The pods of nodes that drain. Those of some are better than those of none.
    async fn pods(&mut self, drains: &BTreeSet<String>) -> Result<(), LiveError> {
        let cordoned = self.collected.cordoned();
        let mut nodes: Vec<&String> = drains.iter().chain(cordoned.difference(drains)).collect();
        if nodes.len() > NODES {
            let message = format!("of {} nodes that drain or are cordoned, the pods of {NODES} were read", nodes.len());
            self.gaps.push(Gap::of_input(GapKind::Optional, message));
            nodes.truncate(NODES);
        }
        let (cluster, limits) = (self.cluster, self.limits);
        let ask = |node: &String| {
            let listing = Listing::of_pods_on(node);
            async move { list(cluster, &listing, &limits).await }
        };
        let answers: Vec<_> = stream::iter(nodes).map(ask).buffered(AT_A_TIME).collect().await;
        for answer in answers {
            match answer {
                Ok(pages) => pages.into_iter().for_each(|page| self.collected.add(page)),
                // What is refused for one is refused for all.
                Err(fault) => return self.note(Kind::Pod, fault),
            }
        }
        Ok(())
    }

    /// Takes note of a list that was not answered.
    fn note(&mut self, kind: Kind, fault: Fault) -> Result<(), LiveError> {
        let is_its_own = match &fault {
            Fault::Forbidden(_) | Fault::Gone(_) | Fault::Status { .. } | Fault::Unreadable(_) => true,
            // Kinds of OpenShift may not be there; who serves no nodes is no API server of a cluster.
            Fault::NotFound(_) => kind != Kind::Node,
            Fault::Unauthorized | Fault::TimedOut(_) | Fault::Refused | Fault::Unreachable(_) => false,
        };
        if !is_its_own {
            return Err(fault.of_cluster(self.cluster));
        }
        self.gaps
            .push(Gap::of_input(GapKind::Optional, format!("of its own API: {}", fault::told(kind, "list", &fault))));
        Ok(())
    }

    fn whole(self) -> Workload {
        let Self { collected, gaps, .. } = self;
        let mut inventory = collected.whole();
        let mut workload = inventory.workloads.remove(&(String::new(), String::new())).unwrap_or_default();
        workload.gaps.extend(inventory.gaps);
        workload.gaps.extend(gaps);
        workload
    }
}

/// Reads a list to its end, or until there is no end.
async fn list(cluster: &Cluster, listing: &Listing, limits: &Limits) -> Result<Vec<inventory::Found>, Fault> {
    let place = listing.place();
    let mut all = Vec::new();
    let mut token = None;
    for _ in 0..PAGES {
        let read = |text: &[u8]| inventory::parse(&place, text, limits);
        let request = listing.page(Some(PAGE), token.as_deref());
        let Page { found, next, version: _ } = pages::one(cluster, request, read, limits).await?;
        all.push(found);
        match next {
            Some(next) => token = Some(next),
            None => return Ok(all),
        }
    }
    Err(Fault::Unreadable(format!("there are more than {PAGES} pages")))
}
