//! Since when an insight is there, and how often it came.

use std::collections::BTreeMap;

use headway_api::insight::{Insight, Rule};
use headway_api::report::Report;
use jiff::Timestamp;

use super::GONE_WINDOW;

/// An insight that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// When it was first seen.
    pub first_observed_at: Timestamp,
    /// Since when its rule said that it holds, when it was first seen.
    pub since: Option<Timestamp>,
    /// How often it came.
    pub occurrences: u32,
}

/// An insight that went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// When it was no longer seen.
    pub at: Timestamp,
    /// What was known of it.
    pub known: Known,
}

/// Dates the insights of a report, and takes note of those that came and went.
pub(super) fn remember(
    insights: &mut BTreeMap<String, Known>,
    gone: &mut BTreeMap<String, Gone>,
    report: &mut Report,
    blind: &[Rule],
) {
    let now = report.observed_at;
    let mut before = std::mem::take(insights);
    gone.retain(|_, gone| now.duration_since(gone.at) < GONE_WINDOW);
    for insight in &mut report.insights {
        let known = match (before.remove(&insight.uid), gone.remove(&insight.uid)) {
            (Some(known), _) => known,
            (None, Some(gone)) => {
                let Known { first_observed_at, since, occurrences } = gone.known;
                Known { first_observed_at, since: insight.since.or(since), occurrences: occurrences.saturating_add(1) }
            }
            (None, None) => Known { first_observed_at: now, since: insight.since, occurrences: 1 },
        };
        let known = date(insight, known, now);
        insights.insert(insight.uid.clone(), known);
    }
    // An identity begins with that of its rule.
    let is_unseen = |uid: &str| blind.iter().any(|rule| uid.starts_with(&rule.id().to_lowercase()));
    let (unseen, before): (BTreeMap<_, _>, BTreeMap<_, _>) = before.into_iter().partition(|(uid, _)| is_unseen(uid));
    insights.extend(unseen);
    gone.extend(before.into_iter().map(|(uid, known)| (uid, Gone { at: now, known })));
}

/// Takes over what another one remembers of the same insight.
pub(super) fn adopt(ours: &mut Known, theirs: &Known) {
    ours.first_observed_at = ours.first_observed_at.min(theirs.first_observed_at);
    ours.since = [ours.since, theirs.since].into_iter().flatten().min();
    ours.occurrences = ours.occurrences.max(theirs.occurrences);
}

fn date(insight: &mut Insight, mut known: Known, now: Timestamp) -> Known {
    insight.since = match insight.rule {
        // Their sources tell no time: the moment of the look stands in, or an estimate that moves with every look.
        Rule::CvFailingMissing | Rule::Forced => Some(known.first_observed_at),
        Rule::UpdateStalled => known.since.or(insight.since),
        _ => insight.since,
    };
    // A rule that counts by itself counts changes.
    if let Some(changes) = insight.occurrences {
        known.occurrences = changes;
    }
    insight.first_observed_at = Some(known.first_observed_at);
    insight.last_observed_at = Some(now);
    insight.occurrences = Some(known.occurrences);
    known
}
