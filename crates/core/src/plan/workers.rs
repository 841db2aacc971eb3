//! The way of the workers: the fewest moves within skew, or the rules for those that an extension asks for
//! (chained-upgrades.md, 2.5).
//!
//! A group moves to the very version at which the control plane is, and as late as skew allows: whatever moves earlier
//! comes no further, so nothing needs fewer moves. A list that an extension answers is taken as it is, more moves than
//! needed included.

use headway_api::plan::{GroupMoves, Stay};

use super::refusal::{Lane, PlanError};
use super::route::{Misstep, Route};
use super::situation::{Course, Group, Situation};
use super::source::{NotCanonical, canonical};
use crate::version::{Comparison, KubeVersion, MAX_MINORS_BEHIND, Minor, Skew, check_skew};

/// The groups when nothing moves.
pub(super) fn staying(situation: &Situation) -> Vec<GroupMoves> {
    situation.groups.iter().map(|group| moves_of(group, Vec::new())).collect()
}

/// What must hold of each group before any of them moves: rules W8, W9 and W11.
pub(super) fn check_groups(situation: &Situation, route: &Route<'_>) -> Result<(), PlanError> {
    for group in &situation.groups {
        match &group.course {
            Course::Follows => {
                check_place(group, &group.version, route.from())?;
                if group.version.compare(route.target()) == Comparison::Greater {
                    return Err(PlanError::WorkersBeyond {
                        group: group.id.clone(),
                        value: group.version.clone(),
                        target: route.target().clone(),
                    });
                }
            }
            Course::Pinned(pin) => check_pin(group, pin, route)?,
            // What it hinders is a remark of the report: it will be gone.
            Course::Leaving => {}
        }
    }
    Ok(())
}

/// The list for all workers together, and the moves of each group.
pub(super) fn settle(
    situation: &Situation,
    route: &Route<'_>,
    answered: &[String],
) -> Result<(Vec<KubeVersion>, Vec<GroupMoves>), PlanError> {
    let pending = |group: &Group| group.course == Course::Follows && group.version != *route.target();
    let Some(furthest) = situation.furthest(situation.groups.iter().filter(|group| pending(group))) else {
        return match answered.first() {
            None => Ok((Vec::new(), staying(situation))),
            Some(value) => Err(PlanError::NoWorkersToMove { value: value.clone() }),
        };
    };
    let list = if answered.is_empty() { None } else { Some(check_answer(furthest, route, answered)?) };
    let mut groups = Vec::with_capacity(situation.groups.len());
    let mut together = list.clone().unwrap_or_default();
    for group in &situation.groups {
        let moves = match &list {
            _ if !pending(group) => Vec::new(),
            Some(list) => rest_of(list, group, route)?,
            None => fewest(group, route)?,
        };
        if list.is_none() && pending(group) && group.version == *furthest {
            together.clone_from(&moves);
        }
        groups.push(moves_of(group, moves));
    }
    Ok((together, groups))
}

/// The fewest moves that take a group to the target.
fn fewest(group: &Group, route: &Route<'_>) -> Result<Vec<KubeVersion>, PlanError> {
    let (own, end) = (group.version.minor(), route.target().minor());
    let mut moves = Vec::new();
    let mut at = own.minor.saturating_add(MAX_MINORS_BEHIND);
    while at < end.minor {
        let minor = Minor { minor: at, ..own };
        let stop = route.last_of(minor).ok_or_else(|| PlanError::NoVersionKnown {
            group: group.id.clone(),
            value: group.version.clone(),
            minor,
        })?;
        moves.push(stop.clone());
        at = at.saturating_add(MAX_MINORS_BEHIND);
    }
    moves.push(route.target().clone());
    // Between the stops the control plane's way vouches for the order.
    check_order(route, 0, &group.version, &moves[0])?;
    Ok(moves)
}

/// The entries of a list that a group still has before it.
fn rest_of(list: &[KubeVersion], group: &Group, route: &Route<'_>) -> Result<Vec<KubeVersion>, PlanError> {
    for (index, entry) in list.iter().enumerate() {
        match route.follows(&group.version, entry) {
            Ok(()) => return Ok(list[index..].to_vec()),
            Err(Misstep::NotNewer | Misstep::Backwards) => {}
            Err(Misstep::Unordered) => return Err(unordered(index, &group.version, entry)),
        }
    }
    // Not reached: the list ends at the target, and a group that is neither there nor beyond has it before it.
    Ok(Vec::new())
}

/// Rules W1, W3, W4, W5, W9 and W10 for the list that an extension answered, and X1 for how it is written.
fn check_answer(furthest: &KubeVersion, route: &Route<'_>, answered: &[String]) -> Result<Vec<KubeVersion>, PlanError> {
    let mut list: Vec<KubeVersion> = Vec::with_capacity(answered.len());
    let mut strangers = Vec::new();
    for (index, text) in answered.iter().enumerate() {
        match canonical(Lane::Workers, index, text) {
            Ok(version) => {
                if !route.is_short() && route.position(&version).is_none() {
                    strangers.push((index, text.clone()));
                }
                list.push(version);
            }
            Err(NotCanonical::ButAVersion(error)) => return Err(error),
            // As long as the control plane moves, what is no version is a stranger on its way like others.
            Err(NotCanonical::NoVersion(_)) if !route.is_short() => strangers.push((index, text.clone())),
            Err(NotCanonical::NoVersion(cause)) => {
                check_walk(furthest, route, &list)?;
                return Err(PlanError::WorkersEntry { index, value: text.clone(), cause });
            }
        }
    }
    if !strangers.is_empty() {
        return Err(PlanError::Strangers { entries: strangers });
    }
    check_walk(furthest, route, &list)?;
    let end = list.last().unwrap_or(furthest);
    if end != route.target() {
        return Err(PlanError::WorkersEndElsewhere { end: end.clone(), target: route.target().clone() });
    }
    match list.iter().enumerate().find(|(_, entry)| route.is_short() && *entry != route.from()) {
        None => Ok(list),
        Some((index, value)) => {
            Err(PlanError::WorkersElsewhere { index, value: value.clone(), control_plane: route.from().clone() })
        }
    }
}

fn check_walk(furthest: &KubeVersion, route: &Route<'_>, list: &[KubeVersion]) -> Result<(), PlanError> {
    for (index, (previous, value)) in std::iter::once(furthest).chain(list).zip(list).enumerate() {
        check_order(route, index, previous, value)?;
        let (before, minor) = (previous.minor(), value.minor());
        if before.major != minor.major {
            return Err(PlanError::WorkersChangeMajor { index, value: value.clone(), previous: previous.clone() });
        }
        if minor.minor.saturating_sub(before.minor) > MAX_MINORS_BEHIND {
            return Err(PlanError::WorkersTooWide { index, value: value.clone(), previous: previous.clone() });
        }
    }
    Ok(())
}

fn check_order(route: &Route<'_>, index: usize, previous: &KubeVersion, value: &KubeVersion) -> Result<(), PlanError> {
    route.follows(previous, value).map_err(|misstep| match misstep {
        Misstep::NotNewer => PlanError::WorkersNotNewer { index, value: value.clone(), previous: previous.clone() },
        Misstep::Backwards => PlanError::WorkersBackwards { index, value: value.clone(), previous: previous.clone() },
        Misstep::Unordered => unordered(index, previous, value),
    })
}

fn unordered(index: usize, previous: &KubeVersion, value: &KubeVersion) -> PlanError {
    PlanError::WorkersUnordered { index, value: value.clone(), previous: previous.clone() }
}

/// A version at which a group is, or is to be, beside the control plane as it is. Too far behind is told by the rules
/// for the moves.
fn check_place(group: &Group, version: &KubeVersion, control_plane: &KubeVersion) -> Result<(), PlanError> {
    let (id, value, control_plane_is) = (group.id.clone(), version.clone(), control_plane.clone());
    match check_skew(control_plane.minor(), version.minor()) {
        Err(Skew::OtherMajor) => {
            Err(PlanError::WorkersOfOtherMajor { group: id, value, control_plane: control_plane_is })
        }
        Err(Skew::Ahead { .. }) => Err(PlanError::WorkersAhead { group: id, value, control_plane: control_plane_is }),
        Err(Skew::TooFarBehind { .. }) | Ok(()) => Ok(()),
    }
}

/// A pinned group must fit every version of the control plane, both as it is and as it is pinned: its own move to the
/// pin is not ours to time.
fn check_pin(group: &Group, pin: &KubeVersion, route: &Route<'_>) -> Result<(), PlanError> {
    for version in [&group.version, pin] {
        check_place(group, version, route.from())?;
        for (at, control_plane) in route.versions().enumerate() {
            check_skew(control_plane.minor(), version.minor()).map_err(|cause| PlanError::PinnedTooFarBehind {
                group: Box::new(group.id.clone()),
                value: version.clone(),
                control_plane: control_plane.clone(),
                index: at.checked_sub(1),
                cause,
            })?;
        }
    }
    Ok(())
}

fn moves_of(group: &Group, moves: Vec<KubeVersion>) -> GroupMoves {
    let stays = match &group.course {
        Course::Pinned(version) => Some(Stay::Pinned { version: version.clone() }),
        Course::Leaving => Some(Stay::Leaving),
        Course::Follows => moves.is_empty().then_some(Stay::AtTarget),
    };
    GroupMoves { group: group.id.clone(), from: group.version.clone(), moves, stays }
}
