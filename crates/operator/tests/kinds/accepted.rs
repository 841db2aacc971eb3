//! The cases that the proposal's own tests have: what is accepted, and what is refused (update-status-api.md, 2.5).

use serde_json::{Value, json};

use super::server::{Server, Stay, server};

/// The moment of everything.
const AT: &str = "2026-05-04T08:00:00Z";

/// Objects of each kind, under the names that the cases speak of.
const OBJECTS: [(&str, &str); 7] = [
    ("UpdateStatus", "cluster"),
    ("PoolUpdateStatus", "worker-0"),
    ("ClusterVersionProgressInsight", "version"),
    ("ClusterOperatorProgressInsight", "etcd"),
    ("MachineConfigPoolProgressInsight", "worker"),
    ("NodeProgressInsight", "w-1.example.com"),
    ("HealthInsight", "h-cv-failing-0123456789abcdef"),
];

/// What the server is to say of a status.
#[derive(Clone, Copy)]
pub(super) enum Expect {
    /// It takes it.
    Taken,
    /// It refuses it, with this in what it says.
    Refused(&'static str),
}

pub(super) use Expect::{Refused, Taken};

/// Tries statuses on the objects, and tells all that come out otherwise.
pub(super) struct Cases<'s> {
    server: &'s Server,
    wrong: Vec<String>,
    seen: usize,
}

impl<'s> Cases<'s> {
    pub(super) fn new(server: &'s Server) -> Self {
        for (kind, name) in OBJECTS {
            server.create(kind, name);
        }
        Self { server, wrong: Vec::new(), seen: 0 }
    }

    pub(super) fn check(&mut self, what: &str, kind: &str, status: &Value, expect: Expect) {
        self.seen += 1;
        let name = OBJECTS.iter().find(|(known, _)| *known == kind).unwrap().1;
        match (self.server.status(kind, name, status, Stay::Tried), expect) {
            (Ok(_), Taken) => {}
            (Err(refusal), Refused(why)) if refusal.contains(why) => {}
            (Ok(_), Refused(why)) => self.wrong.push(format!("{what}: taken, and not refused with: {why}")),
            (Err(refusal), Taken) => self.wrong.push(format!("{what}: refused: {refusal}")),
            (Err(refusal), Refused(why)) => self.wrong.push(format!("{what}: not refused with: {why}\nbut: {refusal}")),
        }
    }

    pub(super) fn end(self) {
        eprintln!("{} cases", self.seen);
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

pub(super) fn reference(group: &str, resource: &str, name: &str) -> Value {
    if group.is_empty() {
        json!({ "resource": resource, "name": name })
    } else {
        json!({ "group": group, "resource": resource, "name": name })
    }
}

pub(super) fn cluster_version() -> Value {
    reference("config.openshift.io", "clusterversions", "version")
}

pub(super) fn pool_reference(name: &str) -> Value {
    reference("machineconfiguration.openshift.io", "machineconfigpools", name)
}

pub(super) fn condition(kind: &str) -> Value {
    json!({ "type": kind, "status": "True", "reason": "AsExpected", "message": "", "lastTransitionTime": AT })
}

/// The insight on the ClusterVersion with these versions.
pub(super) fn version(versions: &Value) -> Value {
    json!({
        "conditions": [condition("Updating"), condition("Healthy")],
        "name": "version",
        "resource": cluster_version(),
        "assessment": "Progressing",
        "versions": versions,
        "completion": 12,
        "completionPercent": 12,
        "startedAt": AT,
        "estimatedCompletedAt": AT,
    })
}

pub(super) fn update() -> Value {
    json!({ "previous": { "version": "4.17.20" }, "target": { "version": "4.18.3" } })
}

pub(super) fn operator() -> Value {
    json!({
        "conditions": [condition("Updating"), condition("Healthy")],
        "name": "etcd",
        "resource": reference("config.openshift.io", "clusteroperators", "etcd"),
    })
}

pub(super) fn pool() -> Value {
    json!({
        "conditions": [condition("Updating"), condition("Healthy")],
        "name": "worker",
        "resource": pool_reference("worker"),
        "scopeType": "WorkerPool",
        "assessment": "Progressing",
        "completion": 40,
        "completionPercent": 40,
        "summaries": [{ "type": "Total", "count": 5_000 }, { "type": "Outdated", "count": 3_000 }],
    })
}

pub(super) fn node() -> Value {
    json!({
        "conditions": [condition("Updating"), condition("Available"), condition("Degraded")],
        "name": "w-1.example.com",
        "resource": reference("", "nodes", "w-1.example.com"),
        "poolResource": pool_reference("worker"),
        "scopeType": "WorkerPool",
        "version": "4.17.20",
        "message": "x",
    })
}

pub(super) fn health() -> Value {
    json!({
        "startedAt": AT,
        "scope": { "type": "ControlPlane", "resources": [cluster_version()] },
        "impact": { "level": "Error", "type": "Update Stalled", "summary": "Cluster version is failing" },
        "remediation": { "reference": "https://docs.example.com/failing" },
    })
}

/// A status whose control plane has these insights.
pub(super) fn control_plane(insights: &[Value]) -> Value {
    let insights: Vec<Value> =
        insights.iter().map(|body| json!({ "uid": "one", "acquiredAt": AT, "insight": body })).collect();
    json!({ "controlPlane": {
        "resource": cluster_version(),
        "poolResource": pool_reference("master"),
        "conditions": [condition("Updating")],
        "informers": [{ "name": "one", "insights": insights }],
    }})
}

/// A status whose one pool of workers has these insights.
pub(super) fn workers(insights: &[Value]) -> Value {
    let insights: Vec<Value> =
        insights.iter().map(|body| json!({ "uid": "one", "acquiredAt": AT, "insight": body })).collect();
    json!({ "workerPools": [{
        "name": "worker",
        "resource": pool_reference("worker"),
        "informers": [{ "name": "one", "insights": insights }],
    }]})
}

/// A value with another one at a place in it.
pub(super) fn with(mut value: Value, pointer: &str, new: Value) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer} has a parent"));
    match parent {
        Value::Array(items) => items[field.parse::<usize>().unwrap()] = new,
        other => other[field] = new,
    }
    value
}

/// A value without something in it.
pub(super) fn without(mut value: Value, pointer: &str) -> Value {
    let (parent, field) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(field).unwrap();
    value
}

const INSTALLATION: &str = "Installation";

fn metadata(key: &str) -> Value {
    json!([{ "key": key }])
}

/// Versions that are refused, in whatever they stand.
fn contradictions() -> [(&'static str, Value, &'static str); 5] {
    let installation = json!({ "target": { "version": "4.18.3", "metadata": metadata(INSTALLATION) } });
    [
        (
            "no previous version without an installation",
            without(update(), "/previous"),
            "the previous version may be absent only if the target is an Installation",
        ),
        (
            "an installation with a previous version",
            with(installation, "/previous", json!({ "version": "4.17.20" })),
            "the target can be an Installation only if there is no previous version",
        ),
        (
            "a previous version that is an installation",
            with(update(), "/previous/metadata", metadata(INSTALLATION)),
            "the previous version cannot be an Installation",
        ),
        (
            "a target that is partial",
            with(update(), "/target/metadata", metadata("Partial")),
            "the target version cannot be Partial",
        ),
        ("a version that is none", with(update(), "/target/version", json!("v4.18")), "should match '^v?(0|[1-9]"),
    ]
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_5_the_container() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, status: &Value, expect: Expect| cases.check(what, "UpdateStatus", status, expect);

    check("minimal", &json!({}), Taken);
    check("minimal control plane", &json!({ "controlPlane": { "resource": cluster_version() } }), Taken);
    let installation = json!({ "target": { "version": "4.18.3", "metadata": metadata(INSTALLATION) } });
    let insight = |versions: &Value| json!({ "type": "ClusterVersion", "clusterVersion": version(versions) });
    check("a ClusterVersion insight of an installation", &control_plane(&[insight(&installation)]), Taken);
    check("a ClusterVersion insight of an update", &control_plane(&[insight(&update())]), Taken);
    let partial = with(update(), "/previous/metadata", metadata("Partial"));
    check("an update from a partial one", &control_plane(&[insight(&partial)]), Taken);
    let multi = with(update(), "/target/metadata", json!([{ "key": "Architecture", "value": "Multi" }]));
    check("a target with an architecture", &control_plane(&[insight(&multi)]), Taken);
    for (what, versions, refusal) in contradictions() {
        check(what, &control_plane(&[insight(&versions)]), Refused(refusal));
    }
    let operator = json!({ "type": "ClusterOperator", "clusterOperator": operator() });
    let machine_config_pool = json!({ "type": "MachineConfigPool", "machineConfigPool": pool() });
    let node = json!({ "type": "Node", "node": node() });
    let health = json!({ "type": "Health", "health": health() });
    check("a ClusterOperator insight", &control_plane(&[operator]), Taken);
    for (what, body) in [("pool", &machine_config_pool), ("node", &node), ("health", &health)] {
        check(&format!("a {what} insight on the control plane"), &control_plane(std::slice::from_ref(body)), Taken);
        check(&format!("a {what} insight on a pool"), &workers(std::slice::from_ref(body)), Taken);
    }

    for (group, resource, expect) in [
        ("config.openshift.io", "clusterversions", Taken),
        ("hypershift.openshift.io", "hostedclusters", Taken),
        ("cluster.x-k8s.io", "clusters", Taken),
        (
            "config.openshift.io",
            "clusteroperators",
            Refused("the control plane is one of clusterversions.config.openshift.io"),
        ),
        ("hypershift.openshift.io", "clusterversions", Refused("the control plane is one of")),
        ("", "clusterversions", Refused("the control plane is one of")),
    ] {
        let status = json!({ "controlPlane": { "resource": reference(group, resource, "version") } });
        check(&format!("a control plane of {resource}.{group}"), &status, expect);
    }
    for (group, resource, expect) in [
        ("machineconfiguration.openshift.io", "machineconfigpools", Taken),
        ("hypershift.openshift.io", "nodepools", Taken),
        ("cluster.x-k8s.io", "machinedeployments", Taken),
        ("cluster.x-k8s.io", "machinepools", Taken),
        ("controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes", Taken),
        (
            "machineconfiguration.openshift.io",
            "kubeletconfigs",
            Refused("a pool is one of machineconfigpools.machineconfiguration.openshift.io"),
        ),
        ("hypershift.openshift.io", "machineconfigpools", Refused("a pool is one of")),
        ("", "nodes", Refused("a pool is one of")),
    ] {
        let resource = reference(group, resource, "worker");
        let status = json!({ "workerPools": [{ "name": "worker", "resource": resource }] });
        check(&format!("workers in {resource}"), &status, expect);
        let status = json!({ "controlPlane": { "resource": cluster_version(), "poolResource": resource } });
        check(&format!("a control plane's nodes in {resource}"), &status, expect);
        let node = with(node.clone(), "/node/poolResource", resource.clone());
        check(&format!("a node in {resource}"), &workers(&[node]), expect);
    }
    let other = json!({ "workerPools": [{ "name": "infra", "resource": pool_reference("worker") }] });
    check("a pool whose name is another's", &other, Refused("name is the name of the resource"));
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_5_the_split_kinds() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, kind: &str, status: &Value, expect: Expect| cases.check(what, kind, status, expect);
    let name = "status.name is the name of the object";

    let kind = "ClusterVersionProgressInsight";
    check("minimal version", kind, &json!({ "name": "version", "assessment": "Progressing" }), Taken);
    check("an update", kind, &version(&update()), Taken);
    check("another's name", kind, &with(version(&update()), "/name", json!("other")), Refused(name));
    check("no name", kind, &without(version(&update()), "/name"), Refused(name));
    for (what, versions, refusal) in contradictions() {
        check(what, kind, &version(&versions), Refused(refusal));
    }

    let kind = "ClusterOperatorProgressInsight";
    check("minimal operator", kind, &json!({ "name": "etcd" }), Taken);
    check("an operator", kind, &operator(), Taken);
    check("another's name", kind, &with(operator(), "/name", json!("other")), Refused(name));

    let kind = "MachineConfigPoolProgressInsight";
    let minimal = json!({ "name": "worker", "scopeType": "WorkerPool", "assessment": "Pending" });
    check("minimal pool", kind, &minimal, Taken);
    check("a pool", kind, &pool(), Taken);
    check("another's name", kind, &with(pool(), "/name", json!("other")), Refused(name));

    let kind = "NodeProgressInsight";
    let minimal =
        json!({ "name": "w-1.example.com", "scopeType": "WorkerPool", "poolResource": pool_reference("worker") });
    check("minimal node", kind, &minimal, Taken);
    check("a node", kind, &node(), Taken);
    check("another's name", kind, &with(node(), "/name", json!("other")), Refused(name));
    check("a version that is none", kind, &with(node(), "/version", json!("4.17")), Refused("status.version"));
    let elsewhere = with(node(), "/poolResource", reference("", "nodes", "worker"));
    check("a pool that is none", kind, &elsewhere, Refused("a pool is one of"));

    let kind = "HealthInsight";
    check("a finding", kind, &health(), Taken);
    check("no reference", kind, &with(health(), "/remediation", json!({})), Taken);
    for text in ["docs.example.com/failing", "see the manual", "https://", "https://docs.example.com/a b", ""] {
        let status = with(health(), "/remediation/reference", json!(text));
        check(&format!("a reference to `{text}`"), kind, &status, Refused("status.remediation.reference"));
    }
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_1_the_spec_is_required_and_the_singleton_is_one() {
    let server = server();
    let create = |name: &str, object: Value| {
        let mut object = object;
        object["apiVersion"] = json!(super::server::API);
        object["metadata"] = json!({ "name": name });
        server.kubectl(&["create", "--dry-run=server", "-f", "-"], &object)
    };
    server.clear();
    create("cluster", json!({ "kind": "UpdateStatus", "spec": {} })).unwrap();
    let refusal = create("cluster", json!({ "kind": "UpdateStatus" })).unwrap_err();
    assert!(refusal.contains("spec: Required value"), "{refusal}");
    let refusal = create("other", json!({ "kind": "UpdateStatus", "spec": {} })).unwrap_err();
    assert!(refusal.contains("there is one UpdateStatus, and its name is cluster"), "{refusal}");
    // A generation that nobody has observed is told apart from one that somebody has.
    server.create("UpdateStatus", "cluster");
    server.status("UpdateStatus", "cluster", &json!({ "hints": ["x"] }), Stay::Kept).unwrap();
    assert_eq!(server.get("updatestatus", "cluster")["status"]["observedGeneration"], -1);
}
