//! The components of a control plane, over all of its machines (update-status-api.md, 6.3).

use headway_api::meta::ConditionStatus;
use headway_api::report::{Component, Condition, Truth};

use super::World;
use super::pool::PoolView;
use crate::assess::said;

/// The components of a kubeadm control plane, each with the conditions of its machines that speak of it.
const COMPONENTS: [(&str, &[&str]); 4] = [
    ("etcd", &["EtcdPodHealthy", "EtcdMemberHealthy"]),
    ("kube-apiserver", &["APIServerPodHealthy"]),
    ("kube-controller-manager", &["ControllerManagerPodHealthy"]),
    ("kube-scheduler", &["SchedulerPodHealthy"]),
];

/// The components that the machines of the control plane tell of; none where no machine does.
pub(super) fn tell(world: &World<'_>, pools: &[PoolView<'_>]) -> Vec<Component> {
    let Some(pool) = pools.iter().find(|pool| pool.is_control_plane()) else { return Vec::new() };
    let updating = &pool.told.updating;
    let told = COMPONENTS.into_iter().filter_map(|(name, kinds)| {
        let healthy = healthy(world, kinds)?;
        let updating = Condition { message: String::new(), ..updating.clone() };
        Some(Component {
            name: name.into(),
            version: None,
            updating,
            progressing_reason: String::new(),
            healthy,
            // It runs on machines, and none of the management cluster's objects tells of it alone.
            resource: None,
        })
    });
    told.collect()
}

fn healthy(world: &World<'_>, kinds: &[&str]) -> Option<Condition> {
    // Of a machine that is still being made nothing is known yet, and that is no fault of the others.
    let machines = world.scene.control_plane_machines.iter().filter(|machine| machine.status.node_ref.is_some());
    let told = machines.flat_map(|machine| {
        kinds.iter().filter_map(|kind| Some((machine.metadata.name.as_str(), machine.status.condition(kind)?)))
    });
    let told: Vec<_> = told.collect();
    if told.is_empty() {
        return None;
    }
    let of = |status: ConditionStatus| told.iter().find(|(_, condition)| condition.status == status);
    let (status, named) = match (of(ConditionStatus::False), of(ConditionStatus::Unknown)) {
        (Some(named), _) => (Truth::False, Some(named)),
        (None, Some(named)) => (Truth::Unknown, Some(named)),
        (None, None) => (Truth::True, None),
    };
    Some(Condition {
        status,
        reason: named.map_or("AsExpected", |(_, condition)| condition.kind.as_str()).into(),
        message: named.map(|(name, condition)| format!("machine {name}: {}", said(condition))).unwrap_or_default(),
        since: named.and_then(|(_, condition)| condition.last_transition_time),
    })
}
