//! Bodies that are no messages, or have fields that do not fit.

use super::*;

/// What is told of a body, with the cause behind a colon where there is one of ours.
fn told(kind: &str, body: impl AsRef<[u8]>) -> Result<(), String> {
    let (name, side) = match kind.strip_suffix("Request") {
        Some(name) => (name, Side::Request),
        None => (kind.strip_suffix("Response").unwrap(), Side::Response),
    };
    again(hook(name), side, body.as_ref()).map(|_| ()).map_err(|error| match &error {
        ReadError::Patch { cause, .. } => format!("{error}: {cause}"),
        _ => error.to_string(),
    })
}

fn check_message(kind: &str, body: impl AsRef<[u8]>, expect: Result<(), &str>) {
    let body = body.as_ref();
    let told = told(kind, body);
    assert_eq!(told.as_ref().map_err(String::as_str), expect.as_ref().map_err(|it| *it), "{kind}");
}

#[test]
fn ch_5_5_bodies_that_are_no_messages() {
    check_message("UpdateMachineResponse", "", Err("UpdateMachineResponse is empty"));
    check_message("UpdateMachineResponse", " \n", Err("UpdateMachineResponse is empty"));
    check_message("UpdateMachineResponse", "null", Err("UpdateMachineResponse is null, not an object"));
    check_message("UpdateMachineResponse", "[]", Err("UpdateMachineResponse is a list, not an object"));
    check_message("UpdateMachineResponse", "\"ok\"", Err("UpdateMachineResponse is a string, not an object"));
    check_message(
        "BeforeClusterUpgradeResponse",
        "\n<html>\u{1b}[2J<body>502</body></html>",
        Err(concat!(
            "BeforeClusterUpgradeResponse is not JSON; it begins with ",
            "\"<html>\\u{1b}[2J<body>502</body></html>\""
        )),
    );
    check_message(
        "DiscoveryResponse",
        b"{\"status\":\"\xff\"}",
        Err("DiscoveryResponse is not JSON; it begins with \"{\\\"status\\\":\\\"\u{fffd}\\\"}\""),
    );
    check_message(
        "DiscoveryRequest",
        "{\"settings\":",
        Err("DiscoveryRequest is not JSON; it begins with \"{\\\"settings\\\":\""),
    );
    check_message("DiscoveryRequest", "{} {}", Err("DiscoveryRequest is not JSON; it begins with \"{} {}\""));
    check_message(
        "DiscoveryRequest",
        "[".repeat(100_000),
        Err(&format!("DiscoveryRequest is not JSON; it begins with \"{}…\"", "[".repeat(80))),
    );
}

#[test]
fn ch_5_5_the_largest_body() {
    let of = |bytes: usize| format!("{{\"status\":\"Success\"}}{}", " ".repeat(bytes - 20));
    check_message("DiscoveryResponse", of(MAX_BODY_BYTES), Ok(()));
    let expect = "DiscoveryResponse is 20971521 bytes long, more than 20971520";
    check_message("DiscoveryResponse", of(MAX_BODY_BYTES + 1), Err(expect));
}

#[test]
fn ch_5_5_kind_and_version_may_be_left_out_and_not_be_wrong() {
    let check = |head: &str, expect: Result<(), &str>| {
        let body = format!("{{{head}\"status\":\"Success\",\"retryAfterSeconds\":0}}");
        check_message("UpdateMachineResponse", body, expect);
    };
    check("", Ok(()));
    check("\"kind\":\"\",\"apiVersion\":null,", Ok(()));
    check("\"kind\":\"UpdateMachineResponse\",\"apiVersion\":\"hooks.runtime.cluster.x-k8s.io/v1alpha1\",", Ok(()));
    check("\"kind\":\"UpdateMachineRequest\",", Err("UpdateMachineResponse: kind is \"UpdateMachineRequest\""));
    check(
        "\"kind\":\"AfterClusterUpgradeResponse\",",
        Err("UpdateMachineResponse: kind is \"AfterClusterUpgradeResponse\""),
    );
    check("\"kind\":7,", Err("UpdateMachineResponse: kind is a number, not a string"));
    check(
        "\"apiVersion\":\"hooks.runtime.cluster.x-k8s.io/v1alpha2\",",
        Err(concat!(
            "UpdateMachineResponse: apiVersion is \"hooks.runtime.cluster.x-k8s.io/v1alpha2\", ",
            "not hooks.runtime.cluster.x-k8s.io/v1alpha1"
        )),
    );
    check(
        "\"apiVersion\":\"v1\",",
        Err("UpdateMachineResponse: apiVersion is \"v1\", not hooks.runtime.cluster.x-k8s.io/v1alpha1"),
    );
}

#[test]
fn ch_5_5_letter_case_unknown_fields_and_null() {
    let response = |body: &str| again(hook("BeforeClusterUpgrade"), Side::Response, body.as_bytes()).unwrap();
    let told = response(r#"{"Status":"Success","RETRYAFTERSECONDS":7,"message":null,"new":{"a":[1]},"handlers":3}"#);
    let expect = serde_json::json!({
        "apiVersion": API_VERSION,
        "kind": "BeforeClusterUpgradeResponse",
        "status": "Success",
        "retryAfterSeconds": 7,
    });
    assert_eq!(told, expect);
    // The right name counts before a similar one.
    assert_eq!(response(r#"{"STATUS":"Failure","status":"Success"}"#)["status"], "Success");
}

#[test]
fn ch_4_5_the_head_of_a_response() {
    let check = |body: &str, expect: Result<(), &str>| check_message("AfterClusterUpgradeResponse", body, expect);
    check(r#"{"status":"Success"}"#, Ok(()));
    check(r#"{"status":"Failure"}"#, Ok(()));
    check("{}", Err("AfterClusterUpgradeResponse: status is missing"));
    check(r#"{"status":null}"#, Err("AfterClusterUpgradeResponse: status is missing"));
    check(r#"{"status":""}"#, Err("AfterClusterUpgradeResponse: status is missing"));
    check(r#"{"status":true}"#, Err("AfterClusterUpgradeResponse: status is a boolean, not a string"));
    check(
        r#"{"status":"success"}"#,
        Err("AfterClusterUpgradeResponse: status is \"success\", neither Success nor Failure"),
    );
    check(
        r#"{"status":"Success","message":{}}"#,
        Err("AfterClusterUpgradeResponse: message is an object, not a string"),
    );
    check(
        r#"{"status":"Success","retryAfterSeconds":"30"}"#,
        Err("AfterClusterUpgradeResponse: retryAfterSeconds is a string, not a number"),
    );
    for number in ["1.5", "2147483648", "-2147483649", "1e30"] {
        let body = format!("{{\"status\":\"Success\",\"retryAfterSeconds\":{number}}}");
        let error = again(hook("AfterClusterUpgrade"), Side::Response, body.as_bytes()).unwrap_err();
        assert!(matches!(&error, ReadError::NotInt32 { field, .. } if field == "retryAfterSeconds"), "{error}");
    }
}

#[test]
fn ch_4_5_what_no_failure_policy_passes_over() {
    let check = |body: &str, field: Option<&str>, is_ignorable: bool| {
        let error = again(hook("AfterClusterUpgrade"), Side::Response, body.as_bytes()).unwrap_err();
        assert_eq!((error.field(), error.is_ignorable()), (field, is_ignorable), "{body}");
        assert_eq!(error.kind().hook, hook("AfterClusterUpgrade"), "{body}");
    };
    check("{}", Some("status"), false);
    check(r#"{"status":"Done"}"#, Some("status"), false);
    check(r#"{"status":7}"#, Some("status"), true);
    check(r#"{"kind":7}"#, Some("kind"), true);
    check(r#"{"status":"Success","retryAfterSeconds":[]}"#, Some("retryAfterSeconds"), true);
    check(r#"{"kind":"X"}"#, Some("kind"), false);
    check(r#"{"apiVersion":"X"}"#, Some("apiVersion"), false);
    check("<html>", None, true);
    let error = UpdateMachineResponse::read(br#"{"status":"Success"}"#).unwrap_err();
    assert!(!error.is_ignorable(), "{error}");
    check("", None, true);
}

#[test]
fn ch_5_6_a_failure_that_is_said_badly_is_a_failure() {
    let check = |kind: &str, fields: &str| {
        let (name, _) = kind.split_once("Response").unwrap();
        let body = format!("{{\"status\":\"Failure\",{fields}}}");
        let told = again(hook(name), Side::Response, body.as_bytes()).unwrap();
        assert_eq!(told, serde_json::json!({"apiVersion": API_VERSION, "kind": kind, "status": "Failure"}));
    };
    check("BeforeClusterUpgradeResponse", r#""message":{},"retryAfterSeconds":1.5"#);
    check("UpdateMachineResponse", r#""message":7,"retryAfterSeconds":"now""#);
    check("GenerateUpgradePlanResponse", r#""controlPlaneUpgrades":[7],"workersUpgrades":{}"#);
    check("CanUpdateMachineResponse", r#""machinePatch":{"patch":"?"}"#);
    check("CanUpdateMachineSetResponse", r#""affectsAvailability":"?""#);
    check("DiscoveryResponse", r#""handlers":"none""#);
}

#[test]
fn ch_4_1_fields_of_lifecycle_requests() {
    let cluster = r#""cluster":{"metadata":{"name":"c"}}"#;
    let check = |kind: &str, fields: &str, expect: Result<(), &str>| {
        let comma = if fields.is_empty() { "" } else { "," };
        check_message(kind, format!("{{{cluster}{comma}{fields}}}"), expect);
    };
    check("BeforeClusterCreateRequest", "", Ok(()));
    check("BeforeClusterDeleteRequest", r#""settings":{"a":"b","c":null}"#, Ok(()));
    check(
        "BeforeClusterDeleteRequest",
        r#""settings":{"a":1}"#,
        Err("BeforeClusterDeleteRequest: settings[\"a\"] is a number, not a string"),
    );
    check(
        "BeforeClusterDeleteRequest",
        r#""settings":["a"]"#,
        Err("BeforeClusterDeleteRequest: settings is a list, not an object"),
    );
    check(
        "BeforeClusterUpgradeRequest",
        r#""toKubernetesVersion":"v1.33.0""#,
        Err("BeforeClusterUpgradeRequest: fromKubernetesVersion is missing"),
    );
    check(
        "BeforeControlPlaneUpgradeRequest",
        r#""fromKubernetesVersion":"v1.32.0","toKubernetesVersion":"""#,
        Err("BeforeControlPlaneUpgradeRequest: toKubernetesVersion is missing"),
    );
    check("AfterControlPlaneUpgradeRequest", "", Err("AfterControlPlaneUpgradeRequest: kubernetesVersion is missing"));
    check(
        "AfterWorkersUpgradeRequest",
        r#""kubernetesVersion":"v1.33.0","workersUpgrades":[{"version":"v1.34.0"},{}]"#,
        Err("AfterWorkersUpgradeRequest: workersUpgrades[1].version is missing"),
    );
    check(
        "AfterWorkersUpgradeRequest",
        r#""kubernetesVersion":"v1.33.0","controlPlaneUpgrades":["v1.34.0"]"#,
        Err("AfterWorkersUpgradeRequest: controlPlaneUpgrades[0] is a string, not an object"),
    );
    check(
        "AfterClusterUpgradeRequest",
        r#""kubernetesVersion":1.33"#,
        Err("AfterClusterUpgradeRequest: kubernetesVersion is a number, not a string"),
    );
    check_message("BeforeClusterCreateRequest", "{}", Err("BeforeClusterCreateRequest: cluster is missing"));
    check_message(
        "BeforeClusterCreateRequest",
        r#"{"cluster":"c"}"#,
        Err("BeforeClusterCreateRequest: cluster is a string, not an object"),
    );
}

#[test]
fn ch_4_1_fields_of_plans() {
    check_message(
        "GenerateUpgradePlanRequest",
        r#"{"cluster":{},"fromControlPlaneKubernetesVersion":"v1.29.0","toKubernetesVersion":"v1.33.0"}"#,
        Ok(()),
    );
    check_message(
        "GenerateUpgradePlanRequest",
        r#"{"cluster":{},"toKubernetesVersion":"v1.33.0"}"#,
        Err("GenerateUpgradePlanRequest: fromControlPlaneKubernetesVersion is missing"),
    );
    check_message(
        "GenerateUpgradePlanRequest",
        r#"{"cluster":{},"fromControlPlaneKubernetesVersion":"v1.29.0"}"#,
        Err("GenerateUpgradePlanRequest: toKubernetesVersion is missing"),
    );
    check_message("GenerateUpgradePlanResponse", r#"{"status":"Success","workersUpgrades":null}"#, Ok(()));
    check_message(
        "GenerateUpgradePlanResponse",
        r#"{"status":"Success","controlPlaneUpgrades":{"version":"v1.30.0"}}"#,
        Err("GenerateUpgradePlanResponse: controlPlaneUpgrades is an object, not a list"),
    );
    check_message(
        "GenerateUpgradePlanResponse",
        r#"{"status":"Success","workersUpgrades":[{"version":null}]}"#,
        Err("GenerateUpgradePlanResponse: workersUpgrades[0].version is missing"),
    );
    check_message(
        "GenerateUpgradePlanResponse",
        r#"{"status":"Success","workersUpgrades":[null]}"#,
        Err("GenerateUpgradePlanResponse: workersUpgrades[0] is null, not an object"),
    );
}

#[test]
fn ip_2_2_fields_of_in_place_messages() {
    check_message("UpdateMachineRequest", "{}", Err("UpdateMachineRequest: desired is missing"));
    check_message(
        "UpdateMachineRequest",
        r#"{"desired":{"machine":{}}}"#,
        Err("UpdateMachineRequest: desired.infrastructureMachine is missing"),
    );
    check_message("UpdateMachineRequest", r#"{"desired":{"machine":{},"infrastructureMachine":{}}}"#, Ok(()));
    check_message(
        "CanUpdateMachineRequest",
        r#"{"desired":{"machine":{},"infrastructureMachine":{}}}"#,
        Err("CanUpdateMachineRequest: current is missing"),
    );
    check_message(
        "CanUpdateMachineSetRequest",
        r#"{"current":{"machineSet":{},"infrastructureMachineTemplate":{},"bootstrapConfigTemplate":[]}}"#,
        Err("CanUpdateMachineSetRequest: current.bootstrapConfigTemplate is a list, not an object"),
    );
    check_message(
        "CanUpdateMachineResponse",
        r#"{"status":"Success","affectsAvailability":"no"}"#,
        Err("CanUpdateMachineResponse: affectsAvailability is a string, not a boolean"),
    );
    let told = again(Hook::CanUpdateMachineSet, Side::Response, br#"{"status":"Success","affectsAvailability":false}"#);
    assert_eq!(told.unwrap()["affectsAvailability"], false);
}

#[test]
fn ip_2_2_patches() {
    let check = |patch: &str, expect: Result<bool, &str>| {
        let body = format!("{{\"status\":\"Success\",\"machinePatch\":{patch}}}");
        let told = CanUpdateMachineResponse::read(body.as_bytes())
            .map(|response| response.patches().unwrap().machine.is_some())
            .map_err(|error| match error {
                ReadError::Patch { kind: _, field, cause } if field == "machinePatch" => cause.to_string(),
                error => error.to_string(),
            });
        assert_eq!(told.as_ref().map_err(String::as_str), expect.as_ref().map_err(|it| *it), "{patch}");
    };
    // W10= is [], e30= is {}, bnVsbA== is null, W10 lacks its padding.
    check(r#"{"patchType":"JSONPatch","patch":"W10="}"#, Ok(true));
    check(r#"{"patchType":"JSONMergePatch","patch":"e30="}"#, Ok(true));
    check("{}", Ok(false));
    check("null", Ok(false));
    check(r#"{"patchType":"","patch":""}"#, Ok(false));
    check(r#"{"patch":"W10="}"#, Err("patchType is missing"));
    check(r#"{"patchType":"JSONPatch"}"#, Err("patch is missing"));
    check(
        r#"{"patchType":"StrategicMergePatch","patch":"e30="}"#,
        Err("patchType is neither JSONPatch nor JSONMergePatch"),
    );
    check(r#"{"patchType":"JSONPatch","patch":"[]"}"#, Err("patch is not text in base64"));
    check(r#"{"patchType":"JSONPatch","patch":"W10"}"#, Err("patch is not text in base64"));
    check(r#"{"patchType":"JSONPatch","patch":"W1s="}"#, Err("what patch holds in base64 is not JSON"));
    check(r#"{"patchType":"JSONPatch","patch":"e30="}"#, Err("a JSONPatch is a list, and this one is an object"));
    check(
        r#"{"patchType":"JSONMergePatch","patch":"W10="}"#,
        Err("a JSONMergePatch is an object, and this one is a list"),
    );
    check(
        r#"{"patchType":"JSONMergePatch","patch":"bnVsbA=="}"#,
        Err("a JSONMergePatch is an object, and this one is null"),
    );
    check(
        r#"{"patchType":"JSONPatch","patch":[]}"#,
        Err("CanUpdateMachineResponse: machinePatch.patch is a list, not a string"),
    );
    assert!(Patch::new(PatchType::Json, Value::Null).is_err());
    let patch = Patch::new(PatchType::Json, serde_json::json!([])).unwrap();
    assert_eq!(serde_json::to_value(patch).unwrap(), serde_json::json!({"patchType": "JSONPatch", "patch": "W10="}));
}

#[test]
fn ch_5_5_hooks_that_are_not_spoken() {
    let told = Request::read(Hook::GeneratePatches, b"{}").unwrap_err();
    assert_eq!(told.to_string(), "GeneratePatchesRequest is not spoken here");
}
