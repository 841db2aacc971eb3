//! Sizes: what fits, and what is left out so that it does.

use headway_api::gap::{Gap, GapKind};
use headway_api::insight::{Insight, ResourceRef};
use headway_api::report::{Blocker, Phase, Report, Truth, Unit};
use headway_api::update::condition::kind;
use headway_api::update::group::NodeGroup;
use headway_api::update::status::Status;
use headway_api::update::word::{CountOf, Truth as Told};
use headway_core::memory::Memory;
use headway_core::publish::{self, HARD, Level, Source};
use proptest::prelude::*;

use super::fleet::{
    NOW, aws, component, condition, degraded, finding, longest, minutes_ago, published, report, unit, writer,
};

/// Nodes of one pool: so many are done, on their way, and waiting.
fn rolling(done: usize, moving: usize, waiting: usize) -> Report {
    let phases = [Phase::Draining, Phase::Updating, Phase::Rebooting];
    let nodes = (0..done + moving + waiting).map(|at| {
        let phase = match at {
            at if at < done => Phase::Updated,
            at if at < done + moving => phases[at % 3],
            _ => Phase::Pending,
        };
        unit(aws(at), "worker", phase)
    });
    report(vec![("worker", nodes.collect())], Vec::new())
}

/// The groups of every pool, with the pool's total.
fn groups_by_pool(status: &Status) -> Vec<(String, u32, Vec<&NodeGroup>)> {
    let total = |pool: &headway_api::update::pool::MachineConfigPoolInsight| {
        pool.summaries.iter().find(|count| count.kind == CountOf::Total).map(|count| count.count)
    };
    let control_plane = status.control_plane.as_ref().expect("it is told of");
    let mut all = Vec::new();
    for insight in control_plane.informers.iter().flat_map(|informer| &informer.insights) {
        if let Some(pool) = &insight.insight.machine_config_pool {
            let own = control_plane.node_groups.iter().filter(|group| group.pool.as_deref() == Some(&pool.name));
            all.push((pool.name.clone(), total(pool).expect("a total"), own.collect()));
        }
    }
    for pool in &status.worker_pools {
        let insights = pool.informers.iter().flat_map(|informer| &informer.insights);
        let told =
            insights.filter_map(|insight| insight.insight.machine_config_pool.as_ref()).next().expect("it is told of");
        all.push((pool.name.clone(), total(told).expect("a total"), pool.node_groups.iter().collect()));
    }
    all
}

/// What holds of every status, whatever the cluster.
fn assert_sound(report: &Report, status: &Status) {
    for (pool, total, groups) in groups_by_pool(status) {
        assert_eq!(groups.iter().map(|group| group.count).sum::<u32>(), total, "{pool}: the groups do not add up");
        for group in groups {
            let named = u32::try_from(group.node_names.len()).expect("few");
            assert_eq!(named + group.node_names_omitted.unwrap_or(0), group.count, "{pool}/{}: names lie", group.key);
        }
    }
    let told = status.worker_pools.len() + status.worker_pools_omitted.unwrap_or(0) as usize;
    assert_eq!(told, report.pools.len() - 1, "pools are told of or counted");
    let summary = status.summary.as_ref().expect("it is told");
    assert_eq!(summary.attention as usize, report.insights.len());
    assert!(serde_json::to_vec(summary).expect("JSON").len() < 4_096, "the summary is small");
}

#[test]
fn us_s51_five_thousand_nodes_fit_with_all_their_names() {
    let check = |what: &str, report: &Report, most: usize| {
        let published = published(report);
        eprintln!("{what}: {} bytes at {}", published.bytes, published.level);
        assert_eq!(published.level, Level::FULL, "{what}");
        assert_eq!(published.dropped, publish::Dropped::default(), "{what}");
        assert!(published.bytes < most, "{what}: {} bytes", published.bytes);
        assert_sound(report, &published.status);
    };
    check("500 nodes, all waiting", &rolling(0, 0, 500), 60_000);
    check("5,000 nodes, all waiting", &rolling(0, 0, 5_000), 200_000);
    check("5,000 nodes, a tenth on its way", &rolling(2_250, 500, 2_250), 200_000);
    check("5,000 nodes, all done", &rolling(5_000, 0, 0), 200_000);
    check("20,000 nodes, a tenth on its way", &rolling(9_000, 2_000, 9_000), 700_000);
}

#[test]
fn us_s51_shards_have_every_node() {
    let report = rolling(2_250, 500, 2_250);
    let (memory, writer) = (Memory::default(), writer());
    let shards = publish::shards(Source { report: &report, memory: &memory, writer: &writer, past: None }, |_| None);
    let names: Vec<&str> = shards.iter().map(|shard| shard.name.as_str()).collect();
    assert_eq!(names, ["master-0", "worker-0", "worker-1", "worker-2", "worker-3", "worker-4"]);
    for shard in &shards {
        let bytes = serde_json::to_vec(&shard.status).expect("JSON").len();
        eprintln!("{}: {} nodes, {bytes} bytes", shard.name, shard.status.nodes.len());
        assert!(bytes < 200_000, "{}: {bytes}", shard.name);
    }
    assert_eq!(shards.iter().map(|shard| shard.status.nodes.len()).sum::<usize>(), report.units.len());
}

#[test]
fn us_s52_five_thousand_degraded_nodes_are_counted_if_not_told() {
    let names: Vec<String> = (0..100).map(|at| format!("pool-{at}")).collect();
    let mut insights = Vec::new();
    let pools = names.iter().enumerate().map(|(at, pool)| {
        let nodes = (0..50).map(|node| {
            let number = at * 50 + node;
            let words: String = (0..40).map(|step| format!("{} ", word(number * 61 + step))).collect();
            insights.push(finding(number, &aws(number), &words.repeat(16)));
            degraded(aws(number), pool, &words)
        });
        (pool.as_str(), nodes.collect())
    });
    let pools: Vec<(&str, Vec<Unit>)> = pools.collect();
    let report = report(pools, insights);
    let published = published(&report);
    eprintln!("5,000 degraded nodes in 100 pools: {} bytes at {}", published.bytes, published.level);
    assert!(published.bytes <= HARD);
    assert!(published.level > Level::FULL);
    let truncated = published.status.conditions.of(kind::TRUNCATED).expect("it is told");
    assert_eq!(truncated.status, Told::True);
    assert_eq!(truncated.reason, "SizeBudget");
    let level = published.level.to_string();
    assert!(truncated.message.starts_with(&level), "{}", truncated.message);
    assert_sound(&report, &published.status);
}

/// A word of letters alone: numbers would be taken for what differs from node to node.
fn word(number: usize) -> String {
    let mut rest = number;
    let letter = |rest: &mut usize| {
        let letter = char::from(b'a' + u8::try_from(*rest % 26).expect("small"));
        *rest /= 26;
        letter
    };
    (0..5).map(|_| letter(&mut rest)).collect()
}

#[test]
fn us_s53_a_pool_may_have_one_node_more_than_a_shard() {
    let report = rolling(0, 0, 1_025);
    assert_sound(&report, &published(&report).status);
    let (memory, writer) = (Memory::default(), writer());
    let shards = publish::shards(Source { report: &report, memory: &memory, writer: &writer, past: None }, |_| None);
    let sizes: Vec<usize> = shards.iter().map(|shard| shard.status.nodes.len()).collect();
    assert_eq!(sizes, [3, 1_000, 25]);
    assert!(shards.iter().skip(1).all(|shard| shard.status.total == 1_025 && shard.status.shards == 2));
}

/// The table of update-status-api.md, 5.4: the longest names sharing nothing, every node degraded with an insight of
/// its own and a reason of its own, descriptions of 4 KB.
#[test]
fn us_5_4_every_cluster_fits() {
    let check = |pools: usize, health: usize, expect: u8| {
        let nodes = 5_000;
        let names: Vec<String> = (0..pools).map(|at| format!("pool-{at}")).collect();
        let reason = |number: usize| (0..20).map(|step| word(number * 53 + step) + " ").collect::<String>();
        let all = names.iter().enumerate().map(|(at, pool)| {
            let own = (0..nodes / pools).map(|node| {
                let number = at * (nodes / pools) + node;
                degraded(longest(number), pool, &reason(number))
            });
            (pool.as_str(), own.collect())
        });
        let insights = (0..health).map(|at| finding(at, &longest(at), &reason(at).repeat(34))).collect();
        let report = report(all.collect(), insights);
        let published = published(&report);
        eprintln!(
            "{pools} pools, {nodes} nodes, {health} insights: {} KiB at {}: {}",
            published.bytes / 1_024,
            published.level,
            published.dropped.told()
        );
        assert!(published.bytes <= HARD, "{pools} pools: {} bytes", published.bytes);
        assert!(published.level.number() <= expect, "{pools} pools: {}", published.level);
        assert_sound(&report, &published.status);
    };
    check(1, 100, 3);
    check(10, 500, 4);
    check(100, 500, 5);
    check(256, 500, 5);
    check(1_000, 500, 6);
    check(5_000, 1_000, 6);
}

/// Everything as large and as many as a report can have it, in characters of four bytes.
#[test]
fn us_5_4_the_last_step_fits_whatever_there_is() {
    let large = "\u{1f680}".repeat(4_200);
    // Of what is told of a node, no more is ever kept.
    let short = "\u{1f680}".repeat(300);
    let long_pool = |at: usize| format!("{}{at:04}", "p".repeat(249));
    let names: Vec<String> = (0..300).map(long_pool).collect();
    let phases = [Phase::Draining, Phase::Updating, Phase::Rebooting, Phase::Paused, Phase::Pending, Phase::Updated];
    let pools = names.iter().enumerate().map(|(at, pool)| {
        let nodes = (0..24).map(|node| {
            let number = at * 24 + node;
            let message = word(number).repeat(2) + &short;
            Unit {
                phase: phases[node % 6],
                available: condition(if node % 4 < 2 { Truth::False } else { Truth::True }, &short, &short),
                degraded: condition(if node % 8 < 4 { Truth::True } else { Truth::False }, &short, &short),
                version: Some(format!("4.18.{number}-{}", "v".repeat(50))),
                ..degraded(longest(number), pool, &message)
            }
        });
        (pool.as_str(), nodes.collect())
    });
    let mut insights: Vec<Insight> = (0..300).map(|at| finding(at, &longest(at), &large)).collect();
    for (at, insight) in insights.iter_mut().enumerate() {
        insight.summary = large.clone();
        insight.advice = large.clone();
        insight.reference = large.clone();
        insight.resources = (0..16).map(|node| ResourceRef::cluster("", "nodes", &longest(at * 16 + node))).collect();
    }
    let mut report = report(pools.collect(), insights);
    for at in 0..600 {
        let mut operator = component(&format!("{}{at:04}", "o".repeat(249)));
        operator.updating = condition(Truth::True, &large, &large);
        operator.healthy = condition(Truth::False, &large, &large);
        operator.progressing_reason = large.clone();
        operator.version = Some(large.clone());
        report.components.push(operator);
    }
    report.hints = vec![large.clone(); 100];
    report.gaps = vec![
        Gap {
            object: large.clone(),
            field: large.clone(),
            ..Gap::of_place(GapKind::Field, large.clone(), large.clone())
        };
        100
    ];
    report.cluster.versions.operators = (0..200).map(|at| (format!("{at}{large}"), at)).collect();
    report.cluster.versions.nodes = report.cluster.versions.operators.clone();
    let published = published(&report);
    eprintln!("the largest of all: {} bytes at {}", published.bytes, published.level);
    assert!(published.bytes <= HARD, "{} bytes at {}", published.bytes, published.level);
    assert_sound(&report, &published.status);
}

#[test]
fn a_shard_of_the_longest_rows_fits() {
    let large = "\u{1f680}".repeat(1_100);
    let nodes = (0..1_000).map(|at| Unit {
        current_config: Some(longest(at)),
        desired_config: Some(longest(at + 1)),
        blocked_by: vec![Blocker { namespace: large.clone(), pod: large.clone(), budget: large.clone() }; 3],
        since: Some(minutes_ago(at as i64)),
        ..degraded(longest(at), "worker", &large)
    });
    let report = report(vec![("worker", nodes.collect())], Vec::new());
    let (memory, writer) = (Memory::default(), writer());
    let shards = publish::shards(Source { report: &report, memory: &memory, writer: &writer, past: None }, |_| None);
    let status = &shards[1].status;
    let bytes = serde_json::to_vec(status).expect("JSON").len();
    eprintln!("a shard of the longest rows: {bytes} bytes");
    assert!(bytes <= HARD, "{bytes}");
    assert_eq!(status.nodes.len(), 1_000);
    assert_eq!(status.conditions.of(kind::TRUNCATED).expect("it is told").status, Told::True);
}

#[test]
fn us_s54_a_level_that_was_refused_is_not_tried_again() {
    let report = rolling(0, 0, 100);
    let (memory, writer) = (Memory::default(), writer());
    let source = Source { report: &report, memory: &memory, writer: &writer, past: None };
    let mut level = Level::FULL;
    let mut seen = Vec::new();
    loop {
        let published = publish::status(source, level);
        assert!(published.level >= level);
        seen.push(published.level.number());
        match published.level.next() {
            Some(next) => level = next,
            None => break,
        }
    }
    assert_eq!(seen, [0, 1, 2, 3, 4, 5, 6], "one step at a time, and an end");
}

#[test]
fn the_ladder_is_climbed_back_only_when_there_is_room() {
    let (memory, writer) = (Memory::default(), writer());
    // Descriptions that fit at L0, above the target.
    let insights = |count: usize| (0..count).map(|at| finding(at, &aws(at), &"x".repeat(4_000))).collect::<Vec<_>>();
    let large = report(Vec::new(), insights(190));
    let publish = |report: &Report, past: Option<&Status>| {
        publish::status(Source { report, memory: &memory, writer: &writer, past }, Level::FULL)
    };
    let fresh = publish(&large, None);
    assert_eq!(fresh.level, Level::FULL);
    assert!(fresh.bytes > publish::TARGET && fresh.bytes <= HARD, "{}", fresh.bytes);
    let cut = publish(&report(Vec::new(), insights(250)), None);
    assert!(cut.level > Level::FULL);
    assert_eq!(publish(&large, Some(&cut.status)).level, cut.level, "it would fit, and only just");
    assert_eq!(publish(&report(Vec::new(), insights(10)), Some(&cut.status)).level, Level::FULL);
}

fn any_text() -> impl Strategy<Value = String> {
    let piece =
        prop::sample::select(vec!["x", "\u{1f680}", "\"", "\\", "\n", "\u{1}", "…", " node ", "a1b2c3d4e5", ""]);
    (piece, 0usize..600).prop_map(|(piece, count)| piece.repeat(count))
}

prop_compose! {
    fn any_report()(
        pools in 0usize..260,
        nodes in 0usize..1_200,
        health in 0usize..300,
        long in any::<bool>(),
        bad in any::<bool>(),
        message in any_text(),
        text in any_text(),
        differ in any::<bool>(),
    ) -> Report {
        let names: Vec<String> = (0..pools).map(|at| format!("pool-{at}")).collect();
        let name = |at: usize| if long { longest(at) } else { aws(at) };
        let all = names.iter().enumerate().map(|(at, pool)| {
            let own = (at..nodes).step_by(pools.max(1)).map(|node| {
                if bad {
                    let message = if differ { word(node) + &message } else { message.clone() };
                    degraded(name(node), pool, &message)
                } else {
                    unit(name(node), pool, if node % 3 == 0 { Phase::Pending } else { Phase::Updated })
                }
            });
            (pool.as_str(), own.collect())
        });
        let insights = (0..health).map(|at| finding(at, &name(at), &text)).collect();
        report(all.collect(), insights)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn us_5_4_no_object_is_too_large_and_no_count_is_wrong(report in any_report()) {
        let published = published(&report);
        prop_assert!(published.bytes <= HARD, "{} bytes at {}", published.bytes, published.level);
        let exact = serde_json::to_vec(&published.status).expect("JSON").len();
        prop_assert!(published.bytes > exact, "the record of owners is part of it");
        assert_sound(&report, &published.status);
        prop_assert_eq!(published.status.observed.as_ref().map(|observed| observed.at), Some(NOW));
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn a_level_is_skipped_only_if_it_is_too_large(report in any_report()) {
        // What is skipped without being made must not fit when it is made.
        let published = published(&report);
        let (memory, writer) = (Memory::default(), writer());
        let source = Source { report: &report, memory: &memory, writer: &writer, past: None };
        for number in 0..published.level.number() {
            prop_assert!(publish::size_at(source, Level::new(number)) > HARD, "L{number} would fit");
        }
    }
}
