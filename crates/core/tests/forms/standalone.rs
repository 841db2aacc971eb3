//! A standalone cluster to which something happens: the one that the scenarios of its own bend.

use std::sync::Arc;

use headway_api::node::Node;
use headway_api::openshift::{DesiredUpdate, OperandVersion};
use headway_api::prometheus::Alert;
use headway_api::report::Report;
use headway_core::assess::{Rules, assess};
use headway_core::snapshot::{AlertsSeen, Snapshot};
use jiff::SignedDuration;

use self::cluster::{
    Bend, False, NEW, OLD, True, Unknown, ago, at, bent, condition, config, cordoned, custom, hold, idle, node,
    operator, operators, put, roles, said, seconds_ago, set, updating,
};
use super::world::{Ailment, Group, Ill, Paused, Start, Step, World};

#[expect(dead_code, reason = "the scenarios of this form use all of it")]
#[path = "../scenarios/cluster.rs"]
mod cluster;

/// The cluster as it is now.
pub(super) struct Cluster {
    snapshot: Snapshot,
    lacks: Vec<&'static str>,
}

impl Cluster {
    pub(super) fn new() -> Self {
        Self { snapshot: idle(), lacks: Vec::new() }
    }

    fn node(&mut self, at: usize) -> &mut Node {
        self.snapshot.node(&format!("w-{at}"))
    }

    /// The operators that a story picks: those that are not done, the last but machine-config first.
    fn picked(&self, count: usize) -> Vec<String> {
        let names = self.snapshot.operators.iter().map(|it| it.metadata.name.clone());
        let names: Vec<String> = names.filter(|name| name != "machine-config").collect();
        names.into_iter().rev().take(count).collect()
    }
}

fn step(step: Step) -> cluster::Step {
    match step {
        Step::Old => cluster::Step::Old,
        Step::Asked => cluster::Step::Asked,
        Step::Draining | Step::FailedToDrain => cluster::Step::Draining,
        Step::Emptied | Step::Changing => cluster::Step::Working,
        Step::Rebooting => cluster::Step::Rebooting,
        Step::New => cluster::Step::New,
        Step::Failed => cluster::Step::Degraded,
    }
}

impl World for Cluster {
    fn versions(&self) -> (&'static str, &'static str) {
        (OLD, NEW)
    }

    fn pool(&self, group: Group) -> &'static str {
        match group {
            Group::ControlPlane => "master",
            Group::Workers => "worker",
            Group::Others => "infra",
        }
    }

    fn report(&self) -> Report {
        assess(&self.snapshot, Rules::Headway)
    }

    fn lack(&mut self, what: &'static str) {
        self.lacks.push(what);
    }

    fn lacks(&self) -> &[&'static str] {
        &self.lacks
    }

    fn start(&mut self, start: Start) {
        self.snapshot = match start {
            Start::AtRest => idle(),
            Start::Begun => updating(),
            Start::Workers => idle(),
            Start::Installing => bent(updating(), |s| {
                s.cv().status.history.truncate(1);
                s.pools.clear();
                s.nodes.clear();
                s.machine_configs.clear();
            }),
        };
        if start == Start::Workers {
            self.nodes(Group::Workers, &[Step::New, Step::Draining, Step::Old]);
        }
    }

    fn nodes(&mut self, group: Group, steps: &[Step]) {
        let (prefix, labels) = match group {
            Group::ControlPlane => ("m", vec!["master"]),
            Group::Workers => ("w", vec!["worker"]),
            Group::Others => ("i", vec!["worker", "infra"]),
        };
        let start = format!("{prefix}-");
        self.snapshot.nodes.retain(|node| !node.metadata.name.starts_with(&start));
        if group == Group::Others && !self.snapshot.pools.iter().any(|pool| pool.metadata.name == "infra") {
            self.snapshot.pools.push(custom("infra"));
        }
        for (number, of) in steps.iter().enumerate() {
            let width = if steps.len() > 10 { 4 } else { 1 };
            let mut made = node(&format!("{prefix}-{number:0width$}"));
            made.metadata.labels = roles(&labels);
            put(&mut made, step(*of));
            if *of == Step::Draining || *of == Step::FailedToDrain {
                cordoned(&mut made, ago(5));
            }
            if *of == Step::FailedToDrain {
                made.metadata.annotations.state = Some("Degraded".into());
                made.metadata.annotations.reason =
                    Some(format!("failed to drain node: {prefix}-{number:0width$} after 1 hour"));
            }
            self.snapshot.nodes.push(Arc::new(made));
        }
    }

    fn pause(&mut self, group: Group, paused: Paused) {
        let name = self.pool(group);
        self.snapshot.pool(name).spec.paused = paused == Paused::Yes;
    }

    fn clock(&mut self, seconds: i64) {
        self.snapshot.moment.at += SignedDuration::from_secs(seconds);
    }

    fn node_is(&mut self, at: usize, ailment: Ailment, seconds: i64) {
        let said = match ailment {
            Ailment::NotReady => condition("Ready", False, seconds_ago(seconds)),
            Ailment::DiskPressure => condition("DiskPressure", True, seconds_ago(seconds)),
        };
        set(&mut self.node(at).status.conditions, said);
    }

    fn node_goes(&mut self, at: usize) {
        let name = format!("w-{at}");
        self.snapshot.nodes.retain(|node| node.metadata.name != name);
    }

    fn node_comes(&mut self) {
        let mut new = node("w-9");
        put(&mut new, cluster::Step::New);
        self.snapshot.nodes.push(Arc::new(new));
    }

    fn node_tells_nothing(&mut self, at: usize) {
        self.node(at).metadata.annotations = Default::default();
    }

    fn node_without_a_wish(&mut self, at: usize) {
        put(self.node(at), cluster::Step::New);
        self.node(at).metadata.annotations.desired_config = None;
    }

    fn node_fails_for(&mut self, group: Group, at: usize, reason: &str) {
        let name = if group == Group::ControlPlane { format!("m-{at}") } else { format!("w-{at}") };
        put(self.snapshot.node(&name), cluster::Step::Degraded);
        self.snapshot.node(&name).metadata.annotations.reason = Some(reason.into());
    }

    fn budget_holds(&mut self, at: usize, minutes: i64) {
        if self.snapshot.pods.is_empty() {
            hold(&mut self.snapshot, &format!("w-{at}"));
        }
        cordoned(self.node(at), ago(minutes));
    }

    fn configuration_changes(&mut self) {
        let tuned = "rendered-worker-tuned";
        self.snapshot.machine_configs.insert(tuned.into(), Some(NEW.into()));
        self.snapshot.pool("worker").spec.configuration.name = tuned.into();
        for number in 0..3 {
            let notes = &mut self.node(number).metadata.annotations;
            notes.current_config = Some(tuned.into());
            notes.desired_config = notes.current_config.clone();
        }
        self.node(1).metadata.annotations.current_config = Some(config("worker", NEW));
    }

    fn only_the_cluster_is_seen(&mut self) {
        self.snapshot.operators.clear();
    }

    fn no_version_is_told(&mut self) {
        self.snapshot.cv().status.history.clear();
    }

    fn parts_are(&mut self, ill: Ill, count: usize, seconds: i64) {
        let since = seconds_ago(seconds);
        for name in self.picked(count) {
            let said = match ill {
                Ill::Degraded => condition("Degraded", True, since),
                Ill::Unavailable => condition("Available", False, since),
                Ill::Slow | Ill::Nameless | Ill::Busy => condition("Progressing", True, since),
                Ill::Silent => condition("Available", Unknown, since),
            };
            self.snapshot.operator_says(&name, said);
            match ill {
                Ill::Silent => {
                    self.snapshot.operator(&name).status.conditions.retain(|it| it.kind != "Available");
                }
                Ill::Nameless => self.snapshot.operator(&name).status.versions.clear(),
                Ill::Busy => at(self.snapshot.operator(&name), NEW),
                Ill::Degraded | Ill::Unavailable | Ill::Slow => {}
            }
        }
    }

    fn parts(&mut self, total: usize, done: usize) {
        operators(&mut self.snapshot, total, done);
    }

    fn began(&mut self, seconds: i64) {
        self.snapshot.cv().status.history[0].started_time = Some(seconds_ago(seconds));
    }

    fn last_change(&mut self, seconds: i64) {
        let names: Vec<String> = self.snapshot.operators.iter().map(|it| it.metadata.name.clone()).collect();
        for name in names {
            let status = if name == "machine-config" { True } else { False };
            self.snapshot.operator_says(&name, condition("Progressing", status, seconds_ago(seconds)));
        }
    }

    fn part_goes(&mut self) {
        let name = self.picked(1).remove(0);
        self.snapshot.operators.retain(|operator| operator.metadata.name != name);
    }

    fn foreign_operator(&mut self) {
        let mut foreign = operator("a-foreign-one");
        foreign.metadata.platform.0 = false;
        self.snapshot.operators.push(foreign);
        self.snapshot.operator_says("a-foreign-one", condition("Degraded", True, ago(600)));
    }

    fn previous_is_partial(&mut self) {
        self.snapshot.cv().status.history[1].state = "Partial".into();
    }

    fn fails(&mut self, seconds: i64) {
        let said = said("Failing", True, seconds_ago(seconds), "Broken", "it does not work");
        self.snapshot.cv_says(said);
    }

    fn may_fail(&mut self) {
        self.snapshot.cv_says(condition("Failing", Unknown, ago(1)));
    }

    fn says_nothing_of_failing(&mut self) {
        self.snapshot.cv().status.conditions.retain(|it| it.kind != "Failing");
    }

    fn says_nothing_of_progress(&mut self) {
        self.snapshot.cv().status.conditions.retain(|it| it.kind != "Progressing");
    }

    fn contradicts_itself(&mut self) {
        self.snapshot.cv_says(condition("Progressing", True, ago(40)));
    }

    fn goes_multi(&mut self) {
        let snapshot = &mut self.snapshot;
        snapshot.cv().status.history[1].version = NEW.into();
        snapshot.cv().status.desired.architecture = "Multi".into();
        for version in snapshot.machine_configs.values_mut() {
            *version = Some(NEW.into());
        }
        let names: Vec<String> = snapshot.operators.iter().map(|it| it.metadata.name.clone()).collect();
        for name in names {
            at(snapshot.operator(&name), NEW);
        }
        snapshot.mco_image = Some("mco-2".into());
        let image = OperandVersion { name: "operator-image".into(), version: "mco-1".into() };
        snapshot.operator("machine-config").status.versions.push(image);
        snapshot.operator_says("machine-config", condition("Progressing", True, ago(5)));
    }

    fn was_multi(&mut self) {
        self.goes_multi();
        let machine_config = self.snapshot.operator("machine-config");
        machine_config.status.versions.retain(|version| version.name != "operator-image");
        let image = OperandVersion { name: "operator-image".into(), version: "mco-2".into() };
        machine_config.status.versions.push(image);
        self.snapshot.operator_says("machine-config", condition("Progressing", False, ago(6)));
    }

    fn cordon(&mut self, at: usize) {
        self.node(at).spec.unschedulable = true;
    }

    fn configuration_is_gone(&mut self, at: usize) {
        put(self.node(at), cluster::Step::Draining);
        self.node(at).metadata.annotations.current_config = Some("rendered-worker-gone".into());
    }

    fn pool_is_invalid(&mut self) {
        set(&mut self.snapshot.pool("worker").status.conditions, condition("RenderDegraded", True, ago(3)));
    }

    fn spokesman_complains(&mut self) {
        let said = said("Degraded", True, ago(6), "RequiredPoolsFailed", "6 nodes are degraded");
        self.snapshot.operator_says("machine-config", said);
    }

    fn alerts_fire(&mut self) {
        let alert = |name: &str, severity: &str, minutes: i64| {
            let labels = [("alertname", name), ("namespace", "shop"), ("severity", severity)];
            Alert {
                labels: labels.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
                state: "firing".into(),
                active_at: Some(ago(minutes)),
                ..Alert::default()
            }
        };
        let pending = Alert { state: "pending".into(), ..alert("Pending", "critical", 3) };
        let counts = alert("PodDisruptionBudgetAtLimit", "warning", 24 * 60);
        let all = vec![counts, alert("Old", "warning", 24 * 60), alert("Info", "info", 3), pending];
        self.snapshot.alerts = AlertsSeen::Answer(all);
    }

    fn two_pools_choose(&mut self, at: usize) {
        self.snapshot.pools.extend(["zeta", "infra"].map(custom));
        self.node(at).metadata.labels = roles(&["zeta", "infra", "worker"]);
    }

    fn another_version_is_asked_for(&mut self) {
        let asked = DesiredUpdate { version: "4.20.3".into(), ..DesiredUpdate::default() };
        self.snapshot.cv().spec.desired_update = Some(asked);
    }

    fn in_place_fails(&mut self, at: usize) {
        put(self.node(at), cluster::Step::Degraded);
    }

    fn is_forced(&mut self) {
        self.snapshot.cv().metadata.annotations.force_insight = Some("please".into());
    }
}
