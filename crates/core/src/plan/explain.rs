//! Why each step of a plan is there, which versions could have stood in its place, and what else is to be known.

use std::cmp::Ordering;

use headway_api::plan::{Change, Mover, Plan, PlanReport, Reason, Refused, Remark, Step, Why};

use super::list::{self, Fate};
use super::route::Route;
use super::situation::{Course, Situation};
use super::source::{Source, VersionList};
use super::walk::{Move, walk};
use crate::version::{Comparison, KubeVersion, check_skew};

/// Explains a plan that [`super::plan`] made of this situation and this source.
pub fn explain(situation: &Situation, source: &Source, plan: &Plan) -> PlanReport {
    let from = situation.control_plane.as_ref();
    let route = from.map(|from| Route::new(from, &plan.control_plane, &situation.target));
    let refused = refused_entries(situation, source, plan);
    let mut steps = Vec::new();
    // Where the control plane is by now.
    let mut at = 0;
    for Move { mover, from, to } in walk(situation, plan) {
        let (reason, refused) = match (&mover, &route) {
            (Mover::ControlPlane, _) | (_, None) => {
                at += 1;
                (control_plane_reason(situation, source, to), refused.get(at - 1).cloned().unwrap_or_default())
            }
            (Mover::Workers { .. }, Some(route)) => workers_reason(source, route, from, to, at),
        };
        steps.push(Step { mover, from: from.clone(), to: to.clone(), change: change(from, to), reason, refused });
    }
    PlanReport {
        source: source.name(),
        from: from.cloned(),
        to: situation.target.clone(),
        plan: plan.clone(),
        steps,
        remarks: route.map(|route| remarks(situation, &route)).unwrap_or_default(),
    }
}

/// The largest part of a version that a step changes.
pub(crate) fn change(from: &KubeVersion, to: &KubeVersion) -> Change {
    if from.minor() != to.minor() {
        Change::Minor
    } else if from.compare_numbers(to) != Ordering::Equal {
        Change::Patch
    } else if from.compare_plain(to) != Comparison::Equal {
        Change::PreRelease
    } else {
        Change::Build
    }
}

fn control_plane_reason(situation: &Situation, source: &Source, to: &KubeVersion) -> Reason {
    if *to == situation.target {
        return Reason::Target;
    }
    match source {
        Source::Extension(_) => Reason::Answered,
        Source::OneMinor | Source::VersionList(_) => Reason::EveryMinor { minor: to.minor() },
    }
}

/// Why workers move from one version to another while the control plane is at a position of its way.
fn workers_reason(
    source: &Source,
    route: &Route<'_>,
    from: &KubeVersion,
    to: &KubeVersion,
    at: usize,
) -> (Reason, Vec<Refused>) {
    let is_answered = match source {
        Source::Extension(extension) => extension.answer.as_ref().is_ok_and(|answer| !answer.workers.is_empty()),
        Source::OneMinor | Source::VersionList(_) => false,
    };
    if is_answered {
        return (if to == route.target() { Reason::Target } else { Reason::Answered }, Vec::new());
    }
    let behind = |control_plane: &KubeVersion| control_plane.minor().minor.saturating_sub(from.minor().minor);
    // Since workers are at a version of the way, the ones after it could have been theirs.
    let since = route.position(from).map_or(0, |position| position + 1);
    let mut refused: Vec<Refused> = route
        .versions()
        .take(at)
        .skip(since)
        .filter(|version| route.follows(from, version).is_ok())
        .map(|version| Refused { version: version.clone(), why: Why::NotNeededYet { behind: behind(version) } })
        .collect();
    match route.versions().nth(at + 1) {
        Some(next) if to != route.target() => {
            let behind = behind(next);
            refused.push(Refused { version: next.clone(), why: Why::TooLate { behind } });
            (Reason::WithinSkew { next: next.clone(), behind }, refused)
        }
        Some(_) | None => (Reason::Target, refused),
    }
}

/// The entries of a version list that were not taken, by the step of the control plane in whose place they could stand.
fn refused_entries(situation: &Situation, source: &Source, plan: &Plan) -> Vec<Vec<Refused>> {
    let mut by_step = vec![Vec::new(); plan.control_plane.len()];
    let (Source::VersionList(versions), Some(question)) = (source, situation.question()) else { return by_step };
    // The plan was made of the same list, so that it can be read.
    let entries = list::sift(versions, &question).unwrap_or_default();
    let seen = entries.len();
    let mut refuse = |version: KubeVersion, why: Why| {
        // A list may name a version twice: what is taken was not refused.
        if plan.control_plane.contains(&version) {
            return;
        }
        let of_minor = plan.control_plane.iter().position(|step| step.minor() == version.minor());
        if let Some(step) = by_step.get_mut(of_minor.unwrap_or(0)) {
            step.push(Refused { version, why });
        }
    };
    for entry in entries {
        match entry.fate {
            Fate::NotNewer | Fate::Chosen => {}
            Fate::OwnMinor => refuse(entry.version, Why::OwnMinor),
            Fate::OutOfOrder => refuse(entry.version, Why::OutOfOrder),
            Fate::Superseded => refuse(entry.version, Why::Superseded),
            Fate::BeyondTarget => refuse(entry.version, Why::BeyondTarget),
        }
    }
    for version in later_of_target_minor(versions, seen, &situation.target) {
        refuse(version, Why::BeyondTarget);
    }
    by_step
}

/// What the list has beyond the target and of its minor: what somebody may have meant.
fn later_of_target_minor<'a>(
    list: &'a VersionList,
    seen: usize,
    target: &'a KubeVersion,
) -> impl Iterator<Item = KubeVersion> + 'a {
    let rest = list.versions.iter().skip(seen).filter_map(|text| KubeVersion::parse(text).ok());
    rest.filter(|version| version.minor() == target.minor() && version.compare(target) == Comparison::Greater)
}

fn remarks(situation: &Situation, route: &Route<'_>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for group in &situation.groups {
        let (id, version) = (&group.id, &group.version);
        let unfit = |control_plane: &&KubeVersion| check_skew(control_plane.minor(), version.minor()).is_err();
        match group.course {
            Course::Follows if version.compare(route.from()) == Comparison::Greater => {
                remarks.push(Remark::LaterPatch { group: id.clone(), version: version.clone() });
            }
            Course::Leaving if unfit(&route.from()) => {
                remarks.push(Remark::UnfitNow { group: id.clone(), version: version.clone() });
            }
            Course::Leaving => remarks.extend(
                route.versions().find(unfit).map(|at| Remark::GoneBefore { group: id.clone(), version: at.clone() }),
            ),
            Course::Follows | Course::Pinned(_) => {}
        }
    }
    remarks
}
