//! The whole answer in one word.

use headway_api::preview::{Preview, Unknown, Verdict, Weight};

/// The verdict on all that a preview says. What is certain goes before what is not: something that holds the cluster
/// is told even where not everything was seen, and "ready" only where nothing serious is missing.
pub(super) fn of(preview: &Preview) -> Verdict {
    let holds = |weight: Weight| preview.holds.iter().any(|hold| hold.weight == weight);
    let is_uncertain = preview.unknowns.iter().any(|Unknown { serious, .. }| *serious)
        || preview.gaps.iter().any(|gap| gap.kind.is_serious());
    if preview.refusal.is_some() {
        // What was not seen may be what the rule misses, such as the list of a ClusterClass.
        if is_uncertain { Verdict::CannotTell } else { Verdict::Refused }
    } else if holds(Weight::Stuck) {
        Verdict::Stuck
    } else if holds(Weight::Now) || holds(Weight::Later) {
        Verdict::Held
    } else if is_uncertain || preview.plan.is_none() {
        Verdict::CannotTell
    } else if holds(Weight::Work) || (preview.begun && !preview.steps.is_empty()) {
        Verdict::UnderWay
    } else if preview.steps.is_empty() {
        Verdict::NothingToDo
    } else {
        Verdict::Ready
    }
}
