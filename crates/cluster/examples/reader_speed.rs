//! Measures the readers on 5,000 nodes of real size: `cargo run --release --example reader_speed`.

#![expect(clippy::print_stdout, reason = "the figures are what this program is for")]

use headway_cluster::object::{Parser, RawObject, Stats, split};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the status of a node needs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Node {
    metadata: Metadata,
    spec: Spec,
    status: Status,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    name: String,
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Spec {
    unschedulable: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Status {
    conditions: Vec<Condition>,
    node_info: NodeInfo,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Condition {
    r#type: String,
    status: String,
    reason: String,
    message: String,
    last_transition_time: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct NodeInfo {
    kubelet_version: String,
    os_image: String,
}

fn main() {
    let nodes = 5000;
    let yaml = yaml(nodes);
    let json = json(&yaml);
    println!("{nodes} nodes, {} MB YAML, {} MB JSON", yaml.len() >> 20, json.len() >> 20);
    if std::env::args().nth(1).as_deref() == Some("fast") {
        // For a profiler.
        return figure("split and read, fast", || read(&yaml, Parser::Fast));
    }
    figure("copy the bytes", || std::hint::black_box(yaml.to_vec()).len());
    figure("split", || split(&yaml, Parser::Fast).count());
    figure("split and read, fast", || read(&yaml, Parser::Fast));
    figure("split and read, fast, 2 threads", || read_on_two(&yaml));
    figure("split, another kind wanted", || {
        split(&yaml, Parser::Fast).flatten().filter(|o| o.kind.as_deref() == Some("Pod")).count()
    });
    figure("split and read, JSON", || read(&json, Parser::Fast));
    figure("split and read, library", || read(&yaml, Parser::Library));
}

fn figure(what: &str, mut run: impl FnMut() -> usize) {
    let mut best = Duration::MAX;
    let mut result = 0;
    for _ in 0..7 {
        let start = Instant::now();
        result = run();
        best = best.min(start.elapsed());
    }
    println!("{what:36} {:8.1} ms  ({result})", best.as_secs_f64() * 1000.0);
}

fn read(text: &[u8], parser: Parser) -> usize {
    split(text, parser).flatten().map(|object| one(&object)).sum()
}

fn read_on_two(text: &[u8]) -> usize {
    let objects: Vec<_> = split(text, Parser::Fast).flatten().collect();
    let (left, right) = objects.split_at(objects.len() / 2);
    std::thread::scope(|scope| {
        let right = scope.spawn(|| right.iter().map(one).sum::<usize>());
        left.iter().map(one).sum::<usize>() + right.join().unwrap_or_default()
    })
}

fn one(object: &RawObject<'_>) -> usize {
    let reading = object.read::<Node>();
    let mut stats = Stats::default();
    stats.count(reading.route);
    let node = reading.value.unwrap_or_default();
    let kept = node.metadata.labels.len() + node.metadata.annotations.len();
    usize::from(
        stats.handed_over == 0
            && kept > 10
            && !node.spec.unschedulable
            && node.metadata.name.starts_with("node")
            && node.status.node_info.kubelet_version.starts_with('v')
            && !node.status.node_info.os_image.is_empty()
            && node.status.conditions.iter().all(|condition| {
                [&condition.r#type, &condition.status, &condition.reason, &condition.message]
                    .iter()
                    .all(|text| !text.is_empty())
                    && condition.last_transition_time.ends_with('Z')
            }),
    )
}

/// A list of nodes as `kubectl get nodes -o yaml` prints it, 12 to 13 KB each.
fn yaml(nodes: usize) -> Vec<u8> {
    let mut out = String::from("apiVersion: v1\nitems:\n");
    for node in 0..nodes {
        write_node(&mut out, node).unwrap_or_default();
    }
    out.push_str("kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    out.into_bytes()
}

fn write_node(out: &mut String, node: usize) -> std::fmt::Result {
    writeln!(out, "- apiVersion: v1\n  kind: Node\n  metadata:\n    annotations:")?;
    writeln!(out, "      csi.volume.kubernetes.io/nodeid: '{{\"ebs.csi.aws.com\":\"i-{node:017x}\"}}'")?;
    for entry in 0..14 {
        writeln!(out, "      machineconfiguration.openshift.io/entry-{entry}: rendered-worker-{node:032x}")?;
    }
    writeln!(out, "    creationTimestamp: \"2026-01-01T10:00:00Z\"\n    labels:")?;
    for label in 0..16 {
        writeln!(out, "      topology.kubernetes.io/label-{label}: \"value-{label}\"")?;
    }
    writeln!(out, "    name: node-{node}\n    resourceVersion: \"{node}\"\n    uid: 1e30755-{node}")?;
    writeln!(
        out,
        "  spec:\n    podCIDR: 10.0.0.0/24\n    providerID: aws:///us-east-1a/i-{node:017x}\n  status:\n    addresses:"
    )?;
    for address in 0..4 {
        writeln!(out, "    - address: 10.0.{address}.1\n      type: InternalIP")?;
    }
    for part in ["allocatable", "capacity"] {
        writeln!(
            out,
            "    {part}:\n      cpu: 3500m\n      ephemeral-storage: \"115470533646\"\n      hugepages-1Gi: \"0\"\n      memory: 15028632Ki\n      pods: \"250\""
        )?;
    }
    writeln!(out, "    conditions:")?;
    for kind in ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Ready"] {
        writeln!(
            out,
            "    - lastHeartbeatTime: \"2026-01-01T10:00:00Z\"\n      lastTransitionTime: \"2026-01-01T10:00:00Z\"\n      message: kubelet is posting ready status\n      reason: KubeletReady\n      status: \"True\"\n      type: {kind}"
        )?;
    }
    writeln!(out, "    images:")?;
    for image in 0..38 {
        writeln!(
            out,
            "    - names:\n      - quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{image:064x}\n      - quay.io/openshift-release-dev/ocp-v4.0-art-dev:<none>\n      sizeBytes: {}",
            100_000_000 + image * 17
        )?;
    }
    writeln!(
        out,
        "    nodeInfo:\n      architecture: amd64\n      kubeletVersion: v1.27.6+f67aeb3\n      osImage: Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)"
    )
}

/// The same objects as `kubectl get nodes -o json` prints them.
fn json(yaml: &[u8]) -> Vec<u8> {
    let items: Vec<serde_json::Value> =
        split(yaml, Parser::Fast).flatten().filter_map(|object| object.read().value).collect();
    let list = serde_json::json!({"apiVersion": "v1", "items": items, "kind": "List"});
    serde_json::to_vec_pretty(&list).unwrap_or_default()
}
