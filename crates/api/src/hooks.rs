//! The runtime-extension protocol of Cluster API: which hooks there are, and what is asked and answered.
//!
//! Specification: chained-upgrades.md, sections 4 and 5, and in-place-updates.md, 2.2. [`Hook`] is the one list that
//! server, client and documents read. A request is read by who serves hooks, and a response by who calls them; both
//! are read as Cluster API reads them, whose letter case does not count, null and unknown fields are passed over, and
//! kind and version may be left out. Kinds and versions that are there and wrong are refused. Sending, deadlines,
//! `failurePolicy` and caches are left to the client, what to answer to `headway-core`.

mod cluster;
mod discovery;
mod fields;
mod head;
mod hook;
mod in_place;
mod lifecycle;
mod object;
mod patch;
mod request;
mod response;
mod told;
mod upgrade_plan;

pub use cluster::{ClassRef, Cluster, ObjectRef, WorkerEntry};
pub(crate) use discovery::is_dns_label;
pub use discovery::{
    DEFAULT_TIMEOUT_SECONDS, DiscoveryError, DiscoveryRequest, DiscoveryResponse, FailurePolicy, Handler, HandlerFault,
    HandlerRule, MAX_HANDLERS, MAX_TIMEOUT_SECONDS, Registered,
};
pub use fields::{JsonType, ReadError};
pub use head::{Failed, Failure, Kind, MAX_RETRY_SECONDS, Side, Status, Verdict};
pub use hook::{API_VERSION, Family, GROUP, Hook, Lifecycle, VERSION};
pub use in_place::{
    CanUpdateMachineRequest, CanUpdateMachineResponse, CanUpdateMachineSetRequest, CanUpdateMachineSetResponse,
    MachineObjects, MachinePatches, MachineSetObjects, MachineSetPatches, UpdateMachineRequest, UpdateMachineResponse,
};
pub use lifecycle::{LifecycleCall, LifecycleRequest, LifecycleResponse, StepAhead, StepBehind, UpgradeStep};
pub use object::Object;
pub use patch::{Patch, PatchError, PatchType};
pub use request::Request;
pub use response::Response;
pub use told::{MAX_TOLD_CHARS, told};
pub use upgrade_plan::{GenerateUpgradePlanRequest, GenerateUpgradePlanResponse};

/// The largest body that either side takes, 20 MiB. Whoever receives one stops reading there; the readers of this
/// module refuse it too.
pub const MAX_BODY_BYTES: usize = 20 * 1024 * 1024;

#[cfg(test)]
mod tests;
