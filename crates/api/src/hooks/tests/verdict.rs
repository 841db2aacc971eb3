//! What responses mean, and how ours are written.

use std::num::NonZeroU32;

use serde_json::json;

use super::*;

/// What a response with this `retryAfterSeconds` says.
fn lifecycle(body: &str) -> String {
    let response = LifecycleResponse::read(Lifecycle::BeforeClusterUpgrade, body.as_bytes()).unwrap();
    said(response.verdict())
}

fn update_machine(body: &str) -> String {
    match UpdateMachineResponse::read(body.as_bytes()) {
        Ok(response) => said(response.verdict()),
        Err(error) => error.to_string(),
    }
}

fn said(verdict: Result<Verdict, Failed>) -> String {
    match verdict {
        Ok(Verdict::Go { message }) => format!("go: {message}"),
        Ok(Verdict::Wait { seconds, asked, message }) => format!("wait {seconds} ({asked}): {message}"),
        Err(failed) => failed.to_string(),
    }
}

#[test]
fn ch_4_5_what_lifecycle_responses_say() {
    let check = |body: &str, expect: &str| assert_eq!(lifecycle(body), expect, "{body}");
    check(r#"{"status":"Success","retryAfterSeconds":0}"#, "go: ");
    check(r#"{"status":"Success","message":"fine"}"#, "go: fine");
    check(r#"{"status":"Success","retryAfterSeconds":30,"message":" a\nb "}"#, "wait 30 (30): a b");
    // Section 10, 17: a negative number holds up, and a day is the longest.
    check(r#"{"status":"Success","retryAfterSeconds":-5}"#, "wait 1 (-5): ");
    check(r#"{"status":"Success","retryAfterSeconds":-2147483648}"#, "wait 1 (-2147483648): ");
    check(r#"{"status":"Success","retryAfterSeconds":86400}"#, "wait 86400 (86400): ");
    check(r#"{"status":"Success","retryAfterSeconds":86401}"#, "wait 86400 (86401): ");
    check(r#"{"status":"Success","retryAfterSeconds":2147483647}"#, "wait 86400 (2147483647): ");
    check(
        r#"{"status":"Failure","retryAfterSeconds":30,"message":"no disk"}"#,
        "BeforeClusterUpgrade was answered with Failure: no disk",
    );
    check(r#"{"status":"Failure"}"#, "BeforeClusterUpgrade was answered with Failure: no reason is given");
}

#[test]
fn ip_5_1_nothing_but_a_zero_that_is_there_says_that_an_update_is_done() {
    let check = |body: &str, expect: &str| assert_eq!(update_machine(body), expect, "{body}");
    check(r#"{"status":"Success","retryAfterSeconds":0,"message":"ok"}"#, "go: ok");
    check(r#"{"status":"Success","retryAfterSeconds":2}"#, "wait 2 (2): ");
    check(r#"{"status":"Success","retryAfterSeconds":-1}"#, "wait 1 (-1): ");
    check(r#"{"status":"Success"}"#, "UpdateMachineResponse: retryAfterSeconds is missing");
    check(r#"{"status":"Success","retryAfterSeconds":null}"#, "UpdateMachineResponse: retryAfterSeconds is missing");
    check(r#"{"status":"Failure","message":"x"}"#, "UpdateMachine was answered with Failure: x");
    check("{}", "UpdateMachineResponse: status is missing");
}

#[test]
fn ch_4_1_a_hook_that_holds_nothing_up_cannot_ask_for_time() {
    let body = br#"{"status":"Success","retryAfterSeconds":30}"#;
    let response = LifecycleResponse::read(Lifecycle::AfterControlPlaneInitialized, body).unwrap();
    assert_eq!(said(response.verdict()), "go: ");
}

#[test]
fn ch_4_5_failures_of_hooks_without_time() {
    let body = br#"{"status":"Failure","message":"told to fail","controlPlaneUpgrades":[{"version":"v1.30.0"}]}"#;
    let failed = GenerateUpgradePlanResponse::read(body).unwrap().upgrades().unwrap_err();
    assert_eq!(failed.to_string(), "GenerateUpgradePlan was answered with Failure: told to fail");
    let body = br#"{"status":"Failure","machinePatch":{"patchType":"JSONPatch","patch":"W10="}}"#;
    let failed = CanUpdateMachineResponse::read(body).unwrap().patches().unwrap_err();
    assert_eq!(failed.hook, Hook::CanUpdateMachine);
    let failed = CanUpdateMachineSetResponse::read(br#"{"status":"Failure"}"#).unwrap().patches().unwrap_err();
    assert_eq!(failed.hook, Hook::CanUpdateMachineSet);
}

#[test]
fn ch_11_messages_are_shown_on_one_line_and_cut() {
    let check = |message: &str, expect: &str| assert_eq!(told(message), expect);
    check("", "");
    check("  plain ", "plain");
    check("a\u{1b}[31mb\r\nc\u{9b}d", "a [31mb  c d");
    check(&"ä".repeat(512), &"ä".repeat(512));
    check(&"ä".repeat(513), &format!("{}…", "ä".repeat(512)));
    let body = format!("{{\"status\":\"Failure\",\"message\":\"{}\"}}", "x".repeat(1_000_000));
    let failed = LifecycleResponse::read(Lifecycle::AfterClusterUpgrade, body.as_bytes()).unwrap().verdict();
    assert_eq!(failed.unwrap_err().message.chars().count(), 513);
}

#[test]
fn ch_4_1_responses_are_written_as_cluster_api_writes_them() {
    let check = |response: Value, kind: &str, rest: Value| {
        let mut expect = json!({"apiVersion": API_VERSION, "kind": kind});
        expect.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        assert_eq!(response, expect);
    };
    let value = |response: &dyn erased::Json| response.json();
    let seconds = NonZeroU32::new(15).unwrap();
    let upgrade = Lifecycle::BeforeClusterUpgrade;
    check(
        value(&LifecycleResponse::go(upgrade, "")),
        "BeforeClusterUpgradeResponse",
        json!({"status": "Success", "retryAfterSeconds": 0}),
    );
    check(
        value(&LifecycleResponse::wait(upgrade, seconds, "window closed")),
        "BeforeClusterUpgradeResponse",
        json!({"status": "Success", "message": "window closed", "retryAfterSeconds": 15}),
    );
    check(
        value(&LifecycleResponse::go(Lifecycle::AfterControlPlaneInitialized, "")),
        "AfterControlPlaneInitializedResponse",
        json!({"status": "Success"}),
    );
    // ip_h33: none of ours is negative or longer than a day.
    check(
        value(&UpdateMachineResponse::running(NonZeroU32::MAX, "")),
        "UpdateMachineResponse",
        json!({"status": "Success", "retryAfterSeconds": 86400}),
    );
    check(
        value(&UpdateMachineResponse::done("ok")),
        "UpdateMachineResponse",
        json!({"status": "Success", "message": "ok", "retryAfterSeconds": 0}),
    );
    check(
        value(&GenerateUpgradePlanResponse::new(["v1.32.0", "v1.33.0"], [""; 0])),
        "GenerateUpgradePlanResponse",
        json!({"status": "Success", "controlPlaneUpgrades": [{"version": "v1.32.0"}, {"version": "v1.33.0"}]}),
    );
    check(
        value(&CanUpdateMachineSetResponse::new(MachineSetPatches::default(), "")),
        "CanUpdateMachineSetResponse",
        json!({"status": "Success"}),
    );
    let machine = Some(Patch::new(PatchType::Merge, json!({})).unwrap());
    let patches = MachinePatches { machine, affects_availability: Some(false), ..MachinePatches::default() };
    check(
        value(&CanUpdateMachineResponse::new(patches, "")),
        "CanUpdateMachineResponse",
        json!({
            "status": "Success",
            "machinePatch": {"patchType": "JSONMergePatch", "patch": "e30="},
            "affectsAvailability": false,
        }),
    );
    check(
        value(&Failure::new(Hook::UpdateMachine, "no record")),
        "UpdateMachineResponse",
        json!({"status": "Failure", "message": "no record", "retryAfterSeconds": 0}),
    );
    check(value(&Failure::new(Hook::CanUpdateMachine, "")), "CanUpdateMachineResponse", json!({"status": "Failure"}));
}

/// Responses of several types in one table.
mod erased {
    use serde::Serialize;
    use serde_json::Value;

    pub(super) trait Json {
        fn json(&self) -> Value;
    }

    impl<T: Serialize> Json for T {
        fn json(&self) -> Value {
            serde_json::to_value(self).unwrap()
        }
    }
}
