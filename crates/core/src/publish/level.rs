//! The ladder: what is left out, step by step, until an object is small enough for its store (update-status-api.md,
//! 5.4).

use std::fmt;

use headway_api::insight::Insight;
use headway_api::update::limit;

use super::text::length;

/// No object is larger than this: etcd takes 1.5 MiB, and every watcher gets the whole object on every write.
pub const HARD: usize = 1_000_000;

/// An object goes back up the ladder only when it would be smaller than this: else it would go up and down with every
/// node, and rewrite the times of all that it says.
pub const TARGET: usize = 786_432;

/// A step of the ladder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Nothing is left out but what the API has no room for.
    pub const FULL: Self = Self(0);

    /// The last step: it fits, whatever the cluster.
    pub const LAST: Self = Self(6);

    /// The level with a number; the last one for numbers beyond.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(number).min(Self::LAST)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// The next step down; none below the last.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        (self < Self::LAST).then_some(Self(self.0 + 1))
    }

    /// What is left out, in words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self.0 {
            0 => "nothing",
            1 => "descriptions of insights beyond 1,024 characters",
            2 => "insights on nodes beyond 200, the worst first",
            3 => "names of nodes beyond 64 a group",
            4 => "insights on nodes beyond 50 and on health beyond 64, all but 4 of their objects, long texts",
            5 => "names of nodes, and groups of nodes beyond 4 a pool, or one a phase",
            _ => "pools beyond 64, the worst first, insights on health beyond 16, and operators beyond 64",
        }
    }

    /// How much of everything is told.
    pub(super) fn caps(self) -> Caps {
        let full = Caps {
            description: length(limit::DESCRIPTION),
            related: length(limit::NOTE),
            advice: length(limit::NOTE),
            message: 4_096,
            group_message: length(limit::NODE_MESSAGE),
            note: length(limit::NOTE),
            resources: Insight::MAX_RESOURCES,
            nodes_of_pool: 50,
            nodes: usize::MAX,
            health: usize::MAX,
            names: length(limit::GROUP_NAMES),
            groups: length(limit::GROUPS),
            details: Details::Linked,
            pools: length(limit::POOLS),
            components: length(limit::INSIGHTS),
            notes: length(limit::GAPS),
            transitions: length(limit::TRANSITIONS),
            versions: length(limit::VERSIONS),
        };
        let mut caps = full;
        if self.0 >= 1 {
            caps.description = 1_024;
            caps.message = 1_024;
        }
        if self.0 >= 2 {
            caps.nodes = 200;
        }
        if self.0 >= 3 {
            caps.names = 64;
        }
        if self.0 >= 4 {
            caps = Caps {
                description: 256,
                related: 0,
                advice: 256,
                message: 256,
                note: 256,
                resources: 4,
                nodes: 50,
                health: 64,
                ..caps
            };
        }
        if self.0 >= 5 {
            // There is always a group for each phase that occurs, of which there are six.
            caps = Caps { names: 0, groups: 4, details: Details::Unlinked, group_message: 64, message: 128, ..caps };
        }
        if self.0 >= 6 {
            caps = Caps { pools: 64, health: 16, components: 64, notes: 16, transitions: 16, versions: 16, ..caps };
        }
        caps
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "L{}", self.0)
    }
}

/// Whether groups point at the details of their pool, whose name tells the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Details {
    Linked,
    Unlinked,
}

/// How much of everything is told at one level: characters of texts, entries of lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Caps {
    /// Characters of an insight's description.
    pub(super) description: usize,
    /// Characters of the description of what was folded into an insight.
    pub(super) related: usize,
    /// Characters of an insight's advice, and of the remark that there is no link.
    pub(super) advice: usize,
    /// Characters of the message of an operator's condition, or of a pool's.
    pub(super) message: usize,
    /// Characters of the message of a group of nodes, or of a node insight.
    pub(super) group_message: usize,
    /// Characters of a remark and of each part of a gap.
    pub(super) note: usize,
    /// Objects that an insight names.
    pub(super) resources: usize,
    /// Node insights of one pool.
    pub(super) nodes_of_pool: usize,
    /// Node insights of all pools.
    pub(super) nodes: usize,
    /// Health insights.
    pub(super) health: usize,
    /// Names of a group of nodes.
    pub(super) names: usize,
    /// Groups of one pool.
    pub(super) groups: usize,
    /// Whether groups point at the details of their pool.
    pub(super) details: Details,
    /// Pools of workers.
    pub(super) pools: usize,
    /// Operators.
    pub(super) components: usize,
    /// Gaps; half as many remarks.
    pub(super) notes: usize,
    /// Remembered conditions.
    pub(super) transitions: usize,
    /// Versions that are counted.
    pub(super) versions: usize,
}
