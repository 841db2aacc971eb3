//! What is shown of a watched cluster: a report, and how old it is.

use headway_api::gap::Gap;
use headway_api::report::Report;
use headway_core::inform::{Informer, InformerState};
use headway_core::observer::Sight;
use jiff::{SignedDuration, Timestamp};

use crate::render;

/// A report with its age.
pub(super) struct Picture {
    pub(super) report: Report,
    age: Age,
}

/// How old a picture is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Age {
    /// All that was asked for is being told.
    Live,
    /// Something has not been heard of for so long, and why.
    Old(SignedDuration, String),
}

impl Picture {
    /// What was seen at a moment.
    pub(super) fn of(sight: Sight, now: Timestamp) -> Self {
        Self { report: sight.report, age: age(&sight.informers, now) }
    }

    /// One line above the report: the moment, and how old what is shown is.
    pub(super) fn headline(&self) -> String {
        let moment = self.report.observed_at.strftime("%Y-%m-%dT%H:%M:%SZ");
        match &self.age {
            Age::Live => format!("As of {moment}, watching"),
            Age::Old(age, why) => {
                format!("As of {moment}, from what was known {} ago: {}", render::age(*age), render::line(why))
            }
        }
    }

    /// Whether somebody who saw another picture, and knows what time it is, would see nothing new in this one.
    pub(super) fn shows_same(&self, before: &Self, rendered: impl Fn(&Report) -> anyhow::Result<String>) -> bool {
        let is_old = |picture: &Self| matches!(picture.age, Age::Old(..));
        let as_of_now = |report: &Report| rendered(&aged(report, &self.report)).ok();
        is_old(self) == is_old(before) && as_of_now(&self.report) == as_of_now(&before.report)
    }
}

/// The oldest of what is asked for and was told once.
fn age(informers: &[Informer], now: Timestamp) -> Age {
    let silent = informers.iter().filter(|informer| match informer.state {
        InformerState::Lagging | InformerState::Stale => true,
        InformerState::Starting | InformerState::Synced | InformerState::Refused | InformerState::Idle => false,
    });
    let Some(oldest) = silent.min_by_key(|informer| informer.heard) else { return Age::Live };
    let why = match &oldest.failure {
        Some(failure) => failure.message.clone(),
        None => format!("nothing is heard of {}", oldest.source),
    };
    Age::Old(now.duration_since(oldest.heard), why)
}

/// A report as if it were of another's moment: what changes as time goes by and nothing else happens is the other's.
fn aged(report: &Report, other: &Report) -> Report {
    let mut report = report.clone();
    report.observed_at = other.observed_at;
    report.cluster.duration_seconds = other.cluster.duration_seconds;
    report.cluster.estimate = report.cluster.estimate.and(other.cluster.estimate);
    for insight in &mut report.insights {
        insight.last_observed_at = None;
    }
    // Some say for how many seconds nothing was heard.
    for Gap { message, .. } in &mut report.gaps {
        message.retain(|letter| !letter.is_ascii_digit());
    }
    report
}
