//! The hooks: the one list of them, with all that holds for each.
//!
//! What the messages hold is in the files of the families; this one knows no field.

use std::fmt;

use serde::{Serialize, Serializer};

/// The API group of the hooks.
pub const GROUP: &str = "hooks.runtime.cluster.x-k8s.io";

/// The version of the protocol that is spoken.
pub const VERSION: &str = "v1alpha1";

/// Group and version, as messages and handlers name them.
pub const API_VERSION: &str = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

/// A hook of Cluster API.
///
/// The messages of the topology family are not ours to speak; their names are here because an extension that serves
/// them too is a valid one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hook {
    /// Asks an extension what it serves.
    Discovery,
    /// Tells of a moment in the life of a cluster, most of which the answer can hold up.
    Lifecycle(Lifecycle),
    /// Asks for the versions that an upgrade visits.
    GenerateUpgradePlan,
    /// Asks which changes of a control plane machine can be made in place.
    CanUpdateMachine,
    /// Asks which changes of a MachineSet's machines can be made in place.
    CanUpdateMachineSet,
    /// Has a machine updated in place, and asks how far that is.
    UpdateMachine,
    /// Asks for patches of the templates of a topology.
    GeneratePatches,
    /// Asks whether a patched topology is valid.
    ValidateTopology,
    /// Asks for the variables of a ClusterClass.
    DiscoverVariables,
}

/// A moment in the life of a cluster with a topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifecycle {
    /// Before anything of the topology is created.
    BeforeClusterCreate,
    /// After the control plane was reached for the first time.
    AfterControlPlaneInitialized,
    /// Before the first step of an upgrade, once for each.
    BeforeClusterUpgrade,
    /// Before each step of the control plane.
    BeforeControlPlaneUpgrade,
    /// After each step of the control plane.
    AfterControlPlaneUpgrade,
    /// Before each step of the workers.
    BeforeWorkersUpgrade,
    /// After each step of the workers.
    AfterWorkersUpgrade,
    /// After the last step of an upgrade.
    AfterClusterUpgrade,
    /// After a deletion is asked for and before anything is deleted.
    BeforeClusterDelete,
}

/// Hooks that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// What an extension serves.
    Discovery,
    /// The life of a cluster.
    Lifecycle,
    /// The versions of an upgrade.
    UpgradePlan,
    /// Updates in place.
    InPlace,
    /// Templates and variables of a topology.
    Topology,
}

impl Hook {
    /// All of them, in the order in which they are documented.
    pub const ALL: [Self; 17] = [
        Self::Discovery,
        Self::Lifecycle(Lifecycle::BeforeClusterCreate),
        Self::Lifecycle(Lifecycle::AfterControlPlaneInitialized),
        Self::Lifecycle(Lifecycle::BeforeClusterUpgrade),
        Self::Lifecycle(Lifecycle::BeforeControlPlaneUpgrade),
        Self::Lifecycle(Lifecycle::AfterControlPlaneUpgrade),
        Self::Lifecycle(Lifecycle::BeforeWorkersUpgrade),
        Self::Lifecycle(Lifecycle::AfterWorkersUpgrade),
        Self::Lifecycle(Lifecycle::AfterClusterUpgrade),
        Self::Lifecycle(Lifecycle::BeforeClusterDelete),
        Self::GenerateUpgradePlan,
        Self::CanUpdateMachine,
        Self::CanUpdateMachineSet,
        Self::UpdateMachine,
        Self::GeneratePatches,
        Self::ValidateTopology,
        Self::DiscoverVariables,
    ];

    /// As `requestHook.hook` names it; its messages' kinds begin with it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "Discovery",
            Self::Lifecycle(hook) => hook.name(),
            Self::GenerateUpgradePlan => "GenerateUpgradePlan",
            Self::CanUpdateMachine => "CanUpdateMachine",
            Self::CanUpdateMachineSet => "CanUpdateMachineSet",
            Self::UpdateMachine => "UpdateMachine",
            Self::GeneratePatches => "GeneratePatches",
            Self::ValidateTopology => "ValidateTopology",
            Self::DiscoverVariables => "DiscoverVariables",
        }
    }

    /// The hook that a handler names with `requestHook`.
    #[must_use]
    pub fn find(api_version: &str, name: &str) -> Option<Self> {
        if api_version != API_VERSION {
            return None;
        }
        Self::ALL.into_iter().find(|hook| hook.name() == name)
    }

    /// The hook whose [`segment`](Self::segment) that is.
    #[must_use]
    pub fn of_segment(segment: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hook| hook.segment() == segment)
    }

    /// Its part of a path: the name in lower case.
    #[must_use]
    pub fn segment(self) -> String {
        self.name().to_ascii_lowercase()
    }

    /// Where a handler of it is asked, without the query; `handler` is its name as discovery told it. Discovery is
    /// asked before there are names, and has none in its path.
    #[must_use]
    pub fn path(self, handler: &str) -> String {
        let route = format!("/{API_VERSION}/{}", self.segment());
        match self.family() {
            Family::Discovery => route,
            Family::Lifecycle | Family::UpgradePlan | Family::InPlace | Family::Topology => {
                format!("{route}/{}", handler.to_ascii_lowercase())
            }
        }
    }

    /// The family that it belongs to.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::Discovery => Family::Discovery,
            Self::Lifecycle(_) => Family::Lifecycle,
            Self::GenerateUpgradePlan => Family::UpgradePlan,
            Self::CanUpdateMachine | Self::CanUpdateMachineSet | Self::UpdateMachine => Family::InPlace,
            Self::GeneratePatches | Self::ValidateTopology | Self::DiscoverVariables => Family::Topology,
        }
    }

    /// What an answer with `retryAfterSeconds` holds up; `None` where an answer cannot ask for time.
    #[must_use]
    pub fn holds(self) -> Option<&'static str> {
        match self {
            Self::Lifecycle(hook) => hook.holds(),
            Self::UpdateMachine => Some("the end of the machine's update"),
            Self::Discovery
            | Self::GenerateUpgradePlan
            | Self::CanUpdateMachine
            | Self::CanUpdateMachineSet
            | Self::GeneratePatches
            | Self::ValidateTopology
            | Self::DiscoverVariables => None,
        }
    }

    /// Whether an answer can ask for time.
    #[must_use]
    pub fn is_retryable(self) -> bool {
        self.holds().is_some()
    }

    /// Whether Cluster API notes on the object, in `runtime.cluster.x-k8s.io/pending-hooks`, that it must still be
    /// called.
    #[must_use]
    pub fn is_noted_as_pending(self) -> bool {
        match self {
            Self::Lifecycle(hook) => hook.is_noted_as_pending(),
            Self::UpdateMachine => true,
            Self::Discovery
            | Self::GenerateUpgradePlan
            | Self::CanUpdateMachine
            | Self::CanUpdateMachineSet
            | Self::GeneratePatches
            | Self::ValidateTopology
            | Self::DiscoverVariables => false,
        }
    }

    /// When it is called, for documents.
    #[must_use]
    pub fn when(self) -> &'static str {
        match self {
            Self::Discovery => "when an ExtensionConfig appears or changes, and every ten minutes",
            Self::Lifecycle(hook) => hook.when(),
            Self::GenerateUpgradePlan => {
                "when an upgrade begins, after each step of the control plane, and while workers lag behind"
            }
            Self::CanUpdateMachine => "before a control plane machine is replaced",
            Self::CanUpdateMachineSet => "before the machines of a MachineSet are replaced",
            Self::UpdateMachine => "while a machine is updated in place, until the answer says that it is done",
            Self::GeneratePatches => "whenever the objects of a topology are computed",
            Self::ValidateTopology => "after the patches of a topology were applied",
            Self::DiscoverVariables => "when a ClusterClass is reconciled",
        }
    }
}

impl Lifecycle {
    /// Those of an upgrade, in the order in which they are asked.
    pub const OF_UPGRADE: [Self; 6] = [
        Self::BeforeClusterUpgrade,
        Self::BeforeControlPlaneUpgrade,
        Self::AfterControlPlaneUpgrade,
        Self::BeforeWorkersUpgrade,
        Self::AfterWorkersUpgrade,
        Self::AfterClusterUpgrade,
    ];

    /// As [`Hook::name`].
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BeforeClusterCreate => "BeforeClusterCreate",
            Self::AfterControlPlaneInitialized => "AfterControlPlaneInitialized",
            Self::BeforeClusterUpgrade => "BeforeClusterUpgrade",
            Self::BeforeControlPlaneUpgrade => "BeforeControlPlaneUpgrade",
            Self::AfterControlPlaneUpgrade => "AfterControlPlaneUpgrade",
            Self::BeforeWorkersUpgrade => "BeforeWorkersUpgrade",
            Self::AfterWorkersUpgrade => "AfterWorkersUpgrade",
            Self::AfterClusterUpgrade => "AfterClusterUpgrade",
            Self::BeforeClusterDelete => "BeforeClusterDelete",
        }
    }

    /// As [`Hook::holds`].
    #[must_use]
    pub fn holds(self) -> Option<&'static str> {
        match self {
            Self::BeforeClusterCreate => Some("the creation of the cluster"),
            Self::AfterControlPlaneInitialized => None,
            Self::BeforeClusterUpgrade => Some("the start of the upgrade"),
            Self::BeforeControlPlaneUpgrade => Some("the step of the control plane"),
            Self::AfterControlPlaneUpgrade => Some("the next step of the control plane, and the workers"),
            Self::BeforeWorkersUpgrade => Some("the step of the workers, and the control plane"),
            Self::AfterWorkersUpgrade => Some("the next step of the control plane"),
            Self::AfterClusterUpgrade => Some("the next change of the target"),
            Self::BeforeClusterDelete => Some("the deletion of the cluster"),
        }
    }

    /// As [`Hook::is_noted_as_pending`].
    #[must_use]
    pub fn is_noted_as_pending(self) -> bool {
        match self {
            Self::AfterControlPlaneInitialized
            | Self::AfterControlPlaneUpgrade
            | Self::BeforeWorkersUpgrade
            | Self::AfterWorkersUpgrade
            | Self::AfterClusterUpgrade => true,
            Self::BeforeClusterCreate
            | Self::BeforeClusterUpgrade
            | Self::BeforeControlPlaneUpgrade
            | Self::BeforeClusterDelete => false,
        }
    }

    /// As [`Hook::when`].
    #[must_use]
    pub fn when(self) -> &'static str {
        match self {
            Self::BeforeClusterCreate => "before anything of the topology is created",
            Self::AfterControlPlaneInitialized => "when the control plane was reached for the first time",
            Self::BeforeClusterUpgrade => "once for each upgrade, before its first step",
            Self::BeforeControlPlaneUpgrade => "before each step of the control plane",
            Self::AfterControlPlaneUpgrade => "after each step of the control plane",
            Self::BeforeWorkersUpgrade => "before each step of the workers",
            Self::AfterWorkersUpgrade => "after each step of the workers",
            Self::AfterClusterUpgrade => "after the last step of an upgrade",
            Self::BeforeClusterDelete => "when a deletion was asked for, before anything is deleted",
        }
    }
}

impl From<Lifecycle> for Hook {
    fn from(hook: Lifecycle) -> Self {
        Self::Lifecycle(hook)
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Lifecycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discovery => "discovery",
            Self::Lifecycle => "lifecycle",
            Self::UpgradePlan => "upgrade plan",
            Self::InPlace => "in-place update",
            Self::Topology => "topology",
        })
    }
}

impl Serialize for Hook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
