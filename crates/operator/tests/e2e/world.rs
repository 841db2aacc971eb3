//! The cluster that the operator looks at: three masters, three workers, a few operators, written to a real API server.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use headway_api::update::health::HealthInsight;
use headway_api::update::status::Status;
use headway_testenv::Plane;
use jiff::{SignedDuration, Timestamp};
use kube::api::{Api, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::core::{ApiResource, GroupVersionKind};
use kube::{Client, Config};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::program::TestClock;

/// 2026-05-04T12:00:00Z: where the clock of every test begins.
pub(super) const NOW: Timestamp = Timestamp::constant(1_777_896_000, 0);

pub(super) const OLD: &str = "4.20.1";
pub(super) const NEW: &str = "4.20.2";

const CONFIG: &str = "config.openshift.io/v1";
const MACHINE: &str = "machineconfiguration.openshift.io/v1";
const UPDATE: &str = "update.openshift.io/v1alpha1";

const OUR_KINDS: [&str; 7] = [
    "UpdateStatus",
    "PoolUpdateStatus",
    "ClusterVersionProgressInsight",
    "ClusterOperatorProgressInsight",
    "MachineConfigPoolProgressInsight",
    "NodeProgressInsight",
    "HealthInsight",
];

/// No call of a test takes so long; one that does fails instead of hanging.
const CALL: Duration = Duration::from_secs(30);

/// So many seconds before [`NOW`], as text.
pub(super) fn ago(seconds: i64) -> String {
    NOW.checked_sub(SignedDuration::from_secs(seconds)).unwrap().to_string()
}

/// The plane, while a test has it for itself.
pub(super) struct World {
    pub(super) plane: MutexGuard<'static, Plane>,
    client: Client,
    runtime: Runtime,
}

static PLANE: OnceLock<Mutex<Plane>> = OnceLock::new();

impl World {
    /// A cluster in mid-update: half of the operators are done, no node has begun.
    pub(super) fn updating() -> Self {
        let world = Self::empty();
        world.install();
        world.put(cluster_version());
        for (at, name) in ["etcd", "kube-apiserver", "dns", "network", "machine-config"].iter().enumerate() {
            world.put(operator(name, if at < 2 { NEW } else { OLD }, &[]));
        }
        for pool in ["master", "worker"] {
            world.put(self::pool(pool, false));
            for version in [OLD, NEW] {
                world.put(json!({
                    "apiVersion": MACHINE, "kind": "MachineConfig",
                    "metadata": { "name": config(pool, version), "annotations": {
                        "machineconfiguration.openshift.io/release-image-version": version } },
                }));
            }
        }
        for name in ["m-0", "m-1", "m-2", "w-0", "w-1", "w-2"] {
            world.put(node(name, Step::Old, "True", &ago(90_000)));
        }
        world
    }

    /// A plane without anything on it, not even our kinds.
    pub(super) fn empty() -> Self {
        let plane = PLANE.get_or_init(|| {
            let plane = Plane::start().unwrap();
            plane.apply_foreign_crds().unwrap();
            Mutex::new(plane)
        });
        // A test that failed leaves a plane that the next one sweeps.
        let plane = plane.lock().unwrap_or_else(PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(client(plane.kubeconfig()));
        let world = Self { plane, client, runtime };
        world.sweep();
        world
    }

    pub(super) fn kubeconfig(&self) -> &Path {
        self.plane.kubeconfig()
    }

    /// Installs our kinds, where they are not there.
    pub(super) fn install(&self) {
        if OUR_KINDS.iter().all(|kind| self.serves(kind)) {
            return;
        }
        let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/crds");
        self.kubectl(&["apply", "--server-side", "-f", crds]);
        self.kubectl(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=30s"]);
    }

    fn serves(&self, kind: &str) -> bool {
        let api = self.api(UPDATE, kind, None);
        self.runtime.block_on(async { api.list(&ListParams::default().limit(1)).await.is_ok() })
    }

    /// Takes our kinds away, and with them all objects of theirs.
    pub(super) fn uninstall(&self) {
        let crds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/crds");
        self.kubectl(&["delete", "--ignore-not-found", "-f", crds]);
    }

    /// Runs kubectl; what it says on standard output.
    pub(super) fn kubectl(&self, args: &[&str]) -> String {
        let limit = format!("--request-timeout={}s", CALL.as_secs());
        let output = self.plane.kubectl(&[&[limit.as_str()], args].concat()).unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "kubectl {args:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs kubectl with something on its standard input.
    pub(super) fn kubectl_in(&self, args: &[&str], input: &str) {
        let mut child = self.plane.kubectl_command().args(args).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "kubectl {args:?}");
    }

    /// Writes an object, and its status where it has one.
    pub(super) fn put(&self, object: Value) {
        self.runtime.block_on(self.put_one(object));
    }

    /// Writes many, several at a time.
    pub(super) fn put_all(&self, objects: &[Value]) {
        let puts = stream::iter(objects.iter().cloned()).map(|object| self.put_one(object));
        self.runtime.block_on(puts.buffer_unordered(16).collect::<()>());
    }

    async fn put_one(&self, mut object: Value) {
        let status = object.as_object_mut().unwrap().remove("status");
        let name = object["metadata"]["name"].as_str().unwrap().to_owned();
        let api = self.api_of(&object);
        let params = PatchParams::apply("test").force();
        let mut written = api.patch(&name, &params, &Patch::Apply(&object)).await.unwrap();
        if let Some(status) = status {
            // In one piece: nobody is to see half of it, nor what was told before beside it.
            written.data["status"] = status;
            api.replace_status(&name, &PostParams::default(), &written).await.unwrap();
        }
    }

    /// Makes objects as somebody who goes away afterwards: nobody keeps their fields.
    pub(super) fn create_all(&self, objects: &[Value]) {
        self.runtime.block_on(async {
            for object in objects {
                let mut object = object.clone();
                let status = object.as_object_mut().unwrap().remove("status");
                let api = self.api_of(&object);
                let object: DynamicObject = serde_json::from_value(object).unwrap();
                let mut written = api.create(&PostParams::default(), &object).await.unwrap();
                if let Some(status) = status {
                    written.data["status"] = status;
                    let name = written.metadata.name.clone().unwrap();
                    api.replace_status(&name, &PostParams::default(), &written).await.unwrap();
                }
            }
        });
    }

    /// Changes some fields of an object, as whoever looks after it does.
    pub(super) fn merge(&self, object: &Value, patch: &Value) {
        let name = object["metadata"]["name"].as_str().unwrap();
        let api = self.api_of(object);
        self.runtime.block_on(async {
            api.patch(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
            if patch.get("status").is_some() {
                api.patch_status(name, &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
            }
        });
    }

    /// All objects of any kind in a namespace.
    pub(super) fn list(&self, version: &str, kind: &str, namespace: &str) -> Vec<Value> {
        let api = self.api(version, kind, Some(namespace));
        let listed = self.runtime.block_on(async { api.list(&ListParams::default()).await.unwrap().items });
        listed
            .into_iter()
            .map(|object| {
                let mut value = serde_json::to_value(object).unwrap();
                (value["apiVersion"], value["kind"]) = (json!(version), json!(kind));
                value
            })
            .collect()
    }

    /// Writes an object of a kind that has its status within.
    pub(super) fn apply(&self, object: &Value) {
        self.plane.apply(&object.to_string()).unwrap();
    }

    /// The same, where the server may not be ready for it. Answers whether it was.
    pub(super) fn try_apply(&self, object: &Value) -> bool {
        self.plane.apply(&object.to_string()).is_ok()
    }

    /// Takes away what is there, so that no later test pays for it.
    pub(super) fn forget(&self) {
        self.sweep();
    }

    /// Deletes an object.
    pub(super) fn delete(&self, kind: &str, name: &str) {
        self.kubectl(&["delete", kind, name, "--grace-period=0", "--force"]);
    }

    /// The status that the operator keeps; `None` while there is none.
    pub(super) fn status(&self) -> Option<Status> {
        let object = self.raw("UpdateStatus", "cluster")?;
        serde_json::from_value(object.data["status"].clone()).ok()
    }

    /// An object of ours.
    pub(super) fn raw(&self, kind: &str, name: &str) -> Option<DynamicObject> {
        let api = self.api(UPDATE, kind, None);
        self.runtime.block_on(async { api.get_opt(name).await.ok().flatten() })
    }

    /// The writes to our kinds that the server has answered so far, each as `VERB PATH CODE`.
    pub(super) fn writes(&self) -> Vec<String> {
        let tell = |event: &Value| {
            let path = event["requestURI"].as_str().unwrap_or_default();
            let path =
                path.split('?').next().unwrap_or_default().trim_start_matches("/apis/update.openshift.io/v1alpha1/");
            format!("{} {path} {}", event["verb"].as_str().unwrap_or_default(), event["responseStatus"]["code"])
        };
        self.write_events().iter().map(tell).collect()
    }

    /// Waits until the details of these pools are there and two seconds bring no further write.
    pub(super) fn wait_for_writes(&self, clock: &mut TestClock, pools: &[&str]) {
        let begun = Instant::now();
        let (mut known, mut quiet) = (0, Instant::now());
        while begun.elapsed() < Duration::from_secs(45) {
            let writes = self.writes().len();
            if writes != known {
                (known, quiet) = (writes, Instant::now());
            }
            let are_there = pools.iter().all(|pool| self.raw("PoolUpdateStatus", pool).is_some());
            if are_there && quiet.elapsed() > Duration::from_secs(2) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
            clock.pass(1);
        }
        panic!("{pools:?} are not written within 45 s, or writes never end: {:#?}", self.writes());
    }

    /// From when to when the server had to do with each write to our kinds.
    pub(super) fn write_spans(&self) -> Vec<(Timestamp, Timestamp)> {
        let time = |event: &Value, field: &str| event[field].as_str().unwrap().parse::<Timestamp>().unwrap();
        let span = |event: &Value| (time(event, "requestReceivedTimestamp"), time(event, "stageTimestamp"));
        self.write_events().iter().map(span).collect()
    }

    fn write_events(&self) -> Vec<Value> {
        let log = std::fs::read_to_string(self.plane.audit_log()).unwrap();
        let events = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let ours = events.filter(|event| {
            let verb = event["verb"].as_str().unwrap_or_default();
            event["stage"] == "ResponseComplete"
                && event["objectRef"]["apiGroup"] == "update.openshift.io"
                && ["create", "update", "patch", "delete"].contains(&verb)
        });
        ours.collect()
    }

    /// All objects of a kind of ours.
    pub(super) fn all(&self, kind: &str) -> Vec<DynamicObject> {
        let api = self.api(UPDATE, kind, None);
        self.runtime.block_on(async { api.list(&ListParams::default()).await.unwrap().items })
    }

    /// Waits until the status is as it should be, while the operator's clock goes ten times as fast as the wall's.
    /// Answers it.
    pub(super) fn wait(&self, clock: &mut TestClock, what: &str, is: impl Fn(&Status) -> bool) -> Status {
        let begun = Instant::now();
        let mut last = None;
        while begun.elapsed() < Duration::from_secs(45) {
            last = self.status();
            if let Some(status) = last.as_ref().filter(|status| is(status)) {
                return status.clone();
            }
            std::thread::sleep(Duration::from_millis(100));
            clock.pass(1);
        }
        panic!("{what}: not within 45 s; it says {}", serde_json::to_string_pretty(&last).unwrap());
    }

    fn api_of(&self, object: &Value) -> Api<DynamicObject> {
        let namespace = object["metadata"]["namespace"].as_str();
        self.api(object["apiVersion"].as_str().unwrap(), object["kind"].as_str().unwrap(), namespace)
    }

    fn api(&self, version: &str, kind: &str, namespace: Option<&str>) -> Api<DynamicObject> {
        let (group, version) = version.split_once('/').unwrap_or(("", version));
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
        match namespace {
            Some(namespace) => Api::namespaced_with(self.client.clone(), namespace, &resource),
            None => Api::all_with(self.client.clone(), &resource),
        }
    }

    /// Takes away what the test before left.
    fn sweep(&self) {
        let ours = OUR_KINDS.map(|kind| (UPDATE, kind, None));
        let theirs = [
            (CONFIG, "ClusterVersion", None),
            (CONFIG, "ClusterOperator", None),
            (MACHINE, "MachineConfigPool", None),
            (MACHINE, "MachineConfig", None),
            ("v1", "Node", None),
            ("v1", "Pod", Some("default")),
            ("policy/v1", "PodDisruptionBudget", Some("default")),
        ];
        self.runtime.block_on(async {
            for (version, kind, namespace) in theirs.into_iter().chain(ours) {
                let api = self.api(version, kind, namespace);
                let at_once = DeleteParams { grace_period_seconds: Some(0), ..DeleteParams::default() };
                match api.delete_collection(&at_once, &ListParams::default()).await {
                    Ok(_) => {}
                    // Ours are not always installed.
                    Err(kube::Error::Api(status)) if status.code == 404 => {}
                    Err(error) => panic!("{kind}: {error}"),
                }
            }
        });
    }
}

/// A client that gives up rather than hang.
pub(super) async fn client(kubeconfig: &Path) -> Client {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    (config.connect_timeout, config.read_timeout) = (Some(CALL), Some(CALL));
    Client::try_from(config).unwrap()
}

/// The health insights of a status, in the order of the control plane and then of the pools.
pub(super) fn health(status: &Status) -> Vec<HealthInsight> {
    status.findings().map(|(_, told)| told.clone()).collect()
}

/// The rules and levels of the health insights, as `LEVEL RULE`.
pub(super) fn rules(status: &Status) -> Vec<String> {
    let told = health(status).into_iter().map(|insight| {
        let text = serde_json::to_value(&insight).unwrap();
        let word = |text: &Value| text.as_str().unwrap_or("?").to_owned();
        format!("{} {}", word(&text["impact"]["level"]), word(&text["ruleID"]))
    });
    told.collect()
}

/// How many nodes of a pool are in a state; `None` while the pool is not told.
pub(super) fn nodes(status: &Status, pool: &str, state: &str) -> Option<u64> {
    let pool = status.worker_pools.iter().find(|told| told.name == pool)?;
    let told = serde_json::to_value(pool.insights().collect::<Vec<_>>()).unwrap();
    let told = told.as_array().unwrap().iter().map(|told| &told["insight"]["machineConfigPool"]["summaries"]);
    let mut counts = told.filter_map(Value::as_array).flatten();
    counts.find(|count| count["type"] == state)?["count"].as_u64()
}

pub(super) fn cluster_version() -> Value {
    json!({
        "apiVersion": CONFIG, "kind": "ClusterVersion", "metadata": { "name": "version" }, "spec": { "clusterID": "x" },
        "status": {
            "desired": { "version": NEW, "image": "image-2" },
            "history": [
                { "state": "Partial", "version": NEW, "image": "image-2", "startedTime": ago(2400) },
                { "state": "Completed", "version": OLD, "image": "image-1", "startedTime": ago(2_592_000),
                  "completionTime": ago(2_588_400) },
                { "state": "Completed", "version": "4.20.0", "image": "image-0", "startedTime": ago(5_184_000),
                  "completionTime": ago(5_181_300) },
            ],
            "conditions": [
                condition("Progressing", "True", &ago(2400), "", "Working towards 4.20.2"),
                condition("Failing", "False", &ago(2_592_000), "", ""),
            ],
        },
    })
}

/// An operator of the release; conditions that are given take the place of the healthy ones.
pub(super) fn operator(name: &str, version: &str, conditions: &[Value]) -> Value {
    let mut all = vec![
        condition("Available", "True", &ago(90_000), "AsExpected", ""),
        condition("Progressing", "False", &ago(1200), "AsExpected", ""),
        condition("Degraded", "False", &ago(90_000), "AsExpected", ""),
    ];
    for given in conditions {
        all.retain(|known| known["type"] != given["type"]);
        all.push(given.clone());
    }
    json!({
        "apiVersion": CONFIG, "kind": "ClusterOperator",
        "metadata": { "name": name, "annotations": { "include.release.openshift.io/self-managed-high-availability": "true" } },
        "status": { "versions": [{ "name": "operator", "version": version }], "conditions": all },
    })
}

pub(super) fn condition(kind: &str, status: &str, since: &str, reason: &str, message: &str) -> Value {
    json!({ "type": kind, "status": status, "lastTransitionTime": since, "reason": reason, "message": message })
}

pub(super) fn pool(name: &str, paused: bool) -> Value {
    json!({
        "apiVersion": MACHINE, "kind": "MachineConfigPool", "metadata": { "name": name },
        "spec": {
            "paused": paused,
            "nodeSelector": { "matchLabels": { (format!("node-role.kubernetes.io/{name}")): "" } },
            "configuration": { "name": config(name, NEW) },
        },
        "status": { "conditions": [] },
    })
}

fn config(pool: &str, version: &str) -> String {
    format!("rendered-{pool}-{version}")
}

/// Where a node is on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Old,
    Draining,
    Degraded,
    New,
}

pub(super) fn node(name: &str, step: Step, ready: &str, since: &str) -> Value {
    node_with(name, step, ready, since, "the disk is full")
}

/// A node whose machine config daemon gives this reason, where it is degraded.
pub(super) fn node_with(name: &str, step: Step, ready: &str, since: &str, reason: &str) -> Value {
    let pool = if name.starts_with('m') { "master" } else { "worker" };
    let (old, new) = (config(pool, OLD), config(pool, NEW));
    let key = |word: &str| format!("machineconfiguration.openshift.io/{word}");
    let (current, desired, state) = match step {
        Step::Old => (&old, &old, "Done"),
        Step::Draining => (&old, &new, "Working"),
        Step::Degraded => (&old, &new, "Degraded"),
        Step::New => (&new, &new, "Done"),
    };
    let mut notes = json!({ (key("currentConfig")): current, (key("desiredConfig")): desired, (key("state")): state });
    let drain = format!("drain-{new}");
    match step {
        Step::Draining => {
            notes[key("desiredDrain")] = json!(drain);
            notes[key("lastAppliedDrain")] = json!(format!("uncordon-{old}"));
        }
        Step::Degraded => {
            notes[key("desiredDrain")] = json!(drain);
            notes[key("lastAppliedDrain")] = json!(drain);
            notes[key("reason")] = json!(reason);
        }
        Step::Old | Step::New => {}
    }
    json!({
        "apiVersion": "v1", "kind": "Node",
        "metadata": {
            "name": name,
            "labels": { (format!("node-role.kubernetes.io/{pool}")): "" },
            "annotations": notes,
        },
        "spec": { "unschedulable": step == Step::Draining },
        "status": { "conditions": [condition("Ready", ready, since, "KubeletReady", "")] },
    })
}
