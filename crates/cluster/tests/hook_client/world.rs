//! A client with a clock of its own, ExtensionConfigs and clusters.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use headway_api::cluster_api::ExtensionConfig;
use headway_api::hooks::{Cluster, LifecycleCall, Object, StepAhead, UpgradeStep, Verdict};
use headway_api::meta::Labels;
use headway_api::quoted::with_causes;
use headway_cluster::hook_client::{About, HookClient, IdentityFiles, Options, Timing};
use headway_core::hook::{HookError, Outcome};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::certificates::Authority;
use super::extension::Extension;

/// A client, and the clock that it reads.
pub(super) struct World {
    pub(super) client: Arc<HookClient>,
    now: Arc<Mutex<Timestamp>>,
}

impl World {
    pub(super) fn new() -> Self {
        Self::with(|_| ())
    }

    pub(super) fn with_identity(identity: IdentityFiles) -> Self {
        Self::with(|options| options.identity = Some(identity))
    }

    /// A client whose options are changed first.
    pub(super) fn with(change: impl FnOnce(&mut Options)) -> Self {
        let now = Arc::new(Mutex::new(Timestamp::UNIX_EPOCH));
        let clock = Arc::clone(&now);
        let mut options = Options {
            cluster: None,
            identity: None,
            clock: Arc::new(move || *clock.lock().unwrap()),
            timing: Timing {
                discovery: Duration::from_secs(20),
                warm_up: Duration::from_secs(60),
                again: Duration::from_millis(50),
            },
        };
        change(&mut options);
        Self { client: HookClient::new(options), now }
    }

    pub(super) fn pass(&self, seconds: i64) {
        *self.now.lock().unwrap() += SignedDuration::from_secs(seconds);
    }

    /// Asks BeforeClusterUpgrade for a cluster, and tells what it comes to.
    pub(super) async fn ask(&self, cluster: &str, namespace: &str) -> String {
        self.ask_call(cluster, namespace, &upgrade("v1.32.0")).await
    }

    pub(super) async fn ask_call(&self, uid: &str, namespace: &str, call: &LifecycleCall) -> String {
        let (cluster, namespace) = (cluster(uid), labels(namespace));
        told(&self.client.ask(About { cluster: &cluster, namespace: &namespace }, call).await)
    }
}

/// An outcome in a line: `go MESSAGE`, `wait SECONDS MESSAGE`, or `! ERROR: CAUSES`, and the notes after bars.
pub(super) fn told(outcome: &Result<Outcome, HookError>) -> String {
    let Outcome { verdict, notes } = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return chain(error),
    };
    let mut told = match verdict {
        Verdict::Go { message } => format!("go {message}"),
        Verdict::Wait { seconds, message, .. } => format!("wait {seconds} {message}"),
    };
    for note in notes {
        told.push_str(&format!("| {note}"));
    }
    told.trim_end().to_owned()
}

pub(super) fn chain(error: &(dyn Error + 'static)) -> String {
    format!("! {}", with_causes(error))
}

pub(super) fn labels(text: &str) -> Labels {
    text.split_whitespace().filter_map(|label| label.split_once('=')).collect()
}

/// The ExtensionConfig of that name, for the namespaces with the label `team=NAME`.
pub(super) fn config(name: &str, extension: &Extension, authority: &Authority) -> ExtensionConfig {
    config_at(name, &extension.url(), authority)
}

pub(super) fn config_at(name: &str, url: &str, authority: &Authority) -> ExtensionConfig {
    config_of(json!({
        "metadata": {"name": name, "uid": format!("uid-{name}"), "generation": 1},
        "spec": {
            "clientConfig": {"url": url, "caBundle": authority.bundle()},
            "namespaceSelector": {"matchLabels": {"team": name}},
            "settings": {"tier": "gold"},
        },
    }))
}

pub(super) fn config_of(value: Value) -> ExtensionConfig {
    serde_json::from_value(value).unwrap()
}

/// A cluster of that uid, with what is not to be sent.
pub(super) fn cluster(uid: &str) -> Cluster {
    let Value::Object(fields) = json!({
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Cluster",
        "metadata": {"name": "c1", "namespace": "ns1", "uid": uid, "managedFields": [{"manager": "kubectl"}]},
        "spec": {"topology": {"classRef": {"name": "prod"}, "version": "v1.32.0"}},
        "status": {"phase": "Provisioned"},
    }) else {
        panic!("it is an object")
    };
    Cluster::new(Object::new(fields))
}

pub(super) fn upgrade(to: &str) -> LifecycleCall {
    LifecycleCall::BeforeClusterUpgrade(StepAhead {
        from_kubernetes_version: "v1.31.0".into(),
        to_kubernetes_version: to.into(),
        control_plane_upgrades: vec![UpgradeStep::from(to)],
        workers_upgrades: Vec::new(),
    })
}

/// A success, with a time to wait and a message.
pub(super) fn success(seconds: i32, message: &str) -> String {
    json!({"status": "Success", "retryAfterSeconds": seconds, "message": message}).to_string()
}
