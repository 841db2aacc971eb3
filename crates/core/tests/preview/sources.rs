//! Who names the versions, and what is said where nobody who was seen does.

use headway_api::preview::{Preview, Verdict};
use headway_core::preview::{Wish, of_cluster};
use serde_json::json;

use super::world::{Changes, inventory, preview, workers};

fn told(preview: &Preview) -> String {
    let source = preview.source.as_ref().map(ToString::to_string).unwrap_or_default();
    let way: Vec<String> = preview.control_plane.iter().map(ToString::to_string).collect();
    let workers: Vec<String> = preview.workers.iter().map(ToString::to_string).collect();
    format!("{:?} by {source}: {} | {}", preview.verdict, way.join(" "), workers.join(" "))
}

#[track_caller]
fn check(changes: Changes<'_>, expect: &str, unknown: &str) {
    let preview = preview(changes, "");
    assert_eq!(told(&preview), expect);
    let serious: Vec<&str> = preview.unknowns.iter().filter(|it| it.serious).map(|it| it.message.as_str()).collect();
    match unknown {
        "" => assert_eq!(serious, Vec::<&str>::new()),
        part => assert!(serious.iter().any(|message| message.contains(part)), "{serious:?}"),
    }
}

const CLASS: &str = "/classes/0/spec/kubernetesVersions";
const EXTENSION: (&str, &str) = ("/classes/0/spec/upgrade", "plan.acme");

#[test]
fn a_list_an_extension_or_nobody() {
    let target = |version: &str| ("/clusters/0/spec/topology/version", json!(version));
    check(&[], "Ready by the versions of ClusterClass/sea: v1.32.0 | v1.32.0", "");
    check(&[target("v1.34.0")], "Ready by the versions of ClusterClass/sea: v1.32.0 v1.33.0 v1.34.0 | v1.34.0", "");
    check(&[(CLASS, json!([]))], "Ready by one minor at a time: v1.32.0 | v1.32.0", "");
    check(&[(CLASS, json!([])), target("v1.33.0")], "Refused by one minor at a time:  | ", "");
    // What an extension answers is not known, unless Cluster API has written down what it answered last.
    let by_extension = (EXTENSION.0, json!({"external": {"generateUpgradePlanExtension": EXTENSION.1}}));
    check(std::slice::from_ref(&by_extension), "CannotTell by :  | ", "extension plan.acme plans the upgrades");
    let recorded = json!({"conditions": [], "controlPlane": {"upgradePlan": [{"version": "v1.31.0"}, {"version": "v1.32.0"}]},
        "workers": {"upgradePlan": [{"version": "v1.32.0"}]}});
    let recorded = ("/clusters/0/status", recorded);
    let expect = "CannotTell by the extension plan.acme: v1.32.0 | v1.32.0";
    check(&[by_extension, recorded.clone()], expect, "what extension plan.acme answers now");
    // The class is elsewhere.
    let elsewhere = ("/classes/0/metadata/name", json!("other"));
    check(
        &[elsewhere.clone(), recorded],
        "CannotTell by the plan in the status of the Cluster: v1.32.0 | v1.32.0",
        "ClusterClass/bay/sea was not seen",
    );
    check(
        std::slice::from_ref(&elsewhere),
        "CannotTell by one minor at a time: v1.32.0 | v1.32.0",
        "ClusterClass/bay/sea was not seen",
    );
    // It could be that the class knows a way.
    check(
        &[elsewhere, target("v1.34.0")],
        "CannotTell by one minor at a time:  | ",
        "ClusterClass/bay/sea was not seen",
    );
}

#[test]
fn the_older_form_of_a_cluster_is_read() {
    let topology = json!({"class": "sea", "version": "v1.32.0", "workers": {"machineDeployments": [{"name": "a"}, {"name": "b"}]}});
    check(
        &[("/clusters/0/spec/topology", topology)],
        "Ready by the versions of ClusterClass/sea: v1.32.0 | v1.32.0",
        "",
    );
}

#[test]
fn a_given_list_goes_before_the_class() {
    let inventory = inventory(&[]);
    let cluster = inventory.pick(Some("gull"), None).unwrap();
    let versions = ["v1.31.0", "v1.31.5", "v1.32.7"].map(str::to_owned).to_vec();
    let wish = Wish { to: Some("v1.32.7".into()), versions };
    let preview = of_cluster(&inventory, cluster, &wish).unwrap();
    assert!(told(&preview).contains("by the version list: v1.32.7 | v1.32.7"), "{}", told(&preview));
    // The class goes on to say which targets are let in.
    assert!(preview.holds[0].message.contains("ClusterClass/bay/sea does not list v1.32.7"), "{:?}", preview.holds);
}

#[test]
fn groups_by_the_topology() {
    let entries = json!([{"name": "b"}, {"name": "a", "version": "v1.31.0"}, {"name": "new"}]);
    let mut going = workers("c", "v1.28.0");
    going["metadata"]["deletionTimestamp"] = json!("2026-05-04T08:00:00Z");
    let preview = preview(
        &[
            ("/clusters/0/spec/topology/workers/machineDeployments", entries),
            ("/machineDeployments", json!([workers("a", "v1.31.0"), workers("b", "v1.31.0"), going])),
        ],
        "",
    );
    let plan = preview.plan.unwrap();
    let told: Vec<String> =
        plan.groups.iter().map(|group| format!("{} {}", group.group.name, group.moves.len())).collect();
    assert_eq!(told, ["b 1", "a 0", "c 0"]);
    let has = |part: &str| preview.remarks.iter().any(|remark| remark.contains(part));
    assert!(has("MachineDeployment/a is pinned to v1.31.0, and is not moved"), "{:?}", preview.remarks);
    assert!(has("MachineDeployment/c is being deleted and must be gone before the control plane takes v1.32.0"));
    assert!(has("the MachineDeployment of the entry new is not there yet"));
}

#[test]
fn one_list_for_all_workers_may_cost_moves() {
    let preview = preview(
        &[
            ("/clusters/0/spec/topology/version", json!("v1.34.0")),
            ("/machineDeployments", json!([workers("a", "v1.29.0"), workers("b", "v1.31.0")])),
        ],
        "",
    );
    let part = "MachineDeployment/b could do with 1 of its 2 moves: Cluster API has one list for all workers";
    assert!(preview.remarks.iter().any(|remark| remark.contains(part)), "{:?}", preview.remarks);
    assert_eq!(preview.verdict, Verdict::Ready);
    let steps: Vec<String> =
        preview.steps.iter().map(|it| format!("{} {}: {}", it.step.mover, it.step.to, it.step.reason)).collect();
    assert_eq!(
        steps[1],
        "MachineDeployment/a v1.32.0: the workers would be 4 minors behind when the control plane takes v1.33.0"
    );
    let reason = "other workers need this stop, and Cluster API has one list for all";
    assert_eq!(steps[2], format!("MachineDeployment/b v1.32.0: {reason}"));
}
