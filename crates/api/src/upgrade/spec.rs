//! The parts of what is asked for.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limit;
use crate::update::word::{Word, words};

pub use crate::update::word::Level;

/// Who names the versions on the way: a list, or an extension, and not both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "rule": "has(self.extension) != has(self.kubernetesVersions)",
    "message": "name either kubernetesVersions or an extension",
}]))]
pub struct PlanFrom {
    /// The versions that may be visited, from old to new, at least one for each minor version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::VERSIONS), inner(length(min = 1, max = limit::VERSION)), extend("x-kubernetes-list-type" = "atomic"))]
    pub kubernetes_versions: Vec<String>,
    /// The handler that answers GenerateUpgradePlan, `HANDLER.EXTENSIONCONFIG`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::HANDLER))]
    pub extension: String,
}

/// What must hold before something new begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Gates {
    /// How well the cluster must be. Left out, nobody looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<HealthGate>,
    /// For how long everything must have stood still after a step, such as `30m`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::SCHEDULE))]
    pub soak: String,
    /// Whether somebody must say yes, and how often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Word<Asked>>,
    /// When something new may begin. Without any it always may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::WINDOWS), extend("x-kubernetes-list-type" = "atomic"))]
    pub windows: Vec<MaintenanceWindow>,
}

/// How well the cluster must be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HealthGate {
    /// A health insight of this level or above closes the gate. Left out, it is Error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Word<Level>>,
    /// The rules whose insights do not count, such as `H-NODE-DEGRADED`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = limit::EXCEPTIONS), inner(length(min = 1, max = 64)), extend("x-kubernetes-list-type" = "set"))]
    pub exceptions: Vec<String>,
}

/// A time in which something new may begin. What runs when it ends finishes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaintenanceWindow {
    /// When it opens, as cron has it: minute, hour, day of the month, month, day of the week. `0 22 * * 1-5` is at ten in
    /// the evening from Monday to Friday.
    #[schemars(length(min = 1, max = limit::SCHEDULE))]
    pub schedule: String,
    /// For how long it is open, such as `4h` or `90m`.
    #[schemars(length(min = 1, max = limit::SCHEDULE))]
    pub duration: String,
    /// The time zone of the schedule, such as `Europe/Berlin`. Left out, it is UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(length(max = limit::SCHEDULE))]
    pub time_zone: String,
}

/// Groups of workers that move before those of later stages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stage {
    /// Its name.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
    /// Its groups.
    #[schemars(length(min = 1, max = limit::MEMBERS), extend("x-kubernetes-list-type" = "atomic"))]
    pub groups: Vec<GroupRef>,
    /// How many of them may be on their way at once, of both kinds together. Left out, it is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub concurrency: Option<u32>,
}

/// A group of workers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupRef {
    /// What it is.
    pub kind: Word<Kind>,
    /// Its name.
    #[schemars(length(min = 1, max = limit::NAME))]
    pub name: String,
}

/// That somebody said yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// To what: a step, such as `control-plane/v1.31.0` or `workers/v1.31.0`; or the version that is asked for, where one
    /// word counts for the whole way.
    #[schemars(length(min = 1, max = limit::STEP))]
    pub step: String,
    /// Who, as the API server knows them.
    #[schemars(length(min = 1, max = limit::USER))]
    pub by: String,
    /// When.
    pub at: Timestamp,
}

words! {
    /// Whether somebody must say yes, and how often.
    Asked {
        /// Nobody need.
        NotRequired = "NotRequired",
        /// Once for the version that is asked for.
        PerChain = "PerChain",
        /// Before each step.
        PerStep = "PerStep",
    }
}

words! {
    /// How far the target of Cluster API is raised at once.
    Raise {
        /// To the version that is asked for: Cluster API asks hooks on the way, and nothing can be taken back.
        ToTarget = "ToTarget",
        /// To the next version to which workers move.
        PerWorkerStep = "PerWorkerStep",
    }
}

words! {
    /// Who walks an upgrade.
    Driver {
        /// The operator.
        Operator = "Operator",
        /// `headway drive`, from a terminal. The operator keeps away.
        Terminal = "Terminal",
    }
}

words! {
    /// What a group of workers is.
    Kind {
        /// A MachineDeployment.
        MachineDeployment = "MachineDeployment",
        /// A MachinePool.
        MachinePool = "MachinePool",
    }
}
