//! What is written of a discovery into the status of an ExtensionConfig, by whoever drives topologies. Beside Cluster
//! API nobody but it writes there.

use headway_api::cluster_api::{ExtensionConfig, ExtensionHandler, RequestHook};
use headway_api::hooks::{API_VERSION, Registered};
use headway_api::meta::ConditionStatus;
use jiff::Timestamp;
use serde_json::{Value, json};

/// The type of the condition.
const DISCOVERED: &str = "Discovered";

/// The fields to apply to the status of `config`, when its discovery came to `found` at `now`.
///
/// A discovery that failed keeps the handlers of before. The time of the condition is kept while its status stays.
#[must_use]
pub fn discovered_status(config: &ExtensionConfig, found: &Result<Vec<Registered>, String>, now: Timestamp) -> Value {
    let ExtensionConfig { metadata, status, .. } = config;
    let (word, reason, message, is) = match found {
        Ok(_) => ("True", "Discovered", "", ConditionStatus::True),
        Err(reason) => ("False", "NotDiscovered", reason.as_str(), ConditionStatus::False),
    };
    let before = status.condition(DISCOVERED).filter(|condition| condition.status == is);
    let since = before.and_then(|condition| condition.last_transition_time).unwrap_or(now);
    let handlers: Vec<Value> = match found {
        Ok(handlers) => handlers.iter().map(|handler| told(handler, &metadata.name)).collect(),
        Err(_) => status.handlers.iter().map(retold).collect(),
    };
    let mut applied = json!({
        "conditions": [{
            "type": DISCOVERED,
            "status": word,
            "reason": reason,
            "message": message,
            "observedGeneration": metadata.generation.unwrap_or_default(),
            // Whole seconds, as the API server keeps them.
            "lastTransitionTime": Timestamp::from_second(since.as_second()).unwrap_or(since).to_string(),
        }],
    });
    if !handlers.is_empty() {
        applied["handlers"] = Value::Array(handlers);
    }
    applied
}

fn told(handler: &Registered, extension: &str) -> Value {
    json!({
        "name": handler.full_name(extension),
        "requestHook": {"apiVersion": API_VERSION, "hook": handler.hook.name()},
        "timeoutSeconds": handler.timeout_seconds,
        "failurePolicy": handler.failure_policy.to_string(),
    })
}

/// A handler as it is written already.
fn retold(handler: &ExtensionHandler) -> Value {
    let ExtensionHandler { name, request_hook: RequestHook { api_version, hook }, timeout_seconds, failure_policy } =
        handler;
    let mut told = json!({"name": name, "requestHook": {"apiVersion": api_version, "hook": hook}});
    if let Some(seconds) = timeout_seconds {
        told["timeoutSeconds"] = json!(seconds);
    }
    if !failure_policy.is_empty() {
        told["failurePolicy"] = json!(failure_policy);
    }
    told
}
