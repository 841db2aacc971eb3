//! Hosted clusters of a running management cluster: which lists are asked for, in which namespaces.

use headway_api::gap::GapKind;
use headway_cluster::gather::Limits;
use headway_cluster::gather::live::{Purpose, Scope, inventory};
use headway_core::preview::Inventory;
use serde_json::json;

use super::super::cluster::Object;
use super::super::reading::assert_gap;
use super::server::{Instead, Server};

const HYPERSHIFT: &str = "hypershift.openshift.io/v1beta1";
const CLUSTER_API: &str = "cluster.x-k8s.io/v1beta1";

fn object(api: &str, kind: &'static str, namespace: &'static str, name: &str) -> Object {
    let value = json!({"apiVersion": api, "kind": kind, "metadata": {"namespace": namespace, "name": name}});
    Object { kind, namespace: Some(namespace), name: name.to_owned(), value }
}

/// Two hosted clusters in two namespaces, with what belongs to them.
fn world() -> Vec<Object> {
    let of = |namespace: &'static str, own: &'static str, name: &str| {
        vec![
            object(HYPERSHIFT, "HostedCluster", namespace, name),
            object(HYPERSHIFT, "NodePool", namespace, "a"),
            object(HYPERSHIFT, "HostedControlPlane", own, name),
            object(HYPERSHIFT, "ControlPlaneComponent", own, "etcd"),
            object(CLUSTER_API, "Cluster", own, name),
            object(CLUSTER_API, "MachineSet", own, "a"),
            object(CLUSTER_API, "Machine", own, "a-0"),
        ]
    };
    [of("bay", "bay-tern", "tern"), of("moor", "moor-skua", "skua")].concat()
}

fn look(server: &Server, namespace: Option<&str>, purpose: Purpose) -> Inventory {
    let scope = Scope { namespace, cluster: None, purpose };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { inventory(&server.cluster(None), scope, &Limits::default()).await }).unwrap()
}

/// How many of each kind were found.
fn counts(inventory: &Inventory) -> [usize; 6] {
    [
        inventory.hosted_clusters.len(),
        inventory.node_pools.len(),
        inventory.hosted_control_planes.len(),
        inventory.components.len(),
        inventory.machine_sets.len(),
        inventory.machines.len(),
    ]
}

fn paths(server: &Server) -> Vec<String> {
    server.asked().into_iter().map(|asked| asked.path.split('?').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_control_plane_of_a_hosted_cluster_is_looked_for_in_its_own_namespace() {
    let server = Server::new(world());
    let found = look(&server, Some("bay"), Purpose::Status);
    assert_eq!(counts(&found), [1, 1, 1, 1, 1, 1]);
    assert_eq!(found.hosted_control_planes[0].metadata.namespace, "bay-tern");
    assert!(found.seen.node_pools && found.seen.components && found.seen.hosted_control_planes);
    assert!(paths(&server).iter().all(|path| !path.contains("moor")), "nobody asked for those");
    assert_eq!(found.gaps, Vec::new());
}

#[test]
fn all_namespaces_are_asked_for_at_once() {
    let server = Server::new(world());
    let found = look(&server, None, Purpose::Status);
    assert_eq!(counts(&found), [2, 2, 2, 2, 2, 2]);
    let asked = paths(&server);
    assert!(asked.iter().all(|path| !path.contains("/namespaces/")), "{asked:#?}");
    let of = |plural: &str| asked.iter().filter(|path| path.ends_with(&format!("/{plural}"))).count();
    assert_eq!((of("machines"), of("controlplanecomponents"), of("hostedclusters")), (1, 1, 1));
}

#[test]
fn a_plan_does_not_ask_for_them() {
    let server = Server::new(world());
    let found = look(&server, Some("bay-tern"), Purpose::Plan);
    assert_eq!((found.clusters.len(), found.machines.len(), found.hosted_clusters.len()), (1, 1, 0));
    assert!(paths(&server).iter().all(|path| !path.contains("hypershift")));
}

#[test]
fn what_may_not_be_read_is_a_gap_and_the_rest_is_told() {
    let components = "/apis/hypershift.openshift.io/v1beta1/namespaces/bay-tern/controlplanecomponents";
    let server = Server::new(world()).instead(components, Instead::Status(403, "no"));
    let found = look(&server, Some("bay"), Purpose::Status);
    assert_eq!(counts(&found), [1, 1, 1, 0, 1, 1]);
    assert!(!found.seen.components);
    assert_gap(&found.gaps, GapKind::Refused, &["controlplanecomponents.hypershift.openshift.io"]);

    let nothing = Server::new(Vec::new());
    let found = look(&nothing, None, Purpose::Status);
    assert_gap(&found.gaps, GapKind::Unreadable, &["neither cluster.x-k8s.io nor hypershift.openshift.io is served"]);
}
