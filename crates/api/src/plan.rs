//! The `Plan` of an upgrade, and the `PlanReport` that says why each of its steps is there.
//!
//! Made by `core::plan` and nowhere else. How a report is laid out on a screen is left to whoever prints it; the words
//! for its reasons are here, as [`fmt::Display`].

mod reason;

use std::fmt;

use serde::Serialize;

use crate::version::KubeVersion;

pub use reason::{Change, Reason, Refused, Remark, Stay, Why};

/// The versions that a cluster takes on its way to the target, without the ones at which it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What the control plane takes, in order; the last one is the target.
    pub control_plane: Vec<KubeVersion>,
    /// What Cluster API is told for all workers together: one list, reckoned from those that are furthest behind. It
    /// takes every worker through every entry.
    pub workers: Vec<KubeVersion>,
    /// What each group of workers takes by itself. Where all groups are at one version this says the same as
    /// `workers`; elsewhere it can be fewer moves.
    pub groups: Vec<GroupMoves>,
}

impl Plan {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { control_plane, workers, groups } = self;
        control_plane.is_empty() && workers.is_empty() && groups.iter().all(|group| group.moves.is_empty())
    }
}

/// A group of workers that is upgraded as one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct WorkerGroup {
    /// What it is.
    pub kind: GroupKind,
    /// The name of the object.
    pub name: String,
}

/// What a group of workers is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum GroupKind {
    /// A MachineDeployment.
    MachineDeployment,
    /// A MachinePool.
    MachinePool,
}

/// The moves of one group. Each replaces or updates every machine of it once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupMoves {
    /// The group.
    #[serde(flatten)]
    pub group: WorkerGroup,
    /// The version at which it is.
    pub from: KubeVersion,
    /// What it takes, in order: while the control plane is at that very version.
    pub moves: Vec<KubeVersion>,
    /// Why it takes nothing; absent where it moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stays: Option<Stay>,
}

/// A plan with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct PlanReport {
    /// Who named the versions.
    pub source: PlanSource,
    /// Where the control plane is; absent when there is none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<KubeVersion>,
    /// The target.
    pub to: KubeVersion,
    /// The plan.
    pub plan: Plan,
    /// The plan in the order in which it is walked.
    pub steps: Vec<Step>,
    /// What else is to be known before it is walked.
    pub remarks: Vec<Remark>,
}

/// Who names the versions of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
pub enum PlanSource {
    /// Nobody: at most one minor at a time.
    OneMinor,
    /// A list that whoever asks brought along.
    VersionList,
    /// `spec.kubernetesVersions` of a ClusterClass.
    ClusterClass {
        /// Its name.
        name: String,
    },
    /// The plan that Cluster API made last, out of the status of the Cluster.
    ClusterStatus,
    /// A runtime extension that answers GenerateUpgradePlan.
    Extension {
        /// Its full name, `HANDLER.EXTENSIONCONFIG`.
        name: String,
    },
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Who moves.
    #[serde(flatten)]
    pub mover: Mover,
    /// From this version.
    pub from: KubeVersion,
    /// To this version.
    pub to: KubeVersion,
    /// The largest part of the version that changes.
    pub change: Change,
    /// Why the step is there.
    pub reason: Reason,
    /// Which versions could have stood there instead, and why they do not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<Refused>,
}

/// Who moves in a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "mover", rename_all_fields = "camelCase")]
pub enum Mover {
    /// The control plane.
    ControlPlane,
    /// Groups of workers that are at the same version.
    Workers {
        /// The groups, in input order.
        groups: Vec<WorkerGroup>,
    },
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MachineDeployment => "MachineDeployment",
            Self::MachinePool => "MachinePool",
        })
    }
}

/// As people name an object: `MachineDeployment/md-a`.
impl fmt::Display for WorkerGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name } = self;
        write!(f, "{kind}/{name}")
    }
}

impl fmt::Display for PlanSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OneMinor => f.write_str("one minor at a time"),
            Self::VersionList => f.write_str("the version list"),
            Self::ClusterClass { name } => write!(f, "the versions of ClusterClass/{name}"),
            Self::ClusterStatus => f.write_str("the plan in the status of the Cluster"),
            Self::Extension { name } => write!(f, "the extension {name}"),
        }
    }
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControlPlane => f.write_str("control plane"),
            Self::Workers { groups } => {
                for (at, group) in groups.iter().enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}{group}")?;
                }
                Ok(())
            }
        }
    }
}
