//! A request of any hook that is spoken here, for servers: the path tells the hook, the body is read by it.

use serde::{Serialize, Serializer};

use super::{
    CanUpdateMachineRequest, CanUpdateMachineSetRequest, DiscoveryRequest, GenerateUpgradePlanRequest, Hook, Kind,
    LifecycleRequest, ReadError, Side, UpdateMachineRequest,
};

/// A request of any hook that is spoken here.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Of [`Hook::Discovery`].
    Discovery(DiscoveryRequest),
    /// Of [`Hook::Lifecycle`].
    Lifecycle(LifecycleRequest),
    /// Of [`Hook::GenerateUpgradePlan`].
    GenerateUpgradePlan(GenerateUpgradePlanRequest),
    /// Of [`Hook::CanUpdateMachine`].
    CanUpdateMachine(Box<CanUpdateMachineRequest>),
    /// Of [`Hook::CanUpdateMachineSet`].
    CanUpdateMachineSet(Box<CanUpdateMachineSetRequest>),
    /// Of [`Hook::UpdateMachine`].
    UpdateMachine(Box<UpdateMachineRequest>),
}

impl Request {
    /// Reads the request of a hook.
    ///
    /// # Errors
    ///
    /// When the hook is not spoken here, or the body is no request of it.
    pub fn read(hook: Hook, body: &[u8]) -> Result<Self, ReadError> {
        match hook {
            Hook::Discovery => DiscoveryRequest::read(body).map(Self::Discovery),
            Hook::Lifecycle(hook) => LifecycleRequest::read(hook, body).map(Self::Lifecycle),
            Hook::GenerateUpgradePlan => GenerateUpgradePlanRequest::read(body).map(Self::GenerateUpgradePlan),
            Hook::CanUpdateMachine => {
                CanUpdateMachineRequest::read(body).map(|it| Self::CanUpdateMachine(Box::new(it)))
            }
            Hook::CanUpdateMachineSet => {
                CanUpdateMachineSetRequest::read(body).map(|it| Self::CanUpdateMachineSet(Box::new(it)))
            }
            Hook::UpdateMachine => UpdateMachineRequest::read(body).map(|it| Self::UpdateMachine(Box::new(it))),
            Hook::GeneratePatches | Hook::ValidateTopology | Hook::DiscoverVariables => {
                Err(ReadError::NotSpoken { kind: Kind { hook, side: Side::Request } })
            }
        }
    }

    /// The hook.
    #[must_use]
    pub fn hook(&self) -> Hook {
        match self {
            Self::Discovery(_) => Hook::Discovery,
            Self::Lifecycle(request) => request.hook().into(),
            Self::GenerateUpgradePlan(_) => Hook::GenerateUpgradePlan,
            Self::CanUpdateMachine(_) => Hook::CanUpdateMachine,
            Self::CanUpdateMachineSet(_) => Hook::CanUpdateMachineSet,
            Self::UpdateMachine(_) => Hook::UpdateMachine,
        }
    }
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Discovery(request) => request.serialize(serializer),
            Self::Lifecycle(request) => request.serialize(serializer),
            Self::GenerateUpgradePlan(request) => request.serialize(serializer),
            Self::CanUpdateMachine(request) => request.serialize(serializer),
            Self::CanUpdateMachineSet(request) => request.serialize(serializer),
            Self::UpdateMachine(request) => request.serialize(serializer),
        }
    }
}
