//! A real etcd and kube-apiserver for tests, started and stopped by them.
//!
//! ```no_run
//! use headway_testenv::Plane;
//!
//! let plane = Plane::start()?;
//! let namespaces = plane.kubectl_text(&["get", "namespaces", "-o", "name"])?;
//! assert!(namespaces.contains("namespace/default"));
//! # Ok::<(), headway_testenv::Error>(())
//! ```
//!
//! A test that starts one carries `#[ignore = "ring 2: …"]`, so that
//! `cargo test` stays free of clusters; `cargo xtask test` compiles the
//! programs once and runs it. A plane takes four seconds and 350 MB, so tests
//! that do not disturb each other may share one in a static `OnceLock`: it is
//! stopped when the process of the tests ends, however it ends.
//!
//! What runs is an API server alone. Nothing collects owned objects, nothing
//! counts disruption budgets, and a namespace that is deleted never goes: a
//! test that needs such a thing does it itself and says so.
//!
//! This crate starts an API server and talks to none, except through kubectl
//! and helm: what a test does there, it does with its own client.

pub mod cluster_api;
mod crds;
mod environment;
mod options;
mod plane;
mod programs;

pub use environment::{Environment, EnvironmentError};
pub use options::Options;
pub use plane::{Error, Pids, Plane, Serving};
pub use programs::{Missing, Program, Programs, ProgramsError, Versions};
