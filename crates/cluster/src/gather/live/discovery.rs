//! Discovery: which of the kinds that are read a cluster serves, and in which version.

use std::collections::{BTreeMap, BTreeSet};

use futures::future::join_all;
use serde::Deserialize;

use super::super::Limits;
use super::super::recognize::Kind;
use super::access::Cluster;
use super::fault::{Fault, LiveError};
use super::request::get;
use super::resource::Listing;

/// What is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Served {
    /// The resources of each group and version that was asked about; `None` where the answer is not known.
    resources: BTreeMap<(&'static str, &'static str), Option<BTreeSet<String>>>,
}

impl Served {
    /// Where a kind's objects are; `None` when the cluster does not have the kind.
    ///
    /// What is not known is taken for served: a request tells.
    pub(super) fn listing(&self, kind: Kind) -> Option<Listing> {
        let versions = kind.versions().iter();
        let served = |version: &&&'static str| match self.resources.get(&(kind.group(), **version)) {
            Some(Some(resources)) => resources.contains(&kind.plural()),
            Some(None) | None => true,
        };
        versions.filter(served).map(|version| Listing::of(kind, version)).next()
    }
}

/// Asks what is served.
///
/// # Errors
/// No answer at all, or one that says that nothing will be answered.
pub(super) async fn discover(cluster: &Cluster) -> Result<Served, LiveError> {
    let asked: BTreeSet<(&str, &str)> = Kind::of_cluster()
        .filter(|kind| !is_everywhere(*kind))
        .flat_map(|kind| kind.versions().iter().map(move |version| (kind.group(), *version)))
        .collect();
    let answers = join_all(asked.iter().map(|(group, version)| resources(cluster, group, version))).await;
    let mut resources = BTreeMap::new();
    let mut answered = false;
    let mut unreached = None;
    for (group_version, answer) in asked.into_iter().zip(answers) {
        let known = match answer {
            Ok(known) => Some(known),
            Err(Fault::NotFound(_)) => Some(BTreeSet::new()),
            Err(Fault::Unauthorized) => return Err(LiveError::Unauthorized),
            Err(fault) if fault.is_of_connection() => {
                unreached.get_or_insert(fault);
                resources.insert(group_version, None);
                continue;
            }
            // Discovery may be forbidden, or the group's own server be down, while the rest can be read.
            Err(_) => None,
        };
        answered = true;
        resources.insert(group_version, known);
    }
    match unreached {
        Some(fault) if !answered => Err(fault.of_cluster(cluster)),
        Some(_) | None => Ok(Served { resources }),
    }
}

/// Kinds that every Kubernetes serves, in a version that does not change.
fn is_everywhere(kind: Kind) -> bool {
    match kind {
        Kind::Node | Kind::Pod | Kind::Deployment | Kind::PodDisruptionBudget => true,
        Kind::ClusterVersion
        | Kind::ClusterOperator
        | Kind::MachineConfigPool
        | Kind::MachineConfig
        | Kind::MachineConfigNode
        | Kind::MachineOsConfig
        | Kind::MachineOsBuild => false,
    }
}

/// The part of an `APIResourceList` that is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResourceList {
    pub(super) resources: Vec<Resource>,
}

/// A resource, or a part of one: `clusters/status`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) kind: String,
}

async fn resources(cluster: &Cluster, group: &str, version: &str) -> Result<BTreeSet<String>, Fault> {
    let list: ResourceList = get(cluster, &format!("/apis/{group}/{version}"), &Limits::default()).await?;
    Ok(list.resources.into_iter().map(|resource| resource.name).collect())
}
