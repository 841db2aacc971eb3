//! Thinking: a `Snapshot` in, a `Report` out; the versions of a cluster in, a `Plan` out.
//!
//! Nothing here does I/O or reads a clock, the environment or a random source; time is a field of the snapshot. The
//! same snapshot and the same policy give the same bytes.

pub mod admission;
pub mod assess;
pub mod drive;
pub mod duration;
pub mod extension;
pub mod fleet;
pub mod group;
pub mod hook;
pub mod inform;
pub mod memory;
pub mod observer;
pub mod pace;
pub mod plan;
pub mod preview;
pub mod publish;
pub mod snapshot;
pub mod version;
