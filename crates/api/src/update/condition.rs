//! Conditions: the shape that kubectl, kstatus and every client know, with the limits of `metav1.Condition`.

use std::borrow::Cow;
use std::ops::Deref;

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::limit;
use super::word::{Truth, Word};

/// The types of conditions that we write.
pub mod kind {
    /// Whether the writer is alive and sees the cluster.
    pub const AVAILABLE: &str = "Available";
    /// Whether something that is watched cannot be seen; of a node, whether it cannot be given its configuration.
    pub const DEGRADED: &str = "Degraded";
    /// Whether parts were left out to keep the object small.
    pub const TRUNCATED: &str = "Truncated";
    /// Whether it is being updated.
    pub const UPDATING: &str = "Updating";
    /// Whether the update goes well, or the thing is well.
    pub const HEALTHY: &str = "Healthy";
    /// Whether the cluster is where it is to be, and well. With the two that follow, what kstatus, Flux and Argo CD read.
    pub const READY: &str = "Ready";
    /// Whether the cluster is on its way and gets there without help.
    pub const RECONCILING: &str = "Reconciling";
    /// Whether the update is stalled or failing, so that somebody has to look.
    pub const STALLED: &str = "Stalled";
}

/// One aspect of an object at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Which aspect, in CamelCase.
    ///
    /// Net new.
    #[serde(rename = "type")]
    #[schemars(length(min = 1, max = 316), regex(pattern = limit::CONDITION_TYPE_PATTERN))]
    pub kind: String,
    /// Whether it holds.
    ///
    /// Derived.
    pub status: Word<Truth>,
    /// The generation of the object that the condition speaks of.
    ///
    /// Copied: metadata.generation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub observed_generation: Option<i64>,
    /// When the status last changed: as the source says, else as it was seen.
    ///
    /// Copied: the source's own condition, or net new where it has none.
    pub last_transition_time: Timestamp,
    /// Why, in one CamelCase word.
    ///
    /// Derived.
    #[schemars(length(min = 1, max = limit::CONDITION_REASON), regex(pattern = limit::REASON_PATTERN))]
    pub reason: String,
    /// Why, in a sentence; may be empty.
    ///
    /// Derived; quotes the source's message where there is one.
    #[schemars(length(max = limit::CONDITION_MESSAGE))]
    pub message: String,
}

/// Conditions, one of each type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(pub Vec<Condition>);

impl Conditions {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The condition of a type.
    #[must_use]
    pub fn of(&self, kind: &str) -> Option<&Condition> {
        self.0.iter().find(|condition| condition.kind == kind)
    }
}

impl Deref for Conditions {
    type Target = [Condition];

    fn deref(&self) -> &[Condition] {
        &self.0
    }
}

impl FromIterator<Condition> for Conditions {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        Self(conditions.into_iter().collect())
    }
}

impl JsonSchema for Conditions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Conditions".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "array",
            "items": generator.subschema_for::<Condition>(),
            "maxItems": limit::CONDITIONS,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["type"],
        })
    }
}
