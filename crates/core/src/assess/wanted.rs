//! What somebody may wait for, and whether it is so.

use headway_api::report::{Activity, Outcome, Report};

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing is being updated any more: control plane and nodes are at their version.
    Updated,
    /// Nothing needs attention, whether an update runs or not.
    Healthy,
}

impl Wanted {
    /// Whether a report says that it is so. What was not observed is never so.
    #[must_use]
    pub fn is_met(self, report: &Report) -> bool {
        match (self, report.outcome) {
            (_, Outcome::NotUpdating) => true,
            (_, Outcome::CannotTell | Outcome::Failing) => false,
            (Self::Updated, Outcome::NeedsAttention) => report.activity == Activity::NotUpdating,
            (Self::Updated, Outcome::Updating) | (Self::Healthy, Outcome::NeedsAttention) => false,
            (Self::Healthy, Outcome::Updating) => true,
        }
    }
}
