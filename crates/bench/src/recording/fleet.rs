//! Which node of the invented cluster plays which role, and how far its update has come.
//!
//! Everything follows from the node's index, so that pools can be counted without making any node.

use std::collections::BTreeMap;

use super::seed::Seed;

/// What the cluster ran before, and what it is being updated to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Release {
    /// 4.20.4, which every node ran.
    Before,
    /// 4.20.11, which the control plane runs already.
    Target,
}

impl Release {
    /// The version as OpenShift writes it.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::Before => "4.20.4",
            Self::Target => "4.20.11",
        }
    }

    /// The kubelet that comes with it.
    pub(crate) fn kubelet(self) -> &'static str {
        match self {
            Self::Before => "v1.33.5",
            Self::Target => "v1.33.8",
        }
    }

    /// The image of the release.
    pub(crate) fn image(self) -> String {
        format!(
            "registry.seaport.example:5000/openshift/release@sha256:{}",
            Seed::of("release").under(self.version()).hex(64)
        )
    }
}

/// The pool that a node belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// One of three of the control plane.
    Master,
    /// One in fifty: routers, registry, monitoring.
    Infra,
    /// Everything else.
    Worker,
}

impl Role {
    /// All pools, in the order in which the recording lists them.
    pub(crate) const ALL: [Self; 3] = [Self::Infra, Self::Master, Self::Worker];

    /// The name of the pool.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Master => "master",
            Self::Infra => "infra",
            Self::Worker => "worker",
        }
    }

    /// The name of the machine config that a pool's nodes run at a release.
    pub(crate) fn rendered(self, release: Release) -> String {
        format!("rendered-{}-{}", self.name(), Seed::of("rendered").under(self.name()).under(release.version()).hex(32))
    }
}

/// How far the update of one node has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// Runs the target.
    Done,
    /// Not chosen yet.
    Pending,
    /// Chosen; its pods are being moved away.
    Draining,
    /// Drained; files and image are being written.
    Updating,
    /// Written; on its way down and up.
    Rebooting,
    /// Degraded: its pods could not be moved away for an hour.
    DrainFailed,
    /// Degraded: someone changed a managed file by hand.
    Drifted,
    /// Not chosen yet, and its kubelet is silent.
    NotReady,
}

/// Of a hundred nodes of a rolling pool, how many are in which state.
const SHARES: [(State, u32); 8] = [
    (State::Done, 43),
    (State::Pending, 44),
    (State::Draining, 4),
    (State::Updating, 3),
    (State::Rebooting, 2),
    (State::DrainFailed, 1),
    (State::Drifted, 1),
    (State::NotReady, 2),
];

/// Number of control plane nodes.
const MASTERS: u32 = 3;

/// A cluster of a number of nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fleet {
    nodes: u32,
    course: Course,
}

/// How far the pools beside the control plane's have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// Every state occurs, in its share.
    Underway,
    /// All nodes are in one state.
    Alike(State),
}

/// One node of the fleet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// Counts over the whole fleet.
    pub(crate) index: u32,
    /// Its pool.
    pub(crate) role: Role,
    /// Its progress.
    pub(crate) state: State,
}

impl Fleet {
    /// A cluster with that many nodes, of which three are the control plane.
    pub(crate) fn of(nodes: u32) -> Self {
        Self { nodes, course: Course::Underway }
    }

    /// The same, with no node of it begun.
    pub(crate) fn waiting(nodes: u32) -> Self {
        Self { nodes, course: Course::Alike(State::Pending) }
    }

    /// The same, with every node at the target.
    pub(crate) fn finished(nodes: u32) -> Self {
        Self { nodes, course: Course::Alike(State::Done) }
    }

    /// Every node, in the order of the recording.
    pub(crate) fn members(self) -> impl Iterator<Item = Member> {
        let infra_end = MASTERS + (self.nodes / 50).max(2);
        let state_of = move |index_in_pool| match self.course {
            Course::Underway => state_of(index_in_pool),
            Course::Alike(state) => state,
        };
        (0..self.nodes).map(move |index| {
            let (role, state) = if index < MASTERS {
                (Role::Master, State::Done)
            } else if index < infra_end {
                (Role::Infra, state_of(index - MASTERS))
            } else {
                (Role::Worker, state_of(index - infra_end))
            };
            Member { index, role, state }
        })
    }

    /// How many nodes of a pool are in which state.
    pub(crate) fn census(self, role: Role) -> Census {
        let mut states = BTreeMap::new();
        for member in self.members().filter(|member| member.role == role) {
            *states.entry(member.state).or_insert(0) += 1;
        }
        Census { states }
    }
}

/// The number of nodes of one pool in each state.
#[derive(Debug)]
pub(crate) struct Census {
    states: BTreeMap<State, u32>,
}

impl Census {
    /// Nodes of the pool in any of the given states.
    pub(crate) fn count(&self, states: &[State]) -> u32 {
        states.iter().filter_map(|state| self.states.get(state)).sum()
    }

    /// All nodes of the pool.
    pub(crate) fn all(&self) -> u32 {
        self.states.values().sum()
    }
}

impl Member {
    /// A name that no other node has, in the manner of a machine set.
    pub(crate) fn name(self) -> String {
        format!("ferry-{}-{}-{:05}", self.role.name(), self.zone(), self.index)
    }

    /// The zone it stands in.
    pub(crate) fn zone(self) -> &'static str {
        ["north-1a", "north-1b", "north-1c"][usize::try_from(self.index % 3).unwrap_or(0)]
    }

    /// The release it runs now.
    pub(crate) fn running(self) -> Release {
        match self.state {
            State::Done => Release::Target,
            State::Pending
            | State::Draining
            | State::Updating
            | State::Rebooting
            | State::DrainFailed
            | State::Drifted
            | State::NotReady => Release::Before,
        }
    }

    /// The release it has been told to run.
    pub(crate) fn wanted(self) -> Release {
        match self.state {
            State::Pending | State::NotReady => Release::Before,
            State::Done
            | State::Draining
            | State::Updating
            | State::Rebooting
            | State::DrainFailed
            | State::Drifted => Release::Target,
        }
    }

    /// Where all its invented names come from.
    pub(crate) fn seed(self) -> Seed {
        Seed::of("node").at(self.index)
    }
}

/// Spreads the states over a pool: 37 and 100 share no divisor, so each hundred holds each slot once.
fn state_of(index_in_pool: u32) -> State {
    let slot = (index_in_pool % 100) * 37 % 100;
    let mut end = 0;
    for (state, share) in SHARES {
        end += share;
        if slot < end {
            return state;
        }
    }
    State::Done
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Fleet, Role, SHARES, State};

    #[test]
    fn a_hundred_workers_hold_exactly_the_shares() {
        assert_eq!(SHARES.iter().map(|(_, share)| share).sum::<u32>(), 100);
        // 3 masters, 2 infra nodes, 100 workers.
        let census = Fleet::of(105).census(Role::Worker);
        for (state, share) in SHARES {
            assert_eq!(census.count(&[state]), share, "{state:?}");
        }
    }

    #[test]
    fn the_pools_add_up_to_the_fleet() {
        for nodes in [10, 105, 999, 5_000] {
            let total: u32 = Role::ALL.iter().map(|role| Fleet::of(nodes).census(*role).all()).sum();
            assert_eq!(total, nodes);
            let masters = Fleet::of(nodes).census(Role::Master);
            assert_eq!((masters.all(), masters.count(&[State::Done])), (3, 3));
            let names: BTreeSet<_> = Fleet::of(nodes).members().map(super::Member::name).collect();
            assert_eq!(names.len(), usize::try_from(nodes).unwrap());
        }
    }
}
