//! What a Cluster is given before it is judged (chained-upgrades.md, 6.1, the mutating part).
//!
//! Defaults of variables are left out: they come from the schemas in the status of the class, which the controllers of
//! Cluster API fill in.

use headway_api::cluster_api::Cluster;

/// A value that is put into an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addition {
    /// The field, as a JSON pointer.
    pub path: &'static str,
    /// Its value.
    pub value: String,
}

/// What a Cluster lacks: the `v` of its version, and the namespace of its class.
///
/// A text that does not begin with a number is left as it is: it is refused, and the words of the refusal should be
/// those of its author.
#[must_use]
pub fn additions(cluster: &Cluster) -> Vec<Addition> {
    let mut all = Vec::new();
    let Some(topology) = cluster.spec.topology.as_ref() else { return all };
    if cluster.metadata.deletion_timestamp.is_some() {
        return all;
    }
    if topology.version.starts_with(|first: char| first.is_ascii_digit()) {
        all.push(Addition { path: "/spec/topology/version", value: format!("v{}", topology.version) });
    }
    let own = &cluster.metadata.namespace;
    let lacks_namespace = topology.class_namespace("").is_empty() && !topology.class_name().is_empty();
    if lacks_namespace && !own.is_empty() {
        let path = if topology.class_ref.is_some() {
            "/spec/topology/classRef/namespace"
        } else {
            "/spec/topology/classNamespace"
        };
        all.push(Addition { path, value: own.clone() });
    }
    all
}
