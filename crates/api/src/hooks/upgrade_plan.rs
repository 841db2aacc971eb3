//! The messages of GenerateUpgradePlan. Whether an answer is a plan is judged by `core::plan`.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::fields::{Fields, ReadError};
use super::head::{Failed, Head, Message, Status};
use super::{Cluster, Hook, UpgradeStep};

/// The question for the versions that an upgrade visits.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerateUpgradePlanRequest {
    /// The settings of the extension's ExtensionConfig.
    pub settings: BTreeMap<String, String>,
    /// The cluster.
    pub cluster: Cluster,
    /// Where the control plane is. Versions are texts as they came: `core::plan` reads them.
    pub from_control_plane_kubernetes_version: String,
    /// Where the workers are that are furthest behind; `None` when there are none.
    pub from_workers_kubernetes_version: Option<String>,
    /// The target.
    pub to_kubernetes_version: String,
}

/// The versions that an extension wants visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenerateUpgradePlanResponse {
    head: Head,
    // As they were written: Cluster API leaves an empty list out, others write it.
    control_plane_upgrades: Option<Vec<UpgradeStep>>,
    workers_upgrades: Option<Vec<UpgradeStep>>,
}

impl GenerateUpgradePlanRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(Hook::GenerateUpgradePlan, body)?;
        Ok(Self {
            settings: fields.texts("settings")?,
            cluster: Cluster::new(fields.required_object("cluster")?),
            from_control_plane_kubernetes_version: fields.required_text("fromControlPlaneKubernetesVersion")?,
            from_workers_kubernetes_version: fields.text("fromWorkersKubernetesVersion")?,
            to_kubernetes_version: fields.required_text("toKubernetesVersion")?,
        })
    }
}

impl Serialize for GenerateUpgradePlanRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a> {
            cluster: &'a Cluster,
            from_control_plane_kubernetes_version: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            from_workers_kubernetes_version: Option<&'a str>,
            to_kubernetes_version: &'a str,
        }
        let Self {
            settings,
            cluster,
            from_control_plane_kubernetes_version,
            from_workers_kubernetes_version,
            to_kubernetes_version,
        } = self;
        let body = Body {
            cluster,
            from_control_plane_kubernetes_version,
            from_workers_kubernetes_version: from_workers_kubernetes_version.as_deref(),
            to_kubernetes_version,
        };
        Message::request(Hook::GenerateUpgradePlan, settings, body).serialize(serializer)
    }
}

impl GenerateUpgradePlanResponse {
    /// A plan. Without steps for the workers, Cluster API finds the fewest itself.
    pub fn new<C, W>(control_plane_upgrades: C, workers_upgrades: W) -> Self
    where
        C: IntoIterator<Item: Into<UpgradeStep>>,
        W: IntoIterator<Item: Into<UpgradeStep>>,
    {
        let control_plane: Vec<_> = control_plane_upgrades.into_iter().map(Into::into).collect();
        let workers: Vec<_> = workers_upgrades.into_iter().map(Into::into).collect();
        Self {
            head: Head::success(""),
            control_plane_upgrades: Some(control_plane).filter(|steps| !steps.is_empty()),
            workers_upgrades: Some(workers).filter(|steps| !steps.is_empty()),
        }
    }

    /// The extension failed, for this reason.
    #[must_use]
    pub fn failed(reason: impl Into<String>) -> Self {
        Self { head: Head::failure(reason), control_plane_upgrades: None, workers_upgrades: None }
    }

    /// Reads a response.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(Hook::GenerateUpgradePlan, body)?;
        let mut steps = |name| head.unless_failed(UpgradeStep::list(&mut fields, name));
        let (control_plane_upgrades, workers_upgrades) = (steps("controlPlaneUpgrades")?, steps("workersUpgrades")?);
        Ok(Self { head, control_plane_upgrades, workers_upgrades })
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// What the control plane is to visit, and the workers.
    ///
    /// # Errors
    ///
    /// When the extension failed.
    pub fn upgrades(&self) -> Result<(&[UpgradeStep], &[UpgradeStep]), Failed> {
        self.head.check(Hook::GenerateUpgradePlan)?;
        let Self { head: _, control_plane_upgrades, workers_upgrades } = self;
        Ok((control_plane_upgrades.as_deref().unwrap_or_default(), workers_upgrades.as_deref().unwrap_or_default()))
    }
}

impl Serialize for GenerateUpgradePlanResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Body<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            control_plane_upgrades: Option<&'a [UpgradeStep]>,
            #[serde(skip_serializing_if = "Option::is_none")]
            workers_upgrades: Option<&'a [UpgradeStep]>,
        }
        let Self { head, control_plane_upgrades, workers_upgrades } = self;
        let body = Body {
            control_plane_upgrades: control_plane_upgrades.as_deref(),
            workers_upgrades: workers_upgrades.as_deref(),
        };
        Message::response(Hook::GenerateUpgradePlan, head, body).serialize(serializer)
    }
}
