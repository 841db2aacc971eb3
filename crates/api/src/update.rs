//! The kinds of `update.openshift.io/v1alpha1`: the status of an update as objects of the Kubernetes API.
//!
//! The types here are the words and their limits (update-status-api.md, section 2); the definitions below `deploy/crds`
//! and the API reference are generated from them. Which report becomes which object is decided in
//! `headway_core::publish`; the words of a newer writer are read without failing (`word::Word`).
//!
//! The last paragraph of a field's comment says where its value comes from: `Copied` from a field of another object,
//! `Derived` from what others say, or `Net new`, which only watching can tell. The API reference has it as a column.

pub mod cluster_operator;
pub mod cluster_version;
pub mod condition;
pub mod container;
pub mod definition;
pub mod group;
pub mod health;
pub mod insight;
pub mod kind;
pub mod limit;
pub mod memory;
pub mod node;
pub mod note;
pub mod pool;
pub mod reference;
mod rule;
pub mod shard;
pub mod status;
pub mod summary;
pub mod word;

/// The API group of the kinds. kube's derive takes only literals, so each kind repeats it; a test holds them equal.
pub const GROUP: &str = "update.openshift.io";

/// The version of the kinds.
pub const VERSION: &str = "v1alpha1";

/// The name of the one `UpdateStatus`.
pub const SINGLETON: &str = "cluster";
