//! Pools: their progress as insights, and their nodes in groups.

use headway_api::insight::Scope;
use headway_api::report::{Pool, PoolAssessment, PoolCounts, Truth, Unit};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::group::NodeGroup;
use headway_api::update::pool::{MachineConfigPoolInsight, NodeCount};
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::{CountOf, Truth as Word3, UnitKind, Word};

use super::level::Details;
use super::parts::Told;
use super::place::MACHINE;
use super::text::{clip, length, nodes, reason, some};
use super::{Dropped, Scene, carry, word};
use crate::group::{self, Group};
use headway_api::update::limit;

/// The progress of a pool.
pub(super) fn insight(
    scene: &Scene<'_>,
    told: &Told<'_>,
    before: Option<&MachineConfigPoolInsight>,
) -> MachineConfigPoolInsight {
    let Pool {
        name,
        scope,
        assessment,
        completion_percent,
        updating,
        healthy,
        paused,
        configuration,
        counts,
        resource: _,
    } = told.pool;
    let before = before.map(|before| &before.conditions);
    let key = |what: &str| format!("pool/{name}/{what}");
    // A pool without nodes has nothing left to do.
    let completion = completion_percent.or((*assessment == PoolAssessment::Empty).then_some(100));
    MachineConfigPoolInsight {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, updating, Some(&key("Updating")), before),
            carry::condition(scene, kind::HEALTHY, healthy, Some(&key("Healthy")), before),
        ]),
        name: name.clone(),
        resource: Some(told.resource.clone()),
        scope_type: Word::Known(word::scope(*scope)),
        assessment: assessment.to_string(),
        completion,
        completion_percent: completion,
        summaries: summaries(counts),
        paused: *paused,
        configuration: some(configuration, length(limit::NAME)),
    }
}

fn summaries(counts: &PoolCounts) -> Vec<NodeCount> {
    let PoolCounts { total, desired, available, progressing, outdated, draining, excluded, degraded, version_unknown } =
        *counts;
    let desired = desired.map(|desired| (CountOf::Desired, desired));
    let all = [
        (CountOf::Total, total),
        (CountOf::Available, available),
        (CountOf::Progressing, progressing),
        (CountOf::Outdated, outdated),
        (CountOf::Draining, draining),
        (CountOf::Excluded, excluded),
        (CountOf::Degraded, degraded),
        (CountOf::VersionUnknown, version_unknown),
    ];
    all.into_iter().chain(desired).map(|(kind, count)| NodeCount { kind: kind.into(), count: nodes(count) }).collect()
}

/// Where groups stand: whether their pool has to be named, and what they point at.
pub(super) struct Place<'a> {
    /// The pool, where the list has groups of several.
    pub(super) pool: Option<&'a str>,
    /// The groups as they were written.
    pub(super) before: &'a [NodeGroup],
    /// Where every node is told of.
    pub(super) details: Option<ResourceRef>,
}

/// The nodes of one pool, in groups.
pub(super) fn groups(scene: &Scene<'_>, units: &[Unit], place: &Place<'_>, dropped: &mut Dropped) -> Vec<NodeGroup> {
    let groups = group::groups(units, scene.caps.groups);
    groups.iter().map(|group| node_group(scene, group, place, dropped)).collect()
}

fn node_group(scene: &Scene<'_>, group: &Group<'_>, place: &Place<'_>, dropped: &mut Dropped) -> NodeGroup {
    let key = group.key();
    let before = place.before.iter().find(|before| before.key == key && before.pool.as_deref() == place.pool);
    // A name that the API cannot hold is counted and not told.
    let fits = |name: &&str| name.chars().count() <= length(limit::NAME) && !name.is_empty();
    let names = group.members.iter().map(|unit| unit.name.as_str()).filter(fits).take(scene.caps.names);
    let suffix = group::shared_suffix(names.clone());
    let bare = |name: &str| name[..name.len() - suffix.map_or(0, str::len)].to_owned();
    let node_names: Vec<String> = names.map(bare).collect();
    let omitted = group.members.len() - node_names.len();
    dropped.names += omitted;
    let truth = |truth: Truth| Word::Known(word::truth(truth));
    let mut told = NodeGroup {
        key,
        pool: place.pool.map(str::to_owned),
        kind: group.members.iter().all(|unit| unit.kind == MACHINE).then_some(Word::Known(UnitKind::Machine)),
        count: nodes(group.members.len()),
        phase: Word::Known(word::phase(group.phase)),
        updating: Word::Known(if group.phase.moves() { Word3::True } else { Word3::False }),
        available: truth(group.available),
        degraded: truth(group.degraded),
        version: some(group.version.unwrap_or_default(), length(limit::VERSION)),
        reason: clip(&reason(group.reason), length(limit::ASSESSMENT)),
        message: some(group.message, scene.caps.group_message),
        first_seen: before.map_or(scene.now(), |before| before.first_seen),
        last_transition_time: scene.now(),
        name_suffix: suffix.map(str::to_owned),
        node_names,
        node_names_omitted: (omitted > 0).then(|| nodes(omitted)),
        // What rests can be looked up like everything else; a link in each group would be most of its size.
        details: place
            .details
            .clone()
            .filter(|_| !group.is_quiet() && scene.caps.details == Details::Linked)
            .into_iter()
            .collect(),
    };
    if let Some(before) = before
        && before.count == told.count
        && before.node_names == told.node_names
        && before.name_suffix == told.name_suffix
    {
        told.last_transition_time = before.last_transition_time;
    }
    told
}

/// Whether a pool is told of below the control plane.
pub(super) fn is_control_plane(pool: &Pool) -> bool {
    pool.scope == Scope::ControlPlane
}

/// How bad a pool is, the worst first: which pools are kept when there is no room for all.
pub(super) fn rank(pool: &Pool) -> u8 {
    match pool.assessment {
        PoolAssessment::Degraded => 0,
        PoolAssessment::Excluded => 1,
        PoolAssessment::Progressing => 2,
        PoolAssessment::Pending | PoolAssessment::Unknown => 3,
        PoolAssessment::Completed => 4,
        PoolAssessment::Empty => 5,
    }
}
