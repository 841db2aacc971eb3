//! Which objects a report speaks of: with the form of the cluster they are of other kinds, in namespaces, and served by
//! other API servers than the one that serves the status.

use headway_api::cluster_api;
use headway_api::hypershift;
use headway_api::insight;
use headway_api::report::{Cluster, Component, Form, Pool, Report, Unit};
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::{Surface, Word};

use super::text::{self, is_label, is_subdomain, object};

const OPENSHIFT: &str = "config.openshift.io";

const POOLS: &str = "machineconfiguration.openshift.io";

/// The name that a ClusterVersion always has.
const VERSION: &str = "version";

/// From where a cluster is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// From its own API server.
    Within,
    /// A HostedCluster, from its management cluster.
    Hosted,
    /// A Cluster, from its management cluster.
    ClusterApi,
}

impl Seen {
    pub(super) fn of(report: &Report) -> Self {
        match report.cluster.form {
            Form::ClusterApi => Self::ClusterApi,
            // A guest that is seen from within has no namespace.
            Form::Hosted if report.cluster.namespace.is_some() => Self::Hosted,
            Form::Hosted | Form::Standalone | Form::Unknown => Self::Within,
        }
    }
}

/// What the cluster is.
pub(super) fn cluster(report: &Report) -> ResourceRef {
    let Cluster { name, namespace, .. } = &report.cluster;
    let name = name.as_deref().filter(|name| is_subdomain(name));
    let (group, resource) = match Seen::of(report) {
        Seen::Within => return object(OPENSHIFT, "clusterversions", name.unwrap_or(VERSION)),
        Seen::Hosted => (hypershift::GROUP, "hostedclusters"),
        Seen::ClusterApi => (cluster_api::GROUP, "clusters"),
    };
    let namespace = namespace.as_deref().unwrap_or_default();
    // What has no name that the API can hold has to be called something: no cluster is called so.
    in_namespace(namespace, object(group, resource, name.unwrap_or("unnamed")))
}

/// The object of a component, whose name is one; none where no object tells of it alone.
pub(super) fn component(report: &Report, component: &Component) -> Option<ResourceRef> {
    if let Some(told) = &component.resource {
        return reference(report, told);
    }
    match Seen::of(report) {
        Seen::ClusterApi => None,
        Seen::Within => Some(object(OPENSHIFT, "clusteroperators", &component.name)),
        Seen::Hosted => {
            let told = object(OPENSHIFT, "clusteroperators", &component.name);
            Some(ResourceRef { cluster: Some(Word::Known(Surface::Hosted)), ..told })
        }
    }
}

/// The object of a pool; none where the API could not hold it.
pub(super) fn pool(report: &Report, pool: &Pool) -> Option<ResourceRef> {
    match &pool.resource {
        Some(told) => reference(report, told).filter(|told| told.name == pool.name),
        None => is_subdomain(&pool.name).then(|| object(POOLS, "machineconfigpools", &pool.name)),
    }
}

/// The object of a node or machine, whose name is one.
pub(super) fn unit(report: &Report, unit: &Unit) -> ResourceRef {
    if unit.kind != MACHINE {
        return ResourceRef { cluster: surface(report, "nodes"), ..object("", "nodes", &unit.name) };
    }
    let machine = object(cluster_api::GROUP, "machines", &unit.name);
    match Seen::of(report) {
        Seen::Within => machine,
        Seen::ClusterApi => in_namespace(report.cluster.namespace.as_deref().unwrap_or_default(), machine),
        Seen::Hosted => in_namespace(&control_plane_namespace(report), machine),
    }
}

/// What the report calls a machine.
pub(super) const MACHINE: &str = "Machine";

/// Where the machines of a hosted cluster are: where its components are, which is called after it.
fn control_plane_namespace(report: &Report) -> String {
    let seen = report.components.iter().find_map(|component| component.resource.as_ref());
    match (seen, &report.cluster) {
        (Some(component), _) => component.namespace.clone(),
        (None, Cluster { name: Some(name), namespace: Some(namespace), .. }) => format!("{namespace}-{name}"),
        (None, _) => String::new(),
    }
}

/// A reference; none where the API could not hold it.
pub(super) fn reference(report: &Report, told: &insight::ResourceRef) -> Option<ResourceRef> {
    text::reference(told).map(|found| ResourceRef { cluster: surface(report, &told.resource), ..found })
}

/// Which API server serves a resource; none for the one that serves the status.
fn surface(report: &Report, resource: &str) -> Option<Word<Surface>> {
    let is_inside =
        ["nodes", "pods", "poddisruptionbudgets", "clusteroperators", "clusterversions"].contains(&resource);
    match Seen::of(report) {
        Seen::Hosted if is_inside => Some(Word::Known(Surface::Hosted)),
        Seen::ClusterApi if is_inside => Some(Word::Known(Surface::Workload)),
        Seen::Within | Seen::Hosted | Seen::ClusterApi => None,
    }
}

fn in_namespace(namespace: &str, object: ResourceRef) -> ResourceRef {
    let namespace = Some(namespace).filter(|namespace| is_label(namespace)).map(str::to_owned);
    ResourceRef { namespace, ..object }
}

/// What the identities of insights on a resource begin with.
pub(super) fn sign(resource: Option<&ResourceRef>) -> &'static str {
    match resource.map(|told| told.resource.as_str()) {
        None | Some("controlplanecomponents") => "cpc",
        Some("clusterversions") => "cv",
        Some("hostedclusters") => "hc",
        Some("clusters") => "cluster",
        Some("clusteroperators") => "co",
        Some("machineconfigpools") => "mcp",
        Some("nodepools") => "np",
        Some("machinedeployments") => "md",
        Some("machinepools") => "mp",
        Some("nodes") => "node",
        Some("machines") => "machine",
        // Control planes are of any provider's kind.
        Some(_) => "cp",
    }
}

/// Who finds what is told of a resource. Components without an object are read off machines.
pub(super) fn informer(resource: Option<&ResourceRef>) -> &str {
    resource.map_or("machines", |told| told.resource.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::read::unknown_cluster;
    use super::*;

    fn check(form: Form, namespace: Option<&str>, told: &insight::ResourceRef, expect: Option<Surface>) {
        let report = report(form, namespace);
        let found = reference(&report, told).expect("the API can hold it");
        assert_eq!(found.cluster.as_ref().and_then(Word::known), expect.as_ref(), "{form:?} {told:?}");
    }

    fn report(form: Form, namespace: Option<&str>) -> Report {
        use headway_api::report::{Activity, Alerts, ClockSource, Outcome};
        Report {
            api_version: headway_api::REPORT_API_VERSION,
            kind: "Report",
            observed_at: jiff::Timestamp::UNIX_EPOCH,
            clock: ClockSource::Given,
            outcome: Outcome::CannotTell,
            activity: Activity::Unknown,
            cluster: Cluster {
                name: Some("orders".into()),
                namespace: namespace.map(str::to_owned),
                form,
                ..unknown_cluster()
            },
            components: Vec::new(),
            pools: Vec::new(),
            units: Vec::new(),
            insights: Vec::new(),
            waiting_on: Vec::new(),
            hints: Vec::new(),
            alerts: Alerts { available: false, message: String::new() },
            gaps: Vec::new(),
        }
    }

    #[test]
    fn us_2_6_what_is_inside_a_kept_cluster_is_served_by_it() {
        let pod = insight::ResourceRef::namespaced("", "pods", "payments", "ledger-0");
        let machine = insight::ResourceRef::namespaced(cluster_api::GROUP, "machines", "clusters-orders", "m-1");
        check(Form::Hosted, Some("clusters"), &pod, Some(Surface::Hosted));
        check(Form::Hosted, Some("clusters"), &machine, None);
        check(Form::ClusterApi, Some("shop"), &pod, Some(Surface::Workload));
        check(Form::ClusterApi, Some("shop"), &machine, None);
        // Seen from within, everything is where the status is.
        check(Form::Standalone, None, &pod, None);
        check(Form::Hosted, None, &pod, None);
    }

    #[test]
    fn us_r7_a_cluster_is_what_its_management_cluster_has() {
        let check = |form: Form, namespace: Option<&str>, expect: (&str, &str, Option<&str>)| {
            let found = cluster(&report(form, namespace));
            assert_eq!((found.resource.as_str(), found.name.as_str(), found.namespace.as_deref()), expect);
        };
        check(Form::Hosted, Some("clusters"), ("hostedclusters", "orders", Some("clusters")));
        check(Form::ClusterApi, Some("shop"), ("clusters", "orders", Some("shop")));
        check(Form::ClusterApi, None, ("clusters", "orders", None));
        check(Form::Hosted, None, ("clusterversions", "orders", None));
    }
}
