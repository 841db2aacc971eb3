//! Nodes: version, phase, availability and what to say of each (status-openshift.md, 5; update-status-api.md, 3.4).

use headway_api::machine_config::{MachineConfigNode, MachineConfigPool};
use headway_api::meta::{Condition, ConditionStatus};
use headway_api::node::{Node, NodeAnnotations};
use headway_api::report::{self, Phase, Remaining, Truth, Unit, UnitAssessment};
use jiff::Timestamp;

use super::world::World;

/// A node as the rules see it, with the unit that is told of it.
pub(super) struct NodeView<'a> {
    pub(super) node: &'a Node,
    pub(super) mcn: Option<&'a MachineConfigNode>,
    pub(super) unit: Unit,
    /// Its version and the target are known, and it is not at the target.
    pub(super) outdated: bool,
    /// It is on its way to the target.
    pub(super) updating: bool,
    /// The machine config daemon gave up on it.
    pub(super) degraded: bool,
    /// It is out of service, be it for the update or not.
    pub(super) unavailable: bool,
    /// What is wrong with it, in the order of its conditions.
    pub(super) troubles: Vec<Trouble<'a>>,
    /// Since when it has been asked to drain, where a source says so.
    pub(super) draining_since: Option<Timestamp>,
    /// It has, or is to get, another configuration than the pool's, whatever the versions are.
    pub(super) configuration_pending: bool,
}

impl NodeView<'_> {
    /// Whether the node runs Windows: then it has no machine config daemon, and so no version that anybody could tell
    /// (oc_15_3_3).
    pub(super) fn is_windows(&self) -> bool {
        self.node.metadata.labels.get("kubernetes.io/os") == Some("windows")
    }
}

/// One thing that is wrong with a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble<'a> {
    pub(super) kind: TroubleKind,
    pub(super) message: &'a str,
    pub(super) since: Option<Timestamp>,
}

/// Kinds of trouble of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TroubleKind {
    NotReady,
    DiskPressure,
    NetworkUnavailable,
    Unschedulable,
    DaemonWorking,
    /// The peer's remark about a layered pool's image.
    UnexpectedImage(String),
}

impl TroubleKind {
    /// The peer's word for it.
    pub(super) fn text(&self) -> String {
        match self {
            Self::NotReady => "Not ready".into(),
            Self::DiskPressure => "Disk pressure".into(),
            Self::NetworkUnavailable => "Network unavailable".into(),
            Self::Unschedulable => "Node is marked unschedulable".into(),
            Self::DaemonWorking => "Machine Config Daemon is processing the node".into(),
            Self::UnexpectedImage(image) => format!(
                "Node has an unexpected annotation machineconfiguration.openshift.io/newestImageEquivalentConfig={image}"
            ),
        }
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::NotReady => "NotReady",
            Self::DiskPressure => "DiskPressure",
            Self::NetworkUnavailable => "NetworkUnavailable",
            Self::Unschedulable => "Unschedulable",
            Self::DaemonWorking => "MCDWorking",
            Self::UnexpectedImage(_) => "UnexpectedImage",
        }
    }
}

/// Looks at one node as a member of a pool, or of none.
pub(super) fn view<'a>(world: &World<'a>, node: &'a Node, pool: Option<&'a MachineConfigPool>) -> NodeView<'a> {
    let notes = &node.metadata.annotations;
    let mcn = world.snapshot.machine_config_nodes.get(&node.metadata.name).map(AsRef::as_ref);
    let current = world.version_of(notes.current_config.as_deref());
    let desired = world.version_of(notes.desired_config.as_deref());
    let target = world.node_target();
    let same = text(notes.current_config.as_ref()) == text(notes.desired_config.as_ref());
    let at_pool = pool.is_some_and(|pool| text(notes.desired_config.as_ref()) == pool.spec.configuration.name);

    let at_target = current.is_some() && current == target;
    let must_compare = world.compares_configs() && notes.desired_config.is_some();
    let updated = at_target && (!must_compare || (same && at_pool));
    let updating = !updated && current.is_some() && desired.is_some() && desired == target && !same && at_pool;
    let degraded = !text(notes.desired_config.as_ref()).is_empty()
        && matches!(notes.state.as_deref(), Some("Degraded" | "Unreconcilable"));

    let mut troubles = troubles(node);
    let unavailable = decide_unavailable(world, notes, pool, &mut troubles);
    let phase = phase(world, notes, mcn, pool, updated, updating);
    let (assessment, remaining, message) = judge(node, phase, updated, updating, degraded, unavailable, &troubles);

    let unit = Unit {
        name: node.metadata.name.clone(),
        kind: "Node",
        node: None,
        pool: pool.map(|pool| pool.metadata.name.clone()),
        assessment,
        phase,
        version: current.map(str::to_owned),
        updated,
        since: mcn
            .and_then(|mcn| step_in_progress(mcn).and_then(|(_, condition)| condition.last_transition_time))
            .or_else(|| began(world, &node.metadata.name, phase)),
        remaining,
        available: available(unavailable && !updating, &troubles),
        in_service: !unavailable,
        degraded: degraded_condition(degraded, notes, mcn),
        message,
        current_config: notes.current_config.clone().filter(|config| !config.is_empty()),
        desired_config: notes.desired_config.clone().filter(|config| !config.is_empty()),
        blocked_by: Vec::new(),
    };
    NodeView {
        node,
        mcn,
        unit,
        outdated: !updated && current.is_some() && target.is_some(),
        updating,
        degraded,
        unavailable,
        troubles,
        draining_since: draining_since(node, mcn).or_else(|| began(world, &node.metadata.name, Phase::Draining)),
        configuration_pending: !same || (notes.current_config.is_some() && !at_pool && pool.is_some()),
    }
}

fn text(value: Option<&String>) -> &str {
    value.map_or("", String::as_str)
}

/// What the node's conditions and its cordon say (5.4).
fn troubles(node: &Node) -> Vec<Trouble<'_>> {
    let mut all = Vec::new();
    for condition in &node.status.conditions {
        let (kind, good) = match condition.kind.as_str() {
            "Ready" => (TroubleKind::NotReady, ConditionStatus::True),
            "DiskPressure" => (TroubleKind::DiskPressure, ConditionStatus::False),
            "NetworkUnavailable" => (TroubleKind::NetworkUnavailable, ConditionStatus::False),
            _ => continue,
        };
        if condition.status != good {
            all.push(Trouble { kind, message: &condition.message, since: condition.last_transition_time });
        }
    }
    if node.spec.unschedulable {
        all.push(Trouble { kind: TroubleKind::Unschedulable, message: "", since: None });
    }
    all
}

/// Whether the node is out of service (5.4). May add to the troubles.
fn decide_unavailable(
    world: &World<'_>,
    notes: &NodeAnnotations,
    pool: Option<&MachineConfigPool>,
    troubles: &mut Vec<Trouble<'_>>,
) -> bool {
    if troubles.is_empty() {
        let gave_up = matches!(notes.state.as_deref(), Some("Degraded" | "Unreconcilable"));
        // What the daemon never wrote on, such as nodes of Windows and of hosted clusters, it does not process.
        let is_foreign = !world.as_oc() && !notes.of_daemon();
        if is_done(notes) || gave_up || is_foreign {
            return false;
        }
        troubles.push(Trouble { kind: TroubleKind::DaemonWorking, message: "", since: None });
    }
    if !world.as_oc() {
        // A node that is not ready is out of service whatever image it is to get: oc_15_3_6.
        return true;
    }
    let desired_image = text(notes.desired_image.as_ref());
    match pool.and_then(layered_image) {
        Some(newest) if desired_image == newest => true,
        Some(newest) => {
            let kind = TroubleKind::UnexpectedImage(newest.to_owned());
            troubles.push(Trouble { kind, message: "", since: None });
            false
        }
        None => desired_image.is_empty(),
    }
}

/// The newest image of a layered pool.
fn layered_image(pool: &MachineConfigPool) -> Option<&str> {
    let layered = pool.metadata.labels.has("machineconfiguration.openshift.io/layering-enabled");
    let newest = pool.metadata.annotations.newest_image.as_deref().filter(|image| !image.is_empty());
    newest.filter(|_| layered)
}

/// Whether the machine config daemon has nothing left to do on the node (5.4).
fn is_done(notes: &NodeAnnotations) -> bool {
    let configs = !text(notes.current_config.as_ref()).is_empty()
        && text(notes.current_config.as_ref()) == text(notes.desired_config.as_ref());
    let images = match (&notes.current_image, &notes.desired_image) {
        (None, None) => true,
        (current, desired) => !text(current.as_ref()).is_empty() && text(current.as_ref()) == text(desired.as_ref()),
    };
    configs && images && notes.state.as_deref() == Some("Done")
}

/// Where the node is on the way (5.5).
fn phase(
    world: &World<'_>,
    notes: &NodeAnnotations,
    mcn: Option<&MachineConfigNode>,
    pool: Option<&MachineConfigPool>,
    updated: bool,
    updating: bool,
) -> Phase {
    if updating {
        return phase_on_the_way(world, notes, mcn);
    }
    match pool {
        _ if updated => Phase::Updated,
        Some(pool) if pool.spec.paused => Phase::Paused,
        Some(_) | None => Phase::Pending,
    }
}

fn phase_on_the_way(world: &World<'_>, notes: &NodeAnnotations, mcn: Option<&MachineConfigNode>) -> Phase {
    let state = text(notes.state.as_ref());
    let wanted = text(notes.desired_drain.as_ref());
    let applied = text(notes.last_applied_drain.as_ref());
    let asked = !wanted.is_empty() && !applied.is_empty();
    let drains = wanted.split('-').next() == Some("drain");
    if asked && ((wanted != applied && drains) || state == "Done") {
        return Phase::Draining;
    }
    if !world.as_oc()
        && let Some((phase, _)) = mcn.and_then(step_in_progress)
    {
        return phase;
    }
    match state {
        "Rebooting" => Phase::Rebooting,
        // The daemon has not begun although the node is to change: draining comes first. The peer says Updated, and
        // with that "successfully updated" of nodes that are not: oc_15_3_1.
        "Done" => {
            if world.as_oc() {
                Phase::Updated
            } else {
                Phase::Draining
            }
        }
        _ => Phase::Updating,
    }
}

/// The step that a MachineConfigNode says is in progress: its condition is `Unknown` (update-status-api.md, 3.4).
fn step_in_progress(mcn: &MachineConfigNode) -> Option<(Phase, &Condition)> {
    const STEPS: [(&str, Phase); 7] = [
        ("RebootedNode", Phase::Rebooting),
        ("AppliedOSImage", Phase::Updating),
        ("AppliedFiles", Phase::Updating),
        ("AppliedFilesAndOS", Phase::Updating),
        ("ImagePulledFromRegistry", Phase::Updating),
        ("Drained", Phase::Draining),
        ("Cordoned", Phase::Draining),
    ];
    STEPS.iter().find_map(|(kind, phase)| {
        let condition = mcn.status.conditions.iter().find(|condition| condition.kind == *kind)?;
        (condition.status == ConditionStatus::Unknown).then_some((*phase, condition))
    })
}

/// Since when the node has been draining: the MachineConfigNode's step, else the cordon's taint.
fn draining_since(node: &Node, mcn: Option<&MachineConfigNode>) -> Option<Timestamp> {
    let step = mcn.and_then(step_in_progress).filter(|(phase, _)| *phase == Phase::Draining);
    step.and_then(|(_, condition)| condition.last_transition_time).or_else(|| {
        let cordon = node.spec.taints.iter().find(|taint| taint.key == "node.kubernetes.io/unschedulable");
        cordon.and_then(|taint| taint.time_added)
    })
}

/// When a node was seen to enter its phase: now, where it was in another one at the last look.
fn began(world: &World<'_>, node: &str, phase: Phase) -> Option<Timestamp> {
    let memory = world.memory();
    match memory.nodes.get(node) {
        Some(known) if known.phase == phase => known.since,
        Some(_) => Some(world.now),
        None => memory.nodes_at.map(|_| world.now),
    }
}

/// Assessment, what is left, and the message of a node (5.6).
fn judge(
    node: &Node,
    phase: Phase,
    updated: bool,
    updating: bool,
    degraded: bool,
    unavailable: bool,
    troubles: &[Trouble<'_>],
) -> (UnitAssessment, Remaining, String) {
    let left = if updated { Remaining::Nothing } else { Remaining::Unknown };
    let (assessment, remaining, message) = if degraded {
        let reason = text(node.metadata.annotations.reason.as_ref());
        (UnitAssessment::Degraded, left, reason.to_owned())
    } else if unavailable && !updating {
        (UnitAssessment::Unavailable, left, join(troubles.iter().map(|trouble| trouble.kind.text())))
    } else {
        let (assessment, remaining) = match phase {
            Phase::Paused => (UnitAssessment::Excluded, Remaining::Nothing),
            Phase::Pending | Phase::Unknown => (UnitAssessment::Outdated, Remaining::Unknown),
            Phase::Draining => (UnitAssessment::Progressing, Remaining::Minutes(10)),
            Phase::Updating | Phase::Rebooting => (UnitAssessment::Progressing, Remaining::Minutes(5)),
            Phase::Provisioning | Phase::Deleting => (UnitAssessment::Progressing, Remaining::Unknown),
            Phase::Updated => (UnitAssessment::Completed, Remaining::Nothing),
        };
        (assessment, remaining, String::new())
    };
    (assessment, remaining, without_name(&message, &node.metadata.name))
}

/// Texts joined as the peer joins them.
pub(super) fn join(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" | ")
}

/// The message with the node's own name, which stands in the same row, cut short. Short names are left: they occur in
/// words.
pub(super) fn without_name(message: &str, name: &str) -> String {
    if name.len() >= 8 { message.replace(name, "<node>") } else { message.to_owned() }
}

fn available(out_of_service: bool, troubles: &[Trouble<'_>]) -> report::Condition {
    if !out_of_service {
        return condition(Truth::True, "AsExpected", String::new(), None);
    }
    let reason = match troubles {
        [only] => only.kind.reason(),
        _ => "Multiple",
    };
    let since = troubles.iter().filter_map(|trouble| trouble.since).min();
    condition(Truth::False, reason, join(troubles.iter().map(|trouble| trouble.kind.text())), since)
}

fn degraded_condition(degraded: bool, notes: &NodeAnnotations, mcn: Option<&MachineConfigNode>) -> report::Condition {
    if !degraded {
        return condition(Truth::False, "AsExpected", String::new(), None);
    }
    let reason = text(notes.state.as_ref()).to_owned();
    let since = mcn.and_then(node_degraded).and_then(|found| found.last_transition_time);
    condition(Truth::True, &reason, text(notes.reason.as_ref()).to_owned(), since)
}

/// The condition of a MachineConfigNode that says that the node is degraded.
pub(super) fn node_degraded(mcn: &MachineConfigNode) -> Option<&Condition> {
    let conditions = &mcn.status.conditions;
    conditions.iter().find(|condition| condition.kind == "NodeDegraded" && condition.status == ConditionStatus::True)
}

/// A condition of ours.
pub(super) fn condition(status: Truth, reason: &str, message: String, since: Option<Timestamp>) -> report::Condition {
    report::Condition { status, reason: reason.to_owned(), message, since }
}
