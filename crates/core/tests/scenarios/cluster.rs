//! A cluster of three masters, three workers and eight operators on its way from 4.20.1 to 4.20.2, for tests to bend.
//!
//! Nothing here asserts; `told` reads the report and compares.

use std::sync::Arc;

use headway_api::apps::{Pod, PodDisruptionBudget, PodDisruptionBudgetStatus};
use headway_api::machine_config::{MachineConfigPool, NameRef};
use headway_api::meta::{Condition, ConditionStatus, LabelSelector, Labels, PlatformMark};
use headway_api::node::{Node, Taint};
use headway_api::openshift::{ClusterOperator, ClusterVersion, History, OperandVersion};
use headway_api::report::ClockSource;
use headway_core::snapshot::{AlertsSeen, Moment, Seen, Snapshot};
use jiff::{SignedDuration, Timestamp};

pub(super) use ConditionStatus::{False, True, Unknown};

/// 2026-05-04T12:00:00Z: the moment at which all is judged.
pub(super) const NOW: Timestamp = Timestamp::constant(1_777_896_000, 0);

/// The version before the update.
pub(super) const OLD: &str = "4.20.1";

/// The version that the update goes to.
pub(super) const NEW: &str = "4.20.2";

/// The operators, in the order of the input; the update goes through them in about this order.
pub(super) const OPERATORS: [&str; 8] =
    ["etcd", "kube-apiserver", "authentication", "console", "network", "dns", "image-registry", "machine-config"];

/// So many minutes before [`NOW`].
pub(super) fn ago(minutes: i64) -> Timestamp {
    seconds_ago(minutes * 60)
}

/// So many seconds before [`NOW`].
pub(super) fn seconds_ago(seconds: i64) -> Timestamp {
    NOW.checked_sub(SignedDuration::from_secs(seconds)).unwrap()
}

/// Forty minutes into the update: half of the operators are done, network is on the way, no node has begun.
pub(super) fn updating() -> Snapshot {
    let mut snapshot = Snapshot {
        moment: Moment { at: NOW, source: ClockSource::Recording },
        cluster_version: Some(cluster_version()),
        operators: OPERATORS.iter().map(|name| operator(name)).collect(),
        pools: vec![pool("master"), pool("worker")],
        machine_configs: ["master", "worker"]
            .iter()
            .flat_map(|role| [(config(role, OLD), Some(OLD.into())), (config(role, NEW), Some(NEW.into()))])
            .collect(),
        nodes: ["m-0", "m-1", "m-2", "w-0", "w-1", "w-2"].iter().map(|name| Arc::new(node(name))).collect(),
        alerts: AlertsSeen::Answer(Vec::new()),
        seen: Seen { pools: true, machine_configs: true, nodes: true, pods: true, budgets: true },
        ..Snapshot::default()
    };
    for name in &OPERATORS[..4] {
        at(snapshot.operator(name), NEW);
    }
    set(&mut snapshot.operator("network").status.conditions, condition("Progressing", True, ago(5)));
    snapshot
}

/// All operators but machine-config are done; in each pool one node is done, one drains and one waits.
pub(super) fn rolling() -> Snapshot {
    let mut snapshot = updating();
    for name in &OPERATORS[..7] {
        at(snapshot.operator(name), NEW);
    }
    set(&mut snapshot.operator("network").status.conditions, condition("Progressing", False, ago(20)));
    set(&mut snapshot.operator("machine-config").status.conditions, condition("Progressing", True, ago(10)));
    for (name, step) in [("m-0", Step::New), ("m-1", Step::Draining), ("w-0", Step::New), ("w-1", Step::Draining)] {
        put(snapshot.node(name), step);
    }
    snapshot
}

/// The control plane was done five minutes ago; the workers go on as in [`rolling`].
pub(super) fn workers_rolling() -> Snapshot {
    let mut snapshot = idle();
    put(snapshot.node("w-1"), Step::Draining);
    put(snapshot.node("w-2"), Step::Old);
    snapshot
}

/// All done since five minutes.
pub(super) fn idle() -> Snapshot {
    let mut snapshot = updating();
    for name in OPERATORS {
        at(snapshot.operator(name), NEW);
        set(&mut snapshot.operator(name).status.conditions, condition("Progressing", False, ago(20)));
    }
    for node in &mut snapshot.nodes {
        put(Arc::make_mut(node), Step::New);
    }
    snapshot.ends(ago(5));
    snapshot
}

/// Parts of a snapshot by name; a name that is not there is a mistake of the test.
pub(super) trait Bend {
    fn cv(&mut self) -> &mut ClusterVersion;
    fn operator(&mut self, name: &str) -> &mut ClusterOperator;
    fn node(&mut self, name: &str) -> &mut Node;
    fn pool(&mut self, name: &str) -> &mut MachineConfigPool;
    /// Sets a condition of the ClusterVersion.
    fn cv_says(&mut self, condition: Condition);
    /// Sets a condition of an operator.
    fn operator_says(&mut self, name: &str, condition: Condition);
    /// The ClusterVersion says that its update was over at this moment.
    fn ends(&mut self, at: Timestamp);
}

impl Bend for Snapshot {
    fn cv(&mut self) -> &mut ClusterVersion {
        self.cluster_version.as_mut().unwrap()
    }

    fn operator(&mut self, name: &str) -> &mut ClusterOperator {
        self.operators.iter_mut().find(|operator| operator.metadata.name == name).unwrap()
    }

    fn node(&mut self, name: &str) -> &mut Node {
        Arc::make_mut(self.nodes.iter_mut().find(|node| node.metadata.name == name).unwrap())
    }

    fn pool(&mut self, name: &str) -> &mut MachineConfigPool {
        self.pools.iter_mut().find(|pool| pool.metadata.name == name).unwrap()
    }

    fn cv_says(&mut self, condition: Condition) {
        set(&mut self.cv().status.conditions, condition);
    }

    fn operator_says(&mut self, name: &str, condition: Condition) {
        set(&mut self.operator(name).status.conditions, condition);
    }

    fn ends(&mut self, at: Timestamp) {
        let latest = self.cv().status.history.first_mut().unwrap();
        latest.state = "Completed".into();
        latest.completion_time = Some(at);
        self.cv_says(condition("Progressing", False, at));
    }
}

/// The snapshot, bent.
pub(super) fn bent(mut snapshot: Snapshot, bend: impl FnOnce(&mut Snapshot)) -> Snapshot {
    bend(&mut snapshot);
    snapshot
}

fn cluster_version() -> ClusterVersion {
    let mut cv = ClusterVersion::default();
    cv.metadata.name = "version".into();
    cv.status.desired.version = NEW.into();
    cv.status.desired.image = "image-2".into();
    let month = 30 * 24 * 60;
    cv.status.history = vec![
        entry("Partial", NEW, "image-2", ago(40), None),
        entry("Completed", OLD, "image-1", ago(month), Some(ago(month - 60))),
        entry("Completed", "4.20.0", "image-0", ago(2 * month), Some(ago(2 * month - 45))),
    ];
    cv.status.conditions = vec![condition("Progressing", True, ago(40)), condition("Failing", False, ago(month))];
    cv
}

/// An entry of the ClusterVersion's history.
pub(super) fn entry(state: &str, version: &str, image: &str, start: Timestamp, end: Option<Timestamp>) -> History {
    History {
        state: state.into(),
        version: version.into(),
        image: image.into(),
        started_time: Some(start),
        completion_time: end,
    }
}

/// A healthy operator of the release, at the old version and waiting.
pub(super) fn operator(name: &str) -> ClusterOperator {
    let mut operator = ClusterOperator::default();
    operator.metadata.name = name.into();
    operator.metadata.platform = PlatformMark(true);
    operator.status.conditions = vec![
        condition("Available", True, ago(600)),
        condition("Progressing", False, ago(600)),
        condition("Degraded", False, ago(600)),
    ];
    at(&mut operator, OLD);
    operator
}

/// So many operators, of which the first few are done.
pub(super) fn operators(snapshot: &mut Snapshot, total: usize, done: usize) {
    let known = OPERATORS.iter().map(|name| (*name).to_owned());
    let names = known.chain((OPERATORS.len()..).map(|number| format!("operator-{number}")));
    snapshot.operators = names.take(total).map(|name| operator(&name)).collect();
    for operator in &mut snapshot.operators[..done] {
        at(operator, NEW);
    }
}

/// Sets the version that an operator reports for itself.
pub(super) fn at(operator: &mut ClusterOperator, version: &str) {
    operator.status.versions = vec![OperandVersion { name: "operator".into(), version: version.into() }];
}

/// A condition whose reason is `Reason` and whose message is `What TYPE says.`.
pub(super) fn condition(kind: &str, status: ConditionStatus, since: Timestamp) -> Condition {
    said(kind, status, since, "Reason", &format!("What {kind} says."))
}

/// A condition in full.
pub(super) fn said(kind: &str, status: ConditionStatus, since: Timestamp, reason: &str, message: &str) -> Condition {
    Condition {
        kind: kind.into(),
        status,
        reason: reason.into(),
        message: message.into(),
        last_transition_time: Some(since),
    }
}

/// Puts a condition in the place of that of its type.
pub(super) fn set(conditions: &mut Vec<Condition>, condition: Condition) {
    match conditions.iter_mut().find(|known| known.kind == condition.kind) {
        Some(known) => *known = condition,
        None => conditions.push(condition),
    }
}

/// A pool that goes to [`NEW`] and selects the nodes of its role.
pub(super) fn pool(name: &str) -> MachineConfigPool {
    let mut pool = MachineConfigPool::default();
    pool.metadata.name = name.into();
    pool.spec.configuration = NameRef { name: config(name, NEW) };
    pool.spec.node_selector = Some(LabelSelector { match_labels: role(name), ..LabelSelector::default() });
    pool
}

/// A custom pool that selects the nodes of its role; it shares the workers' configuration.
pub(super) fn custom(name: &str) -> MachineConfigPool {
    let mut pool = pool(name);
    pool.spec.configuration.name = config("worker", NEW);
    pool
}

/// The label of a role.
pub(super) fn role(name: &str) -> Labels {
    roles(&[name])
}

/// The labels of several roles.
pub(super) fn roles(names: &[&str]) -> Labels {
    names.iter().map(|name| (format!("node-role.kubernetes.io/{name}"), "")).collect()
}

/// The rendered configuration of a pool for a version.
pub(super) fn config(pool: &str, version: &str) -> String {
    format!("rendered-{pool}-{version}")
}

/// A healthy node at the old version; a master when its name begins with `m`.
pub(super) fn node(name: &str) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.metadata.labels = role(if name.starts_with('m') { "master" } else { "worker" });
    node.status.conditions = vec![
        condition("MemoryPressure", False, ago(9000)),
        condition("DiskPressure", False, ago(9000)),
        condition("Ready", True, ago(9000)),
    ];
    put(&mut node, Step::Old);
    node
}

/// Where a node is on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for its turn.
    Old,
    /// It is to change, and its daemon has not begun.
    Asked,
    /// It is cordoned and being emptied.
    Draining,
    /// It is empty and being changed.
    Working,
    /// It restarts.
    Rebooting,
    /// It is done.
    New,
    /// Its daemon gave up on the way.
    Degraded,
}

/// Puts a node at a step of its way, with the annotations that it has there.
pub(super) fn put(node: &mut Node, step: Step) {
    let pool = if node.metadata.labels.has("node-role.kubernetes.io/master") { "master" } else { "worker" };
    let (old, new) = (config(pool, OLD), config(pool, NEW));
    let (drain, uncordon) = (format!("drain-{new}"), format!("uncordon-{old}"));
    let notes = &mut node.metadata.annotations;
    let (current, desired, state) = match step {
        Step::Old => (&old, &old, "Done"),
        Step::Asked => (&old, &new, "Done"),
        Step::Draining | Step::Working => (&old, &new, "Working"),
        Step::Rebooting => (&old, &new, "Rebooting"),
        Step::New => (&new, &new, "Done"),
        Step::Degraded => (&old, &new, "Degraded"),
    };
    notes.current_config = Some(current.clone());
    notes.desired_config = Some(desired.clone());
    notes.state = Some(state.into());
    notes.reason = (step == Step::Degraded).then(|| "the disk is full".into());
    let (wanted, applied) = match step {
        Step::Old | Step::New | Step::Asked => (None, None),
        Step::Draining => (Some(drain), Some(uncordon)),
        Step::Working | Step::Rebooting | Step::Degraded => (Some(drain.clone()), Some(drain)),
    };
    notes.desired_drain = wanted;
    notes.last_applied_drain = applied;
    node.spec.unschedulable = matches!(step, Step::Draining | Step::Working | Step::Rebooting);
}

/// A running pod, and a budget over it that allows nothing.
pub(super) fn hold(snapshot: &mut Snapshot, on: &str) {
    let labels: Labels = [("app", "shop")].into_iter().collect();
    let mut pod = Pod::default();
    pod.metadata.name = "shop-0".into();
    pod.metadata.namespace = "shop".into();
    pod.metadata.labels = labels.clone();
    pod.spec.node_name = on.into();
    pod.status.phase = "Running".into();
    pod.status.conditions = vec![condition("Ready", True, ago(600))];
    let mut budget = PodDisruptionBudget::default();
    budget.metadata.name = "all".into();
    budget.metadata.namespace = "shop".into();
    budget.spec.selector = Some(LabelSelector { match_labels: labels, ..LabelSelector::default() });
    budget.status = Some(PodDisruptionBudgetStatus {
        disruptions_allowed: 0,
        current_healthy: 1,
        desired_healthy: 1,
        expected_pods: 1,
    });
    snapshot.pods.push(pod.into());
    snapshot.budgets.push(budget.into());
}

/// Says on the node's taint since when it is cordoned.
pub(super) fn cordoned(node: &mut Node, since: Timestamp) {
    node.spec.unschedulable = true;
    node.spec.taints = vec![Taint { key: "node.kubernetes.io/unschedulable".into(), time_added: Some(since) }];
}
