//! The kinds that tell of the clusters of a fleet: what is published of them is taken, comes back as it was sent, and a
//! list of them is a dashboard.

use std::fs;
use std::path::Path;

use headway_api::preview::Clock;
use headway_api::report::{Form, Report};
use headway_api::update::status::Status;
use headway_cluster::gather::Limits;
use headway_cluster::gather::inventory::{self, About};
use headway_core::fleet;
use headway_core::memory::Memory;
use headway_core::preview::{Inventory, Moment};
use headway_core::publish::{self, Level, Source};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::accepted::{Expect, Refused, Taken, condition, node, pool, reference, update, version, with, without};
use super::published::keep_all;
use super::recording::{root, writer};
use super::server::{Server, Stay, server};
use super::shown::{check, table};

/// The reports on the clusters that a recorded management cluster keeps, by the kind of ours that tells of them.
fn kept(folder: &Path) -> Vec<(&'static str, Report)> {
    let inventory = inventory::files(&[folder.join("input")], About::Member, &Limits::default()).unwrap();
    let moment = at(folder).map_or(inventory.newest(), |at| Moment { at, clock: Clock::Given });
    let inventory = Inventory { moment, ..inventory };
    let members = fleet::members(&inventory);
    let kind = |form: Form| match form {
        Form::Hosted => "HostedClusterUpdateStatus",
        Form::ClusterApi | Form::Standalone | Form::Unknown => "ClusterUpdateStatus",
    };
    members.iter().map(|member| (kind(member.form()), fleet::report(&inventory, member))).collect()
}

/// The moment that an example is told at.
fn at(folder: &Path) -> Option<Timestamp> {
    let args = fs::read_to_string(folder.join("args")).unwrap_or_default();
    let words: Vec<&str> = args.lines().collect();
    words.windows(2).find(|pair| pair[0] == "--at").map(|pair| pair[1].parse().unwrap())
}

/// What is published of a cluster of a fleet.
fn status(report: &Report) -> publish::Published {
    publish::status(Source { report, memory: &Memory::default(), writer: &writer(), past: None }, Level::FULL)
}

/// `NAMESPACE/NAME` of a cluster.
fn name(report: &Report) -> String {
    let cluster = &report.cluster;
    format!("{}/{}", cluster.namespace.as_deref().unwrap(), cluster.name.as_deref().unwrap())
}

/// Publishes all clusters of an example, each as an object of its own.
fn publish_all(server: &Server, folder: &str) -> usize {
    let reports = kept(&root().join("examples/management").join(folder));
    for kind in ["HostedClusterUpdateStatus", "ClusterUpdateStatus"] {
        let of_kind = reports.iter().filter(|(of, _)| *of == kind).map(|(_, report)| report);
        let all: Vec<(String, Status)> = of_kind.map(|report| (name(report), status(report).status)).collect();
        for (name, _) in &all {
            server.namespace(name.split_once('/').unwrap().0);
        }
        keep_all(server, kind, &all);
    }
    reports.len()
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_r7_clusters_of_fleets_are_taken_and_come_back() {
    let server = server();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("examples/management")).unwrap() {
        let folder = entry.unwrap().file_name().to_string_lossy().into_owned();
        server.clear();
        seen += publish_all(&server, &folder);
        for (kind, report) in kept(&root().join("examples/management").join(&folder)) {
            let published = status(&report);
            let (namespace, name) = (report.cluster.namespace.unwrap(), report.cluster.name.unwrap());
            let arguments = ["get", kind, &name, "-n", &namespace, "-o", "json", "--show-managed-fields"];
            let object: Value = serde_json::from_str(&server.plane.kubectl_text(&arguments).unwrap()).unwrap();
            let managed = object["metadata"]["managedFields"].to_string().len();
            let estimate = publish::managed_fields(&published.status);
            assert!(estimate >= managed, "{name}: of owners {managed}, estimated {estimate}");
            let (stored, bytes) = (object.to_string().len(), published.bytes);
            assert!(bytes >= stored && bytes < stored + 2_500, "{name}: {bytes} counted, {stored} stored");
        }
    }
    assert!(seen >= 10, "{seen} clusters");
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn shown_lists_of_clusters_are_a_dashboard() {
    let server = server();
    server.clear();
    publish_all(&server, "fleet");
    let mut shown = String::new();
    // Ages are those of the wall.
    let ages = vec!["AGE", "SINCE", "STARTED"];
    for arguments in [
        vec!["get", "clusterupdatestatus", "-A"],
        vec!["get", "hostedclusterupdatestatus", "-A"],
        vec!["get", "cus", "-A", "-o", "wide"],
        vec!["get", "hcus", "-n", "clusters", "-o", "wide"],
        vec!["get", "cus", "-A", "--field-selector", "status.summary.worstLevel=Error"],
        vec!["get", "cus", "-A", "--field-selector", "status.summary.activity=NotUpdating"],
    ] {
        shown.push_str(&format!("$ kubectl {}\n{}\n", arguments.join(" "), table(&server, &arguments, &ages)));
    }
    check("dashboard.txt", &shown);
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn shown_clusters_can_be_waited_for() {
    let server = server();
    server.clear();
    publish_all(&server, "fleet");
    let mut wrong = Vec::new();
    for (object, namespace, condition, expect) in [
        ("cus/search", "shop", "Ready", true),
        ("cus/search", "shop", "Reconciling=False", true),
        ("hcus/billing", "clusters", "Ready", true),
        ("hcus/orders", "clusters", "Ready", false),
        ("hcus/orders", "clusters", "Reconciling", true),
        ("cus/nightly", "lab", "Stalled", true),
        ("cus/nightly", "lab", "Reconciling", false),
        ("cus/edge-7", "lab", "Ready", false),
        ("cus/edge-7", "lab", "Stalled=False", true),
    ] {
        let condition = format!("--for=condition={condition}");
        let arguments = ["wait", &condition, object, "-n", namespace, "--timeout=1s"];
        if server.plane.kubectl(&arguments).unwrap().status.success() != expect {
            wrong.push(format!("{object} {condition}: not {expect}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Before anybody has looked nothing is ready.
    server.create("ClusterUpdateStatus", "shop/new");
    server.status("ClusterUpdateStatus", "shop/new", &json!({ "hints": ["x"] }), Stay::Kept).unwrap();
    let arguments = ["get", "cus", "new", "-n", "shop", "-o", "jsonpath={.status.observedGeneration}"];
    assert_eq!(server.plane.kubectl_text(&arguments).unwrap().trim(), "-1");
    server.clear();
}

const CLUSTER_API: &str = "cluster.x-k8s.io";
const CONTROL_PLANES: &str = "controlplane.cluster.x-k8s.io";
const HYPERSHIFT: &str = "hypershift.openshift.io";

/// A status of a cluster with these insights on its control plane, and these on its one pool of workers.
fn told(cluster: &Value, own: &[Value], workers: &[Value]) -> Value {
    let list = |bodies: &[Value]| -> Vec<Value> {
        let insight = |body: &Value| json!({ "uid": "one", "acquiredAt": "2026-05-04T08:00:00Z", "insight": body });
        bodies.iter().map(insight).collect()
    };
    json!({
        "controlPlane": { "resource": cluster, "informers": [{ "name": "one", "insights": list(own) }] },
        "workerPools": [{
            "name": "web",
            "resource": reference(CLUSTER_API, "machinedeployments", "web"),
            "informers": [{ "name": "one", "insights": list(workers) }],
        }],
    })
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_r7_insights_of_other_forms() {
    let server = server();
    server.clear();
    server.namespace("shop");
    let (kept, hosted) = ("ClusterUpdateStatus", "HostedClusterUpdateStatus");
    for kind in [kept, hosted] {
        server.create(kind, "shop/checkout");
    }
    let mut wrong = Vec::new();
    let mut check = |what: &str, kind: &str, status: &Value, expect: Expect| match (
        server.status(kind, "shop/checkout", status, Stay::Tried),
        expect,
    ) {
        (Ok(_), Taken) => {}
        (Err(refusal), Refused(why)) if refusal.contains(why) => {}
        (Ok(_), Refused(why)) => wrong.push(format!("{what}: taken, and not refused with: {why}")),
        (Err(refusal), _) => wrong.push(format!("{what}: {refusal}")),
    };
    let cluster = reference(CLUSTER_API, "clusters", "checkout");
    let hosted_cluster = reference(HYPERSHIFT, "hostedclusters", "checkout");
    check("minimal", kept, &json!({}), Taken);
    check("its cluster", kept, &told(&cluster, &[], &[]), Taken);
    check("its hosted cluster", hosted, &told(&hosted_cluster, &[], &[]), Taken);
    let other = reference(CLUSTER_API, "clusters", "search");
    check("another's cluster", kept, &told(&other, &[], &[]), Refused("is the Cluster of the object's name"));
    check("a hosted cluster", kept, &told(&hosted_cluster, &[], &[]), Refused("is the Cluster of the object's name"));
    check("no hosted cluster", hosted, &told(&cluster, &[], &[]), Refused("is the HostedCluster of the object's name"));

    let body = |resource: &Value, body: Value| with(body, "/resource", resource.clone());
    let whole = body(&cluster, with(version(&update()), "/name", json!("checkout")));
    let stepped = with(
        with(whole.clone(), "/versions/plan", json!(["v1.33.5", "v1.34.2"])),
        "/versions/position",
        json!({ "step": 1, "of": 2 }),
    );
    let tally = |of: &str| with(whole.clone(), "/tally", json!({ "of": of, "done": 1, "total": 3 }));
    let pool_of =
        |group: &str, resource: &str| with(body(&reference(group, resource, "web"), pool()), "/name", json!("web"));
    let machine = |resource: &Value| {
        let machine = body(&reference(CLUSTER_API, "machines", "web-1"), node());
        with(machine, "/poolResource", resource.clone())
    };
    let rke2 = reference(CONTROL_PLANES, "rke2controlplanes", "web");
    for (what, insight, expect) in [
        ("a Cluster", json!({ "type": "Cluster", "cluster": whole }), Taken),
        ("a Cluster with steps", json!({ "type": "Cluster", "cluster": stepped }), Taken),
        ("machines counted", json!({ "type": "Cluster", "cluster": tally("Machines") }), Taken),
        (
            "sheep counted",
            json!({ "type": "Cluster", "cluster": tally("Sheep") }),
            Refused("Unsupported value: \"Sheep\""),
        ),
        (
            "a Cluster under another type",
            json!({ "type": "HostedCluster", "cluster": whole }),
            Refused("hostedCluster is set if and only if type is HostedCluster"),
        ),
        (
            "a Cluster as well",
            json!({ "type": "Health", "health": super::accepted::health(), "cluster": whole }),
            Refused("cluster is set if and only if type is Cluster"),
        ),
        ("a HostedCluster", json!({ "type": "HostedCluster", "hostedCluster": whole }), Taken),
        (
            "a component without an object",
            json!({ "type": "ControlPlaneComponent", "controlPlaneComponent": { "name": "etcd" } }),
            Taken,
        ),
        (
            "a component without a body",
            json!({ "type": "ControlPlaneComponent" }),
            Refused("controlPlaneComponent is set if and only if type is ControlPlaneComponent"),
        ),
        (
            "a control plane of another provider",
            json!({ "type": "ControlPlane", "controlPlane": body(&rke2, with(pool(), "/name", json!("web"))) }),
            Taken,
        ),
        ("a machine", json!({ "type": "Machine", "machine": machine(&rke2) }), Taken),
        (
            "a machine of a pool that is none",
            json!({ "type": "Machine", "machine": machine(&reference("apps", "deployments", "web")) }),
            Refused("a pool is one of"),
        ),
        (
            "a MachineDeployment",
            json!({ "type": "MachineDeployment", "machineDeployment": pool_of(CLUSTER_API, "machinedeployments") }),
            Refused("field not declared in schema"),
        ),
    ] {
        check(&format!("{what}, of the control plane"), kept, &told(&cluster, &[insight], &[]), expect);
    }
    let desired = json!([{ "type": "Total", "count": 4 }, { "type": "Desired", "count": 3 }]);
    for (kind, member, group, resource) in [
        ("NodePool", "nodePool", HYPERSHIFT, "nodepools"),
        ("MachineDeployment", "machineDeployment", CLUSTER_API, "machinedeployments"),
        ("MachinePool", "machinePool", CLUSTER_API, "machinepools"),
    ] {
        let whole = with(pool_of(group, resource), "/summaries", desired.clone());
        check(kind, kept, &told(&cluster, &[], &[json!({ "type": kind, (member): whole })]), Taken);
        let refusal = format!("{member} is set if and only if type is {kind}");
        let refusal: &'static str = refusal.leak();
        check(
            &format!("{kind} without a body"),
            kept,
            &told(&cluster, &[], &[json!({ "type": kind })]),
            Refused(refusal),
        );
        let two = json!({ "type": "Health", "health": super::accepted::health(), (member): whole });
        check(&format!("{kind} as well"), kept, &told(&cluster, &[], &[two]), Refused(refusal));
    }
    let deployment = reference(CLUSTER_API, "machinedeployments", "web");
    let of_pool = |insight: Value| told(&cluster, &[], &[insight]);
    check("a machine of a pool", kept, &of_pool(json!({ "type": "Machine", "machine": machine(&deployment) })), Taken);
    let bare = json!({ "type": "Machine" });
    check("a machine without a body", kept, &of_pool(bare), Refused("machine is set if and only if type is Machine"));
    let strange = json!({ "type": "Cluster" });
    check("a cluster of a pool", kept, &of_pool(strange), Refused("Unsupported value: \"Cluster\""));

    let waits = |count: usize, what: &str| {
        let wait = json!({ "what": what, "message": "hook A: not yet" });
        json!({ "waitingOn": vec![wait; count], "conditions": [condition("Ready")] })
    };
    check("32 things to wait on", kept, &waits(32, "hook A"), Taken);
    check("33 things to wait on", kept, &waits(33, "hook A"), Refused("must have at most 32 items"));
    check("a long wait", kept, &waits(1, &"x".repeat(129)), Refused("waitingOn[0].what"));
    let minimal = without(pool_of(CLUSTER_API, "machinepools"), "/summaries");
    check("no counts", kept, &of_pool(json!({ "type": "MachinePool", "machinePool": minimal })), Taken);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    server.clear();
}
