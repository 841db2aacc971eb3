//! The Cluster within a request, of v1beta1 and v1beta2: the few facts that planning needs.

use serde::Serialize;
use serde_json::Value;

use super::Object;
use crate::plan::GroupKind;

/// A Cluster as it came. Versions before 1.13 send lifecycle hooks one of v1beta1, and without saying so: the readers
/// look where either version has a field, the newer place first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Cluster(Object);

/// Which ClusterClass a Cluster is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassRef<'a> {
    /// The namespace of the class, else that of the cluster; `None` when the cluster says none either.
    pub namespace: Option<&'a str>,
    /// The name.
    pub name: &'a str,
}

/// An object that a Cluster names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectRef<'a> {
    /// The API group, without a version; empty for the core group.
    pub group: &'a str,
    /// The kind.
    pub kind: &'a str,
    /// The namespace, else that of the cluster; `None` when the cluster says none either.
    pub namespace: Option<&'a str>,
    /// The name.
    pub name: &'a str,
}

/// A group of workers in the topology. Their names in the cluster are others, which are made of this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerEntry<'a> {
    /// What it becomes.
    pub kind: GroupKind,
    /// Its name in the topology.
    pub name: &'a str,
    /// How many machines it is to have; `None` where something else decides.
    pub replicas: Option<u64>,
    /// Whether its upgrade is put off by its own annotation.
    pub is_deferred: bool,
    /// Whether it holds up itself and all after it in the same list.
    pub holds_sequence: bool,
}

const DEFER: &str = "topology.cluster.x-k8s.io/defer-upgrade";
const HOLD: &str = "topology.cluster.x-k8s.io/hold-upgrade-sequence";

impl Cluster {
    /// A Cluster of these fields.
    #[must_use]
    pub fn new(object: Object) -> Self {
        Self(object)
    }

    /// Its fields, and who it is.
    #[must_use]
    pub fn object(&self) -> &Object {
        &self.0
    }

    /// `spec.topology.version`: the target.
    #[must_use]
    pub fn topology_version(&self) -> Option<&str> {
        self.0.text(&["spec", "topology", "version"])
    }

    /// The class of its topology: `classRef`, or `class` and `classNamespace` of v1beta1.
    #[must_use]
    pub fn class(&self) -> Option<ClassRef<'_>> {
        let within = |path: &[&str]| self.0.text(&[&["spec", "topology"], path].concat());
        let (name, namespace) = match within(&["classRef", "name"]) {
            Some(name) => (name, within(&["classRef", "namespace"])),
            None => (within(&["class"])?, within(&["classNamespace"])),
        };
        Some(ClassRef { namespace: namespace.or_else(|| self.0.namespace()), name })
    }

    /// Its control plane.
    #[must_use]
    pub fn control_plane(&self) -> Option<ObjectRef<'_>> {
        self.reference("controlPlaneRef")
    }

    /// Its infrastructure.
    #[must_use]
    pub fn infrastructure(&self) -> Option<ObjectRef<'_>> {
        self.reference("infrastructureRef")
    }

    /// The groups of workers of the topology, MachineDeployments before MachinePools, in the order in which they are
    /// upgraded. One without a name is left out: nothing can be said of it.
    pub fn workers(&self) -> impl Iterator<Item = WorkerEntry<'_>> {
        let lists = [(GroupKind::MachineDeployment, "machineDeployments"), (GroupKind::MachinePool, "machinePools")];
        lists.into_iter().flat_map(|(kind, list)| {
            let entries = self.0.at(&["spec", "topology", "workers", list]).and_then(Value::as_array);
            entries.into_iter().flatten().filter_map(move |entry| WorkerEntry::read(kind, entry))
        })
    }

    /// A reference has `apiGroup`, or the `apiVersion` of v1beta1.
    fn reference(&self, field: &str) -> Option<ObjectRef<'_>> {
        let within = |name: &str| self.0.text(&["spec", field, name]);
        let group = within("apiGroup")
            .or_else(|| Some(within("apiVersion")?.split_once('/').map_or("", |(group, _)| group)))
            .unwrap_or_default();
        let namespace = within("namespace").or_else(|| self.0.namespace());
        Some(ObjectRef { group, kind: within("kind")?, namespace, name: within("name")? })
    }
}

impl<'a> WorkerEntry<'a> {
    fn read(kind: GroupKind, entry: &'a Value) -> Option<Self> {
        let name = entry.get("name")?.as_str().filter(|name| !name.is_empty())?;
        let annotations = entry.get("metadata").and_then(|metadata| metadata.get("annotations"));
        // That it is there counts, whatever it says.
        let has = |key: &str| annotations.and_then(|annotations| annotations.get(key)).is_some();
        let replicas = entry.get("replicas").and_then(Value::as_u64);
        Some(Self { kind, name, replicas, is_deferred: has(DEFER), holds_sequence: has(HOLD) })
    }
}
