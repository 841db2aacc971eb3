//! A response of any hook that is spoken here, for servers: the twin of [`Request`](super::Request).

use serde::{Serialize, Serializer};

use super::{
    CanUpdateMachineResponse, CanUpdateMachineSetResponse, DiscoveryResponse, Failure, GenerateUpgradePlanResponse,
    LifecycleResponse, Status, UpdateMachineResponse,
};

/// A response of any hook that is spoken here.
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// Of [`Hook::Discovery`](super::Hook::Discovery).
    Discovery(DiscoveryResponse),
    /// Of [`Hook::Lifecycle`](super::Hook::Lifecycle).
    Lifecycle(LifecycleResponse),
    /// Of [`Hook::GenerateUpgradePlan`](super::Hook::GenerateUpgradePlan).
    GenerateUpgradePlan(GenerateUpgradePlanResponse),
    /// Of [`Hook::CanUpdateMachine`](super::Hook::CanUpdateMachine).
    CanUpdateMachine(Box<CanUpdateMachineResponse>),
    /// Of [`Hook::CanUpdateMachineSet`](super::Hook::CanUpdateMachineSet).
    CanUpdateMachineSet(Box<CanUpdateMachineSetResponse>),
    /// Of [`Hook::UpdateMachine`](super::Hook::UpdateMachine).
    UpdateMachine(UpdateMachineResponse),
    /// Of any hook: it failed, for the reason that is given.
    Failure(Failure),
}

impl Response {
    /// How the call went.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Discovery(response) => response.status(),
            Self::Lifecycle(response) => response.status(),
            Self::GenerateUpgradePlan(response) => response.status(),
            Self::CanUpdateMachine(response) => response.status(),
            Self::CanUpdateMachineSet(response) => response.status(),
            Self::UpdateMachine(response) => response.status(),
            Self::Failure(_) => Status::Failure,
        }
    }
}

impl From<Failure> for Response {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Discovery(response) => response.serialize(serializer),
            Self::Lifecycle(response) => response.serialize(serializer),
            Self::GenerateUpgradePlan(response) => response.serialize(serializer),
            Self::CanUpdateMachine(response) => response.serialize(serializer),
            Self::CanUpdateMachineSet(response) => response.serialize(serializer),
            Self::UpdateMachine(response) => response.serialize(serializer),
            Self::Failure(failure) => failure.serialize(serializer),
        }
    }
}
