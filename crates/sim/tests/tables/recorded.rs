//! The calls of a rehearsal beside those that Cluster API 1.14.2 made for the same upgrades.

use std::path::Path;

use headway_api::hooks::Lifecycle;
use headway_core::drive::{Said, Told};
use headway_sim::{Behaviour, Event, Planner, Reply, Stage, World};
use jiff::SignedDuration;
use serde_json::Value;

use super::world::{played, texts, world};

/// What was asked of one cluster between two numbers of the log, with the time that was asked for.
fn recorded(log: &str, cluster: &str, numbers: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let mut all = Vec::new();
    for line in log.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        let hook = entry["hook"].as_str().unwrap();
        let is_ours = entry["object"] == cluster && numbers.contains(&entry["n"].as_u64().unwrap());
        let is_upgrade = ["Upgrade"].iter().any(|end| hook.ends_with(end));
        if !is_ours || !is_upgrade {
            continue;
        }
        let call = &entry["v"];
        let text = |field: &str| call[field].as_str().unwrap_or_default().to_owned();
        let list = |field: &str| {
            let steps = call[field].as_array().cloned().unwrap_or_default();
            steps.iter().map(|step| step["version"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
        };
        let left = format!("left [{}] workers [{}]", list("controlPlaneUpgrades"), list("workersUpgrades"));
        let about = match hook {
            _ if hook.starts_with("Before") => {
                format!("{hook} {} -> {}, {left}", text("fromKubernetesVersion"), text("toKubernetesVersion"))
            }
            "AfterClusterUpgrade" => format!("{hook} {}", text("kubernetesVersion")),
            _ => format!("{hook} {}, {left}", text("kubernetesVersion")),
        };
        let seconds = entry["resp"]["retryAfterSeconds"].as_i64().unwrap_or(0);
        all.push(format!("{about}: {seconds}"));
    }
    assert!(!all.is_empty(), "the log has nothing of {cluster}");
    all
}

fn rehearsed(stage: &Stage) -> Vec<String> {
    let asked = stage.moments.iter().filter_map(|moment| match &moment.event {
        Event::Asked { call, said } => {
            let seconds = match said {
                Said::Wait { until, .. } => until.duration_since(moment.at).as_secs(),
                _ => 0,
            };
            Some(format!("{}: {seconds}", Told(call)))
        }
        _ => None,
    });
    asked.collect()
}

/// How often each hook asks for two seconds at each step.
fn holding(mut world: World, times: &[(Lifecycle, u32)]) -> World {
    for (hook, times) in times {
        let reply = Reply::Wait(SignedDuration::from_secs(2), "held".into());
        world.extensions.behave(*hook, Behaviour { reply, times: Some(*times) });
    }
    world
}

#[test]
fn ch_4_the_calls_are_those_of_a_real_cluster_api() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/cluster-api/hooks/call-log.jsonl");
    let Ok(log) = std::fs::read_to_string(&path) else {
        eprintln!("NOT RUN: {} is not there", path.display());
        return;
    };
    let list = |versions: &[&str]| Planner::List(texts(versions));
    let both = ["md-0", "md-1"];
    let check = |world: World, cluster: &str, numbers| {
        assert_eq!(rehearsed(&played(world)), recorded(&log, cluster, numbers), "{cluster}");
    };
    // Three minors; every hook but the last asks for time.
    let three = world("v1.31.0", "v1.34.0", list(&["v1.31.0", "v1.32.0", "v1.33.0", "v1.34.0"]), &both);
    let held = [
        (Lifecycle::BeforeClusterUpgrade, 2),
        (Lifecycle::BeforeControlPlaneUpgrade, 1),
        (Lifecycle::AfterControlPlaneUpgrade, 1),
        (Lifecycle::BeforeWorkersUpgrade, 1),
        (Lifecycle::AfterWorkersUpgrade, 1),
    ];
    check(holding(three, &held), "c1", 5..=32);
    // Four minors by an extension that leaves the workers to Cluster API.
    let versions = texts(&["v1.32.0", "v1.33.0", "v1.34.0", "v1.35.0"]);
    let extension = Planner::Extension { versions, workers: Vec::new(), down: None };
    check(world("v1.31.0", "v1.35.0", extension, &both), "p1", 109..=383);
    // One minor, and two.
    check(world("v1.34.0", "v1.35.0", list(&["v1.34.0", "v1.35.0"]), &both), "c1", 390..=408);
    check(world("v1.33.0", "v1.35.0", list(&["v1.33.0", "v1.34.0", "v1.35.0"]), &["md-0"]), "i1", 414..=453);
}
