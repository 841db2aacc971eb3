//! Health: findings as insights, each where it belongs, and where to look first.

use std::collections::BTreeMap;

use headway_api::insight::{self, Insight, Scope};
use headway_api::report::{Report, Unit};
use headway_api::update::health::{AlertRef, HealthInsight, Impact, Related, Remediation, Scope as ScopeOf};
use headway_api::update::limit;
use headway_api::update::note::Attention;
use headway_api::update::reference::ResourceRef;
use headway_api::update::word::{InsightType, Word};

use super::text::{clip, is_link, length, number, some};
use super::{Scene, carry, place, word};

/// The resource under which a report names alerts, which are no objects.
pub(super) const ALERTS: &str = "alerts";

/// Which pool of workers each insight stands below; none for those below the control plane.
///
/// An insight on workers stands with the pool that it names, else with the pool of the node that it names. What names
/// neither, or a pool that is not told of, stands below the control plane.
pub(super) fn homes<'r>(report: &'r Report, pools: &[(&'r str, &ResourceRef)]) -> Vec<Option<&'r str>> {
    let names = |unit: &'r Unit| [Some(unit.name.as_str()), unit.node.as_deref()];
    let of_nodes: BTreeMap<&str, &str> = report
        .units
        .iter()
        .filter_map(|unit| Some((unit, unit.pool.as_deref()?)))
        .flat_map(|(unit, pool)| names(unit).into_iter().flatten().map(move |name| (name, pool)))
        .collect();
    let known = |name: &str| pools.iter().map(|(pool, _)| *pool).find(|pool| *pool == name);
    let is_pool = |told: &&insight::ResourceRef| pools.iter().any(|(_, pool)| pool.resource == told.resource);
    let home = |insight: &Insight| match insight.scope {
        Scope::ControlPlane => None,
        Scope::WorkerPool => {
            let named = insight.resources.iter().filter(is_pool);
            let nodes = insight.resources.iter().filter(|told| ["nodes", "machines"].contains(&told.resource.as_str()));
            let mut all = named.filter_map(|resource| known(&resource.name));
            all.next().or_else(|| nodes.filter_map(|node| known(of_nodes.get(node.name.as_str())?)).next())
        }
    };
    report.insights.iter().map(home).collect()
}

/// A finding.
pub(super) fn insight(scene: &Scene<'_>, told: &Insight, before: Option<&HealthInsight>) -> HealthInsight {
    let caps = &scene.caps;
    let first = told.first_observed_at.or(before.and_then(|before| before.first_observed_at));
    let (resources, alerts, unnamed) = resources(scene, told);
    let omitted = told.resources_omitted + unnamed;
    let is_reference = is_link(&told.reference);
    HealthInsight {
        started_at: told.since.or(first).or(before.map(|before| before.started_at)).unwrap_or(scene.now()),
        since: told.since,
        scope: ScopeOf {
            kind: Word::Known(word::scope(told.scope)),
            resources,
            resources_omitted: (omitted > 0).then(|| number(omitted)),
            alerts,
        },
        impact: Impact {
            level: Word::Known(word::level(told.level)),
            kind: Word::Known(word::impact(told.impact)),
            summary: summary(told),
            description: clip(&told.description, caps.description),
        },
        remediation: Remediation {
            reference: is_reference.then(|| told.reference.clone()),
            no_reference: some(&told.reference, caps.advice).filter(|_| !is_reference),
            advice: some(&told.advice, caps.advice),
            estimated_finish: None,
        },
        rule_id: Some(told.rule.id().to_owned()),
        first_observed_at: first,
        last_observed_at: told
            .last_observed_at
            .map(|at| carry::confirmed(at, before.and_then(|before| before.last_observed_at))),
        occurrences: told.occurrences,
        related: told.related.iter().take(length(limit::RELATED)).map(|related| folded(scene, related)).collect(),
    }
}

fn summary(told: &Insight) -> String {
    let summary = clip(&told.summary, length(limit::SUMMARY));
    // The API asks for a text; a rule without one is a fault of ours, and its id is better than none.
    if summary.is_empty() { told.rule.id().to_owned() } else { summary }
}

/// The objects that can be named, the alerts, and how many of either could not.
fn resources(scene: &Scene<'_>, told: &Insight) -> (Vec<ResourceRef>, Vec<AlertRef>, usize) {
    let (alerts, objects): (Vec<_>, Vec<_>) = told.resources.iter().partition(|resource| is_alert(resource));
    let objects: Vec<_> = objects
        .into_iter()
        .filter_map(|told| place::reference(scene.report(), told))
        .take(scene.caps.resources)
        .collect();
    let alerts: Vec<AlertRef> = alerts.into_iter().take(scene.caps.resources).map(alert).collect();
    let unnamed = told.resources.len() - objects.len() - alerts.len();
    (objects, alerts, unnamed)
}

fn is_alert(resource: &insight::ResourceRef) -> bool {
    resource.resource == ALERTS && resource.group.is_empty()
}

fn alert(resource: &insight::ResourceRef) -> AlertRef {
    let name = |text: &str| clip(text, length(limit::NAME));
    AlertRef { name: name(&resource.name), namespace: some(&resource.namespace, length(limit::NAME)) }
}

fn folded(scene: &Scene<'_>, related: &insight::Related) -> Related {
    let insight::Related { rule, since, summary, description } = related;
    let summary = clip(summary, length(limit::SUMMARY));
    Related {
        rule_id: rule.id().to_owned(),
        since: *since,
        summary: if summary.is_empty() { rule.id().to_owned() } else { summary },
        description: clip(description, scene.caps.related),
    }
}

/// Where to look first. `homes` are those of the insights that are told of, in the report's order, which is worst first.
pub(super) fn attention<'r>(told: impl Iterator<Item = (&'r Insight, Option<&'r str>)>) -> Vec<Attention> {
    told.take(length(limit::ATTENTION))
        .map(|(insight, pool)| Attention {
            uid: insight.uid.clone(),
            kind: InsightType::Health.into(),
            pool: pool.map(str::to_owned),
            level: Word::Known(word::level(insight.level)),
            summary: summary(insight),
        })
        .collect()
}
