//! Publishing: a `Report` as objects of the Kubernetes API, and back (update-status-api.md, D1, 2, 5).
//!
//! Nothing here judges: what is told is in the report, and what only watching can tell is in the memory. What is decided
//! here is how little can be said within the size of an object: nodes in groups, and the ladder of [`Level`]s.
//!
//! Writing to a cluster, and when, is left to the operator.

mod carry;
mod cluster;
mod condition;
mod health;
mod level;
mod node;
mod parts;
mod place;
mod pool;
mod read;
mod recall;
mod shard;
mod size;
mod split;
mod status;
mod summary;
mod text;
mod urgent;
mod word;

use headway_api::report::{self, Report};
use headway_api::update::status::Status;

pub use self::level::{HARD, Level, TARGET};
pub use self::read::{Unread, read};
pub use self::recall::recall;
pub use self::shard::{Shard, shards};
pub use self::size::{managed_fields, object_size};
pub use self::split::{Insights, Nodes, insights};
pub use self::status::{differs, size_at, status};
pub use self::text::CUT;
pub(crate) use self::text::{clip, length, number};
pub use self::urgent::{change, is_urgent, shard_change};
use crate::inform::Informer;
use crate::memory::Memory;

/// Who writes, and how well.
#[derive(Debug, Clone)]
pub struct Writer<'a> {
    /// The program and its version, such as `headway-operator/0.1.0`.
    pub renderer: &'a str,
    /// `metadata.generation` of the object.
    pub generation: i64,
    /// The condition `Available`: whether the writer is alive and sees the cluster.
    pub available: report::Condition,
    /// The condition `Degraded`: whether something that is watched cannot be seen.
    pub degraded: report::Condition,
    /// How far each informer can be trusted.
    pub informers: &'a [Informer],
}

/// What is to be published.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The report.
    pub report: &'a Report,
    /// What was observed before; the default one where nobody watches.
    pub memory: &'a Memory,
    /// Who writes.
    pub writer: &'a Writer<'a>,
    /// The status as it was last written. What has not changed keeps the times that it has there.
    pub past: Option<&'a Status>,
}

/// A status, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    /// The status.
    pub status: Status,
    /// How far it was cut.
    pub level: Level,
    /// What was left out.
    pub dropped: Dropped,
    /// How large the whole object is in its store, the record of who owns which field included.
    pub bytes: usize,
}

/// How much was left out. What is counted here is not told anywhere else in the object, but in its own counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Health insights.
    pub health: usize,
    /// Insights on nodes that would be worth one.
    pub nodes: usize,
    /// Names of nodes in groups.
    pub names: usize,
    /// Operators.
    pub operators: usize,
    /// Pools of workers, or pools whose names the API cannot hold.
    pub pools: usize,
    /// Gaps and remarks.
    pub notes: usize,
}

impl Dropped {
    /// What was left out, in words; nothing where nothing was.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { health, nodes, names, operators, pools, notes } = *self;
        let all = [
            (health, "health insights"),
            (nodes, "node insights"),
            (names, "names of nodes"),
            (operators, "operators"),
            (pools, "pools"),
            (notes, "remarks"),
        ];
        let told: Vec<String> =
            all.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        told.join(", ")
    }
}

/// What a rendering works on: the source, and how much of it is told.
#[derive(Clone, Copy)]
struct Scene<'a> {
    source: Source<'a>,
    caps: level::Caps,
}

impl<'a> Scene<'a> {
    fn report(&self) -> &'a Report {
        self.source.report
    }

    fn now(&self) -> jiff::Timestamp {
        self.source.report.observed_at
    }
}
