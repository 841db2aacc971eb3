//! The control plane as a whole, and its operators and other components, as insights.

use std::collections::BTreeMap;

use headway_api::report::{self, Component, EstimateState, Truth};
use headway_api::update::cluster_operator::ClusterOperatorInsight;
use headway_api::update::cluster_version::{
    ClusterVersionInsight, Estimate, Position, Tally, Version, VersionCount, VersionMetadata, Versions,
};
use headway_api::update::condition::{Conditions, kind};
use headway_api::update::container::OperatorCounts;
use headway_api::update::limit;
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::{VersionKey, Word};
use jiff::{SignedDuration, Timestamp};

use super::text::{clip, is_subdomain, is_version, length, number, some};
use super::{Scene, carry, place, word};
use crate::assess::span;

/// The progress of the control plane as a whole.
pub(super) fn version(
    scene: &Scene<'_>,
    resource: &ResourceRef,
    before: Option<&ClusterVersionInsight>,
) -> ClusterVersionInsight {
    let cluster = &scene.report().cluster;
    let conditions = before.map(|before| &before.conditions);
    let (estimated_completed_at, estimate) = estimate(scene, before);
    ClusterVersionInsight {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, &cluster.updating, Some("cluster/Updating"), conditions),
            carry::condition(scene, kind::HEALTHY, &cluster.healthy, Some("cluster/Healthy"), conditions),
        ]),
        name: Some(resource.name.clone()),
        resource: Some(resource.clone()),
        assessment: cluster.assessment.to_string(),
        versions: versions(scene, &cluster.versions),
        completion: cluster.completion_percent,
        completion_percent: cluster.completion_percent,
        tally: cluster.tally.map(|report::Tally { of, done, total }| Tally {
            of: Word::Known(word::counted(of)),
            done: super::text::nodes(done),
            total: super::text::nodes(total),
        }),
        // The report falls back to the condition where there is no history; a duration it tells only of history.
        started_at: cluster.started_at.filter(|_| cluster.duration_seconds.is_some()),
        progressing_since: cluster.started_at.filter(|_| cluster.duration_seconds.is_none()),
        completed_at: cluster.completed_at,
        estimated_completed_at,
        estimate,
    }
}

/// An estimate moves with every look: it is written only when it has moved by more than this, or by more than a
/// fiftieth of what has passed (update-status-api.md, 3.1).
const MOVED: SignedDuration = SignedDuration::from_secs(30);

fn estimate(scene: &Scene<'_>, before: Option<&ClusterVersionInsight>) -> (Option<Timestamp>, Option<Estimate>) {
    let cluster = &scene.report().cluster;
    let Some(told) = &cluster.estimate else {
        return (None, None);
    };
    let state = Word::Known(word::estimate(told.state));
    let same = before.filter(|before| before.started_at == cluster.started_at);
    let same = same.filter(|before| before.estimate.as_ref().is_some_and(|estimate| estimate.state == state));
    let elapsed = cluster.started_at.map_or(SignedDuration::ZERO, |started| span::between(scene.now(), started));
    let tolerance = MOVED.max(SignedDuration::from_secs(elapsed.as_secs() / 50));
    let near = |a: i64, b: i64| a.abs_diff(b) <= tolerance.as_secs().unsigned_abs();
    let at = match told.state {
        EstimateState::Known => {
            let left = SignedDuration::from_secs(told.remaining_seconds);
            let fresh = scene.now().checked_add(left).ok();
            let written = same.and_then(|before| before.estimated_completed_at);
            match (fresh, written) {
                (Some(fresh), Some(written)) if near(fresh.as_second(), written.as_second()) => Some(written),
                (fresh, _) => fresh,
            }
        }
        EstimateState::Overdue | EstimateState::NotForMultiArchitecture => None,
    };
    let written = same.and_then(|before| before.estimate.as_ref()).map(|estimate| estimate.total_seconds);
    let total_seconds = written.filter(|written| near(*written, told.total_seconds)).unwrap_or(told.total_seconds);
    (at, Some(Estimate { state, total_seconds }))
}

fn versions(scene: &Scene<'_>, told: &report::Versions) -> Option<Versions> {
    let report::Versions {
        target,
        previous,
        change,
        previous_is_partial,
        architecture,
        operators,
        nodes,
        plan,
        position,
    } = told;
    if target.is_none() && previous.is_none() {
        return None;
    }
    let mark = |key: VersionKey, value: Option<String>| VersionMetadata { key: key.into(), value };
    let previous = (previous.is_some() || *previous_is_partial).then(|| Version {
        version: named(previous.as_ref()),
        metadata: if *previous_is_partial { vec![mark(VersionKey::Partial, None)] } else { Vec::new() },
    });
    let mut metadata = Vec::new();
    // By the API, what has no version before it is an installation; `change` tells one that is long past.
    if previous.is_none() {
        metadata.push(mark(VersionKey::Installation, None));
    }
    if let Some(architecture) = architecture {
        metadata.push(mark(VersionKey::Architecture, some(architecture, 32)));
    }
    let change = Some(Word::Known(word::change(*change)));
    Some(Versions {
        previous,
        target: Version { version: named(target.as_ref()), metadata },
        change,
        operators: counts(scene, operators),
        nodes: counts(scene, nodes),
        plan: plan
            .iter()
            .filter(|version| !version.is_empty())
            .take(length(limit::STEPS))
            .map(|version| clip(version, length(limit::VERSION)))
            .collect(),
        position: position
            .filter(|position| position.step > 0 && position.of > 0)
            .map(|report::Position { step, of }| Position { step: number(step), of: number(of) }),
    })
}

fn named(version: Option<&String>) -> Option<String> {
    version.filter(|version| is_version(version) && version.len() >= 5).cloned()
}

/// How many have each version; the most frequent ones where there are many.
fn counts(scene: &Scene<'_>, counts: &BTreeMap<String, usize>) -> Vec<VersionCount> {
    let mut all: Vec<(&String, &usize)> = counts.iter().filter(|(version, _)| !version.is_empty()).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    all.truncate(scene.caps.versions);
    all.sort();
    all.into_iter()
        .map(|(version, count)| VersionCount {
            version: clip(version, length(limit::VERSION)),
            count: super::text::nodes(*count),
        })
        .collect()
}

/// How many operators are in which state.
pub(super) fn operators(counts: &report::OperatorCounts) -> OperatorCounts {
    let report::OperatorCounts { total, updated, updating, waiting, unknown, unavailable, degraded } = *counts;
    OperatorCounts {
        total: number(total),
        updated: number(updated),
        updating: number(updating),
        pending: number(waiting),
        unknown: number(unknown),
        unhealthy: number(unavailable + degraded),
        unavailable: number(unavailable),
        degraded: number(degraded),
    }
}

/// The operators that can be told of, in their order, and how many cannot. Those on their way are told of first.
pub(super) fn told_operators<'r>(scene: &Scene<'r>) -> (Vec<&'r Component>, usize) {
    let mut seen = std::collections::BTreeSet::new();
    let components = &scene.report().components;
    // A component of a hosted control plane and an operator of its guest may have one name.
    let sign = |component: &Component| place::sign(place::component(scene.report(), component).as_ref());
    let mut all: Vec<(usize, &Component)> = components
        .iter()
        .enumerate()
        .filter(|(_, component)| is_subdomain(&component.name) && seen.insert((sign(component), &component.name)))
        .collect();
    let quiet = |component: &Component| {
        u8::from(component.updating.status != Truth::True) + u8::from(component.healthy.status == Truth::True)
    };
    all.sort_by_key(|(at, component)| (quiet(component), *at));
    all.truncate(scene.caps.components);
    all.sort_by_key(|(at, _)| *at);
    let told: Vec<&Component> = all.into_iter().map(|(_, component)| component).collect();
    let dropped = components.len() - told.len();
    (told, dropped)
}

/// The progress of an operator or another component, whose name is one.
pub(super) fn operator(
    scene: &Scene<'_>,
    component: &Component,
    object: Option<ResourceRef>,
    before: Option<&ClusterOperatorInsight>,
) -> ClusterOperatorInsight {
    let Component { name, version, updating, progressing_reason, healthy, resource: _ } = component;
    let before = before.map(|before| &before.conditions);
    let key = |what: &str| format!("component/{name}/{what}");
    ClusterOperatorInsight {
        conditions: Conditions(vec![
            carry::condition(scene, kind::UPDATING, updating, Some(&key("Updating")), before),
            carry::condition(scene, kind::HEALTHY, healthy, Some(&key("Healthy")), before),
        ]),
        name: name.clone(),
        resource: object,
        version: version.as_ref().map(|version| clip(version, length(limit::VERSION))),
        since: updating.since,
        progressing_reason: some(progressing_reason, scene.caps.message.min(256)),
    }
}
