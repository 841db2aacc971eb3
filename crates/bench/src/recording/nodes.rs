//! The nodes: each weighs what a real one does, 14 to 18 KB as YAML, most of it images that nobody asks for.

use serde_json::{Map, Value, json};

use super::fleet::{Member, Release, Role, State};
use super::moment::{HOUR, ago};
use super::seed::Seed;

mod noise;

/// One node of the cluster.
pub(crate) fn node(member: Member) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": annotations(member),
            "creationTimestamp": ago(9_000 * HOUR + member.index % 7_200),
            "labels": labels(member),
            "managedFields": noise::managed_fields(member),
            "name": member.name(),
            "resourceVersion": member.seed().under("version").resource_version(),
            "uid": member.seed().under("uid").uuid(),
        },
        "spec": spec(member),
        "status": noise::status(member, conditions(member)),
    })
}

fn annotations(member: Member) -> Value {
    let wanted = member.role.rendered(member.wanted());
    let mut all = noise::annotations(member);
    let mut set = |name: &str, value: String| {
        all.insert(format!("machineconfiguration.openshift.io/{name}"), Value::String(value));
    };
    set("controlPlaneTopology", "HighlyAvailable".to_owned());
    set("currentConfig", member.role.rendered(member.running()));
    set("desiredConfig", wanted.clone());
    set("state", daemon_state(member.state).to_owned());
    set("reason", reason(member));
    let (desired, applied) = drain_steps(member.state);
    set("desiredDrain", format!("{desired}-{wanted}"));
    set("lastAppliedDrain", format!("{applied}-{wanted}"));
    set("lastObservedServerCAAnnotation", "false".to_owned());
    set("lastSyncedControllerConfigResourceVersion", Seed::of("controller config").resource_version());
    Value::Object(all)
}

/// What the machine-config daemon says that it is doing.
fn daemon_state(state: State) -> &'static str {
    match state {
        State::Done | State::Pending | State::NotReady => "Done",
        State::Draining | State::Updating => "Working",
        State::Rebooting => "Rebooting",
        State::DrainFailed | State::Drifted => "Degraded",
    }
}

/// The drain asked for, and the one that has been carried out.
fn drain_steps(state: State) -> (&'static str, &'static str) {
    match state {
        State::Done | State::Pending | State::NotReady => ("uncordon", "uncordon"),
        State::Draining | State::DrainFailed => ("drain", "uncordon"),
        State::Updating | State::Rebooting | State::Drifted => ("drain", "drain"),
    }
}

/// Why a degraded node is degraded; these texts are long in the field too.
fn reason(member: Member) -> String {
    let name = member.name();
    let pod = |index: u32| {
        format!("freight-{}/cargo-{}", member.seed().at(index).below(90), member.seed().under("pod").at(index).hex(5))
    };
    match member.state {
        State::Done | State::Pending | State::Draining | State::Updating | State::Rebooting | State::NotReady => {
            String::new()
        }
        State::DrainFailed => format!(
            "failed to drain node: {name} after 1 hour: pods that could not be moved: {}, {}, {}; each is the last one that its disruption budget allows",
            pod(0),
            pod(1),
            pod(2)
        ),
        State::Drifted => format!(
            "unexpected on-disk state validating against {}: content mismatch for file \"/etc/seaport/moorings-{}.conf\": \
             expected a file of 1204 bytes, found one of {} bytes",
            member.role.rendered(Release::Before),
            member.seed().below(40),
            1_205 + member.seed().below(900)
        ),
    }
}

fn labels(member: Member) -> Value {
    let mut all = noise::labels(member);
    let roles: &[&str] = match member.role {
        Role::Master => &["control-plane", "master"],
        // A node of a pool of its own carries the worker's label too.
        Role::Infra => &["infra", "worker"],
        Role::Worker => &["worker"],
    };
    for role in roles {
        all.insert(format!("node-role.kubernetes.io/{role}"), json!(""));
    }
    Value::Object(all)
}

fn spec(member: Member) -> Value {
    let mut spec = Map::new();
    spec.insert(
        "providerID".to_owned(),
        json!(format!("seaport:///{}/{}", member.zone(), member.seed().under("machine").hex(17))),
    );
    let mut taints = Vec::new();
    if member.role == Role::Master {
        taints.push(json!({"effect": "NoSchedule", "key": "node-role.kubernetes.io/master"}));
    }
    if is_cordoned(member.state) {
        taints.push(json!({"effect": "NoSchedule", "key": "node.kubernetes.io/unschedulable", "timeAdded": ago(changed(member))}));
        spec.insert("unschedulable".to_owned(), json!(true));
    }
    if is_silent(member.state) {
        taints.push(
            json!({"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "timeAdded": ago(changed(member))}),
        );
    }
    if !taints.is_empty() {
        spec.insert("taints".to_owned(), Value::Array(taints));
    }
    Value::Object(spec)
}

fn is_cordoned(state: State) -> bool {
    match state {
        State::Draining | State::Updating | State::Rebooting | State::DrainFailed | State::Drifted => true,
        State::Done | State::Pending | State::NotReady => false,
    }
}

fn is_silent(state: State) -> bool {
    match state {
        State::Rebooting | State::NotReady => true,
        State::Done | State::Pending | State::Draining | State::Updating | State::DrainFailed | State::Drifted => false,
    }
}

/// How many seconds before the recording the node last changed.
fn changed(member: Member) -> u32 {
    let spread = member.seed().under("changed").below(240);
    match member.state {
        State::Rebooting => 60 + spread,
        State::Draining | State::Updating => 300 + spread,
        State::NotReady => 1_500 + spread,
        State::DrainFailed | State::Drifted => HOUR + 600 + spread,
        State::Done => 2 * HOUR + 30 * spread,
        State::Pending => 900 * HOUR + 60 * spread,
    }
}

fn conditions(member: Member) -> Value {
    let heartbeat = 30 + member.seed().under("beat").below(240);
    let changed = changed(member);
    let condition = |kind: &str, status: &str, reason: &str, message: &str| {
        json!({
            // A silent kubelet was last heard of before it fell silent.
            "lastHeartbeatTime": ago(if is_silent(member.state) { changed + 40 } else { heartbeat }),
            "lastTransitionTime": ago(changed),
            "message": message,
            "reason": reason,
            "status": status,
            "type": kind,
        })
    };
    if is_silent(member.state) {
        let silent = |kind| condition(kind, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
        return json!([silent("MemoryPressure"), silent("DiskPressure"), silent("PIDPressure"), silent("Ready")]);
    }
    json!([
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ])
}
