//! How often conditions of the sources change.

use std::collections::BTreeMap;
use std::fmt;

use headway_api::meta::ConditionStatus;
use jiff::{SignedDuration, Timestamp};

use crate::snapshot::Snapshot;

/// The time within which changes are counted (update-status-api.md, 3.6, `H-FLAPPING`).
pub const FLAP_WINDOW: SignedDuration = SignedDuration::from_mins(30);

/// So many changes within [`FLAP_WINDOW`] are too many.
pub const FLAPS: usize = 6;

/// So many changes of one subject are kept.
const KEPT: usize = 32;

/// The conditions of operators that are counted. `Progressing` is not: it changes with each step of a healthy update.
const COUNTED: [&str; 2] = ["Available", "Degraded"];

/// What changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A condition of a cluster operator.
    Operator {
        /// The operator.
        name: String,
        /// The condition's type.
        condition: String,
    },
    /// Whether a node is well: ready, without pressure, with network.
    Node {
        /// The node.
        name: String,
    },
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator { name, condition } => write!(f, "clusteroperators/{name}/{condition}"),
            Self::Node { name } => write!(f, "nodes/{name}"),
        }
    }
}

impl Subject {
    /// The way back from the text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        match (parts.next()?, parts.next()?, parts.next(), parts.next()) {
            ("clusteroperators", name, Some(condition), None) => {
                Some(Self::Operator { name: name.into(), condition: condition.into() })
            }
            ("nodes", name, None, None) => Some(Self::Node { name: name.into() }),
            _ => None,
        }
    }
}

/// Counts the changes that the sources date, and forgets those out of the window.
pub(super) fn observe(changes: &mut BTreeMap<Subject, Vec<Timestamp>>, snapshot: &Snapshot) {
    let now = snapshot.moment.at;
    let oldest = now.saturating_sub(FLAP_WINDOW).unwrap_or(Timestamp::MIN);
    let mut note = |subject: Subject, at: Timestamp| {
        if at < oldest {
            return;
        }
        let known = changes.entry(subject).or_default();
        // A time before the newest known is a clock set back, or an older picture of the same.
        if known.last().is_none_or(|last| at > *last) {
            known.push(at);
        }
        if known.len() > KEPT {
            known.remove(0);
        }
    };
    for operator in &snapshot.operators {
        for condition in &operator.status.conditions {
            let counts = COUNTED.contains(&condition.kind.as_str()) && condition.status != ConditionStatus::Other;
            if let Some(at) = condition.last_transition_time.filter(|_| counts) {
                let name = operator.metadata.name.clone();
                note(Subject::Operator { name, condition: condition.kind.clone() }, at);
            }
        }
    }
    for node in &snapshot.nodes {
        // The restart of an update takes a node away and brings it back: two changes, never six.
        if let Some(at) = node.status.newest_transition {
            note(Subject::Node { name: node.metadata.name.clone() }, at);
        }
    }
    changes.retain(|_, known| {
        known.retain(|at| *at >= oldest);
        !known.is_empty()
    });
}
