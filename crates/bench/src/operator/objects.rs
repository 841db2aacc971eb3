//! The recording's objects as of another moment, and what of a node changes with a step.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::recording::{Member, RECORDED_AT, State, node};

/// A node that has not begun was last heard of changing so long ago.
const LONG: SignedDuration = SignedDuration::from_hours(900);

/// A recorded object as if it had been recorded now.
pub(super) fn as_of(mut object: Value, now: Timestamp) -> Value {
    shift(&mut object, SignedDuration::from_secs(now.as_second() - RECORDED_AT));
    object
}

/// A node that entered its state now.
pub(super) fn node_as_of(member: Member, now: Timestamp) -> Value {
    let mut node = as_of(node(member), now);
    let since = match member.state {
        // It goes down and comes up: what its conditions say is new.
        State::Rebooting | State::Done => now,
        State::Pending | State::Draining | State::Updating | State::DrainFailed | State::Drifted | State::NotReady => {
            now.saturating_sub(LONG).unwrap_or(Timestamp::MIN)
        }
    };
    let since = Value::String(seconds(since));
    for condition in node["status"]["conditions"].as_array_mut().into_iter().flatten() {
        condition["lastTransitionTime"] = since.clone();
    }
    if let Some(taints) = node["spec"]["taints"].as_array_mut() {
        for taint in taints.iter_mut().filter(|taint| taint.get("timeAdded").is_some()) {
            taint["timeAdded"] = Value::String(seconds(now));
        }
    }
    node
}

/// What a node that enters its state now says of itself, and what is said of it: merge patches of its status and of the
/// rest. Its status comes first, as the rest is what tells the step.
pub(super) fn patches(member: Member, now: Timestamp) -> (Option<Value>, Value) {
    let node = node_as_of(member, now);
    let status = match member.state {
        State::Rebooting | State::Done => Some(json!({ "status": {
            "conditions": node["status"]["conditions"], "nodeInfo": node["status"]["nodeInfo"] } })),
        State::Pending | State::Draining | State::Updating | State::DrainFailed | State::Drifted | State::NotReady => {
            None
        }
    };
    let rest = json!({
        "metadata": { "annotations": node["metadata"]["annotations"] },
        // Null takes away what is not there any more.
        "spec": { "unschedulable": node["spec"]["unschedulable"], "taints": node["spec"]["taints"] },
    });
    (status, rest)
}

/// A node's sign of life: the moment in its conditions is all that is new.
pub(super) fn heartbeat(member: Member, since: Timestamp, now: Timestamp) -> Value {
    let mut node = node_as_of(member, since);
    let now = Value::String(seconds(now));
    for condition in node["status"]["conditions"].as_array_mut().into_iter().flatten() {
        condition["lastHeartbeatTime"] = now.clone();
    }
    json!({ "status": { "conditions": node["status"]["conditions"] } })
}

/// Moves every moment that is told in an object.
fn shift(value: &mut Value, by: SignedDuration) {
    match value {
        Value::String(text) => {
            if let Some(moment) = moment(text) {
                *text = seconds(moment.saturating_add(by).unwrap_or(Timestamp::MAX));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| shift(value, by)),
        Value::Object(all) => all.values_mut().for_each(|value| shift(value, by)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A moment as Kubernetes writes it, and nothing else.
fn moment(text: &str) -> Option<Timestamp> {
    (text.len() == 20 && text.ends_with('Z')).then(|| text.parse().ok()).flatten()
}

/// To the second, as Kubernetes writes it.
pub(super) fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Fleet, Kind, Role, objects};

    #[test]
    fn every_moment_moves_and_nothing_else() {
        let now = Timestamp::from_second(RECORDED_AT + 3_600).unwrap();
        let (_, version) = objects(Fleet::waiting(20)).find(|(kind, _)| *kind == Kind::Version).unwrap();
        let moved = as_of(version.clone(), now);
        let at = |object: &Value| moment(object["status"]["history"][0]["completionTime"].as_str().unwrap()).unwrap();
        assert_eq!(at(&moved).duration_since(at(&version)), SignedDuration::from_hours(1));
        assert_eq!(as_of(moved, Timestamp::from_second(RECORDED_AT - 3_600).unwrap()), version);
    }

    #[test]
    fn a_step_is_told_in_patches_and_a_node_that_is_done_is_let_go() {
        let now = Timestamp::from_second(RECORDED_AT).unwrap();
        let told = |state| patches(Member { index: 30, role: Role::Worker, state }, now);
        let (status, rest) = told(State::Draining);
        assert_eq!((status, &rest["spec"]["unschedulable"]), (None, &json!(true)));
        let (status, rest) = told(State::Done);
        assert_eq!(rest["spec"], json!({ "unschedulable": null, "taints": null }));
        let ready = &status.unwrap()["status"]["conditions"][3];
        assert_eq!((&ready["type"], &ready["status"]), (&json!("Ready"), &json!("True")));
    }
}
