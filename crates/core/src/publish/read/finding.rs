//! Health insights, wherever they stand, in the order of a report.

use std::cmp::Reverse;

use headway_api::gap::{Gap, GapKind};
use headway_api::insight::{Impact, Insight, Level, Related, ResourceRef, Scope};
use headway_api::update::health::{self, HealthInsight};
use headway_api::update::reference;
use headway_api::update::status::Status;
use headway_api::update::word::Word;

use super::super::health::ALERTS;
use super::super::word;
use super::Reader;

impl Reader<'_> {
    /// All findings, worst first; equals in the order in which the status points at them, then as they stand.
    pub(super) fn findings(&mut self, status: &Status) -> Vec<Insight> {
        let mut all: Vec<Insight> = status.findings().filter_map(|(uid, told)| self.finding(uid, told)).collect();
        let place = |insight: &Insight| status.attention.iter().position(|one| one.uid == insight.uid);
        all.sort_by_key(|insight| place(insight).unwrap_or(usize::MAX));
        all.sort_by_key(|insight| Reverse(insight.since));
        all.sort_by_key(|insight| Reverse(insight.level));
        all
    }

    fn finding(&mut self, uid: &str, told: &HealthInsight) -> Option<Insight> {
        let HealthInsight { scope, impact, remediation, .. } = told;
        let field = |name: &str| format!("{uid}.{name}");
        let id = told.rule_id.as_deref().unwrap_or_default();
        let Some(rule) = word::rule_back(id) else {
            self.of_newer_rule(uid, id, impact);
            return None;
        };
        // Something is wrong, we cannot tell how bad it is: it is told, and a gap says why it may be worse.
        let level = self.word(&field("impact.level"), &impact.level, word::level_back).unwrap_or(Level::Warning);
        let kind = match &impact.kind {
            // Words of the API that no rule of ours has.
            Word::Known(known) => word::impact_back(*known).unwrap_or(Impact::Unknown),
            Word::Newer(newer) => {
                self.strange(&field("impact.type"), newer);
                Impact::Unknown
            }
        };
        let alerts = scope.alerts.iter().map(alert);
        Some(Insight {
            uid: uid.to_owned(),
            rule,
            level,
            impact: kind,
            since: told.since,
            summary: impact.summary.clone(),
            description: impact.description.clone(),
            advice: remediation.advice.clone().unwrap_or_default(),
            reference: remediation.reference.clone().or(remediation.no_reference.clone()).unwrap_or_default(),
            scope: self.word(&field("scope.type"), &scope.kind, word::scope_back).unwrap_or(Scope::WorkerPool),
            resources: scope.resources.iter().map(resource).chain(alerts).collect(),
            resources_omitted: scope.resources_omitted.unwrap_or(0) as usize,
            first_observed_at: told.first_observed_at,
            last_observed_at: told.last_observed_at,
            occurrences: told.occurrences,
            related: told.related.iter().filter_map(related).collect(),
        })
    }

    /// A finding of a rule that we do not have: it cannot be told as one of ours, and is not kept silent.
    fn of_newer_rule(&mut self, uid: &str, id: &str, impact: &health::Impact) {
        let health::Impact { level, kind, summary, description: _ } = impact;
        let id = if id.is_empty() { "a rule without an id" } else { id };
        let message =
            format!("{level}, {kind}: {summary} (found by {id}, which this version of headway does not know)");
        let gap = Gap { field: uid.to_owned(), ..self.remark(GapKind::Field, message) };
        self.strange.push(gap);
    }
}

pub(super) fn resource(told: &reference::ResourceRef) -> ResourceRef {
    let reference::ResourceRef { group, resource, name, namespace, cluster: _ } = told;
    ResourceRef {
        group: group.clone().unwrap_or_default(),
        resource: resource.clone(),
        namespace: namespace.clone().unwrap_or_default(),
        name: name.clone(),
    }
}

fn alert(told: &health::AlertRef) -> ResourceRef {
    ResourceRef::namespaced("", ALERTS, told.namespace.as_deref().unwrap_or_default(), &told.name)
}

fn related(told: &health::Related) -> Option<Related> {
    let health::Related { rule_id, since, summary, description } = told;
    Some(Related {
        rule: word::rule_back(rule_id)?,
        since: *since,
        summary: summary.clone(),
        description: description.clone(),
    })
}
