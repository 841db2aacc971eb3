//! The way back: the report that objects were made from, as far as they tell it.
//!
//! Whoever wrote them may be newer than we are. What we do not understand becomes a gap that names it, and the rest is
//! read; nothing is ever taken for better than it was written.

mod finding;
mod unit;

use std::collections::BTreeMap;

use headway_api::gap::{Gap, GapKind};
use headway_api::insight::Scope;
use headway_api::report::{
    Activity, Alerts, Assessment, Change, ClockSource, Cluster, Component, Condition, Estimate, Form, OperatorCounts,
    Outcome, Pool, PoolAssessment, PoolCounts, Position, Report, Seconds, Tally, Truth, Versions, WaitingOn,
};
use headway_api::update::cluster_operator::ClusterOperatorInsight;
use headway_api::update::cluster_version::{self, ClusterVersionInsight, VersionCount};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::container::{self, ControlPlane};
use headway_api::update::note;
use headway_api::update::pool::MachineConfigPoolInsight;
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_api::update::word::{CountOf, InsightType, VersionKey, Word};
use jiff::{SignedDuration, Timestamp};

use super::word;
use crate::assess::span;

/// The objects cannot be read as a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The status was never written.
    #[error("the UpdateStatus has no status yet: nobody has written it")]
    NotWritten,
}

/// The report that a status and the details of its pools were made from.
///
/// Without details the nodes are those that the groups name. `name` is what the object is called in gaps, such as
/// `UpdateStatus/cluster`.
pub fn read(name: &str, status: &Status, shards: &[&PoolNodes]) -> Result<Report, Unread> {
    let (Some(observed), Some(summary)) = (&status.observed, &status.summary) else {
        return Err(Unread::NotWritten);
    };
    let mut reader = Reader { name, now: observed.at, strange: Vec::new() };
    let form = reader.word("status.summary.form", &summary.form, word::form_back).unwrap_or(Form::Unknown);
    // A word for the whole that we do not know is never a success.
    let outcome = reader.word("status.summary.outcome", &summary.outcome, word::outcome_back);
    let activity = reader.word("status.summary.activity", &summary.activity, word::activity_back);
    let clock = observed.clock.as_ref().and_then(|clock| reader.word("status.observed.clock", clock, word::clock_back));
    let cluster = reader.cluster(status.control_plane.as_ref(), form);
    let components = status.control_plane.iter().flat_map(operators).map(|told| reader.component(told)).collect();
    let pools = reader.pools(status);
    let units = reader.units(status, &pools, shards);
    let insights = reader.findings(status);
    let mut gaps: Vec<Gap> = status.gaps.iter().map(|gap| reader.gap(gap)).collect();
    if let Some(omitted) = status.gaps_omitted.filter(|omitted| *omitted > 0) {
        gaps.push(
            reader.remark(GapKind::Optional, format!("{omitted} more gaps were left out to keep the object small")),
        );
    }
    if let Some(omitted) = status.worker_pools_omitted.filter(|omitted| *omitted > 0) {
        gaps.push(reader.remark(GapKind::Optional, format!("{omitted} pools were left out to keep the object small")));
    }
    gaps.append(&mut reader.strange);
    Ok(Report {
        api_version: headway_api::REPORT_API_VERSION,
        kind: "Report",
        observed_at: observed.at,
        clock: clock.unwrap_or(ClockSource::Given),
        outcome: outcome.unwrap_or(Outcome::CannotTell),
        activity: activity.unwrap_or(Activity::Unknown),
        cluster,
        components,
        pools,
        units,
        insights,
        waiting_on: status.waiting_on.iter().map(waiting).collect(),
        hints: status.hints.clone(),
        alerts: status.alerts.as_ref().map_or(
            Alerts { available: false, message: "the UpdateStatus does not say whether alerts were seen".into() },
            |alerts| Alerts { available: alerts.available, message: alerts.message.clone().unwrap_or_default() },
        ),
        gaps,
    })
}

/// Reads one object, and notes what it does not understand.
struct Reader<'a> {
    /// What the object is called in gaps.
    name: &'a str,
    /// The moment at which everything was judged.
    now: Timestamp,
    /// What was not understood.
    strange: Vec<Gap>,
}

impl Reader<'_> {
    fn remark(&self, kind: GapKind, message: String) -> Gap {
        Gap { object: self.name.to_owned(), ..Gap::of_input(kind, message) }
    }

    /// One of our words for a word of the API. What is not one of ours is noted.
    fn word<A: Copy + std::fmt::Display, O>(
        &mut self,
        field: &str,
        told: &Word<A>,
        back: impl Fn(A) -> Option<O>,
    ) -> Option<O> {
        let ours = told.known().and_then(|known| back(*known));
        if ours.is_none() {
            self.strange(field, &told.to_string());
        }
        ours
    }

    /// Notes a word that we do not know.
    fn strange(&mut self, field: &str, word: &str) {
        let message = format!("`{word}` is a word that this version of headway does not know");
        let gap = Gap { field: field.to_owned(), ..self.remark(GapKind::Field, message) };
        if !self.strange.contains(&gap) {
            self.strange.push(gap);
        }
    }

    fn condition(&mut self, field: &str, told: &Conditions, kind: &str) -> Condition {
        let Some(told) = told.of(kind) else {
            return Condition { status: Truth::Unknown, reason: "NotTold".into(), message: String::new(), since: None };
        };
        let field = format!("{field}.conditions[{kind}].status");
        Condition {
            status: self.word(&field, &told.status, word::truth_back).unwrap_or(Truth::Unknown),
            reason: told.reason.clone(),
            message: told.message.clone(),
            since: Some(told.last_transition_time),
        }
    }

    fn cluster(&mut self, told: Option<&ControlPlane>, form: Form) -> Cluster {
        let operators = told.and_then(|told| told.operators.as_ref()).map(counts).unwrap_or_default();
        let Some((kind, version)) = told.and_then(version) else {
            let message = match form {
                Form::ClusterApi => "nothing is told of the Cluster".to_owned(),
                Form::Standalone | Form::Hosted | Form::Unknown => "nothing is told of the ClusterVersion".to_owned(),
            };
            let gap = self.remark(GapKind::Missing, message);
            self.strange.push(gap);
            return Cluster { form, operators, ..unknown_cluster() };
        };
        let field = &format!("status.controlPlane: {kind}");
        let assessment = word::assessment_back(&version.assessment).unwrap_or_else(|| {
            self.strange(&format!("{field}.assessment"), &version.assessment);
            Assessment::Unknown
        });
        let ended = version.completed_at.unwrap_or(self.now);
        let duration = version.started_at.map(|started| span::between(ended, started).max(SignedDuration::ZERO));
        Cluster {
            name: version.name.clone(),
            namespace: version.resource.as_ref().and_then(|resource| resource.namespace.clone()),
            form,
            updating: self.condition(field, &version.conditions, kind::UPDATING),
            healthy: self.condition(field, &version.conditions, kind::HEALTHY),
            assessment,
            versions: self.versions(field, version),
            completion_percent: version.completion.or(version.completion_percent),
            tally: version.tally.as_ref().and_then(|told| self.tally(field, told)),
            operators,
            started_at: version.started_at.or(version.progressing_since),
            completed_at: version.completed_at,
            duration_seconds: duration.map(Seconds),
            estimate: self.estimate(field, version),
        }
    }

    fn tally(&mut self, field: &str, told: &cluster_version::Tally) -> Option<Tally> {
        let cluster_version::Tally { of, done, total } = told;
        let of = self.word(&format!("{field}.tally.of"), of, word::counted_back)?;
        Some(Tally { of, done: *done as usize, total: *total as usize })
    }

    fn versions(&mut self, field: &str, version: &ClusterVersionInsight) -> Versions {
        let Some(told) = &version.versions else {
            return Versions::default();
        };
        let has =
            |version: &cluster_version::Version, key: VersionKey| version.metadata.iter().any(|one| one.key == key);
        let architecture = told.target.metadata.iter().find(|one| one.key == VersionKey::Architecture);
        let change = match &told.change {
            Some(change) => self.word(&format!("{field}.versions.change"), change, word::change_back),
            // A writer that does not say it means one of the two that the words of the API know.
            None if has(&told.target, VersionKey::Installation) => Some(Change::Installation),
            None => None,
        };
        Versions {
            target: told.target.version.clone(),
            previous: told.previous.as_ref().and_then(|previous| previous.version.clone()),
            change: change.unwrap_or_default(),
            previous_is_partial: told.previous.as_ref().is_some_and(|previous| has(previous, VersionKey::Partial)),
            architecture: architecture.map(|one| one.value.clone().unwrap_or_default()),
            operators: version_counts(&told.operators),
            nodes: version_counts(&told.nodes),
            plan: told.plan.clone(),
            position: told
                .position
                .map(|cluster_version::Position { step, of }| Position { step: step as usize, of: of as usize }),
        }
    }

    fn estimate(&mut self, field: &str, version: &ClusterVersionInsight) -> Option<Estimate> {
        let told = version.estimate.as_ref()?;
        let state = self.word(&format!("{field}.estimate.state"), &told.state, word::estimate_back)?;
        let left = match (version.estimated_completed_at, version.started_at) {
            (Some(at), _) => span::between(at, self.now),
            (None, Some(started)) => {
                SignedDuration::from_secs(told.total_seconds).saturating_sub(span::between(self.now, started))
            }
            (None, None) => SignedDuration::ZERO,
        };
        // As it is judged: what is far off is told in whole minutes.
        let unit = if left > SignedDuration::from_mins(10) {
            SignedDuration::from_mins(1)
        } else {
            SignedDuration::from_secs(1)
        };
        Some(Estimate {
            state,
            remaining_seconds: span::rounded(left, unit).as_secs(),
            total_seconds: told.total_seconds,
            completed_at: version.estimated_completed_at.map(|at| at.max(self.now)),
        })
    }

    fn component(&mut self, (kind, told): (&Word<InsightType>, &ClusterOperatorInsight)) -> Component {
        let field = format!("status.controlPlane: {kind} {}", told.name);
        let updating = self.condition(&field, &told.conditions, kind::UPDATING);
        Component {
            name: told.name.clone(),
            version: told.version.clone(),
            updating: Condition { since: told.since, ..updating },
            progressing_reason: told.progressing_reason.clone().unwrap_or_default(),
            healthy: self.condition(&field, &told.conditions, kind::HEALTHY),
            resource: told.resource.as_ref().filter(|_| *kind != InsightType::ClusterOperator).map(finding::resource),
        }
    }

    /// The pools: those of the control plane, then the workers'.
    fn pools(&mut self, status: &Status) -> Vec<Pool> {
        let own = status.control_plane.iter().flat_map(ControlPlane::insights);
        let own: Vec<_> = own.filter_map(|one| Some((&one.insight.kind, one.insight.pool()?))).collect();
        let mut all: Vec<Pool> = own.into_iter().map(|told| self.pool(told, Scope::ControlPlane)).collect();
        for pool in &status.worker_pools {
            let mut told = pool.insights().filter_map(|one| Some((&one.insight.kind, one.insight.pool()?)));
            if let Some(told) = told.next() {
                all.push(self.pool(told, Scope::WorkerPool));
            }
        }
        all
    }

    fn pool(&mut self, (kind, told): (&Word<InsightType>, &MachineConfigPoolInsight), scope: Scope) -> Pool {
        let field = format!("{kind} {}", told.name);
        let counted = |kind: CountOf| told.summaries.iter().find(|one| one.kind == kind).map(|one| one.count as usize);
        let count = |kind: CountOf| counted(kind).unwrap_or(0);
        let counts = PoolCounts {
            total: count(CountOf::Total),
            desired: counted(CountOf::Desired),
            available: count(CountOf::Available),
            progressing: count(CountOf::Progressing),
            // What is told "done" is the difference, which is never below nothing.
            outdated: count(CountOf::Outdated).min(count(CountOf::Total)),
            draining: count(CountOf::Draining),
            excluded: count(CountOf::Excluded),
            degraded: count(CountOf::Degraded),
            version_unknown: count(CountOf::VersionUnknown),
        };
        let assessment = word::pool_assessment_back(&told.assessment).unwrap_or_else(|| {
            self.strange(&format!("{field}.assessment"), &told.assessment);
            PoolAssessment::Progressing
        });
        Pool {
            name: told.name.clone(),
            scope: self.word(&format!("{field}.scopeType"), &told.scope_type, word::scope_back).unwrap_or(scope),
            assessment,
            completion_percent: told.completion.or(told.completion_percent).filter(|_| counts.total > 0),
            updating: self.condition(&field, &told.conditions, kind::UPDATING),
            healthy: self.condition(&field, &told.conditions, kind::HEALTHY),
            paused: told.paused,
            configuration: told.configuration.clone().unwrap_or_default(),
            counts,
            resource: told.resource.as_ref().filter(|_| *kind != InsightType::MachineConfigPool).map(finding::resource),
        }
    }

    fn gap(&mut self, told: &note::Gap) -> Gap {
        let note::Gap { kind, place, object, field, message } = told;
        Gap {
            // A kind that we do not know may be serious.
            kind: self.word("status.gaps[].kind", kind, word::gap_back).unwrap_or(GapKind::Field),
            place: place.clone().unwrap_or_default(),
            object: object.clone().unwrap_or_default(),
            field: field.clone().unwrap_or_default(),
            message: message.clone(),
        }
    }
}

fn version(told: &ControlPlane) -> Option<(&Word<InsightType>, &ClusterVersionInsight)> {
    told.insights().find_map(|one| Some((&one.insight.kind, one.insight.whole()?)))
}

fn operators(told: &ControlPlane) -> impl Iterator<Item = (&Word<InsightType>, &ClusterOperatorInsight)> {
    told.insights().filter_map(|one| Some((&one.insight.kind, one.insight.component()?)))
}

fn waiting(told: &note::WaitingOn) -> WaitingOn {
    let note::WaitingOn { what, message, since } = told.clone();
    WaitingOn { what, message, since }
}

fn counts(told: &container::OperatorCounts) -> OperatorCounts {
    let container::OperatorCounts { total, updated, updating, pending, unknown, unhealthy: _, unavailable, degraded } =
        told;
    let bad = (*unavailable as usize).saturating_add(*degraded as usize);
    OperatorCounts {
        // What is told "healthy" is the difference, which is never below nothing.
        total: (*total as usize).max(bad),
        updated: *updated as usize,
        updating: *updating as usize,
        waiting: *pending as usize,
        unknown: *unknown as usize,
        unavailable: *unavailable as usize,
        degraded: *degraded as usize,
    }
}

fn version_counts(told: &[VersionCount]) -> BTreeMap<String, usize> {
    told.iter().map(|one| (one.version.clone(), one.count as usize)).collect()
}

/// A cluster of which nothing is told.
pub(super) fn unknown_cluster() -> Cluster {
    let unknown =
        || Condition { status: Truth::Unknown, reason: "NotTold".into(), message: String::new(), since: None };
    Cluster {
        name: None,
        namespace: None,
        form: Form::Unknown,
        updating: unknown(),
        healthy: unknown(),
        assessment: Assessment::Unknown,
        versions: Versions::default(),
        completion_percent: None,
        tally: None,
        operators: OperatorCounts::default(),
        started_at: None,
        completed_at: None,
        duration_seconds: None,
        estimate: None,
    }
}
