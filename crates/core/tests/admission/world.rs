//! A management cluster as JSON, out of which a judge is shown what it asks for.

use std::collections::BTreeMap;

use headway_api::plan::GroupKind;
use headway_core::admission::{
    ClassWrite, ClusterWrite, Found, Judgement, Mode, Need, Observed, Verdict, judge_class, judge_cluster,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Changes: the place as a JSON pointer, and what is to stand there. Null takes away.
pub(super) type Changes<'a> = &'a [(&'a str, Value)];

/// One cluster, settled at v1.31.0.
pub(super) fn settled() -> Value {
    json!({
        "cluster": {
            "metadata": {"name": "gull", "namespace": "bay", "annotations": {}},
            "spec": {
                "controlPlaneRef": {"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane", "name": "cp"},
                "topology": {"classRef": {"name": "sea"}, "version": "v1.31.0", "workers": {
                    "machineDeployments": [{"name": "a", "class": "small"}],
                    "machinePools": [{"name": "p", "class": "pooled"}]}}}},
        "classes": [class("sea", &["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"]), class("lake", &["v1.31.0", "v1.32.0"])],
        "others": [],
        "controlPlane": {"kind": "KubeadmControlPlane", "metadata": {"name": "cp", "namespace": "bay"},
            "spec": {"version": "v1.31.0"}, "status": {"version": "v1.31.0"}},
        "machineDeployments": [workers("a", "v1.31.0")],
        "machinePools": [],
        "machines": [machine("a-0", "a", "v1.31.0", "v1.31.0")],
        "nodes": {},
        "extensions": []})
}

/// A class whose parts are of the usual kinds.
pub(super) fn class(name: &str, versions: &[&str]) -> Value {
    let template = |kind: &str| json!({"templateRef": {"apiVersion": "x.io/v1", "kind": kind, "name": "t"}});
    json!({"metadata": {"name": name, "namespace": "bay"},
        "spec": {"kubernetesVersions": versions, "infrastructure": template("NetTemplate"),
            "controlPlane": template("KcpTemplate"),
            "workers": {"machineDeployments": [{"class": "small", "infrastructure": template("BoxTemplate")}],
                "machinePools": [{"class": "pooled", "infrastructure": template("PoolTemplate")}]}}})
}

/// A MachineDeployment or MachinePool of the topology.
pub(super) fn workers(name: &str, version: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "bay", "labels": {
            "topology.cluster.x-k8s.io/owned": "", "topology.cluster.x-k8s.io/deployment-name": name,
            "topology.cluster.x-k8s.io/pool-name": name}},
        "spec": {"clusterName": "gull", "template": {"spec": {"version": version}}}})
}

/// A machine of a MachineDeployment.
pub(super) fn machine(name: &str, of: &str, version: &str, runs: &str) -> Value {
    json!({"metadata": {"name": name, "namespace": "bay", "labels": {"cluster.x-k8s.io/deployment-name": of}},
        "spec": {"clusterName": "gull", "version": version}, "status": {"nodeInfo": {"kubeletVersion": runs}}})
}

/// The world with changes.
pub(super) fn changed(mut world: Value, changes: Changes<'_>) -> Value {
    for (place, value) in changes {
        let (parent, key) = place.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/");
        match world.pointer_mut(parent).unwrap_or_else(|| panic!("{place}")) {
            Value::Object(fields) if value.is_null() => {
                fields.remove(&key);
            }
            Value::Object(fields) => {
                fields.insert(key, value.clone());
            }
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{place}: {other}"),
        }
    }
    world
}

pub(super) fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// Shows what is asked for, as an API server would; what is in `unreadable` by its name cannot be read.
fn show(world: &Value, unreadable: &[&str], need: Need, observed: &mut Observed) {
    let told = need.to_string();
    if unreadable.iter().any(|it| told.contains(it)) {
        observed.note_unseen(need, "forbidden");
        return;
    }
    let named = |values: Vec<Value>, name: &str| -> Vec<Value> {
        values.into_iter().filter(|value| value["metadata"]["name"] == name).collect()
    };
    let list = |key: &str| world[key].as_array().cloned().unwrap_or_default();
    let of_cluster = |key: &str, cluster: &str| -> Vec<Value> {
        list(key).into_iter().filter(|value| value["spec"]["clusterName"] == cluster).collect()
    };
    let found = match &need {
        Need::Class { name, .. } => Found::Classes(read(&json!(named(list("classes"), name)))),
        Need::Clusters => {
            let mut all = list("others");
            all.push(world["cluster"].clone());
            Found::Clusters(read(&json!(all)))
        }
        Need::ControlPlane { name, .. } => {
            Found::ControlPlanes(read(&json!(named(vec![world["controlPlane"].clone()], name))))
        }
        Need::Groups { kind: GroupKind::MachineDeployment, cluster, .. } => {
            Found::Groups(read(&json!(of_cluster("machineDeployments", cluster))))
        }
        Need::Groups { kind: GroupKind::MachinePool, cluster, .. } => {
            Found::Groups(read(&json!(of_cluster("machinePools", cluster))))
        }
        Need::Machines { cluster, .. } => Found::Machines(read(&json!(of_cluster("machines", cluster)))),
        Need::Nodes { .. } => Found::Nodes(read::<BTreeMap<String, String>>(&world["nodes"])),
        Need::Extension { name } => Found::Extensions(read(&json!(named(list("extensions"), name)))),
    };
    observed.note(need, found);
}

/// Asks a judge until it decides; also what it asked for.
pub(super) fn decide(
    world: &Value,
    unreadable: &[&str],
    judge: impl Fn(&Observed) -> Judgement,
) -> (Verdict, Vec<String>) {
    let mut observed = Observed::default();
    let mut asked = Vec::new();
    for _ in 0..5 {
        match judge(&observed) {
            Judgement::Decided(verdict) => return (verdict, asked),
            Judgement::Needs(needs) => {
                for need in needs {
                    asked.push(need.to_string());
                    show(world, unreadable, need, &mut observed);
                }
            }
        }
    }
    panic!("no end of asking: {asked:?}");
}

/// The verdict on a write of the cluster of a world.
pub(super) fn of_update(
    world: &Value,
    mode: Mode,
    unreadable: &[&str],
    changes: Changes<'_>,
) -> (Verdict, Vec<String>) {
    let old = read(&world["cluster"]);
    let new = read(&changed(world["cluster"].clone(), changes));
    decide(world, unreadable, |observed| judge_cluster(ClusterWrite { old: Some(&old), new: &new }, mode, observed))
}

/// The verdict on a new cluster, which is that of a world with changes.
pub(super) fn of_create(world: &Value, changes: Changes<'_>) -> Verdict {
    let new = read(&changed(world["cluster"].clone(), changes));
    let judge = |observed: &Observed| judge_cluster(ClusterWrite { old: None, new: &new }, Mode::Topology, observed);
    decide(world, &[], judge).0
}

/// The verdict on a write of the first class of a world.
pub(super) fn of_class(world: &Value, mode: Mode, unreadable: &[&str], changes: Changes<'_>) -> (Verdict, Vec<String>) {
    let old = read(&world["classes"][0]);
    let new = read(&changed(world["classes"][0].clone(), changes));
    decide(world, unreadable, |observed| judge_class(ClassWrite { old: Some(&old), new: &new }, mode, observed))
}

/// The verdict on a new class.
pub(super) fn of_new_class(world: &Value, new: &Value) -> Verdict {
    let new = read(new);
    let judge = |observed: &Observed| judge_class(ClassWrite { old: None, new: &new }, Mode::Topology, observed);
    decide(world, &[], judge).0
}

/// The rules that are broken; `ok`, or `ok+` where it is let in with a warning.
pub(super) fn rules(verdict: &Verdict) -> String {
    let rules: Vec<&str> = verdict.violations.iter().map(|it| it.rule.as_str()).collect();
    match (rules.is_empty(), verdict.warnings.is_empty()) {
        (true, true) => "ok".into(),
        (true, false) => "ok+".into(),
        (false, _) => rules.join(" "),
    }
}
