//! What was decided.

use std::fmt;

use headway_api::hooks::{LifecycleCall, StepAhead, StepBehind, UpgradeStep};
use headway_api::plan::WorkerGroup;
use jiff::Timestamp;

use super::intent::Intents;
use super::waiting::Wait;
use crate::version::KubeVersion;

/// What to do now, and what is waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// What to do, in this order, and nothing after one that fails. Then it is decided anew.
    pub effects: Vec<Effect>,
    /// What is waited for.
    pub waiting_on: Vec<Wait>,
    /// The calls whose answers this rests on.
    pub rests_on: Vec<LifecycleCall>,
    /// When to decide anew though nothing changes.
    pub next: Option<Timestamp>,
}

/// One thing to do. Each says what it expects to find: where that is not so, nothing is to be changed, and where it is
/// done already, that is success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Store what is to be asked.
    Record {
        /// What is stored now.
        before: Intents,
        /// What is to be stored.
        after: Intents,
    },
    /// Ask a hook, and hand in what was said.
    Ask(LifecycleCall),
    /// Write `spec.version` of the control plane.
    MoveControlPlane {
        /// The version that it has.
        from: KubeVersion,
        /// The version that it is to have.
        to: KubeVersion,
    },
    /// Write `spec.template.spec.version` of a group of workers.
    MoveGroup {
        /// Which.
        group: WorkerGroup,
        /// The version that it has.
        from: KubeVersion,
        /// The version that it is to have.
        to: KubeVersion,
    },
}

impl Decision {
    /// Whether all is done: there is nothing to do and nothing to wait for.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.effects.is_empty() && self.waiting_on.is_empty()
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { before: _, after } => write!(f, "still to be asked: {after}"),
            Self::Ask(call) => write!(f, "ask {}", Told(call)),
            Self::MoveControlPlane { from, to } => write!(f, "control plane from {from} to {to}"),
            Self::MoveGroup { group, from, to } => write!(f, "{group} from {from} to {to}"),
        }
    }
}

/// A call in one line: the hook, the versions that it is about, and what is left of the plan.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a>(pub &'a LifecycleCall);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(call) = self;
        let list = |steps: &[UpgradeStep]| steps.iter().map(|step| step.version.as_str()).collect::<Vec<_>>().join(" ");
        let hook = call.hook();
        match call {
            LifecycleCall::BeforeClusterCreate
            | LifecycleCall::AfterControlPlaneInitialized
            | LifecycleCall::BeforeClusterDelete => write!(f, "{hook}"),
            LifecycleCall::BeforeClusterUpgrade(step)
            | LifecycleCall::BeforeControlPlaneUpgrade(step)
            | LifecycleCall::BeforeWorkersUpgrade(step) => {
                let StepAhead {
                    from_kubernetes_version,
                    to_kubernetes_version,
                    control_plane_upgrades,
                    workers_upgrades,
                } = step;
                let (ahead, workers) = (list(control_plane_upgrades), list(workers_upgrades));
                write!(
                    f,
                    "{hook} {from_kubernetes_version} -> {to_kubernetes_version}, left [{ahead}] workers [{workers}]"
                )
            }
            LifecycleCall::AfterControlPlaneUpgrade(step) | LifecycleCall::AfterWorkersUpgrade(step) => {
                let StepBehind { kubernetes_version, control_plane_upgrades, workers_upgrades } = step;
                let (ahead, workers) = (list(control_plane_upgrades), list(workers_upgrades));
                write!(f, "{hook} {kubernetes_version}, left [{ahead}] workers [{workers}]")
            }
            LifecycleCall::AfterClusterUpgrade { kubernetes_version } => write!(f, "{hook} {kubernetes_version}"),
        }
    }
}
