//! What is wrong with an update: how bad it is, since when, and what to do about it.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use super::reference::ResourceRef;
use super::word::{Impact as ImpactType, Level, Scope as ScopeType, Word};

/// A finding about the health of an update.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HealthInsight {
    /// Since when it holds: as a source says, else when it was first observed.
    ///
    /// Copied: the lastTransitionTime of the source's condition, or net new where it has none.
    pub started_at: Timestamp,
    /// Since when it holds, only where a source says so.
    ///
    /// Copied: the lastTransitionTime of the source's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What it concerns.
    pub scope: Scope,
    /// What it means.
    pub impact: Impact,
    /// What to do about it.
    pub remediation: Remediation,
    /// The rule that found it. Rules are never renamed.
    ///
    /// Net new.
    #[serde(rename = "ruleID", skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64), regex(pattern = limit::RULE_PATTERN))]
    pub rule_id: Option<String>,
    /// When it was first observed.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_observed_at: Option<Timestamp>,
    /// When it was last observed; rewritten every ten minutes.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_observed_at: Option<Timestamp>,
    /// How often it has come, if it went away for less than half an hour in between.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub occurrences: Option<u32>,
    /// Findings that have this one as their cause and are therefore not told on their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RELATED), extend("x-kubernetes-list-type" = "atomic"))]
    pub related: Vec<Related>,
}

/// What a finding concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The control plane, or a pool of workers.
    ///
    /// Derived.
    #[serde(rename = "type")]
    pub kind: Word<ScopeType>,
    /// The objects it speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RESOURCES), extend("x-kubernetes-list-type" = "atomic"))]
    pub resources: Vec<ResourceRef>,
    /// How many further objects it speaks of.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources_omitted: Option<u32>,
    /// The alerts it speaks of, which are no objects of the API.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::RESOURCES), extend("x-kubernetes-list-type" = "atomic"))]
    pub alerts: Vec<AlertRef>,
}

/// An alert that is firing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertRef {
    /// Its name.
    ///
    /// Copied: the alert's label alertname.
    #[schemars(length(max = limit::NAME))]
    pub name: String,
    /// The namespace that it is about.
    ///
    /// Copied: the alert's label namespace.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NAME))]
    pub namespace: Option<String>,
}

/// What a finding means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impact {
    /// How bad it is. Info needs nothing, Warning nothing yet, Error an administrator; Critical puts data at risk.
    ///
    /// Derived.
    pub level: Word<Level>,
    /// What it does to the update or the cluster.
    ///
    /// Derived.
    #[serde(rename = "type")]
    pub kind: Word<ImpactType>,
    /// One line.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::SUMMARY))]
    pub summary: String,
    /// All that is known, possibly many lines.
    ///
    /// Derived; quotes the source's message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::DESCRIPTION))]
    pub description: String,
}

/// What to do about a finding.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Remediation {
    /// Where to read more.
    ///
    /// Net new; of an alert copied: its annotation runbook_url.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::URL), regex(pattern = limit::URL_PATTERN))]
    pub reference: Option<String>,
    /// Why there is no reference.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub no_reference: Option<String>,
    /// What to do, where the reference does not say it better.
    ///
    /// Net new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = limit::NOTE))]
    pub advice: Option<String>,
    /// When it should be over without anybody's help.
    ///
    /// Derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_finish: Option<Timestamp>,
}

/// A finding that was folded into its cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Related {
    /// The rule that found it.
    ///
    /// Net new.
    #[serde(rename = "ruleID")]
    #[schemars(length(max = 64), regex(pattern = limit::RULE_PATTERN))]
    pub rule_id: String,
    /// Since when it holds, where a source says so.
    ///
    /// Copied: the lastTransitionTime of the source's condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// One line.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::SUMMARY))]
    pub summary: String,
    /// All that is known, possibly many lines.
    ///
    /// Derived; quotes the source's message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::NOTE))]
    pub description: String,
}
