//! Gates: what a person or a policy asks for before something new begins. What runs is never held.
//!
//! The same gates stand before our own writes and before our answers to Cluster API's hooks.

use std::collections::BTreeSet;
use std::fmt;

use headway_api::insight::{Insight, Level, Rule};
use jiff::{SignedDuration, Timestamp};

use super::waiting::{Wait, WaitingOn};
use crate::version::KubeVersion;

/// What must hold before something new begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gates {
    /// How well the cluster must be.
    pub health: Option<HealthGate>,
    /// For how long everything must have stood still since the last step; zero asks for nothing.
    pub soak: SignedDuration,
    /// Since when everything has stood still after a step; absent before the first.
    pub still_since: Option<Timestamp>,
    /// Whether somebody must say yes.
    pub approval: Approval,
    /// Who said yes, and to what: the steps as [`StepId`] or the target name them.
    pub approved: BTreeSet<String>,
    /// Whether this is a time for it.
    pub window: Window,
}

/// How well the cluster must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthGate {
    /// An insight of this level or above closes the gate.
    pub level: Level,
    /// But not those of these rules.
    pub except: BTreeSet<Rule>,
    /// The insights; or why they are not known, which closes it too.
    pub seen: Result<Vec<Concern>, String>,
}

/// What a gate knows of an insight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concern {
    /// Its identity.
    pub uid: String,
    /// The rule that found it.
    pub rule: Rule,
    /// How bad it is.
    pub level: Level,
    /// Since when.
    pub since: Option<Timestamp>,
    /// Its one line.
    pub summary: String,
}

/// Whether somebody must say yes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Approval {
    /// Nobody.
    #[default]
    NotAsked,
    /// Once for the target.
    PerChain,
    /// For each step.
    PerStep,
}

/// Whether this is a time for something new.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Window {
    /// It always is.
    #[default]
    Always,
    /// It is until this time.
    Open {
        /// When it closes.
        until: Timestamp,
    },
    /// It is not.
    Closed {
        /// Since when, where that is known.
        since: Option<Timestamp>,
        /// When it opens; absent when it never does again.
        opens: Option<Timestamp>,
    },
}

/// A step, as people name it in an approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepId {
    /// Of the control plane, to this version.
    ControlPlane(KubeVersion),
    /// Of the workers, to this version.
    Workers(KubeVersion),
}

impl From<&Insight> for Concern {
    fn from(insight: &Insight) -> Self {
        let Insight { uid, rule, level, since, summary, .. } = insight;
        Self { uid: uid.clone(), rule: *rule, level: *level, since: *since, summary: summary.clone() }
    }
}

impl Gates {
    /// The gates that are closed for a step that would begin now on the way to the target.
    #[must_use]
    pub fn closed(&self, step: &StepId, target: &KubeVersion, now: Timestamp) -> Vec<Wait> {
        let mut all = self.closed_to_all(now);
        let asked = match self.approval {
            Approval::NotAsked => None,
            Approval::PerChain => Some(target.to_string()),
            Approval::PerStep => Some(step.to_string()),
        };
        if let Some(step) = asked.filter(|step| !self.approved.contains(step)) {
            all.push(WaitingOn::Approval { step }.into());
        }
        all.extend(self.soaking(now));
        all
    }

    /// The gates that are closed for anything new, within a step that has begun as well.
    #[must_use]
    pub fn closed_to_all(&self, now: Timestamp) -> Vec<Wait> {
        let mut all = Vec::new();
        match self.window {
            // A window that closed while nobody looked is closed.
            Window::Open { until } if until <= now => {
                all.push(Wait { on: WaitingOn::Window, since: Some(until), until: None });
            }
            Window::Always | Window::Open { .. } => {}
            Window::Closed { since, opens } => all.push(Wait { on: WaitingOn::Window, since, until: opens }),
        }
        if let Some(health) = &self.health {
            all.extend(health.closed());
        }
        all
    }

    fn soaking(&self, now: Timestamp) -> Option<Wait> {
        let since = self.still_since.filter(|_| self.soak.is_positive())?;
        // A clock that was set back makes nobody wait longer than asked for from the new time on.
        let until = since.min(now).checked_add(self.soak).ok()?;
        (now < until).then_some(Wait { on: WaitingOn::Soak, since: Some(since), until: Some(until) })
    }
}

impl HealthGate {
    fn closed(&self) -> Option<Wait> {
        let concerns = match &self.seen {
            Err(why) => return Some(WaitingOn::HealthUnknown { why: why.clone() }.into()),
            Ok(concerns) => concerns,
        };
        let counts = |concern: &&Concern| concern.level >= self.level && !self.except.contains(&concern.rule);
        let all: Vec<&Concern> = concerns.iter().filter(counts).collect();
        let worst = all.iter().max_by_key(|concern| concern.level)?;
        let since = all.iter().filter_map(|concern| concern.since).min();
        let on = WaitingOn::Health {
            level: worst.level,
            rule: worst.rule,
            summary: worst.summary.clone(),
            more: all.len() - 1,
        };
        Some(Wait { on, since, until: None })
    }
}

/// As it stands in an approval: `control-plane/v1.31.0`, `workers/v1.31.0`.
impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControlPlane(version) => write!(f, "control-plane/{version}"),
            Self::Workers(version) => write!(f, "workers/{version}"),
        }
    }
}
