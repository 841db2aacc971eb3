//! The messages of the in-place hooks: may these changes be made in place, and make them.
//!
//! What an answer covers, and what becomes of a machine whose changes nobody covers, is left to `core`.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Serialize, Serializer};

use super::fields::{Fields, ReadError};
use super::head::{self, Failed, Head, Message, RetryAfter, Status, Verdict};
use super::{Hook, Object, Patch};

/// The question which changes of a control plane machine can be made in place.
#[derive(Debug, Clone, PartialEq)]
pub struct CanUpdateMachineRequest {
    /// The settings of the extension's ExtensionConfig.
    pub settings: BTreeMap<String, String>,
    /// The machine as it is.
    pub current: MachineObjects,
    /// The machine as it is to be.
    pub desired: MachineObjects,
}

/// The question which changes of a MachineSet's machines can be made in place.
#[derive(Debug, Clone, PartialEq)]
pub struct CanUpdateMachineSetRequest {
    /// The settings of the extension's ExtensionConfig.
    pub settings: BTreeMap<String, String>,
    /// The set as it is.
    pub current: MachineSetObjects,
    /// The set that takes its machines over.
    pub desired: MachineSetObjects,
}

/// The order to bring a machine to what is desired. It comes again and again until the answer says that it is done.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateMachineRequest {
    /// The settings of the extension's ExtensionConfig.
    pub settings: BTreeMap<String, String>,
    /// The machine as it is to be.
    pub desired: MachineObjects,
}

/// A machine and what belongs to it, without status.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineObjects {
    /// The Machine.
    pub machine: Object,
    /// Its infrastructure.
    pub infrastructure_machine: Object,
    /// Its bootstrap configuration, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap_config: Option<Object>,
}

/// A MachineSet and the templates of its machines, without status.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineSetObjects {
    /// The MachineSet.
    pub machine_set: Object,
    /// The template of their infrastructure.
    pub infrastructure_machine_template: Object,
    /// The template of their bootstrap configuration, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bootstrap_config_template: Option<Object>,
}

/// What an extension can change of a machine in place. An object without a patch is not covered.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachinePatches {
    /// Of the Machine.
    #[serde(rename = "machinePatch", skip_serializing_if = "Option::is_none")]
    pub machine: Option<Patch>,
    /// Of its infrastructure.
    #[serde(rename = "infrastructureMachinePatch", skip_serializing_if = "Option::is_none")]
    pub infrastructure_machine: Option<Patch>,
    /// Of its bootstrap configuration.
    #[serde(rename = "bootstrapConfigPatch", skip_serializing_if = "Option::is_none")]
    pub bootstrap_config: Option<Patch>,
    /// Whether the machine must be counted as unavailable meanwhile; `None` is yes. Newer than 1.14.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub affects_availability: Option<bool>,
}

/// What an extension can change of a MachineSet's machines in place. An object without a patch is not covered.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MachineSetPatches {
    /// Of the MachineSet.
    #[serde(rename = "machineSetPatch", skip_serializing_if = "Option::is_none")]
    pub machine_set: Option<Patch>,
    /// Of the template of their infrastructure.
    #[serde(rename = "infrastructureMachineTemplatePatch", skip_serializing_if = "Option::is_none")]
    pub infrastructure_machine_template: Option<Patch>,
    /// Of the template of their bootstrap configuration.
    #[serde(rename = "bootstrapConfigTemplatePatch", skip_serializing_if = "Option::is_none")]
    pub bootstrap_config_template: Option<Patch>,
    /// Whether the machines must be counted as unavailable meanwhile; `None` is yes. Newer than 1.14.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub affects_availability: Option<bool>,
}

/// The answer to [`CanUpdateMachineRequest`].
#[derive(Debug, Clone, PartialEq)]
pub struct CanUpdateMachineResponse {
    head: Head,
    patches: MachinePatches,
}

/// The answer to [`CanUpdateMachineSetRequest`].
#[derive(Debug, Clone, PartialEq)]
pub struct CanUpdateMachineSetResponse {
    head: Head,
    patches: MachineSetPatches,
}

/// The answer to [`UpdateMachineRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateMachineResponse {
    head: Head,
    /// `None` in a failure only.
    retry_after_seconds: Option<i32>,
}

impl MachineObjects {
    fn read(fields: &mut Fields, name: &str) -> Result<Self, ReadError> {
        let mut inner = fields.required_fields(name)?;
        Ok(Self {
            machine: inner.required_object("machine")?,
            infrastructure_machine: inner.required_object("infrastructureMachine")?,
            bootstrap_config: inner.object("bootstrapConfig")?,
        })
    }

    /// The version of Kubernetes that the machine is to run.
    #[must_use]
    pub fn kubernetes_version(&self) -> Option<&str> {
        self.machine.text(&["spec", "version"])
    }

    /// The cluster that it belongs to, in its own namespace.
    #[must_use]
    pub fn cluster_name(&self) -> Option<&str> {
        self.machine.text(&["spec", "clusterName"])
    }
}

impl MachineSetObjects {
    fn read(fields: &mut Fields, name: &str) -> Result<Self, ReadError> {
        let mut inner = fields.required_fields(name)?;
        Ok(Self {
            machine_set: inner.required_object("machineSet")?,
            infrastructure_machine_template: inner.required_object("infrastructureMachineTemplate")?,
            bootstrap_config_template: inner.object("bootstrapConfigTemplate")?,
        })
    }

    /// The version of Kubernetes that the machines are to run.
    #[must_use]
    pub fn kubernetes_version(&self) -> Option<&str> {
        self.machine_set.text(&["spec", "template", "spec", "version"])
    }

    /// The cluster that it belongs to, in its own namespace.
    #[must_use]
    pub fn cluster_name(&self) -> Option<&str> {
        self.machine_set.text(&["spec", "clusterName"])
    }
}

impl MachinePatches {
    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        Ok(Self {
            machine: Patch::read(fields, "machinePatch")?,
            infrastructure_machine: Patch::read(fields, "infrastructureMachinePatch")?,
            bootstrap_config: Patch::read(fields, "bootstrapConfigPatch")?,
            affects_availability: fields.boolean("affectsAvailability")?,
        })
    }
}

impl MachineSetPatches {
    fn read(fields: &mut Fields) -> Result<Self, ReadError> {
        Ok(Self {
            machine_set: Patch::read(fields, "machineSetPatch")?,
            infrastructure_machine_template: Patch::read(fields, "infrastructureMachineTemplatePatch")?,
            bootstrap_config_template: Patch::read(fields, "bootstrapConfigTemplatePatch")?,
            affects_availability: fields.boolean("affectsAvailability")?,
        })
    }
}

/// The rest of a question for what can be changed in place.
#[derive(Serialize)]
struct Change<'a, O> {
    current: &'a O,
    desired: &'a O,
}

impl CanUpdateMachineRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(Hook::CanUpdateMachine, body)?;
        Ok(Self {
            settings: fields.texts("settings")?,
            current: MachineObjects::read(&mut fields, "current")?,
            desired: MachineObjects::read(&mut fields, "desired")?,
        })
    }
}

impl Serialize for CanUpdateMachineRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { settings, current, desired } = self;
        Message::request(Hook::CanUpdateMachine, settings, Change { current, desired }).serialize(serializer)
    }
}

impl CanUpdateMachineResponse {
    /// The changes that will be made in place; with none at all, machines are replaced.
    #[must_use]
    pub fn new(patches: MachinePatches, message: impl Into<String>) -> Self {
        Self { head: Head::success(message), patches }
    }

    /// Reads a response.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(Hook::CanUpdateMachine, body)?;
        let patches = head.unless_failed(MachinePatches::read(&mut fields))?;
        Ok(Self { head, patches })
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// The changes that will be made in place.
    ///
    /// # Errors
    ///
    /// When the extension failed.
    pub fn patches(&self) -> Result<&MachinePatches, Failed> {
        self.head.check(Hook::CanUpdateMachine)?;
        Ok(&self.patches)
    }
}

impl Serialize for CanUpdateMachineResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, patches } = self;
        Message::response(Hook::CanUpdateMachine, head, patches).serialize(serializer)
    }
}

impl CanUpdateMachineSetRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(Hook::CanUpdateMachineSet, body)?;
        Ok(Self {
            settings: fields.texts("settings")?,
            current: MachineSetObjects::read(&mut fields, "current")?,
            desired: MachineSetObjects::read(&mut fields, "desired")?,
        })
    }
}

impl Serialize for CanUpdateMachineSetRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { settings, current, desired } = self;
        Message::request(Hook::CanUpdateMachineSet, settings, Change { current, desired }).serialize(serializer)
    }
}

impl CanUpdateMachineSetResponse {
    /// The changes that will be made in place; with none at all, machines are replaced.
    #[must_use]
    pub fn new(patches: MachineSetPatches, message: impl Into<String>) -> Self {
        Self { head: Head::success(message), patches }
    }

    /// Reads a response.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(Hook::CanUpdateMachineSet, body)?;
        let patches = head.unless_failed(MachineSetPatches::read(&mut fields))?;
        Ok(Self { head, patches })
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// The changes that will be made in place.
    ///
    /// # Errors
    ///
    /// When the extension failed.
    pub fn patches(&self) -> Result<&MachineSetPatches, Failed> {
        self.head.check(Hook::CanUpdateMachineSet)?;
        Ok(&self.patches)
    }
}

impl Serialize for CanUpdateMachineSetResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, patches } = self;
        Message::response(Hook::CanUpdateMachineSet, head, patches).serialize(serializer)
    }
}

impl UpdateMachineRequest {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let mut fields = Fields::of_request(Hook::UpdateMachine, body)?;
        Ok(Self { settings: fields.texts("settings")?, desired: MachineObjects::read(&mut fields, "desired")? })
    }
}

impl Serialize for UpdateMachineRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Body<'a> {
            desired: &'a MachineObjects,
        }
        let Self { settings, desired } = self;
        Message::request(Hook::UpdateMachine, settings, Body { desired }).serialize(serializer)
    }
}

impl UpdateMachineResponse {
    /// The machine is what was desired.
    #[must_use]
    pub fn done(message: impl Into<String>) -> Self {
        Self { head: Head::success(message), retry_after_seconds: Some(0) }
    }

    /// The update runs or waits its turn; ask again after so many seconds.
    #[must_use]
    pub fn running(seconds: NonZeroU32, message: impl Into<String>) -> Self {
        Self { head: Head::success(message), retry_after_seconds: Some(head::retry_after(seconds)) }
    }

    /// Reads a response.
    ///
    /// A success must say `retryAfterSeconds`, which Cluster API's own servers always do: 0 means that the update is
    /// done, and that is not read out of a field that is not there.
    ///
    /// # Errors
    ///
    /// When it is none, or a field is missing or does not fit.
    pub fn read(body: &[u8]) -> Result<Self, ReadError> {
        let (head, mut fields) = Head::of_body(Hook::UpdateMachine, body)?;
        let retry_after_seconds = head.unless_failed(fields.int32("retryAfterSeconds"))?;
        match (head.status, retry_after_seconds) {
            (Status::Success, None) => Err(fields.missing("retryAfterSeconds")),
            (Status::Success, Some(_)) | (Status::Failure, _) => Ok(Self { head, retry_after_seconds }),
        }
    }

    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        self.head.status
    }

    /// What it says; [`Verdict::Go`] means that the update is done.
    ///
    /// # Errors
    ///
    /// When the extension failed.
    pub fn verdict(&self) -> Result<Verdict, Failed> {
        self.head.verdict(Hook::UpdateMachine, self.retry_after_seconds.unwrap_or_default())
    }
}

impl Serialize for UpdateMachineResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { head, retry_after_seconds } = self;
        let rest = RetryAfter { retry_after_seconds: *retry_after_seconds };
        Message::response(Hook::UpdateMachine, head, rest).serialize(serializer)
    }
}
