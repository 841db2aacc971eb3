//! A hosted cluster to which something happens. Its nodes are changed in place, as those of a standalone cluster are,
//! unless the story speaks of machines.

use headway_api::report::Report;
use headway_core::assess::hosted::report;
use jiff::SignedDuration;
use serde_json::{Value, json};

use self::objects::{at_step, coming, cordoned, draining, machine, seconds_ago, since, with_node};
use self::world::{NEW, NOW, OLD, component, components, entry, image, inventory_of, pool, side, told, world_with};
use super::world::{Ailment, Group, Ill, Paused, Start, Step, World};

mod objects;
#[expect(dead_code, reason = "the scenarios of this form use all of it")]
#[path = "../hosted/world.rs"]
mod world;

/// Conditions of the HostedCluster, by where they stand.
const CONDITIONS: &str = "/hosted/0/status/conditions/-";

/// The cluster as it is now.
pub(super) struct Cluster {
    world: Value,
    /// How far the clock is from where the objects were made.
    clock: i64,
    /// Another cluster beside this one.
    neighbour: bool,
    lacks: Vec<&'static str>,
}

impl Cluster {
    pub(super) fn new() -> Self {
        Self { world: world_with(&[]), clock: 0, neighbour: false, lacks: Vec::new() }
    }

    fn set(&mut self, place: &str, value: Value) {
        let (parent, key) = place.rsplit_once('/').unwrap();
        match self.world.pointer_mut(parent).unwrap_or_else(|| panic!("{place}")) {
            Value::Object(fields) => drop(fields.insert(key.to_owned(), value)),
            Value::Array(items) if key == "-" => items.push(value),
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            other => panic!("{place}: {other}"),
        }
    }

    /// The cluster says this, whatever it said before.
    fn says(&mut self, condition: Value) {
        let all = self.world.pointer_mut("/hosted/0/status/conditions").unwrap().as_array_mut().unwrap();
        all.retain(|known| known["type"] != condition["type"]);
        self.set(CONDITIONS, condition);
    }

    fn says_not(&mut self, kinds: &[&str]) {
        let all = self.world.pointer_mut("/hosted/0/status/conditions").unwrap().as_array_mut().unwrap();
        all.retain(|known| !kinds.contains(&known["type"].as_str().unwrap()));
    }

    fn pool_mut(&mut self, name: &str) -> &mut Value {
        let pools = self.world["pools"].as_array_mut().unwrap();
        pools.iter_mut().find(|pool| pool["metadata"]["name"] == name).unwrap()
    }

    fn node_mut(&mut self, at: usize) -> &mut Value {
        let name = format!("a-{at}");
        let nodes = self.world["nodes"].as_array_mut().unwrap();
        nodes.iter_mut().find(|node| node["metadata"]["name"] == name.as_str()).unwrap()
    }

    fn node_says(&mut self, at: usize, condition: Value) {
        let conditions = self.node_mut(at)["status"]["conditions"].as_array_mut().unwrap();
        conditions.retain(|known| known["type"] != condition["type"]);
        conditions.push(condition);
    }

    /// The pool, which is on its way to the new version when one of its nodes is old, and its MachineSet.
    fn put_pool(&mut self, name: &str, nodes: Vec<Value>, is_moving: bool) {
        let mut made = pool(name, if is_moving { OLD } else { NEW });
        made["spec"]["replicas"] = nodes.len().into();
        made["spec"]["release"]["image"] = image(NEW).into();
        made["spec"]["management"] = json!({"upgradeType": "InPlace"});
        made["status"]["replicas"] = nodes.len().into();
        // The nodes themselves were seen, and tell more than their sum.
        made["status"]["nodesInfo"] = Value::Null;
        let set = json!({"metadata": {"name": name, "namespace": "bay-tern", "annotations": {
            "hypershift.openshift.io/nodePool": format!("bay/{name}"),
            "hypershift.openshift.io/nodePoolTargetConfigVersion": "1bb",
            "hypershift.openshift.io/nodePoolCurrentConfigVersion": "0aa"}}});
        for (list, one) in [("pools", made), ("sets", set)] {
            let all = self.world[list].as_array_mut().unwrap();
            all.retain(|known| known["metadata"]["name"] != name);
            all.push(one);
        }
        let all = self.world["nodes"].as_array_mut().unwrap();
        all.retain(|known| known["metadata"]["labels"]["hypershift.openshift.io/nodePool"] != name);
        all.extend(nodes);
        self.world["seen"]["guest"] = true.into();
    }

    /// The pool says that its nodes get another version.
    fn pool_moves(&mut self, name: &str) {
        let said = told("UpdatingVersion", "True", "AsExpected", "Updating version. Target version: 4.18.3", 15);
        self.pool_mut(name)["status"]["conditions"][1] = said;
    }

    /// The pool has machines instead, which are replaced.
    fn machines(&mut self, machines: Vec<Value>) {
        let moving = self.pool_mut("a");
        moving["spec"]["management"] = json!({"upgradeType": "Replace", "replace": {"strategy": "RollingUpdate"}});
        self.pool_moves("a");
        self.set("/nodes", json!([]));
        self.set("/machines", Value::Array(machines));
    }

    fn picked(&mut self, count: usize) -> impl Iterator<Item = &mut Value> {
        self.world["components"].as_array_mut().unwrap().iter_mut().rev().take(count)
    }
}

impl World for Cluster {
    fn versions(&self) -> (&'static str, &'static str) {
        (OLD, NEW)
    }

    fn pool(&self, group: Group) -> &'static str {
        match group {
            // Its control plane has no nodes.
            Group::ControlPlane | Group::Workers => "a",
            Group::Others => "b",
        }
    }

    fn report(&self) -> Report {
        let mut inventory = inventory_of(&self.world);
        inventory.moment.at = NOW.checked_add(SignedDuration::from_secs(self.clock)).unwrap();
        if self.neighbour {
            let mut other = Self::new();
            other.start(Start::Begun);
            let other = inventory_of(&other.world);
            let mut cluster = other.hosted_clusters[0].clone();
            cluster.metadata.name = "skua".into();
            inventory.hosted_clusters.push(cluster);
            inventory.components.extend(other.components.into_iter().map(|mut it| {
                it.metadata.namespace = "bay-skua".into();
                it
            }));
            inventory.node_pools.extend(other.node_pools.into_iter().map(|mut it| {
                it.spec.cluster_name = "skua".into();
                it
            }));
        }
        report(&inventory, &inventory.hosted_clusters[0])
    }

    fn lack(&mut self, what: &'static str) {
        self.lacks.push(what);
    }

    fn lacks(&self) -> &[&'static str] {
        &self.lacks
    }

    fn start(&mut self, start: Start) {
        (self.world, self.clock) = (world_with(&[]), 0);
        match start {
            Start::AtRest => self.nodes(Group::Workers, &[Step::New; 3]),
            Start::Workers => self.nodes(Group::Workers, &[Step::New, Step::Draining, Step::Old]),
            Start::Begun => {
                self.began(40 * 60);
                self.parts(8, 4);
                self.nodes(Group::Workers, &[Step::Old; 3]);
                let idle = told("UpdatingVersion", "False", "AsExpected", "", 9_000);
                self.pool_mut("a")["status"]["conditions"][1] = idle;
            }
            Start::Installing => {
                let first = || side(NEW, vec![entry(NEW, 10, None)]);
                self.set("/hosted/0/status/controlPlaneVersion", first());
                self.set("/hosted/0/status/version", first());
                self.parts(8, 4);
                self.set("/pools", json!([]));
            }
        }
    }

    fn nodes(&mut self, group: Group, steps: &[Step]) {
        let name = self.pool(group);
        let width = if steps.len() > 10 { 4 } else { 1 };
        let named = |number: usize| format!("{name}-{number:0width$}");
        let nodes = steps.iter().enumerate().map(|(number, step)| at_step(name, &named(number), *step)).collect();
        let is_moving = steps.iter().any(|step| *step != Step::New);
        self.put_pool(name, nodes, is_moving);
        if is_moving && steps.iter().any(|step| *step != Step::Old) {
            self.pool_moves(name);
        }
    }

    fn pause(&mut self, group: Group, paused: Paused) {
        let name = self.pool(group);
        self.pool_mut(name)["spec"]["pausedUntil"] = if paused == Paused::Yes { "true".into() } else { Value::Null };
    }

    fn clock(&mut self, seconds: i64) {
        self.clock += seconds;
    }

    fn node_is(&mut self, at: usize, ailment: Ailment, seconds: i64) {
        let said = match ailment {
            Ailment::NotReady => since("Ready", "False", "KubeletNotReady", seconds),
            Ailment::DiskPressure => since("DiskPressure", "True", "KubeletHasDiskPressure", seconds),
        };
        self.node_says(at, said);
    }

    fn node_goes(&mut self, at: usize) {
        let name = format!("a-{at}");
        self.world["nodes"].as_array_mut().unwrap().retain(|node| node["metadata"]["name"] != name.as_str());
    }

    fn node_comes(&mut self) {
        let comes = at_step("a", "a-9", Step::New);
        self.set("/nodes/-", comes);
    }

    fn node_tells_nothing(&mut self, at: usize) {
        self.node_mut(at)["metadata"]["annotations"] = json!({});
    }

    fn node_without_a_wish(&mut self, at: usize) {
        let name = format!("a-{at}");
        *self.node_mut(at) = at_step("a", &name, Step::New);
        self.node_mut(at)["metadata"]["annotations"]["machineconfiguration.openshift.io/desiredConfig"] = Value::Null;
    }

    fn node_fails_for(&mut self, _group: Group, at: usize, reason: &str) {
        let name = format!("a-{at}");
        *self.node_mut(at) = at_step("a", &name, Step::Failed);
        self.node_mut(at)["metadata"]["annotations"]["machineconfiguration.openshift.io/reason"] = reason.into();
        self.pool_moves("a");
    }

    fn budget_holds(&mut self, at: usize, minutes: i64) {
        let pod = json!({"metadata": {"name": "shop-0", "namespace": "shop", "labels": {"app": "shop"}},
            "spec": {"nodeName": format!("a-{at}")}, "status": {"phase": "Running"}});
        let budget = json!({"metadata": {"name": "all", "namespace": "shop"},
            "spec": {"selector": {"matchLabels": {"app": "shop"}}},
            "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1}});
        self.set("/pods", json!([pod]));
        self.set("/budgets", json!([budget]));
        cordoned(self.node_mut(at), minutes);
    }

    fn configuration_changes(&mut self) {
        let said = told("UpdatingConfig", "True", "AsExpected", "Updating config in progress", 15);
        self.pool_mut("a")["status"]["conditions"].as_array_mut().unwrap().push(said);
    }

    fn only_the_cluster_is_seen(&mut self) {
        for list in ["components", "pools", "sets", "nodes"] {
            self.set(&format!("/{list}"), json!([]));
        }
        self.set("/seen", json!({"pools": false, "components": false, "guest": false}));
    }

    fn no_version_is_told(&mut self) {
        self.set("/hosted/0/status/version", Value::Null);
        self.set("/hosted/0/status/controlPlaneVersion", Value::Null);
    }

    fn parts_are(&mut self, ill: Ill, count: usize, seconds: i64) {
        for part in self.picked(count) {
            let conditions = part["status"]["conditions"].as_array_mut().unwrap();
            match ill {
                Ill::Degraded => conditions[1] = since("RolloutComplete", "False", "ReconciliationError", seconds),
                Ill::Unavailable => conditions[0] = since("Available", "False", "Down", seconds),
                Ill::Slow => conditions[1] = since("RolloutComplete", "False", "WaitingForRolloutComplete", seconds),
                Ill::Silent => drop(conditions.remove(0)),
                Ill::Nameless => {
                    conditions[1] = since("RolloutComplete", "False", "WaitingForRolloutComplete", seconds);
                    part["status"]["version"] = Value::Null;
                }
                Ill::Busy => {
                    conditions[1] = since("RolloutComplete", "False", "WaitingForRolloutComplete", seconds);
                    part["status"]["version"] = NEW.into();
                }
            }
        }
    }

    fn parts(&mut self, total: usize, done: usize) {
        self.set("/components", components(total, done));
    }

    fn began(&mut self, seconds: i64) {
        let mut newest = entry(NEW, 0, None);
        newest["startedTime"] = seconds_ago(seconds);
        let before = || vec![entry(OLD, 10_050, Some(10_000)), entry("4.17.1", 30_060, Some(30_000))];
        let history = [vec![newest], before()].concat();
        self.set("/hosted/0/status/controlPlaneVersion", side(NEW, history));
        self.set("/hosted/0/status/version", side(OLD, before()));
    }

    fn last_change(&mut self, seconds: i64) {
        let done = |part: &&mut Value| part["status"]["conditions"][1]["status"] == "True";
        for part in self.picked(usize::MAX).filter(done) {
            part["status"]["conditions"][1]["lastTransitionTime"] = seconds_ago(seconds);
        }
    }

    fn part_goes(&mut self) {
        self.world["components"].as_array_mut().unwrap().pop();
    }

    fn foreign_operator(&mut self) {
        let foreign = json!({"metadata": {"name": "a-foreign-one"}, "status": {"conditions": [
            told("Degraded", "True", "Broken", "", 600)]}});
        self.set("/operators/-", foreign);
        self.set("/seen/guest", true.into());
    }

    fn previous_is_partial(&mut self) {
        for side in ["version", "controlPlaneVersion"] {
            let history = self.world["hosted"][0]["status"][side]["history"].as_array_mut().unwrap();
            for entry in history.iter_mut().filter(|entry| entry["version"] == OLD) {
                entry["state"] = "Partial".into();
            }
        }
    }

    fn fails(&mut self, seconds: i64) {
        self.says(since("ClusterVersionSucceeding", "False", "Broken", seconds));
    }

    fn may_fail(&mut self) {
        self.says(since("ClusterVersionSucceeding", "Unknown", "StatusUnknown", 60));
    }

    fn says_nothing_of_failing(&mut self) {
        self.says_not(&["ClusterVersionSucceeding", "ClusterVersionFailing", "Degraded"]);
    }

    fn says_nothing_of_progress(&mut self) {
        // Before the pods had a history, and components were told, its word was all that there was.
        self.says_not(&["Progressing", "ClusterVersionProgressing"]);
        self.set("/hosted/0/status/controlPlaneVersion", Value::Null);
        self.set("/components", json!([]));
    }

    fn contradicts_itself(&mut self) {
        self.says(told("ClusterVersionProgressing", "True", "FromClusterVersion", "", 40));
    }

    fn goes_multi(&mut self) {
        for side in ["version", "controlPlaneVersion"] {
            let told = &mut self.world["hosted"][0]["status"][side];
            told["desired"]["version"] = NEW.into();
            told["desired"]["image"] = image(NEW).into();
            told["desired"]["architecture"] = "Multi".into();
            for entry in told["history"].as_array_mut().unwrap().iter_mut().filter(|entry| entry["version"] == OLD) {
                entry["version"] = NEW.into();
                entry["image"] = "quay.io/openshift-release-dev/ocp-release@sha256:0d".into();
            }
        }
        let mut all = components(8, 8);
        all[7] = component("c-07", NEW, "False");
        self.set("/components", all);
    }

    fn was_multi(&mut self) {
        self.goes_multi();
        self.parts(8, 8);
    }

    fn cordon(&mut self, at: usize) {
        self.node_mut(at)["spec"] = json!({"unschedulable": true});
    }

    fn configuration_is_gone(&mut self, at: usize) {
        let name = format!("a-{at}");
        *self.node_mut(at) = at_step("a", &name, Step::Draining);
        self.node_mut(at)["metadata"]["annotations"]["machineconfiguration.openshift.io/currentConfig"] = "9ff".into();
    }

    fn pool_is_invalid(&mut self) {
        let said = told("ValidMachineConfig", "False", "Broken", "it cannot be made", 3);
        self.pool_mut("a")["status"]["conditions"].as_array_mut().unwrap().push(said);
    }

    fn spokesman_complains(&mut self) {
        let said = told("UpdatingVersion", "False", "InplaceUpgradeFailed", "6 nodes are degraded", 6);
        self.pool_mut("a")["status"]["conditions"][1] = said;
    }

    fn another_version_is_asked_for(&mut self) {
        self.set("/hosted/0/spec/release/image", image("4.18.5").into());
    }

    fn workers_are_not_asked(&mut self) {
        self.set("/pools", json!([pool("a", OLD)]));
        self.set("/nodes", json!([]));
        self.set("/sets", json!([]));
    }

    fn in_place_fails(&mut self, at: usize) {
        let name = format!("a-{at}");
        *self.node_mut(at) = at_step("a", &name, Step::Failed);
        let said = told("UpdatingVersion", "False", "InplaceUpgradeFailed", "Node in nodepool degraded", 15);
        self.pool_mut("a")["status"]["conditions"][1] = said;
    }

    fn workers_are_too_old(&mut self) {
        let mut old = pool("a", "4.14.2");
        old["status"]["conditions"] =
            json!([told("SupportedVersionSkew", "False", "UnsupportedSkew", "4.14 is too old", 15)]);
        self.set("/pools", json!([old]));
        self.set("/nodes", json!([]));
        self.set("/sets", json!([]));
    }

    fn own_api_is_out_of_reach(&mut self) {
        self.set("/unreachable", "no route to host".into());
    }

    fn neighbour_moves(&mut self) {
        self.neighbour = true;
    }

    fn surges(&mut self) {
        let goes = {
            let mut goes = draining(3, 2);
            goes["status"]["conditions"][0]["reason"] = "WaitingForInfrastructureDeletion".into();
            goes
        };
        self.machines(vec![machine(0, NEW, with_node(0)), coming(1, 3), machine(2, OLD, with_node(2)), goes]);
    }

    fn machine_drains(&mut self, minutes: i64) {
        self.machines(vec![machine(0, NEW, with_node(0)), draining(1, minutes), machine(2, OLD, with_node(2))]);
    }

    fn machine_does_not_come(&mut self, minutes: i64) {
        self.machines(vec![machine(0, OLD, with_node(0)), coming(1, minutes), machine(2, OLD, with_node(2))]);
    }

    fn is_paused(&mut self) {
        self.set("/hosted/0/spec/pausedUntil", "true".into());
    }
}
