//! Who is asked (5.2 to 5.4).

use headway_api::hooks::Hook;
use headway_core::hook::{Fingerprint, LookupError, Registry, Settled};
use serde_json::{Value, json};

use super::said::{config, from, handlers, hook, labels};

const UPGRADE: &str = "BeforeClusterUpgrade";

fn asked(registry: &Registry, hook: Hook, namespace: &str) -> String {
    match registry.matching(hook, &labels(namespace)) {
        Ok(handlers) => handlers.iter().map(|handler| handler.name.as_str()).collect::<Vec<_>>().join(" "),
        Err(error) => format!("! {error}"),
    }
}

#[test]
fn ch_5_4_the_selector_of_the_namespace_decides() {
    let check = |selector: Value, namespace: &str, expect: &str| {
        let mut registry = Registry::default();
        registry.list(vec![config("ext", &selector)]);
        registry.settle(config("ext", &selector), Ok(handlers(&["gate:BeforeClusterUpgrade"])));
        assert_eq!(asked(&registry, hook(UPGRADE), namespace), expect, "{selector} in {namespace}");
    };
    check(json!(null), "", "gate.ext");
    check(json!({}), "team=a", "gate.ext");
    check(json!({"matchLabels": {"team": "a"}}), "team=a env=dev", "gate.ext");
    check(json!({"matchLabels": {"team": "a"}}), "team=b", "");
    let not = |operator: &str, values: Value| json!({"matchExpressions": [{"key": "team", "operator": operator, "values": values}]});
    check(not("NotIn", json!(["b"])), "team=b", "");
    check(not("NotIn", json!(["b"])), "team=a", "gate.ext");
    check(not("Exists", json!([])), "env=dev", "");
    // ch_b18: what is wrong with a selector is told, and whose it is.
    let told = "! it is not known what these extensions answer: ext: its namespaceSelector cannot be used: team: \
                \"Near\" is not an operator of label selectors";
    check(not("Near", json!(["b"])), "team=a", told);
}

#[test]
fn ch_b15_handlers_come_in_the_order_of_their_names() {
    let mut registry = Registry::default();
    registry.list(["b", "a", "c"].map(|name| config(name, &json!({}))).to_vec());
    registry.settle(config("c", &json!({})), Ok(handlers(&["x:BeforeClusterUpgrade"])));
    registry.settle(config("a", &json!({})), Ok(handlers(&["z:BeforeClusterUpgrade", "b:AfterClusterUpgrade"])));
    registry.settle(config("b", &json!({})), Ok(handlers(&["y:BeforeClusterUpgrade", "a:BeforeClusterUpgrade"])));
    assert_eq!(asked(&registry, hook(UPGRADE), ""), "a.b x.c y.b z.a");
    assert_eq!(asked(&registry, hook("AfterClusterUpgrade"), ""), "b.a");
    assert_eq!(asked(&registry, hook("AfterWorkersUpgrade"), ""), "");
}

#[test]
fn ch_5_3_who_is_not_known_has_not_agreed() {
    let mut registry = Registry::default();
    assert_eq!(asked(&registry, hook(UPGRADE), ""), "! the ExtensionConfigs were not listed yet");
    registry.list(Vec::new());
    assert_eq!(asked(&registry, hook(UPGRADE), ""), "");
    // An extension that was never discovered holds up the namespaces that it selects, and no others.
    let only_a = config("ext", &json!({"matchLabels": {"team": "a"}}));
    registry.announce(only_a.clone());
    let unknown = "! it is not known what these extensions answer: ext: it was not discovered yet";
    assert_eq!(asked(&registry, hook(UPGRADE), "team=a"), unknown);
    assert_eq!(asked(&registry, hook(UPGRADE), "team=b"), "");
    registry.settle(only_a, Err("connection refused".into()));
    let why = "! it is not known what these extensions answer: ext: connection refused";
    assert_eq!(asked(&registry, hook(UPGRADE), "team=a"), why);
    assert_eq!(asked(&registry, hook(UPGRADE), "team=b"), "");
    // Scenario 30: to delete it is the way out.
    registry.remove("ext");
    assert_eq!(asked(&registry, hook(UPGRADE), "team=a"), "");
    // Of many, a few are named.
    registry.list(["a", "b", "c", "d", "e"].map(|name| config(name, &json!({}))).to_vec());
    assert!(asked(&registry, hook(UPGRADE), "").ends_with("c: it was not discovered yet; and 2 more"));
}

#[test]
fn ch_b29_a_failed_discovery_keeps_the_handlers_and_is_told() {
    let mut registry = Registry::default();
    registry.list(vec![config("ext", &json!({}))]);
    registry.settle(config("ext", &json!({})), Ok(handlers(&["gate:BeforeClusterUpgrade"])));
    assert_eq!(registry.troubles().count(), 0);
    // Another address, at which nobody answers: it is asked there, and not in silence where it was.
    let mut moved = config("ext", &json!({}));
    moved.metadata.generation = Some(2);
    moved.spec.client_config.url = "https://moved.example.com".into();
    registry.announce(moved.clone());
    assert_eq!(registry.settle(moved, Err("no route to host".into())), Settled::Taken);
    let asked = registry.matching(hook(UPGRADE), &labels("")).unwrap();
    let [gate] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(gate.config.spec.client_config.url, "https://moved.example.com");
    assert_eq!(gate.trouble.as_deref(), Some("no route to host"));
    let troubles: Vec<_> = registry.troubles().map(|it| format!("{}: {}", it.extension, it.reason)).collect();
    assert_eq!(troubles, ["ext: no route to host"]);
}

#[test]
fn what_has_gone_or_changed_meanwhile_is_not_registered() {
    let one = config("ext", &json!({}));
    let found = || Ok(handlers(&["gate:BeforeClusterUpgrade"]));
    let mut registry = Registry::default();
    registry.list(Vec::new());
    assert_eq!(registry.settle(one.clone(), found()), Settled::Outdated);
    assert_eq!(asked(&registry, hook(UPGRADE), ""), "");
    let mut newer = one.clone();
    newer.metadata.generation = Some(2);
    registry.announce(newer.clone());
    assert_eq!(registry.settle(one.clone(), found()), Settled::Outdated);
    assert_eq!(registry.settle(newer.clone(), found()), Settled::Taken);
    // An older one that comes late changes nothing.
    registry.announce(one);
    assert_eq!(registry.matching(hook(UPGRADE), &labels("")).unwrap()[0].config.metadata.generation, Some(2));
    // Another object of the same name is not known.
    let mut another = newer;
    another.metadata.uid = "another".into();
    registry.list(vec![another]);
    assert!(asked(&registry, hook(UPGRADE), "").contains("not discovered yet"));
}

#[test]
fn certificates_that_were_put_in_outlast_a_look() {
    let one = config("ext", &json!({}));
    let mut registry = Registry::default();
    registry.list(vec![one.clone()]);
    let mut with_ca = one.clone();
    with_ca.spec.client_config.ca_bundle = "Q0E=".into();
    registry.settle(with_ca, Ok(handlers(&["gate:BeforeClusterUpgrade"])));
    registry.list(vec![one]);
    assert_eq!(registry.matching(hook(UPGRADE), &labels("")).unwrap()[0].config.spec.client_config.ca_bundle, "Q0E=");
}

#[test]
fn handlers_that_others_discovered_count_until_we_do() {
    let check = |status: Value, expect: &str| {
        let mut registry = Registry::default();
        registry.list(vec![from(json!({"metadata": {"name": "ext", "uid": "u", "generation": 3}, "status": status}))]);
        assert_eq!(asked(&registry, hook(UPGRADE), ""), expect, "{status}");
    };
    let unknown = "! it is not known what these extensions answer: ext: it was not discovered yet";
    let handler = |name: &str, hook: &str| {
        let hook = json!({"apiVersion": "hooks.runtime.cluster.x-k8s.io/v1alpha1", "hook": hook});
        json!({"name": name, "requestHook": hook, "timeoutSeconds": 5, "failurePolicy": "Ignore"})
    };
    let discovered = |status: &str| json!([{"type": "Discovered", "status": status}]);
    check(json!({}), unknown);
    check(json!({"conditions": discovered("True")}), "");
    check(json!({"conditions": discovered("False")}), unknown);
    check(json!({"handlers": [handler("gate.ext", UPGRADE)], "conditions": discovered("False")}), "gate.ext");
    check(json!({"handlers": [handler("gate.ext", "AfterClusterUpgrade")]}), "");
    check(json!({"handlers": [handler("gate.other", UPGRADE)]}), unknown);
    check(json!({"handlers": [handler("gate.ext", "Unheard")]}), unknown);
}

#[test]
fn ch_2_4_a_handler_by_its_name() {
    let mut registry = Registry::default();
    let named = |registry: &Registry, name: &str, namespace: &str| match registry.named(
        name,
        Hook::GenerateUpgradePlan,
        &labels(namespace),
    ) {
        Ok(handler) => handler.name,
        Err(error) => format!("! {error}"),
    };
    assert_eq!(named(&registry, "plan.ext", ""), "! the ExtensionConfigs were not listed yet");
    let only_a = config("ext", &json!({"matchLabels": {"team": "a"}}));
    registry.list(vec![only_a.clone()]);
    assert!(named(&registry, "plan.ext", "team=a").ends_with("ext: it was not discovered yet"));
    registry.settle(only_a, Ok(handlers(&["plan:GenerateUpgradePlan", "gate:BeforeClusterUpgrade"])));
    assert_eq!(named(&registry, "plan.ext", "team=a"), "plan.ext");
    assert_eq!(
        named(&registry, "plan.ext", "team=b"),
        "! the namespaceSelector of the extension of plan.ext leaves out the cluster's namespace"
    );
    assert_eq!(named(&registry, "gate.ext", "team=a"), "! the handler gate.ext answers BeforeClusterUpgrade");
    for name in ["plans.ext", "plan.other", "plan", "", "plan.ext.more"] {
        assert_eq!(named(&registry, name, "team=a"), format!("! no extension has a handler {name}"));
    }
}

#[test]
fn ch_b13_a_fingerprint_changes_with_the_configuration() {
    let of = |change: &dyn Fn(&mut headway_api::cluster_api::ExtensionConfig), texts: &[&str]| {
        let mut config = config("ext", &json!({}));
        change(&mut config);
        let mut registry = Registry::default();
        registry.list(vec![config.clone()]);
        registry.settle(config, Ok(handlers(texts)));
        Fingerprint::of(&registry.matching(hook(UPGRADE), &labels("")).unwrap())
    };
    let same = of(&|_| (), &["a:BeforeClusterUpgrade"]);
    assert_eq!(of(&|_| (), &["a:BeforeClusterUpgrade", "b:AfterClusterUpgrade"]), same);
    assert_ne!(of(&|_| (), &["b:BeforeClusterUpgrade"]), same);
    assert_ne!(of(&|_| (), &["a:BeforeClusterUpgrade", "b:BeforeClusterUpgrade"]), same);
    assert_ne!(of(&|config| config.metadata.generation = Some(2), &["a:BeforeClusterUpgrade"]), same);
    assert_ne!(of(&|config| config.metadata.uid = "again".into(), &["a:BeforeClusterUpgrade"]), same);
    assert!(matches!(Registry::default().matching(hook(UPGRADE), &labels("")), Err(LookupError::NotListed)));
}
