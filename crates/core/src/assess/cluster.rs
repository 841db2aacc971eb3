//! The cluster and its control plane: is it updating, from where to where, how far, how long
//! (status-openshift.md, 6; update-status-api.md, 3.1).

use std::collections::BTreeMap;

use headway_api::hypershift::NODE_POOL;
use headway_api::insight::Scope;
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::report::{
    self, Assessment, Change, Cluster, Estimate, EstimateState, Form, OperatorCounts, Seconds, Truth, Versions,
};
use jiff::{SignedDuration, Timestamp};

use super::estimate::{self, Curve, Inputs};
use super::names::first_few;
use super::nodes::condition;
use super::operators::{OperatorView, State};
use super::pools::{Finished, PoolViews, percent};
use super::span;
use super::world::World;
use crate::inform::Source;

/// The cluster with what the health rules need of the way it was judged.
pub(super) struct ClusterView {
    pub(super) told: Cluster,
    /// Whether the control plane's update is over and nothing contradicts that.
    pub(super) completed: bool,
    /// Since when the update is stalled.
    pub(super) stalled_since: Option<Timestamp>,
    /// What in the ClusterVersion contradicts what else is seen, in a sentence.
    pub(super) contradiction: Option<String>,
    /// The same, also while what was known before is held on to.
    pub(super) contradiction_seen: Option<String>,
}

/// How long a contradiction must last before it replaces what was known (3.1): objects that change together arrive
/// one after the other.
const CONTRADICTION_GRACE: SignedDuration = SignedDuration::from_secs(30);

const TEN_MINUTES: SignedDuration = SignedDuration::from_mins(10);

/// How long ClusterVersion may fail before the update counts as degraded (3.1): shorter spells come and go.
const FAILING_GRACE: SignedDuration = SignedDuration::from_mins(5);

/// Looks at the cluster as a whole.
pub(super) fn view(
    world: &World<'_>,
    operators: &[OperatorView<'_>],
    counts: OperatorCounts,
    pools: &PoolViews<'_>,
) -> ClusterView {
    let (updating, contradiction_seen) = updating(world, operators, counts);
    let (updating, contradiction) = settle(world, updating, contradiction_seen.clone());
    let completed = completed(world, &updating, counts, pools);
    let latest = world.latest();
    let started_at = latest.and_then(|entry| entry.started_time).or_else(|| {
        let fallback = world.cv_condition("Progressing").filter(|_| latest.is_none());
        fallback.and_then(|condition| condition.last_transition_time)
    });
    let ended = latest.filter(|entry| entry.is_completed()).and_then(|entry| entry.completion_time);
    let completed_at = match (world.as_oc(), ended) {
        (_, Some(ended)) => Some(ended),
        (true, None) if completed => Some(latest.map_or(span::ZERO_TIME, |_| world.now)),
        (_, None) => None,
    };
    let duration = duration(world, ended);
    let inputs = Inputs {
        baseline: estimate::baseline(world.history()),
        to_last_progress: to_last_progress(world, operators),
        updating_for: duration.unwrap_or(SignedDuration::ZERO),
        done: share(counts),
    };
    let left = estimate::remaining(&inputs, if world.as_oc() { Curve::AsIs } else { Curve::Clamped });
    if !completed {
        let turns = [SignedDuration::ZERO, -TEN_MINUTES].into_iter().filter(|turn| left >= *turn);
        // What is left shrinks by at most 1.2 seconds a second, and is told in whole seconds.
        let least = SignedDuration::from_millis(200);
        let waits = turns.map(|turn| (left.saturating_sub(turn) * 5 / 6).max(least));
        waits.for_each(|wait| world.look_again(world.now.saturating_add(wait).unwrap_or(Timestamp::MAX)));
    }
    let estimate = (!completed && (world.as_oc() || updating.status == Truth::True))
        .then(|| tell_estimate(world, &inputs, left))
        .flatten();
    let assessment = assessment(world, completed, &updating, counts, left);
    let stalled_since = (assessment == Assessment::Stalled)
        .then(|| started_at.and_then(|started| estimate::stalled_since(started, &inputs, left)))
        .flatten();
    let finished = if updating.status == Truth::False { Finished::WhenAll } else { Finished::NotYet };
    let told = Cluster {
        name: world.cv().map(|cv| cv.metadata.name.clone()).filter(|name| !name.is_empty()),
        namespace: None,
        form: form(world, pools),
        healthy: healthy(world, assessment),
        assessment,
        versions: versions(world, operators, pools, &updating),
        completion_percent: (counts.total > 0).then(|| percent(world, counts.updated, counts.total, finished)),
        tally: None,
        operators: counts,
        started_at,
        completed_at,
        duration_seconds: duration.map(Seconds),
        estimate,
        updating,
    };
    ClusterView { told, completed, stalled_since, contradiction, contradiction_seen }
}

/// Holds on to what was known before until a contradiction has lasted for a while.
fn settle(
    world: &World<'_>,
    updating: report::Condition,
    contradiction: Option<String>,
) -> (report::Condition, Option<String>) {
    let memory = world.memory();
    match (&contradiction, &memory.updating) {
        (Some(_), Some(known)) => {
            let since = memory.contradiction_since.unwrap_or(world.now);
            if world.past(Source::ClusterVersions, since, CONTRADICTION_GRACE) {
                (updating, contradiction)
            } else {
                (known.clone(), None)
            }
        }
        (None, _) | (_, None) => (updating, contradiction),
    }
}

/// Whether the control plane is updating (3.1), and what contradicts the ClusterVersion's word for it.
fn updating(
    world: &World<'_>,
    operators: &[OperatorView<'_>],
    counts: OperatorCounts,
) -> (report::Condition, Option<String>) {
    let unknown = |message: String| condition(Truth::Unknown, "CannotDetermineUpdating", message, None);
    let Some(progressing) = world.cv_condition("Progressing") else {
        return (unknown("ClusterVersion has no Progressing condition".into()), None);
    };
    let Some(latest) = world.latest() else {
        return (unknown("ClusterVersion has no history".into()), None);
    };
    let quoted = quote(progressing);
    let since = progressing.last_transition_time;
    let ended = latest.completion_time.is_some();
    let contradiction = match (progressing.status, latest.is_completed(), ended) {
        (ConditionStatus::True, false, false) => {
            return (condition(Truth::True, "ClusterVersionProgressing", quoted, since), None);
        }
        (ConditionStatus::False, true, true) if counts.updated < counts.total => format!(
            "ClusterVersion says that {} is complete, but {} of {} operators report another version: {}",
            latest.version,
            counts.total - counts.updated,
            counts.total,
            listed_behind(operators)
        ),
        (ConditionStatus::False, true, true) => {
            return (condition(Truth::False, "ClusterVersionNotProgressing", quoted, since), None);
        }
        (ConditionStatus::True, _, _) => format!(
            "ClusterVersion is progressing, but its newest history entry, {}, is {}",
            latest.version,
            if ended { "over" } else { "Completed" },
        ),
        (ConditionStatus::False, completed, _) => format!(
            "ClusterVersion is not progressing, but its newest history entry, {}, {}",
            latest.version,
            if completed { "has no completion time" } else { "is not Completed" },
        ),
        (ConditionStatus::Unknown | ConditionStatus::Other, _, _) => {
            return (unknown(quoted), None);
        }
    };
    (unknown(contradiction.clone()), Some(contradiction))
}

/// The first few operators that are not at the target.
fn listed_behind(operators: &[OperatorView<'_>]) -> String {
    let behind = operators.iter().filter(|operator| operator.state != State::Updated);
    first_few(&behind.map(OperatorView::name).collect::<Vec<_>>())
}

fn quote(condition: &Condition) -> String {
    let Condition { reason, message, .. } = condition;
    match (reason.is_empty(), message.is_empty()) {
        (true, _) => message.clone(),
        (false, true) => reason.clone(),
        (false, false) => format!("{reason}: {message}"),
    }
}

/// Whether the control plane's update is over.
fn completed(world: &World<'_>, updating: &report::Condition, counts: OperatorCounts, pools: &PoolViews<'_>) -> bool {
    if world.as_oc() {
        // Also 0 of 0, and while the ClusterVersion goes on: oc_15_3_2.
        return counts.updated == counts.total;
    }
    let nodes_behind = pools.pools.iter().any(|pool| pool.is_control_plane() && pool.has_known_outdated());
    updating.status == Truth::False && counts.total > 0 && counts.updated == counts.total && !nodes_behind
}

/// From the start of the update to its end, or to now (6.6). `None` where the start is not known.
fn duration(world: &World<'_>, ended: Option<Timestamp>) -> Option<SignedDuration> {
    let started = match (world.latest()?.started_time, world.as_oc()) {
        (Some(started), _) => started,
        (None, true) => span::ZERO_TIME,
        (None, false) => return None,
    };
    let elapsed = span::between(ended.unwrap_or(world.now), started);
    Some(if world.as_oc() { elapsed } else { elapsed.max(SignedDuration::ZERO) })
}

fn share(counts: OperatorCounts) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of operators are far below 2^52")]
    if counts.total == 0 { 1.0 } else { counts.updated as f64 / counts.total as f64 }
}

/// From the start to the last progress seen (6.6).
fn to_last_progress(world: &World<'_>, operators: &[OperatorView<'_>]) -> SignedDuration {
    let Some(latest) = world.latest() else {
        return SignedDuration::ZERO;
    };
    let started = latest.started_time.unwrap_or(span::ZERO_TIME);
    let transition =
        |operator: &OperatorView<'_>| operator.condition("Progressing").and_then(|c| c.last_transition_time);
    let mut last = operators.iter().filter_map(transition).max();
    let left: Vec<_> = operators.iter().filter(|operator| operator.state != State::Updated).collect();
    if let [only] = left.as_slice()
        && only.name() == "machine-config"
        && only.condition("Progressing").is_some_and(|c| c.status == ConditionStatus::True)
    {
        // As it reboots nodes, operators with daemon sets flap: their transitions are no progress.
        last = transition(only);
    }
    // A version that was seen to change is progress as well; only who watches sees that.
    let last = last.max(world.memory().progress_of(&latest.version));
    let last = last.filter(|last| *last > started).unwrap_or(world.now);
    span::between(last, started)
}

fn tell_estimate(world: &World<'_>, inputs: &Inputs, left: SignedDuration) -> Option<Estimate> {
    if left.is_zero() && world.as_oc() {
        return None;
    }
    let total = inputs.updating_for.saturating_add(left);
    let state = if is_multi_arch(world) {
        EstimateState::NotForMultiArchitecture
    } else if left < -TEN_MINUTES {
        EstimateState::Overdue
    } else {
        EstimateState::Known
    };
    let known = state == EstimateState::Known;
    Some(Estimate {
        state,
        remaining_seconds: left.as_secs(),
        total_seconds: span::truncated(total, SignedDuration::from_mins(1)).as_secs(),
        completed_at: known.then(|| world.now.checked_add(left.max(SignedDuration::ZERO)).ok()).flatten(),
    })
}

fn assessment(
    world: &World<'_>,
    completed: bool,
    updating: &report::Condition,
    counts: OperatorCounts,
    left: SignedDuration,
) -> Assessment {
    let failing = world.cv_condition("Failing").filter(|failing| failing.status == ConditionStatus::True);
    let fails = failing
        .is_some_and(|failing| world.is_past(Source::ClusterVersions, failing.last_transition_time, FAILING_GRACE));
    let timed = if left < -TEN_MINUTES && (world.as_oc() || !is_multi_arch(world)) {
        Assessment::Stalled
    } else if left < SignedDuration::ZERO {
        Assessment::ProgressingSlow
    } else {
        Assessment::Progressing
    };
    if completed {
        Assessment::Completed
    } else if world.as_oc() {
        timed
    } else if updating.status == Truth::Unknown {
        Assessment::Unknown
    } else if updating.status == Truth::False && counts.total == 0 {
        // The ClusterVersion says that it is over, and none of those who would know was seen.
        Assessment::Unknown
    } else if updating.status == Truth::False {
        // The operators are done; nodes of the control plane are not.
        Assessment::Progressing
    } else if fails && timed != Assessment::Stalled {
        Assessment::Degraded
    } else {
        timed
    }
}

fn healthy(world: &World<'_>, assessment: Assessment) -> report::Condition {
    let failing = world.cv_condition("Failing");
    match failing.map(|failing| failing.status) {
        Some(ConditionStatus::True) => {
            let since = failing.and_then(|failing| failing.last_transition_time);
            condition(Truth::False, "Failing", failing.map_or(String::new(), quote), since)
        }
        _ if assessment == Assessment::Stalled => condition(Truth::False, "Stalled", String::new(), None),
        Some(ConditionStatus::False) => condition(Truth::True, "AsExpected", String::new(), None),
        Some(ConditionStatus::Unknown | ConditionStatus::Other) | None => {
            condition(Truth::Unknown, "CannotDetermine", "Failing is missing or unknown".into(), None)
        }
    }
}

/// Whether this is a migration to the multi-architecture payload (6.5). The peer takes any change of the image under
/// one version for one: oc_15_3_13.
fn is_multi_arch(world: &World<'_>) -> bool {
    world.same_version_other_image() && (world.as_oc() || architecture(world).is_some())
}

/// The architecture of the target where it is not a single one, as it is or as it was asked for.
fn architecture(world: &World<'_>) -> Option<String> {
    let cv = world.cv()?;
    let asked = cv.spec.desired_update.as_ref().map(|asked| &asked.architecture);
    let told = std::iter::once(&cv.status.desired.architecture).chain(asked);
    told.into_iter().find(|architecture| !architecture.is_empty()).cloned()
}

fn versions(
    world: &World<'_>,
    operators: &[OperatorView<'_>],
    pools: &PoolViews<'_>,
    updating: &report::Condition,
) -> Versions {
    let history = world.history();
    let named = |version: &str| Some(version.to_owned()).filter(|version| !version.is_empty());
    let previous = history.get(1);
    let change = match history {
        // A single entry that is complete is an installation long past: oc_15_3_13.
        [only] if world.as_oc() || !only.is_completed() || updating.status == Truth::True => Change::Installation,
        _ if is_multi_arch(world) => Change::MultiArchitecture,
        _ if world.same_version_other_image() => Change::Image,
        _ => Change::Version,
    };
    let mut of_operators = BTreeMap::new();
    for operator in operators {
        let own = operator.operator.status.versions.iter().find(|entry| entry.name == "operator");
        if let Some(version) = own.and_then(|entry| named(&entry.version)) {
            *of_operators.entry(version).or_default() += 1;
        }
    }
    let mut of_nodes = BTreeMap::new();
    for version in pools.nodes().filter_map(|node| node.unit.version.clone()) {
        *of_nodes.entry(version).or_default() += 1;
    }
    Versions {
        target: history.first().and_then(|entry| named(&entry.version)),
        previous: previous.and_then(|entry| named(&entry.version)),
        change,
        previous_is_partial: previous.is_some_and(headway_api::openshift::History::is_partial),
        architecture: architecture(world),
        operators: of_operators,
        nodes: of_nodes,
        plan: Vec::new(),
        position: None,
    }
}

fn form(world: &World<'_>, pools: &PoolViews<'_>) -> Form {
    let hosted_node = |label: &str| world.snapshot.nodes.iter().any(|node| node.metadata.labels.has(label));
    if pools.pools.iter().any(|pool| pool.told.scope == Scope::ControlPlane) {
        Form::Standalone
    } else if world.snapshot.pools.is_empty()
        && (hosted_node(NODE_POOL) || (world.cv().is_some() && no_control_plane_nodes(world)))
    {
        Form::Hosted
    } else {
        Form::Unknown
    }
}

/// Whether there are nodes, and none of them is of the control plane.
fn no_control_plane_nodes(world: &World<'_>) -> bool {
    let roles = ["node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"];
    let nodes = &world.snapshot.nodes;
    !nodes.is_empty() && !nodes.iter().any(|node| roles.iter().any(|role| node.metadata.labels.has(role)))
}
