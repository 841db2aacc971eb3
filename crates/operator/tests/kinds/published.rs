//! What is published of whole clusters, and of bad ones, is taken by the server and comes back as it was sent.

use std::fs;

use headway_api::insight::ResourceRef;
use headway_api::report::{Report, Truth};
use headway_api::update::shard::PoolNodes;
use headway_api::update::status::Status;
use headway_core::memory::Memory;
use headway_core::publish::{self, Insights, Level, Nodes, Source};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::recording::{example, root, writer};
use super::server::{Server, server};

/// Everything that is published of a report, in the server. Answers the status of the container and its size.
pub(super) fn publish(server: &Server, report: &Report) -> (Status, usize) {
    let (memory, writer) = (Memory::default(), writer());
    let source = Source { report, memory: &memory, writer: &writer, past: None };
    let published = publish::status(source, Level::FULL);
    keep_all(server, "UpdateStatus", &[("cluster".to_owned(), published.status.clone())]);
    let shards = publish::shards(source, |_| None).into_iter().map(|shard| (shard.name, shard.status));
    keep_all::<PoolNodes>(server, "PoolUpdateStatus", &shards.collect::<Vec<_>>());
    (published.status, published.bytes)
}

/// The split kinds as well.
fn publish_split(server: &Server, report: &Report) -> Insights {
    let (memory, writer) = (Memory::default(), writer());
    let source = Source { report, memory: &memory, writer: &writer, past: None };
    let insights = publish::insights(source, Nodes::All, &Insights::default());
    let Insights { cluster_version, cluster_operators, pools, nodes, health } = &insights;
    keep_all(server, "ClusterVersionProgressInsight", cluster_version);
    keep_all(server, "ClusterOperatorProgressInsight", cluster_operators);
    keep_all(server, "MachineConfigPoolProgressInsight", pools);
    keep_all(server, "NodeProgressInsight", nodes);
    keep_all(server, "HealthInsight", health);
    insights
}

/// Writes statuses and reads them back: nothing of them may be pruned.
pub(super) fn keep_all<T: Serialize + DeserializeOwned + PartialEq>(server: &Server, kind: &str, all: &[(String, T)]) {
    if all.is_empty() {
        return;
    }
    let sent: Vec<(&str, Value)> =
        all.iter().map(|(name, status)| (name.as_str(), serde_json::to_value(status).unwrap())).collect();
    server.keep(kind, &sent);
    let objects = server.list(kind);
    for (name, status) in all {
        let plain = name.rsplit('/').next().unwrap();
        let object = objects.iter().find(|object| object["metadata"]["name"] == *plain).unwrap();
        let back: T = serde_json::from_value(object["status"].clone()).unwrap();
        assert!(back == *status, "{kind}/{name} comes back otherwise: {}", object["status"]);
    }
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn examples_are_taken_and_come_back() {
    let server = server();
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        // Those of plans are elsewhere, in a folder of folders.
        if !folder.join("README.md").is_file() {
            continue;
        }
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        server.clear();
        let (status, bytes) = publish(&server, &example(&folder));
        let object = server.get("updatestatus", "cluster");
        let managed = object["metadata"]["managedFields"].to_string().len();
        let estimate = publish::managed_fields(&status);
        assert!(estimate >= managed, "{name}: more is recorded of owners, {managed}, than estimated, {estimate}");
        let stored = object.to_string().len();
        eprintln!("{name}: {stored} bytes stored, {bytes} counted; of owners {managed}, {estimate} counted");
        assert!(bytes >= stored && bytes < stored + 2_500, "{name}: {bytes} counted, {stored} stored");
    }
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_r22_rendered_examples_are_taken() {
    let server = server();
    let mut seen = 0;
    for entry in fs::read_dir(root().join("docs/examples")).unwrap() {
        let path = entry.unwrap().path();
        let path = path.to_str().unwrap();
        if path.ends_with(".yaml") {
            server.clear();
            server.plane.kubectl_text(&["apply", "--server-side", "-f", path]).unwrap();
            let arguments = ["apply", "--server-side", "--subresource=status", "-f", path];
            server.plane.kubectl_text(&arguments).unwrap();
            seen += 1;
        }
    }
    assert!(seen > 0, "there are rendered examples");
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn the_split_form_of_an_example_is_taken_and_comes_back() {
    let server = server();
    server.clear();
    let insights = publish_split(&server, &example(&root().join("examples/drain-blocked")));
    assert!(!insights.health.is_empty() && !insights.nodes.is_empty());
    let listed = |selector: &str, kind: &str| {
        server.plane.kubectl_text(&["get", kind, "-o", "name", "--field-selector", selector]).unwrap().lines().count()
    };
    let draining = listed("status.phase=Draining", "nodeprogressinsights");
    assert_eq!(draining, insights.nodes.iter().filter(|(_, node)| phase(node) == "Draining").count());
    assert!(draining > 0);
    assert_eq!(listed("status.phase=Rebooting", "nodeprogressinsights"), 0);
    let of_pool = listed("status.poolResource.name=worker", "nodeprogressinsights");
    assert!(of_pool > 0 && of_pool < insights.nodes.len());
    assert!(listed("status.impact.level=Error", "healthinsights") > 0);
    assert_eq!(listed("status.impact.level=Critical", "healthinsights"), 0);
    server.clear();
}

fn phase(node: &headway_api::update::node::NodeInsight) -> String {
    node.phase.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// Words, texts and names that no API would take, wherever a report may have them.
fn bad(mut report: Report) -> Report {
    let long = "\u{1f680}line \"quoted\"\\ \u{1b}[31m\u{0}\n".repeat(400);
    report.cluster.name = Some("Not a Name".into());
    report.cluster.updating.reason = "Not ready".into();
    report.cluster.updating.message.clone_from(&long);
    report.cluster.versions.target = Some("tip-of-main".into());
    report.cluster.versions.previous = Some("4".into());
    report.cluster.versions.architecture = Some(long.clone());
    report.cluster.versions.operators.insert(long.clone(), 3);
    report.hints = vec![long.clone(); 50];
    for (at, component) in report.components.iter_mut().enumerate() {
        component.updating.reason = ["", "two words", "3rd", "ünïcödé", "ends:"][at % 5].into();
        component.healthy.message.clone_from(&long);
        component.progressing_reason.clone_from(&long);
        component.version = Some(long.clone());
        component.name =
            ["Upper", "under_score", "etcd", "etcd", ""].get(at).map_or(component.name.clone(), |name| (*name).into());
    }
    for (at, unit) in report.units.iter_mut().enumerate() {
        unit.message.clone_from(&long);
        unit.degraded.status = Truth::True;
        unit.degraded.reason = format!("reason {at}");
        unit.version = Some(["4.17", "", "4.17.20"][at % 3].into());
        unit.current_config = Some("c".repeat(300));
        if at % 4 == 3 {
            unit.name = format!("Node {at}");
        }
        if at % 4 == 2 {
            unit.name = "n".repeat(253);
        }
        if at % 4 == 1 {
            unit.name = "x".repeat(300);
        }
    }
    for insight in &mut report.insights {
        insight.summary.clone_from(&long);
        insight.description.clone_from(&long);
        insight.reference = "<no runbook>".into();
        insight.advice.clone_from(&long);
        insight.resources = vec![
            ResourceRef::cluster("", "alerts", "CamelCase"),
            ResourceRef::namespaced("Bad Group", "things", "ns", "x"),
            ResourceRef::namespaced("", "pods", "Not.A.Label", "x"),
            ResourceRef::cluster("rbac.authorization.k8s.io", "clusterroles", "system:node"),
            ResourceRef::cluster("", "nodes", "fine.example.com"),
        ];
    }
    report
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn whatever_a_report_has_the_server_takes_it() {
    let server = server();
    for name in ["drain-blocked", "nodes-step-by-step", "two-custom-pools", "hosted-guest", "broken-folder"] {
        server.clear();
        let report = bad(example(&root().join("examples").join(name)));
        publish(&server, &report);
        publish_split(&server, &report);
    }
    let mut report = example(&root().join("examples/drain-blocked"));
    for (at, pool) in report.pools.iter_mut().enumerate() {
        let name = ["Not a pool", "p".repeat(253).as_str(), "worker"][at % 3].to_owned();
        for unit in report.units.iter_mut().filter(|unit| unit.pool.as_deref() == Some(&pool.name)) {
            unit.pool = Some(name.clone());
        }
        pool.name = name;
        pool.configuration = "c".repeat(300);
    }
    server.clear();
    publish(&server, &report);
    server.clear();
}

/// The example with so many workers, all like the one that cannot be drained.
fn fleet(count: usize, name: impl Fn(usize) -> String, reason: impl Fn(usize) -> String) -> Report {
    let mut report = example(&root().join("examples/drain-blocked"));
    let worker = |unit: &headway_api::report::Unit| unit.pool.as_deref() == Some("worker");
    let template = report.units.iter().find(|unit| worker(unit)).unwrap().clone();
    report.units.retain(|unit| !worker(unit));
    report.units.extend((0..count).map(|at| headway_api::report::Unit {
        name: name(at),
        message: reason(at),
        ..template.clone()
    }));
    report.pools.iter_mut().find(|pool| pool.name == "worker").unwrap().counts.total = count;
    report
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_s53_a_pool_of_1025_nodes_is_taken_with_its_details() {
    let server = server();
    server.clear();
    let report =
        fleet(1_025, |at| format!("ip-10-0-{}-{}.us-east-2.compute.internal", at / 250, at % 250), |_| "x".into());
    let (status, bytes) = publish(&server, &report);
    eprintln!("{bytes} bytes");
    let named: usize = status.worker_pools[0].node_groups.iter().map(|group| group.node_names.len()).sum();
    assert_eq!(named, 1_025);
    let shards =
        server.plane.kubectl_text(&["get", "pus", "-o", "name", "--field-selector", "status.pool=worker"]).unwrap();
    assert_eq!(shards.lines().count(), 2, "{shards}");
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_s52_the_largest_that_we_write_is_taken() {
    let server = server();
    server.clear();
    let word = |at: usize| (0..6).map(|step| char::from(b'a' + ((at >> (4 * step)) % 16) as u8)).collect::<String>();
    // As many as are just told whole.
    let report = fleet(
        3_000,
        |at| format!("{}{}", word(at), "n".repeat(240)),
        |at| format!("{} {}", word(at), "\u{1f680}".repeat(400)),
    );
    let (status, bytes) = publish(&server, &report);
    let stored = server.get("updatestatus", "cluster").to_string().len();
    let level = status.observed.unwrap().truncation_level;
    eprintln!("{stored} bytes stored, {bytes} counted, at {level:?}");
    assert_eq!(level, None);
    assert!(stored <= bytes && bytes > 850_000 && bytes <= publish::HARD);
    server.clear();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn what_is_no_longer_told_is_gone() {
    let server = server();
    server.clear();
    let mut report = example(&root().join("examples/two-custom-pools"));
    let (status, _) = publish(&server, &report);
    assert!(status.worker_pools.len() > 1);
    let gone = report.pools.pop().unwrap();
    report.units.retain(|unit| unit.pool.as_deref() != Some(&gone.name));
    let (status, _) = publish(&server, &report);
    let object: Value = server.get("updatestatus", "cluster");
    let names: Vec<&str> =
        object["status"]["workerPools"].as_array().unwrap().iter().map(|pool| pool["name"].as_str().unwrap()).collect();
    assert!(!names.contains(&gone.name.as_str()), "{names:?}");
    assert_eq!(names.len(), status.worker_pools.len());
    server.clear();
}
