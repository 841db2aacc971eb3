//! Whatever single field of a cluster in the middle of its update is taken away, it is not told as done.

use headway_api::report::{Activity, Outcome, Report};
use headway_core::assess::hosted::report;
use serde_json::{Value, json};

use super::scenarios::moving;
use super::world::{NEW, OLD, components, entry, inventory_of, node, side, world_with};

/// Every place in a value, as JSON pointers, the outer before the inner.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.replace('/', "~1"), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, value) in inner {
        let place = format!("{at}/{key}");
        all.push(place.clone());
        places(value, &place, all);
    }
}

fn without(world: &Value, place: &str) -> Value {
    let mut world = world.clone();
    let (parent, key) = place.rsplit_once('/').unwrap();
    match world.pointer_mut(parent).unwrap() {
        Value::Object(fields) => drop(fields.remove(&key.replace("~1", "/"))),
        Value::Array(items) => drop(items.remove(key.parse().unwrap())),
        other => panic!("{place}: {other}"),
    }
    world
}

/// The report without each place below some, in turn.
fn each(world: &Value, below: &[&str], check: impl Fn(&str, &Report)) {
    let mut count = 0;
    for top in below {
        let mut all = Vec::new();
        places(world.pointer(top).unwrap(), top, &mut all);
        for place in all {
            let inventory = inventory_of(&without(world, &place));
            if let Some(cluster) = inventory.hosted_clusters.first() {
                let report = report(&inventory, cluster);
                sane(&place, &report);
                check(&place, &report);
                count += 1;
            }
        }
    }
    assert!(count > 50, "only {count} places were tried");
}

/// What holds of every report.
fn sane(place: &str, report: &Report) {
    let cluster = &report.cluster;
    let is_done = cluster.updating.reason == "NotProgressing";
    assert_eq!(cluster.completion_percent == Some(100), is_done, "{place}");
    assert!(cluster.operators.updated <= cluster.operators.total, "{place}");
    for pool in &report.pools {
        let counts = &pool.counts;
        assert!(counts.outdated <= counts.total && counts.degraded <= counts.total, "{place}: {counts:?}");
        assert!(pool.completion_percent != Some(100) || counts.outdated == 0, "{place}: {counts:?}");
    }
    let mut uids: Vec<&str> = report.insights.iter().map(|insight| insight.uid.as_str()).collect();
    uids.sort_unstable();
    uids.dedup();
    assert_eq!(uids.len(), report.insights.len(), "{place}: two insights of one identity");
    for insight in &report.insights {
        assert!(!insight.summary.contains('\n') && !insight.summary.is_empty(), "{place}: {insight:?}");
        assert!(!insight.reference.is_empty() && !insight.resources.is_empty(), "{place}: {insight:?}");
    }
}

#[test]
fn a_control_plane_on_its_way_is_never_told_as_done() {
    let half = || side(NEW, vec![entry(NEW, 10, None), entry(OLD, 9_050, Some(9_000))]);
    let world = world_with(&[
        ("/hosted/0/status/controlPlaneVersion", half()),
        ("/hosted/0/status/version", half()),
        ("/components", components(4, 1)),
    ]);
    each(&world, &["/hosted", "/components", "/pools"], |place, report| {
        assert_ne!(report.outcome, Outcome::NotUpdating, "{place}");
        assert!(report.cluster.completion_percent.is_none_or(|percent| percent < 100), "{place}");
    });
}

#[test]
fn a_pool_on_its_way_is_never_told_as_done() {
    let world = world_with(&[("/pools", json!([moving()]))]);
    each(&world, &["/pools/0/spec", "/pools/0/status", "/hosted/0/spec", "/hosted/0/status"], |place, report| {
        // Without its cluster's name it is nobody's pool.
        if place != "/pools/0/spec/clusterName" {
            assert_ne!(report.activity, Activity::NotUpdating, "{place}");
        }
    });
}

#[test]
fn nodes_in_place_are_never_told_as_done_before_they_are() {
    let mut pool = moving();
    pool["spec"]["management"] = json!({"upgradeType": "InPlace"});
    pool["status"]["nodesInfo"] = Value::Null;
    let nodes = json!([
        node("a-0", "1bb", "1bb", "Done"),
        node("a-1", "0aa", "1bb", "Working"),
        node("a-2", "0aa", "0aa", "Done")
    ]);
    let set = json!({"metadata": {"name": "a", "namespace": "bay-tern", "annotations": {
        "hypershift.openshift.io/nodePool": "bay/a", "hypershift.openshift.io/nodePoolTargetConfigVersion": "1bb",
        "hypershift.openshift.io/nodePoolCurrentConfigVersion": "0aa"}}});
    let world = world_with(&[
        ("/pools", json!([pool])),
        ("/nodes", nodes),
        ("/sets", json!([set])),
        ("/seen/guest", true.into()),
    ]);
    each(&world, &["/pools/0/status", "/nodes", "/sets"], |place, report| {
        assert_ne!(report.outcome, Outcome::NotUpdating, "{place}");
        assert!(report.pools.iter().all(|pool| pool.completion_percent.is_none_or(|percent| percent < 100)), "{place}");
    });
}
