//! Which kinds of a management cluster are served, and in which versions.

use std::collections::BTreeMap;

use headway_api::cluster_api::{CONTROL_PLANE_GROUP, GROUP, RUNTIME_GROUP};
use headway_api::hypershift;
use headway_core::fleet::Source;

use super::super::super::super::Limits;
use super::super::super::access::Cluster;
use super::super::super::discovery::ResourceList;
use super::super::super::fault::Fault;
use super::super::super::inventory::{VERSIONS, control_plane_resources};
use super::super::super::request::get;

/// The sources of each group.
fn sources(group: &str) -> &'static [Source] {
    match group {
        GROUP => &[
            Source::Clusters,
            Source::ClusterClasses,
            Source::MachineDeployments,
            Source::MachinePools,
            Source::Machines,
            Source::MachineSets,
            Source::MachineHealthChecks,
        ],
        hypershift::GROUP => {
            &[Source::HostedClusters, Source::HostedControlPlanes, Source::ControlPlaneComponents, Source::NodePools]
        }
        RUNTIME_GROUP => &[Source::ExtensionConfigs],
        _ => &[],
    }
}

/// Where a kind is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) group: &'static str,
    pub(super) version: String,
}

/// What is served of a management cluster: where each kind is, and in which version.
///
/// # Errors
/// A server that does not say. That a group is not there is no error.
pub(super) async fn scout(cluster: &Cluster, limits: &Limits) -> Result<BTreeMap<Source, Place>, Fault> {
    let mut found = BTreeMap::new();
    for (group, known) in VERSIONS {
        let Some((version, plurals)) = served(cluster, group, known, limits).await? else { continue };
        for source in sources(group).iter().filter(|source| plurals.iter().any(|plural| plural == source.name())) {
            found.insert(source.clone(), Place { group, version: version.to_owned() });
        }
    }
    if !found.contains_key(&Source::Clusters) {
        return Ok(found);
    }
    let (version, plurals) = control_plane_resources(cluster, limits).await?;
    for plural in plurals {
        let place = Place { group: CONTROL_PLANE_GROUP, version: version.clone() };
        found.insert(Source::ControlPlanes(plural.into()), place);
    }
    // Extensions are selected by the labels of a cluster's namespace.
    if found.contains_key(&Source::ExtensionConfigs) {
        found.insert(Source::Namespaces, Place { group: "", version: "v1".to_owned() });
    }
    Ok(found)
}

/// The best version of a group that is served and known, and what is served in it.
async fn served(
    cluster: &Cluster,
    group: &str,
    known: &[&'static str],
    limits: &Limits,
) -> Result<Option<(&'static str, Vec<String>)>, Fault> {
    for version in known {
        match get::<ResourceList>(cluster, &format!("/apis/{group}/{version}"), limits).await {
            Ok(list) => {
                let plurals = list.resources.into_iter().map(|resource| resource.name).collect();
                return Ok(Some((version, plurals)));
            }
            Err(Fault::NotFound(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(None)
}
