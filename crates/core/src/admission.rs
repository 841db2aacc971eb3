//! Which writes of a Cluster and a ClusterClass are let in (chained-upgrades.md, section 6, with the corrections of
//! section 10).
//!
//! A judge takes the write and what was observed, and either decides or says what it must see first: whoever calls
//! brings that and asks again. It asks for as little as it can: a write that changes neither version nor class is
//! decided on its own. Asking a cluster and speaking HTTP are left to others.
//!
//! What a write leaves as it was is never held against it: it is told as a warning, so that objects from before a rule
//! was there can still be looked after by their controllers.

mod class;
mod cluster;
mod default;
mod list;
mod observed;
mod rebase;
mod revert;
mod settled;

use std::collections::BTreeSet;
use std::fmt;

use headway_api::cluster_api::{Cluster, ClusterClass};

pub use class::judge_class;
pub use cluster::judge_cluster;
pub use default::{Addition, additions};
pub use observed::{Found, Need, Observed};

pub(crate) use list::{beyond_one_minor, not_listed};
pub(crate) use settled::{control_plane_unsettled, group_unsettled};

/// Who drives the versions, and so who has the last word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// We drive the topology, and our admission stands in for that of Cluster API: what cannot be seen is refused.
    Topology,
    /// Cluster API drives, and its own admission decides too: what cannot be seen is left to it, with a warning.
    Beside,
}

/// A write of a Cluster.
#[derive(Debug, Clone, Copy)]
pub struct ClusterWrite<'a> {
    /// The object before; absent when it is created.
    pub old: Option<&'a Cluster>,
    /// The object as it is to be.
    pub new: &'a Cluster,
}

/// A write of a ClusterClass.
#[derive(Debug, Clone, Copy)]
pub struct ClassWrite<'a> {
    /// The object before; absent when it is created.
    pub old: Option<&'a ClusterClass>,
    /// The object as it is to be.
    pub new: &'a ClusterClass,
}

/// What a judge answers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Judgement {
    /// It has decided.
    Decided(Verdict),
    /// It must see these first; never empty, and never one that was noted.
    Needs(BTreeSet<Need>),
}

/// What becomes of a write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Verdict {
    /// What is to be known though it does not refuse the write.
    pub warnings: Vec<String>,
    /// What refuses the write; empty when it is let in.
    pub violations: Vec<Violation>,
}

/// One rule that is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The id of the rule, as docs/admission.md lists them.
    pub rule: String,
    /// The path of the field; empty for the whole object.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

/// Whether a value came with this write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It did.
    Now,
    /// It was there before.
    Before,
}

impl Came {
    /// How a value came that was another one before, or none.
    fn of<T: PartialEq + ?Sized>(before: Option<&T>, now: &T) -> Self {
        if before == Some(now) { Self::Before } else { Self::Now }
    }
}

impl Verdict {
    /// Whether the write is let in.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.violations.is_empty()
    }

    fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    fn refuse(&mut self, rule: &str, field: impl Into<String>, message: impl Into<String>) {
        self.violations.push(Violation { rule: rule.to_owned(), field: field.into(), message: message.into() });
    }

    /// Refuses what came with this write, and warns of what was there before.
    fn hold(&mut self, came: Came, violation: Violation) {
        match came {
            Came::Now => self.violations.push(violation),
            Came::Before => self.warn(violation.to_string()),
        }
    }

    /// What could not be seen refuses where nobody else looks.
    fn unseen(&mut self, mode: Mode, rule: &str, field: &str, what: &str, why: &str) {
        match mode {
            Mode::Topology => self.refuse(rule, field, format!("{what} could not be read: {why}")),
            Mode::Beside => {
                self.warn(format!("{what} could not be read, so rule {rule} is left to Cluster API: {why}"));
            }
        }
    }
}

/// As a person reads it: the field, what is wrong, the rule.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, field, message } = self;
        if !field.is_empty() {
            write!(f, "{field}: ")?;
        }
        write!(f, "{message} (rule {rule})")
    }
}
