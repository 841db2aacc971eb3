//! Why a step is there, why another version is not, and what keeps a group where it is.

use std::fmt;

use serde::Serialize;

use super::WorkerGroup;
use crate::version::{KubeVersion, Minor};

/// The largest part of a version that a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Change {
    /// The minor.
    Minor,
    /// The patch.
    Patch,
    /// The pre-release, or what a distribution writes in its place.
    PreRelease,
    /// The build alone, such as the revision of a distribution.
    Build,
}

/// Why a step is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all_fields = "camelCase")]
pub enum Reason {
    /// It is where everything is to end.
    Target,
    /// A control plane visits every minor, and this is the last version that the list has for this one.
    EveryMinor {
        /// The minor.
        minor: Minor,
    },
    /// The extension answered so.
    Answered,
    /// It has begun.
    Begun,
    /// Cluster API takes all workers through one list, and others need this stop.
    OneList,
    /// The control plane cannot go on before: the workers would be too far behind.
    WithinSkew {
        /// What the control plane takes next.
        next: KubeVersion,
        /// How many minors the workers would be behind it.
        behind: u64,
    },
}

/// A version that could have stood in a step's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refused {
    /// The version.
    pub version: KubeVersion,
    /// Why it does not.
    #[serde(flatten)]
    pub why: Why,
}

/// Why a version does not stand in a step's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all_fields = "camelCase")]
pub enum Why {
    /// The list has a later version of the same minor.
    Superseded,
    /// The control plane is at this minor already, and the target is in a later one.
    OwnMinor,
    /// The list has it behind a later minor.
    OutOfOrder,
    /// It is newer than the target.
    BeyondTarget,
    /// Workers that wait longer move less often, and at this version of the control plane they still may.
    NotNeededYet {
        /// How many minors they are behind it.
        behind: u64,
    },
    /// Workers that wait until then are too far behind.
    TooLate {
        /// How many minors they would be behind it.
        behind: u64,
    },
}

/// Why a group of workers takes no step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "because", rename_all_fields = "camelCase")]
pub enum Stay {
    /// It is at the target.
    AtTarget,
    /// Somebody pinned it to a version.
    Pinned {
        /// The version.
        version: KubeVersion,
    },
    /// It is being deleted, or belongs to the cluster's topology no more.
    Leaving,
}

/// What is to be known before a plan is walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
pub enum Remark {
    /// A group that leaves must be gone before the control plane takes a version.
    GoneBefore {
        /// The group.
        group: WorkerGroup,
        /// The version that would leave it too far behind.
        version: KubeVersion,
    },
    /// A group that leaves is no fit for the control plane as it is.
    UnfitNow {
        /// The group.
        group: WorkerGroup,
        /// At this version.
        version: KubeVersion,
    },
    /// A group has a later patch than the control plane, which is allowed and rarely meant.
    LaterPatch {
        /// The group.
        group: WorkerGroup,
        /// Its version.
        version: KubeVersion,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minor => "minor",
            Self::Patch => "patch",
            Self::PreRelease => "pre-release",
            Self::Build => "build",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Target => f.write_str("the target"),
            Self::EveryMinor { minor } => {
                write!(f, "every minor is visited, and this is the last version listed for {minor}")
            }
            Self::Answered => f.write_str("the extension answered so"),
            Self::Begun => f.write_str("under way"),
            Self::OneList => f.write_str("other workers need this stop, and Cluster API has one list for all"),
            Self::WithinSkew { next, behind } => {
                write!(f, "the workers would be {behind} minors behind when the control plane takes {next}")
            }
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Superseded => f.write_str("the list has a later version of the same minor"),
            Self::OwnMinor => {
                f.write_str("the control plane is at this minor already, and the target is in a later one")
            }
            Self::OutOfOrder => f.write_str("the list has it behind a later minor"),
            Self::BeyondTarget => f.write_str("it is newer than the target"),
            Self::NotNeededYet { behind } => {
                write!(f, "not needed yet: the workers are {behind} {} behind it", minors(*behind))
            }
            Self::TooLate { behind } => write!(f, "too late: the workers would be {behind} minors behind it"),
        }
    }
}

impl fmt::Display for Stay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtTarget => f.write_str("at the target"),
            Self::Pinned { version } => write!(f, "pinned to {version}"),
            Self::Leaving => f.write_str("being deleted"),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoneBefore { group, version } => {
                write!(f, "{group} is being deleted and must be gone before the control plane takes {version}")
            }
            Self::UnfitNow { group, version } => {
                write!(f, "{group} at {version} is being deleted, and does not fit the control plane as it is")
            }
            Self::LaterPatch { group, version } => {
                write!(f, "{group} at {version} has a later patch than the control plane")
            }
        }
    }
}

fn minors(count: u64) -> &'static str {
    if count == 1 { "minor" } else { "minors" }
}
