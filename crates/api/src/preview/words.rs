//! Words of a preview for people.

use std::fmt;

use super::{Clock, HoldKind, Position, StepState, Weight};

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stuck => "Stuck",
            Self::Now => "Now",
            Self::Later => "Later",
            Self::Work => "Work",
        })
    }
}

impl fmt::Display for StepState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnderWay => "under way",
            Self::Ahead => "ahead",
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, of } = self;
        write!(f, "step {step} of {of}")
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "given with --at",
            Self::Now => "now",
            Self::Conditions => "the newest condition of any object",
            Self::Nothing => "nothing: no object has a time, so no age below means anything",
        })
    }
}

/// The word that JSON has, too.
impl fmt::Display for HoldKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Paused => "Paused",
            Self::Deleting => "Deleting",
            Self::ReconcileFailed => "ReconcileFailed",
            Self::ClassNotReconciled => "ClassNotReconciled",
            Self::Hook => "Hook",
            Self::Annotation => "Annotation",
            Self::PendingHook => "PendingHook",
            Self::Provisioning => "Provisioning",
            Self::ControlPlaneRolling => "ControlPlaneRolling",
            Self::ControlPlaneUnhealthy => "ControlPlaneUnhealthy",
            Self::NoUpgradeStep => "NoUpgradeStep",
            Self::WorkersRolling => "WorkersRolling",
            Self::Deferred => "Deferred",
            Self::Webhook => "Webhook",
            Self::Budget => "Budget",
            Self::Stranger => "Stranger",
        })
    }
}
