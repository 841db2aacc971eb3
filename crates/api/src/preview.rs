//! The `Preview` that `headway plan` tells: the steps that are ahead, what rolls in each, who is asked, what holds it
//! up, and what cannot be known.
//!
//! Made by `core::preview` and nowhere else. The texts in it are for people; scripts read the words beside them.

mod listing;
mod words;

use jiff::Timestamp;
use serde::Serialize;

use crate::gap::Gap;
use crate::plan::{Plan, PlanSource, Step};
use crate::version::KubeVersion;

pub use listing::{ClassListing, Listing, ListingFault, Severity};

/// What an upgrade would do, or does, to one cluster.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Preview {
    /// The version of this document.
    pub api_version: &'static str,
    /// Always `Preview`.
    pub kind: &'static str,
    /// The cluster as `NAMESPACE/NAME`; absent when only versions were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    /// The moment at which it was judged; absent when only versions were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// Where that moment comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The whole answer in one word.
    pub verdict: Verdict,
    /// Whether any part of the way has begun.
    pub begun: bool,
    /// Where the control plane is, as its spec has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The target, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Who names the versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<PlanSource>,
    /// The versions of the control plane, the one that is under way included.
    pub control_plane: Vec<KubeVersion>,
    /// The versions of the workers, in the one list that Cluster API has for all of them.
    pub workers: Vec<KubeVersion>,
    /// Which step of the control plane is under way, of those that were left when it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The plan from the version that the control plane's spec has; absent when none could be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The steps in order, the ones under way first.
    pub steps: Vec<PlannedStep>,
    /// How many machines are replaced, or updated in place, over all steps.
    pub machines: Totals,
    /// Who moves next, in order.
    pub next: Vec<String>,
    /// The hooks that will be asked, in the order in which they are first asked.
    pub hooks: Vec<AskedHook>,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// What holds it up now or will on the way, the gravest first.
    pub holds: Vec<Hold>,
    /// What else is to be known.
    pub remarks: Vec<String>,
    /// What cannot be known from what was seen.
    pub unknowns: Vec<Unknown>,
    /// What could not be read.
    pub gaps: Vec<Gap>,
}

/// Where the moment of judging comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub enum Clock {
    /// The user said it.
    Given,
    /// The cluster is looked at as it is.
    Now,
    /// The newest condition of any object.
    Conditions,
    /// Nothing in the input has a time; the Unix epoch stands in, and no age means anything.
    #[default]
    Nothing,
}

/// The whole answer in one word. Exit codes follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// All are at the target.
    NothingToDo,
    /// There is a plan, and nothing was seen that stands in its way.
    Ready,
    /// A step is under way, and nothing was seen that stands in its way.
    UnderWay,
    /// Something holds it up that may be meant so: a hook, a deferral, a pause, a machine that is not ready yet.
    Held,
    /// It does not go on by itself.
    Stuck,
    /// There is no plan: a rule stands against it.
    Refused,
    /// What was seen is not enough.
    CannotTell,
}

/// A step among others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Which one, from 1.
    pub step: usize,
    /// Of how many.
    pub of: usize,
}

/// One step with what it costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedStep {
    /// Its number, from 1.
    pub number: usize,
    /// Whether it has begun.
    pub state: StepState,
    /// The step.
    #[serde(flatten)]
    pub step: Step,
    /// How many machines it replaces or updates; absent when that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machines: Option<u64>,
    /// How many of them are done; absent for steps ahead and where machines were not seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
}

/// Whether a step has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum StepState {
    /// It is under way.
    UnderWay,
    /// It is ahead.
    Ahead,
}

/// Machines over all steps; absent where some are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Of the control plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_plane: Option<u64>,
    /// Of the workers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<u64>,
}

/// A hook that will be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedHook {
    /// The hook.
    pub hook: String,
    /// At which steps: the versions that they take, in order.
    pub at: Vec<KubeVersion>,
    /// Who answers it.
    pub handlers: Vec<Handler>,
}

/// A handler of an extension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    /// Its full name.
    pub name: String,
    /// The ExtensionConfig that registers it.
    pub extension: String,
    /// What becomes of a call that fails: `Fail` or `Ignore`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub failure_policy: String,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The rule that stands against it.
    pub rule: String,
    /// What is wrong, with its causes.
    pub message: String,
    /// The place in the list that the rule speaks of, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The value that breaks the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Something that holds an upgrade up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// How it weighs.
    pub weight: Weight,
    /// What it is.
    pub kind: HoldKind,
    /// Its name within a sentence: "hook BeforeClusterUpgrade".
    pub name: String,
    /// The whole of it.
    pub message: String,
    /// Since when, as far as it was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What to do about it; empty where waiting is all.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub advice: String,
}

/// How a hold weighs, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Weight {
    /// Nothing goes on until somebody mends it.
    Stuck,
    /// It holds up what is next, and may be meant so.
    Now,
    /// It will hold up a later step.
    Later,
    /// Work that is being done.
    Work,
}

/// What holds an upgrade up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum HoldKind {
    /// The cluster or its control plane is paused.
    Paused,
    /// The cluster is being deleted.
    Deleting,
    /// Cluster API fails to reconcile the topology.
    ReconcileFailed,
    /// The ClusterClass has changed and was not looked at since.
    ClassNotReconciled,
    /// An extension answered that it is to wait.
    Hook,
    /// An annotation holds up the beginning.
    Annotation,
    /// A hook of the upgrade before is still to be asked.
    PendingHook,
    /// The control plane is not there yet.
    Provisioning,
    /// The control plane is rolling.
    ControlPlaneRolling,
    /// A machine of the control plane is not well.
    ControlPlaneUnhealthy,
    /// The control plane may not make machines, as no step is recorded.
    NoUpgradeStep,
    /// Workers are rolling.
    WorkersRolling,
    /// Somebody put off the upgrade of a group of workers.
    Deferred,
    /// Cluster API would refuse the new target.
    Webhook,
    /// A budget allows no pod to leave.
    Budget,
    /// Workers that no topology keeps would be too far behind.
    Stranger,
}

/// Something that cannot be known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unknown {
    /// Whether the answer may be another one because of it.
    pub serious: bool,
    /// What.
    pub message: String,
}
