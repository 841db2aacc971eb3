//! One text: the objects in it that an inventory is made of, and what could not be read.

use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget};
use headway_api::cluster_api::{
    Cluster, ClusterClass, ControlPlane, ExtensionConfig, Machine, MachineHealthCheck, Namespace, Workers,
};
use headway_api::gap::{Gap, GapKind};
use headway_api::hypershift::{ControlPlaneComponent, HostedCluster, HostedControlPlane, NodePool};
use headway_api::node::Node;
use headway_api::openshift::{ClusterOperator, ClusterVersion};
use headway_core::fleet;
use headway_core::inform::Uid;
use headway_core::preview::{Inventory, Workload};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::Limits;
use super::super::collect::loss::{is_cut_list, kind_of_empty_list};
use super::super::live::Known;
use super::kind::{Kind, Recognized, Side, recognize};
use crate::object::{self, RawObject};

/// What came of one text.
pub(in crate::gather) struct Found {
    pub(super) place: String,
    /// The objects, each with whose it can be.
    pub(super) objects: Vec<(Side, Object)>,
    pub(super) gaps: Vec<Gap>,
    /// Gaps of objects that only a workload cluster has.
    pub(super) gaps_of_workload: Vec<Gap>,
    pub(super) seen: Vec<Kind>,
    /// Objects of other kinds.
    pub(super) others: usize,
}

/// An object that an inventory is made of. Boxed, so that a list of them moves cheaply.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Object {
    Cluster(Box<Cluster>),
    ClusterClass(Box<ClusterClass>),
    ControlPlane(Box<ControlPlane>),
    MachineDeployment(Box<Workers>),
    MachinePool(Box<Workers>),
    Machine(Box<Machine>),
    MachineSet(Box<Workers>),
    MachineHealthCheck(Box<MachineHealthCheck>),
    HostedCluster(Box<HostedCluster>),
    HostedControlPlane(Box<HostedControlPlane>),
    ControlPlaneComponent(Box<ControlPlaneComponent>),
    NodePool(Box<NodePool>),
    ExtensionConfig(Box<ExtensionConfig>),
    Namespace(Box<Namespace>),
    PodDisruptionBudget(Arc<PodDisruptionBudget>),
    Node(Arc<Node>),
    Pod(Arc<Pod>),
    ClusterVersion(Box<ClusterVersion>),
    ClusterOperator(Box<ClusterOperator>),
}

impl Object {
    fn identity(&self) -> (&str, &str, &str) {
        match self {
            Self::Cluster(o) => ("Cluster", &o.metadata.namespace, &o.metadata.name),
            Self::ClusterClass(o) => ("ClusterClass", &o.metadata.namespace, &o.metadata.name),
            Self::ControlPlane(o) => (&o.kind, &o.metadata.namespace, &o.metadata.name),
            Self::MachineDeployment(o) => ("MachineDeployment", &o.metadata.namespace, &o.metadata.name),
            Self::MachinePool(o) => ("MachinePool", &o.metadata.namespace, &o.metadata.name),
            Self::Machine(o) => ("Machine", &o.metadata.namespace, &o.metadata.name),
            Self::MachineSet(o) => ("MachineSet", &o.metadata.namespace, &o.metadata.name),
            Self::MachineHealthCheck(o) => ("MachineHealthCheck", &o.metadata.namespace, &o.metadata.name),
            Self::HostedCluster(o) => ("HostedCluster", &o.metadata.namespace, &o.metadata.name),
            Self::HostedControlPlane(o) => ("HostedControlPlane", &o.metadata.namespace, &o.metadata.name),
            Self::ControlPlaneComponent(o) => ("ControlPlaneComponent", &o.metadata.namespace, &o.metadata.name),
            Self::NodePool(o) => ("NodePool", &o.metadata.namespace, &o.metadata.name),
            // It is cluster-scoped, whatever a file says.
            Self::ExtensionConfig(o) => ("ExtensionConfig", "", &o.metadata.name),
            Self::Namespace(o) => ("Namespace", "", &o.metadata.name),
            Self::PodDisruptionBudget(o) => ("PodDisruptionBudget", &o.metadata.namespace, &o.metadata.name),
            Self::Node(o) => ("Node", "", &o.metadata.name),
            Self::Pod(o) => ("Pod", &o.metadata.namespace, &o.metadata.name),
            Self::ClusterVersion(o) => ("ClusterVersion", "", &o.metadata.name),
            Self::ClusterOperator(o) => ("ClusterOperator", "", &o.metadata.name),
        }
    }

    /// `KIND/NAMESPACE/NAME`, or `KIND/NAME`.
    pub(super) fn told(&self) -> String {
        let (kind, namespace, name) = self.identity();
        if namespace.is_empty() { format!("{kind}/{name}") } else { format!("{kind}/{namespace}/{name}") }
    }

    /// `NAMESPACE/NAME`, or `NAME`.
    fn uid(&self) -> Uid {
        let (_, namespace, name) = self.identity();
        if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") }
    }

    /// As who watches a fleet keeps it; `None` of kinds that are not watched there.
    fn into_shared(self) -> Option<fleet::Object> {
        Some(match self {
            Self::Cluster(o) => fleet::Object::Cluster(o.into()),
            Self::ClusterClass(o) => fleet::Object::ClusterClass(o.into()),
            Self::ControlPlane(o) => fleet::Object::ControlPlane(o.into()),
            Self::MachineDeployment(o) => fleet::Object::MachineDeployment(o.into()),
            Self::MachinePool(o) => fleet::Object::MachinePool(o.into()),
            Self::Machine(o) => fleet::Object::Machine(o.into()),
            Self::MachineSet(o) => fleet::Object::MachineSet(o.into()),
            Self::MachineHealthCheck(o) => fleet::Object::MachineHealthCheck(o.into()),
            Self::HostedCluster(o) => fleet::Object::HostedCluster(o.into()),
            Self::HostedControlPlane(o) => fleet::Object::HostedControlPlane(o.into()),
            Self::ControlPlaneComponent(o) => fleet::Object::ControlPlaneComponent(o.into()),
            Self::NodePool(o) => fleet::Object::NodePool(o.into()),
            Self::ExtensionConfig(o) => fleet::Object::ExtensionConfig(o.into()),
            Self::Namespace(o) => fleet::Object::Namespace(o.into()),
            Self::PodDisruptionBudget(_)
            | Self::Node(_)
            | Self::Pod(_)
            | Self::ClusterVersion(_)
            | Self::ClusterOperator(_) => return None,
        })
    }

    /// Puts an object of the management cluster into its place.
    pub(super) fn put_into(self, inventory: &mut Inventory) {
        match self {
            Self::Cluster(o) => inventory.clusters.push(*o),
            Self::ClusterClass(o) => inventory.classes.push(*o),
            Self::ControlPlane(o) => inventory.control_planes.push(*o),
            Self::MachineDeployment(o) => inventory.machine_deployments.push(*o),
            Self::MachinePool(o) => inventory.machine_pools.push(*o),
            Self::Machine(o) => inventory.machines.push(*o),
            Self::MachineSet(o) => inventory.machine_sets.push(*o),
            Self::MachineHealthCheck(o) => inventory.health_checks.push(*o),
            Self::HostedCluster(o) => inventory.hosted_clusters.push(*o),
            Self::HostedControlPlane(o) => inventory.hosted_control_planes.push(*o),
            Self::ControlPlaneComponent(o) => inventory.components.push(*o),
            Self::NodePool(o) => inventory.node_pools.push(*o),
            Self::ExtensionConfig(o) => inventory.extensions.push(*o),
            Self::Namespace(o) => inventory.namespaces.push(*o),
            Self::PodDisruptionBudget(o) => inventory.budgets.push(Arc::unwrap_or_clone(o)),
            Self::Node(_) | Self::Pod(_) | Self::ClusterVersion(_) | Self::ClusterOperator(_) => {}
        }
    }

    /// Puts an object of a cluster that is kept into its place.
    pub(super) fn put_into_workload(self, workload: &mut Workload) {
        match self {
            Self::PodDisruptionBudget(o) => workload.budgets.push(o),
            Self::Node(o) => workload.nodes.push(o),
            Self::Pod(o) => workload.pods.push(o),
            Self::ClusterVersion(o) => {
                workload.cluster_version.get_or_insert(*o);
            }
            Self::ClusterOperator(o) => workload.operators.push(*o),
            Self::Cluster(_)
            | Self::ClusterClass(_)
            | Self::ControlPlane(_)
            | Self::MachineDeployment(_)
            | Self::MachinePool(_)
            | Self::Machine(_)
            | Self::MachineSet(_)
            | Self::MachineHealthCheck(_)
            | Self::HostedCluster(_)
            | Self::HostedControlPlane(_)
            | Self::ControlPlaneComponent(_)
            | Self::NodePool(_)
            | Self::ExtensionConfig(_)
            | Self::Namespace(_) => {}
        }
    }
}

/// Parses a text.
pub(in crate::gather) fn parse(place: &str, text: &[u8], limits: &Limits) -> Found {
    let mut found = Found {
        place: place.to_owned(),
        objects: Vec::new(),
        gaps: Vec::new(),
        gaps_of_workload: Vec::new(),
        seen: Vec::new(),
        others: 0,
    };
    let mut count = 0;
    for raw in object::split(text, limits.parser) {
        count += 1;
        match raw {
            Ok(raw) => found.take(&raw),
            Err(problem) => found.gaps.push(Gap::of_place(GapKind::Unreadable, place, problem.to_string())),
        }
    }
    // What is lost without a trace in any object.
    if text.trim_ascii().is_empty() {
        found.gaps.push(Gap::of_place(GapKind::Unreadable, place, "the file is empty"));
    } else if is_cut_list(text) {
        let message = "the list has no kind: it seems to be cut off, and what followed is lost";
        found.gaps.push(Gap::of_place(GapKind::Unreadable, place, message));
    } else if count == 0
        && let Some(of) = kind_of_empty_list(text)
        && let Recognized::Known(kind) | Recognized::OtherVersion(kind) = recognize(None, &of)
    {
        found.seen.push(kind);
    }
    found
}

impl Found {
    /// The objects that a fleet is made of, as what is known of them.
    pub(in crate::gather) fn into_known(self) -> Vec<(Uid, Known<fleet::Object>)> {
        let Self { objects, gaps, .. } = self;
        let known = objects.into_iter().filter_map(|(_, object)| {
            let (told, uid) = (object.told(), object.uid());
            let flaws = gaps.iter().filter(|gap| gap.object == told).cloned().collect();
            Some((uid, Known { fact: object.into_shared()?, flaws }))
        });
        known.collect()
    }

    fn take(&mut self, raw: &RawObject<'_>) {
        let Some(name) = raw.kind.as_deref() else {
            self.unnamed(raw);
            return;
        };
        let (kind, other_version) = match recognize(raw.api_version.as_deref(), name) {
            Recognized::Known(kind) => (kind, None),
            Recognized::OtherVersion(kind) => {
                let version = raw.api_version.as_deref().unwrap_or("no apiVersion");
                let message = format!("{version} is not a version that is known; read as the known one");
                let gap = Gap::of_place(GapKind::Field, self.at(raw.line), message);
                (kind, Some(Gap { field: "apiVersion".into(), ..gap }))
            }
            Recognized::Other => return self.other(raw, name),
        };
        self.seen.push(kind);
        match kind {
            Kind::Cluster => self.read(raw, kind, other_version, |o| Object::Cluster(Box::new(o))),
            Kind::ClusterClass => self.read(raw, kind, other_version, |o| Object::ClusterClass(Box::new(o))),
            Kind::ControlPlane => self.read(raw, kind, other_version, |o: ControlPlane| {
                // In a typed list the items need not name their kind.
                Object::ControlPlane(Box::new(ControlPlane { kind: name.to_owned(), ..o }))
            }),
            Kind::MachineDeployment => self.read(raw, kind, other_version, |o| Object::MachineDeployment(Box::new(o))),
            Kind::MachinePool => self.read(raw, kind, other_version, |o| Object::MachinePool(Box::new(o))),
            Kind::Machine => self.read(raw, kind, other_version, |o| Object::Machine(Box::new(o))),
            Kind::MachineSet => self.read(raw, kind, other_version, |o| Object::MachineSet(Box::new(o))),
            Kind::MachineHealthCheck => {
                self.read(raw, kind, other_version, |o| Object::MachineHealthCheck(Box::new(o)));
            }
            Kind::HostedCluster => self.read(raw, kind, other_version, |o| Object::HostedCluster(Box::new(o))),
            Kind::HostedControlPlane => {
                self.read(raw, kind, other_version, |o| Object::HostedControlPlane(Box::new(o)));
            }
            Kind::ControlPlaneComponent => {
                self.read(raw, kind, other_version, |o| Object::ControlPlaneComponent(Box::new(o)));
            }
            Kind::NodePool => self.read(raw, kind, other_version, |o| Object::NodePool(Box::new(o))),
            Kind::ExtensionConfig => self.read(raw, kind, other_version, |o| Object::ExtensionConfig(Box::new(o))),
            Kind::Namespace => self.read(raw, kind, other_version, |o| Object::Namespace(Box::new(o))),
            Kind::PodDisruptionBudget => {
                self.read(raw, kind, other_version, |o| Object::PodDisruptionBudget(Arc::new(o)));
            }
            Kind::Node => self.read(raw, kind, other_version, |o| Object::Node(Arc::new(o))),
            Kind::Pod => self.read(raw, kind, other_version, |o| Object::Pod(Arc::new(o))),
            Kind::ClusterVersion => self.read(raw, kind, other_version, |o| Object::ClusterVersion(Box::new(o))),
            Kind::ClusterOperator => self.read(raw, kind, other_version, |o| Object::ClusterOperator(Box::new(o))),
        }
    }

    /// What does not say what it is. It may be a stranger's settings; but if it cannot be read, it may have been anything.
    fn unnamed(&mut self, raw: &RawObject<'_>) {
        let whole = raw.read::<Value>();
        if let Some(problem) = whole.problems.iter().find(|problem| problem.path.is_empty()) {
            let message = format!("what is here cannot be read: {}", problem.message);
            let place = self.at(problem.line.unwrap_or(raw.line));
            self.gaps.push(Gap::of_place(GapKind::Unreadable, place, message));
        } else if raw.api_version.is_some() || whole.value.is_some_and(|value| value.get("metadata").is_some()) {
            let gap = Gap::of_place(GapKind::Unreadable, self.at(raw.line), "there is none; the object is left out");
            self.gaps.push(Gap { field: "kind".into(), ..gap });
        }
    }

    /// An object of another kind, unless it is a list that could not be taken apart.
    fn other(&mut self, raw: &RawObject<'_>, name: &str) {
        let is_wanted =
            |of: &str| of.is_empty() || !matches!(recognize(raw.api_version.as_deref(), of), Recognized::Other);
        if name.strip_suffix("List").is_some_and(is_wanted) {
            let message = "there is no list of objects; the list is left out";
            let gap = Gap::of_place(GapKind::Unreadable, self.at(raw.line), message);
            self.gaps.push(Gap { object: name.to_owned(), field: "items".into(), ..gap });
        } else {
            self.others += 1;
        }
    }

    fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.place)
    }

    fn read<T: DeserializeOwned>(
        &mut self,
        raw: &RawObject<'_>,
        kind: Kind,
        other_version: Option<Gap>,
        wrap: impl Fn(T) -> Object,
    ) {
        let reading = raw.read::<T>();
        let object = reading.value.map(wrap);
        let has_name = object.as_ref().is_some_and(|object| !object.identity().2.is_empty());
        let told = match &object {
            Some(object) if has_name => object.told(),
            Some(_) | None => kind.name().to_owned(),
        };
        let mut gaps: Vec<Gap> = other_version.into_iter().collect();
        for problem in reading.problems {
            let place = self.at(problem.line.unwrap_or(raw.line));
            let message = format!("{}; left out", problem.message);
            gaps.push(Gap { field: problem.path, ..Gap::of_place(GapKind::Field, place, message) });
        }
        if object.is_some() && !has_name {
            let message = "there is none; the object is left out";
            let gap = Gap::of_place(GapKind::Unreadable, self.at(raw.line), message);
            gaps.push(Gap { field: "metadata.name".into(), ..gap });
        }
        let into = match kind.side() {
            Side::Workload => &mut self.gaps_of_workload,
            Side::Management | Side::Both => &mut self.gaps,
        };
        into.extend(gaps.into_iter().map(|gap| Gap { object: told.clone(), ..gap }));
        self.objects.extend(object.filter(|_| has_name).map(|object| (kind.side(), object)));
    }
}
