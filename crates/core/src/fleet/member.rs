//! The clusters of an inventory.

use std::collections::{BTreeMap, BTreeSet};

use headway_api::cluster_api::{CLUSTER_NAME_LABEL, Cluster, ControlPlaneRef, Metadata};
use headway_api::gap::{Gap, GapKind};
use headway_api::hypershift::{HOSTED_CLUSTER_ANNOTATION, HostedCluster, NODE_POOL};
use headway_api::meta::Labels;
use headway_api::report::{Activity, Form, Outcome, Report};

use crate::assess::cluster_api;
use crate::assess::hosted::{self, Hosts};
use crate::preview::{Belongings, Inventory, qualified};

/// The control plane of such a cluster.
const HOSTED_CONTROL_PLANE: &str = "HostedControlPlane";

/// A cluster that the management cluster keeps.
#[derive(Debug, Clone, PartialEq)]
pub enum Member<'a> {
    /// A Cluster of Cluster API.
    ClusterApi(&'a Cluster),
    /// A HostedCluster of HyperShift.
    Hosted(&'a HostedCluster),
    /// A cluster of Cluster API of which there are machines, and no Cluster was seen: as much of one as the machines
    /// tell.
    Unseen(Box<Cluster>),
}

impl Member<'_> {
    fn metadata(&self) -> &Metadata {
        match self {
            Self::ClusterApi(cluster) => &cluster.metadata,
            Self::Hosted(cluster) => &cluster.metadata,
            Self::Unseen(cluster) => &cluster.metadata,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.metadata().name
    }

    /// Its namespace; empty where a file says none.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.metadata().namespace
    }

    /// The labels of its object; absent where that was not seen.
    #[must_use]
    pub fn labels(&self) -> Option<&Labels> {
        match self {
            Self::ClusterApi(_) | Self::Hosted(_) => Some(&self.metadata().labels),
            Self::Unseen(_) => None,
        }
    }

    /// Which kind of cluster it is.
    #[must_use]
    pub fn form(&self) -> Form {
        match self {
            Self::ClusterApi(_) | Self::Unseen(_) => Form::ClusterApi,
            Self::Hosted(_) => Form::Hosted,
        }
    }

    /// The kind of its object, in lower case, as it can be asked for.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ClusterApi(_) | Self::Unseen(_) => "cluster",
            Self::Hosted(_) => "hostedcluster",
        }
    }

    /// Its name as it is told: `NAMESPACE/NAME`.
    #[must_use]
    pub fn told(&self) -> String {
        qualified(self.metadata())
    }
}

/// The clusters of an inventory, in input order, HostedClusters behind Clusters; those of which there are but machines
/// come last.
///
/// A Cluster that HyperShift made for a HostedCluster is not a cluster of its own.
#[must_use]
pub fn members(inventory: &Inventory) -> Vec<Member<'_>> {
    let own = inventory.clusters.iter().filter(|cluster| !is_of_hosted_cluster(inventory, cluster));
    let hosted = inventory.hosted_clusters.iter().map(Member::Hosted);
    own.map(Member::ClusterApi).chain(hosted).chain(unseen(inventory)).collect()
}

fn is_of_hosted_cluster(inventory: &Inventory, cluster: &Cluster) -> bool {
    is_marked_as_hosted(cluster) || inventory.is_of_hosted_cluster(&cluster.metadata)
}

/// Whether a Cluster says itself that HyperShift made it.
pub(super) fn is_marked_as_hosted(cluster: &Cluster) -> bool {
    let reference = cluster.spec.control_plane_ref.as_ref();
    cluster.metadata.annotations.has(HOSTED_CLUSTER_ANNOTATION)
        || reference.is_some_and(|reference| reference.kind == HOSTED_CONTROL_PLANE)
}

/// Clusters that HyperShift made for HostedClusters that were not seen: something is kept of which nothing is told.
pub(super) fn without_hosted_cluster(inventory: &Inventory) -> impl Iterator<Item = Gap> {
    let is_lost = |cluster: &&Cluster| {
        is_of_hosted_cluster(inventory, cluster) && !inventory.is_of_hosted_cluster(&cluster.metadata)
    };
    inventory.clusters.iter().filter(is_lost).map(|cluster| {
        let named = cluster.metadata.annotations.get(HOSTED_CLUSTER_ANNOTATION).filter(|name| !name.is_empty());
        let of = named.map(|name| format!(" {name}")).unwrap_or_default();
        let message = format!("it belongs to HostedCluster{of}, which was not seen, so that nothing is told of it");
        let object = format!("Cluster/{}", qualified(&cluster.metadata));
        Gap { object, ..Gap::of_input(GapKind::Missing, message) }
    })
}

/// Clusters that control planes, groups of workers or machines name, and of which there is no Cluster.
fn unseen(inventory: &Inventory) -> Vec<Member<'_>> {
    let seen =
        inventory.clusters.iter().map(|it| (it.metadata.namespace.as_str(), it.metadata.name.as_str())).collect();
    let mut named = Named { inventory, seen, clusters: BTreeMap::new() };
    for object in &inventory.control_planes {
        if let Some(cluster) = named.cluster(&object.metadata, "") {
            let mut reference = ControlPlaneRef::default();
            reference.kind.clone_from(&object.kind);
            reference.name.clone_from(&object.metadata.name);
            cluster.spec.control_plane_ref = Some(reference);
        }
    }
    for object in inventory.machine_deployments.iter().chain(&inventory.machine_pools) {
        named.cluster(&object.metadata, &object.spec.cluster_name);
    }
    for object in &inventory.machines {
        named.cluster(&object.metadata, &object.spec.cluster_name);
    }
    named.clusters.into_values().map(|cluster| Member::Unseen(Box::new(cluster))).collect()
}

/// Clusters by namespace and name.
struct Named<'a> {
    inventory: &'a Inventory,
    /// Those that were seen.
    seen: BTreeSet<(&'a str, &'a str)>,
    /// Those that were only named.
    clusters: BTreeMap<(&'a str, &'a str), Cluster>,
}

impl<'a> Named<'a> {
    /// The cluster that an object says it belongs to, in its spec or by its label, unless that was seen.
    fn cluster(&mut self, metadata: &'a Metadata, spec: &'a str) -> Option<&mut Cluster> {
        let name = if spec.is_empty() { metadata.labels.get(CLUSTER_NAME_LABEL).unwrap_or_default() } else { spec };
        let key = (metadata.namespace.as_str(), name);
        if name.is_empty() || self.seen.contains(&key) {
            return None;
        }
        let made_by_hypershift = [NODE_POOL, HOSTED_CLUSTER_ANNOTATION];
        if made_by_hypershift.iter().any(|key| metadata.annotations.has(key))
            || self.inventory.is_of_hosted_cluster(metadata)
        {
            return None;
        }
        let cluster = self.clusters.entry(key).or_default();
        if cluster.metadata.name.is_empty() {
            name.clone_into(&mut cluster.metadata.name);
            cluster.metadata.namespace.clone_from(&metadata.namespace);
        }
        Some(cluster)
    }
}

/// What there is to say of one member.
#[must_use]
pub fn report(inventory: &Inventory, member: &Member<'_>) -> Report {
    report_of_many(inventory, &Belongings::of(inventory), &Hosts::of(inventory), member)
}

/// The same for one of many, whose objects were looked up for all at once.
pub(super) fn report_of_many(
    inventory: &Inventory,
    belongings: &Belongings<'_>,
    hosts: &Hosts<'_>,
    member: &Member<'_>,
) -> Report {
    match member {
        Member::ClusterApi(cluster) => cluster_api::report_of_many(inventory, belongings, cluster),
        Member::Hosted(cluster) => hosted::report_of_many(inventory, hosts, cluster),
        Member::Unseen(cluster) => of_unseen(cluster_api::report_of_many(inventory, belongings, cluster), member),
    }
}

/// Nobody knows of a cluster that was not seen where it is to go, so that all its machines are at one version is no
/// proof that nothing is left to do.
fn of_unseen(mut report: Report, member: &Member<'_>) -> Report {
    let message =
        "was not seen, so that neither its target nor what it waits on is known; what is told is from its machines";
    let object = format!("Cluster/{}", member.told());
    // What an object lacks that was not seen is no news, and what it would say of the way ahead nobody knows.
    report.gaps.retain(|gap| !(gap.object == object && gap.kind.is_serious()));
    report.hints.clear();
    report.gaps.push(Gap { object, ..Gap::of_input(GapKind::Missing, message) });
    if report.activity == Activity::NotUpdating {
        report.activity = Activity::Unknown;
    }
    if matches!(report.outcome, Outcome::NotUpdating | Outcome::Updating) {
        report.outcome = Outcome::CannotTell;
    }
    report
}
