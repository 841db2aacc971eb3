//! Extensions that are asked before a cluster moves: who is asked, what answers mean together, when to ask again.
//! chained-upgrades.md, sections 4 and 5, is the law, with the bugs of section 10 decided the right way round.
//!
//! [`Registry`] says who answers a hook for a cluster, [`hear`] what one answer or its absence means, [`Heard`] are put
//! together by [`Outcome::of`], [`Holds`] remembers who asked for time, so that nobody is asked before it is over, and
//! [`Plans`] the answers of extensions that plan. Sending is left to `headway-cluster`; each moment is handed in.
//!
//! Three rules stand over all of them. Who could not be asked has not agreed: what an extension answers is not known
//! before it was discovered once, and the clusters that it may be asked about wait until then, and no others. What is
//! remembered counts for one cluster, one step and one state of the extensions' configuration. And whatever is passed
//! over, because a `failurePolicy` says so, is told.

mod answers;
mod discovered;
mod fault;
mod holds;
mod plans;
mod registry;

pub use answers::{Heard, Note, Outcome, hear};
pub use discovered::discovered_status;
pub use fault::{CallFault, HookError};
pub use holds::{Held, Holds, Subject, step_of};
pub use plans::{PLAN_TTL, PlanQuestion, Plans};
pub use registry::{Fingerprint, Handler, LookupError, Registry, Settled, Trouble};
