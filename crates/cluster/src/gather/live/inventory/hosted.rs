//! What is asked for of hosted clusters: in two turns, since their control planes are in namespaces that their names tell.

use headway_api::cluster_api;
use headway_api::hypershift::{GROUP, control_plane_namespace};
use headway_core::preview::Inventory;

use super::{List, Scope};

/// Of more hosted clusters than this in one namespace the control planes are asked for in all namespaces at once: that
/// is four lists, and not four for each.
const ONE_BY_ONE: usize = 16;

/// The hosted clusters and their pools.
pub(super) fn clusters(scope: Scope<'_>, version: &str) -> Vec<List> {
    ["hostedclusters", "nodepools"].map(|plural| List::new(plural, GROUP, version, scope.namespace)).into()
}

/// Their control planes, and the machines of their pools, which are beside these.
pub(super) fn control_planes(
    scope: Scope<'_>,
    version: &str,
    cluster_api: Option<&str>,
    seen: &Inventory,
) -> Vec<List> {
    let wanted = seen.hosted_clusters.iter().map(|cluster| &cluster.metadata);
    let wanted = wanted.filter(|cluster| scope.cluster.is_none_or(|name| cluster.name == name));
    let namespaces: Vec<String> =
        wanted.map(|cluster| control_plane_namespace(&cluster.namespace, &cluster.name)).collect();
    if namespaces.is_empty() {
        return Vec::new();
    }
    if scope.namespace.is_none() {
        // The machines were asked for with those of all namespaces.
        return of_namespace(None, version, cluster_api.filter(|_| scope.cluster.is_some()));
    }
    if namespaces.len() > ONE_BY_ONE {
        return of_namespace(None, version, cluster_api);
    }
    namespaces.iter().flat_map(|namespace| of_namespace(Some(namespace), version, cluster_api)).collect()
}

fn of_namespace(namespace: Option<&str>, version: &str, cluster_api: Option<&str>) -> Vec<List> {
    let of = |plural| List::new(plural, GROUP, version, namespace);
    let mut lists = vec![of("hostedcontrolplanes"), of("controlplanecomponents")];
    if let Some(version) = cluster_api {
        let of = |plural| List::new(plural, cluster_api::GROUP, version, namespace);
        lists.extend([of("machinesets"), of("machines")]);
    }
    lists
}
