//! The messages of the lifecycle hooks.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Serialize, Serializer};

use super::fields::{Fields, ReadError};
use super::head::{self, Failed, Head, Message, RetryAfter, Status, Verdict};
use super::{Cluster, Hook, Lifecycle};
use crate::version::KubeVersion;

/// What an extension is told of a moment in the life of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct LifecycleRequest {
    /// The settings of its ExtensionConfig.
    pub settings: BTreeMap<String, String>,
    /// The cluster.
    pub cluster: Cluster,
    /// The moment.
    pub call: LifecycleCall,
}

/// A moment in the life of a cluster, with what is told of it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LifecycleCall {
    /// [`Lifecycle::BeforeClusterCreate`].
    BeforeClusterCreate,
    /// [`Lifecycle::AfterControlPlaneInitialized`].
    AfterControlPlaneInitialized,
    /// [`Lifecycle::BeforeClusterUpgrade`]: the step is the whole upgrade.
    BeforeClusterUpgrade(StepAhead),
    /// [`Lifecycle::BeforeControlPlaneUpgrade`].
    BeforeControlPlaneUpgrade(StepAhead),
    /// [`Lifecycle::AfterControlPlaneUpgrade`].
    AfterControlPlaneUpgrade(StepBehind),
    /// [`Lifecycle::BeforeWorkersUpgrade`].
    BeforeWorkersUpgrade(StepAhead),
    /// [`Lifecycle::AfterWorkersUpgrade`].
    AfterWorkersUpgrade(StepBehind),
    /// [`Lifecycle::AfterClusterUpgrade`].
    AfterClusterUpgrade {
        /// The version at which everything is.
        kubernetes_version: String,
    },
    /// [`Lifecycle::BeforeClusterDelete`].
    BeforeClusterDelete,
}

/// A step that is about to begin. The lists hold it and what comes after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepAhead {
    /// Where whoever moves is. Versions are texts as they came: `core::plan` reads them.
    pub from_kubernetes_version: String,
    /// Where it moves.
    pub to_kubernetes_version: String,
    /// What is left for the control plane.
    pub control_plane_upgrades: Vec<UpgradeStep>,
    /// What is left for the workers.
    pub workers_upgrades: Vec<UpgradeStep>,
}

/// A step that is done. The lists hold what comes after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepBehind {
    /// Where the control plane is.
    pub kubernetes_version: String,
    /// What is left for the control plane.
    pub control_plane_upgrades: Vec<UpgradeStep>,
    /// What is left for the workers.
    pub workers_upgrades: Vec<UpgradeStep>,
}

/// One version on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpgradeStep {
    /// The version, as it came.
    pub version: String,
}

/// What an extension answers to a lifecycle hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleResponse {
    hook: Lifecycle,
    head: Head,
    /// As it was written; absent is 0, as Cluster API reads it.
    retry_after_seconds: Option<i32>,
}

impl LifecycleRequest {
    /// The hook.
    #[must_use]
    pub fn hook(&self) -> Lifecycle {
        self.call.hook()
    }

    /// Reads the request of a hook.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(hook: Lifecycle, body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(hook.into(), body)?;
        Ok(Self {
            settings: fields.texts("settings")?,
            cluster: Cluster::new(fields.required_object("cluster")?),
            call: LifecycleCall::read(hook, &mut fields)?,
        })
    }
}

impl LifecycleCall {
    /// The hook.
    #[must_use]
    pub fn hook(&self) -> Lifecycle {
        match self {
            Self::BeforeClusterCreate => Lifecycle::BeforeClusterCreate,
            Self::AfterControlPlaneInitialized => Lifecycle::AfterControlPlaneInitialized,
            Self::BeforeClusterUpgrade(_) => Lifecycle::BeforeClusterUpgrade,
            Self::BeforeControlPlaneUpgrade(_) => Lifecycle::BeforeControlPlaneUpgrade,
            Self::AfterControlPlaneUpgrade(_) => Lifecycle::AfterControlPlaneUpgrade,
            Self::BeforeWorkersUpgrade(_) => Lifecycle::BeforeWorkersUpgrade,
            Self::AfterWorkersUpgrade(_) => Lifecycle::AfterWorkersUpgrade,
            Self::AfterClusterUpgrade { .. } => Lifecycle::AfterClusterUpgrade,
            Self::BeforeClusterDelete => Lifecycle::BeforeClusterDelete,
        }
    }

    fn read(hook: Lifecycle, fields: &mut Fields) -> Result<Self, ReadError> {
        Ok(match hook {
            Lifecycle::BeforeClusterCreate => Self::BeforeClusterCreate,
            Lifecycle::AfterControlPlaneInitialized => Self::AfterControlPlaneInitialized,
            Lifecycle::BeforeClusterUpgrade => Self::BeforeClusterUpgrade(StepAhead::read(fields)?),
            Lifecycle::BeforeControlPlaneUpgrade => Self::BeforeControlPlaneUpgrade(StepAhead::read(fields)?),
            Lifecycle::AfterControlPlaneUpgrade => Self::AfterControlPlaneUpgrade(StepBehind::read(fields)?),
            Lifecycle::BeforeWorkersUpgrade => Self::BeforeWorkersUpgrade(StepAhead::read(fields)?),
            Lifecycle::AfterWorkersUpgrade => Self::AfterWorkersUpgrade(StepBehind::read(fields)?),
            Lifecycle::AfterClusterUpgrade => {
                Self::AfterClusterUpgrade { kubernetes_version: fields.required_text("kubernetesVersion")? }
            }
            Lifecycle::BeforeClusterDelete => Self::BeforeClusterDelete,
        })
    }
}

impl StepAhead {
    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        Ok(Self {
            from_kubernetes_version: fields.required_text("fromKubernetesVersion")?,
            to_kubernetes_version: fields.required_text("toKubernetesVersion")?,
            control_plane_upgrades: UpgradeStep::list(fields, "controlPlaneUpgrades")?.unwrap_or_default(),
            workers_upgrades: UpgradeStep::list(fields, "workersUpgrades")?.unwrap_or_default(),
        })
    }
}

impl StepBehind {
    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        Ok(Self {
            kubernetes_version: fields.required_text("kubernetesVersion")?,
            control_plane_upgrades: UpgradeStep::list(fields, "controlPlaneUpgrades")?.unwrap_or_default(),
            workers_upgrades: UpgradeStep::list(fields, "workersUpgrades")?.unwrap_or_default(),
        })
    }
}

impl UpgradeStep {
    pub(super) fn list(fields: &mut Fields, name: &str) -> Result<Option<Vec<Self>>, ReadError> {
        fields.list(name, |fields| Ok(Self { version: fields.required_text("version")? }))
    }
}

impl From<String> for UpgradeStep {
    fn from(version: String) -> Self {
        Self { version }
    }
}

impl From<&str> for UpgradeStep {
    fn from(version: &str) -> Self {
        Self { version: version.to_owned() }
    }
}

impl From<&KubeVersion> for UpgradeStep {
    fn from(version: &KubeVersion) -> Self {
        Self { version: version.to_string() }
    }
}

impl Serialize for LifecycleRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a> {
            cluster: &'a Cluster,
            #[serde(skip_serializing_if = "Option::is_none")]
            from_kubernetes_version: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            to_kubernetes_version: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            kubernetes_version: Option<&'a str>,
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            control_plane_upgrades: &'a [UpgradeStep],
            #[serde(skip_serializing_if = "<[_]>::is_empty")]
            workers_upgrades: &'a [UpgradeStep],
        }
        let Self { settings, cluster, call } = self;
        let mut body = Body {
            cluster,
            from_kubernetes_version: None,
            to_kubernetes_version: None,
            kubernetes_version: None,
            control_plane_upgrades: &[],
            workers_upgrades: &[],
        };
        match call {
            LifecycleCall::BeforeClusterCreate
            | LifecycleCall::AfterControlPlaneInitialized
            | LifecycleCall::BeforeClusterDelete => {}
            LifecycleCall::BeforeClusterUpgrade(step)
            | LifecycleCall::BeforeControlPlaneUpgrade(step)
            | LifecycleCall::BeforeWorkersUpgrade(step) => {
                body.from_kubernetes_version = Some(&step.from_kubernetes_version);
                body.to_kubernetes_version = Some(&step.to_kubernetes_version);
                body.control_plane_upgrades = &step.control_plane_upgrades;
                body.workers_upgrades = &step.workers_upgrades;
            }
            LifecycleCall::AfterControlPlaneUpgrade(step) | LifecycleCall::AfterWorkersUpgrade(step) => {
                body.kubernetes_version = Some(&step.kubernetes_version);
                body.control_plane_upgrades = &step.control_plane_upgrades;
                body.workers_upgrades = &step.workers_upgrades;
            }
            LifecycleCall::AfterClusterUpgrade { kubernetes_version } => {
                body.kubernetes_version = Some(kubernetes_version);
            }
        }
        Message::request(call.hook().into(), settings, body).serialize(serializer)
    }
}

impl LifecycleResponse {
    /// Nothing is held up.
    #[must_use]
    pub fn go(hook: Lifecycle, message: impl Into<String>) -> Self {
        Self { hook, head: Head::success(message), retry_after_seconds: hook.holds().map(|_| 0) }
    }

    /// Ask again after so many seconds. A hook that holds nothing up cannot say so: it goes on.
    #[must_use]
    pub fn wait(hook: Lifecycle, seconds: NonZeroU32, message: impl Into<String>) -> Self {
        let retry_after_seconds = hook.holds().map(|_| head::retry_after(seconds));
        Self { hook, head: Head::success(message), retry_after_seconds }
    }

    /// The extension failed, for this reason. What a server says of what it cannot read is a
    /// [`Failure`](super::Failure).
    #[must_use]
    pub fn failed(hook: Lifecycle, reason: impl Into<String>) -> Self {
        Self { hook, head: Head::failure(reason), retry_after_seconds: hook.holds().map(|_| 0) }
    }

    /// Reads the response to a hook.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(hook: Lifecycle, body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(hook.into(), body)?;
        let retry_after_seconds = match hook.holds() {
            Some(_) => head.unless_failed(fields.int32("retryAfterSeconds"))?,
            None => None,
        };
        Ok(Self { hook, head, retry_after_seconds })
    }

    /// The hook.
    #[must_use]
    pub fn hook(&self) -> Lifecycle {
        self.hook
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// `retryAfterSeconds` as it is written, whatever it means; `None` of a hook that has no such field.
    #[must_use]
    pub fn retry_after_seconds(&self) -> Option<i32> {
        self.hook.holds().map(|_| self.retry_after_seconds.unwrap_or_default())
    }

    /// What it says.
    ///
    /// # Errors
    ///
    /// When the extension failed.
    pub fn verdict(&self) -> Result<Verdict, Failed> {
        self.head.verdict(Hook::Lifecycle(self.hook), self.retry_after_seconds.unwrap_or_default())
    }
}

impl Serialize for LifecycleResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { hook, head, retry_after_seconds } = self;
        let rest = RetryAfter { retry_after_seconds: *retry_after_seconds };
        Message::response(Hook::Lifecycle(*hook), head, rest).serialize(serializer)
    }
}
