//! Words that cross a border: the slices of foreign kinds that Headway reads, and the `Report` that it tells.
//!
//! Nothing here decides anything. A slice names the fields of a foreign kind that some rule needs, and no others;
//! the `Report` is what every renderer prints; `update` and `upgrade` hold our
//! kinds of the Kubernetes API. Reading files and talking to clusters is left to `headway-cluster`,
//! judging to `headway-core`.

pub mod admission;
pub mod apps;
pub mod cluster_api;
pub mod fleet;
pub mod gap;
pub mod hooks;
pub mod hypershift;
pub mod insight;
pub mod machine_config;
pub mod meta;
pub mod node;
pub mod openshift;
pub mod plan;
pub mod preview;
pub mod prometheus;
pub mod quoted;
pub mod report;
pub mod update;
pub mod upgrade;
pub mod version;

/// The API group of our own kinds and annotations (design, section 8).
pub const GROUP: &str = "headway.dev";

/// The version of the `Report` document.
pub const REPORT_API_VERSION: &str = "headway.dev/v1alpha1";

/// Annotation on a ClusterVersion that forces one informational insight, to test that insights arrive (rule `H-FORCED`).
pub const FORCE_INSIGHT_ANNOTATION: &str = "headway.dev/force-health-insight";
