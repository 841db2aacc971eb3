//! An ExtensionConfig as a real Cluster API wrote it: what is read of it, and what we would write.

use std::path::Path;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Hook, Registered};
use headway_core::hook::{Registry, discovered_status};
use serde_json::Value;

use super::world::{config_of, labels};

/// `None`, said aloud, where the recordings are not there.
fn recorded() -> Option<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/fixtures/cluster-api/misc/clusterclasses-extensionconfig.yaml"
    );
    if !Path::new(path).exists() {
        eprintln!("NOT TESTED: {path} is not there");
        return None;
    }
    let list: Value = serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let items = list["items"].as_array().unwrap();
    Some(items.iter().find(|item| item["kind"] == "ExtensionConfig").unwrap().clone())
}

#[test]
fn ch_5_1_a_recorded_extension_is_known_by_its_status() {
    let Some(recorded) = recorded() else { return };
    let config: ExtensionConfig = config_of(recorded.clone());
    let mut registry = Registry::default();
    registry.list(vec![config.clone()]);
    let of = |hook: Hook, namespace: &str| {
        registry.matching(hook, &labels(&format!("kubernetes.io/metadata.name={namespace}"))).unwrap()
    };
    let handlers = recorded["status"]["handlers"].as_array().unwrap();
    let found: Vec<Registered> = handlers
        .iter()
        .map(|handler| {
            let hook = Hook::find(
                handler["requestHook"]["apiVersion"].as_str().unwrap(),
                handler["requestHook"]["hook"].as_str().unwrap(),
            );
            // Each is found in a namespace that the selector names, and nowhere else.
            let [here] = <[_; 1]>::try_from(of(hook.unwrap(), "default")).unwrap();
            assert_eq!(here.name, handler["name"].as_str().unwrap());
            assert_eq!(here.config.spec.settings["exampleSetting"], "exampleValue");
            assert_eq!(of(hook.unwrap(), "kube-system"), []);
            here.registered
        })
        .collect();
    assert!(found.len() > 8, "{found:?}");
    // We would write the handlers as Cluster API did.
    let written = discovered_status(&config, &Ok(found), "2026-11-30T10:00:00Z".parse().unwrap());
    assert_eq!(written["handlers"], recorded["status"]["handlers"]);
    let condition = &recorded["status"]["conditions"].as_array().unwrap()[0];
    assert_eq!(written["conditions"][0], *condition, "its time stays, since its status did");
}
