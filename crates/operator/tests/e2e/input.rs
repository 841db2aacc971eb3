//! Sources that are odd or many, and what is told of them.

use headway_api::update::status::Status;
use serde_json::{Value, json};

use super::program::{Operator, TestClock};
use super::world::{NEW, NOW, OLD, Step, World, ago, condition, health, node, node_with, nodes, operator, pool, rules};

/// Of all the lengths that a name may have, the longest.
fn long_name(letter: char) -> String {
    let part = letter.to_string().repeat(62);
    format!("{part}.{part}.{part}.{part}{letter}{letter}")
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn odd_sources_are_told_as_they_are_and_hide_nothing() {
    let world = World::updating();
    let lines = "It broke.\nThis is line two:\t\"quoted\" \u{1b}[31mred\u{1b}[0m\r\n".repeat(40);
    assert!(lines.len() > 2000);
    world.put(operator("dns", OLD, &[condition("Degraded", "True", &ago(600), "It is broken, isn't it", &lines)]));
    world.put(operator("etcd", NEW, &[condition("Degraded", "Perhaps", &ago(600), "", "")]));
    let long = long_name('o');
    assert_eq!(long.len(), 253);
    world.put(operator(&long, OLD, &[condition("Degraded", "True", &ago(600), "Broken", "")]));
    let far = format!("w-{}", &long_name('n')[2..]);
    world.put(node_with(&far, Step::Degraded, "True", &ago(600), &lines));
    let mut odd = node("w-odd", Step::Old, "Sometimes", &ago(90));
    odd["metadata"]["annotations"]["machineconfiguration.openshift.io/state"] = json!("Dreaming");
    world.put(odd);
    let mut future: Value = super::world::cluster_version();
    future["status"]["history"][1]["state"] = json!("Exploded");
    future["status"]["conditions"].as_array_mut().unwrap().push(json!({ "type": "Mood", "status": "Blue" }));
    world.put(future);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &["--render=singleton,pool-details,insights", "--node-insights=all"]);
    let named = |status: &Status, name: &str| {
        health(status).iter().any(|insight| insight.scope.resources.iter().any(|resource| resource.name == name))
    };
    let all = ["dns", &long, &far];
    let status = world.wait(&mut clock, "all are told", |status| all.iter().all(|name| named(status, name)));
    let degraded = rules(&status).iter().filter(|rule| rule.ends_with("H-CO-DEGRADED")).count();
    assert_eq!(degraded, 2, "{:?}", rules(&status));
    let total = status.control_plane.as_ref().unwrap().operators.as_ref().unwrap().total;
    assert_eq!(total, 6, "every operator is counted");
    assert_eq!(nodes(&status, "worker", "Total"), Some(5), "every node is counted");
    let text = serde_json::to_string(&status).unwrap();
    assert!(!text.contains("\\u001b"), "nothing that a terminal would obey");
    // The other forms take them too.
    clock.pass(30);
    let begun = std::time::Instant::now();
    while world.all("NodeProgressInsight").len() < 8 || world.all("ClusterOperatorProgressInsight").len() < 6 {
        assert!(begun.elapsed().as_secs() < 45, "every object is taken:\n{}", running.log());
        std::thread::sleep(std::time::Duration::from_millis(200));
        clock.pass(1);
    }
    for result in ["invalid", "too_large", "failed"] {
        assert!(!running.text().contains(&format!("result=\"{result}\"")), "{}", running.log());
    }
    assert!(running.stop().success());
}

#[test]
#[ignore = "ring 2: needs an API server, run by cargo xtask test"]
fn us_s52_five_thousand_degraded_nodes_in_a_hundred_pools() {
    const NODES: usize = 5000;
    const POOLS: usize = 100;
    let world = World::updating();
    let mut objects = Vec::new();
    for number in 0..POOLS {
        let name = format!("pool-{number:03}");
        let mut pool = pool(&name, false);
        pool["spec"]["configuration"] = json!({ "name": "rendered-worker-4.20.2" });
        objects.push(pool);
    }
    for number in 0..NODES {
        let reason = format!("the disk of machine {number} is full: sector {} of {}", number * 7919, number * 104_729);
        let mut node = node_with(&format!("x-{number:05}"), Step::Degraded, "True", &ago(600), &reason);
        node["metadata"]["labels"] = json!({ (format!("node-role.kubernetes.io/pool-{:03}", number % POOLS)): "" });
        objects.push(node);
    }
    world.put_all(&objects);
    let mut clock = TestClock::at(NOW);
    let running = Operator::start(&world, &clock, &[]);
    let sum = |status: &Status, state: &str| {
        let counts = (0..POOLS).map(|number| nodes(status, &format!("pool-{number:03}"), state).unwrap_or_default());
        usize::try_from(counts.sum::<u64>()).unwrap()
    };
    let status = world.wait(&mut clock, "all are counted", |status| sum(status, "Total") == NODES);
    assert_eq!(sum(&status, "Degraded"), NODES);
    let truncated = status.conditions.of("Truncated").unwrap();
    assert_eq!(serde_json::to_value(truncated).unwrap()["status"], "True", "{truncated:?}");
    let object = world.raw("UpdateStatus", "cluster").unwrap();
    let bytes = serde_json::to_vec(&object).unwrap().len();
    assert!(bytes < 1_000_000, "{bytes} bytes");
    println!("{NODES} degraded nodes in {POOLS} pools: {bytes} bytes");
    assert!(running.stop().success());
    world.forget();
}
