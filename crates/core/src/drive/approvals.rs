//! Saying yes: what of a `ClusterUpgrade` can be approved, by whom it was, and the list of approvals that follows.
//!
//! Whether somebody may is decided by the API server (the policy of the chart), and whether an approval opens the gate by
//! [`super::Gates`]. Here is what a command does with what a person says, who may leave out what is plain.

use std::collections::BTreeSet;
use std::fmt;

use headway_api::quoted::Quoted;
use headway_api::update::word::Word;
use headway_api::upgrade::ClusterUpgrade;
use headway_api::upgrade::limit;
use headway_api::upgrade::spec::{Approval as Entry, Asked};
use headway_api::upgrade::status::WaitStatus;
use jiff::Timestamp;

use super::gate::StepId;
use super::request::name_of;
use crate::version::KubeVersion;

/// Who says yes, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Approver<'a> {
    /// As the API server knows them.
    pub name: &'a str,
    /// Now.
    pub at: Timestamp,
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The list is to be written.
    Write {
        /// What is approved, or not any more.
        step: String,
        /// The whole list.
        approvals: Vec<Entry>,
    },
    /// Somebody said so already.
    Already(Entry),
}

/// Why there is nothing to write, with what could be said instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApprovalError {
    /// Nobody is asked.
    #[error("ClusterUpgrade {name} asks for no approval: its spec.gates.approval is not PerStep or PerChain")]
    NotAsked {
        /// Its namespace and name.
        name: String,
    },
    /// It waits for nobody now.
    #[error("ClusterUpgrade {name} waits for no approval now{}", Ahead(could))]
    NothingWaits {
        /// Its namespace and name.
        name: String,
        /// What could be approved ahead of time.
        could: Vec<String>,
    },
    /// It waits for several.
    #[error("ClusterUpgrade {name} waits for {} approvals: name one of {}", could.len(), could.join(", "))]
    Several {
        /// Its namespace and name.
        name: String,
        /// What could be approved.
        could: Vec<String>,
    },
    /// The text is no step.
    #[error("{} is no step, such as control-plane/v1.31.0 or workers/v1.31.0, and no version", Quoted(step))]
    NoStep {
        /// The text.
        step: String,
    },
    /// The step is none of those that are left.
    #[error("{step} is not on the way of ClusterUpgrade {name}{}", Ahead(could))]
    NotOnTheWay {
        /// Its namespace and name.
        name: String,
        /// The step.
        step: String,
        /// What could be approved.
        could: Vec<String>,
    },
    /// There is no room.
    #[error(
        "ClusterUpgrade {name} has {} approvals, and there may be no more: take old ones away with --revoke",
        limit::APPROVALS
    )]
    Full {
        /// Its namespace and name.
        name: String,
    },
    /// There is nothing to take away.
    #[error("ClusterUpgrade {name} has no approvals")]
    NoApprovals {
        /// Its namespace and name.
        name: String,
    },
    /// This is not approved.
    #[error("{step} of ClusterUpgrade {name} is not approved; approved {} {}", are(there), there.join(", "))]
    NotApproved {
        /// Its namespace and name.
        name: String,
        /// The step.
        step: String,
        /// What is approved.
        there: Vec<String>,
    },
    /// Several are approved, and none is named.
    #[error("ClusterUpgrade {name} has several approvals: name one of {}", there.join(", "))]
    Which {
        /// Its namespace and name.
        name: String,
        /// What is approved.
        there: Vec<String>,
    },
}

/// Says yes to a step, or to the one that is waited for where none is named.
///
/// # Errors
/// Nobody is asked, or it is not plain to what.
pub fn approve(upgrade: &ClusterUpgrade, step: Option<&str>, approver: Approver<'_>) -> Result<Ruling, ApprovalError> {
    let name = name_of(upgrade);
    let approvals = &upgrade.spec.approvals;
    let Some(asked) = asked(upgrade) else { return Err(ApprovalError::NotAsked { name }) };
    let step = match step {
        None => waited_for(upgrade)?,
        Some(step) => named(step)?,
    };
    if let Some(entry) = approvals.iter().find(|entry| entry.step == step) {
        return Ok(Ruling::Already(entry.clone()));
    }
    let could = open(upgrade, asked);
    // Before anybody has looked at the cluster, nothing is known of its way.
    if !could.is_empty() && !could.contains(&step) {
        return Err(ApprovalError::NotOnTheWay { name, step, could });
    }
    if u32::try_from(approvals.len()).map_or(true, |count| count >= limit::APPROVALS) {
        return Err(ApprovalError::Full { name });
    }
    let entry = Entry { step: step.clone(), by: approver.name.to_owned(), at: approver.at };
    Ok(Ruling::Write { step, approvals: approvals.iter().cloned().chain([entry]).collect() })
}

/// Takes an approval back, or the only one where none is named. A step that has begun goes on.
///
/// # Errors
/// It is not there, or it is not plain which.
pub fn revoke(upgrade: &ClusterUpgrade, step: Option<&str>) -> Result<Ruling, ApprovalError> {
    let name = name_of(upgrade);
    let approvals = &upgrade.spec.approvals;
    let there = || approvals.iter().map(|entry| entry.step.clone()).collect();
    let step = match (step, approvals.as_slice()) {
        (_, []) => return Err(ApprovalError::NoApprovals { name }),
        // As it is written, whether it is a step or not: so that anything can be taken away.
        (Some(step), all) if all.iter().any(|entry| entry.step == step) => step.to_owned(),
        (Some(step), _) => named(step)?,
        (None, [one]) => one.step.clone(),
        (None, _) => return Err(ApprovalError::Which { name, there: there() }),
    };
    if !approvals.iter().any(|entry| entry.step == step) {
        return Err(ApprovalError::NotApproved { name, step, there: there() });
    }
    let approvals = approvals.iter().filter(|entry| entry.step != step).cloned().collect();
    Ok(Ruling::Write { step, approvals })
}

/// How often somebody is asked, if anybody is.
fn asked(upgrade: &ClusterUpgrade) -> Option<Asked> {
    match upgrade.spec.gates.as_ref()?.approval.as_ref()? {
        Word::Known(Asked::NotRequired) | Word::Newer(_) => None,
        Word::Known(asked @ (Asked::PerChain | Asked::PerStep)) => Some(*asked),
    }
}

/// A step as the gate writes it.
fn named(text: &str) -> Result<String, ApprovalError> {
    let no_step = || ApprovalError::NoStep { step: text.to_owned() };
    let version = |text: &str| KubeVersion::parse(text).map_err(|_| no_step());
    Ok(match text.split_once('/') {
        None => version(text)?.to_string(),
        Some(("control-plane", text)) => StepId::ControlPlane(version(text)?).to_string(),
        Some(("workers", text)) => StepId::Workers(version(text)?).to_string(),
        Some(_) => return Err(no_step()),
    })
}

/// The one step for which somebody is waited, and who has not said yes meanwhile.
fn waited_for(upgrade: &ClusterUpgrade) -> Result<String, ApprovalError> {
    let name = name_of(upgrade);
    let mut waits = waits(upgrade);
    match (waits.pop(), waits.is_empty()) {
        (Some(step), true) => Ok(step),
        (Some(step), false) => {
            waits.push(step);
            Err(ApprovalError::Several { name, could: waits })
        }
        (None, _) => {
            let could = asked(upgrade).map(|asked| open(upgrade, asked)).unwrap_or_default();
            Err(ApprovalError::NothingWaits { name, could })
        }
    }
}

/// The steps that the status waits for and that nobody has approved.
fn waits(upgrade: &ClusterUpgrade) -> Vec<String> {
    let waiting_on: &[WaitStatus] = upgrade.status.as_ref().map_or(&[], |status| &status.waiting_on);
    // Only an approval names a step.
    let steps = waiting_on.iter().map(|wait| &wait.step).filter(|step| !step.is_empty());
    let mut all = Vec::new();
    for step in steps {
        if !all.contains(step) && !is_approved(upgrade, step) {
            all.push(step.clone());
        }
    }
    all
}

/// All that can be approved: what is waited for, and what is left of the way.
fn open(upgrade: &ClusterUpgrade, asked: Asked) -> Vec<String> {
    let mut all = waits(upgrade);
    let plan = upgrade.status.as_ref().and_then(|status| status.plan.as_ref());
    let ahead: Vec<String> = match (asked, plan) {
        (Asked::NotRequired, _) => Vec::new(),
        (Asked::PerChain, _) => KubeVersion::parse(&upgrade.spec.version).iter().map(ToString::to_string).collect(),
        (Asked::PerStep, None) => Vec::new(),
        (Asked::PerStep, Some(plan)) => {
            // In the order in which they come; workers that go first, or only have to catch up, before them.
            let of_workers = |version: &String| format!("workers/{version}");
            let steps = plan.control_plane.iter().flat_map(|version| {
                let moves = plan.workers.contains(version).then(|| of_workers(version));
                [format!("control-plane/{version}")].into_iter().chain(moves)
            });
            let rest = plan.workers.iter().filter(|version| !plan.control_plane.contains(version)).map(of_workers);
            rest.chain(steps).collect()
        }
    };
    all.extend(ahead.into_iter().filter(|step| !is_approved(upgrade, step)));
    let mut seen = BTreeSet::new();
    all.retain(|step| seen.insert(step.clone()));
    all
}

fn is_approved(upgrade: &ClusterUpgrade, step: &str) -> bool {
    upgrade.spec.approvals.iter().any(|entry| entry.step == step)
}

/// What could be said instead.
struct Ahead<'a>(&'a [String]);

impl fmt::Display for Ahead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            could => write!(f, "; what can be approved: {}", could.join(", ")),
        }
    }
}

fn are(all: &[String]) -> &'static str {
    if all.len() == 1 { "is" } else { "are" }
}
