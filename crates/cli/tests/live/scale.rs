//! What a large cluster costs: five thousand nodes of real size, looked at and watched.

use std::fs;
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use headway_testenv::Plane;
use serde_json::{Value, json};

use super::command::{root, status};
use super::world::{World, client, put, recorded};

const NODES: usize = 5_000;

/// More than was measured (59 to 66 MB watched, 81 MB looked at once, in a debug build, the report as JSON included),
/// and no more than a part of what the nodes weigh.
const MOST: u64 = 110;

/// A node as large as those of real clusters: most of it is images.
fn node(like: &Value, number: usize) -> Value {
    let mut node = like.clone();
    node["metadata"]["name"] = format!("large-{number:05}").into();
    let images: Vec<Value> = (0..50)
        .map(|image| {
            let digest = format!("{:064x}", number * 1_000 + image);
            let name = format!("quay.example.com/release/component-{image}@sha256:{digest}");
            json!({"names": [name, format!("quay.example.com/release/component-{image}:{number}")], "sizeBytes": 512_345_678})
        })
        .collect();
    node["status"]["images"] = images.into();
    node
}

/// The peak of a process's memory, in megabytes, while it runs.
fn peak(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    // A process that has ended and was not waited for has no memory.
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() / 1_000)
}

#[test]
#[ignore = "ring 2: a real API server"]
#[cfg(target_os = "linux")]
fn five_thousand_nodes_are_watched_in_little_memory() {
    let plane = Plane::start().unwrap();
    plane.apply_foreign_crds().unwrap();
    let mut world = World::alone(plane);
    let input = root().join("examples/pool-left-behind/input");
    world.hold(std::slice::from_ref(&input));
    let like = recorded(&input).into_iter().find(|object| object["kind"] == "Node").unwrap();
    let kubeconfig = world.plane.kubeconfig().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = client(&kubeconfig).await;
        let all = stream::iter(0..NODES).map(|number| {
            let (client, node) = (&client, node(&like, number));
            async move { put(client, &node).await }
        });
        all.buffer_unordered(16).collect::<Vec<()>>().await;
    });
    let folder = tempfile::tempdir().unwrap();
    for more in [&["-o", "json", "--watch"][..], &["-o", "json"]] {
        let out = fs::File::create(folder.path().join("out")).unwrap();
        let words = [&["--kubeconfig", kubeconfig.to_str().unwrap()], more].concat();
        let start = Instant::now();
        let mut child = status(&words).stdout(out).spawn().unwrap();
        // The whole answer is there when its last bytes are.
        let mut most = 0;
        loop {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            most = most.max(peak(child.id()).unwrap_or_default());
            let told = fs::read(folder.path().join("out")).unwrap();
            if told.ends_with(b"}\n") && more.contains(&"--watch") {
                child.kill().unwrap();
                child.wait().unwrap();
                break;
            }
            assert!(start.elapsed() < Duration::from_secs(120), "no answer");
            std::thread::sleep(Duration::from_millis(5));
        }
        let report: Value = serde_json::from_slice(&fs::read(folder.path().join("out")).unwrap()).unwrap();
        assert!(report["units"].as_array().unwrap().len() >= NODES);
        println!("{more:?}: {most} MB at most, {:?} to the answer", start.elapsed());
        assert!(most < MOST, "{most} MB");
    }
}
