//! Health insights: what is wrong, how bad it is, since when, and what to do (update-status-api.md, 3.6).

use std::fmt;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

/// One finding about the health of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Insight {
    /// Stable identity: the rule and the objects it speaks of, never the wording.
    pub uid: String,
    /// The rule that found it.
    pub rule: Rule,
    /// How bad it is.
    pub level: Level,
    /// What it does to the update or the cluster.
    pub impact: Impact,
    /// Since when it holds; `None` when the sources do not say.
    pub since: Option<Timestamp>,
    /// One line.
    pub summary: String,
    /// All that is known, possibly many lines.
    pub description: String,
    /// What to do about it; empty where the reference says it better.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub advice: String,
    /// Where to read more: a URL, or a sentence that says that there is none.
    pub reference: String,
    /// Whether it concerns the control plane or a pool of workers.
    pub scope: Scope,
    /// The objects it speaks of, at most [`Insight::MAX_RESOURCES`].
    pub resources: Vec<ResourceRef>,
    /// How many further objects it speaks of.
    #[serde(skip_serializing_if = "is_zero")]
    pub resources_omitted: usize,
    /// When it was first seen; absent where nobody watches, as with a recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_observed_at: Option<Timestamp>,
    /// When it was last seen; absent where nobody watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_observed_at: Option<Timestamp>,
    /// How often it came, counting the first time; for a condition that flaps, how often it changed. Absent where
    /// nobody watches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u32>,
    /// Findings that have this one as their cause and are therefore not told on their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

impl Insight {
    /// How many objects an insight names before it counts the others.
    pub const MAX_RESOURCES: usize = 16;
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if hands out a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A finding that was folded into its cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Related {
    /// The rule that found it.
    pub rule: Rule,
    /// Since when it holds.
    pub since: Option<Timestamp>,
    /// Its one line.
    pub summary: String,
    /// All that is known of it.
    pub description: String,
}

/// How bad an insight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Level {
    /// For information.
    Info,
    /// Minor or passing; nothing needs to be done yet.
    Warning,
    /// An administrator has to look.
    Error,
    /// Data or the cluster are at risk.
    Critical,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Info => "Info",
            Self::Warning => "Warning",
            Self::Error => "Error",
            Self::Critical => "Critical",
        })
    }
}

/// What an insight means for the update or the cluster, in upstream's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Impact {
    /// None.
    None,
    /// Not known.
    Unknown,
    /// The API or what it controls may not answer.
    ApiAvailability,
    /// The update goes slower than it should.
    UpdateSpeed,
    /// The update does not go on without help.
    UpdateStalled,
}

impl fmt::Display for Impact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Unknown => "Unknown",
            Self::ApiAvailability => "API Availability",
            Self::UpdateSpeed => "Update Speed",
            Self::UpdateStalled => "Update Stalled",
        })
    }
}

impl Serialize for Impact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Which part of the cluster an insight concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Scope {
    /// The control plane.
    ControlPlane,
    /// A pool of workers.
    WorkerPool,
}

/// A reference to an object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceRef {
    /// The API group, empty for the core group.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The resource: the kind in lower case and plural, such as `nodes`.
    pub resource: String,
    /// The namespace, empty for cluster-scoped objects.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl ResourceRef {
    /// A cluster-scoped object.
    #[must_use]
    pub fn cluster(group: &str, resource: &str, name: &str) -> Self {
        Self::namespaced(group, resource, "", name)
    }

    /// An object in a namespace.
    #[must_use]
    pub fn namespaced(group: &str, resource: &str, namespace: &str, name: &str) -> Self {
        Self { group: group.into(), resource: resource.into(), namespace: namespace.into(), name: name.into() }
    }

    /// The resource with its group, as kubectl writes it: `clusteroperators.config.openshift.io`.
    #[must_use]
    pub fn qualified_resource(&self) -> String {
        if self.group.is_empty() { self.resource.clone() } else { format!("{}.{}", self.resource, self.group) }
    }

    /// `namespace/name`, or the name alone.
    #[must_use]
    pub fn qualified_name(&self) -> String {
        if self.namespace.is_empty() { self.name.clone() } else { format!("{}/{}", self.namespace, self.name) }
    }
}

/// The rules that find insights. The ids are part of our interface: they are never reused or renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// ClusterVersion has no `Failing` condition.
    CvFailingMissing,
    /// ClusterVersion is failing, or may be.
    CvFailing,
    /// The update before this one was never finished.
    CvPartial,
    /// ClusterVersion contradicts itself.
    CvContradict,
    /// The spec of the ClusterVersion is refused, or not yet looked at.
    CvInvalid,
    /// The release asked for was not accepted.
    CvNotAccepted,
    /// An operator is unavailable.
    CoUnavailable,
    /// An operator is degraded.
    CoDegraded,
    /// An operator takes longer than operators do.
    CoSlow,
    /// A node is out of service for no reason of the update.
    NodeUnavailable,
    /// A node cannot be given its configuration.
    NodeDegraded,
    /// A drain is held up by a budget.
    DrainBlocked,
    /// A pool with old nodes is paused.
    PoolPaused,
    /// A pool's configuration or image cannot be made.
    PoolRender,
    /// A pool was left behind after the control plane was done.
    PoolLagging,
    /// A node is matched by several custom pools.
    PoolAmbiguous,
    /// An alert is firing.
    Alert,
    /// A condition changes too often for either of its values to mean anything.
    Flapping,
    /// The update has taken far longer than it should.
    UpdateStalled,
    /// A cluster says that it is not available.
    ClusterUnavailable,
    /// A cluster fails to take its release or its topology.
    ClusterFailing,
    /// A whole cluster is paused.
    ClusterPaused,
    /// Something keeps an update from beginning or from going on.
    UpdateBlocked,
    /// There is no plan for the way to the target.
    PlanRefused,
    /// An extension answered that the update is to wait.
    HookBlocking,
    /// A component of a control plane is not available.
    ComponentUnavailable,
    /// A component of a control plane fails to be rolled out, or is not healthy.
    ComponentDegraded,
    /// A component of a control plane takes longer than components do.
    ComponentSlow,
    /// Somebody put off the update of a pool.
    PoolDeferred,
    /// A pool cannot be updated as it is asked for.
    PoolInvalid,
    /// Machines cannot be made.
    MachineNotCreated,
    /// A pool is too far from its control plane.
    VersionSkew,
    /// Machines that are not well are not replaced.
    RemediationBlocked,
    /// Certificates of a control plane expire soon.
    CertificateExpiry,
    /// Forced by annotation, as a test.
    Forced,
}

impl Rule {
    /// All rules, in the order of their ids' table in update-status-api.md, 3.6; those of hosted control planes and of Cluster API
    /// (6) before the last.
    pub const ALL: [Self; 35] = [
        Self::CvFailingMissing,
        Self::CvFailing,
        Self::CvPartial,
        Self::CvContradict,
        Self::CvInvalid,
        Self::CvNotAccepted,
        Self::CoUnavailable,
        Self::CoDegraded,
        Self::CoSlow,
        Self::NodeUnavailable,
        Self::NodeDegraded,
        Self::DrainBlocked,
        Self::PoolPaused,
        Self::PoolRender,
        Self::PoolLagging,
        Self::PoolAmbiguous,
        Self::Alert,
        Self::Flapping,
        Self::UpdateStalled,
        Self::ClusterUnavailable,
        Self::ClusterFailing,
        Self::ClusterPaused,
        Self::UpdateBlocked,
        Self::PlanRefused,
        Self::HookBlocking,
        Self::ComponentUnavailable,
        Self::ComponentDegraded,
        Self::ComponentSlow,
        Self::PoolDeferred,
        Self::PoolInvalid,
        Self::MachineNotCreated,
        Self::VersionSkew,
        Self::RemediationBlocked,
        Self::CertificateExpiry,
        Self::Forced,
    ];

    /// The rule's id.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::CvFailingMissing => "H-CV-FAILING-MISSING",
            Self::CvFailing => "H-CV-FAILING",
            Self::CvPartial => "H-CV-PARTIAL",
            Self::CvContradict => "H-CV-CONTRADICT",
            Self::CvInvalid => "H-CV-INVALID",
            Self::CvNotAccepted => "H-CV-NOT-ACCEPTED",
            Self::CoUnavailable => "H-CO-UNAVAILABLE",
            Self::CoDegraded => "H-CO-DEGRADED",
            Self::CoSlow => "H-CO-SLOW",
            Self::NodeUnavailable => "H-NODE-UNAVAILABLE",
            Self::NodeDegraded => "H-NODE-DEGRADED",
            Self::DrainBlocked => "H-DRAIN-BLOCKED",
            Self::PoolPaused => "H-POOL-PAUSED",
            Self::PoolRender => "H-POOL-RENDER",
            Self::PoolLagging => "H-POOL-LAGGING",
            Self::PoolAmbiguous => "H-POOL-AMBIGUOUS",
            Self::Alert => "H-ALERT",
            Self::Flapping => "H-FLAPPING",
            Self::UpdateStalled => "H-UPDATE-STALLED",
            Self::ClusterUnavailable => "H-CLUSTER-UNAVAILABLE",
            Self::ClusterFailing => "H-CLUSTER-FAILING",
            Self::ClusterPaused => "H-CLUSTER-PAUSED",
            Self::UpdateBlocked => "H-UPDATE-BLOCKED",
            Self::PlanRefused => "H-PLAN-REFUSED",
            Self::HookBlocking => "H-HOOK-BLOCKING",
            Self::ComponentUnavailable => "H-COMPONENT-UNAVAILABLE",
            Self::ComponentDegraded => "H-COMPONENT-DEGRADED",
            Self::ComponentSlow => "H-COMPONENT-SLOW",
            Self::PoolDeferred => "H-POOL-DEFERRED",
            Self::PoolInvalid => "H-POOL-INVALID",
            Self::MachineNotCreated => "H-MACHINE-NOT-CREATED",
            Self::VersionSkew => "H-VERSION-SKEW",
            Self::RemediationBlocked => "H-REMEDIATION-BLOCKED",
            Self::CertificateExpiry => "H-CERTIFICATE-EXPIRY",
            Self::Forced => "H-FORCED",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
