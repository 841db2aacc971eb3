//! The plan that is walked, and what is the matter with it.
//!
//! Versions are named anew at every look, and whoever names them may be down, or say something else in the middle of the
//! way. What was accepted last is gone by then as far as it says what runs (chained-upgrades.md, 10.2, rows 5 to 11):
//! a step that has begun is finished, and only the next one waits for a plan.

use headway_api::plan::{GroupMoves, Plan};
use headway_api::quoted::with_causes;

use crate::plan::{self, PlanError, Rule, Situation, Source};
use crate::version::{Comparison, KubeVersion};

/// The plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planned {
    /// What is left of the way: of the plan that was made now, or else of the last good one.
    pub plan: Plan,
    /// Why there is no plan now.
    pub trouble: Option<Trouble>,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The rule that stands against it.
    pub rule: Rule,
    /// In words, with the causes.
    pub message: String,
}

impl Planned {
    /// Makes the plan; where that fails, what is left of `last` takes its place, and no new step is begun.
    #[must_use]
    pub fn of(situation: &Situation, source: &Source, last: Option<&Plan>) -> Self {
        Self::made(plan::plan(situation, source), situation, last)
    }

    /// Takes a plan that was made; where that failed, what is left of `last` takes its place, and no new step is begun.
    #[must_use]
    pub fn made(made: Result<Plan, PlanError>, situation: &Situation, last: Option<&Plan>) -> Self {
        match made {
            Ok(plan) => Self { plan, trouble: None },
            Err(error) => {
                let trouble = Trouble { rule: error.rule(), message: with_causes(&error) };
                Self { plan: last.map(|plan| rest(plan, situation)).unwrap_or_default(), trouble: Some(trouble) }
            }
        }
    }
}

impl Trouble {
    /// There is no step where one is needed.
    pub(super) fn nobody_planned(at: &KubeVersion, target: &KubeVersion) -> Self {
        Self { rule: Rule::C4, message: format!("the plan ends at {at}, and the target is {target} (rule C4)") }
    }
}

/// What is left of a plan for a cluster that has gone on since it was made.
fn rest(plan: &Plan, situation: &Situation) -> Plan {
    let ahead = |at: &KubeVersion, versions: &[KubeVersion]| -> Vec<KubeVersion> {
        // Builds have no order: where the version stands in the plan, what follows is left, whatever compares.
        let rest = match versions.iter().position(|version| version == at) {
            Some(position) => &versions[position + 1..],
            None => versions,
        };
        let is_ahead =
            |version: &&KubeVersion| matches!(version.compare(at), Comparison::Greater | Comparison::Different);
        rest.iter().filter(is_ahead).cloned().collect()
    };
    let control_plane = situation.control_plane.as_ref().map_or_else(Vec::new, |at| ahead(at, &plan.control_plane));
    let workers = situation.min_workers().map_or_else(Vec::new, |at| ahead(at, &plan.workers));
    let groups = situation.groups.iter().filter_map(|group| {
        let known = plan.groups.iter().find(|known| known.group == group.id)?;
        let GroupMoves { group: id, from: _, moves, stays } = known;
        let moves = ahead(&group.version, moves);
        Some(GroupMoves { group: id.clone(), from: group.version.clone(), moves, stays: stays.clone() })
    });
    Plan { control_plane, workers, groups: groups.collect() }
}
