//! What keeps a plan from being made: one variant a rule, with the place and the value.
//!
//! C1 to C5, W1 to W6 are the rules of chained-upgrades.md, 2.5; C6, W7 to W10 and X1 are those that its bug rows ask
//! for; the others are ours. Places count from 0, as in a path to a field.
//!
//! Long because it is a flat list: the rules, their texts and their values.

use std::fmt;

use headway_api::plan::{PlanSource, WorkerGroup};
use headway_api::quoted::Quoted;

use crate::version::{KubeVersion, MAX_MINORS_BEHIND, Minor, Skew, VersionError};

/// The id of a rule. It never changes its meaning: documents, tests and scripts speak of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The target is a version.
    V1,
    /// The control plane's version is one.
    V2,
    /// The version of each group of workers is one, and so is what it is pinned to.
    V3,
    /// Without a list and an extension, one minor at a time.
    S1,
    /// Each entry of a list, as far as it is read, is a version.
    L1,
    /// An extension answers with canonical versions only.
    X1,
    /// An extension can be called.
    X2,
    /// The gate for extensions is on.
    X3,
    /// An extension's answer has bounds.
    X4,
    /// Each entry for the control plane is a version.
    C1,
    /// Each is newer than what comes before.
    C2,
    /// None skips a minor.
    C3,
    /// The last one is the target.
    C4,
    /// There is none when the control plane is at the target.
    C5,
    /// None changes the major.
    C6,
    /// Each entry for the workers is a version of the control plane's way.
    W1,
    /// Each entry for the workers is a version, and newer than what comes before.
    W3,
    /// No step of the workers is wider than the skew that is allowed.
    W4,
    /// The last one is the target.
    W5,
    /// There is none when nothing is left to move.
    W6,
    /// Where workers must stop on the way, a version is known.
    W7,
    /// No workers are ahead.
    W8,
    /// No workers change the major.
    W9,
    /// When the control plane is at the target, the workers go nowhere else.
    W10,
    /// No step leaves a pinned group too far behind.
    W11,
}

/// Which of two lists an entry stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// The versions of the control plane.
    ControlPlane,
    /// The versions of the workers.
    Workers,
}

/// Why there is no plan. The texts are for users; `Display` leaves the cause to whoever prints the chain.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Rule V1.
    #[error("the target {} is not a version (rule V1)", Quoted(value))]
    Target {
        /// What was given.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule V2.
    #[error("the version of the control plane, {}, is not a version (rule V2)", Quoted(value))]
    ControlPlaneVersion {
        /// What was found.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule V3.
    #[error("the version of {group}, {}, is not a version (rule V3)", Quoted(value))]
    GroupVersion {
        /// The group.
        group: WorkerGroup,
        /// What was found.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule S1.
    #[error(
        "cannot go from {from} to {to} without knowing {} between them: give a version list or an extension (rule S1)",
        between(*from, to.minor())
    )]
    OneMinor {
        /// Where the control plane is.
        from: Minor,
        /// The target.
        to: KubeVersion,
    },
    /// Rule L1.
    #[error("entry [{index}] of {origin}, {}, is not a version (rule L1)", Quoted(value))]
    ListEntry {
        /// Whose list it is.
        origin: PlanSource,
        /// Its place.
        index: usize,
        /// What stands there.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule X1.
    #[error("{lane} [{index}] of the extension's answer, {}, is not written as v1.33.0 is (rule X1)", Quoted(value))]
    NotCanonical {
        /// Which list.
        lane: Lane,
        /// Its place.
        index: usize,
        /// What stands there.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule X2.
    #[error("no plan from extension {name}: {} (rule X2)", Quoted(reason))]
    ExtensionFailed {
        /// Its full name.
        name: String,
        /// What the call came to.
        reason: String,
    },
    /// Rule X3.
    #[error("extension {name} is to plan, and the RuntimeSDK gate is off (rule X3)")]
    GateOff {
        /// Its full name.
        name: String,
    },
    /// Rule X4.
    #[error("{lane} of the extension's answer has {length} entries, more than {limit} (rule X4)")]
    TooManyEntries {
        /// Which list.
        lane: Lane,
        /// How many there are.
        length: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Rule C1.
    #[error("control plane [{index}], {}, is not a version (rule C1)", Quoted(value))]
    ControlPlaneEntry {
        /// Its place.
        index: usize,
        /// What stands there.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule C2.
    #[error("control plane [{index}], {value}, must be newer than {previous} (rule C2)")]
    NotNewer {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What it is not newer than: an entry before it, or where the control plane is.
        previous: KubeVersion,
    },
    /// Rule C3.
    #[error(
        "control plane [{index}], {value}, cannot follow {previous}: no version of {} comes between (rule C3)",
        between(previous.minor(), value.minor())
    )]
    SkipsMinor {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before.
        previous: KubeVersion,
    },
    /// Rule C4.
    #[error("the control plane would end at {end} and not at the target {target} (rule C4)")]
    EndsElsewhere {
        /// Where it would end.
        end: KubeVersion,
        /// The target.
        target: KubeVersion,
    },
    /// Rule C5.
    #[error("the control plane is at the target {target} and yet is to take {} (rule C5)", Quoted(value))]
    AlreadyThere {
        /// The target.
        target: KubeVersion,
        /// The first entry.
        value: String,
    },
    /// Rule C6.
    #[error("control plane [{index}], {value}, changes the major of {previous} (rule C6)")]
    ChangesMajor {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before.
        previous: KubeVersion,
    },
    /// Rule W1.
    #[error(
        "the control plane is never at these versions, which workers are to take: {} (rule W1)",
        strangers(entries)
    )]
    Strangers {
        /// Their places and texts; never empty.
        entries: Vec<(usize, String)>,
    },
    /// Rule W3: the entry is not a version.
    #[error("workers [{index}], {}, is not a version (rule W3)", Quoted(value))]
    WorkersEntry {
        /// Its place.
        index: usize,
        /// What stands there.
        value: String,
        /// What is wrong with it.
        #[source]
        cause: VersionError,
    },
    /// Rule W3: the entry is not newer.
    #[error("workers [{index}], {value}, must be newer than {previous} (rule W3)")]
    WorkersNotNewer {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before, or where the workers are.
        previous: KubeVersion,
    },
    /// Rule W3: by the order of the control plane, the entry comes before what it follows.
    #[error("workers [{index}], {value}, follows {previous}, which the control plane takes later (rule W3)")]
    WorkersBackwards {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before, or where the workers are.
        previous: KubeVersion,
    },
    /// Rule W3: nothing tells which of two is newer.
    #[error(
        "workers [{index}], {value}: cannot determine its order to {previous}, as their builds have none and the control plane's way does not name both (rule W3)"
    )]
    WorkersUnordered {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before, or where the workers are.
        previous: KubeVersion,
    },
    /// Rule W4.
    #[error(
        "workers [{index}], {value}, is {} minors after {previous}, and {MAX_MINORS_BEHIND} are allowed (rule W4)",
        value.minor().minor.saturating_sub(previous.minor().minor)
    )]
    WorkersTooWide {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before, or where the workers are.
        previous: KubeVersion,
    },
    /// Rule W5.
    #[error("the workers would end at {end} and not at the target {target} (rule W5)")]
    WorkersEndElsewhere {
        /// Where they would end.
        end: KubeVersion,
        /// The target.
        target: KubeVersion,
    },
    /// Rule W6.
    #[error("no workers are left to move, and yet they are to take {} (rule W6)", Quoted(value))]
    NoWorkersToMove {
        /// The first entry.
        value: String,
    },
    /// Rule W7.
    #[error(
        "{group} at {value} must stop at {minor} on its way, and no version is known for it: the control plane is past it (rule W7)"
    )]
    NoVersionKnown {
        /// The group.
        group: WorkerGroup,
        /// Where it is.
        value: KubeVersion,
        /// Where it must stop.
        minor: Minor,
    },
    /// Rule W8: ahead of the control plane.
    #[error("{group} at {value} is ahead of the control plane at {control_plane} (rule W8)")]
    WorkersAhead {
        /// The group.
        group: WorkerGroup,
        /// Where it is, or what it is pinned to.
        value: KubeVersion,
        /// Where the control plane is.
        control_plane: KubeVersion,
    },
    /// Rule W8: ahead of the target.
    #[error("{group} at {value} is newer than the target {target}, and workers never go back (rule W8)")]
    WorkersBeyond {
        /// The group.
        group: WorkerGroup,
        /// Where it is.
        value: KubeVersion,
        /// The target.
        target: KubeVersion,
    },
    /// Rule W9: a group is of another major.
    #[error("{group} at {value} has another major than the control plane at {control_plane} (rule W9)")]
    WorkersOfOtherMajor {
        /// The group.
        group: WorkerGroup,
        /// Where it is, or what it is pinned to.
        value: KubeVersion,
        /// Where the control plane is.
        control_plane: KubeVersion,
    },
    /// Rule W9: an entry changes the major.
    #[error("workers [{index}], {value}, changes the major of {previous} (rule W9)")]
    WorkersChangeMajor {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// What comes before, or where the workers are.
        previous: KubeVersion,
    },
    /// Rule W10.
    #[error("workers [{index}], {value}, must be {control_plane}, where the control plane is and stays (rule W10)")]
    WorkersElsewhere {
        /// Its place.
        index: usize,
        /// What stands there.
        value: KubeVersion,
        /// Where the control plane is.
        control_plane: KubeVersion,
    },
    /// Rule W11.
    #[error(
        "{group} stays at {value}, to which it is pinned, and does not fit the control plane at {control_plane}: raise or remove the pin (rule W11)"
    )]
    PinnedTooFarBehind {
        /// The group; boxed to keep a `Result` with this error small.
        group: Box<WorkerGroup>,
        /// The version that stays.
        value: KubeVersion,
        /// What the control plane is at, or would take.
        control_plane: KubeVersion,
        /// Which step of the control plane that is; absent when it is there already.
        index: Option<usize>,
        /// How the two stand.
        #[source]
        cause: Skew,
    },
}

impl PlanError {
    /// The rule that is broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self {
            Self::Target { .. } => Rule::V1,
            Self::ControlPlaneVersion { .. } => Rule::V2,
            Self::GroupVersion { .. } => Rule::V3,
            Self::OneMinor { .. } => Rule::S1,
            Self::ListEntry { .. } => Rule::L1,
            Self::NotCanonical { .. } => Rule::X1,
            Self::ExtensionFailed { .. } => Rule::X2,
            Self::GateOff { .. } => Rule::X3,
            Self::TooManyEntries { .. } => Rule::X4,
            Self::ControlPlaneEntry { .. } => Rule::C1,
            Self::NotNewer { .. } => Rule::C2,
            Self::SkipsMinor { .. } => Rule::C3,
            Self::EndsElsewhere { .. } => Rule::C4,
            Self::AlreadyThere { .. } => Rule::C5,
            Self::ChangesMajor { .. } => Rule::C6,
            Self::Strangers { .. } => Rule::W1,
            Self::WorkersEntry { .. }
            | Self::WorkersNotNewer { .. }
            | Self::WorkersBackwards { .. }
            | Self::WorkersUnordered { .. } => Rule::W3,
            Self::WorkersTooWide { .. } => Rule::W4,
            Self::WorkersEndElsewhere { .. } => Rule::W5,
            Self::NoWorkersToMove { .. } => Rule::W6,
            Self::NoVersionKnown { .. } => Rule::W7,
            Self::WorkersAhead { .. } | Self::WorkersBeyond { .. } => Rule::W8,
            Self::WorkersOfOtherMajor { .. } | Self::WorkersChangeMajor { .. } => Rule::W9,
            Self::WorkersElsewhere { .. } => Rule::W10,
            Self::PinnedTooFarBehind { .. } => Rule::W11,
        }
    }

    /// The place in the list that the rule speaks of, from 0; absent when it speaks of no entry.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::ListEntry { index, .. }
            | Self::NotCanonical { index, .. }
            | Self::ControlPlaneEntry { index, .. }
            | Self::NotNewer { index, .. }
            | Self::SkipsMinor { index, .. }
            | Self::ChangesMajor { index, .. }
            | Self::WorkersEntry { index, .. }
            | Self::WorkersNotNewer { index, .. }
            | Self::WorkersBackwards { index, .. }
            | Self::WorkersUnordered { index, .. }
            | Self::WorkersTooWide { index, .. }
            | Self::WorkersChangeMajor { index, .. }
            | Self::WorkersElsewhere { index, .. } => Some(*index),
            Self::Strangers { entries } => entries.first().map(|(index, _)| *index),
            Self::PinnedTooFarBehind { index, .. } => *index,
            Self::AlreadyThere { .. } | Self::NoWorkersToMove { .. } => Some(0),
            Self::Target { .. }
            | Self::ControlPlaneVersion { .. }
            | Self::GroupVersion { .. }
            | Self::OneMinor { .. }
            | Self::ExtensionFailed { .. }
            | Self::GateOff { .. }
            | Self::TooManyEntries { .. }
            | Self::EndsElsewhere { .. }
            | Self::WorkersEndElsewhere { .. }
            | Self::NoVersionKnown { .. }
            | Self::WorkersAhead { .. }
            | Self::WorkersBeyond { .. }
            | Self::WorkersOfOtherMajor { .. } => None,
        }
    }

    /// The value that breaks the rule, as it was given; absent where it is not a value that is wrong.
    #[must_use]
    pub fn value(&self) -> Option<String> {
        match self {
            Self::Target { value, .. }
            | Self::ControlPlaneVersion { value, .. }
            | Self::GroupVersion { value, .. }
            | Self::ListEntry { value, .. }
            | Self::NotCanonical { value, .. }
            | Self::ControlPlaneEntry { value, .. }
            | Self::AlreadyThere { value, .. }
            | Self::WorkersEntry { value, .. }
            | Self::NoWorkersToMove { value } => Some(value.clone()),
            Self::OneMinor { to: value, .. }
            | Self::NotNewer { value, .. }
            | Self::SkipsMinor { value, .. }
            | Self::EndsElsewhere { end: value, .. }
            | Self::ChangesMajor { value, .. }
            | Self::WorkersNotNewer { value, .. }
            | Self::WorkersBackwards { value, .. }
            | Self::WorkersUnordered { value, .. }
            | Self::WorkersTooWide { value, .. }
            | Self::WorkersEndElsewhere { end: value, .. }
            | Self::NoVersionKnown { value, .. }
            | Self::WorkersAhead { value, .. }
            | Self::WorkersBeyond { value, .. }
            | Self::WorkersOfOtherMajor { value, .. }
            | Self::WorkersChangeMajor { value, .. }
            | Self::WorkersElsewhere { value, .. }
            | Self::PinnedTooFarBehind { value, .. } => Some(value.to_string()),
            Self::Strangers { entries } => entries.first().map(|(_, value)| value.clone()),
            Self::TooManyEntries { length, .. } => Some(length.to_string()),
            Self::ExtensionFailed { .. } | Self::GateOff { .. } => None,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1 => "V1",
            Self::V2 => "V2",
            Self::V3 => "V3",
            Self::S1 => "S1",
            Self::L1 => "L1",
            Self::X1 => "X1",
            Self::X2 => "X2",
            Self::X3 => "X3",
            Self::X4 => "X4",
            Self::C1 => "C1",
            Self::C2 => "C2",
            Self::C3 => "C3",
            Self::C4 => "C4",
            Self::C5 => "C5",
            Self::C6 => "C6",
            Self::W1 => "W1",
            Self::W3 => "W3",
            Self::W4 => "W4",
            Self::W5 => "W5",
            Self::W6 => "W6",
            Self::W7 => "W7",
            Self::W8 => "W8",
            Self::W9 => "W9",
            Self::W10 => "W10",
            Self::W11 => "W11",
        })
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ControlPlane => "controlPlaneUpgrades",
            Self::Workers => "workersUpgrades",
        })
    }
}

/// The minors that lie between two, as people tell them.
fn between(earlier: Minor, later: Minor) -> String {
    let first = Minor { minor: earlier.minor.saturating_add(1), ..earlier };
    let last = Minor { minor: later.minor.saturating_sub(1), ..later };
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

/// The first few of them.
fn strangers(entries: &[(usize, String)]) -> String {
    const TOLD: usize = 5;
    let told: Vec<String> =
        entries.iter().take(TOLD).map(|(index, value)| format!("workers [{index}] {}", Quoted(value))).collect();
    let more = if entries.len() > TOLD { format!(" and {} more", entries.len() - TOLD) } else { String::new() };
    told.join(", ") + &more
}
