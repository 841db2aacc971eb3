//! A cluster of Cluster API to which something happens. The parts of its control plane are its machines, and its nodes
//! are replaced, unless the story speaks of changes in place.

use std::sync::Arc;

use headway_api::report::Report;
use headway_core::assess::cluster_api;
use headway_core::preview::{Inventory, Moment, Workload};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use self::machines::{NOW, ago, coming, condition, control_plane_done, going, machine, old, settled, three, with};
use self::world::{inventory, reconciled, workers};
use super::world::{Ailment, Group, Ill, Paused, Start, Step, World};

#[expect(dead_code, reason = "the scenarios of this form use all of it")]
#[path = "../preview/machines.rs"]
mod machines;
#[expect(dead_code, reason = "the scenarios of this form use all of it")]
#[path = "../preview/world.rs"]
mod world;

const OLD: &str = "v1.31.0";
const NEW: &str = "v1.32.0";

/// The cluster as it is now.
pub(super) struct Cluster {
    /// What differs from the cluster of `world`, the machines and groups aside.
    changes: Vec<(&'static str, Value)>,
    /// The machines of the control plane.
    control_plane: Vec<Value>,
    /// The groups of workers, each with its machines.
    groups: Vec<(Value, Vec<Value>)>,
    /// What was seen through the API of the cluster itself.
    workload: Option<Workload>,
    seconds: i64,
    neighbour: bool,
    sees_all: bool,
    lacks: Vec<&'static str>,
}

fn seconds_ago(seconds: i64) -> Value {
    let now: Timestamp = NOW.parse().unwrap();
    (now - SignedDuration::from_secs(seconds)).to_string().into()
}

/// A condition since some seconds.
fn since(kind: &str, status: &str, reason: &str, seconds: i64) -> Value {
    json!({"type": kind, "status": status, "reason": reason, "message": "it does not work",
        "lastTransitionTime": seconds_ago(seconds)})
}

/// Puts a condition in the place of that of its type.
fn says(object: &mut Value, condition: Value) {
    let conditions = object["status"]["conditions"].as_array_mut().unwrap();
    conditions.retain(|known| known["type"] != condition["type"]);
    conditions.push(condition);
}

impl Cluster {
    pub(super) fn new() -> Self {
        let mut made = Self {
            changes: Vec::new(),
            control_plane: Vec::new(),
            groups: Vec::new(),
            workload: None,
            seconds: 0,
            neighbour: false,
            sees_all: true,
            lacks: Vec::new(),
        };
        made.start(Start::AtRest);
        made
    }

    /// The machines of a group, and whether they are those of the control plane.
    fn machines_of(&mut self, group: Group) -> &mut Vec<Value> {
        let name = self.pool(group);
        match group {
            Group::ControlPlane => &mut self.control_plane,
            Group::Workers | Group::Others => {
                &mut self.groups.iter_mut().find(|(of, _)| of["metadata"]["name"] == name).unwrap().1
            }
        }
    }

    fn group(&mut self) -> &mut Value {
        &mut self.groups[0].0
    }

    fn node(&mut self, at: usize) -> &mut Value {
        let name = format!("a-{at}");
        self.machines_of(Group::Workers).iter_mut().find(|it| it["metadata"]["name"] == name.as_str()).unwrap()
    }

    /// The control plane itself says this.
    fn control_plane_says(&mut self, condition: Value) {
        let place = "/controlPlanes/0/status";
        let status = match self.changes.iter().rev().find(|(known, _)| *known == place) {
            Some((_, status)) => status.clone(),
            None => json!({"version": OLD}),
        };
        let mut status = json!({ "status": status });
        if status["status"]["conditions"].is_null() {
            status["status"]["conditions"] = json!([]);
        }
        says(&mut status, condition);
        self.changes.push((place, status["status"].take()));
    }

    /// The control plane goes to the new version.
    fn goes(&mut self) {
        self.changes = vec![
            ("/controlPlanes/0/spec/version", json!(NEW)),
            ("/clusters/0/metadata/annotations/topology.internal.cluster.x-k8s.io~1upgrade-step", json!(NEW)),
            ("/clusters/0/status/conditions", reconciled("ClusterUpgrading", "Cluster is upgrading to v1.32.0")),
        ];
    }

    fn inventory(&self) -> Inventory {
        let machines = self.control_plane.iter().chain(self.groups.iter().flat_map(|(_, machines)| machines));
        let entries: Vec<Value> = self
            .groups
            .iter()
            .map(|(group, _)| {
                json!({"name": group["metadata"]["name"], "metadata": {"annotations": group["entryAnnotations"]}})
            })
            .collect();
        let mut changes = self.changes.clone();
        changes.push(("/machines", machines.cloned().collect()));
        changes.push(("/machineDeployments", self.groups.iter().map(|(group, _)| group.clone()).collect()));
        changes.push(("/clusters/0/spec/topology/workers/machineDeployments", Value::Array(entries)));
        let mut seen = inventory(&changes);
        let now: Timestamp = NOW.parse().unwrap();
        let at = now.checked_add(SignedDuration::from_secs(self.seconds)).unwrap();
        seen.moment = Moment { at, ..Moment::default() };
        if let Some(workload) = &self.workload {
            seen.workloads.insert(("bay".into(), "gull".into()), workload.clone());
        }
        if !self.sees_all {
            let only = Inventory { moment: seen.moment, clusters: seen.clusters, ..Inventory::default() };
            return only;
        }
        seen
    }
}

/// A machine at a step of its way.
fn at_step(name: &str, of: &str, step: Step) -> Value {
    match step {
        Step::Old => old(name, of),
        Step::New => machine(name, of, NEW),
        Step::Draining => going(name, of, "DrainingNode", 5),
        Step::Emptied => going(name, of, "WaitingForInfrastructureDeletion", 5),
        Step::Asked => {
            let asked = condition("UpToDate", false, "Updating", 1);
            let mut asked_for = with(old(name, of), &[("/spec/version", json!(NEW))]);
            says(&mut asked_for, asked);
            asked_for
        }
        Step::Changing | Step::Rebooting => {
            let mut changing = with(old(name, of), &[("/spec/version", json!(NEW))]);
            says(&mut changing, condition("Updating", true, "InPlaceUpdating", 3));
            changing
        }
        Step::Failed => {
            let mut failed = old(name, of);
            says(&mut failed, since("HealthCheckSucceeded", "False", "UnhealthyNode", 600));
            failed
        }
        Step::FailedToDrain => {
            let mut failed = going(name, of, "DrainingNode", 5);
            says(&mut failed, since("HealthCheckSucceeded", "False", "UnhealthyNode", 600));
            failed
        }
    }
}

impl World for Cluster {
    fn versions(&self) -> (&'static str, &'static str) {
        (OLD, NEW)
    }

    fn pool(&self, group: Group) -> &'static str {
        match group {
            Group::ControlPlane => "cp",
            Group::Workers => "a",
            Group::Others => "b",
        }
    }

    fn report(&self) -> Report {
        let mut seen = self.inventory();
        if self.neighbour {
            let mut other = Self::new();
            other.start(Start::Begun);
            let other = other.inventory();
            let mut cluster = other.clusters[0].clone();
            cluster.metadata.name = "tern".into();
            cluster.spec.control_plane_ref.as_mut().unwrap().name = "cp-tern".into();
            seen.clusters.push(cluster);
            seen.control_planes.extend(other.control_planes.into_iter().map(|mut it| {
                it.metadata.name = "cp-tern".into();
                it
            }));
            seen.machines.extend(other.machines.into_iter().map(|mut it| {
                it.spec.cluster_name = "tern".into();
                it.metadata.name = format!("tern-{}", it.metadata.name);
                it
            }));
            seen.machine_deployments.extend(other.machine_deployments.into_iter().map(|mut it| {
                it.spec.cluster_name = "tern".into();
                it.metadata.name = format!("tern-{}", it.metadata.name);
                it
            }));
        }
        cluster_api::report(&seen, &seen.clusters[0])
    }

    fn lack(&mut self, what: &'static str) {
        self.lacks.push(what);
    }

    fn lacks(&self) -> &[&'static str] {
        &self.lacks
    }

    fn start(&mut self, start: Start) {
        self.groups = vec![(workers("a", NEW), Vec::new())];
        self.control_plane = three("cp", NEW);
        (self.workload, self.seconds) = (None, 0);
        match start {
            Start::AtRest => {
                self.changes = settled();
                self.nodes(Group::Workers, &[Step::New; 3]);
            }
            Start::Workers => {
                self.changes = control_plane_done(Value::Null);
                self.nodes(Group::Workers, &[Step::New, Step::Draining, Step::Old]);
            }
            Start::Begun => {
                self.goes();
                self.groups[0].0 = workers("a", OLD);
                self.nodes(Group::Workers, &[Step::Old; 3]);
                self.nodes(Group::ControlPlane, &[Step::New, Step::Draining, Step::Old]);
            }
            Start::Installing => {
                self.changes = vec![
                    ("/controlPlanes/0/spec/version", json!(NEW)),
                    ("/controlPlanes/0/status", json!({})),
                    ("/clusters/0/status/conditions", json!([])),
                ];
                self.groups.clear();
                self.control_plane = vec![coming("cp-0", "cp", 3)];
            }
        }
    }

    fn nodes(&mut self, group: Group, steps: &[Step]) {
        let name = self.pool(group);
        let width = if steps.len() > 10 { 4 } else { 1 };
        let machine = |(number, step): (usize, &Step)| at_step(&format!("{name}-{number:0width$}"), name, *step);
        let machines: Vec<Value> = steps.iter().enumerate().map(machine).collect();
        if group == Group::ControlPlane {
            self.control_plane = machines;
            self.changes.push(("/controlPlanes/0/spec/replicas", steps.len().into()));
            return;
        }
        let version = match self.groups.first() {
            Some((group, _)) => group["spec"]["template"]["spec"]["version"].as_str().unwrap().to_owned(),
            None => NEW.to_owned(),
        };
        let mut made = workers(name, &version);
        made["spec"]["replicas"] = steps.len().into();
        made["status"] = json!({"conditions": []});
        self.groups.retain(|(group, _)| group["metadata"]["name"] != name);
        self.groups.push((made, machines));
        self.groups.sort_by_key(|(group, _)| group["metadata"]["name"].as_str().unwrap().to_owned());
    }

    fn pause(&mut self, group: Group, paused: Paused) {
        assert_eq!(group, Group::Workers);
        self.group()["spec"]["paused"] = (paused == Paused::Yes).into();
    }

    fn clock(&mut self, seconds: i64) {
        self.seconds += seconds;
    }

    fn node_is(&mut self, at: usize, ailment: Ailment, seconds: i64) {
        // What of a node is not well besides its readiness is in NodeHealthy alone.
        let said = match ailment {
            Ailment::NotReady => vec![
                since("NodeHealthy", "False", "NodeNotHealthy", seconds),
                since("NodeReady", "False", "NodeNotReady", seconds),
            ],
            Ailment::DiskPressure => vec![since("NodeHealthy", "False", "NodeNotHealthy", seconds)],
        };
        for condition in said {
            says(self.node(at), condition);
        }
    }

    fn node_goes(&mut self, at: usize) {
        let name = format!("a-{at}");
        self.machines_of(Group::Workers).retain(|machine| machine["metadata"]["name"] != name.as_str());
    }

    fn node_comes(&mut self) {
        let comes = machine("a-9", "a", NEW);
        self.machines_of(Group::Workers).push(comes);
    }

    fn node_tells_nothing(&mut self, at: usize) {
        self.node(at)["status"] = json!({"nodeRef": {"name": "somewhere"}});
    }

    fn node_without_a_wish(&mut self, at: usize) {
        let name = format!("a-{at}");
        let mut new = machine(&name, "a", NEW);
        new["status"]["conditions"].as_array_mut().unwrap().retain(|known| known["type"] != "UpToDate");
        *self.node(at) = new;
    }

    fn node_fails_for(&mut self, group: Group, at: usize, reason: &str) {
        let mut said = since("HealthCheckSucceeded", "False", "UnhealthyNode", 600);
        said["message"] = reason.into();
        says(&mut self.machines_of(group)[at], said);
    }

    fn budget_holds(&mut self, at: usize, minutes: i64) {
        let pod = json!({"metadata": {"name": "shop-0", "namespace": "shop", "labels": {"app": "shop"}},
            "spec": {"nodeName": format!("node-a-{at}")}, "status": {"phase": "Running"}});
        let budget = json!({"metadata": {"name": "all", "namespace": "shop"},
            "spec": {"selector": {"matchLabels": {"app": "shop"}}},
            "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}});
        self.workload = Some(Workload {
            pods: vec![Arc::new(serde_json::from_value(pod).unwrap())],
            budgets: vec![Arc::new(serde_json::from_value(budget).unwrap())],
            ..Workload::default()
        });
        let node = self.node(at);
        node["metadata"]["deletionTimestamp"] = ago(minutes + 1).into();
        if node["status"]["conditions"][0]["reason"] == "DrainingNode" {
            node["status"]["deletion"]["nodeDrainStartTime"] = ago(minutes).into();
        }
    }

    fn configuration_changes(&mut self) {
        let mut rotated = machine("a-1", "a", NEW);
        says(&mut rotated, condition("UpToDate", false, "NotUpToDate", 30));
        *self.node(1) = rotated;
    }

    fn only_the_cluster_is_seen(&mut self) {
        self.sees_all = false;
    }

    fn no_version_is_told(&mut self) {
        self.changes.push(("/clusters/0/spec/topology/version", json!("")));
        self.changes.push(("/controlPlanes/0/spec/version", json!("")));
        self.changes.push(("/controlPlanes/0/status", json!({"replicas": 3})));
        let groups = self.groups.iter_mut().flat_map(|(_, machines)| machines.iter_mut());
        for machine in self.control_plane.iter_mut().chain(groups) {
            machine["spec"]["version"] = "".into();
            machine["status"]["nodeInfo"] = Value::Null;
        }
        self.group()["spec"]["template"]["spec"]["version"] = "".into();
    }

    fn parts_are(&mut self, ill: Ill, count: usize, seconds: i64) {
        let of_machine =
            ["EtcdPodHealthy", "APIServerPodHealthy", "ControllerManagerPodHealthy", "SchedulerPodHealthy"];
        for (number, kind) in of_machine.into_iter().take(count).enumerate() {
            match ill {
                Ill::Degraded => {
                    says(&mut self.control_plane[0], since(kind, "False", "Broken", seconds));
                    let whole = if number == 0 { "EtcdClusterHealthy" } else { "ControlPlaneComponentsHealthy" };
                    self.control_plane_says(since(whole, "False", "Broken", seconds));
                }
                Ill::Silent => says(&mut self.control_plane[0], since(kind, "Unknown", "Silent", seconds)),
                Ill::Unavailable | Ill::Slow | Ill::Nameless | Ill::Busy => {
                    self.lack("parts that roll out and are available by themselves");
                }
            }
        }
    }

    fn fails(&mut self, seconds: i64) {
        let mut said = since("TopologyReconciled", "False", "ReconcileFailed", seconds);
        said["message"] = "error computing the desired state".into();
        self.changes.push(("/clusters/0/status/conditions", json!([said])));
    }

    fn another_version_is_asked_for(&mut self) {
        self.changes.push(("/clusters/0/spec/topology/version", json!("v1.33.0")));
    }

    fn in_place_fails(&mut self, at: usize) {
        let mut failed = since("Updating", "True", "InPlaceUpdateFailed", 240);
        failed["message"] = "UpdateMachine failed: the disk is full".into();
        let node = self.node(at);
        node["spec"]["version"] = NEW.into();
        node["metadata"].as_object_mut().unwrap().remove("deletionTimestamp");
        node["status"]["conditions"] = json!([failed]);
    }

    fn workers_are_too_old(&mut self) {
        self.groups[0].0["spec"]["template"]["spec"]["version"] = "v1.28.0".into();
        for machine in self.machines_of(Group::Workers) {
            machine["spec"]["version"] = "v1.28.0".into();
            machine["status"]["nodeInfo"]["kubeletVersion"] = "v1.28.0".into();
        }
    }

    fn own_api_is_out_of_reach(&mut self) {
        self.workload = Some(Workload { unreachable: "no route to host".into(), ..Workload::default() });
    }

    fn neighbour_moves(&mut self) {
        self.neighbour = true;
    }

    fn surges(&mut self) {
        let machines = vec![
            machine("a-0", "a", NEW),
            coming("a-1", "a", 3),
            old("a-2", "a"),
            going("a-3", "a", "WaitingForInfrastructureDeletion", 2),
        ];
        *self.machines_of(Group::Workers) = machines;
    }

    fn machine_drains(&mut self, minutes: i64) {
        *self.machines_of(Group::Workers) =
            vec![machine("a-0", "a", NEW), going("a-1", "a", "DrainingNode", minutes), old("a-2", "a")];
    }

    fn workers_are_put_off(&mut self) {
        let (group, machines) = &mut self.groups[0];
        group["spec"]["template"]["spec"]["version"] = OLD.into();
        group["entryAnnotations"] = json!({"topology.cluster.x-k8s.io/defer-upgrade": ""});
        *machines = three("a", OLD);
    }

    fn machine_does_not_come(&mut self, minutes: i64) {
        *self.machines_of(Group::Workers) = vec![old("a-0", "a"), coming("a-1", "a", minutes), old("a-2", "a")];
    }

    fn is_paused(&mut self) {
        self.changes.push(("/clusters/0/spec/paused", json!(true)));
    }

    fn chains(&mut self) {
        self.changes.push(("/clusters/0/spec/topology/version", json!("v1.33.0")));
    }
}
