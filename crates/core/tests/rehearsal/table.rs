//! Calls and ConfigMaps in, answers and records out.

use headway_api::hooks::{DiscoveryResponse, Hook, Lifecycle, Request, Response, Status};
use headway_api::quoted::with_causes;
use headway_core::extension::rehearsal::{Answer, Call, Origin, handlers};
use serde_json::{Value, json};

const BLOCKING: &str = r#"{"extensionConfigName": "ext", "defaultAllHandlersToBlocking": "true"}"#;

const OPEN: &str = r#"{"extensionConfigName": "ext"}"#;

/// A request with all fields that any hook reads.
fn request(hook: Hook, settings: &str, change: Value) -> Request {
    let mut body = json!({
        "settings": serde_json::from_str::<Value>(settings).unwrap(),
        "cluster": {
            "metadata": {"name": "c1", "namespace": "ns1"},
            "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.32.0"}},
        },
        "fromKubernetesVersion": "v1.29.0+a",
        "toKubernetesVersion": "v1.30.0+b.1",
        "kubernetesVersion": "v1.30.0+b.1",
        "fromControlPlaneKubernetesVersion": "v1.29.0",
        "fromWorkersKubernetesVersion": "v1.29.0",
    });
    if hook == Hook::GenerateUpgradePlan {
        body["toKubernetesVersion"] = "v1.32.0".into();
    }
    for (field, value) in change.as_object().into_iter().flatten() {
        body[field] = value.clone();
    }
    Request::read(hook, &serde_json::to_vec(&body).unwrap()).unwrap()
}

fn answer(request: &Request, data: &[(&str, &str)]) -> Answer {
    let data = data.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let script = Call::of(request).unwrap().script().unwrap();
    assert_eq!(script.to_string(), "ns1/c1-ext-test-extension-hookresponses");
    script.answer(&data)
}

fn message(response: &Response) -> String {
    let response = serde_json::to_value(response).unwrap();
    response["message"].as_str().unwrap_or_default().to_owned()
}

/// What is recorded under each of its keys, which is the same, and the keys without their common end.
fn recorded(answer: &Answer) -> (String, Vec<String>) {
    let statuses: Vec<&String> = answer.record.values().collect();
    assert!(statuses.iter().all(|status| *status == statuses[0]), "{:?}", answer.record);
    let beginning = |key: &String| key.strip_suffix("-actualResponseStatus").unwrap().to_owned();
    (statuses[0].clone(), answer.record.keys().map(beginning).collect())
}

const GATE: Hook = Hook::Lifecycle(Lifecycle::BeforeControlPlaneUpgrade);

#[test]
fn ch_8_1_all_lifecycle_hooks_and_the_plan_are_served() {
    let handlers = handlers();
    let mut names: Vec<&str> = handlers.iter().map(|handler| handler.name.as_str()).collect();
    names.sort_unstable();
    let expect = [
        "after-cluster-upgrade",
        "after-control-plane-initialized",
        "after-control-plane-upgrade",
        "after-workers-upgrade",
        "before-cluster-create",
        "before-cluster-delete",
        "before-cluster-upgrade",
        "before-control-plane-upgrade",
        "before-workers-upgrade",
        "generate-upgrade-plan",
    ];
    assert_eq!(names, expect);
    assert_eq!(DiscoveryResponse::new(handlers).status(), Status::Success);
    let machine = json!({"machine": {}, "infrastructureMachine": {}, "bootstrapConfig": {}});
    let body = json!({"current": machine, "desired": machine}).to_string();
    let other = Request::read(Hook::CanUpdateMachine, body.as_bytes()).unwrap();
    assert_eq!(Call::of(&other), None);
}

#[test]
fn ch_8_1_without_a_word_it_passes_or_blocks_for_five_seconds() {
    let check = |hook: Lifecycle, blocking: &str, open: &str, keys: &[&str]| {
        for (settings, expect) in [(BLOCKING, blocking), (OPEN, open)] {
            let answer = answer(&request(hook.into(), settings, json!({})), &[]);
            assert_eq!(answer.origin, Origin::Settings);
            let mut keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
            keys.sort();
            assert_eq!(recorded(&answer), (expect.to_owned(), keys), "{hook}");
        }
    };
    let (waits, goes) = ("Status: Success, RetryAfterSeconds: 5", "Status: Success, RetryAfterSeconds: 0");
    check(Lifecycle::BeforeClusterCreate, waits, goes, &["BeforeClusterCreate"]);
    // Its answer has no field to block with.
    check(
        Lifecycle::AfterControlPlaneInitialized,
        "Status: Success",
        "Status: Success",
        &["AfterControlPlaneInitialized"],
    );
    let ahead = |hook: Lifecycle| [hook.name().to_owned(), format!("{hook}-v1.29.0_a-v1.30.0_b.1")];
    let behind = |hook: Lifecycle| [hook.name().to_owned(), format!("{hook}-v1.30.0_b.1")];
    for hook in [Lifecycle::BeforeClusterUpgrade, Lifecycle::BeforeControlPlaneUpgrade, Lifecycle::BeforeWorkersUpgrade]
    {
        check(hook, waits, goes, &ahead(hook).each_ref().map(String::as_str));
    }
    for hook in [Lifecycle::AfterControlPlaneUpgrade, Lifecycle::AfterWorkersUpgrade, Lifecycle::AfterClusterUpgrade] {
        check(hook, waits, goes, &behind(hook).each_ref().map(String::as_str));
    }
    check(Lifecycle::BeforeClusterDelete, waits, goes, &["BeforeClusterDelete"]);
}

#[test]
fn ch_8_1_who_is_blocked_by_default_is_told_what_lets_it_pass() {
    let answer = answer(&request(GATE, BLOCKING, json!({})), &[]);
    let expect = "the test extension blocks until ConfigMap ns1/c1-ext-test-extension-hookresponses has a \
                  BeforeControlPlaneUpgrade-preloadedResponse that does not";
    assert_eq!(message(&answer.response), expect);
}

#[test]
fn ch_8_1_the_key_with_the_versions_goes_before_the_one_of_the_hook() {
    let check = |data: &[(&str, &str)], key: &str, status: &str| {
        let answer = answer(&request(GATE, BLOCKING, json!({})), data);
        assert_eq!(answer.origin, Origin::Key(key.to_owned()));
        assert_eq!(recorded(&answer).0, status, "{data:?}");
    };
    let general = "BeforeControlPlaneUpgrade-preloadedResponse";
    let special = "BeforeControlPlaneUpgrade-v1.29.0_a-v1.30.0_b.1-preloadedResponse";
    let other = "BeforeControlPlaneUpgrade-v1.30.0_b.1-v1.31.0-preloadedResponse";
    let (goes, waits) = (r#"{"Status": "Success"}"#, "status: Success\nretryAfterSeconds: 30\n");
    let (gone, waited) = ("Status: Success, RetryAfterSeconds: 0", "Status: Success, RetryAfterSeconds: 30");
    check(&[(general, goes)], general, gone);
    check(&[(special, waits)], special, waited);
    check(&[(general, goes), (special, waits)], special, waited);
    check(&[(general, waits), (special, goes)], special, gone);
    check(&[(general, waits), (other, goes)], general, waited);
    check(&[(general, "{status: Success, RETRYAFTERSECONDS: 7}")], general, "Status: Success, RetryAfterSeconds: 7");
    check(&[(general, "status: Failure\nmessage: no")], general, "Status: Failure, RetryAfterSeconds: 0");
    check(&[(general, "{\t\"status\":\t\"Success\"}")], general, gone);
    // Bad answers are worth trying too: they go out as they are.
    let negative = "{\"status\": \"Success\", \"retryAfterSeconds\": -5}";
    check(&[(general, negative)], general, "Status: Success, RetryAfterSeconds: -5");
    let answer = answer(&request(GATE, OPEN, json!({})), &[(general, negative)]);
    assert_eq!(serde_json::to_value(&answer.response).unwrap()["retryAfterSeconds"], -5);
}

#[test]
fn ch_8_1_what_is_no_response_is_a_failure_that_names_configmap_and_key() {
    let key = "BeforeControlPlaneUpgrade-preloadedResponse";
    let check = |text: &str, why: &str| {
        let answer = answer(&request(GATE, OPEN, json!({})), &[(key, text)]);
        assert_eq!(answer.origin, Origin::Key(key.to_owned()));
        assert_eq!(recorded(&answer).0, "Status: Failure, RetryAfterSeconds: 0");
        let message = message(&answer.response);
        let start = format!("ConfigMap ns1/c1-ext-test-extension-hookresponses: {key} cannot be answered: ");
        let rest = message.strip_prefix(&start).unwrap_or_else(|| panic!("{message}"));
        assert!(rest.starts_with(why), "{rest}");
        assert!(!rest.contains('\n'), "{rest:?}");
    };
    check("", "BeforeControlPlaneUpgradeResponse is empty");
    check(" \n", "BeforeControlPlaneUpgradeResponse is empty");
    check("{}", "BeforeControlPlaneUpgradeResponse: status is missing");
    check("status: Sucess", "BeforeControlPlaneUpgradeResponse: status is \"Sucess\", neither Success nor Failure");
    check("Success", "BeforeControlPlaneUpgradeResponse is a string, not an object");
    check("[1]", "BeforeControlPlaneUpgradeResponse is a list, not an object");
    check("a: [", "it is neither JSON nor YAML: ");
    check("{\"status\": \"Success\"", "it is neither JSON nor YAML: ");
    check("status: Success\nstatus: Failure", "it is neither JSON nor YAML: ");
    let status = "status: Success\nretryAfterSeconds: ";
    check(&format!("{status}soon"), "BeforeControlPlaneUpgradeResponse: retryAfterSeconds is a string, not a number");
    let wide = "BeforeControlPlaneUpgradeResponse: retryAfterSeconds is 5000000000, not a whole number of 32 bits";
    check(&format!("{status}5000000000"), wide);
    let other = "BeforeControlPlaneUpgradeResponse: kind is \"AfterClusterUpgradeResponse\"";
    check("kind: AfterClusterUpgradeResponse\nstatus: Success", other);
}

#[test]
fn ch_8_1_a_call_without_settings_or_names_is_refused() {
    let check = |settings: &str, change: Value, why: &str| {
        let request = request(GATE, settings, change);
        let refusal = Call::of(&request).unwrap().script().unwrap_err();
        assert_eq!(with_causes(&refusal), why);
    };
    let lacks = "the settings of the ExtensionConfig lack extensionConfigName: it must hold the ExtensionConfig's name";
    check("{}", json!({}), lacks);
    check(r#"{"extensionConfigName": ""}"#, json!({}), lacks);
    let unsure = r#"{"extensionConfigName": "ext", "defaultAllHandlersToBlocking": "yes"}"#;
    let why = "the setting defaultAllHandlersToBlocking is \"yes\", neither \"true\" nor \"false\"";
    check(unsure, json!({}), why);
    let cluster =
        |name: &str, namespace: &str| json!({"cluster": {"metadata": {"name": name, "namespace": namespace}}});
    check(OPEN, cluster("", "ns1"), "the cluster of the request has no metadata.name");
    check(OPEN, cluster("c1", ""), "the cluster of the request has no metadata.namespace");
    let why = "the cluster of the request is in the namespace \"../kube-system\", which can be none";
    check(OPEN, cluster("c1", "../kube-system"), why);
    let why = "no ConfigMap can have the name \"c/1-ext-test-extension-hookresponses\": it has characters that may not be in one";
    check(OPEN, cluster("c/1", "ns1"), why);
    let long = "x".repeat(240);
    let why = format!("no ConfigMap can have the name \"{}…\": it is 273 bytes long, more than 253", "x".repeat(80));
    check(OPEN, cluster(&long, "ns1"), &why);
    let why = "no ConfigMap can have the key \"BeforeControlPlaneUpgrade-v1.29.0_a-v1 30-actualResponseStatus\": it has characters that may not be in one";
    check(OPEN, json!({"toKubernetesVersion": "v1 30"}), why);
    let long = format!("v1.30.0-{}", "1".repeat(240));
    let request = request(GATE, OPEN, json!({"toKubernetesVersion": long}));
    let why = with_causes(&Call::of(&request).unwrap().script().unwrap_err());
    assert!(why.starts_with("no ConfigMap can have the key "), "{why}");
    assert!(why.ends_with("it is 305 bytes long, more than 253"), "{why}");
}

#[test]
fn ch_8_1_the_plan_is_the_preloaded_one_or_ours() {
    let check = |settings: &str, change: Value, data: &[(&str, &str)], expect: Result<(&str, &str), &str>| {
        let answer = answer(&request(Hook::GenerateUpgradePlan, settings, change), data);
        let is_preloaded = matches!(answer.origin, Origin::Key(_));
        assert_eq!(is_preloaded, !data.is_empty());
        let status = if expect.is_ok() { "Status: Success" } else { "Status: Failure" };
        assert_eq!(recorded(&answer).0, status);
        let Response::GenerateUpgradePlan(response) = &answer.response else { panic!("{:?}", answer.response) };
        match (response.upgrades(), expect) {
            (Ok((control_plane, workers)), Ok(expect)) => {
                let joined = [control_plane, workers]
                    .map(|steps| steps.iter().map(|step| step.version.as_str()).collect::<Vec<_>>().join(" "));
                assert_eq!((joined[0].as_str(), joined[1].as_str()), expect);
            }
            (Err(failed), Err(expect)) => assert!(failed.message.starts_with(expect), "{}", failed.message),
            (got, expect) => panic!("{got:?}, not {expect:?}"),
        }
    };
    // Every minor on the way, of which nobody named a patch.
    check(OPEN, json!({}), &[], Ok(("v1.30.0 v1.31.0 v1.32.0", "v1.32.0")));
    check(BLOCKING, json!({}), &[], Ok(("v1.30.0 v1.31.0 v1.32.0", "v1.32.0")));
    check(OPEN, json!({"toKubernetesVersion": "v1.30.7"}), &[], Ok(("v1.30.7", "v1.30.7")));
    let lagging = json!({"fromControlPlaneKubernetesVersion": "v1.32.0"});
    check(OPEN, lagging, &[], Ok(("", "v1.32.0")));
    let listed = r#"{"extensionConfigName": "ext", "versions": "v1.30.4, v1.31.9, v1.32.0"}"#;
    check(listed, json!({}), &[], Ok(("v1.30.4 v1.31.9 v1.32.0", "v1.32.0")));
    let short = r#"{"extensionConfigName": "ext", "versions": "v1.31.9"}"#;
    check(short, json!({}), &[], Err("the test extension has no plan: there is no plan from v1.29.0 to v1.32.0: "));
    check(OPEN, json!({"toKubernetesVersion": "v1.4000000000.0"}), &[], Err("the test extension has no plan: "));
    check(OPEN, json!({"toKubernetesVersion": "v2.1.0"}), &[], Err("the test extension has no plan: "));
    let key = "GenerateUpgradePlan-v1.29.0-v1.32.0-preloadedResponse";
    let plan = "status: Success\ncontrolPlaneUpgrades:\n- version: v1.32.0\n";
    check(OPEN, json!({}), &[(key, plan)], Ok(("v1.32.0", "")));
    check(OPEN, json!({}), &[("GenerateUpgradePlan-preloadedResponse", plan)], Ok(("v1.32.0", "")));
    check(OPEN, json!({}), &[(key, "status: Failure\nmessage: not today")], Err("not today"));
}
