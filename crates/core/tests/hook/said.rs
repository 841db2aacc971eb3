//! ExtensionConfigs and what was discovered of them, in short texts.

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{FailurePolicy, Hook, Registered};
use headway_api::meta::Labels;
use headway_core::hook::{Handler, Registry};
use serde_json::{Value, json};

/// An ExtensionConfig of that name, for namespaces with these labels.
pub(super) fn config(name: &str, selector: &Value) -> ExtensionConfig {
    from(json!({
        "metadata": {"name": name, "uid": format!("uid-{name}"), "generation": 1},
        "spec": {"clientConfig": {"url": format!("https://{name}.example.com")}, "namespaceSelector": selector},
    }))
}

pub(super) fn from(value: Value) -> ExtensionConfig {
    serde_json::from_value(value).unwrap()
}

/// Handlers as `NAME:HOOK`, which fail, or `NAME:HOOK?`, whose failures are passed over.
pub(super) fn handlers(texts: &[&str]) -> Vec<Registered> {
    let read = |text: &&str| {
        let (name, hook) = text.split_once(':').unwrap();
        let (hook, failure_policy) = match hook.strip_suffix('?') {
            Some(hook) => (hook, FailurePolicy::Ignore),
            None => (hook, FailurePolicy::Fail),
        };
        Registered { name: name.into(), hook: self::hook(hook), timeout_seconds: 10, failure_policy }
    };
    texts.iter().map(read).collect()
}

pub(super) fn hook(name: &str) -> Hook {
    Hook::find(headway_api::hooks::API_VERSION, name).unwrap()
}

/// Labels as `KEY=VALUE`.
pub(super) fn labels(text: &str) -> Labels {
    text.split_whitespace().filter_map(|label| label.split_once('=')).collect()
}

/// A registry of one extension `ext` for all namespaces.
pub(super) fn registry(texts: &[&str]) -> Registry {
    let mut registry = Registry::default();
    registry.list(vec![config("ext", &json!({}))]);
    registry.settle(config("ext", &json!({})), Ok(handlers(texts)));
    registry
}

/// The only handler `a.ext` of that hook.
pub(super) fn handler(text: &str) -> Handler {
    let (_, hook) = text.split_once(':').unwrap();
    let hook = self::hook(hook.trim_end_matches('?'));
    registry(&[text]).matching(hook, &labels("")).unwrap().remove(0)
}
