//! What the webhooks are never asked, which is seen when nobody is there to answer, and what still holds then.

use serde_json::json;

use super::desk::{Desk, Mode, NAME, get};
use super::world::{class, cluster};

/// Whether a patch of the Cluster goes through.
fn patched(desk: &Desk, name: &str, patch: &serde_json::Value) -> Result<(), String> {
    let arguments = ["patch", "cluster", name, "--type=merge", "--patch", &patch.to_string()];
    desk.plane.kubectl_text(&arguments).map(drop).map_err(|error| error.to_string())
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_without_an_answer_only_what_is_judged_waits() {
    let mut desk = Desk::start(Mode::Topology);
    let kept = |mut object: serde_json::Value| {
        object["metadata"]["finalizers"] = json!(["x.io/kept"]);
        object.to_string()
    };
    desk.plane.apply(&class("quiet", &[]).to_string()).unwrap();
    desk.plane.apply(&kept(cluster("quiet", "v1.31.0"))).unwrap();
    desk.plane.apply(&kept(cluster("going", "v1.31.0"))).unwrap();
    desk.end_operator();

    // What is judged waits for who judges it.
    let refused = patched(&desk, "quiet", &json!({"spec": {"topology": {"version": "v1.32.0"}}})).unwrap_err();
    assert!(refused.contains("failed calling webhook \"clusters.admission.headway.dev\""), "{refused}");
    // Policies hold without anybody.
    let refused = patched(&desk, "quiet", &json!({"spec": {"topology": {"version": "v2.31.0"}}})).unwrap_err();
    assert!(refused.contains("rule B4"), "{refused}");
    // Labels, annotations of others, finalizers, statuses.
    patched(&desk, "quiet", &json!({"metadata": {"labels": {"a": "b"}, "annotations": {"x.io/note": ""}}})).unwrap();
    patched(&desk, "quiet", &json!({"metadata": {"finalizers": null}})).unwrap();
    let status = json!({"status": {"phase": "Provisioned"}}).to_string();
    let arguments = ["patch", "cluster", "quiet", "--subresource=status", "--type=merge", "--patch", &status];
    desk.plane.kubectl_text(&arguments).unwrap();
    desk.plane.kubectl_text(&["delete", "cluster", "quiet"]).unwrap();
    // One that is being deleted, whatever is changed of it.
    desk.plane.kubectl_text(&["delete", "cluster", "going", "--wait=false"]).unwrap();
    patched(&desk, "going", &json!({"spec": {"paused": true}, "metadata": {"finalizers": null}})).unwrap();
    let left = desk.plane.kubectl_text(&["get", "clusters", "-o", "name"]).unwrap();
    assert_eq!(left, "");
}

#[test]
#[ignore = "ring 2: starts an API server"]
fn ch_adm_beside_cluster_api_nothing_waits_for_us() {
    let mut desk = Desk::start(Mode::Beside);
    desk.plane.apply(&class("alone", &[]).to_string()).unwrap();
    desk.plane.apply(&cluster("alone", "v1.31.0").to_string()).unwrap();
    let back = json!({"spec": {"topology": {"version": "v1.31.0-rc.1"}}});
    let refused = patched(&desk, "alone", &back).unwrap_err();
    assert!(refused.contains("rule B3"), "{refused}");
    desk.end_operator();
    // Policies hold without anybody.
    let refused = patched(&desk, "alone", &json!({"spec": {"topology": {"version": "v2.31.0"}}})).unwrap_err();
    assert!(refused.contains("rule B4"), "{refused}");
    patched(&desk, "alone", &back).unwrap();
    let mutating = desk.plane.kubectl(&["get", "mutatingwebhookconfiguration", NAME]).unwrap();
    assert!(!mutating.status.success(), "Cluster API has its own");
    let validating = get(&desk.plane, &["validatingwebhookconfiguration", NAME]);
    for webhook in validating["webhooks"].as_array().unwrap() {
        assert_eq!(webhook["failurePolicy"], "Ignore");
    }
}
