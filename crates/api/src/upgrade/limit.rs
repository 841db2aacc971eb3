//! The limits of lists and texts of a ClusterUpgrade.

/// Versions of a plan, as many as a ClusterClass may list.
pub const VERSIONS: u32 = 100;

/// A version, as Cluster API has it.
pub const VERSION: u32 = 256;

/// Names, which are DNS subdomains.
pub const NAME: u32 = 253;

/// The full name of a handler, as Cluster API has it.
pub const HANDLER: u32 = 512;

/// Groups of workers, and stages in which they move.
pub const GROUPS: u32 = 256;

/// Members of one stage.
pub const MEMBERS: u32 = 256;

/// Maintenance windows.
pub const WINDOWS: u32 = 32;

/// The schedule of a window, a duration, and the name of a time zone.
pub const SCHEDULE: u32 = 128;

/// Rules that a gate makes an exception of.
pub const EXCEPTIONS: u32 = 64;

/// Approvals. Old ones can be taken away.
pub const APPROVALS: u32 = 256;

/// The name of a user.
pub const USER: u32 = 512;

/// A step, as people name it: `control-plane/v1.31.0`.
pub const STEP: u32 = 300;

/// Hooks that are still to be asked: there are eight.
pub const INTENTS: u32 = 8;

/// Things that are waited for.
pub const WAITS: u32 = 64;

/// What is waited for, and what would open it.
pub const MESSAGE: u32 = 1_024;

/// A word for it.
pub const REASON: u32 = 64;

/// Upgrades that are remembered.
pub const HISTORY: u32 = 10;

/// Steps of one of them.
pub const STEPS: u32 = 200;
