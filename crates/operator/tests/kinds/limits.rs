//! Each of our own limits and rules has a case that it refuses, beside one at its edge that it takes.

use serde_json::{Value, json};

use super::accepted::{
    Cases, Expect, Refused, Taken, cluster_version, condition, control_plane, health, node, operator, pool,
    pool_reference, reference, update, version, with, workers,
};
use super::server::server;

fn text(length: usize) -> Value {
    json!("x".repeat(length))
}

fn list(length: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..length).map(item).collect()
}

fn group() -> Value {
    json!({
        "key": "pending-4.17.20", "count": 2, "phase": "Pending", "updating": "False", "available": "True",
        "degraded": "False", "version": "4.17.20", "reason": "AsExpected", "firstSeen": "2026-05-04T08:00:00Z",
        "lastTransitionTime": "2026-05-04T08:00:00Z", "nameSuffix": ".example.com", "nodeNames": ["w-1", "w-2"],
    })
}

fn with_group(group: &Value) -> Value {
    json!({ "workerPools": [{ "name": "worker", "resource": pool_reference("worker"), "nodeGroups": [group] }] })
}

fn informer(insights: &Value) -> Value {
    json!({ "name": "nodes", "insights": insights })
}

fn finding(uid: &str) -> Value {
    json!({ "uid": uid, "acquiredAt": "2026-05-04T08:00:00Z", "insight": { "type": "Health", "health": health() } })
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_3_lists_of_the_container() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, status: &Value, expect: Expect| cases.check(what, "UpdateStatus", status, expect);

    let conditions = |length: usize| json!({ "conditions": list(length, |at| condition(&format!("C{at}"))) });
    check("10 conditions", &conditions(10), Taken);
    check("11 conditions", &conditions(11), Refused("must have at most 10 items"));
    let twice = json!({ "conditions": [condition("Updating"), condition("Updating")] });
    check("a condition twice", &twice, Refused("Updating"));

    let pools = |length: usize| {
        let pool = |at: usize| json!({ "name": format!("p-{at}"), "resource": pool_reference(&format!("p-{at}")) });
        json!({ "workerPools": list(length, pool) })
    };
    check("256 pools", &pools(256), Taken);
    check("257 pools", &pools(257), Refused("must have at most 256 items"));
    let pool = json!({ "name": "worker", "resource": pool_reference("worker") });
    check("a pool twice", &json!({ "workerPools": [pool, pool] }), Refused("worker"));

    let of_pool = |informers: &Value| json!({ "workerPools": [{ "name": "worker", "resource": pool_reference("worker"), "informers": informers }] });
    let of_control_plane =
        |informers: &Value| json!({ "controlPlane": { "resource": cluster_version(), "informers": informers } });
    let informers = |length: usize| list(length, |at| json!({ "name": format!("i-{at}") }));
    check("4 informers of a pool", &of_pool(&informers(4)), Taken);
    check("5 informers of a pool", &of_pool(&informers(5)), Refused("must have at most 4 items"));
    check("16 informers of the control plane", &of_control_plane(&informers(16)), Taken);
    check(
        "17 informers of the control plane",
        &of_control_plane(&informers(17)),
        Refused("must have at most 16 items"),
    );
    let named = |name: &str| of_pool(&json!([{ "name": name }]));
    check("an informer without a name", &named(""), Refused("informers[0].name"));
    check("an informer with a space", &named("a b"), Refused("informers[0].name"));
    let state = |state: &str| of_pool(&json!([{ "name": "nodes", "state": state }]));
    check("an informer that is stale", &state("Stale"), Taken);
    check("an informer in a state that there is not", &state("Asleep"), Refused("Unsupported value: \"Asleep\""));

    let insights = |length: usize| of_pool(&json!([informer(&list(length, |at| finding(&format!("h-{at}"))))]));
    check("256 insights of an informer", &insights(256), Taken);
    check("257 insights of an informer", &insights(257), Refused("must have at most 256 items"));
    for (uid, expect) in [
        ("h-co-degraded-0123456789abcdef", Taken),
        (&*"x".repeat(63), Taken),
        (&*"x".repeat(64), Refused("insights[0].uid")),
        ("", Refused("insights[0].uid")),
        ("node-w-1.example.com", Refused("insights[0].uid")),
        ("H-CO-DEGRADED", Refused("insights[0].uid")),
        ("bm90IGEgbGFiZWw=", Refused("insights[0].uid")),
    ] {
        check(&format!("an insight called `{uid}`"), &of_pool(&json!([informer(&json!([finding(uid)]))])), expect);
    }

    let one = |name: &str, value: Value| json!({ name: value });
    let attention = |at: usize| json!({ "uid": format!("h-{at}"), "type": "Health", "level": "Error", "summary": "x" });
    check("32 places to look at", &one("attention", list(32, attention)), Taken);
    check("33 places to look at", &one("attention", list(33, attention)), Refused("must have at most 32 items"));
    check("32 remarks", &one("hints", list(32, |_| text(1_024))), Taken);
    check("33 remarks", &one("hints", list(33, |_| text(1))), Refused("must have at most 32 items"));
    check("a remark without an end", &one("hints", json!([text(1_025)])), Refused("hints[0]"));
    let gap = |kind: &str| json!({ "kind": kind, "message": "x" });
    check("64 gaps", &one("gaps", list(64, |_| gap("Missing"))), Taken);
    check("65 gaps", &one("gaps", list(65, |_| gap("Missing"))), Refused("must have at most 64 items"));
    check(
        "a gap of a kind that there is not",
        &one("gaps", json!([gap("Lost")])),
        Refused("Unsupported value: \"Lost\""),
    );
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_6_groups_of_nodes() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, status: &Value, expect: Expect| cases.check(what, "UpdateStatus", status, expect);
    check("a group", &with_group(&group()), Taken);
    let mut bend = |what: &str, field: &str, value: Value, expect: Expect| {
        check(what, &with_group(&with(group(), field, value)), expect);
    };
    bend("100,000 nodes", "/count", json!(100_000), Taken);
    bend("more nodes", "/count", json!(100_001), Refused("should be less than or equal to 100000"));
    bend("fewer than none", "/count", json!(-1), Refused("should be greater than or equal to 0"));
    bend("a long key", "/key", text(64), Refused("key"));
    bend("a phase that there is not", "/phase", json!("Asleep"), Refused("Unsupported value: \"Asleep\""));
    bend("a phase of other forms", "/phase", json!("Provisioning"), Taken);
    bend("neither true nor false", "/available", json!("Maybe"), Refused("Unsupported value: \"Maybe\""));
    bend("a long message", "/message", text(257), Refused("message"));
    bend("20,000 names", "/nodeNames", list(20_000, |at| json!(format!("w-{at}"))), Taken);
    bend("20,001 names", "/nodeNames", list(20_001, |_| json!("w")), Refused("must have at most 20000 items"));
    bend("the longest name", "/nodeNames", json!([text(253)]), Taken);
    bend("a longer name", "/nodeNames", json!([text(254)]), Refused("nodeNames[0]"));
    let groups = |length: usize| {
        let groups = list(length, |at| with(group(), "/key", json!(format!("g-{at}"))));
        json!({ "workerPools": [{ "name": "worker", "resource": pool_reference("worker"), "nodeGroups": groups }] })
    };
    check("32 groups", &groups(32), Taken);
    check("33 groups", &groups(33), Refused("must have at most 32 items"));
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_3_an_insight_is_what_its_type_says() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, status: &Value, expect: Expect| cases.check(what, "UpdateStatus", status, expect);
    let bodies = [
        ("ClusterVersion", "clusterVersion", version(&update())),
        ("ClusterOperator", "clusterOperator", operator()),
        ("MachineConfigPool", "machineConfigPool", pool()),
        ("Node", "node", node()),
        ("Health", "health", health()),
    ];
    let told = [
        "clusterVersion is set, with a resource of clusterversions, if and only if type is ClusterVersion",
        "clusterOperator is set, with a resource of clusteroperators, if and only if type is ClusterOperator",
        "machineConfigPool is set, with a resource of machineconfigpools, if and only if type is MachineConfigPool",
        "node is set, with a resource of nodes without a group, if and only if type is Node",
        "health is set if and only if type is Health",
    ];
    for (at, (kind, member, body)) in bodies.iter().enumerate() {
        check(&format!("{kind} without a body"), &control_plane(&[json!({ "type": kind })]), Refused(told[at]));
        let (_, other, another) = &bodies[(at + 1) % 5];
        let two = json!({ "type": kind, (*member): body, (*other): another });
        check(&format!("{kind} with {other}"), &control_plane(&[two]), Refused(told[(at + 1) % 5]));
        if at < 4 {
            let elsewhere = with(body.clone(), "/resource", reference("example.com", "others", "x"));
            let status = control_plane(&[json!({ "type": kind, (*member): elsewhere })]);
            check(&format!("{kind} of another resource"), &status, Refused(told[at]));
        }
        if at >= 2 {
            check(
                &format!("{kind} without a body, of a pool"),
                &workers(&[json!({ "type": kind })]),
                Refused(told[at]),
            );
        } else {
            // Of a pool there are no such insights.
            let status = workers(&[json!({ "type": kind, (*member): body })]);
            check(&format!("{kind} of a pool"), &status, Refused("field not declared in schema"));
        }
    }
    // The core group has no name.
    let core = with(node(), "/resource", json!({ "group": "core", "resource": "nodes", "name": "w-1.example.com" }));
    check("a node of a group", &workers(&[json!({ "type": "Node", "node": core })]), Refused(told[3]));
    check(
        "a type that there is not",
        &control_plane(&[json!({ "type": "Weather" })]),
        Refused("Unsupported value: \"Weather\""),
    );
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_2_texts_and_numbers() {
    let server = server();
    let mut cases = Cases::new(&server);
    let mut check = |what: &str, kind: &str, status: &Value, expect: Expect| cases.check(what, kind, status, expect);

    let kind = "UpdateStatus";
    let bent = |field: &str, value: Value| json!({ "conditions": [with(condition("Updating"), field, value)] });
    check("a reason of an operator", kind, &bent("/reason", json!("NodeInstaller_Failed::StaticPods_Error")), Taken);
    check("a reason with a space", kind, &bent("/reason", json!("Not ready")), Refused("conditions[0].reason"));
    check("no reason", kind, &bent("/reason", json!("")), Refused("conditions[0].reason"));
    check("a type with a space", kind, &bent("/type", json!("Up dating")), Refused("conditions[0].type"));
    check(
        "a status that there is not",
        kind,
        &bent("/status", json!("Perhaps")),
        Refused("Unsupported value: \"Perhaps\""),
    );
    check("a time that is none", kind, &bent("/lastTransitionTime", json!("yesterday")), Refused("lastTransitionTime"));
    check("a long message", kind, &bent("/message", text(32_769)), Refused("conditions[0].message"));
    let lines = "line\nline \u{1f680}\n".repeat(170);
    check("2 KB with line breaks", kind, &bent("/message", json!(lines)), Taken);

    let summary = json!({
        "form": "Standalone", "outcome": "Updating", "activity": "Updating", "assessment": "Progressing",
        "poolsPending": 1, "attention": 0,
    });
    let bent = |field: &str, value: Value| json!({ "summary": with(summary.clone(), field, value) });
    check("a summary", kind, &json!({ "summary": summary }), Taken);
    check("101 percent", kind, &bent("/completion", json!(101)), Refused("should be less than or equal to 100"));
    check(
        "an outcome that there is not",
        kind,
        &bent("/outcome", json!("Superb")),
        Refused("Unsupported value: \"Superb\""),
    );
    check("a long assessment", kind, &bent("/assessment", text(65)), Refused("summary.assessment"));
    check("waiting on a novel", kind, &bent("/waitingOn", text(513)), Refused("summary.waitingOn"));
    let observed = |level: i32| {
        json!({ "observed": {
            "at": "2026-05-04T08:00:00Z", "renderer": "x", "form": "Standalone", "truncationLevel": level,
        }})
    };
    check("the last level", kind, &observed(6), Taken);
    check("a level that there is not", kind, &observed(10), Refused("truncationLevel"));

    let kind = "HealthInsight";
    let mut bend = |what: &str, field: &str, value: Value, expect: Expect| {
        check(what, kind, &with(health(), field, value), expect);
    };
    bend("a level that there is not", "/impact/level", json!("Fatal"), Refused("Unsupported value: \"Fatal\""));
    bend("an impact that there is not", "/impact/type", json!("Boredom"), Refused("Unsupported value: \"Boredom\""));
    bend("the scope of another tool", "/scope/type", json!("Cluster"), Refused("Unsupported value: \"Cluster\""));
    bend("no summary", "/impact/summary", json!(""), Refused("impact.summary"));
    bend("256 characters of three bytes", "/impact/summary", json!("…".repeat(256)), Taken);
    bend("a long summary", "/impact/summary", text(257), Refused("impact.summary"));
    bend("4,096 characters", "/impact/description", text(4_096), Taken);
    bend("a long description", "/impact/description", text(4_097), Refused("impact.description"));
    bend(
        "a long link",
        "/remediation/reference",
        json!(format!("https://x/{}", "y".repeat(503))),
        Refused("reference"),
    );
    bend("the id of a rule", "/ruleID", json!("H-CO-DEGRADED"), Taken);
    bend("the id of no rule", "/ruleID", json!("h-co-degraded"), Refused("ruleID"));
    bend("a count below nothing", "/occurrences", json!(-1), Refused("occurrences"));
    let objects = |length: usize| list(length, |at| reference("", "nodes", &format!("w-{at}")));
    bend("128 objects", "/scope/resources", objects(128), Taken);
    bend("129 objects", "/scope/resources", objects(129), Refused("must have at most 128 items"));
    let object = |name: &str| json!([reference("", "nodes", name)]);
    bend("the longest name", "/scope/resources", object(&format!("w.{}", "x".repeat(251))), Taken);
    bend("a longer name", "/scope/resources", object(&"x".repeat(254)), Refused("resources[0].name"));
    bend(
        "an alert for an object",
        "/scope/resources",
        json!([reference("", "alerts", "KubePodCrashLooping")]),
        Refused("resources[0].name"),
    );
    bend("an alert", "/scope/alerts", json!([{ "name": "KubePodCrashLooping", "namespace": "openshift-etcd" }]), Taken);
    let surface = |word: &str| json!([with(reference("", "nodes", "w"), "/cluster", json!(word))]);
    bend("an object elsewhere", "/scope/resources", surface("Hosted"), Taken);
    bend("an object nowhere", "/scope/resources", surface("Moon"), Refused("Unsupported value: \"Moon\""));
    let related = |_: usize| json!({ "ruleID": "H-CO-DEGRADED", "summary": "x" });
    bend("16 related findings", "/related", list(16, related), Taken);
    bend("17 related findings", "/related", list(17, related), Refused("must have at most 16 items"));

    let kind = "MachineConfigPoolProgressInsight";
    let counts = |kind: &str, count: i64| with(pool(), "/summaries", json!([{ "type": kind, "count": count }]));
    check("5,000 nodes", kind, &counts("Total", 5_000), Taken);
    check("100,001 nodes", kind, &counts("Total", 100_001), Refused("summaries[0].count"));
    check("nodes that nobody counts", kind, &counts("Lost", 1), Refused("Unsupported value: \"Lost\""));

    let kind = "ClusterVersionProgressInsight";
    let marked = |metadata: Value| version(&with(update(), "/target/metadata", metadata));
    check(
        "a mark that there is not",
        kind,
        &marked(json!([{ "key": "Blessed" }])),
        Refused("Unsupported value: \"Blessed\""),
    );
    let twice = json!([{ "key": "Architecture", "value": "a" }, { "key": "Architecture", "value": "b" }]);
    check("a mark twice", kind, &marked(twice), Refused("Architecture"));
    check(
        "a short version",
        kind,
        &version(&with(update(), "/target/version", json!("4.1"))),
        Refused("target.version"),
    );
    cases.end();
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_2_6_details_of_a_pool() {
    let server = server();
    let mut cases = Cases::new(&server);
    let row = |at: usize| json!({ "name": format!("w-{at}"), "phase": "Pending" });
    let shard = |nodes: Value| json!({ "pool": "worker", "shard": 0, "shards": 1, "total": 1, "nodes": nodes });
    let mut check = |what: &str, status: &Value, expect: Expect| cases.check(what, "PoolUpdateStatus", status, expect);
    check("1,000 nodes", &shard(list(1_000, row)), Taken);
    check("1,001 nodes", &shard(list(1_001, row)), Refused("must have at most 1000 items"));
    let mut bend = |what: &str, field: &str, value: Value, expect: Expect| {
        check(what, &shard(json!([with(row(0), field, value)])), expect);
    };
    bend("no name", "/name", json!(""), Refused("nodes[0].name"));
    bend("a phase that there is not", "/phase", json!("Asleep"), Refused("Unsupported value: \"Asleep\""));
    bend("a long message", "/message", text(1_025), Refused("nodes[0].message"));
    bend("a day", "/minutes", json!(1_440), Refused("nodes[0].minutes"));
    let blocker = |_: usize| json!({ "namespace": "n", "pod": "p", "budget": "b" });
    bend("16 pods that hold it", "/blockedBy", list(16, blocker), Taken);
    bend("17 pods that hold it", "/blockedBy", list(17, blocker), Refused("must have at most 16 items"));
    check("no shard", &with(shard(json!([])), "/shards", json!(0)), Refused("status.shards"));
    cases.end();
}
