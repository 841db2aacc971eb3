//! The rules for the control plane, C1 to C6 (chained-upgrades.md, 2.5).

use super::Entries;
use super::refusal::PlanError;
use super::situation::Question;
use crate::version::{Comparison, KubeVersion};

/// The proposed entries, when they lead from where the control plane is to the target.
pub(super) fn check(question: &Question<'_>, entries: Entries<'_>) -> Result<Vec<KubeVersion>, PlanError> {
    let (from, target) = (question.from_control_plane, question.to);
    let mut entries = entries.enumerate();
    if from == target {
        return match entries.next() {
            None => Ok(Vec::new()),
            Some((_, entry)) => Err(PlanError::AlreadyThere { target: target.clone(), value: entry?.to_string() }),
        };
    }
    let mut chain: Vec<KubeVersion> = Vec::new();
    for (index, entry) in entries {
        let value = entry?;
        let previous = chain.last().unwrap_or(from);
        if let Some(previous) = not_older(&value, from, &chain) {
            return Err(PlanError::NotNewer { index, previous: previous.clone(), value });
        }
        let (minor, before) = (value.minor(), previous.minor());
        if minor.major != before.major {
            return Err(PlanError::ChangesMajor { index, previous: previous.clone(), value });
        }
        if minor.minor > before.minor.saturating_add(1) {
            return Err(PlanError::SkipsMinor { index, previous: previous.clone(), value });
        }
        chain.push(value);
    }
    let end = chain.last().unwrap_or(from);
    if end != target {
        return Err(PlanError::EndsElsewhere { end: end.clone(), target: target.clone() });
    }
    Ok(chain)
}

/// A version that was taken before and is not older than this one.
///
/// Builds may have no order, so that each entry may be newer than the one before it and the whole go in a circle:
/// `+a`, `+b`, `+a`. So all that differ in nothing but that are looked at.
fn not_older<'a>(value: &KubeVersion, from: &'a KubeVersion, chain: &'a [KubeVersion]) -> Option<&'a KubeVersion> {
    for before in chain.iter().rev().chain([from]) {
        match value.compare(before) {
            Comparison::Less | Comparison::Equal => return Some(before),
            // Numbers never go down along the chain: what comes before this one is older as well.
            Comparison::Greater if value.compare_numbers(before).is_gt() => return None,
            Comparison::Greater | Comparison::Different => {}
        }
    }
    None
}
