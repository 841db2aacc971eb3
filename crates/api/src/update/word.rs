//! The closed lists of words, and how a word of a newer writer is read.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// A word of ours, or one that only a newer writer knows.
///
/// The API server refuses words that its definition does not list, so a strange word can only be read where the
/// definition is newer than the reader. Then the rest of the object still says what it says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Word<T> {
    /// One of ours.
    Known(T),
    /// One that we do not know, as it was written.
    Newer(String),
}

impl<T> Word<T> {
    /// The word, if it is one of ours.
    #[must_use]
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(word) => Some(word),
            Self::Newer(_) => None,
        }
    }

    /// The word, if it is not one of ours.
    #[must_use]
    pub fn newer(&self) -> Option<&str> {
        match self {
            Self::Known(_) => None,
            Self::Newer(word) => Some(word),
        }
    }
}

impl<T: PartialEq> PartialEq<T> for Word<T> {
    fn eq(&self, other: &T) -> bool {
        self.known() == Some(other)
    }
}

impl<T> From<T> for Word<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

impl<T: fmt::Display> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(word) => word.fmt(f),
            Self::Newer(word) => f.write_str(word),
        }
    }
}

/// A word has the schema of its list: what is written is one of ours.
impl<T: JsonSchema> JsonSchema for Word<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        // What the list is about would take the place of what the field says.
        schema.remove("description");
        schema
    }
}

/// Declares a list of words: each is written as it is shown.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$why:meta])* $word:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$why])* #[serde(rename = $text)] $word,)+
        }

        impl $name {
            /// All words of the list.
            pub const ALL: &[Self] = &[$(Self::$word),+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$word => $text,)+ })
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The status of a condition.
    Truth {
        /// It holds.
        True = "True",
        /// It does not.
        False = "False",
        /// It cannot be told.
        Unknown = "Unknown",
    }
}

words! {
    /// Which kind of cluster is told of.
    Form {
        /// OpenShift with its own control plane nodes.
        Standalone = "Standalone",
        /// A hosted control plane, seen from its guest side or from its management cluster.
        Hosted = "Hosted",
        /// A cluster that Cluster API keeps.
        ClusterApi = "ClusterApi",
        /// Not enough was seen to tell.
        Unknown = "Unknown",
    }
}

words! {
    /// Which API server serves an object: a hosted control plane has two.
    Surface {
        /// The one that serves this object.
        Local = "Local",
        /// That of the management cluster.
        Management = "Management",
        /// That of the hosted cluster.
        Hosted = "Hosted",
        /// That of the workload cluster.
        Workload = "Workload",
    }
}

words! {
    /// Which part of the cluster is concerned.
    Scope {
        /// The control plane.
        ControlPlane = "ControlPlane",
        /// A pool of workers.
        WorkerPool = "WorkerPool",
    }
}

words! {
    /// The whole answer in one word.
    Outcome {
        /// Nothing is being updated.
        NotUpdating = "NotUpdating",
        /// An update runs and nothing needs attention.
        Updating = "Updating",
        /// An update runs, or is not finished, and something needs attention.
        NeedsAttention = "NeedsAttention",
        /// An update is stalled or failing.
        Failing = "Failing",
        /// What was observed is not enough to tell.
        CannotTell = "CannotTell",
    }
}

words! {
    /// Whether anything is being updated.
    Activity {
        /// The control plane is at its version and so are the nodes.
        NotUpdating = "NotUpdating",
        /// The control plane or a pool is on its way, or waits to be.
        Updating = "Updating",
        /// What was observed is not enough to tell.
        Unknown = "Unknown",
    }
}

words! {
    /// Where the moment of judging comes from.
    ClockSource {
        /// Somebody said it.
        Given = "Given",
        /// The cluster is looked at as it is.
        Now = "Now",
        /// The recording says when it was made.
        Recording = "Recording",
        /// The newest transition of ClusterVersion and ClusterOperators.
        Transitions = "Transitions",
        /// A newer event of a node, a pool or an alert.
        Events = "Events",
        /// The newest condition of any object of a management cluster.
        Conditions = "Conditions",
        /// Nothing had a time; no age means anything.
        Nothing = "Nothing",
    }
}

words! {
    /// Which kind of change an update is.
    Change {
        /// To another version.
        Version = "Version",
        /// A first installation.
        Installation = "Installation",
        /// To the multi-architecture payload of the same version.
        MultiArchitecture = "MultiArchitecture",
        /// To another image of the same version.
        Image = "Image",
    }
}

words! {
    /// What is worth knowing about a version.
    VersionKey {
        /// The target of a first installation; has no value.
        Installation = "Installation",
        /// A version that was never reached whole; has no value.
        Partial = "Partial",
        /// The architecture, where it is not a single one.
        Architecture = "Architecture",
    }
}

words! {
    /// Whether an estimate means anything.
    EstimateState {
        /// It does.
        Known = "Known",
        /// The update is over it by more than ten minutes.
        Overdue = "Overdue",
        /// A migration to the multi-architecture payload has no estimate.
        NotForMultiArchitecture = "NotForMultiArchitecture",
    }
}

words! {
    /// What the parts are that a control plane's update is measured by, where they are not operators.
    Counted {
        /// The machines that the step under way moves.
        Machines = "Machines",
        /// The components of a hosted control plane, and the operators of its guest where they are seen.
        Components = "Components",
    }
}

words! {
    /// Which nodes a number counts; a node may be in several.
    CountOf {
        /// All nodes.
        Total = "Total",
        /// As many as there are to be; only where that may differ from those that there are, as it does while machines
        /// are replaced.
        Desired = "Desired",
        /// In service; not those that are being emptied or restart.
        Available = "Available",
        /// On the way and not degraded.
        Progressing = "Progressing",
        /// Not at the target.
        Outdated = "Outdated",
        /// Being emptied of pods.
        Draining = "Draining",
        /// Held back because the pool is paused.
        Excluded = "Excluded",
        /// Cannot be given their configuration.
        Degraded = "Degraded",
        /// Whose version cannot be told.
        VersionUnknown = "VersionUnknown",
    }
}

words! {
    /// Where a node is on the way.
    Phase {
        /// It waits for its turn.
        Pending = "Pending",
        /// It is being emptied of pods.
        Draining = "Draining",
        /// Its files and its operating system are being changed.
        Updating = "Updating",
        /// It restarts.
        Rebooting = "Rebooting",
        /// Its machine is being made.
        Provisioning = "Provisioning",
        /// Its machine is being taken away.
        Deleting = "Deleting",
        /// Its pool is paused.
        Paused = "Paused",
        /// It is at the target.
        Completed = "Completed",
        /// It cannot be told.
        Unknown = "Unknown",
    }
}

words! {
    /// What the members of a group are.
    UnitKind {
        /// Nodes.
        Node = "Node",
        /// Machines of Cluster API.
        Machine = "Machine",
    }
}

words! {
    /// How bad an insight is.
    Level {
        /// It cannot be told.
        Unknown = "Unknown",
        /// For information.
        Info = "Info",
        /// Minor or passing; nothing needs to be done yet.
        Warning = "Warning",
        /// An administrator has to look.
        Error = "Error",
        /// Data or the cluster are at risk.
        Critical = "Critical",
    }
}

words! {
    /// What an insight means for the update or the cluster.
    Impact {
        /// Nothing.
        None = "None",
        /// It cannot be told.
        Unknown = "Unknown",
        /// The API or what it controls may not answer.
        ApiAvailability = "API Availability",
        /// There is less room for pods than there should be.
        ClusterCapacity = "Cluster Capacity",
        /// An application may not answer.
        ApplicationAvailability = "Application Availability",
        /// An application does not answer.
        ApplicationOutage = "Application Outage",
        /// Data may be lost.
        DataLoss = "Data Loss",
        /// The update goes slower than it should.
        UpdateSpeed = "Update Speed",
        /// The update does not go on without help.
        UpdateStalled = "Update Stalled",
    }
}

words! {
    /// What an insight is about.
    InsightType {
        /// The ClusterVersion.
        ClusterVersion = "ClusterVersion",
        /// A HostedCluster of HyperShift.
        HostedCluster = "HostedCluster",
        /// A Cluster of Cluster API.
        Cluster = "Cluster",
        /// A cluster operator.
        ClusterOperator = "ClusterOperator",
        /// A part of a control plane that is no cluster operator.
        ControlPlaneComponent = "ControlPlaneComponent",
        /// A pool of nodes.
        MachineConfigPool = "MachineConfigPool",
        /// The machines of a control plane of Cluster API, whoever provides it.
        ControlPlane = "ControlPlane",
        /// A NodePool of HyperShift.
        NodePool = "NodePool",
        /// A MachineDeployment of Cluster API.
        MachineDeployment = "MachineDeployment",
        /// A MachinePool of Cluster API.
        MachinePool = "MachinePool",
        /// A node.
        Node = "Node",
        /// A machine of Cluster API, which has a node for a part of its life.
        Machine = "Machine",
        /// The health of the update.
        Health = "Health",
    }
}

words! {
    /// How well an informer sees.
    InformerState {
        /// It has not listed everything yet.
        Starting = "Starting",
        /// It sees every change.
        Synced = "Synced",
        /// It has been silent for a while.
        Lagging = "Lagging",
        /// It has been silent for so long that what it said may be wrong by now.
        Stale = "Stale",
        /// It cannot see anything: the kind is not served, or may not be read.
        Refused = "Refused",
        /// It has nothing to do.
        Idle = "Idle",
    }
}

words! {
    /// What kind of thing was not observed.
    GapKind {
        /// A kind that the status rests on was not found at all.
        Missing = "Missing",
        /// An object could not be read.
        Unreadable = "Unreadable",
        /// Something was refused: too large, or with a name that leads elsewhere.
        Refused = "Refused",
        /// A field had a wrong type and was left out.
        Field = "Field",
        /// The same object was found more than once.
        Duplicate = "Duplicate",
        /// A kind that only some rules need was not found.
        Optional = "Optional",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn us_s56_words_of_a_newer_writer_are_kept() {
        let check = |json: &str, expect: Word<Phase>| {
            let read: Word<Phase> = serde_json::from_str(json).expect("any text is a word");
            assert_eq!(read, expect);
            assert_eq!(serde_json::to_string(&read).expect("words are texts"), json);
        };
        check(r#""Draining""#, Phase::Draining.into());
        check(r#""Hibernating""#, Word::Newer("Hibernating".into()));
        check(r#""draining""#, Word::Newer("draining".into()));
        assert!(serde_json::from_str::<Word<Phase>>("3").is_err(), "a number is no word");
    }

    #[test]
    fn words_are_shown_as_they_are_written() {
        for level in Level::ALL {
            assert_eq!(serde_json::to_value(level).expect("a text"), level.to_string());
        }
        assert_eq!(Impact::ApiAvailability.to_string(), "API Availability");
    }
}
