//! The parts of a hosted control plane: its components on the management cluster, and the cluster operators of the guest.

use headway_api::hypershift::{ControlPlaneComponent, GROUP};
use headway_api::insight::ResourceRef;
use headway_api::meta::ConditionStatus;
use headway_api::openshift::{ClusterVersion, ClusterVersionStatus};
use headway_api::report::{self, Component, OperatorCounts, Report, Truth};

use super::super::assess;
use super::super::nodes::condition;
use super::super::operators::State;
use super::super::said;
use super::super::world::Rules;
use super::course::{Course, Parts};
use super::world::World;
use crate::snapshot::{Moment, Snapshot};

/// A component with where it is.
pub(super) struct ComponentView<'a> {
    pub(super) object: &'a ControlPlaneComponent,
    pub(super) state: State,
}

/// All components, by name, so that the order is that of no list.
pub(super) fn view<'a>(world: &World<'a>, course: &Course<'_>) -> Vec<ComponentView<'a>> {
    // What was asked for counts, even where nothing tells its version: then no component is at it.
    let target = course.target();
    let mut all: Vec<ComponentView<'a>> =
        world.components.iter().map(|object| ComponentView { object, state: state(object, target) }).collect();
    all.sort_by_key(|view| &view.object.metadata.name);
    all
}

fn state(object: &ControlPlaneComponent, target: Option<&str>) -> State {
    let status = &object.status;
    let at_target = target == Some(status.version.as_str());
    match (at_target, status.condition("RolloutComplete").map(|told| told.status)) {
        (true, Some(ConditionStatus::True)) => State::Updated,
        (false, Some(ConditionStatus::True)) if target.is_some() && !status.version.is_empty() => State::Waiting,
        (_, Some(ConditionStatus::False)) => State::Updating,
        (_, Some(ConditionStatus::True | ConditionStatus::Unknown | ConditionStatus::Other) | None) => State::Unknown,
    }
}

/// The row of a component.
fn tell(view: &ComponentView<'_>) -> Component {
    let status = &view.object.status;
    let rollout = status.condition("RolloutComplete");
    let (message, since) =
        rollout.map_or((String::new(), None), |told| (told.message.clone(), told.last_transition_time));
    let updating = match view.state {
        State::Updated => condition(Truth::False, "Updated", String::new(), None),
        State::Updating => condition(Truth::True, "Progressing", message, since),
        // Its condition tells of the rollout before.
        State::Waiting => condition(Truth::False, "Pending", String::new(), None),
        State::Unknown => {
            condition(Truth::Unknown, "CannotDetermine", "it does not say whether it is rolled out".into(), since)
        }
    };
    Component {
        name: view.object.metadata.name.clone(),
        version: Some(status.version.clone()).filter(|version| !version.is_empty()),
        updating,
        progressing_reason: rollout.map(|told| told.reason.clone()).unwrap_or_default(),
        healthy: healthy(view.object),
        resource: Some(reference(view.object)),
    }
}

/// The object of a component.
pub(super) fn reference(object: &ControlPlaneComponent) -> ResourceRef {
    ResourceRef::namespaced(GROUP, "controlplanecomponents", &object.metadata.namespace, &object.metadata.name)
}

fn healthy(object: &ControlPlaneComponent) -> report::Condition {
    let status = &object.status;
    let failed = status.condition("RolloutComplete").filter(|it| is_failure(&it.reason));
    match status.condition("Available") {
        Some(told) if told.status == ConditionStatus::False => {
            condition(Truth::False, "Unavailable", said(told), told.last_transition_time)
        }
        Some(told) if told.status == ConditionStatus::True => match failed {
            Some(failed) => condition(Truth::False, "Degraded", said(failed), failed.last_transition_time),
            None => condition(Truth::True, "AsExpected", String::new(), None),
        },
        Some(_) | None => condition(Truth::Unknown, "CannotDetermine", "there is no Available condition".into(), None),
    }
}

/// Whether a rollout that is not complete fails, rather than going on.
pub(super) fn is_failure(reason: &str) -> bool {
    reason == "ReconciliationError"
}

/// The report of the guest's cluster version operator and its operators: what is told of a standalone cluster is told of
/// them as well, but for nodes, which no pool of theirs keeps.
pub(super) fn of_guest(world: &World<'_>, course: &Course<'_>) -> Option<Report> {
    if world.guest.operators.is_empty() {
        return None;
    }
    let told = course.guest();
    let version = world.guest.cluster_version.cloned().or_else(|| {
        let told = told?;
        let status = ClusterVersionStatus {
            desired: told.desired.clone(),
            history: told.history.clone(),
            conditions: of_hosted(world),
            ..ClusterVersionStatus::default()
        };
        Some(ClusterVersion { status, ..ClusterVersion::default() })
    });
    let snapshot = Snapshot {
        moment: Moment { at: world.now(), source: report::ClockSource::Given },
        cluster_version: version,
        operators: world.guest.operators.to_vec(),
        ..Snapshot::default()
    };
    Some(assess(&snapshot, Rules::Headway))
}

/// The conditions that the HostedCluster repeats of the guest's ClusterVersion, under the names that they have there.
fn of_hosted(world: &World<'_>) -> Vec<headway_api::meta::Condition> {
    let all = world.cluster.status.conditions.iter();
    all.filter_map(|told| {
        let kind = told.kind.strip_prefix("ClusterVersion")?;
        Some(headway_api::meta::Condition { kind: kind.to_owned(), ..told.clone() })
    })
    .collect()
}

/// The rows of all parts: the components, then the guest's operators.
pub(super) fn rows(components: &[ComponentView<'_>], guest: Option<&Report>, lags: bool) -> Vec<Component> {
    let operators = guest.into_iter().flat_map(|report| &report.components).map(|row| {
        if lags && row.updating.reason == "Updated" {
            // At the release that the guest has, which is not the one that it is to have.
            let message = "the guest has not been told of the release that it is to have".to_owned();
            return Component { updating: condition(Truth::False, "Pending", message, None), ..row.clone() };
        }
        row.clone()
    });
    components.iter().map(tell).chain(operators).collect()
}

/// How many parts are seen, and how many of them are done.
pub(super) fn parts(components: &[ComponentView<'_>], guest: Option<&Report>, lags: bool) -> Parts {
    let operators = guest.map_or_else(OperatorCounts::default, |report| report.cluster.operators);
    Parts {
        components: components.len(),
        components_done: components.iter().filter(|it| it.state == State::Updated).count(),
        operators: operators.total,
        operators_done: if lags { 0 } else { operators.updated },
    }
}

/// How many parts are in which state, those of both sides together.
pub(super) fn count(components: &[ComponentView<'_>], guest: Option<&Report>, lags: bool) -> OperatorCounts {
    let of = guest.map_or_else(OperatorCounts::default, |report| report.cluster.operators);
    let (updated, waiting) = if lags { (0, of.waiting + of.updated) } else { (of.updated, of.waiting) };
    let in_state = |state: State| components.iter().filter(|it| it.state == state).count();
    let unwell = |reason: &str| components.iter().filter(|it| healthy(it.object).reason == reason).count();
    OperatorCounts {
        total: of.total + components.len(),
        updated: updated + in_state(State::Updated),
        updating: of.updating + in_state(State::Updating),
        waiting: waiting + in_state(State::Waiting),
        unknown: of.unknown + in_state(State::Unknown),
        unavailable: of.unavailable + unwell("Unavailable") + unwell("CannotDetermine"),
        degraded: of.degraded + unwell("Degraded"),
    }
}
