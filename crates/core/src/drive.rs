//! What to do now to take a cluster along its plan, and what is waited for (chained-upgrades.md, sections 3, 4 and 10).
//!
//! [`decide`] is the whole of it: all that is known of one cluster comes in as [`Observed`], and what comes out is a
//! [`Decision`]. Nothing is remembered between two calls but what its caller hands in again: the intents, which are
//! stored, and the answers to hooks, which may be lost. Everything else is read off the cluster anew, so that whoever
//! dies in the middle goes on as if nothing had happened.
//!
//! Doing what is decided, asking extensions and making the plan are left to others: [`crate::plan`] makes it, with
//! [`Planned::of`] for when its source is down.

mod answers;
mod approvals;
mod control_plane;
mod course;
mod decision;
mod gate;
mod intent;
pub mod keeper;
mod observed;
mod planned;
mod request;
mod seen;
mod told;
mod waiting;
mod window;
mod workers;

pub use answers::{Answers, Said};
pub use approvals::{ApprovalError, Approver, Ruling, approve, revoke};
pub use decision::{Decision, Effect, Told};
pub use gate::{Approval, Concern, Gates, HealthGate, StepId, Window};
pub use intent::{Intent, Intents};
pub use observed::{Concurrency, ControlPlane, Deferral, Group, Halt, Observed, Stage, Standing};
pub use planned::{Planned, Trouble};
pub use request::{Hooks, PlanFrom, Refusal, Sighting, cluster_of, last_plan, mode_of, observe, plan_from};
pub use told::{Account, Change, Happening, Tone, change, happenings, refused, status};
pub use waiting::{Wait, WaitingOn};
pub use window::{Calendar, CalendarError, ScheduleError, WindowTrouble};

use course::Course;

/// What to do now, and what is waited for.
///
/// # Guarantees
///
/// The effects are to be done in their order, and none after one that failed. A hook is asked about a step before the
/// write that begins it, and what has to be asked after it is recorded before that write; it is asked only while the
/// control plane stands at the version that it was recorded for. Nothing is moved further than skew allows. Where there
/// is nothing to do and nothing to wait for, the cluster is where it should be.
#[must_use]
pub fn decide(observed: &Observed) -> Decision {
    let mut course = Course::new(observed);
    // Whoever stops the walk has said why.
    let _ = control_plane::walk(&mut course);
    course.decision()
}
