//! The largest object that the server takes, measured; and that what we write stays far below.

use headway_api::update::definition;
use headway_core::publish::HARD;
use serde_json::{Value, json};

use super::accepted::{condition, pool_reference, reference};
use super::server::{Server, Stay, server};

/// A node insight as the proposal has it, with the name that AWS gives.
fn insight(number: usize) -> Value {
    let name = format!("ip-10-{}-{}-{}.us-east-2.compute.internal", number / 62_500, number / 250 % 250, number % 250);
    json!({
        "uid": format!("node-{number}"),
        "acquiredAt": "2026-05-04T08:00:00Z",
        "insight": { "type": "Node", "node": {
            "conditions": [condition("Updating"), condition("Available"), condition("Degraded")],
            "name": name,
            "resource": reference("", "nodes", &name),
            "poolResource": pool_reference("worker"),
            "scopeType": "WorkerPool",
            "version": "4.17.20",
        }},
    })
}

/// Our kind under another group, with lists as the proposal has them: longer, and owned insight by insight or as wholes.
fn proposal(group: &str, list_type: &str) -> Value {
    let mut definition = serde_json::to_value(&definition::all()[0]).unwrap();
    definition["metadata"]["name"] = json!(format!("updatestatuses.{group}"));
    definition["spec"]["group"] = json!(group);
    definition["spec"]["names"]["shortNames"] = json!([]);
    let schema =
        definition.pointer_mut("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties").unwrap();
    let pools = &mut schema["workerPools"];
    pools["maxItems"] = json!(1);
    let insights = &mut pools["items"]["properties"]["informers"]["items"]["properties"]["insights"];
    insights["maxItems"] = json!(8_192);
    insights["x-kubernetes-list-type"] = json!(list_type);
    if list_type == "map" {
        insights["x-kubernetes-list-map-keys"] = json!(["uid"]);
    }
    definition
}

fn stored(server: &Server, resource: &str) -> (usize, usize) {
    let text = server.plane.kubectl_text(&["get", resource, "cluster", "-o", "json", "--show-managed-fields"]).unwrap();
    let object: Value = serde_json::from_str(&text).unwrap();
    (object["status"].to_string().len(), object["metadata"]["managedFields"].to_string().len())
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_5_2_what_the_shapes_of_the_proposal_cost() {
    let server = server();
    eprintln!("list       insights   status KiB   managedFields KiB   the server");
    let mut answers = Vec::new();
    for (group, list_type, counts) in [
        ("keyed.headway.dev", "map", [1_000, 1_024, 1_100, 2_000]),
        ("whole.headway.dev", "atomic", [1_000, 1_024, 1_100, 2_000]),
    ] {
        server.plane.apply_crds(&proposal(group, list_type).to_string()).unwrap();
        let resource = format!("updatestatuses.{group}");
        let api = format!("{group}/v1alpha1");
        let object =
            json!({ "apiVersion": api, "kind": "UpdateStatus", "metadata": { "name": "cluster" }, "spec": {} });
        let arguments = ["apply", "--server-side", "--field-manager=headway-status", "-f", "-"];
        server.kubectl(&arguments, &object).unwrap();
        for count in counts {
            let insights: Vec<Value> = (0..count).map(insight).collect();
            let pool = json!({
                "name": "worker",
                "resource": pool_reference("worker"),
                "informers": [{ "name": "nodes", "insights": insights }],
            });
            let mut full = object.clone();
            full["status"] = json!({ "workerPools": [pool] });
            let sent = full["status"].to_string().len();
            let mut arguments = arguments.to_vec();
            arguments.push("--subresource=status");
            let answer = server.kubectl(&arguments, &full);
            let told = match &answer {
                Ok(_) => {
                    let (status, managed) = stored(&server, &resource);
                    format!("{:>10} {:>19}   takes it", status / 1_024, managed / 1_024)
                }
                Err(refusal) => format!("{:>10} {:>19}   {}", sent / 1_024, "-", refusal.trim()),
            };
            eprintln!("{list_type:<10} {count:>8} {told}");
            answers.push((list_type, count, answer.is_ok()));
        }
    }
    // Owned as wholes, they need no record a line: that is what our kind does.
    assert!(answers.contains(&("atomic", 2_000, true)), "{answers:?}");
    assert!(answers.contains(&("map", 2_000, false)), "the keyed shape ends below 2,000: {answers:?}");
}

#[test]
#[ignore = "ring 2: needs a real API server"]
fn us_5_1_the_largest_object_that_is_taken() {
    let server = server();
    server.clear();
    server.create("UpdateStatus", "cluster");
    // A group of names, as large as it has to be.
    let status = |bytes: usize| {
        let names: Vec<String> = (0..bytes / 256).map(|at| format!("{at:06}{}", "x".repeat(247))).collect();
        let groups: Vec<Value> = names
            .chunks(2_000)
            .enumerate()
            .map(|(at, names)| json!({
                "key": format!("g-{at}"), "count": names.len(), "phase": "Pending", "updating": "False",
                "available": "True", "degraded": "False", "reason": "AsExpected", "firstSeen": "2026-05-04T08:00:00Z",
                "lastTransitionTime": "2026-05-04T08:00:00Z", "nodeNames": names,
            }))
            .collect();
        json!({ "workerPools": [{ "name": "worker", "resource": pool_reference("worker"), "nodeGroups": groups }] })
    };
    let mut largest = 0;
    let mut smallest_refused = usize::MAX;
    for bytes in [HARD, 1_200_000, 1_400_000, 1_500_000, 1_550_000, 1_600_000, 2_000_000, 3_000_000, 3_300_000] {
        let status = status(bytes);
        let sent = status.to_string().len();
        match server.status("UpdateStatus", "cluster", &status, Stay::Kept) {
            Ok(_) => {
                largest = largest.max(sent);
                eprintln!("{sent} bytes: taken");
            }
            Err(refusal) => {
                smallest_refused = smallest_refused.min(sent);
                eprintln!("{sent} bytes: {}", refusal.trim());
            }
        }
    }
    assert!(largest >= HARD - 1_000, "our limit is below the server's: {largest}");
    assert!(smallest_refused < 1_700_000, "there is an end: {smallest_refused}");
    assert!(largest < smallest_refused);
    server.clear();
}
