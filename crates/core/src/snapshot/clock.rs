//! Which moment a recording is judged at.

use headway_api::meta::Condition;
use headway_api::report::ClockSource;
use jiff::{SignedDuration, Timestamp};

use super::{Moment, Snapshot};

/// How far past the newest operator transition an event may lie and still move the clock. Beyond it, an event is
/// taken for a broken clock rather than for a quiet day: a cluster that updates does not go a day without one.
const EVENTS_REACH: SignedDuration = SignedDuration::from_hours(24);

/// What the peer adds to the clock of its recorded examples, to exercise rounding (status-openshift.md, 3).
const PEER_OFFSET: SignedDuration = SignedDuration::from_nanos(368_975);

/// The moment at which a recording without a timestamp of its own is judged.
///
/// The newest transition of ClusterVersion and ClusterOperators, moved on to the newest event of a node, a pool or a
/// firing alert that lies less than 24 hours after it. Heartbeats are not events.
#[must_use]
pub fn from_facts(snapshot: &Snapshot) -> Moment {
    let Some(transition) = newest_transition(snapshot) else {
        return match events(snapshot).max() {
            Some(at) => Moment { at, source: ClockSource::Events },
            None => Moment::default(),
        };
    };
    let reach = transition.saturating_add(EVENTS_REACH).unwrap_or(Timestamp::MAX);
    match events(snapshot).filter(|at| *at > transition && *at < reach).max() {
        Some(at) => Moment { at, source: ClockSource::Events },
        None => Moment { at: transition, source: ClockSource::Transitions },
    }
}

/// The moment at which the peer judges recorded files: the newest transition of ClusterVersion and of all
/// ClusterOperators, plus 368,975 ns.
#[must_use]
pub fn of_peer(snapshot: &Snapshot) -> Moment {
    match newest_transition(snapshot) {
        Some(at) => {
            Moment { at: at.saturating_add(PEER_OFFSET).unwrap_or(Timestamp::MAX), source: ClockSource::Transitions }
        }
        None => Moment::default(),
    }
}

fn newest_transition(snapshot: &Snapshot) -> Option<Timestamp> {
    let version = snapshot.cluster_version.iter().flat_map(|cv| &cv.status.conditions);
    let operators = snapshot.operators.iter().flat_map(|co| &co.status.conditions);
    transitions(version.chain(operators)).max()
}

fn events(snapshot: &Snapshot) -> impl Iterator<Item = Timestamp> {
    let nodes = snapshot.nodes.iter().flat_map(|node| &node.status.conditions);
    let pools = snapshot.pools.iter().flat_map(|pool| &pool.status.conditions);
    let steps = snapshot.machine_config_nodes.values().flat_map(|mcn| &mcn.status.conditions);
    let firing = snapshot.alerts.as_slice().iter().filter(|alert| alert.state == "firing");
    let of_nodes = snapshot.nodes.iter().filter_map(|node| node.status.newest_transition);
    transitions(nodes.chain(pools).chain(steps))
        .chain(of_nodes)
        .chain(firing.filter_map(|alert| alert.firing_since.or(alert.active_at)))
}

fn transitions<'a>(conditions: impl Iterator<Item = &'a Condition>) -> impl Iterator<Item = Timestamp> {
    conditions.filter_map(|condition| condition.last_transition_time)
}

#[cfg(test)]
mod tests {
    use headway_api::node::Node;
    use headway_api::openshift::{ClusterOperator, ClusterVersion};
    use headway_api::prometheus::Alert;

    use super::super::AlertsSeen;
    use super::*;

    fn at(text: &str) -> Option<Timestamp> {
        (!text.is_empty()).then(|| format!("2026-05-{text}:00Z").parse().unwrap())
    }

    fn condition(text: &str) -> Vec<Condition> {
        vec![Condition { last_transition_time: at(text), ..Condition::default() }]
    }

    fn snapshot(version: &str, operator: &str, node: &str, firing: &str) -> Snapshot {
        let mut cv = ClusterVersion::default();
        cv.status.conditions = condition(version);
        let mut co = ClusterOperator::default();
        co.status.conditions = condition(operator);
        let mut n = Node::default();
        n.status.conditions = condition(node);
        let alert = |state: &str, time: &str| Alert { state: state.into(), active_at: at(time), ..Alert::default() };
        Snapshot {
            cluster_version: Some(cv),
            operators: vec![co],
            nodes: vec![n.into()],
            alerts: AlertsSeen::Answer(vec![alert("firing", firing), alert("pending", "04T09:59")]),
            ..Snapshot::default()
        }
    }

    #[test]
    fn oc_15_3_12_events_move_the_clock_within_a_day() {
        let check = |facts: [&str; 4], expect: &str, source: ClockSource| {
            let [version, operator, node, firing] = facts;
            let moment = from_facts(&snapshot(version, operator, node, firing));
            let expect = at(expect).unwrap_or(Timestamp::UNIX_EPOCH);
            assert_eq!(moment, Moment { at: expect, source }, "{facts:?}");
        };
        check(["04T08:00", "", "", ""], "04T08:00", ClockSource::Transitions);
        check(["04T08:00", "04T08:10", "", ""], "04T08:10", ClockSource::Transitions);
        check(["04T08:00", "04T08:10", "04T08:05", ""], "04T08:10", ClockSource::Transitions);
        check(["04T08:00", "04T08:10", "04T08:30", ""], "04T08:30", ClockSource::Events);
        check(["04T08:00", "", "04T08:30", "04T08:40"], "04T08:40", ClockSource::Events);
        // A day or more later is a broken clock, not a quiet day.
        check(["04T08:00", "", "05T08:00", ""], "04T08:00", ClockSource::Transitions);
        check(["04T08:00", "", "05T07:59", ""], "05T07:59", ClockSource::Events);
        check(["", "", "05T07:59", ""], "05T07:59", ClockSource::Events);
        check(["", "", "", ""], "", ClockSource::Nothing);
    }

    #[test]
    fn the_peer_knows_only_transitions_of_version_and_operators() {
        let moment = of_peer(&snapshot("04T08:00", "04T08:10", "04T08:30", "04T08:40"));
        assert_eq!(moment.at.to_string(), "2026-05-04T08:10:00.000368975Z");
    }
}
