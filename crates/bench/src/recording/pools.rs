//! The machine config pools: their counts follow from the fleet, and so does the long list of degraded nodes.

use serde_json::{Map, Value, json};

use super::fleet::{Census, Fleet, Release, Role, State};
use super::machine_configs;
use super::moment::{HOUR, ago};
use super::seed::Seed;

/// The states in which the machine-config daemon calls a node degraded.
const DEGRADED: [State; 2] = [State::DrainFailed, State::Drifted];

/// The pool of a role.
pub(crate) fn pool(fleet: Fleet, role: Role) -> Value {
    let sources: Vec<_> = machine_configs::sources(role)
        .map(
            |name| json!({"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "MachineConfig", "name": name}),
        )
        .collect();
    let seed = Seed::of("pool").under(role.name());
    json!({
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfigPool",
        "metadata": {
            "creationTimestamp": ago(9_100 * HOUR),
            "generation": 412,
            "labels": labels(role),
            "name": role.name(),
            "resourceVersion": seed.resource_version(),
            "uid": seed.uuid(),
        },
        "spec": {
            "configuration": {"name": role.rendered(Release::Target), "source": sources},
            "machineConfigSelector": machine_config_selector(role),
            "maxUnavailable": if role == Role::Master { json!(1) } else { json!("10%") },
            "nodeSelector": {"matchLabels": {(format!("node-role.kubernetes.io/{}", role.name())): ""}},
            "paused": false,
        },
        "status": status(fleet, role),
    })
}

fn machine_config_selector(role: Role) -> Value {
    const ROLE: &str = "machineconfiguration.openshift.io/role";
    match role {
        Role::Infra => {
            json!({"matchExpressions": [{"key": ROLE, "operator": "In", "values": ["worker", "infra"]}]})
        }
        Role::Master | Role::Worker => json!({"matchLabels": {ROLE: role.name()}}),
    }
}

fn labels(role: Role) -> Map<String, Value> {
    let own = format!("pools.operator.machineconfiguration.openshift.io/{}", role.name());
    let mut labels = Map::from_iter([(own, json!(""))]);
    match role {
        Role::Master | Role::Worker => {
            labels.insert("machineconfiguration.openshift.io/mco-built-in".to_owned(), json!(""));
        }
        Role::Infra => {}
    }
    labels
}

fn status(fleet: Fleet, role: Role) -> Value {
    let census = fleet.census(role);
    let all = census.all();
    let updated = census.count(&[State::Done]);
    let degraded = census.count(&DEGRADED);
    let away = census.count(&[State::Draining, State::Updating, State::Rebooting, State::NotReady]) + degraded;
    let running = if updated == all { Release::Target } else { Release::Before };
    json!({
        "conditions": conditions(fleet, role, &census),
        "configuration": {"name": role.rendered(running)},
        "degradedMachineCount": degraded,
        "machineCount": all,
        "observedGeneration": 412,
        "readyMachineCount": updated,
        "unavailableMachineCount": away,
        "updatedMachineCount": updated,
    })
}

/// A pool is done when all its machines are; its conditions name each machine that is degraded.
fn conditions(fleet: Fleet, role: Role, census: &Census) -> Value {
    let target = role.rendered(Release::Target);
    let condition = |kind: &str, status: &str, reason: &str, message: &str, seconds: u32| json!({"lastTransitionTime": ago(seconds), "message": message, "reason": reason, "status": status, "type": kind});
    let rendering = condition("RenderDegraded", "False", "", "", 4 * HOUR);
    let [updated, updating] = if census.count(&[State::Done]) == census.all() {
        let message = format!("All nodes are updated with MachineConfig {target}");
        [condition("Updated", "True", "", &message, 3 * HOUR), condition("Updating", "False", "", "", 3 * HOUR)]
    } else {
        let message = format!("All nodes are updating to MachineConfig {target}");
        [condition("Updated", "False", "", "", 3 * HOUR), condition("Updating", "True", "", &message, 3 * HOUR)]
    };
    let [nodes, pool] = match census.count(&DEGRADED) {
        0 => ["NodeDegraded", "Degraded"].map(|kind| condition(kind, "False", "", "", HOUR)),
        count => {
            let reason = format!("{count} nodes are reporting degraded status on sync");
            [
                condition("NodeDegraded", "True", &reason, &complaints(fleet, role), HOUR),
                condition("Degraded", "True", "", "", HOUR),
            ]
        }
    };
    json!([rendering, updated, updating, nodes, pool])
}

/// One sentence for each degraded node, all in one line, as the operator writes it.
fn complaints(fleet: Fleet, role: Role) -> String {
    let degraded = fleet.members().filter(|member| member.role == role && DEGRADED.contains(&member.state));
    let complaints: Vec<_> =
        degraded.map(|member| format!("Node {} is reporting: \"its update cannot go on\"", member.name())).collect();
    complaints.join(", ")
}
