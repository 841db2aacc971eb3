//! Messages read, written and refused.

mod bad;
mod catalogue;
mod discovery;
mod facts;
mod recorded;
mod verdict;

use super::*;

use serde::Serialize;
use serde_json::Value;

/// What a message is once it was read and written again.
fn again(hook: Hook, side: Side, body: &[u8]) -> Result<Value, ReadError> {
    fn written(message: Result<impl Serialize, ReadError>) -> Result<Value, ReadError> {
        message.map(|message| serde_json::to_value(message).unwrap())
    }
    match side {
        Side::Request => written(Request::read(hook, body)),
        Side::Response => match hook {
            Hook::Discovery => written(DiscoveryResponse::read(body)),
            Hook::Lifecycle(hook) => written(LifecycleResponse::read(hook, body)),
            Hook::GenerateUpgradePlan => written(GenerateUpgradePlanResponse::read(body)),
            Hook::CanUpdateMachine => written(CanUpdateMachineResponse::read(body)),
            Hook::CanUpdateMachineSet => written(CanUpdateMachineSetResponse::read(body)),
            Hook::UpdateMachine => written(UpdateMachineResponse::read(body)),
            Hook::GeneratePatches | Hook::ValidateTopology | Hook::DiscoverVariables => {
                panic!("{hook} is not spoken")
            }
        },
    }
}

/// A hook by its name.
fn hook(name: &str) -> Hook {
    Hook::find(API_VERSION, name).unwrap_or_else(|| panic!("{name} is no hook"))
}
