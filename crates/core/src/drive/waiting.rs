//! What is waited for, in words: who or what, since when where that is known, and what would open it.

use std::fmt;

use headway_api::hooks::Lifecycle;
use headway_api::insight::{Level, Rule};
use headway_api::plan::WorkerGroup;
use jiff::Timestamp;

use super::observed::Deferral;
use super::planned::Trouble;
use crate::assess::first_few;
use crate::version::{KubeVersion, Skew};

/// Something that is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// What.
    pub on: WaitingOn,
    /// Since when, where that is known.
    pub since: Option<Timestamp>,
    /// When it is over or looked at again, where a time says so.
    pub until: Option<Timestamp>,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitingOn {
    /// Somebody paused it.
    Paused {
        /// What says so.
        by: String,
    },
    /// The cluster is being deleted.
    Deletion,
    /// There is no control plane.
    NoControlPlane,
    /// The control plane reports no version.
    ControlPlaneSilent {
        /// Its name.
        name: String,
    },
    /// The control plane is on its way.
    ControlPlane {
        /// Its name.
        name: String,
        /// Where it goes.
        to: KubeVersion,
        /// How far it is.
        told: String,
    },
    /// What something runs could not be seen.
    Unseen {
        /// Of what.
        name: String,
        /// Why.
        why: String,
    },
    /// Groups of workers are on their way.
    Workers {
        /// Which.
        groups: Vec<WorkerGroup>,
        /// Where the control plane is, and they go.
        to: KubeVersion,
    },
    /// A group waits until others are done.
    Turn {
        /// Which.
        group: WorkerGroup,
        /// How many of its kind may be on their way at once.
        limit: usize,
    },
    /// Somebody put off the upgrade of a group.
    Deferred {
        /// Which.
        group: WorkerGroup,
        /// Where it would go.
        to: KubeVersion,
        /// By what.
        by: Deferral,
    },
    /// An extension asks for time.
    Hook {
        /// Which hook.
        hook: Lifecycle,
        /// Why.
        message: String,
    },
    /// An extension failed, or could not be asked.
    HookFailed {
        /// Which hook.
        hook: Lifecycle,
        /// What happened.
        message: String,
    },
    /// Annotations of the Cluster forbid the upgrade to begin.
    Annotations {
        /// Their keys.
        keys: Vec<String>,
    },
    /// There is no plan, or the one there was is not to be gone on with.
    Plan {
        /// Why.
        trouble: Trouble,
    },
    /// A group of workers could not stand beside the next version of the control plane.
    Skew {
        /// Which.
        group: WorkerGroup,
        /// At which version it is.
        version: KubeVersion,
        /// The next version of the control plane.
        next: KubeVersion,
        /// Why not.
        why: Skew,
    },
    /// Another one keeps the version of something.
    FieldOwnedBy {
        /// Of what.
        name: String,
        /// Its field manager.
        manager: String,
    },
    /// A version could not be written; it is tried again.
    WriteFailed {
        /// Of what.
        name: String,
        /// What happened.
        why: String,
    },
    /// A group waits for those of a stage before its own.
    Stage {
        /// Which.
        group: WorkerGroup,
        /// The stage that is not done.
        stage: String,
    },
    /// It is no time for something new.
    Window,
    /// Everything has to stand still for a while after a step.
    Soak,
    /// Somebody has to say yes.
    Approval {
        /// To what.
        step: String,
    },
    /// Something is wrong with the cluster.
    Health {
        /// The worst level.
        level: Level,
        /// What found it.
        rule: Rule,
        /// In one line.
        summary: String,
        /// How many further insights close the gate.
        more: usize,
    },
    /// Whether something is wrong with the cluster is not known.
    HealthUnknown {
        /// Why.
        why: String,
    },
    /// Somebody asked to stop after what has begun.
    Stopped {
        /// What says so.
        by: String,
        /// Where the control plane stays.
        at: KubeVersion,
    },
}

impl WaitingOn {
    /// What would open it.
    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::Paused { by } => format!("take back {by}"),
            Self::Deletion => "nothing: the cluster goes".into(),
            Self::NoControlPlane => "a control plane that the Cluster refers to".into(),
            Self::ControlPlaneSilent { name } => {
                format!("{name} reports a version; until it does, look at its controller")
            }
            Self::ControlPlane { name, .. } => format!("every machine of {name} runs it"),
            Self::Unseen { name, .. } => format!("what {name} runs can be seen again"),
            Self::Workers { .. } => "every machine of them runs it".into(),
            Self::Turn { .. } => {
                "one that is on its way is done, or topology.cluster.x-k8s.io/upgrade-concurrency is raised".into()
            }
            Self::Deferred { by: Deferral::Own(annotation), .. } => format!("take away the annotation {annotation}"),
            Self::Deferred { by: Deferral::After(entry), .. } => {
                format!("take away the annotation topology.cluster.x-k8s.io/hold-upgrade-sequence of {entry}")
            }
            Self::Hook { .. } => "the extension answers without retryAfterSeconds".into(),
            Self::HookFailed { .. } => "the extension answers Success".into(),
            Self::Annotations { keys } => format!("take away {}", first_few(keys)),
            Self::Plan { .. } => "a target and versions between which there is a way".into(),
            Self::Skew { group, next, .. } => format!("{group} is gone, or moves nearer to {next}"),
            Self::FieldOwnedBy { manager, name } => {
                format!("change the version where {manager} takes it from, or let it give up the version of {name}")
            }
            Self::WriteFailed { name, .. } => format!("the version of {name} can be written; it is tried again"),
            Self::Stage { stage, .. } => format!("the groups of the stage {stage} are done"),
            Self::Window => "the next maintenance window".into(),
            Self::Soak => "time".into(),
            Self::Approval { step } => format!("somebody who may approves {step}"),
            Self::Health { rule, .. } => {
                format!("the insight is gone, or {rule} is named among the exceptions of the health gate")
            }
            Self::HealthUnknown { .. } => "the state of the cluster can be told".into(),
            Self::Stopped { by, .. } => format!("take back {by}, or make the version at which it stays the target"),
        }
    }

    /// In one word, as the reason of a condition and the label of a metric.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Paused { .. } => "Paused",
            Self::Deletion => "Deleting",
            Self::NoControlPlane => "ControlPlaneMissing",
            Self::ControlPlaneSilent { .. } => "ControlPlaneSilent",
            Self::ControlPlane { .. } => "ControlPlaneRollingOut",
            Self::Unseen { .. } => "NotObserved",
            Self::Workers { .. } => "WorkersRollingOut",
            Self::Turn { .. } => "ConcurrencyReached",
            Self::Deferred { .. } => "UpgradeDeferred",
            Self::Hook { .. } => "LifecycleHookBlocking",
            Self::HookFailed { .. } => "LifecycleHookFailed",
            Self::Annotations { .. } => "AnnotationBlocking",
            Self::Plan { .. } => "PlanRefused",
            Self::Skew { .. } => "VersionSkew",
            Self::FieldOwnedBy { .. } => "FieldOwnedByOther",
            Self::WriteFailed { .. } => "WriteFailed",
            Self::Stage { .. } => "StageNotReached",
            Self::Window => "WindowClosed",
            Self::Soak => "Soaking",
            Self::Approval { .. } => "ApprovalRequired",
            Self::Health { .. } => "ClusterUnhealthy",
            Self::HealthUnknown { .. } => "HealthUnknown",
            Self::Stopped { .. } => "Stopped",
        }
    }

    /// Whether it is the same matter, whatever is told of it now: so long it is waited for since the first time.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::ControlPlane { name, to, told: _ }, Self::ControlPlane { name: n, to: t, told: _ }) => {
                name == n && to == t
            }
            (Self::Workers { to, groups: _ }, Self::Workers { to: t, groups: _ }) => to == t,
            (Self::Hook { hook, message: _ }, Self::Hook { hook: h, message: _ })
            | (Self::HookFailed { hook, message: _ }, Self::HookFailed { hook: h, message: _ }) => hook == h,
            (Self::Health { .. }, Self::Health { .. }) | (Self::HealthUnknown { .. }, Self::HealthUnknown { .. }) => {
                true
            }
            (Self::Unseen { name, why: _ }, Self::Unseen { name: n, why: _ })
            | (Self::WriteFailed { name, why: _ }, Self::WriteFailed { name: n, why: _ }) => name == n,
            (one, other) => one == other,
        }
    }
}

impl Wait {
    /// It is waited for since before, where it was waited for before.
    pub fn carry(&mut self, before: &[Self], now: Timestamp) {
        let same = before.iter().find(|wait| wait.on.is_same_as(&self.on));
        let since = same.and_then(|wait| wait.since);
        self.since = [self.since, since].into_iter().flatten().min().or(Some(now));
    }
}

impl From<WaitingOn> for Wait {
    fn from(on: WaitingOn) -> Self {
        Self { on, since: None, until: None }
    }
}

/// Names of groups, the first three of them.
fn names(groups: &[WorkerGroup]) -> String {
    first_few(&groups.iter().map(ToString::to_string).collect::<Vec<_>>())
}

impl fmt::Display for WaitingOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Paused { by } => write!(f, "it is paused by {by}"),
            Self::Deletion => f.write_str("the cluster is being deleted"),
            Self::NoControlPlane => f.write_str("there is no control plane"),
            Self::ControlPlaneSilent { name } => write!(f, "{name} reports no version"),
            Self::ControlPlane { name, to, told } if told.is_empty() => write!(f, "{name} is on its way to {to}"),
            Self::ControlPlane { name, to, told } => write!(f, "{name} is on its way to {to}: {told}"),
            Self::Unseen { name, why } => write!(f, "what {name} runs cannot be seen: {why}"),
            Self::Workers { groups, to } => write!(f, "{} on the way to {to}", names(groups)),
            Self::Turn { group, limit: 1 } => write!(f, "{group} waits for its turn: one moves at a time"),
            Self::Turn { group, limit } => write!(f, "{group} waits for its turn: {limit} move at a time"),
            Self::Deferred { group, to, by } => write!(f, "{group} is deferred by {by} and does not move to {to}"),
            Self::Hook { hook, message } if message.is_empty() => write!(f, "{hook} asks for time"),
            Self::Hook { hook, message } => write!(f, "{hook} asks for time: {message}"),
            Self::HookFailed { hook, message } => write!(f, "{hook} failed: {message}"),
            Self::Annotations { keys } => {
                write!(f, "the Cluster carries {}, so that no upgrade begins", first_few(keys))
            }
            Self::Plan { trouble } => f.write_str(&trouble.message),
            Self::Skew { group, version, next, why } => {
                write!(f, "{group} at {version} does not fit the control plane at {next}: {why}")
            }
            Self::FieldOwnedBy { name, manager } => write!(f, "{manager} keeps the version of {name}"),
            Self::WriteFailed { name, why } => write!(f, "the version of {name} cannot be written: {why}"),
            Self::Stage { group, stage } => write!(f, "{group} waits for the stage {stage}"),
            Self::Window => f.write_str("the maintenance window is closed"),
            Self::Soak => f.write_str("everything has to stand still for a while after the last step"),
            Self::Approval { step } => write!(f, "{step} is not approved"),
            Self::Health { level, rule, summary, more: 0 } => write!(f, "{level} {rule}: {summary}"),
            Self::Health { level, rule, summary, more } => write!(f, "{level} {rule}: {summary}; and {more} more"),
            Self::HealthUnknown { why } => write!(f, "whether the cluster is well cannot be told: {why}"),
            Self::Stopped { by, at } => write!(f, "it stays at {at}: {by}"),
        }
    }
}

impl fmt::Display for Deferral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(annotation) => write!(f, "its annotation {annotation}"),
            Self::After(entry) => write!(f, "the hold of {entry} before it"),
        }
    }
}
