//! The limits of lists and texts, in one place: the schemas state them and `headway_core::publish` keeps them.
//!
//! The numbers of upstream are raised where its own clusters do not fit (update-status-api.md, 2.4, [T]), and lowered
//! where the API server's budget for validation rules forbids them: the cost of a rule is its own cost times every
//! list around it (issue 4, item 2).

/// Conditions of one object or insight.
pub const CONDITIONS: u32 = 10;

/// Worker pools of one status.
pub const POOLS: u32 = 256;

/// Informers that report on the control plane.
pub const CONTROL_PLANE_INFORMERS: u32 = 16;

/// Informers that report on one pool.
pub const POOL_INFORMERS: u32 = 4;

/// Insights of one informer.
pub const INSIGHTS: u32 = 256;

/// Groups of nodes of one pool.
pub const GROUPS: u32 = 32;

/// Groups of nodes of the control plane, which may have more than one pool.
pub const CONTROL_PLANE_GROUPS: u32 = 64;

/// Names of one group of nodes.
pub const GROUP_NAMES: u32 = 20_000;

/// Nodes that one number counts.
pub const COUNT: u32 = 100_000;

/// Nodes of one shard of a pool's details.
pub const SHARD_NODES: u32 = 1_000;

/// Names, which are DNS subdomains.
pub const NAME: u32 = 253;

/// The identity of an insight, which is a DNS label.
pub const UID: u32 = 63;

/// Versions.
pub const VERSION: u32 = 64;

/// Words for people.
pub const ASSESSMENT: u32 = 64;

/// The message of a condition.
pub const CONDITION_MESSAGE: u32 = 32_768;

/// The reason of a condition.
pub const CONDITION_REASON: u32 = 1_024;

/// The message of a node insight or of a group of nodes.
pub const NODE_MESSAGE: u32 = 256;

/// The message of a node in its pool's details.
pub const ROW_MESSAGE: u32 = 1_024;

/// The one line of a health insight.
pub const SUMMARY: u32 = 256;

/// All that is known of a health insight.
pub const DESCRIPTION: u32 = 4_096;

/// A link to documentation.
pub const URL: u32 = 512;

/// Objects that an insight names. We name 16 and count the others; a list of that length is read in one look.
pub const RESOURCES: u32 = 128;

/// Findings that are folded into one cause.
pub const RELATED: u32 = 16;

/// Pods that hold up the drain of one node.
pub const BLOCKERS: u32 = 16;

/// Insights that the top of a status points at.
pub const ATTENTION: u32 = 32;

/// Steps that an update has yet to take.
pub const STEPS: u32 = 32;

/// Things that an update waits on.
pub const WAITS: u32 = 32;

/// What an update waits on, within a sentence.
pub const WAIT: u32 = 128;

/// The worst insight in one line of a summary, which all together has to stay small.
pub const WORST: u32 = 160;

/// Remarks.
pub const HINTS: u32 = 32;

/// Things that were not observed.
pub const GAPS: u32 = 64;

/// A remark, and what is wrong with something that was not observed.
pub const NOTE: u32 = 1_024;

/// Versions that are counted.
pub const VERSIONS: u32 = 64;

/// Insights that went away and are remembered.
pub const RESOLVED: u32 = 64;

/// Conditions of objects whose changes are remembered.
pub const TRANSITIONS: u32 = 128;

/// Remembered changes of one condition.
pub const TIMES: u32 = 32;

/// A DNS subdomain.
pub const SUBDOMAIN_PATTERN: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/// A DNS label.
pub const LABEL_PATTERN: &str = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/// A reason, as `metav1.Condition` has it.
pub const REASON_PATTERN: &str = r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

/// The type of a condition, as `metav1.Condition` has it.
pub const CONDITION_TYPE_PATTERN: &str =
    r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

/// A version of the form `MAJOR.MINOR.PATCH`, with or without a pre-release and a build; Cluster API begins it with a `v`.
pub const VERSION_PATTERN: &str = r"^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$";

/// A link, without what no link has. A pattern and not a rule: rules on texts this long cost more than the budget has.
pub const URL_PATTERN: &str = r"^https?://[^\s/?#]+([/?#]\S*)?$";

/// The id of a rule.
pub const RULE_PATTERN: &str = r"^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$";
