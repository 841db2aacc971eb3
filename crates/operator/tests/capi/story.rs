//! A plane with Cluster API, and what is seen of one cluster in it while it moves.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use headway_testenv::Plane;
use headway_testenv::cluster_api::Manager;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::objects::NAMESPACE;

/// Between two looks; the shortest step takes many of them.
const PAUSE: Duration = Duration::from_millis(300);

/// The plane; when a test fails, what its managers logged last is told.
pub(super) struct World {
    pub(super) plane: Plane,
    client: Client,
    runtime: Runtime,
}

impl World {
    pub(super) fn start() -> Self {
        let plane = Plane::start().unwrap();
        plane.start_cluster_api().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let kubeconfig = Kubeconfig::read_from(plane.kubeconfig()).unwrap();
            let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
            Client::try_from(config).unwrap()
        });
        Self { plane, client, runtime }
    }

    /// Asks the API server.
    pub(super) fn get(&self, path: &str) -> Value {
        let request = http::Request::get(path).body(Vec::new()).unwrap();
        self.runtime.block_on(self.client.request(request)).unwrap()
    }

    /// Looks until it is so.
    pub(super) fn until(&self, what: &str, seconds: u64, mut is: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !is() {
            assert!(begun.elapsed() < Duration::from_secs(seconds), "{what}: not within {seconds} s");
            std::thread::sleep(PAUSE);
        }
        eprintln!("{what}: after {:.0} s", begun.elapsed().as_secs_f64());
    }

    /// Applies objects as soon as the webhooks take them: some of what they ask for takes a moment.
    pub(super) fn apply(&self, what: &str, objects: &str) {
        let mut refused = String::new();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            match self.plane.apply(objects) {
                Ok(()) => return,
                Err(error) => refused = error.to_string(),
            }
            std::thread::sleep(PAUSE);
        }
        panic!("{what} is not taken: {refused}");
    }

    /// Makes objects as somebody who goes away afterwards: whoever applies them goes on to keep their fields.
    pub(super) fn create(&self, what: &str, objects: &str) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("objects.json");
        std::fs::write(&file, objects).unwrap();
        // A second try meets what the first one made; both are there then.
        let file = file.to_str().unwrap();
        let made = || {
            let created = self.plane.kubectl_text(&["create", "-f", file]);
            created.map_err(|error| error.to_string()).or_else(|error| {
                let is_there = self.plane.kubectl_text(&["get", "-f", file]).is_ok();
                if is_there { Ok(String::new()) } else { Err(error) }
            })
        };
        self.until(what, 60, || made().is_ok());
    }

    /// Registers an extension, and waits until Cluster API knows its hooks.
    pub(super) fn register(&self, extension: &Value) {
        let name = extension["metadata"]["name"].as_str().unwrap();
        self.apply(name, &extension.to_string());
        let path = format!("/apis/runtime.cluster.x-k8s.io/v1beta2/extensionconfigs/{name}");
        self.until(&format!("the extension {name} is discovered"), 60, || is(&self.get(&path), "Discovered", "True"));
    }

    /// The objects of Cluster API that belong to a cluster.
    pub(super) fn of(&self, group: &str, plural: &str, cluster: &str) -> Vec<Value> {
        let selector = format!("cluster.x-k8s.io%2Fcluster-name%3D{cluster}");
        let path = format!("/apis/{group}/v1beta2/namespaces/{NAMESPACE}/{plural}?labelSelector={selector}");
        self.get(&path)["items"].as_array().cloned().unwrap_or_default()
    }

    pub(super) fn cluster(&self, name: &str) -> Value {
        self.get(&format!("/apis/cluster.x-k8s.io/v1beta2/namespaces/{NAMESPACE}/clusters/{name}"))
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        for manager in Manager::ALL {
            let log = std::fs::read_to_string(self.plane.manager_log(manager)).unwrap_or_default();
            // The provider looks for containers now and then, which nobody asks it for.
            let lines: Vec<&str> = log.lines().filter(|line| !line.contains("docker")).collect();
            eprintln!("the end of the log of {manager}:\n{}", lines[lines.len().saturating_sub(15)..].join("\n"));
        }
    }
}

/// Whether a condition has this status and is about the object as it is now.
pub(super) fn is(object: &Value, condition: &str, status: &str) -> bool {
    let conditions = object["status"]["conditions"].as_array();
    conditions.into_iter().flatten().any(|it| {
        it["type"] == condition
            && it["status"] == status
            && it["observedGeneration"] == object["metadata"]["generation"]
    })
}

/// What was seen of a cluster, each thing once, in its order.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// The versions that the control plane was told to have.
    pub(super) control_plane: Vec<String>,
    /// The versions that it said it had.
    pub(super) control_plane_has: Vec<String>,
    /// The versions that the workers were told to have.
    pub(super) workers: Vec<String>,
    /// Every machine that there ever was, with its version.
    pub(super) machines: BTreeMap<String, Machine>,
    /// What TopologyReconciled said while it was false.
    pub(super) held: Vec<String>,
    /// When the control plane was first seen to be told another version than at the beginning.
    pub(super) moved: Option<Instant>,
}

/// One machine.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Machine {
    pub(super) serves: bool,
    pub(super) version: String,
    /// What its node said at last.
    pub(super) kubelet: String,
}

impl Story {
    /// Looks once, and gives the cluster as it is now.
    pub(super) fn look(&mut self, world: &World, cluster: &str) -> Value {
        let now = world.cluster(cluster);
        for it in world.of("controlplane.cluster.x-k8s.io", "kubeadmcontrolplanes", cluster) {
            note(&mut self.control_plane, &it["spec"]["version"]);
            note(&mut self.control_plane_has, &it["status"]["version"]);
        }
        if self.control_plane.len() > 1 {
            self.moved.get_or_insert_with(Instant::now);
        }
        for it in world.of("cluster.x-k8s.io", "machinedeployments", cluster) {
            note(&mut self.workers, &it["spec"]["template"]["spec"]["version"]);
        }
        for it in world.of("cluster.x-k8s.io", "machines", cluster) {
            let machine = Machine {
                serves: it["metadata"]["labels"].get("cluster.x-k8s.io/control-plane").is_some(),
                version: text(&it["spec"]["version"]),
                kubelet: text(&it["status"]["nodeInfo"]["kubeletVersion"]),
            };
            self.machines.insert(text(&it["metadata"]["name"]), machine);
        }
        let told = now["status"]["conditions"].as_array().into_iter().flatten();
        for it in told.filter(|it| it["type"] == "TopologyReconciled" && it["status"] == "False") {
            note(&mut self.held, &it["message"]);
        }
        now
    }

    /// The versions of the machines that there ever were, those that serve or those that work.
    pub(super) fn versions(&self, serves: bool) -> Vec<&str> {
        let mut versions: Vec<&str> =
            self.machines.values().filter(|it| it.serves == serves).map(|it| it.version.as_str()).collect();
        versions.sort_unstable();
        versions
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn note(seen: &mut Vec<String>, value: &Value) {
    if let Some(value) = value.as_str()
        && seen.last().is_none_or(|last| last != value)
    {
        seen.push(value.to_owned());
    }
}
