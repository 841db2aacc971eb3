//! A simulated rolling update: which node takes which step when, with a tenth of each pool out of service at once.
//!
//! Time has no unit here: a step happens at a share of the whole, so that one plan serves every speed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::recording::{Fleet, Member, Role, Seed, State};

/// What a node goes through, and about how much of its time each state takes, in hundredths: a step is the beginning of
/// a state.
const COURSE: [(State, u32); 3] = [(State::Draining, 40), (State::Updating, 30), (State::Rebooting, 30)];

/// How long an update of this kind takes in earnest, at 10 % unavailable (update-status-api.md, 5.5).
pub(super) const IN_EARNEST: Duration = Duration::from_secs(2 * 3_600 + 12 * 60);

/// One node enters a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// When, in millionths of the whole.
    at: u64,
    /// Which node, in the state that it enters.
    pub(super) member: Member,
}

impl Step {
    /// When it happens in an update that takes so long.
    pub(super) fn after(&self, whole: Duration) -> Duration {
        let micros = u64::try_from(whole.as_micros()).unwrap_or(u64::MAX);
        // At most a million times the microseconds of days: far below the limit.
        Duration::from_nanos(u64::try_from(u128::from(micros) * u128::from(self.at) / 1_000).unwrap_or(u64::MAX))
    }
}

/// All steps, in their order. The control plane's nodes are done before it begins.
pub(super) fn plan(fleet: Fleet) -> Vec<Step> {
    let mut steps: Vec<Step> = [Role::Infra, Role::Worker].into_iter().flat_map(|role| of_pool(fleet, role)).collect();
    // A place is left before it is taken again.
    steps.sort_by_key(|step| (step.at, step.member.state == State::Draining, step.member.index));
    steps
}

/// A place of the pool's tenth takes the next node as soon as its last one is done; nodes go zone by zone.
fn of_pool(fleet: Fleet, role: Role) -> Vec<Step> {
    let mut queue: Vec<Member> = fleet.members().filter(|member| member.role == role).collect();
    queue.sort_by_key(|member| (member.zone(), member.index));
    let places = (queue.len() / 10).max(1);
    let mut free: BinaryHeap<Reverse<(u64, usize)>> = (0..places).map(|place| Reverse((0, place))).collect();
    let mut steps = Vec::new();
    let mut end = 1;
    for member in queue {
        let Some(Reverse((mut at, place))) = free.pop() else { break };
        for (state, share) in COURSE {
            steps.push(Step { at, member: Member { state, ..member } });
            at += lasts(member, state, share);
        }
        steps.push(Step { at, member: Member { state: State::Done, ..member } });
        free.push(Reverse((at, place)));
        end = end.max(at);
    }
    for step in &mut steps {
        step.at = step.at * 1_000_000 / end;
    }
    steps
}

/// Half to one and a half times the usual.
fn lasts(member: Member, state: State, share: u32) -> u64 {
    let usual = 100 * share;
    u64::from(usual / 2 + Seed::of("lasts").under(member.role.name()).at(member.index).under(word(state)).below(usual))
}

/// In a word.
fn word(state: State) -> &'static str {
    match state {
        State::Done => "done",
        State::Pending => "pending",
        State::Draining => "draining",
        State::Updating => "updating",
        State::Rebooting => "rebooting",
        State::DrainFailed => "drain failed",
        State::Drifted => "drifted",
        State::NotReady => "not ready",
    }
}

/// How far on its way a node in this state is; 0 before the first step.
pub(super) fn rank(state: State) -> u8 {
    match state {
        State::Pending | State::NotReady => 0,
        State::Draining | State::DrainFailed => 1,
        State::Updating | State::Drifted => 2,
        State::Rebooting => 3,
        State::Done => 4,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn us_s51_every_node_takes_every_step_in_order_and_a_tenth_is_away_at_most() {
        let fleet = Fleet::waiting(1_000);
        let steps = plan(fleet);
        assert_eq!(steps.len(), 997 * 4, "all but the control plane's");
        let mut ranks: BTreeMap<u32, u8> = BTreeMap::new();
        let mut away = 0;
        let mut most = 0;
        for step in &steps {
            let rank = rank(step.member.state);
            let before = ranks.insert(step.member.index, rank).unwrap_or(0);
            assert_eq!(rank, before + 1, "{step:?}");
            if step.member.role == Role::Worker {
                away += i32::from(rank == 1) - i32::from(rank == 4);
                most = most.max(away);
            }
        }
        assert!(ranks.values().all(|rank| *rank == 4));
        assert_eq!(most, 97, "a tenth of the 977 workers");
        assert_eq!(steps.last().unwrap().after(IN_EARNEST), IN_EARNEST);
    }
}
