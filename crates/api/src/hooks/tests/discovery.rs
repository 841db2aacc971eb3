//! The rules for handlers.

use super::*;

const HOOK: &str =
    r#""requestHook":{"apiVersion":"hooks.runtime.cluster.x-k8s.io/v1alpha1","hook":"BeforeClusterUpgrade"}"#;

/// What comes of handlers: name, hook, timeout and policy of each, or the faults.
fn told(handlers: &str) -> Result<Vec<String>, Vec<String>> {
    let body = format!("{{\"status\":\"Success\",\"handlers\":[{handlers}]}}");
    match DiscoveryResponse::read(body.as_bytes()).unwrap().registered() {
        Ok(registered) => Ok(registered
            .iter()
            .map(|Registered { name, hook, timeout_seconds, failure_policy }| {
                format!("{name} {hook} {timeout_seconds} {failure_policy}")
            })
            .collect()),
        Err(DiscoveryError::Faults { faults }) => Err(faults
            .iter()
            .map(|fault| {
                let text = fault.to_string();
                assert!(text.ends_with(&format!("(rule {})", fault.rule())), "{text}");
                text
            })
            .collect()),
        Err(DiscoveryError::Failed(failed)) => panic!("{failed}"),
    }
}

fn check(handlers: &str, expect: Result<&[&str], &[&str]>) {
    let told = told(handlers);
    assert_eq!(
        told.as_ref().map(|it| it.iter().map(String::as_str).collect::<Vec<_>>()).map_err(|it| it.join("\n")),
        expect.map(<[_]>::to_vec).map_err(|it| it.join("\n")),
        "{handlers}"
    );
}

#[test]
fn ch_5_2_names() {
    let accepted = |name: &str| {
        check(&format!("{{\"name\":\"{name}\",{HOOK}}}"), Ok(&[&format!("{name} BeforeClusterUpgrade 10 Fail")]));
    };
    accepted("a");
    accepted("0-a");
    accepted(&"a".repeat(63));
    let refused = |name: &str| {
        let expect = format!("handlers[0]: the name \"{name}\" is not a DNS label (rule D1)");
        check(&format!("{{\"name\":\"{name}\",{HOOK}}}"), Err(&[&expect]));
    };
    refused("");
    refused("A");
    refused("-a");
    refused("a-");
    refused("a.b");
    refused("a_b");
    refused("a/b");
    refused("ä");
    refused(&"a".repeat(64));
    check(&format!("{{{HOOK}}}"), Err(&["handlers[0]: the name \"\" is not a DNS label (rule D1)"]));
    check(
        &format!("{{\"name\":\"a\",{HOOK}}},{{\"name\":\"b\",{HOOK}}},{{\"name\":\"a\",{HOOK}}}"),
        Err(&["handlers[2]: \"a\" is the name of handlers[0] already (rule D2)"]),
    );
}

#[test]
fn ch_5_2_timeouts_and_policies() {
    let check = |field: &str, expect: Result<&str, &str>| {
        let handler = format!("{{\"name\":\"a\",{HOOK},{field}}}");
        match expect {
            Ok(expect) => check(&handler, Ok(&[&format!("a BeforeClusterUpgrade {expect}")])),
            Err(expect) => check(&handler, Err(&[&format!("handlers[0] \"a\": {expect}")])),
        }
    };
    check("\"timeoutSeconds\":0", Ok("10 Fail"));
    check("\"timeoutSeconds\":1", Ok("1 Fail"));
    check("\"timeoutSeconds\":30", Ok("30 Fail"));
    check("\"timeoutSeconds\":null", Ok("10 Fail"));
    check("\"timeoutSeconds\":31", Err("timeoutSeconds is 31, not from 0 to 30 (rule D3)"));
    check("\"timeoutSeconds\":-1", Err("timeoutSeconds is -1, not from 0 to 30 (rule D3)"));
    check("\"failurePolicy\":\"Fail\"", Ok("10 Fail"));
    check("\"failurePolicy\":\"Ignore\"", Ok("10 Ignore"));
    check("\"failurePolicy\":\"\"", Ok("10 Fail"));
    check("\"failurePolicy\":\"ignore\"", Err("failurePolicy is \"ignore\", neither Fail nor Ignore (rule D4)"));
}

#[test]
fn ch_5_2_hooks() {
    let check = |fields: &str, expect: Result<&str, &str>| {
        let handler = format!("{{\"name\":\"a\"{fields}}}");
        match expect {
            Ok(expect) => check(&handler, Ok(&[&format!("a {expect} 10 Fail")])),
            Err(expect) => check(&handler, Err(&[&format!("handlers[0] \"a\": there is no hook {expect} (rule D5)")])),
        }
    };
    let of = |api_version: &str, hook: &str| {
        format!(",\"requestHook\":{{\"apiVersion\":\"{api_version}\",\"hook\":\"{hook}\"}}")
    };
    // What it serves beside our hooks is its own affair.
    check(&of(API_VERSION, "GeneratePatches"), Ok("GeneratePatches"));
    check(&of(API_VERSION, "UpdateMachine"), Ok("UpdateMachine"));
    check(
        &of(API_VERSION, "ExternalUpgrade"),
        Err("\"ExternalUpgrade\" of \"hooks.runtime.cluster.x-k8s.io/v1alpha1\""),
    );
    check(
        &of("hooks.headway.dev/v1alpha1", "UpdateMachine"),
        Err("\"UpdateMachine\" of \"hooks.headway.dev/v1alpha1\""),
    );
    check("", Err("\"\" of \"\""));
}

#[test]
fn ch_5_2_all_that_is_wrong_is_told() {
    let handler = r#"{"name":"A","timeoutSeconds":99,"failurePolicy":"Maybe"}"#;
    check(
        &format!("{handler},{handler}"),
        Err(&[
            "handlers[0]: the name \"A\" is not a DNS label (rule D1)",
            "handlers[0] \"A\": timeoutSeconds is 99, not from 0 to 30 (rule D3)",
            "handlers[0] \"A\": failurePolicy is \"Maybe\", neither Fail nor Ignore (rule D4)",
            "handlers[0] \"A\": there is no hook \"\" of \"\" (rule D5)",
            "handlers[1]: \"A\" is the name of handlers[0] already (rule D2)",
            "handlers[1]: the name \"A\" is not a DNS label (rule D1)",
            "handlers[1] \"A\": timeoutSeconds is 99, not from 0 to 30 (rule D3)",
            "handlers[1] \"A\": failurePolicy is \"Maybe\", neither Fail nor Ignore (rule D4)",
            "handlers[1] \"A\": there is no hook \"\" of \"\" (rule D5)",
        ]),
    );
    let body = format!("{{\"status\":\"Success\",\"handlers\":[{handler},{handler}]}}");
    let error = DiscoveryResponse::read(body.as_bytes()).unwrap().registered().unwrap_err();
    assert!(error.to_string().ends_with("; and 4 more"), "{error}");
}

#[test]
fn ch_5_1_how_many_handlers() {
    let of = |count: usize| {
        let handlers: Vec<String> = (0..count).map(|index| format!("{{\"name\":\"h{index}\",{HOOK}}}")).collect();
        handlers.join(",")
    };
    assert_eq!(told(&of(MAX_HANDLERS)).unwrap().len(), MAX_HANDLERS);
    check(&of(MAX_HANDLERS + 1), Err(&["there are 513 handlers, more than 512 (rule D6)"]));
    check("", Ok(&[]));
}

#[test]
fn ch_5_2_an_extension_that_fails_registers_nothing() {
    let body = format!("{{\"status\":\"Failure\",\"message\":\"not\\nyet\",\"handlers\":[{{\"name\":\"a\",{HOOK}}}]}}");
    let error = DiscoveryResponse::read(body.as_bytes()).unwrap().registered().unwrap_err();
    assert_eq!(error.to_string(), "Discovery was answered with Failure: not yet");
}

#[test]
fn ch_5_2_what_we_would_say_of_ourselves_keeps_the_rules() {
    let handlers = vec![
        Handler::new("generate-upgrade-plan", Hook::GenerateUpgradePlan),
        Handler::new("before-cluster-upgrade", Lifecycle::BeforeClusterUpgrade.into()),
    ];
    let response = DiscoveryResponse::new(handlers);
    assert_eq!(response.registered().unwrap().len(), 2);
    let expect = serde_json::json!({
        "apiVersion": API_VERSION,
        "kind": "DiscoveryResponse",
        "status": "Success",
        "handlers": [
            {
                "name": "generate-upgrade-plan",
                "requestHook": { "apiVersion": API_VERSION, "hook": "GenerateUpgradePlan" },
            },
            {
                "name": "before-cluster-upgrade",
                "requestHook": { "apiVersion": API_VERSION, "hook": "BeforeClusterUpgrade" },
            },
        ],
    });
    assert_eq!(serde_json::to_value(response).unwrap(), expect);
}
