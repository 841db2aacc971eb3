//! The cluster version: the control plane has come from 4.20.4 to 4.20.11, the nodes are following.

use serde_json::{Value, json};

use super::fleet::Release;
use super::moment::{HOUR, ago};
use super::seed::Seed;

/// Versions before the update, newest first, for a history of real length.
const EARLIER: [&str; 7] = ["4.20.2", "4.19.18", "4.19.11", "4.19.3", "4.18.21", "4.18.9", "4.18.1"];

/// The one cluster version.
pub(crate) fn cluster_version() -> Value {
    let target = Release::Target;
    let seed = Seed::of("cluster version");
    json!({
        "apiVersion": "config.openshift.io/v1",
        "kind": "ClusterVersion",
        "metadata": {
            "creationTimestamp": ago(9_200 * HOUR),
            "generation": 23,
            "name": "version",
            "resourceVersion": seed.resource_version(),
            "uid": seed.uuid(),
        },
        "spec": {
            "channel": "stable-4.20",
            "clusterID": seed.under("cluster").uuid(),
            "desiredUpdate": {"architecture": "", "force": false, "image": target.image(), "version": target.version()},
        },
        "status": {
            "availableUpdates": null,
            "capabilities": {"enabledCapabilities": capabilities(), "knownCapabilities": capabilities()},
            "conditions": conditions(),
            "desired": {"channels": ["fast-4.20", "stable-4.20"], "image": target.image(), "url": "https://docs.seaport.example/4.20.11", "version": target.version()},
            "history": history(),
            "observedGeneration": 23,
            "versionHash": seed.under("hash").base64(22) + "==",
        },
    })
}

fn capabilities() -> Value {
    json!([
        "Build",
        "CSISnapshot",
        "CloudControllerManager",
        "CloudCredential",
        "Console",
        "DeploymentConfig",
        "ImageRegistry",
        "Ingress",
        "Insights",
        "MachineAPI",
        "NodeTuning",
        "OperatorLifecycleManager",
        "Storage",
        "baremetal",
        "marketplace"
    ])
}

fn conditions() -> Value {
    let version = Release::Target.version();
    let condition = |kind: &str, status: &str, reason: &str, message: String, seconds: u32| json!({"lastTransitionTime": ago(seconds), "message": message, "reason": reason, "status": status, "type": kind});
    json!([
        condition("RetrievedUpdates", "True", "", String::new(), 900 * HOUR),
        condition(
            "Upgradeable",
            "False",
            "PoolsAreUpdating",
            "Not to the next minor yet:\n* the pool worker is being updated\n* the pool infra is being updated"
                .to_owned(),
            3 * HOUR
        ),
        condition(
            "ImplicitlyEnabledCapabilities",
            "False",
            "AsExpected",
            "Capabilities match configured spec".to_owned(),
            9_000 * HOUR
        ),
        condition(
            "ReleaseAccepted",
            "True",
            "PayloadLoaded",
            format!(
                "Payload loaded version=\"{version}\" image=\"{}\" architecture=\"amd64\"",
                Release::Target.image()
            ),
            5 * HOUR
        ),
        condition("Available", "True", "", format!("Done applying {version}"), 9_000 * HOUR),
        condition("Failing", "False", "", String::new(), 4 * HOUR),
        condition("Progressing", "False", "", format!("Cluster version is {version}"), 3 * HOUR + 480),
    ])
}

fn history() -> Vec<Value> {
    let entry = |version: &str, image: String, started: u32, took: u32| json!({"completionTime": ago(started - took), "image": image, "startedTime": ago(started), "state": "Completed", "verified": true, "version": version});
    let mut history = vec![
        entry(Release::Target.version(), Release::Target.image(), 5 * HOUR, 2 * HOUR - 480),
        entry(Release::Before.version(), Release::Before.image(), 1_400 * HOUR, 2 * HOUR),
    ];
    history.extend(EARLIER.into_iter().zip(2_u32..).map(|(version, place)| {
        let image = format!(
            "registry.seaport.example:5000/openshift/release@sha256:{}",
            Seed::of("release").under(version).hex(64)
        );
        entry(version, image, place * 1_000 * HOUR, 2 * HOUR + 97 * place)
    }));
    history
}
