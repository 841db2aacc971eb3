//! What is written of a discovery (5.1, 5.2).

use headway_core::hook::discovered_status;
use jiff::Timestamp;
use serde_json::json;

use super::said::{config, from, handlers};

fn now() -> Timestamp {
    "2026-11-30T10:00:00.75Z".parse().unwrap()
}

#[test]
fn ch_5_2_a_discovery_replaces_the_handlers() {
    let found = Ok(handlers(&["gate:BeforeClusterUpgrade", "plan:GenerateUpgradePlan?"]));
    let hook = |name: &str| json!({"apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": name});
    let expect = json!({
        "handlers": [
            {"name": "gate.ext", "requestHook": hook("BeforeClusterUpgrade"), "timeoutSeconds": 10,
             "failurePolicy": "Fail"},
            {"name": "plan.ext", "requestHook": hook("GenerateUpgradePlan"), "timeoutSeconds": 10,
             "failurePolicy": "Ignore"},
        ],
        "conditions": [{"type": "Discovered", "status": "True", "reason": "Discovered", "message": "",
            "observedGeneration": 1, "lastTransitionTime": "2026-11-30T10:00:00Z"}],
    });
    assert_eq!(discovered_status(&config("ext", &json!({})), &found, now()), expect);
}

#[test]
fn ch_5_2_a_failed_discovery_keeps_them() {
    let handlers =
        json!([{"name": "gate.ext", "requestHook": {"apiVersion": "g/v1", "hook": "H"}, "timeoutSeconds": 5}]);
    let before = |status: &str| {
        from(json!({
            "metadata": {"name": "ext", "generation": 4},
            "status": {
                "handlers": handlers,
                "conditions": [{"type": "Discovered", "status": status, "lastTransitionTime": "2026-11-01T00:00:00Z"}],
            },
        }))
    };
    let applied = |status: &str| discovered_status(&before(status), &Err("no answer within 10s".into()), now());
    let condition = |since: &str| {
        json!([{"type": "Discovered", "status": "False", "reason": "NotDiscovered", "message": "no answer within 10s",
            "observedGeneration": 4, "lastTransitionTime": since}])
    };
    assert_eq!(applied("True"), json!({"handlers": handlers, "conditions": condition("2026-11-30T10:00:00Z")}));
    assert_eq!(applied("False")["conditions"], condition("2026-11-01T00:00:00Z"));
    // Nothing was ever discovered.
    let never = discovered_status(&config("ext", &json!({})), &Err("gone".into()), now());
    assert_eq!(never.get("handlers"), None);
}
