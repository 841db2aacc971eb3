//! Slices of Prometheus' `/api/v1/alerts` and `/api/v1/rules` answers, as Thanos serves them and must-gather keeps them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;

use crate::meta::{null_as_default, time};

/// Either answer: `data.alerts` of `/api/v1/alerts`, or `data.groups` of `/api/v1/rules`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// `success` or `error`.
    #[serde(deserialize_with = "null_as_default")]
    pub status: String,
    /// What went wrong, with `status: error`.
    #[serde(deserialize_with = "null_as_default")]
    pub error: String,
    /// `data`.
    pub data: Option<Data>,
}

/// `data` of either answer.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Data {
    /// The alerts of `/api/v1/alerts`.
    pub alerts: Option<Vec<Alert>>,
    /// The rule groups of `/api/v1/rules`.
    pub groups: Option<Vec<RuleGroup>>,
}

/// A group of rules.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RuleGroup {
    /// The rules; recording rules have no alerts.
    #[serde(deserialize_with = "null_as_default")]
    pub rules: Vec<Rule>,
}

/// A rule with the alerts that it raised.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Rule {
    /// `alerting` or `recording`.
    #[serde(rename = "type", deserialize_with = "null_as_default")]
    pub kind: String,
    /// The rule's annotations, templates not filled in.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: AlertAnnotations,
    /// Seconds that the expression must hold before an alert fires (the rule's `for`).
    #[serde(deserialize_with = "null_as_default")]
    pub duration: f64,
    /// The alerts, pending and firing.
    #[serde(deserialize_with = "null_as_default")]
    pub alerts: Vec<Alert>,
}

/// One alert.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Alert {
    /// The labels, among them `alertname`, `namespace` and `severity`.
    #[serde(deserialize_with = "null_as_default")]
    pub labels: BTreeMap<String, String>,
    /// The annotations.
    #[serde(deserialize_with = "null_as_default")]
    pub annotations: AlertAnnotations,
    /// `pending` or `firing`.
    #[serde(deserialize_with = "null_as_default")]
    pub state: String,
    /// When the expression became true: the alert fires later, by the rule's `for`.
    #[serde(rename = "activeAt", deserialize_with = "time")]
    pub active_at: Option<Timestamp>,
    /// When the alert began to fire, where the rule's `for` is known. Not a field of the answer.
    #[serde(skip)]
    pub firing_since: Option<Timestamp>,
}

impl Alert {
    /// A label's value, empty when absent.
    #[must_use]
    pub fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }
}

/// The annotations of an alert that are read; absent ones are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AlertAnnotations {
    /// One line.
    #[serde(deserialize_with = "null_as_default")]
    pub summary: String,
    /// More lines.
    #[serde(deserialize_with = "null_as_default")]
    pub description: String,
    /// What old rules call the description.
    #[serde(deserialize_with = "null_as_default")]
    pub message: String,
    /// Where the runbook is.
    #[serde(rename = "runbook_url", deserialize_with = "null_as_default")]
    pub runbook_url: String,
}
