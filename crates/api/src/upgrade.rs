//! `ClusterUpgrade` (headway.dev/v1alpha1): what a person asks of one cluster of Cluster API, and how far it is.
//!
//! The spec is what people and their tools write, the status what whoever drives the cluster writes. What cannot be
//! observed again is kept in the status and nowhere else: the accepted plan, the intents, when a step began, and since
//! when something is waited for (design, section 2, 8). Which cluster and decision become which status is decided in
//! `headway_core::drive`.

pub mod kind;
pub mod limit;
pub mod spec;
pub mod status;

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResourceExt;

use crate::update::definition::finish;

pub use self::kind::{ClusterUpgrade, ClusterUpgradeSpec};

/// The version of the kind. Its group is [`crate::GROUP`].
pub const VERSION: &str = "v1alpha1";

/// The verb that somebody needs on a ClusterUpgrade to approve its steps.
pub const APPROVE: &str = "approve";

/// The definition of the kind, as it is put into `deploy/crds`.
#[must_use]
pub fn definition() -> CustomResourceDefinition {
    finish(ClusterUpgrade::crd())
}
