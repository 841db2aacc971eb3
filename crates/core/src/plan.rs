//! From where a cluster is to the target: the versions that the control plane visits, and the fewest moves of its
//! workers. chained-upgrades.md, section 2, is the law, with its bug rows decided the right way round.
//!
//! [`Situation::read`] reads the facts, [`Situation::question`] says whether and what to ask of a source, [`plan`]
//! makes the plan of the answer or says which rule stands against it, [`explain`] says why each step is there.
//! Asking an extension is left to others: its answer comes in as a value.

mod chain;
mod explain;
mod list;
mod refusal;
mod route;
mod situation;
mod source;
mod walk;
mod workers;

use headway_api::plan::{GroupMoves, Plan};

use crate::version::KubeVersion;

pub(crate) use explain::change;
pub use explain::explain;
pub use refusal::{Lane, PlanError, Rule};
pub use situation::{Course, Facts, Group, GroupFacts, Question, Situation};
pub use source::{Answer, Choice, Extension, ExtensionError, ListOrigin, MAX_ANSWER, Source, VersionList, choose};
pub use walk::{Move, walk};

use route::Route;

/// Makes the plan.
///
/// Without a control plane there is nothing to plan yet, and when all are at the target, nothing any more: then the
/// plan is empty and the source is not looked at.
///
/// # Errors
///
/// With the first rule that is broken: those of the source, then of the control plane, then of the workers. A group
/// that does not fit beside the control plane is told also when nothing is left to do.
pub fn plan(situation: &Situation, source: &Source) -> Result<Plan, PlanError> {
    let Some(control_plane) = &situation.control_plane else {
        return Ok(Plan { groups: workers::staying(situation), ..Plan::default() });
    };
    let Some(question) = situation.question() else {
        workers::check_groups(situation, &Route::new(control_plane, &[], &situation.target))?;
        return Ok(Plan { groups: workers::staying(situation), ..Plan::default() });
    };
    let answer = source.answer(&question)?;
    let control_plane = chain::check(&question, answer.control_plane)?;
    let route = Route::new(question.from_control_plane, &control_plane, question.to);
    workers::check_groups(situation, &route)?;
    let (workers, groups) = workers::settle(situation, &route, answer.workers)?;
    Ok(Plan { control_plane, workers, groups })
}

/// How many times a group is moved, over all groups.
#[must_use]
pub fn worker_moves(plan: &Plan) -> usize {
    plan.groups.iter().map(|GroupMoves { moves, .. }| moves.len()).sum()
}

/// The entries that a source proposes for the control plane, each a version or the reason why it is none.
type Entries<'a> = Box<dyn Iterator<Item = Result<KubeVersion, PlanError>> + 'a>;
