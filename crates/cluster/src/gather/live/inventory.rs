//! Gathering for plans and fleets from a running management cluster: what
//! [`inventory::files`](super::super::inventory::files) finds in a recording, asked of the API server.
//!
//! Of one namespace, because a cluster's objects are in one, or of all; of classes and extensions everywhere, because
//! they need not be there. The control plane of a hosted cluster has a namespace of its own. PodDisruptionBudgets are
//! those of the workload cluster, which is not asked: they count as not seen.

mod hosted;

use std::collections::BTreeMap;

use futures::future::join_all;
use headway_api::cluster_api::{CLUSTER_NAME_LABEL, CONTROL_PLANE_GROUP, GROUP, RUNTIME_GROUP};
use headway_api::gap::{Gap, GapKind};
use headway_api::hypershift;
use headway_core::preview::Inventory;
use kube::core::params::ListParams;
use kube::core::request::{Error, Request};
use serde::Deserialize;

use super::super::Limits;
use super::super::inventory::{self, Collected};
use super::access::Cluster;
use super::discovery::{Resource, ResourceList};
use super::fault::{self, Fault, LiveError};
use super::pages;
use super::request::get;
use super::resource::Asked;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope<'a> {
    /// The namespace of the Cluster; all of them where there is none.
    pub namespace: Option<&'a str>,
    /// The Cluster, whose machines alone are read then.
    pub cluster: Option<&'a str>,
    /// What for.
    pub purpose: Purpose,
}

/// What somebody wants to know, which decides on the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// What an upgrade of a cluster of Cluster API would do.
    Plan,
    /// How the clusters are doing, be they of Cluster API or of HyperShift.
    Status,
}

/// One list.
struct List {
    /// As it is told of: `clusters.cluster.x-k8s.io`.
    resource: String,
    path: String,
    labels: Option<String>,
    fields: Option<String>,
}

/// The versions of a group whose fields are known, the best first.
pub(super) const VERSIONS: [(&str, &[&str]); 3] = [
    (hypershift::GROUP, &["v1beta1", "v1alpha1"]),
    (GROUP, &["v1beta2", "v1beta1"]),
    (RUNTIME_GROUP, &["v1beta2", "v1alpha1"]),
];

/// Looks at a management cluster once. The moment of the inventory is not set yet.
///
/// # Guarantees
/// Reads only. What may not be read or is not served is a gap.
///
/// # Errors
/// A server that cannot be reached, does not answer in time, or does not know who asks.
pub async fn inventory(cluster: &Cluster, scope: Scope<'_>, limits: &Limits) -> Result<Inventory, LiveError> {
    let mut collected = Collected::new(*limits);
    let mut versions = BTreeMap::new();
    for (group, known) in VERSIONS {
        if group == hypershift::GROUP && scope.purpose == Purpose::Plan {
            continue;
        }
        match served(cluster, group, known, limits).await {
            Ok(Some(version)) => {
                versions.insert(group, version);
            }
            Ok(None) if group == GROUP && !versions.contains_key(hypershift::GROUP) => {
                let message = match scope.purpose {
                    Purpose::Plan => format!("{group} is not served: this is no management cluster of Cluster API"),
                    Purpose::Status => {
                        format!("neither {group} nor {} is served: this is no management cluster", hypershift::GROUP)
                    }
                };
                collected.gap(Gap::of_input(GapKind::Unreadable, message));
            }
            Ok(None) => {}
            Err(fault) if fault.is_of_connection() || matches!(fault, Fault::Unauthorized) => {
                return Err(fault.of_cluster(cluster));
            }
            Err(fault) => collected.gap(obstacle("list", group, &fault)),
        }
    }
    let mut lists = Vec::new();
    if let Some(version) = versions.get(GROUP) {
        lists.extend(of_group(scope, version));
        match control_planes(cluster, scope, limits).await {
            Ok(found) => lists.extend(found),
            Err(fault) => collected.gap(obstacle("list", CONTROL_PLANE_GROUP, &fault)),
        }
    }
    if let Some(version) = versions.get(RUNTIME_GROUP) {
        lists.push(List::new("extensionconfigs", RUNTIME_GROUP, version, None));
    }
    if let Some(version) = versions.get(hypershift::GROUP) {
        lists.extend(hosted::clusters(scope, version));
    }
    // For the labels by which extensions are selected. Of one namespace one object, so that the right to it suffices.
    let namespaces = List::new("namespaces", "", "v1", None);
    let fields = scope.namespace.map(|namespace| format!("metadata.name={namespace}"));
    lists.push(List { fields, ..namespaces });
    read(cluster, &lists, &mut collected, limits).await?;

    if let Some(version) = versions.get(hypershift::GROUP) {
        let lists = hosted::control_planes(scope, version, versions.get(GROUP).copied(), collected.so_far());
        read(cluster, &lists, &mut collected, limits).await?;
    }
    Ok(collected.whole())
}

/// Lists of which only details come: without them the answer to "is it updating, and is it done?" is the same.
const DETAILS: [&str; 2] = ["machinesets.", "machinehealthchecks."];

/// Reads lists, side by side.
async fn read(cluster: &Cluster, lists: &[List], collected: &mut Collected, limits: &Limits) -> Result<(), LiveError> {
    let read = join_all(lists.iter().map(|list| {
        let request = |limit: Option<u32>, token: Option<&str>| list.page(limit, token);
        pages::all(cluster, request, |text| inventory::parse(&list.resource, text, limits), limits)
    }));
    for (list, read) in lists.iter().zip(read.await) {
        match read {
            Ok(pages) => pages.into_iter().for_each(|page| collected.add(page)),
            Err(fault) if matches!(fault, Fault::Unauthorized) => return Err(fault.of_cluster(cluster)),
            Err(fault) => {
                let gap = obstacle("list", &list.resource, &fault);
                let is_detail = DETAILS.iter().any(|detail| list.resource.starts_with(detail));
                collected.gap(if is_detail { Gap { kind: GapKind::Optional, ..gap } } else { gap });
            }
        }
    }
    Ok(())
}

/// Asks whether a cluster keeps others: whether it serves the kinds of Cluster API or
/// of HyperShift.
///
/// # Errors
/// A server that cannot be reached, does not answer in time, or does not know who asks. That it does not say is no
/// error: then it is taken for one that keeps none.
pub async fn keeps_others(cluster: &Cluster, limits: &Limits) -> Result<bool, LiveError> {
    for group in [GROUP, hypershift::GROUP] {
        match get::<ApiGroup>(cluster, &format!("/apis/{group}"), limits).await {
            Ok(_) => return Ok(true),
            Err(fault) if fault.is_of_connection() || matches!(fault, Fault::Unauthorized) => {
                return Err(fault.of_cluster(cluster));
            }
            Err(_) => {}
        }
    }
    Ok(false)
}

impl List {
    fn new(plural: &str, group: &str, version: &str, namespace: Option<&str>) -> Self {
        let root = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
        let within = namespace.map(|namespace| format!("/namespaces/{namespace}")).unwrap_or_default();
        let resource = if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") };
        Self { resource, path: format!("{root}{within}/{plural}"), labels: None, fields: None }
    }

    fn page(&self, limit: Option<u32>, token: Option<&str>) -> Result<Asked, Error> {
        let params = ListParams {
            limit,
            continue_token: token.map(str::to_owned),
            label_selector: self.labels.clone(),
            field_selector: self.fields.clone(),
            ..ListParams::default()
        };
        Request::new(&self.path).list(&params)
    }
}

fn of_group(scope: Scope<'_>, version: &str) -> Vec<List> {
    let within = |plural| List::new(plural, GROUP, version, scope.namespace);
    let labels = scope.cluster.map(|name| format!("{CLUSTER_NAME_LABEL}={name}"));
    let mut lists = vec![
        within("clusters"),
        List::new("clusterclasses", GROUP, version, None),
        within("machinedeployments"),
        within("machinepools"),
        List { labels: labels.clone(), ..within("machines") },
    ];
    if scope.purpose == Purpose::Status {
        lists.push(List { labels, ..within("machinesets") });
        lists.push(within("machinehealthchecks"));
    }
    lists
}

async fn control_planes(cluster: &Cluster, scope: Scope<'_>, limits: &Limits) -> Result<Vec<List>, Fault> {
    let (version, plurals) = control_plane_resources(cluster, limits).await?;
    let list = |plural: &String| List::new(plural, CONTROL_PLANE_GROUP, &version, scope.namespace);
    Ok(plurals.iter().map(list).collect())
}

/// Control planes of every provider that is installed, and the version of their group: their kinds end alike.
pub(super) async fn control_plane_resources(
    cluster: &Cluster,
    limits: &Limits,
) -> Result<(String, Vec<String>), Fault> {
    let group: ApiGroup = match get(cluster, &format!("/apis/{CONTROL_PLANE_GROUP}"), limits).await {
        Err(Fault::NotFound(_)) => return Ok((String::new(), Vec::new())),
        other => other?,
    };
    let version = group.preferred_version.version;
    let served: ResourceList = get(cluster, &format!("/apis/{CONTROL_PLANE_GROUP}/{version}"), limits).await?;
    let is_control_plane =
        |resource: &Resource| resource.kind.ends_with("ControlPlane") && !resource.name.contains('/');
    let plurals = served.resources.into_iter().filter(is_control_plane).map(|resource| resource.name).collect();
    Ok((version, plurals))
}

/// The best version of a group that is served and known.
async fn served(
    cluster: &Cluster,
    group: &str,
    known: &[&'static str],
    limits: &Limits,
) -> Result<Option<&'static str>, Fault> {
    for version in known {
        match get::<ResourceList>(cluster, &format!("/apis/{group}/{version}"), limits).await {
            Ok(_) => return Ok(Some(version)),
            Err(Fault::NotFound(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(None)
}

fn obstacle(verb: &str, resource: &str, fault: &Fault) -> Gap {
    let kind = if matches!(fault, Fault::Forbidden(_)) { GapKind::Refused } else { GapKind::Unreadable };
    let absent = format!("{resource} are not served by this cluster");
    Gap::of_input(kind, fault::obstacle(verb, resource, absent, fault))
}

/// What is read of an `APIGroup`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ApiGroup {
    preferred_version: GroupVersion,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct GroupVersion {
    version: String,
}
